"""Generator or retriever: told apart at the same semantic score, from what the log holds and from what was graded."""

from __future__ import annotations

import io
import json
from dataclasses import replace

from built_traces import LEASE, lease_trace, span
from rich.console import Console
from scored_traces import live
from tables import every_row

from showable.read.answer import read_answer
from showable.records.evidence import Evidence, PairVerdict, Verdict
from showable.records.profile import GENERAL
from showable.records.record import Gold, GoldEvidence, Source
from showable.report.trace_tree import render_trace
from showable.rubrics.grade import grade
from showable.rubrics.retrieval_log import LOG_DOUBT
from showable.serving.pages.answers import diagnosis_said
from showable.serving.pages.words import DIAGNOSES
from showable.stores.traces.score_rows import row_of, score_from
from showable.traces.diagnosis import diagnose
from showable.traces.evaluator_spans import evaluator_spans
from showable.traces.join import join

UNRELATED = {
    "menu-1": "The kitchen serves soup of the day from noon until three.",
    "menu-2": "Wine by the glass is listed on the board beside the bar.",
}
WRONG = "Ninety days are due [{}]."
NOTICE = "What notice in days must the tenant give to end the lease?"
GOLD = Gold(answer="30 days", answerable=True, evidence=(GoldEvidence(source_id="lease-4"),))


def traced(answer, passages, *, question=NOTICE, gold=None, verdicts=("unsupported",), doubt=""):
    """Join a trace and grade it; `verdicts` are those of each cited source, then of the others."""
    record = join(lease_trace(answer, question=question, passages=passages))[0].record
    record = record.model_copy(update={"gold": gold, "metadata": record.metadata | {LOG_DOUBT: doubt}})
    reading = read_answer(record, GENERAL)
    cited = [c.source_id for claim in reading.answer.claims for c in claim.citations]
    ids = [*cited, *(source.source_id for source in record.retrieved or () if source.source_id not in cited)]
    given = [*verdicts, *["unsupported"] * len(ids)]
    pairs = tuple(
        PairVerdict(
            claim=0,
            sources=(named,),
            role="cited" if named in cited else "other",
            verdict=Verdict(label=label, judge="t"),
        )
        for named, label in zip(ids, given, strict=False)
    )
    return record, grade(record, reading, Evidence(id=record.id, judge="t", pairs=pairs), GENERAL)


ROWS = [
    ("clean log, same score", traced(WRONG.format("lease-4"), LEASE), "generator"),
    ("degraded log, same score", traced(WRONG.format("menu-1"), UNRELATED), "retriever"),
    ("the log supports it, the citation does not", traced(WRONG.format("menu-1"), {**UNRELATED, **LEASE}, verdicts=("unsupported", "unsupported", "supported")), "generator"),
    ("the log contradicts it", traced(WRONG.format("menu-1"), {**UNRELATED, **LEASE}, verdicts=("unsupported", "unsupported", "contradicted")), "generator"),
    ("gold: its evidence was retrieved", traced(WRONG.format("lease-4"), LEASE, question="How long?", gold=GOLD), "generator"),
    ("gold: it was not", traced(WRONG.format("lease-7"), {"lease-7": LEASE["lease-7"]}, gold=GOLD), "retriever"),
    ("an invented id, good passages", traced(WRONG.format("lease-99"), LEASE), "generator"),
    ("an invented id, bad passages", traced(WRONG.format("lease-99"), UNRELATED), "both"),
    ("bad passages, of a log that came cut", traced(WRONG.format("menu-1"), UNRELATED, doubt="it came cut"), "unknown"),
    ("an unknown id, bad passages, of a log that came cut", traced(WRONG.format("lease-99"), UNRELATED, doubt="it came cut"), "unknown"),
    ("good passages, of a log that came cut", traced(WRONG.format("lease-4"), LEASE, doubt="it came cut"), "generator"),
    ("gold: it was not, in a log that came cut", traced(WRONG.format("lease-7"), {"lease-7": LEASE["lease-7"]}, gold=GOLD, doubt="it came cut"), "unknown"),
    ("nothing was retrieved", traced("Ninety days are due.", {}), "retriever"),
    ("it is not known what was", traced(WRONG.format("lease-4"), None), "unknown"),
    ("supported", traced("The notice is 30 days [lease-4].", LEASE, verdicts=("supported",)), "none"),
    ("not judged", traced("The notice is 30 days [lease-4].", LEASE, verdicts=("unknown",)), "unknown"),
    ("passages without text", traced(WRONG.format("lease-4"), dict.fromkeys(LEASE)), "unknown"),
    ("a question without words", traced(WRONG.format("menu-1"), UNRELATED, question="Why?"), "unknown"),
    ("it declines", traced("I could not find that in the documents.", UNRELATED), "none"),
    ("it declines though the evidence is there", traced("I could not find that in the documents.", LEASE, gold=GOLD), "generator"),
    ("it declines, the evidence was not retrieved", traced("I could not find that in the documents.", UNRELATED, gold=GOLD), "retriever"),
]  # fmt: skip


@every_row(("graded", "expected"), [row[1:] for row in ROWS])
def test_whose_problem_it_is(graded, expected):
    diagnosis, words = diagnose(*graded)
    assert diagnosis == expected, words
    assert words


def test_the_clean_and_the_degraded_log_have_the_same_score():
    clean, degraded = (graded[1] for _, graded, _ in ROWS[:2])
    for axis in ("bucket", "cause", "citation_exists", "citation_supports"):
        assert getattr(clean, axis) == getattr(degraded, axis)


def test_a_passage_without_text_may_hold_what_the_others_do_not():
    record, scorecard = traced(WRONG.format("menu-1"), UNRELATED)
    more = record.model_copy(update={"retrieved": (*record.retrieved, Source(source_id="x"))})
    assert diagnose(more, scorecard)[0] == "unknown"


def test_the_reason_is_kept_and_shown():
    score = live(
        text="The notice is 90 days [lease].",
        label="unsupported",
        diagnosis="generator",
        diagnosis_why="the log contradicts it \x1b[2J",
    )
    row = row_of(score)
    kept = score_from(row.id, row.record, row.scorecard, row.rest)
    assert kept.diagnosis_why == score.diagnosis_why
    older = json.loads(row.rest)
    del older["score"]["diagnosis_why"]
    assert score_from(row.id, row.record, row.scorecard, json.dumps(older)).diagnosis_why == ""
    told = [
        s.attributes["showable.diagnosis.why"]
        for s in evaluator_spans(kept)
        if "showable.diagnosis.why" in s.attributes
    ]
    assert told == [score.diagnosis_why]
    assert diagnosis_said(kept).startswith("The log contradicts it ")
    assert diagnosis_said(replace(kept, diagnosis_why="")) == DIAGNOSES["generator"]
    console = Console(file=io.StringIO(), width=120, color_system=None)
    render_trace([span("b7ad6b7169203331", "LLM", None, trace=score.answer.trace_id)], {}, [score], console=console)
    said = console.file.getvalue()
    assert "whose problem: generator (the log contradicts it" in said
    assert "\x1b" not in said
