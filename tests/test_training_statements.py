"""Statements made of questions and answers for training. Every row is written by hand; `source` says what it shows."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from tables import every_row

TRAINING = Path(__file__).parent.parent / "training"
sys.path.insert(0, str(TRAINING))

import make_statements  # noqa: E402
from statements import affirm, deny, state  # noqa: E402
from statements.answers import clean, kind  # noqa: E402
from statements.passages import runs, sentences, window  # noqa: E402
from statements.spans import with_article, wrong_spans  # noqa: E402
from statements.verbs import is_participle, past, third_person  # noqa: E402

HAND = "by hand"

STATED = [
    ("Who wrote Hamlet?", "Shakespeare", "Shakespeare wrote Hamlet.", HAND),
    ("Who did Anna marry?", "Tom Hill", "Anna married Tom Hill.", HAND),
    ("Who was the mayor's brother?", "Karl Brandt", "The mayor's brother was Karl Brandt.", HAND),
    ("When was the treaty signed?", "1815", "The treaty was signed in 1815.", HAND),
    (
        "When was the bridge opened to traffic?",
        "May 4, 1931",
        "The bridge was opened to traffic on May 4, 1931.",
        "a day takes `on`",
    ),
    ("When did the mill close?", "the 1980s", "The mill closed in the 1980s.", HAND),
    (
        "When did the siege end?",
        "After three weeks",
        "The siege ended after three weeks.",
        "the answer's own preposition",
    ),
    ("In what year did the ferry sink?", "1907", "The ferry sank in 1907.", HAND),
    ("Where did Marie study?", "Paris", "Marie studied in Paris.", HAND),
    ("Where did Marie study?", "at the Sorbonne", "Marie studied at the Sorbonne.", "the answer's own preposition"),
    ("Where did Marie study?", "Leeds University", "Marie studied at Leeds University.", "a school takes `at`"),
    ("What did the miners discover?", "silver", "The miners discovered silver.", HAND),
    (
        "What did the miners discover in 1850?",
        "silver",
        "The miners discovered silver in 1850.",
        "the object before the time",
    ),
    (
        "What does the alloy consist of?",
        "tin and copper",
        "The alloy consists of tin and copper.",
        "a preposition left at the end",
    ),
    ("What is the name of the river?", "Oder", "The name of the river is Oder.", HAND),
    ("What is the capital of Peru?", "Lima", "The capital of Peru is Lima.", HAND),
    ("What caused the fire?", "a broken lamp", "A broken lamp caused the fire.", HAND),
    ("Which company bought the mine?", "Norwick Ltd", "Norwick Ltd bought the mine.", HAND),
    ("What percentage of voters chose the plan?", "52%", "52% of voters chose the plan.", HAND),
    ("How many people live in Ombria?", "4,000", "4,000 people live in Ombria.", HAND),
    ("How many ships did the king build?", "twelve", "The king built twelve ships.", HAND),
    (
        "How many ships did the king build?",
        "twelve ships",
        "The king built twelve ships.",
        "the noun is not said twice",
    ),
    ("How long did the drought last?", "3 years", "The drought lasted 3 years.", HAND),
    ("Why did the firm move?", "high rents", "The firm moved because of high rents.", HAND),
    ("Why did the firm move?", "to save money", "The firm moved to save money.", "an aim needs no link"),
    ("How did the thief enter?", "through a window", "The thief entered through a window.", HAND),
    ("What religion were the settlers?", "Lutheran", "The settlers were Lutheran.", HAND),
    ("After the war, who led the council?", "Ida Roth", "After the war, Ida Roth led the council.", HAND),
    ("The war ended in what year?", "1648", "The war ended in 1648.", "the question word is last"),
]

UNSTATED = [
    ("When was the treaty signed?", "a large crowd", "no time in the answer"),
    ("How many people live in Ombria?", "the north", "no number in the answer"),
    ("What happened?", "a fire", "too short to say anything"),
    ("What did the treaty do?", "end the war", "`do` stands for another verb"),
    ("Which of you is the eldest?", "Ann", "speaks to the reader"),
    ("Who wrote Hamlet?", "", "no answer"),
    ("", "1815", "no question"),
]

POLAR = [
    (
        "Were prosecutors able to convict Hale?",
        "Prosecutors were able to convict Hale.",
        "Prosecutors were not able to convict Hale.",
    ),
    ("Did the council approve the plan?", "The council approved the plan.", "The council did not approve the plan."),
    ("Does the valve still leak?", "The valve still leaks.", "The valve does not still leak."),
    ("Did the raid cause any damage?", "The raid caused some damage.", "The raid did not cause any damage."),
    ("Would a visitor be safe there?", "A visitor would be safe there.", "A visitor would not be safe there."),
    ("Can the pump run dry?", "The pump can run dry.", "The pump cannot run dry."),
    (
        "Is it likely that the bill passed?",
        "It is likely that the bill passed.",
        "It is not likely that the bill passed.",
    ),
    ("Has the bridge been repaired?", "The bridge has been repaired.", "The bridge has not been repaired."),
    (
        "If it rained, would the crop survive?",
        "If it rained, the crop would survive.",
        "If it rained, the crop would not survive.",
    ),
]


@every_row(("question", "answer", "statement", "source"), STATED)
def test_question_and_answer_make_a_statement(question, answer, statement, source):
    assert state(question, answer) == statement, source


@pytest.mark.parametrize(("question", "answer", "source"), UNSTATED)
def test_nothing_is_said_where_it_would_not_be_fluent(question, answer, source):
    assert state(question, answer) is None, source


@pytest.mark.parametrize(("question", "yes", "no"), POLAR)
def test_yes_no_questions_are_affirmed_and_denied(question, yes, no):
    assert (affirm(question), deny(question)) == (yes, no)


@pytest.mark.parametrize(
    "question", ["Does the passage say so?", "Would you go there?", "Is the man in the hat at home?", "Who came?", ""]
)
def test_unsure_yes_no_questions_are_left_alone(question):
    assert affirm(question) is None


@pytest.mark.parametrize(
    ("base", "simple_past", "third"),
    [
        ("write", "wrote", "writes"),
        ("stop", "stopped", "stops"),
        ("carry", "carried", "carries"),
        ("play", "played", "plays"),
        ("refer", "referred", "refers"),
        ("visit", "visited", "visits"),
        ("agree", "agreed", "agrees"),
        ("mix", "mixed", "mixes"),
        ("undergo", "underwent", "undergoes"),
    ],
)
def test_verb_forms(base, simple_past, third):
    assert (past(base), third_person(base)) == (simple_past, third)


def test_participles_are_told_from_other_words_in_ed():
    assert [is_participle(word) for word in ("written", "founded", "hundred", "need", "table")] == [
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("answer", "label"),
    [
        ("1815", "year"),
        ("4 May 1931", "day"),
        ("May 1931", "month"),
        ("the 19th century", "century"),
        ("1980s", "decade"),
        ("4,000", "number"),
        ("$5 million", "number"),
        ("Ida Roth", "name"),
        ("a broken lamp", "phrase"),
    ],
)
def test_kinds_of_answers(answer, label):
    assert kind(answer) == label


def test_an_answer_loses_stray_punctuation_and_long_ones_are_refused():
    assert [clean("Lima."), clean("(Lima"), clean("the U.S."), clean("word " * 20)] == [
        "Lima",
        "Lima",
        "the U.S.",
        None,
    ]


PASSAGE = "The mill opened in 1815 and closed in 1840. It had 30 looms and 12 workers. Ida Roth and Karl Brandt owned it; later Tom Hill bought it."


def test_wrong_answers_are_of_the_same_kind_and_not_of_the_same_list():
    assert wrong_spans(PASSAGE, ["1815"], "When did the mill open?", []) == ["1840"]
    assert wrong_spans(PASSAGE, ["30"], "How many looms did it have?", []) == ["12"]
    assert wrong_spans(PASSAGE, ["Ida Roth"], "Who owned the mill?", []) == ["Tom Hill"]


def test_a_bare_noun_takes_the_article_of_the_passage():
    assert with_article("It was a commune of the north.", "commune") == "a commune"


def test_a_window_keeps_the_sentence_that_holds_the_answer():
    text = " ".join(f"Sentence number {n} stands here." for n in range(100))
    cut = window(text, holding="number 50 ", words=20)
    assert "number 50 " in cut
    assert len(cut.split()) <= 20
    assert window("Short one.", words=20) == "Short one."


def test_sentences_do_not_end_at_initials():
    assert sentences("J. Hill came. He left.") == ["J. Hill came.", "He left."]


def test_shared_runs_ignore_case_and_punctuation():
    words = "one two three four five six seven eight nine ten eleven twelve"
    assert runs(words) == runs(words.upper() + ".")
    assert not runs("one two three")


def _write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(one) + "\n" for one in rows)


def _data(root, *, held_out):
    def asked(name, question, answers):
        passage = {"id": "m-1", "title": "Mill", "text": PASSAGE}
        return {
            "id": name,
            "question": question,
            "passages": [passage],
            "answers": answers,
            "answerable": bool(answers),
        }

    _write(
        root / "qa/squad2.jsonl.gz",
        [asked("1", "When did the mill open?", ["1815"]), asked("2", "When did the mill burn?", [])],
    )
    _write(root / "qa/pubmedqa.jsonl.gz", [])
    denied = {
        "claim": "Did the mill close in 1840? Yes.",
        "passage": "The mill closed late in 1841.",
        "label": 0,
        "raw_label": "NO",
    }
    _write(root / "entail/train_more/condaqa_q.dev.jsonl.gz", [denied])
    _write(root / "entail/dev/some.dev.jsonl.gz", [{"claim": "x", "passage": held_out, "label": 1}])


def test_the_whole_is_deterministic_and_labels_follow_the_answers(tmp_path):
    _data(tmp_path, held_out="nothing in common")
    rows = make_statements.make(tmp_path, 3)
    assert rows == make_statements.make(tmp_path, 3)
    labels = {one["claim"]: one["label"] for one in rows}
    assert labels["The mill opened in 1815."] == 1
    assert all(
        label == 0
        for claim, label in labels.items()
        if claim in {"The mill opened in 1840.", "The mill closed in 1840."}
    )


def test_passages_of_the_development_sets_are_dropped(tmp_path):
    _data(tmp_path, held_out="As told: the mill opened in 1815, and closed in 1840. It had 30 looms.")
    assert all(one["passage"] != PASSAGE for one in make_statements.make(tmp_path, 3))
