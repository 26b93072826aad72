"""A run store as Python sees it: its tables, its report, what it chose."""
import json
import os

import numpy as np

from . import _native
from ._estimators import METHODS
from ._display import write
from ._lab_table import Table
from ._parameters import RENAMED, value

SHOWN = ["data", "arm", "mean", "standard_error", "low", "high", "against", "difference", "p_holm", "significant", "runs"]
TRIALS = ["data", "arm", "stage", "number", "seed", "valid", "seconds", "failed", "error", "settings"]


class Runs:
    """The trials of a comparison or a study, and what they say: tables, a report, what was chosen.

    >>> runs = eq.compare(log, ["base"], bases="gmf", budget=1, seeds=1, epochs=1, k=3, replicates=10, allow="all")
    >>> runs.trials["stage"].tolist().count("final"), len(runs.to_frame("ndcg"))
    (4, 4)
    >>> runs.report(folder / "report.html").name
    'report.html'
    """

    def __init__(self, folder, native=None, logs=(), temporary=None):
        self.folder = folder
        self._native = _native.Runs.open(folder) if native is None else native
        self._logs = {log.name: log for log in logs}
        self._temporary = temporary  # removed with the last that holds it

    def table(self, metric=""):
        """The results by a metric of `metrics`; "" = the one that was tested."""
        columns = self._native.results(metric)
        title = f"{metric or self.metrics[0]} on test"
        return Table(title, columns, SHOWN)

    @property
    def results(self):
        """The table by the metric that was tested."""
        return self.table()

    @property
    def pairs(self):
        """Arm against arm, by the metric that was tested."""
        return Table("arm against arm", self._native.pairs())

    @property
    def trials(self):
        """Every trial: settings that were searched, and final runs."""
        return Table(f"{len(self)} of {self._native.planned_trials()} trials", self._native.trials(), TRIALS)

    @property
    def per_user(self):
        """The ranking metrics of every final run, user by user. Users are ids where the log is known, else numbers."""
        found = self._native.per_user()
        words = [_words(found["blocks"], place) for place in range(4)]
        columns = {name: words[place][found["block"]] for place, name in enumerate(["data", "arm", "protocol", "seed"])}
        columns["user"] = self._ids(columns["data"], found["user"])
        return Table("metrics by user", {**columns, **found["values"]})

    def _ids(self, data, users):
        if not self._logs or any(name not in self._logs for name in set(data)):
            return users
        out = np.empty(len(users), dtype=object)
        for name, log in self._logs.items():
            ids = log.users
            out[data == name] = ids[users[data == name]]
        return out if len(self._logs) > 1 else out.astype(ids.dtype)

    @property
    def metrics(self):
        """The metrics that `table` knows, the one that was tested first."""
        return self._native.metrics()

    @property
    def findings(self):
        """What the linter found before anything was run."""
        return self._native.findings()

    def to_frame(self, metric=""):
        """The results as a pandas DataFrame."""
        return self.table(metric).to_frame()

    def to_dict(self):
        """Everything, as `equipoise compare --json` prints it."""
        return json.loads(self._native.results_json())

    def report(self, path):
        """Writes the report: a page (.html), or tables as Markdown (.md) or LaTeX (.tex)."""
        return write(path, {".html": self._native.html, ".md": self._native.markdown, ".tex": self._native.latex})

    def figures(self, folder):
        """Writes every figure of the report as SVG, and its data as CSV, into a folder."""
        self._native.write_figures(os.fspath(folder))
        return folder

    def chosen(self, arm="", data=""):
        """An arm as the comparison chose it, ready to be fitted; "" = the arm that validation prefers, the only data."""
        method, base, parameters = self._native.chosen(arm, data)
        known = METHODS[method]._parameters
        given = {name: value(known[name].kind, words)
                 for name, words in ((RENAMED.get(name, name), words) for name, words in parameters.items())}
        return METHODS[method](**({"base": base} if base else {}), **given)

    def __len__(self):
        return len(self._native.trials()["arm"])

    def __repr__(self):
        lines = [repr(self.results), *self.findings]
        where = self.folder if self._temporary is None else "a temporary folder (out= keeps them)"
        return "\n".join(lines) + f"\n{len(self)} of {self._native.planned_trials()} trials in {where}"

    def _repr_html_(self):
        return self._native.fragment()


def _words(blocks, place):
    out = np.empty(len(blocks), dtype=object if place < 3 else np.uint64)
    out[:] = [block[place] for block in blocks]
    return out
