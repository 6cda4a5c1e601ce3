"""Examples for a rubric from a run: the claims of its kind on which the judge was the least certain, still to be labelled."""

from __future__ import annotations

from pathlib import Path

from showable.profiles.load import read_profile_json
from showable.read.answer import read_answer
from showable.reader.read import replayed
from showable.records.evidence import Evidence
from showable.records.rubric_file import RubricExample
from showable.rubrics.retrieval_log import RetrievalLog
from showable.stores.run_folder import EVIDENCE, PROFILE, need_finished_run
from showable.stores.run_reading import joined

MOST = 30
_EVEN = 0.5


def examples_of_run(run: Path, kind: str | None) -> tuple[RubricExample, ...]:
    """Return up to 30 pairs of a claim of this kind (None: of any) and a passage it cites, the least certain first, unlabelled.

    Raises InputError where the folder holds no finished run.
    """
    need_finished_run(run)
    profile = read_profile_json(run / PROFILE)
    found: dict[tuple[str, str], float] = {}
    for record, evidence in joined(run, EVIDENCE, Evidence):
        answer = read_answer(record, profile, replayed(evidence.read)).answer
        texts = RetrievalLog(record).texts
        for pair in evidence.pairs if answer else ():
            claim = answer.claims[pair.claim] if answer and pair.claim < len(answer.claims) else None
            if claim is None or pair.role != "cited" or (kind is not None and claim.kind != kind):
                continue
            text = texts.get(pair.sources[0], "")
            passage = "\n".join(text[start:end] for start, end in pair.spans) if pair.spans else text
            if passage.strip() and claim.text.strip():
                p = pair.verdict.p if pair.verdict.p is not None else _EVEN
                found.setdefault((claim.text, passage), abs(p - _EVEN))
    ranked = sorted(found, key=lambda one: (found[one], one))
    return tuple(RubricExample(claim=claim, passage=passage) for claim, passage in ranked[:MOST])
