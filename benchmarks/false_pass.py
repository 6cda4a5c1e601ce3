"""How many unsupported statements pass where they stand in some visible place of a good answer, and how many good answers fail.

A row of the first kind is a good answer or refusal with one statement that no passage supports, put into a heading, a table, a
caption, brackets, a question, a lead-in and so on. It passes where the bucket is acceptable (correct, refused). A row of the second kind is
a good answer or a good refusal of some shape; it is flagged where the bucket is not acceptable. Beside the hidden statements, as a
control, the same places hold a supported sentence instead: a place that flags these is caught for the wrong reason.

Rows were written before the code that they measure, with no model's help in choosing them: every shape of `cases/false_pass_shapes.toml`
for TOPICS topics of `cases/false_pass_topics.toml`. A third of the rows, by a hash of their name, is held back: it is counted, and
its items are never printed. The baseline flags every answer that has a sentence without a citation.

    python benchmarks/false_pass.py [--judge JUDGE] [--places] [--items]
"""

from __future__ import annotations

import argparse
import hashlib
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from showable import evaluate
from showable.measure.rates import percent, wilson_interval

CASES = Path(__file__).with_name("cases")
TOPICS = 6
"""Topics that each shape is filled in from; which of them goes round with the shapes."""
_ACCEPTABLE = frozenset({"correct", "refused"})
_CITED = re.compile(r"\[[\w^-]+\]")


@dataclass(frozen=True)
class Row:
    """An answer of one kind (hidden, control, good) in one shape, and the record it makes."""

    kind: str
    shape: str
    name: str
    record: Mapping[str, Any]

    @property
    def held_back(self) -> bool:
        """Whether the row is one of the third that nobody looks at; a control goes with its hidden statement."""
        name = self.name.replace("control", "hidden", 1)
        return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 3 == 0


def rows() -> Iterator[Row]:
    """Yield every row, those of hidden statements with their control where the shape takes any sentence."""
    shapes = tomllib.loads((CASES / "false_pass_shapes.toml").read_text("utf-8"))
    topics = tomllib.loads((CASES / "false_pass_topics.toml").read_text("utf-8"))["topic"]
    for kind, of_kind in shapes.items():
        for number, (shape, wordings) in enumerate(of_kind.items()):
            for at in range(TOPICS):
                topic = topics[(number + at) % len(topics)]
                wording = wordings[at % len(wordings)]
                statement = topic["hidden"][(number + at) % len(topic["hidden"])]
                name = f"{shape} {topic['name']} {at}"
                yield _row(kind, name, topic, wording, statement)
                if kind == "hidden" and ("{s}" in wording or "{l}" in wording) and "{f3}" not in wording:
                    yield _row("control", name, topic, wording, topic["facts"][2][0])


def _row(kind: str, place: str, topic: Mapping[str, Any], wording: str, statement: str) -> Row:
    filled = {**topic, "s": statement, "l": _small(statement)}
    for number, (fact, source) in enumerate(topic["facts"], 1):
        cited = f"{fact} [{source}]"
        passage = topic["passages"][source].split(". ")[0].rstrip(".") + "."
        filled |= {f"f{number}": cited, f"g{number}": _small(cited), f"p{number}": fact, f"l{number}": _small(fact)}
        filled |= {f"c{number}": source, f"q{number}": passage}
    answer = _answer(wording.format(**filled), topic)
    name = f"{kind} {place}"
    declines = "{about}" in wording and "{f1}" not in wording
    record = {
        "id": name,
        "question": topic["unanswered" if declines else "question"],
        "retrieved": [{"source_id": key, "text": text} for key, text in topic["passages"].items()],
        "answer": answer,
    }
    return Row(kind, place.rsplit(maxsplit=2)[0], name, record)


def _small(words: str) -> str:
    return words[0].lower() + words[1:]


def _answer(text: str, topic: Mapping[str, Any]) -> str | dict[str, Any]:
    """Return the text, or the structured answer that it is the text of."""
    form, _, spoken = text.partition(" ")
    if form == "refusal":
        return {"text": spoken, "claims": [], "refusal": "no_evidence"}
    if form != "json":
        return text
    passages = topic["passages"]
    claims = [
        {"text": fact, "citations": [{"source_id": key, "quoted_span": passages[key].split(". ")[0].rstrip(".")}]}
        for fact, key in topic["facts"][:2]
    ]
    return {"text": spoken, "claims": claims, "refusal": "none"}


def _cited_throughout(row: Row) -> bool:
    """Return what the baseline says: whether every sentence has a citation of its own."""
    answer = row.record["answer"]
    text = answer if isinstance(answer, str) else str(answer["text"])
    return all(_CITED.search(one) for one in re.split(r"(?<=[.!?])\s+|\n+", text) if any(map(str.isalnum, one)))


def rate(passed: Sequence[bool]) -> str:
    """Return a share with its counts and its 95 % Wilson interval."""
    if not passed:
        return "–"
    low, high = wilson_interval(sum(passed) / len(passed), len(passed))
    share = percent(sum(passed) / len(passed))
    return f"{sum(passed)}/{len(passed)} = {share} % ({percent(low)}–{percent(high)})"


def table(found: Iterable[tuple[Row, bool]]) -> None:
    """Print how many hidden statements pass, how many good answers are flagged, and the controls."""
    found = list(found)
    print("| | all | looked at | held back | baseline, all |\n|---|---|---|---|---|")
    for kind, said, wanted in (
        ("hidden", "hidden statements that pass", True),
        ("good", "good answers and refusals flagged", False),
        ("control", "controls (a supported sentence in the same place) flagged", False),
    ):
        own = [(row, ok) for row, ok in found if row.kind == kind]
        cells = [
            rate([ok is wanted for row, ok in own if held is None or row.held_back is held])
            for held in (None, False, True)
        ]
        print(f"| {said} | {' | '.join(cells)} | {rate([_cited_throughout(row) is wanted for row, _ in own])} |")


def places(found: Iterable[tuple[Row, bool]]) -> None:
    """Print the shares by shape, most that go wrong first."""
    by_shape: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for row, ok in found:
        by_shape[row.kind, row.shape].append(ok)
    print("\n| place | hidden statements that pass | control flagged |\n|---|---|---|")
    order = sorted((key for key in by_shape if key[0] == "hidden"), key=lambda key: -sum(by_shape[key]))
    for key in order:
        control = [not ok for ok in by_shape["control", key[1]]]
        print(f"| {key[1]} | {rate(by_shape[key])} | {rate(control)} |")
    print("\n| shape | good ones flagged |\n|---|---|")
    for key in sorted((key for key in by_shape if key[0] == "good"), key=lambda key: sum(by_shape[key])):
        print(f"| {key[1]} | {rate([not ok for ok in by_shape[key]])} |")


def main() -> None:
    """Score all rows with a judge, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--judge", help="the judge; the embedded one where absent")
    parser.add_argument("--places", action="store_true", help="also print the shares by place and shape")
    parser.add_argument("--items", action="store_true", help="also print what goes wrong, but for what is held back")
    chosen = parser.parse_args()
    every = list(rows())
    cards = list(evaluate([row.record for row in every], judge=chosen.judge))
    found = [(row, card.bucket in _ACCEPTABLE) for row, card in zip(every, cards, strict=True)]
    print(f"Judge: {chosen.judge or 'embedded'}; {len(every)} answers.\n")
    table(found)
    if chosen.places:
        places(found)
    if chosen.items:
        print()
        for (row, ok), card in zip(found, cards, strict=True):
            if not row.held_back and ok == (row.kind == "hidden"):
                claims = [claim.text for claim in card.claims]
                print(f"{row.name}: {card.bucket} {card.cause or ''}\n    {row.record['answer']!r}\n    {claims}")


if __name__ == "__main__":
    main()
