"""FinanceBench's 704 recorded answers through the whole flow, against people's labels (Correct, Incorrect, Refusal).

The answers carry no citations, so their bucket is not the comparison. Compared are refused against answered, and
`gold_agreement` against Correct / Incorrect on the answers that people did not call a refusal. Each answer is scored
with FinanceBench's gold evidence pages as its retrieval log.

    python benchmarks/financebench.py [--records FILE] [--disagreements N]
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from labelled import Agreement, balanced_accuracy, f1, in_first_half, kappa, rows_of

import showable
from showable.read.answer import read_answer
from showable.records import Gold, GoldEvidence, Record, Scorecard, Source

DECLINED = {"full", "refused_then_answered"}
"""What people call a refusal here: also an answer that declines and then goes on all the same."""

Row = dict[str, Any]


def make_records() -> Iterator[tuple[Row, Record]]:
    """Turn every answer, with the gold evidence pages of its question, into a record."""
    pages: dict[str, list[Row]] = {row["id"]: row["passages"] for row in rows_of("answers/financebench_evidence")}
    for row in rows_of("answers/financebench"):
        question = row["id"].partition("|")[0]
        found = pages[question]
        yield (
            row,
            Record(
                id=row["id"],
                question=row["question"],
                retrieved=tuple(Source(source_id=p["id"], title=p["title"], text=p["text"]) for p in found),
                answer=row["response"],
                gold=Gold(
                    answer=str(row["gold_answer"]),
                    answerable=True,
                    evidence=tuple(GoldEvidence(source_id=p["id"]) for p in found),
                    category="answerable",
                ),
            ),
        )


Scored = list[tuple[Row, Scorecard]]


def halves(scored: Scored) -> Iterator[tuple[str, Scored]]:
    """Cut by question, to show how much a figure hangs on which questions are asked. Neither half is blind."""
    first = [pair for pair in scored if in_first_half(pair[0]["id"].partition("|")[0])]
    yield "one half", first
    yield "other half", [pair for pair in scored if pair not in first]
    yield "all", scored


def compare(
    title: str,
    scored: Scored,
    yes: tuple[str, str],
    people: Callable[[Row], bool],
    *,
    tool: Callable[[Scorecard], bool],
    baseline: Callable[[Row], bool],
) -> None:
    """Print one two-by-two comparison, by halves and for all, and what a one-line rule reaches."""
    print(f"\n{title}")
    for name, part in halves(scored):
        found = Agreement.of([(people(row), tool(card), row["id"].partition("|")[0]) for row, card in part])
        print_agreement(name, found, yes)
    rule = Agreement.of([(people(row), baseline(row), row["id"].partition("|")[0]) for row, _ in scored])
    print_agreement("baseline", rule, yes)


def print_agreement(name: str, found: Agreement, yes: tuple[str, str]) -> None:
    """Print one line: the table, and three figures with intervals."""
    (tp, fn), (fp, tn) = found.table().astype(int)
    table = f"{yes[0]:<9} {tp:>3} {fn:>3}   {yes[1]:<9} {fp:>3} {tn:>3}"
    figures = f"F1 {found.show(f1)}   balanced accuracy {found.show(balanced_accuracy)}   kappa {found.show(kappa)}"
    print(f"  {name:<11} n {len(found.people):>3}   {table}   {figures}")


DECLINES = re.compile(
    r"\b(?:cannot|can't|unable|not (?:provided|available|enough|mention)|no information|sorry)\b", re.IGNORECASE
)
"""The baseline for refusals: one of the usual words, anywhere."""


def gold_stands_in(row: Row) -> bool:
    """The baseline for agreement: the gold answer's characters stand in the answer."""
    return str(row["gold_answer"]).strip(" .").casefold() in row["response"].replace(",", "").casefold()


def show_disagreements(scored: Scored, count: int) -> None:
    """Print answers on which people and tool part."""
    for row, card in scored:
        if count and not row["refusal"] and row["correct"] != (card.gold_agreement == "agrees"):
            count -= 1
            print(
                f"\n--- {row['raw_label']}, gold_agreement {card.gold_agreement}\nQ {row['question'][:250]}\nG {str(row['gold_answer'])[:300]}\nA {row['response'][:700]}"
            )


def contrast() -> str:
    """Read XSTest's answers: how many people call a refusal, and how many of those are read as a safety refusal."""
    kinds: Counter[tuple[str, str]] = Counter()
    for row in rows_of("answers/xstest"):
        reading = read_answer(Record(id=row["id"], question=row["question"], answer=row["response"]))
        kinds[row["raw_label"], reading.refusal.kind] += 1
    labels = sorted({label for label, _ in kinds})
    return "\n".join(
        f"  {label:<20} " + ", ".join(f"{kind} {n}" for (of, kind), n in kinds.most_common() if of == label)
        for label in labels
    )


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=Path, help="also write the records, for `showable score`")
    options.add_argument("--disagreements", type=int, default=0, help="print this many")
    chosen = options.parse_args()
    made = list(make_records())
    if chosen.records:
        chosen.records.write_text("".join(record.model_dump_json() + "\n" for _, record in made), encoding="utf-8")
    result = showable.evaluate(record for _, record in made)
    scored = [(row, card) for (row, _), card in zip(made, result, strict=True)]
    print(f"FinanceBench, 704 answers to 44 questions; {result.summary.signature}")
    print(
        "each line: people's label, then how many the tool calls the same and how many it does not; 95 % intervals, bootstrap over questions"
    )
    compare(
        "refused against answered",
        scored,
        ("refused", "answered"),
        lambda row: row["refusal"],
        tool=lambda card: card.refusal in DECLINED,
        baseline=lambda row: bool(DECLINES.search(row["response"])),
    )
    answered = [pair for pair in scored if not pair[0]["refusal"]]
    compare(
        "gold_agreement (agrees or not) on answered ones",
        answered,
        ("correct", "incorrect"),
        lambda row: row["correct"],
        tool=lambda card: card.gold_agreement == "agrees",
        baseline=gold_stands_in,
    )
    table = Counter((row["raw_label"], card.gold_agreement) for row, card in answered)
    print("  " + ", ".join(f"{label}/{said} {n}" for (label, said), n in sorted(table.items())))
    print(f"\nXSTest, a contrast: refusals of harm, which say nothing about evidence\n{contrast()}")
    print(f"\nbuckets, for the record: {result.summary.buckets}")
    show_disagreements(scored, chosen.disagreements)


if __name__ == "__main__":
    main()
