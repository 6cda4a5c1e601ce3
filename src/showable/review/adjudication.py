"""Where disagreements are settled: one case at a time, people's words without their names until one has given one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from showable.measure.labelled_kinds import kinds_of
from showable.records.label_guide import GUIDE, About
from showable.records.labels import LONGEST_COMMENT, MOST_EXTRA_CLAIMS, Target, Value
from showable.review.answer_pieces import Piece, answer_pieces
from showable.review.desk import Desk
from showable.review.docket import Case, Docket, docket
from showable.review.page_context import PassageShown, RecordShown
from showable.review.reveal import what_it_said
from showable.review.room_templates import render_room, value_name
from showable.review.shared_words import shared_words
from showable.review.showing_records import show_record
from showable.review.unseen import marked_unseen

Json = dict[str, Any]
_KEYS_OF_KINDS = "123456789"
_MOST_KEYED = 9
_QUESTION = 160
MOST_PASSAGES = 60
"""Of the retrieved passages that stand beside a whole answer; those that it cites come first."""
MOST_LISTED = 500
"""Cases on the list; all of them are reached one after another."""


@dataclass(frozen=True, slots=True)
class Option:
    """A value that may be given: its key (empty: none), its name, and when it is right."""

    value: Value
    key: str
    name: str
    when: str = ""


def url_of_case(number: int | None) -> str | None:
    """Return the address of a case."""
    return None if number is None else f"/adjudicate/{number}"


def render_list(desk: Desk) -> str:
    """Render all cases that this person may settle, and what stands in the way of the others.

    Which claims people differ on is something that they said: that it was seen is noted.
    """
    found = docket(desk)
    records = {case.target.record for case in found.cases[:MOST_LISTED]}
    desk.store.note_seen(desk.visit.name or "", records)
    questions = {key: marked_unseen(desk.run.record(key).question)[:_QUESTION] for key in records}
    return render_room(
        "adjudicate_list.html.j2",
        desk=desk,
        visit=desk.visit,
        docket=found,
        listed=_by_record(found),
        questions=questions,
        most=MOST_LISTED,
        begin=url_of_case(found.next_open()),
        data={"token": desk.visit.token},
    )


def _by_record(found: Docket) -> list[tuple[str, list[tuple[int, Case]]]]:
    """Put the cases of an answer together, with their numbers."""
    numbered = enumerate(found.cases[:MOST_LISTED], 1)
    return [(key, list(cases)) for key, cases in groupby(numbered, key=lambda one: one[1].target.record)]


def render_one(desk: Desk, number: int) -> str | None:
    """Render a case by its place, counted from 1; None where there is none. That others' words were seen is noted."""
    found = docket(desk)
    if not 1 <= number <= len(found.cases):
        return None
    desk.store.note_seen(desk.visit.name or "", [found.cases[number - 1].target.record])
    return _render_case(desk, found, number)


def _render_case(desk: Desk, found: Docket, number: int) -> str:
    case = found.cases[number - 1]
    card = desk.run.card(case.target.record)
    record = show_record(desk.run.record(case.target.record), card)
    mine = case.ruling_of(desk.visit.name)
    by_other = case.settled and mine is None
    kinds = kinds_of(desk.run.profile)
    return render_room(
        "adjudicate.html.j2",
        desk=desk,
        visit=desk.visit,
        docket=found,
        number=number,
        case=case,
        mine=mine,
        by_other=by_other,
        names_shown=case.settled or mine is not None,
        own=any(word.reviewer == desk.visit.name for word in case.words),
        remarks=case.remarks,
        record=record,
        pieces=_pieces(record),
        claim=None if case.target.claim is None else record.claims[case.target.claim],
        passage=_passage(record, case.target),
        passages=_cited_first(record) if case.target.claim is None else (),
        options=options(case, kinds),
        free=_free(case.target.about, kinds),
        comment=_comment(desk, case.target.record),
        judge=tool_said(desk, case) if case.settled or mine else None,
        previous=url_of_case(number - 1 if number > 1 else None),
        following=url_of_case(number + 1 if number < len(found.cases) else None),
        data_next=url_of_case(found.next_open(number)),
        data=_data(desk, found, number, case, by_other=by_other),
    )


def _data(desk: Desk, found: Docket, number: int, case: Case, *, by_other: bool) -> Json:
    mine = case.ruling_of(desk.visit.name)
    target, kinds = case.target, kinds_of(desk.run.profile)
    return {
        "token": desk.visit.token,
        "number": number,
        "of": len(found.cases),
        "next": url_of_case(found.next_open(number)),
        "target": {name: value for name, value in target._asdict().items() if value is not None},
        "value": None if mine is None else mine.value,
        "locked": by_other,
        "options": [{"value": one.value, "key": one.key, "name": one.name} for one in options(case, kinds)],
        "free": _free(target.about, kinds),
        "comment": _comment(desk, target.record),
    }


def _pieces(record: RecordShown) -> Sequence[Piece]:
    return answer_pieces(marked_unseen(record.answer), record.claims) if record.answer is not None else ()


def _passage(record: RecordShown, target: Target) -> Json | None:
    """Return the cited passage in pieces, those marked that the answer quotes, or that share words with the claim."""
    if target.claim is None or target.citation is None:
        return None
    claim = record.claims[target.claim]
    citation = claim.citations[target.citation]
    if citation.passage is None:
        return {"source": citation.source_id or citation.raw, "shown": None, "pieces": ()}
    shown: PassageShown = record.passages[citation.passage]
    text = marked_unseen(shown.text or "")
    spans = citation.own_words or shared_words(claim.text, text)
    return {
        "source": shown.source_id,
        "shown": shown,
        "pieces": marked(text, spans),
        "quoted": bool(citation.own_words),
    }


def _cited_first(record: RecordShown) -> list[tuple[PassageShown, str, bool]]:
    """Return all passages with their text as it is shown, and whether the answer cites them; those cited come first."""
    cited = {citation.passage for claim in record.claims for citation in claim.citations}
    order = sorted(range(len(record.passages)), key=lambda at: (at not in cited, at))[:MOST_PASSAGES]
    return [(record.passages[at], marked_unseen(record.passages[at].text or ""), at in cited) for at in order]


def marked(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Cut a text at spans, which may overlap, lie outside it, and come in any order; True where a piece is in one."""
    pieces, at = [], 0
    for start, end in sorted(spans):
        first, last = max(at, start), min(end, len(text))
        if first >= last:
            continue
        if first > at:
            pieces.append((text[at:first], False))
        pieces.append((text[first:last], True))
        at = last
    return [*pieces, (text[at:], False)] if at < len(text) else pieces


def options(case: Case, kinds: Sequence[str] = ()) -> list[Option]:
    """Return the values to choose from: those of the guide, or where it has none those that people gave.

    Of a claim, the profile's `kinds` where it has any: people's first, and none but these.
    """
    about = case.target.about
    if GUIDE[about].choices:
        return [Option(one.value, one.key, one.name, one.when) for one in GUIDE[about].choices]
    given = sorted({word.value for word in case.words}, key=lambda value: (isinstance(value, str), value))
    if about == "extra_claims":
        return [Option(value, str(value) if int(value) <= _MOST_KEYED else "", str(value)) for value in given]
    if kinds:
        given = [*(value for value in given if value in kinds), *(kind for kind in kinds if kind not in given)]
    keys = [*_KEYS_OF_KINDS, *[""] * len(given)]
    return [Option(value, keys[at], value_name(value, about)) for at, value in enumerate(given)]


def _free(about: About, kinds: Sequence[str]) -> Json | None:
    """Return what may be given besides the options: a number, or one word where the profile has no kinds of claims."""
    if about == "extra_claims":
        return {"kind": "number", "most": MOST_EXTRA_CLAIMS, "asks": "Another number"}
    return {"kind": "word", "most": 40, "asks": "Another word"} if about == "claim_kind" and not kinds else None


def _comment(desk: Desk, record: str) -> str:
    said = desk.store.current(desk.visit.name, record=record)
    return next(
        (str(label.value)[:LONGEST_COMMENT] for label in said if label.adjudicated and label.about == "comment"), ""
    )


def tool_said(desk: Desk, case: Case) -> Json:
    """Return what the tool itself said on a case."""
    key = case.target.record
    evidence = desk.run.evidence(key) if case.target.about == "support" else None
    return what_it_said(desk.run.card(key), evidence, case.target)
