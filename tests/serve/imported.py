# From a served log to a data set: what was shown, with which chance, and what users made of it.
import csv
import json
import random
import tomllib

from server import Server, harness, read_log, train


class Imported(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        train(cls)
        draw = random.Random(5)
        running = Server(cls.folder, "gmf.model", "--log", "served", "--explore", "epsilon=0.6")
        cls.told = {}
        for _ in range(25):
            users = [f"n{draw.randrange(10 ** 9)}" for _ in range(100)]
            answers = running.ask("/v1/recommend", {"requests": [{"user": user, "k": 3} for user in users]})[2]["answers"]
            feedback = [{"request_id": one["request_id"], "item": item["item"]} for one in answers
                        for place, item in enumerate(one["items"])
                        if draw.random() < (1, 0.6, 0.3)[place] * (0.2 + 0.6 * (int(item["item"][1:]) % 2))]
            running.ask("/v1/feedback", {"feedback": feedback})
            cls.told.update({(one["request_id"].split("-")[0], one["item"]): 1 for one in feedback})
        running.ask("/v1/recommend", {"requests": [{"history": [{"item": "i1"}]}]})
        running.end()
        cls.lines = read_log(cls.folder / "served")

    def rows(self, folder):
        return [row for part in ("train", "valid", "test") if (self.folder / folder / f"{part}.csv").exists()
                for row in csv.DictReader(open(self.folder / folder / f"{part}.csv", newline=""))]

    def test_every_shown_item_is_a_row(self):
        said = self.good("import", "served", "served", "--out", "all", "--delay", 0)
        self.assertIn(b"1 lists of somebody without an id", said.stderr)
        rows = self.rows("all")
        lists = {one["request"]: one for one in self.lines if one["kind"] == "list" and one["user"]}
        self.assertEqual(len(rows), sum(len(one["items"]) for one in lists.values()))
        for row in rows:
            line = lists[row["request"]]
            place = int(row["position"]) - 1
            self.assertEqual((row["user"], row["item"]), (line["user"], line["items"][place]))
            self.assertEqual(float(row["label"]), self.told.get((row["request"], row["item"]), 0))
            self.assertAlmostEqual(float(row["propensity"]), line["in_list"][place], 6)
            self.assertEqual(int(row["timestamp"]), line["time"])
            self.assertEqual(int(row["eligible"]), line["eligible"])
        provenance = tomllib.loads((self.folder / "all/dataset.toml").read_text())["provenance"]
        self.assertEqual(provenance["lists"], len(lists))
        self.json("train", "all", "--method", "ips", "--base", "gmf", "--propensity", "given", "--epochs", "1", "--out", "next.model")

    def test_what_is_too_new_is_left_out(self):
        span = (self.lines[-1]["time"] - self.lines[0]["time"]) / 1000
        self.good("import", "served", "served", "--out", "old", "--delay", f"{span / 2:.3f}", "--quiet")
        rows = self.rows("old")
        self.assertTrue(0 < len(rows) < len(self.rows("old")) + len(self.told) * 3)
        last = max(int(row["timestamp"]) for row in rows)
        self.assertLessEqual(last + 1000 * span / 2, self.lines[-1]["time"] + 2)
        done = self.call("import", "served", "served", "--out", "none", "--delay", "1e6", "--quiet")
        self.assert_refused(done, 3, "holds no list")

    def test_how_long_users_have_is_found_from_the_log(self):
        said = self.good("import", "served", "served", "--out", "found").stderr
        self.assertIn(b"99 of 100 answers came within", said)
        provenance = tomllib.loads((self.folder / "found/dataset.toml").read_text())["provenance"]
        lists = {one["request"]: one for one in self.lines if one["kind"] == "list" and one["user"]}
        took = sorted(one["time"] - lists[one["request"]]["time"] for one in self.lines if one["kind"] == "feedback")
        self.assertEqual(provenance["delay_seconds"], took[99 * (len(took) - 1) // 100] / 1000)
        self.assertEqual(provenance["lists"] + provenance["lists_too_new"], len(lists))

    def test_the_newest_lists_are_held_out_whole(self):
        self.good("import", "served", "served", "--out", "parts", "--delay", 0, "--quiet")
        parts = [list(csv.DictReader(open(self.folder / f"parts/{part}.csv", newline=""))) for part in ("train", "valid", "test")]
        times = [[int(row["timestamp"]) for row in part] for part in parts]
        self.assertTrue(max(times[0]) < min(times[1]) <= max(times[1]) < min(times[2]))
        self.assertTrue(all(len(part) % 3 == 0 for part in parts), "lists of three")

    def test_places_that_are_seldom_looked_at(self):
        self.good("import", "served", "served", "--out", "looked", "--examination", "estimated", "--delay", 0, "--quiet")
        found = tomllib.loads((self.folder / "looked/dataset.toml").read_text())["provenance"]["examination"]
        for theta, truth in zip(found, (1, 0.6, 0.3), strict=True):
            self.assertAlmostEqual(theta, truth, delta=0.2)
        weights = [float(row["weight"]) for row in self.rows("looked") if row["position"] == "3"]
        self.assertGreater(max(weights), 2)
        self.assertLess(min(weights), 0.95)

    def test_a_damaged_line_is_refused_by_its_place(self):
        data = (self.folder / "served/served-000001.log").read_bytes()
        lines = data.split(b"\n")
        lines[4] = lines[4].replace(b'"in_list":[0', b'"in_list":[1', 1)
        (self.folder / "bad.log").write_bytes(b"\n".join(lines))
        self.assert_refused(self.call("import", "served", "bad.log", "--out", "bad", "--quiet"), 3, "bad.log:5")
        (self.folder / "torn.log").write_bytes(data[:-10])
        said = self.good("import", "served", "torn.log", "--out", "torn").stderr
        self.assertIn(b"1 files end within a line", said)
        self.assert_refused(self.call("import", "served", "torn.log", "served", "--out", "twice", "--quiet"), 3, "occurs twice")

    def test_missing_lines_are_noticed(self):
        lines = (self.folder / "served/served-000001.log").read_bytes().split(b"\n")
        (self.folder / "less.log").write_bytes(b"\n".join(lines[:3] + lines[5:]))
        self.assertIn(b"2 lines are missing", self.good("import", "served", "less.log", "--out", "less").stderr)
        self.assertEqual(json.loads(lines[3])["kind"], "list")


if __name__ == "__main__":
    harness.main()
