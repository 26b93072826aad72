# Verbs over ranks as users meet them: the bytes of the plain program, one line where something is wrong.
import gzip
import json
import os
import pathlib
import random
import signal
import time
import unittest

import ranks

PLAN = ["--methods", "base,snips", "--bases", "gmf", "--budget", "3", "--seeds", "2", "--epochs", "6", "--k", "3",
        "--replicates", "50", "--threads", "1"]
SLOW = ["--methods", "base", "--bases", "gmf", "--budget", "2", "--seeds", "1", "--epochs", "100000", "--patience", "0",
        "--threads", "1"]


class SameBytes(ranks.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 300, "--items", 40, "--width", 4, "--quiet")
        for base in ("gmf", "mlp"):
            cls.good("train", "sim", "--base", base, "--out", f"{base}.model", "--epochs", 3, "--quiet", "--threads", 1)

    def expect_same(self, counts, *words, files=()):
        """stdout, and the files that are written, are those of the plain program."""
        plain = self.good(*words, "--quiet", "--threads", 1)
        kept = {name: (self.folder / name).read_bytes() for name in files}
        for count in counts:
            for name in files:
                (self.folder / name).unlink()
            done = self.good_ranks(count, *words, "--quiet", "--threads", 1)
            self.assertEqual(done.stdout, plain.stdout, f"{count} ranks")
            self.assertEqual(done.stderr, plain.stderr)
            for name in files:
                self.assertEqual((self.folder / name).read_bytes(), kept[name], f"{name} by {count} ranks")

    def test_evaluate(self):
        for protocol in ("test-items", "sampled:20", "full"):
            self.expect_same((1, 2, 3), "evaluate", "gmf.model", "mlp.model", "sim", "--json", "--k", "3,5", "--replicates",
                             "40", "--protocol", protocol)
        self.expect_same((2, 4), "evaluate", "mlp.model", "sim", "--per-user", "users.csv", "--save-pairs", "pairs.csv",
                         "--force", files=("users.csv", "pairs.csv"))

    def test_recommend(self):
        for base in ("gmf", "mlp"):
            self.expect_same((1, 2, 3), "recommend", f"{base}.model", "--all-users", "--k", 7)
            self.expect_same((2,), "recommend", f"{base}.model", "--all-users", "--out", "lists.csv", "--json", "--force",
                             files=("lists.csv",))
        self.expect_same((3,), "recommend", "gmf.model", "--user", "u1", "--user", "u9", "--format", "jsonl")

    def test_score(self):
        draw = random.Random(1)
        pairs = "".join(f"u{draw.randrange(320)},i{draw.randrange(45)}\n" for _ in range(1001))
        (self.folder / "some.csv").write_text("user,item\n" + pairs)
        for base in ("gmf", "mlp"):
            self.expect_same((1, 2, 3), "score", f"{base}.model", "--pairs", "some.csv", "--probability")
        self.expect_same((2,), "score", "mlp.model", "--pairs", "some.csv", "--out", "scored.csv", "--force",
                         files=("scored.csv",))

    def test_compare(self):
        whole = self.good("compare", "sim", *PLAN, "--out", "whole", "--quiet").stdout
        for count in (1, 2, 3):
            done = self.good_ranks(count, "compare", "sim", *PLAN, "--out", f"by{count}", "--quiet")
            self.assertEqual(done.stdout, whole)
            self.assertEqual(self.trials(f"by{count}"), self.trials("whole"))

    def test_compare_goes_on_with_another_number_of_ranks(self):
        whole = self.good("compare", "sim", *PLAN, "--search", "halving", "--out", "halved", "--quiet").stdout
        run = self.start_ranks(3, "compare", "sim", *PLAN, "--search", "halving", "--out", "stopped", "--quiet")
        while not list(self.folder.glob("stopped/runs.sqlite")):
            time.sleep(0.05)
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        run.communicate()
        done = self.good_ranks(2, "compare", "sim", *PLAN, "--search", "halving", "--out", "stopped", "--quiet")
        self.assertEqual(done.stdout, whole)
        self.assertEqual(self.trials("stopped"), self.trials("halved"))

    def test_study(self):
        words = ["study", "bias", "--users", 120, "--items", 10, "--bases", "gmf", "--seeds", 1, "--epochs", 2, "--budget",
                 1, "--replicates", 20, "--threads", 1, "--quiet"]
        self.good(*words, "--out", "bias")  # its table has seconds in it
        self.good_ranks(2, *words, "--out", "bias2")
        self.assertEqual(self.trials("bias2"), self.trials("bias"))


class Parts(ranks.Case):
    """A log in 16 files, some packed, is the log in one file."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        draw = random.Random(5)
        rows = {(draw.randrange(400), draw.randrange(60)) for _ in range(9000)}
        lines = [f"user {u},item {i},{int((u * 7 + i * 5) % 11 < 5)},{draw.randrange(10**6)}" for u, i in rows]
        draw.shuffle(lines)
        head = "user,item,label,timestamp\n"
        (cls.folder / "log.csv").write_text(head + "\n".join(lines) + "\n")
        parts = cls.folder / "log"
        parts.mkdir()
        cuts = [0, *sorted(draw.sample(range(1, len(lines)), 15)), len(lines)]
        for k in range(16):
            text = (head + "".join(line + "\n" for line in lines[cuts[k]:cuts[k + 1]])).encode()
            path = parts / f"part-{k:05}.csv{'.gz' if k % 3 == 1 else ''}"
            path.write_bytes(gzip.compress(text) if k % 3 == 1 else text)
        (parts / "_SUCCESS").write_text("")
        (parts / "part-99999.csv").write_text("")

    def imported(self, program, path, out):
        done = program("import", "csv", path, "--out", out, "--json", "--quiet", "--force", "--name", "log")
        summary = json.loads(done.stdout)
        del summary["folder"]
        return summary, {file.name: file.read_bytes() for file in (self.folder / out).iterdir()}

    def test_a_log_in_parts_is_the_log_in_one_file(self):
        whole = self.imported(self.good, "log.csv", "whole")
        self.assertEqual(self.imported(self.good, "log", "folder"), whole)
        self.assertEqual(self.imported(self.good, "log/part-*", "pattern"), whole)
        for count in (1, 2, 4):
            for path in ("log", "log.csv"):
                got = self.imported(lambda *words, n=count: self.good_ranks(n, *words), path, f"by{count}")
                self.assertEqual(got, whole, f"{path} by {count} ranks")

    def test_a_log_in_parts_can_be_trained_on(self):
        words = ["--base", "gmf", "--epochs", 2, "--quiet", "--threads", 1, "--name", "log"]
        for path, out in (("log.csv", "one.model"), ("log", "parts.model")):
            self.good("train", path, "--out", out, *words)
        self.assertEqual((self.folder / "one.model").read_bytes(), (self.folder / "parts.model").read_bytes())

    def test_what_is_wrong_with_a_part_is_said_with_its_place(self):
        bad = self.folder / "bad"
        bad.mkdir()
        for name, text in {"a.csv": "user,item,label\nu1,i1,1\nu2,i1,0\n", "b.csv": "user,item,label\nu3,i1,1\nu1,i1,0\n"}.items():
            (bad / name).write_text(text)
        words = ("import", "csv", "bad", "--out", "none", "--quiet")
        for done in (self.call(*words), self.ranks(2, *words)):
            self.assert_refused(done, 3, 'bad/b.csv:3: user "u1" and item "i1" occur at bad/a.csv:2 already')
        (bad / "b.csv").write_text("user,item,label\nu3,i1,1\nu4,i1,x\n")
        self.assert_refused(self.call(*words), 3, 'bad/b.csv:3:7: "x" is not a number')
        self.assert_refused(self.ranks(2, *words), 3, 'bad/b.csv:3:7: "x" is not a number')
        (bad / "b.csv").write_text("user,item,label,timestamp\nu3,i1,1,7\n")
        for done in (self.call(*words), self.ranks(2, *words)):
            self.assert_refused(done, 3, "the parts of a log have the same columns")
        self.assert_refused(self.call("import", "csv", "none-*.csv", "--out", "none"), 3, "no file matches this pattern")


class OneLine(ranks.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for seed in (1, 2):
            cls.good("simulate", f"sim{seed}", "--users", 100, "--items", 20, "--width", 2, "--seed", seed, "--quiet")
        cls.good("train", "sim1", "--base", "gmf", "--out", "a.model", "--epochs", 1, "--quiet", "--threads", 1)
        cls.good("train", "sim1", "--base", "gmf", "--out", "b.model", "--epochs", 2, "--quiet", "--threads", 1)

    def elsewhere(self, *mounts):
        """A rank that sees other files: `mounts` are pairs (what, where)."""
        binds = "".join(f"mount --bind '{self.folder / what}' '{self.folder / where}' && " for what, where in mounts)
        return ["unshare", "-m", "sh", "-c", binds + 'exec "$0" "$@"', ranks.OVER_RANKS]

    def test_other_words(self):
        one = [ranks.OVER_RANKS]
        words = ["evaluate", "a.model", "sim1"]
        done = self.ranks([one + words, one + words + ["--seed", "2"]])
        self.assert_refused(done, 2, 'has --seed "2" and rank 0')
        done = self.ranks([one + words, one + ["score", "a.model", "--pairs", "x.csv"]])
        self.assert_refused(done, 2, 'has the verb "score" and rank 0')
        done = self.ranks([one, ["env", "EQUIPOISE_SEED=3", *one]], *words)
        self.assert_refused(done, 2, 'has the variables "EQUIPOISE_SEED=3" and rank 0')
        self.assertEqual(self.ranks([one + words + ["--threads", "1"], one + words + ["--threads", "2"]]).returncode, 0)

    @unittest.skipUnless(os.geteuid() == 0, "mounting other files needs root")
    def test_other_files(self):
        one = [ranks.OVER_RANKS]
        done = self.ranks([one, self.elsewhere(("sim2", "sim1"))], "evaluate", "a.model", "sim1")
        self.assert_refused(done, 3, "has sim1 with the fingerprint")
        done = self.ranks([one, self.elsewhere(("b.model", "a.model"))], "evaluate", "a.model", "sim1")
        self.assert_refused(done, 3, "has a.model with the checksum")
        done = self.ranks([one, self.elsewhere(("sim2", "sim1"))], "compare", "sim1", *PLAN, "--out", "runs")
        self.assertEqual(done.returncode, 3)
        said = [line for line in done.stderr.decode().splitlines() if line.startswith("equipoise: ")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertIn("sim1: holds another data set here than on rank 0", said[0])

    @unittest.skipUnless(os.geteuid() == 0, "mounting other files needs root")
    def test_a_part_that_is_missing_on_one_host(self):
        for name in ("log", "log-elsewhere"):
            (self.folder / name).mkdir()
            for k in range(4 if name == "log" else 3):
                (self.folder / name / f"{k}.csv").write_text(f"user,item,label\nu{k},i1,1\nu{k},i2,0\n")
        done = self.ranks([[ranks.OVER_RANKS], self.elsewhere(("log-elsewhere", "log"))], "import", "csv", "log", "--out",
                          "none", "--quiet")
        self.assert_refused(done, 3, "log/3.csv")
        self.assertIn("rank 1 on ", done.stderr.decode())
        self.assertFalse((self.folder / "none").exists())

    def test_too_little_memory_on_one_rank(self):
        little = ["sh", "-c", 'ulimit -v 500000; exec "$0" "$@"', ranks.OVER_RANKS]
        many = "user,item\n" + "u1,i1\n" * 3_000_000
        (self.folder / "many.csv").write_text(many)
        done = self.ranks([[ranks.OVER_RANKS], little], "score", "a.model", "--pairs", "many.csv", "--out", "none.csv",
                          "--quiet", "--threads", 1)
        self.assert_refused(done, 1, "not enough memory")
        self.assertIn("rank 1 on ", done.stderr.decode())
        self.assertFalse((self.folder / "none.csv").exists())

    def test_usage_is_said_once(self):
        self.assert_refused(self.ranks(3, "evaluate", "a.model", "sim1", "--protocl", "full"), 2, "has no flag")
        self.assert_refused(self.ranks(3, "evaluate", "none.model", "sim1"), 3, "none.model")
        self.assertEqual(self.ranks(3, "--help").stdout, self.call("--help").stdout)

    def test_verbs_that_need_one_process_say_so(self):
        for words in (["doctor", "sim1"], ["serve", "m=a.model"], ["similar", "a.model", "i1"], ["simulate", "x"]):
            self.assert_refused(self.ranks(2, *words), 2, f"{words[0]} cannot run on several ranks")
        self.assert_refused(self.ranks(2, "import", "movielens", "x", "--out", "y"), 2, "cannot run on several ranks")
        self.assert_refused(self.ranks(2, "score", "a.model", "--pairs", "-"), 2, "stdin is that of rank 0 alone")

    def begin_slow(self, store):
        run = self.start_ranks(3, "compare", "sim1", *SLOW, "--out", store)
        self.addCleanup(run.terminate)
        while b"trials, 1 at a time on each of 3 ranks" not in run.stderr.readline():
            self.assertIsNone(run.poll())
        return run

    def test_interrupted(self):
        run = self.begin_slow("interrupted")
        time.sleep(1)
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=15)
        self.assertEqual(said.count(b"equipoise: "), 1, said)
        self.assertIn(b"interrupted; the finished trials are kept", said)

    def test_a_rank_that_dies_ends_the_job(self):
        for which in range(3):
            run = self.begin_slow(f"killed{which}")
            time.sleep(0.5)
            children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
            os.kill(int(children[which]), signal.SIGKILL)
            _, said = run.communicate(timeout=15)
            self.assertNotEqual(run.returncode, 0)
            self.assertEqual(said.count(b"equipoise: "), 1, said)


if __name__ == "__main__":
    ranks.main()
