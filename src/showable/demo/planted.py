"""Answers over the demo's documents with four faults planted among them, each beside a change of prompt, model or index.

What was planted stands in `PLANTED` by the id's first part, not in the records: a feed has to find it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import cycle, islice
from typing import Any

EACH = 12
"""Answers of each fault."""
PASSING = 72
PLANTED: Mapping[str, str] = {
    "case": "Invented but plausible case",
    "page": "Right document, wrong page",
    "padding": "Padding",
    "lapsed": "Lapsed amendment",
}
"""How the title of each fault's issue begins."""
_SENTENCE = re.compile(r"(?<=[.”])\s+(?=[A-Z“])")
_NUMBERED = re.compile(r"^\d+\.$|^(?:[A-Z]+, )?\d+ [A-Z][a-z]+ \d{4}\.$")
_FEWEST, _MOST = 50, 220
_CASES = ("Harrow Point Terminal v. Lindqvist Freight", "In re Castlemere Holdings", "Orbell Foundry v. Tessaly Mutual")
_REPORTERS = ("998 F.3d 1201 (9th Cir. 2021)", "871 F.3d 415 (2d Cir. 2017)", "412 F. Supp. 3d 77 (D. Mass. 2019)")
_PROCEDURE = (
    "The matter was then set down for a hearing before the full bench",
    "Both sides filed their written submissions on time",
    "Costs were reserved until the final order",
    "The registry listed the application for the following term",
    "Counsel appeared for each of the interested parties",
    "An extension of time was granted by consent",
)
_USUAL = {"service": "library-qa", "model": "m-1", "prompt_version": "p7", "index": "ix-1"}
_BESIDE: Mapping[str, Mapping[str, str]] = {
    "case": {"prompt_version": "p8"},
    "page": {"index": "ix-2"},
    "padding": {"model": "m-2"},
    "lapsed": {"index": "ix-2"},
}


def planted_records() -> Iterator[dict[str, Any]]:
    """Yield the answers as records, faults and passing ones mixed; the same ones every time."""
    passages = [
        json.loads(line)
        for line in (files("showable.demo") / "data" / "documents.jsonl").read_text("utf-8").splitlines()
    ]
    stands = [one for one in passages if one["metadata"].get("status") not in {"superseded", "retracted"}]
    lapsed = [one for one in passages if one["metadata"].get("status") == "superseded"]
    sentences = _sentences(stands)
    paged = [(one, text) for one, text in sentences if "page" in one]
    made: list[list[dict[str, Any]]] = [
        [_case(n, *one, passages) for n, one in enumerate(islice(sentences, 0, None, 7))][:EACH],
        [_page(n, *one, passages) for n, one in enumerate(islice(paged, 3, None, 6))][:EACH],
        [_padding(n, *one, passages) for n, one in enumerate(islice(sentences, 5, None, 7))][:EACH],
        [_record("lapsed", n, *one, passages, answer="{text} [1].") for n, one in enumerate(_sentences(lapsed))][:EACH],
        [_record("well", n, *one, passages, answer="{text} [1].") for n, one in enumerate(sentences)][:PASSING],
    ]
    rest = [iter(one) for one in made]
    for part in islice(cycle(rest), len(rest) * PASSING):
        if (record := next(part, None)) is not None:
            yield record


def _sentences(passages: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    return [
        (one, text.rstrip("."))
        for one in passages
        for text in _SENTENCE.split(one["text"])
        if _FEWEST <= len(text) <= _MOST and "\n" not in text and not _NUMBERED.match(text)
    ]


def _case(n: int, passage: dict[str, Any], text: str, passages: list[dict[str, Any]]) -> dict[str, Any]:
    cited = f"{_CASES[n % len(_CASES)]}, {_REPORTERS[n // len(_CASES) % len(_REPORTERS)]}"
    return _record("case", n, passage, text, passages, answer=f"{{text}}. {cited}.")


def _page(n: int, passage: dict[str, Any], text: str, passages: list[dict[str, Any]]) -> dict[str, Any]:
    return _record("page", n, passage, text, passages, answer=f"{{text}} [1, p. {int(passage['page']) + 5}].")


def _padding(n: int, passage: dict[str, Any], text: str, passages: list[dict[str, Any]]) -> dict[str, Any]:
    return _record(
        "padding", n, passage, text, passages, answer=f"{{text}} [1]. {_PROCEDURE[n % len(_PROCEDURE)]} [1]."
    )


def _record(
    kind: str, n: int, passage: dict[str, Any], text: str, passages: list[dict[str, Any]], *, answer: str
) -> dict[str, Any]:
    """Build a record; every fourth of a fault comes about as usual, every eighth passing one as the faults do."""
    at = passages.index(passage)
    others = [passages[(at + step) % len(passages)] for step in (3, 9)]
    beside = _BESIDE.get(kind) or (list(_BESIDE.values())[n // 8 % 4] if n % 8 == 0 else {})
    return {
        "id": f"{kind}-{n + 1:02}",
        "question": f"What does {passage['title']} say of this: {' '.join(text.split()[:6])}?",
        "retrieved": [passage, *others],
        "answer": answer.format(text=text),
        "metadata": {**_USUAL, **({} if n % 4 == 3 and kind in _BESIDE else beside)},  # noqa: PLR2004 - every fourth
    }
