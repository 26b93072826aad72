# What a program that embeds training links and opens, and that its models are the command line's: run.py PROGRAM FOLDER.
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, EMBEDDED = sys.argv[1], pathlib.Path(sys.argv[2])
METHODS = ("popularity", "mean", "mean-popularity", "base", "ips", "snips", "direct", "dr", "att", "cvib", "cbr", "dcf",
           "rel-mf", "ubpr", "macr", "pda")


def output(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, check=True, text=True)


class Embedding(unittest.TestCase):
    def test_it_links_no_database_no_chart_and_no_parser_of_flags(self):
        libraries = output("ldd", EMBEDDED / "in_memory").stdout
        self.assertIn("libstdc++", libraries)
        self.assertNotIn("sqlite", libraries)
        symbols = output("nm", "-C", EMBEDDED / "in_memory").stdout
        self.assertIn("equipoise::Model::train", symbols)
        for word in ("sqlite", "CLI::", "equipoise::report", "Chart"):
            self.assertNotIn(word, symbols)

    def test_it_opens_no_file(self):
        if shutil.which("strace") is None:
            self.skipTest("no strace on this machine")
        done = subprocess.run(["strace", "-f", "-e", "trace=open,openat,creat,mkdir,rename,unlink", "-o", "|cat",
                               EMBEDDED / "in_memory"], capture_output=True, check=False, text=True)
        if "ptrace" in done.stderr:
            self.skipTest("no right to trace a process here")
        self.assertEqual(done.returncode, 0, done.stderr)
        opened = [line.split('"')[1] for line in done.stdout.splitlines() if '"' in line and "open" in line]
        self.assertTrue(opened)
        system = ("/etc/ld.so", "/lib", "/usr/lib", "/proc", "/sys", "/usr/local/lib")
        self.assertEqual([path for path in opened if not path.startswith(system)], [])
        self.assertIn("the same model of", done.stdout)

    def test_its_models_are_those_of_the_command_line(self):
        draw = random.Random(5)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            pairs = draw.sample([(u, i) for u in range(80) for i in range(30)], 1200)
            rows = [f"u{u},i{i},{int(draw.random() < 0.2 + 0.5 * (u % 3 == i % 3))}" for u, i in pairs]
            (folder / "log.csv").write_text("user,item,label\n" + "\n".join(rows) + "\n")
            for method in METHODS:
                for base in ("gmf", "mlp") if method not in METHODS[:3] else ("",):
                    with self.subTest(method=method, base=base):
                        output(EMBEDDED / "train_rows", folder / "log.csv", method, base, folder / "embedded.model")
                        output(PROGRAM, "train", folder / "log.csv", "--method", method, *(["--base", base] if base else []),
                               "--epochs", 6 if method == "att" else 2, "--out", folder / "cli.model", "--quiet")
                        self.assertEqual((folder / "embedded.model").read_bytes(), (folder / "cli.model").read_bytes())


del sys.argv[1:]
unittest.main()
