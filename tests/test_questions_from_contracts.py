"""Which labels of agreements are used, and what is asked where an agreement is silent. Every text here is written for these tests."""

import json

import pytest
from tables import every_row

from showable.harness.corpora.contract_hypotheses import HYPOTHESES
from showable.harness.corpora.contractnli import read_contractnli
from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.contract_evidence import borne_out, that_shows
from showable.harness.questions.from_labels_contracts import DETAILS, contract_candidates
from showable.harness.questions.from_labels_refusals import contract_refusals
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.refusal_templates import CONTRACT_TEMPLATES
from showable.records.record import Source

HEAD = "NON-DISCLOSURE AGREEMENT\nMade on 3 May 2011 with {name} Freight, Inc.\n"


def agreements(folder, *given):
    """Write an agreement for each (name, clause, hypothesis, choice), its one clause the evidence of its one label."""
    documents = []
    for number, (name, clause, key, choice) in enumerate(given):
        head = HEAD.format(name=name)
        annotation = {"choice": choice, "spans": [] if choice == "NotMentioned" else [0]}
        documents.append(
            {
                "id": number,
                "file_name": f"{number}.txt",
                "text": head + clause,
                "spans": [[len(head), len(head) + len(clause)]],
                "annotation_sets": [{"annotations": {key: annotation}}],
            }
        )
    path = folder / "dev.json"
    labels = {key: {"hypothesis": f"Statement {key}"} for key in HYPOTHESES}
    path.write_text(json.dumps({"documents": documents, "labels": labels}), "utf-8")
    return Ground(read_contractnli(path))


@pytest.mark.parametrize(
    ("key", "choice", "clause", "used"),
    [
        ("nda-1", "Entailment", "All secrets must be marked with a legend.", True),
        ("nda-1", "Entailment", "Secrets are what is marked or should reasonably be taken as secret.", False),
        ("nda-1", "Entailment", "Each side may tell the other its secrets.", False),
        ("nda-2", "Entailment", "Secrets are the drawings of the mill.", False),
        ("nda-2", "Contradiction", "Secrets are drawings and prices.", True),
        ("nda-7", "Contradiction", "The mill may not tell any third party.", True),
        ("nda-7", "Contradiction", "The mill may not tell any third party. Its auditors have access.", False),
        ("nda-10", "Entailment", "The purpose may not be announced.", False),
        ("nda-10", "Entailment", "The existence of this agreement is secret.", True),
        ("nda-10", "Entailment", "Secrets shall mean the drawings and the existence of this agreement.", False),  # a definition
        ("nda-7", "Contradiction", "The mill may not tell any person not retained by it.", False),  # so it may tell those
        ("nda-16", "Contradiction", "The mill need not return backups.", False),
        ("nda-17", "Contradiction", "No copies may be made.", True),
        ("nda-17", "Contradiction", "No copies may be made except as the work requires.", False),
        ("nda-17", "Entailment", "The mill may make copies for its clerks.", True),
        ("nda-17", "Entailment", "The mill may make copies. Copies need the written consent of the other.", False),
        ("nda-20", "Contradiction", "All copies are to be returned.", True),
        ("nda-20", "Contradiction", "All copies are to be returned, but one may be kept; the mill is permitted to retain a list.", False),
    ],
)  # fmt: skip
def test_a_label_counts_where_its_evidence_bears_it_out(tmp_path, key, choice, clause, used):
    ground = agreements(tmp_path, ("Alder", clause, key, choice))
    assert borne_out(ground, key, ground.corpus.labelled[0]) is used
    about = [one for one in contract_candidates(ground) if one.question.id.endswith(f"0-{key}")]
    assert used or not about


def test_of_what_is_not_said_a_detail_is_asked_and_its_words_are_nowhere_in_the_agreement(tmp_path):
    silent = ("Alder", "The secrets are the drawings.", "nda-11", "NotMentioned")
    speaks = ("Harrow", "The drawings may be analysed at will.", "nda-11", "NotMentioned")
    made = [one for one in contract_candidates(agreements(tmp_path, silent, speaks)) if one.category == "unanswerable"]
    assert [one.document for one in made] == ["0"]
    question = made[0].question
    assert DETAILS["nda-11"].asks in question.question[0].lower() + question.question[1:]
    assert "the non-disclosure agreement with Alder Freight, Inc." in question.question
    assert question.metadata["absent_from"] == "0"
    assert tuple(question.metadata["absent"]) == DETAILS["nda-11"].absent


def test_what_may_be_silence_as_well_is_not_asked(tmp_path):
    # "No, it grants no rights" is the right answer to an agreement that does not speak of rights.
    ground = agreements(tmp_path, ("Alder", "The secrets are the drawings.", "nda-15", "NotMentioned"))
    assert not [one for one in contract_candidates(ground) if one.category == "unanswerable"]


@every_row("detail", DETAILS.values())
def test_a_detail_is_a_question_that_yes_or_no_does_not_answer(detail):
    words = detail.asks.split()
    assert {"how", "which", "what"} & set(words[:3])
    assert not detail.asks.endswith("?")
    assert all(term.strip() for terms in detail.absent for term in terms.split("|"))


def test_two_on_the_same_side_are_not_said_to_have_an_agreement_between_them(tmp_path):
    head = HEAD.format(name="Alder").replace(
        "with Alder Freight, Inc.", "between Alder Freight, Inc., its affiliate Quillby Mills LLC, and others."
    )
    clause = "The mill may tell its employees."
    path = tmp_path / "dev.json"
    document = {
        "id": 1,
        "file_name": "1.txt",
        "text": head + clause,
        "spans": [[0, 5]],
        "annotation_sets": [{"annotations": {}}],
    }
    path.write_text(json.dumps({"documents": [document], "labels": {}}), "utf-8")
    source = read_contractnli(path).sources[0]
    assert source.metadata["named"] == (
        "the non-disclosure agreement involving Alder Freight, Inc. and Quillby Mills LLC"
    )


def test_evidence_that_says_nothing_of_the_matter_is_left_out_where_another_piece_does(tmp_path):
    head = HEAD.format(name="Alder")
    care, lasts = "The mill takes care of the drawings.", "These duties survive the agreement."
    spans = [[len(head), len(head) + len(care)], [len(head) + len(care) + 1, len(head) + len(care) + 1 + len(lasts)]]
    document = {"id": 1, "file_name": "1.txt", "text": f"{head}{care} {lasts}", "spans": spans,
                "annotation_sets": [{"annotations": {"nda-19": {"choice": "Entailment", "spans": [0, 1]}}}]}  # fmt: skip
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"documents": [document], "labels": {"nda-19": {"hypothesis": "Some last."}}}), "utf-8")
    ground = Ground(read_contractnli(path))
    label = ground.corpus.labelled[0]
    assert len(label.gold.evidence) == 2
    kept = that_shows(ground, "nda-19", label).gold.evidence
    assert [ground.evidence_text(piece) for piece in kept] == [lasts]


@pytest.mark.parametrize(
    ("party", "has_shares"),
    [
        ("Alder Freight, Inc.", True),
        ("Harrow Dairy plc", True),
        ("County of Westmoor", False),
        ("Norwick Press LLC", False),
    ],
)
def test_only_a_company_is_asked_for_its_shares(party, has_shares):
    sources = tuple(
        Source(source_id=f"{n}#1", text="A text.", metadata={"document": str(n), "start": 0, "parties": (party,), "named": f"the agreement with {party}"})
        for n in range(len(CONTRACT_TEMPLATES))
    )  # fmt: skip
    corpus = Corpus(name="contractnli", origin="here", licence="CC0", sources=sources, labelled=())
    asked = [one.question.question for one in contract_refusals(Ground(corpus))]
    assert any("shares" in question for question in asked) is has_shares
    assert len(asked) == 2 * len(sources)
