"""Edited training pairs. Every sentence and every expected reading is written by hand."""

import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest
from tables import every_row

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from edits import (
    KINDS,
    Scope,
    condition,
    dates,
    direction,
    make,
    modality,
    name,
    negation,
    number,
    quantifier,
    role,
    unit,
)
from edits.clause import apposition, asides_dropped, halves
from edits.discourse import trimmed
from edits.passage import clean, usable, window
from edits.reword import SUBSTITUTES, apply_spots, figure_spots, reword
from edits.surface import put


def dice(seed):
    return Random(seed)  # noqa: S311


PASSAGE = (
    "Mara Lindqvist founded Orbex Shipping in 1987 with eleven ships. "
    "The company moved its offices from Bergen to Oslo on 3 May 1994. "
    "Revenue rose by 12% to $48 million before the merger with Halden Lines. "
    "Most of the captains may refuse a voyage if the weather is severe. "
    "Tomas Reyes, a former harbour pilot, was hired by the board in 2001, and the fleet was sold two years later. "
    "All drivers carry a radio, which is tested every morning (see the handbook). "
    "The northern terminal was opened by Halden Lines in 2003 and closed after seven years."
)


def _texts(family, sentence, *around, others=(), tries=40):
    scope = Scope([sentence, *around], others)
    return {c.text: (c.onward, c.back) for seed in range(tries) for c in family(sentence, scope, dice(seed))}


@every_row(
    ("family", "sentence", "expected"),
    [
        (unit.changes, "The mine produced 3 million tons of ore.", "The mine produced 3 billion tons of ore."),
        (unit.changes, "Patients received 5 mg of the drug.", "Patients received 5 g of the drug."),
        (unit.changes, "Tickets for the show cost $30 each.", "Tickets for the show cost £30 each."),
        (direction.changes, "Profits rose in the second quarter.", "Profits fell in the second quarter."),
        (direction.changes, "It closed before the war.", "It closed after the war."),
        (negation.changes, "The bridge was built by the army.", "The bridge was not built by the army."),
        (negation.changes, "The price rose in March.", "The price did not rise in March."),
        (negation.changes, "The bridge was not built by the army.", "The bridge was built by the army."),
        (negation.changes, "The firm did not sell the yard.", "The firm sold the yard."),
        (role.changes, "Rome conquered Carthage in 146 BC.", "Carthage conquered Rome in 146 BC."),
        (role.changes, "Norway was defeated by Sweden.", "Sweden was defeated by Norway."),
        (condition.turned, "A refund is due if the item is broken.", "A refund is due unless the item is broken."),
        (name.changes, "Anna Berg taught music to Piotr Nowak.", "Piotr Nowak taught music to Anna Berg."),
    ],
)
def test_an_edit_contradicts_the_sentence(family, sentence, expected):
    assert _texts(family, sentence)[expected] == (False, False)


@pytest.mark.parametrize(
    ("family", "sentence", "edited", "onward", "back"),
    [
        (quantifier.changes, "All members of the crew survived.", "Some members of the crew survived.", True, False),
        (quantifier.changes, "Most members of the crew survived.", "All members of the crew survived.", False, True),
        (quantifier.changes, "At least 40 homes were lost.", "At most 40 homes were lost.", False, None),
        (modality.changes, "The drug may cause sleep.", "The drug will cause sleep.", False, None),
        (modality.changes, "She tried to win the race.", "She won the race.", False, None),
        (modality.changes, "The tomb is thought to be older.", "The tomb is older.", False, None),
        (
            condition.changes,
            "The buyer may return the goods if they arrive broken.",
            "The buyer may return the goods.",
            False,
            None,
        ),
        (role.changes, "Rome conquered Carthage in 146 BC.", "Carthage was conquered by Rome in 146 BC.", True, True),
        (role.changes, "Norway was defeated by Sweden.", "Sweden defeated Norway.", True, True),
    ],
)
def test_an_edit_knows_which_way_entailment_runs(family, sentence, edited, onward, back):
    assert _texts(family, sentence)[edited] == (onward, back)


@pytest.mark.parametrize(
    ("family", "sentence"),
    [
        (quantifier.changes, "Not all members of the crew survived."),  # under a negation the directions turn round
        (negation.changes, "Some of the ships were lost."),  # `some were not` may hold as well
        (negation.changes, "When it rains, the road is closed."),  # no plain subject before the verb
        (name.changes, "Anna Berg married Piotr Nowak."),  # it holds both ways
        (name.changes, "The cast held Anna Berg, Piotr Nowak and Lena Holm."),  # a list has no order
        (condition.changes, "The guard asked the driver if he was tired."),  # a question, no condition
        (condition.changes, "The order was granted only after a long appeal."),  # it was granted all the same
        (role.changes, "He conquered Carthage in 146 BC."),
        (direction.changes, "At first the crew of the ship was calm."),
        (modality.changes, "The drug may not cause sleep."),
    ],
)
def test_where_the_label_would_be_unsure_nothing_is_made(family, sentence):
    assert _texts(family, sentence) == {}


def test_figures_and_dates_come_from_the_passage_or_near():
    found = _texts(number.changes, "The mill has 14 wheels and 52 workers.", "The yard has 77 cranes.")
    assert "The mill has 52 wheels and 14 workers." in found
    assert any("77" in text for text in found)
    years = _texts(dates.changes, "The mill burned down in 1871.", "It was rebuilt in 1874.")
    assert "The mill burned down in 1874." in years
    assert "The mill burned down in 1871." not in years


def test_a_name_is_changed_for_one_of_its_kind():
    found = _texts(
        name.changes, "The fair is held in Bergen.", "Ships are built in Narvik.", "Anna Berg was the first head."
    )
    assert set(found) == {"The fair is held in Narvik."}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opened on 3 May 2010.", "It opened on May 3, 2010."),
        ("It opened on May 3, 2010.", "It opened on 3 May 2010."),
        ("Sales fell by 50% last year.", "Sales fell by 50 percent last year."),
        ("It cost 1.5 million crowns.", "It cost 1,500,000 crowns."),
        ("It cost 1,500,000 crowns.", "It cost 1.5 million crowns."),
        ("They hired twelve pilots.", "They hired 12 pilots."),
        ("A fleet of 12 ships sailed.", "A fleet of twelve ships sailed."),
    ],
)
def test_figures_are_written_in_another_way(text, expected):
    assert apply_spots(text, figure_spots(text), 1) == expected


@pytest.mark.parametrize(
    "text",
    [
        "No more than 500 riders took part.",
        "The next several years were quiet.",
        "The lake has begun to freeze, and Big Ben has started to chime.",
        'The sign said "purchased in order to help".',
    ],
)
def test_rewording_leaves_what_it_would_break(text):
    for seed in range(30):
        said = reword(text, dice(seed))
        assert "no over" not in said.lower()
        assert "next a number" not in said
        assert "has began" not in said
        assert '"purchased in order to help"' in said or '"' not in text


def test_the_table_of_substitutes_is_large_and_changes_something():
    assert len(SUBSTITUTES) >= 250
    assert all(new and new != old for old, news in SUBSTITUTES.items() for new in news)


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("It is an old law.", "old", "new", "It is a new law."),
        ("It is a new law.", "new", "old", "It is an old law."),
        ("Several men left.", "Several", "many", "Many men left."),
    ],
)
def test_put_keeps_articles_and_capitals(text, old, new, expected):
    start = text.index(old)
    assert put(text, start, start + len(old), new) == expected


def test_clauses():
    assert halves("The mill burned down in 1871, and the town was abandoned a year later.") == (
        "The mill burned down in 1871.",
        "The town was abandoned a year later.",
    )
    assert halves("Nobody believed that the mill burned down, and the town was abandoned.") is None
    told = apposition("Anna Berg, a former pilot, was hired by the board.")
    assert told == ("Anna Berg was a former pilot.", "Anna Berg was hired by the board.", "Anna Berg")
    shortened = {
        asides_dropped("The mill was sold in 1871 (see above), which upset the town.", dice(s)) for s in range(20)
    }
    assert "The mill was sold in 1871." in shortened


def test_openers_are_trimmed():
    assert trimmed("However, the mill was sold.") == "The mill was sold."
    assert trimmed("In 1871, the mill was sold.") == "In 1871, the mill was sold."


def test_tokenised_text_is_cleaned():
    assert clean("Kim -LRB- born 1941 -RRB- was `` head '' of state .") == 'Kim (born 1941) was "head" of state.'


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The mill was sold to a brewer.", True),
        ("Was the mill sold to a brewer?", False),
        ("It was sold.", False),
        ('The mill was sold to a "brewer.', False),
        ("A mill by the old river.", False),
    ],
)
def test_only_whole_statements_are_edited(sentence, expected):
    assert usable(sentence, dice(1)) is expected


def test_a_window_keeps_whole_sentences_and_its_length():
    sentences = [f"Sentence {i} has just seven words here." for i in range(60)]
    for seed in range(50):
        before, after = window(sentences, 30, 30, dice(seed))
        assert [*before, sentences[30], *after] == sentences[30 - len(before) : 31 + len(after)]
        assert len(" ".join([*before, sentences[30], *after]).split()) <= 200


@cache
def _made(rounds=20):
    return [e for seed in range(rounds) for e in make(PASSAGE, dice(seed))]


def test_pairs_of_both_labels_and_the_same_for_the_same_seed():
    made = _made()
    assert make(PASSAGE, dice(7)) == make(PASSAGE, dice(7))
    labels = {(e.kind, e.label) for e in made}
    for kind in ("number", "date", "negation", "direction", "condition", "truncated", "joined", "reword", "turned"):
        assert {(kind, 0), (kind, 1)} <= labels
    assert {e.kind for e in made} <= set(KINDS)


def test_the_passage_is_edited_as_well_as_the_claim():
    made = [e for e in _made() if e.kind in ("negation", "direction", "date")]
    whole = clean(PASSAGE)
    edited = {e.label for e in made if e.passage not in whole}
    assert edited == {0, 1}


def test_a_truncated_passage_no_longer_holds_the_sentence():
    for e in _made():
        if e.kind == "truncated" and e.label == 0:
            assert e.claim not in e.passage


def test_an_edit_inside_an_aside_is_not_dropped_with_it():
    passage = "Karin Holm (born 4 June 1951), who won the cup in 1972, is a Danish rower and coach."
    made = [e for seed in range(80) for e in make(passage, dice(seed)) if e.kind in ("date", "figure", "clause")]
    wrong = [e for e in made if e.label == 0 and e.passage == passage]
    assert wrong
    assert "Karin Holm is a Danish rower and coach." not in {e.claim for e in wrong}
