"""The rows of a log as tables, and the log that a method of others is given: without the test part."""
from . import _native
from ._log import Log


def part_of(log, part):
    """The rows of train, valid or test with their ids: a DataFrame where pandas is there, else a dict of arrays."""
    rows = dict(_native.rows(log._data, part))
    rows["user"], rows["item"] = log.users[rows["user"]], log.items[rows["item"]]
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


class TrainingLog(Log):
    """A log of train and valid only. `rows("train")` has numbers, `train` and `valid` have ids."""

    def __init__(self, data, user_type, item_type):
        super().__init__(data)
        self.user_type, self.item_type = user_type, item_type
        self._tables = {}

    @property
    def users(self):
        """The id of each user, by number."""
        return self._once("users", lambda: super(TrainingLog, self).users)

    @property
    def items(self):
        """The id of each item, by number."""
        return self._once("items", lambda: super(TrainingLog, self).items)

    @property
    def train(self):
        """The rows to train on."""
        return self._once("train", lambda: part_of(self, "train"))

    @property
    def valid(self):
        """The rows to choose by: for early stopping, never to train on."""
        return self._once("valid", lambda: part_of(self, "valid"))

    def rows(self, part):
        """The rows of a part with users and items as numbers, places in `users` and `items`: a dict of arrays."""
        return self._once("rows " + part, lambda: dict(_native.rows(self._data, part)))

    def _once(self, name, make):
        if name not in self._tables:
            self._tables[name] = make()
        return self._tables[name]
