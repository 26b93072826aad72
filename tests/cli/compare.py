# compare, study and runs as users meet them: killed and gone on with, any number of workers, read while running.
import json
import random
import signal
import sqlite3
import time

import harness

EPOCHS = "25" if harness.COMMAND_SECONDS <= 120 else "3"  # the thread sanitizer is slow, and looks at every step alike
PLAN = ["--methods", "base,cbr,snips", "--bases", "gmf", "--budget", "4", "--seeds", "3", "--epochs", EPOCHS, "--k", "3",
        "--replicates", "50"]
KILLS = 5


class Compare(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 500, "--items", 16, "--width", 4, "--quiet")
        begin = time.monotonic()
        cls.whole = cls.good("compare", "sim", *PLAN, "--out", "whole", "--threads", 2, "--quiet").stdout.decode()
        cls.seconds = time.monotonic() - begin

    def test_the_table(self):
        for arm in ("popularity", "mean", "mean-popularity", "base gmf", "cbr gmf", "snips gmf"):
            self.assertIn(f"\n{arm} ", self.whole)
        self.assertIn("simulated, test-items, k = 3: up to 4 settings tried for each arm, 3 seeds", self.whole)
        self.assertIn("★ better, ▼ worse than base", self.whole)

    def test_one_worker_gives_the_same_table(self):
        done = self.good("compare", "sim", *PLAN, "--out", "one", "--threads", 1, "--quiet")
        self.assertEqual(done.stdout.decode(), self.whole)

    def test_killed_at_any_moment_and_gone_on_with(self):
        draw = random.Random(3)
        command = ["compare", "sim", *PLAN, "--out", "killed", "--quiet"]
        kept = []
        for kill in range(KILLS):
            run = self.start(*command, "--threads", 1 + kill % 2)
            time.sleep(0.02 + draw.uniform(0.05, 0.25) * self.seconds)
            run.send_signal(signal.SIGKILL)
            run.communicate()
            if (self.folder / "killed/runs.sqlite").exists():
                kept.append(len(self.trials("killed")))
        self.assertEqual(kept, sorted(kept), "a finished trial was lost")
        self.assertGreater(kept[-1], 0)
        self.assertEqual(self.good(*command).stdout.decode(), self.whole)
        self.assertEqual(self.trials("killed"), self.trials("whole"))

    def trials(self, store):
        """What is stored of every trial but the clock, read by another program's SQLite."""
        with sqlite3.connect(self.folder / store / "runs.sqlite") as database:
            return database.execute("SELECT source, arm, stage, rung, number, seed, settings, valid, training, data FROM "
                                    "trials ORDER BY 1, 2, 3, 4, 5").fetchall()

    def test_interrupted(self):
        run = self.start("compare", "sim", *PLAN, "--epochs", "100000", "--patience", "0", "--out", "stopped")
        run.stderr.readline()
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        _, stderr = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, stderr)
        self.assertIn(b"goes on with the others", stderr)

    def test_runs_while_it_runs(self):
        run = self.start("compare", "sim", *PLAN, "--epochs", "100000", "--patience", "0", "--out", "busy")
        try:
            run.stderr.readline()  # "busy: … trials": the store is there
            listed = self.json("runs", "busy")
            self.assertLess(listed["done"], listed["planned"])
            second = self.call("compare", "sim", *PLAN, "--epochs", "100000", "--patience", "0", "--out", "busy", "--quiet")
            self.assert_refused(second, 2, "another process is running trials there")
        finally:
            run.kill()
            run.communicate()

    def test_runs(self):
        listed = self.json("runs", "whole")
        self.assertEqual((listed["done"], listed["planned"]), (6 * 3 + 1 + 5 * (4 + 6), 6 * 3 + 1 + 5 * (4 + 6)))
        final = [t for t in listed["trials"] if t["stage"] == "final" and t["arm"] == "cbr gmf"]
        self.assertEqual([t["seed"] for t in final], [2, 3, 4])
        self.assertTrue(all(t["training"]["curve"] and t["fingerprint"] and t["version"] for t in final))
        text = self.good("runs", "whole").stdout.decode()
        self.assertIn("69 of 69 trials done", text)
        self.assertIn("equipoise compare sim --methods base,cbr,snips", text)
        self.assertIn("--set learning_rate=", text)
        self.assertIn("gamma=", self.good("runs", "whole", "--trials").stdout.decode())

    def test_json_says_the_same_as_the_table(self):
        result = json.loads(self.good("compare", "sim", *PLAN, "--out", "whole", "--json", "--quiet").stdout)
        cells = {c["arm"]: c for c in result["cells"] if c["metric"] == "auc"}
        for cell in cells.values():
            self.assertIn(f"{cell['mean']:.4f} ± {cell['standard_error']:.4f}", self.whole)
        self.assertEqual(len(result["pairs"]), 6 * 5 // 2)
        self.assertEqual(cells["base gmf"]["against_base"], None)
        self.assertIn("p_holm", cells["cbr gmf"]["against_base"])

    def test_a_store_grows_and_what_it_chose_is_trained(self):
        plan = ["--bases", "gmf", "--budget", "2", "--epochs", "2", "--k", "3,1", "--replicates", "20", "--quiet"]
        self.good("compare", "sim", "--methods", "base", "--seeds", "1", *plan, "--out", "growing")
        before = self.trials("growing")
        said = self.good("compare", "sim", "--methods", "snips", "--seed-list", "2,11", *plan,
                         "--out", "growing").stdout.decode()
        after = self.trials("growing")
        self.assertLess(set(before), set(after))
        self.assertEqual({row[5] for row in after if row[2] == "final"}, {2, 11})
        for text in ("\nbase gmf ", "\nsnips gmf ", "user_auc", "ndcg@3", "ndcg@1", "Protocol test-items, test part"):
            self.assertIn(text, said)
        listed = self.good("runs", "growing").stdout.decode()
        self.assertIn("Protocol test-items, test part", listed)
        self.assertIn("--methods snips", listed)
        self.assert_refused(self.call("compare", "sim", "--methods", "base", *plan, "--k", "5", "--out", "growing"), 2,
                            "another plan (k is 3 there and 5 here)")
        chosen = self.json("train", "--from", "growing", "--arm", "base:gmf", "--out", "chosen.model", "--quiet")
        self.assertEqual((chosen["method"], chosen["base"], chosen["seed"]), ("base", "gmf", 2))
        final = [t for t in self.json("runs", "growing")["trials"] if t["stage"] == "final" and t["arm"] == "base gmf"]
        self.assertEqual(chosen["valid"], final[0]["valid"])
        self.assert_refused(self.call("train", "--from", "growing", "--arm", "cbr", "--out", "x.model"), 2, "base gmf")
        self.assert_refused(self.call("train", "--from", "growing", "--base", "gmf", "--out", "x.model"), 2, "--arm")
        self.assert_refused(self.call("train", "--out", "x.model"), 2, "--from RUNS")

    def test_refusals(self):
        self.assert_refused(self.call("compare", "sim", *PLAN, "--budget", "5", "--out", "whole", "--quiet"), 2,
                            "another plan")
        self.assert_refused(self.call("compare", "sim", "--methods", "bsae", "--out", "x", "--quiet"), 2, "bsae")
        self.assert_refused(self.call("compare", "sim", "--bases", "gfm", "--out", "x", "--quiet"), 2, "gfm")
        self.assert_refused(self.call("compare", "sim", "--set", "gama=1", "--out", "x", "--quiet"), 2, "gama")
        self.assert_refused(self.call("compare", "sim", "--values", "gama=1", "--out", "x", "--quiet"), 2, "gama")
        self.assert_refused(self.call("compare", "sim", "--values", "lambda=-1", "--out", "x", "--quiet"), 2, "lambda")
        self.assert_refused(self.call("compare", "sim", "--metric", "acu", "--out", "x", "--quiet"), 2, "acu")
        self.assert_refused(self.call("compare", "nowhere", "--out", "x", "--quiet"), 3, "nowhere")
        self.assert_refused(self.call("compare", "sim", "sim", "--out", "x", "--quiet"), 2, "two data sets are called")
        self.assert_refused(self.call("compare", "sim", "--bases", ",", "--out", "x", "--quiet"), 2, "no base model")
        self.assert_refused(self.call("compare", "sim", "--epochs", 3, "--values", "epochs=2", "--out", "x", "--quiet"), 2,
                            "is fixed for")
        self.assert_refused(self.call("compare", "sim", "--values", "lambda=", "--out", "x", "--quiet"), 2, "no value")
        self.assert_refused(self.call("study", "pairs", "--set", "clipped_pairs=7", "--out", "x", "--quiet"), 2,
                            "cannot be given")
        self.assert_refused(self.call("study", "bias", "--alpha", "0.3", "--out", "x", "--quiet"), 2, "alpha")
        self.assert_refused(self.call("report", "whole", "--out", "whole/runs.sqlite"), 2, "is an input")
        self.assert_refused(self.call("compare", "sim", "--gamma", "1", "--out", "x", "--quiet"), 2, "--set NAME=VALUE")
        self.assert_refused(self.call("runs", "sim"), 2, "no run store")
        self.assert_refused(self.call("study", "bais", "--out", "x", "--quiet"), 2, "did you mean bias?")
        self.assert_refused(self.call("study", "bias", "sim", "--out", "x", "--quiet"), 2, "takes no data set")
        self.assertFalse((self.folder / "x").exists())

    def test_the_linter_comes_first(self):
        rows = (self.folder / "sim/test.csv").read_text().splitlines()
        self.good("simulate", "leaky", "--users", 500, "--items", 16, "--width", 4, "--quiet")
        with open(self.folder / "leaky/train.csv", "a", encoding="utf-8") as log:
            log.write("\n".join(rows[1:40]) + "\n")
        toml = self.folder / "leaky/dataset.toml"
        toml.write_text(toml.read_text().split("[files]")[0])
        refused = self.call("compare", "leaky", *PLAN, "--out", "leaky-runs", "--quiet")
        self.assertEqual(refused.returncode, 4, refused.stderr)
        self.assertIn(b"[test-in-train]", refused.stderr)
        self.assertFalse((self.folder / "leaky-runs").exists())
        allowed = self.good("compare", "leaky", *PLAN, "--budget", 1, "--seeds", 1, "--allow", "test-in-train", "--out",
                            "leaky-runs", "--quiet")
        self.assertIn(b"[test-in-train]", allowed.stderr)
        self.assertIn(b"! simulated [test-in-train]", allowed.stdout)
        self.good("report", "leaky-runs", "--out", "leaky.html")
        self.assertIn("test-in-train (1 finding)", (self.folder / "leaky.html").read_text(encoding="utf-8"))
        unknown = self.call("compare", "sim", *PLAN, "--allow", "test-in-trian", "--out", "x", "--quiet")
        self.assert_refused(unknown, 2, "test-in-trian")

    def test_what_is_given_is_not_searched(self):
        self.good("compare", "sim", *PLAN, "--learning-rate", "0.02", "--set", "gamma=0.3", "--values", "lambda=0.5,0.6",
                  "--search", "grid", "--out", "given", "--quiet")
        trials = [t for t in self.json("runs", "given")["trials"] if t["arm"] == "cbr gmf"]
        for trial in trials:
            self.assertNotIn("learning_rate", trial["settings"])
            self.assertNotIn("gamma", trial["settings"])
            self.assertIn(trial["settings"].get("lambda", "0.5"), ("0.5", "0.6"))
            self.assertAlmostEqual(trial["training"]["settings"]["learning_rate"], 0.02, places=6)

    def test_values_are_spelled_as_flags_are(self):
        self.good("compare", "sim", *PLAN, "--methods", "base", "--values", "learning-rate=0.5", "--values",
                  "learning-rate=0.1, 0.2,", "--search", "grid", "--out", "spelled", "--quiet")
        trials = [t for t in self.json("runs", "spelled")["trials"] if t["arm"] == "base gmf"]
        self.assertTrue(all(t["settings"].get("learning_rate", "0.1") in ("0.1", "0.2") for t in trials))

    def test_one_seed_gives_no_star(self):
        done = self.good("compare", "sim", *PLAN, "--seeds", 1, "--budget", 1, "--out", "single", "--quiet")
        self.assertEqual(done.stdout.decode().count("★"), 1)  # in the line that explains it

    def test_a_warm_up_that_is_all_there_is(self):
        short = ("compare", "sim", "--methods", "base,att", "--bases", "gmf", "--seeds", 1, "--epochs", 3,
                 "--replicates", 5, "--k", 3, "--quiet")
        refused = self.call(*short, "--budget", 1, "--out", "warm")
        self.assert_refused(refused, 2, "epochs = 3 must be above labeller_epochs = 5")
        some = self.good(*short, "--budget", 2, "--values", "labeller_epochs=1", "--out", "warm")
        self.assertNotIn(b"no setting could be trained", some.stderr)

    def test_three_protocols_side_by_side(self):
        done = self.good("compare", "sim", "--methods", "base", "--bases", "gmf", "--budget", 1, "--seeds", 1, "--epochs", 2,
                         "--replicates", 5, "--k", 3, "--protocols", "test-items,sampled:9,full", "--out", "three", "--quiet")
        for protocol in ("test-items", "sampled:9", "full"):
            self.assertIn(f"simulated, {protocol}, k = 3", done.stdout.decode())


class Study(harness.Case):
    def test_every_study_runs(self):
        tiny = ["--users", 80, "--items", 12, "--width", 3, "--bases", "gmf", "--budget", 1, "--seeds", 2, "--epochs", 2,
                "--replicates", 5, "--k", 3, "--quiet", "--allow", "all"]
        for study, heading in (("ablation", "CBR as printed gmf"), ("pairs", "sampling 30 gmf"), ("bias", "α = 0.1, "),
                               ("confounder", "β = 0.7, "), ("sparsity", "τ = 0.3, ")):
            with self.subTest(study):
                text = self.good("study", study, *tiny, "--out", study).stdout.decode()
                self.assertIn(heading, text)
                self.assertIn("s per epoch", text)

    def test_a_share_of_a_data_set(self):
        self.good("simulate", "sim", "--users", 200, "--items", 12, "--width", 3, "--quiet")
        self.good("study", "sparsity", "sim", "--bases", "gmf", "--budget", 1, "--seeds", 1, "--epochs", 1, "--k", 3,
                  "--replicates", 5, "--out", "shares", "--allow", "all", "--quiet")
        prints = {(t["data"], t["fingerprint"]) for t in self.json("runs", "shares")["trials"] if t["stage"] == "final"}
        self.assertEqual(len(prints), 5, "one data set for each share, the same for every arm")


if __name__ == "__main__":
    harness.main()
