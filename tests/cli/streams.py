# The program's streams when they are closed, full or read by nobody, and names that hold control characters.
import os
import pty
import signal
import subprocess
import unittest

import harness

ODD = "a\x1b[31m\x07\x7f\u0085\u009b\u2028\u202e\u2067z"
SEEN = "a\\x1b[31m\\x07\\x7f\\u0085\\u009b\\u2028\\u202e\\u2067z"


def shell(folder, words, redirection):
    """The program's exit code, and what it wrote, with redirections as people type them."""
    done = subprocess.run(["bash", "-c", f'"$0" "$@" {redirection}', harness.PROGRAM, *map(str, words)], cwd=folder,
                          env=harness.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=harness.COMMAND_SECONDS, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def on_a_terminal(folder, words):
    """What is seen where stdout is a terminal."""
    try:
        ours, its = pty.openpty()
    except OSError as error:
        raise unittest.SkipTest("no pseudo-terminal on this machine") from error
    process = subprocess.Popen([harness.PROGRAM, *words], cwd=folder, env=harness.environment(), stdout=its,
                               stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(its)
    seen = b""
    try:
        while part := os.read(ours, 65536):
            seen += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    return process.wait(), seen.decode().replace("\r\n", "\n")


class Streams(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 60, "--items", 10, "--width", 2)
        cls.good("train", "sim", "--base", "gmf", "--out", "m.model", "--epochs", 1, "--quiet")

    def test_an_error_that_cannot_be_said_keeps_its_code(self):
        for words, code in ((["trian"], 2), (["train", "sim", "--base", "gmf", "--out", "x", "--epochs", 0], 2),
                            (["score", "m.model", "--pairs", "nowhere"], 3), (["evaluate", "sim/train.csv", "sim"], 4)):
            for where in ("2>&-", "2>/dev/full", "2> >(exec 0<&-)", "0<&- 1>&- 2>&-"):
                with self.subTest(f"{words} {where}"):
                    self.assertEqual(shell(self.folder, words, where)[0], code)

    def test_training_goes_on_without_a_reader_of_its_words(self):
        for where in ("2>&-", "2>/dev/full", "2> >(exec 0<&-; sleep 1)", "2> >(head -c 1 >/dev/null)", "0<&- 1>/dev/null 2>&-"):
            with self.subTest(where):
                words = ["train", "sim", "--base", "gmf", "--out", "y.model", "--epochs", 1]
                self.assertEqual(shell(self.folder, words, where)[0], 0)
                self.assertEqual((self.folder / "y.model").read_bytes(), (self.folder / "m.model").read_bytes())
                (self.folder / "y.model").unlink()

    def test_an_interruption_that_cannot_be_said_keeps_its_code(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.Popen([harness.PROGRAM, "train", "sim", "--base", "gmf", "--out", "z.model", "--epochs",
                                        "100000", "--patience", "0", "--checkpoint-seconds", "0.001"],
                                       cwd=self.folder, env=harness.environment(), stdout=full, stderr=full)
            while not (self.folder / "z.model.checkpoint").exists():
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(harness.COMMAND_SECONDS), 130)
        self.assertTrue((self.folder / "z.model.checkpoint").exists())

    def test_a_closed_stdout_is_an_error_and_no_file_takes_its_place(self):
        for words in (["methods"], ["recommend", "m.model", "--user", "u1"]):
            code, _, said = shell(self.folder, words, ">&-")
            self.assertEqual((code, said.count("\n")), (2, 1), said)
            self.assertIn("stdout cannot be written", said)

    def test_a_reader_who_has_enough_ends_it_quietly(self):
        code, _, said = shell(self.folder, ["methods", "--markdown"], "> >(exec 0<&-; sleep 1)")
        self.assertEqual((code, said), (141, ""))
        for where in ("| head -n 1", "| true"):
            self.assertEqual(shell(self.folder, ["methods", "--markdown"], where)[2], "")


class OddNames(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rows = harness.small_log().decode().replace("u1,", f'"{ODD}",').replace("i4,", f'"i{ODD}",')
        (cls.folder / "log.csv").write_bytes(rows.encode())
        cls.good("import", "csv", "log.csv", "--out", "odd", "--name", ODD + "\nforged 1")
        cls.good("train", "odd", "--base", "gmf", "--out", "odd.model", "--epochs", 1, "--quiet")

    def assert_plain(self, text):
        odd = [c for c in text if (ord(c) < 32 and c != "\n") or c in ODD[1:-1] and not " " <= c <= "~"]
        self.assertEqual(odd, [], repr(text))

    def test_tables_and_lines_show_them(self):
        for words in (["doctor", "odd"], ["evaluate", "odd.model", "odd"], ["recommend", "odd.model", "--user", ODD],
                      ["import", "csv", "log.csv", "--out", "odd2", "--name", ODD + "\nforged 1"]):
            with self.subTest(words[0]):
                done = self.good(*words)
                self.assert_plain(done.stdout.decode())
                self.assert_plain(done.stderr.decode())
                self.assertNotIn("\nforged", done.stdout.decode())
                if words[0] != "recommend":
                    self.assertIn(SEEN + "\\nforged 1", done.stdout.decode())

    def test_json_escapes_them_and_reads_back(self):
        done = self.good("doctor", "odd", "--json")
        self.assert_plain(done.stdout.decode())
        self.assertEqual(self.json("doctor", "odd")["name"], ODD + "\nforged 1")

    def test_csv_keeps_them_for_programs_and_shows_them_on_a_terminal(self):
        words = ["score", "odd.model", "--pairs", "odd/test.csv"]
        self.assertIn(ODD, self.good(*words).stdout.decode())
        code, seen = on_a_terminal(self.folder, words)
        self.assertEqual(code, 0)
        self.assert_plain(seen)
        self.assertIn(SEEN, seen)


if __name__ == "__main__":
    harness.main()
