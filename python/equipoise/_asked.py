"""What a model is asked, as the native module reads it: ids, options of lists, rows that came after training."""
from collections.abc import Mapping

import numpy as np

from . import _columns
from ._errors import UsageError
from ._ids import is_one, several, text_of
from ._tables import table_of


def more(rows, types):
    """Columns of rows that came after training."""
    if rows is None:
        return {}
    table = table_of(rows, "more_rows")
    out = {}
    for role, kind in types.items():
        out[role] = _columns.ids(table.column(role, "more_rows", "the role " + role), f"more_rows, column {role!r}", kind)[0]
    for role in ("label", "timestamp"):
        if role in table.names:
            out[role] = _columns.numbers(table.column(role, "more_rows", role), f"more_rows, column {role!r}")
    return out


def length(k):
    """How many items were asked for; how many may be is for C++ to say."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise UsageError(f"k = {k!r} is not a whole number")
    return int(k)


def options(item_type, k, include_seen=False, candidates=None, exclude=(), filter=None, history=None, features=None,
            more_rows=None):
    """What a list is to be like."""
    return {
        "k": length(k), "include_seen": bool(include_seen),
        "candidates": None if candidates is None else _texts(candidates, "candidates", item_type),
        "exclude": [] if exclude is None else _texts(exclude, "exclude", item_type),
        "filter": {name: [text_of(one) for one in several(values)] for name, values in (filter or {}).items()},
        "history": _history(history, item_type),
        "features": {name: text_of(value) for name, value in (features or {}).items()},
        "more_rows": more_rows or {},
    }


def _several(ids, where):
    if hasattr(ids, "columns"):
        raise UsageError(f"{where}: expected ids of items, found a table ({type(ids).__name__})")
    return several(ids)


def _texts(ids, where, kind):
    return [kind.text(one) for one in _several(ids, where)]


def _history(given, kind):
    """Items and their labels, the newest last; None where a label was not given."""
    if given is None:
        return []
    pairs = list(given.items() if isinstance(given, Mapping) else _several(given, "history"))
    return [(kind.text(one[0]), float(one[1])) if isinstance(one, tuple) else (kind.text(one), None) for one in pairs]


def pairs(users, items, user_type, item_type):
    """The native columns of pairs; one user or one item stands for as many as there are of the others."""
    if is_one(users) and not is_one(items):
        items = several(items)
        users = [users] * len(items)
    elif is_one(items) and not is_one(users):
        users = several(users)
        items = [items] * len(users)
    users, items = several(users), several(items)
    columns = _columns.ids(users, "users", user_type)[0], _columns.ids(items, "items", item_type)[0]
    if len(columns[0]) != len(columns[1]):
        raise UsageError(f"users has {len(columns[0])} ids, and items has {len(columns[1])}")
    return columns
