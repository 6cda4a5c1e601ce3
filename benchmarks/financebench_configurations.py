"""FinanceBench's 16 configurations (model and mode of retrieval) as recorded runs: the acceptable share of each, by the tool and by people.

People call an answer acceptable that is labelled Correct Answer or Refusal. The answers carry no citations, so that the
bucket is not the comparison. The tool calls one acceptable where `gold_agreement` is `agrees`, or where it declines:

- *declines* is `refusal` full or refused_then_answered: the answer declines the question, also where it then goes on;
- *declines, in part too* is also `refusal` partial where `gold_agreement` is `absent`: it declines a part, and what it gives is not
  what gold asks for, though nothing in it disagrees with gold.

`gold_agreement` unknown is not acceptable. The second reading was added after the first was seen.

    python benchmarks/financebench_configurations.py [--out DIR] [--disagreements N]

Scored anew in about four minutes; with --out into one run folder a configuration, for `showable compare DIR/*`, which a second
call takes up.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from financebench import DECLINED, DECLINES, Row, gold_stands_in, make_records
from scipy.stats import kendalltau

from showable.cli.scoring import Plan, Tally, score_into_folder
from showable.judges.choose import choose
from showable.records import GENERAL, Record, Scorecard
from showable.records.asking import PIPELINE, PipelineFacts
from showable.records.record_file import check_record_file
from showable.stores.run_folder import SCORES, read_run_lines

Array = np.ndarray[Any, Any]
RESAMPLES = 2_000
WITHIN = 5.0
"""Points by which the tool's share may be off."""


class Quiet:
    """Shows nothing while a run goes."""

    def show(self, tally: Tally) -> None:
        """Pass over it."""


Scored = dict[str, list[tuple[Row, Scorecard]]]


def by_configuration() -> dict[str, list[tuple[Row, Record]]]:
    """Group the answers; within a configuration the id of a record is that of its question."""
    groups: dict[str, list[tuple[Row, Record]]] = {}
    for row, record in make_records():
        question, _, name = row["id"].partition("|")
        groups.setdefault(name, []).append((row, record.model_copy(update={"id": question})))
    return dict(sorted(groups.items()))


def score(groups: dict[str, list[tuple[Row, Record]]], out: Path) -> Scored:
    """Score every configuration into a run folder of its own, as a run of a recorded pipeline."""
    scored: Scored = {}
    judge = choose(None)
    for name, pairs in groups.items():
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "answers.jsonl"
        file.write_text("".join(record.model_dump_json() + "\n" for _, record in pairs), encoding="utf-8")
        facts = {PIPELINE: facts_of(name, pairs).model_dump(mode="json")}
        score_into_folder(Plan(check_record_file(file, name), folder, judge, GENERAL, facts=facts), Quiet())
        cards = {card.id: card for card in read_run_lines(folder / SCORES, Scorecard)}
        scored[name] = [(row, cards[record.id]) for row, record in pairs]
        print(f"  scored {name}", flush=True)
    return scored


def facts_of(name: str, pairs: list[tuple[Row, Record]]) -> PipelineFacts:
    """Say which pipeline answered: the model as it is named in the data, the mode of retrieval as the prompt."""
    row = pairs[0][0]
    asked = "\0".join(sorted(f"{record.id}\0{record.question}" for _, record in pairs))
    return PipelineFacts(
        name=f"recorded:{name}",
        label=name,
        model=row["model"],
        prompt=row["eval_mode"],
        questions="financebench",
        questions_fingerprint=hashlib.sha256(asked.encode()).hexdigest()[:16],
    )


def people(row: Row) -> bool:
    """Tell whether people call the answer acceptable."""
    return bool(row["refusal"] or row["correct"])


def declines(card: Scorecard) -> bool:
    """Tell whether the tool calls it acceptable, by the first reading."""
    return card.gold_agreement == "agrees" or card.refusal in DECLINED


def declines_in_part(card: Scorecard) -> bool:
    """Tell whether the tool calls it acceptable, by the second reading."""
    return declines(card) or (card.refusal == "partial" and card.gold_agreement == "absent")


def baseline(row: Row) -> bool:
    """One of the usual words of refusing, or the gold answer's characters stand in the answer."""
    return bool(DECLINES.search(row["response"])) or gold_stands_in(row)


def marks(scored: Scored, questions: list[str], said: Callable[[Row, Scorecard], bool]) -> Array:
    """Lay out yes and no: a row a configuration, a column a question."""
    return np.array(
        [
            [float(found[q]) for q in questions]
            for pairs in scored.values()
            for found in [{card.id: said(row, card) for row, card in pairs}]
        ]
    )


def draws(n: int) -> Array:
    """Draw questions with replacement: what is drawn is drawn for every configuration. Seeded."""
    return np.random.default_rng(0).integers(n, size=(RESAMPLES, n))


def tau(one: Array, other: Array) -> float:
    """Give Kendall's tau-b of the order by two kinds of shares; NaN where one kind does not vary."""
    return float(kendalltau(one.mean(axis=1), other.mean(axis=1), variant="b").statistic)


def describe_tau(truth: Array, said: Array) -> str:
    """Print tau-b with its interval: bootstrap over questions."""
    drawn = [tau(truth[:, picked], said[:, picked]) for picked in draws(truth.shape[1])]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return f"{tau(truth, said):.3f} [{low:.3f}, {high:.3f}]"


def table(names: list[str], truth: Array, said: dict[str, Array]) -> Iterator[str]:
    """Lay out the shares in percent, and the differences to people's in points with paired intervals."""
    yield "| configuration | n | people |" + "".join(f" {name} | difference |" for name in said)
    yield "|---|---|---|" + "---|---|" * len(said)
    picked = draws(truth.shape[1])
    for i, name in enumerate(names):
        cells = []
        for found in said.values():
            off = 100 * (found[i] - truth[i])
            low, high = np.quantile(off[picked].mean(axis=1), [0.025, 0.975])
            cells.append(f" {100 * found[i].mean():.1f} | {off.mean():+.1f} [{low:+.1f}, {high:+.1f}] |")
        yield f"| {name} | {truth.shape[1]} | {100 * truth[i].mean():.1f} |" + "".join(cells)


def summary(truth: Array, said: dict[str, Array]) -> Iterator[str]:
    """Say how far off each reading is, and how well it orders."""
    for name, found in said.items():
        off = np.abs(100 * (found.mean(axis=1) - truth.mean(axis=1)))
        near = int((off <= WITHIN).sum())
        same = 100 * (found == truth).mean()
        yield (
            f"{name}: {near} of {len(off)} within {WITHIN:g} points, mean {off.mean():.1f}, worst {off.max():.1f}; "
            f"same on {same:.1f} % of the answers; tau-b {describe_tau(truth, found)}"
        )


def show_disagreements(scored: Scored, count: int) -> None:
    """Print answers on which people and the second reading part."""
    for name, pairs in scored.items():
        for row, card in pairs:
            if count and people(row) != declines_in_part(card):
                count -= 1
                told = f"refusal {card.refusal}, gold_agreement {card.gold_agreement}"
                print(f"\n--- {name}: {row['raw_label']}; {told}\nQ {row['question']}\nG {row['gold_answer']}")
                print(f"A {row['response'][:1500]}")


@contextmanager
def folder_of(out: Path | None) -> Iterator[Path]:
    """Give the folder asked for, or one that goes away."""
    if out is not None:
        yield out
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made)


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--out", type=Path, help="keep the run folders here")
    options.add_argument("--disagreements", type=int, default=0, help="print this many")
    chosen = options.parse_args()
    groups = by_configuration()
    with folder_of(chosen.out) as out:
        scored = score(groups, out)
    questions = sorted(record.id for _, record in next(iter(groups.values())))
    truth = marks(scored, questions, lambda row, _: people(row))
    said = {
        "declines, in part too": marks(scored, questions, lambda _, card: declines_in_part(card)),
        "declines": marks(scored, questions, lambda _, card: declines(card)),
        "baseline": marks(scored, questions, lambda row, _: baseline(row)),
    }
    print(f"\nacceptable answers of {len(scored)} configurations to {len(questions)} questions, percent;")
    print("difference to people in points, 95 % intervals: bootstrap over questions\n")
    print("\n".join(table(list(scored), truth, said)))
    print("", *summary(truth, said), sep="\n")
    show_disagreements(scored, chosen.disagreements)


if __name__ == "__main__":
    main()
