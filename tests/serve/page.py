# The page at /, as people use it: in Chromium, wide and on a phone, in the dark, by pointer and by keyboard alone.
"""Left out by name where Chromium or chromedriver is not installed. PICTURES=FOLDER keeps a picture of each view."""
import csv
import json
import os
import pathlib
import unittest

import browser
from server import Server, harness

HOSTILE_USER = "u\"><script>document.title='taken'</script>"
HOSTILE_ITEM = "<img src=x onerror=\"document.title='taken'\">\nsecond line"
PICTURES = os.environ.get("PICTURES")


def write_logs(folder):
    """Two halves of taste: users of even numbers like even items; names of items, one user and one item with markup."""
    with open(folder / "log.csv", "w", newline="") as file, open(folder / "items.csv", "w", newline="") as named:
        rows, names = csv.writer(file), csv.writer(named)
        rows.writerow(["user", "item", "label"])
        names.writerow(["item", "title"])
        for u in range(60):
            user = HOSTILE_USER if u == 7 else f"u{u}"
            for i in range(40):
                if (u * 3 + i * 7) % 5 < 1 + (i < 12):
                    rows.writerow([user, f"i{i}", int((u + i) % 2 == 0)])
        for i in range(40):
            names.writerow([f"i{i}", HOSTILE_ITEM if i == 3 else f"Song number {i}"])


@unittest.skipIf(browser.missing(), f"{browser.missing()} is not installed")
class Page(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        write_logs(cls.folder)
        cls.good("import", "csv", "log.csv", "--items", "items.csv", "--item-name-column", "title", "--out", "data", "--quiet")
        for name, method in (("plain", "base"), ("balanced", "cbr"), ("other", "base")):
            cls.good("train", "data", "--method", method, "--base", "gmf", "--epochs", "8" if name == "plain" else "4",
                     "--out", f"{name}.model", "--quiet", "--threads", "1")
        cls.server = Server(cls.folder, "plain=plain.model", "balanced=balanced.model", "--share", "plain=0.5", "--explore",
                            "epsilon=0.2", "--log", "served", "--threads", "1")
        cls.browser = browser.Browser(cls.folder / "profile")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.end()
        super().tearDownClass()

    def setUp(self):
        self.browser.messages()
        self.browser.width(1280)
        self.browser.dark(False)

    def tearDown(self):
        self.assertEqual(self.browser.messages(), [])

    def view(self, name):
        self.browser.open("about:blank")
        self.browser.open(f"{self.server.address}/#{name}")
        self.browser.wait(f"!document.getElementById('{name}').hidden && !document.querySelector('#{name}-state .waiting')", name)

    def picture(self, name):
        if PICTURES:
            self.browser.picture(pathlib.Path(PICTURES) / f"{name}.png")

    def post(self, path, body=None):
        status, _, answer = self.server.ask(path, body, method="POST")
        self.assertEqual(status, 200, answer)
        return answer

    def find(self, field, text, choice):
        """Types, waits for what is found, and takes the first by the keyboard."""
        self.browser.run(f"document.getElementById('{field}').focus()")
        self.browser.press(text)
        self.browser.wait(f"[...document.querySelectorAll('#{field}-found [id]')].length > 0 && "
                          f"document.querySelector('#{field}-found [id]').textContent.includes({json.dumps(choice)})", choice)
        self.browser.press("Down", "Enter")

    def lists(self):
        self.browser.wait("document.querySelectorAll('#lists table').length > 0 && !document.getElementById('ask-go').disabled", "lists")
        return self.browser.run("return [...document.querySelectorAll('#lists table')].map(t => [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.innerText)))")

    def no_overflow(self):
        wide, room = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(wide, room)

    def test_a_user_is_found_and_two_models_are_compared(self):
        before = self.server.metric("equipoise_lists_total")
        self.view("ask")
        self.assertIn("No list yet", self.browser.text("#ask-state"))
        self.find("user", "u1", "u1")
        self.browser.click("#ask-go")
        left, right = self.lists()
        self.assertEqual((len(left), len(right)), (10, 10))
        self.assertRegex(self.browser.text(".differs"), r"items|lists")
        for row in left + right:
            self.assertRegex(row[2], r"\d%")
            self.assertRegex(row[3], r"^\d+$")
            self.assertRegex(row[5], r"^(only here|place \d+)$")
        self.assertEqual(self.server.metric("equipoise_lists_total"), before, "a look is not counted")
        self.picture("ask")

    def test_a_history_is_composed(self):
        self.view("ask")
        for number in (20, 22, 24):
            self.find("item", f"number {number}", f"Song number {number}")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#history li').length"), 3)
        self.browser.click("#history li:nth-child(2) button")
        self.assertEqual(self.browser.run("return document.querySelectorAll('#history li').length"), 2)
        self.browser.click("#ask-go")
        shown = [row[1] for row in self.lists()[0]]
        self.assertFalse([name for name in shown if "number 20 " in name or "number 24 " in name], shown)
        self.assertIn("history", self.browser.text("#lists caption"))
        self.picture("history")

    def test_markup_in_ids_and_names_is_text(self):
        self.view("ask")
        self.find("user", "script", HOSTILE_USER)
        self.browser.run("document.getElementById('length').value = '50'; document.getElementById('seen').checked = true")
        self.browser.click("#ask-go")
        names = [row[1] for row in self.lists()[0]]
        self.assertTrue([name for name in names if name.startswith("<img src=x")], names)
        self.assertEqual(self.browser.run("return document.querySelectorAll('main img, main script').length"), 0)
        self.assertNotIn("taken", self.browser.run("return document.title"))

    def test_nobody_is_asked_for(self):
        self.view("ask")
        self.browser.click("#ask-go")
        self.assertIn("Who is it for?", self.browser.text("#ask-state"))
        self.find("user", "u1", "u1")
        self.browser.run("document.getElementById('user').value = 'nobody knows me'")
        self.browser.click("#ask-go")
        self.lists()
        self.assertIn("does not know this user", self.browser.text("#lists caption"))

    def test_the_keyboard_alone(self):
        self.browser.open(self.server.address)
        self.browser.wait("!document.getElementById('ask').hidden && !document.querySelector('#ask-state .waiting')", "the page")
        self.browser.press("Tab")
        self.assertEqual(self.browser.text(":focus"), "Skip to the content")
        self.browser.press("Tab", "Tab", "Enter")  # over Ask to Models
        self.browser.wait("document.querySelectorAll('#cards article').length === 2", "cards")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "models-title")
        self.view("ask")
        for _ in range(20):
            self.browser.press("Tab")
            if self.browser.run("return document.activeElement.id") == "user":
                break
        self.browser.press("u2")
        self.browser.wait("!document.getElementById('user-found').hidden && document.querySelectorAll('#user-found [id]').length > 1", "users")
        self.browser.press("Down", "Down")
        self.assertTrue(self.browser.run("return document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).ariaSelected") == "true")
        self.picture("keyboard")
        self.browser.press("Enter", "Enter")  # takes the user, then sends the form
        self.lists()

    def test_every_field_and_button_has_a_name(self):
        for name in ("ask", "models", "live", "value"):
            self.view(name)
            bare = self.browser.run("""return [...document.querySelectorAll('input, select, button, [role=listbox], svg')]
                .filter(e => !e.closest('[hidden]') && !(e.labels?.length || e.getAttribute('aria-label') || e.innerText?.trim()))
                .map(e => e.outerHTML)""")
            self.assertEqual(bare, [])
            self.assertEqual(self.browser.run("return document.querySelectorAll('main h1').length - document.querySelectorAll('main [hidden] h1, main section[hidden] h1').length"), 1)

    def test_cards_and_reloads(self):
        self.view("models")
        self.browser.wait("document.querySelectorAll('#cards article').length === 2", "cards")
        balanced = self.browser.text("#cards article:nth-child(2)")
        for words in ("Imbalance", "Before", "Auc on valid", "Findings"):
            self.assertIn(words, balanced)
        self.picture("models")
        whole = (self.folder / "plain.model").read_bytes()
        old = self.browser.text("#cards article:nth-child(1) code")
        self.view("live")
        self.browser.wait("document.querySelectorAll('.tile').length > 5", "tiles")
        try:
            (self.folder / "plain.model").write_bytes((self.folder / "other.model").read_bytes())
            fresh = self.post("/v1/models/plain/reload")
            self.browser.wait(f"document.getElementById('events').innerText.includes({json.dumps(fresh['fingerprint'])})", "the reload")
            self.assertNotEqual(old, fresh["fingerprint"])
            (self.folder / "plain.model").write_bytes(whole[: len(whole) // 2])
            self.view("models")
            self.browser.wait("document.querySelectorAll('#cards article').length === 2", "cards")
            self.browser.click("#cards article:nth-child(1) button")
            self.browser.wait("document.querySelector('#cards .bad')", "a refusal")
            self.assertIn("The old model stays", self.browser.text("#cards .bad"))
        finally:
            (self.folder / "plain.model").write_bytes(whole)
        # A refused reload is a failed request, which the browser tells by itself.
        self.assertEqual([text for text in self.browser.messages() if "422" not in text], [])
        self.browser.click("#cards article:nth-child(1) button")
        self.browser.wait("document.getElementById('models-state').innerText.includes('loaded again')", "the old file again")

    def test_live_rates_and_drift(self):
        self.view("live")
        for n in range(40):
            answers = self.post("/v1/recommend", {"requests": [{"user": f"u{n}"}]})["answers"]
            self.post("/v1/feedback", {"feedback": [{"request_id": answers[0]["request_id"], "item": answers[0]["items"][0]["item"]}]})
        self.browser.wait("[...document.querySelectorAll('#drift svg')].length === 2", "drift of both models")
        self.browser.wait("document.querySelectorAll('.tile svg').length > 3", "curves")
        self.assertIn("Explored", self.browser.text("#tiles"))
        self.assertRegex(self.browser.text("#drift"), r"\d% of the places are elsewhere")
        self.picture("live")
        self.browser.click("#pause")
        self.assertEqual(self.browser.run("return document.getElementById('pause').ariaPressed"), "true")

    def test_values_are_computed_and_judged(self):
        self.view("value")
        users = [f"u{n}" for n in range(60) if n != 7]
        asked = {"requests": [{"user": user, "k": 5} for user in users]}
        for _ in range(8):
            answers = self.post("/v1/recommend", asked)["answers"]
            self.post("/v1/feedback", {"feedback": [
                {"request_id": one["request_id"], "item": item["item"]} for one in answers
                for item in one["items"] if (int(one["user"][1:]) + int(item["item"][1:])) % 8 == 0]})
        self.browser.click("#value-state button")
        self.browser.wait("document.querySelector('#values table') && document.querySelector('.verdict')", "values", 60)
        self.assertIn(self.browser.text(".verdict h2"), ("Ship", "Keep exploring"))
        self.assertRegex(self.browser.text("#value-state"), r"Computed \d+ s ago")
        rows = self.browser.run("return [...document.querySelectorAll('#values tbody tr')].map(r => [...r.cells].map(c => c.innerText))")
        self.assertEqual([row[0] for row in rows], ["as served", "plain", "balanced"])
        for row in rows[1:]:
            self.assertRegex(row[4], r"^[\d.]+\s+[-\d.]+ to [\d.]+$")
        found = self.server.ask("/v1/value")[2]["found"]
        self.assertLess(found["lists"], int(self.server.metric("equipoise_lists_total")), "users may still answer the newest")
        self.assertGreater(found["lists"], 4 * len(users))
        self.picture("value")

    def test_a_server_that_cannot_judge_says_why(self):
        with_log = ("--log", "greedy")
        for arguments, state, words in (((), "", "There is no log to judge from"), (with_log, "#value-state button", "Cannot be known")):
            server = Server(self.folder, "plain=plain.model", "balanced=balanced.model", "--threads", "1", *arguments)
            try:
                self.browser.open(server.address + "/#value")
                self.browser.wait("!document.getElementById('value').hidden && !document.querySelector('#value-state .waiting')", "value")
                if state:
                    server.ask("/v1/recommend", {"requests": [{"user": f"u{n}"} for n in range(20)]})
                    self.browser.click(state)
                self.browser.wait(f"document.getElementById('value').innerText.includes({json.dumps(words)})", words)
                self.picture("value-refused")
                status = server.ask("/v1/value", method="POST")[0]
                self.assertEqual(status, 200 if arguments else 409)
            finally:
                server.end()

    def test_a_lost_server_is_told(self):
        server = Server(self.folder, "plain=plain.model", "--threads", "1")
        self.browser.open(server.address + "/#ask")
        self.browser.wait("!document.getElementById('ask').hidden && !document.querySelector('#ask-state .waiting')", "ask")
        server.end()
        self.browser.run("document.getElementById('user').value = 'u1'")
        self.browser.click("#ask-go")
        self.browser.wait("document.getElementById('ask').innerText.includes('No connection')", "no connection")
        self.picture("lost")
        self.assertEqual([text for text in self.browser.messages() if "ERR_CONNECTION" not in text], [])

    def test_a_token_is_asked_for(self):
        (self.folder / "token").write_text("open sesame\n")
        server = Server(self.folder, "plain=plain.model", "--threads", "1", "--token-file", "token")
        try:
            self.browser.open(server.address + "/#ask")
            for token in ("wrong", "open sesame"):
                self.browser.wait("!document.getElementById('token').hidden", "the token's form")
                self.browser.run("document.getElementById('token-text').focus()")
                self.browser.press(token, "Enter")
            self.browser.wait("document.getElementById('token').hidden && document.querySelectorAll('#left option').length === 1", "the models")
            self.assertEqual([text for text in self.browser.messages() if "401" not in text], [])
            self.browser.run("sessionStorage.clear()")
        finally:
            server.end()

    def test_phone_and_dark(self):
        for dark in (False, True):
            self.browser.width(390, 844)
            self.browser.dark(dark)
            for name in ("ask", "models", "live", "value"):
                self.view(name)
                if name == "ask":
                    self.find("user", "u1", "u1")
                    self.browser.click("#ask-go")
                    self.lists()
                self.no_overflow()
                small = self.browser.run("""return [...document.querySelectorAll('nav a, button, select, input:not([type=checkbox])')]
                    .filter(e => e.offsetParent && e.getBoundingClientRect().height < 40).map(e => e.outerHTML)""")
                self.assertEqual(small, [], "too small to touch")
                self.picture(f"phone-{name}{'-dark' if dark else ''}")
            back = self.browser.run("return getComputedStyle(document.body).backgroundColor")
            self.assertEqual(back, "rgb(20, 23, 27)" if dark else "rgb(255, 255, 255)")

    def test_only_its_own_script_may_run(self):
        _, headers, text = self.server.ask("/")
        policy, text = headers["Content-Security-Policy"], text.decode()
        self.assertNotIn("unsafe", policy)
        self.assertRegex(policy, r"default-src 'none'; script-src 'sha256-[A-Za-z0-9+/]{43}='")
        self.assertNotIn("innerHTML", text)
        self.assertNotRegex(text.replace("http://www.w3.org/2000/svg", ""), r"https?://")


if __name__ == "__main__":
    harness.main()
