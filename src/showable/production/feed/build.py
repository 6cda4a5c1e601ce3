"""Build a feed: read the answers, group those that fail, say of each group what is known, write it down at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from showable.errors import SettingError
from showable.production.feed.facts import Facts
from showable.production.feed.grouping import PARAMETERS, Before, Grouping, group
from showable.production.feed.issues import BatchIssues, Window
from showable.production.feed.names import Old
from showable.production.feed.nouns import Batch, Card, Event, Issue, Member
from showable.production.feed.store import FeedStore
from showable.production.feed.word_layer import WordLayer

BATCH = "feed"
"""Who wrote an event that no person did."""
_TRIES = 3
_HELD = 50
"""Batches whose members are kept."""


def build(store: FeedStore, window: Window, words: WordLayer, now_ns: int) -> Batch:
    """Build one batch and return it; the same answers again are the same batch, with people's words applied anew.

    What is written is written in one transaction, which is short: people can act while groups are looked for, and then they are
    looked for again. Raises SettingError where scikit-learn is missing, or the feed cannot be written or does not hold still.
    """
    for _ in range(_TRIES):
        revision = store.revision()
        made = _made(store, window, words, now_ns)
        with store.file.writing():
            if store.revision() == revision:
                _write(store, made)
                return made.batch
    raise SettingError(f"{store.file.path}: others change it all the time; build again when they are done")


@dataclass(frozen=True, slots=True)
class _Made:
    """All that a batch writes."""

    batch: Batch
    grouping: Grouping
    issues: Sequence[Issue]
    cards: Mapping[str, Sequence[Card]]
    events: Sequence[Event]


def _made(store: FeedStore, window: Window, words: WordLayer, now_ns: int) -> _Made:
    failing = sorted((one for one in window.facts if one.item is not None), key=lambda one: one.answer)
    events = store.events()
    known = {issue.issue: issue for issue in store.issues()}
    grouping = group([one.item for one in failing if one.item], words, _before(store, known, events), events)
    batch = Batch(
        id=grouping.id,
        at_ns=now_ns,
        since_ns=window.since_ns,
        until_ns=window.until_ns,
        space=grouping.space,
        parameters=PARAMETERS,
        n=len(failing),
        passing=sum(one.standing == "passing" for one in window.facts),
        unknown=sum(one.standing == "unknown" for one in window.facts),
        not_grouped=sum(place.issue is None for place in grouping.places),
        sampled=grouping.sampled,
    )
    told = BatchIssues(
        batch=batch,
        window=window,
        failing=failing,
        grouping=grouping,
        events=events,
        known=known,
        again=any(one.id == grouping.id for one in store.batches(1)),
    )
    issues, cards = told.issues()
    return _Made(batch, grouping, issues, cards, [*_left(store, window.facts), *_moved(known, issues, now_ns)])


def _write(store: FeedStore, made: _Made) -> None:
    batch = made.batch.id
    store.add_events(made.events)
    store.put_batch(made.batch)
    store.put_members(batch, _members(made.grouping))
    store.put_issues(made.issues)
    for name, evidence in made.cards.items():
        numbers = {card.id for card in evidence}
        cited = [card for card in store.evidence(batch, name) if card.id not in numbers]  # looked up by a model before
        store.put_evidence(batch, name, [*evidence, *cited])
    store.forget_members(_HELD)
    store.put_items(made.grouping.space, made.grouping.items)


def _before(store: FeedStore, known: Mapping[str, Issue], events: Sequence[Event]) -> Before:
    """Return the groups of earlier batches: those of the last one, and those that had vanished before it."""
    numbers = [int(name.rpartition("-")[2]) for name in known]
    numbers += [int(str(e.body["into"]).rpartition("-")[2]) for e in events if e.kind == "split"]
    following = max(numbers, default=0) + 1
    last = store.batches(1)
    if not last:
        return Before(following=following)
    members = store.members(last[0].id)
    where = {member.answer: member.cluster for member in members if member.cluster is not None}
    groups: dict[str, set[str]] = defaultdict(set)
    for answer, name in where.items():
        groups[name].add(answer)
    old = [Old(name, frozenset(answers)) for name, answers in sorted(groups.items())]
    gone = store.last_members(exclude=set(groups))
    old += [Old(name, frozenset(answers), active=False) for name, answers in sorted(gone.items())]
    return Before(old, where, following)


def _left(store: FeedStore, facts: Iterable[Facts]) -> list[Event]:
    """Return events for answers that were members and, scored again, fail no more."""
    last = store.batches(1)
    if not last:
        return []
    issue_of = {m.answer: m.issue for m in store.members(last[0].id) if m.issue is not None}
    gone: dict[str, list[str]] = defaultdict(list)
    for one in facts:
        if one.standing != "failing" and (issue := issue_of.get(one.answer)) is not None:
            gone[issue].append(one.answer)
    return [
        Event(at_ns=last[0].at_ns, who=BATCH, issue=issue, kind="left", body={"answers": sorted(answers)})
        for issue, answers in sorted(gone.items())
    ]


def _moved(known: Mapping[str, Issue], issues: Iterable[Issue], now_ns: int) -> Iterator[Event]:
    """Yield events for issues whose state is another now."""
    for issue in issues:
        was = known.get(issue.issue)
        if was is not None and was.state != issue.state:
            yield Event(
                at_ns=now_ns, who=BATCH, issue=issue.issue, kind="state", body={"from": was.state, "to": issue.state}
            )


def _members(grouping: Grouping) -> Iterator[Member]:
    """Yield each answer where it stands."""
    for place, also in zip(grouping.places, grouping.also, strict=True):
        yield Member(
            answer=place.answer, cluster=place.cluster, issue=place.issue, p=place.p, core=place.core, also=dict(also)
        )
