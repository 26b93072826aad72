"""One class for each method, made from the methods' table."""
from . import _native
from ._parameters import RENAMED, groups, value
from ._recommender import Recommender, signature

WORDS = {"base", "mean", "popularity", "direct", "rel"}  # other short names are abbreviations


def class_name(method):
    """CBR of cbr, RelMF of rel-mf, Base of base."""
    return "".join(part.capitalize() if part in WORDS or len(part) > 6 else part.upper() for part in method.split("-"))


def _defaults(group, needs_base):
    parts = groups("part")
    used = [parts["training"], parts["memory"]]
    if needs_base:
        used += [parts["model"], *groups("base model").values()]
    out = {"base": "mlp"} if needs_base else {}
    for one in [group, *used]:
        for p in one["parameters"]:
            out[RENAMED.get(p["name"], p["name"])] = value(p["kind"], p["default"])
    return {**out, "threads": 0}


def _make(group):
    try:
        _native.check_training(group["name"], "gmf", {})
        needs_base = True
    except ValueError:
        needs_base = False
    defaults = _defaults(group, needs_base)
    name = class_name(group["name"])

    def __init__(self, **given):
        Recommender.__init__(self, **given)

    __init__.__signature__ = signature(defaults)
    return type(name, (Recommender,), {"__init__": __init__, "__doc__": group["sentence"], "__module__": "equipoise",
                                       "_method": group["name"], "_defaults": defaults})


METHODS = {name: _make(group) for name, group in groups("method").items()}
CLASSES = {made.__name__: made for made in METHODS.values()}
