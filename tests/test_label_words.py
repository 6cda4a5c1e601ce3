"""Labels as people write them: words are numbers, and which was which is printed once."""

import json

import pytest

from showable.validation.rows import LABEL_WORDS, LabelledPair, LabelledResponse, labels_read

ROW = {"claim": "The notice is thirty days.", "passage": "Notice: thirty days."}
WORDS = [
    # as written, its number, source
    ("Supported", 1.0, "annotation tools write capitals"),
    ("yes", 1.0, "a survey"),
    ("PASS", 1.0, "a test report"),
    (True, 1.0, "JSON"),
    ("TRUE", 1.0, "a spreadsheet"),
    ("entailed", 1.0, "natural language inference"),
    ("1", 1.0, "a CSV turned into JSON"),
    ("not supported", 0.0, "a blank for an underscore"),
    ("not-entailed", 0.0, "a hyphen for an underscore"),
    ("fail", 0.0, "a test report"),
    ("0", 0.0, "a CSV turned into JSON"),
    ("Partial", 0.5, "a third class"),
    ("neutral", 0.5, "a third class"),
]


@pytest.mark.parametrize(("written", "number", "source"), WORDS)
def test_a_word_is_its_number(written, number, source):
    row = LabelledPair.model_validate(ROW | {"label": written})
    assert row.label == number, source
    assert row.model_dump_json() == LabelledPair.model_validate(ROW | {"label": number}).model_dump_json()


def test_the_words_are_a_short_list():
    assert len(LABEL_WORDS) <= 40


@pytest.mark.parametrize("written", ["maybe", "", "2", "supported?", [], {"label": 1}])
def test_any_other_word_is_refused_with_those_that_are_known(written):
    with pytest.raises(ValueError, match=r"one of supported, yes, .*unsupported, no, .*neutral, 0\.5; got"):
        LabelledPair.model_validate(ROW | {"label": written})


def test_a_field_of_the_row_that_is_called_word_is_not_read():
    assert LabelledPair.model_validate(ROW | {"label": 1, "word": ["x"]}).word is None


def test_what_was_read_is_told_by_its_frequency():
    labels = ["supported"] * 3 + ["Unsupported"] * 2 + ["partial", 1, False]
    rows = [LabelledPair.model_validate(ROW | {"label": label}) for label in labels]
    assert labels_read(rows) == "labels read: supported = 1 (3 rows), unsupported = 0 (2 rows), partial = 0.5 (1 row)"
    assert labels_read(rows[-2:]) == ""
    refusals = [LabelledResponse(response="No.", refusal=label) for label in ("Refused", "answered")]
    assert labels_read(refusals) == "labels read: refused = 1 (1 row), answered = 0 (1 row)"


def rows(path, *labels):
    held = (ROW | {"claim": f"The notice is {n} days.", "label": label} for n, label in enumerate(labels))
    path.write_text("".join(json.dumps(row) + "\n" for row in held))
    return path


COMMANDS = [
    ("validate", "entailment", "{rows}", "{more}"),
    ("calibrate", "--labelled", "{rows}", "--labelled", "{more}"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=["validate", "calibrate"])
def test_the_commands_tell_it_once(cli, tmp_path, command):
    files = {"rows": rows(tmp_path / "rows.jsonl", *["yes", "no"] * 4), "more": rows(tmp_path / "more.jsonl", "yes")}
    code, _, err = cli(*(word.format(**files) for word in command), "--judge", "lexical")
    assert code in {0, 3}, err  # calibrate: too few to fit anything
    assert [line for line in err.splitlines() if "labels read" in line] == [
        "showable: labels read: yes = 1 (5 rows), no = 0 (4 rows)"
    ]


def test_an_unknown_word_is_one_line_with_file_and_line(cli, tmp_path):
    path = rows(tmp_path / "rows.jsonl", "yes", "unsure")
    code, _, err = cli("validate", "entailment", path, "--judge", "lexical")
    assert (code, len(err.splitlines())) == (2, 1)
    assert f"{path}:2: label: expected 1, 0, 0.5 or one of supported, yes" in err
    assert "got 'unsure'" in err
