"""Candidates made from people's labels: what each category asks, and that what is called absent is. All texts are written for these tests."""

import json
from collections import Counter
from pathlib import Path

import pytest
from tables import every_row

from showable.harness.corpora.contract_hypotheses import HYPOTHESES
from showable.harness.corpora.contractnli import read_contractnli
from showable.harness.corpora.corpus import Corpus, Labelled
from showable.harness.corpora.open import open_corpus
from showable.harness.corpora.pubmedqa import read_pubmedqa
from showable.harness.corpora.squad2 import read_squad2
from showable.harness.questions import article_wording, from_labels_abstracts
from showable.harness.questions.absence import PassageWords, absent, content_stems, stems_of
from showable.harness.questions.article_answers import borne_out
from showable.harness.questions.build import from_labels
from showable.harness.questions.from_labels_refusals import abstract_refusals, article_refusals, as_written
from showable.harness.questions.from_labels_swaps import name_swapped, year_swapped
from showable.harness.questions.from_world_knowledge import FIELDS, known_questions, world_knowledge_candidates
from showable.harness.questions.labelled_ground import Ground, share_of
from showable.harness.questions.refusal_templates import AMBIGUOUS_CONTRACTS
from showable.harness.questions.shape import PROTOCOL, counts_for
from showable.records.record import Gold, GoldEvidence, Source

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "qa"
EXPECTED = {part.category: part.expected for part in PROTOCOL}


def source(key, text, document="Mill", start=0):
    return Source(source_id=key, text=text, title=document, metadata={"document": document, "start": start})


def corpus_of(*texts, name="other", labelled=()):
    sources = tuple(source(f"Mill#{n}", text) for n, text in enumerate(texts, 1))
    return Corpus(name=name, origin="here", licence="CC0", sources=sources, labelled=labelled)


# --- absence


@every_row(
    ("terms", "found"),
    [
        (["Westmoor", "1780"], True),
        (["westmoors", "built|erected"], True),  # inflected, and either of two words
        (["builds"], False),  # not a form of "built" by its letters
        (["twenty workers"], True),  # in figures there
        (["20 workers"], True),
        (["1,780"], True),  # written with a comma
        (["1780s"], True),
        (["Westmoor", "Quill"], False),  # four sentences apart
        (["owner", "Quill"], True),
        (["Westmöor"], True),  # an accent tells no words apart
        (["Eastvale"], False),
        (["1781"], False),
    ],
)
def test_terms_are_found_together_within_three_sentences(terms, found):
    text = (
        "The Westmoor mill was built in 1780. It had 20 workers. They were paid weekly. Its owner lived far off. "
        "His name was Quill."
    )
    said = absent(terms, PassageWords([source("Mill#1", text)]))
    assert (said is not None) == found
    if found:
        assert said.startswith("Mill#1 holds ")


def test_what_no_term_is_given_for_is_absent_nowhere_and_everywhere():
    assert absent([], PassageWords([source("a", "One.")])) is None
    assert absent(["One"], PassageWords([])) is None


def test_the_share_of_a_questions_words_that_a_passage_holds():
    words = PassageWords(
        [source("a", "The mill stood in Westmoor."), source("b", "Ada Quill bought the mill in Westmoor.")]
    )
    share, found = words.most_covered("Who bought the mill in Westmoor?")
    assert (share, found.source_id) == (1.0, "b")
    share, found = words.most_covered("Who bought the mill in Westmoor?", beside={"b"})
    assert (share, found.source_id) == (pytest.approx(2 / 3), "a")
    assert words.most_covered("Who is that?") == (0.0, None)


def test_words_are_compared_without_endings_and_numbers_in_figures():
    assert stems_of("Twelve obligations") == stems_of("12 obligation")
    assert content_stems("Which of the mills was it?") == content_stems("mill")


# --- world knowledge


@pytest.mark.parametrize("field", FIELDS)
def test_each_field_has_sixty_questions_or_more_and_each_a_term_of_its_answer(field):
    known = known_questions(field)
    assert len(known) >= 60
    assert len({one.question for one in known}) == len(known)
    for one in known:
        assert one.question.endswith("?")
        assert one.terms
        assert all(term.strip() for term in one.terms)
        assert one.answer


def test_what_the_corpus_answers_is_not_asked_as_absent():
    without = Ground(corpus_of("The mill grinds corn."))
    with_it = Ground(corpus_of("Everyone knows that Canberra is the capital of Australia."))
    asked = "What is the capital of Australia?"
    assert asked in {one.question.question for one in world_knowledge_candidates(without)}
    assert asked not in {one.question.question for one in world_knowledge_candidates(with_it)}


def test_world_knowledge_is_of_the_field_that_lies_near():
    made = list(world_knowledge_candidates(Ground(corpus_of("A study.", name="pubmedqa"))))
    assert {one.made_by for one in made} == {"world:medicine"}
    made = list(world_knowledge_candidates(Ground(corpus_of("A text."))))
    assert {one.made_by for one in made} == {f"world:{field}" for field in FIELDS}


# --- contracts


def contracts(tmp_path):
    """Write six agreements, each with all 17 hypotheses labelled, every second one the other way."""
    names = ["Alder Freight", "Harrow Dairy", "Norwick Press", "Quillby Mills", "Eastvale Glass", "Dunmere Tools"]
    documents = []
    for number, name in enumerate(names):
        head = f"NON-DISCLOSURE AGREEMENT\nThis agreement is made on 3 May {2011 + number} with {name}, Inc. of Westmoor.\n"
        clauses = [
            ""
            if place % 3 == 2
            else f"Clause {key}: {hypothesis.says}."  # what is labelled as not mentioned is left out
            for place, (key, hypothesis) in enumerate(HYPOTHESES.items())
        ]
        text, spans = head, []
        for clause in clauses:
            spans.append([len(text), len(text) + len(clause)])
            text += clause + "\n"
        choices = ["Entailment" if number % 2 else "Contradiction", "Entailment", "NotMentioned"]
        annotations = {
            key: {"choice": (choice := choices[place % 3]), "spans": [] if choice == "NotMentioned" else [place]}
            for place, key in enumerate(HYPOTHESES)
        }
        documents.append({"id": number, "file_name": f"{number}.txt", "text": text, "spans": spans, "annotation_sets": [{"annotations": annotations}]})  # fmt: skip
    labels = {key: {"hypothesis": f"Statement {key}"} for key in HYPOTHESES}
    path = tmp_path / "dev.json"
    path.write_text(json.dumps({"documents": documents, "labels": labels}), "utf-8")
    return read_contractnli(path)


def held_by_all(candidates, corpus):
    ground = Ground(corpus)
    assert len({(one.category, one.question.id) for one in candidates}) == len(candidates)
    for one in candidates:
        gold = one.question.gold
        assert gold.why
        assert set(gold.expected) <= set(EXPECTED[one.category])
        assert one.question.force_null == (one.category == "null_retrieval")
        assert bool(gold.answer) == bool(gold.evidence) == bool(gold.answerable)
        assert one.document == "" or one.document in corpus.by_document
        assert set(one.question.metadata.get("other_documents", ())) <= set(corpus.by_document)
        assert "{" not in one.question.question
        assert one.question.question[0].isupper() or not one.made_by.startswith("template")
        for piece in gold.evidence:
            assert corpus.by_id[piece.source_id].text[piece.start : piece.end].strip()
        if terms := one.question.metadata.get("absent"):
            document = one.question.metadata.get("absent_from")
            words = ground.words_of_document[document] if document else ground.words
            assert absent(terms, words) is None
    asked = {
        category: {one.question.question for one in candidates if one.category == category} for category in EXPECTED
    }
    assert not asked["answerable"] & asked["null_retrieval"]
    assert not asked["answerable"] & asked["tempt_wrong"]


def test_contracts_give_every_category(tmp_path):
    corpus = contracts(tmp_path)
    made = from_labels(corpus)
    held_by_all(made, corpus)
    assert {one.category for one in made} == set(EXPECTED)
    assert made == from_labels(corpus)


def test_a_near_miss_of_a_contract_is_of_another_agreement_with_the_other_answer(tmp_path):
    corpus = contracts(tmp_path)
    answers = {label.id: label.gold.answer for label in corpus.labelled}
    near = [one for one in from_labels(corpus) if one.category == "tempt_wrong"]
    assert near
    for one in near:
        key = one.question.id.rpartition("-nda-")[2]
        other = one.question.metadata["other_documents"][0]
        assert {one.question.gold.answer, answers[f"{other}-nda-{key}"]} == {"Yes", "No"}
        assert f"{other}#" in one.question.gold.why


def test_the_false_premise_of_a_contract_is_what_people_found_it_not_to_say(tmp_path):
    corpus = contracts(tmp_path)
    answers = {label.id: label.gold.answer for label in corpus.labelled}
    turned = [one for one in from_labels(corpus) if one.made_by == "labels:false_premise"]
    assert turned
    for one in turned:
        label = one.question.id.partition("labels:false_premise:")[2]
        hypothesis = HYPOTHESES["nda-" + label.rpartition("-nda-")[2]]
        said = hypothesis.opposite if answers[label] == "Yes" else hypothesis.says
        assert one.question.question.startswith("Why does the non-disclosure agreement with ")
        assert one.question.question.endswith(f" {said}?")


def test_an_agreement_that_was_never_made_and_one_of_another_year(tmp_path):
    corpus = contracts(tmp_path)
    made = from_labels(corpus)
    never = [one for one in made if one.made_by == "template:never_made"]
    assert len(never) == 5
    assert "between Alder Freight, Inc. and Harrow Dairy, Inc." in never[0].question.question
    years = [one.question.question for one in made if one.made_by == "template:another_year"]
    assert any("the 2004 non-disclosure agreement with Alder Freight, Inc." in question for question in years)


def test_a_question_that_names_no_agreement_is_ambiguous_only_where_two_answer_differently(tmp_path):
    made = [one for one in from_labels(contracts(tmp_path)) if one.made_by == "labels:ambiguous"]
    assert len(made) == 2 * 4  # hypotheses 1, 8, 12 and 19 have both labels that count, in two wordings each
    assert all(one.document == "" and len(one.question.metadata["other_documents"]) == 2 for one in made)
    assert not any("Inc." in one.question.question for one in made)


def test_ambiguous_templates_need_two_documents_that_speak_of_the_thing(tmp_path):
    asked = {one.question.question for one in from_labels(contracts(tmp_path)) if one.made_by == "template:ambiguous"}
    assert asked <= {question for question, _ in AMBIGUOUS_CONTRACTS}
    assert "Which courts have jurisdiction over disputes?" not in asked


# --- abstracts


@pytest.mark.parametrize(
    ("question", "alone"),
    [
        ("Does cold tea shorten colds in young adults?", True),
        ("Cold tea in young adults: does it shorten colds?", True),
        ("Is it useful to drink cold tea?", False),  # nothing says what "it" is
        ("What shortens colds in young adults today?", False),  # not to be answered with yes or no
        ("Is cold tea or hot tea better for adults?", False),  # a choice
        ("Cold tea, a new remedy for young adults?", False),  # no verb
        ("Does tea help?", False),  # too short to say what of
        ("DOES COLD TEA SHORTEN COLDS IN YOUNG ADULTS?", False),  # shouted
        ("Should our hospital give cold tea to patients?", False),  # whose?
    ],
)
def test_a_title_that_is_a_question_by_itself(question, alone):
    assert from_labels_abstracts.stands_alone(question) == alone


def abstracts(tmp_path):
    subjects = ["tea", "honey", "garlic", "ginger", "onion", "mint", "sage", "thyme", "broth", "lemon"]
    held = {}
    for number in range(60):
        subject, group = subjects[number % 10], f"group{number}"
        decision = "yes" if number // 10 % 2 else "no"
        verb = "shortens" if decision == "yes" else "does not shorten"
        held[str(100 + number)] = {
            "QUESTION": f"Does warm {subject} shorten bronchitis in {group} adults?",
            "CONTEXTS": [f"We gave warm {subject} to {30 + number} {group} adults.", f"Bronchitis took {number} days."],
            "LABELS": ["METHODS", "RESULTS"],
            "LONG_ANSWER": f"Warm {subject} {verb} bronchitis in {group} adults.",
            "final_decision": decision,
        }
    path = tmp_path / "ori_pqal.json"
    path.write_text(json.dumps(held), "utf-8")
    return read_pubmedqa(path)


def test_abstracts_give_what_their_labels_carry(tmp_path):
    corpus = abstracts(tmp_path)
    made = from_labels(corpus)
    held_by_all(made, corpus)
    counted = Counter(one.made_by for one in made)
    assert counted["labels:answered"] > 5
    assert counted["labels:contradicted"] > 5
    assert counted["labels:false_premise"] > 2
    assert any(one.category == "unanswerable" for one in made)


def test_the_false_premise_of_an_abstract_takes_up_a_question_answered_with_no(tmp_path):
    corpus = abstracts(tmp_path)
    answers = {label.id: label.gold.answer for label in corpus.labelled}
    for one in from_labels(corpus):
        if one.made_by == "labels:false_premise":
            assert answers[one.document] == "No"
            assert one.question.question.startswith("Why does warm ")
            assert one.question.gold.answer.startswith("It is not so: Warm ")


def test_what_an_abstract_does_not_give_is_asked_of_that_abstract(tmp_path):
    made = [one for one in from_labels(abstracts(tmp_path)) if one.category == "unanswerable"]
    for one in made:
        assert one.question.metadata["absent_from"] == one.document
        assert "“Does warm " in one.question.question


# --- articles


@every_row(
    ("question", "alone"),
    [
        ("When was the mill at Westmoor built?", True),
        ("In what year did Ada Quill buy the mill?", True),
        ("When did he buy the mill at Westmoor?", False),  # who?
        ("What happened after this event in Westmoor?", False),
        ("What did the mill at Westmoor not grind?", False),  # denies
        ("What is not true of the Westmoor mill?", False),
        ("How many workers did the place employ?", False),  # names nothing
        ("The mill at Westmoor was built when?", False),
        ("when was the mill at Westmoor built?", False),
        ("When was the mill at Westmoor built", False),
        ("Who won the Nobel Prize in 1905?", False),  # which of them?
        ("When did French learn of the mill at Westmoor?", False),  # "the" is missing
        ("Who is currently the owner of the Westmoor mill?", False),  # depends on the day of asking
        ("What is the mill at Westmoor famous for the building of?", False),
    ],
)
def test_a_question_that_can_be_read_without_its_paragraph(question, alone):
    assert article_wording.stands_alone(question, "Corn_trade") == alone


def label_of(answer, *aliases, question="When was the Westmoor mill built in France?", evidence="Mill#1"):
    gold = Gold(answer=answer, aliases=aliases, answerable=True, evidence=(GoldEvidence(source_id=evidence),))
    return Labelled(id="a", document="Mill", question=question, kind="answered", gold=gold)


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("When was the mill at Westmoor built?", "1780", True),
        ("When was the mill at Westmoor built?", "after the flood", False),
        ("When was the mill at Westmoor built?", "May 12", False),  # of which year?
        ("When in 1780 was the mill at Westmoor built?", "May 12", True),
        ("How many mills are at Westmoor?", "seven", True),
        ("How many mills are at Westmoor?", "a few", False),
        ("Who owned the mill at Westmoor?", "Ada Quill", True),
        ("What did the mill at Westmoor grind?", "oats and rye", True),
        ("What did the mill at Westmoor grind?", "The corn", False),  # one word of lower case
        ("How hot is the oven at Westmoor?", "1015 kelvins", False),  # 10 to the power of 15
    ],
)
def test_an_answer_tells_what_was_asked(question, answer, told):
    assert article_wording.tells(label_of(answer, question=question)) == told


@pytest.mark.parametrize(
    ("answers", "agreed"),
    [
        (("1780",), True),
        (("Ada Quill", "Quill", "the Quill"), True),
        (("Ada Quill", "Miss Quill"), False),  # a word in common, and two people perhaps
        (("Quill", "Quill and Harrow"), False),  # a list beside one thing
        (("well", "could not write it well but spoke with ease"), False),  # one says much more
        (("a king", "a queen"), False),  # an article is no agreement
        (("G", "protein A"), False),
        (("7",), True),
        (("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen",), False),
    ],
)  # fmt: skip
def test_answers_that_people_did_not_agree_on_are_left_out(answers, agreed):
    assert article_wording.agreed(label_of(*answers)) == agreed


@every_row(
    ("question", "swapped"),
    [
        ("Who ruled France in the time of floods?", "Who ruled England in the time of floods?"),
        ("Who was the French king of the old mills?", "Who was the English king of the old mills?"),
        ("Who was the French king at Westmoor?", None),  # what is known of Westmoor was not English
        ("Who ruled France then?", None),  # too little to tell what is asked
        ("Who founded the French Trading Company?", None),  # part of a longer name
        ("Who fought in the French and Indian War?", None),
        ("What is Westmoor called in French?", None),  # a matter of language
        ("Who ruled France and England?", None),  # two names of the kind
        ("Who ruled Westmoor?", None),
        ("By how much did the rents in France fall?", None),  # elsewhere they may not have fallen
        ("What was the largest mill of old in France?", "What was the largest mill of old in England?"),
        ("What was the largest mill of old in French?", None),  # a language
    ],
)
def test_a_name_is_put_for_another_of_its_kind(question, swapped):
    ground = Ground(corpus_of("A text on mills, with nothing on any land but France and the French king."))
    made = next(name_swapped(ground, label_of("Ada", question=question)), None)
    assert (made and made[0]) == swapped


def test_no_name_is_put_in_that_the_article_has():
    ground = Ground(corpus_of("France and England had mills."))
    made = next(name_swapped(ground, label_of("Ada", question="Who ruled and taxed old France then?")))
    assert made[2] == "Spain"


@pytest.mark.parametrize(
    ("question", "swapped"),
    [
        ("Who bought the mill in 1780?", "Who bought the mill in 1778?"),  # 1782 and 1783 stand in the text
        ("Who has owned the mill since 1780?", None),  # is true of later years too
        ("Who owned it in 1780 and who in 1790?", None),
        ("Who bought the mill for $1780?", None),  # no year
        ("Who destroyed the mill in 1780?", None),  # it was not destroyed in each year
    ],
)
def test_a_year_is_put_for_one_that_the_article_does_not_mention(question, swapped):
    ground = Ground(corpus_of("The mill was bought in 1780, sold in 1782 and burnt in 1783."))
    made = year_swapped(ground, label_of("Ada Quill", question=question))
    assert (made and made[0]) == swapped


@every_row(
    ("text", "answer", "question", "held"),
    [
        ("The Westmoor mill was opened by Ada Quill.", "Ada Quill", "Who opened the Westmoor mill?", True),
        ("The Westmoor mill was opened by Ada Quill.", "da Quill", "Who opened the Westmoor mill?", False),  # cut off
        ("The Westmoor mill was opened by Ada Quill and Ben Harrow.", "Ada Quill and Ben Harrow", "Who was the owner that opened the Westmoor mill?", False),
        ("The Westmoor mill was opened by two heirs, Ada Quill and Ben Harrow.", "Ada Quill and Ben Harrow", "Which heirs opened the Westmoor mill?", True),
        ("The Westmoor mill was opened by Ada Quill in England.", "Ada Quill", "Who opened the Westmoor mill?", False),  # and in France?
        ("The Westmoor mill was opened by Ada Quill in England.", "Ada Quill", "Who opened the Westmoor mill in England?", True),
        ("The Westmoor mill was run by Ada Quill in 1780.", "Ada Quill", "Who is it that runs the Westmoor mill?", False),  # then
        ("The Westmoor mill is run by Ada Quill.", "Ada Quill", "Who is it that runs the Westmoor mill?", True),
        ("The Westmoor mill had a rival in Eastvale.", "Eastvale", "Where was the main rival of the Westmoor mill?", False),  # one of some
        ("The Westmoor mill ground grains such as oats.", "oats", "What grains did the Westmoor mill grind, ground by stone?", False),
        ("It is said that the Westmoor mill was opened by Ada Quill.", "Ada Quill", "Who opened the Westmoor mill?", False),
        ("The Westmoor mill asked for the right to grind in 1780.", "1780", "When did the Westmoor mill gain the right to grind?", False),
        ("The old Westmoor mill was the best in town until 1796.", "until 1796", "How long was the old Westmoor mill the best in town?", False),
        ("The old Westmoor mill was the best in town for ten years.", "ten years", "How long was the old Westmoor mill the best in town?", True),
        ("The Westmoor Corn Exchange was opened.", "Corn", "What Westmoor exchange was opened?", False),  # half a name
    ],
)  # fmt: skip
def test_an_answer_holds_for_what_the_question_says(text, answer, question, held):
    ground = Ground(corpus_of(text, "Mills of France and England."))
    start = text.index(answer)
    gold = Gold(
        answer=answer,
        answerable=True,
        evidence=(GoldEvidence(source_id="Mill#1", start=start, end=start + len(answer)),),
    )
    label = Labelled(id="a", document="Mill", question=question, kind="answered", gold=gold)
    assert borne_out(ground, label) is held


@pytest.mark.parametrize(
    ("title", "text", "written"),
    [
        ("Water mill", "Men spoke of the water mill. Few knew about the water mill.", "the water mill"),
        ("Water mill", "He wrote on water mills, and she spoke of water mills.", "water mills"),
        ("Water mill", "Parts of a big water mill. Blades for a small water mill.", None),  # no bare form to copy
        (
            "Water mill",
            "The sale of water mill parts, and the trade in water mill wheels.",
            None,
        ),  # part of a longer name
        ("Westmoor", "They went to Westmoor. In the streets of Westmoor.", "Westmoor"),
        ("Millers", "The guild of Millers, and a law for Millers. A tax on the Millers.", "the Millers"),
        ("Millers", "Nothing at all.", None),
    ],
)
def test_a_subject_is_written_as_its_article_writes_it_within_a_sentence(title, text, written):
    assert as_written(title, [text]) == written


def test_a_subject_that_stands_in_no_sentence_gives_no_questions():
    def asked(text):
        sources = (Source(source_id="a", text=text, metadata={"document": "Water_mill", "start": 0}),)
        corpus = Corpus(name="squad2", origin="here", licence="CC0", sources=sources, labelled=())
        return [one.question.question for one in article_refusals(Ground(corpus))]

    assert asked("The sale of water mill parts.") == []
    made = asked("Men spoke of the water mill. Few knew about the water mill.")
    assert len(made) == 2
    assert all(" the water mill" in question and "“" not in question for question in made)


def test_a_condition_is_found_as_a_whole_word():
    sources = (
        Source(source_id="a", text="Goutweed grows here.", metadata={"document": "a", "start": 0}),
        Source(source_id="b", text="Gout was treated.", metadata={"document": "b", "start": 0}),
    )
    corpus = Corpus(name="pubmedqa", origin="here", licence="CC0", sources=sources, labelled=())
    made = [one for one in abstract_refusals(Ground(corpus)) if one.document]
    assert made
    assert {one.document for one in made} == {"b"}


def articles(tmp_path):
    places = ["Westmoor", "Eastvale", "Norwick", "Dunmere", "Harlow", "Quillby", "Alderton", "Ferrybridge"]
    data = []
    for number, place in enumerate(places):
        paragraphs = []
        for part in range(6):
            year = 1700 + number * 30 + part
            text = f"The bridge of {place} number {part} was opened in {year} by Ada Quill in the rain. A flood broke the bridge of {place} in {year + 12}."
            asked = [
                {"id": f"{place}-{part}-a", "question": f"In what year was bridge number {part} of {place} opened?",
                 "answers": [{"text": str(year), "answer_start": text.index(str(year))}]},
                {"id": f"{place}-{part}-c", "question": f"Who opened the bridge number {part} of {place} in the rain?",
                 "answers": [{"text": "Ada Quill", "answer_start": text.index("Ada")}]},
                {"id": f"{place}-{part}-b", "question": f"Who designed the bridge number {part} of {place} for Poland and Sweden?",
                 "is_impossible": True, "answers": []},
            ]  # fmt: skip
            paragraphs.append({"context": text, "qas": asked})
        data.append({"title": f"{place}_bridges", "paragraphs": paragraphs})
    data.append({"title": "Painting", "paragraphs": [{"context": "She designed hats for money.", "qas": []}]})
    path = tmp_path / "dev-v2.0.json"
    path.write_text(json.dumps({"data": data}), "utf-8")
    return read_squad2(path)


def test_articles_give_answers_near_misses_and_what_is_not_said(tmp_path):
    corpus = articles(tmp_path)
    made = from_labels(corpus)
    held_by_all(made, corpus)
    counted = Counter((one.category, one.made_by) for one in made)
    assert counted["answerable", "labels:answered"] > 3
    assert counted["null_retrieval", "labels:answered"] > 0
    assert counted["tempt_wrong", "labels:near_miss"] > 5
    assert counted["unanswerable", "labels:absent"] > 5
    for one in made:
        if one.made_by == "labels:near_miss":
            assert one.question.gold.answer not in one.question.gold.why.partition("(")[2].partition(")")[0]
        if one.made_by == "labels:absent":
            assert "Poland" in one.question.metadata["absent"]


def test_a_misspelt_question_is_left_out(tmp_path):
    corpus = articles(tmp_path)
    label = next(label for label in corpus.labelled if share_of(label.id) < 3 and label.kind == "answered")
    wrong = label.model_copy(update={"question": label.question.replace("opened", "openned")})
    corpus = corpus.model_copy(update={"labelled": (label, wrong.model_copy(update={"id": label.id}))})
    asked = [one.question.question for one in from_labels(corpus) if one.made_by.startswith("labels:")]
    assert asked == [label.question]


# --- other labelled corpora


def test_labels_of_another_corpus_are_asked_as_they_are():
    gold = Gold(answer="1780", answerable=True, evidence=(GoldEvidence(source_id="Mill#1"),))
    labels = [
        Labelled(id=f"l{n}", document="Mill", question=f"When was mill {n} built?", kind="answered", gold=gold)
        for n in range(40)
    ]
    labels.append(Labelled(id="no", document="Mill", question="Who?", kind="absent", gold=Gold(answerable=False)))
    made = [one for one in from_labels(corpus_of("Built in 1780.", labelled=tuple(labels))) if one.document]
    counted = Counter(one.category for one in made)
    assert counted["unanswerable"] == 1
    assert counted["answerable"] + counted["null_retrieval"] == 40
    assert counted["null_retrieval"] == sum(share_of(label.id) >= 8 for label in labels[:-1])


def test_a_corpus_without_labels_gives_world_knowledge_alone():
    assert {one.category for one in from_labels(corpus_of("Built in 1780."))} == {"tempt_unsupported"}


# --- the labelled data beside the checkout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["contractnli", "squad2", "pubmedqa"])
def test_the_data_beside_the_checkout_carries_the_protocol(name):
    path = DATA / f"{name}.jsonl.gz"
    if not path.exists():
        pytest.skip(f"../shared/data/qa/{path.name} is not beside this checkout")
    corpus = open_corpus(f"{name}:{path}")
    made = from_labels(corpus)
    held_by_all(made, corpus)
    counted = Counter(one.category for one in made)
    for category, count in counts_for(156).items():
        assert counted[category] >= count, category
