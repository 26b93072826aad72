"""The package's types: current, complete, and right by mypy."""
import os
import pathlib
import subprocess
import sys

from conftest import needs

import equipoise as eq

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUBS = ROOT / "python" / "equipoise" / "__init__.pyi"


def test_stubs_are_current():
    done = subprocess.run([sys.executable, "-B", ROOT / "tools" / "python_stubs", "--check"], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_name_has_a_type():
    text = STUBS.read_text(encoding="utf-8")
    for name in eq.__all__:
        assert f"class {name}" in text or f"def {name}(" in text or f"\n{name}: " in text, name
    assert (STUBS.parent / "py.typed").exists()


USER = """
import equipoise as eq

log = eq.Log({"user": [1], "item": [2]}, positive_at_least=3, seed=2)
model: eq.CBR = eq.CBR(base="gmf", gamma=0.1, layers=(32, 16), preset="paper").fit(log, callback=lambda e: e.number > 3)
model.recommend([1, 2], k=3)
low: float = model.evaluate(log)["auc"].low
"""
WRONG = 'import equipoise as eq\neq.CBR(gama=1)\neq.Base(epochs="many")\n'


@needs("mypy")
def test_mypy(tmp_path):
    package = tmp_path / "site" / "equipoise"
    package.mkdir(parents=True)
    for name in ("__init__.pyi", "py.typed"):
        (package / name).write_bytes((STUBS.parent / name).read_bytes())
    (package / "__init__.py").write_text("")

    def mypy(text):
        (tmp_path / "user.py").write_text(text)
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache",
                               tmp_path / "user.py"], capture_output=True, text=True, check=False,
                              env={**os.environ, "MYPYPATH": str(tmp_path / "site")})

    assert mypy(USER).returncode == 0, mypy(USER).stdout
    found = mypy(WRONG).stdout
    assert 'Unexpected keyword argument "gama"' in found and '"epochs"' in found
