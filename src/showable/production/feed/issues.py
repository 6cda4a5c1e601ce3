"""What a batch says of each of its issues: how often, since when, beside what, whose fault, the fix, the scores, the state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from showable.production.feed.contrast import contrasts
from showable.production.feed.corrections import Place, merged_into, standing_events
from showable.production.feed.dimensions import NAMES, priority, summed
from showable.production.feed.evidence import cards_of
from showable.production.feed.facts import Facts
from showable.production.feed.fixes import fix_of
from showable.production.feed.grouping import Grouping
from showable.production.feed.nouns import (
    Batch,
    Card,
    Contrast,
    Event,
    Issue,
    Lineage,
    Representative,
    Share,
    TrendDay,
)
from showable.production.feed.states import Observed, Sighting, state_of
from showable.production.feed.trend import Seen, days_of, escalates, share_of

_REPRESENTATIVES, _BOUNDARY, _NEIGHBOURS = 5, 3, 2
_EDGE = (0.5, 0.8)
_LOOKED_AT = 5_000
"""Passing answers among which neighbours are looked for."""


@dataclass(frozen=True, slots=True)
class Window:
    """The answers of a batch, and the times between which they came; None where they carry none."""

    facts: Sequence[Facts]
    since_ns: int | None = None
    until_ns: int | None = None


class BatchIssues:
    """Says of each group what is known: the issues of a batch, those that went, and their evidence."""

    def __init__(
        self,
        *,
        batch: Batch,
        window: Window,
        failing: Sequence[Facts],
        grouping: Grouping,
        events: Sequence[Event],
        known: Mapping[str, Issue],
        again: bool,
    ) -> None:
        self._batch, self._window, self._grouping, self._known, self._again = batch, window, grouping, known, again
        self._events: dict[str, list[Event]] = defaultdict(list)
        for event in standing_events(events):
            self._events[event.issue].append(event)
        self._merged = merged_into(events)
        self._facts = {one.answer: one for one in failing}
        self._groups: dict[str, list[Place]] = defaultdict(list)
        for place in grouping.places:
            if place.issue is not None:
                self._groups[place.issue].append(place)
        counted = [one for one in window.facts if one.standing != "unknown"]
        self._seen = Seen.of((one.answer, one.at_ns, False, one.weight) for one in counted)
        self._row = {answer: row for row, answer in enumerate(self._seen.answers)}
        self._service = np.full(len(counted), "", dtype=np.object_)
        for one in counted:
            self._service[self._row[one.answer]] = one.service
        self._passing = sorted((one for one in window.facts if one.standing == "passing"), key=lambda one: one.answer)

    def issues(self) -> tuple[list[Issue], dict[str, list[Card]]]:
        """Return all issues that changed, and the evidence cards of those that have members."""
        names = sorted(self._groups, key=lambda name: int(name.rpartition("-")[2]))
        found = contrasts(
            [[self._facts[place.answer].circumstances for place in self._groups[name]] for name in names],
            [one.circumstances for one in self._passing],
        )
        made = [self._issue(name, self._groups[name], rows) for name, rows in zip(names, found, strict=True)]
        cards = {
            issue.issue: cards_of(issue, [self._facts[p.answer] for p in self._groups[issue.issue]]) for issue in made
        }
        made = [_resting(issue, cards[issue.issue]) for issue in made]
        return [*made, *self._gone(set(names))], cards

    def _issue(self, name: str, places: Sequence[Place], contrast: Sequence[Contrast]) -> Issue:
        members = [self._facts[place.answer] for place in places]
        failures = [one.failure for one in members if one.failure is not None]
        fix, title = fix_of(failures)
        scores = {dimension: summed(dimension, [one.scores for one in members if one.scores]) for dimension in NAMES}
        times = [one.at_ns for one in members if one.at_ns is not None]
        was = self._known.get(name)
        first = min([*times, *([was.first_ns] if was is not None and was.first_ns is not None else [])], default=None)
        last = max(times, default=was.last_ns if was is not None else None)
        services = tuple(sorted({one.service for one in members if one.service}))
        seen = self._of_services(services, places)
        since = escalates(seen, max(1, len(self._groups)))
        batches = 1 if was is None else max(1, was.batches + (not self._again))
        share = share_of(seen)
        said = self._events[name]
        renamed = next((str(e.body["title"]) for e in reversed(said) if e.kind == "rename"), "")
        assigned = next((str(e.body["to"]) for e in reversed(said) if e.kind == "assign"), "")
        timed = {"batches": batches, "first_ns": first, "last_ns": last}
        observed = self._observed(places, seen, share, timed, escalating=since is not None)
        return Issue(
            issue=name,
            state=state_of(observed, said, was.state if was is not None else None),
            title=renamed or title,
            n=len(places),
            fix=fix,
            share=share,
            first_ns=first,
            last_ns=last,
            services=services,
            versions=_versions(members, was),
            since=since or "",
            traces=len({one.trace for one in members if one.trace}),
            diagnosis=dict(sorted(Counter(one.diagnosis for one in failures).items())),
            causes=dict(Counter(cause for one in failures for cause in one.features.get("cause", ())).most_common()),
            contrast=tuple(contrast),
            scores=scores,
            priority=priority(sum(one.weight or 1.0 for one in members), scores),
            representatives=self._representatives(name, places),
            boundary=_boundary(places),
            neighbours=self._neighbours(members),
            trend=self._trend(seen),
            statements=was.statements if was is not None and self._again else (),
            dropped=was.dropped if was is not None and self._again else 0,
            assignee=assigned,
            lineage=self._lineage(name, was),
            batches=batches,
            batch=self._batch.id,
            space=self._batch.space,
        )

    def _of_services(self, services: Sequence[str], members: Sequence[Place]) -> Seen:
        """Return the answers of the services that the issue is in: what its share is a share of."""
        seen = replace(self._seen, member=np.zeros(len(self._seen), dtype=np.bool_))
        seen.member[[self._row[place.answer] for place in members]] = True
        return seen[np.isin(self._service, services)] if services else seen

    def _trend(self, seen: Seen) -> tuple[TrendDay, ...]:
        latest = int(self._seen.at_ns.max(initial=-1))
        return days_of(seen, self._window.until_ns or latest) if latest >= 0 else ()

    def _observed(
        self,
        places: Sequence[Place],
        seen: Seen,
        share: Share,
        issue: Mapping[str, int | None],
        *,
        escalating: bool,
    ) -> Observed:
        """Return what states are decided from; `issue` holds its `batches`, `first_ns` and `last_ns`."""
        members = [
            Sighting(place.answer, one.at_ns, one.versions, place.p)
            for place in places
            for one in (self._facts[place.answer],)
        ]
        last = issue["last_ns"]
        after = 0.0 if last is None else seen.weight_after(last)
        return Observed(
            batches=issue["batches"] or 1,
            first_ns=issue["first_ns"],
            last_ns=last,
            members=members,
            escalating=escalating,
            answers_since=int(after),
            expected=after * (share.rate or 0.0),
            now_ns=self._window.until_ns or self._batch.at_ns,
        )

    def _representatives(self, name: str, places: Sequence[Place]) -> tuple[Representative, ...]:
        """Return members that stand for the issue: exemplars, far from one another, of different questions."""
        p = {place.answer: place.p for place in places}
        wanted = [answer for answer in self._grouping.exemplars.get(name, ()) if answer in p]
        wanted += [place.answer for place in sorted(places, key=lambda place: (-place.p, place.answer))]
        chosen: dict[str, str] = {}
        for answer in wanted:
            chosen.setdefault(self._facts[answer].question, answer)
            if len(chosen) == _REPRESENTATIVES:
                break
        return tuple(Representative(id=answer, p=p[answer]) for answer in chosen.values())

    def _neighbours(self, members: Sequence[Facts]) -> tuple[str, ...]:
        """Return passing answers over the same documents, so that a fix which refuses everything is seen."""
        documents = Counter(d for one in members for d in one.circumstances.fields.get("document", ()))
        ranked = sorted(
            self._passing[:_LOOKED_AT],
            key=lambda one: (-sum(documents[d] for d in one.circumstances.fields.get("document", ())), one.answer),
        )
        return tuple(one.answer for one in ranked[:_NEIGHBOURS])

    def _lineage(self, name: str, was: Issue | None) -> Lineage:
        held = was.lineage if was is not None else Lineage()
        split = held.split_from or self._grouping.naming.split_from.get(name) or self._split_by_people(name)
        absorbed = {one for one, into in self._merged.items() if into == name}
        return Lineage(split_from=split, absorbed=tuple(sorted(absorbed)))

    def _split_by_people(self, name: str) -> str | None:
        splits = (e for events in self._events.values() for e in events if e.kind == "split" and e.body["into"] == name)
        return next((event.issue for event in splits), None)

    def _gone(self, present: set[str]) -> Iterator[Issue]:
        """Yield known issues without members in this batch, with what became of them."""
        for name, was in self._known.items():
            if name in present:
                continue
            into = self._merged.get(name) or self._grouping.naming.merged_into.get(name) or was.lineage.merged_into
            if into is not None and name not in self._merged and into not in present and into not in self._known:
                into = None
            observed = Observed(was.batches, was.first_ns, was.last_ns, (), now_ns=self._batch.at_ns)
            yield was.model_copy(
                update={
                    "n": 0,
                    "state": state_of(observed, self._events[name], was.state),
                    "lineage": was.lineage.model_copy(update={"merged_into": into}),
                }
            )


def _versions(members: Sequence[Facts], was: Issue | None) -> dict[str, tuple[str, ...]]:
    """Return the versions that an issue was ever seen in, by name."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, values in (was.versions if was is not None else {}).items():
        found[name].update(values)
    for one in members:
        for name, value in one.versions.items():
            found[name].add(value)
    return {name: tuple(sorted(values)) for name, values in sorted(found.items())}


def _boundary(places: Sequence[Place]) -> tuple[Representative, ...]:
    low, high = _EDGE
    edge = sorted((place for place in places if low <= place.p < high), key=lambda place: (place.p, place.answer))
    return tuple(Representative(id=place.answer, p=place.p) for place in edge[:_BOUNDARY])


def _resting(issue: Issue, cards: Sequence[Card]) -> Issue:
    """Return an issue whose fix names the cards that it rests on."""
    rests = tuple(card.id for card in cards if card.kind in {"findings", "diagnosis"})
    return issue.model_copy(update={"fix": issue.fix.model_copy(update={"rests_on": rests})})
