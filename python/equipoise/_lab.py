"""The researcher's half: the doctor, the linter, the simulator, comparisons, studies and run stores."""
import os
import shutil
import tempfile
import weakref

from . import _native
from ._errors import Interrupted, UsageError
from ._hooks import Hooks
from ._lab_doctor import Diagnosis
from ._lab_outside import Outside, is_outside
from ._lab_runs import Runs
from ._lab_table import Table
from ._log import Log
from ._parameters import parameters_of, text, texts, with_signature


def doctor(log, *, threads=0, progress=None, **parameters):
    """How biased a log is, and whether debiasing can help; keywords are those of `equipoise doctor`.

    >>> eq.doctor(log).figures["train"] == log.counts["train"]
    True
    """
    log = _log(log)
    with Hooks(progress=progress) as hooks:
        verdict, figures = _native.diagnose(log._data, texts(parameters), threads, hooks)
    return Diagnosis(log.name, verdict, figures)


def simulate(*, name=None, labels=None, **parameters):
    """A log drawn from a known law; keywords are those of `equipoise simulate`. Logs of one comparison need names.

    labels: a Log, or the folder of a data set, whose test part has every pair of its users and items; exposure is drawn
    over these labels, with keywords as of `equipoise simulate --labels` (strength, density, …).

    >>> eq.simulate(users=50, items=10, name="small", seed=1)
    Log('small': 50 users, 10 items, 250 train, 23 valid, 60 test rows)
    """
    if labels is None:
        data = _native.Data.simulate(texts(parameters))
    else:
        data = _native.Data.simulate_over(_log(labels)._data, texts(parameters))
    return Log(data if name is None else data.named(name))


def lint(log, methods="all", *, values=None, **parameters):
    """What `compare` would warn of or refuse, without a run; takes what `compare` takes.

    >>> eq.lint(log, ["base"], bases="gmf").columns
    ['data', 'rule', 'refuses', 'sentence']
    """
    logs = _logs(log)
    names, outside = _split(methods, logs)
    with Hooks(progress=False) as hooks:
        found = _native.lint([one._data for one in logs], names, outside, texts(parameters), _values(values), hooks)
    columns = list(zip(*found)) or [[], [], [], []]
    return Table("findings of the linter", dict(zip(["data", "rule", "refuses", "sentence"], map(list, columns))))


def compare(log, methods="all", *, out=None, values=None, threads=1, progress=None, **parameters):
    """Methods against each other: the same budget, choice on the validation part, fresh seeds, paired tests.

    log: a Log, or a list of them. methods: names, classes (eq.CBR), and methods of your own: a class, or a function
    that makes an object, with fit(log) and score_pairs(users, items). out: the folder of the run store; what is there
    already is not run again; None = one that is removed with the result. progress: whether to show a bar. values: {"gamma": [0.1, 1]} are tried in
    place of those that a parameter declares. threads: trials at a time; never changes a result. Other keywords are
    those of `equipoise compare` (bases, budget, seeds, search, metric, k, …), and parameters to fix for every arm that
    has them.

    >>> runs = eq.compare(eq.simulate(users=60, items=12, width=3, seed=1), ["base"], bases="gmf", budget=1, seeds=2,
    ...                   epochs=2, k=3, replicates=20, allow="all")
    >>> list(runs.results["arm"])
    ['popularity', 'mean', 'mean-popularity', 'base gmf']
    """
    logs = _logs(log)
    names, outside = _split(methods, logs)
    return _run(out, logs, progress, lambda folder, hooks: _native.compare(
        [one._data for one in logs], folder, names, outside, texts(parameters), _values(values), threads, hooks))


def study(name, log=None, *, out=None, values=None, threads=1, progress=None, **parameters):
    """One of the paper's studies: ablation, pairs, bias, confounder, sparsity; keywords as of `equipoise study`.

    >>> eq.study("bios")
    Traceback (most recent call last):
      ...
    equipoise.UsageError: there is no study 'bios'; did you mean bias?
    """
    logs = [] if log is None else _logs(log)
    return _run(out, logs, progress, lambda folder, hooks: _native.study(
        name, [one._data for one in logs], folder, texts(parameters), _values(values), threads, hooks))


def load_runs(path):
    """The run store in a folder, also while another process adds to it.

    >>> eq.load_runs(folder)
    Traceback (most recent call last):
      ...
    equipoise.UsageError: ...: there is no run store (equipoise compare and study make one)
    """
    return Runs(os.fspath(path))


def _run(out, logs, progress, work):
    folder, temporary = (os.fspath(out), None) if out is not None else _temporary()
    try:
        with Hooks(progress=progress) as hooks:
            native = work(folder, hooks)
    except (Interrupted, KeyboardInterrupt) as stopped:
        if temporary is not None:
            temporary.detach()
        raise Interrupted(f"interrupted; the finished trials are kept: give out={folder!r} to go on") from stopped
    return Runs(folder, native, logs, temporary)


class _Temporary(tempfile.TemporaryDirectory):
    """Goes with the result that holds it, which is how it is meant: without a warning."""

    def __init__(self, prefix):
        super().__init__(prefix=prefix)
        self._finalizer.detach()
        self._finalizer = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)

    def detach(self):
        """Leaves the folder where it is."""
        self._finalizer.detach()


def _temporary():
    made = _Temporary(prefix="equipoise-runs-")
    return made.name, made


def _log(log):
    return log if isinstance(log, Log) else Log(log)


def _logs(log):
    return [_log(one) for one in (log if isinstance(log, (list, tuple)) else [log])]


def _values(values):
    if values is None:
        return []
    return [f"{name}={text(list(tried))}" for name, tried in values.items()]


def _split(methods, logs):
    """The names of our own methods with commas between, and the outside ones."""
    if isinstance(methods, str) or not isinstance(methods, (list, tuple)) or _is_named(methods):
        methods = [methods]
    names, outside = [], []
    for method in methods:
        if is_outside(method):
            outside.append(Outside(method, logs))
        elif isinstance(method, str):
            names.append(method)
        elif isinstance(method, type):
            names.append(method._method)
        else:
            raise UsageError(f"methods: give the class of {method!r}, or a name; fix a parameter as "
                             f"'{method._method}+name=value'")
    return ",".join(names) or "base", outside


def _is_named(methods):
    return isinstance(methods, tuple) and len(methods) == 2 and isinstance(methods[0], str) and callable(methods[1])


def _describe():
    """Gives each function the keywords that C++ declares for its verb, as help() and editors show them."""
    groups = {group["name"]: group for group in [*_native.parameter_groups(), *_native.lab_parameter_groups()]
              if group["kind"] == "verb"}
    for function, verb in ((doctor, "doctor"), (simulate, "simulate"), (compare, "compare"), (lint, "compare"),
                           (study, "study")):
        if verb in groups:
            with_signature(function, {name: p.default for name, p in parameters_of(groups[verb]).items()})


_describe()
