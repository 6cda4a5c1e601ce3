"""How far labelling is: by reviewer, by what is labelled, by queue; what people disagree on, and what no longer counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from showable.measure.consensus import Settled
from showable.measure.stale_labels import Stale, Staleness
from showable.records.labels import Label, ReviewerRole
from showable.records.wire import Many, Wire


class ReviewerStatus(Wire):
    """One reviewer: the words that stand, by what they are about, how many of them no longer count, and the last one's time."""

    name: str
    role: ReviewerRole
    labels: dict[str, int]
    stale: int
    last: str | None


class TargetStatus(Wire):
    """What is labelled of one kind, in targets. `settled`, `unsettled`, `cannot_tell` and `uncounted` add up to `labelled`.

    `settled`: a majority of those who count agree, or it was adjudicated (`adjudicated` of them); `unsettled`: neither;
    `cannot_tell`: so say all who count; `uncounted`: labelled by nobody whose word counts. `twice` have two or more words.
    `disagree`: people who count differ and nobody has adjudicated it, a majority or not: the cases that the page has open.
    """

    about: str
    labelled: int
    twice: int
    settled: int
    unsettled: int
    disagree: int
    cannot_tell: int
    uncounted: int
    adjudicated: int


class Share(Wire):
    """A reviewer's part of a queue: records finished, and records that came to them."""

    name: str
    done: int
    dealt: int


class QueueStatus(Wire):
    """One queue: `n` records, the first `overlap` of which go to everybody; `unfinished` nobody has finished yet."""

    name: str
    kind: str
    n: int
    overlap: int
    unfinished: int
    reviewers: Many[Share]


class LabelStatus(Wire):
    """The state of the labels of a run. `labels` are the words that stand; `stale` counts those that no longer count, by why."""

    run: str
    file: str
    records: int
    labelled: int
    labels: int
    reviewers: Many[ReviewerStatus]
    targets: Many[TargetStatus]
    queues: Many[QueueStatus]
    stale: dict[Staleness, int]
    hold_out: int
    hold_out_labelled: int


def reviewer_statuses(
    people: Iterable[tuple[str, ReviewerRole]], labels: Sequence[Label], stale: Sequence[Stale]
) -> list[ReviewerStatus]:
    """Return one row a person, in the order given."""
    outdated = Counter(one.label.reviewer for one in stale)
    rows = []
    for name, role in people:
        mine = [label for label in labels if label.reviewer == name]
        about = Counter(str(label.about) for label in mine)
        last = max((label.at for label in mine), default=None)
        rows.append(
            ReviewerStatus(name=name, role=role, labels=dict(sorted(about.items())), stale=outdated[name], last=last)
        )
    return rows


def target_statuses(labels: Iterable[Label], settled: Settled) -> list[TargetStatus]:
    """Return one row for everything that was labelled; comments, which settle nothing, are left out."""
    words = Counter(
        (label.target, label.reviewer) for label in labels if label.about != "comment" and not label.adjudicated
    )
    people = Counter(target for target, _ in words)
    kinds = {"settled": settled.gold, "unsettled": settled.unsettled, "cannot_tell": settled.cannot_tell}
    beside = {"adjudicated": settled.adjudicated, "disagree": settled.disagreements}
    groups = {**kinds, "uncounted": settled.uncounted, **beside}
    counts = {name: Counter(target.about for target in targets) for name, targets in groups.items()}
    abouts = sorted({about for name in (*kinds, "uncounted") for about in counts[name]})
    return [
        TargetStatus(
            about=about,
            labelled=sum(counts[name][about] for name in (*kinds, "uncounted")),
            twice=sum(1 for target, n in people.items() if target.about == about and n > 1),
            **{name: counts[name][about] for name in groups},
        )
        for about in abouts
    ]
