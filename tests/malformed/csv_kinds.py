# Malformed logs in CSV, imported by the roles of their columns.
import gzip
import zlib

from cases import NOT_FINITE, NOT_NUMBERS, Case, column_of, kind, log_rows, text_of

HEADER = ["user", "item", "label"]


def imported(content, line, column=0, more=(), file="log.csv"):
    return Case({file: content}, ["import", "csv", file, "--out", "out", *more], 3, file, line, column)


def with_field(rng, field, value, header=None, more=(), columns=()):
    """A log in which one row has that value in that field; `columns` are (value of the other rows) beyond the label."""
    rows = [row + list(columns) for row in log_rows(rng)]
    at = rng.randrange(len(rows))
    rows[at][field] = value
    return imported(text_of(rows, header=header or HEADER), at + 2, column_of(rows[at], field), more)


@kind
def label_that_is_no_number(rng, k):
    return with_field(rng, 2, NOT_NUMBERS[k % len(NOT_NUMBERS)])


@kind
def label_that_is_not_finite(rng, k):
    return with_field(rng, 2, NOT_FINITE[k % len(NOT_FINITE)])


@kind
def label_that_is_neither_0_nor_1(rng, k):
    return with_field(rng, 2, ("2", "-1", "0.5", "1.0000001", "5", "1e-300", "10", "-0.1")[k % 8])


@kind
def empty_id(rng, k):
    return with_field(rng, k % 2, "")


@kind
def too_few_fields(rng, k):
    rows = log_rows(rng)
    at = rng.randrange(len(rows))
    del rows[at][1 + k % 2:]
    return imported(text_of(rows, header=HEADER), at + 2, column_of(rows[at], len(rows[at])) - 1)


@kind
def too_many_fields(rng, k):
    rows = log_rows(rng)
    at = rng.randrange(len(rows))
    rows[at] += ["x"] * (1 + k % 3)
    return imported(text_of(rows, header=HEADER), at + 2, column_of(rows[at], 3))


def with_bytes(rng, bad):
    """A log with those bytes within an id of one row, and the line and column where they are."""
    rows = log_rows(rng)
    at, field = rng.randrange(len(rows)), rng.randrange(2)
    rows[at][field] += "@"
    column = column_of(rows[at], field) + len(rows[at][field]) - 1
    return text_of(rows, header=HEADER).replace(b"@", bad), at + 2, column


@kind
def bad_utf8(rng, k):
    bad = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80", b"\x80", b"\xe2\x82", b"\xf0\x80\x80\x80")
    return imported(*with_bytes(rng, bad[k % len(bad)]))


@kind
def nul_byte(rng, k):
    return imported(*with_bytes(rng, b"\0" * (1 + k % 3)))


@kind
def carriage_return_alone(rng, k):
    return imported(*with_bytes(rng, b"\r"))


@kind
def quote_never_closed(rng, k):
    rows = log_rows(rng)
    at, field = rng.randrange(len(rows)), k % 3
    rows[at][field] = '"' + rows[at][field]
    return imported(text_of(rows, header=HEADER), at + 2, column_of(rows[at], field))


@kind
def text_after_a_quote(rng, k):
    rows = log_rows(rng)
    at, field = rng.randrange(len(rows)), k % 3
    rows[at][field] = f'"{rows[at][field]}"x'
    return imported(text_of(rows, header=HEADER), at + 2, column_of(rows[at], field) + len(rows[at][field]) - 1)


@kind
def blank_line_within(rng, k):
    lines = text_of(log_rows(rng), header=HEADER).splitlines(keepends=True)
    at = rng.randrange(1, len(lines))
    lines[at:at] = [(b"\n", b"\r\n")[k % 2]] * (1 + k % 3)
    return imported(b"".join(lines), at + 1)


@kind
def pair_that_stands_twice(rng, k):
    rows = log_rows(rng)
    first = rng.randrange(len(rows))
    at = rng.randrange(first + 1, len(rows) + 1)
    rows.insert(at, rows[first][:2] + ["01"[k % 2]])
    return imported(text_of(rows, header=HEADER), at + 2)


@kind
def propensity_out_of_range(rng, k):
    bad = ("0", "-0.5", "1.0001", "nan", "inf", "x", "", "1e-60")
    return with_field(rng, 3, bad[k % len(bad)], HEADER + ["p"], ["--propensity-column", "p"], ["0.25"])


@kind
def weight_out_of_range(rng, k):
    bad = ("-1", "nan", "inf", "-1e-30", "x", "", "1e39", "-inf")
    return with_field(rng, 3, bad[k % len(bad)], HEADER + ["w"], ["--weight-column", "w"], ["1.5"])


@kind
def timestamp_that_is_none(rng, k):
    bad = ("1.5.5", "nan", "1e300", "x", "", "9223372036854775808", "2020-13-01", "12:30")
    return with_field(rng, 3, bad[k % len(bad)], HEADER + ["t"], ["--timestamp-column", "t"], ["881250949"])


@kind
def header_that_does_not_fit(rng, k):
    bad = (["user", "item", "y"], ["user", "user", "label"], ["user", "", "label"], ["user^item^label"], ["users", "item", "label"])
    header = bad[k % len(bad)]
    rows = [row[:len(header)] for row in log_rows(rng)]
    column = {1: 6, 2: 6}.get(k % len(bad), 0)
    return imported(text_of(rows, header=header), 1, column)


@kind
def nothing_in_the_file(rng, k):
    header = text_of([], header=HEADER)
    return imported((b"", header, header.rstrip(), header + b"\n" * (1 + k % 5), b"\xef\xbb\xbf", b"\n" * (1 + k % 7))[k % 6], 0)


@kind
def compressed_file_that_is_damaged(rng, k):
    content = text_of(log_rows(rng, 30, 60), header=HEADER)
    whole = gzip.compress(content, mtime=0)
    at = rng.randrange(12, len(whole) - 9)
    bad = (whole[:at], whole[:-4] + bytes([whole[-4] ^ 1]) + whole[-3:], zlib.compress(content), content, whole + b"\x1f\x8b\x08")
    return imported(bad[k % len(bad)], 0, file="log.csv.gz")
