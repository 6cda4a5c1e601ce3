"""What the tests of tickets share: issues of a feed, five targets bound to their doubles, and a clock that is set."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass, field

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
from showable.production.feed.tickets.sender import Sender
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
