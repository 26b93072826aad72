"""Tables that come back: of the kind that the log was, or pandas, or plain arrays."""
import importlib

import numpy as np

from ._columns import plain
from ._errors import UsageError

KINDS = ("pandas", "polars", "pyarrow", "arrays")


def make(columns, kind):
    """A frame of the columns; "" = pandas where it is installed, else a dict of arrays."""
    if kind and kind not in KINDS:
        raise UsageError(f"output = {kind!r} is none of {', '.join(KINDS)}")
    if kind == "arrays":
        return columns
    try:
        library = importlib.import_module(kind or "pandas")
    except ImportError:
        if kind:
            raise UsageError(f"output = {kind!r}: {kind} is not installed") from None
        return columns
    if kind == "polars":
        return library.DataFrame({name: _listed(values) for name, values in columns.items()})
    if kind == "pyarrow":
        return library.table({name: _listed(values) for name, values in columns.items()})
    return library.DataFrame(columns, copy=False)


def _listed(values):
    """Objects as a list: polars and pyarrow find their type out."""
    return values.tolist() if values.dtype == object else values


def as_ids(ids):
    """Ids that were asked for as an array that comes back in a frame."""
    if isinstance(ids, list) and len(ids) == 1 and ids[0] is None:
        return np.array([None], dtype=object)
    found = plain(ids)
    if isinstance(found, np.ndarray):
        return found if found.dtype.kind in "iuf" else found.astype(object)
    if hasattr(found, "codes"):
        return np.array(found.texts, dtype=object)[found.codes]
    return np.array(found.objects(), dtype=None if found.type != "text" else object)


def take(ids, numbers):
    """The ids of numbers; None where a number is −1 (then the array is of objects)."""
    if (numbers >= 0).all():
        return ids[numbers]
    out = ids.astype(object)[numbers]
    out[numbers < 0] = None
    return out
