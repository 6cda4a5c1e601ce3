"""From candidates to a set on disk: near-duplicates, proportions, spread, the held-out half, the card, the folder."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from showable.errors import InputError, SettingError
from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.assemble import largest_that_fits, number, pick
from showable.harness.questions.build import Made, Order, build, completed, sieved
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.card import render_card
from showable.harness.questions.duplicates import duplicate_pairs, near_duplicates
from showable.harness.questions.question_set import read_question_set
from showable.harness.questions.shape import LEAST, PROTOCOL, counts_for
from showable.harness.questions.split import held_out_size, split
from showable.harness.questions.write import check_free, write_set
from showable.records.record import Gold, GoldEvidence, Question, Source

EXPECTED = {part.category: part.expected for part in PROTOCOL}
REFUSED = {"tempt_unsupported", "refusal_due", "unanswerable"}
WORDS = ("anvil", "barrel", "candle", "dagger", "engine", "funnel", "garland", "hammer", "inkwell", "jacket", "kettle", "ladder")  # fmt: skip


def one(category: str, document: str, text: str, made_by: str = "template:x") -> Candidate:
    refused = category in REFUSED
    gold = Gold(
        answer=None if refused else "iron",
        answerable=not refused,
        evidence=() if refused or not document else (GoldEvidence(source_id=f"{document}#1"),),
        category=category,
        expected=EXPECTED[category],
        why="because",
    )
    question = Question(id=text, question=text, gold=gold, force_null=category == "null_retrieval")
    return Candidate(question=question, document=document, made_by=made_by)


def many(documents: int, each: int = 2) -> list[Candidate]:
    return [
        one(part.category, f"d{place}", f"What is the {WORDS[turn]} number {place} of {part.category.replace('_', ' ')} made of?")
        for part in PROTOCOL
        for place in range(documents)
        for turn in range(each)
    ]  # fmt: skip


def corpus_of(documents: int) -> Corpus:
    sources = (Source(source_id=f"d{n}#1", text="It is made of iron.", metadata={"document": f"d{n}", "start": 0}) for n in range(documents))  # fmt: skip
    return Corpus(name="things", origin="this test", licence="CC0", sources=tuple(sources), notes=("1 of 9 files left out",))  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("What is the daily fee?", "What is the daily fee?", True),
        ("What is the daily fee?", "what is  the daily fee", True),
        ("How long is the notice period of the lease?", "How long is the lease's notice period?", True),
        ("What is the daily fee of Alder House?", "What is the daily fee of Birch House?", False),
        ("What was the turnover in 2019?", "What was the turnover in 2020?", False),
        ("According to “Alder”, what is the fee?", "According to “Birch”, what is the fee?", False),
        ("What is the daily fee?", "What is the daily fee for a boat with a mast of oak?", False),
        ("Who signed the lease?", "When does the library open?", False),
    ],
)
def test_near_duplicates_share_their_words_names_and_figures(first, second, same) -> None:
    assert near_duplicates(first, second) is same
    assert near_duplicates(second, first) is same


def test_a_pair_of_duplicates_is_told_as_the_later_and_the_first() -> None:
    asked = [("a", "What is the daily fee?"), ("b", "Who signed?"), ("c", "What is the daily fee?")]
    assert duplicate_pairs(asked) == [("c", "a")]


def test_a_set_has_the_proportions_of_the_protocol() -> None:
    picked = pick(many(30), 130, 0)
    assert picked.complete
    assert Counter(candidate.category for candidate in picked.candidates) == counts_for(130)
    order = [candidate.category for candidate in picked.candidates]
    assert order == sorted(order, key=[part.category for part in PROTOCOL].index)


@given(n=st.integers(LEAST, 80), seed=st.integers(0, 5))
@settings(max_examples=25)
def test_no_document_has_more_than_its_share_and_no_question_stands_twice(n, seed) -> None:
    picked = pick(many(20, each=3), n, seed)
    assert picked.complete
    spread = Counter(candidate.document for candidate in picked.candidates)
    assert max(spread.values()) - min(spread[f"d{place}"] for place in range(20)) <= 2
    texts = [(str(place), candidate.question.question) for place, candidate in enumerate(picked.candidates)]
    assert duplicate_pairs(texts) == []


def test_the_order_of_the_candidates_does_not_matter_and_the_seed_does() -> None:
    pool = many(30)
    assert pick(pool, 40, 1).candidates == pick(pool[::-1], 40, 1).candidates
    assert pick(pool, 40, 1).candidates != pick(pool, 40, 2).candidates


def test_ways_of_making_take_turns() -> None:
    pool = [
        one("answerable", f"d{n}", f"What is the {WORDS[n % 12]} {n} made of?", f"template:{n % 3}") for n in range(60)
    ]
    ways = Counter(candidate.made_by for candidate in pick(pool, 130, 0).candidates)
    assert max(ways.values()) - min(ways.values()) <= 1


def test_what_falls_short_is_said_by_category_with_the_number_that_fits() -> None:
    pool = [candidate for candidate in many(30) if candidate.category != "adversarial"]
    pool += [
        one("adversarial", "d1", "Why is the anvil made of tin?"),
        one("adversarial", "d2", "Why is the mast of gold?"),
    ]
    made = Made(pool)
    with pytest.raises(SettingError, match=r"does not carry 130 .*adversarial 2 of 10.*--n 32 fits"):
        build(corpus_of(30), made, Order("s"))
    assert counts_for(32)["adversarial"] == 2 < counts_for(33)["adversarial"]
    assert largest_that_fits(pool, 130, 0) == 32


def test_a_corpus_that_carries_nothing_says_so() -> None:
    with pytest.raises(SettingError, match="not even 8 questions"):
        build(corpus_of(1), Made([]), Order("s"))


def test_held_out_questions_are_of_other_documents_where_there_are_enough() -> None:
    halves = split(many(30, each=6), 130, 26, 0)
    assert halves.own_documents
    assert len(halves.held_out.candidates) == held_out_size(130) == 26
    main, held = ({c.document for c in half.candidates} for half in (halves.main, halves.held_out))
    assert not main & held


def test_a_near_miss_in_a_document_counts_as_using_it() -> None:
    pool = [
        c.model_copy(update={"question": c.question.model_copy(update={"metadata": {"other_documents": ["d0"]}})})
        if c.document in {"d1", "d2"} else c
        for c in many(30, each=6)
    ]  # fmt: skip
    halves = split(pool, 130, 26, 0)
    held = {c.document for c in halves.held_out.candidates}
    main = {c.document for c in halves.main.candidates}
    assert not ({"d1", "d2"} & main and "d0" in held)
    assert not ({"d1", "d2"} & held and "d0" in main)


def test_a_small_corpus_shares_its_documents_and_says_so() -> None:
    halves = split(many(3, each=12), 26, 8, 0)
    assert not halves.own_documents
    assert "too small to set documents aside" in halves.note
    asked = [c.question.question for c in (*halves.main.candidates, *halves.held_out.candidates)]
    assert len(halves.held_out.candidates) == 8
    assert len(set(asked)) == len(asked)


def test_fewer_held_out_questions_than_categories_are_made_where_so_few_are_asked_for() -> None:
    halves = split(many(3, each=12), 26, 5, 0)
    assert len(halves.held_out.candidates) == 5
    assert "5 held-out questions" in halves.note


def test_a_fact_of_the_main_set_is_not_held_out_in_other_words() -> None:
    gold = Gold(answer="tin", answerable=True, evidence=(GoldEvidence(source_id="d1#1", start=0, end=9),),
                category="answerable", expected=("correct",))  # fmt: skip
    texts = ("Of what is the anvil?", "Which metal did they melt for it?", "Name the stuff that the smith hammers on.")
    same = [one("answerable", "d1", text) for text in texts]
    same = [c.model_copy(update={"question": c.question.model_copy(update={"gold": gold})}) for c in same]
    pool = [
        *same,
        *(c for c in many(3, each=4) if c.category != "answerable"),
        *(c for c in many(3, each=1) if c.category == "answerable"),
    ]
    halves = split(pool, 13, 8, 0)
    sides = [any(c in half.candidates for c in same) for half in (halves.main, halves.held_out)]
    assert sides[0]
    assert not sides[1]


def test_no_held_out_set_is_made_where_nothing_is_left() -> None:
    halves = split(many(3, each=2), 13, 13, 0)
    assert halves.main.complete
    assert halves.held_out.candidates == [] or len(halves.held_out.candidates) < 13
    assert "of the 13 held-out questions" in halves.note


def test_ids_tell_the_set_the_category_and_the_place() -> None:
    named = number(pick(many(30), 13, 0).candidates, "mine")
    assert [question.id for question in named][:2] == ["mine-answerable-001", "mine-answerable-002"]
    assert all(question.metadata["made_by"] == "template:x" for question in named)


def test_what_a_check_would_find_fault_with_is_left_out_and_counted() -> None:
    bad = one("answerable", "d1", "Is what is made of iron an anvil of iron, or what is it made of?")
    worse = one("answerable", "nowhere", "What is the anvil made of?")
    made = sieved(Made([bad, worse, one("answerable", "d1", "What is the ladder made of?")]), corpus_of(2))
    assert len(made.candidates) == 1 or made.rejected["unknown_source"] == 1
    assert made.rejected["unknown_source"] == 1


def test_what_is_short_is_filled_in_and_the_card_says_by_what() -> None:
    pool = many(30)
    few = Made([c for c in pool if c.category != "adversarial"], model="m")
    whole = completed(few, lambda: Made(pool), Order("s", 13, 0), "the model", "templates")
    assert {c.category for c in whole.candidates} == set(EXPECTED)
    assert whole.notes == ("the model left adversarial short; templates fill in where they can",)
    assert completed(whole, lambda: pytest.fail("nothing is short"), Order("s", 13, 0), "x", "y") is whole


def built(documents: int = 30, **order):
    return build(corpus_of(documents), Made(many(documents, each=6)), Order(**({"name": "mine", "n": 26, "held_out": 8} | order)))  # fmt: skip


def test_a_set_comes_back_as_it_was_written(tmp_path) -> None:
    made = built()
    write_set(made, tmp_path / "mine")
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == [
        "README.md", "corpus.jsonl", "held_out.jsonl", "questions.jsonl", "set.json",
    ]  # fmt: skip
    assert read_question_set(tmp_path / "mine") == made.questions
    assert json.loads((tmp_path / "mine" / "set.json").read_text()) == made.facts
    assert list(tmp_path.iterdir()) == [tmp_path / "mine"]


def test_the_same_command_writes_the_same_bytes_again(tmp_path) -> None:
    write_set(built(), tmp_path / "one")
    before = {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()}
    write_set(built(), tmp_path / "one")
    assert {path.name: path.read_bytes() for path in (tmp_path / "one").iterdir()} == before


def test_a_folder_with_anything_else_in_it_is_left_alone(tmp_path) -> None:
    write_set(built(), tmp_path / "one")
    with pytest.raises(SettingError, match=r"made otherwise \(seed\)"):
        write_set(built(seed=1), tmp_path / "one")
    (tmp_path / "one" / "notes.txt").write_text("mine")
    with pytest.raises(SettingError, match=r"holds something else than a question set \(notes.txt\)"):
        check_free(tmp_path / "one")
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingError, match="is a file"):
        check_free(tmp_path / "file")
    (tmp_path / "empty").mkdir()
    check_free(tmp_path / "empty")


def test_a_set_json_that_is_damaged_is_said(tmp_path) -> None:
    write_set(built(), tmp_path / "one")
    (tmp_path / "one" / "set.json").write_text("{")
    with pytest.raises(InputError, match=r"set\.json"):
        write_set(built(), tmp_path / "one")


def test_the_card_says_what_a_reader_of_a_decision_must_know() -> None:
    card = render_card(built().facts)
    for said in ("26 questions, and 8 held out", "30 documents", "CC0", "seed 0", "| answerable | 8 |", "## Limits", "1 of 9 files left out",
                 "of documents that no question of the main set is about", "fingerprint"):  # fmt: skip
        assert said in card


def test_a_card_cannot_be_broken_by_what_a_corpus_is_called() -> None:
    made = built()
    facts = made.facts | {"corpus": made.facts["corpus"] | {"name": "a\n# b <script>", "licence": "x | y"}}
    card = render_card(facts)
    assert "\n# b" not in card
    assert "<script>" not in card
