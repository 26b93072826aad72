"""Logs from tables of every kind: the same data from all, ids of the type that they came in, errors that name the place."""
import numpy as np
import pytest
from conftest import installed, named, needs, rows

import equipoise as eq

pd = installed("pandas")


def test_a_dict_of_arrays_is_a_log():
    log = eq.Log(rows(), name="mine", seed=3)
    assert log.name == "mine"
    assert sum(log.counts[part] for part in ("train", "valid", "test")) == len(rows()["user"])
    assert log.users.dtype == np.int64 and set(log.users) == set(range(40))


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", ">i4"])
def test_whole_numbers_of_any_size_are_the_same_ids(kind):
    table = rows()
    other = {**table, "user": table["user"].astype(kind)}
    log = eq.Log(other)
    assert log.fingerprint == eq.Log(table).fingerprint
    assert log.users.dtype == np.dtype(kind).newbyteorder("=")


def test_large_and_negative_ids():
    table = {"user": np.array([2**63 + 5, 2**64 - 1] * 3, dtype=np.uint64),
             "item": np.array([-1, -2**63, 7, 8, -1, 9])[[0, 1, 2, 3, 5, 4]], "label": [0, 1, 1, 0, 1, 0]}
    log = eq.Log(table, log_test_share=0, log_valid_share=0)
    assert sorted(log.users.tolist()) == [2**63 + 5, 2**64 - 1]
    assert set(log.items.tolist()) == {-1, -2**63, 7, 8, 9}


@pytest.mark.parametrize("kind", ["float32", "float64", "bool", "int8", object])
def test_labels_of_any_type(kind):
    table = rows()
    assert eq.Log({**table, "label": table["label"].astype(kind)}).fingerprint == eq.Log(table).fingerprint


def test_strided_columns_are_read_where_they_lie():
    table = rows()
    block = np.column_stack([table["user"], table["item"], table["label"]])
    views = {"user": block[:, 0], "item": block[:, 1], "label": block[:, 2]}
    assert eq.Log(views).fingerprint == eq.Log(table).fingerprint
    backwards = {name: values[::-1].copy()[::-1] for name, values in table.items()}
    assert eq.Log(backwards).fingerprint == eq.Log(table).fingerprint


@needs("pandas")
def test_pandas_columns_of_every_kind():
    table = named(rows())
    first = eq.Log(table).fingerprint
    frame = pd.DataFrame(table)
    assert eq.Log(frame).fingerprint == first
    assert eq.Log(frame.astype({"user": "category", "item": "string", "label": "Int64"})).fingerprint == first
    assert eq.Log(frame.astype({"label": "boolean"})).fingerprint == first
    assert eq.Log(frame.set_index(frame.index[::-1])).fingerprint == first
    numbers = pd.DataFrame(rows())
    assert eq.Log(numbers.astype({"user": "Int64", "item": "category"})).fingerprint == eq.Log(rows()).fingerprint


@needs("pyarrow", "pandas")
def test_pandas_columns_in_arrow_memory():
    frame = pd.DataFrame(named(rows()))
    if not hasattr(pd, "ArrowDtype"):
        pytest.skip("this pandas has no ArrowDtype")
    other = frame.astype({"user": "string[pyarrow]", "label": "int64[pyarrow]"})
    assert eq.Log(other).fingerprint == eq.Log(frame).fingerprint


@needs("polars")
def test_polars():
    import polars as pl

    for table in (rows(), named(rows())):
        frame = pl.DataFrame({name: values.tolist() for name, values in table.items()})
        assert eq.Log(frame).fingerprint == eq.Log(table).fingerprint
        assert eq.Log(pl.concat([frame[:50], frame[50:]], rechunk=False)).fingerprint == eq.Log(table).fingerprint
        assert eq.Log(frame.with_columns(pl.col("user").cast(pl.String).cast(pl.Categorical))).counts
    long = pl.DataFrame({"user": [f"a text that is longer than twelve bytes {u % 3}" for u in range(9)],
                         "item": [u // 3 for u in range(9)], "label": [0, 1] * 4 + [0]})
    assert len(eq.Log(long).users) == 3


@needs("pyarrow")
def test_pyarrow():
    import pyarrow as pa

    for table in (rows(), named(rows())):
        frame = pa.table({name: values.tolist() for name, values in table.items()})
        first = eq.Log(table).fingerprint
        assert eq.Log(frame).fingerprint == first
        assert eq.Log(pa.concat_tables([frame.slice(0, 50), frame.slice(50)])).fingerprint == first
        assert eq.Log(frame.set_column(2, "label", frame["label"].cast(pa.bool_()))).fingerprint == first
        coded = frame.set_column(0, "user", frame["user"].dictionary_encode())
        assert eq.Log(coded).fingerprint == first
    strings = pa.table(named(rows()))
    for kind in ("large_string", "string_view"):
        if hasattr(pa, kind):
            column = strings["user"].cast(getattr(pa, kind)())
            assert eq.Log(strings.set_column(0, "user", column)).fingerprint == eq.Log(named(rows())).fingerprint
    holes = pa.table({"user": ["a", None], "item": [1, 2], "label": [0, 1]})
    with pytest.raises(eq.DataError, match="column 'user', row 2: the value is missing"):
        eq.Log(holes)
    with pytest.raises(eq.DataError, match='row 2: column "label": the label is not a number'):
        eq.Log(pa.table({"user": ["a", "b"], "item": [1, 2], "label": [0, None]}))


@needs("duckdb", "pyarrow")
def test_duckdb():
    import duckdb
    import pyarrow as pa

    relation = duckdb.from_arrow(pa.table(rows())).filter("label >= 0")
    assert eq.Log(relation).fingerprint == eq.Log(rows()).fingerprint


@needs("scipy")
def test_a_sparse_matrix():
    from scipy import sparse

    table = rows()
    kept = table["label"] == 1
    matrix = sparse.csr_matrix((np.ones(kept.sum()), (table["user"][kept], table["item"][kept])))
    log = eq.Log(matrix)
    assert log.counts["users"] == len(set(table["user"][kept]))
    assert sum(log.counts[part] for part in ("train", "valid", "test")) == kept.sum()


def test_records():
    table = rows()
    records = np.rec.fromarrays([table["user"], table["item"], table["label"]], names="user,item,label")
    assert eq.Log(records).fingerprint == eq.Log(table).fingerprint


def test_a_file_and_a_folder(tmp_path):
    table = named(rows())
    lines = ["who,what,liked", *(f"{u},{i},{y}" for u, i, y in zip(*table.values()))]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(lines) + "\n")
    log = eq.Log(path, user="who", item="what", label="liked")
    assert log.fingerprint == eq.Log(table).fingerprint
    log.save(tmp_path / "data")
    assert eq.Log(tmp_path / "data").fingerprint == log.fingerprint
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("user,item,label\n" + "".join(f"{u},{i},{y}\n" for u, i, y in zip(*rows().values())))
    assert eq.Log(numbers, id_type={"user": int}).users.dtype == np.int64


def test_ids_of_other_types_come_back():
    import datetime

    days = [datetime.date(2024, 1, d) for d in (1, 2, 3)]
    table = {"user": np.array([days[u % 3] for u in range(9)], dtype=object), "item": [1.5, 2.5, 3.5] * 3,
             "label": [0, 1] * 4 + [1]}
    log = eq.Log({**table, "item": np.repeat([1.5, 2.5, 3.5], 3)})
    assert sorted(log.users.tolist()) == days
    assert log.items.dtype == np.float64 and set(log.items) == {1.5, 2.5, 3.5}
    mixed = eq.Log({"user": np.array([1, "b", 1, "b"], dtype=object), "item": [1, 1, 2, 2], "label": [0, 1, 1, 0]})
    assert {type(user) for user in mixed.users} == {int, str}
    with pytest.raises(eq.DataError, match="row 2: '1' and the int 1 of an earlier row are one id as text"):
        eq.Log({"user": np.array([1, "1"], dtype=object), "item": [1, 2], "label": [0, 1]})


def test_features_parts_weights_and_times_are_those_of_files(tmp_path):
    table, test = named(rows()), named(rows(10, first=20))
    table["weight"] = np.linspace(0.5, 1.5, len(table["user"]))
    table["time"] = np.arange(len(table["user"])).astype("datetime64[s]")
    test["weight"], test["time"] = np.ones(len(test["user"])), np.zeros(len(test["user"])).astype("datetime64[s]")
    users = {"user": [f"u{u}" for u in range(40)], "age": [20.0 + u for u in range(39)] + [np.nan],
             "town": ["Rome", "Oslo", None, "Oslo"] * 10}
    items = {"item": [f"i{i}" for i in range(12)], "genre": ["jazz|rock", "jazz", ""] * 4, "year": list(range(12)),
             "title": [f"Nr {i}" for i in range(12)]}
    memory = eq.Log(table, test=test, users=users, items=items, tags=["genre"], weight="weight", timestamp="time",
                    item_name_column="title")

    def write(name, columns):
        text = [["" if v is None or v != v else str(v) for v in column] for column in columns.values()]
        path = tmp_path / name
        path.write_text("\n".join([",".join(columns), *map(",".join, zip(*text))]) + "\n")
        return path

    seconds = {**table, "time": table["time"].astype(int)}, {**test, "time": test["time"].astype(int)}
    file = eq.Log(write("log.csv", seconds[0]), test=write("test.csv", seconds[1]), users=write("users.csv", users),
                  items=write("items.csv", items), tags=["genre"], weight="weight", timestamp="time",
                  item_name_column="title")
    assert memory.fingerprint == file.fingerprint
    found = eq.Base(base="gmf", epochs=1).fit(memory).recommend("u1", k=2, columns=["genre"])
    assert list(found["name"]) == [f"Nr {item[1:]}" for item in found["item"]]


BAD = [
    ({"user": [1], "label": [1]}, {}, "the log: no column 'item' for the role item; the columns are user, label"),
    ({"user": [1, 2], "item": [1, 2], "label": [0, np.nan]}, {}, 'the log, row 2: column "label": the label is not a number'),
    ({"user": [1, 2], "item": [1, 2], "label": [0, 3]}, {}, 'row 2: column "label": label 3 is neither 0 nor 1'),
    ({"user": [], "item": [], "label": []}, {}, "the log has no rows"),
    ({"user": ["a", None], "item": [1, 2], "label": [0, 1]}, {}, "column 'user', row 2: the id is missing"),
    ({"user": ["a", ""], "item": [1, 2], "label": [0, 1]}, {}, 'row 2: column "user": empty user id'),
    ({"user": ["a", "\ud800"], "item": [1, 2], "label": [0, 1]}, {}, "column 'user', row 2: not valid UTF-8"),
    ({"user": [1, 2], "item": [1, 2], "label": ["x", "y"]}, {}, "column 'label'"),
    ({"user": [1, 2], "item": [1], "label": [0, 1]}, {}, "column item has 1 values for 2 rows"),
    ({"user": [1, 2], "item": [1, 2], "w": [1, -1]}, {"weight": "w"}, 'row 2: column "w": weight -1 is no number from 0'),
    ({"user": [1, 2], "item": [1, 2], "p": [1, 0]}, {"propensity": "p"}, 'row 2: column "p": propensity 0 is not above 0'),
    ({"user": [1, 2], "item": [1, 2], "t": [1, 0.5]}, {"timestamp": "t"}, 'row 2: column "t": the timestamp is not a whole'),
    ({"user": [1, 2], "item": [1, 2], "n": [1, 0]}, {"position": "n"}, 'row 2: column "n": the position is not a whole'),
    ({"user": [1, 2], "item": [1, 2], "n": [1, 0.5]}, {"eligible": "n"}, 'row 2: column "n": the number of eligible items'),
    ({"user": [1, 2], "item": [1, 2], "p": [1, 2]}, {"propensity_at_position": "p"}, 'row 2: column "p": chance 2 is not'),
    ({"user": [1, 2], "item": [1, 2], "p": [1, 0]}, {"propensity_given_above": "p"}, 'row 2: column "p": chance 0 is not'),
    ({"user": [1, 2], "item": [1, 2], "r": ["a", None]}, {"request": "r"}, "column 'r', row 2: the id is missing"),
    ({"user": [1, 2], "item": [1, 2]}, {"request": "r"}, "the log: no column 'r' for the role request; the columns are"),
    ({"user": [1, 1], "item": [1, 1], "label": [0, 1]}, {"duplicates": "error"}, "the log, row 2: user \"1\" and item \"1\" occur at the log, row 1 already"),
]


@pytest.mark.parametrize("table,keywords,message", BAD)
def test_bad_rows_are_named(table, keywords, message):
    with pytest.raises(eq.DataError) as caught:
        eq.Log(table, **keywords)
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_usage_errors_say_what_was_meant():
    with pytest.raises(eq.UsageError, match="did you mean positive_at_least"):
        eq.Log(rows(), positive_atleast=3)
    with pytest.raises(eq.UsageError, match="expected a table"):
        eq.Log(17)
    with pytest.raises(eq.UsageError, match="id_type"):
        eq.Log(rows(), id_type=list)
    with pytest.raises(eq.DataError, match="nowhere.csv"):
        eq.Log("nowhere.csv")
