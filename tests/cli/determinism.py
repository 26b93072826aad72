# The same bytes whatever happens: any number of threads, killed and resumed, interrupted; spoiled files are refused.
import random
import signal
import time
import unittest

import harness

SETTINGS = ["--epochs", "6", "--patience", "0", "--seed", "3", "--quiet"]
LONG = ["--epochs", "12"]
KILLS = 10


class SameBytes(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 1500, "--items", 24, "--width", 6)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def train(self, base, out, *more):
        return ["train", "sim", "--base", base, "--out", out, *SETTINGS, *more]

    def test_any_number_of_threads(self):
        for base in ("gmf", "mlp"):
            for threads in (1, 2, 4):
                self.good(*self.train(base, f"{base}{threads}", "--threads", threads, "--epochs", "3"))
            with self.subTest(base):
                self.assertEqual(self.read(f"{base}1"), self.read(f"{base}2"))
                self.assertEqual(self.read(f"{base}1"), self.read(f"{base}4"))

    def test_another_seed_is_another_model(self):
        self.good(*self.train("gmf", "seed3", "--epochs", "1"))
        self.good(*self.train("gmf", "seed4", "--epochs", "1", "--seed", "4"))
        self.assertNotEqual(self.read("seed3"), self.read("seed4"))

    def test_killed_at_any_moment_and_resumed(self):
        """Each run is killed after a random time and the next goes on from whatever checkpoint was left."""
        begin = time.monotonic()
        self.good(*self.train("mlp", "whole.model", *LONG, "--threads", "2"))
        whole = time.monotonic() - begin
        draw = random.Random(20)
        killed = resumed = 0
        while killed < KILLS or (resumed < KILLS // 2 and killed < 6 * KILLS):
            run = self.start(*self.train("mlp", "killed.model", *LONG, "--resume", "--checkpoint-seconds", "0.02"))
            time.sleep(0.03 + draw.uniform(0.05, 0.3) * whole)
            if run.poll() is not None:  # it came to its end before it was killed: the same again
                self.assertEqual(run.wait(), 0, run.stderr.read())
                self.assertEqual(self.read("killed.model"), self.read("whole.model"))
                (self.folder / "killed.model").unlink()
            else:
                run.send_signal(signal.SIGKILL)
                self.assertEqual(run.wait(), -signal.SIGKILL)
                killed += 1
                self.assertFalse((self.folder / "killed.model").exists())
                resumed += (self.folder / "killed.model.checkpoint").exists()
            run.stdout.close(), run.stderr.close()
        self.assertGreaterEqual(resumed, 5, "most kills should find a checkpoint")
        self.good(*self.train("mlp", "killed.model", *LONG, "--resume"))
        self.assertEqual(self.read("killed.model"), self.read("whole.model"))
        self.assertFalse((self.folder / "killed.model.checkpoint").exists())

    def interrupt(self, out, which):
        run = self.start("train", "sim", "--base", "mlp", "--out", out, "--epochs", "100000", "--patience", "0")
        run.stderr.readline()  # "training …": the signal is caught from about here on
        time.sleep(0.5)
        run.send_signal(which)
        stdout, stderr = run.communicate(timeout=60)
        return run.returncode, stdout, stderr.decode()

    def test_interrupted(self):
        for which in (signal.SIGINT, signal.SIGTERM):
            out = f"stopped{int(which)}.model"
            code, stdout, stderr = self.interrupt(out, which)
            with self.subTest(which):
                self.assertEqual(code, 130, stderr)
                self.assertEqual(stdout, b"")
                self.assertIn(f"{out}.checkpoint", stderr)
                self.assertIn("--resume", stderr)
                self.assertTrue((self.folder / f"{out}.checkpoint").exists())
                self.assertFalse((self.folder / out).exists())
            done = self.call("train", "sim", "--base", "gmf", "--out", out, "--resume")
            with self.subTest("another run's checkpoint"):
                self.assertEqual(done.returncode, 2)
                self.assertIn(b"belongs to another run", done.stderr)

    def test_a_checkpoint_that_is_not_used_is_mentioned(self):
        (self.folder / "again.model.checkpoint").write_bytes(b"anything")
        done = self.good("train", "sim", "--base", "gmf", "--epochs", 1, "--out", "again.model")
        self.assertIn(b"--resume would go on", done.stderr)
        (self.folder / "spoiled.model.checkpoint").write_bytes(b"anything")
        done = self.call("train", "sim", "--base", "gmf", "--epochs", 1, "--out", "spoiled.model", "--resume", "--quiet")
        self.assert_refused(done, 4, "spoiled.model.checkpoint")

    def test_divergence_leaves_the_old_model(self):
        self.good("train", "sim", "--method", "mean", "--out", "old.model")
        before = self.read("old.model")
        done = self.call("train", "sim", "--base", "gmf", "--optimizer", "sgd", "--learning-rate", 10, "--lambda", 1e30,
                         "--out", "old.model", "--quiet")
        self.assert_refused(done, 4, "diverged")
        self.assertIn(b"step", done.stderr)
        self.assertEqual(before, self.read("old.model"))


class SpoiledFiles(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 40, "--items", 10, "--width", 2)
        cls.good("train", "sim", "--base", "gmf", "--embedding", 2, "--epochs", 1, "--out", "m.model", "--quiet")
        cls.whole = (cls.folder / "m.model").read_bytes()

    def assert_not_loaded(self, content):
        (self.folder / "bad.model").write_bytes(content)
        done = self.call("recommend", "bad.model", "--user", "u1", "--threads", 1)
        self.assert_refused(done, 4, "bad.model: ")

    def positions(self, count):
        """The beginning, the end, and places drawn in between."""
        size = len(self.whole)
        return sorted({0, 1, 7, 8, 9, size - 1, *random.Random(5).sample(range(size), count)})

    def test_one_byte_changed(self):
        for at in self.positions(120):
            with self.subTest(byte=at):
                self.assert_not_loaded(self.whole[:at] + bytes([self.whole[at] ^ 0x10]) + self.whole[at + 1:])

    def test_cut_short_or_too_long(self):
        for size in self.positions(60):
            with self.subTest(size=size):
                self.assert_not_loaded(self.whole[:size])
        self.assert_not_loaded(self.whole + b"\0")


if __name__ == "__main__":
    harness.main()
