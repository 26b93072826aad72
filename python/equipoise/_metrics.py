"""What an evaluation found: metrics with intervals, and the values of each user."""
import collections

import numpy as np

from . import _frames
from ._errors import unknown_name

Metric = collections.namedtuple("Metric", "mean low high")
Metric.__doc__ = """A metric's mean and its 95% interval over users; NaN where it is not defined."""


class Evaluation(dict):
    """Metrics by name, each with mean, low and high.

    >>> found = model.evaluate(log)
    >>> found.to_frame().columns.tolist()
    ['metric', 'mean', 'low', 'high']
    >>> set(found.per_user().columns) >= {"user", "lists", "ndcg"}
    True
    """

    def __init__(self, found, user_type, frame):
        super().__init__({name: Metric(*values) for name, values in found["metrics"].items()})
        self.protocol, self.k = found["protocol"], found["k"]
        self._found, self._user_type, self._frame = found, user_type, frame

    def __missing__(self, name):
        raise unknown_name("metric", name, self)

    def to_frame(self, output=None):
        """A row for each metric: metric, mean, low, high."""
        columns = {"metric": np.array(list(self), dtype=object)}
        for part in Metric._fields:
            columns[part] = np.array([getattr(one, part) for one in self.values()])
        return _frames.make(columns, output or self._frame)

    def per_user(self, output=None):
        """A row for each evaluated user: user, how many lists, and the ranking metrics; NaN = left out."""
        columns = {"user": self._user_type.array(self._found["users"]), "lists": self._found["lists"]}
        return _frames.make({**columns, **self._found["per_user"]}, output or self._frame)

    def __repr__(self):
        lines = [f"{name:<14} {one.mean:9.4f}   {one.low:.4f} … {one.high:.4f}" for name, one in self.items()]
        return "\n".join([f"protocol {self.protocol}, k = {self.k}", *lines])
