# Jobs on two hosts: network namespaces with addresses of their own, TCP between them; links cut and processes killed.
"""Run as root: `hosts.py PROGRAM PROGRAM_WITH_RANKS`; EQUIPOISE_KILLS says how many kills (30)."""
import collections
import os
import random
import signal
import subprocess
import time
import unittest

import ranks

KILLS = int(os.environ.get("EQUIPOISE_KILLS", "30"))
SECONDS = 15  # the most from a kill to the end of the job
PLAN = ["--methods", "base,snips", "--bases", "gmf,mlp", "--budget", "4", "--seeds", "2", "--epochs", "40", "--patience",
        "0", "--k", "3", "--replicates", "50", "--threads", "1", "--quiet"]
TRAIN = ["--method", "cbr", "--base", "mlp", "--embedding", "4", "--epochs", "30", "--batch-size", "64", "--patience", "0",
         "--checkpoint-seconds", "0.2", "--threads", "1", "--quiet"]
# As docs/cluster.md says: a host that does not answer is noticed within seconds, and errors are the program's own.
FLAGS = ["-q", "--mca", "odls_base_sigkill_timeout", "2", "--mca", "btl", "tcp,self", "--mca", "oob_tcp_keepalive_time", "3", "--mca", "oob_tcp_keepalive_intvl", "1",
         "--mca", "oob_tcp_keepalive_probes", "3"]
HOSTS = ("a", "b")


def call(*words):
    subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)


class Network:
    """Two namespaces with a link between them; what runs in one has its own host name, addresses and processes."""

    def __init__(self, folder):
        self.name = f"eq{os.getpid() % 100000}"
        self.space = {host: f"{self.name}{host}" for host in HOSTS}
        for host in HOSTS:
            call("ip", "netns", "add", self.space[host])
        call("ip", "link", "add", self.link("a"), "type", "veth", "peer", "name", self.link("b"))
        for number, host in enumerate(HOSTS, 1):
            call("ip", "link", "set", self.link(host), "netns", self.space[host])
            call("ip", "-n", self.space[host], "addr", "add", f"10.77.0.{number}/24", "dev", self.link(host))
            call("ip", "-n", self.space[host], "link", "set", "lo", "up")
        self.mend()
        self.agent = folder / "agent"  # what mpirun calls instead of ssh: HOST command…
        self.agent.write_text("#!/bin/bash\nhost=$1; shift\n" + self.entering("$host", '"$*"', run="eval") + "\n")
        self.agent.chmod(0o755)

    def link(self, host):
        return f"{self.name}v{host}"

    def entering(self, host, words, run="exec"):
        return (f"exec ip netns exec {self.name}{host} unshare --uts bash -c "
                f"'hostname \"$0\" && {run} \"$@\"' {host} {words}")

    def mpirun(self, count, *words):
        return ["bash", "-c", self.entering("a", '"$@"'), "mpirun", "mpirun", *FLAGS, "--mca", "plm_rsh_agent",
                str(self.agent), "--host", "a:2,b:2", "-n", str(count), *map(str, words)]

    def processes(self, host):
        found = subprocess.run(["ip", "netns", "pids", self.space[host]], check=True, capture_output=True, text=True)
        return [int(word) for word in found.stdout.split()]

    def ranks_on(self, host):
        program = os.path.basename(ranks.OVER_RANKS)
        return [pid for pid in self.processes(host) if self.program_of(pid) == program]

    def started(self):
        """Whether both hosts have ranks, and rank 0 the process that says its last line."""
        return len(self.ranks_on("a")) > 2 and self.ranks_on("b")

    @staticmethod
    def program_of(pid):
        try:
            return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
        except OSError:
            return ""

    def mend(self):
        for host in HOSTS:
            call("ip", "-n", self.space[host], "link", "set", self.link(host), "up")

    # Three ways to lose a host.
    def kill_a_rank(self, draw):
        self.kill(draw.sample(self.ranks_on("b") or [0], 1))

    def kill_the_host(self, _):
        self.kill(self.processes("b"))

    def cut_the_link(self, _):
        call("ip", "-n", self.space["b"], "link", "set", self.link("b"), "down")

    @staticmethod
    def kill(pids):
        for pid in pids:
            try:
                if pid:
                    os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def close(self):
        for host in HOSTS:
            self.kill(self.processes(host))
            subprocess.run(["ip", "netns", "del", self.space[host]], check=False)


@unittest.skipUnless(os.geteuid() == 0, "network namespaces need root")
class Hosts(ranks.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.network = Network(cls.folder)
        cls.addClassCleanup(cls.network.close)
        cls.good("simulate", "sim", "--users", 400, "--items", 24, "--width", 4, "--quiet")

    def start_job(self, count, *words):
        return subprocess.Popen(self.network.mpirun(count, ranks.OVER_RANKS, *words), cwd=self.folder,
                                env=ranks.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def job(self, count, *words):
        run = self.start_job(count, *words)
        out, said = run.communicate(timeout=ranks.harness.COMMAND_SECONDS)
        self.assertEqual(run.returncode, 0, said)
        return out

    def lose_hosts(self, words, kills, least, check):
        """Starts the job again after every loss; `check` says that nothing is corrupt and whether it is done."""
        draw = random.Random(len(words))
        ways = (self.network.kill_a_rank, self.network.kill_the_host, self.network.cut_the_link)
        slowest = lost = 0
        said_by = collections.Counter()
        while lost < kills:
            count = (4, 3)[lost % 2]
            run = self.start_job(count, *words)
            while run.poll() is None and not self.network.started():
                time.sleep(0.01)
            time.sleep(draw.choice((0.0, least)) + draw.uniform(0, 2 * least + 1.5))
            way, begin = ways[lost % 3], time.monotonic()
            if run.poll() is None:
                way(draw)
            out, said = run.communicate(timeout=ranks.harness.COMMAND_SECONDS)
            took = time.monotonic() - begin
            self.network.mend()
            if run.returncode == 0:  # it had come to its end, or what was to be killed had
                check(True, out)
                continue
            lost += 1
            slowest = max(slowest, took)
            self.assertLess(took, SECONDS, way.__name__)
            lines = [line for line in said.decode().splitlines() if line.startswith("equipoise: ")]
            self.assertEqual(len(lines), 1, f"{way.__name__}: {said.decode()}")
            said_by[lines[0].split(": ")[1][:40]] += 1
            for _ in range(100):  # what the other host had is gone as well
                if not self.network.ranks_on("b"):
                    break
                time.sleep(0.1)
            self.assertFalse(self.network.ranks_on("b") + self.network.ranks_on("a"), way.__name__)
            check(False, out)
        print(f"\nfigure: {lost} losses of a rank, a host or the link; the job ended after {slowest:.1f} s at most; "
              f"one line each: {dict(said_by)}", flush=True)

    def test_compare_is_the_same_on_two_hosts(self):
        whole = self.good("compare", "sim", *PLAN, "--out", "whole").stdout
        self.assertEqual(self.job(4, "compare", "sim", *PLAN, "--out", "hosts"), whole)
        self.assertEqual(self.trials("hosts"), self.trials("whole"))

    def test_compare_survives_the_loss_of_a_host(self):
        whole = self.good("compare", "sim", *PLAN, "--out", "reference").stdout
        stores = iter(range(1000))
        words = ["compare", "sim", *PLAN, "--out", "lost0"]

        def check(done, out):
            if not done:
                if (self.folder / words[-1] / "runs.sqlite").exists():
                    self.good("runs", words[-1], "--quiet")
                return
            self.assertEqual(out, whole)
            self.assertEqual(self.trials(words[-1]), self.trials("reference"))
            words[-1] = f"lost{next(stores) + 1}"

        self.lose_hosts(words, KILLS, 0.3, check)
        self.assertEqual(self.good(*words).stdout, whole)  # on no rank but its own
        self.assertEqual(self.trials(words[-1]), self.trials("reference"))

    def test_train_survives_the_loss_of_a_host(self):
        refused = self.ranks(2, "train", "sim", *TRAIN, "--out", "probe.model").stderr
        if b"cannot run on several ranks" in refused:
            self.skipTest("this program does not train over ranks")
        self.good("train", "sim", *TRAIN, "--out", "reference.model")
        whole = (self.folder / "reference.model").read_bytes()
        model = self.folder / "lost.model"

        def check(done, _):
            if done:
                self.assertEqual(model.read_bytes(), whole)
                model.unlink()
            elif model.exists():  # lost between the model and the end
                self.assertEqual(model.read_bytes(), whole)
                model.unlink()

        words = ["train", "sim", *TRAIN, "--out", "lost.model", "--resume"]
        self.lose_hosts(words, KILLS, 0.3, check)
        self.good(*words)
        self.assertEqual(model.read_bytes(), whole)


if __name__ == "__main__":
    ranks.main()
