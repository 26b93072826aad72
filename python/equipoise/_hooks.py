"""What long work tells: notes to logging, warnings to warnings, progress to tqdm, epochs to the caller's function."""
import importlib.util
import logging
import os
import sys
import warnings

logger = logging.getLogger("equipoise")
logger.addHandler(logging.NullHandler())
_HERE = os.path.dirname(os.path.abspath(__file__))


class Warning(UserWarning):
    """Something about data or a run that is worth knowing.

    >>> import warnings
    >>> warnings.simplefilter("ignore", eq.Warning)   # who does not want to hear of it
    """


class Epoch:
    """What is known after an epoch of training; `fit` gives it to its callback.

    number counts from 1; losses has the mean loss of each phase by name; metric is that of the validation part, or NaN.

    >>> model = eq.Base(base="gmf", epochs=50).fit(log, callback=lambda epoch: epoch.number >= 2)
    >>> len(model.curve)
    2
    """

    def __init__(self, number, losses, metric):
        self.number, self.losses, self.metric = number, losses, metric

    def __repr__(self):
        return f"Epoch({self.number}, losses={self.losses}, metric={self.metric:.4f})"


class Hooks:
    """The functions that the native module calls, always with the interpreter's lock."""

    def __init__(self, callback=None, progress=None):
        self._callback = callback
        self._bars = Bars() if (_shows_bars() if progress is None else progress) else None

    def note(self, text):
        logger.info(text)

    def warn(self, text):
        warnings.warn(text, Warning, stacklevel=_callers_level())

    def progress(self, label, unit, done, total, words):
        if self._bars is not None:
            self._bars.show(label, unit, done, total, words)

    def epoch(self, number, losses, metric):
        return self._callback is not None and bool(self._callback(Epoch(number, losses, metric)))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self._bars is not None:
            self._bars.close()


def _shows_bars():
    """Whether somebody watches: a terminal, or a notebook that can draw bars."""
    if "ipykernel" in sys.modules:
        return importlib.util.find_spec("ipywidgets") is not None
    return sys.stderr is not None and sys.stderr.isatty()


def _callers_level():
    """How far up the first frame is that is not of this package; counted from `warn`."""
    level, frame = 1, sys._getframe(1)
    while frame is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
        level, frame = level + 1, frame.f_back
    return level


class Bars:
    """A bar for whatever is under way; nothing where tqdm is not installed."""

    def __init__(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = None
        self._make, self._bar, self._label = tqdm, None, None

    def show(self, label, unit, done, total, words):
        if self._make is None:
            return
        if self._label != label:
            self.close()
            self._bar, self._label = self._make(total=total, desc=label, unit=f" {unit}", leave=False), label
        self._bar.n = done
        if words:
            self._bar.set_postfix_str(words, refresh=False)
        self._bar.refresh()

    def close(self):
        if self._bar is not None:
            self._bar.close()
        self._bar, self._label = None, None
