# What the verbs promise: figures of the simulator, precedence of settings, JSON, streams, plain CSV, cold users, docs.
import contextlib
import csv
import gzip
import json
import os
import pty
import statistics
import subprocess
import threading

import harness


class Simulator(harness.Case):
    def test_defaults(self):
        said = self.json("simulate", "sim")
        self.assertEqual([said[key] for key in ("users", "items", "train")], [10000, 32, 50000])
        self.assertEqual(said["valid"] + said["test"], 16667)
        self.assertEqual(said["leaks_removed"], 0)
        rows = (self.folder / "sim" / "train.csv").read_text().splitlines()
        self.assertEqual((rows[0], len(rows)), ("user,item,label", 50001))

    def test_share_of_positives(self):
        for seed in range(1, 11):
            with self.subTest(seed=seed):
                share = self.json("simulate", "sim", "--seed", seed, "--no-features")["positive_share_train"]
                self.assertGreater(share, 0.45)
                self.assertLess(share, 0.57)

    def variance_within_users(self, *flags):
        said = self.json("simulate", "world", "--users", 2000, "--truth", "--no-features", *flags)
        labels = {}
        with open(self.folder / said["truth"], newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                labels.setdefault(row["user"], []).append(float(row["label"]))
        self.assertEqual({len(list_of_one) for list_of_one in labels.values()}, {32})
        return statistics.fmean(statistics.pvariance(list_of_one) for list_of_one in labels.values())

    def test_feedback_varies_within_a_user_unless_literal(self):
        self.assertGreaterEqual(self.variance_within_users(), 0.12)
        self.assertLess(self.variance_within_users("--literal"), 0.005)

    def test_the_same_seed_is_the_same_log(self):
        first, again, other = (self.json("simulate", f"d{n}", "--users", 50, "--seed", seed)["fingerprint"]
                               for n, seed in enumerate((5, 5, 6)))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)


class Settings(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 40, "--items", 10, "--width", 2)
        (cls.folder / "c.toml").write_text('epochs = 2\nbase = "gmf"\nlearning-rate = 0.02\n')
        (cls.folder / "c.json").write_text('{"epochs": 3, "base": "mlp", "layers": [4, 2]}')

    def epochs(self, *flags, **variables):
        said = self.json("train", "sim", "--out", "m", "--patience", 0, *flags,
                         env=harness.environment(**variables))
        return said["epochs"], said["base"]

    def test_precedence(self):
        toml = ["--config", "c.toml"]
        self.assertEqual(self.epochs(*toml), (2, "gmf"))
        self.assertEqual(self.epochs("--config", "c.json"), (3, "mlp"))
        self.assertEqual(self.epochs(*toml, EQUIPOISE_EPOCHS="4", EQUIPOISE_BASE="mlp"), (4, "mlp"))
        self.assertEqual(self.epochs(*toml, "--set", "epochs=5", EQUIPOISE_EPOCHS="4"), (5, "gmf"))
        self.assertEqual(self.epochs(*toml, "--set", "epochs=5", "--epochs", 6, "--base", "mlp"), (6, "mlp"))
        self.assertEqual(self.epochs(*toml, "--epochs", 7, "--epochs", 1), (1, "gmf"))

    def test_a_bad_variable_is_named(self):
        done = self.call("train", "sim", "--base", "gmf", "--out", "m", env=harness.environment(EQUIPOISE_EPOCHS="x"))
        self.assert_refused(done, 2, "EQUIPOISE_EPOCHS: epochs")

    def test_every_verb_takes_settings(self):
        self.good("train", "sim", "--method", "mean", "--out", "mean.model", "--quiet")
        (self.folder / "e.toml").write_text("k = 2\nthreads = 1\n")
        self.assertEqual(self.json("evaluate", "mean.model", "sim", "--config", "e.toml")["k"], 2)
        self.assertEqual(self.json("recommend", "mean.model", "--user", "u1", "--set", "k=3")["k"], 3)
        self.assertEqual(self.json("simulate", "y", "--set", "users=30", "--threads", 1)["users"], 30)

    def test_switches(self):
        self.good("train", "sim", "--base", "gmf", "--out", "a", "--epochs", 1, "--no-biases", "--quiet")
        self.good("train", "sim", "--base", "gmf", "--out", "b", "--epochs", 1, "--set", "biases=off", "--quiet")
        self.good("train", "sim", "--base", "gmf", "--out", "c", "--epochs", 1, "--quiet")
        a, b, c = ((self.folder / name).read_bytes() for name in "abc")
        self.assertEqual(a, b)
        self.assertNotEqual(a, c)


class Streams(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.folder / "log.csv").write_bytes(harness.small_log())
        cls.good("import", "csv", "log.csv", "--out", "mine")
        cls.good("train", "mine", "--base", "gmf", "--epochs", 2, "--out", "m.model")

    def test_json_of_every_verb(self):
        calls = (["simulate", "y", "--users", "20", "--items", "8"], ["import", "csv", "log.csv", "--out", "z"],
                 ["train", "mine", "--method", "mean", "--out", "mean.model"], ["evaluate", "m.model", "mine"],
                 ["evaluate", "m.model", "m.model", "mine"], ["score", "m.model", "--pairs", "mine/test.csv"],
                 ["score", "m.model", "--pairs", "mine/test.csv", "--out", "s.csv"],
                 ["recommend", "m.model", "--user", "u1"], ["recommend", "m.model", "--users", "mine/test.csv"],
                 ["methods"], ["methods", "base"], ["methods", "training"], ["forget", "y", "--user", "u3"])
        for arguments in calls:
            with self.subTest(arguments[0]):
                self.assertIsInstance(self.json(*arguments), dict)

    def test_keys(self):
        said = self.json("import", "csv", "log.csv", "--out", "z")
        self.assertLessEqual({"users", "items", "train", "valid", "test", "leaks_removed"}, set(said))
        said = self.json("evaluate", "m.model", "mine")
        self.assertLessEqual({"protocol", "k", "metrics"}, set(said))
        self.assertEqual(set(said["metrics"]["ndcg"]), {"mean", "low", "high"})
        self.assertLessEqual({"auc", "acc", "ndcg", "recall"}, set(said["metrics"]))
        said = self.json("train", "mine", "--method", "popularity", "--out", "p.model")
        self.assertLessEqual({"model", "best_step", "metric", "valid", "seconds"}, set(said))

    def test_results_on_stdout_and_words_on_stderr(self):
        done = self.good("train", "mine", "--base", "gmf", "--epochs", 1, "--out", "n.model", "--json")
        json.loads(done.stdout)
        self.assertIn(b"training base gmf", done.stderr)
        self.assertNotIn(b"\r", done.stderr)
        self.assertNotIn(b"\033", done.stderr)
        done = self.good("train", "mine", "--base", "gmf", "--epochs", 1, "--out", "n.model", "--quiet")
        self.assertEqual(done.stderr, b"")

    def on_terminal(self, *arguments, **variables):
        """What is on stderr where that is a terminal."""
        try:
            parent, child = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be had here ({error}): what is shown on one is not looked at")
        done = subprocess.Popen([harness.PROGRAM, *map(str, arguments)], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=child, env=harness.environment(**variables))
        os.close(child)
        said = b""
        try:
            while block := os.read(parent, 65536):
                said += block
        except OSError:  # how Linux says that the other end is closed
            pass
        done.wait()
        os.close(parent)
        return said

    def test_terminal(self):
        train = ["train", "mine", "--base", "gmf", "--epochs", 3, "--out", "n.model"]
        self.assertIn(b"% ", self.on_terminal(*train))
        self.assertNotIn(b"% ", self.on_terminal(*train, "--quiet"))
        self.assertIn(b"\033[31m", self.on_terminal("trian"))
        self.assertNotIn(b"\033", self.on_terminal("trian", NO_COLOR="1"))

    def test_stdin(self):
        log = harness.small_log()
        fingerprint = self.json("import", "csv", "log.csv", "--out", "z")["fingerprint"]
        self.assertEqual(self.json("import", "csv", "-", "--out", "z", input=log)["fingerprint"], fingerprint)
        pairs = b"item,user\ni3,u1\nnew,u2\n"
        rows = self.good("score", "m.model", "--pairs", "-", input=pairs).stdout.decode().splitlines()
        self.assertEqual([row.rsplit(",", 1)[0] for row in rows], ["user,item", "u1,i3", "u2,new"])
        rows = self.good("recommend", "m.model", "--users", "-", "--k", 2, input=b"user\nu1\nu5\n").stdout.decode()
        self.assertEqual([row.split(",")[:2] for row in rows.splitlines()[1:]],
                         [["u1", "1"], ["u1", "2"], ["u5", "1"], ["u5", "2"]])

    def through_pipes(self, *arguments, **files):
        """Runs the program with @NAME in its arguments replaced by a pipe that gives the bytes of that name once."""
        def feed(path, content):
            with contextlib.suppress(BrokenPipeError), open(path, "wb") as pipe:
                pipe.write(content)

        writers = []
        for name, content in files.items():
            path = self.folder / f"{name}.pipe"
            os.mkfifo(path)
            self.addCleanup(path.unlink, missing_ok=True)
            writers.append(threading.Thread(target=feed, args=(path, content), daemon=True))
            writers[-1].start()
        words = [f"{word[1:]}.pipe" if str(word).startswith("@") else word for word in arguments]
        done = self.json(*words)
        for writer in writers:
            writer.join(timeout=10)
            self.assertFalse(writer.is_alive(), "nobody has read the pipe to its end")
        for name in files:
            (self.folder / f"{name}.pipe").unlink()
        return done

    def test_pipes_are_read_once(self):
        log = harness.small_log()
        users = ("user,age,town\n" + "".join(f"u{n},{n + 20},t{n % 3}\n" for n in range(30))).encode()
        (self.folder / "users.table").write_bytes(users)
        plain = self.json("import", "csv", "log.csv", "--users", "users.table", "--out", "z")
        piped = self.through_pipes("import", "csv", "@log", "--users", "@users", "--out", "z", log=log, users=users)
        self.assertEqual(piped["fingerprint"], plain["fingerprint"])
        self.assertEqual(piped["name"], "csv")
        small = ["--base", "gmf", "--epochs", 1, "--cache-from-mb", 0, "--cache-folder", "copies", "--out", "piped.model"]
        trained = self.through_pipes("train", "@again", *small, again=log)
        self.assertEqual(trained["model"], "piped.model")
        atomic = log.replace(b"user,item,label", b"user_id:token,item_id:token,rating:float").replace(b",", b"\t")
        said = self.through_pipes("import", "recbole", "@inter", "--positive-at-least", "", "--out", "z", inter=atomic)
        self.assertEqual(said["train"] + said["valid"] + said["test"], log.count(b"\n") - 1)

    def test_plain_csv_and_gz_make_the_same_model(self):
        text = harness.small_log().replace(b"user,item,label", b"who,what,stars").replace(b",1\n", b",5\n")
        (self.folder / "stars.csv").write_bytes(text)
        (self.folder / "stars.csv.gz").write_bytes(gzip.compress(text))
        roles = ["--user-column", "who", "--item-column", "what", "--label-column", "stars", "--positive-at-least", 4]
        for name, log in (("plain", "stars.csv"), ("packed", "stars.csv.gz")):
            said = self.json("train", log, *roles, "--base", "mlp", "--epochs", 2, "--out", name)
            self.assertEqual(said["epochs"], 2)
        self.assertEqual((self.folder / "plain").read_bytes(), (self.folder / "packed").read_bytes())

    def test_cold_users_are_said_to_be_cold(self):
        done = self.good("recommend", "m.model", "--user", "stranger", "--k", 3)
        self.assertIn(b'user "stranger" has no training rows', done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 4)
        said = self.json("recommend", "m.model", "--users", "-", input=b"user\nu1\nstranger\n")
        self.assertEqual([one["known"] for one in said["users"]], ["trained", "nothing"])
        done = self.good("recommend", "m.model", "--users", "-", input=b"user\nu1\nstranger\n")
        self.assertIn(b"of 2 users 1 have no training rows", done.stderr)
        done = self.good("score", "m.model", "--pairs", "-", input=b"user,item\nu1,i1\nu1,new\n")
        self.assertIn(b"1 an item without training rows", done.stderr)

    def test_recommendations_leave_out_what_was_seen(self):
        seen = {row.split(",")[1] for row in (self.folder / "mine" / "train.csv").read_text().splitlines()[1:]
                if row.startswith("u1,")}
        said = self.json("recommend", "m.model", "--user", "u1", "--k", 100)["users"][0]["items"]
        self.assertFalse(seen & {one["item"] for one in said})
        self.assertEqual([one["score"] for one in said], sorted((one["score"] for one in said), reverse=True))
        everything = self.json("recommend", "m.model", "--user", "u1", "--k", 100, "--include-seen")["users"][0]["items"]
        self.assertEqual(len(everything), len(said) + len(seen))

    def test_recommendations_in_a_file_and_as_json(self):
        said = self.json("recommend", "m.model", "--user", "u1", "--k", 4, "--out", "r.csv")
        with open(self.folder / said["out"], newline="", encoding="utf-8") as file:
            rows = [row["item"] for row in csv.DictReader(file)]
        self.assertEqual(rows, [one["item"] for one in said["users"][0]["items"]])

    def test_the_folder_may_stand_anywhere(self):
        self.assertEqual(self.json("evaluate", "mine", "m.model"), self.json("evaluate", "m.model", "mine"))


class Help(harness.Case):
    def test_pages_are_narrow_and_have_an_example(self):
        verbs = [line.split()[0] for line in self.good("--help").stdout.decode().splitlines() if line.startswith("  ")]
        verbs = [verb for verb in verbs if verb != "equipoise" and verb.islower()]
        self.assertLessEqual({"simulate", "import", "train", "evaluate", "score", "recommend", "methods"}, set(verbs))
        for verb in ("simulate", "import", "train", "evaluate", "score", "recommend", "methods"):
            with self.subTest(verb):
                page = self.good(verb, "--help").stdout.decode()
                self.assertIn(f"Example:\n  equipoise {verb} ", page)
                self.assertLessEqual(max(map(len, page.splitlines())), 100)
                self.assertEqual(page, self.good("help", verb).stdout.decode())

    def test_flags_of_one_method_are_shown_where_it_is_named(self):
        flag = b"--shrinkage"
        self.assertNotIn(flag, self.good("train", "--help").stdout)
        self.assertIn(b"equipoise train --method NAME --help", self.good("train", "--help").stdout)
        self.assertIn(flag, self.good("train", "--method", "mean", "--help").stdout)
        self.assertIn(b"--user-field", self.good("import", "recbole", "--help").stdout)

    def test_alone(self):
        done = self.call()
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"Start here:", done.stdout)

    def test_the_page_of_parameters_is_up_to_date(self):
        page = (harness.ROOT / "docs" / "parameters.md").read_bytes()
        self.assertEqual(self.good("methods", "--markdown").stdout, page, "run 'make docs'")


if __name__ == "__main__":
    harness.main()
