"""What long work tells: notes to logging, warnings to warnings, progress to tqdm, epochs to the caller's function."""
import logging
import warnings

logger = logging.getLogger("equipoise")


class Warning(UserWarning):
    """Something about data or a run that is worth knowing."""


class Hooks:
    """The functions that the native module calls, always with the interpreter's lock."""

    def __init__(self, callback=None):
        self._callback = callback

    def note(self, text):
        logger.info(text)

    def warn(self, text):
        warnings.warn(text, Warning, stacklevel=4)

    def epoch(self, number, losses, metric):
        if self._callback is None:
            return False
        return self._callback(Epoch(number, losses, metric)) is True


class Epoch:
    """What is known after an epoch: its number, the mean loss of each phase, the validation metric."""

    def __init__(self, number, losses, metric):
        self.number, self.losses, self.metric = number, losses, metric

    def __repr__(self):
        return f"Epoch({self.number}, metric={self.metric:.4f})"
