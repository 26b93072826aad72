# The report as its readers meet it: one file that parses as XML, refers to nothing outside, and is the same every time.
import csv
import re
import xml.etree.ElementTree as ElementTree

import harness

PLAN = ["--methods", "base,cbr", "--bases", "gmf", "--budget", "2", "--seeds", "2", "--epochs", "6", "--k", "3",
        "--replicates", "50", "--quiet"]
MAY_POINT_OUTSIDE = {"href", "src", "srcset", "action", "poster", "data", "background", "formaction"}


class Report(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.good("simulate", "sim", "--users", 400, "--items", 12, "--width", 4, "--quiet")
        cls.good("compare", "sim", *PLAN, "--out", "runs")
        cls.good("report", "runs", "--out", "report.html", "--markdown", "tables.md", "--latex", "tables.tex")
        cls.html = (cls.folder / "report.html").read_text(encoding="utf-8")
        cls.page = ElementTree.fromstring(cls.html)

    def test_refers_to_nothing_outside(self):
        self.assertNotRegex(self.html, r"https?:|//[a-z0-9.]+\.[a-z]{2,}/|url\(|@import")
        for element in self.page.iter():
            for name, value in element.attrib.items():
                if name.split("}")[-1] in MAY_POINT_OUTSIDE:
                    self.assertTrue(value.startswith("#") or value == "data:,", (element.tag, name, value))
            self.assertNotIn(element.tag, ("img", "iframe", "object", "embed", "video", "audio", "base"))

    def test_sections_and_figures(self):
        ids = [section.get("id") for section in self.page.iter("section")]
        self.assertEqual([name for name in ids if name != "warnings"],
                         ["summary", "results", "metrics", "learning", "time", "calibration", "recommended", "balance",
                          "examples", "settings", "repeat"])
        for svg in self.page.iter("svg"):
            if svg.get("class").startswith("chart"):
                self.assertTrue(svg.find("title").text)
        for table in self.page.iter("table"):
            columns = len(table.find("thead/tr"))
            self.assertTrue(all(len(row) == columns for row in table.find("tbody")), table.find("caption").text)
            self.assertTrue(all(head.get("scope") for head in table.iter("th")))
        words = " ".join(self.page.itertext())
        for piece in ("equipoise compare sim --methods base,cbr", "popularity", "mean", "cbr gmf", "imbalance_after",
                      self.json("runs", "runs")["trials"][0]["fingerprint"]):
            self.assertIn(piece, words)
        self.assertNotRegex(words, r"\bnan\b|\binf\b")

    def test_the_figures_are_those_of_the_table(self):
        table = next(t for t in self.page.iter("table") if t.find("caption").text == "simulated, test-items: auc")
        said = {row[0].text: row[4].text for row in table.find("tbody")}
        self.assertEqual(set(said), {"popularity", "mean", "mean-popularity", "base gmf", "cbr gmf"})
        self.assertEqual(list(said.values()), sorted(said.values(), reverse=True))
        printed = self.good("compare", "sim", *PLAN, "--out", "runs").stdout.decode()
        for arm, text in said.items():
            mean = re.match(r"0\.\d{4}", text)[0]
            self.assertRegex(printed, rf"(?m)^{arm} .*{mean}")
            self.assertIn(text.replace("±", "$\\pm$"), (self.folder / "tables.tex").read_text(encoding="utf-8"))
            self.assertRegex((self.folder / "tables.md").read_text(encoding="utf-8"), rf"\| {arm} \|.*\| {text} \|")

    def test_the_same_bytes(self):
        self.good("report", "runs", "--out", "again.html")
        self.assertEqual((self.folder / "again.html").read_text(encoding="utf-8"), self.html)

    def test_figures_are_files_with_their_data(self):
        said = self.json("report", "runs", "--figures", "figures")
        self.assertEqual(said, {"figures": "figures"})
        names = {path.name for path in (self.folder / "figures").iterdir()}
        for part in ("test-items-difference", "learning-cbr-gmf", "test-items-time", "imbalance", "tried-cbr-gmf",
                     "test-items-calibration-gmf", "test-items-popularity-gmf"):
            self.assertIn(f"simulated-{part}.svg", names)
            self.assertIn(f"simulated-{part}.csv", names)
        for name in names:
            text = (self.folder / "figures" / name).read_text(encoding="utf-8")
            if name.endswith(".svg"):
                self.assertEqual(ElementTree.fromstring(text).tag, "{http://www.w3.org/2000/svg}svg")
            else:
                rows = list(csv.reader(text.splitlines()))
                self.assertTrue(all(len(row) == len(rows[0]) for row in rows), name)
        rows = list(csv.DictReader((self.folder / "figures" / "simulated-test-items-difference.csv").open()))
        self.assertIn("cbr gmf", {row["row"] for row in rows})
        self.good("report", "runs", "--figures", "figures")  # its own files may be written again
        (self.folder / "figures" / "simulated-imbalance.svg").write_text("mine")
        self.assert_refused(self.call("report", "runs", "--figures", "figures"), 2, "simulated-imbalance.svg")

    def test_its_own_page_may_be_written_again(self):
        for _ in range(2):
            self.good("report", "runs", "--out", "twice.html")

    def test_examples_and_the_data_card(self):
        words = " ".join(self.page.itertext())
        for piece in ("400 users, 12 items", "shown at random", "the simulated user likes the item", "User u",
                      "In the log:"):
            self.assertIn(piece, words)

    def test_refusals(self):
        self.assert_refused(self.call("report", "nowhere", "--out", "x.html"), 2, "nowhere")
        self.assert_refused(self.call("report", "runs"), 2, "--out")
        self.assert_refused(self.call("report", "runs", "--out", "no/such/x.html"), 2, "x.html")


if __name__ == "__main__":
    harness.main()
