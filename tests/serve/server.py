# What the tests of the server share: starting it on a free port, asking it, its log.
"""Each test file is run as `FILE.py PROGRAM`."""
import http.client
import json
import pathlib
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import harness  # noqa: E402  (the tests of the command line share their folder and program with these)


class Server:
    """A running server; `ask` gives status, headers and the body as JSON where it is JSON."""

    def __init__(self, folder, *arguments, program=None, env=None, preexec=None):
        self.errors = folder / "serve.err"
        errors = open(self.errors, "ab")
        self.process = subprocess.Popen(
            [program or harness.PROGRAM, "serve", *map(str, arguments), "--json", "--listen", "127.0.0.1:0"],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            env=env or harness.environment(), preexec_fn=preexec)
        errors.close()
        text = ""
        while not text.rstrip().endswith("}"):
            line = self.process.stdout.readline().decode()
            if not line:
                raise AssertionError(f"the server did not start: {self.errors.read_text()[-500:]}")
            text += line
        self.address = json.loads(text)["addresses"][0]
        self.port = int(self.address.rsplit(":", 1)[1])

    def connect(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, target, body=None, method=None, headers=None, connection=None):
        own = connection or self.connect()
        text = json.dumps(body) if body is not None and not isinstance(body, (str, bytes)) else body
        headers = {**({"Content-Type": "application/json"} if body is not None else {}), **(headers or {})}
        own.request(method or ("GET" if body is None else "POST"), target, text, headers)
        answer = own.getresponse()
        data = answer.read()
        if "json" in (answer.getheader("Content-Type") or "") and data:
            data = json.loads(data)
        if connection is None:
            own.close()
        return answer.status, dict(answer.getheaders()), data

    def raw(self, data, timeout=10, half_close=False):
        """Sends bytes, and gives all that comes back until the connection ends or nothing more comes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            connection.sendall(data)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            out = b""
            try:
                while more := connection.recv(65536):
                    out += more
            except (TimeoutError, ConnectionResetError):
                pass
            return out

    def metric(self, name, connection=None):
        for line in self.ask("/metrics", connection=connection)[2].decode().splitlines():
            if line.split(" ")[0] == name:
                return float(line.split(" ")[1])
        raise AssertionError(f"no metric {name}")

    def memory_kb(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        return 0

    def end(self, how=signal.SIGTERM, seconds=40):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(seconds)
        self.process.stdout.close()
        said = self.errors.read_text(errors="replace")
        reports = [said.find(word) for word in ("Sanitizer", "runtime error:") if word in said]
        if reports:  # also where a test expects no code, or a kill
            raise AssertionError(said[min(reports):][:20000])
        return code


def read_log(folder):
    """The lines of a log as objects; the last one of a file may be torn while a server lives or after it was killed."""
    out = []
    for path in sorted(pathlib.Path(folder).glob("served-*.log")):
        text = path.read_bytes()
        for line in text.split(b"\n")[:-1]:
            out.append(json.loads(line))
    return out


def train(case, name="gmf.model", base="gmf", method="base", seed=1, more=()):
    if not (case.folder / "log.csv").exists():
        (case.folder / "log.csv").write_bytes(harness.small_log())
    case.good("train", "log.csv", "--base", base, "--method", method, "--epochs", "2", "--seed", seed, "--out", name, "--quiet", *more)
    return name


def until(what, seconds=20, step=0.02):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(step)
    return False

