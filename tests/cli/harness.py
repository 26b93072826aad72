# What the tests of the command line share: running the program, folders of their own, small logs.
"""Each test file is run as `FILE.py PROGRAM`; EQUIPOISE_* variables of the caller are kept out."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = None
COMMAND_SECONDS = int(os.environ.get("EQUIPOISE_COMMAND_SECONDS", "120"))  # the most that one may take


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("EQUIPOISE_")}
    return {**kept, **more}


def sanitized():
    """Whether the program was built with a sanitizer, whose memory is not the program's."""
    code = pathlib.Path(PROGRAM).read_bytes()
    return b"__asan_init" in code or b"__tsan_init" in code


def small_log(users=30, items=36, every=3):
    """A log whose labels follow from the ids alone: user u was shown every third item."""
    rows = ["user,item,label"]
    for u in range(users):
        for i in range(items):
            if (u + i) % every == 0:
                rows.append(f"u{u},i{i},{int((u * 7 + i * 5) % 11 < 5)}")
    return ("\n".join(rows) + "\n").encode()


class Case(unittest.TestCase):
    """Every test class has one folder; `files` names what is in it."""

    @classmethod
    def setUpClass(cls):
        cls._folder = tempfile.TemporaryDirectory(prefix="equipoise-cli-")
        cls.folder = pathlib.Path(cls._folder.name)

    @classmethod
    def tearDownClass(cls):
        cls._folder.cleanup()

    @classmethod
    def start(cls, *arguments, **options):
        options.setdefault("env", environment())
        return subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=cls.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    @classmethod
    def call(cls, *arguments, **options):
        options.setdefault("env", environment())
        options.setdefault("stdout", subprocess.PIPE)
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=cls.folder, stderr=subprocess.PIPE,
                              timeout=COMMAND_SECONDS, check=False, **options)

    @classmethod
    def good(cls, *arguments, **options):
        done = cls.call(*arguments, **options)
        if done.returncode != 0:
            raise AssertionError(f"{arguments} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    @classmethod
    def json(cls, *arguments, **options):
        return json.loads(cls.good(*arguments, "--json", "--quiet", **options).stdout)

    def files(self, below="."):
        return sorted(str(path.relative_to(self.folder)) for path in (self.folder / below).rglob("*"))

    def assert_refused(self, done, codes, words):
        """One line on stderr that says `words`, nothing on stdout, one of the exit codes."""
        said = done.stderr.decode(errors="replace")
        self.assertIn(done.returncode, codes if isinstance(codes, tuple) else (codes,), said)
        self.assertEqual(said.count("\n"), 1, said)
        self.assertTrue(said.startswith("equipoise: ") and said.endswith("\n"), said)
        self.assertFalse([c for c in said[:-1] if ord(c) < 32 or ord(c) == 127], repr(said))
        self.assertIn(words, said)
        self.assertFalse(done.stdout)


def main():
    global PROGRAM
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(module="__main__", verbosity=2)
