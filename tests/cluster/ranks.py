# What the tests of jobs over ranks share: mpirun beside the plain program, and stores without their clocks.
"""Each test file is run as `FILE.py PROGRAM PROGRAM_WITH_RANKS`; mpirun is found on PATH."""
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import harness  # noqa: E402

OVER_RANKS = None
QUIET = ["-q", "--oversubscribe", "--mca", "odls_base_sigkill_timeout", "2"]  # errors are the program's own one line, as docs/cluster.md says


def environment(**more):
    return harness.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **more)


class Case(harness.Case):
    @classmethod
    def start_ranks(cls, ranks, *arguments):
        """One command on so many ranks; where `ranks` is a list, each rank has its own words before the arguments."""
        each = [[OVER_RANKS]] * ranks if isinstance(ranks, int) else ranks
        words = ["mpirun", *QUIET]
        for k, program in enumerate(each):
            words += ([":"] if k else []) + ["-n", "1", *program, *map(str, arguments)]
        return subprocess.Popen(words, cwd=cls.folder, env=environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @classmethod
    def ranks(cls, ranks, *arguments):
        run = cls.start_ranks(ranks, *arguments)
        out, said = run.communicate(timeout=harness.COMMAND_SECONDS)
        return subprocess.CompletedProcess(run.args, run.returncode, out, said)

    @classmethod
    def good_ranks(cls, ranks, *arguments):
        done = cls.ranks(ranks, *arguments)
        if done.returncode != 0:
            raise AssertionError(f"{done.args} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    @classmethod
    def trials(cls, store):
        """What is stored of every trial but the clock."""
        with sqlite3.connect(cls.folder / store / "runs.sqlite") as database:
            trials = database.execute("SELECT source, arm, stage, rung, number, seed, settings, failed, error, valid, "
                                      "training, data, version FROM trials ORDER BY 1, 2, 3, 4, 5").fetchall()
            measured = database.execute(
                "SELECT source, arm, stage, rung, number, protocol, summary, users, per_user_metrics, per_user, "
                "resampled_metrics, resampled FROM evaluations JOIN trials ON trial = id ORDER BY 1, 2, 3, 4, 5, 6").fetchall()
        return trials, measured


def main():
    global OVER_RANKS
    if len(sys.argv) < 3 or not shutil.which("mpirun"):
        print(": Skipped\nMPI is not installed (tools/setup mpi)")
        sys.exit(0)
    OVER_RANKS = os.path.abspath(sys.argv.pop(2))
    harness.main()
