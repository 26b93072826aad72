"""Pairs of users and items as scikit-learn passes them: a table of two columns."""
from collections.abc import Mapping

import numpy as np

from . import _pandas
from ._errors import DataError, UsageError
from ._tables import table_of


def pairs_of(X):
    """The columns of users and of items of a table: those called user and item, or else the only two."""
    if isinstance(X, (list, tuple)):
        texts = any(isinstance(one, str) for row in X if isinstance(row, (list, tuple)) for one in row)
        X = np.array(X, dtype=object) if texts else np.asarray(X)
    if hasattr(X, "__array__") and not hasattr(X, "columns") and not hasattr(X, "keys") and not hasattr(X, "tocoo"):
        X = np.asarray(X)
    if isinstance(X, np.ndarray) and X.dtype.names is None:
        return _of_array(X)
    if hasattr(X, "tocoo"):
        raise UsageError("X is a sparse matrix; expected a dense table of two columns, user and item")
    table = table_of(X, "X")
    names = ("user", "item") if {"user", "item"} <= set(table.names) else tuple(table.names)
    if len(names) != 2:
        raise _too_wide(len(names), len(X) if hasattr(X, "__len__") and not isinstance(X, Mapping) else "any")
    return tuple(table.column(name, "X", "a role") for name in names)


def _too_wide(width, rows):
    return UsageError(f"X has {width} features (n_samples = {rows}), but a table of 2 columns, user and item, is "
                      "expected as input")


def _of_array(X):
    if X.ndim != 2:
        raise UsageError(f"Expected 2D array, a table of two columns, user and item; found shape {X.shape}. "
                         "Reshape your data: X.reshape(1, -1) if it is one pair")
    if X.shape[0] == 0:
        raise DataError(f"0 sample(s) (shape={X.shape}) while a minimum of 1 is required: X has no rows")
    if X.dtype.kind == "c":
        raise DataError("Complex data not supported: ids are whole numbers or texts")
    if X.dtype.kind == "f" and not np.isfinite(X).all():
        raise DataError("X contains NaN or infinity: an id is missing")
    if X.shape[1] < 2:
        raise UsageError(f"{X.shape[1]} feature(s) (shape={X.shape}) while a minimum of 2 is required: user and item")
    if X.shape[1] > 2:
        raise _too_wide(X.shape[1], X.shape[0])
    if X.dtype.kind == "f":
        if (X == np.floor(X)).all() and (np.abs(X) < 2**63).all():
            X = X.astype(np.int64)  # a table of floats because numpy has one type for all: 12.0 is the id 12
    return X[:, 0], X[:, 1]


def rows_of(X, y, sample_weight=None):
    """The columns of a log by their roles."""
    users, items = pairs_of(X)
    labels = _pandas.plain(y) if _pandas.is_series(y) else np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or len(labels) != len(users):
        raise UsageError(f"y has the shape {labels.shape}; expected a label for each of the {len(users)} rows of X")
    out = {"user": users, "item": items, "label": labels}
    return out if sample_weight is None else {**out, "weight": np.asarray(sample_weight)}
