# The messy files: each with what a person would read in it, or the parameter that its refusal must name.
"""A case is read (with the rows that are expected) or refused (with the word that helps)."""
import dataclasses
import gzip


@dataclasses.dataclass
class Messy:
    name: str
    content: bytes
    arguments: tuple = ()
    rows: tuple = None  # what a person reads: (user, item, label)
    names: dict = None  # what items are called
    times: tuple = None  # the timestamps, in the order of the rows
    word: str = None  # or: what the refusal names
    file: str = "log.csv"
    more: dict = dataclasses.field(default_factory=dict)  # files beside it
    positives: bool = None  # whether it is a log of positives only


ROWS = (("u1", "i1", 1), ("u1", "i2", 0), ("u2", "i1", 0), ("u2", "i3", 1), ("u3", "i2", 1), ("u3", "i3", 0))
RATINGS = (5, 2, 1, 4, 3, 2)
POSITIVES = tuple((user, item, 1) for user, item, _ in ROWS)


def text(separator=",", end="\n", header=("user", "item", "label"), labels=None, users=None, items=None, more=(), last=True):
    """The six rows as a table, with other labels or ids, and further columns."""
    labels = labels or [str(row[2]) for row in ROWS]
    users = users or [row[0] for row in ROWS]
    items = items or [row[1] for row in ROWS]
    lines = [separator.join(header)] if header else []
    columns = [users, items] + ([labels] if labels != "none" else []) + list(more)
    lines += [separator.join(str(column[k]) for column in columns) for k in range(len(ROWS))]
    return (end.join(lines) + (end if last else "")).encode()


def rated(separator=",", point=".", header=("user", "item", "label")):
    return text(separator, header=header, labels=[f"{rating}{point}0" for rating in RATINGS])


LIKED = tuple((row[0], row[1], int(rating >= 3)) for row, rating in zip(ROWS, RATINGS))
THREE = ("--positive-at-least", "3")
WORDS = ["Yes" if row[2] else "no" for row in ROWS]
DATES = ["2023-05-04", "2023-05-04T10:11:12Z", "2023-05-04 10:11:12.5", "2023-05-04T12:11:12+02:00", "2023/05/05", "2023-05-05T00:00"]
SECONDS = (1683158400, 1683195072, 1683195072, 1683195072, 1683244800, 1683244800)
TITLES = ["One, two", "Second \"movie\"", "One, two", "Drei; vier", "Second \"movie\"", "Drei; vier"]
QUOTED = ['"' + title.replace('"', '""') + '"' for title in TITLES]
NAMES = {"i1": "One, two", "i2": "Second \"movie\"", "i3": "Drei; vier"}
TIMED = ("user", "item", "label", "t")
TITLED = ("user", "item", "label", "title")
PLAIN = text()
NUMBERED = ("--no-header", "--user-column", "1", "--item-column", "2")


def with_line(line, at=3):
    lines = PLAIN.split(b"\n")
    return b"\n".join(lines[:at] + [line] + lines[at:])


def with_label(label):
    return PLAIN.replace(b"u2,i1,0", b"u2,i1," + label.encode())


DROP = ("--missing", "drop")
WITHOUT = tuple(row for row in ROWS if row[:2] != ("u2", "i1"))

SEPARATORS = [
    Messy("plain", PLAIN, rows=ROWS),
    Messy("semicolons", text(";"), rows=ROWS),
    Messy("tabs in .csv", text("\t"), rows=ROWS),
    Messy("commas in .tsv", PLAIN, rows=ROWS, file="log.tsv"),
    Messy("pipes", text("|"), rows=ROWS),
    Messy("spaces", text(" "), word="separator"),
    Messy("spaces by flag", text(" "), ("--separator", "space"), rows=ROWS),
    Messy("carets", text("^"), word="separator"),
    Messy("carets by flag", text("^"), ("--separator", "^"), rows=ROWS),
    Messy("two colons", text("::"), word="separator"),
    Messy("separator of two letters", text("::"), ("--separator", "::"), word="separator"),
    Messy("wrong separator by flag", PLAIN, ("--separator", "semicolon"), word="separator"),
    Messy("a separator too many", text(more=([""] * 6,), header=("user", "item", "label", "")), rows=ROWS),
    Messy("a separator too many in rows", text(more=([""] * 6,)), rows=ROWS),
    Messy("a separator in a field", PLAIN.replace(b"u2,i1,0", b"u,2,i1,0"), word="quotes"),
]
LINES = [
    Messy("byte order mark", b"\xef\xbb\xbf" + PLAIN, rows=ROWS),
    Messy("CRLF", text(end="\r\n"), rows=ROWS),
    Messy("CR alone", text(end="\r"), rows=ROWS),
    Messy("CR alone, no last end", text(end="\r", last=False), rows=ROWS),
    Messy("CRLF and LF", PLAIN.replace(b"\n", b"\r\n", 3), rows=ROWS),
    Messy("CR within LF", PLAIN.replace(b"u2,i1,0\n", b"u2,i1,0\r"), word="carriage return"),
    Messy("no last line end", text(last=False), rows=ROWS),
    Messy("empty lines at the end", PLAIN + b"\n\n\n", rows=ROWS),
    Messy("empty line within", with_line(b""), word="missing"),
    Messy("empty line within, dropped", with_line(b""), DROP, rows=ROWS),
    Messy("empty file", b"", word="empty"),
    Messy("header only", b"user,item,label\n", word="no rows"),
    Messy("gzip", gzip.compress(PLAIN), rows=ROWS, file="log.csv.gz"),
    Messy("gzip by content", gzip.compress(PLAIN), rows=ROWS),
    Messy("a name of gzip alone", PLAIN, word="gzip", file="log.csv.gz"),
]
LETTERS = [
    Messy("latin-1", PLAIN.replace(b"u1", b"Jos\xe9"), word="encoding"),
    Messy("latin-1 by flag", PLAIN.replace(b"u1", b"Jos\xe9"), ("--encoding", "latin1"),
          rows=tuple(("José" if u == "u1" else u, i, y) for u, i, y in ROWS)),
    Messy("utf-16", PLAIN.decode().encode("utf-16"), word="encoding"),
    Messy("utf-16 by flag", PLAIN.decode().encode("utf-16"), ("--encoding", "utf16"), rows=ROWS),
    Messy("utf-16 without a mark", PLAIN.decode().encode("utf-16-le"), word="encoding"),
    Messy("NUL byte", PLAIN.replace(b"u2,i1", b"u2\0,i1"), word="NUL"),
    Messy("a field of a megabyte", text(more=(["x" * 1_000_000] * 6,), header=("user", "item", "label", "note")), rows=ROWS),
    Messy("an id of a megabyte", PLAIN.replace(b"u1", b"u" * 1_000_000),
          rows=tuple(("u" * 1_000_000 if u == "u1" else u, i, y) for u, i, y in ROWS)),
    Messy("a quote that stays open", PLAIN.replace(b"u2,i1,0", b'"u2,i1,0'), word="closed"),
    Messy("quotes everywhere", b"\n".join(b",".join(b'"' + f + b'"' for f in line.split(b",")) for line in PLAIN.split(b"\n")[:-1]),
          rows=ROWS),
]
HEADERS = [
    Messy("upper case", text(header=("USER", "Item", "LABEL")), rows=ROWS),
    Messy("spaces around names", text(", "), rows=ROWS),
    Messy("numbers of rows", b"\n".join(b"%d," % k + line if k else b"," + line for k, line in enumerate(PLAIN.split(b"\n")[:-1])),
          rows=ROWS),
    Messy("no header", text(header=None), word="header"),
    Messy("no header by flag", text(header=None), NUMBERED + ("--label-column", "3"), rows=ROWS),
    Messy("no header, no label told", text(header=None), NUMBERED, word="label_column"),
    Messy("other names", text(header=("who", "what", "label")), word="user_column"),
    Messy("other names by flag", text(header=("who", "what", "y")),
          ("--user-column", "who", "--item-column", "what", "--label-column", "y"), rows=ROWS),
    Messy("a label twice", text(header=("user", "item", "label", "label"), more=([0] * 6,)), word="label_column"),
    Messy("another column twice", text(header=("user", "item", "label", "x", "x"), more=([0] * 6, [1] * 6)), rows=ROWS),
]
LABELS = [
    Messy("no label", text(header=("user", "item"), labels="none"), rows=POSITIVES, positives=True),
    Messy("no label, pairs repeated", text(header=("user", "item"), labels="none") + b"u1,i1\nu1,i1\n", rows=POSITIVES, positives=True),
    Messy("pairs repeated with labels", PLAIN + b"u1,i1,0\n", word="duplicates"),
    Messy("only ones", text(labels=["1"] * 6), rows=POSITIVES, positives=True),
    Messy("a rating that nobody named", text(header=("user", "item", "rating"), labels=RATINGS), word="label_column"),
    Messy("a rating by flag", text(header=("user", "item", "rating"), labels=RATINGS), ("--label-column", "rating") + THREE, rows=LIKED),
    Messy("a rating to be ignored", text(header=("user", "item", "rating"), labels=RATINGS), ("--label-column", "none"),
          rows=POSITIVES, positives=True),
    Messy("ratings without a rule", text(labels=RATINGS), word="positive_at_least"),
    Messy("yes and no", text(labels=WORDS), word="positive"),
    Messy("yes and no by flag", text(labels=WORDS), ("--positive", "yes,true,1"), rows=ROWS),
    Messy("words that are none of these", text(labels=WORDS), ("--positive", "ja"), word="positive"),
    Messy("scientific notation", text(labels=[f"{r[2]}.0e+00" for r in ROWS]), rows=ROWS),
    Messy("spaces around numbers", text(labels=[f" {r[2]} " for r in ROWS]), rows=ROWS),
    Messy("spaces within numbers", with_label("1 000"), word="not a number"),
    Messy("decimal comma", rated(";", ","), THREE, word="decimal"),
    Messy("decimal comma by flag", rated(";", ","), THREE + ("--decimal", "comma"), rows=LIKED),
    Messy("decimal comma in quotes", text(labels=[f'"{r},5"' for r in RATINGS]), THREE + ("--decimal", "comma"), rows=LIKED),
    Messy("label missing", with_label(""), word="missing"),
    Messy("label NA", with_label("NA"), word="missing"),
    Messy("label NaN, dropped", with_label("NaN"), DROP, rows=WITHOUT),
    Messy("user missing", PLAIN.replace(b"u2,i1", b",i1"), word="missing"),
    Messy("user missing, dropped", PLAIN.replace(b"u2,i1", b",i1"), DROP, rows=WITHOUT),
]
FIELDS = [
    Messy("ids with leading zeros", text(users=["007", "007", "07", "07", "7", "7"]),
          rows=tuple((u, r[1], r[2]) for u, r in zip(["007", "007", "07", "07", "7", "7"], ROWS))),
    Messy("dates", text(header=TIMED, more=(DATES,)), ("--time-column", "t"), rows=ROWS, times=SECONDS),
    Messy("times as fractions", text(header=TIMED, more=([f"168{k}.75" for k in range(6)],)), ("--timestamp-column", "t"), rows=ROWS,
          times=tuple(1680 + k for k in range(6))),
    Messy("days before months", text(header=TIMED, more=(["04.05.2023"] * 6,)), ("--time-column", "t"), word="2023-05-04"),
    Messy("a time missing", text(header=TIMED, more=([1, 2, "", 4, 5, 6],)), ("--time-column", "t"), word="missing"),
    Messy("split by time without times", PLAIN, ("--split", "time"), word="timestamp_column"),
    Messy("names with commas", text(header=TITLED, more=(QUOTED,)), ("--item-name-column", "title"), rows=ROWS, names=NAMES),
    Messy("names with commas, semicolons between", text(";", header=TITLED, more=(QUOTED,)), ("--item-name-column", "title"), rows=ROWS,
          names=NAMES),
    Messy("names of a table", PLAIN, ("--items", "items.csv", "--item-name-column", "Title"), rows=ROWS, names=NAMES,
          more={"items.csv": "item;title\ni1;One, two\ni2;\"Second \"\"movie\"\"\"\ni3;\"Drei; vier\"\n".encode()}),
    Messy("names of no column", PLAIN, ("--item-name-column", "title"), word="item_name_column"),
]
ALL = SEPARATORS + LINES + LETTERS + HEADERS + LABELS + FIELDS
