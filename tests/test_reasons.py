"""Reasons are sentences for a reader: what the rubrics say where a judge or a log gives no words of its own."""

from __future__ import annotations

import pytest

from showable.evaluation import regrade_one
from showable.records import GENERAL, Evidence, PairVerdict, Record, Verdict

SOURCES = [
    {"source_id": "lease", "text": "The notice period is thirty days."},
    {"source_id": "rent", "text": "Rent falls due monthly."},
]


def grade(cited, verdicts, sources=SOURCES):
    answer = {"claims": [{"text": "The notice period is thirty days.", "citations": [{"source_id": s} for s in cited]}]}
    row = {"id": "r", "question": "What is the notice period?", "retrieved": sources, "answer": answer}
    pairs = tuple(
        PairVerdict(claim=0, sources=(source,), role="cited", verdict=Verdict(label=label, judge="hand"))
        for source, label in verdicts.items()
    )
    return regrade_one(Record.model_validate(row), Evidence(id="r", judge="hand", pairs=pairs), GENERAL)


# (labels of a judge that gives no reasons, what is said of the first citation). Hand-made.
LABELS = [
    ({"lease": "unsupported"}, "the passage does not say what the claim says"),
    ({"lease": "partial"}, "the passage says only part of the claim"),
    ({"lease": "contradicted"}, "the passage contradicts the claim"),
    ({"lease": "unknown"}, "the judge gave no verdict on the passage"),
    ({}, "no judge has read the cited passage"),
    ({"lease": "unsupported", "rent": "supported"}, "another citation supports the claim without this one"),
]


@pytest.mark.parametrize(("verdicts", "said"), LABELS)
def test_a_label_alone_is_put_into_words(verdicts, said):
    card = grade(list(verdicts) or ["lease"], verdicts)
    assert card.claims[0].citations[0].reason == said


# (the source's metadata, what is said of it). Hand-made; status words are those of the record's format.
STATUS = [
    ({"status": "superseded", "superseded_by": "2024 edition"}, "'lease' is superseded by 2024 edition"),
    ({"status": "current", "superseded_by": "2024 edition"}, "'lease' is superseded by 2024 edition"),
    ({"superseded_by": "2024 edition"}, "'lease' is superseded by 2024 edition"),
    ({"status": "repealed", "superseded_by": "Act 9"}, "'lease' is repealed, and superseded by Act 9"),
    ({"status": "Retracted"}, "'lease' is retracted"),
    ({"status": "superseded"}, "'lease' is superseded"),
]


@pytest.mark.parametrize(("metadata", "said"), STATUS)
def test_a_source_that_may_not_be_relied_on_is_said_once(metadata, said):
    sources = [SOURCES[0] | {"metadata": metadata}, SOURCES[1]]
    findings = grade(["lease"], {"lease": "supported"}, sources).findings
    assert [f.reason for f in findings if f.code == "resolvability.source_status"] == [said]


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        ([], "'ghost' is cited, but nothing was retrieved"),
        (SOURCES[:1], "'ghost' is not the one retrieved source"),
        (SOURCES, "'ghost' is not among the 2 retrieved sources"),
    ],
)
def test_an_invented_source_is_told_by_what_was_retrieved(sources, said):
    findings = grade(["ghost"], {}, sources).findings
    assert [f.reason for f in findings if f.code == "resolvability.not_retrieved"] == [said]
