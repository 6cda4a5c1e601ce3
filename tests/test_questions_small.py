"""Question sets from a handful of pages: fewer questions, said so; and none that a reader would not ask."""

import json
from pathlib import Path

import pytest

from showable.harness.corpora.corpus import Corpus
from showable.harness.corpora.open import open_corpus
from showable.harness.questions.build import Order, build, without_model
from showable.harness.questions.check import check_set
from showable.harness.questions.from_text_facts import find_facts
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.shape import PROTOCOL
from showable.records.record import Source

POLICIES = Path(__file__).parent / "data" / "policies"


@pytest.fixture(scope="module")
def policies():
    return open_corpus(str(POLICIES))


@pytest.fixture(scope="module")
def built(policies):
    order = Order("policies", or_fewer=True)
    return build(policies, without_model(policies, order), order)


def test_five_pages_give_a_smaller_set_with_every_category(built):
    counts = {part.category: built.facts["categories"][part.category] for part in PROTOCOL}
    assert min(counts.values()) >= 5
    assert sum(counts.values()) == built.facts["n"] >= 80
    whole = {name: counts[name] + built.facts["missing"].get(name, 0) for name in counts}
    assert whole == {part.category: part.of_130 for part in PROTOCOL}


def test_every_answerable_question_has_its_answer_in_the_text(built):
    texts = {source.source_id: source.text for source in built.questions.corpus}
    for question in built.questions.questions:
        if question.gold.category in {"answerable", "tempt_wrong"} and question.gold.answer != "Yes":
            (evidence,) = question.gold.evidence
            sentence = " ".join(texts[evidence.source_id][evidence.start : evidence.end].split())
            assert question.gold.answer in sentence


def test_the_check_accepts_a_smaller_set_that_says_so(built, policies):
    assert check_set(built.questions, Ground(policies)).problems == ()
    silent = built.questions.model_copy(update={"missing": {}})
    assert {problem.code for problem in check_set(silent, Ground(policies)).problems} == {"proportions"}
    wrong = built.questions.model_copy(update={"missing": {"answerable": 1}})
    assert {problem.code for problem in check_set(wrong, Ground(policies)).problems} == {"proportions"}


def test_the_command_says_what_is_missing_and_checks_what_it_wrote(cli, tmp_path):
    code, out, _ = cli("questions", "build", "--corpus", POLICIES, "--out", tmp_path / "set")
    facts = json.loads((tmp_path / "set" / "set.json").read_text())
    assert code == 0
    assert f"missing for 130: {facts['missing']['answerable']} answerable" in out
    assert "Missing: " in (tmp_path / "set" / "README.md").read_text()
    assert cli("questions", "check", tmp_path / "set")[0] == 0


def test_what_was_asked_for_by_number_is_not_made_smaller(cli, tmp_path):
    code, _, err = cli("questions", "build", "--corpus", POLICIES, "--out", tmp_path / "set", "--n", 130)
    assert (code, len(err.splitlines())) == (2, 1)
    assert "does not carry 130 questions" in err
    assert not (tmp_path / "set").exists()


def test_fewer_than_five_pages_are_refused(cli, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nThe notice period is thirty days. The rent is paid on 1 May.\n")
    code, _, err = cli("questions", "build", "--corpus", tmp_path / "docs", "--out", tmp_path / "set")
    assert (code, len(err.splitlines())) == (2, 1)


def asked(*texts):
    sources = [Source(source_id=f"d{n}", text=text, metadata={"document": "d"}) for n, text in enumerate(texts)]
    corpus = Corpus(name="c", origin="o", licence="l", sources=tuple(sources))
    return {fact.asks: fact.answer for fact in find_facts(corpus)}


WHAT_IS = [
    # the text, whether "what is …" is asked, source
    ("A trademark is a registered sign of a company in several countries.", False, "named in passing"),
    (
        "Adobe is a registered trademark of a company in several countries. Forms need Adobe Reader.",
        False,
        "elsewhere it is a part of a longer name",
    ),
    (
        "Adobe is a registered trademark of a company in several countries. See adobe.com for help.",
        False,
        "elsewhere it is a part of an address",
    ),
    (
        "A sabbatical is a long leave of several months for rest. A sabbatical must be agreed in advance.",
        True,
        "the document says more of it",
    ),
    (
        "A sabbatical is a long leave of several months for rest. Employees may ask for sabbaticals.",
        True,
        "as an object, in the plural",
    ),
]


@pytest.mark.parametrize(("text", "is_asked", "source"), WHAT_IS)
def test_what_something_is_is_asked_where_the_document_says_more_of_it(text, is_asked, source):
    assert any(asks.startswith("what is") for asks in asked(text)) == is_asked, source


WORDINGS = [
    # the sentence, the question, the answer
    ("The allowance is paid once every three years.", "how often is the allowance paid", "once every three years"),
    ("The rooms are cleaned twice every day.", None, None),
    ("The fire alarm is tested every six weeks.", "how often is the fire alarm tested", "every six weeks"),
    ("Employees may buy three extra days of leave in a year.", "how many extra days of leave may employees buy in a year", "three"),
    ("Bereavement leave is five days.", "how long is bereavement leave", "five days"),
    ("The notice period is five days.", "what is the notice period", "five days"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "question", "answer"), WORDINGS)
def test_questions_are_worded_as_a_reader_would(sentence, question, answer):
    found = asked(f"{sentence} Some employees use the rooms, the leave, the alarm and the notice.")
    if question is None:
        assert not any(asks.endswith(("once", "twice")) for asks in found)
    else:
        assert found.get(question) == answer, found
