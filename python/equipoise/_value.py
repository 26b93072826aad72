"""eq.value: what policies would have been worth, from a log of lists whose chances are known."""
import collections
import json
import math
from collections.abc import Mapping

from . import _native
from ._display import write
from ._errors import UsageError
from ._hooks import Hooks
from ._lab_table import Table
from ._log import Log
from ._parameters import declared, texts, with_signature

Estimate = collections.namedtuple("Estimate", "value low high")
Estimate.__doc__ = """A value in positives per list and its 95% interval over users; NaN where the log cannot tell."""


def value(log, policies, *, explore="none", threads=0, progress=None, **parameters):
    """What policies would have been worth, from the lists of a log with known chances, as `equipoise value` finds it.

    policies: fitted models by name. explore: how lists are made of their scores: "none" (the best items),
    "epsilon=0.1", "plackett-luce,temperature=1,pool=200"; or a dict by the policies' names. Other keywords are those of
    `equipoise value` (part, form, include_seen, largest_weight, folds). A log that can judge none of the policies is a
    CheckError.

    >>> lists = [(n, place) for n in range(240) for place in (1, 2)]      # two of three items, drawn uniformly
    >>> rows = {"user": [n % 20 for n, _ in lists], "item": [(n // 20 + place) % 3 for n, place in lists],
    ...         "label": [(n + place) % 2 for n, place in lists], "list": [n for n, _ in lists],
    ...         "place": [place for _, place in lists], "chance": [1 / 3] * 480}
    >>> drawn = eq.Log(rows, request="list", position="place", propensity_at_position="chance", log_test_share=0.5)
    >>> new = eq.Base(base="gmf", epochs=2).fit(drawn)
    >>> found = eq.value(drawn, {"new": new}, explore="epsilon=0.1", include_seen=True)
    >>> list(found.estimates["new"]), found.form, found.refused
    (['direct', 'ips', 'snips', 'dr', 'switch-dr'], 'position', {})
    """
    log = log if isinstance(log, Log) else Log(log)
    chosen = _choices(policies, explore)
    with Hooks(progress=progress) as hooks:
        return Valuation(log.name, _native.value(log._data, chosen, texts(parameters), threads, hooks))


class Valuation:
    """What `eq.value` found.

    part, form, assumption, users, lists, rows : what was judged by, and what is assumed
    logged : what the shown lists were worth, an `Estimate` with value, low and high
    estimates : {policy: {"direct", "ips", "snips", "dr", "switch-dr": Estimate}}
    refused : {policy: why the log cannot judge it}
    verdicts : sentences on each policy beside the lists that were shown and the policies before it
    check, chances_wrong : whether the logged chances can be true, as a sentence ("" where the log cannot tell)
    figures : everything as `equipoise value --json` prints it
    """

    def __init__(self, name, figures):
        self.name = name
        self.figures = found = json.loads(figures)
        for key in ("part", "form", "assumption", "users", "lists", "rows"):
            setattr(self, key, found[key])
        self.logged = _estimate(found["logged"])
        self.estimates = {one["name"]: {key: _estimate(e) for key, e in one["estimates"].items()}
                          for one in found["policies"]}
        self.refused = {one["name"]: one["refused"] for one in found["policies"] if one["refused"]}
        self.verdicts = [line for one in found["policies"] for line in one["sentence"].split("\n")]
        self.check, self.chances_wrong = found["check"]["sentence"], found["check"]["wrong"]

    @property
    def table(self):
        """A row for each policy and estimator, and first what the shown lists were worth."""
        rows = [("the log", "shown", *self.logged)]
        rows += [(name, key, *e) for name, all_of_it in self.estimates.items() for key, e in all_of_it.items()]
        return _table(f"values of {self.name}, {self.part}: positives per list",
                      ("policy", "estimator", *Estimate._fields), rows)

    @property
    def contrasts(self):
        """A row for each policy beside the log and beside the policies before it, by dr."""
        rows = [(one["name"], c["against"], *_estimate(c), c["verdict"],
                 math.inf if c["more_lists"] is None else c["more_lists"])
                for one in self.figures["policies"] for c in one["contrasts"]]
        return _table(f"differences on {self.name}, {self.part}: positives per list",
                      ("policy", "against", "difference", "low", "high", "verdict", "more_lists"), rows)

    def to_frame(self):
        """The values as a pandas DataFrame: policy, estimator, value, low, high."""
        return self.table.to_frame()

    def _sentences(self):
        return [*self.verdicts, *([self.check] if self.check else []), f"assumed: {self.assumption}"]

    def __str__(self):
        return "\n".join([repr(self.table), *(f"- {sentence}" for sentence in self._sentences())])

    __repr__ = __str__

    def report(self, path):
        """Writes what was found as a page (.html)."""
        return write(path, {".html": lambda: _native.value_page(self._json())})

    def _json(self):
        return json.dumps({**self.figures, "data": self.name})

    def _repr_html_(self):
        return _native.value_element(self._json())


def _estimate(found):
    return Estimate(*(math.nan if found[key] is None else found[key] for key in Estimate._fields))


def _table(title, names, rows):
    return Table(title, {name: [row[place] for row in rows] for place, name in enumerate(names)})


def _choices(policies, explore):
    """Name, native model and how it explores, of each policy."""
    if not isinstance(policies, Mapping):
        raise UsageError(f"policies: expected fitted models by name, {{'new': model}}, found {type(policies).__name__}")
    by_name = explore if isinstance(explore, Mapping) else dict.fromkeys(policies, explore)
    for name in by_name:
        if name not in policies:
            raise UsageError(f"explore: there is no policy {name!r}; the policies are {', '.join(map(str, policies))}")
    for name, model in policies.items():
        if not hasattr(model, "_fitted"):
            raise UsageError(f"policies: {name!r} is no model of this package, but {type(model).__name__}")
    return [(str(name), model._fitted(), str(by_name.get(name, "none"))) for name, model in policies.items()]


with_signature(value, {name: p.default for name, p in declared("verb", "value").items()})
