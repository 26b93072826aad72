"""Equipoise: learns what users would like from a log of what they were shown.

>>> import equipoise as eq
>>> table = {"who": ["ann", "ann", "bob", "bob", "cy", "cy"], "what": [1, 2, 1, 3, 2, 3], "liked": [1, 0, 1, 0, 0, 1]}
>>> log = eq.Log(table, user="who", item="what", label="liked", log_test_share=0, log_valid_share=0)
>>> items, scores = eq.Mean().fit(log).recommend("ann", k=1, output="arrays")
>>> items
array([3])
"""
from ._errors import CheckError, DataError, Error, Interrupted, NotFittedError, UsageError
from ._estimators import CLASSES as _CLASSES
from ._estimators import METHODS, from_bytes, load
from ._hooks import Epoch, Warning
from ._ids import IdType
from ._lab import compare, doctor, lint, load_runs, simulate, study
from ._lab_doctor import Diagnosis
from ._lab_runs import Runs
from ._lab_table import Table
from ._log import Log
from ._metrics import Evaluation, Metric
from ._native import __version__
from ._recommender import Recommender

globals().update(_CLASSES)
__all__ = ["METHODS", "CheckError", "DataError", "Diagnosis", "Epoch", "Error", "Evaluation", "IdType", "Interrupted",
           "Log", "Metric", "NotFittedError", "Recommender", "Runs", "Table", "UsageError", "Warning", "compare", "doctor",
           "from_bytes", "lint", "load", "load_runs", "simulate", "study", *_CLASSES]
