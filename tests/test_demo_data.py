"""The embedded demo data is well formed, complete, self-consistent and fictional. No scorer is run here."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from tables import every_row

import showable.demo
from showable.records import Record, Source
from showable.records.lines import read_lines

DATA = Path(showable.demo.__file__).parent / "data"

# source: the bucket table of the design, rows 0 to 13; what needs a registry or a corpus at hand is not here
CAUSES = {
    "unknown": {"empty_answer", "unparsed", "undecided"},
    "refused": {"warranted", "over_refusal", "unjudged"},
    "wrong": {"wrong_source", "contradicts_gold", "answers_another_question", "contradicts_source"},
    "unsupported": {
        "refused_then_answered",
        "answered_on_null_retrieval",
        "invented_source",
        "bad_quote",
        "wrong_page",
        "bad_source",
        "no_evidence",
        "miscited",
        "uncited",
        "no_answer",
    },
    "correct": {None, "partial", "incomplete"},
}
# source: the findings that each rubric of the design can make on a record without registries
FINDINGS = {
    "structural": "no_claims uncited_claim missing_source_id missing_quote malformed_marker duplicate_citation "
    "duplicate_source empty_answer truncated_json unparsed schema invisible_characters",
    "resolvability": "not_retrieved log_missing null_retrieval quote_not_found quote_normalised quote_approximate "
    "quote_in_other_source wrong_page source_status text_missing",
    "semantic": "not_entailed contradicted partial padding sources_conflict unjudged injection_suspected",
    "refusal": "mismatch harm flat",
}
CODES = {f"{rubric}.{name}" for rubric, names in FINDINGS.items() for name in names.split()}
DOMAINS = {"law", "medicine", "research", "news"}


def parsed(name, model):
    lines = list(read_lines(DATA / name, model))
    assert [str(line.problem) for line in lines if line.problem] == []
    return [line.value for line in lines]


DOCUMENTS = {source.source_id: source for source in parsed("documents.jsonl", Source)}
RECORDS = {record.id: record for record in parsed("records.jsonl", Record)}
EXPECTED = {
    row["id"]: row for row in map(json.loads, (DATA / "expected.jsonl").read_text(encoding="utf-8").splitlines())
}


def with_cause(cause):
    return [RECORDS[key] for key, row in EXPECTED.items() if row["cause"] == cause]


def retrieved_ids(record):
    return {source.source_id for source in record.retrieved or ()}


def test_every_line_is_there_once():
    assert (len(DOCUMENTS), len(RECORDS), len(EXPECTED)) == tuple(
        (DATA / f"{name}.jsonl").read_text(encoding="utf-8").count("\n")
        for name in ("documents", "records", "expected")
    )
    assert list(RECORDS) == list(EXPECTED)


def test_documents_are_short_and_whole():
    words = Counter()
    for source in DOCUMENTS.values():
        assert source.title
        assert source.url
        assert source.metadata["document"] == source.source_id.partition("#")[0]
        assert 60 <= len(source.text.split()) <= 160, source.source_id
        words[source.metadata["document"]] += len(source.text.split())
    assert len(words) == 26
    assert {name: count for name, count in words.items() if not 120 <= count <= 350} == {}


@every_row("record", RECORDS.values())
def test_record_is_consistent_with_the_documents(record):
    for source in record.retrieved or ():
        original = DOCUMENTS[source.source_id]
        withheld = source.source_id in record.metadata.get("texts_withheld", ())
        expected = original.model_copy(update={"score": source.score, "text": None if withheld else original.text})
        assert source == expected
    assert set(record.shown or ()) <= retrieved_ids(record)
    for evidence in record.gold.evidence:
        text = DOCUMENTS[evidence.source_id].text
        assert 0 <= evidence.start < evidence.end <= len(text)
        words = text[evidence.start : evidence.end]
        assert words == words.strip()


@every_row("row", EXPECTED.values())
def test_label_is_complete_and_its_cause_belongs_to_its_bucket(row):
    assert set(row) - {"refusal_quality"} == {"id", "bucket", "cause", "covers", "why"}
    assert row["cause"] in CAUSES[row["bucket"]]
    assert set(row["covers"]) <= CODES
    assert len(row["covers"]) == len(set(row["covers"]))
    assert row["why"].endswith(".")
    assert RECORDS[row["id"]].gold.bucket == (None if row["bucket"] == "unknown" else row["bucket"])
    assert ("refusal_quality" in row) == (row["bucket"] == "refused")


def test_every_cause_is_shown():
    shown = {(row["bucket"], row["cause"]) for row in EXPECTED.values()}
    assert shown == {(bucket, cause) for bucket, causes in CAUSES.items() for cause in causes}


def test_every_finding_is_shown():
    assert CODES - {code for row in EXPECTED.values() for code in row["covers"]} == set()


def test_every_refusal_quality_is_shown():
    assert {row["refusal_quality"] for row in EXPECTED.values() if "refusal_quality" in row} == {0, 1, 2, 3}


def test_every_question_category_is_shown():
    assert {record.gold.category for record in RECORDS.values()} >= {
        "answerable",
        "tempt_wrong",
        "tempt_unsupported",
        "refusal_due",
        "unanswerable",
        "adversarial",
        "null_retrieval",
    }


def test_buckets_and_domains_are_spread():
    buckets = Counter(row["bucket"] for row in EXPECTED.values())
    assert buckets == {"correct": 23, "wrong": 11, "unsupported": 20, "refused": 8, "unknown": 6}
    domains = Counter(record.metadata["domain"] for record in RECORDS.values())
    assert set(domains) == {source.metadata["domain"] for source in DOCUMENTS.values()} == DOMAINS
    assert all(13 <= count <= 19 for count in domains.values())
    for domain in DOMAINS:
        ids = [record.id for record in RECORDS.values() if record.metadata["domain"] == domain]
        assert {EXPECTED[key]["bucket"] for key in ids} >= {"correct", "wrong", "unsupported", "refused"}


def test_ids_do_not_give_the_label_away():
    assert all(re.fullmatch(r"(law|med|res|news)-\d\d", key) for key in RECORDS)


def test_passages_are_three_to_five_unless_the_log_is_the_point():
    for record in RECORDS.values():
        if record.retrieved:
            assert 3 <= len(record.retrieved) <= 5, record.id
    assert sum(record.retrieved is None for record in RECORDS.values()) == 1
    assert sum(record.retrieved == () for record in RECORDS.values()) == 3
    assert sum(record.shown is not None for record in RECORDS.values()) == 2


# source: the conditions of the rows of the bucket table that can be read off the record itself


def test_refusals_are_warranted_only_where_the_evidence_was_not_retrieved():
    for record in with_cause("warranted"):
        needed = {evidence.source_id for evidence in record.gold.evidence}
        assert record.gold.answerable is False or not needed & retrieved_ids(record), record.id
    for record in with_cause("over_refusal"):
        assert record.gold.answerable is True
        assert {evidence.source_id for evidence in record.gold.evidence} <= retrieved_ids(record), record.id
    for record in with_cause("unjudged"):
        assert (record.gold.answer, record.gold.answerable) == (None, None)


def test_answers_to_another_question_are_to_unanswerable_ones():
    assert all(record.gold.answerable is False for record in with_cause("answers_another_question"))


def test_bad_sources_are_one_superseded_and_one_retracted():
    cited = {record.id: record.retrieved[0].metadata["status"] for record in with_cause("bad_source")}
    assert sorted(cited.values()) == ["retracted", "superseded"]


def test_superseded_documents_name_one_that_is_here():
    documents = {source.metadata["document"] for source in DOCUMENTS.values()}
    superseded = [s.metadata for s in DOCUMENTS.values() if s.metadata.get("status") == "superseded"]
    assert superseded
    assert all(metadata["superseded_by"] in documents for metadata in superseded)


def test_uncited_and_null_answers_are_what_they_are_labelled():
    assert all(record.retrieved == () for record in with_cause("answered_on_null_retrieval"))
    assert all("[" not in record.answer for record in with_cause("uncited"))
    assert all(not record.answer for record in with_cause("empty_answer"))


def test_only_the_truncated_reply_is_broken_json():
    replies = {key: r.answer for key, r in RECORDS.items() if isinstance(r.answer, str) and r.answer.startswith("{")}
    broken = set()
    for key, reply in replies.items():
        try:
            json.loads(reply)
        except json.JSONDecodeError:
            broken.add(key)
    assert len(replies) == 4
    assert broken == {key for key, row in EXPECTED.items() if "structural.truncated_json" in row["covers"]}


def test_nothing_leads_to_a_real_place():
    text = "".join((DATA / name).read_text(encoding="utf-8") for name in ("documents.jsonl", "records.jsonl"))
    hosts = {urlsplit(url).hostname for url in re.findall(r"https?://[^\s)\"\\\]]+", text)}
    assert hosts
    assert {host for host in hosts if not re.search(r"(^|\.)example\.(org|com|net)$", host)} == set()
    assert {doi.split("/")[0] for doi in re.findall(r"\b10\.\d{4,9}/\S+", text)} == {"10.5555"}
    assert "@" not in text
