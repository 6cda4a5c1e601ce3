"""Questions from plain sentences: which sentences are taken, how they are turned, and that what is in doubt is left alone."""

from __future__ import annotations

from tables import every_row

from showable.harness.corpora.chunking import chunk
from showable.harness.corpora.corpus import Corpus
from showable.harness.questions import from_text
from showable.harness.questions.absence import absent
from showable.harness.questions.from_text_facts import find_facts, title_of
from showable.harness.questions.labelled_ground import Ground


def corpus_of(**texts: str) -> Corpus:
    sources = [one for name, text in texts.items() for one in chunk(name, text, title=name.title())]
    return Corpus(name="c", origin="this test", licence="CC0", sources=tuple(sources))


def asked(sentence: str) -> list[tuple[str, str]]:
    return [(fact.asks, fact.answer) for fact in find_facts(corpus_of(a=f"{sentence} The fee and the shop and fares and members are old."))
            if fact.sentence == sentence]  # fmt: skip


@every_row(
    ("sentence", "question", "answer"),
    [
        ("The fee is 45 euros.", "how much is the fee", "45 euros"),
        ("The daily rent is 45 euros, payable in advance.", "what is the daily rent", "45 euros"),
        ("The fee must be paid within 14 days of signing.", "within what time must the fee be paid", "14 days of signing"),
        ("The shop opens at 9:30 on weekdays.", "at what time does the shop open on weekdays", "9:30"),
        ("The shop was opened in May 2021 by the mayor.", "when was the shop opened by the mayor", "May 2021"),
        ("The fee must be paid by 3 March 2030.", "by when must the fee be paid", "3 March 2030"),
        ("The shop employs 12 drivers in summer.", "how many drivers does the shop employ in summer", "12"),
        ("The shop may be closed for up to six weeks.", "for how long may the shop be closed", "up to six weeks"),
        ("The shop is painted every four years.", "how often is the shop painted", "every four years"),
        ("The fee rose to 45 euros.", "to how much did the fee rise", "45 euros"),
        ("The fee covers 80 percent of the costs in winter.", "what percentage of the costs does the fee cover in winter", "80 percent"),
        ("The shop is run by a society of farmers.", "by whom is the shop run", "a society of farmers"),
        ("The shop is open on every day of the year.", "is the shop open on every day of the year", "Yes"),
        ("“Working Day” means a day on which the shop is open to members.", "what does “Working Day” mean", "a day on which the shop is open to members"),
        ("The shop has 12 doors in summer.", "how many doors does the shop have in summer", "12"),
        ("The shop has been sold to a society.", "has the shop been sold to a society", "Yes"),
        ("Fares were raised; the shop was closed in 2019.", "when was the shop closed", "2019"),
    ],
)  # fmt: skip
def test_a_plain_sentence_becomes_a_natural_question_with_its_answer(sentence, question, answer) -> None:
    assert (question, answer) in asked(sentence)


@every_row(
    "sentence",
    [
        "It must be paid within 14 days.",  # points back
        "If the shop closes, the fee is 45 euros.",  # a condition
        "The fee is not 45 euros.",  # a denial
        "Members may stay away for up to three days a week.",  # a rate, not a length of time
        "The fee is 45 euros or 12 percent.",  # two answers
        "The fee is due on 1 April, 1 July and 1 October.",  # a list
        "The members who pay 45 euros are few.",  # a relative clause
        "This fee is 45 euros.",  # points elsewhere
        "The fee | 45 euros |",  # a table
        "The shop may be closed without notice, provided that the mayor agrees.",  # the condition is what counts
        "Marlow said the fee is 45 euros.",  # somebody's words
        "Is the fee 45 euros?",
        "The fee fell from 45 euros to 30 euros.",
        "The shop has a large, light and airy hall.",  # cut inside a list
        "The group is older than the shop.",  # which group?
        "The fee must be paid within",  # cut off by a line break
    ],
)
def test_what_is_in_doubt_is_left_alone(sentence) -> None:
    assert asked(sentence) == []


def test_the_answer_stands_at_its_offsets_also_over_a_line_break() -> None:
    corpus = corpus_of(a="# Fees\n\nThe fee must be\npaid within 14 days. The daily fee is 45 euros.")
    facts = find_facts(corpus)
    assert {fact.answer for fact in facts} == {"14 days", "45 euros"}
    for fact in facts:
        assert " ".join(fact.source.text[fact.start : fact.end].split()) == fact.answer
        assert fact.span[0] <= fact.start < fact.end <= fact.span[1]


def test_a_question_that_one_document_answers_in_two_ways_is_not_asked() -> None:
    assert find_facts(corpus_of(a="The fee is 45 euros. The fee is 46 euros.")) == []
    assert len(find_facts(corpus_of(a="The fee is 45 euros. The fee is 45 euros."))) == 1


def test_a_name_keeps_its_capital_and_an_ordinary_word_does_not() -> None:
    text = (
        "Fares are raised in May. The fares of Marlow are low. Fares were raised in 2019. Marlow was founded in 1820."
    )
    asks = {fact.asks for fact in find_facts(corpus_of(a=text))}
    assert {"when were fares raised", "when was Marlow founded"} <= asks


def test_a_first_word_of_which_nothing_is_known_is_not_guessed_about() -> None:
    assert find_facts(corpus_of(a="Gorse was cut in 2019.")) == []


def test_a_document_without_a_title_is_named_by_its_file() -> None:
    sources = chunk("leases/harbour_lease-2021.txt", "The fee is 45 euros.", title=None)
    assert title_of("leases/harbour_lease-2021.txt", sources) == "harbour lease 2021"


ALDER = "Alder rents boats. The daily fee is 20 crowns. The deposit must be paid within 14 days. The boats were bought in 2019."
BIRCH = (
    "Birch rents boats. The daily fee is 30 crowns. The deposit must be paid within 10 days. The mast is 9 metres long."
)
TWO = corpus_of(alder=ALDER, birch=BIRCH)


def of(corpus: Corpus, made_by: str) -> list:
    return [one for one in from_text.candidates(corpus, 0) if one.made_by == made_by]


def test_a_near_miss_is_the_same_fact_of_another_document() -> None:
    found = {one.question.question: one.question for one in of(TWO, "sentence:other_document")}
    question = found["According to “Alder”, what is the daily fee?"]
    assert question.gold.answer == "20 crowns"
    assert "Birch" in question.gold.why
    assert question.metadata["other_documents"] == ["birch"]


def test_else_another_figure_of_the_same_passage_is_the_near_miss() -> None:
    corpus = corpus_of(a="The shop was opened in 2019. The mast was raised in 2021. The shop and the mast are old.")
    made = {
        one.question.gold.answer: one.question.gold.why
        for one in from_text.candidates(corpus, 0)
        if one.category == "tempt_wrong"
    }
    assert set(made) == {"2019", "2021"}
    assert "2021" in made["2019"]


def test_an_older_version_is_a_near_miss_and_never_the_answer() -> None:
    old = chunk("v1", "The daily fee is 20 crowns.", title="Rules 1", metadata={"superseded_by": "v2"})
    new = chunk("v2", "The daily fee is 30 crowns.", title="Rules 2")
    corpus = Corpus(name="c", origin="o", licence="CC0", sources=(*old, *new))
    made = from_text.candidates(corpus, 0)
    assert [one.document for one in made if one.made_by == "sentence:superseded"] == ["v2"]
    assert not [one for one in made if one.category in {"answerable", "tempt_wrong"} and one.document == "v1"]


def test_a_wrong_value_is_denied_and_is_really_wrong() -> None:
    found = {one.question.question: one.question.gold for one in of(TWO, "sentence:wrong_value")}
    gold = found["According to “Alder”, is the daily fee 30 crowns?"]
    assert (gold.answer, gold.aliases, gold.expected) == ("No", ("20 crowns",), ("correct", "refused"))
    # Paid within 10 days is paid within 14 too: only the shorter time makes a false statement.
    assert "According to “Alder”, must the deposit be paid within 10 days?" in found
    assert "According to “Birch”, must the deposit be paid within 14 days?" not in found


def test_what_another_document_states_is_absent_from_the_one_that_is_asked() -> None:
    made = of(TWO, "sentence:other_document_asked")
    assert made
    ground = Ground(TWO)
    for one in made:
        gold, metadata = one.question.gold, one.question.metadata
        assert (gold.answerable, gold.expected, gold.answer) == (False, ("refused",), None)
        assert metadata["absent_from"] == one.document
        assert absent(metadata["absent"], ground.words_of_document[one.document]) is None
    assert "According to “Birch”, when were the boats bought?" in {one.question.question for one in made}
    assert not [one for one in made if "fee" in one.question.question]


def test_a_question_that_two_documents_answer_differently_is_ambiguous_without_a_name() -> None:
    found = {one.question.question: one for one in of(TWO, "sentence:ambiguous")}
    one = found["Within what time must the deposit be paid?"]
    assert one.question.gold.expected == ("refused",)
    assert "14 days" in one.question.gold.why
    assert "10 days" in one.question.gold.why


def test_an_ambiguous_question_touches_two_documents_so_that_others_can_be_held_out() -> None:
    corpus = corpus_of(**{name: f"The fee is {n} euros. The fee and the shop." for n, name in enumerate("abcd", 21)})
    made = [one for one in from_text.candidates(corpus, 0) if one.made_by == "sentence:ambiguous"]
    assert [{one.document, *one.question.metadata["other_documents"]} for one in made] == [
        set("ab"),
        set("bc"),
        set("cd"),
    ]


def test_what_another_document_states_is_asked_of_one_that_holds_a_word_of_it() -> None:
    fees = "The fee is 21 euros. The fee and the shop."
    paid = "The fee is paid by a society of farmers. The shop and the members."
    made = from_text.candidates(corpus_of(menu="Soup with bread. Salad with cheese.", a=fees, b=paid), 0)
    elsewhere = [
        (one.document, one.question.question) for one in made if one.made_by == "sentence:other_document_asked"
    ]
    assert elsewhere == [("a", "According to “A”, by whom is the fee paid?")]


def test_a_year_of_which_nothing_is_said_is_absent() -> None:
    corpus = corpus_of(a="The harvest was 40 tonnes in 2019. The crop of 2012 was lost. The harvest is late.")
    made = of(corpus, "sentence:wrong_year")
    assert made
    for one in made:
        (year,) = one.question.metadata["absent"]
        assert year in one.question.question
        assert year not in corpus.sources[0].text


def test_null_questions_force_an_empty_retrieval_and_no_others_do() -> None:
    for one in from_text.candidates(TWO, 0):
        assert one.question.force_null == (one.category == "null_retrieval")


def test_the_same_seed_makes_the_same_candidates() -> None:
    assert from_text.candidates(TWO, 3) == from_text.candidates(TWO, 3)
