"""The kinds of queues in plain words, and what a queue is called on the pages."""

from __future__ import annotations

from dataclasses import dataclass

from showable.measure.label_queues import QueueKind


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of queue in plain words."""

    kind: QueueKind
    name: str
    says: str


KINDS: tuple[Kind, ...] = (
    Kind("random", "Any answers, by chance", "What they show holds for the whole run. Begin here if unsure."),
    Kind("stratified", "Some of every outcome", "Correct, wrong, unsupported and refused in turn, so that the rare are seen too."),
    Kind("uncertain", "Where the judge wavers", "Its probability lies next to the threshold: a label teaches the most here."),
    Kind("disagreement", "Where two judges differ", "Answers that another judge scored otherwise."),
    Kind("failed", "Everything that failed a check", "Wrong, unsupported, or with a citation that leads nowhere; the worst first."),
    Kind("hold_out", "The hold-out", "The pinned answers on which a calibration is tried."),
)  # fmt: skip


def kind_name(kind: str) -> str:
    """Name a kind of queue in plain words."""
    return next((one.name for one in KINDS if one.kind == kind), kind)


def queue_title(name: str, kind: str) -> str:
    """Name a queue: its kind in plain words, and which one of that kind where it is not the first."""
    number = name.removeprefix(f"{kind}-")
    return f"{kind_name(kind)}, {number}" if number.isdigit() else kind_name(kind)
