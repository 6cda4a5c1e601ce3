"""What the guard costs: CPU from a reply to its release, rate of the proxy against a bare pass-through, false holds.

    python benchmarks/guard.py [--requests 2000] [--rounds 5] [--pooled 200] [--peer NAME=URL]

Everything runs on loopback, in one run, on the same cores: an upstream that answers at once, a pass-through of two
httptools protocols and nothing else, and the guard with one worker, passing (an endpoint that is not guarded) and guarding.
CPU a request is that of the process (utime and stime of /proc), so that it means something on a busy machine; rates are
closed-loop and mean little there. Peers are asked at the URL given; how they are built or started is not in this tree.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httptools
import orjson
import uvloop

from showable.judging_settings import JudgingSettings
from showable.production.guard.call import GivenAnswer, GuardCall, Policy
from showable.production.guard.decide import decide, release_inline
from showable.production.guard.pool import LateError, Pool
from showable.production.guard.proxy import WIRES
from showable.production.guard.retrieval import find_log, read_given
from showable.profiles.load import load_profile
from showable.records.profile import GENERAL
from showable.records.record_file import read_record_lines

PATH, PASSED = "/v1/chat/completions", "/v1/completions"
TICK = os.sysconf("SC_CLK_TCK")
CONNECTIONS = 16


def exchange(claims=10, sources=8, size=4900):
    """A request of 41 kB with 8 passages, and a reply of 10 claims that quote them."""
    filler = "The parties agree that this clause binds successors and assigns of either party in full. "
    texts = [
        f"Clause {n}: unit {n} is let with notice of {30 + n} days. {filler * (size // len(filler))}"
        for n in range(sources)
    ]
    log = {
        "retrieved": [{"source_id": f"doc-{n}", "title": f"Lease {n}", "text": text} for n, text in enumerate(texts)]
    }
    request = {"model": "m", "messages": [{"role": "user", "content": "What notice is due?"}], "showable": log}
    made = [
        {
            "text": f"Unit {n % sources} is let with notice of {30 + n % sources} days.",
            "citations": [{"source_id": f"doc-{n % sources}", "quoted_span": f"notice of {30 + n % sources} days"}],
        }
        for n in range(claims)
    ]
    content = json.dumps({"claims": made, "refusal": "none"})
    message = {"role": "assistant", "content": content}
    usage = {"prompt_tokens": 9000, "completion_tokens": 400, "total_tokens": 9400}
    reply = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "usage": usage}
    reply["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return orjson.dumps(request), orjson.dumps(reply)


def time_decision(repeats):
    """Median and quartiles of CPU µs from the bytes of a reply to its release."""
    request, reply = exchange()
    wire = WIRES[PATH]
    asked = wire.asked(orjson.loads(request))
    given = read_given(asked.body["showable"])
    log = find_log(wire, asked, given, None)
    policy = Policy()
    samples = []
    for _ in range(repeats):
        began = time.process_time_ns()
        answers = wire.answers(orjson.loads(reply), asked)
        call = GuardCall(api="chat", question="q", answers=answers, retrieved=log.retrieved, log_from="field")
        release = decide(call, policy)
        samples.append((time.process_time_ns() - began) / 1e3)
    assert release.verdict == "show"
    return statistics.quantiles(samples, n=4), len(request)


class FixedReply(asyncio.Protocol):
    """An upstream that answers each request with the same bytes."""

    def __init__(self, reply):
        self.reply = reply

    def connection_made(self, transport):
        self.transport, self.parser = transport, httptools.HttpRequestParser(self)

    def data_received(self, data):
        self.parser.feed_data(data)

    def on_message_complete(self):
        self.transport.write(self.reply)


class PassThrough(asyncio.Protocol):
    """A proxy that reads a request and a response with httptools, and hands their bytes on."""

    def __init__(self, port, idle):
        self.port, self.idle, self.behind = port, idle, None

    def connection_made(self, transport):
        self.transport, self.parser = transport, httptools.HttpRequestParser(self)
        self.data, self.lost = [], False

    def connection_lost(self, exc):  # noqa: ARG002 - the protocol's
        self.lost = True
        if self.behind is not None:
            self.behind.transport.close()

    def data_received(self, data):
        self.data.append(data)
        self.parser.feed_data(data)

    def on_message_complete(self):
        whole, self.data = b"".join(self.data), []
        if self.behind is None:
            asyncio.get_running_loop().create_task(self._connect(whole))
        else:
            self.behind.transport.write(whole)

    async def _connect(self, whole):
        loop = asyncio.get_running_loop()
        _, self.behind = await loop.create_connection(lambda: Behind(self.transport), "127.0.0.1", self.port)
        self.behind.transport.write(whole)


class Behind(asyncio.Protocol):
    """The other side of a pass-through."""

    def __init__(self, client):
        self.client = client

    def connection_made(self, transport):
        self.transport, self.parser = transport, httptools.HttpResponseParser(self)
        self.data = []

    def data_received(self, data):
        self.data.append(data)
        self.parser.feed_data(data)

    def on_message_complete(self):
        self.client.write(b"".join(self.data))
        self.data = []


def serve(factory, ready):
    """Serve connections of a factory until killed."""

    async def run():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(factory, "127.0.0.1", 0)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    uvloop.run(run())


def begin(factory):
    """Start a server in a process of its own; returns it and its port."""
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=serve, args=(factory, theirs), daemon=True)
    process.start()
    return process, mine.recv()


def begin_guard(port, folder):
    """Start the guard with one worker; returns it and its port."""
    config = Path(folder) / "guard.toml"
    config.write_text(
        f'unguarded = ["{PASSED}"]\n[upstream.model]\nbase_url = "http://127.0.0.1:{port}"\n'
        '[[route]]\nname = "all"\nupstream = "model"\nprofile = "general"\nno_retrieval = "reject"\n'
    )
    command = [sys.executable, "-m", "showable", "guard", "--config", str(config), "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - this tree's own command
    line = process.stdout.readline()
    return process, int(line.rpartition(":")[2])


def cpu_of(pid):
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def rss_of(pid):
    """Resident memory of a process in MB."""
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


class Client(asyncio.Protocol):
    """A closed loop: the next request follows the response."""

    def __init__(self, raw, budget, done):
        self.raw, self.budget, self.done = raw, budget, done
        self.times = []

    def connection_made(self, transport):
        self.transport, self.parser = transport, httptools.HttpResponseParser(self)
        self._next()

    def _next(self):
        if self.budget[0] <= 0:
            self.transport.close()
            return
        self.budget[0] -= 1
        self.began = time.perf_counter()
        self.transport.write(self.raw)

    def connection_lost(self, exc):  # noqa: ARG002 - the protocol's
        self.done.release()

    def data_received(self, data):
        self.parser.feed_data(data)

    def on_message_complete(self):
        self.times.append(time.perf_counter() - self.began)
        if self.parser.get_status_code() != 200:
            self.budget[0] = -1
        self._next()


def load(port, path, body, requests):
    """Requests a second, and the 99th percentile of a request in ms."""
    raw = b"POST %b HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b" % (
        path.encode(),
        len(body),
        body,
    )

    async def run():
        loop, budget, done = asyncio.get_running_loop(), [requests], asyncio.Semaphore(0)
        clients = []
        began = time.perf_counter()
        for _ in range(CONNECTIONS):
            _, client = await loop.create_connection(lambda: Client(raw, budget, done), "127.0.0.1", port)
            clients.append(client)
        for _ in range(CONNECTIONS):
            await done.acquire()
        took = time.perf_counter() - began
        assert budget[0] == 0, "a response was no 200"
        return requests / took, 1e3 * statistics.quantiles([one for client in clients for one in client.times], n=100)[
            98
        ]

    return uvloop.run(run())


def compare_proxies(requests, rounds, peers):
    """Load the pass-through, the guard passing and the guard guarding in turn; medians of the rounds."""
    body, reply = exchange()
    plain = b'{"model": "m", "messages": [], "pad": "%b"}' % (b"x" * (len(body) - 45))
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(reply)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        upstream, port = begin(lambda: FixedReply(head + reply))
        bare, bare_port = begin(lambda: PassThrough(port, []))
        guard, guard_port = begin_guard(port, folder)
        cases = {
            "pass-through": (bare.pid, bare_port, PATH, body),
            "guard, passing": (guard.pid, guard_port, PASSED, plain),
            "guard, lean": (guard.pid, guard_port, PATH, body),
        }
        try:
            for name in cases:
                load(*cases[name][1:], 200)
            for _ in range(rounds):
                for name, (pid, *call) in cases.items():
                    before = cpu_of(pid)
                    rate, p99 = load(*call, requests)
                    found.setdefault(name, []).append((rate, p99, (cpu_of(pid) - before) / requests * 1e6))
            for name, url in peers.items():
                peer_port = int(url.rpartition(":")[2].strip("/"))
                found[name] = [(*load(peer_port, PATH, body, requests), float("nan")) for _ in range(rounds)]
            rss = rss_of(guard.pid)
        finally:
            guard.terminate()
            guard.wait(40)
            for process in (bare, upstream):
                process.kill()
    return found, rss


def demo_records():
    """The demo's answers with what each has been labelled."""
    path = Path(__file__).resolve().parent.parent / "src" / "showable" / "demo" / "data" / "records.jsonl"
    records = [line.value for line in read_record_lines(path) if line.value is not None]
    return [record for record in records if record.gold is not None and record.answer]


def compare_readings():
    """False holds of a lean and a full reading on good answers, without a judge; and where the two do not agree on any."""
    held, hidden, good, apart = {"lean": 0, "full": 0}, 0, 0, {"lean alone holds": 0, "full alone holds": 0}
    records = demo_records()
    for record in records:
        profile = load_profile(record.profile) if record.profile else GENERAL
        lean, full = (release_inline(record, profile, full=full) for full in (False, True))
        apart["lean alone holds"] += lean.verdict == "hold" != full.verdict
        apart["full alone holds"] += full.verdict == "hold" != lean.verdict
        if record.gold.bucket in {"correct", "refused"}:
            good += 1
            held["lean"] += lean.verdict == "hold"
            held["full"] += full.verdict == "hold"
            hidden += "structural.invisible_characters" in lean.codes
    return held, hidden, good, apart, len(records)


def time_pool(repeats):
    """Wall and CPU ms of a decision in the pool, one after the other: a full reading, and with a verdict on every claim."""

    def cpu_ms(pids):
        return 1e3 * sum(cpu_of(pid) for pid in pids)

    async def run():
        pool = Pool(JudgingSettings(), 1)
        await pool.start()
        rows, found = [record for record in demo_records() if isinstance(record.answer, str)], {}
        for name, semantic in (("full reading", "off"), ("every claim judged", "required")):
            policy = Policy(reading="full", semantic=semantic, label="general")
            times, before, late = [], cpu_ms(pool.pids), 0
            for number in range(repeats):
                record = rows[number % len(rows)]
                call = GuardCall("chat", record.question, (GivenAnswer(record.answer),), record.retrieved)
                began = time.perf_counter()
                try:
                    await pool.decide(call, policy, judge_s=5.0, reading_s=5.0, from_cache=False)
                except LateError:
                    late += 1
                times.append(1e3 * (time.perf_counter() - began))
            found[name] = (statistics.quantiles(times, n=20), (cpu_ms(pool.pids) - before) / repeats, late)
        rss = max(map(rss_of, pool.pids))
        await pool.close()
        return found, rss

    return uvloop.run(run())


def main():
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--pooled", type=int, default=200)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=URL")
    given = parser.parse_args()
    (low, middle, high), size = time_decision(given.repeats)
    print(
        f"reply to release, structured, 10 claims, 8 sources, request of {size:,} bytes: {middle:.0f} µs CPU (quartiles {low:.0f}–{high:.0f}, n={given.repeats})"
    )
    held, hidden, good, apart, n = compare_readings()
    print(
        f"false holds on good answers and refusals of the demo (n={good}): lean {held['lean']}, full {held['full']}; with a hidden character in a quotation, which the profile holds by its rule: {hidden}"
    )
    print(f"of all its answers (n={n}): " + ", ".join(f"{name} {count}" for name, count in apart.items()))
    pooled, pool_rss = time_pool(given.pooled)
    for name, (cuts, cpu, late) in pooled.items():
        print(
            f"in the pool, {name}: median {cuts[9]:.1f} ms, 95th percentile {cuts[18]:.1f} ms, {cpu:.1f} ms CPU an answer (n={given.pooled}, late {late})"
        )
    peers = dict(peer.split("=", 1) for peer in given.peer)
    found, rss = compare_proxies(given.requests, given.rounds, peers)
    print(
        f"\n{'':<16}{'req/s':>9}{'p99 ms':>9}{'µs CPU':>9}   median of {given.rounds} rounds of {given.requests} requests"
    )
    middle_of = {
        name: [statistics.median(column) for column in zip(*rounds, strict=True)] for name, rounds in found.items()
    }
    for name, (rate, p99, cpu) in middle_of.items():
        print(f"{name:<16}{rate:>9.0f}{p99:>9.1f}{cpu:>9.0f}")
    bare, passing, lean = (middle_of[name] for name in ("pass-through", "guard, passing", "guard, lean"))
    print(
        f"lean over passing: +{lean[2] - passing[2]:.0f} µs CPU a request; lean / pass-through: {lean[0] / bare[0]:.2f} of its rate"
    )
    print(f"RSS of the worker: {rss:.0f} MB; of a process of the pool, with the embedded judge: {pool_rss:.0f} MB")


if __name__ == "__main__":
    main()
