"""Inspect AI: samples as `inspect_ai.log.EvalSample` (0.3.285) dumps them, in JSON logs and in ``.eval`` archives."""

import json
import struct
import sys
import zipfile
from types import SimpleNamespace

import pytest
from converter_examples.inspect_log import DOCUMENTS, ROWS
from tables import every_row

import showable
from showable.converters import inspect_log_archive as archives
from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG
from showable.converters.inspect_log import (
    BLOCKED,
    CONVERSATION,
    CUT,
    INVALID,
    LETTER,
    NO_PLACE,
    STOPPED,
    TOOLS,
    UNNAMED,
    InspectLog,
)
from showable.converters.shape import FieldError, Row
from showable.errors import InputError

SHAPE = InspectLog()
LIT = "The lighthouse was first lit in 1844."
PASSAGES = [{"id": "a", "text": LIT, "title": "Almanac"}, {"id": "b", "text": "Its keeper had two boats."}]


def output(content, **more):
    choice = {"message": {"content": content, "role": "assistant"}, "stop_reason": "stop"} | more
    return {"model": "m", "choices": [choice], "completion": content if isinstance(content, str) else ""}


BASE = {
    "id": "q",
    "epoch": 1,
    "input": "When was the lighthouse first lit?",
    "target": "1844",
    "output": output(f"{LIT[:-1]} [1]."),
    "store": {"retrieved": PASSAGES},
    "metadata": {},
}


def convert(**changed):
    return SHAPE.convert(Row(BASE | changed, "row-1", line=1))


def bucket(made):
    card = showable.score(made.record, judge="lexical")
    return card.bucket, card.cause


def test_a_sample_becomes_a_record_and_loses_its_scores():
    made = SHAPE.convert(Row(ROWS[0], "row-9"))
    record = made.record
    assert (record.id, record.gold.answer, record.gold.aliases) == ("q1", "3 May 1844", ())
    assert [(s.source_id, s.title, s.score) for s in record.retrieved] == [
        ("almanac-12", "Almanac", None),
        ("almanac-13", None, 0.4),
    ]
    assert record.metadata == {
        "topic": "coast",
        "difficulty": 2,
        "uuid": "u1",
        "started_at": "2025-01-01T00:00:00+00:00",
        "total_time": 0.5,
        "model": "mockllm/model",
        "epoch": 1,
    }
    assert made.lost == ("messages", "scores", "events", "model_usage", "store.steps", "output.usage", "output.time")
    assert made.notes == (NO_PLACE.format("store.retrieved"),)


@pytest.mark.parametrize(
    ("sample_id", "epoch", "expected"), [("q", 1, "q"), ("q", 2, "q#2"), (7, 1, "7"), (7, 12, "7#12"), ("", 1, "row-1")]
)
def test_epochs_of_a_sample_are_records_of_their_own(sample_id, epoch, expected):
    assert convert(id=sample_id, epoch=epoch).record.id == expected


def user(content):
    return {"role": "user", "content": content}


@pytest.mark.parametrize(
    ("given", "question", "notes"),
    [
        ("Who?", "Who?", ()),
        ([{"role": "system", "content": "Be brief."}, user("Who?")], "Who?", ()),
        ([user([{"type": "text", "text": "Who"}, {"type": "image", "image": "x"}, {"type": "text", "text": "?"}])], "Who\n?", ()),
        ([user("Hello"), {"role": "assistant", "content": "Hi."}, user("Who?")], "Who?", (CONVERSATION,)),
        ("attachment://h", "Who, at length?", ()),
        ("tc://h", "Who, at length?", ()),  # source: `resolve_attachment_fn` reads the former name too
    ],
)  # fmt: skip
def test_the_question_is_the_input_or_its_last_turn(given, question, notes):
    made = convert(input=given, attachments={"h": "Who, at length?"})
    assert made.record.question == question
    assert made.notes[1:] == notes


@every_row(
    ("changed", "answer", "notes"),
    [
        ({"output": output([{"type": "reasoning", "reasoning": "…"}, {"type": "text", "text": "A [1]."}])}, "A [1].", ()),
        ({"output": output([{"type": "text", "text": "A."}, {"type": "text", "text": "B."}])}, "A.\nB.", ()),  # source: `ChatMessageBase.text`
        ({"output": output("A [1].", stop_reason="max_tokens")}, "A [1].", (CUT,)),
        ({"output": output("A [1]."), "limit": {"type": "token", "limit": 5}}, "A [1].", (STOPPED,)),
        ({"output": output("A [1]."), "invalidation": {"author": "x"}}, "A [1].", (INVALID,)),
        ({"output": {"model": "m", "choices": [], "completion": "A [1]."}}, "A [1].", ()),
        ({"output": output("attachment://h"), "attachments": {"h": "A [1]."}}, "A [1].", ()),
        ({"output": output("attachment://gone")}, None, (NO_ANSWER,)),
        ({"output": {"model": "m", "choices": [], "completion": ""}}, None, (NO_ANSWER,)),
        ({"output": None}, None, (NO_ANSWER,)),
        ({"output": {"choices": [], "error": "filtered"}}, None, (BLOCKED,)),
        ({"error": {"message": "boom"}}, None, (FAILED,)),
        ({"error": {"message": "boom"}, "output": {"choices": []}}, None, (FAILED,)),
    ],
)  # fmt: skip
def test_the_answer_is_the_first_choice_or_null_with_a_reason(changed, answer, notes):
    made = convert(**changed)
    assert made.record.answer == answer
    assert made.notes[1:] == notes
    if answer is None:
        assert bucket(made) == ("unknown", "empty_answer")


@pytest.mark.parametrize(
    ("target", "choices", "gold"),
    [
        ("1844", None, ("1844", ())),
        (["1844", "in 1844"], None, ("1844", ("in 1844",))),
        ("", None, None),  # source: `Sample.target` is empty by default
        ([], None, None),
        ("B", ["1843", "1844"], None),
    ],
)
def test_the_target_is_gold_unless_it_is_a_letter(target, choices, gold):
    made = convert(target=target, choices=choices)
    found = made.record.gold
    assert (found and (found.answer, found.aliases)) == gold
    assert (LETTER in made.notes) == (choices is not None)


@pytest.mark.parametrize(
    ("changed", "ids", "place"),
    [
        ({"store": {"sources": ["a", "b"]}}, ["1", "2"], "store.sources"),
        ({"store": {"RagStore:documents": PASSAGES}}, ["a", "b"], "store.documents"),  # source: `StoreModel` names its keys so
        ({"store": {}, "metadata": {"contexts": ["a"]}}, ["1"], "metadata.contexts"),
        ({"store": {"retrieved": []}}, [], "store.retrieved"),
        ({"store": {"retrieved": ["attachment://h"]}, "attachments": {"h": "long"}}, ["1"], "store.retrieved"),
        ({"store": {"retrieved": ["new"]}, "metadata": {"retrieved": ["old", "old"]}}, ["1"], "store.retrieved"),
        ({"store": {"retrieved": {"docs": []}}, "metadata": {"retrieved": ["a", 7]}}, None, None),
        ({"store": {}}, None, None),
    ],
)  # fmt: skip
def test_the_log_is_read_where_a_list_of_passages_is_kept_and_that_is_said(changed, ids, place):
    made = convert(**changed)
    log = made.record.retrieved
    assert (log if log is None else [source.source_id for source in log]) == ids
    assert made.notes[0] == (NO_LOG if place is None else NO_PLACE.format(place))


def test_messages_of_tools_are_named_and_not_guessed_at():
    messages = [user("Who?"), {"role": "tool", "content": LIT, "function": "search"}]
    assert TOOLS in convert(store={}, messages=messages).notes
    assert TOOLS not in convert(messages=messages).notes


def cited(text, *citations):
    return {"type": "text", "text": text, "citations": list(citations)}


def test_citations_that_hang_on_words_become_citations_of_claims():
    made = SHAPE.convert(Row(ROWS[2], "row-3"))
    assert made.record.answer.text == "By the record, the keeper had two boats."
    [claim] = made.record.answer.claims
    [citation] = claim.citations
    assert (citation.source_id, citation.quoted_span, citation.raw) == ("1", "keeper had two boats", "a.txt")
    assert made.record.retrieved[0].text == "Its keeper had two boats."
    assert bucket(made) == ("correct", None)


@pytest.mark.parametrize(
    ("citation", "expected", "log", "found"),
    [
        ({"type": "document", "title": "Almanac", "cited_text": "first lit in 1844"}, ("a", None, None), True, ("correct", None)),
        ({"type": "document", "title": "Almanac", "cited_text": "lit in 1743"}, ("a", None, None), True, ("unsupported", "bad_quote")),
        # source: `DocumentRange.start_index` counts pages from 0
        ({"type": "document", "title": "a", "range": {"type": "page", "start_index": 3, "end_index": 4}}, ("a", None, 4), True, None),
        ({"type": "url", "url": "https://example.org/x", "cited_text": [0, 5]}, (None, "https://example.org/x", None), True, ("unknown", "undecided")),
        ({"type": "document", "title": "Elsewhere", "cited_text": "x"}, ("Elsewhere", None, None), False, ("unknown", "undecided")),
        ({"type": "content", "cited_text": "x"}, (None, None, None), False, None),
    ],
)  # fmt: skip
def test_a_citation_names_a_passage_or_nothing_is_said_of_it(citation, expected, log, found):
    made = convert(output=output([cited(LIT, citation)]))
    [claim] = made.record.answer.claims
    given = claim.citations[0]
    assert (given.source_id, given.url, given.page) == expected
    assert (made.record.retrieved is not None) == log
    assert (UNNAMED in made.notes) != log
    if found is not None:
        assert bucket(made) == found


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("correct", None)),
        ({"output": output(f"{LIT[:-1]} [9].")}, ("unsupported", "invented_source")),
        ({"output": output("The documents do not say when it was first lit."), "target": ""}, ("refused", "unjudged")),
        ({"error": {"message": "boom"}}, ("unknown", "empty_answer")),
    ],
)
def test_a_sample_lands_where_a_person_puts_it(changed, expected):
    assert bucket(convert(**changed)) == expected


def test_samples_of_a_log_carry_its_task_and_model():
    found = list(SHAPE.rows(DOCUMENTS[0]))
    assert [place for place, _ in found] == [f"samples[{i}]" for i in range(5)]
    metadata = SHAPE.convert(Row(found[3][1], "row")).record.metadata
    assert (metadata["task"], metadata["model"], metadata["run_id"]) == ("lighthouses", "mockllm/model", "r1")
    for other in ({"samples": ROWS}, {"eval": {}, "samples": []}, {"eval": {}}, []):
        assert SHAPE.rows(other) is None


@every_row(
    ("changed", "said"),
    [
        ({"input": None}, "input: expected a question, got null"),
        ({"input": 7}, "input: expected text or a list of parts, got a number"),
        ({"input": []}, "input: expected a message of the user with words"),
        ({"input": "attachment://gone"}, "input: an attachment is not in the log"),
        ({"epoch": 1.5}, "epoch: expected a string or a whole number, got a number"),
        ({"target": {}}, "target: expected a string or a list of strings, got an object"),
        ({"target": [1]}, "target: expected a string, got a number"),
        ({"output": []}, "output: expected an object, got a list"),
        ({"output": {"choices": [7]}}, "output.choices[0]: expected an object, got a number"),
        ({"output": output([[]])}, "output.choices[0].message.content[0]: expected text or an object, got a list"),
        ({"output": output([cited("x", 7)])}, "output.choices[0].message.content[0].citations: expected a list of objects"),
        ({"store": [1]}, "store: expected an object, got a list"),
        ({"store": {"retrieved": [{"text": "a", "id": []}]}}, "store.retrieved[0].id: expected a string or a whole number, got a list"),
    ],
)  # fmt: skip
def test_a_wrong_type_is_named_with_its_field(changed, said):
    with pytest.raises(FieldError) as told:
        convert(**changed)
    assert str(told.value) == said


# Archives.

HEADER = {name: value for name, value in DOCUMENTS[0].items() if name != "samples"}


def archive(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as made:
        for name, held in members:
            made.writestr(name, held if isinstance(held, bytes | str) else json.dumps(held))
    return path


def log(path, samples=ROWS, start="header.json", method=zipfile.ZIP_DEFLATED):
    named = [(f"samples/{one['id']}_epoch_{one['epoch']}.json", one) for one in samples]
    others = [("_journal/summaries/1.json", []), ("summaries.json", [{"id": "q1"}]), ("reductions.json", [])]
    return archive(path, [(start, HEADER), *named, *others], method)


@pytest.mark.parametrize("start", ["header.json", "_journal/start.json"], ids=["finished", "being written"])
def test_an_archive_gives_what_the_json_log_gives(tmp_path, start):
    found = list(SHAPE.archive(log(tmp_path / "a.eval", start=start)))
    assert [name for name, _ in found] == [f"samples/{one['id']}_epoch_{one['epoch']}.json" for one in ROWS]
    assert [SHAPE.convert(Row(held, "row")) for _, held in found] == [
        SHAPE.convert(Row(held, "row")) for _, held in SHAPE.rows(DOCUMENTS[0])
    ]


def test_an_archive_of_something_else_is_none_of_ours(tmp_path):
    assert SHAPE.archive(archive(tmp_path / "a.zip", [("word/document.xml", "<x/>"), ("samples/a.json", {})])) is None


def test_odd_names_are_passed_over_and_the_later_of_two_counts(tmp_path):
    path = tmp_path / "a.eval"
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive(
            path,
            [
                ("header.json", HEADER),
                ("samples/q1_epoch_1.json", ROWS[3]),
                ("../samples/x.json", "no JSON"),
                ("samples/x.json.bak", "no JSON"),
                ("samples/q1_epoch_1.json", ROWS[0]),
            ],
        )
    [(name, held)] = SHAPE.archive(path)
    assert (name, held["id"], "error" in held) == ("samples/q1_epoch_1.json", "q1", False)


def test_samples_are_read_one_by_one(tmp_path, monkeypatch):
    opened = []
    read = archives._unpacked
    monkeypatch.setattr(archives, "_unpacked", lambda held, info: opened.append(info.filename) or read(held, info))
    found = SHAPE.archive(log(tmp_path / "a.eval"))
    assert opened == ["header.json"]
    next(found)
    assert opened == ["header.json", "samples/q1_epoch_1.json"]
    found.close()


def patched(path, offset, form, value, name=b"samples/q1_epoch_1.json"):
    """Write a number into the central directory's entry of a member."""
    raw = bytearray(path.read_bytes())
    at = raw.rfind(name) - 46
    assert raw[at : at + 4] == b"PK\x01\x02"
    struct.pack_into(form, raw, at + offset, value)
    path.write_bytes(raw)
    return path


def refused(path):
    with pytest.raises(InputError) as told:
        list(SHAPE.archive(path) or ())
    assert "\n" not in str(told.value)
    return str(told.value).removeprefix(f"{path}: ")


def test_a_sample_that_declares_too_much_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_RATIO", 1 << 40)
    path = patched(log(tmp_path / "a.eval"), 24, "<I", 257 << 20)
    assert refused(path) == "samples/q1_epoch_1.json: larger than 256 MiB when unpacked"


def test_a_sample_that_declares_less_than_it_holds_is_damaged(tmp_path):
    path = patched(log(tmp_path / "a.eval"), 24, "<I", 10)
    assert refused(path).startswith("samples/q1_epoch_1.json: damaged: Bad CRC-32")


def test_what_unpacks_to_too_much_is_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_MEMBER", 1 << 10)
    assert "when unpacked" in refused(
        archive(tmp_path / "a.eval", [("header.json", "{}"), ("samples/a.json", "0" * 2000)])
    )


def test_a_zip_bomb_is_refused_before_anything_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "SMALLEST_BOMB", 1 << 20)
    path = archive(tmp_path / "a.eval", [("header.json", "{}"), ("samples/a.json", b"0" * (4 << 20))])
    path = patched(path, 24, "<I", 4 << 24, b"samples/a.json")
    assert refused(path) == "refused: packed more than a thousandfold, as zip bombs are"


@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("{", "samples/a.json: not JSON"),
        ("[" * 200_000, "samples/a.json: not read: nested too deeply"),
        (b"\xff", "samples/a.json: not UTF-8: byte 0xff"),
        ('{"id": 1, "id": 2}', "samples/a.json: the key 'id' stands twice"),
    ],
)
def test_a_sample_that_is_no_json_is_named(tmp_path, held, said):
    assert refused(archive(tmp_path / "a.eval", [("header.json", "{}"), ("samples/a.json", held)])).startswith(said)


def test_what_is_no_sample_is_for_the_reader_of_items_to_refuse(tmp_path):
    path = archive(tmp_path / "a.eval", [("header.json", "[]"), ("samples/a.json", "[1]")])
    assert list(SHAPE.archive(path)) == [("samples/a.json", [1])]


def test_a_damaged_archive_is_told(tmp_path):
    path = log(tmp_path / "a.eval")
    path.write_bytes(path.read_bytes()[:-40])
    assert refused(path).startswith("no zip archive that can be read: ")


def test_a_locked_sample_is_told(tmp_path):
    path = patched(log(tmp_path / "a.eval"), 8, "<H", 1)
    assert "encrypted" in refused(path)


def as_zstandard(path):
    """Say of each member that it is packed with Zstandard (method 93), in both of its headers."""
    raw = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        at = raw.find(mark)
        while at >= 0:
            struct.pack_into("<H", raw, at + offset, 93)
            at = raw.find(mark, at + 4)
    path.write_bytes(raw)
    return path


class Unpacked:
    """Stands in for `zstandard`, over bytes that are not packed at all."""

    ZstdError = type("ZstdError", (Exception,), {})

    def __init__(self, fails=False):
        self.fails = fails

    def ZstdDecompressor(self):  # noqa: N802 - the package's own name
        return self

    def stream_reader(self, stored, *, read_across_frames):
        assert read_across_frames  # source: Inspect ends a frame after each 200 MiB
        return SimpleNamespace(read=self._failing if self.fails else stored.read)

    def _failing(self, size):
        raise self.ZstdError("corrupt frame")


python_unpacks_it = pytest.mark.skipif(sys.version_info >= (3, 14), reason="zipfile unpacks Zstandard by itself")


@python_unpacks_it
def test_zstandard_is_unpacked_where_its_package_is_there(tmp_path, monkeypatch):
    path = as_zstandard(log(tmp_path / "a.eval", method=zipfile.ZIP_STORED))
    monkeypatch.setitem(sys.modules, "zstandard", Unpacked())
    assert [held["id"] for _, held in SHAPE.archive(path)] == [one["id"] for one in ROWS]
    monkeypatch.setitem(sys.modules, "zstandard", Unpacked(fails=True))
    assert refused(path) == "header.json: damaged: corrupt frame"


class UnpackedToo:
    """Stands in for `backports.zstd`."""

    def __init__(self, stored):
        self.read = stored.read

    ZstdFile = classmethod(lambda cls, stored: cls(stored))


@python_unpacks_it
def test_zstandard_is_unpacked_by_the_backport_of_pythons_own(tmp_path, monkeypatch):
    path = as_zstandard(log(tmp_path / "a.eval", method=zipfile.ZIP_STORED))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "backports", SimpleNamespace(__path__=[]))
    monkeypatch.setitem(sys.modules, "backports.zstd", UnpackedToo)
    assert [held["id"] for _, held in SHAPE.archive(path)] == [one["id"] for one in ROWS]


@python_unpacks_it
def test_zstandard_without_its_package_says_what_to_do(tmp_path, monkeypatch):
    path = as_zstandard(log(tmp_path / "a.eval", method=zipfile.ZIP_STORED))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    assert refused(path) == archives.NO_ZSTANDARD


@python_unpacks_it
def test_a_wrong_check_sum_under_zstandard_is_damage(tmp_path, monkeypatch):
    path = as_zstandard(log(tmp_path / "a.eval", method=zipfile.ZIP_STORED))
    monkeypatch.setitem(sys.modules, "zstandard", Unpacked())
    assert refused(patched(path, 16, "<I", 7)) == "samples/q1_epoch_1.json: damaged: the check sum is wrong"


def test_a_method_that_nothing_here_unpacks_is_told(tmp_path):
    path = log(tmp_path / "a.eval", method=zipfile.ZIP_STORED)
    assert "packed by method 97" in refused(patched(path, 10, "<H", 97))
