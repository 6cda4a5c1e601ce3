"""The named scores on planted answers: does each find what it is named for, and nothing that only looks like it?

The cases of `cases/named_scores.jsonl` were written before the code that they measure: thirty small worlds, each with answers
that have what a score counts (`yes`) and answers that do not (`no`), half of which look as if they had (`no_alike`). Printed are, per
score and judge, precision and recall with Wilson's intervals, the share of the alike ones that are told apart, and how many
are unknown, which count against recall. A half of the worlds, drawn by a hash of their name, is *held*: the code was not mended on it.
The baseline of precision is one half, that of always saying yes. Of `factual_accuracy` and `answer_refusal`, which pass, `yes` is a pass.
Beside them stands how many whole answers of `../shared/data/written` the two scores that look for a fault find it in: those that are
labelled good are false alarms, those labelled bad have some fault, of whatever kind.

    python benchmarks/named_scores.py [--judge embedded …] [--held] [--errors N]
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from labelled import DATA

import showable
from showable.measure.measures import MEASURES
from showable.measure.rates import wilson_interval
from showable.records import Gold, Record, Scorecard, Source

CASES = Path(__file__).with_name("cases") / "named_scores.jsonl"
SCORES = ("cherry_picking", "sycophantic_restatement", "factual_accuracy", "answer_refusal")
_COUNTS = {measure.name: measure.count for measure in MEASURES}


class Case(NamedTuple):
    """An answer, the score that it was planted for, and whether it has what that counts."""

    record: Record
    score: str
    kind: str
    held: bool


def cases() -> Iterator[Case]:
    """Yield the planted answers."""
    for line in CASES.read_text(encoding="utf-8").splitlines():
        world = json.loads(line)
        held = hashlib.sha256(world["id"].encode()).digest()[0] % 2 == 0
        for score in SCORES:
            for number, (kind, question, answer, gold) in enumerate(_planted(score, world[score])):
                sources = tuple(Source(source_id=f"s{n}", text=text) for n, text in enumerate(world["passages"], 1))
                name = f"{world['id']}-{score}-{number}"
                record = Record(id=name, question=question, retrieved=sources, answer=answer, gold=gold)
                yield Case(record, score, kind, held)


def _planted(score: str, planted: dict[str, Any]) -> Iterator[tuple[str, str, str, Gold | None]]:
    """Yield kind, question, answer and gold."""
    if score == "answer_refusal":
        where = Gold.model_validate({"answer": planted["gold"], "answerable": True, "evidence": [{"source_id": "s1"}]})
        nowhere = Gold(answerable=False)
        yield "yes", planted["answerable"], planted["yes_answers"], where
        yield "yes", planted["unanswerable"], planted["yes_refuses"], nowhere
        yield "no_alike", planted["answerable"], planted["no_refuses"], where
        yield "no", planted["unanswerable"], planted["no_answers"], nowhere
        return
    gold = Gold(answer=planted["gold"]) if "gold" in planted else None
    for kind in ("yes", "no", "no_alike"):
        for item in planted[kind]:
            question, answer = (planted["question"], item) if isinstance(item, str) else item
            yield kind, question, answer, gold


def outcome_of(score: str, card: Scorecard) -> str:
    """Return what a score says of one answer: yes, no, unknown or n/a; of several claims the worst."""
    counts = _COUNTS[score](card)
    if score == "factual_accuracy" and counts.failed:
        return "no"
    if counts.passed and not (score == "factual_accuracy" and counts.unknown):
        return "yes"
    return "no" if counts.failed else "unknown" if counts.unknown else "n/a"


def report(score: str, scored: list[tuple[Case, str]], cards: dict[str, Scorecard], errors: int) -> None:
    """Print the line of a score."""
    right = [(case, said) for case, said in scored if case.kind == "yes"]
    found = sum(said == "yes" for _, said in right)
    wrong = [(case, said) for case, said in scored if case.kind != "yes" and said == "yes"]
    alike = [said for case, said in scored if case.kind == "no_alike"]
    unknown = sum(said == "unknown" for _, said in scored)
    print(
        f"  {score:25s} n {len(right)}+{len(scored) - len(right)}  precision {_share(found, found + len(wrong))}  recall {_share(found, len(right))}"
        f"  alike told apart {_share(sum(said != 'yes' for said in alike), len(alike))}  unknown {unknown}"
    )
    for case, said in scored:
        if errors and (case.kind == "yes") != (said == "yes"):
            errors -= 1
            card = cards[case.record.id]
            print(
                f"      {case.record.id} {case.kind}, said {said} ({card.bucket} {card.cause or ''}): {case.record.question} {case.record.answer}"
            )
            print(f"        {'; '.join(f'{f.code}: {f.reason}' for f in card.findings)[:300]}")


def written(held: bool) -> list[tuple[Record, bool]]:  # noqa: FBT001 - which part
    """Return whole answers with their labels: the fifth of their groups that is held, or the rest."""
    path = DATA / "written" / "answers.jsonl.gz"
    if not path.exists():
        print(f"skipped: whole answers, {path.name} is not beside this checkout")
        return []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    fields = ("id", "question", "retrieved", "answer")
    return [
        (Record.model_validate({field: row[field] for field in fields}), bool(row["label"]))
        for row in rows
        if (hashlib.sha256(row["group"].encode()).digest()[0] % 5 == 0) == held
    ]


def report_written(judge: str, answers: list[tuple[Record, bool]]) -> None:
    """Print how many good and how many bad answers each of the two scores finds a fault in."""
    cards = list(showable.evaluate([record for record, _ in answers], judge=judge))
    for score in SCORES[:2]:
        said = [(good, outcome_of(score, card) == "yes") for (_, good), card in zip(answers, cards, strict=True)]
        shares = [[found for good, found in said if good == wanted] for wanted in (True, False)]
        good, bad = (_share(sum(found), len(found)) for found in shares)
        print(
            f"  {score:25s} whole answers {len(shares[0])}+{len(shares[1])}: found in good ones {good}, in bad ones {bad}"
        )


def _share(count: int, of: int) -> str:
    if not of:
        return "  –"
    low, high = wilson_interval(count / of, of)
    return f"{count / of:.2f} [{low:.2f}, {high:.2f}]"


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--judge", nargs="*", default=["embedded", "lexical"])
    options.add_argument("--held", action="store_true", help="the held half alone, else the other")
    options.add_argument("--errors", type=int, default=0, help="print this many of each score")
    chosen = options.parse_args()
    planted = [case for case in cases() if case.held == chosen.held]
    for judge in chosen.judge:
        result = list(showable.evaluate([case.record for case in planted], judge=judge))
        cards = {card.id: card for card in result}
        print(f"{judge}, {'held' if chosen.held else 'mended'} half")
        for score in SCORES:
            told = [(case, outcome_of(score, cards[case.record.id])) for case in planted if case.score == score]
            report(score, told, cards, chosen.errors)
        if answers := written(chosen.held):
            report_written(judge, answers)


if __name__ == "__main__":
    main()
