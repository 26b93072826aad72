"""Columns of any table as the native module reads them, with the type that their ids came in."""
import numpy as np

from . import _native
from ._errors import DataError
from ._ids import IdType


def refuse(where, row, what):
    """Raises DataError for a row, which counts from 1 in messages."""
    raise DataError(f"{where}, row {row + 1}: {what}")


def as_array(values):
    """A numpy array of what a table has as a column, without a copy where its memory can be looked at."""
    if hasattr(values, "to_numpy"):
        return values.to_numpy()
    return np.asarray(values)


def ids(values, where):
    """A native column and the IdType of its ids."""
    array = as_array(values)
    if array.dtype.kind in "iu":
        return _native.Column(array), IdType("int", array.dtype)
    return _text_ids(array, where)


def _text_ids(array, where):
    values = array.tolist()
    if all(type(value) is str for value in values):
        return _native.Column(values), IdType()
    type_of = IdType("float", array.dtype) if array.dtype.kind == "f" else IdType("objects", objects={})
    texts = []
    for row, value in enumerate(values):
        if value is None or value != value:
            refuse(where, row, "the id is missing")
        text = type_of.text(value)
        texts.append(text)
        if type_of.objects is None or type(value) is str and text not in type_of.objects:
            continue
        known = type_of.objects.setdefault(text, value)
        if type(known) is not type(value):
            refuse(where, row, f"the ids {known!r} and {value!r} are one and the same as texts")
    return _native.Column(texts), type_of


def numbers(values, where):
    """A native column of numbers; NaN where a value is missing."""
    array = as_array(values)
    if array.dtype.kind in "mM":
        array = array.astype("datetime64[s]").astype(np.int64)
    if array.dtype == object:
        array = _from_objects(array, where)
    if array.dtype.kind not in "iufb":
        raise DataError(f"{where}: expected numbers, found {array.dtype}")
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    if not array.dtype.isnative or array.dtype.itemsize > 8 or not array.flags.aligned:
        array = array.astype(array.dtype.newbyteorder("=") if array.dtype.itemsize <= 8 else np.float64)
    return _native.Column(array)


def _from_objects(array, where):
    out = np.empty(len(array))
    for row, value in enumerate(array.tolist()):
        try:
            out[row] = np.nan if value is None else value
        except (TypeError, ValueError):
            refuse(where, row, f"expected a number, found {value!r}")
    return out
