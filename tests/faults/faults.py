# What the fault tests share: command lines as data, how much is to be done, and figures for the report.
"""Each test file is run as `FILE.py PROGRAM SHIM`. EQUIPOISE_TORTURE is the budget of the long run, in kills."""
import dataclasses
import json
import os
import pathlib
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import harness  # noqa: E402

BUDGET = int(os.environ.get("EQUIPOISE_TORTURE", "0"))
SHIM = None
TINY = ["--users", 60, "--items", 10, "--width", 2]


def amount(quick, long):
    """How often: `quick` in `make test`; in `make torture` the share of the budget that `long` of 2,000 kills is."""
    return max(quick, BUDGET * long // 2000) if BUDGET else quick


def figure(words):
    print(f"\nfigure: {words}", file=sys.stderr, flush=True)  # on a line of its own, whatever is there already


@dataclasses.dataclass(frozen=True)
class Job:
    """A command line that leaves one file, and what it may leave beside it while it is under way."""
    name: str
    words: tuple
    output: str
    checkpoint: str = ""


def train(name, base, *more, method="base"):
    base = ["--base", base] if base else []
    return Job(name, ("train", "sim", "--method", method, *base, "--out", f"{name}.model", "--patience", 0, "--quiet",
                      "--threads", 1, "--force", *more), f"{name}.model", f"{name}.model.checkpoint")


def header_of(path):
    """The header of a model or checkpoint, straight from its bytes."""
    with open(path, "rb") as file:
        return json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))


def step_of(path):
    return json.loads(header_of(path)["__metadata__"]["position"])["step"]


class Case(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", *TINY)

    def path(self, name):
        return self.folder / name

    def names(self):
        return {path.name for path in self.folder.iterdir()} - {"sim"}

    def clear(self, *names):
        for name in filter(None, names):
            self.path(name).unlink(missing_ok=True)

    def whole(self, job, *more):
        """The bytes of the job's file when nothing goes wrong, and how long that took; the file is gone again."""
        begin = time.monotonic()
        self.good(*job.words, *more)
        took = time.monotonic() - begin
        content = self.path(job.output).read_bytes()
        self.clear(job.output)
        return content, took

    def run_spoiled(self, job, order, log=None):
        """Runs the job with the shim; its files are then below this folder, as the shim wants them named."""
        words = [str(self.path(w)) if w in (job.output, job.checkpoint) else w for w in job.words]
        environment = harness.environment(LD_PRELOAD=SHIM, EQUIPOISE_FAULT_FOLDER=str(self.folder),
                                          EQUIPOISE_FAULT=order, EQUIPOISE_FAULT_LOG=str(log or ""))
        return subprocess.run([harness.PROGRAM, *map(str, words)], cwd=self.folder, env=environment, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def main():
    global SHIM
    SHIM = os.path.abspath(sys.argv.pop(2))
    harness.main()
