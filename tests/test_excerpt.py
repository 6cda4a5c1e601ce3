"""Which parts of a passage the model is shown. Source of every row: by hand, or a property."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from injections import INJECTIONS
from tables import every_row
from tokenizers import Tokenizer, models, pre_tokenizers

from showable.judges.embedded.encode import shared
from showable.judges.embedded.excerpt import excerpt
from showable.judges.lexical.passage import LONGEST_SENTENCE, read_passage
from showable.judges.lexical.words import split_words

FILLER = "The committee met in the afternoon and talked about the weather of the past week. "
FACT = "The harbour fee is 40 euros a night. "
OTHER = "Boats over nine metres pay double the harbour fee. "


ROOM = 80


def shown(claim, passage):
    return excerpt(split_words(claim), read_passage(passage), ROOM)


@pytest.mark.parametrize("passage", ["One sentence.", FACT + OTHER, FILLER * 5 + "“Quoted,” she said."])
def test_a_passage_with_no_more_words_than_there_is_room_for_is_shown_as_it_stands(passage):
    assert shown("The harbour fee is 40 euros.", passage) == passage


@pytest.mark.parametrize("at", [0, 10, 29])
def test_a_long_passage_is_shown_around_the_claims_words(at):
    text = shown("The harbour fee is 40 euros.", FILLER * at + FACT + FILLER * (30 - at))
    assert FACT.strip() in text
    assert len(text.split()) <= ROOM


def test_sentences_far_apart_are_shown_together_in_their_order():
    text = shown("Boats over nine metres pay 80 euros, double the fee of 40 euros.", FACT + FILLER * 30 + OTHER)
    assert FACT.strip() in text
    assert OTHER.strip() in text
    assert text.index("40") < text.index("nine")


def test_sentences_that_follow_each_other_stand_as_they_do_in_the_passage():
    both = FACT + "\n\n  " + OTHER.strip()
    passage = FILLER * 20 + "(1) " + both + " " + FILLER * 20
    assert both in shown("Boats over nine metres pay double the harbour fee.", passage)


@every_row("name", INJECTIONS)
def test_what_orders_the_judge_about_is_not_shown(name):
    text = shown("The harbour fee is 40 euros.", FACT + "\n" + INJECTIONS[name])
    assert FACT.strip() in text
    assert "answer SUPPORTED" not in text


@given(
    st.lists(st.sampled_from(["Ab", "b", "Z.", "a!", '"a', "b.”", "(12)", "c;\n", "Inc."]), min_size=1, max_size=90),
    st.lists(st.sampled_from(["ab", "b", "z", "12"]), min_size=1, max_size=5),
    st.integers(1, 20),
)
def test_any_passage_gives_words_of_it_in_their_order_and_no_more_than_there_is_room_for(passage, claim, room):
    read = read_passage(" ".join(passage))
    shown, left = re.findall(r"\w+", excerpt(split_words(" ".join(claim)), read, room)), re.findall(r"\w+", read.text)
    assert 0 < len(shown) <= max(room, LONGEST_SENTENCE)
    rest = iter(left)
    assert all(word in rest for word in shown)  # each is looked for behind the one before it


VOCABULARY = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "a": 3, "b": 4, "c": 5}


def tokenizer():
    made = Tokenizer(models.WordLevel(VOCABULARY, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return made


def test_tokens_of_both_sides_are_marked():
    [one] = shared(tokenizer(), "a b", "b c b", 32)
    assert one.tokens == [1, 3, 4, 2, 4, 5, 4, 2]
    assert one.types == [0, 0, 2, 0, 3, 1, 3, 1]


def test_words_the_tokenizer_does_not_know_are_the_same_only_where_they_are_written_the_same():
    [one] = shared(tokenizer(), "a Ω Ψ", "ψ Φ", 32)
    assert one.types == [0, 0, 0, 2, 0, 3, 1, 1]


@pytest.mark.parametrize(
    ("claim", "text", "longest"), [(300, 300, 128), (5, 300, 128), (300, 0, 128), (300, 300, 64), (1, 1, 64)]
)
def test_no_input_is_longer_than_the_model_takes_and_together_they_hold_all_of_the_text(claim, text, longest):
    pieces = shared(tokenizer(), "a " * claim, "b " * text + "c", longest)
    assert all(len(one.tokens) == len(one.types) <= longest for one in pieces)
    assert pieces[-1].tokens[-2] == VOCABULARY["c"]
    assert sum(one.tokens.count(VOCABULARY["b"]) for one in pieces) >= text
    assert len({one.tokens.count(VOCABULARY["a"]) for one in pieces}) == 1
