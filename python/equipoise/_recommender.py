"""What every method's class is: a method's parameters, training, and files, in scikit-learn's way."""
import json
import os

from . import _native
from ._answers import Answers
from ._display import model_card
from ._errors import UsageError, not_fitted
from ._hooks import Hooks
from ._ids import IdType
from ._log import Log
from ._pairs import rows_of
from ._parameters import NATIVE, text, texts, value, workers

#: What a model is told beside its declared parameters.
OWN = ("base", "preset", "threads")


class Recommender(Answers):
    """A method with its parameters; `fit` makes a model of it."""

    _method = "base"
    _parameters = {}
    _presets = {}
    _model = None

    def __init__(self, **given):
        start = {**{name: p.default for name, p in self._parameters.items()}, **self._preset(given.get("preset"))}
        for name, default in start.items():
            setattr(self, name, given.get(name, default))
        self._check({name: one for name, one in given.items() if name not in start})

    def _preset(self, name):
        """The values of a preset by parameter; an unknown one is for C++ to refuse."""
        kinds = {NATIVE.get(p.name, p.name): p for p in self._parameters.values()}
        return {kinds[key].name: value(kinds[key].kind, words) for key, words in self._presets.get(name, {}).items()}

    def _check(self, unknown=()):
        _native.check_training(self._method, *self._told(unknown))
        workers(getattr(self, "threads", 0))

    def _told(self, unknown=()):
        """Base model, preset, and the values that are not the declared ones, as texts."""
        fixed = self._preset(self.preset) if hasattr(self, "preset") else {}
        told = {name: getattr(self, name) for name, p in self._parameters.items() if name not in OWN
                and (name in fixed or text(getattr(self, name)) != text(p.default))}
        told = {name: "None" if one is None else one for name, one in told.items()}  # for C++ to refuse
        return getattr(self, "base", ""), getattr(self, "preset", None) or "", texts({**told, **dict(unknown)})

    def get_params(self, deep=True):
        """The parameters by name.

        >>> eq.CBR(gamma=0.1).get_params()["gamma"]
        0.1
        """
        return {name: getattr(self, name) for name in self._parameters}

    def set_params(self, **params):
        """Changes parameters, all of them or, where one is refused, none; what was fitted stays as it is.

        >>> eq.CBR().set_params(gamma=0.1)
        CBR(gamma=0.1)
        """
        unknown = {name: one for name, one in params.items() if name not in self._parameters}
        before = self.get_params()
        for name, one in {**self._preset(params.get("preset")), **params}.items():
            if name not in unknown:
                setattr(self, name, one)
        try:
            self._check(unknown)
        except UsageError:
            self.__dict__.update(before)
            raise
        return self

    def fit(self, X, y=None, *, valid=None, callback=None, checkpoint=None, resume=False, progress=None,
            sample_weight=None):
        """Trains the model; the best epoch by the validation part is kept.

        X : an eq.Log or whatever eq.Log takes; or, with y, a table of two columns, user and item
        y : labels of 0 or 1 for X; a tenth of each user's rows is then held out for validation
        valid : other rows to judge epochs by: an eq.Log, a table, or (X, y)
        callback : called with an eq.Epoch after each epoch; what gives True ends training, and the best epoch is kept
        checkpoint : a file to leave checkpoints in; it is there after Ctrl-C, and gone when training is done
        resume : go on from that file if it is there
        progress : whether to show a bar; None = where a terminal is
        sample_weight : weights of the rows of X, from 0

        >>> model = eq.CBR(base="gmf", epochs=2).fit(log)
        >>> model.method, len(model.curve)
        ('cbr', 2)
        """
        log = self._log(X, y, sample_weight, valid is not None)
        if valid is not None:
            log = log.with_valid(valid if isinstance(valid, Log) else self._log(*_two(valid), None, True))
        base, preset, told = self._told()
        with Hooks(callback, progress) as hooks:
            model = _native.Model.train(log._data, self._method, base, preset, told, self.threads,
                                        os.fspath(checkpoint or ""), bool(resume), hooks)
        self._take(model, log.user_type, log.item_type, log.frame)
        return self

    def _log(self, X, y, sample_weight, whole):
        if isinstance(X, Log):
            if y is not None or sample_weight is not None:
                raise UsageError("a Log has labels and weights of its own; y and sample_weight are for a table of pairs")
            return X
        shares = {"log_test_share": 0, **({"log_valid_share": 0} if whole else {})}
        if y is None and (sample_weight is not None or getattr(X, "ndim", 0) == 2 and not hasattr(X, "columns")):
            raise UsageError("fit needs y, the labels of the rows of X: requires y to be passed, but the target y is None")
        if y is None:
            return Log(X, threads=self.threads, **(shares if whole else {}))
        return Log(rows_of(X, y, sample_weight), label="label", weight=None if sample_weight is None else "weight",
                   duplicates="last", threads=self.threads, **shares)

    def _take(self, model, user_type, item_type, frame):
        self._model, self.user_type, self.item_type, self.frame = model, user_type, item_type, frame
        self._ids = {}
        self.n_features_in_ = 2

    def _fitted(self):
        if self._model is None:
            raise not_fitted(type(self).__name__)
        return self._model

    def __sklearn_is_fitted__(self):
        return self._model is not None

    @property
    def method(self):
        """The method's name, as the command line has it."""
        return self._method

    @property
    def card(self):
        """Method, base, parameters, data and training, as a dict.

        >>> model.card["data"]["name"]
        'simulated'
        """
        return json.loads(self._fitted().card())

    @property
    def curve(self):
        """Losses and validation metric after each epoch, as a list of dicts."""
        return self.card["training"]["curve"]

    @property
    def findings(self):
        """What training found out: how imbalanced users were before and after, how lists differ, ….

        >>> model.findings["list_items"] > 1
        True
        """
        return self.card["training"]["findings"]

    def save(self, path):
        """Writes the model's file, the same as the command line's.

        >>> model.save(folder / "my.model"); eq.load(folder / "my.model").to_bytes() == model.to_bytes()
        True
        """
        self._fitted().save(os.fspath(path))

    def to_bytes(self):
        """The bytes of the model's file.

        >>> eq.from_bytes(model.to_bytes()).recommend("u1", k=1).equals(model.recommend("u1", k=1))
        True
        """
        return self._fitted().to_bytes()

    def __getstate__(self):
        state = {name: one for name, one in self.__dict__.items() if name not in ("_model", "_ids")}
        return {**state, "_bytes": None if self._model is None else self.to_bytes()}

    def __setstate__(self, state):
        state = dict(state)
        model = state.pop("_bytes")
        self.__dict__.update(state)
        self._ids = {}
        if model is not None:
            self._model = _native.Model.from_bytes(model, self.threads)

    def __repr__(self, N_CHAR_MAX=700):
        changed = [f"{name}={getattr(self, name)!r}" for name, p in self._parameters.items()
                   if text(getattr(self, name)) != text(p.default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def _repr_html_(self):
        return model_card(self.card) if self._model is not None else None

    def __sklearn_tags__(self):
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=True), requires_fit=True)

    def _more_tags(self):
        return {"requires_y": True, "binary_only": True, "X_types": ["2darray"], "no_validation": False}

    def _get_tags(self):
        from sklearn.utils._tags import _DEFAULT_TAGS

        return {**_DEFAULT_TAGS, **self._more_tags()}


def _two(valid):
    return valid if isinstance(valid, tuple) else (valid, None)


def made_of(model, classes, id_type, threads):
    """An instance of the model's class with the parameters that it was trained with."""
    cls = classes[model.method]
    card = json.loads(model.card())
    written = {**card["parameters"], **card["training"].get("settings", {})}
    out = cls.__new__(cls)
    for name, p in cls._parameters.items():
        found = written.get(NATIVE.get(name, name), p.default)
        setattr(out, name, tuple(found) if isinstance(found, list) else
                found if p.default is None else type(p.default)(found))
    if hasattr(out, "base"):
        out.base = model.base
    out.threads = threads
    out._take(model, *IdType.both(id_type), "")
    return out
