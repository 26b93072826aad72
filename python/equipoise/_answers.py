"""What a fitted model answers: scores, chances, lists, similar items, metrics, vectors."""
import os

import numpy as np

from . import _asked, _columns, _frames, _native
from ._errors import UsageError
from ._hooks import Hooks
from ._ids import is_one, several
from ._log import Log
from ._metrics import Evaluation
from ._pairs import pairs_of
from ._parameters import texts

NOTHING = ()


class Answers:
    """The half of a recommender that is asked; any number of threads may ask at once."""

    @property
    def users(self):
        """The ids of the users that the model knows, by their numbers."""
        return self._known("user")

    @property
    def items(self):
        """The ids of the items that the model knows, by their numbers.

        >>> len(model.items)
        12
        """
        return self._known("item")

    def _known(self, side):
        native = self._fitted()
        if side not in self._ids:
            kind = self.user_type if side == "user" else self.item_type
            found = kind.array(native.users() if side == "user" else native.items())
            found.flags.writeable = False
            self._ids[side] = found
        return self._ids[side]

    def predict(self, X):
        """The chance that each user would like the item: X is a table of two columns, user and item.

        UsageError where the method's scores are no chances (`score_pairs` orders items there).

        >>> model.predict([["u1", "i2"], ["u1", "i3"]]).shape
        (2,)
        """
        self._fitted()
        return self._scores(*pairs_of(X), probability=True)

    def predict_proba(self, X):
        """The chances of 0 and 1, two columns, as scikit-learn has them.

        >>> model.predict_proba([["u1", "i2"]]).shape
        (1, 2)
        """
        chances = self.predict(X).astype(np.float64)
        return np.column_stack([1 - chances, chances])

    def decision_function(self, X):
        """The scores of a table of pairs, as scikit-learn calls them.

        >>> model.decision_function([["u1", "i2"]]).tolist() == model.score_pairs(["u1"], ["i2"]).tolist()
        True
        """
        self._fitted()
        return self._scores(*pairs_of(X))

    def score_pairs(self, users, items, more_rows=None):
        """A score for each pair of a user and an item: a logit. Ids that the model does not know are allowed.

        users, items : of the same length; or one id, which goes with each of the others
        more_rows : rows that came after training (columns user, item and perhaps label), for models with history

        >>> model.score_pairs(["u1", "nobody"], ["i2", "i2"]).dtype
        dtype('float32')
        """
        return self._scores(users, items, more_rows)

    def _scores(self, users, items, more_rows=None, probability=False):
        native = self._fitted()
        return native.score(*_asked.pairs(users, items, self.user_type, self.item_type),
                            texts({"probability": probability}), _asked.more(more_rows, self._types()))

    def _types(self):
        return {"user": self.user_type, "item": self.item_type}

    def score(self, X, y):
        """The area under the ROC curve of the pairs X with the labels y: what scikit-learn chooses parameters by.

        >>> 0 <= model.score([["u1", "i2"], ["u2", "i3"]], [0, 1]) <= 1
        True
        """
        labels = np.asarray(y, dtype=np.float32)
        return _native.auc(self.decision_function(X), labels)

    def recommend(self, users=None, k=10, *, include_seen=False, candidates=None, exclude=NOTHING, filter=None,
                  columns=NOTHING, history=None, features=None, more_rows=None, output=None, progress=None):
        """The k best items of users, best first; equal scores in the order of the items' ids.

        users : an id, or several; None = all users of the model, or somebody new where history or features are given.
            An id that the model does not know gets the list of somebody of whom nothing is known, and a warning
            says so (not where one user is asked for as arrays).
        include_seen : also items that the user had in training
        candidates, exclude : only these items; none of these
        filter : {"feature": ["value", …]}: only items with one of these values
        columns : features of items to give beside them
        history : of one user: items that they have, the newest last; or pairs (item, label), or {item: label}
        features : of one user: {"feature": value}
        more_rows : rows that came after training, of any users: a table with columns user, item and perhaps label
        output : "pandas", "polars", "pyarrow", "arrays" (items and scores; of several users a row each, with None and
            NaN where a list is shorter than k), or None: the kind of table that the log was, else pandas, else arrays

        >>> model.recommend("u1", k=2)[["user", "rank"]].values.tolist()
        [['u1', 1], ['u1', 2]]
        >>> items, scores = model.recommend("u1", k=2, output="arrays")
        >>> len(model.recommend(history=["i3", "i9"], k=3))
        3
        """
        if (output == "arrays" and type(users) in (str, int) and type(k) is int and not include_seen and candidates is None
                and exclude is NOTHING and filter is None and history is features is more_rows is None
                and self._model is not None and self.user_type.kind != "float"):
            return _one_list(self._known("item"), *self._model.recommend_one(users, k))
        native = self._fitted()
        one = users is None and (history is not None or features is not None)
        alone = one or (users is not None and is_one(users))
        ids = [""] if one else self._known("user") if users is None else several(users)
        column = _columns.ids(ids, "users", None if one else self.user_type)[0]
        told = _asked.options(self.item_type, k, include_seen, candidates, exclude, filter, history, features,
                              _asked.more(more_rows, self._types()))
        with Hooks(progress=progress) as hooks:
            numbers, scores = native.recommend(column, told, hooks)
        if output == "arrays":
            return _one_list(self._known("item"), numbers, scores) if alone else \
                (_frames.take(self._known("item"), numbers), scores)
        return self._list_frame([None] if one else ids, numbers, scores, columns, output)

    def _list_frame(self, users, numbers, scores, columns, output):
        there = numbers >= 0
        counts = there.sum(axis=1)
        items = numbers[there]
        ranks = np.broadcast_to(np.arange(1, numbers.shape[1] + 1, dtype=np.int32), numbers.shape)[there]
        frame = {"user": np.repeat(_frames.as_ids(users), counts), "item": self._known("item")[items], "rank": ranks,
                 "score": scores[there]}
        return _frames.make({**frame, **self._item_columns(items, columns)}, output or self.frame)

    def _item_columns(self, items, columns):
        native, out = self._fitted(), {}
        if "names" not in self._ids:
            self._ids["names"] = np.array(native.item_names(), dtype=object)
        if len(self._ids["names"]):
            out["name"] = self._ids["names"][items]
        for name in several(columns):
            values = native.item_column(name)
            if native.item_column_is_number(name):
                values = [float(value) if value else np.nan for value in values]
            out[name] = np.array(values, dtype=None if native.item_column_is_number(name) else object)[items]
        return out

    def similar(self, item, k=10, *, candidates=None, exclude=(), filter=None, output=None):
        """The items most like one, by the cosine of their vectors, best first.

        UsageError where the model has no vectors (baselines) or does not know the item.

        >>> list(model.similar("i3", k=2)["rank"])
        [1, 2]
        """
        native = self._fitted()
        told = _asked.options(self.item_type, k, False, candidates, exclude, filter)
        found, scores = native.similar(self.item_type.text(item), told)
        items, scores = self.item_type.array(found), np.array(scores)
        if output == "arrays":
            return items, scores
        return _frames.make({"item": items, "rank": np.arange(1, len(items) + 1, dtype=np.int32), "score": scores},
                            output or self.frame)

    def evaluate(self, log, *, progress=None, **parameters):
        """Metrics on a log's held-out part, with their 95% intervals over users, as an eq.Evaluation.

        parameters : protocol, part, k, ndcg_empty, replicates, seed, as `equipoise evaluate` has them

        >>> found = model.evaluate(log, k=5)
        >>> found["auc"].low <= found["auc"].mean <= found["auc"].high
        True
        """
        if not isinstance(log, (Log, str, os.PathLike)):
            raise UsageError(f"evaluate: expected an eq.Log or the folder of one, found {type(log).__name__}; "
                             "rows of your own are the test part of a log: eq.Log(trained_on, test=rows)")
        with Hooks(progress=progress) as hooks:
            log = log if isinstance(log, Log) else Log(log)
            found = self._fitted().evaluate(log._data, texts(parameters), hooks)
        return Evaluation(found, self.user_type, self.frame)

    def knows(self, user=None, item=None):
        """How much the model knows of a user or an item: "trained", "features_only" or "nothing".

        >>> model.knows("nobody")
        'nothing'
        """
        if (user is None) == (item is None):
            raise UsageError("knows is asked of a user or of an item")
        native = self._fitted()
        if item is None:
            return native.knows_user(self.user_type.text(user))
        return native.knows_item(self.item_type.text(item))

    @property
    def user_factors(self):
        """The vectors of all users that scores are made of, users × width: an array that is only read."""
        return self._vectors("user_factors")

    @property
    def item_factors(self):
        """The vectors of all items, items × width: an array that is only read.

        >>> model.item_factors.shape[0] == len(model.items)
        True
        """
        return self._vectors("item_factors")

    def _vectors(self, name):
        native = self._fitted()
        if name not in self._ids:
            self._ids[name] = getattr(native, name)()
        return self._ids[name]


def _one_list(items, numbers, scores):
    """Without the places that a list does not fill."""
    numbers, scores = numbers[0], scores[0]
    if len(numbers) and numbers[-1] < 0:
        filled = numbers >= 0
        numbers, scores = numbers[filled], scores[filled]
    return items[numbers], scores
