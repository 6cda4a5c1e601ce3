"""Kill -9 under load: workers of the guard, or its upstream, while clients ask; no answer may leave undecided, nothing may stick.

    python benchmarks/guard_kills.py [--kills 100] [--of worker] [--of upstream]

Four clients ask without a pause, plain and streamed, for a good answer and for one that cites what was never retrieved.
What is printed: calls, what became of them, bytes of a bad answer that came back, answers that differ from the upstream's
though they were shown, and how long after a kill the guard answered again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

PATH = "/v1/chat/completions"
MARK = "The courts agree"
ANSWERS = {"good": "Notice is ninety days [lease].", "bad": f"Notice is ninety days [lease]. {MARK} [appeal]."}
LOG = {"retrieved": [{"source_id": "lease", "text": "The tenant gives ninety days' written notice."}]}
RECOVERED, LONGEST_S = 4, 30.0
"""Answers after a kill that show that the guard works again, and how long they may take."""


def reply_of(model, stream):
    """The upstream's bytes: a completion, or its events."""
    head = {"id": "c", "object": "chat.completion", "created": 1, "model": model}
    text = ANSWERS[model]
    if not stream:
        message = {"role": "assistant", "content": text}
        choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
        return json.dumps(head | {"choices": choices}).encode()
    deltas = [{"role": "assistant"}, *({"content": text[at : at + 5]} for at in range(0, len(text), 5)), {}]
    events = [
        head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None if delta else "stop"}]}
        for delta in deltas
    ]
    return "".join(f"data: {json.dumps(one)}\n\n" for one in events).encode() + b"data: [DONE]\n\n"


def answer_calls(taken):
    """Be the upstream at a socket that stays open when this process is killed: who connects meanwhile, waits."""

    async def answer(reader, writer):
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = next(
                    int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")
                )
                asked = json.loads(await reader.readexactly(size))
                body, stream = reply_of(asked["model"], asked.get("stream")), asked.get("stream")
                kind = b"text/event-stream" if stream else b"application/json"
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n" % (kind, len(body)))
                for at in range(0, len(body), 200):  # so that a kill may come in the middle
                    writer.write(body[at : at + 200])
                    await writer.drain()
                    await asyncio.sleep(0)
        writer.close()

    async def run():
        server = await asyncio.start_server(answer, sock=taken)
        await server.serve_forever()

    asyncio.run(run())


@dataclass
class Outcome:
    """What was seen: calls by status and release, and what must not be."""

    kills: int = 0
    releases: Counter = field(default_factory=Counter)
    leaked: int = 0
    changed: int = 0
    stuck: int = 0
    recoveries: list = field(default_factory=list)

    @property
    def calls(self):
        """All calls, those that failed among them."""
        return sum(self.releases.values())

    def line(self, name):
        """One line of the table."""
        slowest = f"{max(self.recoveries):.2f}" if self.recoveries else "–"
        told = ", ".join(f"{key} {count}" for key, count in self.releases.most_common())
        return (
            f"{name}: {self.kills} kills, {self.calls} calls ({told}); leaked {self.leaked}, changed {self.changed},"
            f" stuck {self.stuck}; answers again after at most {slowest} s"
        )


@contextmanager
def guarded(folder, port, workers=2):
    """Run the guard's own command."""
    config = Path(folder) / "guard.toml"
    config.write_text(
        f'[upstream.model]\nbase_url = "http://127.0.0.1:{port}"\n'
        '[[route]]\nname = "all"\nupstream = "model"\nprofile = "general"\nno_retrieval = "reject"\n'
    )
    command = [sys.executable, "-m", "showable", "guard", "--config", str(config), "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(  # noqa: S603 - this tree's own command
        [*command, "--workers", str(workers)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield process, process.stdout.readline().removeprefix("listening on ").strip()
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()


def children_of(pid):
    """The worker processes of a guard."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ask(url, outcome, stop, number):
    """Ask until told to stop, and note what came."""
    stream = bool(number % 2)
    chance = random.Random(number)  # noqa: S311 - it picks what is asked for
    while not stop.is_set():
        model = chance.choice(["good", "bad"])
        try:
            reply = httpx.post(
                f"{url}{PATH}",
                json={"model": model, "stream": stream, "messages": [], "showable": LOG},
                timeout=LONGEST_S,
            )
        except httpx.TimeoutException:
            outcome.stuck += 1
            continue
        except httpx.HTTPError:
            outcome.releases["no reply"] += 1
            continue
        release = reply.headers.get("x-showable-release", f"status {reply.status_code}")
        outcome.leaked += MARK in reply.text or "appeal" in reply.text
        outcome.changed += release == "show" and reply.content != reply_of(model, stream)
        outcome.releases[release] += 1


def kill_under_load(of, kills, seed=0):
    """Kill a worker or the upstream so many times; returns what was seen."""
    chance, outcome, stop = random.Random(seed), Outcome(), threading.Event()  # noqa: S311 - it picks whom and when
    context = multiprocessing.get_context("fork")
    with socket.create_server(("127.0.0.1", 0), backlog=256) as taken, tempfile.TemporaryDirectory() as folder:

        def begin():
            made = context.Process(target=answer_calls, args=(taken,), daemon=True)
            made.start()
            return made

        upstream = begin()
        with guarded(folder, taken.getsockname()[1]) as (guard, url):
            clients = [threading.Thread(target=ask, args=(url, outcome, stop, n), daemon=True) for n in range(4)]
            for client in clients:
                client.start()
            for _ in range(kills):
                time.sleep(chance.random() * 0.05)
                if of == "upstream":
                    upstream.kill()
                    upstream.join()
                    upstream = begin()
                else:
                    with suppress(ProcessLookupError, IndexError):
                        os.kill(chance.choice(children_of(guard.pid)), signal.SIGKILL)
                outcome.kills += 1
                began, seen = time.monotonic(), outcome.releases["show"] + outcome.releases["hold"]
                while outcome.releases["show"] + outcome.releases["hold"] < seen + RECOVERED:
                    if time.monotonic() - began > LONGEST_S:
                        outcome.stuck += 1
                        break
                    time.sleep(0.005)
                outcome.recoveries.append(time.monotonic() - began)
            stop.set()
            for client in clients:
                client.join(60)
                outcome.stuck += client.is_alive()
        upstream.kill()
        upstream.join()
    return outcome


def main():
    """Print a line for each kind of process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--of", action="append", choices=["worker", "upstream"])
    given = parser.parse_args()
    bad = 0
    for of in given.of or ["worker", "upstream"]:
        outcome = kill_under_load(of, given.kills)
        bad += outcome.leaked + outcome.changed + outcome.stuck
        print(outcome.line(of))
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
