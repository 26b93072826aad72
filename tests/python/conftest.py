"""What the tests of the Python package share: small logs, a fitted model, the program, and what is installed."""
import importlib
import os
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import pytest

import equipoise as eq

PROGRAM = os.environ.get("EQUIPOISE_PROGRAM", "")
warnings.simplefilter("ignore", eq.Warning)


def installed(name):
    """The module, or None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def needs(*names):
    """A mark that skips a test by the name of what is not installed."""
    missing = [name for name in names if installed(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} is not installed")


needs_program = pytest.mark.skipif(not PROGRAM, reason="EQUIPOISE_PROGRAM does not name the command-line program")


def rows(users=40, items=12, first=0, held_out=False):
    """Columns of a log whose labels follow from the ids alone: every pair but a third; or that third."""
    pairs = [(u, i) for u in range(first, first + users) for i in range(items) if bool((u + i) % 3) != held_out]
    return {"user": np.array([u for u, _ in pairs]), "item": np.array([i for _, i in pairs]),
            "label": np.array([int((u * 7 + i * 5) % 11 < 5) for u, i in pairs])}


def named(table):
    """The same with texts for ids."""
    return {"user": np.array([f"u{u}" for u in table["user"]], dtype=object),
            "item": np.array([f"i{i}" for i in table["item"]], dtype=object), "label": table["label"]}


def run(*arguments, **options):
    """The command-line program; fails where it does."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EQUIPOISE_")}
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, env=kept, timeout=120,
                          check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_python(*arguments):
    """This Python with this package; fails, with what it said, where it does."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(eq.__file__)))
    done = subprocess.run([sys.executable, "-B", *arguments], capture_output=True, text=True, timeout=600, check=False,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": package})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def log():
    return eq.Log(named(rows()), name="simulated", test=named(rows(held_out=True)))


@pytest.fixture(scope="session")
def model(log):
    return eq.CBR(base="gmf", epochs=2, embedding=8).fit(log)


@pytest.fixture
def folder(tmp_path):
    return pathlib.Path(tmp_path)
