"""The embedded question set is well formed, exact and fictional. No pipeline is run here."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tables import every_row

import showable.demo
import showable.harness.embedded
from showable.harness.corpora.open import open_corpus
from showable.harness.questions.check import check_set
from showable.harness.questions.duplicates import near_duplicates
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.question_set import QuestionSet
from showable.harness.questions.shape import PROTOCOL
from showable.records.lines import read_lines
from showable.records.record import Question, Source
from showable.search.bm25 import Bm25

HERE = Path(showable.harness.embedded.__file__).parent
DEMO = Path(showable.demo.__file__).parent / "data"
DOMAINS = {"law": "law", "med": "medicine", "res": "research", "news": "news"}
TYPOGRAPHIC = set("’‘“”−°£²×⁹«»")


def lines(path: Path, model):
    found = list(read_lines(path, model))
    assert [line.problem for line in found if line.problem] == []
    return [line.value for line in found]


QUESTIONS = lines(HERE / "questions.jsonl", Question)
NEW, OLD = lines(HERE / "documents.jsonl", Source), lines(DEMO / "documents.jsonl", Source)
PASSAGES = {source.source_id: source for source in [*OLD, *NEW]}
each = pytest.mark.parametrize("question", QUESTIONS, ids=[question.id for question in QUESTIONS])


def evidence_texts(question: Question) -> list[str]:
    return [PASSAGES[e.source_id].text[e.start : e.end] for e in question.gold.evidence]


# ── the documents


def test_ids_are_unique_over_the_whole_corpus():
    assert len(PASSAGES) == len(OLD) + len(NEW)


@every_row("source", NEW)
def test_a_passage_is_like_those_of_the_demo(source):
    document, _, number = source.source_id.partition("#")
    assert source.metadata["document"] == document
    assert number.isdigit()
    assert source.metadata["domain"] in DOMAINS.values()
    assert source.title
    assert 60 <= len(source.text.split()) <= 160
    assert urlsplit(source.url).hostname.endswith(("example.org", "example.com", "example.net"))
    assert source.doi is None or source.doi.startswith("10.5555/")
    if successor := source.metadata.get("superseded_by"):
        assert source.metadata["status"] == "superseded"
        assert f"{successor}#1" in PASSAGES


def test_the_passages_of_a_document_are_numbered_from_one_and_stand_together():
    seen: dict[str, int] = {}
    previous = None
    for source in NEW:
        document, number = source.source_id.split("#")
        assert document not in seen or document == previous
        seen[document] = seen.get(document, 0) + 1
        assert int(number) == seen[document]
        previous = document


def test_only_plain_and_typographic_characters_are_used():
    told = (HERE / "questions.jsonl").read_text("utf-8") + (HERE / "documents.jsonl").read_text("utf-8")
    assert {char for char in told if ord(char) > 126} <= TYPOGRAPHIC


# ── the shape of the set


def test_the_set_has_the_protocols_proportions():
    counted = Counter(question.gold.category for question in QUESTIONS)
    assert counted == {part.category: part.of_130 for part in PROTOCOL}
    refusals = Counter(q.metadata["refusal"] for q in QUESTIONS if q.gold.category == "refusal_due")
    assert refusals == {"out_of_scope": 10, "ambiguous": 10}


def test_fields_are_balanced_and_no_document_is_leaned_on():
    fields = Counter(question.metadata["domain"] for question in QUESTIONS)
    assert set(fields) == set(DOMAINS.values())
    assert max(fields.values()) - min(fields.values()) <= 2
    for part in PROTOCOL:
        shares = Counter(q.metadata["domain"] for q in QUESTIONS if q.gold.category == part.category)
        assert len(shares) == 4
        assert max(shares.values()) - min(shares.values()) <= 1
    documents = Counter(q.metadata["document"] for q in QUESTIONS if "document" in q.metadata)
    assert max(documents.values()) <= 5
    assert len(documents) >= 45


@each
def test_a_question_is_whole(question):
    field, category, number = re.fullmatch(r"(\w+?)-(\w+)-(\d\d)", question.id).groups()
    gold, part = question.gold, next(part for part in PROTOCOL if part.category == question.gold.category)
    assert gold.category == category
    assert int(number) >= 1
    assert question.metadata["domain"] == DOMAINS[field]
    assert question.force_null == (category == "null_retrieval")
    assert gold.expected == (part.expected if gold.answerable else ("refused",))
    assert gold.why
    assert question.question.rstrip()[-1] in "?."
    assert all(source in PASSAGES for source in question.metadata.get("near_miss", []))
    if "document" in question.metadata:
        assert f"{question.metadata['document']}#1" in PASSAGES


@each
def test_what_can_be_answered_has_answer_and_evidence_and_nothing_else_has(question):
    gold = question.gold
    assert bool(gold.answer) == bool(gold.answerable)
    assert bool(gold.evidence) == (gold.answerable or question.force_null)
    assert gold.answer or not gold.aliases
    if question.gold.category in {"tempt_unsupported", "refusal_due", "unanswerable", "null_retrieval"}:
        assert gold.answerable is False
    if question.gold.category == "answerable":
        assert gold.answerable is True


# ── the evidence


@each
def test_evidence_is_exact_and_holds_what_the_answer_turns_on(question):
    wanted = question.gold.answer or question.metadata.get("answer_in_corpus")
    texts = evidence_texts(question)
    assert all(text and text == text.strip() for text in texts)
    assert all(PASSAGES[e.source_id].text.count(t) == 1 for e, t in zip(question.gold.evidence, texts, strict=True))
    if not wanted:
        return
    told = " ".join(texts).casefold()
    figures = re.findall(r"\d[\d,.:]*\d|\d", wanted)
    assert all(figure in told for figure in figures), (figures, told)
    words = [word for word in re.findall(r"[a-z]{3,}", wanted.casefold()) if word not in {"the", "yes", "and", "for"}]
    titles = " ".join(PASSAGES[e.source_id].title for e in question.gold.evidence).casefold()
    assert figures or not words or any(word in told + titles for word in words)


@each
def test_no_evidence_stands_in_a_document_that_is_no_longer_to_be_relied_on(question):
    for evidence in question.gold.evidence:
        assert PASSAGES[evidence.source_id].metadata.get("status") not in {"superseded", "retracted"}


@every_row("question", [q for q in QUESTIONS if "absent" in q.metadata])
def test_what_is_said_to_be_absent_is_absent(question):
    """Every term, in one of its forms, would have to stand in one passage (or its title) for the answer to be there."""
    document = question.metadata.get("absent_from")
    for source in PASSAGES.values():
        if document is None or source.metadata["document"] == document:
            told = f"{source.title}\n{source.text}".casefold()
            held = [any(form.casefold() in told for form in term.split("|")) for term in question.metadata["absent"]]
            assert not all(held), source.source_id


def test_every_absent_answer_says_what_is_absent():
    claimed = [q for q in QUESTIONS if q.gold.category in {"tempt_unsupported", "unanswerable"}]
    assert all(question.metadata.get("absent") for question in claimed)


def test_the_search_brings_the_near_miss_of_each_tempting_question_and_its_evidence():
    search = Bm25(list(PASSAGES.values()))
    for question in (q for q in QUESTIONS if q.gold.category == "tempt_wrong"):
        found = {source.source_id for source in search.search(question.question, 5)}
        assert question.metadata["near_miss"]
        assert found & set(question.metadata["near_miss"])
        assert {evidence.source_id for evidence in question.gold.evidence} <= found


# ── no leakage, no duplicates, and the project's own check


def test_no_question_is_one_of_the_demos():
    asked = [json.loads(line)["question"] for line in (DEMO / "records.jsonl").read_text("utf-8").splitlines()]
    alike = [(q.id, other) for q in QUESTIONS for other in asked if near_duplicates(q.question, other)]
    assert alike == []


def test_the_check_for_anyones_set_finds_nothing():
    corpus = open_corpus("embedded")
    assert set(corpus.by_id) == set(PASSAGES)
    found = check_set(QuestionSet(name="embedded", questions=tuple(QUESTIONS), corpus=corpus.sources), Ground(corpus))
    assert found.problems == ()
    assert {one.what for one in found.unchecked} <= {"answer in the evidence", "aliases", "refusal due"}
