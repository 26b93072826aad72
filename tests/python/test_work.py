"""Long work: callbacks, Ctrl-C with a checkpoint, notes, warnings, bars, many threads, processes made by fork, gunicorn."""
import hashlib
import logging
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
import urllib.error
import urllib.request
import warnings

import numpy as np
import pytest
from conftest import installed, named, needs, rows

import equipoise as eq


def test_a_callback_sees_every_epoch_and_may_end_training(log):
    seen = []
    model = eq.Base(base="gmf", epochs=30, patience=0).fit(log, callback=lambda epoch: seen.append(epoch) or len(seen) == 3)
    assert [epoch.number for epoch in seen] == [1, 2, 3] and len(model.curve) == 3
    assert model.card["training"]["stopped_early"] is True
    assert seen[0].losses["fit"] > 0 and 0 <= seen[0].metric <= 1
    assert model.curve[0]["losses"]["fit"] == seen[0].losses["fit"]


def test_what_a_callback_raises_reaches_the_caller(log):
    def fail(epoch):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        eq.Base(base="gmf", epochs=30).fit(log, callback=fail)


def test_resumed_is_never_interrupted(log, tmp_path):
    path = tmp_path / "run.checkpoint"
    whole = eq.CBR(base="gmf", epochs=6, seed=2).fit(log).to_bytes()

    def stop(epoch):
        if epoch.number == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        eq.CBR(base="gmf", epochs=6, seed=2).fit(log, callback=stop, checkpoint=path)
    assert path.exists()
    resumed = eq.CBR(base="gmf", epochs=6, seed=2).fit(log, checkpoint=path, resume=True)
    assert resumed.to_bytes() == whole and not path.exists()
    with pytest.raises(eq.UsageError, match="resume needs a checkpoint"):
        eq.Base().fit(log, resume=True)


INTERRUPTED = """
    import os, signal, threading, time
    import equipoise as eq
    n = 200000
    log = eq.Log({"user": [k % 5000 for k in range(n)], "item": [k // 5000 for k in range(n)],
                  "label": [k * 7 % 3 % 2 for k in range(n)]})
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.time()
    try:
        eq.CBR(epochs=100000, patience=0, threads=THREADS).fit(log, checkpoint=CHECKPOINT)
    except KeyboardInterrupt:
        print("stopped", os.path.exists(CHECKPOINT), time.time() - begun < 30)
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_within_a_step_and_leaves_a_checkpoint(tmp_path, threads):
    code = f"THREADS, CHECKPOINT = {threads}, {str(tmp_path / 'c.checkpoint')!r}\n" + textwrap.dedent(INTERRUPTED)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "stopped True True", done.stderr


def test_notes_go_to_logging_and_warnings_to_warnings(caplog):
    with caplog.at_level(logging.INFO, logger="equipoise"), warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        eq.Base(base="gmf", epochs=1).fit(eq.Log(rows(), log_valid_share=0))
    assert any("training base gmf" in record.message for record in caplog.records)
    assert any(issubclass(one.category, eq.Warning) and "no validation part" in str(one.message) for one in heard)
    assert all(one.filename == __file__ for one in heard if issubclass(one.category, eq.Warning))


def test_nothing_is_printed(capfd, log):
    eq.Base(base="gmf", epochs=1).fit(log)
    out, err = capfd.readouterr()
    assert out == "" and err == ""


@needs("tqdm")
def test_bars(capfd, log):
    eq.Base(base="gmf", epochs=3).fit(log, progress=True)
    assert "training" in capfd.readouterr().err


def test_a_frame_that_changes_during_fit_changes_nothing():
    table = rows()
    first = eq.Base(base="gmf", epochs=3).fit(eq.Log(table)).to_bytes()

    def spoil(epoch):
        table["user"][:] = 0
        table["label"][:] = 7

    assert eq.Base(base="gmf", epochs=3).fit(table, callback=spoil).to_bytes() != b""
    table = rows()
    assert eq.Base(base="gmf", epochs=3).fit(eq.Log(table), callback=spoil).to_bytes() == first


def test_eight_threads_get_the_right_answers(model):
    users = list(model.users)
    right = {user: model.recommend(user, k=5, output="arrays") for user in users}
    wrong = []

    def ask(first):
        for user in users[first:] + users[:first]:
            items, scores = model.recommend(user, k=5, output="arrays")
            if not (np.array_equal(items, right[user][0]) and np.array_equal(scores, right[user][1])):
                wrong.append(user)

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _child(model, log, queue):
    queue.put((model.recommend("u1", k=3, output="arrays")[0].tolist(),
               eq.Base(base="gmf", epochs=1, threads=2).fit(log).to_bytes()))


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_recommend_and_train(way, log):
    model = eq.Base(base="gmf", epochs=1, threads=2).fit(log)
    context = multiprocessing.get_context(way)
    queue = context.Queue()
    process = context.Process(target=_child, args=(model, log, queue))
    process.start()
    items, trained = queue.get(timeout=60)
    process.join(timeout=60)
    assert process.exitcode == 0
    assert items == model.recommend("u1", k=3, output="arrays")[0].tolist()
    assert trained == model.to_bytes()


GUNICORN = """
import hashlib, equipoise as eq
from conftest import named, rows
log = eq.Log(named(rows()), name="simulated")
model = eq.Base(base="gmf", epochs=1, threads=2).fit(log)  # before the workers are forked

def app(environ, start_response):
    trained = eq.Base(base="gmf", epochs=1, threads=2).fit(log).to_bytes()
    said = " ".join(model.recommend("u1", k=3, output="arrays")[0]) + " " + hashlib.sha256(trained).hexdigest()
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [said.encode()]
"""


@needs("gunicorn")
def test_workers_of_gunicorn_use_a_model_fitted_before_the_fork(tmp_path):
    (tmp_path / "served.py").write_text(GUNICORN)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    paths = [str(tmp_path), os.path.dirname(__file__), os.path.dirname(os.path.dirname(eq.__file__))]
    server = subprocess.Popen([sys.executable, "-B", "-m", "gunicorn", "--preload", "--workers", "2", "--bind",
                               f"127.0.0.1:{port}", "served:app"], stderr=subprocess.DEVNULL, cwd=tmp_path,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})

    def ask():
        for _ in range(300):
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60).read().decode()
            except urllib.error.URLError:
                time.sleep(0.1)
        raise TimeoutError("gunicorn does not answer")

    try:
        model = eq.Base(base="gmf", epochs=1, threads=2).fit(eq.Log(named(rows()), name="simulated"))
        right = " ".join(model.recommend("u1", k=3, output="arrays")[0]) + " " + hashlib.sha256(model.to_bytes()).hexdigest()
        assert {ask() for _ in range(8)} == {right}
    finally:
        server.terminate()
        server.wait(timeout=30)


def test_memory_stays_flat_over_many_fits():
    """A tenth of what `tools/python_memory` does."""
    table = rows(8, 6)

    def resident():
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def fits(count):
        for _ in range(count):
            eq.Base(base="gmf", epochs=1, embedding=4, threads=1).fit(eq.Log(table, threads=1)).recommend(
                [1, 2], k=2, output="arrays")

    fits(100)
    before = resident()
    fits(300)
    assert resident() - before < 2 << 20
