"""What the doctor found out about a log: sentences for people, figures for programs."""
import json

from ._display import definition_list, page
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

    def _repr_html_(self):
        groups = {"": {}}
        for name, value in _flat(self.figures):
            head, _, rest = name.partition(".")
            groups.setdefault(head if rest else "", {})[rest or head] = value
        return page(f"Doctor: {self.name}", self.verdict,
                    [definition_list(head, facts) for head, facts in groups.items() if facts])


def _flat(value, name=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _flat(inner, f"{name}.{place}")
    elif name != "verdict" and not name.startswith("verdict."):
        yield name, value
