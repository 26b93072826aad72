"""What every method's class is: an estimator of scikit-learn's kind around a native model."""
import inspect

from . import _native
from ._errors import not_fitted
from ._hooks import Hooks
from ._log import Log
from ._parameters import texts


class Recommender:
    """A method with its parameters; `fit` makes a model of it."""

    _method = "base"
    _defaults = {}

    def __init__(self, **given):
        for name, default in self._defaults.items():
            setattr(self, name, given.pop(name, default))
        self._model = None
        self._check(given)

    def _check(self, unknown=()):
        _native.check_training(self._method, self._base(), {**self._told(), **texts(dict(unknown))})

    def _base(self):
        return getattr(self, "base", "")

    def _told(self):
        given = {name: getattr(self, name) for name, default in self._defaults.items()
                 if name not in ("base", "preset", "threads") and getattr(self, name) != default}
        return texts(given)

    def fit(self, log, *, callback=None, checkpoint=None, resume=False):
        """Trains on a log."""
        log = log if isinstance(log, Log) else Log(log)
        self._model = _native.Model.train(log._data, self._method, self._base(), self._told(), self.threads,
                                          checkpoint or "", resume, Hooks(callback))
        self.user_type, self.item_type = log.user_type, log.item_type
        return self

    def _fitted(self):
        if self._model is None:
            raise not_fitted(type(self).__name__)
        return self._model

    def get_params(self, deep=True):
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._defaults}

    def to_bytes(self):
        """The bytes of the model's file."""
        return self._fitted().to_bytes()

    def save(self, path):
        """Writes the model's file, which is the command line's."""
        self._fitted().save(str(path))

    def __repr__(self):
        changed = [f"{name}={getattr(self, name)!r}" for name, default in self._defaults.items()
                   if getattr(self, name) != default]
        return f"{type(self).__name__}({', '.join(changed)})"


def signature(defaults):
    """The signature that help() shows."""
    own = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    return inspect.Signature(own + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
                                    for name, default in defaults.items()])
