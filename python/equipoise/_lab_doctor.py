"""What the doctor found out about a log: sentences for people, figures for programs."""
import json

from . import _native
from ._display import write
from ._lab_table import Table


class Diagnosis:
    """The doctor's findings: `verdict` in sentences, `figures` as a dict, `to_frame()` as a table.

    >>> found = eq.doctor(log)
    >>> len(found.verdict) > 2, found.figures["users"]
    (True, 40)
    """

    def __init__(self, name, verdict, figures):
        self.name = name
        self.verdict = list(verdict)
        self.figures = json.loads(figures)

    @property
    def table(self):
        """Every figure with its place among the findings: "exposure.gini"."""
        rows = list(_flat(self.figures))
        return Table(f"figures of {self.name}", {"figure": [name for name, _ in rows], "value": [v for _, v in rows]})

    def to_frame(self):
        """The figures as a pandas DataFrame: figure, value."""
        return self.table.to_frame()

    def __str__(self):
        return "\n".join([f"{self.name}:", *(f"- {sentence}" for sentence in self.verdict)])

    __repr__ = __str__

    def report(self, path):
        """Writes the findings as a page (.html)."""
        return write(path, {".html": lambda: _native.doctor_page(json.dumps(self.figures))})

    def _repr_html_(self):
        return _native.doctor_element(json.dumps(self.figures))


def _flat(value, name=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _flat(inner, f"{name}.{place}")
    elif name != "verdict" and not name.startswith("verdict."):
        yield name, value
