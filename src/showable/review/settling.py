"""Words that settle a disagreement: taken only from people whose word counts, and who have nothing left to be blind about."""

from __future__ import annotations

from typing import Any

from showable.records.labels import Label, Target
from showable.review.adjudication import tool_said, url_of_case
from showable.review.blindness import hidden_from
from showable.review.desk import Desk
from showable.review.docket import Docket, docket
from showable.review.labelling_api import GivenLabel, GivenNothing, label_fields, make_label, read_given
from showable.review.page_context import target_key
from showable.review.refusals import Refusal

Json = dict[str, Any]


def settle(desk: Desk, body: bytes) -> Json:
    """Keep an adjudicator's word, or take it back (value null); give the names, what the tool said, and the next case.

    Only cases of this person's docket are taken: what they still have to label themselves is not among them, nor what
    their role does not count for, nor what somebody else has settled.
    """
    given = read_given(body, GivenLabel)
    found = docket(desk)
    number = _number(desk, found, given)
    case = found.cases[number - 1]
    mine = case.ruling_of(desk.visit.name)
    if given.about != "comment":
        if case.settled and mine is None:
            raise Refusal(409, f"settled by {case.rulings[0].reviewer} already; they alone can take it back")
        if given.value is None and mine is None:
            raise Refusal(409, "there is no word of yours to take back")
    desk.store.note_seen(desk.visit.name or "", [given.record])  # the reply tells names, and what the tool said
    label = make_label(desk, given, adjudicated=True)
    desk.store.add(label)
    now = docket(desk)
    return {"label": label_fields(label), **_reply(desk, now, case.target, label)}


def settle_only(desk: Desk, body: bytes) -> Json:
    """Note that this person only settles; say since when (UTC), and how many records of queues begun before stay hidden."""
    read_given(body, GivenNothing)
    name = desk.visit.name or ""
    desk.store.settle_only(name)
    return {"since": desk.store.settles_only(name), "hidden": len(hidden_from(desk.store, name))}


def _reply(desk: Desk, now: Docket, target: Target, label: Label) -> Json:
    number = now.number_of(target)
    reply: Json = {"open": now.open, "of": len(now.cases), "number": number, "key": target_key(target)}
    reply["next"] = url_of_case(now.next_open(number or 0))
    if number is None or label.about == "comment" or label.value is None:
        return reply
    case = now.cases[number - 1]
    words = [{"letter": word.letter, "name": word.reviewer, "role": word.role} for word in case.words]
    return {**reply, "words": words, "judge": tool_said(desk, case)}


def _number(desk: Desk, found: Docket, given: GivenLabel) -> int:
    """Find the case that a word is on; a note is on any case of its record. Refuses what is none of this person's."""
    if given.about == "comment":
        number = next((n for n, case in enumerate(found.cases, 1) if case.target.record == given.record), None)
    else:
        number = found.number_of(given.target)
    if number is not None:
        return number
    if given.record in desk.hidden:
        raise Refusal(403, "you have not finished labelling this answer yourself: until then it is not yours to settle")
    if found.barred:
        raise Refusal(
            403, f"the labels of a {desk.visit.role} do not settle this, by the profile {desk.run.profile.name}"
        )
    raise Refusal(409, "people do not disagree on this, or not any more")
