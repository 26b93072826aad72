# What holds large logs within bounds: lists for all users, the zipf law, memory said and limited, the cache.
import csv

import harness

TRAIN = ["--method", "base", "--base", "gmf", "--epochs", "2", "--quiet"]


class Scale(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 400, "--items", 700, "--law", "zipf", "--rows", 3000, "--width", 4,
                 "--quiet")
        cls.good("train", "sim", "--out", "gmf.model", *TRAIN)

    def cache(self, *more):
        return ["--cache-folder", self.folder / "cache", "--cache-from-mb", "0", *more]

    def copies(self):
        return [path for path in (self.folder / "cache").glob("*") if path.is_file()]

    def test_all_users_have_the_lists_of_each(self):
        for threads in (1, 2):
            self.good("recommend", "gmf.model", "--all-users", "--k", 5, "--out", f"all{threads}.csv", "--threads", threads)
        text = (self.folder / "all1.csv").read_bytes()
        self.assertEqual(text, (self.folder / "all2.csv").read_bytes())
        self.assertEqual(text, self.good("recommend", "gmf.model", "--all-users", "--k", 5).stdout)
        rows = list(csv.DictReader(text.decode().splitlines()))
        self.assertEqual(len(rows), 400 * 5)
        for user in ("u1", "u77", "u400"):
            one = self.json("recommend", "gmf.model", "--user", user, "--k", 5)["users"][0]["items"]
            mine = [(row["item"], float(row["score"])) for row in rows if row["user"] == user]
            self.assertEqual(mine, [(item["item"], item["score"]) for item in one])

    def test_who_is_to_get_lists_must_be_said_once(self):
        self.assert_refused(self.call("recommend", "gmf.model"), 2, "--all-users")
        self.assertEqual(self.call("recommend", "gmf.model", "--all-users", "--user", "u1").returncode, 2)

    def test_zipf_has_the_rows_asked_for(self):
        summary = self.json("simulate", "other", "--users", 300, "--items", 500, "--law", "zipf", "--rows", 900)
        self.assertEqual((summary["users"], summary["items"], summary["train"]), (300, 500, 900))
        self.assert_refused(self.call("simulate", "no", "--rows", 900), 2, "zipf")
        self.assert_refused(self.call("simulate", "no", "--users", 300, "--law", "zipf", "--rows", 299), 2, "rows = 299")
        self.assertFalse((self.folder / "no").exists())

    def test_memory_is_said_and_limited(self):
        told = self.good("train", "sim", "--out", "told.model", *TRAIN[:-1]).stderr.decode()
        self.assertIn("this will take about", told)
        self.assertIn("the optimiser's memory", told)
        for limit in ("1M", "100K"):
            done = self.call("train", "sim", "--out", "no.model", "--memory-limit", limit, *TRAIN)
            self.assert_refused(done, 1, "training would take about")
        self.assert_refused(self.call("train", "sim", "--out", "no.model", "--memory-limit", "much", *TRAIN), 2,
                            "no amount of memory")
        self.assertFalse((self.folder / "no.model").exists())
        self.good("train", "sim", "--out", "limited.model", "--memory-limit", "4GiB", *TRAIN)
        self.assertEqual((self.folder / "limited.model").read_bytes(), (self.folder / "gmf.model").read_bytes())

    def test_the_second_start_is_from_the_cache_and_the_same(self):
        for source in ("sim", "sim/train.csv"):
            with self.subTest(source):
                before = len(self.copies())
                outs = [f"{source.replace('/', '-')}{n}.model" for n in range(4)]
                self.good("train", source, "--out", outs[0], *TRAIN, *self.cache("--no-cache"))
                self.assertEqual(len(self.copies()), before)
                self.good("train", source, "--out", outs[1], *TRAIN, *self.cache())
                self.assertEqual(len(self.copies()), before + 1)
                self.good("train", source, "--out", outs[2], *TRAIN, *self.cache(), "--threads", 1)
                newest = max(self.copies(), key=lambda path: path.stat().st_mtime_ns)
                newest.write_bytes(newest.read_bytes()[:-1] + b"x")
                self.good("train", source, "--out", outs[3], *TRAIN, *self.cache())
                first = (self.folder / outs[0]).read_bytes()
                for out in outs[1:]:
                    self.assertEqual((self.folder / out).read_bytes(), first)
        a = self.good("evaluate", "gmf.model", "sim", "--json", *self.cache()).stdout
        self.assertEqual(a, self.good("evaluate", "gmf.model", "sim", "--json", "--no-cache").stdout)


if __name__ == "__main__":
    harness.main()
