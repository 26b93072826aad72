"""The exceptions of Equipoise: one for each way in which a call can be wrong."""
import sys


class Error(Exception):
    """What every exception of Equipoise is: a machine limit, or a mistake of the program itself.

    >>> issubclass(UsageError, Error) and issubclass(UsageError, ValueError)
    True
    """


class UsageError(Error, ValueError):
    """An unknown name, or a value that is not allowed."""


class DataError(Error, ValueError):
    """Data that is not as it should be; the message names the column and the row, which counts from 1."""


class CheckError(Error, ValueError):
    """A check failed: training diverged, a file is corrupt, a comparison would be worthless."""


class Interrupted(Error, KeyboardInterrupt):
    """The work was stopped; what was worth keeping has been kept."""


class NotFittedError(UsageError, AttributeError):
    """A model that was not fitted was asked for something."""


for _kind in (Error, UsageError, DataError, CheckError, Interrupted, NotFittedError):
    _kind.__module__ = "equipoise"  # where people find it


def not_fitted(what):
    """The error to raise; scikit-learn's own too where a program uses it."""
    kind = NotFittedError
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is not None:
        kind = type("NotFittedError", (NotFittedError, theirs.NotFittedError), {"__module__": "equipoise"})
    return kind(f"this {what} is not fitted yet; call fit first")
