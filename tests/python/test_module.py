"""The extension module itself: which numpy it reads."""
import os
import subprocess
import sys

import numpy as np

import equipoise as eq
from equipoise import _native


def imported_with(version):
    """What importing the package says where numpy gives this version."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(eq.__file__)))
    code = f"import numpy; numpy.__version__ = {version!r}; import equipoise"
    return subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": package})


def test_a_module_that_cannot_read_numpy_2_says_so():
    assert imported_with("1.24.2").returncode == 0
    done = imported_with("2.4.6")
    assert (done.returncode == 0) == _native.reads_numpy_2
    if not _native.reads_numpy_2:
        assert done.stderr.rstrip().splitlines()[-1].startswith("ImportError: this build of equipoise reads numpy 1, and numpy here is 2.4.6; ")


def test_numbers_of_every_size_are_read_as_they_are():
    rows = {"user": np.arange(6) % 3, "item": np.arange(6) // 3, "label": np.array([0, 1, 1, 0, 1, 0])}
    told = dict(log_test_share=0, log_valid_share=0)
    wanted = eq.Log(rows, **told).fingerprint
    for kind in "iu":
        for size in (1, 2, 4, 8):
            made = {name: values.astype(f"{kind}{size}") for name, values in rows.items()}
            assert eq.Log(made, **told).fingerprint == wanted, (kind, size)
    for kind in ("f2", "f4", "f8", "?"):
        assert eq.Log({**rows, "label": rows["label"].astype(kind)}, **told).fingerprint == wanted, kind
