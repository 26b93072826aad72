# No room, no permission, no memory: one line that says so, the old file untouched, nothing left behind.
import collections
import os
import pathlib
import resource
import shutil
import subprocess

import faults

JOB = faults.train("mlp", "mlp", "--embedding", 64, "--epochs", 1)
PLAIN = faults.train("gmf", "gmf", "--embedding", 2000, "--epochs", 1, "--no-features", "--history", "none")


CBR = faults.train("cbr", "mlp", "--epochs", 1, method="cbr")
COMPARE = ("compare", "sim", "--methods", "base,cbr", "--bases", "mlp", "--seeds", 1, "--epochs", 1, "--quiet", "--k", 3,
           "--out", "runs")


class Mounted:
    """A small file system of memory; None where this user may not mount one."""

    def __init__(self, folder, options):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.folder], check=False,
                                   stderr=subprocess.DEVNULL).returncode == 0

    def __enter__(self):
        return self if self.done else None

    def __exit__(self, *_):
        if self.done:
            subprocess.run(["umount", self.folder], check=True)

    def remount(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", self.folder], check=True)


class Limits(faults.Case):
    def elsewhere(self, out):
        return [str(out) if w == JOB.output else w for w in JOB.words]

    def test_a_full_disk(self):
        whole, _ = self.whole(JOB)
        with Mounted(self.path("small"), f"size={len(whole) // 2 // 4096 * 4096}") as disk:
            if disk is None:
                self.skipTest("no right to mount a small disk; a limit of a file's size is tested below")
            out = disk.folder / JOB.output
            out.write_bytes(b"old")
            self.assert_refused(self.call(*self.elsewhere(out)), 2, "No space left on device")
            self.assertEqual([path.name for path in disk.folder.iterdir()], [JOB.output])
            self.assertEqual(out.read_bytes(), b"old")
            checkpoint = self.call(*self.elsewhere(out), "--checkpoint-seconds", "0.000001", "--batch-size", 64)
            said = checkpoint.stderr.decode()
            self.assertIn("no checkpoint at step 1", said)
            self.assertIn("training goes on", said)
            self.assertEqual(out.read_bytes(), b"old")

    def test_a_folder_that_only_can_be_read(self):
        with Mounted(self.path("fixed"), "size=1m") as disk:
            if disk is None:
                (self.path("fixed") / JOB.output).write_bytes(b"old")
                os.chmod(self.path("fixed"), 0o500)
                self.addCleanup(os.chmod, self.path("fixed"), 0o700)
            else:
                (disk.folder / JOB.output).write_bytes(b"old")
                disk.remount("ro")
            done = self.call(*self.elsewhere(self.path("fixed") / JOB.output))
            self.assert_refused(done, 2, "cannot be written")
            self.assertEqual((self.path("fixed") / JOB.output).read_bytes(), b"old")

    def test_files_that_may_not_grow(self):
        whole, _ = self.whole(JOB)
        for size in (0, 1, 4096, len(whole) - 1):
            self.path(JOB.output).write_bytes(b"old")
            done = self.call(*JOB.words,
                             preexec_fn=lambda n=size: resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)))
            self.assert_refused(done, 2, "File too large")
            self.assertEqual(self.path(JOB.output).read_bytes(), b"old")
            self.assertEqual(self.names() & {JOB.output + ".checkpoint"}, set())

    def limited(self, kilobytes, *words):
        limit = kilobytes << 10
        return self.call(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))

    def address_space(self, threads):
        """Limits from where the program just starts up to where all goes well; each further thread asks for more."""
        start = 8 << 10
        while self.limited(start, "--version").returncode != 0:
            start += 1 << 10
        steps = faults.amount(8, 80)
        return [start + (64 << 10) * threads * n // steps for n in range(steps)]

    def assert_one_line(self, done):
        """Warnings may come before it; nothing but what is short may be its reason."""
        said = [line for line in done.stderr.decode().splitlines() if not line.startswith("warning: ")]
        self.assertEqual(len(said), 1, done.stderr)
        self.assertRegex(said[0], "^equipoise: .*(not enough memory|threads cannot be started)")

    def assert_endings(self, name, endings):
        self.assertEqual(set(endings), {0, 1}, "one line, or the whole")
        faults.figure(f"{name}: {endings.total()} limits of address space: {endings[1]} refused with one line, "
                      f"{endings[0]} whole, 0 crashes, no file left behind")

    def test_too_little_memory(self):
        for job, threads in ((PLAIN, 1), (JOB, 1), (JOB, 2), (CBR, 2), (CBR, 4)):
            with self.subTest(job.name, threads=threads):
                whole, _ = self.whole(job)
                endings = collections.Counter()
                for limit in self.address_space(threads):
                    done = self.limited(limit, *job.words, "--threads", threads)
                    endings[done.returncode] += 1
                    if done.returncode == 0:
                        self.assertEqual(self.path(job.output).read_bytes(), whole)
                        self.clear(job.output)
                        continue
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assert_one_line(done)
                    self.assertNotIn(job.output, self.names())
                self.assert_endings(f"{job.name}, {threads} threads", endings)

    def test_other_verbs_with_too_little_memory(self):
        self.good("simulate", "wide", "--users", 1000, "--items", 100)
        self.good("train", "wide", "--method", "cbr", "--base", "mlp", "--out", "wide.model", "--epochs", 1, "--quiet")
        for words in (("doctor", "wide", "--shuffles", 19), ("recommend", "wide.model", "--all-users"),
                      ("evaluate", "wide.model", "wide")):
            whole = self.good(*words, "--threads", 1).stdout
            endings = collections.Counter()
            for limit in self.address_space(4):
                done = self.limited(limit, *words, "--threads", 4, "--quiet")
                endings[done.returncode] += 1
                if done.returncode == 0:
                    self.assertEqual(done.stdout, whole)
                else:
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assert_one_line(done)
            self.assert_endings(f"{words[0]}, 4 threads", endings)

    def test_a_comparison_with_too_little_memory(self):
        whole = self.good(*COMPARE, "--threads", 1).stdout
        for threads in (2, 4):
            endings = collections.Counter()
            for limit in self.address_space(threads):
                shutil.rmtree(self.path("runs"))
                done = self.limited(limit, *COMPARE, "--threads", threads)
                endings[done.returncode] += 1
                self.path("runs").mkdir(exist_ok=True)
                if done.returncode == 0:
                    self.assertEqual(done.stdout, whole)
                else:
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assert_one_line(done)
            self.assert_endings(f"compare, {threads} threads", endings)


if __name__ == "__main__":
    faults.main()
