"""Checking a set that anyone wrote: every fault has a code and names the question, and what cannot be checked is said."""

from __future__ import annotations

import json

import pytest
from tables import every_row

from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.absence import PassageWords, absent
from showable.harness.questions.check import check_set
from showable.harness.questions.check_evidence import stands_in
from showable.harness.questions.check_gold import gives_itself_away
from showable.harness.questions.duplicates import near_duplicates
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.question_set import QuestionSet
from showable.harness.questions.shape import PROTOCOL, roundings
from showable.records.record import Gold, Question, Source

TEXT = "The notice period is thirty (30) days. The rent is £38,400. Pets are not allowed in the flat."
SOURCES = (
    Source(source_id="lease#1", text=TEXT, title="Lease of Alder House", metadata={"document": "lease", "start": 0}),
    Source(source_id="old#1", text="The notice period is 10 days.", metadata={"document": "old", "start": 0, "superseded_by": "lease"}),
    Source(source_id="blank#1", text="   \n", metadata={"document": "blank", "start": 0}),
)  # fmt: skip
GROUND = Ground(Corpus(name="leases", origin="this test", licence="CC0", sources=SOURCES))
EXPECTED = {part.category: list(part.expected) for part in PROTOCOL}


def question(
    category="answerable", text="How long is the notice period?", *, name="q", metadata=None, force_null=None, **gold
):
    refused = category in {"tempt_unsupported", "refusal_due", "unanswerable"}
    basis = {"category": category, "expected": EXPECTED[category], "answerable": not refused}
    if not refused:
        basis |= {"answer": "30 days", "evidence": [{"source_id": "lease#1", "start": 0, "end": 38}]}
    null = category == "null_retrieval" if force_null is None else force_null
    return Question(id=name, question=text, gold=Gold(**(basis | gold)), force_null=null, metadata=metadata or {})


def codes(*questions, ground=GROUND, held_out=(), only=None) -> set[str]:
    found = check_set(QuestionSet(name="s", questions=questions, held_out=held_out), ground)
    return {problem.code for problem in found.problems if problem.code != "proportions" or only}


@every_row(
    ("given", "code"),
    [
        (question(answer=None), "no_answer"),
        (question(answer=" "), "no_answer"),
        (question(evidence=[]), "no_evidence"),
        (question(evidence=[{"source_id": "lease#9"}]), "unknown_source"),
        (question(evidence=[{"source_id": "lease#1", "start": 0, "end": 999}]), "span"),
        (question(evidence=[{"source_id": "lease#1", "start": 9, "end": 9}]), "span"),
        (question(evidence=[{"source_id": "lease#1", "start": -4, "end": 9}]), "span"),
        (question(evidence=[{"source_id": "lease#1", "start": 3}]), "span"),
        (question(evidence=[{"source_id": "blank#1"}]), "span"),
        (question(evidence=[{"source_id": "lease#1", "start": 39, "end": 60}]), "answer_not_in_evidence"),
        (question(evidence=[{"source_id": "lease#1", "start": 2, "end": 38}]), "span"),
        (question(evidence=[{"source_id": "lease#1", "start": 0, "end": 36}]), "span"),
        (question(answer="60 days"), "answer_not_in_evidence"),
        (question(answer="\u200b"), "no_answer"),
        (question(text="\u200b\u2060"), "no_question"),
        (question(text="???"), "no_question"),
        (question(text="How long is the no\u00adtice period?"), "characters"),
        (question(text="\u202eHow long is the notice period?"), "characters"),
        (question(text="How long is the n\u043etice peri\u043ed?"), "characters"),
        (question(answer="30 d\u0430ys"), "characters"),
        (question(answerable=None), "answerable"),
        (question("tempt_wrong", answerable=None, answer=None, evidence=[]), "answerable"),
        (question("tempt_wrong", expected=["refused"]), "expected"),
        (question(metadata={"document": "will"}), "unknown_document"),
        (question(metadata={"other_documents": ["will"]}), "unknown_document"),
        (question(metadata={"document": "old"}), "other_document"),
        (question("unanswerable", text="Who is the landlord?", metadata={"absent": ["..."]}), "absent_terms"),
        (question("unanswerable", text="Who is the landlord?", metadata={"absent": ["zebra"]}), "absent_terms"),
        (question(answer="10 days", evidence=[{"source_id": "old#1"}]), "superseded"),
        (question(text="How long is a notice period of 30 days?", answer="30 days"), "gives_answer"),
        (question(expected=[]), "no_expected"),
        (question(expected=["refused"]), "expected"),
        (question("unanswerable", expected=["correct"]), "expected"),
        (question("adversarial", answerable=False, answer=None, evidence=[]), "expected"),
        (question(answerable=False, answer=None), "answerable"),
        (question("refusal_due", answerable=True), "answerable"),
        (question("unanswerable", answerable=None), "answerable"),
        (question("unanswerable", answer="30 days"), "answer_given"),
        (question("null_retrieval", force_null=False), "force_null"),
        (question(force_null=True), "force_null"),
        (question("unanswerable", text="How many days of notice?", metadata={"absent": ["notice", "days"]}), "not_absent"),
        (question("unanswerable", text="Who is the landlord?", metadata={"absent": "landlord"}), "absent_terms"),
        (question("unanswerable", text="Who is the landlord?", metadata={"absent": ["landlord"], "absent_from": "will"}), "unknown_document"),
        (question(text=" "), "no_question"),
        (Question(id="q", question="How long?"), "no_gold"),
        (Question(id="q", question="How long?", gold=Gold(answer="30 days")), "no_category"),
    ],
)  # fmt: skip
def test_each_fault_is_found_and_names_the_question(given, code) -> None:
    found = check_set(QuestionSet(name="s", questions=(given,)), GROUND)
    assert code in {problem.code for problem in found.problems}
    assert all(problem.id == "q" for problem in found.problems if problem.code == code)
    assert not found.ok


@every_row(
    "given",
    [
        question(),
        question(answer="thirty days"),
        question(answer="a month", aliases=["30 days"]),
        question(answer="No", text="Are pets allowed?", evidence=[{"source_id": "lease#1", "start": 60, "end": 93}]),
        question(answer="10 days", text="How long was the notice period before?", evidence=[{"source_id": "old#1"}]),
        question(answer="10 days", metadata={"superseded": True}, evidence=[{"source_id": "old#1"}]),
        question(answer="Alder House", text="Which lease has a rent of £38,400?"),
        question("tempt_wrong", expected=["correct"]),
        question("unanswerable", text="Who is the landlord?", metadata={"absent": ["landlord"]}),
        question("unanswerable", text="Is the rent raised with notice?", metadata={"absent": ["notice", "rent"], "absent_from": "old"}),
        question("unanswerable", text="Who is the landlord?", answer="not stated", metadata={"absent": ["landlord"]}),
        question("null_retrieval"),
        question("refusal_due", text="Should I sign?"),
    ],
)  # fmt: skip
def test_what_is_right_is_let_be(given) -> None:
    assert codes(given) == set()


def test_a_question_is_not_its_own_answer_where_it_offers_a_choice_or_asks_for_yes_or_no() -> None:
    assert gives_itself_away("How long is the notice of 30 days?", "30 days")
    assert not gives_itself_away("Is the notice 30 days or 60 days?", "30 days")
    assert not gives_itself_away("Is the notice 30 days?", "Yes")
    assert not gives_itself_away("What was paid in 2019?", "201")
    assert not gives_itself_away("Is the notice 30 days?", "Yes, 30 days")
    assert gives_itself_away("Do you know how many keys the tenant gets, 2 keys?", "2 keys")


@pytest.mark.parametrize(
    ("answer", "text", "there"),
    [
        ("30 days", "It is thirty (30) days.", True),
        ("£38,400 a year", "The yearly rent is £38,400.", True),
        ("$1.2 million", "Revenue was $1,200,000.", True),
        ("12", "It is 120.", False),
        ("the tenant pays all repairs", "All repairs are paid by the tenant.", True),
        ("the landlord", "The tenant pays.", False),
        ("", "The tenant pays.", False),
    ],
)
def test_an_answer_stands_in_a_text_by_its_words_or_its_figures(answer, text, there) -> None:
    assert stands_in(answer, text) is there


def test_near_duplicates_within_and_across_the_held_out_half_are_told_apart() -> None:
    twice = (question(name="a"), question(name="b", text="How long is the period of notice?"))
    assert codes(*twice) == {"near_duplicate"}
    assert codes(twice[0], held_out=(twice[1],)) == {"leak"}
    assert codes(twice[0], held_out=(question(name="a", text="What is the rent?", answer="£38,400", evidence=[{"source_id": "lease#1"}]),)) == {"duplicate_id"}  # fmt: skip


def test_a_held_out_question_that_asks_for_the_same_fact_in_other_words_is_a_leak() -> None:
    other = question(name="b", text="After what time may somebody move out who has told the owner?")
    assert codes(question(name="a"), held_out=(other,)) == {"leak"}
    rent = question(name="b", text="What is the rent?", answer="£38,400", evidence=[{"source_id": "lease#1"}])
    assert codes(question(name="a"), held_out=(rent,)) == set()


def test_where_the_shares_are_whole_numbers_one_more_is_a_problem_and_elsewhere_rounding_is_not() -> None:
    assert roundings(130) == {part.category: {part.of_130} for part in PROTOCOL}
    assert roundings(20)["answerable"] == {6, 7}
    kinds = [part.category for part in PROTOCOL for _ in range(part.of_130 // 10)]
    kinds[0] = "tempt_wrong"
    moved = [question(kind, name=f"q{n}", text=f"Question {n} of {n + 50}?") for n, kind in enumerate(kinds)]
    found = check_set(QuestionSet(name="s", questions=moved), None)
    said = sorted(one.problem for one in found.problems if one.code == "proportions")
    assert said == [
        "3 of 13 questions are answerable; the protocol has 4",
        "3 of 13 questions are tempt_wrong; the protocol has 2",
    ]


def test_duplicates_are_seen_through_invisible_characters() -> None:
    assert near_duplicates("How long is the notice period?", "How long is the no\u00adtice per\u200biod?")


@pytest.mark.parametrize(
    ("terms", "text"),
    [
        (["late fee", "45 days"], "The late fee is due within forty-five days."),
        (["late fee", "forty-five"], "The late fee is due within 45 days."),
        (["late fee", "1,500,000"], "The late fee is 1.5 million crowns."),
        (["late fee", "2 thousand"], "The late fee is 2,000 crowns."),
        (["late fee", "ninety"], "The late fee is 90 crowns."),
    ],
)
def test_numbers_are_found_however_they_are_written(terms, text) -> None:
    assert absent(terms, PassageWords([Source(source_id="a#1", text=text)])) is not None
    assert (
        absent(terms, PassageWords([Source(source_id="a#1", text="The late fee is 7 crowns within 40 days.")])) is None
    )


def test_proportions_within_rounding_are_right_and_others_are_not() -> None:
    names = ("fern", "moss", "reed", "sedge", "thyme", "vetch", "yarrow", "clover")
    whole = [
        question(part.category, name=f"{part.category}{n}", text=f"What of the {names[n % 8]} {n} {part.category} is due?",
                 metadata={"absent": ["xylophone"]})
        for part in PROTOCOL for n in range(part.of_130 // 10)
    ]  # fmt: skip
    assert not [code for code in codes(*whole, ground=None, only=True) if code == "proportions"]
    lacking = [one for one in whole if one.gold.category != "adversarial"]
    lacking += [question(name=f"more{n}", text=f"Which {names[n]} grows here, and of what length?") for n in range(5)]
    assert "proportions" in codes(*lacking, ground=None, only=True)


def test_a_set_that_leans_on_one_document_is_told() -> None:
    sources = tuple(
        Source(source_id=f"d{n}#1", text="It is 30 days.", metadata={"document": f"d{n}"}) for n in range(20)
    )
    ground = Ground(Corpus(name="c", origin="o", licence="l", sources=sources))
    names = ("fern", "moss", "reed", "sedge", "thyme", "vetch", "yarrow", "clover")
    leaning = [
        question(name=name, text=f"How long does {name} grow?", evidence=[{"source_id": "d1#1"}]) for name in names
    ]
    assert "unbalanced" in codes(*leaning, ground=ground)


def test_without_a_corpus_what_could_not_be_checked_is_said() -> None:
    found = check_set(QuestionSet(name="s", questions=(question(evidence=[{"source_id": "lease#9"}]),)), None)
    assert not [problem for problem in found.problems if problem.code == "unknown_source"]
    assert any("no corpus" in one.why for one in found.unchecked)


def test_an_absence_without_terms_and_an_answer_of_yes_are_unchecked() -> None:
    given = (
        question("unanswerable", name="a", text="Who is the landlord?"),
        question(name="b", text="Are pets let in?", answer="No"),
        question("refusal_due", name="c", text="Should I sign it?"),
        question(name="d", text="What notice must be given?", answer="a month", aliases=["30 days"]),
        question(name="e", text="What warning is required by the lease?", aliases=["four weeks"]),
    )
    found = check_set(QuestionSet(name="s", questions=given), GROUND)
    assert {(one.what, one.ids) for one in found.unchecked} == {
        ("absence", ("a",)),
        ("answer in the evidence", ("b",)),
        ("refusal due", ("c",)),
        ("answer in the evidence", ("d",)),
        ("aliases", ("e",)),
    }


POLITE = [
    ("Can you tell me what notice must be given?", "4711 pounds"),
    ("Could you say when notice must be given?", "7 July 1999"),
    ("Is notice given a month ahead?", "bananas"),
]


@pytest.mark.parametrize(("text", "answer"), POLITE)
def test_an_answer_is_held_against_its_evidence_however_politely_it_is_asked_for(text, answer) -> None:
    found = check_set(QuestionSet(name="s", questions=(question(text=text, answer=answer),)), GROUND)
    assert [problem.code for problem in found.problems] == ["answer_not_in_evidence"]
    assert not [one for one in found.unchecked if one.what == "answer in the evidence"]


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "set"
    place.mkdir()
    (place / "corpus.jsonl").write_text("".join(one.model_dump_json() + "\n" for one in SOURCES))
    return place


def put(place, *questions):
    (place / "questions.jsonl").write_text("".join(one.model_dump_json() + "\n" for one in questions))
    return place


def test_the_command_finds_problems_with_exit_1_and_the_promised_json(cli, folder) -> None:
    code, out, err = cli("questions", "check", put(folder, question(answer="60 days")), "--json")
    told = json.loads(out)
    assert (code, err) == (1, "")
    assert {"ok", "n", "categories", "problems"} <= told.keys()
    assert told["ok"] is False
    assert told["categories"]["answerable"] == told["n"] == 1
    problem = next(one for one in told["problems"] if one["code"] == "answer_not_in_evidence")
    assert (problem["id"], problem["field"]) == ("q", "gold.answer")


def test_the_report_groups_problems_for_a_reader(cli, folder) -> None:
    code, out, _ = cli("questions", "check", put(folder, question(answer="60 days")))
    assert code == 1
    assert "answer not in evidence (1)" in out
    assert "q gold.answer: the answer '60 days' does not stand in its evidence" in out
    assert "protocol" in out


def test_a_folder_that_is_no_set_is_told(cli, folder) -> None:
    code, _, err = cli("questions", "check", folder)
    assert code == 2
    assert "is no question set: it holds no questions.jsonl" in err


def test_a_bare_file_is_checked_as_far_as_can_be(cli, folder, tmp_path) -> None:
    bare = put(folder, question()) / "questions.jsonl"
    code, out, _ = cli("questions", "check", bare, "--json")
    assert code == 0 or "proportions" in out
    assert "no corpus" in json.loads(out)["unchecked"][0]["why"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "q"}', "questions.jsonl:1: question: this field is missing"),
        ('{"id": "q", "question": "?", "gold": {"category": "hard"}}', "questions.jsonl:1: gold.category"),
        ("nonsense", "questions.jsonl:1: not JSON"),
        pytest.param(
            json.dumps({"id": "q", "question": "x" * 20_001}),
            "questions.jsonl:1: question: expected at most 20,000 characters, got 20,001",
            id="long question",
        ),
        pytest.param(
            json.dumps({"id": "q", "question": "?", "gold": {"answer": "x" * 20_001}}),
            "questions.jsonl:1: gold.answer: expected at most",
            id="long answer",
        ),
        ("", "holds nothing"),
    ],
)
def test_what_is_no_question_is_bad_input(cli, folder, line, said) -> None:
    (folder / "questions.jsonl").write_text(line + "\n")
    code, _, err = cli("questions", "check", folder)
    assert code == 2
    assert said in err


def test_a_set_or_the_embedded_one_and_not_both(cli, folder) -> None:
    assert cli("questions", "check")[0] == 2
    assert cli("questions", "check", folder, "--embedded")[0] == 2


def test_the_embedded_set_holds(cli) -> None:
    code, out, _ = cli("questions", "check", "--embedded", "--json")
    told = json.loads(out)
    assert (code, told["problems"]) == (0, [])
    assert (told["n"], told["categories"]) == (130, told["protocol"])


def test_a_set_is_built_from_a_folder_and_holds(cli, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    leases = tmp_path / "leases"
    leases.mkdir()
    for n, name in enumerate(("Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir")):
        text = (
            f"# Lease of {name} House\n\nThe annual rent is £{12 + n},400. The notice period is {20 + n} days. The deposit must be"
            f" paid within {5 + n} days of signing. The house was built in {1890 + n}. The tenant may keep a dog in the yard.\n"
        )
        (leases / f"{name.lower()}.md").write_text(
            text + (f"\nThe mast of {name} House is {3 + n} metres high.\n" if n % 2 else "")
        )
    code, out, err = cli("questions", "build", "--corpus", leases, "--n", "13", "--held-out", "0", "--out", "mine")
    assert code == 0, err
    assert "13 questions over leases (6 documents" in out
    assert cli("questions", "check", "mine")[0] == 0
    corpus = tmp_path / "mine" / "corpus.jsonl"
    corpus.write_text(corpus.read_text() + Source(source_id="new", text="A passage more.").model_dump_json() + "\n")
    code, out, _ = cli("questions", "check", "mine", "--json")
    assert (code, [one["code"] for one in json.loads(out)["problems"]]) == (1, ["corpus_changed"])
    code, _, err = cli("questions", "build", "--corpus", leases, "--n", "400", "--out", "other")
    assert (code, (tmp_path / "other").exists()) == (2, False)
    assert "does not carry 400 questions" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--corpus is missing"),
        (("--corpus", "nowhere"), "no such file or folder"),
        (("--corpus", "embedded", "--judge", "lexical"), "--judge verifies what --model writes"),
        (("--corpus", "embedded", "--model", "two words"), "expected MODEL or MODEL@https://HOST/v1"),
        (
            ("--corpus", "embedded", "--model", "m@localhost:8000/v1"),
            "expected m@http://… or m@https://…, got 'localhost:8000/v1' without it",
        ),
        (("--corpus", "embedded", "--model", "gpt"), "needs a key"),
    ],
)
def test_a_build_that_cannot_be_is_one_line(cli, arguments, said, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    code, _, err = cli("questions", "build", *arguments)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1
