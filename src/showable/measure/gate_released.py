"""What becomes of the answers that may be shown when one run replaces another: the rules, which go by buckets, do not see it."""

from __future__ import annotations

from showable.measure.repeats import GateRow, Paired
from showable.records.wire import Many, Wire


class ReleasedChange(Wire):
    """How many answers may be shown under the profile on each side, and the questions for which that changed.

    `unseen` are those of `no_longer` whose answers are acceptable on both sides: only the profile holds them back.
    """

    baseline: int
    candidate: int
    no_longer: Many[str] = ()
    newly: Many[str] = ()
    unseen: Many[str] = ()


def released_change(paired: Paired) -> ReleasedChange | None:
    """Compare what may be shown; None where it is the same, or where a question's release is not known on one side."""
    if any(row.released is None for side in (paired.before, paired.after) for row in side):
        return None
    newly, no_longer = paired.changed(_shown)
    if not newly and not no_longer:
        return None
    acceptable = {b.id for b, a in zip(paired.before, paired.after, strict=True) if b.acceptable and a.acceptable}
    return ReleasedChange(
        baseline=sum(map(_shown, paired.before)),
        candidate=sum(map(_shown, paired.after)),
        no_longer=tuple(no_longer),
        newly=tuple(newly),
        unseen=tuple(key for key in no_longer if key in acceptable),
    )


def _shown(row: GateRow) -> bool:
    return row.released == "show"
