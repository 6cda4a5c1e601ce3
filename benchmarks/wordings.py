"""Wordings that nobody had in mind when the rules were written: refusals, comparisons with gold, citations.

The rows of `wordings/` were written and labelled for this measurement by a writer who had read neither the rules nor their
tests; none was looked at, nor the outcome of one, when the rules were mended, but for the totals. Many are borderline on
purpose (of `gold`, those marked hard). They are no sample of anybody's traffic: they say how the rules do on English that
is new to them, and they are spent once somebody mends a rule for one of them.

    python benchmarks/wordings.py [--judge embedded] [--folder DIR]
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from statsmodels.stats.proportion import proportion_confint

import showable
from showable.read.answer import read_answer
from showable.records import Record, Scorecard

ROWS = Path(__file__).parent / "wordings"
USUAL = re.compile(
    r"\b(?:cannot|can['’]t|unable|not (?:provided|available|enough|mention\w*)|no information|sorry)\b", re.IGNORECASE
)
"""The baseline for refusals: one of the usual words, anywhere."""
BRACKETED = re.compile(r"\[(\d+)\]")
"""The baseline for citations: bracketed numbers, each in the statement that it stands in."""
SAID = {"agrees": "agree", "disagrees": "disagree", "absent": "disagree"}

Row = dict[str, Any]


def rows_of(folder: Path, name: str) -> list[Row]:
    """Read a set; blank lines are passed over."""
    lines = (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def show(right: Sequence[bool]) -> str:
    """Print a share with Wilson's interval: rows are about different cases, so none is taken for another's double."""
    if not right:
        return "none"
    low, high = proportion_confint(sum(right), len(right), method="wilson")
    return f"{sum(right)} of {len(right)}, {sum(right) / len(right):.1%} [{low:.1%}, {high:.1%}]"


def print_kinds(rows: Sequence[Row], right: Sequence[bool], baseline: tuple[str, Sequence[bool]]) -> None:
    """Print the share of right ones: all, plain and hard, and the baseline's."""
    print(f"  right              {show(right)}")
    for kind in ("plain", "hard"):
        if part := [one for row, one in zip(rows, right, strict=True) if row.get("kind") == kind]:
            print(f"  right, {kind:<11} {show(part)}")
    print(f"  baseline           {show(baseline[1])}: {baseline[0]}")


def print_table(labels: Sequence[str], said: Sequence[str], heads: Sequence[str]) -> None:
    """Print how often each label was read as what."""
    counts = Counter(zip(labels, said, strict=True))
    print(f"  {'written as':<12}" + "".join(f"{head:>14}" for head in heads))
    for label in dict.fromkeys(labels):
        print(f"  {label:<12}" + "".join(f"{counts[label, head]:>14}" for head in heads))


def refusal_of(row: Row) -> str:
    """Read a response: refusal, partial, harm, answer, or then_answered (it declines and answers all the same)."""
    reading = read_answer(Record(id=row["id"], question=row["question"], answer=row["response"])).refusal
    if reading.extent == "full":
        return "harm" if reading.basis == "policy" else "refusal"
    return {"partial": "partial", "refused_then_answered": "then_answered"}.get(reading.extent, "answer")


def print_refusals(folder: Path) -> None:
    """Refusal for want of evidence, partial, refusal of harm, or answer; and declined at all or not."""
    rows = rows_of(folder, "refusals")
    said, labels = [refusal_of(row) for row in rows], [row["label"] for row in rows]
    print(f"\nrefusals: {len(rows)} responses")
    print_table(labels, said, ("refusal", "partial", "harm", "answer", "then_answered"))
    usual = [bool(USUAL.search(row["response"])) == (row["label"] != "answer") for row in rows]
    right = [one == other for one, other in zip(labels, said, strict=True)]
    print_kinds(rows, right, ("one of the usual words, declined or not alone", usual))
    declined = [(one == "answer") == (other == "answer") for one, other in zip(labels, said, strict=True)]
    print(f"  declined or not    {show(declined)}")
    passed = [other == "refusal" for one, other in zip(labels, said, strict=True) if one == "answer"]
    print(f"  answers taken for a refusal: {show(passed)}")


def print_gold(folder: Path, judge: str) -> None:
    """Agreement with a gold answer; an `absent` one counts as not agreeing, `unknown` as neither right nor wrong."""
    rows = rows_of(folder, "gold")
    cards = showable.evaluate((gold_record(row) for row in rows), judge=judge)
    labels, said = [row["label"] for row in rows], [SAID.get(_agreement(card), "unknown") for card in cards]
    print(f"\ngold: {len(rows)} responses, judge {judge}")
    print_table(labels, said, ("agree", "disagree", "unknown"))
    kept = [place for place, one in enumerate(said) if one != "unknown"]
    right = [labels[place] == said[place] for place in kept]
    stands = [(rows[place]["label"] == "agree") == _stands(rows[place]) for place in range(len(rows))]
    print_kinds([rows[place] for place in kept], right, ("gold's characters stand in the response", stands))
    wrong = [one == "agree" for one, label in zip(said, labels, strict=True) if label == "disagree"]
    print(f"  wrong answers taken for right: {show(wrong)}")


def gold_record(row: Row) -> Record:
    """Return a record whose passage is the response itself, so that agreement with gold alone decides."""
    passage = {"source_id": "p1", "text": row["response"]}
    fields = {"retrieved": [passage], "gold": {"answer": row["gold"]}, "answer": f"{row['response']} [p1]"}
    return Record.model_validate({"id": row["id"], "question": row["question"], **fields})


def _agreement(card: Scorecard) -> str:
    return str(card.gold_agreement)


def _stands(row: Row) -> bool:
    return row["gold"].strip(" .").casefold() in row["response"].casefold()


def print_citations(folder: Path) -> None:
    """Every statement joined to exactly the sources it cites; what was lost, and what was invented."""
    rows = rows_of(folder, "citations")
    read = [Statements(row) for row in rows]
    print(f"\ncitations: {len(rows)} answers")
    for name, has in (("citing", True), ("citing nothing", False)):
        part = [one for one in read if bool(one.wanted) == has]
        exact, lost = show([one.exact for one in part]), sum(bool(one.lost) for one in part)
        print(f"  {name:<18} exact {exact}; lost in {lost}, invented in {sum(bool(one.invented) for one in part)}")
    print_kinds(rows, [one.exact for one in read], ("bracketed numbers", [one.baseline for one in read]))


class Statements:
    """The statements of an answer as they are written in the row, and what each was found to cite."""

    def __init__(self, row: Row) -> None:
        passages = row["passages"]
        if isinstance(passages, int):
            passages = [{"source_id": f"s-{n}", "text": "Remarks on the matter."} for n in range(1, passages + 1)]
        self.ids = [one["source_id"] for one in passages]
        self.row, self.spans = row, _spans(row)
        self.expected = [None if ids is None else {self._id(one) for one in ids} for _, ids in row["expected"]]
        self.wanted = {one for ids in self.expected for one in ids or ()}
        fields = {"id": row["id"], "question": "What do the documents say?", "retrieved": passages}
        self.card = card = showable.score({**fields, "answer": row["answer"]}, judge="lexical")
        found = [(claim.span or (0, len(row["answer"])), claim.citations) for claim in card.claims]
        self.found = [
            (self._place(span), {self._id(one.source_id or one.raw) for one in given}) for span, given in found
        ]
        loose = {self._id(one.source_id or one.raw) for one in card.loose}
        given = loose.union(*(ids for place, ids in self.found if self.expected[place] is not None))
        careless = any(ids is None for ids in self.expected)
        self.lost = {one for one in self.wanted if not any(_same(one, other) for other in given)}
        wild = {one for one in given if not any(_same(one, other) for other in self.wanted)}
        self.invented = set() if careless else wild

    def _id(self, one: object) -> str:
        if isinstance(one, int):
            return self.ids[one - 1] if 1 <= one <= len(self.ids) else str(one)
        return str(one)

    def _place(self, span: tuple[int, int]) -> int:
        return max(
            range(len(self.spans)), key=lambda n: min(span[1], self.spans[n][1]) - max(span[0], self.spans[n][0])
        )

    def _agrees(self, per_statement: Callable[[int], set[str]]) -> bool:
        counted = [(n, ids) for n, ids in enumerate(self.expected) if ids is not None]
        return all(_alike(ids, per_statement(n)) for n, ids in counted)

    @property
    def exact(self) -> bool:
        """Say whether every statement cites what it should, and nothing is lost or invented."""
        cited: dict[int, set[str]] = {}
        for place, ids in self.found:
            cited.setdefault(place, set()).update(ids)
        return not self.invented and self._agrees(lambda n: cited.get(n, set()))

    @property
    def baseline(self) -> bool:
        """Say the same of bracketed numbers alone."""
        answer = self.row["answer"]
        return self._agrees(lambda n: {self._id(int(one)) for one in BRACKETED.findall(answer, *self.spans[n])})


def _spans(row: Row) -> list[tuple[int, int]]:
    """Give where each statement stands: up to the next one's first words."""
    starts, at = [], 0
    for words, _ in row["expected"]:
        at = row["answer"].index(words, at)
        starts.append(at)
        at += 1
    return list(pairwise([*starts, len(row["answer"])]))


def _alike(ones: set[str], others: set[str]) -> bool:
    return all(any(_same(one, other) for other in others) for one in ones) and all(
        any(_same(one, other) for one in ones) for other in others
    )


def _same(one: str, other: str) -> bool:
    """Compare as written, or, for longer references, by letters and digits where one may hold the other."""
    if one == other:
        return True
    plain, also = (re.sub(r"[^0-9a-z]", "", text.casefold()) for text in (one, other))
    return min(len(plain), len(also)) >= 4 and (plain in also or also in plain)


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--judge", default="embedded", help="judge of the comparison with gold")
    options.add_argument("--folder", type=Path, default=ROWS, help="other rows of the same form")
    chosen = options.parse_args()
    print("Wilson's 95 % intervals")
    print_refusals(chosen.folder)
    print_gold(chosen.folder, chosen.judge)
    print_citations(chosen.folder)


if __name__ == "__main__":
    main()
