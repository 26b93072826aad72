# Malformed data set folders and sources of other formats.
from cases import Case, column_of, kind, log_rows, text_of

HEADER = ["user", "item", "label"]


def data_set(rng):
    """The files of a whole data set with features, below sim/."""
    users = [[f"u{n}", str(20 + n), "red"] for n in range(12)]
    return {"sim/dataset.toml": b'name = "sim"\n[features.user]\nage = "continuous"\ncolour = "categorical"\n',
            "sim/train.csv": text_of(log_rows(rng), header=HEADER), "sim/test.csv": text_of(log_rows(rng), header=HEADER),
            "sim/users.csv": text_of(users, header=["user", "age", "colour"])}


def trained(files, file, line, column=0):
    return Case(files, ["train", "sim", "--method", "mean", "--out", "x.model"], 3, file, line, column)


@kind
def data_set_whose_toml_is_none(rng, k):
    files = data_set(rng)
    bad = (b"name = ", b"name", b"[features.user", b"= 1", b'name = "x', b"a = 1 b = 2", b"x = [1, 2", b"d = 01")[k % 8]
    before = rng.randrange(10)
    files["sim/dataset.toml"] = b"# a comment\n" * before + bad + b"\n"
    return trained(files, "sim/dataset.toml", before + 1)


@kind
def data_set_that_declares_what_is_not_so(rng, k):
    files = data_set(rng)
    toml = files["sim/dataset.toml"]
    bad = {0: (toml.replace(b"continuous", b"number"), "sim/dataset.toml", 0),
           1: (toml + b'height = "continuous"\n', "sim/users.csv", 1),
           2: (toml.replace(b"age", b"aeg"), "sim/users.csv", 1),
           3: (toml + b"[other]\nx = 1\n", "sim/dataset.toml", 0),
           4: (b"features = 3\n", "sim/dataset.toml", 0)}
    files["sim/dataset.toml"], file, line = bad[k % 5]
    return trained(files, file, line)


@kind
def data_set_with_a_bad_part(rng, k):
    files = data_set(rng)
    part = ("train", "valid", "test")[k % 3]
    rows = log_rows(rng)
    at = rng.randrange(len(rows))
    rows[at][2] = ("", "x", "3", "nan", "0.5")[k % 5]
    files[f"sim/{part}.csv"] = text_of(rows, header=HEADER)
    return trained(files, f"sim/{part}.csv", at + 2, column_of(rows[at], 2))


@kind
def feature_table_that_is_wrong(rng, k):
    files = data_set(rng)
    lines = files["sim/users.csv"].decode().splitlines()
    at = rng.randrange(2, len(lines))
    fields = lines[at].split(",")
    changes = {0: (0, lines[1].split(",")[0]), 1: (0, ""), 2: (1, "old"), 3: (1, "inf"), 4: (1, "1e39")}
    field, value = changes[k % 5]
    fields[field] = value
    lines[at] = ",".join(fields)
    files["sim/users.csv"] = "".join(line + "\n" for line in lines).encode()
    return trained(files, "sim/users.csv", at + 1, column_of(fields, field))


def source(name, files, file, line, column=0, path="in"):
    return Case({f"in/{key}": value for key, value in files.items()}, ["import", name, path, "--out", "out"], 3,
                f"in/{file}", line, column)


@kind
def coat_matrix_with_a_bad_cell(rng, k):
    width, height = rng.randint(2, 9), rng.randint(2, 9)
    file = ("train.ascii", "test.ascii", "propensities.ascii", "user_features.ascii")[k % 4]
    files = {"user_features_map.txt": "".join(f"f:{c}\n" for c in range(width)).encode()}
    bad = {"propensities.ascii": ("0", "1.5", "nan", "x", "")}.get(file, ("6", "-1", "nan", "x", ""))[k // 4 % 5]
    for name, good in (("train.ascii", "3"), ("test.ascii", "4"), ("propensities.ascii", "0.5"), ("user_features.ascii", "1")):
        rows = [[good] * width for _ in range(height)]
        if name == file:
            at, column = rng.randrange(height), rng.randrange(width)
            rows[at][column] = bad
        files[name] = text_of(rows, " ")
    return source("coat", files, file, at + 1, 1 + sum(len(cell) + 1 for cell in [
        *files[file].decode().splitlines()[at].split(" ")][:column]))


def rating_rows(rng):
    return [[str(n), str(rng.randrange(1, 50)), str(rng.randint(1, 5)), str(881250949 + n)] for n in range(rng.randint(2, 30))]


@kind
def rating_off_its_scale(rng, k):
    name, file, separator, header, width, path = (
        ("yahoo-r3", "ydata-ymusic-rating-study-v1_0-train.txt", "\t", None, 3, "in"),
        ("movielens", "u.data", "\t", None, 4, "in"), ("movielens", "ratings.dat", "::", None, 4, "in/ratings.dat"),
        ("movielens", "ratings.csv", ",", ["userId", "movieId", "rating", "timestamp"], 4, "in"),
        ("amazon", "a.csv", ",", None, 4, "in/a.csv"), ("anime", "rating.csv", ",", ["user_id", "anime_id", "rating"], 3, "in"))[k % 6]
    rows = [row[:width] for row in rating_rows(rng)]
    at = rng.randrange(len(rows))
    rows[at][2] = ("11", "0", "-3", "nan", "five", "")[k // 6 % 6]
    files = {file: text_of(rows, separator, header)}
    if name == "yahoo-r3":
        files["ydata-ymusic-rating-study-v1_0-test.txt"] = text_of([row[:3] for row in rating_rows(rng)], separator)
    column = len(separator.join(rows[at][:2] + [""])) + 1
    return source(name, files, file, at + (2 if header else 1), column, path)


@kind
def pcic_row_that_is_none(rng, k):
    rows = [[f"{n}.0", f"{rng.randrange(9)}.0", "1.0", "1.0"] for n in range(rng.randint(2, 30))]
    test = text_of(rows)
    at = rng.randrange(len(rows))
    field, value = ((0, "1.5"), (1, "-1.0"), (2, "0.5"), (3, "2.0"), (3, ""), (0, "a"), (2, "nan"), (1, "1e20"))[k % 8]
    rows[at][field] = value
    return source("pcic", {"train.csv": text_of(rows), "test.csv": test}, "train.csv", at + 1, column_of(rows[at], field))


@kind
def atomic_file_that_is_none(rng, k):
    header = ["user_id:token", "item_id:token", "rating:float", "timestamp:float"]
    rows = rating_rows(rng)
    at = rng.randrange(len(rows))
    line, column = 1, 0
    if k % 5 == 0:
        header[3] = ("timestamp", "timestamp:int", ":float", "timestamp:")[k // 5 % 4]
        column = column_of(header, 3, "\t")
    elif k % 5 == 1:
        header[k // 5 % 3] = "other:token"  # the user, the item or the rating has no field
    elif k % 5 == 2:
        rows[at][2] = ("x", "", "nan")[k // 5 % 3]
        line, column = at + 2, column_of(rows[at], 2, "\t")
    elif k % 5 == 3:
        rows[at][3] = ("1.5", "x", "")[k // 5 % 3]
        line, column = at + 2, column_of(rows[at], 3, "\t")
    else:
        del rows[at][3]
        line = at + 2
    return source("recbole", {"toy.inter": text_of(rows, "\t", header)}, "toy.inter", line, column)
