# Pages as people meet them: a comparison, a study, the doctor and values, in Chromium, wide, on a phone, dark, on paper.
"""Left out by name where Chromium or chromedriver is not installed. PICTURES=FOLDER keeps a picture of each."""
import base64
import os
import pathlib
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("cli", "serve")]
import browser  # noqa: E402  (shared with the tests of the server)
import harness  # noqa: E402

PICTURES = os.environ.get("PICTURES")
METHODS = "base,ips,snips,direct,dr,cvib,cbr"  # ten arms with the three baselines
QUICK = ["--bases", "gmf", "--seeds", "2", "--k", "3", "--allow", "all", "--quiet", "--threads", "1"]
PLAN = [*QUICK, "--budget", "3", "--epochs", "3", "--replicates", "60"]
STUDY = [*QUICK, "--budget", "1", "--epochs", "2", "--replicates", "20", "--users", "80", "--items", "16", "--width", "4"]

# Every chart that is shown: texts that run into one another, or out of the picture.
COLLISIONS = """
const bad = [];
for (const svg of document.querySelectorAll('svg.chart')) {
  const frame = svg.getBoundingClientRect();
  if (frame.width === 0) continue;
  const name = svg.closest('figure').querySelector('figcaption').textContent;
  const boxes = [...svg.querySelectorAll('text')].filter(t => !t.getAttribute('transform'))
    .map(t => [t.textContent, t.getBoundingClientRect()]);
  for (const [text, box] of boxes) {
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
      bad.push(`${name}: '${text}' is cut`);
  }
  boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 1 && high > 3) bad.push(`${name}: '${text}' and '${other}' overlap`);
  }));
}
return bad;
"""

# Texts whose contrast is below AA: 4.5, or 3 where they are large; marks of charts below 3.
CONTRASTS = """
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
function rgb(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}
function light([r, g, b]) {
  const [x, y, z] = [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * x + .7152 * y + .0722 * z;
}
function back(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = rgb(getComputedStyle(at).backgroundColor);
    if (colour[3] === 255) return colour;
  }
  return [255, 255, 255];
}
function ratio(a, b) {
  const [x, y] = [light(a), light(b)];
  return (Math.max(x, y) + .05) / (Math.min(x, y) + .05);
}
const bad = [];
let seen = 0;
for (const element of document.querySelectorAll('body *')) {
  if (element.closest('script, style, [hidden]') || element.getBoundingClientRect().width === 0) continue;
  const style = getComputedStyle(element), drawn = element.namespaceURI.endsWith('svg');
  const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  if (own && !drawn || element.tagName === 'text') {
    ++seen;
    const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
    const found = ratio(rgb(drawn ? style.fill : style.color), back(element));
    if (found < (large ? 3 : 4.5)) bad.push(`${element.tagName}.${element.className.baseVal ?? element.className} '${element.textContent.trim().slice(0, 30)}': ${found.toFixed(2)}`);
  }
  if (drawn && /mark|bar|block|star/.test(element.className.baseVal)) {
    const found = Math.max(...[style.fill, style.stroke].filter(c => c !== 'none').map(c => ratio(rgb(c), back(element))));
    if (found < 3) bad.push(`${element.outerHTML.slice(0, 60)}: ${found.toFixed(2)}`);
  }
}
return [seen, [...new Set(bad)]];
"""


@unittest.skipIf(browser.missing(), f"{browser.missing()} is not installed")
class Pages(harness.Case):
    pages = ("compare", "study", "doctor")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, alpha in (("shop", 0.2), ("radio", 0.9)):
            cls.good("simulate", name, "--users", 250, "--items", 24, "--width", 4, "--alpha", alpha, "--seed", len(name), "--quiet")
            toml = cls.folder / name / "dataset.toml"
            toml.write_text(toml.read_text().replace('name = "simulated"', f'name = "{name}"'))
        cls.good("compare", "shop", "radio", "--methods", METHODS, *PLAN, "--out", "runs")
        cls.good("study", "bias", *STUDY, "--out", "bias")
        cls.good("report", "runs", "--out", "compare.html", "--figures", "figures")
        cls.good("report", "bias", "--out", "study.html")
        cls.good("doctor", "shop", "--shuffles", 49, "--html", "doctor.html", "--quiet")
        cls.browser = browser.Browser(cls.folder / "profile")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        super().tearDownClass()

    def setUp(self):
        self.browser.width(1280)
        self.browser.dark(False)
        self.browser.messages()

    def tearDown(self):
        self.browser.tell("Emulation.setScriptExecutionDisabled", value=False)
        self.assertEqual(self.browser.messages(), [])

    def open(self, name, unfolded=True):
        self.browser.open("about:blank")
        self.browser.open((self.folder / f"{name}.html").as_uri())
        if unfolded:
            self.browser.run("for (const part of document.querySelectorAll('details')) part.open = true")

    def picture(self, name):
        if PICTURES:
            self.browser.picture(pathlib.Path(PICTURES) / f"{name}.png")

    def check(self, name):
        self.assertEqual(self.browser.run(COLLISIONS), [], name)
        wide, room = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(wide, room, name)
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').map(e => e.name)"), [], name)

    def test_wide_and_dark(self):
        for name in self.pages:
            for dark in (False, True):
                self.browser.dark(dark)
                self.open(name, unfolded=False)
                self.picture(f"{name}-{'dark' if dark else 'wide'}")
                self.open(name)
                self.check(name)
                seen, bad = self.browser.run(CONTRASTS)
                self.assertGreater(seen, 100)
                self.assertEqual(bad, [], (name, dark))

    def test_on_a_phone(self):
        self.browser.width(390, 844)
        for name in self.pages:
            self.open(name, unfolded=False)
            self.picture(f"{name}-phone")
            self.open(name)
            self.check(name)
        self.open("compare")
        for table in ("#results table", "#metrics table"):
            heads, right = self.browser.run("""const cells = [...document.querySelector(arguments[0]).tHead.rows[0].cells].slice(0, 2);
                return [cells.map(c => c.textContent), cells[1].getBoundingClientRect().right]""", table)
            self.assertEqual(heads, ["arm", "difference to base"])
            self.assertLessEqual(right, 390, table)
        shown = self.browser.run("return [...document.querySelectorAll('.panel svg')].filter(s => s.getBoundingClientRect().width).map(s => s.querySelectorAll('.point').length)")
        self.assertEqual(shown[0], 10)

    def test_on_paper(self):
        for name in self.pages:
            self.open(name, unfolded=False)
            page = self.browser.tell("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=True)
            data = base64.b64decode(page["data"])
            self.assertTrue(data.startswith(b"%PDF"))
            if PICTURES:
                (pathlib.Path(PICTURES) / f"{name}.pdf").write_bytes(data)
            # As laid out for a sheet: nothing wider than it.
            self.browser.width(688, 1000)
            self.browser.tell("Emulation.setEmulatedMedia", media="print")
            wide = self.browser.run("return document.documentElement.scrollWidth")
            self.browser.tell("Emulation.setEmulatedMedia", media="")
            self.assertLessEqual(wide, 690, name)
            self.browser.width(1280)

    def test_tables_are_sorted_and_filtered(self):
        self.open("compare")
        column = "return [...document.querySelectorAll('#metrics tbody tr')].filter(r => !r.hidden).map(r => r.cells[arguments[0]].textContent)"
        place = self.browser.run("return [...document.querySelectorAll('#metrics thead th')].findIndex(c => c.textContent === 'auc')")
        for down in (True, False):
            self.browser.click(f"#metrics thead th:nth-child({place + 1}) button")
            values = [float(text.split()[0]) for text in self.browser.run(column, place)]
            self.assertEqual(len(values), 20)
            self.assertEqual(values, sorted(values, reverse=down))
        self.browser.click("#metrics .filters label:nth-child(1) input")
        self.browser.press("cbr shop")
        self.assertEqual(self.browser.run(column, 0), ["cbr gmf"])
        self.browser.click("#metrics .filters label:nth-child(2) input")
        self.browser.press("ndcg")
        shown = self.browser.run("return [...document.querySelectorAll('#metrics thead th')].filter(c => !c.hidden).map(c => c.textContent)")
        self.assertEqual(shown[:5], ["arm", "difference to base", "data", "protocol", "ndcg@3"])
        self.picture("compare-filtered")

    def test_without_the_script(self):
        self.browser.tell("Emulation.setScriptExecutionDisabled", value=True)
        for name in self.pages:
            self.open(name, unfolded=False)
            self.assertEqual(self.browser.run("return document.querySelectorAll('.filters, th button').length"), 0)
            self.assertTrue(self.browser.text(".verdict .badge"))
            self.browser.click("details.terms summary")
            self.assertTrue(self.browser.run("return document.querySelector('details.terms').open"))
            self.check(name)
        self.open("compare", unfolded=False)
        self.assertEqual(self.browser.run("return document.querySelectorAll('#metrics tbody tr').length"), 20)
        self.picture("compare-without-script")

    def test_notes_where_a_reader_points(self):
        self.open("compare", unfolded=False)
        self.browser.run("""const svg = [...document.querySelectorAll('.panel svg.chart')].find(s => s.getBoundingClientRect().width);
            const mark = svg.querySelector('.point .mark').getBoundingClientRect();
            svg.dispatchEvent(new PointerEvent('pointermove', {clientX: mark.x + 4, clientY: mark.y + 4}))""")
        self.assertRegex(self.browser.text("#tip"), r"− base gmf: [+−]0\.\d{4}")

    def test_the_first_screen(self):
        """Verdict, figure, data, belief and the next command of both data sets without scrolling."""
        self.open("compare", unfolded=False)
        bottom = self.browser.run("return Math.max(...[...document.querySelectorAll('.panel dl')].map(e => e.getBoundingClientRect().bottom))")
        self.assertLessEqual(bottom, 900)
        for words in ("Data", "A positive is", "Test part", "Believe it?", "Next", "equipoise train --from runs --data shop"):
            self.assertIn(words, self.browser.text(".panels"))

    def test_every_figure_is_a_file(self):
        drawn = sorted((self.folder / "figures").glob("*.svg"))
        self.assertGreater(len(drawn), 30)
        for path in drawn:
            self.assertTrue(path.with_suffix(".csv").read_text().count("\n") > 1, path)
        self.browser.open(drawn[0].as_uri())
        self.assertEqual(self.browser.run("return document.documentElement.tagName"), "svg")


if __name__ == "__main__":
    harness.main()
