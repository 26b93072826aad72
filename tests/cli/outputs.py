# What the program may not overwrite or remove: inputs, foreign files, links; and what it says of leaks and empty lists.
import json
import os

import harness

QUICK = ("--base", "gmf", "--epochs", 1, "--embedding", 2, "--quiet")


class Outputs(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 60, "--items", 12, "--width", 2, "--quiet")
        cls.good("train", "sim", *QUICK, "--out", "given.model")

    def read(self, name):
        return (self.folder / name).read_bytes()

    def test_links_stay_links(self):
        os.symlink("given.model", self.folder / "link.model")
        before = self.read("given.model")
        self.good("train", "sim", *QUICK, "--seed", 9, "--out", "link.model")
        self.assertTrue((self.folder / "link.model").is_symlink())
        self.assertNotEqual(self.read("given.model"), before)
        os.symlink("nowhere", self.folder / "dangling")
        self.assert_refused(self.call("train", "sim", *QUICK, "--out", "dangling"), 2, "link to nothing")
        os.symlink("/proc/self/fd/1", self.folder / "out")
        self.assert_refused(self.call("train", "sim", *QUICK, "--out", "out"), 2, "is a device or a pipe")
        self.assertTrue((self.folder / "out").is_symlink())

    def test_a_checkpoint_that_is_not_ours_stays(self):
        (self.folder / "thesis.checkpoint").write_text("my thesis")
        self.assert_refused(self.call("train", "sim", *QUICK, "--out", "thesis"), 2, "is not a checkpoint")
        self.assertEqual((self.folder / "thesis.checkpoint").read_text(), "my thesis")
        (self.folder / "log.checkpoint").write_bytes(self.read("sim/train.csv"))
        self.assert_refused(self.call("train", "log.checkpoint", *QUICK, "--out", "log"), 2, "is an input")
        self.assertTrue((self.folder / "log.checkpoint").exists())

    def test_names_that_are_empty(self):
        for words in (("train", "sim", *QUICK, "--out", ""), ("simulate", "", "--users", 60, "--quiet"),
                      ("import", "csv", "sim/train.csv", "--out", "", "--quiet")):
            with self.subTest(words=words):
                self.assert_refused(self.call(*words), 2, "is empty")

    def test_an_import_does_not_replace_its_input(self):
        self.good("simulate", "own", "--users", 60, "--items", 12, "--width", 2, "--quiet")
        before = self.read("own/train.csv")
        for more in ((), ("--test", "own/test.csv")):
            done = self.call("import", "csv", "own/train.csv" if not more else "sim/train.csv", *more, "--out", "own",
                             "--quiet")
            self.assert_refused(done, 2, "is an input")
        self.assertEqual(self.read("own/train.csv"), before)
        os.mkdir(self.folder / "foreign")
        (self.folder / "foreign/dataset.toml").write_text("[tool.other]\nx = 1\n")
        done = self.call("import", "csv", "sim/train.csv", "--out", "foreign", "--quiet")
        self.assert_refused(done, 2, "is not a data set's")

    def test_force_is_a_parameter_like_others(self):
        (self.folder / "foreign.csv").write_text("somebody's table\n")
        words = ("score", "given.model", "--pairs", "sim/test.csv", "--out", "foreign.csv", "--quiet")
        self.assert_refused(self.call(*words), 2, "force = true")
        self.good(*words, "--set", "force=true")

    def test_leaks_are_counted_for_programs_too(self):
        self.good("import", "csv", "sim/train.csv", "--test", "sim/train.csv", "--keep-leaks", "--out", "leaky", "--quiet")
        trained = json.loads(self.good("train", "leaky", *QUICK, "--json", "--out", "leaky.model").stdout)
        self.assertEqual(trained["leaks"], 300)
        done = self.good("evaluate", "leaky.model", "leaky", "--json", "--replicates", 2)
        part = len(self.read("leaky/test.csv").splitlines()) - 1
        self.assertEqual(json.loads(done.stdout)["trained_on"], part)
        self.assertIn(f"was trained on {part} of the {part} pairs of test", done.stderr.decode())

    def test_lists_that_are_empty_are_said(self):
        done = self.good("recommend", "given.model", "--user", "u1", "--candidates", "i1", "--exclude", "i1")
        self.assertIn("1 of 1 lists are empty", done.stderr.decode())
        done = self.good("recommend", "given.model", "--user", "u1", "--candidates", "i1,,zz")
        self.assertIn('1 of 2 items are unknown to the model, first "zz"', done.stderr.decode())


if __name__ == "__main__":
    harness.main()
