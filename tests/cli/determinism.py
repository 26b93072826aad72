# The same bytes whatever happens: any number of threads, interrupted; spoiled files are refused.
import random
import signal
import time

import harness

SETTINGS = ["--epochs", "6", "--patience", "0", "--seed", "3", "--quiet"]


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
        done = self.call("train", "sim", "--base", "gmf", "--epochs", 1, "--out", "again.model")
        self.assert_refused(done, 2, "is not a checkpoint")
        done = self.good("train", "sim", "--base", "gmf", "--epochs", 1, "--out", "again.model", "--force")
        self.assertIn(b"resume would go on", done.stderr)
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
