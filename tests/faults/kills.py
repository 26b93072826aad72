# Killed, terminated and interrupted at random moments: nothing lost, nothing corrupt, the same bytes in the end.
import contextlib
import random
import shutil
import signal
import sqlite3
import time
import unittest

import faults

OFTEN = ("--checkpoint-seconds", "0.000001")  # after every step
JOBS = [faults.train("gmf", "gmf", "--embedding", 2, "--epochs", 20, "--batch-size", 64),
        faults.train("cbr", "mlp", "--embedding", 2, "--epochs", 4, "--batch-size", 64, method="cbr")]
COMPARE = ("compare", "sim", "--methods", "base,snips", "--bases", "gmf", "--budget", 3, "--seeds", 2, "--epochs", 6,
           "--k", 3, "--replicates", 20, "--quiet")


class Signals(faults.Case):
    def check_step(self, job, least):
        """No step that a checkpoint has kept is ever lost again."""
        if not self.path(job.checkpoint).exists():
            self.assertEqual(least, 0, "a checkpoint is gone")
            return 0
        step = faults.step_of(self.path(job.checkpoint))
        self.assertGreaterEqual(step, least)
        return step

    def finish(self, job, whole):
        self.assertEqual(self.path(job.output).read_bytes(), whole)
        self.assertFalse(self.path(job.checkpoint).exists())
        self.clear(job.output)

    def kill_often(self, job, kills, draw):
        """Each run goes on from what the one before left; one that comes to its end must have made the same file."""
        whole, took = self.whole(job, *OFTEN)
        killed = ended = resumed = step = 0
        while killed < kills or ended == 0:
            run = self.start(*job.words, "--resume", *OFTEN)
            time.sleep(draw.uniform(0, 1.2) * took)
            run.send_signal(signal.SIGKILL)
            _, said = run.communicate(timeout=60)
            if run.returncode == 0:
                ended += 1
                step = 0
                self.finish(job, whole)
                continue
            self.assertEqual(run.returncode, -signal.SIGKILL, said)
            killed += 1
            if self.path(job.output).exists():  # killed between the model and the end
                self.assertEqual(self.path(job.output).read_bytes(), whole)
                self.clear(job.output, job.checkpoint)
                step = 0
            step = self.check_step(job, step)
            resumed += step > 0
        self.good(*job.words, "--resume", *OFTEN)
        self.finish(job, whole)
        self.assertEqual(self.names(), set(), "what killed runs left is swept away")
        return killed, ended, resumed

    def test_killed(self):
        draw = random.Random(20)
        total = [0, 0, 0]
        for job in JOBS:
            counts = self.kill_often(job, faults.amount(4, 2000) // len(JOBS), draw)
            total = [a + b for a, b in zip(total, counts)]
        faults.figure(f"{total[0]} SIGKILLs at random moments of training ({total[2]} with a checkpoint left): 0 lost, "
                      f"0 corrupt; {total[1] + len(JOBS)} of {total[1] + len(JOBS)} files made in the end equal the "
                      "uninterrupted one")

    def trials(self, store):
        """What the run store holds, without the clock; it must be whole at any moment."""
        if not self.path(f"{store}/runs.sqlite").exists():
            return []
        with contextlib.closing(sqlite3.connect(self.path(f"{store}/runs.sqlite"))) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'trials'").fetchall():
                return []
            return database.execute("SELECT source, arm, stage, rung, number, seed, settings, valid, training, data "
                                    "FROM trials ORDER BY 1, 2, 3, 4, 5").fetchall()

    @unittest.skipUnless(faults.BUDGET, "the quick part is in tests/cli/compare.py")
    def test_compare_killed(self):
        draw = random.Random(22)
        begin = time.monotonic()
        table = self.good(*COMPARE, "--out", "whole").stdout
        took = time.monotonic() - begin
        killed = ended = kept = 0
        while killed < faults.amount(2, 100):
            run = self.start(*COMPARE, "--out", "killed")
            time.sleep(draw.uniform(0, 0.5) * took)
            run.send_signal(signal.SIGKILL)
            said, _ = run.communicate(timeout=60)
            trials = self.trials("killed")
            self.assertGreaterEqual(len(trials), kept, "a finished trial was lost")
            kept = len(trials)
            if run.returncode != 0:
                killed += 1
                continue
            self.assertEqual(said, table)
            self.assertEqual(trials, self.trials("whole"))
            shutil.rmtree(self.path("killed"))
            ended, kept = ended + 1, 0
        self.assertEqual(self.good(*COMPARE, "--out", "killed").stdout, table)
        self.assertEqual(self.trials("killed"), self.trials("whole"))
        for store in ("whole", "killed"):
            shutil.rmtree(self.path(store))
        faults.figure(f"{killed} SIGKILLs at random moments of compare: 0 trials lost, 0 corrupt; {ended + 1} of "
                      f"{ended + 1} tables and stores in the end equal the uninterrupted ones")

    def stop(self, job, which, wait):
        run = self.start(*[w for w in job.words if w != "--quiet"], "--resume")
        line = b"first"
        while line and b"training " not in line:  # signals are caught from there on
            line = run.stderr.readline()
        time.sleep(wait)
        run.send_signal(which)
        begin = time.monotonic()
        _, said = run.communicate(timeout=60)
        return run.returncode, time.monotonic() - begin, line + said

    def test_terminated(self):
        draw = random.Random(21)
        job = faults.train("long", "gmf", "--embedding", 2, "--epochs", 400, "--batch-size", 64)
        whole, took = self.whole(job)
        slowest = stopped = ended = step = 0
        while stopped < faults.amount(4, 200):
            which = draw.choice((signal.SIGTERM, signal.SIGINT)) if stopped % 2 else signal.SIGTERM
            code, seconds, said = self.stop(job, which, draw.uniform(0, 0.5) * took)
            slowest = max(slowest, seconds)
            self.assertLess(seconds, 2 if faults.BUDGET else 20, said)  # a test machine may be busy
            if code == 0:
                ended, step = ended + 1, 0
                self.finish(job, whole)
                continue
            self.assertEqual(code, 130, said)
            stopped += 1
            step = self.check_step(job, step)
        self.good(*job.words, "--resume")
        self.finish(job, whole)
        faults.figure(f"{stopped} SIGTERMs and SIGINTs at random moments: exit 130 with a checkpoint that was gone on "
                      f"from, slowest {slowest:.2f} s; {ended + 1} of {ended + 1} files made in the end equal the "
                      "uninterrupted one")


if __name__ == "__main__":
    faults.main()
