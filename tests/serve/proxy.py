# The example of a proxy in front: nginx ends TLS, what belongs to the inside stays inside.
import http.client
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import unittest

from server import harness, train, until

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/serve/nginx.conf"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@unittest.skipUnless(NGINX and shutil.which("openssl"), "nginx or openssl is not installed")
class Proxy(harness.Case):
    def test_the_example_works(self):
        train(self)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.crt",
                        "-days", "1", "-subj", "/CN=localhost"], cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        text = EXAMPLE.read_text()
        for old, new in (("/run/equipoise/", f"{self.folder}/"), ("/etc/equipoise/", f"{self.folder}/"), ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        text = (f"daemon off; user root; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.err;\n" + text).replace(
            "http {", f"http {{ access_log off; client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy; fastcgi_temp_path {self.folder}/f; uwsgi_temp_path {self.folder}/u; scgi_temp_path {self.folder}/s;", 1)
        (self.folder / "nginx.conf").write_text(text)
        serve = subprocess.Popen([harness.PROGRAM, "serve", "gmf.model", "--listen", f"unix:{self.folder}/serve.sock", "--log", "served", "--quiet"], cwd=self.folder)
        proxy = subprocess.Popen([NGINX, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")], stderr=subprocess.DEVNULL)
        try:
            self.assertTrue(until(lambda: self.ask(port, "/healthz")[0] == 200))
            status, body = self.ask(port, "/v1/recommend/u1?k=3")
            self.assertEqual((status, len(json.loads(body)["items"])), (200, 3))
            self.assertEqual(self.ask(port, "/metrics")[0], 404)
            self.assertEqual(self.ask(port, "/v1/models/gmf/reload", "POST")[0], 404)
        finally:
            for process in (proxy, serve):
                process.terminate()
                process.wait(20)

    def ask(self, port, target, method="GET"):
        context = ssl.create_default_context(cafile=self.folder / "server.crt")
        try:
            connection = http.client.HTTPSConnection("localhost", port, timeout=10, context=context)
            connection.request(method, target)
            answer = connection.getresponse()
            out = answer.status, answer.read()
            connection.close()
            return out
        except OSError:
            return 0, b""


if __name__ == "__main__":
    harness.main()
