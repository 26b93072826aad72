"""Parameters as they are declared in C++, and their values as texts and back."""
import numpy as np

from . import _native

#: Names that Python keeps for itself.
RENAMED = {"lambda": "lambda_"}
NATIVE = {python: native for native, python in RENAMED.items()}


def text(value):
    """A value as the command line would be given it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return ",".join(text(one) for one in value)
    return str(value)


def texts(values):
    """All values that are not None, by their names in C++."""
    return {NATIVE.get(name, name): text(value) for name, value in values.items() if value is not None}


def value(kind, words):
    """The Python value of a parameter's text."""
    if kind == "number":
        return float(words)
    if kind == "whole number":
        return int(words)
    if kind == "true or false":
        return words == "true"
    if kind == "list of whole numbers":
        return tuple(int(one) for one in words.split(",") if one)
    return words


def groups(kind):
    """The groups of that kind by name."""
    return {group["name"]: group for group in _native.parameter_groups() if group["kind"] == kind}
