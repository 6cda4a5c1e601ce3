"""Measure whether citations are judged on what they point at: `python benchmarks/pointing.py [lexical|embedded …]`.

The cases are `tests/data/pointing.json`: every source contains every claim, half of the citations point elsewhere in it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from showable.evaluation import evaluate_one
from showable.judges.choose import choose
from showable.records.findings import Outcome
from showable.records.record import Answer, Citation, Claim, Record, Source

CASES = Path(__file__).parent.parent / "tests" / "data" / "pointing.json"


def records() -> list[tuple[Record, bool, str]]:
    """Build one record a case, with whether its citation supports the claim and what the case is about."""
    data: dict[str, Any] = json.loads(CASES.read_text("utf-8"))
    built = []
    for number, (key, claim, at, points, about) in enumerate(data["cases"]):
        held = data["sources"][key]
        passages = [{"text": held}] if isinstance(held, str) else held
        by_page = not isinstance(held, str)
        citation = Citation(source_id=key, page=at if by_page else None, quoted_span=None if by_page else at)
        record = Record(
            id=f"{key}-{number}",
            question="What do the documents say?",
            answer=Answer(claims=(Claim(text=claim, citations=(citation,)),)),
            retrieved=[Source(source_id=key, **passage) for passage in passages],
        )
        built.append((record, points, about))
    return built


async def _measure(name: str) -> None:
    judge = choose(name)
    right = {True: [0, 0], False: [0, 0]}
    for record, points, about in records():
        card = (await evaluate_one(record, judge)).scorecard
        said = card.claims[0].citations[0].supports
        right[points][0] += (said is Outcome.PASS) == points
        right[points][1] += 1
        if (said is Outcome.PASS) != points:
            claim = card.claims[0].text
            print(f"  {'missed' if points else 'passed'}: {record.id} {claim!r} ({about}): {card.bucket} {card.cause}")
    tpr, tnr = (found / n for found, n in (right[True], right[False]))
    print(f"{name}: balanced accuracy {(tpr + tnr) / 2:.3f}, supporting {right[True]}, elsewhere {right[False]}")


if __name__ == "__main__":
    for chosen in sys.argv[1:] or ["lexical", "embedded"]:
        asyncio.run(_measure(chosen))
