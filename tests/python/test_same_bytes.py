"""A model fitted in memory is the command line's, byte for byte: every method and base model, ids of every kind."""
import numpy as np
import pytest
from conftest import installed, named, needs, needs_program, rows, run

import equipoise as eq

CASES = [(method, base) for method, cls in eq.METHODS.items()
         for base in (eq._native.base_names() if "base" in cls._parameters else [""])]
POSITIVES_ONLY = {"rel-mf", "ubpr", "macr", "pda"}


def write(path, table, header="user,item,label"):
    lines = [",".join(map(str, row)) for row in zip(*table.values())]
    path.write_text("\n".join([header if len(table) == 3 else "user,item", *lines]) + "\n")
    return path


RANDOM_SAMPLE = {"kd-label", "cause", "autodebias", "recalibration"}


def tables(positives, held_out=False):
    table = rows(held_out=held_out)
    kept = table["label"] == 1 if positives else slice(None)
    table = {name: values[kept] for name, values in table.items() if not positives or name != "label"}
    mixed = {**table, "user": np.array([u if u % 2 else f"u{u}" for u in table["user"].tolist()], dtype=object)}
    texts = {name: np.array([f"{name[0]}{one}" for one in values], dtype=object) if name != "label" else values
             for name, values in table.items()}
    return {"whole numbers": table, "texts": texts, "mixed": mixed}


@needs_program
@pytest.mark.parametrize("method,base", CASES)
def test_every_method_and_base(method, base, tmp_path):
    keywords = {"epochs": 6 if method == "att" else 2, "seed": 3} if base else {}
    estimator = eq.METHODS[method](**({"base": base, "embedding": 4} if base else {}), **keywords)
    positives = method in POSITIVES_ONLY
    held_out = tables(positives, held_out=True) if method in RANDOM_SAMPLE else {}
    for kind, table in tables(positives).items():
        path = write(tmp_path / "log.csv", table)
        flags = [word for name, value in keywords.items() for word in (f"--{name}", value)]
        flags += ["--base", base, "--embedding", 4] if base else []
        if held_out:
            flags += ["--test", write(tmp_path / "test.csv", held_out[kind])]
        run("train", path, "--method", method, *flags, "--out", tmp_path / "m.model", "--force", "--quiet", "--name",
            "mine")
        log = eq.Log(table, name="mine", seed=keywords.get("seed", 1), test=held_out.get(kind))  # --seed is that of both
        fitted = estimator.fit(log)
        assert fitted.to_bytes() == (tmp_path / "m.model").read_bytes(), kind


@needs("pandas")
def test_every_kind_of_table_gives_the_same_model(tmp_path):
    for table in tables(False).values():
        first = eq.Base(base="gmf", epochs=2).fit(eq.Log(table)).to_bytes()
        for frame in frames(table):
            assert eq.Base(base="gmf", epochs=2).fit(eq.Log(frame)).to_bytes() == first, type(frame)


def frames(table):
    """The table as whatever is installed."""
    pandas, polars, pyarrow, duckdb = map(installed, ("pandas", "polars", "pyarrow", "duckdb"))
    if pandas:
        yield pandas.DataFrame(table)
    if {type(user) for user in table["user"].tolist()} == {int, str}:
        return  # only pandas has columns of several types
    if polars:
        yield polars.DataFrame({name: values.tolist() for name, values in table.items()})
    if pyarrow:
        yield pyarrow.table({name: values.tolist() for name, values in table.items()})
    if pyarrow and duckdb:
        yield duckdb.from_arrow(pyarrow.table({name: values.tolist() for name, values in table.items()}))


@needs_program
def test_a_file_of_the_command_line_is_loaded(tmp_path):
    table = rows()
    run("train", write(tmp_path / "log.csv", table), "--base", "gmf", "--epochs", 2, "--learning-rate", 0.01, "--out",
        tmp_path / "m.model", "--quiet")
    model = eq.load(tmp_path / "m.model", id_type=int)
    assert isinstance(model, eq.Base) and model.base == "gmf" and model.learning_rate == 0.01 and model.epochs == 2
    assert model.items.dtype == np.int64
    lists = run("recommend", tmp_path / "m.model", "--user", "3", "--k", 4, "--format", "csv").splitlines()
    items, scores = model.recommend(3, k=4, output="arrays")
    assert [line.split(",")[2] for line in lists[1:]] == [str(item) for item in items]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_change_nothing(threads):
    first = eq.CBR(base="gmf", epochs=2, threads=1).fit(eq.Log(named(rows()), threads=1)).to_bytes()
    assert eq.CBR(base="gmf", epochs=2, threads=threads).fit(eq.Log(named(rows()), threads=threads)).to_bytes() == first
