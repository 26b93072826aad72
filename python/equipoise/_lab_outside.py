"""Methods that others wrote, as arms of a comparison: anything with fit(log) and score_pairs(users, items)."""
import inspect

import numpy as np

from ._errors import UsageError
from ._log import Log
from ._parameters import text

SCORES = ("order", "probability", "logit")
MOST_LOGIT = 1e-12  # how near to 0 and 1 a chance may come


class Outside:
    """What the native comparison calls: its name, what is searched, and train(data, settings, seed)."""

    def __init__(self, method, logs):
        name, make = method if isinstance(method, tuple) else (None, method)
        self._make = _maker(make)
        self.name = name or getattr(make, "name", None) or _plain_name(make)
        if not isinstance(self.name, str):
            raise UsageError(f"methods: the name of {make!r} is no text")
        self._scores = getattr(make, "scores", "order")
        if self._scores not in SCORES:
            raise UsageError(f"{self.name}: scores: expected one of {', '.join(SCORES)}, found {self._scores!r}")
        self._search = _search_of(make, self.name)
        self._seed_name = _seed_name(self._make)
        self._types = {log.name: (log.user_type, log.item_type) for log in logs}

    @property
    def scores_are_chances(self):
        """Whether a score says how likely a positive label is."""
        return self._scores != "order"

    @property
    def kinds(self):
        """(name, texts, kind) of all that is searched."""
        return [(name, [text(value) for value in values], _kind(values)) for name, values in self._search.items()]

    def _value(self, name, words):
        values = self._search[name]
        kind = _kind(values)
        if kind == "whole number":
            return int(words)
        if kind == "number":
            return float(words)
        return next((value for value in values if text(value) == words), words)

    def train(self, data, settings, seed):
        """A function of score(users, items, out) on numbers of users and items."""
        given = {name: self._value(name, words) for name, words in settings.items()}
        if self._seed_name:
            given[self._seed_name] = seed
        model = self._make(**given)
        log = Log(data)
        log.user_type, log.item_type = self._types[data.name]
        model.fit(log)
        return _Scores(model, log.users, log.items, self._scores)


class _Scores:
    def __init__(self, model, user_ids, item_ids, kind):
        self._model, self._user_ids, self._item_ids, self._kind = model, user_ids, item_ids, kind

    def __call__(self, users, items, out):
        scores = np.asarray(self._model.score_pairs(self._user_ids[users], self._item_ids[items]), dtype=np.float64)
        if scores.shape != out.shape:
            raise ValueError(f"score_pairs gave shape {scores.shape} for {len(out)} pairs")
        if self._kind == "probability":
            if not ((scores >= 0) & (scores <= 1)).all():
                raise ValueError("score_pairs gave a probability that is not from 0 to 1")
            scores = np.clip(scores, MOST_LOGIT, 1 - MOST_LOGIT)
            scores = np.log(scores) - np.log1p(-scores)
        out[:] = scores


def is_outside(method):
    """Whether a member of `methods` is a method that others wrote."""
    return isinstance(method, tuple) or (not isinstance(method, str) and getattr(method, "_method", None) is None)


def _maker(make):
    if not inspect.isclass(make) and hasattr(make, "fit"):
        if not hasattr(make, "get_params"):
            raise UsageError(f"methods: give the class of {make!r}, or a function that makes one: each trial trains a "
                             "new one")
        return lambda **given: type(make)(**{**make.get_params(deep=False), **given})
    if not callable(make):
        raise UsageError(f"methods: expected a method's name, or a class with fit and score_pairs, found {make!r}")
    for needed in ("fit", "score_pairs"):
        if inspect.isclass(make) and not callable(getattr(make, needed, None)):
            raise UsageError(f"methods: {make.__name__} has no {needed}")
    return make


def _plain_name(make):
    name = getattr(make, "__name__", type(make).__name__)
    if name in ("<lambda>", "partial"):
        raise UsageError('methods: a function without a name needs one: ("name", function)')
    return name


def _seed_name(make):
    try:
        known = inspect.signature(make).parameters
    except (TypeError, ValueError):
        return None
    return next((name for name in ("seed", "random_state") if name in known), None)


def _search_of(make, name):
    search = getattr(make, "search", None) or {}
    if not isinstance(search, dict):
        raise UsageError(f"{name}: search: expected a dict of lists, found {type(search).__name__}")
    for key, values in search.items():
        if not isinstance(values, (list, tuple)):
            raise UsageError(f"{name}: search: {key}: expected a list of values, found {values!r}")
        if len({text(value) for value in values}) != len(values):
            raise UsageError(f"{name}: search: {key}: two values are one and the same as texts")
    return search


def _kind(values):
    if all(isinstance(value, (int, np.integer)) and not isinstance(value, bool) for value in values):
        return "whole number"
    if all(isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool) for value in values):
        return "number"
    return "text"
