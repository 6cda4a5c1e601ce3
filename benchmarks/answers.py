"""Whole answers through the whole flow, beside people's labels: is everything in an answer supported by what it cites?

`lfqa`: answers of six systems to 100 questions, with the passages they had; every sentence cites all of them. The variant of the
answer head and its band were chosen on these answers: `training/answer_head.py` prints what they get from a band that other
questions set. `written_held`: answers of one to ten sentences written for this project, of the groups that are held back from
all fitting. Beside both the word baseline: an answer is as good as the least share of a sentence's words in what it cites, cut
where the other questions say.

What a model says of a pair is kept in a file beside the temporary ones: a second run is quick.

Run: python benchmarks/answers.py [lfqa] [written_held] [--judge embedded] [--model FOLDER] [--most N] [--rows]
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from labelled_answers import LabelledAnswer, Part, fold_of, make_judge, read_answers, sample

from showable.evaluation import evaluate_one, sign
from showable.records import Scorecard
from showable.records.profile import GENERAL
from showable.validation.entailment import word_coverage

Array = np.ndarray[Any, np.dtype[Any]]
FOLDS, RESAMPLES, SEED = 10, 2000, 3
ACCEPTABLE = {"correct", "refused"}


@dataclass(frozen=True)
class Said:
    """What a grader says of an answer: good, bad or undecided (None), and the sentence it finds worst."""

    good: bool | None
    worst: int | None
    shown: bool


def of_card(answer: LabelledAnswer, card: Scorecard) -> Said:
    """Read a scorecard."""
    good = None if card.bucket == "unknown" else card.bucket in ACCEPTABLE
    span = card.claims[card.support.least].span if card.support else None
    at = None if span is None else next((i for i, s in enumerate(answer.sentences) if s.start <= span[0] < s.end), None)
    return Said(good, at, card.release is not None and card.release.verdict == "show")


def by_coverage(answers: Sequence[LabelledAnswer]) -> list[Said]:
    """Grade by the least share of a sentence's words in what it cites, cut where the other groups say."""
    shares = []
    for answer in answers:
        texts = {source.source_id: source.text or "" for source in answer.record.retrieved or ()}
        shares.append(
            [
                word_coverage(s.text, "\n".join(texts.get(i, "") for i in s.cites)) if s.cites else 1.0
                for s in answer.sentences
            ]
        )
    least, good = np.array([min(share) for share in shares]), np.array([answer.good for answer in answers])
    folds = np.array([fold_of(answer.group, FOLDS) for answer in answers])
    cut = np.zeros(len(answers))
    for fold in range(FOLDS):
        cut[folds == fold] = best_cut(least[folds != fold], good[folds != fold])
    fine = least > cut
    return [Said(bool(one), int(np.argmin(share)), bool(one)) for one, share in zip(fine, shares, strict=True)]


def best_cut(scores: Array, good: Array) -> float:
    """Give the score above which calling an answer good is right most often, good and bad counting the same."""
    cuts = np.unique(scores)
    return float(max(cuts, key=lambda cut: np.mean(scores[good] > cut) + np.mean(scores[~good] <= cut)))


def print_figures(name: str, answers: Sequence[LabelledAnswer], said: Sequence[Said]) -> None:
    """Print a line: each figure with its n and a 95 % bootstrap interval over groups, in percent."""
    groups = np.array([answer.group for answer in answers])
    good = np.array([answer.good for answer in answers])
    decided = np.array([one.good is not None for one in said])
    fine = np.array([one.good is True for one in said])
    shown = np.array([one.shown for one in said])
    bad_at = [{i for i, s in enumerate(answer.sentences) if s.good is False} for answer in answers]
    named = np.array([one.worst in bad for one, bad in zip(said, bad_at, strict=True)])

    def accuracy(at: Array) -> float:
        yes, no = at[good[at] & decided[at]], at[~good[at] & decided[at]]
        return float((np.mean(fine[yes]) + np.mean(~fine[no])) / 2) if len(yes) and len(no) else float("nan")

    figures: dict[str, tuple[Callable[[Array], float], Array]] = {
        "balanced accuracy": (accuracy, decided),
        "unknown": (lambda at: float(np.mean(~decided[at])), np.ones(len(good), bool)),
        "bad sentence named": (lambda at: share(named, ~good, at), ~good),
        "good answers shown": (lambda at: share(shown, good, at), good),
        "bad answers shown": (lambda at: share(shown, ~good, at), ~good),
    }
    parts = []
    for title, (figure, of) in figures.items():
        low, high = interval(figure, groups)
        parts.append(
            f"{title} {figure(np.arange(len(good))) * 100:.1f} [{low * 100:.1f}, {high * 100:.1f}] (n {of.sum()})"
        )
    print(f"{name}\n  " + "\n  ".join(parts))


def share(of: Array, among: Array, at: Array) -> float:
    """Give the share of some among others, of the answers `at`."""
    some = at[among[at]]
    return float(np.mean(of[some])) if len(some) else float("nan")


def interval(figure: Callable[[Array], float], groups: Array) -> tuple[float, float]:
    """Bootstrap a figure over groups."""
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    rng = np.random.default_rng(SEED)
    drawn = [
        figure(np.concatenate([members[i] for i in rng.integers(len(members), size=len(members))]))
        for _ in range(RESAMPLES)
    ]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return float(low), float(high)


async def main() -> None:
    """Score, and print the figures of each part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=["lfqa", "written_held"], metavar="lfqa | written_held")
    parser.add_argument("--judge", choices=("embedded", "lexical"), default="embedded")
    parser.add_argument("--model", type=Path)
    parser.add_argument("--most", type=int, help="answers of a part at most")
    parser.add_argument("--rows", action="store_true", help="print a line for each answer, too")
    options = parser.parse_args()
    judge = make_judge(options.judge, options.model)
    print(sign(judge, GENERAL))
    for name in options.parts:
        part: Part = name
        answers = sample(read_answers(part), options.most)
        cards = [(await evaluate_one(answer.record, judge)).scorecard for answer in answers]
        if options.rows:
            for answer, card in zip(answers, cards, strict=True):
                p = "–" if card.support is None else f"{card.support.p:.3f}"
                print(
                    f"  {answer.record.id:20s} {'good' if answer.good else 'bad ':5s} {card.bucket:12s} {card.cause or '–':20s} p {p}"
                )
        print_figures(
            f"{name}, {len(answers)} answers", answers, [of_card(a, c) for a, c in zip(answers, cards, strict=True)]
        )
        print_figures(f"{name}, word coverage", answers, by_coverage(answers))


if __name__ == "__main__":
    asyncio.run(main())
