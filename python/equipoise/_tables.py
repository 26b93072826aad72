"""Tables of any kind as columns by name: dicts, pandas, polars, pyarrow, duckdb, numpy records, sparse matrices."""
import difflib
from collections.abc import Mapping

import numpy as np

from . import _native, _pandas
from ._columns import ArrowColumn
from ._errors import DataError, UsageError


class Table:
    """The columns of a table, and which kind of frame it was ("pandas", "polars", "pyarrow", "" for others)."""

    def __init__(self, names, column, kind="", beside=()):
        self.names, self._column, self.kind = list(names), column, kind
        self._beside = list(beside)  # columns that are found by their name alone: the index of a pandas frame

    def has(self, name):
        return name in self.names or name in self._beside

    def column(self, name, where, role):
        """The column of a role; DataError names those that there are."""
        if self.has(name):
            return self._column(name)
        names = [str(one) for one in self.names]
        near = difflib.get_close_matches(str(name), names, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        known = ", ".join(names[:20]) + (f", … ({len(names)} in all)" if len(names) > 20 else "")
        raise DataError(f"{where}: no column {name!r} for {role}; {hint}the columns are {known}")


def table_of(data, where="the log"):
    """A Table; UsageError if it is none."""
    if isinstance(data, Table):
        return data
    if isinstance(data, Mapping):
        return Table(data.keys(), data.__getitem__)
    if _pandas.is_frame(data):
        return _pandas_table(data, where)
    if hasattr(data, "tocoo"):
        return _sparse(data)
    if isinstance(data, np.ndarray) and data.dtype.names:
        return Table(data.dtype.names, data.__getitem__)
    kind = type(data).__module__.split(".")[0]
    if kind == "polars" and hasattr(data, "collect"):
        data = data.collect()
    if not hasattr(data, "__arrow_c_stream__") and hasattr(data, "arrow"):
        data = data.arrow()
    if hasattr(data, "__arrow_c_stream__") and not _pandas.is_series(data):
        return _arrow(data, kind)
    raise UsageError(f"{where}: expected a table (pandas, polars, pyarrow, duckdb), a dict of arrays, a sparse matrix, "
                     f"a file or a folder, found {type(data).__name__}")


def _pandas_table(frame, where):
    index = [name for name in frame.index.names if name is not None and name not in frame.columns]

    def column(name):
        return frame.index.get_level_values(name) if name in index else _only(frame[name], where, name)

    return Table(frame.columns, column, "pandas", index)


def _only(column, where, name):
    if getattr(column, "ndim", 1) != 1:
        raise DataError(f"{where}: the column {name!r} occurs more than once")
    return column


def _sparse(matrix):
    coo = matrix.tocoo()
    columns = {"user": coo.row, "item": coo.col, "label": coo.data}
    return Table(columns, columns.__getitem__)


def _arrow(data, kind):
    table = _native.ArrowTable(data.__arrow_c_stream__())
    names = table.names()

    def objects(name):
        column = data[name]
        return (getattr(column, "to_pylist", None) or column.to_list)()

    return Table(names, lambda name: ArrowColumn(table, names.index(name), lambda: objects(name)), kind)
