# Training over ranks as users meet it: the model file of the plain program, whatever method, base, balance or choice.
"""`training.py PROGRAM PROGRAM_WITH_RANKS`: some of the table. With EQUIPOISE_WHOLE_TABLE=1 all that the program names:
every method with every base and variant and every balance with every base, on 1 to 4 ranks of 1 and 2 threads; every other
choice of a method, base or history on 2 ranks of 2 threads and on 4 of one. EQUIPOISE_PART=K/N is the Kth of N parts."""
import csv
import itertools
import json
import os
import re
import signal
import time

import ranks

SOME = [("base", "gmf", ()), ("snips", "gmf", ("--propensity", "logistic")), ("dr", "mlp", ("--variant", "tdr")),
        ("escm2", "gmf", ("--own-width", 4)), ("autodebias", "mlp", ()),
        ("cbr", "mlp", ("--softmax-items", 0, "--softmax-samples", 64)), ("cbr", "gmf", ("--balance", "all-pairs")),
        ("cbr", "gmf", ("--balance", "above-chance")), ("cbr", "mlp", ("--balance", "weights")),
        ("cbr", "mlp", ("--balance", "sampling", "--distance", "rbf")), ("base", "mlp", ("--graph-layers", 2)),
        ("base", "gmf", ("--history", "both", "--history-order", "last"))]
# What changes nothing, or not without something else.
WITH = {"beside_weights": ("--balance", "weights"), "item_groups": ("--balance", "above-chance", "--item-clusters", 3),
        "distance": ("--balance", "sampling"), "history_order": ("--history", "both")}
BASELINES = ("popularity", "mean", "mean-popularity")  # fit no base model
# Of clicks alone.
CLICKS = [(method, base, ("--loss", loss)) for method in ("base", "ips", "snips", "cbr") for base in ("gmf", "mlp")
          for loss in ("pointwise", "bpr", "softmax")]
CLICKS += [(method, base, ()) for method in ("rel-mf", "ubpr", "macr", "pda") for base in ("gmf", "mlp")]
FULL = tuple(itertools.product((1, 2, 3, 4), (1, 2)))  # ranks, threads
FEW = ((2, 2), (4, 1))


def choices(parameters):
    """(name, value, flags) for every word that a parameter may have but its default."""
    for one in parameters:
        for value in one["range"].split(" | ") if " | " in one["range"] else ():
            if value not in (one["default"], "auto"):
                needed = ("--balance", "weights") if value == "vectors" else WITH.get(one["name"], ())
                yield one["name"], value, ("--" + one["name"].replace("_", "-"), value, *needed)


def whole_table(told):
    """(log, method, base, flags, counts) of everything that `methods --json` names."""
    bases = [one["name"] for one in told["bases"]]
    for method in told["methods"]:
        name = method["name"]
        for base in ("",) if name in BASELINES else bases:
            yield "sim", name, base, (), FULL
        for word, _, flags in choices(method["parameters"]):
            if word == "loss":
                continue  # of clicks
            for base in bases:
                yield "sim", name, base, flags, FULL if word in ("balance", "variant") else FEW
    for base in told["bases"]:
        for _, _, flags in choices(base["parameters"]):
            yield "sim", "cbr", base["name"], flags, FEW
    more = [flags for _, _, flags in choices(told["model"])]
    more += [flags for word, _, flags in choices(told["training"]) if word == "optimizer"]
    more += [("--graph-layers", 2), ("--history", "both", "--history-permuted")]
    for method, base, flags in itertools.product(("base", "cbr"), bases, more):
        yield "sim", method, base, flags, FEW
    for method, base, flags in SOME:
        yield "sim", method, base, flags, FEW
    for method, base, flags in CLICKS:
        yield "clicks", method, base, flags, FEW


def table(told):
    if os.environ.get("EQUIPOISE_WHOLE_TABLE") != "1":
        counts = ((2, 1), (3, 2))
        return [("sim", *case, counts) for case in SOME] + [("clicks", *case, counts) for case in CLICKS[8:9]]
    part, parts = map(int, os.environ.get("EQUIPOISE_PART", "1/1").split("/"))
    return list(whole_table(told))[part - 1::parts]


class Training(ranks.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 300, "--items", 40, "--width", 4, "--quiet")
        folder = cls.folder / "sim"
        with (folder / "train.csv").open(encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        # As a log with time stamps and known propensities, and as one of clicks.
        (folder / "train.csv").write_text("user,item,label,timestamp,propensity\n" + "".join(
            f"{user},{item},{label},{k * 7 % 31},{0.1 + 0.2 * (k % 4):.1f}\n" for k, (user, item, label) in enumerate(rows)))
        told = (folder / "dataset.toml").read_text()
        (folder / "dataset.toml").write_text(re.sub(r"\n\[files\]\n[^\[]*", "\n", told))
        (cls.folder / "clicks.csv").write_text("user,item\n" + "".join(
            f"{user},{item}\n" for user, item, label in rows if label == "1"))
        cls.good("import", "csv", "clicks.csv", "--out", "clicks", "--quiet")

    def words(self, log, method, base, more, out, threads=1):
        epochs = 7 if method == "att" else 2  # its labellers come first
        with_base = () if base == "" else ("--base", base, "--embedding", 8)
        return ("train", log, "--method", method, *with_base, *more, "--epochs", epochs, "--batch-size", 600, "--threads",
                threads, "--quiet", "--force", "--out", out)

    def test_bytes_are_those_of_one_process(self):
        ran = 0
        for log, method, base, more, counts in table(json.loads(self.good("methods", "--json").stdout)):
            case = {"log": log, "method": method, "base": base, "more": more}
            alone = self.call(*self.words(log, method, base, more, "alone.model"))
            with self.subTest(**case):
                self.assertEqual(alone.returncode, 0, alone.stderr)
                for count, threads in counts:
                    self.good_ranks(count, *self.words(log, method, base, more, "shared.model", threads))
                    self.assertTrue((self.folder / "shared.model").read_bytes() ==
                                    (self.folder / "alone.model").read_bytes(), f"{count} ranks of {threads} threads")
                    (self.folder / "shared.model").unlink()
                    ran += 1
        print(f"figure: {ran} models over ranks have the plain program's bytes")

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
