"""Signing questions for the regression set: a question, the answer that failed, the passages, and gold to confirm or write.

What the tool said of the answer is shown after the word, not before it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field
from starlette.responses import HTMLResponse, Response

from showable.harness.questions.check_gold import check_gold
from showable.harness.questions.shape import PROTOCOL
from showable.records.promotion import Candidate, SignOff
from showable.records.record import Category, Gold, GoldEvidence, Question
from showable.records.wire import Many, Wire
from showable.review.desk import Desk
from showable.review.labelling_api import read_given
from showable.review.refusals import Refusal
from showable.review.room_templates import render_room
from showable.stores.promotions import PROMOTIONS, Promotions

_EXPECTED = {part.category: part.expected for part in PROTOCOL}
_ASKS = {part.category: part.asks for part in PROTOCOL}
_UNANSWERED: frozenset[Category] = frozenset({"unanswerable", "tempt_unsupported", "refusal_due"})
_MOST_TEXT = 20_000


class GivenWord(Wire):
    """A word on a candidate; on acceptance the question and gold as the reviewer leaves them."""

    candidate: str
    kind: Literal["accept", "reject"]
    question: str = Field(default="", max_length=_MOST_TEXT)
    answer: str = Field(default="", max_length=_MOST_TEXT)
    category: Category = "answerable"
    answerable: bool = True
    evidence: Many[str] = ()
    why: str = Field(default="", max_length=2_000)


@dataclass(frozen=True, slots=True)
class Progress:
    """How many candidates there are, and how many have no word yet."""

    of: int
    open: int


def waiting_of(desk: Desk) -> Progress:
    """Return how many candidates wait for a word."""
    with _opened(desk) as promotions:
        if promotions is None:
            return Progress(0, 0)
        signed = promotions.standing()
        every = promotions.candidates()
    return Progress(len(every), sum(one.id not in signed for one in every))


def candidates(desk: Desk, query: Mapping[str, str]) -> Response:  # noqa: ARG001 - pages are all called alike
    """List the candidates by issue."""
    with _opened(desk) as promotions:
        every = promotions.candidates() if promotions else []
        signed = promotions.standing() if promotions else {}
    rows = [(number, one, signed.get(one.id)) for number, one in enumerate(every, 1)]
    first = next((number for number, _, word in rows if word is None), None)
    context = {"rows": rows, "first": first, "may": _may_sign(desk), "data": {"token": desk.visit.token}}
    return HTMLResponse(render_room("promotion_list.html.j2", desk=desk, visit=desk.visit, **context))


def candidate(desk: Desk, n: str, query: Mapping[str, str]) -> Response:  # noqa: ARG001 - pages are all called alike
    """Show one candidate, by its number."""
    with _opened(desk) as promotions:
        every = promotions.candidates() if promotions else []
        signed = promotions.standing() if promotions else {}
    number = int(n) if n.isascii() and n.isdigit() and len(n) < 7 else 0  # noqa: PLR2004 - more than any issue has
    if not 0 < number <= len(every):
        raise Refusal(404, f"there is no candidate {n[:20]}")
    one = every[number - 1]
    word = signed.get(one.id)
    question = word.question if word is not None and word.question is not None else one.question
    following = [at for at, other in enumerate(every, 1) if other.id not in signed and at != number]
    onward = next((at for at in following if at > number), following[0] if following else None)
    page = render_room(
        "promotion.html.j2",
        desk=desk,
        visit=desk.visit,
        one=one,
        number=number,
        of=len(every),
        word=word,
        question=question,
        gold=question.gold or Gold(),
        evidence={cited.source_id for cited in (question.gold.evidence if question.gold else ())},
        asks=_ASKS,
        may=_may_sign(desk),
        onward=onward,
        data={
            "token": desk.visit.token,
            "candidate": one.id,
            "next": f"/promotion/{onward}" if onward else "/promotion",
        },
    )
    return HTMLResponse(page)


def sign(desk: Desk, body: bytes) -> dict[str, Any]:
    """Keep a word on a candidate; gold that is not whole is refused with what it lacks."""
    given = read_given(body, GivenWord)
    visit = desk.visit
    if visit.name is None or visit.role is None or not _may_sign(desk):
        raise Refusal(403, f"by the profile {desk.run.profile.name} this role does not sign for the regression set")
    with _opened(desk) as promotions:
        one = promotions.candidate(given.candidate) if promotions else None
        if promotions is None or one is None:
            raise Refusal(404, "there is no such candidate any more")
        accepted = _accepted(one, given) if given.kind == "accept" else None
        word = SignOff(
            candidate=one.id,
            at_ns=time.time_ns(),
            who=visit.name,
            role=visit.role,
            kind=given.kind,
            question=accepted,
            why=given.why,
        )
        kept = promotions.sign(word)
    return {"seq": kept.seq, "bucket": one.bucket, "cause": one.cause}


def _accepted(one: Candidate, given: GivenWord) -> Question:
    gold = one.question.gold or Gold()
    category = given.category
    answerable = False if category in _UNANSWERED else None if category == "null_retrieval" else given.answerable
    expected = tuple(bucket for bucket in _EXPECTED[category] if answerable is not False or bucket != "correct")
    held = {source.source_id for source in one.passages}
    if unknown := [name for name in given.evidence if name not in held]:
        raise Refusal(400, f"evidence: {unknown[0]} is none of the passages")
    before = {cited.source_id: cited for cited in gold.evidence}
    evidence = tuple(before.get(name, GoldEvidence(source_id=name)) for name in given.evidence)
    answer = given.answer.strip()
    question = one.question.model_copy(
        update={
            "question": given.question.strip(),
            "force_null": category == "null_retrieval",
            "gold": gold.model_copy(
                update={
                    "answer": answer or None,
                    "aliases": gold.aliases if answer == (gold.answer or "") else (),
                    "answerable": answerable,
                    "evidence": evidence if answerable else (),
                    "category": category,
                    "expected": expected,
                }
            ),
        }
    )
    problem = next(iter(check_gold(question)), None)
    if problem is not None:
        raise Refusal(400, f"{problem.field}: {problem.problem}")
    if answer and answer.casefold() == " ".join(one.answer.split()).casefold():
        raise Refusal(400, "gold.answer: is the answer that failed, word for word; write what is right")
    return question


def _may_sign(desk: Desk) -> bool:
    return desk.visit.role is not None and desk.run.profile.counts("bucket", desk.visit.role)


@contextmanager
def _opened(desk: Desk) -> Iterator[Promotions | None]:
    """Open the run's promotions; None where nothing was ever proposed."""
    path = desk.promotions or desk.run.path / PROMOTIONS
    if not path.is_file():
        yield None
        return
    with Promotions(path, make=False) as promotions:
        yield promotions
