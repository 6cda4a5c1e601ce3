"""Agreement with people's labels, for the benchmarks: two-by-two tables with intervals, clustered by question."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
RESAMPLES = 2000


def rows_of(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of labelled data; leave, saying so, where it is missing."""
    path = DATA / f"{name}.jsonl.gz"
    if not path.exists():
        sys.exit(
            f"skipped: the labelled data {name} is not beside this checkout (looked for ../shared/data/{name}.jsonl.gz)"
        )
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def in_first_half(question_id: str) -> bool:
    """Cut questions into halves by a hash."""
    return hashlib.sha256(question_id.encode()).digest()[0] % 2 == 0


@dataclass(frozen=True)
class Agreement:
    """People's yes or no against the tool's, and the question that each answer belongs to."""

    people: np.ndarray
    tool: np.ndarray
    questions: np.ndarray

    @classmethod
    def of(cls, triples: Sequence[tuple[bool, bool, str]]) -> Agreement:
        """Make one from (people, tool, question)."""
        people, tool, questions = zip(*triples, strict=True)
        return cls(np.array(people), np.array(tool), np.array(questions))

    def table(self, picked: np.ndarray | None = None) -> np.ndarray:
        """Count people (rows: yes, no) against the tool (columns: yes, no)."""
        a = self.people if picked is None else self.people[picked]
        b = self.tool if picked is None else self.tool[picked]
        return np.array([[np.sum(a & b), np.sum(a & ~b)], [np.sum(~a & b), np.sum(~a & ~b)]], dtype=float)

    def interval(self, statistic: Callable[[np.ndarray], float]) -> tuple[float, float]:
        """Give the 95 % percentile bootstrap over questions, whose answers are not independent. Seeded."""
        rng = np.random.default_rng(0)
        members = [np.flatnonzero(self.questions == q) for q in np.unique(self.questions)]
        values = []
        for _ in range(RESAMPLES):
            drawn = self.table(np.concatenate([members[i] for i in rng.integers(len(members), size=len(members))]))
            if (drawn.sum(axis=1) > 0).all():
                values.append(statistic(drawn))
        low, high = np.quantile(values, [0.025, 0.975])
        return float(low), float(high)

    def show(self, statistic: Callable[[np.ndarray], float]) -> str:
        """Print a figure with its interval."""
        low, high = self.interval(statistic)
        return f"{statistic(self.table()):.3f} [{low:.3f}, {high:.3f}]"


def balanced_accuracy(table: np.ndarray) -> float:
    """Mean of the true positive and the true negative rate."""
    return float(np.mean(np.diag(table) / table.sum(axis=1)))


def kappa(table: np.ndarray) -> float:
    """Cohen's kappa."""
    n = table.sum()
    expected = float(table.sum(axis=0) @ table.sum(axis=1)) / n**2
    return float((np.trace(table) / n - expected) / (1 - expected))


def f1(table: np.ndarray) -> float:
    """F1 of the first label."""
    return float(2 * table[0, 0] / (2 * table[0, 0] + table[0, 1] + table[1, 0]))
