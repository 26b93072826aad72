"""One class for each method, made from the methods' table."""
import os

from . import _native
from ._parameters import Parameter, described, groups, parameters_of, with_signature, workers
from ._recommender import Recommender, made_of

WORDS = {"base", "mean", "popularity", "direct", "rel"}  # other short names are abbreviations


def class_name(method):
    """CBR of cbr, RelMF of rel-mf, Base of base."""
    return "".join(part.capitalize() if part in WORDS or len(part) > 6 else part.upper() for part in method.split("-"))


def _needs_base(method):
    try:
        _native.check_training(method, _native.base_names()[0], "", {})
    except ValueError:
        return False
    return True


def _parameters(group):
    """What the method's class can be told: its own parameters first, then those of training and of base models."""
    parts = groups("part")
    out = {}
    if _needs_base(group["name"]):
        bases = _native.base_names()
        out["base"] = Parameter("base", "text", "mlp", " | ".join(bases), "the model that is fitted")
    out.update(parameters_of(group))
    out.update(parameters_of(parts["training"]))
    out.update(parameters_of(parts["memory"]))
    if "base" in out:
        for part in (parts["model"], *groups("base model").values()):
            out.update({name: p for name, p in parameters_of(part).items() if name not in out})
    if group["presets"]:
        known = " | ".join(group["presets"])
        out["preset"] = Parameter("preset", "text", None, known, "values of parameters that belong together")
    out["threads"] = Parameter("threads", "whole number", 0, "from 0",
                               "worker threads, which never change a result; 0 = as many as the machine has")
    return out


def _doc(name, group, parameters):
    example = "base=\"gmf\", epochs=6" if "base" in parameters else ""
    return (f"The method {group['name']}: {group['sentence']}.\n\n{described(parameters)}\n\n"
            f">>> eq.{name}({example}).fit(log).recommend(\"u1\", k=3).shape\n(3, 4)\n")


def _make(group):
    name, parameters = class_name(group["name"]), _parameters(group)

    def __init__(self, **given):
        Recommender.__init__(self, **given)

    __init__.__qualname__ = f"{name}.__init__"
    with_signature(__init__, {p.name: p.default for p in parameters.values()})
    return type(name, (Recommender,), {
        "__init__": __init__, "__doc__": _doc(name, group, parameters), "__module__": "equipoise",
        "_method": group["name"], "_parameters": parameters, "_presets": group["presets"]})


METHODS = {name: _make(group) for name, group in groups("method").items()}
CLASSES = {made.__name__: made for made in METHODS.values()}


def load(path, *, id_type=None, threads=0):
    """A model from its file, whoever wrote it: an instance of its method's class, fitted.

    id_type : what ids come back as: str, int, float or a numpy type, or {"user": …, "item": …}; a file knows only texts

    >>> model.save(folder / "a.model")
    >>> type(eq.load(folder / "a.model")).__name__
    'CBR'
    """
    return made_of(_native.Model.load(os.fspath(path), workers(threads)), METHODS, id_type, threads)


def from_bytes(data, *, id_type=None, threads=0):
    """A model from the bytes of its file.

    >>> eq.from_bytes(model.to_bytes()).method
    'cbr'
    """
    return made_of(_native.Model.from_bytes(bytes(data), workers(threads)), METHODS, id_type, threads)
