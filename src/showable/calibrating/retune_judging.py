"""Ask a judge about every labelled pair: as it is, as the version that stands has it, and with examples in its prompt."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from showable.calibrating.candidates import Rows, Said, Settings, Source
from showable.calibrating.retune_rows import LabelledClaim
from showable.calibrating.retune_split import renumbered
from showable.calibrating.shots import LONGEST_CLAIM, LONGEST_PASSAGE, MOST_SHOTS
from showable.calibrating.undecided import UndecidedError, first_reason, is_undecided
from showable.evaluation import close_judge
from showable.judges.budget import BudgetJudge
from showable.judges.embedded.head import StackedHead
from showable.judges.embedded.judge import EmbeddedJudge, Weighed
from showable.measure.agreement import Array, Flags
from showable.measure.calibration_report import Refused
from showable.measure.cross_fit import dealt_folds
from showable.records.calibration import Shot
from showable.records.evidence import Cost, Judge, Pair, Verdict
from showable.validation.judging import BATCH, Told, judge_pairs

WithShots = Callable[[tuple[Shot, ...]], Judge]
"""Makes the judge once more, with examples in its prompt."""


@dataclass
class Asking:
    """A judge that is retuned, and what it has cost so far. `with_shots` is there for a chat judge alone.

    `expect` is told how many pairs are about to be judged, each time all are; `told` how many were.
    """

    judge: Judge
    with_shots: WithShots | None = None
    max_cost: float | None = None
    at_once: int = 8
    told: Told = lambda _: None
    expect: Told = lambda _: None
    cost: Cost = field(default_factory=Cost)
    _weighed: list[Weighed] | None = None

    @property
    def embedded(self) -> EmbeddedJudge | None:
        """The judge, where it is one with a head that can be replaced."""
        return self.judge if isinstance(self.judge, EmbeddedJudge) and self.judge.head is not None else None

    async def plainly(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Ask the judge as it is. An embedded one is asked for its features once, and weighs them as often as it is fitted."""
        if self.embedded is None:
            return await self._ask(self.judge, pairs)
        self.expect(len(pairs))
        weighed: list[Weighed] = []
        for start in range(0, len(pairs), BATCH):
            batch = pairs[start : start + BATCH]
            weighed += await asyncio.to_thread(self.embedded.features, batch)
            self.told(len(batch))
        self._weighed = weighed
        return self.embedded.weigh_all(pairs, weighed)

    async def shown(self, pairs: Sequence[Pair], shots: tuple[Shot, ...]) -> list[Verdict]:
        """Ask the chat judge with examples in its prompt."""
        if self.with_shots is None:
            raise ValueError("only a chat judge reads examples")
        judge = self.with_shots(shots)
        try:
            return await self._ask(judge, pairs, " with examples in its prompt")
        finally:
            await close_judge(judge)

    async def _ask(self, judge: Judge, pairs: Sequence[Pair], how: str = "") -> list[Verdict]:
        """Ask within the budget, and no further once a whole batch of calls has failed; `how` is said of the judge then.

        Raises BudgetReachedError before a call that might pass it, UndecidedError after such a batch.
        """
        asked = judge if self.max_cost is None else BudgetJudge(judge, self.max_cost, self.cost.usd or 0.0)
        calls = bool(judge.estimate([Pair("claim", "passage")]).calls)
        step = max(BATCH, self.at_once)
        verdicts: list[Verdict] = []
        self.expect(len(pairs))
        for start in range(0, len(pairs), step):
            judged = await judge_pairs(asked, pairs[start : start + step], self.told, at_once=self.at_once)
            self.cost += judged.cost
            verdicts += judged.verdicts
            if calls and _all_failed(judged.verdicts, whole=len(judged.verdicts) == step or not start):
                raise UndecidedError(_stopped(judge.name + how, verdicts, len(judged.verdicts), len(pairs)))
        return verdicts

    def with_head(self, pairs: Sequence[Pair], head: StackedHead) -> list[Verdict]:
        """Weigh the features anew; no model is asked."""
        if self.embedded is None or self._weighed is None:
            raise ValueError("only an embedded judge that was asked has features")
        return self.embedded.with_head(head.model_dump(mode="json")).weigh_all(pairs, self._weighed)

    async def as_standing(self, pairs: Sequence[Pair], plain: list[Verdict], standing: Settings) -> list[Verdict]:
        """Return what the standing version says: with its head or its examples, where it has any."""
        if standing.head is not None:
            return self.with_head(pairs, standing.head)
        return await self.shown(pairs, standing.shots) if standing.shots else plain

    def head_source(self, pairs: Sequence[Pair], chosen: Rows, labels: Flags, clusters: Rows, seed: int) -> Source:
        """Return the source that fits a head on some of the chosen rows; pairs without features are not fitted on."""
        if self.embedded is None or self._weighed is None or self.embedded.head is None:
            raise ValueError("only an embedded judge that was asked has features")
        shipped, weighed = self.embedded.head, self._weighed
        mine = [weighed[i] for i in chosen.tolist()]
        asked = [pairs[i] for i in chosen.tolist()]
        none = (0.0,) * len(shipped.weights)
        x = np.array([one[1].values if isinstance(one, tuple) else none for one in mine])
        usable = np.array([isinstance(one, tuple) for one in mine], dtype=np.bool_)
        judge = self.embedded

        fitted: dict[bytes, tuple[Said, StackedHead]] = {}

        def source(rows: Rows) -> tuple[Said, StackedHead]:
            inside = rows[usable[rows]]
            if (key := inside.tobytes()) not in fitted:  # several candidates ask for the same head
                head = fit_head(x[inside], labels[inside], renumbered(clusters[inside]), shipped, seed=seed)
                verdicts = judge.with_head(head.model_dump(mode="json")).weigh_all(asked, mine)
                fitted[key] = Said.of(verdicts), head
            return fitted[key]

        return source


def _all_failed(verdicts: Sequence[Verdict], *, whole: bool) -> bool:
    """Check whether a whole batch came to nothing; the few pairs of a last one may each have a reason of their own."""
    return whole and all(is_undecided(verdict) for verdict in verdicts)


def _stopped(name: str, verdicts: Sequence[Verdict], failed: int, of: int) -> Refused:
    """Report that a judge was asked no further, and what it said first of the batch that came to nothing."""
    why = first_reason(verdict.reason for verdict in verdicts[-failed:])
    asked = f"{len(verdicts)} of {of} rows were asked"
    if failed == len(verdicts):
        rows = f"{of} rows" if failed == of else f"{of} rows ({asked})"
        return Refused(reason=f"{name} decided none of {rows}: {why}")
    return Refused(reason=f"{name} decided none of the last {failed} rows ({asked}): {why}")


def most_cost(rows: Sequence[LabelledClaim], asking: Asking, *, examples: bool) -> Cost:
    """Return what a retune may cost at most: every pair as the judge is, and once more with the longest examples there may be.

    A standing version with examples of its own is asked about every pair too; most of what it says is cached.
    """
    pairs = [row.pair for row in rows]
    plain = asking.judge.estimate(pairs)
    if asking.with_shots is None or not examples:
        return plain
    longest = Shot(claim="x" * LONGEST_CLAIM, passage="x" * LONGEST_PASSAGE, label="supported")
    return plain + asking.with_shots((longest,) * MOST_SHOTS).estimate(pairs)


def best_of_groups(rows: Sequence[LabelledClaim], verdicts: Sequence[Verdict]) -> Rows:
    """Return a place a label: of the chunks of one source the one that the judge as it is supports most, else the row itself."""
    members: dict[object, list[int]] = defaultdict(list)
    for i, row in enumerate(rows):
        members[i if row.group is None else row.group].append(i)
    best = [max(inside, key=lambda i: (_strength(verdicts[i]), -i)) for inside in members.values()]
    return np.array(sorted(best), dtype=np.int64)


def first_of_groups(rows: Sequence[LabelledClaim]) -> Rows:
    """Return a place a label, before any judge was asked."""
    seen: dict[object, int] = {}
    for i, row in enumerate(rows):
        seen.setdefault(i if row.group is None else row.group, i)
    return np.array(sorted(seen.values()), dtype=np.int64)


def _strength(verdict: Verdict) -> float:
    p = verdict.p if verdict.raw_p is None else verdict.raw_p
    if p is not None:
        return p
    return -1.0 if verdict.label == "unknown" else float(verdict.label == "supported")


# Refit the embedded judge's head on a user's labels: a logistic function that starts from the shipped one and stays near it.


STRENGTHS = (3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
"""How strongly the head is held to the shipped one, from nearly fixed to nearly free; cross-validation chooses."""
_DIGITS = 4


def fit_head(
    x: Array, labels: Flags, clusters: NDArray[np.int64], shipped: StackedHead, *, seed: int = 0
) -> StackedHead:
    """Fit weights and intercept, both labels counting the same, with a ridge towards the shipped head.

    `x` is (n, features). The penalty is on the squared change of a weight times the feature's spread, so that the units of
    a feature do not matter. Its strength is the one with the least log loss on held-out questions, five-fold; of equals the
    strongest. Below ten questions, or with one label alone, the shipped head comes back. `contradiction` and `uncertain`
    stay as they are shipped.
    """
    fold = dealt_folds(clusters, seed=seed)
    if fold is None or labels.all() or not labels.any():
        return shipped
    losses = [_held_out_loss(x, labels, fold, shipped, strength) for strength in STRENGTHS]
    delta = _fit(x, labels, shipped, STRENGTHS[int(np.argmin(losses))])
    weights = tuple(round(float(w), _DIGITS) for w in np.array(shipped.weights) + delta[:-1])
    return shipped.model_copy(
        update={"weights": weights, "intercept": round(float(shipped.intercept + delta[-1]), _DIGITS)}
    )


def _held_out_loss(x: Array, labels: Flags, fold: NDArray[np.int64], shipped: StackedHead, strength: float) -> float:
    """Return the log loss over rows that each fit did not see, both labels counting the same."""
    loss = np.zeros(len(labels))
    for number in np.unique(fold):
        held = fold == number
        delta = _fit(x[~held], labels[~held], shipped, strength)
        loss[held] = _losses(_odds(x[held], shipped, delta), labels[held])
    return float((_balance(labels) * loss).sum())


def _fit(x: Array, labels: Flags, shipped: StackedHead, strength: float) -> Array:
    """Return the changes of the weights, and last that of the intercept."""
    from scipy.optimize import minimize  # noqa: PLC0415 - over half a second to import

    spread = np.append(np.where((sd := x.std(axis=0)) > 0, sd, 1.0), 1.0)
    scaled = np.column_stack([x, np.ones(len(x))]) / spread
    base, balance = _odds(x, shipped, np.zeros(len(spread))), _balance(labels)
    sign = np.where(labels, 1.0, -1.0)

    def loss(change: Array) -> tuple[float, Array]:
        odds = base + scaled @ change
        slope = -sign * balance / (1.0 + np.exp(np.clip(sign * odds, -40.0, 40.0)))
        value = float((balance * _losses(odds, labels)).sum() + strength * (change @ change))
        return value, scaled.T @ slope + 2.0 * strength * change

    found = minimize(loss, np.zeros(len(spread)), jac=True, method="L-BFGS-B")
    change: Array = found.x / spread
    return change


def _odds(x: Array, shipped: StackedHead, delta: Array) -> Array:
    odds: Array = x @ (np.array(shipped.weights) + delta[:-1]) + shipped.intercept + delta[-1]
    return odds


def _losses(odds: Array, labels: Flags) -> Array:
    losses: Array = np.logaddexp(0.0, np.where(labels, -odds, odds))
    return losses


def _balance(labels: Flags) -> Array:
    positives, negatives = max(1, int(labels.sum())), max(1, int((~labels).sum()))
    return np.where(labels, 0.5 / positives, 0.5 / negatives)
