# Clients that mean harm: slow ones, idle ones, large ones, broken ones. Each gets a clear status; others are unharmed.
"""Run as `hostile.py PROGRAM [CONNECTIONS]`: how many idle connections, 2000 by default."""
import json
import random
import resource
import socket
import sys
import threading
import time

from server import Server, harness, train, until

IDLE = 2000


def status_of(answer):
    return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.1 ") else 0


class Hostile(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        train(cls)
        cls.server = Server(cls.folder, "gmf.model", "--log", "served", "--threads", 2, "--read-seconds", 2,
                            "--idle-seconds", 60, "--most-body-kb", 64, "--most-header-kb", 8, "--connections", IDLE + 200)

    @classmethod
    def tearDownClass(cls):
        cls.server.end()
        super().tearDownClass()

    def tearDown(self):
        status, _, body = self.server.ask("/v1/recommend/u1?k=2")
        self.assertEqual((status, len(body["items"])), (200, 2), "others are unharmed")

    def post(self, path, body, more=b""):
        return (b"POST " + path + b" HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + more +
                b"Content-Length: " + str(len(body)).encode() + b"\r\nConnection: close\r\n\r\n" + body)

    def test_what_is_no_request_gets_400(self):
        for data in (b"\x16\x03\x01\x02\x00\x01\x00", b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET  / HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                     b"GET / HTTP/1.1\r\nHost: a\r\nA: \x00\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                     b"POST /v1/score HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                     b"POST /v1/score HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
                     b"POST /v1/score HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            self.assertEqual(status_of(self.server.raw(data, 5)), 400, data)

    def test_what_is_too_large_is_refused(self):
        self.assertEqual(status_of(self.server.raw(b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 20000 + b"\r\n\r\n", 5)), 431)
        self.assertEqual(status_of(self.server.raw(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 5000 + b"\r\n", 5)), 431)
        self.assertEqual(status_of(self.server.raw(self.post(b"/v1/score", b"x" * 100000), 5)), 413)
        chunked = (b"POST /v1/score HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + b"4000\r\n" + b"x" * 0x4000 + b"\r\n") + \
            (b"4000\r\n" + b"x" * 0x4000 + b"\r\n") * 8
        self.assertEqual(status_of(self.server.raw(chunked, 5)), 413)
        self.assertEqual(status_of(self.server.raw(b"GET /" + b"a" * 30000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 5)), 431)
        requests = json.dumps({"requests": [{"user": "u"}] * 2000}).encode()
        self.assertEqual(status_of(self.server.raw(self.post(b"/v1/recommend", requests), 5)), 400)

    def test_bodies_that_are_bad_get_400(self):
        for body in (b"", b"{", b"[" * 10000, b'{"pairs":[{"user":"\xff\xfe","item":"i"}]}', b'{"pairs":null}', b'{"pairs":{}}',
                     b'{"pairs":[{"user":"u","item":"i"}],"pairs":[]}', b'{"pairs":[{"user":1,"item":"i"}]}', b"\x00", b"nul",
                     b'{"pairs":[{"user":"u\\u0000","item":"i"}]} x', b'{"requests":[{"user":"u","k":1e400}]}'):
            for path in (b"/v1/score", b"/v1/recommend", b"/v1/feedback"):
                self.assertEqual(status_of(self.server.raw(self.post(path, body), 5)), 400, (path, body[:50]))

    def test_paths_lead_nowhere(self):
        for path in (b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"//etc/passwd", b"/v1/../v1/models", b"/v1/models/", b"/V1/models",
                     b"/v1//models", b"/v1/models/..%2f..%2fetc", b"/.", b"/index.html"):
            answer = self.server.raw(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 5)
            self.assertEqual(status_of(answer), 404, path)
            self.assertNotIn(b"root:", answer)
        for target in (b"*", b"http://x/healthz", b"/%zz", b"/%00", b"/v1/recommend/%ff", b"/healthz?a=1&a=2", b"/v1/recommend/u?k=%31%30%30%30"):
            answer = self.server.raw(b"GET " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 5)
            self.assertEqual(status_of(answer), 400, target)

    def test_pipelined_requests_are_answered_in_their_order(self):
        many = b"".join(b"GET /v1/recommend/p%d?k=1 HTTP/1.1\r\nHost: x\r\n%s\r\n" % (n, b"Connection: close\r\n" if n == 199 else b"")
                        for n in range(200))
        answer = self.server.raw(many, 20)
        self.assertEqual(answer.count(b"HTTP/1.1 200 OK"), 200)
        places = [answer.find(b'"user":"p%d"' % n) for n in range(200)]
        self.assertEqual(places, sorted(places))
        self.assertGreater(places[0], 0)

    def test_slow_clients_are_sent_away(self):
        """A byte now and then: the request must have come whole after read_seconds, whatever trickles."""
        connections = [socket.create_connection(("127.0.0.1", self.server.port), 10) for _ in range(100)]
        start = time.monotonic()
        for byte in b"GET / HTTP/1.1\r\nHost: x\r\nX: ":
            for connection in connections:
                try:
                    connection.send(bytes([byte]))
                except OSError:
                    pass
            time.sleep(0.05)
            if time.monotonic() - start > 1.5:
                break
        answers = []
        for connection in connections:
            connection.settimeout(6)
            answers.append(connection.recv(4096))
            connection.close()
        self.assertEqual({status_of(answer) for answer in answers}, {408})
        self.assertLess(time.monotonic() - start, 8)

    def test_a_client_that_does_not_read_is_sent_away(self):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", self.server.port))
        connection.settimeout(0.5)
        before = self.server.metric("equipoise_connections")
        try:
            for _ in range(3000):
                connection.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 10)
        except OSError:
            pass
        self.assertTrue(until(lambda: self.server.metric("equipoise_connections") < before, 15))
        connection.close()

    def test_many_idle_connections(self):
        before = self.server.memory_kb()
        kept = self.server.connect()  # one that was there before the others
        self.server.ask("/healthz", connection=kept)
        connections = [socket.create_connection(("127.0.0.1", self.server.port), 20) for _ in range(IDLE)]
        self.assertTrue(until(lambda: self.server.metric("equipoise_connections") >= IDLE, 20))
        grown = self.server.memory_kb() - before
        self.assertEqual(self.server.ask("/v1/recommend/u1")[0], 200)
        if not harness.sanitized():
            self.assertLess(grown, 20 * IDLE, "kB: some for each connection")
        extra = [socket.create_connection(("127.0.0.1", self.server.port), 20) for _ in range(400)]
        self.assertTrue(until(lambda: self.server.metric("equipoise_connections_refused_total", kept) > 0, 20))
        for connection in [*extra, *connections, kept]:
            connection.close()
        self.assertTrue(until(lambda: self.server.metric("equipoise_connections") < 50, 20))
        print(f"{IDLE} idle connections take {grown} kB")

    def test_noise_does_not_make_it_grow(self):
        draw = random.Random(3)

        def noise(count):
            for _ in range(count):
                data = bytearray(self.post(b"/v1/recommend", json.dumps({"requests": [{"user": "u1", "k": 3, "history": [{"item": "i1"}]}]}).encode()))
                for _ in range(draw.randrange(6)):
                    data[draw.randrange(len(data))] = draw.randrange(256)
                try:
                    with socket.create_connection(("127.0.0.1", self.server.port), 5) as connection:
                        connection.sendall(data[:draw.randrange(len(data) + 1)])
                        connection.shutdown(socket.SHUT_WR)
                        connection.recv(4096)
                except OSError:
                    pass

        noise(300)
        before = self.server.memory_kb()
        threads = [threading.Thread(target=noise, args=(300,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not harness.sanitized():  # which keeps what was freed
            self.assertLess(self.server.memory_kb() - before, 8192)
        self.assertIsNone(self.server.process.poll())


class Limits(harness.Case):
    def test_too_many_at_once_are_told_to_come_again(self):
        train(self)
        running = Server(self.folder, "gmf.model", "--in-flight", 1, "--threads", 1, "--log", "served")
        seen = set()

        def client():
            for _ in range(100):
                status, headers, _ = running.ask("/v1/recommend/u1")
                seen.add((status, headers.get("Retry-After")))

        threads = [threading.Thread(target=client) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual(seen, {(200, None), (429, "1")})
        self.assertIn((200, None), seen)
        running.end()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        IDLE = int(sys.argv.pop(2))
    harness.main()
