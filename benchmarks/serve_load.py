"""Spans received, joined and scored at a fixed rate: how long an export takes, what lags behind, and what memory does meanwhile.

    python benchmarks/serve_load.py [--seconds 300] [--rate 10000] [--server-cores 0] [--store PATH-OR-URL]

`serve` runs as its users start it, with all of its processes, on the cores that are named; the sender runs on the last core. Rates are in
spans a second, 20 spans a trace, each trace in two requests (see serve_traffic.py). The judge reads what fails and what refuses, as far as the others leave it time.
At the end every trace must be scored, and the outcomes must be those of its kind, which are found by scoring one trace of each kind alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Self

from serve_traffic import KINDS, SPANS, Sender, pieces_of

from showable.serving.live_scoring import LiveScoring
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Where
from showable.traces.otlp.decode import decode_request

DIMENSIONS = ("structural", "resolvability", "refusal")
EVERY_S = 5.0
SERVE = """
import json, sys
from showable.serving.settings import ServeSettings
from showable.serving.supervisor import serve
if __name__ == "__main__":
    serve(ServeSettings(**json.loads(sys.argv[1])))
"""


class Running:
    """`serve`, in a process group of its own."""

    def __init__(self, settings: dict, cores: set[int] | None = None) -> None:
        self.settings = settings
        self._folder = tempfile.TemporaryDirectory(prefix="serve-")
        script = Path(self._folder.name) / "serve.py"
        script.write_text(SERVE)  # a file: what is spawned looks at the first module again
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, str(script), json.dumps(settings)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=None if cores is None else lambda: os.sched_setaffinity(0, cores),  # noqa: PLW1509
        )
        self.told = [self.process.stdout.readline()]
        assert "received at" in self.told[0], self.told
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        self.port = int(self.told[0].split("http://")[1].split()[0].rpartition(":")[2])

    def processes(self) -> dict[str, int]:
        """Give the process ids by name."""
        found = {"first": self.process.pid}
        for child in Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split():
            name = Path(f"/proc/{child}/comm").read_text().strip()
            if name.startswith("prob-"):
                found[name.removeprefix("prob-")] = int(child)
        return found

    def stop(self) -> float:
        """End it as Ctrl-C does; gives the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        self._folder.cleanup()
        return time.monotonic() - began

    def kill(self) -> None:
        """End all of it as a power cut does."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(30)
        self._folder.cleanup()


class Memory:
    """Samples of each process' resident memory (MiB) and of its processor time (seconds)."""

    def __init__(self, running: Running) -> None:
        self._running, self._stop = running, threading.Event()
        self.resident: dict[str, list[float]] = defaultdict(list)
        self.worked: dict[str, list[float]] = defaultdict(list)
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        page, tick = os.sysconf("SC_PAGE_SIZE") / 2**20, os.sysconf("SC_CLK_TCK")
        while True:
            for name, pid in self._running.processes().items():
                self.resident[name].append(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page)
                spent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                self.worked[name].append((int(spent[11]) + int(spent[12])) / tick)
            if self._stop.wait(EVERY_S):
                return

    def tell(self, seconds: float) -> None:
        """Print the medians of the second and of the last fifth, and the share of a core."""
        for name, held in self.resident.items():
            fifth = max(1, len(held) // 5)
            second, last = statistics.median(held[fifth : 2 * fifth]), statistics.median(held[-fifth:])
            share = 100 * (self.worked[name][-1] - self.worked[name][0]) / seconds
            print(
                f"  {name:10} {second:6.0f} MiB in the second fifth, {last:6.0f} in the last; {share:5.1f} % of a core"
            )


def expected(settings: dict, sent: Counter[str]) -> Counter[tuple[str, str]]:
    """Give the outcomes that so many traces of each kind must have, from one trace of each scored alone."""
    out: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for kind in set(KINDS):
            store = open_trace_store(Path(folder) / f"{kind}.sqlite")
            trace, now = os.urandom(16), time.time_ns() - 10**9
            bodies = [piece.written(trace, now) for piece in pieces_of(kind)]
            store.add_spans([s for body in bodies for s in decode_request(body, "application/x-protobuf").spans])
            scoring = LiveScoring(store, ServeSettings(**{**settings, "store": folder, "scorers": 1}))
            for seconds in (0, 1000):
                scoring.step(time.monotonic_ns() + seconds * 10**9)
            for found in store.counts(Where(), dimensions=DIMENSIONS):
                out[found.dimension, found.value] += found.n * sent[kind]
            store.close()
    return out


def found(store, *, answers: int, patience: float) -> tuple[Counter[tuple[str, str]], float]:
    """Wait until so many answers are scored; gives their outcomes, and the seconds that it took."""
    began = time.monotonic()
    while (held := store.holdings()).answers < answers and time.monotonic() - began < patience:
        time.sleep(0.25)
    print(f"stored {held.spans:,} spans, {held.answers:,} answers, {(held.bytes or 0) / 2**20:,.0f} MiB")
    counts = store.counts(Where(), dimensions=DIMENSIONS)
    return Counter({(c.dimension, c.value): c.n for c in counts}), time.monotonic() - began


def quantile(values: list[float], q: float) -> float:
    """Give a quantile in milliseconds."""
    return 1e3 * sorted(values)[min(len(values) - 1, int(q * len(values)))] if values else float("nan")


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--rate", type=float, default=10_000)
    parser.add_argument("--traces", type=int, default=10, help="new traces a request")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--server-cores", default="0,1", help="such as 0 or 0,1")
    parser.add_argument("--judge", default="lexical")
    parser.add_argument("--scorers", type=int, default=2)
    parser.add_argument("--store", default=None)
    return parser.parse_args()


def main() -> None:
    """Print the figures."""
    given = options()
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "store": given.store or f"{folder}/spans.sqlite",
            "port": 0,
            "page_port": 0,
            "judge": given.judge,
            "scorers": given.scorers,
        }
        settings["sample"] = 1e-4
        running = Running(settings, {int(core) for core in given.server_cores.split(",")})
        os.sched_setaffinity(0, {(os.cpu_count() or 1) - 1})
        print(
            f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()};"
        )
        print(f"serve on core {given.server_cores}, the sender on the last; load average {os.getloadavg()[0]:.1f}")
        try:
            time.sleep(3)  # the processes import what they need
            sender = Sender(running.port, given.rate, given.traces, given.connections)
            with Memory(running) as memory:
                sent = sender.run(given.seconds)
                traces, store = sum(sent.kinds.values()), open_trace_store(settings["store"])
                got, lag = found(store, answers=traces, patience=given.seconds + 60)
            tell(sent, given, lag)
            memory.tell(given.seconds + lag)
            print("gauges:", {name: dict(said) for name, said in store.gauges().items()})
            wanted = expected(settings, sent.kinds)
            store.close()
            print(
                "outcomes as generated:",
                "yes" if wanted == got else f"NO: {wanted - got} missing, {got - wanted} too many",
            )
        finally:
            print(f"stopped in {running.stop():.1f} s")


def tell(sent, given: argparse.Namespace, lag: float) -> None:
    """Print what the sender saw."""
    traces = sum(sent.kinds.values())
    print(
        f"acknowledged {sent.spans:,} spans of {traces:,} traces: {sent.spans / given.seconds:,.0f} spans/s; statuses {dict(sent.statuses)}"
    )
    shown = ", ".join(f"p{100 * q:g} {quantile(sent.seconds, q):.1f} ms" for q in (0.5, 0.9, 0.99, 1.0))
    print(f"export call ({SPANS * given.traces} spans): {shown}; sent late by p99 {quantile(sent.late, 0.99):.1f} ms")
    print(f"all scored {lag:.1f} s after the last was acknowledged")


if __name__ == "__main__":
    main()
