"""A table of results: columns of numpy arrays, a frame of pandas where that is there, text and HTML for people."""
import html

import numpy as np

from ._errors import unknown_name

MOST_ROWS = 30  # that a display shows


class Table:
    """Columns of equal length by name.

    >>> table = eq.Table("marks", {"arm": ["base", "cbr"], "auc": [0.71, 0.74]})
    >>> len(table), float(table["auc"].mean())
    (2, 0.725)
    >>> table
    marks
    arm   auc
    base  0.7100
    cbr   0.7400
    """

    def __init__(self, title, columns, shown=None):
        self.title = title
        self._columns = {name: _array(values) for name, values in columns.items()}
        self._shown = list(shown or self._columns)

    @property
    def columns(self):
        """The names of the columns."""
        return list(self._columns)

    def __getitem__(self, name):
        if name not in self._columns:
            raise unknown_name("column", name, self._columns)
        return self._columns[name]

    def keys(self):
        """The names of the columns, so that anything that takes a dict of arrays takes the table."""
        return self._columns.keys()

    def __len__(self):
        return len(next(iter(self._columns.values()), ()))

    def to_dict(self):
        """The columns by name, as numpy arrays."""
        return dict(self._columns)

    def to_frame(self):
        """The table as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)

    def _cells(self):
        rows = min(len(self), MOST_ROWS)
        return [[_text(self._columns[name][row]) for name in self._shown] for row in range(rows)]

    def __repr__(self):
        cells = [self._shown, *self._cells()]
        widths = [max(len(row[place]) for row in cells) for place in range(len(self._shown))]
        lines = ["  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in cells]
        return "\n".join([self.title, *lines, *self._more()])

    def _more(self):
        more = len(self) - MOST_ROWS
        return [f"… and {more:,} more rows; to_frame() has all"] if more > 0 else []

    def _repr_html_(self):
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._shown)
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
                       for row in self._cells())
        below = "".join(f"<p>{html.escape(line)}</p>" for line in self._more())
        return (f"<table><caption>{html.escape(self.title)}</caption><thead><tr>{head}</tr></thead>"
                f"<tbody>{rows}</tbody></table>{below}")


def _array(values):
    if isinstance(values, np.ndarray):
        return values
    if len(values) and isinstance(values[0], (str, dict)):
        out = np.empty(len(values), dtype=object)
        out[:] = values
        return out
    return np.asarray(values)


def _text(value):
    if isinstance(value, dict):
        return ", ".join(f"{name}={words}" for name, words in value.items()) or "defaults"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else ""
    if isinstance(value, (float, np.floating)):
        return "–" if value != value else f"{value:.4f}"
    return str(value)
