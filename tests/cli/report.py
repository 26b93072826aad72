# The report as its readers meet it: one file that parses as XML, refers to nothing outside, and is the same every time.
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
        self.assertEqual(ids, ["summary", "results", "learning", "calibration", "popularity", "imbalance", "settings",
                               "reproduce"])
        for svg in self.page.iter("svg"):
            if svg.get("class") == "chart":
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
        said = {row[0].text: row[1].text for row in table.find("tbody")}
        self.assertEqual(list(said), ["popularity", "mean", "mean-popularity", "base gmf", "cbr gmf"])
        printed = self.good("compare", "sim", *PLAN, "--out", "runs").stdout.decode()
        for arm, text in said.items():
            mean = re.match(r"0\.\d{4}", text)[0]
            self.assertRegex(printed, rf"(?m)^{arm} .*{mean}")
            self.assertIn(text.replace("±", "$\\pm$"), (self.folder / "tables.tex").read_text(encoding="utf-8"))
            self.assertIn(f"| {arm} | {text} |", (self.folder / "tables.md").read_text(encoding="utf-8"))

    def test_the_same_bytes(self):
        self.good("report", "runs", "--out", "again.html")
        self.assertEqual((self.folder / "again.html").read_text(encoding="utf-8"), self.html)

    def test_refusals(self):
        self.assert_refused(self.call("report", "nowhere", "--out", "x.html"), 2, "nowhere")
        self.assert_refused(self.call("report", "runs"), 2, "--out")
        self.assert_refused(self.call("report", "runs", "--out", "no/such/x.html"), 2, "x.html")


if __name__ == "__main__":
    harness.main()
