"""What holds of every corpus, whatever it was read from: places, evidence and labels that lead somewhere."""

import json
from pathlib import Path

import pytest

from showable.harness.corpora.open import open_corpus

SHARED = Path(__file__).parents[2] / "shared" / "data"
FILES = {
    "contractnli": SHARED / "qa" / "contractnli.jsonl.gz",
    "squad2": SHARED / "qa" / "squad2.jsonl.gz",
    "pubmedqa": SHARED / "qa" / "pubmedqa.jsonl.gz",
    "financebench": SHARED / "answers" / "financebench_evidence.jsonl.gz",
}
CUAD_TEXT = "SUPPLY AGREEMENT\n\nThe law of Westmark governs.\n\n" + "The parties keep records of every delivery. " * 90
REPORT = {"section_title": "Background", "paragraphs": ["The bridges are old. " * 60] * 4, "subsections": []}
SUBMISSION = (
    "<SEC-HEADER>\nACCESSION NUMBER:\t0000999999-30-000012\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>10-K\n<SEQUENCE>1\n"
    "<FILENAME>a.txt\n<TEXT>\n" + "The company binds books for libraries. " * 90 + "\n</TEXT>\n</DOCUMENT>\n"
)


def written(name, folder):
    """A small file in the published shape of the corpora whose data is not at hand."""
    spans = [
        {"text": CUAD_TEXT[18:46], "answer_start": 18},
        {"text": CUAD_TEXT[48:3000], "answer_start": 48},
    ]
    qas = [
        {"id": "T__Governing Law", "question": "", "answers": spans[:1]},
        {"id": "T__Insurance", "question": "", "answers": spans[1:]},
        {"id": "T__Non-Compete", "question": "", "answers": []},
    ]
    cuad = {
        "data": [{"title": "T_01_01_2030-EX-10-SUPPLY AGREEMENT", "paragraphs": [{"context": CUAD_TEXT, "qas": qas}]}]
    }
    files = {
        "cuad": ("CUADv1.json", json.dumps(cuad)),
        "govreport": ("GAO-1.json", json.dumps({"id": "GAO-1", "title": "Bridges", "report": [REPORT]})),
        "edgar": ("0000999999-30-000012.txt", SUBMISSION),
        "folder": ("a.md", "# Title\n\n" + "A sentence of a document. " * 200),
    }
    path = folder / files[name][0]
    path.write_text(files[name][1])
    return path


@pytest.fixture(scope="module", params=["embedded", *FILES, "cuad", "govreport", "edgar", "folder"])
def corpus(request, tmp_path_factory):
    name = request.param
    if name == "embedded":
        return open_corpus(name)
    if name in FILES and not FILES[name].exists():
        pytest.skip(f"{FILES[name]} is not here: it is kept beside the repository")
    path = FILES.get(name) or written(name, tmp_path_factory.mktemp("corpus"))
    return open_corpus(str(path) if name == "folder" else f"{name}:{path}")


def test_every_passage_has_text_and_a_place_after_the_one_before(corpus):
    assert corpus.sources
    for document, passages in corpus.by_document.items():
        ends = 0
        for source in passages:
            assert source.text.strip()
            assert source.metadata["document"] == document
            assert source.metadata["start"] >= ends
            ends = source.metadata["start"] + len(source.text)


def test_ids_are_told_apart(corpus):
    assert len(corpus.by_id) == len(corpus.sources)
    assert len({one.id for one in corpus.labelled}) == len(corpus.labelled)


def test_evidence_is_in_a_passage_of_its_document(corpus):
    for one in corpus.labelled:
        assert one.document in corpus.by_document
        for evidence in one.gold.evidence:
            source = corpus.by_id[evidence.source_id]
            if evidence.start is not None:
                assert 0 <= evidence.start < evidence.end <= len(source.text)
                assert source.text[evidence.start : evidence.end].strip()


def test_labels_say_what_their_kind_promises(corpus):
    for one in corpus.labelled:
        assert one.question.strip()
        if one.kind == "absent":
            assert one.gold.answerable is False
            assert not one.gold.answer
        else:
            assert one.gold.answerable
            assert one.gold.answer
            assert one.gold.evidence


def test_a_corpus_says_where_it_is_from_and_under_which_licence(corpus):
    assert corpus.name
    assert corpus.origin
    assert corpus.licence


def test_the_fingerprint_is_of_the_passages(corpus):
    other = corpus.model_copy(update={"sources": corpus.sources[1:]})
    assert type(corpus).model_validate(corpus.model_dump()).fingerprint == corpus.fingerprint
    assert type(corpus).model_validate(other.model_dump()).fingerprint != corpus.fingerprint
