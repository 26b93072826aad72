"""The examples of callbacks and the code of the Python page run to their end."""
import os
import textwrap

import pytest
from conftest import needs, run_python

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")


@needs("mlflow", "sqlalchemy", "alembic")
def test_mlflow(tmp_path):
    path = str(tmp_path / "runs.db")
    run_python(os.path.join(EXAMPLES, "callbacks", "mlflow_callback.py"), path)
    from mlflow import MlflowClient

    client = MlflowClient("sqlite:///" + path)
    found = client.search_runs(["0"])
    assert len(found) == 1 and "auc" in found[0].data.metrics
    assert len(client.get_metric_history(found[0].info.run_id, "valid")) == 5


@needs("tensorboard")
def test_tensorboard(tmp_path):
    run_python(os.path.join(EXAMPLES, "callbacks", "tensorboard_callback.py"), str(tmp_path))
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(tmp_path))
    events.Reload()
    assert len(events.Scalars("valid")) == 5


def blocks_of(page):
    """The code of a page: its indented blocks, but for commands of a shell."""
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    blocks = [[]]
    for line in lines:
        if line.startswith("    ") and not line.strip().startswith("$") or not line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    return "\n".join(textwrap.dedent("\n".join(block)) for block in blocks)


def test_the_page_runs(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    names = ["ann", "bob", *(f"user{n}" for n in range(60))]
    rows = [f"{who},{what},{1 + (7 * n + what * what) % 5}" for n, who in enumerate(names) for what in range(24)
            if (3 * n + what) % 4]
    (tmp_path / "log.csv").write_text("who,what,stars\n" + "\n".join(rows) + "\n")
    code = blocks_of(os.path.join(EXAMPLES, "..", "docs", "python.md"))
    assert "eq.compare" in code and "eq.load" in code
    exec(compile(code, "docs/python.md", "exec"), {"__name__": "__main__"})
    assert (tmp_path / "report.html").exists() and (tmp_path / "cbr.model").exists()
