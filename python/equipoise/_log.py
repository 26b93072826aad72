"""eq.Log: a data set made of any table, of columns in memory, or of a file or folder."""
import json
import os

from . import _columns, _native
from ._errors import DataError, UsageError
from ._hooks import Hooks
from ._ids import IdType
from ._parameters import texts

ROLES = ("user", "item", "label", "weight", "propensity", "timestamp")
NEEDED = ("user", "item")


class Log:
    """A log of what users were shown, split into train, valid and test."""

    def __init__(self, data, *, user="user", item="item", label=None, weight=None, propensity=None, timestamp=None,
                 test=None, valid=None, users=None, items=None, threads=0, **parameters):
        hooks = Hooks()
        self.user_type, self.item_type = IdType(), IdType()
        if isinstance(data, _native.Data):
            self._data = data
            return
        roles = dict(user=user, item=item, label=label, weight=weight, propensity=propensity, timestamp=timestamp)
        if isinstance(data, (str, os.PathLike)):
            self._data = _native.Data.open(os.fspath(data), texts(parameters), threads, hooks)
            return
        if label is None and "label" in _names(data):
            roles["label"] = "label"
        elif label is not None:
            parameters.setdefault("label_column", label)
        log = self._columns(data, roles, "the log")
        self._data = _native.Data.from_rows(log, texts(parameters), {}, {}, None, None, threads, hooks)

    def _columns(self, table, roles, where):
        out = {}
        known = _names(table)
        for role, name in roles.items():
            if name is None:
                continue
            if name not in known:
                raise DataError(f"{where}: no column {name!r} for the role {role}; its columns are "
                                f"{', '.join(map(str, known))}")
            column = f"{where}, column {name!r}"
            if role in NEEDED:
                out[role], found = _columns.ids(table[name], column)
                setattr(self, role + "_type", found)
            else:
                out[role] = _columns.numbers(table[name], column)
        return out

    @property
    def summary(self):
        """Figures and provenance, as a dict."""
        return json.loads(self._data.summary())

    def __repr__(self):
        users, items, train, valid, test = self._data.counts
        return (f"Log({self._data.name!r}: {users:,} users, {items:,} items, "
                f"{train:,} train, {valid:,} valid, {test:,} test rows)")


def _names(table):
    if hasattr(table, "keys"):
        return list(table.keys())
    raise UsageError(f"expected a table, a dict of arrays, a file or a folder, found {type(table).__name__}")
