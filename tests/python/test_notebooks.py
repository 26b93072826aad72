"""The notebooks run to their end, with Debian's Python alone and in Jupyter where that is installed."""
import glob
import json
import os

import pytest
from conftest import needs, run_python

FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "notebooks")
RUNNER = os.path.join(FOLDER, "run_notebook.py")
NOTEBOOKS = sorted(glob.glob(os.path.join(FOLDER, "*.ipynb")))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=os.path.basename)
def test_a_notebook_runs_and_is_kept_with_its_outputs(notebook):
    run_python(RUNNER, notebook)
    with open(notebook, encoding="utf-8") as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells) and sum(bool(cell["outputs"]) for cell in cells) > 5


@needs("nbclient", "ipykernel")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=os.path.basename)
def test_a_notebook_runs_in_jupyter(notebook, tmp_path):
    run_python("-c", "import sys, nbformat, nbclient; "
                     "nbclient.NotebookClient(nbformat.read(sys.argv[1], 4), timeout=600, "
                     "resources={'metadata': {'path': sys.argv[2]}}).execute()", notebook, str(tmp_path))


def test_a_failing_cell_is_seen(tmp_path):
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["1 / 0"]}
    (tmp_path / "bad.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        run_python(RUNNER, str(tmp_path / "bad.ipynb"))
