"""Columns of pandas frames, whichever of its many types they have; pandas is never imported for them."""
import sys

import numpy as np


def is_frame(table):
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(table, pandas.DataFrame)


def is_series(values):
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(values, (pandas.Series, pandas.Index))


def plain(series):
    """A numpy array, Coded or ArrowColumn of the series."""
    from . import _columns

    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return series.to_numpy()
    name = type(dtype).__name__
    if name == "CategoricalDtype":
        return _categories(series)
    if name == "DatetimeTZDtype":
        values = series if hasattr(series, "dt") else series.to_series()
        return values.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()
    if name == "ArrowDtype" or getattr(dtype, "storage", "") == "pyarrow":
        return _columns.plain(series.array.__arrow_array__())
    numpy_type = getattr(dtype, "numpy_dtype", None)
    if isinstance(numpy_type, np.dtype) and numpy_type.kind in "iufb":  # numbers that may be missing
        if not series.isna().any():
            return series.to_numpy(dtype=numpy_type)
        return series.to_numpy(dtype=np.float64, na_value=np.nan) if numpy_type.kind == "f" else _with_missing(series)
    return series.to_numpy(dtype=object)


def _with_missing(series):
    """Whole numbers, some of which are missing: as objects, so that ids stay whole."""
    out = series.to_numpy(dtype=object)
    out[series.isna().to_numpy()] = None
    return out


def _categories(series):
    from . import _columns

    categorical = series.array if hasattr(series, "array") else series
    codes, categories = np.asarray(categorical.codes), categorical.categories
    texts = categories.to_numpy(dtype=object).tolist()
    if all(type(text) is str for text in texts):
        return _columns.Coded(codes, texts)
    if (codes < 0).any():
        return np.array(series.astype(object).tolist(), dtype=object)
    return categories.to_numpy()[codes]
