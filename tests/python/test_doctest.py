"""The examples of all docstrings, run."""
import doctest
import importlib
import pkgutil

import pytest

import equipoise as eq

MODULES = ["equipoise", *(f"equipoise.{one.name}" for one in pkgutil.iter_modules(eq.__path__) if one.name != "_native")]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def names(log, model, folder):
    return {"eq": eq, "log": log, "model": model, "folder": folder, **vars(eq._errors)}


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_modules(name, names):
    pytest.importorskip("pandas")
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    for test in finder.find(module, name, globs=dict(names)):
        runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("cls", eq.METHODS.values(), ids=list(eq.METHODS))
def test_examples_of_classes(cls, names):
    pytest.importorskip("pandas")
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    test = doctest.DocTestParser().get_doctest(cls.__doc__, dict(names), cls.__name__, None, None)
    assert test.examples
    runner.run(test)
    assert runner.failures == 0


def public(module):
    """Every class and function of the package with its public methods."""
    for name in module.__all__:
        thing = getattr(module, name)
        if isinstance(thing, dict):
            continue
        yield name, thing
        for key, one in vars(thing).items() if isinstance(thing, type) else ():
            if not key.startswith("_") and (callable(one) or isinstance(one, (property, classmethod))):
                yield f"{name}.{key}", one


def test_everything_public_is_documented():
    missing = [name for name, thing in public(eq) if not (getattr(thing, "__doc__", "") or "").strip()]
    assert [name for name in missing if not name.startswith("Metric.")] == []
