"""Equipoise: learns what users would like from a log of what they were shown."""
from ._errors import CheckError, DataError, Error, Interrupted, NotFittedError, UsageError
from ._estimators import CLASSES as _CLASSES
from ._hooks import Epoch, Warning
from ._lab import compare, doctor, lint, load_runs, simulate, study
from ._log import Log

globals().update(_CLASSES)
__all__ = ["CheckError", "DataError", "Epoch", "Error", "Interrupted", "Log", "NotFittedError", "UsageError", "Warning",
           "compare", "doctor", "lint", "load_runs", "simulate", "study", *_CLASSES]
