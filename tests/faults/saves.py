# A kill or an error at every system call of a save: the old file or the new one, never another, and no stray model.
import errno

import faults

ERRORS = (errno.ENOSPC, errno.EIO)
ACTIONS = ("kill", "after", "torn", "short", *map(str, ERRORS))
SMALL = ("--embedding", 2, "--epochs", 1)
JOBS = [faults.train("model", "gmf", *SMALL),
        faults.train("kept", "gmf", *SMALL, "--batch-size", 256, "--checkpoint-seconds", "0.000001"),
        faults.Job("scores", ("score", "given.model", "--pairs", "sim/test.csv", "--out", "scores.csv", "--quiet", "--force"),
                   "scores.csv")]


class Saves(faults.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("train", "sim", "--base", "gmf", *SMALL, "--seed", 2, "--out", "given.model", "--quiet")

    def calls(self, job):
        log = self.path("calls")
        done = self.run_spoiled(job, "", log)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = log.read_text().split()
        self.clear("calls", job.output)
        for needed in ("open", "flock", "write", "fsync", "close", "rename", "unlink"):
            self.assertIn(needed, names)
        return names

    def check_strays(self, job, whole):
        """What is left beside the file has a name that nobody takes for a model's, and is swept by the next run."""
        for stray in self.names() - {job.output, job.checkpoint, "given.model"}:
            self.assertRegex(stray, rf"^({job.output}|{job.checkpoint or job.output})\.tmp-[0-9]+-[0-9]+$")
        self.good(*job.words)
        self.assertEqual(self.path(job.output).read_bytes(), whole)
        self.assertEqual(self.names() - {job.output, "given.model"}, set())

    def check_checkpoint(self, job, whole):
        if job.checkpoint and self.path(job.checkpoint).exists():
            self.good(*job.words, "--resume")
            self.assertEqual(self.path(job.output).read_bytes(), whole)

    def spoil(self, job, call, order, old, whole):
        self.path(job.output).write_bytes(old)
        done = self.run_spoiled(job, order)
        killed = order.split()[1] in ("kill", "after", "torn")
        with self.subTest(job.name, call=call, order=order):
            if killed:
                self.assertEqual(done.returncode, -9, done.stderr)
            else:  # 2 where it could not be written; 0 where that did not matter
                self.assertIn(done.returncode, (0, 2), done.stderr)
            found = self.path(job.output).read_bytes()
            self.assertIn(found, (old, whole), "neither the old file nor the new one")
            if done.returncode == 0:
                self.assertEqual(found, whole)
            elif done.returncode == 2:
                self.assertIn(str(self.path(job.output)), done.stderr.decode())
                strays = self.names() - {job.output, job.checkpoint, "given.model"}
                self.assertEqual(strays, set(), "an error leaves nothing behind")
            self.check_checkpoint(job, whole)
            self.check_strays(job, whole)
        self.clear(job.output, job.checkpoint)

    def test_every_call_of_a_save(self):
        for job in JOBS:
            whole, _ = self.whole(job)
            old = self.path("given.model").read_bytes()
            names = self.calls(job)
            actions = ACTIONS if faults.BUDGET else ("torn", "after", str(errno.ENOSPC))
            runs = 0
            for number, call in enumerate(names, 1):
                for action in actions:
                    if action in ("torn", "short") and call != "write":
                        continue
                    runs += 1
                    self.spoil(job, call, f"{number} {action}", old, whole)
            faults.figure(f"{job.name}: {runs} faults at {len(names)} system calls ({', '.join(sorted(set(names)))}; "
                          f"{', '.join(actions)}): the old or the new file every time, no stray file taken for one")


if __name__ == "__main__":
    faults.main()
