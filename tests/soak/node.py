"""The server under test: started, killed, frozen and started again over one store."""
import os
import random
import signal
import socket
import subprocess
import threading
import time

START_SECONDS = 30


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Node:
    """One `mizan serve`. `process` is replaced at each start; threads: any."""

    def __init__(self, binary, store, log):
        self.binary, self.store, self.log = binary, store, log
        self.port = free_port()
        self.lock = threading.Lock()
        self.process = None
        self.starts = self.kills = self.freezes = self.stops = 0
        self.memory_max = 0
        self.memory_by_minute = []  # The greatest of each.
        self.failure = None

    def start(self):
        words = [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--store", self.store,
                 "--deadline", "5s", "--stop-time", "10s"]
        environment = dict(os.environ, MIZAN_CONFIG="/dev/null")
        self.process = subprocess.Popen(words, stdout=self.log, stderr=self.log, env=environment)
        self.starts += 1
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server ended with {self.process.returncode} at its start")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise RuntimeError(f"the server did not listen within {START_SECONDS} s")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.kills += 1

    def freeze(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)
        self.freezes += 1

    def stop(self):
        """SIGTERM: it answers what it has accepted and ends with 0."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(timeout=60)
        self.stops += 1
        if status != 0:
            raise RuntimeError(f"the server ended with {status} when it was told to stop")

    def look_at_memory(self, seconds):
        """What the server holds now, so long after the beginning."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
                held = [int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:")]
        except OSError:
            return
        if not held:
            return
        while len(self.memory_by_minute) <= seconds // 60:
            self.memory_by_minute.append(0)
        self.memory_by_minute[-1] = max(self.memory_by_minute[-1], held[0])
        self.memory_max = max(self.memory_max, held[0])

    def trouble(self, ending, seed, interval):
        """Kills, freezes and stops the server until `ending` is set; `interval` in seconds."""
        choice = random.Random(seed)
        what = "kill"

        def pause():
            return min(choice.uniform(0.3, 1.7) * interval, threading.TIMEOUT_MAX)

        try:
            while not ending.wait(pause()):
                what, now = choice.choices(("kill", "freeze", "stop"), (6, 2, 2))[0], what
                if now == "freeze":
                    self.freeze(choice.uniform(0.1, 3.0))
                    continue
                self.kill() if now == "kill" else self.stop()
                ending.wait(choice.uniform(0, 0.5))
                self.start()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error
            ending.set()
