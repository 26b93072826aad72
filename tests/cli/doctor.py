# What `doctor` promises: its keys, the same bytes at any number of threads, a verdict whose lines say how they are known.
import re
import xml.etree.ElementTree as ElementTree

import harness

MARK = re.compile(r"\[(test, p [=<] [0-9.]+|count|rule of thumb|cannot be known)\] ")


class Doctor(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, alpha in (("biased", 0), ("even", 1)):
            cls.good("simulate", name, "--users", 600, "--alpha", alpha, "--width", 4)

    def test_keys(self):
        said = self.json("doctor", "biased", "--shuffles", 49)
        self.assertEqual([said[key] for key in ("users", "items", "train", "leaks_removed")], [600, 32, 3000, 0])
        self.assertEqual(said["valid"] + said["test"], 1000)
        for key in ("exposure", "concentration", "item_uniformity", "user_dependence", "exposure_models",
                    "propensities", "labels", "shared_pairs", "held_out_items"):
            self.assertIsInstance(said[key], dict, key)
        self.assertEqual(len(said["propensities"]), 8)
        self.assertIn("missing", said["propensities"]["given"])
        for line in said["verdict"]:
            self.assertRegex(line, MARK)
            self.assertNotIn("\n", line)

    def test_biased_and_even_exposure(self):
        self.assertEqual(self.json("doctor", "biased", "--shuffles", 49)["exposure"]["call"], "biased")
        self.assertEqual(self.json("doctor", "even", "--shuffles", 49)["exposure"]["call"], "unbiased")

    def test_threads_never_change_a_word(self):
        one, three = (self.good("doctor", "biased", "--shuffles", 49, "--threads", n).stdout for n in (1, 3))
        self.assertEqual(one, three)
        self.assertIn("Verdict", one if isinstance(one, str) else one.decode())

    def test_a_page(self):
        done = self.good("doctor", "biased", "--shuffles", 49, "--html", "doctor.html")
        self.assertIn(b"Verdict", done.stdout)
        page = ElementTree.fromstring((self.folder / "doctor.html").read_text(encoding="utf-8"))
        words = " ".join(page.itertext())
        for piece in ("Doctor: simulated", "Biased", "600 users, 32 items", "Cannot be known", "most shown tenth",
                      "equipoise compare biased --methods"):
            self.assertIn(piece, words)
        self.assertNotRegex(words, r"\bnan\b|\binf\b")
        labels = " ".join(page.find(".//section[@id='labels']").itertext())
        self.assertRegex(labels, r"all items\s+0\.\d+ \[0\.\d+, 0\.\d+\]\s+0\.\d+ \[")
        self.good("doctor", "even", "--shuffles", 49, "--html", "doctor.html", "--quiet")
        self.assertIn("No bias found", (self.folder / "doctor.html").read_text(encoding="utf-8"))
        (self.folder / "mine.html").write_text("mine")
        self.assert_refused(self.call("doctor", "even", "--html", "mine.html"), 2, "mine.html")

    def test_refusals(self):
        self.assert_refused(self.call("doctor", "biased", "--level", 2), 2, "level")
        self.assert_refused(self.call("doctor", "nowhere"), 3, "nowhere")


if __name__ == "__main__":
    harness.main()
