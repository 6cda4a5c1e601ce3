"""Run folders made by hand, of the protocol's shape: a letter an answer, as in `gate_runs`, without any judge."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from gate_runs import BUCKET
from scorecards import FAIL, NOT_APPLICABLE, PASS, SIGNATURE, card

from showable.harness.questions.shape import PROTOCOL, counts_for
from showable.measure.summary import summarise
from showable.records import Evidence, Record
from showable.records.asking import AskFacts, PipelineFacts
from showable.records.evidence import Cost
from showable.stores.run_folder import RunFolder

PARTS = {part.category: part for part in PROTOCOL}
_CAUSE = {
    "o": "over_refusal",
    "r": "warranted",
    "j": "unjudged",
    "w": "contradicts_gold",
    "u": "no_evidence",
    "?": "undecided",
}


def facts(**fields):
    known = {"name": "chat:model-a", "model": "model-a", "questions": "small", "questions_fingerprint": "abc123"}
    return PipelineFacts(**{**known, "at": "2026-03-01T09:00:00Z", **fields})


def questions(n=13):
    """So many ids with their category, in the protocol's proportions."""
    for category, count in counts_for(n).items():
        for number in range(1, count + 1):
            yield f"{category}-{number}", category


def cards(letters, **fields):
    for (key, category), letter in zip(questions(len(letters)), letters, strict=True):
        bucket, expected = BUCKET[letter], PARTS[category].expected
        cited = bucket in {"correct", "wrong"}
        yield card(
            key,
            bucket,
            **{
                "cause": _CAUSE.get(letter),
                "category": category,
                "expected": expected,
                "answerable": expected != ("refused",),
                "citation_exists": PASS if cited else FAIL if bucket == "unsupported" else NOT_APPLICABLE,
                "citation_supports": PASS if bucket == "correct" else FAIL if bucket == "wrong" else NOT_APPLICABLE,
                "refusal_quality": 2 if bucket == "refused" else None,
                "extra_claim_count": int(bucket == "unsupported"),
                "question_hash": f"hash-of-{key}",
                **fields,
            },
        )


def make_run(path, letters, pipeline=None, *, signature=SIGNATURE, ask=None, finished=True, **fields):
    """Write a run folder; `ask` gives the AskFacts of each answer."""
    path, made = Path(path), list(cards(letters, **fields))
    asks = ask or (
        lambda number: AskFacts(seconds=0.1 * (number + 1), cost=Cost(calls=1, tokens_in=10, tokens_out=5, usd=0.001))
    )
    with RunFolder.open(path, signature, "small.jsonl", f"f-{path}") as folder:
        for number, one in enumerate(made):
            asked = {} if pipeline is None else {"ask": asks(number).model_dump(mode="json")}
            record = Record(
                id=one.id, question=f"What about {one.id}?", answer=f"Answer {one.bucket} [1].", metadata=asked
            )
            folder.append(record, Evidence(id=one.id, judge=signature.judge), one)
        summary = summarise(made, signature, run=str(path))
        folder.write_json("summary.json", summary.model_dump(mode="json"))
        folder.write_text("report.html", "<!DOCTYPE html><title>a run</title>")
        said = {} if pipeline is None else {"pipeline": pipeline.model_dump(mode="json")}
        folder.write_json(
            "run.json", folder.run | said | {"records": len(made), "scored": len(made), "finished": finished}
        )
    return path


def make_repeats(path, several, pipeline=None, **settings):
    path = Path(path)
    for number, letters in enumerate(several, 1):
        said = pipeline and pipeline.model_copy(update={"repeat": number, "repeats": len(several)})
        make_run(path / f"repeat-{number}", letters, said, **settings)
    return path


def letters_of(n, **by_category):
    """Letters of `n` questions, category by category: answerable="ccw" is cycled over its questions; others are careful."""
    careful = {"answerable": "c", "tempt_wrong": "c", "adversarial": "c"}
    given = {name: by_category.get(name, careful.get(name, "r")) for name in counts_for(n)}
    return "".join("".join(islice(_cycle(given[name]), count)) for name, count in counts_for(n).items())


def _cycle(letters):
    while True:
        yield from letters
