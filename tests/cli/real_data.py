# What `import` says of the public data sets, where they are there: EQUIPOISE_DATA or ../shared/data.
import os
import pathlib
import unittest

import harness

DATA = pathlib.Path(os.environ.get("EQUIPOISE_DATA") or harness.ROOT.parent / "shared" / "data")


def needs(name):
    return unittest.skipUnless((DATA / name).is_dir(), f"there is no data set {name} in EQUIPOISE_DATA")


class RealData(harness.Case):
    def figures(self, source, folder):
        return self.json("import", source, DATA / folder, "--out", source)

    @needs("coat")
    def test_coat(self):
        said = self.figures("coat", "coat")
        self.assertEqual([said[key] for key in ("users", "items", "train")], [290, 300, 6594])
        self.assertEqual(said["valid"] + said["test"], 4640)

    @needs("pcic")
    def test_pcic(self):
        said = self.figures("pcic", "pcic")
        self.assertEqual([said[key] for key in ("train", "leaks_removed")], [19121, 300])
        self.assertEqual(said["valid"] + said["test"], 2039)

    @needs("ml-100k")
    def test_movielens(self):
        said = self.figures("movielens", "ml-100k")
        self.assertEqual([said[key] for key in ("users", "items")], [943, 1682])
        self.assertEqual(said["train"] + said["valid"] + said["test"], 100000)


if __name__ == "__main__":
    harness.main()
