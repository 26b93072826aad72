# Off-policy values on a log in Open Bandit's format against an independent computation in numpy, and the verb itself.
import csv
import json
import unittest
import xml.etree.ElementTree as ElementTree

import harness

try:
    import numpy as np
except ImportError:
    np = None

ITEMS, PLACES, EPSILON, FOLDS, PARTS = 9, 3, 0.1, 5, 20


def write_log(folder, rows=1500, seed=4):
    """all.csv and item_context.csv as the data's owners write them: an index, then the columns."""
    rng = np.random.default_rng(seed)
    folder.mkdir()
    taste = rng.normal(size=(30, ITEMS))
    kinds = [(f"a{k % 5}", f"b{k % 3}", f"c{k}") for k in range(30)]
    with open(folder / "all.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["", "timestamp", "item_id", "position", "click", "propensity_score"] +
                     [f"user_feature_{k}" for k in range(3)] + [f"user-item_affinity_{k}" for k in range(ITEMS)])
        for row in range(rows):
            user, place = rng.integers(30), 1 + row % PLACES
            odds = np.exp(0.8 * np.roll(taste[user], place))
            chance = odds / odds.sum()
            item = rng.choice(ITEMS, p=chance)
            click = rng.random() < 1 / (1 + np.exp(1 - taste[user][item]))
            out.writerow([row, f"2019-11-24 {row // 3600:02}:{row // 60 % 60:02}:{row % 60:02}.123456+00:00", item,
                          place, int(click), repr(float(chance[item]))] + list(kinds[user]) + [0.0] * ITEMS)
    with open(folder / "item_context.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["", "item_id", "item_feature_0", "item_feature_1"])
        for item in range(ITEMS):
            out.writerow([item, item, item / 7, f"brand{item % 2}"])


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@unittest.skipIf(np is None, "the independent computation needs numpy")
class Value(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        write_log(cls.folder / "open-bandit")
        cls.good("import", "open-bandit", "open-bandit", "--out", "data", "--log-test-share", 0.5)
        for seed in (1, 2):
            cls.good("train", "data", "--base", "gmf", "--epochs", 2, "--seed", seed, "--out", f"m{seed}.model", "--quiet")

    def scores(self, model, users, items):
        with open(self.folder / "pairs.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.writer(file)
            out.writerow(["user", "item"])
            out.writerows([user, item] for user in users for item in items)
        self.good("score", model, "--pairs", "pairs.csv", "--out", "scores.csv", "--quiet", "--force")
        found = [np.float32(row["score"]) for row in read(self.folder / "scores.csv")]
        return np.array(found, dtype=np.float64).reshape(len(users), len(items))

    def computed(self, models, which):
        """direct, ips, snips, dr, and the standard error of ips, of one of the models."""
        rows = read(self.folder / "data" / "test.csv")
        users = list(dict.fromkeys(row["user"] for row in rows))
        items = [str(k) for k in range(ITEMS)]
        user = np.array([users.index(row["user"]) for row in rows])
        item = np.array([int(row["item"]) for row in rows])
        place = np.array([int(row["position"]) for row in rows])
        y = np.array([float(row["label"]) for row in rows])
        chance = np.array([float(row["propensity_at_position"]) for row in rows])
        scores = [self.scores(model, users, items) for model in models]
        best = np.argsort(-scores[which], axis=1, kind="stable")  # ids are one digit: the order of equal scores
        policy = np.full((len(rows), ITEMS), EPSILON / ITEMS)
        policy[np.arange(len(rows)), best[user, place - 1]] += 1 - EPSILON
        weight = policy[np.arange(len(rows)), item] / chance
        direct, predicted = np.zeros(len(rows)), np.zeros(len(rows))
        for fold in range(FOLDS):
            there, here = user % FOLDS != fold, user % FOLDS == fold
            mean = y[there].mean()
            sums = np.bincount(item[there], weights=y[there], minlength=ITEMS)
            counts = np.bincount(item[there], minlength=ITEMS)
            means = (sums + 10 * mean) / (counts + 10)

            def features(u, i, p):
                x = np.zeros((len(u), 2 + len(scores) + PARTS))
                x[:, 0], x[:, 1] = 1, means[i]
                for k, table in enumerate(scores):
                    x[:, 2 + k] = table[u, i]
                x[np.arange(len(u)), 1 + len(scores) + p] = 1
                return x
            x = features(user[there], item[there], place[there])
            shrink = np.eye(x.shape[1])
            shrink[0, 0] = 0
            b = np.linalg.solve(x.T @ x + shrink, x.T @ y[there])
            predicted[here] = features(user[here], item[here], place[here]) @ b
            for k in range(ITEMS):
                own = features(user[here], np.full(here.sum(), k), place[here]) @ b
                direct[here] += policy[here, k] * own
        gain = weight * y
        by_user = np.bincount(user, weights=gain) - gain.mean() * np.bincount(user)
        error = np.sqrt((by_user ** 2).sum() * len(users) / (len(users) - 1)) / len(rows)
        return {"direct": direct.mean(), "ips": gain.mean(), "snips": gain.sum() / weight.sum(),
                "dr": (direct + weight * (y - predicted)).mean(),
                "switch-dr": (direct + (weight <= 2) * weight * (y - predicted)).mean()}, error

    def test_values_are_those_of_numpy(self):
        models = ["m1.model", "m2.model"]
        said = self.json("value", "data", "--policy", "one=m1.model", "--policy", "two=m2.model", "--explore",
                         f"epsilon={EPSILON}", "--include-seen", "--largest-weight", 2)
        self.assertEqual((said["form"], said["part"]), ("position", "test"))
        for which in range(2):
            expected, error = self.computed(models, which)
            estimates = said["policies"][which]["estimates"]
            for name, value in expected.items():
                self.assertAlmostEqual(estimates[name]["value"], value, delta=1e-9, msg=name)
            self.assertAlmostEqual(estimates["ips"]["standard_error"], error, delta=1e-9)
        self.assertFalse(said["check"]["wrong"])
        self.assertTrue(said["check"]["can_tell"])
        self.assertEqual(said["check"]["eligible"], ITEMS)

    def test_what_people_read(self):
        text = self.good("value", "data", "--policy", "one=m1.model", "--policy", "two=m2.model", "--include-seen",
                         "--explore", "epsilon=0.1").stdout.decode()
        for words in ("switch-dr", "Assumed: the reward of an item depends on", "than the lists that were shown",
                      "the logged chances can be true", "(as shown)"):
            if words.startswith("than"):
                self.assertTrue("the lists that were shown" in text, text)
            else:
                self.assertIn(words, text)

    def test_a_page(self):
        self.good("value", "data", "--policy", "one=m1.model", "--policy", "two=m2.model", "--include-seen", "--explore",
                  "epsilon=0.1", "--html", "value.html", "--quiet")
        page = ElementTree.fromstring((self.folder / "value.html").read_text(encoding="utf-8"))
        words = " ".join(page.itertext())
        for piece in ("Value of policies", "the logged chances can be true", "switch-dr", "two", "positives per list",
                      "the reward of an item depends on", "Next"):
            self.assertIn(piece, words)
        self.assertNotRegex(words, r"\bnan\b|\binf\b")
        self.assert_refused(self.call("value", "data", "--policy", "one=m1.model", "--html", "m1.model"), 2, "m1.model")

    def test_wrong_words_are_refused(self):
        self.assert_refused(self.call("value", "data", "--policy", "m1.model"), 2, "NAME=FILE")
        self.assert_refused(self.call("value", "data", "--policy", "a=m1.model", "--explore", "epsilom=1"), 2,
                            "did you mean epsilon?")
        self.assert_refused(self.call("value", "data", "--policy", "a=m1.model", "--policy", "a=m2.model"), 2,
                            "two named 'a'")
        self.assert_refused(self.call("value", "data", "--policy", "a=m1.model", "--form", "cascade"), 3,
                            "propensity_given_above")

    def test_threads_change_nothing(self):
        said = [self.json("value", "data", "--policy", "a=m1.model", "--include-seen", "--explore",
                          "plackett-luce,pool=6,epsilon=0.05", "--threads", n) for n in (1, 2)]
        self.assertEqual(json.dumps(said[0]), json.dumps(said[1]))

    def test_bad_logs_are_refused_with_their_place(self):
        lines = (self.folder / "open-bandit" / "all.csv").read_text(encoding="utf-8").splitlines()[:3]
        fields = lines[2].split(",")
        for column, bad, words in ((1, "noon", "is no time"), (3, "0", "not a number from 1"),
                                   (4, "2", "label"), (5, "0", "not above 0")):
            changed = list(fields)
            changed[column] = bad
            (self.folder / "bad.csv").write_text("\n".join(lines[:2] + [",".join(changed)]) + "\n", encoding="utf-8")
            self.assert_refused(self.call("import", "open-bandit", "bad.csv", "--out", "bad", "--quiet"), 3, words)


if __name__ == "__main__":
    harness.main()
