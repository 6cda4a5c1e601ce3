"""A judge as it was and as it is, on the same frozen rows: how much its agreement with people's labels has changed.

Rows are paired and come in clusters (of one question, one source), which are what is resampled (Davison & Hinkley 1997,
§3.8). A cluster is eight counts (label, said then, said now), so drawing clusters is a multinomial over the distinct ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from showable.measure.agreement import Array, Tables
from showable.measure.drift.few_moves import sign_agrees, too_few_said
from showable.measure.drift.report import DECIDED, DriftReport, Level, Test, Watched
from showable.measure.paired import mcnemar

FIGURES: dict[str, Callable[[Tables], Array]] = {
    "kappa": lambda tables: tables.kappa,
    "tpr": lambda tables: tables.tpr,
    "tnr": lambda tables: tables.tnr,
    "balanced_accuracy": lambda tables: tables.balanced_accuracy,
}
LEAST_PER_CLASS, LEAST_CLUSTERS = 30, 10
"""Fewer rows of a label, or rows of fewer clusters, say too little about the rate on it: of six clusters that all moved, the
sign test never agrees."""
RESAMPLES = 4_000
_BATCH = 500
_CELLS = 8
_SAME_P = 5e-7
"""What two computations of the same p may differ by."""


@dataclass(frozen=True, slots=True)
class AnchorRow:
    """A labelled row: what people say, what the judge said when it was frozen and what it says now (None: undecided).

    `p_before` and `p_now` are its probabilities, where it gives any.
    """

    label: bool
    before: bool | None
    now: bool | None
    cluster: Hashable
    p_before: float | None = None
    p_now: float | None = None


def compare_judges(
    rows: Sequence[AnchorRow],
    *,
    about: str,
    profile: str,
    false_alarms: float = 0.05,
    bound: float | None = None,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> DriftReport:
    """Compare a judge with itself on the same rows. It alarms where the interval of a difference lies below 0.

    With a `bound` it alarms too where a figure dropped by more than that, whatever the interval. Each of the five figures
    has a fifth of the `false_alarms` (Bonferroni): one-sided, as an improvement is no alarm.
    """
    level = false_alarms / (len(FIGURES) + 1)
    paired = [row for row in rows if row.before is not None and row.now is not None]
    watched = [_decided(rows, profile, level, seed)]
    draws = _draw(paired, _cell, seed) if paired else None
    watched += [_figure(name, profile, paired, draws, level) for name in FIGURES]
    if bound is not None:
        watched = [_held_to(bound, one) for one in watched]
    return DriftReport.of(
        "anchor",
        about,
        tuple(watched[1:] + watched[:1]),
        false_alarms=false_alarms,
        family=_family(false_alarms, level, bound),
        notes=(*_said_of(rows, paired), *notes),
    )


def _family(false_alarms: float, level: float, bound: float | None) -> str:
    said = (
        f"if the judge has not changed, anything alarms with a probability of at most {100 * false_alarms:g} %:"
        f" {len(FIGURES) + 1} figures, each one-sided at {100 * level:g} % (Bonferroni)"
    )
    return said if bound is None else f"{said}; alarms by the bound alone come on top, and no rate is stated for them"


def _cell(row: AnchorRow) -> int:
    return 4 * row.label + 2 * bool(row.before) + bool(row.now)


def _counted(rows: Sequence[AnchorRow], cell: Callable[[AnchorRow], int]) -> Counter[tuple[int, ...]]:
    """Count the distinct clusters, each as the number of its rows in each cell."""
    clusters: dict[Hashable, list[int]] = {}
    for row in rows:
        clusters.setdefault(row.cluster, [0] * _CELLS)[cell(row)] += 1
    return Counter(tuple(counts) for counts in clusters.values())


def _draw(rows: Sequence[AnchorRow], cell: Callable[[AnchorRow], int], seed: int) -> Array:
    """Return the counts of 4,000 seeded resamples, (draws, cells)."""
    distinct = _counted(rows, cell)
    table = np.array(sorted(distinct), dtype=np.float64)
    clusters = distinct.total()
    weights = np.array([distinct[key] for key in sorted(distinct)], dtype=np.float64) / clusters
    rng = np.random.default_rng(seed)
    parts = [rng.multinomial(clusters, weights, size=_BATCH) @ table for _ in range(RESAMPLES // _BATCH)]
    return np.concatenate(parts)


def _tables(cells: Array, *, now: bool) -> Tables:
    """Make the tables of one side from counts (draws, cells)."""
    said = [bool(cell & (1 if now else 2)) for cell in range(_CELLS)]
    sums = {
        (label, yes): cells[:, [c for c in range(_CELLS) if bool(c & 4) is label and said[c] is yes]].sum(axis=1)
        for label in (True, False)
        for yes in (True, False)
    }
    return Tables(tp=sums[True, True], fn=sums[True, False], fp=sums[False, True], tn=sums[False, False])


def _figure(name: str, profile: str, rows: Sequence[AnchorRow], draws: Array | None, level: float) -> Watched:
    window, lacking = f"{len(rows)} rows", _lacking(name, rows)
    if draws is None or lacking is not None:
        said, needs = lacking or ("no row was decided on both sides", LEAST_PER_CLASS)
        return Watched(what=name, profile=profile, state="unknown", window=window, reason=said, needs=needs)
    exact = np.bincount([_cell(row) for row in rows], minlength=_CELLS).astype(np.float64)[None]
    values = [FIGURES[name](_tables(cells, now=now)) for cells in (exact, draws) for now in (False, True)]
    mine = [row for row in rows if row.label is not _OF_ONE_LABEL.get(name)]
    moves = [(row.cluster, int(row.now is row.label) - int(row.before is row.label)) for row in mine]
    return _compared(Watch(name, profile, len(rows), level, *_signs(moves)), values)


_OF_ONE_LABEL = {"tpr": False, "tnr": True}
"""The label whose rows take no part in a figure."""


def _signs(moves: Sequence[tuple[Hashable, int]]) -> tuple[int, int]:
    """Count the clusters that moved for the better on the whole, and for the worse."""
    net: Counter[Hashable] = Counter()
    for cluster, move in moves:
        net[cluster] += move
    return sum(total > 0 for total in net.values()), sum(total < 0 for total in net.values())


def _lacking(name: str, rows: Sequence[AnchorRow]) -> tuple[str, int] | None:
    """Return which label has too few rows for a figure, or rows of too few clusters, and how many it needs; None where neither."""
    labels = {"tpr": (True,), "tnr": (False,)}.get(name, (True, False))
    inside = [(label, [row.cluster for row in rows if row.label is label]) for label in labels]
    label, clusters = min(inside, key=lambda one: len(one[1]))
    if len(clusters) < LEAST_PER_CLASS:
        said = f"{len(clusters)} rows are labelled {label:d}, and it takes {LEAST_PER_CLASS}"
        return said, LEAST_PER_CLASS - len(clusters)
    label, clusters = min(inside, key=lambda one: len(set(one[1])))
    return _too_few_clusters(f"rows labelled {label:d}", clusters)


def _too_few_clusters(called: str, clusters: Sequence[Hashable]) -> tuple[str, int] | None:
    """Say of how few clusters some rows are, and how many more it takes; None where they are enough."""
    found = len(set(clusters))
    if found >= LEAST_CLUSTERS:
        return None
    said = f"the {len(clusters)} {called} come from {found} of the {LEAST_CLUSTERS} questions or sources that it takes"
    return said, LEAST_CLUSTERS - found


class Watch(NamedTuple):
    """What one comparison is of: name, profile, rows, its share of the false alarms, and clusters better and worse."""

    name: str
    profile: str
    n: int
    level: float
    better: int
    worse: int


def _compared(of: Watch, values: Sequence[Array]) -> Watched:
    """Lay out before, now and their difference, with intervals of which each end is passed by chance at the level."""
    before, now = float(values[0][0]), float(values[1][0])
    pairs = ((before, values[2]), (now, values[3]), (now - before, values[3] - values[2]))
    was, has_become, change = (_level(value, drawn, of.n, of.level) for value, drawn in pairs)
    high = change.high or 0.0
    alarms = high < 0 and sign_agrees(of.better, of.worse, of.level)
    reason = f"the interval of the difference ends at {100 * high:+.1f} points" if high < 0 else ""
    if high < 0 and not alarms:
        reason += f", but {too_few_said(of.better, of.worse)}"
    return Watched(
        what=of.name,
        profile=of.profile,
        state="alarm" if alarms else "steady",
        window=f"{of.n} rows",
        before=was,
        after=has_become,
        change=change,
        n=of.n,
        test=Test(name="bootstrap difference", value=high, limit=0.0, level=of.level),
        reason=reason,
    )


def _level(value: float, drawn: Array, n: int, level: float) -> Level:
    """Return a figure with its percentile interval; a resample that cannot be measured says nothing."""
    known = drawn[np.isfinite(drawn)]
    low, high = np.quantile(known, [level, 1 - level])
    return Level(value=value, low=float(low), high=float(high), n=n, confidence=1 - 2 * level)


def _decided(rows: Sequence[AnchorRow], profile: str, level: float, seed: int) -> Watched:
    """Compare the shares of rows that were decided; the same cells serve, with `decided` in the place of `said yes`."""
    lacking = _too_few_clusters("rows", [row.cluster for row in rows])
    if len(rows) < LEAST_PER_CLASS:
        lacking = f"{len(rows)} rows, and it takes {LEAST_PER_CLASS}", LEAST_PER_CLASS - len(rows)
    if lacking is not None:
        said, needs = lacking
        return Watched(
            what=DECIDED, profile=profile, state="unknown", window=f"{len(rows)} rows", reason=said, needs=needs
        )

    def cell(row: AnchorRow) -> int:
        return 2 * (row.before is not None) + (row.now is not None)

    exact = np.bincount([cell(row) for row in rows], minlength=_CELLS).astype(np.float64)[None]
    draws = _draw(rows, cell, seed)
    values = [_tables(cells, now=now).tnr for cells in (exact, draws) for now in (False, True)]
    moves = [(row.cluster, int(row.now is not None) - int(row.before is not None)) for row in rows]
    return _compared(Watch(DECIDED, profile, len(rows), level, *_signs(moves)), [1 - value for value in values])


def _held_to(bound: float, one: Watched) -> Watched:
    if one.change is None or -one.change.value <= bound:
        return one
    said = f"dropped by {-100 * one.change.value:.1f} points, and the bound is {100 * bound:g}"
    return one.model_copy(update={"state": "alarm", "reason": "; ".join(filter(None, (one.reason, said)))})


def _said_of(rows: Sequence[AnchorRow], paired: Sequence[AnchorRow]) -> tuple[str, ...]:
    """Return how many rows are decided otherwise, and which way; or that nothing at all has changed."""
    flipped = [row for row in paired if row.before is not row.now]
    better = sum(row.now is row.label for row in flipped)
    moved = [abs(row.p_now - row.p_before) for row in rows if row.p_now is not None and row.p_before is not None]
    undecided = len(rows) - len(paired)
    if not flipped and not undecided and max(moved, default=0.0) <= _SAME_P:
        return (
            f"the judge answers as it did on all {len(rows)} rows: every decision{' and every p' if moved else ''}",
        )
    test = mcnemar(better, len(flipped) - better, len(paired))
    said = [f"{len(flipped)} of {len(paired)} rows are decided otherwise: {better} now right, {test.worse} now wrong"]
    if flipped:
        said[0] += f" (McNemar p = {test.p:.2g})"
    if max(moved, default=0.0) > _SAME_P:
        said.append(f"p moved by {max(moved):.3f} at most, by {sum(moved) / len(moved):.3f} in the mean")
    if undecided:
        said.append(f"{undecided} of {len(rows)} rows were left undecided then or now, and count in `decided` alone")
    return tuple(said)
