"""What the tests of tickets share: issues of a feed, five targets bound to their doubles, and a clock that is set."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from forked import forked
from registry_doubles import loopback_web, serve
from ticket_doubles import Doubles

from showable.production.feed.nouns import Batch, DimensionScore, Fix, Issue, Representative, Share, Statement
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.github import GitHubTarget
from showable.production.feed.tickets.issue_tickets import ChangesOfTickets, ticket_of
from showable.production.feed.tickets.jira import JiraTarget
from showable.production.feed.tickets.linear import LinearTarget, api_key
from showable.production.feed.tickets.outbox import SECOND_NS, Outbox
from showable.production.feed.tickets.pagerduty import PagerDutyTarget
from showable.production.feed.tickets.sender import Sender, the_one_sender
from showable.production.feed.tickets.slack import SlackTarget, SlackWebhookTarget
from showable.production.feed.tickets.way_out import WayOut
from showable.registries.web.limits import Limits

START_NS = 1_790_553_600 * SECOND_NS  # 2026-09-28 00:00 UTC
HOUR_S = 3_600
FIVE = ("github", "jira", "linear", "pagerduty", "slack")
SECRET = "hook-secret"
TEXTS = (
    "May the tenant keep a tiger in the flat?",
    "Under clause 9 tigers are welcome, and the deposit is 4,711 euros.",
    "No animal larger than a cat may be kept on the premises.",
)
"""A question, an answer, a passage."""


def issue(number=7, **changes) -> Issue:
    """Make an issue that everything is known of; texts stand wherever people and models can write."""
    base = {
        "issue": f"EF-{number}",
        "state": "new",
        "title": TEXTS[1],
        "n": 142,
        "fix": Fix(category="reading.numbers", text=TEXTS[2], target="prompt"),
        "share": Share(rate=0.031, low=0.024, high=0.039, read=4_000),
        "first_ns": START_NS,
        "last_ns": START_NS + 3_600 * SECOND_NS,
        "since": TEXTS[0],
        "diagnosis": {"generator": 20, "retriever": 5, "unknown": 2},
        "causes": {"contradicts_source": 130, "no_evidence": 12},
        "scores": {"privacy_and_safety": DimensionScore(median=1.0, n=142)},
        "representatives": (Representative(id=TEXTS[0], p=0.9),),
        "statements": (Statement(text=TEXTS[1], cites=("E1",)),),
        "assignee": TEXTS[0],
        "batches": 2,
    }
    return Issue(**{**base, **changes})


def targets(base: str, *, secret: str = SECRET, read_s: float = 5.0) -> dict:
    """Make all five, settled at once, each through a way out that reaches the doubles alone."""

    def way():
        return WayOut(loopback_web(base, limits=Limits(read_s=read_s)), ("gh_token", "xoxb", "lin_key"))

    made = {
        "github": GitHubTarget(way(), "o/r", token="gh_token", webhook_secret=secret, address=f"{base}/github"),
        "jira": JiraTarget(way(), f"{base}/jira", "LAW", mail="a@example.org", token="t", webhook_secret=secret),
        "linear": LinearTarget(
            way(), "team", authorization=api_key("lin_key"), webhook_secret=secret, address=f"{base}/linear"
        ),
        "pagerduty": PagerDutyTarget(way(), routing_key="k" * 32, webhook_secret=secret, address=f"{base}/pagerduty"),
        "slack": SlackTarget(way(), "C1", token="xoxb", signing_secret=secret, address=f"{base}/slack"),
    }
    for target in made.values():
        target.settle_s = 0.0
    return made


def slack_hook(base: str) -> SlackWebhookTarget:
    target = SlackWebhookTarget(WayOut(loopback_web(base)), f"{base}/slack/services/T/B/X")
    target.settle_s = 0.0
    return target


@dataclass
class Desk:
    """A feed, its outbox, the doubles and a sender, at a time that the test sets."""

    store: FeedStore
    doubles: Doubles
    targets: dict
    now_ns: int = START_NS
    outbox: Outbox = field(init=False)
    changes: ChangesOfTickets = field(init=False)

    def __post_init__(self):
        self.outbox = Outbox(self.store.file)
        self.changes = ChangesOfTickets(self.store, self.outbox)
        with self.store.file.writing():
            self.store.put_batch(Batch(id="b1", at_ns=START_NS, space="s", parameters="p", n=142))

    def put(self, *issues):
        with self.store.file.writing():
            self.store.put_issues(issues)

    def want(self, *names):
        """Write down what the tickets of all issues should say."""
        for one in self.store.issues():
            ticket = ticket_of(one, store="prod", page="https://feed.example.org")
            for name in names or self.targets:
                target = self.targets[name]
                if not target.urgent_only or ticket.urgent or self.outbox.held(name, ticket.issue):
                    self.outbox.want(name, ticket, self.now_ns, setting="s", edits=target.edits)

    def send(self, *names, look=False):
        """Send what is due now."""
        chosen = {name: self.targets[name] for name in names or self.targets}
        sender = Sender(self.outbox, chosen, self._take, lambda: self.now_ns)
        sender.recover()
        return asyncio.run(sender.look() if look else sender.send_due())

    def _take(self, target, change):
        self.changes.take(target, change, self.now_ns)

    def later(self, seconds=0.0, hours=0.0):
        self.now_ns += int((seconds + hours * HOUR_S) * SECOND_NS)

    def states(self):
        return [(row.target, row.kind, row.state) for row in self.outbox.rows()]


@contextmanager
def desk(folder, **options):
    doubles = Doubles()
    with serve(doubles.app()) as base, FeedStore.open(folder / "feed.sqlite") as store:
        yield Desk(store, doubles, targets(base, **options))


# -- kill -9 -----------------------------------------------------------------------------------------------------------

ISSUES = range(1, 4)


@dataclass(frozen=True)
class Outcome:
    """What is left after so many kills: second tickets and tickets that do not say what they should, by vendor; rows that never end."""

    kills: int
    second: dict
    lost: dict
    stuck: int


def killed_senders(folder, *, kills, seed) -> Outcome:
    """Kill a sender at so many moments drawn by chance, let a last one finish, and compare with what should stand."""
    doubles, rng = Doubles(), random.Random(seed)  # noqa: S311 - moments to be killed at
    feed, left, pid = folder / "feed.sqlite", [0], [0]
    with serve(doubles.app()) as base:
        with FeedStore.open(feed) as store, store.file.writing():
            store.put_issues([issue(number, state="escalating") for number in ISSUES])

        def notice(_moment):
            """Kill at the request that was drawn: before the vendor accepts it, or after, before it answers."""
            left[0] -= 1
            if left[0] == 0:
                os.kill(pid[0], signal.SIGKILL)

        doubles.notice = notice
        done = number = 0
        while done < kills:
            state, left[0] = ("escalating", "resolved", "regressed")[number % 3], rng.randrange(1, 12)
            with forked(partial(_send_all, feed, base, state, number), folder / "killed") as process:
                pid[0] = process.pid
                code = process.wait()
            assert code in {0, -signal.SIGKILL}, process.err
            done += code == -signal.SIGKILL
            number += 1
        doubles.notice = lambda _: None
        _send_all(feed, base, "regressed", number)
    names = {name: found for name, found in doubles.tickets().items() if name != "pagerduty"}
    names["pagerduty"] = [
        row["key"] for row in doubles.pagerduty if row["open"]
    ]  # a resolved one opens anew, as it should
    right = {
        "github": [row["state"] == "open" and "regressed" in row["body"] for row in doubles.github.values()],
        "jira": [not row["done"] for row in doubles.jira.values()],
        "linear": ["regressed" in row["description"] for row in doubles.linear.values()],
        "slack": ["regressed" in json.dumps(row["blocks"]) for row in doubles.slack.values()],
        "pagerduty": [True for row in doubles.pagerduty if row["open"]],
    }
    with FeedStore.open(feed) as store:
        outbox = Outbox(store.file)
        stuck = outbox.rows("sending", "uncertain", "refused")
        stuck += [row for row in outbox.rows("queued") if row.kind != "update"]  # counts wait for their hour
    return Outcome(
        kills=done,
        second={name: len(found) - len(set(found)) for name, found in names.items() if len(found) > len(set(found))},
        lost={name: len(ISSUES) - sum(said) for name, said in right.items() if sum(said) < len(ISSUES)},
        stuck=len(stuck),
    )


def _send_all(feed, base, state, number):
    """Do what `feed tickets send` does, with every issue in a state."""
    with FeedStore.open(feed) as store, the_one_sender(store.file):
        outbox, made, now = Outbox(store.file), targets(base), START_NS + number * 10 * HOUR_S * SECOND_NS
        sender = Sender(outbox, made, lambda *_: None, lambda: now)
        sender.recover()
        for _ in range(3):
            for one in ISSUES:
                ticket = ticket_of(issue(one, state=state, n=100 + number), store="prod", page="https://h")
                for name, target in made.items():
                    outbox.want(name, ticket, now, setting="s", edits=target.edits)
            asyncio.run(sender.send_due())
