# The server as its clients meet it: routes, log, feedback, reloads, A/B, token, sockets, ending.
import collections
import json
import signal
import socket
import subprocess
import threading
import time

from server import Server, harness, read_log, train, until


class Routes(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        train(cls)
        train(cls, "other.model", base="mlp", seed=2)
        cls.server = Server(cls.folder, "gmf=gmf.model", "mlp=other.model", "--log", "served", "--threads", 2)

    @classmethod
    def tearDownClass(cls):
        cls.server.end()
        super().tearDownClass()

    def test_lists_are_those_of_recommend(self):
        for model, name in (("gmf.model", "gmf"), ("other.model", "mlp")):
            said = [one for one in self.json("recommend", model, "--all-users", "--k", "7")["users"]
                    if one["user"] != "u7"]  # who gives feedback in another test
            asked = [{"user": one["user"], "k": 7, "model": name} for one in said]
            status, _, body = self.server.ask("/v1/recommend", {"requests": asked})
            self.assertEqual(status, 200, body)
            for one, answer in zip(said, body["answers"], strict=True):
                self.assertEqual(answer["model"], name)
                self.assertEqual(answer["known"], one["known"])
                self.assertEqual([(i["item"], i["score"], i["probability"]) for i in answer["items"]],
                                 [(i["item"], i["score"], i["probability"]) for i in one["items"]])
                self.assertTrue(all(i["propensity"] == 1 for i in answer["items"]))
            one = said[3]
            status, _, alone = self.server.ask(f"/v1/recommend/{one['user']}?k=7&model={name}")
            self.assertEqual([i["item"] for i in alone["items"]], [i["item"] for i in one["items"]])

    def test_many_lists_take_turns_and_come_in_order(self):
        asked = [{"user": f"u{n % 6}", "k": 3.0, **({"exclude": ["i1"]} if n % 7 == 0 else {})} for n in range(1000)]
        answers = self.server.ask("/v1/recommend", {"requests": asked})[2]["answers"]
        self.assertEqual([one["user"] for one in answers], [one["user"] for one in asked])
        for one, answer in zip(asked, answers, strict=True):
            items = [item["item"] for item in answer["items"]]
            self.assertEqual(len(items), 3)
            self.assertFalse("exclude" in one and "i1" in items)
        self.assertEqual(len({one["request_id"] for one in answers}), 1000)
        wrong = [{"user": "u1"}] * 900 + [{"user": "u1", "filter": {"nothing": ["x"]}}]
        self.assertEqual(self.server.ask("/v1/recommend", {"requests": wrong})[0], 400)

    def test_history_candidates_and_exclusions_are_those_of_recommend(self):
        cases = [({"history": [{"item": "i3", "label": 1}, {"item": "i5"}]}, ["--history", "i3:1,i5"]),
                 ({"user": "u2", "candidates": ["i1", "i2", "i3", "nobody"]}, ["--user", "u2", "--candidates", "i1,i2,i3,nobody"]),
                 ({"user": "u2", "exclude": ["i1", "i4"], "include_seen": True},
                  ["--user", "u2", "--exclude", "i1,i4", "--include-seen"]),
                 ({"user": "new one"}, ["--user", "new one"])]
        status, _, body = self.server.ask("/v1/recommend", {"requests": [{**ask, "k": 4} for ask, _ in cases]})
        self.assertEqual(status, 200, body)
        for (ask, flags), answer in zip(cases, body["answers"], strict=True):
            said = self.json("recommend", "gmf.model", *flags, "--k", "4")["users"][0]
            self.assertEqual([(i["item"], i["score"]) for i in answer["items"]],
                             [(i["item"], i["score"]) for i in said["items"]], ask)
            self.assertEqual(answer["known"], said["known"])

    def test_what_clients_ask_is_not_told_to_stderr(self):
        asked = {"requests": [{"user": "u1", "candidates": ["nobody"], "exclude": ["nobody"], "history": [{"item": "nobody"}]}]}
        self.assertEqual(self.server.ask("/v1/recommend", asked)[0], 200)
        self.assertNotIn("nobody", (self.folder / "serve.err").read_text())

    def test_scores_and_similar_items(self):
        pairs = [{"user": "u1", "item": "i3"}, {"user": "u2", "item": "nobody"}]
        status, _, body = self.server.ask("/v1/score", {"pairs": pairs, "model": "gmf"})
        self.assertEqual(status, 200)
        (self.folder / "pairs.csv").write_text("user,item\nu1,i3\nu2,nobody\n")
        said = self.good("score", "gmf.model", "--pairs", "pairs.csv", "--quiet").stdout.decode().splitlines()[1:]
        self.assertEqual([float(line.split(",")[2]) for line in said], [one["score"] for one in body["scores"]])
        status, _, near = self.server.ask("/v1/similar/i3?k=3")
        said = self.json("similar", "gmf.model", "i3", "--k", "3")
        self.assertEqual([one["item"] for one in near["items"]], [one["item"] for one in said["items"]])
        self.assertEqual(self.server.ask("/v1/similar/nobody")[0], 404)

    def test_feedback_is_recorded_once_and_counts(self):
        _, _, before = self.server.ask("/v1/recommend/u7?k=3&model=gmf")
        first = before["items"][0]["item"]
        body = {"feedback": [{"request_id": before["request_id"], "item": first}]}
        self.assertEqual(self.server.ask("/v1/feedback", body)[2], {"recorded": 1, "again": 0})
        self.assertEqual(self.server.ask("/v1/feedback", body)[2], {"recorded": 0, "again": 1})
        _, _, after = self.server.ask("/v1/recommend/u7?k=3&model=gmf")
        said = self.json("recommend", "gmf.model", "--user", "u7", "--history", f"{first}:1", "--k", "3")["users"][0]
        self.assertEqual([(i["item"], i["score"]) for i in after["items"]], [(i["item"], i["score"]) for i in said["items"]])
        lines = [one for one in read_log(self.folder / "served") if one["kind"] == "feedback" and one["user"] == "u7"]
        self.assertEqual(len(lines), 1)
        self.assertEqual(before["request_id"].split("-")[0], lines[0]["request"])

    def test_feedback_on_what_was_not_shown_is_refused(self):
        _, _, shown = self.server.ask("/v1/recommend/u8?k=1")
        lines = len(read_log(self.folder / "served"))
        for request, item, status in ((shown["request_id"], "nobody", 400), ("x", "i1", 404),
                                      (shown["request_id"][:-1] + "0", "i1", 404), ("0" * 24 + "-1-0", "i1", 404),
                                      ("0" * 24 + "-99999999-0", "i1", 404), (shown["request_id"][::-1], "i1", 404)):
            good = {"request_id": shown["request_id"], "item": shown["items"][0]["item"]}
            got, _, body = self.server.ask("/v1/feedback", {"feedback": [good, {"request_id": request, "item": item}]})
            self.assertEqual(got, status, body)
            self.assertIn("feedback[1]", body["detail"])
        self.assertEqual(len(read_log(self.folder / "served")), lines, "all or nothing")

    def test_every_list_is_in_the_log(self):
        ids = [self.server.ask(f"/v1/recommend/u{n}?k=2")[2] for n in range(20)]
        lines = {one["request"]: one for one in read_log(self.folder / "served") if one["kind"] == "list"}
        for answer in ids:
            line = lines[answer["request_id"].split("-")[0]]
            self.assertEqual(line["items"], [one["item"] for one in answer["items"]])
            self.assertEqual(line["in_list"], [one["propensity"] for one in answer["items"]])
            self.assertEqual((line["user"], line["model"]), (answer["user"], answer["model"]))

    def test_problems_are_one_line_with_their_status(self):
        for target, body, method, status in (
                ("/nothing", None, None, 404), ("/v1/recommend/u1?k=0", None, None, 400),
                ("/v1/recommend/u1?model=none", None, None, 404), ("/v1/score", "{", None, 400),
                ("/v1/recommend", {"requests": []}, None, 400), ("/healthz", None, "DELETE", 405),
                ("/v1/recommend", {"requests": [{"user": "u", "filter": {"genre": ["x"]}}]}, None, 400),
                ("/v1/recommend", {"requests": [{"user": "u", "features": {"age": "3"}}]}, None, 400)):
            got, headers, problem = self.server.ask(target, body, method)
            self.assertEqual((got, problem["status"]), (status, status), problem)
            self.assertEqual(headers["Content-Type"], "application/problem+json")
            self.assertNotIn("\n", problem["detail"])
        self.assertEqual(self.server.ask("/healthz", method="DELETE")[1]["Allow"], "GET")

    def test_ids_may_hold_anything(self):
        for odd in ("a/b", "../../etc/passwd", 'q"u\\o', "new\nline", "<script>alert(1)</script>", "ü漢", " ", "%", "?k=3"):
            status, _, body = self.server.ask("/v1/recommend/" + "".join(f"%{b:02x}" for b in odd.encode()))
            self.assertEqual((status, body["user"]), (200, odd))
        self.assertIn("new\nline", [one["user"] for one in read_log(self.folder / "served") if one["kind"] == "list"])

    def test_operations(self):
        self.assertEqual(self.server.ask("/healthz")[2], {"status": "ok"})
        self.assertEqual(self.server.ask("/readyz")[0], 200)
        status, headers, page = self.server.ask("/")
        self.assertTrue(status == 200 and page.startswith(b"<!doctype html>"))
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        document = self.server.ask("/openapi.json")[2]
        self.assertIn("/v1/feedback", document["paths"])
        models = self.server.ask("/v1/models")[2]["models"]
        self.assertEqual([(one["name"], one["share"]) for one in models], [("gmf", 1), ("mlp", 0)])
        self.assertIn("training", self.server.ask("/v1/models/gmf")[2])
        self.assertEqual(self.server.ask("/v1/users?find=U1&limit=3")[2]["users"], ["u1", "u10", "u11"])
        self.assertEqual(self.server.ask("/v1/items?limit=1")[2]["items"][0].keys(), {"item"})
        before = self.server.metric('equipoise_requests_total{route="health",status="200"}')
        self.server.ask("/healthz", method="HEAD")
        self.assertEqual(self.server.metric('equipoise_requests_total{route="health",status="200"}'), before + 1)
        connection = self.server.connect()
        connection.request("HEAD", "/v1/models")
        answer = connection.getresponse()
        self.assertGreater(int(answer.getheader("Content-Length")), 10)
        self.assertEqual(answer.read(), b"")
        connection.close()


class Lives(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        train(cls, "a.model")
        train(cls, "b.model", seed=2)

    def test_users_are_dealt_out_by_shares_and_stay(self):
        users = [f"u{n}" for n in range(1500)]
        dealt = []
        for _ in range(2):
            running = Server(self.folder, "a=a.model", "b=b.model", "--share", "b=0.3")
            requests = [{"user": user, "k": 1} for user in users]
            answers = [one for n in range(0, 1500, 100)
                       for one in running.ask("/v1/recommend", {"requests": requests[n:n + 100]})[2]["answers"]]
            dealt.append([one["model"] for one in answers])
            running.end()
        self.assertEqual(dealt[0], dealt[1])
        self.assertTrue(0.24 < collections.Counter(dealt[0])["b"] / 1500 < 0.36)

    def test_explored_lists_say_their_chances(self):
        running = Server(self.folder, "a.model", "--explore", "epsilon=0.5", "--log", "explored")
        best = [one["item"] for one in running.ask("/v1/recommend", {"requests": [{"user": "u1", "k": 3, "explore": False}]})[2]["answers"][0]["items"]]
        tops, total = 0, 400
        for _ in range(total):
            items = running.ask("/v1/recommend/u1?k=3")[2]["items"]
            tops += [one["item"] for one in items] == best
            for one in items:
                self.assertTrue(one["propensity"] > 0.5 if one["item"] in best else one["propensity"] < 0.2, one)
        self.assertTrue(0.4 < tops / total < 0.6, tops)
        running.end()
        policies = collections.Counter(one["policy"] for one in read_log(self.folder / "explored") if one["kind"] == "list")
        self.assertEqual(policies, {"epsilon=0.5": total, "none": 1})

    def test_feedback_survives_a_kill(self):
        running = Server(self.folder, "a.model", "--log", "kept")
        shown = running.ask("/v1/recommend/u1?k=2")[2]
        body = {"feedback": [{"request_id": shown["request_id"], "item": shown["items"][0]["item"]}]}
        running.ask("/v1/feedback", body)
        running.end(signal.SIGKILL)
        with open(self.folder / "kept/served-000001.log", "ab") as log:
            log.write(b'{"sum":"0000')
        running = Server(self.folder, "a.model", "--log", "kept")
        self.assertEqual(running.ask("/v1/feedback", body)[2], {"recorded": 0, "again": 1})
        items = [one["item"] for one in running.ask("/v1/recommend/u1?k=2")[2]["items"]]
        self.assertNotIn(shown["items"][0]["item"], items)
        running.end()
        self.assertEqual(len([one for one in read_log(self.folder / "kept") if one["kind"] == "feedback"]), 1)

    def test_reload_swaps_good_files_and_refuses_bad_ones(self):
        model = self.folder / "live.model"
        model.write_bytes((self.folder / "a.model").read_bytes())
        running = Server(self.folder, "m=live.model")
        first = running.ask("/v1/models/m")[2]["fingerprint"]
        model.write_bytes(b"not a model")
        status, _, problem = running.ask("/v1/models/m/reload", method="POST")
        self.assertEqual(status, 422)
        self.assertIn("live.model", problem["detail"])
        self.assertEqual(running.ask("/v1/recommend/u1")[0], 200)
        self.assertEqual(running.ask("/v1/models/m")[2]["fingerprint"], first)
        model.write_bytes((self.folder / "b.model").read_bytes())
        status, _, card = running.ask("/v1/models/m/reload", method="POST")
        self.assertEqual((status, card["fingerprint"] != first), (200, True))
        said = self.json("recommend", "b.model", "--user", "u1", "--k", "3")["users"][0]
        self.assertEqual([i["score"] for i in running.ask("/v1/recommend/u1?k=3")[2]["items"]], [i["score"] for i in said["items"]])
        model.write_bytes((self.folder / "a.model").read_bytes())
        running.process.send_signal(signal.SIGHUP)
        self.assertTrue(until(lambda: running.ask("/v1/models/m")[2]["fingerprint"] == first))
        self.assertEqual(running.ask("/v1/models/none/reload", method="POST")[0], 404)
        self.assertEqual(running.metric("equipoise_reloads_refused_total"), 1)
        running.end()

    def test_a_token_is_asked_for(self):
        (self.folder / "token").write_text("secret\n")
        running = Server(self.folder, "a.model", "--token-file", "token")
        for headers, status in (({}, 401), ({"Authorization": "Bearer wrong!"}, 401), ({"Authorization": "Bearer secre"}, 401),
                                ({"Authorization": "Basic secret"}, 401), ({"Authorization": "Bearer secret"}, 200)):
            self.assertEqual(running.ask("/v1/recommend/u1", headers=headers)[0], status, headers)
        self.assertEqual(running.ask("/v1/recommend/u1")[1]["WWW-Authenticate"], "Bearer")
        self.assertEqual(running.ask("/healthz")[0], 200)
        running.end()

    def test_the_cache_says_its_age(self):
        running = Server(self.folder, "a.model", "--cache-seconds", "60", "--threads", 1)
        first = running.ask("/v1/recommend/u1")
        time.sleep(1.1)
        second = running.ask("/v1/recommend/u1")
        self.assertNotIn("Age", first[1])
        self.assertGreaterEqual(int(second[1]["Age"]), 1)
        self.assertGreater(second[2]["age"], 1)
        self.assertEqual(first[2]["items"], second[2]["items"])
        self.assertEqual(running.metric("equipoise_cache_hits_total"), 1)
        running.end()

    def test_a_unix_socket_and_an_access_log(self):
        path = self.folder / "s.sock"
        for how in (signal.SIGKILL, signal.SIGTERM):  # a socket that a killed server left is in nobody's way
            running = subprocess.Popen([harness.PROGRAM, "serve", "a.model", "--listen", f"unix:{path}", "--access-log", "access.jsonl"],
                                       cwd=self.folder, stderr=subprocess.DEVNULL)
            self.assertTrue(until(lambda: path.exists() and self.asked(path).startswith(b"HTTP/1.1 200")))
            running.send_signal(how)
            running.wait(20)
        self.assertFalse(path.exists())
        lines = [json.loads(line) for line in (self.folder / "access.jsonl").read_text().splitlines()]
        self.assertIn(("GET", "/healthz", 200), [(one["method"], one["target"], one["status"]) for one in lines])

    @staticmethod
    def asked(path):
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(str(path))
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return connection.recv(4096)
            except OSError:
                return b""

    def test_ending_answers_what_is_under_way(self):
        running = Server(self.folder, "a.model", "--log", "drained", "--threads", 2)
        failed, answered, stop = [], [], threading.Event()

        def client():
            connection = running.connect()
            while not stop.is_set():
                try:
                    status, headers, body = running.ask("/v1/recommend/u1?k=2", connection=connection)
                except ConnectionRefusedError:
                    return
                except Exception:
                    if not stop.is_set():
                        failed.append("broken before the end")
                    return
                answered.append(body["request_id"])
                if headers.get("Connection") == "close":
                    return
            connection.close()

        threads = [threading.Thread(target=client) for _ in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(0.5)
        stop.set()  # from here on a connection that is closed between two requests is no failure
        code = running.end()
        for thread in threads:
            thread.join()
        self.assertEqual((code, failed), (0, []))
        logged = {one["request"] for one in read_log(self.folder / "drained") if one["kind"] == "list"}
        self.assertEqual({one.split("-")[0] for one in answered} - logged, set())

    def test_the_start_says_what_is_served(self):
        for arguments, words, warned in (
                (("--share", "b=0.3", "--explore", "epsilon=0.2", "--log", "told"),
                 "serving a to 70%, b to 30% of users; lists: drawn by epsilon=0.2, logged in told", False),
                (("--explore", "epsilon"), "serving a to 100%, b to 0% of users; lists: drawn by epsilon=0.05, not logged", True),
                ((), "lists: the best items, not logged", False)):
            (self.folder / "serve.err").write_text("")
            Server(self.folder, "a.model", "b.model", *arguments).end()
            said = (self.folder / "serve.err").read_text()
            self.assertIn(words, said)
            self.assertEqual("their chances are lost" in said, warned, said)

    def test_bad_starts_are_one_line(self):
        (self.folder / "bad.model").write_bytes(b"x" * 100)
        taken = socket.create_server(("127.0.0.1", 0))
        for arguments, words in ((["bad.model"], "bad.model"), ([], "serve needs models"), (["a.model", "--listen", "nowhere"], "HOST:PORT"),
                                 (["a.model", "--listen", f"127.0.0.1:{taken.getsockname()[1]}"], "cannot listen"),
                                 (["a.model", "--explore", "magic"], "magic"), (["a.model", "--token-file", "none"], "none"),
                                 (["a.model", "--log", "a.model"], "a.model"), (["a=a.model", "a=b.model"], "two models")):
            done = self.call("serve", *arguments, "--quiet")
            self.assert_refused(done, (2, 3, 4), words)
        taken.close()


if __name__ == "__main__":
    harness.main()
