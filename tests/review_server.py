"""The real review server in a process of its own, on a free port, over a small run; and somebody to talk to it.

`served(run)` starts it and ends it with the block. `small_run(path)` makes a run of six answers without any judge.
"""

from __future__ import annotations

import json
import os
import re
import signal
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from forked import Forked, command_line, forked
from scorecards import SIGNATURE

from showable.measure.summary import summarise
from showable.records import Evidence, Record
from showable.records.evidence import PairVerdict, Verdict
from showable.records.scorecard import Scorecard
from showable.stores.run_folder import RunFolder

CLOSED_AT_ONCE = httpx.Limits(max_keepalive_connections=0)
"""No connection outlives its answer, so that nobody has to be closed."""


@dataclass
class Reviewer:
    """A browser without a screen: keeps its cookie, and says what a page of ours would."""

    url: str
    name: str = ""
    role: str = "reviewer"
    token: str = ""
    client: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=20, limits=CLOSED_AT_ONCE, verify=False))  # noqa: S501 - plain HTTP on loopback

    def get(self, path, **headers):
        return self.client.get(self.url + path, headers=headers)

    def enter(self, name, role="reviewer"):
        """Come in by the start page, as a person does."""
        self.token = find_token(self.get("/").text)
        reply = self.post("/api/enter", {"name": name, "role": role})
        assert reply.status_code == 200, reply.text
        self.name, self.role, self.token = name, role, reply.json()["token"]
        return self

    def post(self, path, body, **headers):
        known = {"Content-Type": "application/json", "X-Showable": self.token, "Origin": self.url}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(self.url + path, content=content, headers=known | headers)

    def label(self, record, about, value, claim=None, citation=None, **more):
        given = {"id": uuid.uuid4().hex, "record": record, "about": about, "value": value, **more}
        given |= {name: at for name, at in (("claim", claim), ("citation", citation)) if at is not None}
        return self.post("/api/labels", given)


def find_token(page):
    """Read the token of a page out of the JSON it carries for its script."""
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(held[1])["token"]


@dataclass
class Server:
    """A running server: where it is, its process, and what it printed until it was ready."""

    url: str
    process: Forked
    said: list[str]

    def reviewer(self, name=None, role="reviewer"):
        one = Reviewer(self.url)
        return one.enter(name, role) if name else one

    def stop(self, how=signal.SIGINT):
        """Stop it; gives the exit code and what it still printed."""
        if self.process.wait(os.WNOHANG) is None:
            self.process.send(how)
        code = self.process.wait()
        return code, self.process.out[len("\n".join(self.said)) + 1 :], self.process.err


@contextmanager
def served(run, *options, port=0):
    """Serve a run while this lasts, in a process of its own."""
    words = command_line("review", run, "--port", port, *options)
    with TemporaryDirectory() as folder, forked(words, Path(folder)) as process:
        process.until(
            lambda: "Ctrl-C ends" in process.out
        )  # the last of what it says; what follows is read when it stops
        said = process.out.splitlines()
        yield Server(re.search(r"http://\S+", " ".join(said))[0].rstrip("/"), process, said)


SENTINEL = "sentinel-verdict-reason"
"""Stands in everything that the tool says in `small_run`: no page may hold it before one's own word is given."""


def small_run(
    path, n=6, *, question="What does the policy say in case {k}?", answer=None, passage=None, more_passages=0
):
    """Make a run of `n` answers r1 … rn with two claims; the first cites two passages, the second one."""
    path = Path(path)
    first, second = "Leave is 20 days [1][2].", "Notice is two weeks [2]."
    cards = []
    with RunFolder.open(path, SIGNATURE, "small.jsonl", f"made-{n}") as folder:
        for k in range(1, n + 1):
            said = answer or f"{first} {second} Case {k}."
            record = Record.model_validate(
                {
                    "id": f"r{k}",
                    "question": question.format(k=k),
                    "answer": said,
                    "retrieved": [
                        {
                            "source_id": "p1",
                            "text": passage or f"Leave: every employee has 20 days of leave. Case {k}.",
                        },
                        {"source_id": "p2", "text": "Notice is to be given four weeks ahead."},
                        *({"source_id": f"q{at}", "text": passage} for at in range(more_passages)),
                    ],
                }
            )
            card = Scorecard.model_validate_json(json.dumps(_card(k, first, second, said)))
            folder.append(record, Evidence(id=record.id, judge="made@1", pairs=_pairs()), card)
            cards.append(card)
        folder.write_json("summary.json", summarise(cards, SIGNATURE, run=str(path)).model_dump(mode="json"))
        folder.write_json("run.json", folder.run | {"records": n, "scored": n, "finished": True})
    return path


def _card(k, first, second, said):
    cited = {"p1": (said.find("[1]"), "pass"), "p2": (said.find("[2]"), "fail")}

    def citation(source, at=None):
        start, supports = cited[source] if at is None else (at, cited[source][1])
        return {
            "source_id": source,
            "raw": f"[{source[1]}]",
            "exists": "pass",
            "supports": supports,
            "reason": f"{SENTINEL} {source}",
            "span": [start, start + 3] if start >= 0 else None,
        }

    return {
        "id": f"r{k}",
        "bucket": ("correct", "wrong", "unsupported", "refused", "unsupported", "correct")[(k - 1) % 6],
        "cause": None if k % 2 else "miscited",
        "why": f"{SENTINEL} bucket",
        "citation_exists": "pass",
        "citation_supports": "fail",
        "refusal_quality": 2,
        "refusal_points": [{"point": "reason", "earned": True, "why": f"{SENTINEL} point"}],
        "extra_claim_count": 3,
        "claims": [
            {"text": first, "span": [0, len(first)], "kind": "sentinel-verdict-kind", "support": "partial", "p": 0.5,
             "citations": [citation("p1"), citation("p2")]},
            {"text": second, "span": [len(first) + 1, len(first) + 1 + len(second)], "support": "contradicted", "p": 0.0625,
             "citations": [citation("p2", said.rfind("[2]"))]},
        ],
        "findings": [{"code": f"semantic.{SENTINEL}", "outcome": "fail", "subject": {"claim": 1}, "reason": f"{SENTINEL} finding"}],
    }  # fmt: skip


def _pairs():
    def pair(claim, source, label, p):
        verdict = Verdict(label=label, judge="made@1", p=p, reason=f"{SENTINEL} {claim} {source}", quote="Notice is")
        return PairVerdict(claim=claim, sources=(source,), role="cited", verdict=verdict)

    return (
        pair(0, "p1", "supported", 0.9375),
        pair(0, "p2", "unsupported", 0.125),
        pair(1, "p2", "contradicted", 0.0625),
    )
