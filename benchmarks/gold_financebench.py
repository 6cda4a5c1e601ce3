"""Gold agreement against people's labels on FinanceBench's model answers: Correct against Incorrect, refusals left out.

Half of the questions (by a hash of the question's id) are for development, the other half is only reported.
What words and numbers leave undecided is settled by the embedded lexical judge.

    python benchmarks/gold_financebench.py [--show N]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from probative.judges.lexical import LexicalJudge
from probative.read.answer import read_answer
from probative.records import Gold, Record, Thresholds
from probative.records.evidence import PairVerdict
from probative.rubrics.gold_agreement import GoldReading, compare_with_gold, gold_pairs, settle_with_verdicts

DATA = Path(__file__).resolve().parents[1] / "../shared/data/answers/financebench.jsonl.gz"
RESAMPLES = 2000


def load() -> list[dict[str, Any]]:
    """Read the answered rows, and say so where the data is missing."""
    if not DATA.exists():
        raise SystemExit(f"{DATA}: the labelled answers are not here")
    with gzip.open(DATA, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["raw_label"] != "Refusal"]


def half(row: dict[str, Any]) -> str:
    """Assign a question to one of the halves."""
    digest = hashlib.sha256(row["id"].split("|")[0].encode()).digest()
    return "dev" if digest[0] % 2 == 0 else "held"


def read(row: dict[str, Any], judge: LexicalJudge) -> tuple[GoldReading, bool]:
    """Compare one answer with gold; second, whether words and numbers had left it undecided."""
    question, gold, text = row["question"], Gold(answer=str(row["gold_answer"])), row["response"]
    answer = read_answer(Record(id=row["id"], question=question, answer=text)).answer
    claims = [claim.text for claim in answer.claims] if answer else []
    reading = compare_with_gold(question, gold, claims, text)
    if not reading.undecided:
        return reading, False
    asked = gold_pairs(question, gold, claims, text)
    verdicts = asyncio.run(judge.verdicts([pair for *_, pair in asked]))
    pairs = [
        PairVerdict(claim=claim, sources=(), role=role, verdict=verdict)
        for (role, claim, _), verdict in zip(asked, verdicts, strict=True)
    ]
    return settle_with_verdicts(reading, pairs, Thresholds()), True


def balanced_accuracy(table: np.ndarray) -> float:
    """Mean of the shares of Correct and of Incorrect that are recognised; `table` is people by tool."""
    return float(np.mean(np.diag(table) / table.sum(axis=1)))


def kappa(table: np.ndarray) -> float:
    """Cohen's kappa."""
    n = table.sum()
    expected = float(table.sum(axis=0) @ table.sum(axis=1)) / n**2
    return float((np.trace(table) / n - expected) / (1 - expected))


def interval(statistic: Any, people: np.ndarray, tool: np.ndarray, groups: np.ndarray) -> tuple[float, float]:
    """Percentile bootstrap over questions, whose answers are not independent of one another."""
    rng = np.random.default_rng(0)
    members = [np.flatnonzero(groups == g) for g in np.unique(groups)]
    values = []
    for _ in range(RESAMPLES):
        picked = np.concatenate([members[i] for i in rng.integers(len(members), size=len(members))])
        drawn = tabulate(people[picked], tool[picked])
        if (drawn.sum(axis=1) > 0).all():
            values.append(statistic(drawn))
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def tabulate(people: np.ndarray, tool: np.ndarray) -> np.ndarray:
    """Count people's label (rows: correct, incorrect) against the tool's (columns: agrees, not)."""
    return np.array(
        [[np.sum(people & tool), np.sum(people & ~tool)], [np.sum(~people & tool), np.sum(~people & ~tool)]]
    )


def report(name: str, rows: Sequence[dict[str, Any]], readings: Sequence[tuple[GoldReading, bool]]) -> None:
    """Print the confusion table, balanced accuracy and kappa with intervals, and what stayed unknown."""
    known = [i for i, (reading, _) in enumerate(readings) if reading.overall != "unknown"]
    people = np.array([rows[i]["raw_label"] == "Correct Answer" for i in known])
    tool = np.array([readings[i][0].overall == "agrees" for i in known])
    groups = np.array([rows[i]["id"].split("|")[0] for i in known])
    table = tabulate(people, tool)
    low, high = interval(balanced_accuracy, people, tool, groups)
    klow, khigh = interval(kappa, people, tool, groups)
    judged = sum(undecided for _, undecided in readings)
    print(
        f"{name}: n {len(rows)}, settled by the judge {judged}, unknown {len(rows) - len(known)}, questions {len(set(groups))}"
    )
    print(
        f"               agrees  disagrees/absent\n  Correct     {table[0][0]:7d} {table[0][1]:8d}\n  Incorrect   {table[1][0]:7d} {table[1][1]:8d}"
    )
    print(
        f"  balanced accuracy {balanced_accuracy(table):.3f} [{low:.3f}, {high:.3f}]   kappa {kappa(table):.3f} [{klow:.3f}, {khigh:.3f}]"
    )
    for how in sorted({reading.how for reading, _ in readings}):
        mine = [i for i in known if readings[i][0].how == how]
        right = sum((rows[i]["raw_label"] == "Correct Answer") == (readings[i][0].overall == "agrees") for i in mine)
        print(f"    by {how:9s} {right}/{len(mine)}")


def main() -> None:
    """Print the figures of both halves and of all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--show", type=int, default=0, help="print so many disagreements of the development half")
    options = parser.parse_args()
    rows = load()
    judge = LexicalJudge()
    readings = [read(row, judge) for row in rows]
    for name in ("dev", "held", "all"):
        picked = [i for i, row in enumerate(rows) if name in ("all", half(row))]
        report(name, [rows[i] for i in picked], [readings[i] for i in picked])
    shown = 0
    for row, (reading, _) in zip(rows, readings, strict=True):
        if (
            shown < options.show
            and half(row) == "dev"
            and (row["raw_label"] == "Correct Answer") != (reading.overall == "agrees")
        ):
            shown += 1
            print(f"\n--- people: {row['raw_label']}; tool: {reading.overall} by {reading.how}: {reading.reason}")
            print(f"Q: {row['question'][:250]}\nG: {str(row['gold_answer'])[:300]}\nA: {row['response'][:700]}")


if __name__ == "__main__":
    main()
