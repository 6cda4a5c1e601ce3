"""An issue as a model may look into it: evidence cards, and read-only actions that answer with further ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from showable.production.feed.answers import Answered
from showable.production.feed.items import deciding_claim
from showable.production.feed.nouns import Card, Event, Issue, Member
from showable.production.feed.sentences_kept import sentences_kept
from showable.production.feed.store import FeedStore
from showable.records.findings import Outcome
from showable.records.record import Source

LONGEST_CARD = 3_000
"""Characters of a card that a model is given; of a longer one the sentences that say most, and it says so."""
_LISTED = 60
_VALUES = 12
_FINDINGS = 6
_PASSAGE = 1_500


@dataclass(slots=True)
class Case:
    """What is known of an issue, growing by a card with every action.

    `answers` are its members and its passing neighbours; `uncut` holds the whole texts of cards that were cut, by their ids.
    """

    issue: Issue
    members: Sequence[Member]
    answers: Mapping[str, Answered]
    passing: Sequence[Mapping[str, tuple[str, ...]]]
    others: Sequence[Issue]
    events: Sequence[Event]
    cards: list[Card] = field(default_factory=list)
    uncut: dict[str, str] = field(default_factory=dict)

    def act(self, action: str, argument: str) -> Card:
        """Do what a model asks for and return the card; what cannot be done is a card that says so."""
        actions: dict[str, Callable[[str], str]] = {
            "list_answers": self._list,
            "show_answer": self._answer,
            "show_trace": self._trace,
            "compare": self._compare,
            "search_passages": self._search,
            "similar_issues": self._similar,
            "history": self._history,
        }
        if action == "get_card":
            held = next((card for card in self.cards if card.id == argument), None)
            return held or self.add("note", f"There is no card {argument[:20]}.")
        made = actions.get(action)
        return self.add(action, made(argument)) if made is not None else self.add("note", "There is no such action.")

    def add(self, kind: str, text: str) -> Card:
        """Add a card, cut to what a model is given."""
        card = Card(id=f"E{len(self.cards) + 1}", kind=kind, text=sentences_kept(text, self.issue.title, LONGEST_CARD))
        if card.text != text:
            self.uncut[card.id] = text
        self.cards.append(card)
        return card

    def replace(self, name: str, text: str) -> None:
        """Give a card another text."""
        self.cards = [card.model_copy(update={"text": text}) if card.id == name else card for card in self.cards]

    def _list(self, _: str) -> str:
        listed = ", ".join(f"{member.answer} ({member.p:.2f})" for member in self.members[:_LISTED])
        rest = len(self.members) - _LISTED
        return f"The answers of the group: {listed}{f' and {rest} more' if rest > 0 else ''}."

    def _answer(self, name: str) -> str:
        one = self.answers.get(name)
        if one is None:
            return f"There is no answer {name[:40]} in this group."
        claim = deciding_claim(one.card)
        said = [
            f"Answer {name} to “{one.record.question}”: {one.card.bucket}, {one.card.cause or 'no cause'}, {one.card.why}."
        ]
        if claim is not None:
            said.append(f"Its claim “{claim.text}” is {claim.support} by what it cites.")
            cited = {citation.source_id for citation in claim.citations}
            passages = [source for source in one.record.retrieved or () if source.source_id in cited]
            said += [
                f"The passage {source.source_id} says: {(source.text or '')[:_PASSAGE]}" for source in passages[:1]
            ]
        failed = [f for f in one.card.findings if f.outcome is Outcome.FAIL][:_FINDINGS]
        return " ".join([*said, *(f"{finding.code}: {finding.reason}." for finding in failed)])

    def _trace(self, name: str) -> str:
        one = self.answers.get(name)
        if one is None:
            return f"There is no answer {name[:40]} in this group."
        listed = ", ".join(f"{field} {' '.join(values[:3])}" for field, values in sorted(one.fields.items()))
        return f"Answer {name} came about with {listed or 'nothing that is known'}."

    def _compare(self, name: str) -> str:
        inside = Counter(
            v for m in self.members if m.answer in self.answers for v in self.answers[m.answer].fields.get(name, ())
        )
        outside = Counter(value for fields in self.passing for value in fields.get(name, ()))
        if not inside:
            return f"Nothing is known of {name[:40]} for this group."
        rows = ", ".join(
            f"{value}: {n} of {len(self.members)} of the group and {outside[value]} of {len(self.passing)} passing answers"
            for value, n in inside.most_common(_VALUES)
        )
        return f"Values of {name}: {rows}."

    def _search(self, words: str) -> str:
        wanted = set(words.casefold().split())
        sources = {s.source_id: s for one in self.answers.values() for s in one.record.retrieved or () if s.text}
        ranked = sorted(sources.values(), key=lambda source: (-len(wanted & _words(source)), source.source_id))
        best = [source for source in ranked[:3] if wanted & _words(source)]
        return (
            " ".join(f"{s.source_id} says: {(s.text or '')[:_PASSAGE]}" for s in best)
            or "No passage holds these words."
        )

    def _similar(self, _: str) -> str:
        alike = [
            o
            for o in self.others
            if o.fix.category == self.issue.fix.category or set(o.causes) & set(self.issue.causes)
        ]
        return (
            " ".join(f"{o.issue}: {o.title}, {o.n} answers, fix {o.fix.category}." for o in alike[:_VALUES])
            or "There is none."
        )

    def _history(self, _: str) -> str:
        return " ".join(f"{event.who}: {event.kind}." for event in self.events) or "Nothing was done to it yet."


def open_case(store: FeedStore, name: str, answers: Sequence[Answered]) -> Case:
    """Build the case of an issue from the feed and the answers that it was built from. Raises SettingError for no such issue."""
    issue = store.issue(name)
    members = store.members(issue.batch, name)
    wanted = {member.answer for member in members} | set(issue.neighbours)
    held = {one.card.id: one for one in answers if one.card.id in wanted}
    passing = [one.fields for one in answers if one.card.bucket == "correct"]
    others = [one for one in store.issues() if one.issue != name and one.n]
    case = Case(issue, members, held, passing, others, store.events(name), list(store.evidence(issue.batch, name)))
    for one in (*issue.representatives, *issue.boundary):
        case.act("show_answer", one.id)
    for neighbour in issue.neighbours:
        case.act("show_answer", neighbour)
    return case


def _words(source: Source) -> set[str]:
    return set((source.text or "").casefold().split())
