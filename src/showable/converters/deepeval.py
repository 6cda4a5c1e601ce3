"""DeepEval: `LLMTestCase` and goldens, and the documents in which it saves runs of tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.cells import read_list, read_literal, read_texts
from showable.converters.fields import Fields, gaps, holds
from showable.converters.gold import category_of, evidence_among, make_gold
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Record, Source

_SNAKE = re.compile(r"(?<=[a-z])([A-Z])")
_TELLING = frozenset({"actual_output", "retrieval_context"})
_ANSWERS = frozenset({"output", "answer", "response"})
_FREE = ("name", "comments", "tags", "source_file")
_READ = frozenset(
    {"id", "input", "actual_output", "expected_output", "context", "retrieval_context", "category", *_FREE}
)
_EXTRA = ("metadata", "additional_metadata", "custom_column_key_values")
_OFF = frozenset({"flaky", "multimodal", "conversational"})
"""Switches: false says nothing."""
_CASES = ("testCases", "test_cases", "test_results", "testResults", "goldens")
_CONVERSATIONS = ("conversationalTestCases", "conversational_test_cases")
_INSIDE = ("testRunData", "test_run", "testRun")
_MARKER = re.compile(r"deepeval_source=(?P<source>[^\n]*?),deepeval_context=(?P<text>.*)", re.DOTALL)
_SEPARATOR = "|"
PARTED = "retrieval_context was one text, parted at | as DeepEval joins it"


class DeepEval:
    """Test cases of DeepEval, by their Python names or by the names it writes (``actualOutput``).

    Read are ``input``, ``actual_output``, ``expected_output`` (gold), ``retrieval_context`` (the retrieval log),
    ``context`` (what should have been found: gold evidence where all of it are passages of the log, word for word),
    ``metadata`` under all its names, ``name``, ``comments`` and ``tags``. In CSV and JSON Lines DeepEval joins contexts with
    ``|``, and so they are parted. A context with a source has it as its id where all of a row's have different ones, else
    as its title. Metrics, costs, times and tool calls are not carried over. Documents: ``{"testCases": […]}`` and
    ``{"test_results": […]}``. Source: `deepeval.test_case`, `deepeval.test_run`.
    """

    name = "deepeval"
    title = "DeepEval test cases"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return the test cases of a saved run; conversations among them too, each of which is told as one that is not read."""
        held, prefix = _inside(document)
        names = [name for name in (*_CASES, *_CONVERSATIONS) if isinstance(held.get(name), list)]
        if not any(self._is_case(case) for name in names for case in held[name]):
            return None
        return ((f"{prefix}{name}[{i}]", case) for name in names for i, case in enumerate(held[name]))

    def _is_case(self, case: Any) -> bool:
        return isinstance(case, Mapping) and (self.fits(case) or ("metricsData" in case and "input" in case))

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Return whether an item is a test case: its input, and an output or a retrieval under DeepEval's own names."""
        named = set(map(snake, fields))
        if not isinstance(fields.get("input"), str):
            return False
        return bool(named & _TELLING) or ("expected_output" in named and not named & _ANSWERS)

    def convert(self, row: Row) -> Converted:
        """Turn a test case into a Record."""
        fields = _snaked(row.fields)
        if "turns" in fields:
            raise FieldError("turns", "expected a test case of one turn: conversations are not read")
        notes: list[str] = []
        sources = _sources(fields, notes)
        evidence, all_of_it = evidence_among(_contexts(fields, "context", []) or (), sources)
        lost = [] if all_of_it else ["context"]
        lost += [name for name in row.fields if _is_lost(snake(name), row.fields[name])]
        said = Fields(fields)
        answer = said.text("actual_output")
        record = Record(
            id=Fields(row.fields).id("id") or row.fallback_id,
            question=said.need_words("input"),
            answer=answer,
            retrieved=sources,
            gold=make_gold(
                answer=said.text("expected_output"),
                evidence=evidence,
                category=category_of(fields.get("category")),
            ),
            metadata=_metadata(fields),
        )
        return Converted(record, tuple(lost), (*notes, *gaps(record)))


def snake(name: str) -> str:
    """Write a name as Python does: ``actualOutput`` is ``actual_output``."""
    return _SNAKE.sub(r"_\1", name).lower()


def _snaked(fields: Mapping[str, Any]) -> dict[str, Any]:
    held: dict[str, Any] = {}
    for name, value in fields.items():
        known = snake(name)
        if holds(held.get(known)) and holds(value) and held[known] != value:
            raise FieldError(name, f"expected what {known} says, under both of its names")
        if known not in held or holds(value):
            held[known] = value
    return held


def _inside(document: Any) -> tuple[Mapping[str, Any], str]:
    """Return the run that a document is, or holds under one of the names it is saved under."""
    held = document if isinstance(document, Mapping) else {}
    for name in _INSIDE:
        if isinstance(held.get(name), Mapping):
            return held[name], f"{name}."
    return held, ""


def _contexts(fields: Mapping[str, Any], name: str, notes: list[str]) -> list[Any] | None:
    value = fields.get(name)
    read = read_list(value, name)
    if isinstance(value, str) and read == [value] and _SEPARATOR in value:
        notes.append(PARTED)
        return [part for part in value.split(_SEPARATOR) if part.strip()]
    if name == "context":
        return read_texts(read, name)
    return read


def _sources(fields: Mapping[str, Any], notes: list[str]) -> tuple[Source, ...] | None:
    contexts = _contexts(fields, "retrieval_context", notes)
    if contexts is None:
        return None
    pairs = [_sourced(one, f"retrieval_context[{i}]") for i, one in enumerate(contexts)]
    names = [source for source, _ in pairs]
    if names and all(names) and len(set(names)) == len(names):
        return tuple(Source(source_id=source or "", text=text) for source, text in pairs)
    return tuple(Source(source_id=str(i), text=text, title=source) for i, (source, text) in enumerate(pairs, 1))


def _sourced(one: Any, place: str) -> tuple[str | None, str]:
    """Return the source and the text of a context: a text, DeepEval's own marker, or an object with both."""
    if isinstance(one, str):
        marked = _MARKER.fullmatch(one)
        return (marked["source"].strip() or None, marked["text"]) if marked else (None, one)
    if isinstance(one, Mapping):
        source, text = one.get("source"), one.get("context")
        if isinstance(text, str) and (source is None or isinstance(source, str)):
            return (source or "").strip() or None, text
    raise FieldError(place, "expected a text, or an object with context and source")


def _metadata(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is free: the metadata under all its names, and what DeepEval says of a case beside."""
    kept: dict[str, Any] = {}
    for name in _EXTRA:
        given = fields.get(name)
        if isinstance(given, str) and given.strip().startswith("{"):
            given = read_literal(given.strip(), name)
        if isinstance(given, Mapping):
            kept |= {str(key): value for key, value in given.items()}
        elif holds(given):
            raise FieldError(name, "expected an object")
    kept |= {name: fields[name] for name in _FREE if holds(fields.get(name))}
    if holds(fields.get("category")) and category_of(fields["category"]) is None:
        kept["category"] = fields["category"]
    return kept


def _is_lost(name: str, value: Any) -> bool:
    if name in _READ or name in _EXTRA or not holds(value):
        return False
    return not (name in _OFF and value is False)
