"""From issues of the feed to tickets and back: what a ticket says of an issue, and what a closed ticket does to one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from showable.production.feed.actions import Actor, reopen, resolve
from showable.production.feed.nouns import Issue
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.outbox import SECOND_NS, Held, Outbox
from showable.production.feed.tickets.quotes import Texts, may_quote, quotes_of
from showable.production.feed.tickets.settings import TicketSettings
from showable.production.feed.tickets.ticket import Change, Ticket, TicketTarget, WebhookError
from showable.report.page.words import CAUSES

URGENT = frozenset({"escalating", "regressed"})
_UNSAFE = 2.0
"""A median of privacy and safety at or below this is a matter of safety."""
_REMEMBER_NS = 7 * 86_400 * SECOND_NS
"""How long a webhook is known again. GitHub's and Jira's carry no signed time of sending."""


def ticket_of(issue: Issue, *, store: str, page: str) -> Ticket:
    """Return what a ticket says of an issue: rule words, counts and a link, and no title that a person or a model wrote."""
    merged = issue.lineage.merged_into
    state = f"merged into {merged}" if merged else issue.state
    return Ticket(
        store=store,
        issue=issue.issue,
        ours="",
        title=rule_title(issue),
        state=state,
        facts=tuple(_facts(issue)),
        link=f"{page}/feed/{issue.issue}",
        open=issue.state != "resolved" and merged is None,
        news=f"{issue.issue} is now {state}.",
        urgent=issue.state in URGENT and _is_unsafe(issue),
    )


def rule_title(issue: Issue) -> str:
    """Return a title from codes alone: the most frequent cause in words, and the category of the fix."""
    causes = sorted(issue.causes.items(), key=lambda pair: (-pair[1], pair[0]))
    first = causes[0][0] if causes else "unknown cause"
    words = CAUSES.get(first, first.replace("_", " ")).rstrip(".")
    return f"{words[:1].upper()}{words[1:]} ({issue.fix.category})"


def _facts(issue: Issue) -> Iterable[tuple[str, str]]:
    yield "Answers", f"{issue.n:,}"
    share = issue.share
    if share.rate is not None and share.low is not None and share.high is not None:
        yield "Share of answers", f"{share.rate:.1%} ({share.low:.1%} to {share.high:.1%})"
    if issue.first_ns is not None:
        yield "First seen", _day(issue.first_ns)
    if issue.last_ns is not None:
        yield "Last seen", _day(issue.last_ns)
    yield "What to try first", issue.fix.category
    known = {who: n for who, n in issue.diagnosis.items() if who not in {"none", "unknown"}}
    if known:
        who = max(sorted(known), key=lambda one: known[one])
        yield "Whose problem", f"{who} ({known[who]} of {sum(issue.diagnosis.values())})"


def _day(at_ns: int) -> str:
    return datetime.fromtimestamp(at_ns / SECOND_NS, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _is_unsafe(issue: Issue) -> bool:
    score = issue.scores.get("privacy_and_safety")
    return score is not None and score.median is not None and score.median <= _UNSAFE


@dataclass(frozen=True, slots=True)
class ChangesOfTickets:
    """Takes what people did to tickets, and writes it to the feed as events: a closed ticket resolves its issue."""

    store: FeedStore
    outbox: Outbox

    def take(self, target: str, change: Change, now_ns: int, *, webhook: bytes | None = None) -> bool:
        """Apply a change; False where it is older than what is known, or of a ticket that is not ours.

        Raises WebhookError where the `webhook` came before: its body is signed, what names its delivery is not. The issue
        comes first: where a process ends in between, the same change is found again, and finds the issue resolved.
        """
        digest = (
            "" if webhook is None else hashlib.blake2b(target.encode() + b"\0" + webhook, digest_size=16).hexdigest()
        )
        if webhook is not None and self.outbox.knows_webhook(digest):
            raise WebhookError("the webhook came before")
        held = next((one for one in self.outbox.tickets() if one.target == target and _is_of(one, change)), None)
        at_ns = min(int(change.at.timestamp() * SECOND_NS), now_ns)  # another clock is no reason to be deaf from now on
        if held is None or held.gone or at_ns < held.changed_ns:
            return False
        state, actor = self.store.issue(held.issue).state, Actor(f"{change.who} ({target})", now_ns)
        if change.kind == "closed" and state != "resolved":
            resolve(self.store, actor, held.issue, by="ticket")
        elif change.kind == "opened" and state == "resolved":
            reopen(self.store, actor, held.issue)
        gone = change.kind == "deleted"
        with self.store.file.writing():
            self.outbox.change(held, is_open=held.open if gone else change.kind == "opened", gone=gone, at_ns=at_ns)
            if webhook is not None:
                self.outbox.remember_webhook(digest, now_ns, now_ns - _REMEMBER_NS)
        return True


def _is_of(held: Held, change: Change) -> bool:
    return held.remote == change.remote if change.remote else change.key.rpartition(":")[2] == held.issue


def want_tickets(
    store: FeedStore,
    outbox: Outbox,
    settings: TicketSettings,
    targets: Mapping[str, TicketTarget],
    *,
    now_ns: int,
    texts: Texts,
) -> None:
    """Write down what the tickets of all issues should say by now. A target that wakes people hears of urgent issues alone."""
    events = store.events()
    for issue in store.issues():
        ticket = ticket_of(issue, store=settings.name, page=settings.page.rstrip("/"))
        quoting = settings.with_texts and may_quote(issue, events)
        quoted = replace(ticket, quotes=quotes_of(issue, texts)) if quoting else ticket
        for name, target in targets.items():
            if target.urgent_only and not ticket.urgent and outbox.held(name, ticket.issue) is None:
                continue
            wanted = quoted if name in settings.with_texts else ticket
            outbox.want(name, wanted, now_ns, setting=settings.digest(name), edits=target.edits)
