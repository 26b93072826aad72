# Training over ranks as users meet it: the model file of the plain program, whatever method, base or balance.
"""`training.py PROGRAM PROGRAM_WITH_RANKS`: some of the table. With EQUIPOISE_WHOLE_TABLE=1 every method with every base."""
import itertools
import os
import signal
import time

import ranks

BASES = ("gmf", "mlp")
SOME = [("base", "gmf", ()), ("snips", "gmf", ("--propensity", "logistic")), ("dr", "mlp", ("--variant", "tdr")),
        ("escm2", "gmf", ("--own-width", 4)), ("autodebias", "mlp", ()),
        ("cbr", "mlp", ("--softmax-items", 0, "--softmax-samples", 64)), ("cbr", "gmf", ("--balance", "all-pairs")),
        ("cbr", "mlp", ("--balance", "sampling", "--distance", "rbf")), ("base", "mlp", ("--graph-layers", 2))]
METHODS = ("base", "cbr", "ips", "snips", "direct", "dr", "escm2", "att", "cvib", "dcf", "kd-label", "cause", "autodebias",
           "recalibration", "rel-mf", "ubpr", "macr", "pda")
BALANCES = ("adversarial", "clipping", "sampling", "all-pairs", "none")


def table():
    if os.environ.get("EQUIPOISE_WHOLE_TABLE") != "1":
        return SOME, ((2, 1), (3, 2))
    more = [(method, base, ()) for method, base in itertools.product(METHODS, BASES)]
    more += [("cbr", base, ("--balance", balance)) for base, balance in itertools.product(BASES, BALANCES)]
    return SOME + more, tuple(itertools.product((1, 2, 3, 4), (1, 2)))


class Training(ranks.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 300, "--items", 40, "--width", 4, "--quiet")

    def words(self, method, base, more, out, threads=1):
        epochs = 7 if method == "att" else 2  # its labellers come first
        return ("train", "sim", "--method", method, "--base", base, *more, "--epochs", epochs, "--batch-size", 600,
                "--embedding", 8, "--threads", threads, "--quiet", "--force", "--out", out)

    def test_bytes_are_those_of_one_process(self):
        cases, counts = table()
        for method, base, more in cases:
            self.good(*self.words(method, base, more, "alone.model"))
            for count, threads in counts:
                with self.subTest(method=method, base=base, more=more, ranks=count, threads=threads):
                    self.good_ranks(count, *self.words(method, base, more, "shared.model", threads))
                    self.assertTrue((self.folder / "shared.model").read_bytes() ==
                                    (self.folder / "alone.model").read_bytes())
                    (self.folder / "shared.model").unlink()

    def test_a_stopped_run_goes_on_with_another_number_of_ranks(self):
        words = ("train", "sim", "--method", "cbr", "--base", "mlp", "--epochs", 12, "--patience", 0, "--batch-size", 600,
                 "--embedding", 8, "--threads", 1, "--quiet", "--checkpoint-seconds", 0.02)
        self.good(*words, "--out", "whole.model")
        checkpoint = self.folder / "stopped.model.checkpoint"
        for count in (3, 2):
            run = self.start_ranks(count, *words, "--out", "stopped.model", "--resume")
            seen = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
            while run.poll() is None and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == seen):
                time.sleep(0.02)
            run.send_signal(signal.SIGINT)
            run.communicate()
        self.good_ranks(2, *words, "--out", "stopped.model", "--resume")
        self.assertTrue((self.folder / "stopped.model").read_bytes() == (self.folder / "whole.model").read_bytes())
        self.assertFalse(checkpoint.exists())


if __name__ == "__main__":
    ranks.main()
