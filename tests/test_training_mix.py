"""What becomes of training pairs on their way into the mix. Every row is written by hand."""

import gzip
import json
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

import make_context
import mix
import paraphrase

PASSAGE = "The dam was finished in 1974. It holds two cubic kilometres of water. Fishing is not allowed there."


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("The dam was finished in 1974 by the state.", "The state completed the dam in 1974.", True),
        ("The dam was finished in 1974 by the state.", "The dam was finished in 1974 by the state.", False),
        ("The dam was finished in 1974 by the state.", "The state completed the dam in 1947.", False),
        ("The dam was finished by Lena Ortiz in May.", "In May the dam was completed by Lena Ortiz.", True),
        ("The dam was finished by Lena Ortiz in May.", "In May the dam was completed by Lena.", False),
        ("Ortiz's plan was not adopted by Norway's council.", "Norway’s council did not adopt Ortiz’s plan.", True),
        ("The plan was not adopted by the council.", "The council adopted the plan in the end.", False),
        ("The plan was adopted by the council.", "The council did not adopt the plan.", False),
        ("The plan was adopted by the council after years.", "It was.", False),
        ("Water flows to the mill and the farm.", "Water goes to the mill and to the mill and to the mill.", False),
    ],
    ids=[
        "said anew",
        "the same",
        "number",
        "order",
        "name",
        "genitive",
        "negation lost",
        "negation won",
        "cut",
        "loop",
    ],
)
def test_a_translation_counts_where_it_has_what_must_not_change(before, after, kept):
    assert paraphrase.keeps(before, after) is kept


def test_the_parts_of_a_text_are_the_text():
    for text in (PASSAGE, " " + PASSAGE + "\n", "", "No sentence ends here"):
        assert "".join(paraphrase.parts_of(text)) == text


def row_that_changes(side, label):
    """Find a row of which the seed has this side said anew."""
    for number in range(1000):
        row = {"claim": f"The dam of 1974 has number {number}.", "passage": PASSAGE, "label": label}
        if paraphrase.chosen_side(row) == side:
            return row
    raise AssertionError(side)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("side", ["claim", "passage", "both"])
def test_the_chosen_side_is_said_anew_and_the_label_stays(side, label):
    row = row_that_changes(side, label)
    sentences = {one.strip() for one in paraphrase.wanted([row])}
    assert (row["claim"] in sentences) is (side != "passage")
    assert ("The dam was finished in 1974." in sentences) is (side != "claim")
    table = {one: f"In other words: {one}" for one in paraphrase.wanted([row])}
    said = paraphrase.said_anew(row, table)
    assert said["label"] == label
    assert said["before"] == PASSAGE
    assert said["claim"].startswith("In other words") is (side != "passage")
    assert ("In other words" in said["passage"]) is (side != "claim")


def test_a_row_of_which_nothing_was_translated_well_is_left_out():
    assert paraphrase.said_anew(row_that_changes("both", 1), {}) is None


def test_translations_are_kept_between_runs(tmp_path):
    class Once:
        asked = 0

        def there_and_back(self, sentences):
            self.asked += len(sentences)
            return [f"{one} Indeed." for one in sentences]

    translator = Once()
    for _ in range(2):
        table = paraphrase.fill(tmp_path / "said.jsonl", ["The dam was finished by the state."], translator)
    assert translator.asked == 1
    assert table == {"The dam was finished by the state.": "The dam was finished by the state. Indeed."}


def write_rows(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
    return path


TOPICS = ("bridge", "orchard", "violin", "harbour", "glacier", "printer", "tunnel", "bakery", "comet", "saddle")
DEEDS = ("shook", "burned", "sang", "froze", "vanished", "grew", "rusted", "won", "slept", "rose")
TIMES = ("Yesterday", "Monday", "Rarely", "Soon", "Often", "Later", "Once", "Twice", "Now", "Then")


def short_rows():
    return [
        {
            "claim": f"The {topic} {deed}.",
            "passage": f"{time} our {topic} {deed}",
            "label": (at + shift) % 2,
        }
        for shift in range(10)
        for at, topic in enumerate(TOPICS)
        for deed, time in [(DEEDS[(at + shift) % 10], TIMES[(at + 3 * shift) % 10])]
    ]


def test_a_sentence_stands_whole_among_others_that_do_not_say_it(tmp_path):
    rows = {row["claim"]: row for row in short_rows()}
    twins = [{"claim": "It is so.", "passage": f"Loudly {row['claim']}", "label": 0} for row in short_rows()]
    path = write_rows(tmp_path / "some.all.jsonl.gz", [*rows.values(), *twins])
    made = [one for one in make_context.in_context(path, 150, seed=3) if one["claim"] in rows]
    assert len(made) > 50
    for one in made:
        own = rows[one["claim"]]
        assert own["passage"] + "." in one["passage"]
        assert one["label"] == own["label"]
        assert len(one["passage"].split()) > len(own["passage"].split())
        topic, deed = one["claim"].removesuffix(".").split()[1:]
        others = one["passage"].replace(own["passage"] + ".", "").split(".")
        assert not [text for text in others if topic in text and deed in text]
    assert len({one["passage"].index(rows[one["claim"]]["passage"]) for one in made}) > 3


def test_context_is_the_same_for_the_same_seed(tmp_path):
    path = write_rows(tmp_path / "some.all.jsonl.gz", short_rows())
    assert list(make_context.in_context(path, 9, seed=3)) == list(make_context.in_context(path, 9, seed=3))
    assert list(make_context.in_context(path, 9, seed=3)) != list(make_context.in_context(path, 9, seed=4))


def test_what_is_held_back_stays_so_in_other_words():
    held = next(row for row in short_rows() if mix.is_held(row))
    assert mix.is_held(held | {"passage": "In other words", "before": held["passage"]})


def test_no_passage_of_dev_is_in_the_mix(tmp_path, capsys):
    dev = "Twelve words in a row that stand in a passage of dev, no fewer."
    write_rows(tmp_path / "entail" / "dev" / "one.jsonl.gz", [{"claim": "c", "passage": dev, "label": 1}])
    write_rows(
        tmp_path / "entail" / "train" / "two.jsonl.gz",
        [{"claim": "It is so.", "passage": f"Before it. {dev} After it.", "label": 1}, *short_rows()],
    )
    rows = list(mix.mix(tmp_path, []))
    assert len(rows) == len(short_rows())
    assert "1 dropped" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"label": 1}, "entailed"),
        ({"label": 0, "raw_label": "contradiction"}, "contradicted"),
        ({"label": 0, "raw_label": "REFUTES"}, "contradicted"),
        ({"label": 0, "raw_label": "neutral"}, "neutral"),
        ({"label": 0}, "not_entailed"),
    ],
)
def test_an_outcome_is_what_the_label_says(row, expected):
    assert mix.outcome(row) == expected


def test_random_draws_come_from_the_seed():
    pool = [(row["passage"], make_context.content(row["passage"])) for row in short_rows()]
    row = short_rows()[0]
    assert make_context.beside(row, pool, Random(1)) == make_context.beside(row, pool, Random(1))  # noqa: S311
