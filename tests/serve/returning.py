# Users who come again: what they gave feedback on is left out of their lists, and off-policy values know that.
import json
import random

from server import Server, harness, read_log, train

USERS, VISITS, K = 150, 6, 3


class Returning(harness.Case):
    """The second model is judged from lists of the first; its own lists, looked at before each visit, are the truth."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        whole = ("--log-valid-share", 0, "--log-test-share", 0)  # both models have all rows in training
        train(cls, "old.model", more=whole)
        train(cls, "new.model", seed=7, more=whole)
        draw = random.Random(5)
        cls.likes = {}
        running = Server(cls.folder, "old=old.model", "new=new.model", "--log", "served", "--explore", "epsilon=0.6")
        cls.truth, connection = {"old": [], "new": []}, running.connect()
        for visit in range(VISITS):
            if visit == 3:  # a restart reads the feedback again
                connection.close()
                running.end()
                running = Server(cls.folder, "old=old.model", "new=new.model", "--log", "served", "--explore", "epsilon=0.6")
                connection = running.connect()
            for number in range(USERS):
                cls.visit(running, connection, f"u{number}", number, visit, draw)
        connection.close()
        running.end()
        cls.good("import", "served", "served", "--out", "data", "--delay", 0, "--log-valid-share", 0, "--log-test-share", 0, "--quiet")

    @classmethod
    def asked(cls, number, visit):
        """Every fourth visit asks for something special."""
        return ({}, {"exclude": ["i1", "i2"]}, {"candidates": [f"i{n}" for n in range(9)]}, {"include_seen": True})[
            (number + visit) % 16 // 4 if (number + visit) % 4 == 0 else 0]

    @classmethod
    def visit(cls, running, connection, user, number, visit, draw):
        asked = {"user": user, "k": K, **cls.asked(number, visit)}
        looks = [{**asked, "model": name, "explore": False, "preview": True} for name in cls.truth]
        answers = running.ask("/v1/recommend", {"requests": looks}, connection=connection)[2]["answers"]
        for name, answer in zip(cls.truth, answers):
            cls.truth[name].append(sum(cls.liking(user, one["item"]) for one in answer["items"]))
        shown = running.ask("/v1/recommend", {"requests": [{**asked, "model": "old"}]}, connection=connection)[2]["answers"][0]
        taken = [{"request_id": shown["request_id"], "item": one["item"]} for one in shown["items"]
                 if draw.random() < cls.liking(user, one["item"])]
        if taken:
            status = running.ask("/v1/feedback", {"feedback": taken}, connection=connection)[0]
            assert status == 200, status

    @classmethod
    def liking(cls, user, item):
        return 0.1 + 0.7 * random.Random(f"{user} {item}").random()

    def value(self, data, part="all"):
        found = self.json("value", data, *(word for name in self.truth for word in ("--policy", f"{name}={name}.model")),
                          "--part", part, "--form", "item")
        return {one["name"]: one for one in found["policies"]}

    def test_the_log_says_what_lists_were_made_of(self):
        lists = [one for one in read_log(self.folder / "served") if one["kind"] == "list"]
        self.assertEqual(len(lists), USERS * VISITS)
        self.assertTrue(all("told" in one for one in lists))
        self.assertGreater(sum(one["told"] for one in lists), USERS)
        self.assertEqual({key for one in lists for key in one.get("asked", ())}, {"exclude", "candidates", "include_seen"})

    def test_weights_are_one_and_values_are_true(self):
        for name, found in self.value("data").items():
            self.assertEqual(found["more_eligible"] + found["fewer_eligible"], 0, "the very items that could be shown")
            truth = sum(self.truth[name]) / len(self.truth[name])
            for estimator in ("ips", "dr"):
                one = found["estimates"][estimator]
                self.assertLess(abs(one["value"] - truth), 4 * one["standard_error"], (name, estimator, truth, one))
            # The weight of a row is at most 1 / (0.6 K / items): its error follows from the effective sample.
            error = found["mean_weight"] / found["effective_sample"] ** 0.5
            self.assertLess(abs(found["mean_weight"] - 1), 4 * error, (name, found["mean_weight"]))

    def test_a_log_that_does_not_say_is_named(self):
        text = (self.folder / "data/dataset.toml").read_text()
        blind = self.folder / "blind"
        blind.mkdir()
        for path in (self.folder / "data").glob("*.csv"):
            if path.name != "requests.csv":
                (blind / path.name).write_bytes(path.read_bytes())
        (blind / "dataset.toml").write_text(text[:text.index("[files]")])
        done = self.call("value", "blind", "--policy", "new=new.model", "--part", "all", "--form", "item", "--json")
        self.assertIn(b"does not say what had been left out", done.stderr)
        if done.returncode == 0:
            self.assertLess(json.loads(done.stdout)["policies"][0]["mean_weight"], 1)

    def test_feedback_in_other_files_is_missed(self):
        lines = [path.read_bytes() for path in sorted((self.folder / "served").glob("served-*.log"))]
        kept = b"".join(line + b"\n" for line in b"".join(lines).split(b"\n")[:-1] if b'"kind":"feedback"' not in line)
        (self.folder / "mute.log").write_bytes(kept)
        said = self.good("import", "served", "mute.log", "--out", "mute").stderr
        self.assertIn(b"rest on feedback that is not in these files", said)


if __name__ == "__main__":
    harness.main()
