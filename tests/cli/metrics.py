# The program's metrics against an independent computation from its scores, for every protocol, ties included.
import csv
import json
import subprocess
import sys
import unittest

import harness

PROTOCOLS = ("test-items", "sampled:99", "full")
CHECKER = harness.ROOT / "tests" / "python" / "check_metrics.py"

try:
    import numpy  # noqa: F401, what the checker needs
except ImportError:
    numpy = None


@unittest.skipIf(numpy is None, "the independent computation needs numpy")
class Metrics(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 240, "--items", 130, "--width", 4, "--seed", 2)
        cls.good("train", "sim", "--base", "gmf", "--epochs", 2, "--out", "gmf.model", "--quiet")
        # Shrunk to the overall mean by more rows than float can tell apart from it: the same score for every pair.
        cls.good("train", "sim", "--method", "mean", "--shrinkage", "1e30", "--out", "constant.model", "--quiet")
        cls.good("train", "sim", "--method", "popularity", "--out", "popularity.model", "--quiet")

    def evaluated(self, model, protocol, k=10):
        said = self.json("evaluate", model, "sim", "--protocol", protocol, "--k", k, "--save-pairs", "pairs.csv",
                         "--replicates", 20)
        (self.folder / "evaluation.json").write_text(json.dumps(said))
        self.good("score", model, "--pairs", "pairs.csv", "--out", "scores.csv", "--quiet")
        done = subprocess.run([sys.executable, str(CHECKER), "pairs.csv", "scores.csv", "evaluation.json"],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{model} {protocol}:\n{done.stdout}{done.stderr}")
        return said["metrics"]

    def test_several_k_and_values_of_users(self):
        one = self.json("evaluate", "gmf.model", "sim", "--k", 2, "--replicates", 20)
        said = self.json("evaluate", "gmf.model", "sim", "--k", "5,2", "--replicates", 20, "--per-user", "users.csv")
        self.assertEqual((said["k"], said["more_k"]), (5, [2]))
        self.assertEqual(said["metrics"]["ndcg@2"], one["metrics"]["ndcg"])
        self.assertEqual(said["metrics"]["coverage@2"], one["metrics"]["coverage"])
        with open(self.folder / "users.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), said["users"])
        values = [float(row["ndcg@2"]) for row in rows if row["ndcg@2"]]
        self.assertEqual(len(values), said["users"] - said["users_left_out"])
        self.assertAlmostEqual(sum(values) / len(values), one["metrics"]["ndcg"]["mean"], places=9)
        empty = self.json("evaluate", "gmf.model", "sim", "--k", 2, "--replicates", 20, "--ndcg-empty", "one")
        share = said["users_left_out"] / said["users"]
        self.assertAlmostEqual(empty["metrics"]["ndcg"]["mean"],
                               (1 - share) * one["metrics"]["ndcg"]["mean"] + share, places=9)
        text = self.good("evaluate", "gmf.model", "popularity.model", "sim", "--k", "5,2").stdout.decode()
        for words in ("user_auc", "ndcg@5", "ndcg@2", "Protocol test-items, test part"):
            self.assertIn(words, text)
        self.assert_refused(self.call("evaluate", "gmf.model", "popularity.model", "sim", "--per-user", "x.csv"), 2,
                            "one model")
        self.assert_refused(self.call("evaluate", "gmf.model", "sim", "--k", "5,0"), 2, "k")

    def test_a_trained_model(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                metrics = self.evaluated("gmf.model", protocol)
                self.assertLessEqual(metrics["auc"]["low"], metrics["auc"]["mean"])
                self.assertLessEqual(metrics["auc"]["mean"], metrics["auc"]["high"])

    def test_scores_with_ties(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                self.evaluated("popularity.model", protocol, k=3)

    def test_a_constant_scorer_is_a_random_order(self):
        for protocol in PROTOCOLS:
            with self.subTest(protocol):
                metrics = self.evaluated("constant.model", protocol, k=4)
                self.assertAlmostEqual(metrics["auc"]["mean"], 0.5, places=12)
                if protocol == "sampled:99":  # one positive among 100, anywhere
                    self.assertAlmostEqual(metrics["recall"]["mean"], 0.04, places=9)
        scores = {line.rsplit(",", 1)[1] for line in (self.folder / "scores.csv").read_text().splitlines()[1:]}
        self.assertEqual(len(scores), 1)

    def test_the_same_at_any_number_of_threads(self):
        one, four = (self.json("evaluate", "gmf.model", "sim", "--threads", n) for n in (1, 4))
        self.assertEqual(one, four)


if __name__ == "__main__":
    harness.main()
