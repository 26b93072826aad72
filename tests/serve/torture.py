# Kills, reloads and full disks under load: what was acknowledged is in the log once, and nothing else fails.
"""Run as `torture.py PROGRAM [KILLS RELOADS]`; few of each by default."""
import collections
import http.client
import json
import random
import resource
import signal
import subprocess
import sys
import threading
import time

from server import Server, harness, read_log, train, until

KILLS, RELOADS = 4, 6


class Clients:
    """Threads that ask for lists and give feedback, and remember what was acknowledged."""

    def __init__(self, count):
        self.port = None
        self.stop = threading.Event()
        self.lists, self.feedback = [], []
        self.refused = collections.Counter()  # by status
        self.broken = 0                       # connections that ended under a request
        self.threads = [threading.Thread(target=self.run, args=(n,)) for n in range(count)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        draw = random.Random(number)
        owed = []  # feedback that is not acknowledged yet: it is sent until it is
        connection, port = None, None
        while not self.stop.is_set():
            if connection is None or port != self.port:
                if connection is not None:
                    connection.close()
                port = self.port
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20) if port else None
            if connection is None:
                time.sleep(0.005)
                continue
            try:
                self.turn(connection, draw, owed)
            except (OSError, http.client.HTTPException):
                self.broken += 1
                connection.close()
                connection = None
                time.sleep(0.005)
        if connection is not None:
            connection.close()

    def turn(self, connection, draw, owed):
        if owed and draw.random() < 0.5:
            request, item = owed[0]
            status, body = self.ask(connection, "POST", "/v1/feedback", {"feedback": [{"request_id": request, "item": item}]})
            if status == 200:
                self.feedback.append((request.split("-")[0], item))
                owed.pop(0)
            return
        status, body = self.ask(connection, "GET", f"/v1/recommend/u{draw.randrange(100000)}?k=3")
        if status != 200:
            return
        self.lists.append((body["request_id"].split("-")[0], [one["item"] for one in body["items"]]))
        if draw.random() < 0.5 and len(owed) < 50:
            owed.append((body["request_id"], body["items"][0]["item"]))

    def ask(self, connection, method, target, body=None):
        connection.request(method, target, json.dumps(body) if body else None, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        data = json.loads(answer.read())
        if answer.status != 200:
            self.refused[answer.status] += 1
        return answer.status, data

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()


class Torture(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        train(cls, "a.model")
        train(cls, "b.model", seed=2)

    def check_log(self, clients, folder):
        lines = read_log(self.folder / folder)
        lists = collections.Counter(one["request"] for one in lines if one["kind"] == "list")
        told = collections.Counter((one["request"], one["item"]) for one in lines if one["kind"] == "feedback")
        self.assertEqual([one["n"] for one in lines], list(range(1, len(lines) + 1)), "no number is missing or twice")
        self.assertTrue(all(a["time"] <= b["time"] for a, b in zip(lines, lines[1:])))
        items = {one["request"]: one["items"] for one in lines if one["kind"] == "list"}
        for request, shown in clients.lists:
            self.assertEqual(lists[request], 1, "an acknowledged list is in the log once")
            self.assertEqual(items[request], shown)
        self.assertEqual(len(clients.feedback), len(set(clients.feedback)))
        for pair in clients.feedback:
            self.assertEqual(told[pair], 1, "acknowledged feedback is in the log once")
        self.assertEqual(max(told.values(), default=1), 1, "what was sent again is there once")

    def test_kills_under_load(self):
        clients = Clients(8)
        draw = random.Random(1)
        for _ in range(KILLS):
            running = Server(self.folder, "a.model", "--log", "killed", "--explore", "epsilon=0.3", "--threads", 2)
            clients.port = running.port
            time.sleep(draw.uniform(0.02, 0.4))
            running.end(signal.SIGKILL)
        running = Server(self.folder, "a.model", "--log", "killed")
        clients.port = running.port
        time.sleep(0.5)
        clients.end()
        self.assertEqual(running.end(), 0)
        self.assertEqual(clients.refused, {})
        self.check_log(clients, "killed")
        print(f"{KILLS} kills: {len(clients.lists)} lists and {len(clients.feedback)} items of feedback acknowledged, all in the log once")

    def test_reloads_under_load(self):
        model = self.folder / "live.model"
        model.write_bytes((self.folder / "a.model").read_bytes())
        running = Server(self.folder, "live.model", "--log", "reloaded", "--threads", 2)
        clients = Clients(6)
        clients.port = running.port
        good = bad = 0
        draw = random.Random(2)
        for n in range(RELOADS):
            name = draw.choice(["a.model", "b.model", "bad", "cut"])
            data = (self.folder / "a.model").read_bytes() if name in ("bad", "cut") else (self.folder / name).read_bytes()
            if name == "bad":
                at = draw.randrange(len(data))
                data = data[:at] + bytes([data[at] ^ 255]) + data[at + 1:]
            data = data[:draw.randrange(len(data))] if name == "cut" else data
            (self.folder / "new.model").write_bytes(data)
            (self.folder / "new.model").rename(model)
            if n % 3 == 2:
                before = running.metric("equipoise_reloads_total") + running.metric("equipoise_reloads_refused_total")
                running.process.send_signal(signal.SIGHUP)
                self.assertTrue(until(lambda: running.metric("equipoise_reloads_total") + running.metric("equipoise_reloads_refused_total") > before))
                continue
            status, _, body = running.ask("/v1/models/live/reload", method="POST")
            self.assertEqual(status, 422 if name in ("bad", "cut") else 200, body)
            good, bad = good + (status == 200), bad + (status == 422)
        clients.end()
        self.assertEqual(running.end(), 0)
        self.assertEqual((clients.refused, clients.broken), ({}, 0))
        self.check_log(clients, "reloaded")
        print(f"{RELOADS} reloads, {good} taken and {bad} refused by route: {len(clients.lists)} lists, no failed request")

    def test_a_full_disk_refuses_in_one_line_and_logs_all_that_it_shows(self):
        """By a limit on the size of files, which is then taken away; and of the whole file system where one can be made."""
        running = Server(self.folder, "a.model", "--log", "full", "--threads", 2)
        clients = Clients(6)
        clients.port = running.port
        self.assertTrue(until(lambda: clients.lists))
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (200000, resource.RLIM_INFINITY))
        self.assertTrue(until(lambda: clients.refused[503] > 20, 60), clients.refused)
        self.assertTrue(until(lambda: running.ask("/readyz")[0] == 503), "not ready while it cannot log")
        self.assertEqual(running.ask("/healthz")[0], 200)
        status, headers, body = running.ask("/v1/recommend/u1")
        self.assertEqual((status, headers["Retry-After"]), (503, "1"))
        self.assertNotIn("items", body)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.assertTrue(until(lambda: running.ask("/readyz")[0] == 200))
        before = len(clients.lists)
        self.assertTrue(until(lambda: len(clients.lists) > before + 100))
        clients.end()
        self.assertEqual(running.end(), 0)
        self.assertEqual((set(clients.refused), clients.broken), ({503}, 0))
        self.check_log(clients, "full")

    def test_a_small_file_system(self):
        place = self.folder / "small"
        place.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", place], stderr=subprocess.DEVNULL, check=False).returncode != 0:
            self.skipTest("no file system can be made here")
        try:
            running = Server(self.folder, "a.model", "--log", "small/log", "--threads", 2)
            clients = Clients(4)
            clients.port = running.port
            self.assertTrue(until(lambda: clients.refused[503] > 20, 60), clients.refused)
            clients.end()
            self.assertEqual(running.end(), 0)
            self.assertEqual((set(clients.refused), clients.broken), ({503}, 0))
            self.check_log(clients, "small/log")
        finally:
            subprocess.run(["umount", place], check=False)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        KILLS, RELOADS = int(sys.argv.pop(2)), int(sys.argv.pop(2))
    harness.main()
