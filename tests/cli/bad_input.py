# Bad input on the command line: one line on stderr, the right exit code, and nothing written.
import gzip
import os
import resource
import shutil
import subprocess

import harness

HEAD = b"user,item,label\n"
GOOD = harness.small_log()

# name: (arguments, exit code, words of the error); "sim" is a data set, "m.model" a model trained on it.
USAGE = {
    "unknown verb": (["trian", "sim"], 2, "did you mean train?"),
    "unknown verb, far off": (["xyzzy"], 2, "known: simulate, import"),
    "unknown first flag": (["--hepl"], 2, "--hepl"),
    "unknown flag": (["train", "sim", "--bsae", "gmf", "--out", "x"], 2, "did you mean --base?"),
    "unknown flag, and one is missing": (["train", "sim", "--otu", "x"], 2, "did you mean --out?"),
    "unknown flag after a short one": (["train", "sim", "-q", "--bsae", "gmf", "--out", "x"], 2, "did you mean --base?"),
    "unknown flag after a negative value": (["train", "sim", "--lambda-phi", "-1", "--bsae", "gmf", "--out", "x"], 2,
                                            "did you mean --base?"),
    "unknown flag with value": (["train", "sim", "--epoch=3", "--out", "x"], 2, "did you mean --epochs?"),
    "unknown method": (["train", "sim", "--method", "bse", "--base", "gmf", "--out", "x"], 2, "did you mean base?"),
    "unknown base": (["train", "sim", "--base", "gfm", "--out", "x"], 2, "did you mean gmf?"),
    "missing base": (["train", "sim", "--out", "x"], 2, "base = gmf or mlp"),
    "base where there is none": (["train", "sim", "--method", "mean", "--base", "gmf", "--out", "x"], 2, "no base"),
    "unknown parameter": (["train", "sim", "--base", "gmf", "--out", "x", "--set", "epoch=3"], 2, "mean epochs?"),
    "parameter without value": (["train", "sim", "--base", "gmf", "--out", "x", "--epochs"], 2, "--epochs"),
    "parameter of another method": (["train", "sim", "--base", "gmf", "--out", "x", "--shrinkage", "1"], 2,
                                    "shrinkage is not a parameter of base gmf"),
    "set without =": (["train", "sim", "--base", "gmf", "--out", "x", "--set", "epochs"], 2, "name=value"),
    "below the range": (["train", "sim", "--base", "gmf", "--out", "x", "--epochs", "0"], 2, "out of range"),
    "above the range": (["train", "sim", "--base", "gmf", "--out", "x", "--learning-rate", "11"], 2, "out of range"),
    "word for a number": (["train", "sim", "--base", "gmf", "--out", "x", "--epochs", "ten"], 2, "whole number"),
    "NaN for a number": (["train", "sim", "--base", "gmf", "--out", "x", "--lambda", "nan"], 2, "lambda"),
    "number too large": (["train", "sim", "--base", "gmf", "--out", "x", "--seed", "9" * 30], 2, "seed"),
    "not one of the choices": (["train", "sim", "--base", "gmf", "--out", "x", "--metric", "acu"], 2, "mean auc?"),
    "negative threads": (["train", "sim", "--base", "gmf", "--out", "x", "--threads", "-1"], 2, "threads"),
    "no out": (["train", "sim", "--base", "gmf"], 2, "--out is required"),
    "one word too many": (["train", "sim", "extra", "--base", "gmf", "--out", "x"], 2, "extra"),
    "csv flags for a folder": (["train", "sim", "--base", "gmf", "--out", "x", "--label-column", "y"], 2, "label_column"),
    "config is missing": (["train", "sim", "--base", "gmf", "--out", "x", "--config", "no.toml"], 3, "no.toml"),
    "data is missing": (["train", "no", "--base", "gmf", "--out", "x"], 3, "no: "),
    "folder that is no data set": (["train", ".", "--base", "gmf", "--out", "x"], 3, "dataset.toml"),
    "out is a folder": (["train", "sim", "--base", "gmf", "--out", "sim"], 2, "is a folder"),
    "out has no folder": (["train", "sim", "--base", "gmf", "--out", "no/x"], 2, "no/x: cannot be written"),
    "evaluate without data": (["evaluate", "m.model"], 2, "folder of a data set"),
    "evaluate without model": (["evaluate", "sim"], 2, "model file"),
    "evaluate a missing model": (["evaluate", "no.model", "sim"], 3, "no.model"),
    "evaluate what is no model": (["evaluate", "sim/train.csv", "sim"], 4, "not a whole model file"),
    "unknown protocol": (["evaluate", "m.model", "sim", "--protocol", "ful"], 2, "protocol"),
    "protocol without number": (["evaluate", "m.model", "sim", "--protocol", "sampled:0"], 2, "protocol"),
    "unknown part": (["evaluate", "m.model", "sim", "--part", "tset"], 2, "did you mean test?"),
    "list of no items": (["evaluate", "m.model", "sim", "--k", "0"], 2, "out of range"),
    "pairs cannot be written": (["evaluate", "m.model", "sim", "--save-pairs", "no/p.csv"], 2, "no/p.csv"),
    "recommend to nobody": (["recommend", "m.model"], 2, "--user ID, --users FILE or --all-users"),
    "recommend to both": (["recommend", "m.model", "--user", "a", "--users", "b"], 2, "--user"),
    "recommend to a missing file": (["recommend", "m.model", "--users", "no.csv"], 3, "no.csv"),
    "recommend into no folder": (["recommend", "m.model", "--user", "u1", "--out", "no/r.csv"], 2, "no/r.csv"),
    "score without pairs": (["score", "m.model"], 2, "--pairs is required"),
    "score without a column": (["score", "m.model", "--pairs", "sim/users.csv"], 3, "item"),
    "score into no folder": (["score", "m.model", "--pairs", "sim/test.csv", "--out", "no/s.csv"], 2, "no/s.csv"),
    "unknown source": (["import", "caot", "x", "--out", "y"], 2, "did you mean coat?"),
    "source is missing": (["import", "coat", "no", "--out", "y"], 3, "no"),
    "import into a file": (["import", "csv", "good.csv", "--out", "m.model"], 2, "m.model"),
    "simulate nobody": (["simulate", "y", "--users", "0"], 2, "out of range"),
    "simulate lists too long": (["simulate", "y", "--items", "4"], 2, "list_length"),
    "simulate into a file": (["simulate", "m.model"], 2, "m.model"),
    "unknown method asked for": (["methods", "bsae"], 2, "did you mean base?"),
    "line end in a verb": (["a\nb"], 2, "a\\nb"),
    "line end in a flag": (["train", "sim", "--a\nb", "--out", "x"], 2, "a\\nb"),
    "line end in a path": (["train", "a\nb", "--base", "gmf", "--out", "x"], 3, "a\\nb"),
    "escape in a parameter": (["train", "sim", "--base", "gmf", "--out", "x", "--set", "a\033[2J=1"], 2, "\\x1b"),
    "escape in a value": (["train", "sim", "--base", "gmf", "--out", "x", "--epochs", "\033[2J\n"], 2, "\\x1b"),
    "escape in a method": (["train", "sim", "--method", "\033c\n", "--out", "x"], 2, "\\x1b"),
}

# name: (bytes of log.csv, words of the error); all are bad data.
LOGS = {
    "empty file": (b"", "empty"),
    "header only": (HEAD, "no rows"),
    "another separator": (GOOD.replace(b",", b"^"), "is the separator another one?"),
    "missing column": (b"user,rating\na,4\n", "item_column"),
    "rating that nobody named": (b"user,item,rating\na,x,4\n", "label_column"),
    "column named twice": (b"user,user,item,label\na,a,x,1\n", "user"),
    "extra column": (HEAD + b"a,x,1\na,y,0,7\n", "log.csv:3"),
    "too few columns": (HEAD + b"a,x,1\na,y\n", "log.csv:3"),
    "bad number": (HEAD + b"a,x,1\nb,y,maybe\n", "log.csv:3:5"),
    "NaN": (HEAD + b"a,x,1\nb,y,nan\n", "log.csv:3:5"),
    "inf": (HEAD + b"a,x,1\nb,y,inf\n", "log.csv:3:5"),
    "number out of all range": (HEAD + b"a,x,1\nb,y,1e999\n", "log.csv:3:5"),
    "label outside the rule": (HEAD + b"a,x,1\nb,y,4\n", "log.csv:3:5"),
    "empty id": (HEAD + b"a,x,1\n,y,0\n", "log.csv:3"),
    "duplicate pair": (HEAD + b"a,x,1\nb,y,0\na,x,0\n", "log.csv:4"),
    "bad UTF-8": (HEAD + b"a,x,1\nb\xff,y,0\n", "log.csv:3"),
    "unterminated quote": (HEAD + b'a,x,1\n"b,y,0\n', "log.csv:3"),
    "text after a quote": (HEAD + b'a,x,1\n"b"c,y,0\n', "log.csv:3"),
    "NUL byte": (HEAD + b"a,x,1\nb\0,y,0\n", "log.csv:3"),
    "line end within an id": (HEAD + b'a,x,1\n"b\nc",y,maybe\n', "log.csv:"),
    "one user": (HEAD + b"".join(b"a,i%d,%d\n" % (k, k % 2) for k in range(20)), "user"),
    "one item": (HEAD + b"".join(b"u%d,x,%d\n" % (k, k % 2) for k in range(20)), "item"),
    "all labels 0": (GOOD.replace(b",1\n", b",0\n"), "every label"),
}


class BadInput(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 60, "--items", 12, "--width", 4)
        cls.good("train", "sim", "--method", "mean", "--out", "m.model")
        (cls.folder / "good.csv").write_bytes(GOOD)

    def refused(self, arguments, code, words, **options):
        before = self.files()
        self.assert_refused(self.call(*arguments, **options), code, words)
        self.assertEqual(before, self.files(), "something was written")

    def test_usage(self):
        for name, (arguments, code, words) in USAGE.items():
            with self.subTest(name):
                self.refused(arguments, code, words)

    def test_logs(self):
        log = self.folder / "log.csv"
        for name, (content, words) in LOGS.items():
            log.write_bytes(content)
            with self.subTest(name, verb="train"):
                self.refused(["train", log.name, "--base", "gmf", "--out", "x", "--epochs", 1, "--quiet"], 3, words)
            if name.startswith(("one ", "all ")):
                continue  # a fine data set, though nothing can be trained on it
            with self.subTest(name, verb="import"):
                self.refused(["import", "csv", log.name, "--out", "y"], 3, words)
        log.unlink()

    def test_a_log_on_stdin_is_refused_by_that_name(self):
        for content, words in ((b"", "empty"), (HEAD + b"a,x,2\n", ":2:5")):
            with self.subTest(words):
                self.refused(["import", "csv", "-", "--out", "y"], 3, words, input=content)

    def test_compressed_files_that_are_not(self):
        whole = gzip.compress(GOOD)
        bad = {"not gz": b"user,item,label\n", "cut short": whole[:-20], "spoiled": whole[:40] + b"\0\1" + whole[42:]}
        for name, content in bad.items():
            (self.folder / "log.csv.gz").write_bytes(content)
            with self.subTest(name):
                self.refused(["train", "log.csv.gz", "--base", "gmf", "--out", "x", "--quiet"], 3, "log.csv.gz")
        (self.folder / "log.csv.gz").unlink()

    def test_folder_instead_of_file(self):
        self.refused(["score", "m.model", "--pairs", "sim"], 3, "folder")
        self.refused(["evaluate", "sim", "sim"], 2, "folders")
        self.refused(["train", "sim", "--base", "gmf", "--out", "x", "--config", "sim"], 3, "folder")

    def test_bad_config_files(self):
        for name, text, code, words in (("c.toml", "epochs = ", 3, "c.toml"), ("c.json", "{", 3, "c.json"),
                                        ("c.json", "[1]", 3, "object"), ("c.toml", "[a]\nb = 1", 3, "table"),
                                        ("c.toml", "epochz = 1", 2, "did you mean epochs?"),
                                        ("c.toml", "epochs = 0", 2, "out of range")):
            (self.folder / name).write_text(text)
            with self.subTest(text):
                self.refused(["train", "sim", "--base", "gmf", "--out", "x", "--config", name], code, words)
            (self.folder / name).unlink()

    def test_stdout_that_cannot_be_written(self):
        for arguments in (["methods"], ["methods", "--json"], ["--help"], ["score", "m.model", "--pairs", "sim/test.csv"],
                          ["recommend", "m.model", "--user", "u1"], ["evaluate", "m.model", "sim"]):
            with self.subTest(arguments[0]), open("/dev/full", "wb") as full:
                self.refused(arguments, 2, "stdout cannot be written", stdout=full)

    def test_files_that_may_not_grow(self):
        """What `ulimit -f` allows runs out in the middle of a file; nothing of it may stay."""
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))}
        self.refused(["simulate", "y"], 2, "cannot be written", **limit)
        self.refused(["train", "sim", "--base", "gmf", "--out", "x", "--epochs", 1, "--quiet"], 2, "x: cannot", **limit)
        self.refused(["score", "m.model", "--pairs", "sim/test.csv", "--out", "s.csv"], 2, "s.csv", **limit)

    def test_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=False,
                                 capture_output=True) if shutil.which("mount") and os.geteuid() == 0 else None
        if mounted is None or mounted.returncode != 0:
            disk.rmdir()
            self.skipTest("a small file system may not be mounted here")
        try:
            self.refused(["simulate", "disk/y"], 2, "No space left")
            self.refused(["train", "sim", "--base", "mlp", "--epochs", 1, "--embedding", 512, "--quiet", "--out",
                          "disk/x"], 2, "No space left")
        finally:
            subprocess.run(["umount", str(disk)], check=True)
            disk.rmdir()


if __name__ == "__main__":
    harness.main()
