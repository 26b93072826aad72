# A kill or an error at every system call of writing a data set: the old folder or the new one, and a retry works.
import errno
import shutil

import faults

SMALL = ("--users", 8, "--items", 4, "--width", 1, "--list-length", 2, "--truth", "--quiet")


class Folders(faults.Case):
    def content(self, name):
        return {path.name: path.read_bytes() for path in self.path(name).iterdir()} if self.path(name).exists() else None

    def strays(self):
        return {name for name in self.names() if ".tmp-" in name}

    def spoiled(self, order, out, log=None):
        return self.run_spoiled(faults.Job("set", ("simulate", out, *SMALL, "--seed", 2), out), order, log)

    def check(self, old, new, order):
        """One fault while the data set `old` (a name, or nothing) is replaced by `new`."""
        if old:
            shutil.copytree(self.path(old), self.path("out"))
        before, after = self.content("out"), self.content(new)
        done = self.spoiled(order, "out")
        found = self.content("out")
        with self.subTest(old=old, order=order):
            if done.returncode == 0:
                self.assertEqual(found, after)
            else:
                self.assertIn(found, (before, after), "neither the old data set nor the new one")
            if done.returncode == 2:
                self.assertEqual(self.strays(), set(), done.stderr)
                self.assertNotIn(b".tmp-", done.stderr)
            retried = self.spoiled("", "out")
            self.assertEqual(retried.returncode, 0, retried.stderr)
            self.assertEqual(self.content("out"), after)
            self.assertEqual(self.strays(), set(), "what killed writers left is swept away")
        shutil.rmtree(self.path("out"), ignore_errors=True)

    def test_every_call_of_writing_a_data_set(self):
        self.good("simulate", "first", *SMALL)
        self.good("simulate", "second", *SMALL, "--seed", 2)
        self.assertNotEqual(self.content("first"), self.content("second"))
        for old in ("", "first"):
            if old:
                shutil.copytree(self.path(old), self.path("out"))
            self.assertEqual(self.spoiled("", "out", self.path("calls")).returncode, 0)
            names = self.path("calls").read_text().split()
            shutil.rmtree(self.path("out"))
            self.clear("calls")
            self.assertIn("renameat2" if old else "rename", names)
            actions = ("kill", "after", "torn", str(errno.ENOSPC), str(errno.EIO)) if faults.BUDGET else \
                ("after", str(errno.ENOSPC))
            if old:  # a file system that cannot exchange names
                self.check(old, "second", f"{names.index('renameat2') + 1} {errno.EINVAL}")
            for number, call in enumerate(names, 1):
                for action in actions if faults.BUDGET else (actions[number % 2],):  # quick: a kill, an error, a kill …
                    if action != "torn" or call == "write":
                        self.check(old, "second", f"{number} {action}")
            faults.figure(f"data set {'replaced' if old else 'made'}: faults ({', '.join(actions)}) at {len(names)} "
                          "system calls: the old or the new data set every time")


if __name__ == "__main__":
    faults.main()
