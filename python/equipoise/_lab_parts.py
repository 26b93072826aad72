"""The rows of a log's parts, as tables with ids and as arrays of numbers."""
from . import _native


class Parts:
    """What a log gives of its rows. The log that a method of others is given in `compare` has no test rows."""

    def rows(self, part):
        """The rows of "train", "valid" or "test" as a dict of arrays; users, items and requests are places in `users`,
        `items` and `requests`.

        Columns that the log does not have are not there: weight, propensity, timestamp, and of lists that a server drew
        request, position, propensity_at_position, propensity_given_above and eligible.

        >>> sorted(log.rows("train"))
        ['item', 'label', 'user']
        """
        return dict(_native.rows(self._data, part))

    def part(self, name):
        """The rows of a part with their ids: a pandas DataFrame, or a dict of arrays where pandas is not installed.

        >>> log.part("valid").columns.tolist()
        ['user', 'item', 'label']
        """
        rows = self.rows(name)
        for role, ids in (("user", self.users), ("item", self.items), ("request", self.requests)):
            if role in rows:
                rows[role] = ids[rows[role]]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows)

    @property
    def train(self):
        """The rows to train on, as `part` gives them."""
        return self.part("train")

    @property
    def valid(self):
        """The rows to choose by: for settings and early stopping, not to train on."""
        return self.part("valid")

    @property
    def test(self):
        """The rows to measure on, once, at the end."""
        return self.part("test")
