"""The notebooks and the examples of callbacks run to their end."""
import glob
import json
import os
import subprocess
import sys
import textwrap

import pytest
from conftest import needs

import equipoise

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")
NOTEBOOKS = sorted(glob.glob(os.path.join(EXAMPLES, "notebooks", "*.ipynb")))
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1",
               "PYTHONPATH": os.path.dirname(os.path.dirname(os.path.abspath(equipoise.__file__)))}


def run(*command):
    done = subprocess.run([sys.executable, "-B", *command], env=ENVIRONMENT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=os.path.basename)
def test_a_notebook_runs_and_is_kept_with_its_outputs(notebook):
    run(os.path.join(EXAMPLES, "notebooks", "run_notebook.py"), notebook)
    with open(notebook, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells) and sum(bool(cell["outputs"]) for cell in cells) > 5


@needs("nbclient")
@needs("ipykernel")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=os.path.basename)
def test_a_notebook_runs_in_jupyter(notebook, tmp_path):
    run("-c", "import sys, nbformat, nbclient; "
              "nbclient.NotebookClient(nbformat.read(sys.argv[1], 4), timeout=600, "
              "resources={'metadata': {'path': sys.argv[2]}}).execute()", notebook, str(tmp_path))


def test_a_failing_cell_is_seen(tmp_path):
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["1 / 0"]}
    (tmp_path / "bad.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    done = subprocess.run([sys.executable, os.path.join(EXAMPLES, "notebooks", "run_notebook.py"),
                           str(tmp_path / "bad.ipynb")], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 1 and "ZeroDivisionError" in done.stderr


@needs("mlflow")
def test_mlflow(tmp_path):
    run(os.path.join(EXAMPLES, "callbacks", "mlflow_callback.py"), str(tmp_path / "runs"))
    curves = glob.glob(str(tmp_path / "runs" / "*" / "*" / "metrics" / "valid"))
    assert len(curves) == 1 and len(open(curves[0]).read().splitlines()) == 5


@needs("tensorboard")
def test_tensorboard(tmp_path):
    run(os.path.join(EXAMPLES, "callbacks", "tensorboard_callback.py"), str(tmp_path))
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
