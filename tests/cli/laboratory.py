# The laboratory on the command line: a matrix from CSV files, exposure over its labels, headroom, and the study balance.
import random

import harness


class Laboratory(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        draw = random.Random(5)
        items = [f"i{n}" for n in range(40)]
        cells, outside = ["user,item,label"], ["user,item,label"]
        for n in range(60):
            taste = draw.random() < 0.5
            for k, item in enumerate(items):
                cells.append(f"u{n},{item},{int(draw.random() < (0.7 if (k % 2 == 0) == taste else 0.2))}")
            outside += [f"u{n},o{k},1" for k in range(6) if draw.random() < (0.8 if (k % 2 == 0) == taste else 0.3)]
            outside.append(f"u{n},o9,0")
        tags = ["item,tags"] + [f"{item},{'even' if k % 2 == 0 else 'odd'}" for k, item in enumerate(items)]
        tags += [f"o{k},{'even' if k % 2 == 0 else 'odd'}" for k in range(10)]
        for name, lines in (("cells.csv", cells), ("outside.csv", outside), ("items.csv", tags)):
            (cls.folder / name).write_text("\n".join(lines) + "\n")
        cls.good("import", "csv", "outside.csv", "--test", "cells.csv", "--valid-share", 0, "--items", "items.csv",
                 "--tags", "tags", "--out", "matrix", "--quiet")

    def test_exposure_over_labels(self):
        said = self.json("simulate", "lab", "--labels", "matrix", "--strength", 2, "--density", 0.2,
                         "--valid-cells", 300)
        self.assertEqual((said["users"], said["items"], said["valid"]), (60, 40, 300))
        self.assertEqual(said["train"] + said["valid"] + said["test"], 60 * 40)
        self.assertAlmostEqual(said["train"] / 2100, 0.2, delta=0.06)
        head = (self.folder / "lab" / "train.csv").read_text().splitlines()[0]
        self.assertEqual(head, "user,item,label,propensity")
        again = self.json("simulate", "lab2", "--labels", "matrix", "--strength", 2, "--density", 0.2,
                          "--valid-cells", 300)
        self.assertEqual(again["fingerprint"], said["fingerprint"])
        self.good("train", "lab", "--method", "ips", "--base", "gmf", "--set", "propensity=given", "--epochs", 1,
                  "--quiet", "--out", "ips.model")

    def test_each_flag_belongs_to_one_of_the_two(self):
        self.assert_refused(self.call("simulate", "x", "--labels", "matrix", "--users", 5), 2, "users")
        self.assert_refused(self.call("simulate", "x", "--density", 0.1), 2, "density")
        self.assert_refused(self.call("simulate", "x", "--labels", "lab-that-is-not-there"), 3, "lab-that-is-not-there")
        self.good("simulate", "sim", "--users", 60, "--items", 12, "--width", 2, "--quiet")
        self.assert_refused(self.call("simulate", "x", "--labels", "sim"), 3, "every pair of its users and items")

    def test_headroom(self):
        self.good("simulate", "open", "--labels", "matrix", "--strength", 0, "--density", 0.4, "--valid-cells", 900,
                  "--quiet")
        found = self.json("doctor", "open", "--headroom", "--headroom-folds", 3)
        self.assertEqual(found["headroom"]["judged"], 900)
        self.assertTrue(any("no reweighting can help here" in line or "headroom" in line for line in found["verdict"]))
        self.assertNotIn("headroom", self.json("doctor", "open"))
        text = self.good("doctor", "open", "--headroom", "--headroom-folds", 3, "--quiet").stdout.decode()
        self.assertIn("random rows are those of valid, test is not read", text)
        self.good("import", "csv", "cells.csv", "--out", "plain", "--quiet")
        self.assert_refused(self.call("doctor", "plain", "--headroom"), 3, "rows shown at random")

    def test_the_study_balance(self):
        small = ("--bases", "gmf", "--widths", "2", "--strengths", "0,1", "--seeds", 2, "--budget", 1, "--epochs", 2,
                 "--replicates", 10)
        matrix = ("study", "balance", "matrix", *small, "--density", 0.2, "--test-cells", 500, "--out", "runs")
        self.assert_refused(self.call(*matrix), 2, "valid_cells")
        text = self.good(*matrix, "--valid-cells", 300, "--quiet").stdout.decode()
        self.assertIn("outside, gmf, test-items: gain in auc over the same model without it, ± error over 2 repeats", text)
        self.assertEqual(self.good(*matrix, "--valid-cells", 300, "--quiet").stdout.decode(), text)
        simulated = ("study", "balance", "--users", 200, "--items", 12, "--width", 4, *small, "--out", "runs2")
        balance = self.json(*simulated)["balance"][0]
        self.assertEqual((balance["data"], balance["base"], balance["repeats"]), ("simulated", "gmf", 2))
        self.assertTrue(all(form["verdict"] for form in balance["forms"]))
        self.good("report", "runs2", "--out", "balance.html", "--markdown", "balance.md", "--quiet")
        page = (self.folder / "balance.html").read_text()
        self.assertIn("When balancing users is right", page)
        self.assertIn(balance["oracle_verdict"].split(":")[0].split(" (")[0], page)
        self.assertIn("gain in auc", (self.folder / "balance.md").read_text())
        self.assert_refused(self.call("study", "bias", "--widths", "2", "--out", "x"), 2, "widths")


if __name__ == "__main__":
    harness.main()
