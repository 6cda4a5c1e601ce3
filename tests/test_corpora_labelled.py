"""ContractNLI, SQuAD 2.0 and PubMedQA, in the format each is published in and as rows. Every text here is written for these tests."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from showable.errors import InputError
from showable.harness.corpora.contract_hypotheses import HYPOTHESES, hypothesis_key
from showable.harness.corpora.contract_names import agreement_named, is_between, kind_of, written_small
from showable.harness.corpora.contract_parties import parties_of
from showable.harness.corpora.contractnli import read_contractnli
from showable.harness.corpora.pubmedqa import read_pubmedqa
from showable.harness.corpora.squad2 import read_squad2

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "qa"

CLAUSE = "The recipient may show the plans to its employees."
NO_COPIES = "No copy of the plans may be made."
OPENING = "NON-DISCLOSURE AGREEMENT\nThis agreement is made on 3 May 2011 between Alder Freight, Inc. and Quillby Mills LLC.\n"
TEXT = OPENING + CLAUSE + "\n" + NO_COPIES


def contract(text=TEXT, number=1, **annotations):
    starts = [text.index(part) for part in (CLAUSE, NO_COPIES)]
    spans = [[starts[0], starts[0] + len(CLAUSE)], [starts[1], starts[1] + len(NO_COPIES)]]
    given = annotations or {
        "nda-5": {"choice": "Entailment", "spans": [0]},
        "nda-17": {"choice": "Contradiction", "spans": [1]},
        "nda-11": {"choice": "NotMentioned", "spans": []},
    }
    return {
        "id": number,
        "file_name": f"{number}.pdf",
        "text": text,
        "spans": spans,
        "annotation_sets": [{"annotations": given}],
        "document_type": "search-pdf",
        "url": "https://example.org/1.pdf",
    }


LABELS = {
    key: {"short_description": key, "hypothesis": said}
    for key, said in (
        ("nda-5", "Sharing with employees"),
        ("nda-17", "Permissible copy"),
        ("nda-11", "No reverse engineering"),
    )
}


def written(path, value):
    path.write_text(json.dumps(value), "utf-8")
    return path


def said(corpus, label):
    return [corpus.by_id[piece.source_id].text[piece.start : piece.end] for piece in label.gold.evidence]


# --- ContractNLI: the format is that of contract-nli.zip, as its README describes it


def test_a_contract_is_read_as_published(tmp_path):
    corpus = read_contractnli(written(tmp_path / "dev.json", {"documents": [contract()], "labels": LABELS}))
    by_kind = {label.kind: label for label in corpus.labelled}
    assert set(by_kind) == {"answered", "contradicted", "absent"}
    assert by_kind["answered"].gold.answer == "Yes"
    assert said(corpus, by_kind["answered"]) == [CLAUSE]
    assert by_kind["contradicted"].gold.answer == "No"
    assert said(corpus, by_kind["contradicted"]) == [NO_COPIES]
    assert by_kind["absent"].gold.answerable is False
    assert by_kind["absent"].gold.evidence == ()
    assert by_kind["absent"].statement == "No reverse engineering"
    assert by_kind["answered"].question.startswith(
        "Under the non-disclosure agreement between Alder Freight, Inc. and Quillby Mills LLC, may "
    )
    assert corpus.licence == "CC BY 4.0"
    assert {source.title for source in corpus.sources} == {
        "Non-disclosure agreement, Alder Freight, Inc. and Quillby Mills LLC"
    }


def test_evidence_that_is_cut_by_a_passage_is_given_of_both(tmp_path):
    filler = " ".join(f"Clause {n} says that the parties will meet in room {n} of the west hall." for n in range(60))
    text = OPENING + CLAUSE + "\n" + NO_COPIES + "\n" + filler
    document = contract(text, **{"nda-5": {"choice": "Entailment", "spans": [0]}})
    document["spans"] = [[text.index(CLAUSE), len(text)]]
    corpus = read_contractnli(written(tmp_path / "dev.json", {"documents": [document], "labels": LABELS}))
    pieces = said(corpus, corpus.labelled[0])
    assert len(corpus.sources) > 2
    assert len(pieces) == len(corpus.sources)
    assert pieces[0].startswith(CLAUSE)
    assert "".join(pieces).replace("\n", "").replace(" ", "") == text[text.index(CLAUSE) :].replace("\n", "").replace(
        " ", ""
    )


def test_the_three_parts_are_read_from_a_folder_and_from_the_zip(tmp_path):
    folder = tmp_path / "contract-nli"
    folder.mkdir()
    other = TEXT.replace("Alder Freight", "Harrow Dairy").replace("Quillby Mills", "Norwick Press")
    written(folder / "train.json", {"documents": [contract()], "labels": LABELS})
    written(folder / "test.json", {"documents": [contract(other, 2)], "labels": LABELS})
    with zipfile.ZipFile(tmp_path / "contract-nli.zip", "w") as packed:
        for name in ("train.json", "test.json"):
            packed.write(folder / name, f"contract-nli/{name}")
        packed.writestr("contract-nli/README.md", "labels")
    from_folder, from_zip = read_contractnli(folder), read_contractnli(tmp_path / "contract-nli.zip")
    assert list(from_folder.by_document) == ["1", "2"]
    assert from_folder.fingerprint == from_zip.fingerprint
    assert from_folder.labelled == from_zip.labelled


def test_an_agreement_that_cannot_be_told_from_another_has_no_questions_and_is_counted(tmp_path):
    blank = TEXT.replace("Alder Freight, Inc. and Quillby Mills LLC", "__________ and __________")
    documents = [contract(), contract(TEXT, 2), contract(blank, 3)]
    corpus = read_contractnli(written(tmp_path / "dev.json", {"documents": documents, "labels": LABELS}))
    assert corpus.labelled == ()
    assert len(corpus.by_document) == 3
    assert corpus.notes == ("3 of 3 agreements have no questions: no party of theirs tells them apart",)


def test_contract_rows_give_the_same_as_the_published_format(tmp_path):
    published = read_contractnli(written(tmp_path / "dev.json", {"documents": [contract()], "labels": LABELS}))
    passage = {"id": "1", "title": "1.pdf", "text": TEXT}
    spans = contract()["spans"]
    rows = [
        {"id": "1-nda-5", "hypothesis": "Sharing with employees", "answers": ["Entailment"], "gold_spans": [spans[0]]},
        {"id": "1-nda-17", "hypothesis": "Permissible copy", "answers": ["Contradiction"], "gold_spans": [spans[1]]},
        {"id": "1-nda-11", "hypothesis": "No reverse engineering", "answers": ["NotMentioned"], "gold_spans": []},
    ]
    lines = [{**row, "question": "?", "answerable": True, "passages": [passage]} for row in rows]
    path = tmp_path / "contractnli.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    corpus = read_contractnli(path)
    assert corpus.labelled == published.labelled
    assert corpus.sources == published.sources


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"documents": "none"}, "documents: expected a valid list"),
        ({"labels": {}}, "annotation_sets: no label 'nda-5' is given"),
    ],
)
def test_what_is_not_as_published_is_said_in_one_line(tmp_path, change, message):
    path = written(tmp_path / "dev.json", {"documents": [contract()], "labels": LABELS} | change)
    with pytest.raises(InputError, match=message):
        read_contractnli(path)


def test_a_span_that_is_not_there_and_an_id_that_stands_twice_are_refused(tmp_path):
    lost = contract(**{"nda-5": {"choice": "Entailment", "spans": [7]}})
    with pytest.raises(InputError, match="nda-5 points to a span that is not there"):
        read_contractnli(written(tmp_path / "dev.json", {"documents": [lost], "labels": LABELS}))
    with pytest.raises(InputError, match="the id '1' stands twice"):
        read_contractnli(written(tmp_path / "dev.json", {"documents": [contract(), contract()], "labels": LABELS}))


def test_a_folder_or_zip_without_the_parts_says_what_is_expected(tmp_path):
    with pytest.raises(InputError, match=r"expected train\.json, dev\.json, test\.json in it"):
        read_contractnli(tmp_path)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("other.txt", "x")
    with pytest.raises(InputError, match=r"expected train\.json"):
        read_contractnli(tmp_path / "a.zip")
    (tmp_path / "b.zip").write_bytes(b"no zip")
    with pytest.raises(InputError, match="cannot be read as a zip"):
        read_contractnli(tmp_path / "b.zip")


@pytest.mark.parametrize(
    ("opening", "parties"),
    [
        ("between Alder Freight, Inc., a Delaware corporation, and Quillby Mills LLC", ("Alder Freight, Inc.", "Quillby Mills LLC")),
        ("by and between HARROW DAIRY COMPANY (the “Company”) and __________", ("HARROW DAIRY COMPANY",)),
        ("between the City of Westmoor and the undersigned vendor", ("City of Westmoor",)),
        ("between the University of Eastvale and [NAME OF COMPANY]", ("University of Eastvale",)),
        ("between Harrow Dairy Co. Limited and the undersigned", ("Harrow Dairy Co. Limited",)),
        ("between Norwick Press GmbH, Mainstr. 4, and a Delaware Corporation", ("Norwick Press GmbH",)),
        ("between ____________ (“Vendor”) and [INSERT LEGAL NAME]", ()),
        ("This Receiving Party Agreement is with the Company", ()),
    ],
)  # fmt: skip
def test_parties_are_found_in_the_opening(opening, parties):
    assert parties_of(f"NON-DISCLOSURE AGREEMENT\nThis agreement is made {opening}.") == parties


def test_an_agreement_is_named_by_its_parties():
    assert agreement_named(("City of Westmoor",)) == "the non-disclosure agreement with the City of Westmoor"
    assert agreement_named(("A Co.", "B Co.")) == "the non-disclosure agreement between A Co. and B Co."
    assert (
        agreement_named(("A Co.", "B Co."), kind="agreement", between=False)
        == "the agreement involving A Co. and B Co."
    )
    assert kind_of("COVENANT NOT TO COMPETE\nSeller will not compete.") == "agreement"
    assert kind_of("CONFIDENTIALITY AGREEMENT") == "non-disclosure agreement"


@pytest.mark.parametrize(
    ("opening", "between"),
    [
        ("is made between Alder Freight, Inc., of Westmoor, and Quillby Mills LLC.", True),
        ("is made by and among Alder Freight, Inc. AND: the Quillby Mills LLC.", True),
        ("is made between Alder Freight, Inc., its affiliate Quillby Mills LLC, and the undersigned.", False),
        ("lets Alder Freight, Inc. look at the books of Quillby Mills LLC.", False),
    ],
)
def test_two_that_are_named_are_not_always_the_two_sides(opening, between):
    assert is_between(f"This agreement {opening}", ("Alder Freight, Inc.", "Quillby Mills LLC")) is between


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("HARROW DAIRY COMPANY, LLC", "… (“Harrow”)", "Harrow Dairy Company, LLC"),
        ("HARROW DAIRY COMPANY", "HARROW keeps it. The Company agrees.", "HARROW DAIRY COMPANY"),
        ("COUNTY OF WESTMOOR", "Westmoor has a mill.", "County of Westmoor"),
        ("MTH-HOMES WESTMOOR, INC.", "Westmoor has a mill.", "MTH-Homes Westmoor, Inc."),
        ("Alder Freight, Inc.", "ALDER", "Alder Freight, Inc."),
    ],
)
def test_capitals_are_written_small_where_the_document_does_so_too(name, text, written):
    assert written_small((name,), text) == (written,)


def test_a_number_of_a_clause_is_no_evidence(tmp_path):
    numbered = TEXT.replace(CLAUSE, f"(a)\n{CLAUSE}")
    document = contract(numbered, **{"nda-5": {"choice": "Entailment", "spans": [0, 1]}})
    document["spans"] = [
        [numbered.index("(a)"), numbered.index("(a)") + 3],
        [numbered.index(CLAUSE), numbered.index(CLAUSE) + len(CLAUSE)],
    ]
    corpus = read_contractnli(written(tmp_path / "dev.json", {"documents": [document], "labels": LABELS}))
    assert said(corpus, corpus.labelled[0]) == [CLAUSE]


def test_there_is_a_wording_for_each_of_the_17_hypotheses():
    # The corpus has nda-1 to nda-20 without 6, 9 and 14 (its README).
    assert set(HYPOTHESES) == {f"nda-{n}" for n in range(1, 21) if n not in {6, 9, 14}}
    assert hypothesis_key("12-nda-5") == "nda-5"
    assert hypothesis_key("12-nda-6") is None
    assert hypothesis_key("squad") is None


# --- SQuAD 2.0: the format is that of dev-v2.0.json

PARAGRAPH = "The mill at Westmoor was built in 1780. It burned down in 1812 and was rebuilt by Ada Quill."


def squad(**changes):
    asked = [
        {"id": "a", "question": "When was the Westmoor mill built ?".replace(" ?", "?"), "is_impossible": False,
         "answers": [{"text": "1780", "answer_start": PARAGRAPH.index("1780")}, {"text": "in 1780", "answer_start": PARAGRAPH.index("in 1780")}]},
        {"id": "b", "question": "Who paid for the Westmoor mill?", "is_impossible": True, "answers": [], "plausible_answers": []},
    ]  # fmt: skip
    paragraph = {"context": PARAGRAPH, "qas": asked} | changes
    return {"version": "v2.0", "data": [{"title": "Westmoor_mill", "paragraphs": [{"context": "Westmoor lies on the Ure.", "qas": []}, paragraph]}]}  # fmt: skip


def test_squad_is_read_as_published(tmp_path):
    corpus = read_squad2(written(tmp_path / "dev-v2.0.json", squad()))
    first, second = corpus.labelled
    assert (first.kind, first.gold.answer, first.gold.aliases) == ("answered", "1780", ("in 1780",))
    assert said(corpus, first) == ["1780"]
    assert (second.kind, second.gold.answerable) == ("absent", False)
    assert [source.source_id for source in corpus.sources] == ["Westmoor_mill#1", "Westmoor_mill#2"]
    assert corpus.sources[1].metadata["start"] == len("Westmoor lies on the Ure.") + 2
    assert corpus.by_document.keys() == {"Westmoor_mill"}


def test_squad_rows_find_the_answer_where_its_sentence_is_like_the_question(tmp_path):
    text = "In 1812 nothing happened at Eastvale. The Westmoor mill burned down in 1812."
    row = {"id": "a", "question": "When did the Westmoor mill burn down?", "answerable": True, "answers": ["1812"],
           "passages": [{"id": "Westmoor_mill-3", "title": "Westmoor_mill", "text": text}]}  # fmt: skip
    path = tmp_path / "squad2.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    corpus = read_squad2(path)
    assert corpus.labelled[0].gold.evidence[0].start == text.rindex("1812")


def test_a_squad_answer_that_is_not_in_its_paragraph_is_left_out_and_counted(tmp_path):
    asked = [{"id": "a", "question": "When?", "answers": [{"text": "1999", "answer_start": 3}]}]
    corpus = read_squad2(written(tmp_path / "dev-v2.0.json", squad(qas=asked)))
    assert corpus.labelled == ()
    assert corpus.notes == ("1 questions left out: their answer does not stand in the paragraph",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not JSON"),
        ('{"data": []}', "holds no articles"),
        ('{"data": [{"title": "A"}]}', r"data\.0\.paragraphs: this field is missing"),
    ],
)
def test_a_squad_file_that_is_none_is_refused(tmp_path, content, message):
    path = tmp_path / "dev-v2.0.json"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=message):
        read_squad2(path)


def test_a_row_that_is_wrong_is_named_by_its_line(tmp_path):
    path = tmp_path / "squad2.jsonl"
    path.write_text('\n{"id": "a", "question": "Q?", "answers": [], "answerable": false, "passages": []}\n', "utf-8")
    with pytest.raises(InputError, match=r"squad2\.jsonl:2: passages"):
        read_squad2(path)
    with pytest.raises(InputError, match="No such file"):
        read_squad2(tmp_path / "missing.jsonl")


# --- PubMedQA: the format is that of ori_pqal.json


def abstract(decision="yes", **changes):
    return {
        "QUESTION": "Does cold tea shorten colds ?",
        "CONTEXTS": ["We gave cold tea to forty adults.", "Colds were two days shorter."],
        "LABELS": ["METHODS", "RESULTS"],
        "MESHES": [],
        "YEAR": "2004",
        "LONG_ANSWER": "Cold tea shortens colds.",
        "final_decision": decision,
    } | changes


def test_pubmedqa_is_read_as_published(tmp_path):
    held = {"11": abstract(), "12": abstract("no"), "13": abstract("maybe")}
    corpus = read_pubmedqa(written(tmp_path / "ori_pqal.json", held))
    assert [(label.document, label.kind, label.gold.answer) for label in corpus.labelled] == [
        ("11", "answered", "Yes"),
        ("12", "contradicted", "No"),
    ]
    assert said(corpus, corpus.labelled[0]) == ["Cold tea shortens colds."]
    assert corpus.labelled[0].question == "Does cold tea shorten colds?"
    assert corpus.by_document["11"][0].title == "PMID 11, methods"
    assert corpus.by_document["11"][0].metadata["year"] == "2004"
    assert len(corpus.by_document["13"]) == 3
    assert corpus.notes == ("1 questions left out: people answered them with maybe",)


def test_the_offsets_of_sections_index_the_sections_joined_by_a_line_end(tmp_path):
    corpus = read_pubmedqa(written(tmp_path / "ori_pqal.json", {"11": abstract()}))
    text = "\n".join([*abstract()["CONTEXTS"], abstract()["LONG_ANSWER"]])
    for source in corpus.sources:
        start = source.metadata["start"]
        assert text[start : start + len(source.text)] == source.text


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ([], "expected an object of PubMed ids"),
        ({}, "holds no abstracts"),
        ({"11": abstract("perhaps")}, r"11\.final_decision: expected yes, no or maybe, got 'perhaps'"),
        ({"11": abstract(LONG_ANSWER=" ")}, r"11\.LONG_ANSWER"),
        ({"11": {"QUESTION": "Q?"}}, r"11\.CONTEXTS: this field is missing"),
    ],
)
def test_a_pubmedqa_file_that_is_none_is_refused(tmp_path, held, message):
    with pytest.raises(InputError, match=message):
        read_pubmedqa(written(tmp_path / "ori_pqal.json", held))


# --- the labelled data beside the checkout


@pytest.mark.parametrize(
    ("name", "read", "least"),
    [("contractnli", read_contractnli, 700), ("squad2", read_squad2, 2900), ("pubmedqa", read_pubmedqa, 850)],
)
def test_the_data_beside_the_checkout_is_read(name, read, least):
    path = DATA / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"../shared/data/qa/{path.name} is not beside this checkout")
    corpus = read(path)
    assert len(corpus.labelled) >= least
    for label in corpus.labelled:
        assert label.document in corpus.by_document
        assert bool(label.gold.evidence) == bool(label.gold.answerable)
        for text in said(corpus, label):
            assert text
            assert text == text.strip()
