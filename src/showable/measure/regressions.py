"""A regression set on both sides of a gate: what passed before must not fail, and when an issue may be resolved.

The set is selected on failures, so its counts are never pooled with a protocol's, and no percentage of it is a quality.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from showable.measure.repeats import GateRow
from showable.records.wire import Many, Wire

_ACCEPTABLE = ("correct", "refused")


class Regressions(Wire):
    """What became of a pinned set. `n` questions of `issues` issues.

    `broken` passed on the baseline and fail on the candidate; `undecided` passed and cannot be told; `missing` were not
    asked on one of the sides. `resolvable` are the issues all of whose questions pass on the candidate, `open_issues` the
    others. A question passes where most repeats end in a bucket that it calls for.
    """

    n: int
    issues: int
    broken: Many[str] = ()
    undecided: Many[str] = ()
    missing: Many[str] = ()
    mended: Many[str] = ()
    resolvable: Many[str] = ()
    open_issues: Many[str] = ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return what stands against the candidate."""
        said = []
        if self.broken:
            said.append(f"regressions: {_named(self.broken)} passed on the baseline and fail on the candidate")
        if self.undecided:
            said.append(
                f"regressions: {_named(self.undecided)} passed on the baseline and are unknown on the candidate"
            )
        if self.missing:
            said.append(
                f"regressions: {_named(self.missing)} were not asked on both sides; run the set as it is pinned"
            )
        return tuple(said)

    @property
    def inconclusive(self) -> bool:
        """Whether it cannot be told that nothing broke."""
        return bool(self.undecided or self.missing) and not self.broken


def passes(row: GateRow) -> bool:
    """Check whether a question ended in a bucket that it calls for."""
    return row.bucket in (row.expected or _ACCEPTABLE)


def compare_regressions(
    items: Mapping[str, str], baseline: Sequence[GateRow], candidate: Sequence[GateRow]
) -> Regressions:
    """Compare both sides over the pinned questions, given as id → issue."""
    before, after = ({row.id: row for row in side} for side in (baseline, candidate))
    missing = [key for key in items if key not in before or key not in after]
    both = [key for key in items if key in before and key in after]
    lost = [key for key in both if passes(before[key]) and not passes(after[key])]
    by_issue: dict[str, list[str]] = defaultdict(list)
    for key, issue in items.items():
        by_issue[issue].append(key)
    resolvable = [name for name, keys in by_issue.items() if all(key in after and passes(after[key]) for key in keys)]
    return Regressions(
        n=len(items),
        issues=len(by_issue),
        broken=tuple(key for key in lost if after[key].bucket != "unknown"),
        undecided=tuple(key for key in lost if after[key].bucket == "unknown"),
        missing=tuple(missing),
        mended=tuple(key for key in both if passes(after[key]) and not passes(before[key])),
        resolvable=tuple(resolvable),
        open_issues=tuple(name for name in by_issue if name not in resolvable),
    )


def _named(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:5])
    return shown if len(ids) <= 5 else f"{shown} and {len(ids) - 5} more"  # noqa: PLR2004 - a line
