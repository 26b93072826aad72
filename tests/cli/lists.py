# Lists as people use them: several users, ids from files, filters, columns, formats, similar items, factors.
import csv
import io
import json
import unittest

import harness

try:
    import numpy
except ImportError:
    numpy = None

COMMA = "i,1"


class Lists(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        log = harness.small_log().decode().replace(",i1,", ',"i,1",').replace("u3,", '"u,3",')
        (cls.folder / "log.csv").write_text(log)
        items = ["item,genre,year"] + [f"i{i},{('jazz', 'rock')[i % 2]},{1990 + i}" for i in range(36) if i != 1]
        items += ['"i,1",rock,1991', "new1,jazz,2001", "new2,rock,2002"]
        (cls.folder / "items.csv").write_text("\n".join(items) + "\n")
        cls.good("import", "csv", "log.csv", "--items", "items.csv", "--out", "data", "--quiet")
        for base in ("gmf", "mlp"):
            cls.good("train", "data", "--base", base, "--epochs", 2, "--out", f"{base}.model", "--quiet")
        cls.good("train", "data", "--base", "gmf", "--history", "none", "--epochs", 2, "--out", "plain.model", "--quiet")
        cls.good("train", "data", "--method", "mean", "--out", "mean.model", "--quiet")

    def rows(self, *words, **options):
        return list(csv.DictReader(io.StringIO(self.good(*words, "--quiet", **options).stdout.decode())))

    def test_several_users_by_name(self):
        said = self.json("recommend", "gmf.model", "--user", "u1", "--user", "u,3", "--k", 3)
        self.assertEqual([(one["user"], one["known"]) for one in said["users"]],
                         [("u1", "trained"), ("u,3", "trained")])
        done = self.good("recommend", "gmf.model", "--user", "u1", "--user", "u,3", "--k", 3)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines[0].split()[:3], ["user", "rank", "item"])
        self.assertEqual(len(lines), 7)
        alone = self.json("recommend", "gmf.model", "--user", "u,3", "--k", 3)
        self.assertEqual(alone["users"][0], said["users"][1])

    def test_ids_with_commas_from_files(self):
        (self.folder / "some.csv").write_text('item,why\n"i,1",x\ni4,y\nnew1,z\n')
        words = ["recommend", "gmf.model", "--user", "u1", "--include-seen", "--candidates-file", "some.csv"]
        self.assertEqual({one["item"] for one in self.json(*words)["users"][0]["items"]}, {COMMA, "i4", "new1"})
        (self.folder / "less.csv").write_text('item\n"i,1"\n')
        left = self.json(*words, "--exclude-file", "less.csv")["users"][0]["items"]
        self.assertEqual({one["item"] for one in left}, {"i4", "new1"})
        self.assert_refused(self.call(*words, "--exclude-file", "log.tsv"), 3, "log.tsv")
        self.assert_refused(self.call(*words, "--exclude-file", "less.csv", "--out", "less.csv"), 2, "is an input")

    def test_filters_and_columns(self):
        rows = self.rows("recommend", "gmf.model", "--users", "-", "--k", 50, "--include-seen", "--filter",
                         "genre=jazz;year=1990,1992,2001", "--columns", "genre,year", input=b"user\nu1\n")
        self.assertEqual({(row["item"], row["genre"], row["year"], row["known"]) for row in rows},
                         {("i0", "jazz", "1990", "trained"), ("i2", "jazz", "1992", "trained"),
                          ("new1", "jazz", "2001", "features_only")})
        one = self.json("recommend", "gmf.model", "--user", "u1", "--candidates", "i4", "--columns", "year",
                        "--include-seen")
        self.assertEqual(one["users"][0]["items"][0]["columns"], {"year": "1994"})
        self.assert_refused(self.call("recommend", "gmf.model", "--user", "u1", "--columns", "yaer"), 2, "year")
        self.assert_refused(self.call("recommend", "gmf.model", "--user", "u1", "--filter", "genre=pop"), 2, "genre")

    def test_new_items_are_said_to_be_new(self):
        words = ["recommend", "gmf.model", "--user", "u1", "--k", 2, "--candidates"]
        self.assertIn("known", self.good(*words, "new1,i4").stdout.decode().splitlines()[0])
        self.assertNotIn("known", self.good(*words, "i4").stdout.decode())
        items = self.json(*words, "new1,i4")["users"][0]["items"]
        self.assertEqual({one["item"]: one.get("known") for one in items}, {"new1": "features_only", "i4": None})

    def test_formats_tell_the_same(self):
        words = ["recommend", "gmf.model", "--all-users", "--k", 2]
        whole = self.json(*words)
        lines = self.good(*words, "--format", "jsonl", "--quiet").stdout.decode().splitlines()
        self.assertEqual([json.loads(line) for line in lines], whole["users"])
        rows = self.rows(*words)
        flat = [(u["user"], i["item"], i["score"]) for u in whole["users"] for i in u["items"]]
        self.assertEqual([(row["user"], row["item"], float(row["score"])) for row in rows], flat)
        self.good(*words, "--format", "jsonl", "--out", "lists.jsonl", "--quiet")
        self.assertEqual((self.folder / "lists.jsonl").read_text().splitlines(), lines)
        self.good(*words, "--out", "lists.jsonl", "--quiet")  # our own file
        self.assertTrue((self.folder / "lists.jsonl").read_text().startswith("user,rank,item,score,known\n"))
        self.assert_refused(self.call(*words, "--format", "jsnl"), 2, "jsonl")
        self.assert_refused(self.call(*words, "--format", "table", "--out", "x.txt"), 2, "csv or jsonl")
        self.assert_refused(self.call(*words, "--format", "csv", "--json"), 2, "both want stdout")
        (self.folder / "theirs.jsonl").write_text('{"user":"u1","item":"i1"}\n')
        self.assert_refused(self.call(*words, "--out", "theirs.jsonl"), 2, "force = true")

    def test_lists_of_all_users_say_how_they_vary(self):
        done = self.good("recommend", "gmf.model", "--all-users", "--k", 3, "--out", "all.csv")
        rows = list(csv.DictReader(io.StringIO((self.folder / "all.csv").read_text())))
        different = len({row["item"] for row in rows})
        self.assertIn(f"the lists of 30 users hold {different} different items", done.stderr.decode())
        said = self.json("recommend", "gmf.model", "--all-users", "--k", 3)["variety"]
        self.assertEqual((said["lists"], said["different_items"]), (30, different))
        counts = [sum(row["item"] == item for row in rows) for item in {row["item"] for row in rows}]
        self.assertAlmostEqual(said["difference"], 1 - sum(c * (c - 1) for c in counts) / (29 * 90))
        self.assertEqual(said["most_lists"], max(counts))
        done = self.good("recommend", "mean.model", "--all-users", "--include-seen", "--k", 1)
        self.assertIn("is in 30 of 30 lists", done.stderr.decode())

    def test_somebody_new_by_items(self):
        self.good("train", "data", "--base", "gmf", "--history", "both", "--epochs", 2, "--out", "h.model", "--quiet")
        said = self.json("recommend", "h.model", "--history", "i4:1,i5", "--k", 50)["users"][0]
        self.assertEqual((said["user"], said["known"]), (None, "history"))
        self.assertFalse({"i4", "i5"} & {one["item"] for one in said["items"]})
        (self.folder / "more.csv").write_text("user,item,label\nu99,i4,1\nu99,i5,\nu1,new1,1\n")
        same = self.json("recommend", "h.model", "--user", "u99", "--more-rows", "more.csv", "--k", 50)["users"][0]
        self.assertEqual(same["items"], said["items"])
        scores = {row["item"]: float(row["score"]) for row in self.rows(
            "score", "h.model", "--pairs", "-", "--more-rows", "more.csv", input=b"user,item\nu99,i7\nu99,i9\n")}
        self.assertEqual(scores, {one["item"]: one["score"] for one in said["items"] if one["item"] in scores})
        plain = self.rows("score", "h.model", "--pairs", "-", input=b"user,item\nu99,i7\n")
        self.assertNotEqual(float(plain[0]["score"]), scores["i7"])
        every = self.json("recommend", "h.model", "--all-users", "--more-rows", "more.csv", "--k", 50)["users"]
        mine = next(one for one in every if one["user"] == "u1")
        self.assertNotIn("new1", [one["item"] for one in mine["items"]])
        done = self.good("recommend", "plain.model", "--user", "u1", "--history", "i4:1")
        self.assertIn("trained without history", done.stderr.decode())

    def test_names_are_in_every_list_and_users_are_forgotten(self):
        log = harness.small_log().decode().replace("user,item,label", "user,item,label,title").splitlines()
        rows = [log[0]] + [f'{row},"Film, {row.split(",")[1]}"' for row in log[1:]]
        (self.folder / "named.csv").write_text("\n".join(rows) + "\n")
        self.good("train", "named.csv", "--item-name-column", "title", "--base", "gmf", "--epochs", 1, "--quiet",
                  "--out", "named.model")
        one = self.json("recommend", "named.model", "--user", "u1", "--k", 3)["users"][0]["items"]
        self.assertEqual([item["name"] for item in one], [f"Film, {item['item']}" for item in one])
        for row in self.rows("recommend", "named.model", "--all-users", "--k", 2):
            self.assertEqual(row["name"], f"Film, {row['item']}")
        self.assertIn("Film, i", self.good("recommend", "named.model", "--user", "u1").stdout.decode())
        near = self.json("similar", "named.model", "i4", "--k", 2)
        self.assertEqual((near["name"], near["items"][0]["name"]), ("Film, i4", f"Film, {near['items'][0]['item']}"))
        before = self.json("recommend", "named.model", "--user", "u2", "--k", 3)["users"]
        done = self.good("forget", "named.model", "--user", "u1")
        self.assertIn("only training again", done.stderr.decode())
        self.assertEqual(self.json("recommend", "named.model", "--user", "u1")["users"][0]["known"], "nothing")
        self.assertEqual(self.json("recommend", "named.model", "--user", "u2", "--k", 3)["users"], before)
        self.assert_refused(self.call("forget", "named.model", "--user", "u1"), 2, "does not know user")

    def test_what_cannot_be_said_of_guests(self):
        for words, text in ((["--user", "u1", "--user", "u2", "--history", "i4"], "describe one user"),
                            (["--history", "i4:often"], "item:label"), (["--history", "i4:7"], "from 0 to 1"),
                            (["--features", "age=3"], "no user features")):
            self.assert_refused(self.call("recommend", "gmf.model", *words), 2, text)
        self.assert_refused(self.call("recommend", "gmf.model", "--user", "u1", "--more-rows", "no.csv"), 3, "no.csv")
        (self.folder / "stars.csv").write_text("user,item,label\nu1,i4,5\n")
        done = self.call("recommend", "gmf.model", "--user", "u1", "--more-rows", "stars.csv")
        self.assert_refused(done, 3, "stars.csv:2:7: expected a label from 0 to 1")

    def test_similar_items(self):
        for base in ("gmf", "mlp"):
            said = self.json("similar", f"{base}.model", COMMA, "--k", 5, "--filter", "genre=rock",
                             "--columns", "genre")
            self.assertEqual(said["item"], COMMA)
            self.assertEqual([one["columns"]["genre"] for one in said["items"]], ["rock"] * 5)
            near = [one["similarity"] for one in said["items"]]
            self.assertEqual(near, sorted(near, reverse=True))
            self.assertNotIn(COMMA, [one["item"] for one in said["items"]])
            rows = self.rows("similar", f"{base}.model", COMMA, "--k", 5, "--filter", "genre=rock", "--format", "csv")
            self.assertEqual([row["item"] for row in rows], [one["item"] for one in said["items"]])
        lines = self.good("similar", "gmf.model", "i4", "--k", 2).stdout.decode().splitlines()
        self.assertEqual((len(lines), lines[0].split()[-1]), (3, "similarity"))
        self.assert_refused(self.call("similar", "mean.model", "i4"), 2, "no vectors")
        self.assert_refused(self.call("similar", "gmf.model", "nothing"), 2, "does not know item")

    def test_factors_for_other_programs(self):
        said = self.json("export", "gmf.model", "--out", "factors")
        self.assertTrue(said["product_is_score"])
        users = json.loads((self.folder / "factors/users.json").read_text())
        items = json.loads((self.folder / "factors/items.json").read_text())
        self.assertIn(COMMA, items)
        self.assertIn("u,3", users)
        self.assertEqual((said["users"]["rows"], said["items"]["rows"]), (len(users), len(items)))
        self.assertFalse(self.json("export", "mlp.model", "--out", "vectors")["product_is_score"])
        self.assert_refused(self.call("export", "mean.model", "--out", "none"), 2, "no vectors")
        self.assertFalse((self.folder / "none").exists())
        self.assert_refused(self.call("export", "gmf.model", "--out", "data"), 2, "something other than factors")

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_products_of_factors_are_scores(self):
        self.good("export", "plain.model", "--out", "numbers", "--quiet")
        u, i = (numpy.load(self.folder / f"numbers/{side}.npy") for side in ("users", "items"))
        self.assertEqual((u.dtype, i.dtype), (numpy.float32, numpy.float32))
        users, items = (json.loads((self.folder / f"numbers/{side}.json").read_text()) for side in ("users", "items"))
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([("user", "item")] + [(a, b) for a in users for b in items])
        rows = self.rows("score", "plain.model", "--pairs", "-", input=out.getvalue().encode())
        scores = numpy.array([float(row["score"]) for row in rows]).reshape(len(users), len(items))
        self.assertLess(abs(u @ i.T - scores).max(), 1e-5)
        self.assertGreater(numpy.std(scores), 1e-3)


if __name__ == "__main__":
    harness.main()
