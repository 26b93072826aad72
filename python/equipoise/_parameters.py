"""Parameters as they are declared in C++: their names, defaults and sentences, and their values as texts and back."""
import collections
import functools
import inspect
import textwrap

import numpy as np

from . import _native
from ._errors import UsageError

#: Names that Python keeps for itself.
RENAMED = {"lambda": "lambda_"}
NATIVE = {python: native for native, python in RENAMED.items()}

Parameter = collections.namedtuple("Parameter", "name kind default range sentence")


def text(value):
    """A value as the command line would be given it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(text(one) for one in value)
    return str(value)


def workers(threads):
    """A number of worker threads; UsageError where it is none."""
    if isinstance(threads, bool) or not isinstance(threads, (int, np.integer)) or threads < 0:
        raise UsageError(f"threads = {threads!r} is out of range: whole numbers from 0, which is as many as the machine has")
    return int(threads)


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
    if kind.startswith("list of whole numbers"):
        return tuple(int(one) for one in words.split(",") if one)
    return words


@functools.lru_cache(maxsize=None)
def _all_groups():
    return tuple(_native.parameter_groups())


def groups(kind):
    """The groups of that kind by name."""
    return {group["name"]: group for group in _all_groups() if group["kind"] == kind}


def parameters_of(group):
    """The parameters of a group by their Python names."""
    out = {}
    for p in group["parameters"]:
        name = RENAMED.get(p["name"], p["name"])
        out[name] = Parameter(name, p["kind"], value(p["kind"], p["default"]), p["range"], p["sentence"])
    return out


def declared(kind, name):
    """The parameters of one group by their Python names."""
    return parameters_of(groups(kind)[name])


def with_signature(function, defaults):
    """Gives a function that takes keywords the signature that help() and editors show."""
    written = inspect.signature(function).parameters.values()
    kept = [p for p in written if p.kind != inspect.Parameter.VAR_KEYWORD]
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in defaults.items() if name not in {p.name for p in kept}]
    function.__signature__ = inspect.Signature(kept + more)


def described(parameters):
    """Lines for a docstring: a parameter, its default, its sentence."""
    out = []
    for p in parameters.values():
        words = f"{p.name} : {p.kind}, default {p.default!r}{'; ' + p.range if p.range else ''}"
        out.append(words)
        out.append(textwrap.fill(p.sentence, 100, initial_indent="    ", subsequent_indent="    "))
    return "\n".join(out)
