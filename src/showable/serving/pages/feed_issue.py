"""The page of one issue: what is known and on what it rests, answers that stand for it, and what was done to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from showable.production.feed.corrections import standing_events
from showable.production.feed.nouns import Card, Event, Issue
from showable.production.feed.place import promotions_beside
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.outbox import Held, Outbox, Row
from showable.production.feed.tickets.quotes import LEAST_TRACES
from showable.records.scorecard import ClaimScore
from showable.records.traced import LiveScore
from showable.serving.pages.feed_list import Spark, fault_of, spark
from showable.serving.pages.words import shown
from showable.stores.traces.store import TraceStore

_MOST_TEXT = 1_200
_WORST = ("contradicted", "unsupported", "partial", "uncited", "unknown", "supported")
TREND_W, TREND_H = 640.0, 120.0
_UNDOABLE = frozenset({"merge", "split", "assign", "rename", "resolve", "archive", "reopen", "quote"})


@dataclass(frozen=True, slots=True)
class MemberShown:
    """An answer of an issue: its question, its worst claim beside the passage that the claim cites; None where it is gone."""

    id: str
    p: float | None
    trace: str = ""
    question: str = ""
    claim: str = ""
    support: str = ""
    source: str = ""
    passage: str = ""
    bucket: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """Something that was done, and whether it can be taken back."""

    event: Event
    said: str
    undoable: bool


@dataclass(frozen=True, slots=True)
class IssueShown:
    """All that the page says of one issue. `promotions` and `folder` are where its questions and answers wait for people."""

    issue: Issue
    trend: Spark
    fault: str
    cards: Sequence[Card]
    representatives: tuple[MemberShown, ...]
    boundary: tuple[MemberShown, ...]
    neighbours: tuple[MemberShown, ...]
    done: tuple[Done, ...]
    tickets: tuple[Held, ...]
    waiting: tuple[Row, ...]
    others: tuple[tuple[str, str], ...]
    promotions: str
    folder: str
    quotable: bool


def issue_shown(store: TraceStore, feed: Path, identifier: str) -> IssueShown | None:
    """Lay an issue out; None where there is none of that id."""
    if not feed.is_file():
        return None
    with FeedStore.open(feed, make=False) as held:
        every = held.issues()
        issue = next((one for one in every if one.issue == identifier), None)
        if issue is None:
            return None
        cards = held.evidence(issue.batch, issue.issue)
        events, standing = held.events(issue.issue), {one.seq for one in standing_events(held.events())}
        outbox = Outbox(held.file)
        tickets = outbox.tickets(issue.issue)
        last = {row.target: row for row in outbox.rows() if row.issue == issue.issue}
    named = [(one.id, one.p) for one in (*issue.representatives, *issue.boundary)]
    scores = {one.id: one for one in store.scores([*(key for key, _ in named), *issue.neighbours])}
    places = {key: _member(key, p, scores.get(key)) for key, p in named}
    return IssueShown(
        issue=issue,
        trend=spark(issue.trend, TREND_W, TREND_H),
        fault=fault_of(issue),
        cards=cards,
        representatives=tuple(places[one.id] for one in issue.representatives),
        boundary=tuple(places[one.id] for one in issue.boundary),
        neighbours=tuple(_member(key, None, scores.get(key)) for key in issue.neighbours),
        done=tuple(
            Done(event, _said(event), event.seq in standing and event.kind in _UNDOABLE) for event in reversed(events)
        ),
        tickets=tuple(tickets),
        waiting=tuple(row for row in last.values() if row.state != "sent"),
        others=tuple(
            (one.issue, one.title)
            for one in every
            if one.issue != identifier and one.lineage.merged_into is None and one.n
        ),
        promotions=str(promotions_beside(feed)) if any(one.kind == "promote" for one in events) else "",
        folder=next((str(one.body.get("folder", "")) for one in reversed(events) if one.kind == "label"), ""),
        quotable=issue.traces >= LEAST_TRACES
        and not any(one.kind == "quote" and one.seq in standing for one in events),
    )


def _member(identifier: str, p: float | None, score: LiveScore | None) -> MemberShown:
    if score is None:
        return MemberShown(identifier, p)
    record, card = score.answer.record, score.scorecard
    worst = min(card.claims, key=lambda claim: _WORST.index(claim.support), default=None)
    source, passage = _passage(score, worst)
    return MemberShown(
        id=identifier,
        p=p,
        trace=score.answer.trace_id,
        question=shown(record.question, _MOST_TEXT),
        claim=shown(worst.text, _MOST_TEXT) if worst is not None else "",
        support=worst.support if worst is not None else "",
        source=source,
        passage=shown(passage, _MOST_TEXT),
        bucket=card.bucket,
    )


def _passage(score: LiveScore, claim: ClaimScore | None) -> tuple[str, str]:
    """Return the passage that a claim turns on: one that contradicts it, else one that it cites, else the first."""
    held = {source.source_id: source.text or "" for source in score.answer.record.retrieved or ()}
    cited = [one.source_id for one in claim.citations if one.source_id] if claim is not None else []
    contradicting = list(claim.contradicted_by) if claim is not None else []
    found = next((name for name in (*contradicting, *cited, *held) if name in held), "")
    return found, held.get(found, "")


def _said(event: Event) -> str:
    body = event.body
    said = {
        "merge": f"merged into {body.get('into')}",
        "split": f"split {len(body.get('moved', ()))} answers off, to {body.get('into')}",
        "assign": f"assigned to {body.get('to')}" if body.get("to") else "assigned to nobody",
        "rename": f"renamed: {body.get('title')}" if body.get("title") else "title from rules again",
        "resolve": f"resolved, by {body.get('by', 'person')}",
        "archive": f"archived until {str(body.get('until', 'escalating')).replace('_', ' ')}",
        "reopen": "opened again",
        "undo": f"took back #{body.get('seq')}",
        "quote": "let tickets quote it",
        "promote": f"proposed {len(body.get('candidates', ()))} questions for the regression set, {body.get('new')} of them new",
        "label": f"laid {len(body.get('answers', ()))} answers out to label",
        "state": f"{body.get('from')} → {body.get('to')}",
        "left": f"{len(body.get('answers', ()))} answers pass now and left",
    }
    return said.get(event.kind, event.kind)
