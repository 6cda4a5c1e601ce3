"""A grader of the tool beside people: on yes and no, on the four buckets, on refusal quality, on counted claims."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Codes, Flags, Tables, ac1s, weighted_kappas
from showable.measure.bucket_agreement import ACCEPTABLE, BUCKETS
from showable.measure.calibration_report import ALL_KINDS, Agreement, Graded
from showable.measure.least_n import CLASSES
from showable.measure.rater_agreement import coded, distances, known, ordered_values
from showable.measure.rates import wilson_interval as wilson
from showable.measure.resampling import FEWEST, mean_of_two, number_clusters
from showable.measure.smoothed_intervals import A_CELL, prior_differences, prior_pairs, smoothed_intervals
from showable.measure.validated import Between
from showable.measure.validation_figures import Decided, estimate
from showable.records.labels import Value

YES, NO, UNDECIDED = "yes", "no", "undecided"
_TABLE = ("balanced_accuracy", "tpr", "tnr", "kappa", "ac1")
UNWEIGHTED = "AC1 takes any two different numbers as equally far apart; kappa weighs their difference by its square"
_VALUES: dict[Graded, tuple[Value, ...]] = {"bucket": BUCKETS, "refusal_quality": (0, 1, 2, 3)}


def agreement(
    rubric: Graded,
    kind: str,
    labels: Sequence[bool],
    said: Sequence[bool | None],
    *,
    p: Sequence[float | None] | None = None,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    unsettled: int = 0,
    cannot_tell: int = 0,
) -> Agreement:
    """Measure a grader's yes or no against people's, each figure with its 95 % interval.

    `said` is None where the grader could not decide: counted in `undecided`, and in no rate. `p` is its probability of yes;
    AUC and ECE are of the decided rows that have one. `clusters` says which rows belong to one question (by default each to
    its own). A figure that the labels do not allow is None, and a note says why.
    """
    keys = list(range(len(labels))) if clusters is None else list(clusters)
    kept = [i for i, decision in enumerate(said) if decision is not None]
    of_people = np.array([labels[i] for i in kept], dtype=np.bool_)
    table = {
        "rubric": rubric,
        "kind": kind,
        "n": len(kept),
        "positives": int(of_people.sum()),
        "negatives": len(kept) - int(of_people.sum()),
        "undecided": len(labels) - len(kept),
        "unsettled": unsettled,
        "cannot_tell": cannot_tell,
        "confusion": _confusion([_word(one) for one in labels], [_word(one) for one in said], (YES, NO)),
    }
    if not kept:
        return Agreement.model_validate(table | {"notes": (_nothing(len(labels)),)})
    decided = Decided(
        of_people, np.array([said[i] for i in kept], dtype=np.bool_), number_clusters([keys[i] for i in kept])
    )
    figures, intervals = _yes_or_no(decided, seed)
    table["exact"], intervals["exact"] = _exact(decided.labels == decided.said, decided.clusters, seed)
    notes = _notes(rubric, decided)
    if p is not None:
        notes += _of_p(decided, [p[i] for i in kept], figures, intervals, seed)
    return Agreement.model_validate(table | figures | {"intervals": intervals, "notes": tuple(notes)})


def graded_agreement(
    rubric: Graded,
    labels: Sequence[Value],
    said: Sequence[Value | None],
    *,
    kind: str = ALL_KINDS,
    clusters: Sequence[Hashable] | None = None,
    seed: int = 0,
    unsettled: int = 0,
    cannot_tell: int = 0,
) -> Agreement:
    """Measure a grader of many values against people: buckets, refusal quality (0-3) or a count of extra claims.

    Buckets: kappa and AC1 over the four, TPR, TNR and balanced accuracy of acceptable against not. Numbers: kappa weighted
    by the squared difference (Cohen 1968), AC1 without weights, and the mean of the grader's less people's; a count is one of
    those that either side gave. `said` is None where the grader left it unknown. Values outside of the rubric's raise KeyError.
    """
    keys = list(range(len(labels))) if clusters is None else list(clusters)
    pairs = [(mine, theirs) for mine, theirs in zip(labels, said, strict=True) if theirs is not None]
    order = ordered_values(labels, [one for one in said if one is not None], values=_VALUES.get(rubric))
    table: dict[str, Any] = {
        "rubric": rubric,
        "kind": kind,
        "n": len(pairs),
        "undecided": len(labels) - len(pairs),
        "unsettled": unsettled,
        "cannot_tell": cannot_tell,
        "confusion": _confusion(
            [str(one) for one in labels],
            [UNDECIDED if one is None else str(one) for one in said],
            [str(one) for one in order],
        ),
    }
    if not pairs:
        return Agreement.model_validate(table | {"notes": (_nothing(len(labels)),)})
    numbers = number_clusters([key for key, one in zip(keys, said, strict=True) if one is not None])
    mine, theirs = coded(order, *([list(side) for side in zip(*pairs, strict=True)]))
    figures, intervals, notes = _many_valued(rubric, order, mine, theirs, numbers, seed=seed)
    if rubric == "bucket":
        yes = np.array([value in ACCEPTABLE for value in order], dtype=np.bool_)
        decided = Decided(yes[mine], yes[theirs], numbers)
        of_rates, between = _yes_or_no(decided, seed)
        rates = ("balanced_accuracy", "tpr", "tnr")
        figures |= {name: of_rates[name] for name in rates}
        intervals |= {name: between[name] for name in rates if name in between}
        figures |= {"positives": int(decided.labels.sum()), "negatives": int((~decided.labels).sum())}
        notes += [note for note in _notes(rubric, decided) if "kappa" not in note]
    return Agreement.model_validate(table | figures | {"intervals": intervals, "notes": tuple(dict.fromkeys(notes))})


def _yes_or_no(decided: Decided, seed: int) -> tuple[dict[str, Any], dict[str, Between]]:
    """Return the figures of a two-by-two table, None where not measurable, and the intervals of the others."""
    table = Tables.of(decided.labels, decided.said, np.ones((1, len(decided.labels))))
    figures = {name: known(found[0]) for name, found in _table_figures(table).items()}
    if decided.labels.all() or not decided.labels.any():
        figures["kappa"] = None  # with one class it is 0 whatever the grader says
    mine, theirs, prior = prior_pairs(2)
    labels = np.concatenate([decided.labels, mine.astype(np.bool_)])
    said = np.concatenate([decided.said, theirs.astype(np.bool_)])
    drawn = smoothed_intervals(
        lambda weights: _table_figures(Tables.of(labels, said, weights)), decided.clusters, prior, seed=seed
    )
    intervals: dict[str, Between] = {name: drawn.get(name) for name in _TABLE if figures[name] is not None}
    _few_of_a_class(decided, figures, intervals)
    return figures, intervals


def _table_figures(table: Tables) -> dict[str, Array]:
    return {name: getattr(table, name) for name in _TABLE}


def _few_of_a_class(decided: Decided, figures: dict[str, float | None], intervals: dict[str, Between]) -> None:
    """Put Wilson's interval on the questions of a class where they are fewer than ten: the draws would be too narrow."""
    few = False
    for name, rows in (("tpr", decided.labels), ("tnr", ~decided.labels)):
        count, value = len(np.unique(decided.clusters[rows])), figures[name]
        if value is not None and count < FEWEST:
            intervals[name], few = wilson(value, count), True
    tpr, tnr = figures["tpr"], figures["tnr"]
    if few and tpr is not None and tnr is not None:
        of_tpr, of_tnr = intervals["tpr"], intervals["tnr"]
        if of_tpr is not None and of_tnr is not None:
            intervals["balanced_accuracy"] = mean_of_two(tpr, tnr, of_tpr, of_tnr)


def _exact(alike: Flags, clusters: NDArray[np.int64], seed: int) -> tuple[float, Between]:
    """Return the share of rows on which both say the same, and its interval."""
    share = float(alike.mean())
    count = len(np.unique(clusters))
    if count < FEWEST:
        return share, wilson(share, count)
    beside = np.concatenate([alike, np.array([True, False])]).astype(np.float64)
    return share, _mean_interval(beside, clusters, np.array([A_CELL, A_CELL]), seed)


def _of_p(
    decided: Decided,
    p: Sequence[float | None],
    figures: dict[str, Any],
    intervals: dict[str, Between],
    seed: int,
) -> list[str]:
    """Add AUC and ECE over the rows that have a p; give the notes to it."""
    having = np.array([one is not None for one in p], dtype=np.bool_)
    if not having.any():
        return ["AUC and ECE are not measurable: the judge gave no probability"]
    given = np.array([one for one in p if one is not None], dtype=np.float64)
    rows = Decided(
        decided.labels[having],
        decided.said[having],
        number_clusters(decided.clusters[having].tolist()),
        p=given,
    )
    found = estimate(rows, seed=seed)
    for name in ("auc", "ece"):
        figures[name] = found.values.get(name)
        if name in found.values:
            intervals[name] = found.intervals.get(name)
    missing = int((~having).sum())
    return [f"AUC and ECE leave out {missing} rows without a probability"] if missing else []


def _many_valued(
    rubric: Graded, order: Sequence[Value], mine: Codes, theirs: Codes, clusters: NDArray[np.int64], *, seed: int
) -> tuple[dict[str, Any], dict[str, Between], list[str]]:
    """Return exact share, kappa and AC1 of codes, and for numbers the mean difference; then intervals, then notes.

    Kappa weighs disagreements between numbers by their square; AC1 has no weights.
    """
    one, notes = np.ones((1, len(mine))), []
    ordered = rubric != "bucket"
    distance = distances(order, "quadratic" if ordered else None)
    exact, of_exact = _exact(mine == theirs, clusters, seed)

    def beyond_chance(a: Codes, b: Codes, weights: Array) -> dict[str, Array]:
        return {"kappa": weighted_kappas(a, b, distance, weights), "ac1": ac1s(a, b, len(order), weights)}

    found = {name: known(values[0]) for name, values in beyond_chance(mine, theirs, one).items()}
    if len(np.unique(mine)) == 1:
        found["kappa"] = None
        notes.append(f'kappa is not measurable: every label is "{order[mine[0]]}"')
    if found["ac1"] is None:
        notes.append(f'AC1 is not measurable: nobody gave another value than "{order[0]}"')
    elif ordered:
        notes.append(UNWEIGHTED)
    before, after, prior = prior_pairs(len(order))
    a, b = np.concatenate([mine, before]), np.concatenate([theirs, after])
    drawn = smoothed_intervals(lambda weights: beyond_chance(a, b, weights), clusters, prior, seed=seed)
    figures: dict[str, Any] = {"exact": exact, **found}
    intervals: dict[str, Between] = {"exact": of_exact}
    intervals |= {name: drawn.get(name) for name, value in found.items() if value is not None}
    if ordered:
        places = np.array(order, dtype=np.float64)
        apart = places[theirs] - places[mine]
        figures["mean_difference"] = float(apart.mean())
        beside, weight = prior_differences(apart)
        intervals["mean_difference"] = _mean_interval(np.concatenate([apart, beside]), clusters, weight, seed)
    if len(np.unique(clusters)) < FEWEST:
        notes.append(_few(len(np.unique(clusters))))
    return figures, intervals, notes


def _mean_interval(values: Array, clusters: NDArray[np.int64], prior: Array, seed: int) -> Between:
    """Return the interval of the mean of values, the last of which are those of the prior rows."""
    found = smoothed_intervals(lambda w: {"mean": (w @ values) / w.sum(axis=1)}, clusters, prior, seed=seed)
    return found.get("mean")


def _notes(rubric: Graded, decided: Decided) -> list[str]:
    """Return which figures the labels do not allow, and why."""
    notes, count = [], len(np.unique(decided.clusters))
    yes, no = CLASSES.get(rubric, (YES, NO))
    if not decided.labels.any():
        notes.append(f'TPR, balanced accuracy and kappa are not measurable: no label is "{yes}"')
    if decided.labels.all():
        notes.append(f'TNR, balanced accuracy and kappa are not measurable: no label is "{no}"')
    if count < FEWEST:
        notes.append(_few(count))
    return notes


def _few(questions: int) -> str:
    return f"labels of {questions} question{'' if questions == 1 else 's'}: below {FEWEST} only rates have an interval, kappa and AC1 have none"


def _nothing(labels: int) -> str:
    return "the grader decided none of the labelled rows" if labels else "there are no labels"


def _word(said: bool | None) -> str:  # noqa: FBT001 - the decision itself
    return UNDECIDED if said is None else YES if said else NO


def _confusion(labels: Sequence[str], said: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count labels (rows) against what was said (columns), `undecided` last."""
    table = {row: dict.fromkeys((*names, UNDECIDED), 0) for row in names}
    for mine, theirs in zip(labels, said, strict=True):
        table[mine][theirs] += 1
    return table
