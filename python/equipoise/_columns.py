"""Columns of any table as the native module reads them, with the type that their ids came in."""
import datetime
from collections.abc import Mapping

import numpy as np

from . import _native, _pandas
from ._errors import DataError
from ._ids import IdType, text_of

Column, Missing = _native.Column, _native.Missing


class ArrowColumn:
    """A column of a table that came over Arrow's C data interface."""

    def __init__(self, table, index, objects):
        self.table, self.index = table, index
        self.type = table.type(index)
        self.objects = objects  # gives the values as Python objects

    def native(self, where, missing):
        return self.table.column(self.index, where, missing)


class Coded:
    """Codes and the texts that they stand for: a categorical column."""

    def __init__(self, codes, texts):
        self.codes, self.texts = codes, texts


def refuse(where, row, what):
    """Raises DataError for a row, which counts from 1 in messages."""
    raise DataError(f"{where}, row {row + 1}: {what}")


def plain(values):
    """Values as an ArrowColumn, Coded, or a numpy array, without a copy where the memory can be looked at."""
    if isinstance(values, (ArrowColumn, Coded, np.ndarray)):
        return values
    if _pandas.is_series(values):
        return _pandas.plain(values)
    if hasattr(values, "__arrow_c_stream__"):
        table = _native.ArrowTable(values.__arrow_c_stream__())
        return ArrowColumn(table, 0, getattr(values, "to_pylist", None) or getattr(values, "to_list", None))
    if hasattr(values, "to_numpy"):
        return values.to_numpy()
    if isinstance(values, (list, tuple)) and any(type(value) is str for value in values):
        out = np.empty(len(values), dtype=object)  # numpy would make texts of numbers among texts
        out[:] = values
        return out
    return np.asarray(values)


def ids(values, where, known=None):
    """A native column and the IdType of its ids; known: the IdType of those that a model knows, where they are asked for."""
    if hasattr(values, "columns") or isinstance(values, Mapping):
        raise DataError(f"{where}: expected one column, found a table ({type(values).__name__})")
    values = plain(values)
    if isinstance(values, Coded):
        missing = np.flatnonzero(values.codes < 0)
        if len(missing):
            refuse(where, missing[0], "the id is missing")
        return Column(values.codes, values.texts, where), IdType()
    if isinstance(values, ArrowColumn):
        if values.type == "text":
            return values.native(where, Missing.refused), IdType()
        if values.type.startswith(("int", "uint")):
            return values.native(where, Missing.refused), IdType("int", np.dtype(values.type))
        if values.objects is None:
            raise DataError(f"{where}: ids of this type are not read")
        values = plain(list(values.objects()))
    if values.ndim != 1:
        raise DataError(f"{where}: expected one value a row, found an array of shape {values.shape}")
    values = values if known is None else known.like(values)
    if values.dtype.kind in "iu":
        return Column(_usable(values)), IdType("int", values.dtype.newbyteorder("="))
    return _texts(values, where)


def _texts(array, where):
    values = array.tolist()
    try:
        return Column(values, where), IdType()
    except TypeError:  # not all of them are texts
        pass
    kind = IdType("float", array.dtype) if array.dtype.kind == "f" else IdType("objects", objects={})
    texts, types = [], {}
    for row, value in enumerate(values):
        if value is None or value != value:
            refuse(where, row, "the id is missing")
        text = text_of(value)
        texts.append(text)
        if types.setdefault(text, type(value)) is not type(value):
            refuse(where, row, f"{value!r} and the {types[text].__name__} {text} of an earlier row are one id as text")
        if kind.objects is not None and type(value) is not str:
            kind.objects.setdefault(text, value)
    if set(types.values()) == {int}:  # numbers in a column of objects
        kind = IdType("int", np.dtype(np.int64))
    return Column(texts, where), kind


def _usable(array):
    """With native byte order, aligned, and of a size that C++ has."""
    if array.dtype == np.float16:
        return array.astype(np.float32)
    if array.dtype.itemsize > 8:
        return array.astype(np.float64)
    if not array.dtype.isnative or not array.flags.aligned:
        return array.astype(array.dtype.newbyteorder("="))
    return array


def numbers(values, where):
    """A native column of numbers; NaN where a value is missing; times as seconds."""
    values = plain(values)
    if isinstance(values, ArrowColumn):
        if values.type in ("", "text"):
            raise DataError(f"{where}: expected numbers, found {'texts' if values.type else 'another type'}")
        return values.native(where, Missing.nan)
    if isinstance(values, Coded):
        raise DataError(f"{where}: expected numbers, found categories")
    if values.dtype == object and _has_dates(values):
        values = values.astype("datetime64[s]")
    if values.dtype.kind == "M":
        missing = np.flatnonzero(np.isnat(values))
        if len(missing):
            refuse(where, missing[0], "the time is missing")
        values = values.astype("datetime64[s]").astype(np.int64)
    if values.dtype == object:
        values = _from_objects(values, where)
    if values.dtype.kind not in "iufb" or values.ndim != 1:
        raise DataError(f"{where}: expected numbers, found {values.dtype} of shape {values.shape}")
    return Column(_usable(values))


def _has_dates(array):
    """Whether the objects are dates, or times without a zone, as far as they are there."""
    there = [value for value in array.tolist() if value is not None]
    return bool(there) and all(
        isinstance(value, datetime.date) and getattr(value, "tzinfo", None) is None for value in there)


def _from_objects(array, where):
    out = np.empty(len(array))
    for row, value in enumerate(array.tolist()):
        try:
            out[row] = np.nan if value is None or isinstance(value, str) else value
        except (TypeError, ValueError):
            out[row] = np.nan
        if isinstance(value, str) or (np.isnan(out[row]) and value is not None and value == value):
            refuse(where, row, f"expected a number, found {value!r}")
    return out


def is_number(values):
    """Whether a feature is continuous: numbers, but not truth values."""
    values = plain(values)
    if isinstance(values, ArrowColumn):
        return values.type.startswith(("int", "uint", "float"))
    return isinstance(values, np.ndarray) and values.dtype.kind in "iuf"


def words(values, where):
    """A native column of texts, "" where a value is missing."""
    values = plain(values)
    if isinstance(values, ArrowColumn):
        if values.type == "text":
            return values.native(where, Missing.blank)
        values = plain(list(values.objects()))
    if isinstance(values, Coded):
        texts = [*values.texts, ""]
        return Column([texts[code] for code in values.codes.tolist()], where)
    return Column(["" if value is None or value != value else text_of(value) for value in values.tolist()], where)
