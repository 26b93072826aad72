# The manual: pages that man renders without a warning, and completion in the shells themselves.
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

import harness

TYPED = (("equipoise tr", "train"), ("equipoise train --learning-r", "--learning-rate"),
         ("equipoise train sim --method rec", "recalibration"), ("equipoise train --optimizer=adag", "adagrad"),
         ("equipoise import kuaire", "kuairec"), ("equipoise methods recal", "recalibration"),
         ("equipoise compare sim --methods base,recal", "base,recalibration"), ("equipoise help comp", "compare"),
         ("equipoise recommend onefi", "onefile.model"), ("equipoise train sim --config onefi", "onefile.model"))


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"no {program} on this machine")


class Manual(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bin = cls.folder / "bin"
        cls.bin.mkdir()
        (cls.bin / "equipoise").symlink_to(harness.PROGRAM)
        (cls.folder / "onefile.model").write_text("")
        cls.verbs = re.findall(r"^  ([a-z]+) ", cls.good("--help").stdout.decode().split("Start here")[0], re.M)

    def write(self, shell):
        path = self.folder / ("_equipoise" if shell == "zsh" else f"equipoise.{shell}")
        path.write_bytes(self.good("manual", shell).stdout)
        return path

    @needs("man")
    def test_man_renders_every_page_without_a_warning(self):
        self.assertGreater(len(self.verbs), 15)
        for verb in ("", *self.verbs):
            with self.subTest(verb=verb):
                source = self.good("manual", "man", *([verb] if verb else [])).stdout
                path = self.folder / "page.1"
                path.write_bytes(source)
                done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", path], capture_output=True,
                                      check=False, env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                text = re.sub(".\b", "", done.stdout.decode())
                self.assertIn("EXIT STATUS", text)
                self.assertIn(f"equipoise-{verb}" if verb else "equipoise-train", re.sub("\u2010", "-", text))

    def test_a_page_has_every_flag_of_its_verb(self):
        for verb in ("train", "compare", "serve"):
            page = self.good("manual", "man", verb).stdout.decode().replace("\\-", "-")
            for flag in re.findall(r"^  (--[a-z0-9-]+)", self.good(verb, "--help").stdout.decode(), re.M):
                self.assertIn(f"\\fB{flag}\\fR", page)
            groups = re.findall(r"^\.SS (.*)", page, re.M)
            self.assertEqual(len(groups), len(set(groups)), groups)

    def test_what_it_cannot_print_it_refuses(self):
        self.assert_refused(self.call("manual", "tcsh"), 2, "not 'tcsh'")
        self.assert_refused(self.call("manual", "man", "trian"), 2, "there is no verb 'trian'")
        self.assert_refused(self.call("manual", "zsh", "train"), 2, "takes no VERB")

    def typed(self, start, line, prompt):
        """The line as a terminal shows it after the Tab key."""
        try:
            pid, terminal = pty.fork()
        except OSError as error:
            self.skipTest(f"no terminal on this machine: {error}")
        if pid == 0:
            os.chdir(self.folder)
            os.environ.update(PATH=f"{self.bin}:{os.environ['PATH']}", TERM="xterm", LC_ALL="C.UTF-8", HOME=str(self.folder))
            os.execvp(start[0], start)
        shown = b""

        def until(found, seconds):
            nonlocal shown
            end = time.monotonic() + seconds
            while time.monotonic() < end and not found(shown):
                if select.select([terminal], [], [], 0.1)[0]:
                    try:
                        shown += os.read(terminal, 65536)
                    except OSError:
                        break

        try:
            until(lambda text: prompt in text, 20)
            shown = b""
            os.write(terminal, line.encode() + b"\t")
            wanted = line.split(" ")[-1].encode()
            until(lambda text: text.count(wanted) and len(text) > len(line) + 2, 10)
            until(lambda text: False, 0.5)
        finally:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            os.close(terminal)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|[\r\x07]", "", shown.decode(errors="replace"))

    def check(self, start, prompt):
        for line, word in TYPED:
            with self.subTest(line=line):
                self.assertIn(word, self.typed(start, line, prompt))

    @needs("bash")
    def test_bash(self):
        script = self.write("bash")
        rc = self.folder / "bashrc"
        rc.write_text(f"PS1='READY> '\nbind 'set enable-bracketed-paste off'\nsource {script}\n")
        self.check(["bash", "--noprofile", "--rcfile", str(rc), "-i"], b"READY> ")

    @needs("zsh")
    def test_zsh(self):
        self.write("zsh")
        (self.folder / ".zshrc").write_text(
            f"PS1='READY> '\nfpath=({self.folder} $fpath)\nautoload -Uz compinit\ncompinit -u -d {self.folder}/dump\n")
        os.environ["ZDOTDIR"] = str(self.folder)
        self.check(["zsh", "-d", "-i"], b"READY> ")

    @needs("fish")
    def test_fish(self):
        script = self.write("fish")
        for line, word in TYPED:
            with self.subTest(line=line):
                done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C {line!r}"], check=False,
                                      capture_output=True, text=True, cwd=self.folder,
                                      env={**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"})
                self.assertEqual(done.stderr, "")
                found = [row.split("\t")[0] for row in done.stdout.splitlines()]
                self.assertTrue(any(row.endswith(word) for row in found), found)


if __name__ == "__main__":
    harness.main()
