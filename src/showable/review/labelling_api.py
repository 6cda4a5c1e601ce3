"""What the pages post: labels, undo, done. A reply means that it is on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import Field, ValidationError

from showable.measure.labelled_answer import digest_of, source_of, target_problem
from showable.measure.labelled_kinds import kinds_of
from showable.measure.stale_labels import part_stale
from showable.records.label_guide import About, guide_digest
from showable.records.labels import Label, Target, Value
from showable.records.lines import explain
from showable.records.wire import Wire
from showable.review.blindness import is_blind
from showable.review.desk import Desk
from showable.review.page_context import ProgressShown, target_key
from showable.review.refusals import Refusal
from showable.review.reveal import shown_judge
from showable.stores.labels.store import LabelStore

Reply = dict[str, Any]
_LONGEST_S = 3600.0
"""A page that lay open for longer than this was not being worked on: such a time is not kept."""
_NEEDED: tuple[About, ...] = ("support", "bucket", "refusal_quality")
"""What an answer is not done without."""
W = TypeVar("W", bound=Wire)


class GivenLabel(Wire):
    """A label as posted. `queue` asks for the progress in it; `was` is the value that the page took to hold until now."""

    id: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    record: str
    about: About
    claim: Annotated[int, Field(ge=0)] | None = None
    citation: Annotated[int, Field(ge=0)] | None = None
    value: Value | None
    seconds: float | None = Field(default=None, ge=0.0)
    queue: str | None = None
    was: Value | None = None

    @property
    def target(self) -> Target:
        """What it is about."""
        return Target(self.record, self.about, self.claim, self.citation)


class GivenUndo(Wire):
    """An undo as posted."""

    queue: str | None = None


class GivenDone(Wire):
    """A record that one is done with, as posted."""

    queue: str
    record: str


class GivenNothing(Wire):
    """A post that says nothing more."""


def read_given(body: bytes, model: type[W]) -> W:
    """Read what was posted. Refuses, in one line that names the field, whatever is not as expected."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        field, said = explain(error)
        raise Refusal(400, f"{field}: {said}" if field else said) from None


def take_label(desk: Desk, body: bytes) -> Reply:
    """Keep a label; give it back with one's progress and, now that one's own word stands, what the tool itself said.

    ``judge`` is about this target, None where the tool's word stays hidden yet; ``also`` holds what else may be shown
    now, by `target_key`. ``changed_elsewhere`` is one's own word from another tab which this one replaces, where the
    page did not know of it.
    """
    given = read_given(body, GivenLabel)
    label = make_label(desk, given)
    before = own_words(desk, given.record, label.answer)
    elsewhere = _elsewhere(given, before)
    new = desk.store.add(label)
    after = own_words(desk, given.record, label.answer)
    card = desk.run.card(given.record)
    judge = shown_judge(desk.run, card, after.keys())
    known = shown_judge(desk.run, card, before.keys()).keys()
    key = target_key(given.target)
    return {
        "label": label_fields(after.get(given.target, label)),
        "new": new,
        "progress": progress_in(desk, given.queue),
        "judge": judge.get(key),
        "also": {name: said for name, said in judge.items() if name not in known and name != key},
        "changed_elsewhere": elsewhere,
    }


def make_label(desk: Desk, given: GivenLabel, *, adjudicated: bool = False) -> Label:
    """Fill in what the page has no say in: who, when, on which answer, under which text, and whether it was blind."""
    target = given.target
    if given.record not in desk.run:
        raise Refusal(400, f"record: the run has none of the id {given.record!r}")
    card = desk.run.card(given.record)
    if problem := target_problem(card, target) or _kind_problem(desk, given):
        raise Refusal(400, problem)
    name, role = desk.visit.name, desk.visit.role
    if name is None or role is None:
        raise Refusal(401, "nobody has entered here; open the start page")
    known = given.model_dump(include={"id", "record", "about", "claim", "citation", "value"})
    seconds = given.seconds if given.seconds is not None and given.seconds <= _LONGEST_S else None
    try:
        return Label(
            **known,
            reviewer=name,
            role=role,
            at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            rubric=guide_digest(given.about),
            answer=digest_of(desk.run.record(given.record), card),
            source_id=source_of(card, target),
            blind=not adjudicated and is_blind(desk.store, name, target),
            seconds=seconds,
            adjudicated=adjudicated,
        )
    except ValidationError as error:
        field, said = explain(error)
        raise Refusal(400, f"{field}: {said}" if field else said) from None


def _kind_problem(desk: Desk, given: GivenLabel) -> str | None:
    """Return what is wrong with a claim kind that the profile does not have, or None; where it has none, any word is one."""
    kinds = kinds_of(desk.run.profile)
    if given.about != "claim_kind" or given.value is None or not kinds or given.value in kinds:
        return None
    return (
        f"value: expected a claim kind of the profile {desk.run.profile.name} ({', '.join(kinds)}), got {given.value!r}"
    )


def undo(desk: Desk, body: bytes) -> Reply:
    """Take back one's last change; say what it was, what holds now, and where that record stands in one's queue.

    A record that lacks a verdict by that is not done any more, in any queue that it came in, so that one is led to it again.
    """
    given = read_given(body, GivenUndo)
    name = desk.visit.name or ""
    found = desk.store.undo(name)
    if found is None:
        empty = dict.fromkeys(("undone", "now", "record", "queue", "position"))
        return {**empty, "progress": progress_in(desk, given.queue)}
    undone, now = found
    places = _places(desk.store, name, undone.record, given.queue)
    if now is None and undone.about in _NEEDED:
        for each, _ in places:
            desk.store.reopen(each, name, undone.record)
    queue, position = places[0] if places else (None, None)
    return {
        "undone": label_fields(undone),
        "now": None if now is None else label_fields(now),
        "record": undone.record,
        "queue": queue,
        "position": position,
        "progress": progress_in(desk, given.queue),
    }


def done(desk: Desk, body: bytes) -> Reply:
    """Note that one is done with a record; say where the next one is, None where nothing is left."""
    given = read_given(body, GivenDone)
    name = desk.visit.name or ""
    if desk.store.position_of(given.queue, name, given.record) is None:
        raise Refusal(400, "record: it is not among yours in this queue")
    desk.store.finish(given.queue, name, given.record)
    following = desk.store.next_record(given.queue, name, given.record)
    return {"next": url_of(desk.store, given.queue, name, following), "progress": progress_in(desk, given.queue)}


def url_of(store: LabelStore, queue: str, name: str, record: str | None) -> str | None:
    """Return the address of a record in somebody's own order."""
    position = None if record is None else store.position_of(queue, name, record)
    return None if position is None else f"/label/{queue}/{position}"


def progress_in(desk: Desk, queue: str | None) -> Reply | None:
    """Return how far this person is in a queue; None where no queue was named, or there is none of that name."""
    if queue is None or all(one.name != queue for one in desk.store.queues()):
        return None
    return asdict(progress_shown(desk, queue))


def progress_shown(desk: Desk, queue: str) -> ProgressShown:
    """Return this person's progress as pages show it."""
    place = desk.store.place(queue, desk.visit.name or "")
    return ProgressShown(place.done, place.done + place.left, place.seconds_left)


def label_fields(label: Label) -> Reply:
    """Write a label for the person who gave it."""
    return label.model_dump(mode="json", exclude={"held_out"})


def own_words(desk: Desk, record: str, answer: str) -> dict[Target, Label]:
    """Return this person's own words on an answer (by its digest), those that settle a disagreement left out.

    What they said of another answer, or under another text of the guide, counts no more: it is asked for again.
    """
    said = desk.store.current(desk.visit.name, record=record)
    return {label.target: label for label in part_stale(said, {record: answer}).fresh if not label.adjudicated}


def _elsewhere(given: GivenLabel, before: Mapping[Target, Label]) -> Reply | None:
    held = before.get(given.target)
    if "was" not in given.model_fields_set or (held.value if held else None) in (given.was, given.value):
        return None
    return {"value": held.value if held else None, "at": held.at if held else None}


def _places(store: LabelStore, name: str, record: str, queue: str | None) -> list[tuple[str, int]]:
    """Find a record's queues and its places there, the queue one is in first: a record may have come in several."""
    names = sorted((one.name for one in store.queues()), key=lambda one: one != queue)
    found = [(each, store.position_of(each, name, record)) for each in names]
    return [(each, position) for each, position in found if position is not None]
