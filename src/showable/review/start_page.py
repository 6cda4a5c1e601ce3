"""The page one begins at: who one is, what there is to label and how far it is, and what can be done with the labels."""

from __future__ import annotations

from dataclasses import dataclass

from showable.measure.label_queues import hold_out_size
from showable.records.label_guide import About
from showable.records.labels import ROLES, ReviewerRole
from showable.records.profile import Profile
from showable.review.desk import Desk
from showable.review.docket import docket
from showable.review.promoting import waiting_of
from showable.review.queue_names import KINDS, Kind, kind_name
from showable.review.record_view import ROLE_WORDS
from showable.review.room_templates import duration, render_room

USUAL_N, USUAL_OVERLAP = 30, 10
_DECISIONS: dict[About, str] = {
    "support": "citations",
    "bucket": "whole answers",
    "refusal_quality": "the quality of refusals",
    "extra_claims": "sentences without a citation",
    "claim_kind": "kinds of claims",
}
_ROLE_SAYS: dict[ReviewerRole, str] = {
    "senior": "You answer for the field: a partner, an attending, a senior editor.",
    "reviewer": "You work in the field: a lawyer, a clinician, an editor.",
    "engineer": "You build or run the system that answers.",
}


@dataclass(frozen=True, slots=True)
class Role:
    """A role to enter in: its name, whom it means, and what its labels count for under the profile."""

    role: ReviewerRole
    name: str
    says: str
    counts: str


@dataclass(frozen=True, slots=True)
class Row:
    """A queue as the page lists it, with one's own progress; `of` is what may still come to one in all."""

    name: str
    kind: str
    n: int
    overlap: int
    done: int
    of: int
    begun: bool
    time_left: str

    @property
    def finished(self) -> bool:
        """Check whether nothing is left for this person."""
        return self.done >= self.of


def render(desk: Desk) -> str:
    """Render the start page: the way in for somebody who has not entered, else the queues and what else there is."""
    visit = desk.visit
    if visit.name is None:
        return _render_door(desk)
    rows = [_row(desk, queue.name) for queue in desk.store.queues()]
    found = docket(desk)
    return render_room(
        "start.html.j2",
        desk=desk,
        visit=visit,
        rows=rows,
        kinds=_kinds_to_make(desk),
        docket=found,
        promotion=waiting_of(desk),
        waiting=_waiting(desk),
        pinned=len(desk.store.hold_out()),
        hold_out_n=hold_out_size(len(desk.run)),
        made_hold_out=any(row.name == "hold_out" for row in rows),
        usual={"n": min(USUAL_N, len(desk.run)), "overlap": min(USUAL_OVERLAP, len(desk.run))},
        role=next(role for role in roles_of(desk.run.profile) if role.role == visit.role),
        people=desk.store.reviewers(),
        labels=_given(desk),
        data={"token": visit.token, "name": visit.name, "role": visit.role, "records": len(desk.run)},
    )


def _render_door(desk: Desk) -> str:
    return render_room(
        "enter.html.j2",
        desk=desk,
        visit=desk.visit,
        choices=roles_of(desk.run.profile),
        profile=desk.run.profile,
        people=desk.store.reviewers(),
        data={"token": desk.visit.token, "people": {one.name: one.role for one in desk.store.reviewers()}},
    )


def roles_of(profile: Profile) -> list[Role]:
    """Return the roles, each with what its labels count for under a profile."""
    return [Role(role, ROLE_WORDS[role], _ROLE_SAYS[role], counts_for(profile, role)) for role in ROLES]


def counts_for(profile: Profile, role: ReviewerRole) -> str:
    """Say for what the labels of a role count: ``count for everything``, ``count for all but whole answers``, ``for nothing``."""
    counted = [said for about, said in _DECISIONS.items() if profile.counts(about, role)]
    left = [said for said in _DECISIONS.values() if said not in counted]
    if not counted:
        return "Your labels are kept and shown, and count for nothing here."
    # those of seniors count on the hold-out's refusals too, whatever else the profile says
    beside = [] if role == "senior" else ["refusals in the hold-out"]
    if len(left) < len(counted):
        but = f" but {_listed([*left, *beside])}" if left or beside else ""
        return f"Your labels count for everything{but}."
    return f"Your labels count for {_listed(counted)}{', but not for '.join(['', *beside])}."


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _row(desk: Desk, queue: str) -> Row:
    held = desk.store.queue(queue)
    place = desk.store.place(queue, desk.visit.name or "")
    begun = bool(desk.store.records_dealt(queue, desk.visit.name or ""))
    return Row(
        name=held.name,
        kind=kind_name(held.kind),
        n=held.n,
        overlap=held.overlap,
        done=place.done,
        of=place.done + place.left,
        begun=begun,
        time_left=duration(place.seconds_left) if place.left else "",
    )


def _kinds_to_make(desk: Desk) -> list[tuple[Kind, str]]:
    """Return the kinds of queues that can be made here, each with why it cannot, if so."""
    without = "Needs a second run: start the page with --second RUN." if desk.second is None else ""
    return [(one, without if one.kind == "disagreement" else "") for one in KINDS if one.kind != "hold_out"]


def _waiting(desk: Desk) -> int:
    """Count the records that one still has to label, of queues not begun too, that hold labels of others: what is hidden until one is done with them."""
    return len(desk.store.records_of_others(desk.visit.name or "") & desk.hidden) if desk.hidden else 0


def _given(desk: Desk) -> int:
    return len(desk.store.current(desk.visit.name))
