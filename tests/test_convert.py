"""Files of other tools: how their items stand in them, which shape they are, what becomes of them, and what is said of it."""

import csv
import gzip
import io
import json
import zipfile
from importlib import import_module
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.converters.catalogue import COLUMNS, NAMES, SHAPES, all_shapes, shape_named
from showable.converters.convert_file import convert_file, open_records
from showable.converters.detect import Found, detect
from showable.converters.framing import Document
from showable.converters.shape import Row
from showable.errors import InputError, SettingError
from showable.records.record import Record
from showable.records.record_file import read_record_lines

RAGAS = {
    "user_input": "What is the capital of France?",
    "response": "Paris [1].",
    "retrieved_contexts": ["Paris is the capital of France."],
}
RECORD = {"id": "a", "question": "Who?", "answer": "Shakespeare [1].", "retrieved": [{"source_id": "s", "text": "t"}]}


def lines(*rows):
    return "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)


def table(*rows, delimiter=","):
    handle = io.StringIO()
    csv.writer(handle, delimiter=delimiter).writerows(rows)
    return handle.getvalue()


def converted(path, name=None, wanted=None):
    """Give the records of a file, and what was said of it; None where it was read as it stands."""
    with open_records(path, name, wanted) as reading:
        read = list(read_record_lines(reading.path))
        return [line.value for line in read], reading.found


COLUMNS_OF_RAGAS = [["user_input", "response", "retrieved_contexts"], ["Q?", "A [1].", "['one', \"two's\"]"]]
FORMS = [
    ("lines.jsonl", lines(RAGAS, RAGAS), 2),
    ("blank lines.jsonl", "\n" + lines(RAGAS) + "\n\r\n" + lines(RAGAS), 2),
    ("mark.jsonl", "\ufeff" + lines(RAGAS, RAGAS), 2),
    ("no ending", lines(RAGAS, RAGAS).rstrip("\n"), 2),
    ("one line.jsonl", lines(RAGAS), 1),
    ("one object.json", json.dumps(RAGAS, indent=2), 1),
    ("list.json", json.dumps([RAGAS, RAGAS]), 2),
    ("pretty list.json", "\ufeff\n " + json.dumps([RAGAS, RAGAS], indent=4), 2),
    ("columns.json", json.dumps({name: [value, value] for name, value in RAGAS.items()}), 2),
    ("pandas.json", json.dumps({name: {"0": value, "1": value} for name, value in RAGAS.items()}), 2),
    ("table.csv", table(*COLUMNS_OF_RAGAS), 1),
    ("table.tsv", table(*COLUMNS_OF_RAGAS, delimiter="\t"), 1),
    ("semicolons.csv", table(*COLUMNS_OF_RAGAS, delimiter=";"), 1),
    ("table without a name", table(*COLUMNS_OF_RAGAS), 1),
    ("mark.csv", "\ufeff" + table(*COLUMNS_OF_RAGAS), 1),
    ("windows.csv", table(*COLUMNS_OF_RAGAS).replace("\n", "\r\n"), 1),
    ("index.csv", table(*([name, *row] for name, row in zip(["", "0"], COLUMNS_OF_RAGAS, strict=True))), 1),
]


@pytest.mark.parametrize(("name", "text", "n"), FORMS, ids=[name for name, *_ in FORMS])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_file_is_taken_apart_whatever_its_form(tmp_path, name, text, n, packed):
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    records, found = converted(path)
    assert (found.name, found.records, found.rejected) == ("ragas", n, 0)
    assert [record.id for record in records] == [f"row-{i}" for i in range(1, n + 1)]
    assert records[0].retrieved[0].source_id == "1"


RECORD_FILES = [
    ("records", lines(RECORD, RECORD | {"id": "b"})),
    ("a row of another tool among them", lines(RECORD, RAGAS)),
    ("a field misspelt in one", lines(RECORD, RECORD | {"id": "b", "golld": {}})),
    ("a field misspelt in all", lines({"id": "a", "question": "Who?", "answer": "S.", "retreived": []})),
    ("an id that is called otherwise", lines({"idd": "a", "question": "Who?", "answer": "S."})),
    ("the first line broken", lines('{"id": "a", "question"', RECORD, RECORD)),
    ("one broken line", '{"id": "a", "question"\n'),
    ("text", "hello, world\nand more, of this\n"),
    ("text with quotes", 'hello, "world\nand "more", of\n'),
    ("null", "null\n"),
    ("nothing", ""),
    ("white space", " \n\n"),
]


@pytest.mark.parametrize(
    ("text", "name"), [(text, name) for name, text in RECORD_FILES], ids=[n for n, _ in RECORD_FILES]
)
def test_a_file_of_records_is_read_as_it_stands_and_so_is_what_is_nothing_known(tmp_path, text, name):
    path = tmp_path / "given.jsonl"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with open_records(path) as reading:
        assert reading.path == path
        assert reading.found is None
        assert not reading.hint or name == "an id that is called otherwise"


def test_what_is_nothing_known_is_told_with_what_could_be_read(tmp_path):
    path = tmp_path / "given.jsonl"
    path.write_text(lines({"foo": 1, "b\x1b[31mar": 2}, {"baz": 3}))
    hint = detect(path, "given.jsonl").hint
    assert "its fields: foo, bar, baz" in hint
    assert all(name in hint for name in NAMES)


@pytest.mark.parametrize(
    ("row", "hinted"),
    [
        ({"id": "1", "question": "Q?", "answer": "A.", "passages": ["x"], "hits": []}, True),
        ({"id": "1", "question": "Q?", "answer": "A.", "retrieved": [], "context_ids": ["x"]}, True),
        (RECORD | {"answr": "A."}, False),
    ],
)
def test_fields_that_no_record_has_are_told_with_what_would_take_them(tmp_path, row, hinted):
    path = tmp_path / "own.jsonl"
    path.write_text(lines(row), encoding="utf-8")
    hint = detect(path, "own.jsonl").hint
    assert ("csv-columns are fields by their usual names" in hint) == hinted


@pytest.mark.parametrize(
    "value",
    [[RECORD, RECORD | {"id": "b"}], [RECORD, RECORD | {"id": "b", "golld": 1}]],
    ids=["good", "one with a field misspelt"],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_records_in_a_json_list_are_records(tmp_path, value, indent):
    path = tmp_path / "given.json"
    path.write_text(json.dumps(value, indent=indent))
    records, found = converted(path)
    assert records[0] == Record(**RECORD)
    assert found.name == "records"
    if len(records) == 1:
        assert str(found.problems[0]) == f"{path}: [1].golld: unknown field"


def test_rows_are_told_by_the_lines_on_which_they_begin(tmp_path):
    path = tmp_path / "given.csv"
    path.write_text('question,answer,contexts\n"a\nb",c,\n\n"d",e\nf,g,"[\'h\', 7]"\n,i,\n')
    records, found = converted(path)
    assert [record.question for record in records] == ["a\nb"]
    assert [(problem.line, problem.field) for problem in found.problems] == [(5, ""), (6, "contexts"), (7, "question")]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.csv",
            'question,answer\n"a,b\nc,d\n',
            "a.csv:2: not a table: unexpected end of data in the row that begins here",
        ),
        ("a.csv", "question,answer,question\na,b,c\n", "a.csv:1: the column 'question' stands twice"),
        ("a.csv", "Frage,answer\na,b\n", "a.csv: question: expected a column called question, query"),
        (
            "a.csv",
            "question,query,answer\na,b,c\n",
            "a.csv: query: expected one column for the question, got question and",
        ),
        ("a.csv", "question,answer\n", "a.csv: holds no records"),
        ("a.csv", "question,answer\na,b,c\n", "a.csv:2: expected 2 cells, as the header has, got 3"),
        ("a.csv", b"question,answer\n\xe9,b\n", "a.csv:1: not UTF-8: byte 0xe9"),
        ("a.json", '{"results": 1,\n "a": }', "a.json:2: not JSON"),
        ("a.json", "[" * 100_000, "a.json: not read: nested too deeply"),
        ("a.json", '[{"a": 1, "a": 2}]', "a.json: a: the key 'a' stands twice"),
        ("a.json", "[1, 2]", "a.json: no shape that is known"),
        ("a.json", '{\n"foo": 1}', "a.json: no shape that is known (its fields: foo)"),
        ("a.yaml", "results:\n  - a\n", "a.yaml: is YAML: export it as JSON"),
        ("a.parquet", b"PAR1\x00", "a.parquet: is Parquet"),
        ("a.csv", b"\xff\xfeq\0", "a.csv: is UTF-16"),
        ("a.jsonl.gz", b"\x1f\x8b\x08\x00broken", "a.jsonl.gz: is gzip, and damaged"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as told, open_records(path, name):
        pass
    assert str(told.value).startswith(said)
    assert "\n" not in str(told.value)


def test_a_zip_archive_that_no_shape_knows_is_told(tmp_path):
    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("note.txt", "nothing")
    with pytest.raises(InputError, match="zip"), open_records(path):
        pass


def test_an_archive_goes_to_the_shape_that_opens_it(tmp_path, monkeypatch):
    class Zipped(type(shape_named("ragas"))):
        name = "zipped"

        def archive(self, path):
            return ((f"samples[{i}]", RAGAS if i else "no object") for i in range(3))

    path = tmp_path / "a.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("note.txt", "nothing")
    monkeypatch.setattr("showable.converters.detect.all_shapes", lambda: iter([Zipped(), shape_named("deepeval")]))
    records, found = converted(path)
    assert (found.name, len(records)) == ("zipped", 2)
    assert str(found.problems[0]) == f"{path}: samples[0]: expected an object, got a string"


def test_two_shapes_that_fit_are_never_guessed_between(tmp_path, monkeypatch):
    class Twin(type(shape_named("ragas"))):
        name = "twin"

    monkeypatch.setattr("showable.converters.detect.all_shapes", lambda: iter([shape_named("ragas"), Twin()]))
    path = tmp_path / "a.jsonl"
    path.write_text(lines(RAGAS))
    with pytest.raises(InputError, match="could be ragas and twin: say which with --from ragas"), open_records(path):
        pass
    assert converted(path, wanted="ragas")[1].records == 1


# name of the file, its rows, what it is found to be; source: the columns are those of docs/formats.md, "A table", and ragas
# reads neither ids of passages called so nor numbered columns, while named columns read no reference contexts
UNREAD = [
    ("a.csv", 'question,answer,contexts,context_ids\nQ?,A [x].,"[""A.""]","[""x""]"\n', "csv-columns"),
    ("a.csv", 'question,answer,contexts,context_ids\nQ?,A [x].,A.,"[""x"", ""y""]"\n', "csv-columns"),
    ("a.csv", "question,answer,context_1,context_1_id,ground_truth\nQ?,A [x].,A.,x,A.\n", "csv-columns"),
    ("a.tsv", "user_input\tresponse\tcontext_1\tcontext_1_id\nQ?\tA [x].\tA.\tx\n", "csv-columns"),
    ("a.csv", 'question,answer,contexts,gold_context_ids,ground_truth\nQ?,A [1].,A.,"[""x""]",A.\n', "csv-columns"),
    ("a.csv", "question,answer,contexts,context_ids\nQ?,A [1].,A.,\n", "ragas"),
    ("a.csv", "question,answer,contexts,ground_truth,reviewer\nQ?,A [1].,A.,A.,B.\n", "ragas"),
    ("a.csv", "question,answer,ground_truth,documents\nQ?,A [1].,A.,A.\n", "csv-columns and ragas"),
    (
        "a.csv",
        'user_input,response,retrieved_contexts,reference_contexts,context_ids\nQ?,A [x].,A.,A.,"[""x""]"\n',
        "csv-columns and ragas",
    ),
    (
        "a.csv",
        'question,answer,contexts,ground_truths,context_ids\nQ?,A [x].,A.,A.,"[""x""]"\n',
        "csv-columns and ragas",
    ),
    ("a.csv", 'input,actual_output,context,context_ids\nQ?,A [x].,A.,"[""x""]"\n', "csv-columns and deepeval"),
    (
        "a.jsonl",
        '{"question": "Q?", "answer": "A [x].", "contexts": ["A."], "context_ids": ["x"]}\n',
        "csv-columns and ragas",
    ),
]


@pytest.mark.parametrize(("name", "text", "expected"), UNREAD)
def test_columns_that_a_tools_shape_leaves_unread_make_it_named_columns_or_are_asked_about(
    tmp_path, name, text, expected
):
    path = tmp_path / name
    path.write_text(text)
    if " and " not in expected:
        assert detect(path, name).shape.name == expected
        return
    with pytest.raises(InputError, match=f"could be {expected}: say which with --from csv-columns"):
        detect(path, name)


def test_an_odd_row_is_a_problem_with_its_line_and_the_rest_is_read(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(*[RAGAS] * 3, {"input": "Q", "actual_output": "A"}, "{broken", RAGAS))
    records, found = converted(path)
    assert [record.id for record in records] == ["row-1", "row-2", "row-3", "row-6"]
    said = [str(problem) for problem in found.problems]
    assert said[0] == f"{path}:4: user_input: this field is missing"
    assert said[1].startswith(f"{path}:5: not JSON")
    assert found.rejected == 2


def test_an_odd_row_that_could_be_made_into_a_record_is_a_problem_all_the_same(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(*[RAGAS] * 3, {"user_input": "Q", "output": "A", "b\x1b[1mad": 1}))
    _, found = converted(path)
    assert [str(problem) for problem in found.problems] == [
        f"{path}:4: expected ragas rows, as before; the fields here are user_input, output, bad"
    ]


def test_an_id_that_stands_twice_names_both_places(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(RAGAS | {"id": 7}, RAGAS | {"id": "row-3"}, RAGAS, RAGAS | {"id": "7"}))
    _, found = converted(path)
    assert [str(problem) for problem in found.problems] == [
        f"{path}:3: id: 'row-3' stands on line 2 already",
        f"{path}:4: id: '7' stands on line 1 already",
    ]
    path.write_text(json.dumps([RAGAS | {"id": "x"}, RAGAS | {"id": "x"}]))
    assert str(converted(path)[1].problems[0]) == f"{path}: [1].id: 'x' stands at [0] already"


def test_problems_are_kept_to_twenty_and_counted_beyond(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(*[RAGAS] * 20, *[RAGAS | {"response": 7}] * 30))
    _, found = converted(path)
    assert (found.records, found.rejected, len(found.problems)) == (20, 30, 20)


def test_names_of_lost_fields_are_counted_without_end(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(*(RAGAS | {f"metric {i}": 0.5, "same": 1, "missing": float("nan")} for i in range(300))))
    _, found = converted(path)
    assert found.lost["same"] == 300
    assert sum(found.lost.values()) == 600
    assert len(found.lost) <= 201
    assert "missing" not in found.lost


def test_the_same_file_always_becomes_the_same_bytes(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(*[RAGAS] * 5, RAGAS | {"response": 7}))
    made = []
    for _ in range(2):
        with open_records(path) as reading:
            made.append(reading.path.read_bytes())
        assert not reading.path.exists()
    assert made[0] == made[1]


def test_an_unknown_name_of_a_shape_says_which_there_are(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(RAGAS))
    with (
        pytest.raises(SettingError, match="no shape is called 'rags'; there are records, ragas"),
        open_records(path, wanted="rags"),
    ):
        pass


def test_fields_by_their_usual_names_are_read_in_json_lines_as_in_tables(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"query": "Q?", "response": "A [2].", "documents": ["one", {"text": "two", "id": 9}]}, ""))
    with pytest.raises(AssertionError):
        assert converted(path)[1].problems == []  # one passage with an id, one without
    path.write_text(lines({"query": "Q?", "response": "A [2].", "documents": ["one", "two"], "model": "m-1"}))
    for wanted in (None, COLUMNS):
        records, _ = converted(path, wanted=wanted)
        assert [source.text for source in records[0].retrieved] == ["one", "two"]
        assert records[0].metadata == {"model": "m-1"}


# Every shape there is, put to every shape's examples.

EXAMPLES = {path.partition(".")[0]: import_module(f"converter_examples.{path.partition('.')[0]}") for path in SHAPES}
ROWS = [(module, i, row) for module, held in EXAMPLES.items() for i, row in enumerate(held.ROWS)]
DOCUMENTS = [(module, i, document) for module, held in EXAMPLES.items() for i, document in enumerate(held.DOCUMENTS)]
FIELDS = sorted({name for _, _, row in ROWS for name in row} | {"results", "testCases", "samples", "content"})
HOSTILE = [
    None,
    True,
    0,
    -(10**400),
    float("nan"),
    float("-inf"),
    "",
    "\ud800 half a pair",
    "\x1b[31m\u202e\x00" * 3,
    "[1] [2] [3" * 1000,
    "['" + "a" * 5000,
    "[" * 5000,
    [],
    [None],
    [[["deep"]]],
    [{}],
    {},
    {"": None, "\udfff": [1]},
    [{"text": 5, "id": [], "type": "text", "content": {"a": []}}],
]


def name_of(module):
    return module.replace("_", "-")


def ids(rows):
    return [f"{module}-{i}" for module, i, _ in rows]


@every_row(("module", "i", "row"), ROWS)
def test_a_row_is_taken_by_its_own_shape_and_by_no_other(module, i, row):
    fitting = [shape.name for shape in all_shapes() if shape.fits(row) and shape.name != COLUMNS]
    assert fitting == ([] if name_of(module) == COLUMNS else [name_of(module)])
    if name_of(module) == COLUMNS:
        assert shape_named(COLUMNS).fits(row)


@pytest.mark.parametrize(("module", "i", "document"), DOCUMENTS, ids=ids(DOCUMENTS))
def test_a_document_is_found_to_be_of_its_own_shape(module, i, document, tmp_path):
    path = tmp_path / "document.json"
    for indent in (None, 2):
        path.write_text(json.dumps(document, indent=indent))
        found = detect(path, "document.json")
        assert found.shape.name == name_of(module)
        with path.with_suffix(".jsonl").open("wb") as out:
            told = convert_file(found, "document.json", out)
        assert told.records, [str(problem) for problem in told.problems]


@every_row(("module", "i", "row"), ROWS)
def test_an_example_becomes_a_record_and_always_the_same(module, i, row):
    shape = shape_named(name_of(module))
    first, second = (shape.convert(Row(row, "row-1", line=1)) for _ in range(2))
    assert first == second
    assert Record.model_validate_json(first.record.model_dump_json(exclude_defaults=True)) == first.record
    assert all(isinstance(name, str) for name in (*first.lost, *first.notes))


@every_row("missing", [None, "id", "answer", "retrieved"])
@every_row("changed", [None, *Record.model_fields])
def test_no_shape_takes_a_record_with_or_without_a_mistake(changed, missing):
    full = Record(
        id="a", question="Who?", answer="S [1].", retrieved=[{"source_id": "s"}], shown=["s"], gold={"answer": "S"},
        profile="legal", trace_id="t", metadata={"a": 1},
    )  # fmt: skip
    for record in (full.model_dump(mode="json"), {"id": "a", "question": "Who?", "answer": "S."}, RECORD):
        fields = {f"{name}s" if name == changed else name: value for name, value in record.items() if name != missing}
        assert [shape.name for shape in all_shapes() if shape.name != COLUMNS and shape.fits(fields)] == []
        assert [shape.name for shape in all_shapes() if shape.rows(fields) is not None] == []


def mutations(held, whole=1, depth=0):
    """Give a value with each of its parts, in turn, missing or replaced by hostile values: all of them, deep down by turns."""
    if depth > 5:
        return
    parts = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for turn, (key, part) in enumerate(list(parts)):
        copy = held.copy()
        for value in HOSTILE if depth < whole else HOSTILE[turn % 4 :: 4]:
            copy[key] = value
            yield copy
        for value in mutations(part, whole, depth + 1):
            copy[key] = value
            yield copy
        if isinstance(held, dict):
            yield {name: value for name, value in held.items() if name != key}


# One in eleven of the mutations in `make test`, all of them in `make test-slow`.
EACH = pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.slow)])


@EACH
@every_row("module", EXAMPLES)
def test_hostile_values_anywhere_give_a_record_or_a_clear_line(module, step):
    shape, others = shape_named(name_of(module)), list(all_shapes())
    for row in EXAMPLES[module].ROWS:
        for hostile in islice(mutations(row), 0, None, step):
            told = convert_file(Found(Document([hostile]), shape), "x.json", io.BytesIO(), forced=True)
            assert told.records + told.rejected == 1
            assert not told.problems or told.problems[0].message
            for other in others:
                assert other.fits(hostile) in {True, False}


@EACH
@every_row("module", [module for module, held in EXAMPLES.items() if held.DOCUMENTS])
def test_hostile_documents_give_records_or_a_clear_line(module, step):
    shape = shape_named(name_of(module))
    for document in EXAMPLES[module].DOCUMENTS:
        for hostile in islice(mutations(document, whole=2), 0, None, step):  # rows are gone through above
            try:
                told = convert_file(Found(Document(hostile), shape), "x.json", io.BytesIO(), forced=True)
            except InputError as error:
                assert str(error)  # noqa: PT017 - either way is right
            else:
                assert told.records + told.rejected


@every_row(
    "held",
    [*HOSTILE, ["a"], [1, 2], {"results": []}, {"results": None}, {"results": [None]}],
)
def test_no_shape_fails_at_a_document_of_nothing_known(held):
    for shape in all_shapes():
        found = shape.rows(held)
        assert found is None or all(isinstance(place, str) for place, _ in islice(found, 1))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda held: (
        st.lists(held, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=3), held, max_size=5)
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(held=JSON, whole=st.booleans())
def test_any_json_is_read_refused_or_left_alone(tmp_path, held, whole):
    path = tmp_path / "given.json"
    path.write_text(json.dumps(held if whole else [held, held], ensure_ascii=True))
    try:
        with open_records(path) as reading:
            assert reading.found is None or reading.found.records + reading.found.rejected
    except InputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either way is right


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(text=st.text(max_size=80) | st.text('a,;\t"\n\r ', max_size=60), name=st.sampled_from(["a.csv", "a.tsv", "a"]))
def test_any_text_is_read_refused_or_left_alone(tmp_path, text, name):
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "replace"))
    try:
        with open_records(path) as reading:
            assert reading.found is None or reading.found.records + reading.found.rejected
    except InputError as error:
        assert str(error).startswith(str(path))  # noqa: PT017 - either way is right


# The command.


def write(tmp_path, *rows, name="answers.jsonl"):
    path = tmp_path / name
    path.write_text(lines(*rows))
    return path


def test_convert_prints_records_and_says_what_was_lost(cli, tmp_path):
    path = write(tmp_path, RAGAS | {"faithfulness": 1.0}, RAGAS | {"faithfulness": None})
    code, out, err = cli("convert", path)
    assert code == 0
    assert [json.loads(line)["id"] for line in out.splitlines()] == ["row-1", "row-2"]
    said = "2 records; not carried over: faithfulness (1); 2 without an id: called by row (row-1 …)"
    assert err == f"showable: {path}: ragas rows, {said}\n"


def test_convert_writes_a_file_and_one_document_of_what_it_did(cli, tmp_path):
    path, out = write(tmp_path, RAGAS | {"faithfulness": 1.0}), tmp_path / "records.jsonl"
    code, printed, _ = cli("convert", path, "-o", out, "--json")
    assert code == 0
    assert json.loads(printed) == {
        "shape": "ragas",
        "records": 1,
        "rejected": 0,
        "lost": {"faithfulness": 1},
        "notes": {},
        "problems": [],
        "output": str(out),
    }
    assert [line.value.question for line in read_record_lines(out)] == [RAGAS["user_input"]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.jsonl", "records.jsonl"]


def test_convert_writes_nothing_of_a_file_with_bad_rows_unless_told_to(cli, tmp_path):
    path, out = write(tmp_path, RAGAS, RAGAS, "{broken"), tmp_path / "records.jsonl"
    code, printed, err = cli("convert", path)
    assert (code, printed) == (2, "")
    assert f"showable: {path}:3: not JSON" in err
    assert "1 bad of 3 rows; nothing was written; --keep-going writes the rest" in err
    assert cli("convert", path, "-o", out)[0] == 2
    assert not out.exists()
    assert cli("convert", path, "-o", out, "--keep-going")[0] == 2
    assert len(out.read_text().splitlines()) == 2


def test_convert_of_records_gives_them_back_without_their_defaults(cli, tmp_path):
    path = write(tmp_path, RECORD | {"profile": None, "metadata": {}})
    code, out, err = cli("convert", path)
    assert (code, json.loads(out), err) == (0, RECORD, "")
    assert cli("convert", write(tmp_path, RECORD | {"golld": 1}, name="bad.jsonl"))[0] == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--json"], "--json goes with -o"),
        (["-o", "answers.jsonl"], "is the file that is read"),
        (["--from", "nothing"], "no shape is called 'nothing'"),
        (["-o", "missing/folder/x.jsonl"], "missing/folder/x.jsonl: there is no folder missing/folder"),
        (["-o", "."], ".: is a folder; -o takes a file"),
        (["-o", f"{'x' * 300}.jsonl"], "xxx.jsonl: File name too long"),
    ],
)
def test_mistakes_of_the_command_are_one_line_and_exit_2(cli, tmp_path, monkeypatch, args, said):
    monkeypatch.chdir(tmp_path)
    code, out, err = cli("convert", write(tmp_path, RAGAS), *args)
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]


def test_convert_reads_standard_input(cli, monkeypatch):
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps([RAGAS, RAGAS | {"response": 7}]).encode()))
    )
    code, out, err = cli("convert", "-", "--keep-going")
    assert (code, json.loads(out)["id"]) == (2, "row-1")
    assert "showable: -: ragas rows, 1 record; 1 without an id: called by row (row-1 …)\n" in err
    assert "showable: -: [1].response: expected a string, got a number\n" in err


def test_what_was_lost_is_told_in_one_line_however_much_it_is(cli, tmp_path):
    path = write(tmp_path, RAGAS | {f"metric {i:02}\x1b[1m": 1 for i in range(30)}, RAGAS | {"metric 29": 1})
    err = cli("convert", path)[2]
    assert err.count("\n") == 1
    assert "not carried over: metric 29 (2), metric 00 (1), " in err
    assert "metric 06 (1), and 22 more; " in err


# Scoring what was found.


def test_score_reads_the_shape_and_the_same_command_finds_the_same_run_again(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, RAGAS | {"faithfulness": 1.0}, RAGAS | {"response": "Lyon is the capital of France [7]."})
    code, out, err = cli("score", path, "--judge", "lexical", "--json")
    assert code == 0, err
    assert json.loads(out)["buckets"]["unsupported"] == 1
    assert f"{path}: ragas rows, 2 records; not carried over: faithfulness (1)" in err
    again = cli("score", path, "--judge", "lexical", "--json")[1]
    assert json.loads(again) == json.loads(out)
    assert len(list((tmp_path / "runs").iterdir())) == 1


def test_score_tells_bad_rows_by_the_lines_of_the_original(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, RAGAS, RAGAS, "", RAGAS | {"response": 7})
    code, out, err = cli("score", path, "--judge", "lexical")
    assert (code, out) == (2, "")
    assert f"showable: {path}:4: response: expected a string, got a number" in err
    assert "1 bad of 3" in err
    code, out, _ = cli("score", path, "--judge", "lexical", "--keep-going", "--json")
    assert (code, json.loads(out)["n"], json.loads(out)["rejected"]) == (2, 2, 1)


def test_score_of_rows_that_are_all_bad_says_so(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = cli("score", write(tmp_path, RAGAS | {"response": 7}), "--judge", "lexical")
    assert code == 2
    assert "response: expected a string, got a number" in err
