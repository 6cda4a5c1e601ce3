"""Fit the step from claims to an answer: one logistic function over the log odds of an answer's claims.

It is fitted on answers composed of one to twelve labelled pairs of one source (good where all are supported), and on the
whole answers of `written/answers` whose group is not held back. Pairs are those that the encoder's training held back, as
`mix.py` and `written.py` do: on others its odds are better than on any answer to come. LFQA chooses among the five variants,
and sets the band in which nothing is decided; what is printed of it is chosen on the other questions.

Run: python training/answer_head.py [--judge embedded] [--model FOLDER] [--most N] [--write]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit
from sklearn.metrics import roc_auc_score

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))
from labelled import rows_of
from labelled_answers import LabelledAnswer, Part, fold_of, is_held, make_judge, read_answers, sample
from mix import is_held as is_held_pair

from showable.gather import gather
from showable.read.answer import read_answer
from showable.records import Judge, Pair
from showable.records.profile import GENERAL
from showable.rubrics import answer_support
from showable.rubrics.answer_support import FEATURES
from showable.rubrics.grade import odds_of_claims
from showable.rubrics.semantic import log_odds

Array = NDArray[np.float64]

VARIANTS: dict[str, tuple[str, ...]] = {
    "least": ("least",),
    "least, count": ("least", "count"),
    "least, second, count": ("least", "second", "count"),
    "least, mean, count": ("least", "mean", "count"),
}
NATURAL = ("begin_wow.dev", "begin_wow.test", "foolmetwice.dev", "summedits_news.all", "summedits_scitldr.all")
"""Files of `entail/train` with sentences that people wrote or models gave as answers: no templates, no talk."""
PAIRS = 1000
"""Pairs of each source that are judged."""
LONGEST = 12
"""Claims of a composed answer at most."""
COMPOSED = 1500
"""Answers composed of each source."""
TWO_BAD = 0.25
"""Share of the bad composed answers with a second bad claim."""
OPEN = 0.03
"""Share of LFQA's answers that the band leaves undecided."""
PENALTY = 0.02
FOLDS = 10
SEED = 3


@dataclass(frozen=True)
class Answers:
    """Answers as the odds of their claims, their labels, and the groups they belong to."""

    name: str
    odds: list[list[float]]
    good: NDArray[np.bool_]
    groups: list[str]

    def features(self, names: Sequence[str]) -> Array:
        """Give the features of every answer."""
        return np.array([[FEATURES[name](odds) for name in names] for odds in self.odds])


async def read_whole(part: Part, judge: Judge, most: int | None) -> Answers:
    """Judge whole answers through the flow; those in which no claim has odds are left out."""
    kept: list[tuple[LabelledAnswer, list[float]]] = []
    for answer in sample(read_answers(part), most):
        reading = read_answer(answer.record, GENERAL)
        evidence = await gather(answer.record, reading, judge, GENERAL)
        odds = [value for value in odds_of_claims(answer.record, reading, evidence, GENERAL) if value is not None]
        if odds:
            kept.append((answer, odds))
    good = np.array([answer.good for answer, _ in kept])
    return Answers(part, [odds for _, odds in kept], good, [answer.group for answer, _ in kept])


async def read_pairs(name: str, judge: Judge) -> dict[bool, list[float]]:
    """Judge labelled pairs that the encoder was not trained on; give their odds by label."""
    rows = list(_written_pairs() if name == "written" else _natural_pairs())
    random.Random(SEED).shuffle(rows)
    rows = rows[:PAIRS]
    found: dict[bool, list[float]] = {True: [], False: []}
    for at in range(0, len(rows), 200):
        part = rows[at : at + 200]
        verdicts = await judge.verdicts([Pair(claim, passage) for claim, passage, _ in part])
        for (_, _, good), verdict in zip(part, verdicts, strict=True):
            if verdict.p is not None:
                found[good].append(
                    min(log_odds(verdict.p), 0.0) if verdict.label == "contradicted" else log_odds(verdict.p)
                )
    return found


def _written_pairs() -> Iterator[tuple[str, str, bool]]:
    for row in rows_of("written/claims"):
        if is_held(row["group"], 10):
            yield row["claim"], row["passage"], row["label"] == 1


def _natural_pairs() -> Iterator[tuple[str, str, bool]]:
    for name in NATURAL:
        for row in rows_of(f"entail/train/{name}"):
            if row["label"] in {0, 1} and is_held_pair(row):
                yield row["claim"], row["passage"], row["label"] == 1


def compose(name: str, pairs: Mapping[bool, Sequence[float]], rng: random.Random) -> Answers:
    """Compose answers of pairs: as many good as bad ones, of a bad one mostly one claim is bad."""
    odds, good = [], []
    for number in range(COMPOSED):
        length, fine = rng.randint(1, LONGEST), number % 2 == 0
        bad = 0 if fine else min(length, 1 + (rng.random() < TWO_BAD))
        odds.append([rng.choice(pairs[at >= bad]) for at in range(length)])
        good.append(fine)
    return Answers(name, odds, np.array(good), [f"{name}-{number}" for number in range(COMPOSED)])


def fit(sets: Sequence[Answers], names: Sequence[str]) -> Array:
    """Fit the weights; every set counts the same, and within it good and bad. Only the count may count against."""
    x, y = np.concatenate([one.features(names) for one in sets]), np.concatenate([one.good for one in sets])
    share = np.concatenate([np.where(one.good, 0.5 / one.good.sum(), 0.5 / (~one.good).sum()) for one in sets]) / len(
        sets
    )
    sign = np.where(y, 1.0, -1.0)

    def loss(b: Array) -> float:
        return float((share * np.logaddexp(0, -sign * (x @ b))).sum() + PENALTY * (b**2).sum())

    bounds = [(None, None) if name == "count" else (0.0, None) for name in names]
    return np.asarray(minimize(loss, np.zeros(len(names)), method="L-BFGS-B", bounds=bounds).x)


def band(z: Array) -> float:
    """Give half the width, in log odds, of the band in which nothing is decided: `OPEN` of the answers are in it."""
    return float(np.quantile(np.abs(z), OPEN))


@dataclass(frozen=True)
class Decided:
    """What a band makes of answers: balanced accuracy of what it decides, and the share that it leaves open."""

    accuracy: float
    open: float

    @classmethod
    def of(cls, z: Array, good: NDArray[np.bool_], half: Array | float) -> Decided:
        """Cut the log odds of answers."""
        yes, no = z > half, z < -half
        accuracy = (
            (yes & good).sum() / max(1, ((yes | no) & good).sum())
            + (no & ~good).sum() / max(1, ((yes | no) & ~good).sum())
        ) / 2
        return cls(float(accuracy), float((~yes & ~no).mean()))


def crossed(z: Array, answers: Answers) -> Decided:
    """Cut every answer by the band that the other questions choose."""
    folds = np.array([fold_of(group, FOLDS) for group in answers.groups])
    half = np.zeros(len(z))
    for fold in range(FOLDS):
        half[folds == fold] = band(z[folds != fold])
    return Decided.of(z, answers.good, half)


async def main() -> None:
    """Judge, fit every variant, choose on LFQA, print, and write the head where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judge", choices=("embedded", "lexical"), default="embedded")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--most", type=int, help="answers of LFQA that are judged at most")
    parser.add_argument("--write", action="store_true", help="write the head into the package")
    options = parser.parse_args()
    judge = make_judge(options.judge, options.model)
    rng = random.Random(SEED)
    sets = [compose(name, await read_pairs(name, judge), rng) for name in ("written", "natural")]
    sets.append(await read_whole("written_fit", judge, None))
    lfqa = await read_whole("lfqa", judge, options.most)
    found = {}
    for variant, names in VARIANTS.items():
        weights = fit(sets, names)
        z = lfqa.features(names) @ weights
        result = crossed(z, lfqa)
        found[variant] = (result.accuracy, weights, band(z))
        areas = "  ".join(
            f"{one.name} {roc_auc_score(one.good, one.features(names) @ weights) * 100:.1f}" for one in (*sets, lfqa)
        )
        print(
            f"{variant:28s} {dict(zip(names, weights.round(3).tolist(), strict=True))}\n"
            f"  AUC {areas}; lfqa, cut by the other questions: balanced accuracy {result.accuracy * 100:.1f}, open {result.open * 100:.1f} %"
        )
    chosen = max(found, key=lambda variant: found[variant][0])
    _, weights, half = found[chosen]
    print(
        f"chosen: {chosen}; nothing is decided from p {expit(-half):.3f} to {expit(half):.3f} ({len(lfqa.good)} of lfqa)"
    )
    if options.write:
        path = Path(answer_support.__file__).with_name(answer_support.HEADS)
        heads: dict[str, Any] = json.loads(path.read_text("utf-8"))
        heads[options.judge] = {
            "judge": judge.name,
            "weights": {name: round(float(weight), 4) for name, weight in zip(VARIANTS[chosen], weights, strict=True)},
            "uncertain": [round(float(expit(-half)), 4), round(float(expit(half)), 4)],
        }
        path.write_text(json.dumps(heads, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(main())
