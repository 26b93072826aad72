# Everything at once for some seconds: all routes, reloads, idle and hostile clients; made for sanitizers, which see into it.
"""Run as `load.py PROGRAM [SECONDS]`: how long each test keeps the load up, 2 seconds by default."""
import collections
import json
import random
import re
import signal
import socket
import sys
import threading
import time

from server import Server, harness, read_log, train, until

SECONDS = 2
CLIENTS, PIPELINED = 6, 16
LIST = re.compile(rb'"request_id":"([^"]+)"[^[]*\[\{"item":"([^"]+)"')


def request(method, target, body=None):
    text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    head = f"{method} {target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    return head.encode() + text


class Client(threading.Thread):
    """Sends mixed requests, many at once on one connection, and takes their answers in their order."""

    def __init__(self, port, seed):
        super().__init__()
        self.port, self.draw, self.stop = port, random.Random(seed), threading.Event()
        self.statuses = collections.Counter()  # by what was asked and what came
        self.shown, self.owed = [], collections.deque(maxlen=100)
        self.failure = None

    def one(self):
        """Something to ask: its name, and its bytes."""
        draw = self.draw
        user = draw.choice((f"u{draw.randrange(30)}", f"new{draw.randrange(10 ** 6)}"))
        kind = draw.choice(("list", "list", "list", "lists", "score", "similar", "feedback", "look", "page", "wrong"))
        if kind == "feedback" and self.owed:
            name, item = self.owed.popleft()
            return kind, request("POST", "/v1/feedback", {"feedback": [{"request_id": name, "item": item, "label": draw.randrange(2)}]})
        if kind == "lists":
            asked = [{"user": user, "k": draw.randrange(1, 9)}, {"history": [{"item": "i3", "label": 1}], "exclude": ["i1"]},
                     {"user": user, "candidates": ["i1", "i2", "i4"], "model": "a"}, {"user": user, "preview": True}]
            return kind, request("POST", "/v1/recommend", {"requests": draw.sample(asked, 3)})
        if kind == "score":
            return kind, request("POST", "/v1/score", {"pairs": [{"user": user, "item": f"i{draw.randrange(36)}"}]})
        if kind == "similar":
            return kind, request("GET", f"/v1/similar/i{draw.randrange(36)}?k=3")
        if kind == "look":
            return kind, request("GET", draw.choice(("/healthz", "/readyz", "/metrics", "/v1/models", "/v1/models/a", "/v1/users?find=u1",
                                                     "/v1/items?find=i", "/v1/value")))
        if kind == "page":
            return kind, request("GET", draw.choice(("/", "/openapi.json")))
        if kind == "wrong":
            return kind, draw.choice((request("GET", "/nothing"), request("POST", "/v1/score", b"{"), request("DELETE", "/v1/models"),
                                      request("GET", "/v1/recommend/u1?k=x"),
                                      request("POST", "/v1/feedback", {"feedback": [{"request_id": "none", "item": "i1"}]})))
        return "list", request("GET", f"/v1/recommend/{user}?k=5&explore={draw.choice(('true', 'false'))}")

    def run(self):
        try:
            while not self.stop.is_set():
                with socket.create_connection(("127.0.0.1", self.port), 60) as connection, connection.makefile("rb") as answers:
                    for _ in range(self.draw.randrange(1, 40)):
                        if self.stop.is_set() or not self.turn(connection, answers):
                            break
        except Exception as error:  # told by the thread that waits for this one
            self.failure = error

    def turn(self, connection, answers):
        """Whether the connection is still there: the server may close one that was idle while this machine was busy."""
        asked = [self.one() for _ in range(self.draw.randrange(1, PIPELINED))]
        try:
            connection.sendall(b"".join(data for _, data in asked))
            begun = answers.peek(1)
        except ConnectionError:
            begun = b""
        if not begun:
            return False
        for name, _ in asked:
            status = int(answers.readline().split()[1])
            size = 0
            while (line := answers.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            body = answers.read(size)
            self.statuses[name, status] += 1
            if name == "list" and (found := LIST.search(body)):  # not where the user has had everything
                self.owed.append(tuple(part.decode() for part in found.groups()))
                self.shown.append(self.owed[-1][0].split("-")[0])
        return True


class Load(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        train(cls, "a.model")
        train(cls, "b.model", seed=2)
        train(cls, "deep.model", base="mlp")

    def reload(self, running, draw):
        """A good or a bad file, by the route or by a signal."""
        data = (self.folder / draw.choice(("a.model", "b.model"))).read_bytes()
        (self.folder / "new.model").write_bytes(data[:draw.choice((len(data), 100))])
        (self.folder / "new.model").rename(self.folder / "live.model")
        if draw.random() < 0.5:
            running.process.send_signal(signal.SIGHUP)
            return
        status = running.ask("/v1/models/a/reload", method="POST")[0]
        self.assertIn(status, (200, 409, 422))

    def harm(self, running, draw, held):
        """Noise, a connection that ends within a request, one that stays idle, one that trickles."""
        data = bytearray(request("POST", "/v1/recommend", {"requests": [{"user": "u1"}]}))
        for _ in range(draw.randrange(4)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        connection = socket.create_connection(("127.0.0.1", running.port), 10)
        connection.sendall(data[:draw.randrange(len(data) + 1)])
        held.append(connection)
        if len(held) > 100:
            held.pop(draw.randrange(100)).close()

    def load(self, log, *flags):
        (self.folder / "live.model").write_bytes((self.folder / "a.model").read_bytes())
        running = Server(self.folder, "a=live.model", "deep=deep.model", "--share", "deep=0.4", "--log", log, "--rotate-mb", 1, "--threads", 3,
                         "--access-log", f"{log}.access", "--idle-seconds", 1, "--read-seconds", 1, "--deadline-ms", 60000, *flags)
        self.addCleanup(running.process.kill)  # also where something fails
        clients, draw, held = [Client(running.port, seed) for seed in range(CLIENTS)], random.Random(9), []
        for client in clients:
            client.start()
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            self.reload(running, draw)
            for _ in range(5):
                self.harm(running, draw, held)
            self.assertEqual(running.ask("/v1/value", method="POST")[0], 200)
            time.sleep(0.02)
        for client in clients:
            client.stop.set()
        for client in clients:
            client.join()
        for connection in held:
            connection.close()
        self.check(running, clients, log)

    def check(self, running, clients, log):
        statuses = sum((client.statuses for client in clients), collections.Counter())
        self.assertEqual([client.failure for client in clients if client.failure], [])
        self.assertEqual({key: n for key, n in statuses.items() if key[0] != "wrong" and key[1] != 200}, {})
        self.assertTrue({status for name, status in statuses if name == "wrong"} <= {400, 404, 405}, statuses)
        self.assertEqual({name for name, _ in statuses},
                         {"list", "lists", "score", "similar", "feedback", "look", "page", "wrong"})
        self.assertTrue(until(lambda: running.metric("equipoise_connections") <= 1, 30))
        self.assertEqual(running.end(), 0)
        logged = collections.Counter(one["request"] for one in read_log(self.folder / log) if one["kind"] == "list")
        self.assertTrue(all(logged[name] == 1 for client in clients for name in client.shown))
        print(f"{log}: {sum(statuses.values())} answers in {SECONDS} s, {len(logged)} lists logged")

    def test_epsilon(self):
        self.load("epsilon", "--explore", "epsilon=0.3")

    def test_plackett_luce_with_a_cache(self):
        self.load("drawn", "--explore", "plackett-luce,temperature=0.5,epsilon=0.05", "--cache-seconds", 1)

    def test_written_but_not_synced(self):
        self.load("written", "--explore", "epsilon=0.3", "--sync", "written", "--in-flight", 4096)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        SECONDS = int(sys.argv.pop(2))
    harness.main()
