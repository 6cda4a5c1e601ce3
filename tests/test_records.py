"""The wire format: what is accepted, what is refused and in which words, and what round-trips."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from showable.records import Record, SettingError, Signature, Thresholds
from showable.records.lines import MAX_LINE_BYTES, read_lines
from showable.records.record_file import check_record_file, read_record_lines

GOOD = {"id": "a", "question": "q?", "retrieved": [], "answer": "An answer."}


def write(folder, *lines, name="records.jsonl"):
    path = folder / name
    path.write_bytes(b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines))
    return path


def problems(path):
    return [str(line.problem).removeprefix(str(path.parent) + "/") for line in read_record_lines(path) if line.problem]


BAD = [
    # (what is wrong, line, the one line that is said): source: "file, line number, field, what was expected"
    ("unknown field", GOOD | {"answr": "x"}, "records.jsonl:1: answr: unknown field"),
    ("nested unknown field", GOOD | {"retrieved": [{"source_id": "a", "txt": "x"}]}, "records.jsonl:1: retrieved.0.txt: unknown field"),
    ("unknown field inside an answer", GOOD | {"answer": {"claims": [{"text": "t", "citations": [{"id": "x"}]}]}},
     "records.jsonl:1: answer.claims.0.citations.0.id: unknown field"),
    ("missing field", {"id": "a", "answer": None}, "records.jsonl:1: question: this field is missing"),
    ("wrong type", GOOD | {"question": 5}, "records.jsonl:1: question: expected a string, got 5"),
    ("wrong type of a list", GOOD | {"retrieved": {}}, "records.jsonl:1: retrieved: expected a list, got an object"),
    ("an answer that is a number", GOOD | {"answer": 5}, "records.jsonl:1: answer: expected a string or an object, got 5"),
    ("a float as id", GOOD | {"id": 1.5}, "records.jsonl:1: id: expected a string, got 1.5"),
    ("an empty id", GOOD | {"id": ""}, "records.jsonl:1: id: expected at least one character, got ''"),
    ("true as a string", GOOD | {"question": True}, "records.jsonl:1: question: expected a string, got true or false"),
    ("a bucket that is none", GOOD | {"gold": {"bucket": "fine"}},
     "records.jsonl:1: gold.bucket: expected 'correct', 'wrong', 'unsupported' or 'refused', got 'fine'"),
    ("NaN", b'{"id": "a", "question": "q", "answer": "x", "retrieved": [{"source_id": "s", "score": NaN}]}\n',
     "records.jsonl:1: retrieved.0.score: expected a finite number, got nan"),
    ("not JSON", b"id: a\n", "records.jsonl:1: not JSON: expected value at column 1"),
    ("a truncated last line", b'{"id": "a", "question": "q', "records.jsonl:1: not JSON: EOF while parsing a string at column 26"),
    ("an open object before the newline", b"{\r\n", "records.jsonl:1: not JSON: EOF while parsing an object at column 1"),
    ("a page that is a list", GOOD | {"retrieved": [{"source_id": "a", "page": [1]}]},
     "records.jsonl:1: retrieved.0.page: expected a string or a whole number, got a list"),
    ("an unknown field that could steer a terminal", GOOD | {"\x1b[31mevil\nline\u202e\x07": 1}, "records.jsonl:1: evilline: unknown field"),
    ("an unknown field of controls alone", GOOD | {"\x07": 1}, "records.jsonl:1: ?: unknown field"),
    ("a long unknown field", GOOD | {"x" * 500: 1}, f"records.jsonl:1: {'x' * 79}…: unknown field"),
    ("an unknown field with a type's name", GOOD | {"str": 1}, "records.jsonl:1: str: unknown field"),
    ("two answers", b'{"id": "a", "question": "q", "answer": "x", "answer": "y"}\n', "records.jsonl:1: answer: the key 'answer' stands twice"),
    ("two answers and a gold answer",
     b'{"answer": "x", "id": "a", "gold": {"answerable": true, "answer": "z"}, "question": "q", "answer" : "y"}\n',
     "records.jsonl:1: answer: the key 'answer' stands twice"),
    ("two metadata among others", (b'{"id": "a", "question": "q", "answer": "x", "metadata": {"id": "b"}, "metadata": {"metadata": 1}, "retrieved": '
     b'[{"source_id": "s", "metadata": {"a": 1}}]}\n'), "records.jsonl:1: metadata: the key 'metadata' stands twice"),
    ("NaN in metadata", b'{"id": "a", "question": "q", "answer": "x", "metadata": {"a": [1, {"b": NaN}]}}\n',
     "records.jsonl:1: metadata.a.1.b: expected a finite number"),
    ("Infinity in a source's metadata", b'{"id": "a", "question": "q", "answer": "x", "retrieved": [{"source_id": "s", "metadata": {"a": -Infinity}}]}\n',
     "records.jsonl:1: retrieved.0.metadata.a: expected a finite number"),
    ("a number too great to hold", b'{"id": "a", "question": "q", "answer": "x", "metadata": {"a": 1e999}}\n',
     "records.jsonl:1: metadata.a: expected a finite number"),
    ("a list", b"[1]\n", "records.jsonl:1: expected an object, got a list"),
    ("invalid UTF-8", b'{"id": "a\xff"}\n', "records.jsonl:1: not UTF-8: byte 0xff at byte 10 of the line"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "said"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_a_bad_line_is_one_line_that_says_where_and_what(tmp_path, line, said):
    assert problems(write(tmp_path, line)) == [said]


def test_a_duplicate_id_names_the_first_line(tmp_path):
    path = write(tmp_path, GOOD, GOOD | {"id": "b"}, GOOD)
    assert problems(path) == ["records.jsonl:3: id: 'a' stands on line 1 already"]


def test_the_other_lines_are_still_read(tmp_path):
    path = write(tmp_path, GOOD, b"{\n", GOOD | {"id": "b"})
    assert [line.value.id for line in read_record_lines(path) if line.value] == ["a", "b"]
    check = check_record_file(path)
    assert (check.records, check.rejected) == (2, 1)


ACCEPTED = [
    ("a gold answer beside the answer", json.dumps(GOOD | {"gold": {"answerable": True, "answer": "x"}}).encode()),
    (
        "metadata everywhere",
        json.dumps(
            GOOD
            | {"metadata": {"id": 1}, "retrieved": [{"source_id": "s", "metadata": {"metadata": {"answer": 1}}}] * 3}
        ).encode(),
    ),
    (
        "a key in a text",
        json.dumps(GOOD | {"question": '"answer": NaN, "answer":', "metadata": {"a": "Infinity"}}).encode(),
    ),
    ("a byte-order mark", b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\n"),
    ("CRLF", json.dumps(GOOD).encode() + b"\r\n"),
    ("no newline at the end", json.dumps(GOOD).encode()),
    ("blank lines", b"\n\n  \n" + json.dumps(GOOD).encode() + b"\n\n"),
]


@pytest.mark.parametrize("raw", [row[1] for row in ACCEPTED], ids=[row[0] for row in ACCEPTED])
def test_what_editors_leave_behind_is_accepted(tmp_path, raw):
    path = write(tmp_path, raw)
    assert [line.value.id for line in read_record_lines(path)] == ["a"]


@pytest.mark.parametrize("raw", [b"", b"\n", b"\xef\xbb\xbf", b"\r\n\r\n"])
def test_an_empty_file_holds_no_records(tmp_path, raw):
    from showable.records import InputError

    with pytest.raises(InputError, match="holds no records"):
        check_record_file(write(tmp_path, raw))


def test_a_line_of_50_mb_is_read(tmp_path):
    answer = "x" * 50_000_000
    path = write(tmp_path, GOOD | {"answer": answer}, GOOD | {"id": "b"})
    assert [line.value.id for line in read_record_lines(path)] == ["a", "b"]


def test_a_longer_line_than_fits_is_refused_and_the_next_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("showable.records.lines.MAX_LINE_BYTES", 200)
    path = write(tmp_path, GOOD | {"answer": "x" * 1000}, GOOD | {"id": "b"})
    lines = list(read_lines(path, Record))
    assert "longer than" in str(lines[0].problem)
    assert lines[1].value.id == "b"
    assert MAX_LINE_BYTES > 50_000_000


IDS = [7, "7", "https://example.org/a?b=c#d", "Annual Report 2023", "ид-1", "a/b:c|d"]


@pytest.mark.parametrize("source_id", IDS)
def test_any_string_or_whole_number_is_an_id(source_id):
    record = Record.model_validate(GOOD | {"retrieved": [{"source_id": source_id}]})
    assert record.retrieved[0].source_id == str(source_id)


def test_values_are_frozen_and_equal_by_content():
    one, other = Record.model_validate(GOOD), Record.model_validate(GOOD)
    assert one == other
    with pytest.raises(ValidationError):
        one.id = "b"


names = st.text("abcdefghij-_.@/", min_size=1, max_size=12).filter(lambda s: s != "-")
thresholds = st.builds(
    Thresholds,
    support=st.integers(1, 99).map(lambda p: p / 100),
    per_kind=st.dictionaries(st.sampled_from(["holding", "dosage"]), st.integers(1, 99).map(lambda p: p / 100)),
)


@given(
    st.builds(
        Signature,
        version=names,
        rubric=names,
        parser=names,
        judge=names,
        prompt=st.none() | names,
        thresholds=thresholds,
        seed=st.integers(0, 99),
    )
)
def test_a_signature_round_trips_on_one_line(signature):
    assert Signature.parse(str(signature)) == signature
    assert "\n" not in str(signature)


@pytest.mark.parametrize("text", ["", "nonsense", "version:1|judge:x", "0.5"])
def test_what_is_no_signature_is_refused(text):
    with pytest.raises(SettingError, match="not a signature"):
        Signature.parse(text)


@pytest.mark.parametrize("text", ["", "x", "0", "1", "2", "0.5,holding", "0.5,holding=2", "nan"])
def test_what_is_no_threshold_is_refused(text):
    with pytest.raises(SettingError, match="threshold"):
        Thresholds.parse(text)


def test_differences_name_the_field():
    a = Signature(version="1", rubric="1", parser="1", judge="lexical@1")
    assert a.differences(a.model_copy(update={"judge": "chat@2"})) == ["judge: lexical@1 → chat@2"]


@pytest.mark.slow
def test_many_tiny_records_are_read_in_little_memory(tmp_path):
    path = tmp_path / "tiny.jsonl"
    with path.open("w") as handle:
        handle.writelines(f'{{"id":"{i}","question":"q","answer":null}}\n' for i in range(100_000))
    code = (
        "import pathlib, re, sys; from showable.records.record_file import check_record_file; "
        "n = check_record_file(pathlib.Path(sys.argv[1])).records; status = pathlib.Path('/proc/self/status'); "
        "print(n, int(re.search(r'VmHWM:\\s+(\\d+)', status.read_text())[1]) // 1024 if status.exists() else 0)"
    )
    out = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True).stdout
    records, megabytes = map(int, out.split())
    assert records == 100_000
    assert megabytes < 100


def test_right_to_left_text_is_read_with_offsets_into_the_original():
    import showable

    text = "تقع مدة الإشعار في ثلاثين يوما [1]."
    record = GOOD | {"answer": text, "retrieved": [{"source_id": "عقد", "text": "مدة الإشعار ثلاثون يوما."}]}
    card = showable.score(record)
    assert [citation.source_id for citation in card.claims[0].citations] == ["عقد"]
    start, end = card.claims[0].citations[0].span
    assert text[start:end] == "[1]"
