"""The doctor, the linter, the simulator, comparisons, studies and run stores from Python."""
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import equipoise as eq
from conftest import run_python
from lab_methods import ItemShare

PLAN = dict(bases="gmf", budget=3, finalists=0, seeds=2, epochs=2, k=3, replicates=20, allow="all")


@pytest.fixture(scope="module")
def log():
    return eq.simulate(users=60, items=16, width=4, seed=1)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", eq.Warning)
        yield


@pytest.fixture(scope="module")
def runs(log):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", eq.Warning)
        return eq.compare(log, ["base", eq.IPS, ItemShare], threads=2, **PLAN)


def test_a_method_of_others_has_its_line_in_every_table(runs):
    results = runs.results
    place = list(results["arm"]).index("ItemShare")
    assert results["runs"][place] == 2 and results["trials"][place] == 3
    assert results["against"][place] == "base gmf" and np.isfinite(results["p_holm"][place])
    assert "ips gmf" in results["arm"]
    trials = runs.trials.to_frame()
    own = trials[trials.arm == "ItemShare"]
    assert len(own) == 5 and not own.failed.any() and own.valid.notna().all()
    assert {"prior"} == {name for settings in own.settings for name in settings}
    users = runs.per_user.to_frame()
    assert {"data", "arm", "protocol", "seed", "user", "ndcg"} <= set(users.columns)
    assert set(users.seed) == {2, 3} and users.user.iloc[0] in runs._logs["simulated"].users
    pairs = runs.pairs.to_frame()
    assert set(pairs[pairs.arm == "ItemShare"].against) >= {"popularity", "mean", "base gmf", "ips gmf"}


def test_displays(runs, tmp_path):
    page = runs._repr_html_()
    assert "ItemShare" in page and "<svg" in page and "<style>" in page
    text = repr(runs)
    assert "base gmf" in text and "auc on test" in text and "a temporary folder" in text
    for name in ("report.html", "report.md", "report.tex"):
        runs.report(tmp_path / name)
        assert "ItemShare" in (tmp_path / name).read_text(encoding="utf-8")
    with pytest.raises(eq.UsageError, match="report.pdf"):
        runs.report(tmp_path / "report.pdf")
    figures = sorted(path.name for path in runs.figures(tmp_path / "figures").iterdir())
    assert {"simulated-test-items-difference.svg", "simulated-test-items-difference.csv"} <= set(figures)
    assert set(runs.to_dict()) >= {"plan", "cells", "pairs"}
    for table in (runs.results, runs.pairs, runs.trials, runs.per_user):
        assert len(table.to_frame()) == len(table) and "<table>" in table._repr_html_()


def test_every_metric_has_a_table(runs):
    assert runs.metrics[0] == "auc"
    for metric in runs.metrics:
        assert set(runs.to_frame(metric).metric) == {metric}
    with pytest.raises(eq.UsageError, match="ndgc"):
        runs.to_frame("ndgc")


def test_what_was_chosen_can_be_fitted(runs, log):
    model = runs.chosen("ips:gmf")
    assert isinstance(model, eq.IPS) and model.base == "gmf" and model.epochs == 2
    assert model.fit(log).to_bytes()
    with pytest.raises(eq.UsageError, match="outside method"):
        runs.chosen("ItemShare")


def test_threads_change_nothing(log):
    frames = [eq.compare(log, [ItemShare], threads=threads, **PLAN).to_frame() for threads in (1, 3)]
    assert frames[0].drop(columns="seconds_per_epoch").equals(frames[1].drop(columns="seconds_per_epoch"))


def test_bars_from_all_threads_and_a_busy_method_do_not_wait_for_each_other(log):
    class Busy(ItemShare):
        def fit(self, given):
            end = time.monotonic() + 0.2
            while time.monotonic() < end:  # Python code that holds the lock as long as it may
                sum(range(1000))
            return super().fit(given)

    runs = eq.compare(log, ["base", "ips", "snips", Busy], threads=4, progress=True, **PLAN)
    assert len(runs) == runs._native.planned_trials()


def test_a_method_sees_no_test_rows_and_is_called_by_the_calling_thread(log):
    seen = []

    class Spy(ItemShare):
        name = "spy"

        def fit(self, given):
            seen.append((threading.get_ident(), given.counts["test"], len(given.rows("test")["user"]), self.seed))
            assert len(given.valid["user"]) == log.counts["valid"]
            assert not np.isin(np.asarray(given.train["user"]), given.users, invert=True).any()
            return super().fit(given)

    eq.compare(log, Spy, threads=3, **PLAN)
    assert {thread for thread, *_ in seen} == {threading.get_ident()}
    assert {(rows, count) for _, rows, count, _ in seen} == {(0, 0)}
    assert sorted(seed for *_, seed in seen) == [1, 1, 1, 2, 3]


def test_ids_come_as_the_caller_knows_them():
    rng = np.random.default_rng(1)
    columns = {"user": rng.integers(100, 160, 900), "item": rng.integers(7, 19, 900), "label": rng.integers(0, 2, 900)}
    log = eq.Log(columns, duplicates="first", split="random")
    kinds = set()

    class Spy(ItemShare):
        def score_pairs(self, users, items):
            kinds.add((users.dtype.kind, items.dtype.kind))
            assert users.min() >= 100 and items.max() < 19
            return super().score_pairs(users, items)

    runs = eq.compare(log, [Spy], **PLAN)
    assert kinds == {("i", "i")} and runs.per_user["user"].dtype.kind == "i"


def test_a_fit_that_fails_is_a_failed_trial(log):
    class Picky(ItemShare):
        def fit(self, given):
            if self.prior == 2:
                raise ValueError("not this prior")
            return super().fit(given)

    trials = eq.compare(log, Picky, **PLAN).trials.to_frame()
    own = trials[trials.arm == "Picky"]
    assert own.failed.tolist()[0] and own.error.tolist()[0] == "fit: ValueError: not this prior"
    assert len(own[own.stage == "final"]) == 2


@pytest.mark.parametrize("scores, message", [(lambda n: np.full(n, np.nan), "a finite number"), (lambda n: [1.0], "shape"),
                                             (lambda n: ["a"] * n, "could not convert")])
def test_bad_scores_fail_the_trial(log, scores, message):
    class Bad(ItemShare):
        search = {}

        def score_pairs(self, users, items):
            return scores(len(users))

    trials = eq.compare(log, Bad, **PLAN).trials.to_frame()
    own = trials[trials.arm == "Bad"]
    assert len(own) == 1 and own.failed.all() and message in own.error.iloc[0]


def test_probabilities_have_a_log_loss(log):
    class Likely(ItemShare):
        scores = "probability"

    runs = eq.compare(log, [ItemShare, Likely], **PLAN)
    losses = dict(zip(runs.table("log_loss")["arm"], runs.table("log_loss")["mean"]))
    assert 0 < losses["Likely"] < 2 and np.isnan(losses["ItemShare"])
    auc = dict(zip(runs.results["arm"], runs.results["mean"]))
    assert auc["Likely"] == pytest.approx(auc["ItemShare"], abs=1e-6)


def test_our_own_model_as_a_method_of_others_is_the_arm_itself(log):
    class Twin:
        scores = "logit"

        def __init__(self, seed=0):
            self.seed = seed

        def fit(self, given):
            self.model = eq.Base(base="gmf", epochs=2, metric="auc", metric_k=3, seed=self.seed).fit(given)

        def score_pairs(self, users, items):
            return self.model.score_pairs(users, items)

    runs = eq.compare(log, ["base", Twin], **{**PLAN, "budget": 1})
    for metric in ("auc", "ndcg", "log_loss"):
        table = runs.table(metric)
        means = dict(zip(table["arm"], table["mean"]))
        assert means["Twin"] == means["base gmf"], metric


def test_a_store_is_gone_on_with_and_says_what_it_needs(log, tmp_path):
    calls = []

    class Counted(ItemShare):
        def fit(self, given):
            calls.append(self.prior)
            return super().fit(given)

    out = tmp_path / "runs"
    eq.compare(log, Counted, out=out, **PLAN)
    eq.compare(log, Counted, out=out, **PLAN)
    assert len(calls) == 5, "nothing is run twice"
    eq.compare(log, "base", out=out, **PLAN)
    with pytest.raises(eq.UsageError, match="outside method 'Counted'"):
        eq.compare(log, "base", out=out, **{**PLAN, "seeds": 3})
    eq.compare(log, Counted, out=out, **{**PLAN, "seeds": 3})
    assert len(calls) == 6
    loaded = eq.load_runs(out)
    assert len(loaded) == len(loaded.trials) and "Counted" in loaded.results["arm"]
    Counted.search = {"prior": [1, 2]}
    with pytest.raises(eq.UsageError, match="another one"):
        eq.compare(log, Counted, out=out, **PLAN)


def test_methods_may_be_factories_instances_and_named(log):
    def made(prior=3):
        return ItemShare(prior)

    class WithParams(ItemShare):
        def get_params(self, deep=True):
            return {"prior": self.prior}

    runs = eq.compare(log, [made, ("nine", lambda: ItemShare(9)), WithParams(5)], **PLAN)
    assert {"made", "nine", "WithParams"} <= set(runs.results["arm"])


@pytest.mark.parametrize("method, message", [
    (lambda: ItemShare(), "without a name"), (type("NoFit", (), {}), "has no fit"), (3, "expected a method's name"),
    (ItemShare(), "give the class"), (type("cbr", (ItemShare,), {}), "method of Equipoise"),
    (type("S", (ItemShare,), {"search": [1]}), "dict of lists"), (type("S", (ItemShare,), {"search": {"a": 1}}), "list"),
    (type("S", (ItemShare,), {"search": {"a": []}}), "no values"),
    (type("S", (ItemShare,), {"scores": "odds"}), "scores"), (eq.CBR(), "give the class"), ("cbx", "cbx")])
def test_what_is_no_method_is_refused(log, method, message):
    with pytest.raises(eq.UsageError, match=message):
        eq.compare(log, [method], **PLAN)


def test_keywords_are_checked(log):
    with pytest.raises(eq.UsageError, match="budget"):
        eq.compare(log, "base", bugdet=3)
    with pytest.raises(eq.UsageError, match="seeds"):
        eq.compare(log, "base", **{**PLAN, "seeds": 0})
    with pytest.raises(eq.UsageError, match="users"):
        eq.simulate(user=3)
    with pytest.raises(eq.UsageError):
        eq.doctor(log, nothing=3)
    with pytest.raises(eq.CheckError, match="leak|refus|worthless"):
        eq.compare(log, "base", **{**PLAN, "metric": "recall", "k": 10, "allow": ""})


def test_values_replace_what_is_searched(log):
    runs = eq.compare(log, [ItemShare], values={"prior": [7], "learning_rate": [0.01, 0.1]}, search="grid", **PLAN)
    tried = {settings.get("prior") for settings in runs.trials["settings"]}
    assert "7" in tried and not tried & {"1", "4", "16"}


def test_the_doctor(log, tmp_path):
    found = eq.doctor(log)
    assert found.verdict and all(sentence in str(found) for sentence in found.verdict)
    cell = found._repr_html_()
    assert "<h4>Doctor: simulated</h4>" in cell and "<svg" in cell and "<script" not in cell
    page = found.report(tmp_path / "doctor.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "Doctor: simulated" in page and "What to do" in page
    frame = found.to_frame()
    assert frame[frame.figure == "users"].value.iloc[0] == 60


def test_the_linter_runs_nothing(log):
    found = eq.lint(log, ["base", ItemShare], bases="gmf", metric="recall", k=10)
    assert found["refuses"].any() and set(found.to_frame().columns) == {"data", "rule", "refuses", "sentence"}


def test_a_study(tmp_path):
    runs = eq.study("bias", out=tmp_path / "study", bases="gmf", budget=1, seeds=1, epochs=1, users=40, items=12, width=3,
                    replicates=5, allow="all", threads=2)
    assert len(set(runs.results["data"])) == 6
    with pytest.raises(eq.UsageError, match="takes no data"):
        eq.study("bias", eq.simulate(users=40, items=12, width=3))


def test_signals_do_no_harm_inside_products():
    program = """
import os, signal, threading, time, warnings
warnings.simplefilter("ignore")
import equipoise as eq
counted = []
signal.signal(signal.SIGUSR1, lambda *_: counted.append(1))
over = threading.Event()
def send():
    while not over.is_set():
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(0.0002)
threading.Thread(target=send, daemon=True).start()
signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
log = eq.simulate(users=400, items=32, seed=1)
fitted = lambda: eq.CBR(base="mlp", epochs=6, threads=1).fit(log).to_bytes()
models = {fitted()}
while len(counted) <= 20:  # a fast machine needs more than one fit for that many signals
    models.add(fitted())
over.set()
assert models == {fitted()}
"""
    run_python("-c", program)


def kept(folder):
    """How many trials are in a store that may not be there yet."""
    try:
        return len(eq.load_runs(folder))
    except eq.UsageError:
        return 0


def test_ctrl_c_keeps_the_store(tmp_path):
    program = f"""
import sys, warnings
sys.path.insert(0, {os.path.dirname(__file__)!r})
warnings.simplefilter("ignore")
import equipoise as eq
log = eq.simulate(users=400, items=32, seed=1)
print("ready", flush=True)
try:
    eq.compare(log, ["cbr"], out={str(tmp_path / "runs")!r}, bases="mlp", budget=50, seeds=5, allow="all", threads=2)
except KeyboardInterrupt as stopped:
    print(type(stopped).__name__, stopped, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline().strip() == "ready"
    try:
        for _ in range(1200):
            time.sleep(0.05)
            if kept(tmp_path / "runs") > 3:
                break
        assert kept(tmp_path / "runs") > 3 and process.poll() is None  # there is something to interrupt
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert said.startswith("Interrupted") and "kept" in said
    assert len(eq.load_runs(tmp_path / "runs")) > 3


def test_an_interruption_inside_a_method_of_others_ends_the_comparison(log, tmp_path):
    class Stopped(ItemShare):
        def fit(self, given):
            if self.prior != 2:
                raise KeyboardInterrupt
            return super().fit(given)

    with pytest.raises(KeyboardInterrupt, match="kept"):
        eq.compare(log, Stopped, out=tmp_path / "runs", **PLAN)
    assert any(eq.load_runs(tmp_path / "runs").trials["arm"] == "Stopped")

    class Exits(ItemShare):
        def fit(self, given):
            raise SystemExit(7)

    with pytest.raises(SystemExit):
        eq.compare(log, Exits, **PLAN)


def test_a_temporary_store_is_removed_with_its_result(log):
    runs = eq.compare(log, "base", **{**PLAN, "budget": 1, "seeds": 1})
    folder = runs.folder
    assert os.path.isdir(folder)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        del runs
    assert not os.path.exists(folder) and not said
