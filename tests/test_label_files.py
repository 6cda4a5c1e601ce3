"""Labels as files: what is written reads back as it was, and what is wrong is said by file, line and field."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labels_given import label, labels, new_store
from scorecards import FAIL, PASS, card, claim

from showable.errors import InputError
from showable.measure.consensus import settle
from showable.measure.labelled_texts import TextRow, text_rows
from showable.records import Record, Source
from showable.records.labels import Target
from showable.stores.label_csv import BOM, neutral, plain
from showable.stores.label_files import COLUMNS, check_labels, import_labels, label_lines, read_labels, text_lines
from showable.stores.labels.store import LabelStore
from showable.validation.rows import LabelledPair, read_rows


def everybody(_about, _role):
    return True


def written(path, made, form):
    path.write_text("".join(label_lines(made, form)), encoding="utf-8", newline="")
    return path


@settings(max_examples=40)
@given(labels(), st.sampled_from(["jsonl", "csv"]))
def test_labels_read_back_as_they_were_written(tmp_path_factory, made, form):
    path = written(tmp_path_factory.getbasetemp() / "round", made, form)
    assert [one for _, one in read_labels(path)] == made


@settings(max_examples=25)
@given(labels(), st.sampled_from(["jsonl", "csv"]))
def test_another_store_holds_the_same_after_an_import(tmp_path_factory, made, form):
    """Export and import come to the same words, however often; what was taken back is taken back there too."""
    with new_store() as one, new_store() as other:
        one.add_many(made)
        path = written(tmp_path_factory.getbasetemp() / "there", one.last_words(), form)
        numbered = read_labels(path)
        assert import_labels(other, path, numbered) == len(one.last_words())
        assert other.last_words() == one.last_words()
        assert import_labels(other, path, numbered) == import_labels(one, path, numbered) == 0


def test_json_lines_hold_labels_alone_so_that_files_can_be_joined(tmp_path):
    one, other = (written(tmp_path / name, [label(name)], "jsonl") for name in "ab")
    both = tmp_path / "both"
    both.write_bytes(one.read_bytes() + other.read_bytes() + one.read_bytes())
    assert [(line, held.id) for line, held in read_labels(both)] == [(1, "a"), (2, "b")]


@settings(max_examples=100)
@given(st.text(max_size=8) | st.text("=+-@'\t\r\n\uff1d1a,\";", max_size=5))
def test_no_cell_begins_as_a_formula_and_all_read_back(text):
    """What a spreadsheet runs: OWASP, CSV Injection (= + - @ tab, carriage return, and the full-width forms)."""
    cell = neutral(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"))
    assert plain(cell) == text


def test_a_spreadsheet_sees_text_where_a_formula_was_typed(tmp_path):
    made = label("a", '=HYPERLINK("http://example.org")', about="comment", record="@sum", source_id="+1")
    text = written(tmp_path / "l.csv", [made], "csv").read_text("utf-8")
    assert text.startswith(BOM + "id,record,about,")
    (row,) = csv.DictReader(io.StringIO(text.removeprefix(BOM)))
    assert (row["value"], row["record"], row["source_id"]) == ('\'=HYPERLINK("http://example.org")', "'@sum", "'+1")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_a_spreadsheet_saved_again_is_read(tmp_path, delimiter):
    """Spreadsheets part cells as the country does, write TRUE in capitals, drop the byte-order mark, leave empty rows."""
    head, row = csv.reader(
        "".join(label_lines([label("a", 2, about="refusal_quality")], "csv")).removeprefix(BOM).splitlines()
    )
    row = [cell.upper() if cell in {"true", "false"} else cell for cell in row]
    path = tmp_path / "l"
    path.write_text("\n".join([delimiter.join(head), delimiter * (len(head) - 1), delimiter.join(row), ""]))
    assert read_labels(path) == [(3, label("a", 2, about="refusal_quality"))]


def row_of(**changed):
    made = json.loads(label("a").model_dump_json())
    return {name: value for name, value in {**made, **changed}.items() if value is not ...}


_BAD = [
    (
        {"value": "yes"},
        "",
        "value: expected one of supported, partial, unsupported, contradicted, cannot_tell, got 'yes'",
    ),
    ({"about": "bucket"}, "", "bucket: expected no claim and no citation: it is about the whole answer"),
    ({"about": "support", "citation": None}, "", "support: expected the claim and its citation, counted from 0"),
    ({"id": "a b"}, "id", "expected 1 to 64 letters, digits, - and _"),
    ({"reviewer": "a|b"}, "reviewer", "expected a name of 1 to 60 characters without commas, bars and line breaks"),
    ({"role": "boss"}, "role", "expected 'senior', 'reviewer' or 'engineer', got 'boss'"),
    ({"at": "yesterday"}, "at", "expected a time in UTC such as 2026-01-31T09:30:00Z, got 'yesterday'"),
    ({"at": "2026-02-30T00:00:00Z"}, "at", "no such time: '2026-02-30T00:00:00Z'"),
]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
@pytest.mark.parametrize(("changed", "field", "message"), _BAD)
def test_a_bad_label_is_said_by_line_and_field(tmp_path, form, changed, field, message):
    path = tmp_path / "labels"
    rows = [row_of(id="fine"), row_of(**changed)]
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        with path.open("w", newline="") as handle:
            writer = csv.DictWriter(handle, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
    with pytest.raises(InputError) as refused:
        read_labels(path)
    line = 2 if form == "jsonl" else 3
    assert str(refused.value) == ": ".join(part for part in (f"{path}:{line}", field, message) if part)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,record\na,b\n", ":1: about: this column is missing"),
        (",".join([*COLUMNS, "id"]) + "\n", ":1: id: this column comes twice"),
        (",".join([*COLUMNS, "mood"]) + "\n" + "," * len(COLUMNS) + "x\n", ":1: mood: unknown column"),
        (",".join(COLUMNS) + "\na,b,c\n", f":2: expected {len(COLUMNS)} cells as in the header, got 3"),
        (",".join(COLUMNS) + '\n"a,b\n', ":2: not CSV: unexpected end of data"),
        ('{"id": 1', ":1: not JSON: "),
        ('{"id": "a"}', ":1: record: this field is missing"),
    ],
)
def test_a_file_that_holds_no_labels_is_said(tmp_path, content, message):
    path = tmp_path / "labels"
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        read_labels(path)
    assert f"{path}{message}" in str(refused.value)


def test_cells_that_are_no_number_or_yes_are_said(tmp_path):
    lines = "".join(label_lines([label("a")], "csv"))
    for old, new, said in (
        (",0,0,", ",0,first,", "citation: expected a whole number, got 'first'"),
        ("true", "maybe", "blind: expected true or false, got 'maybe'"),
    ):
        path = tmp_path / "l"
        path.write_text(lines.replace(old, new), encoding="utf-8")
        with pytest.raises(InputError) as refused:
            read_labels(path)
        assert str(refused.value) == f"{path}:2: {said}"


def test_what_cannot_be_opened_or_decoded_is_said(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_labels(tmp_path / "none")
    (tmp_path / "latin").write_bytes(",".join(COLUMNS).encode() + b"\n\xfc")
    with pytest.raises(InputError, match="not UTF-8: byte 0xfc; save it as CSV UTF-8"):
        read_labels(tmp_path / "latin")


def test_files_from_before_and_after_the_pin_may_be_joined(tmp_path):
    """The same label twice is one, held out where either says so; an import that fails pins nothing."""
    file = tmp_path / "l.jsonl"
    lines = ["".join(label_lines([label("a")], "jsonl", pinned)) for pinned in ((), ("q1",))]
    for joined in (lines, lines[::-1]):
        file.write_text("".join(joined))
        assert [one.held_out for _, one in read_labels(file)] == [True]
    bad = label("b", who="Ada", role="engineer")
    with LabelStore.open(tmp_path / "l.sqlite") as store:
        with pytest.raises(InputError, match="Ada labels here as senior"):
            import_labels(store, file, [*read_labels(file), (9, bad)])
        assert (store.hold_out(), store.count()) == ([], 0)
        assert (import_labels(store, file, read_labels(file)), store.hold_out()) == (1, ["q1"])


def test_an_import_is_all_or_nothing_and_names_the_line(tmp_path):
    path = written(
        tmp_path / "l", [label("a"), label("b", record="q2"), label("c", role="engineer", record="q3")], "jsonl"
    )
    with LabelStore.open(tmp_path / "store") as store:
        with pytest.raises(InputError) as refused:
            import_labels(store, path, read_labels(path))
        assert (
            str(refused.value)
            == f"{path}:3: role: Ada labels here as senior, not as engineer; take another name for another role"
        )
        assert (store.count(), store.reviewers()) == (0, [])


def test_one_id_for_two_labels_is_said(tmp_path):
    path = written(tmp_path / "l", [label("a"), label("a", "partial")], "jsonl")
    with pytest.raises(InputError, match=r"l:2: id: another label has the id a on line 1"):
        read_labels(path)


_CARDS = {"q1": card("q1", claims=(claim("supported", (PASS, PASS)),))}


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (label("a"), None),
        (label("a", record="q9"), "record: this run has no record 'q9'"),
        (label("a", claim=1), "claim: the answer has 1 claim, counted from 0; there is no 1"),
        (label("a", citation=3), "citation: the claim has 1 citation, counted from 0; there is no 3"),
        (label("a", claim=7, answer="another"), None),
    ],
)
def test_labels_of_another_run_are_refused_and_those_of_another_answer_are_not(one, said):
    numbered = [(4, one)]
    if said is None:
        check_labels(Path("l"), numbered, _CARDS, {"q1": "an-answer"})
        return
    with pytest.raises(InputError) as refused:
        check_labels(Path("l"), numbered, _CARDS, {"q1": "an-answer"})
    assert str(refused.value) == f"l:4: {said}"


def test_rows_with_text_are_what_validate_reads(tmp_path):
    """Partial is 0.5 and contradicted 0 (the 1 / 0.5 / 0 scale); what is not settled, or has no text, makes no row."""
    claims = tuple(claim("supported", (PASS, PASS), text=f"Claim {n}.", kind="dosage") for n in range(5))
    scored = card("q1", claims=(*claims[:4], claim("supported", (FAIL, PASS), (FAIL, PASS), text="Claim 4.")))
    record = Record(
        id="q1", question="How long?", answer="-", retrieved=(Source(source_id="d1", text="= It is long."),)
    )
    words = ("supported", "partial", "contradicted", "cannot_tell")
    given_labels = [label(f"a{n}", value, claim=n) for n, value in enumerate(words)]
    given_labels += [label("k", "holding", about="claim_kind", claim=0), label("b", "supported", claim=4, citation=1)]
    rows = list(text_rows(settle(given_labels, everybody), [(record, scored)]))
    assert rows[3:] == [Target("q1", "support", 4, 1)]
    made = [row for row in rows if isinstance(row, TextRow)]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(text_lines(made)))
    read = [row for _, row in read_rows(path, LabelledPair)]
    assert [(one.claim, one.label, one.kind) for one in read] == [
        ("Claim 0.", 1.0, "holding"), ("Claim 1.", 0.5, "dosage"), ("Claim 2.", 0.0, "dosage")]  # fmt: skip
    assert {(one.question, one.passage) for one in read} == {("How long?", "= It is long.")}
    assert [one.id for one in read] == ["q1/0/0", "q1/1/0", "q1/2/0"]
    table = list(csv.DictReader(io.StringIO("".join(text_lines(made, "csv")).removeprefix(BOM))))
    assert (table[0]["claim"], table[0]["label"], table[0]["passage"]) == ("Claim 0.", "1.0", "'= It is long.")
