"""The exceptions of Equipoise: one for each way in which a call can be wrong."""
import difflib
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


class UnknownName(UsageError, KeyError):
    """Something was asked for by a name that is none."""

    __str__ = Error.__str__  # KeyError would quote the sentence


def unknown_name(what, name, known):
    """The error to raise; says which name was meant, or which there are."""
    near = difflib.get_close_matches(str(name), list(known), 1)
    hint = f"did you mean {near[0]}?" if near else "known: " + ", ".join(known)
    return UnknownName(f"there is no {what} {name!r}; {hint}")


for _kind in (Error, UsageError, DataError, CheckError, Interrupted, NotFittedError):
    _kind.__module__ = "equipoise"  # where people find it


def not_fitted(what):
    """The error to raise; scikit-learn's own too where a program uses it."""
    kind = NotFittedError
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is not None:
        kind = type("NotFittedError", (NotFittedError, theirs.NotFittedError), {"__module__": "equipoise"})
    return kind(f"this {what} is not fitted yet; call fit first")
