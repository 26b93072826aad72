# A browser for tests: Chromium without a window, driven by chromedriver's HTTP protocol; needs Debian's packages only.
"""`Browser(folder)` starts both, `close()` ends both; `missing()` says which of the two is not installed."""
import base64
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Down": "\ue015", "Up": "\ue013", "Escape": "\ue00c"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's name of an element's id


def missing():
    for name in ("chromium", "chromedriver"):
        if not shutil.which(name):
            return name
    return None


class Browser:
    def __init__(self, folder):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                       text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.base = f"http://127.0.0.1:{found[1]}"
                break
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900",
                     "--force-device-scale-factor=1", f"--user-data-dir={folder}"]
        wanted = {"browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
                  "goog:chromeOptions": {"binary": shutil.which("chromium"), "args": arguments}}
        session = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self.base += "/session/" + session

    def send(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {json.load(error)['value']['message']}") from None

    def close(self):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(20)
            self.driver.stdout.close()

    def open(self, address):
        self.send("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """The value that the body of a function returns in the page."""
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def tell(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def wait(self, script, what, seconds=30):
        """Until the expression is true in the page."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run("return " + script):
                return value
            time.sleep(0.05)
        raise AssertionError(f"{what}: not within {seconds} seconds; the page shows: {self.text('body')}")

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.innerText || ''", selector)

    def press(self, *keys):
        """Keys by their names, or texts, as from a keyboard."""
        strokes = [letter for key in keys for letter in ([KEYS[key]] if key in KEYS else key)]
        actions = [{"type": kind, "value": stroke} for stroke in strokes for kind in ("keyDown", "keyUp")]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        found = self.send("POST", "/element", {"using": "css selector", "value": selector})
        self.send("POST", f"/element/{found[ELEMENT]}/click", {})

    def width(self, pixels, height=900):
        self.tell("Emulation.setDeviceMetricsOverride", width=pixels, height=height, deviceScaleFactor=1,
                  mobile=pixels < 600)

    def dark(self, on):
        self.tell("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def messages(self):
        """What the console has said since the last call."""
        return [entry["message"] for entry in self.send("POST", "/se/log", {"type": "browser"})]

    def picture(self, path):
        """Of the whole page, not only of what fits."""
        picture = self.tell("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        path.write_bytes(base64.b64decode(picture["data"]))
