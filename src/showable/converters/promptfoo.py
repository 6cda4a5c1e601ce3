"""promptfoo: the results of an evaluation, as its JSON and JSON Lines outputs of versions 2 and 3 hold them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG, Fields, as_text, converted, holds, storable
from showable.converters.passages import looks_like_log, numbers_cited, read_log, with_positions
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Source

WHOLE_PROMPT = "no variable is called query or question: the whole prompt stands for the question"
STRIPPED = "promptfoo was told to strip this text from its output"
IN_ANSWER = "the output is an object: the answer was read from its field answer"
AS_JSON = "the output is no text: it was written as JSON"

_QUESTIONS = ("query", "question")
_STRIPPED = frozenset({"[output stripped]", "[prompt stripped]"})
_RESULT = {"response", "success", "gradingResult", "error"}
_RUNTIME_ERROR = 2
"""`ResultFailureReason.ERROR`; 1 says that an assertion failed, whose words stand in the same field ``error``."""


class Promptfoo:
    """One result: a test case put to one prompt and one provider, ``test-0-prompt-1`` by its place in the table.

    Verdicts and scores of assertions are lost. Reference answers that assertions state (factuality, similar, equals)
    become gold; the context that its context assertions use is the retrieval log.
    """

    name = "promptfoo"
    title = "promptfoo"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return the items of ``results.results``, or of ``results`` where the summary stands alone."""
        outer = document.get("results") if isinstance(document, Mapping) else None
        items = outer.get("results") if isinstance(outer, Mapping) else outer
        if not isinstance(items, list) or not any(isinstance(item, Mapping) and self.fits(item) for item in items):
            return None
        place = "results" if items is outer else "results.results"
        return ((f"{place}[{i}]", item) for i, item in enumerate(items))

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Hold for a prompt and a provider with variables or a test case, and what came of them."""
        if not {"prompt", "provider"} <= fields.keys() or not {"vars", "testCase"} & fields.keys():
            return False
        return bool(_RESULT & fields.keys())

    def convert(self, row: Row) -> Converted:
        """Turn a result into a Record."""
        fields = Fields(row.fields)
        notes: list[str] = []
        test, response = fields.object("testCase"), fields.object("response")
        given = fields.object("vars") if holds(row.fields.get("vars")) else test.object("vars")
        test.take("vars")
        question = _question(fields, given, notes)
        answer, output = _answer(fields, response, notes)
        log, log_notes = find_context(fields, response, output, given, answer)
        log, position_notes = with_positions(log, answer)
        record = {
            "id": _id(fields, row),
            "question": question,
            "answer": answer,
            "retrieved": log,
            "gold": find_gold(test, given.held),
            "metadata": _metadata(fields, test, given),
        }
        return converted(record, fields, [*log_notes, *position_notes, *notes])


def _id(fields: Fields, row: Row) -> str:
    test, prompt = fields.id("testIdx"), fields.id("promptIdx")
    if test is None:
        return fields.id("id") or row.fallback_id
    return f"test-{test}-prompt-{prompt or 0}"


def _question(fields: Fields, given: Fields, notes: list[str]) -> str:
    """Return the variable that promptfoo's own context assertions ask for, or a ``question``; else the prompt."""
    for name in _QUESTIONS:
        if isinstance(given.held.get(name), str) and given.held[name]:
            return given.need_text(name)
    prompt = fields.held.get("prompt")
    raw = fields.text("prompt") if isinstance(prompt, str) else fields.object("prompt").text("raw")
    if raw is None:
        raise FieldError("prompt.raw", "this field is missing")
    notes.append(STRIPPED if raw in _STRIPPED else WHOLE_PROMPT)
    return _last_turn(raw)


def _last_turn(prompt: str) -> str:
    """Return the last message of the user where a prompt is a chat in JSON."""
    if not prompt.lstrip().startswith("["):
        return prompt
    try:
        chat = json.loads(prompt)
    except (ValueError, RecursionError):
        return prompt
    turns = [turn.get("content") for turn in chat if isinstance(turn, dict) and turn.get("role") == "user"]
    return as_text(turns[-1], "prompt.raw") if turns and isinstance(turns[-1], str) else prompt


def _answer(fields: Fields, response: Fields, notes: list[str]) -> tuple[str | None, Fields]:
    """Return the output as text, and its fields where it is an object; None and a note why where there is no answer."""
    output, failed = response.take("output"), response.take("error")
    said, reason = fields.take("error"), fields.take("failureReason")
    if failed is not None or output is None or output == "":
        broken = failed is not None or reason == _RUNTIME_ERROR or (said is not None and reason is None)
        notes.append(FAILED if broken else NO_ANSWER)
        return None, Fields({})
    if isinstance(output, str):
        answer = as_text(output, "response.output")
        notes += [STRIPPED] if answer in _STRIPPED else []
        return None if answer in _STRIPPED else answer, Fields({})
    if isinstance(output, Mapping) and isinstance(output.get("answer"), str):
        notes.append(IN_ANSWER)
        held = response.object("output")
        return held.text("answer"), held
    if not storable(output):
        raise FieldError("response.output", "expected text, or JSON of whole characters and finite numbers")
    notes.append(AS_JSON)
    return json.dumps(output, ensure_ascii=False), Fields(
        output if isinstance(output, Mapping) else {}, "response.output"
    )


def _metadata(fields: Fields, test: Fields, given: Fields) -> dict[str, Any]:
    """Return what tells results apart, the test's own metadata, and the other variables."""
    found = fields.kept("testIdx", "promptIdx", "promptId", "id", "latencyMs", "cost", "evalId")
    if holds(provider := fields.held.get("provider")):
        named = fields.text("provider") if isinstance(provider, str) else fields.object("provider").id("label", "id")
        found |= {} if named is None else {"provider": named}
    if isinstance(fields.held.get("prompt"), Mapping):
        found |= {f"prompt_{name}": one for name, one in fields.object("prompt").kept("label").items()}
        fields.object("prompt").take("raw")
        fields.object("prompt").take("display")
    else:
        fields.take("prompt")
    found |= {f"test_{name}": one for name, one in test.kept("description", "metadata").items()}
    others = given.rest()
    return {**found, **({"vars": others} if others else {})}


NAMES = ("context", "contexts", "contextUnits", "retrieved", "retrieved_contexts", "documents", "sources")
READ_FROM = "the retrieval log was read from {}"
NUMBERED = "the context is one text: its numbered passages were taken apart"
ONE_TEXT = "the context is one text, of which nothing says where the passages begin that the answer cites by number"

_NUMBER = re.compile(r"^[ \t]{0,8}\[(\d{1,4})\]", re.MULTILINE)
_Found = tuple[tuple[Source, ...] | None, list[str]]


def find_context(fields: Fields, response: Fields, output: Fields, given: Fields, answer: str | None) -> _Found:
    """Return the retrieval log and notes on it: a list of passages, if there is one anywhere, else a context in one text."""
    places = list(_places(fields, response, output, given))
    for said, holder, name in places:
        if looks_like_log(holder.held[name]):
            return read_log(holder, name), [READ_FROM.format(said)]
    for said, holder, name in places:
        value = holder.held[name]
        if isinstance(value, str) and value.strip() and not value.startswith("file://"):
            holder.take(name)
            log, notes = _of_text(as_text(value, holder.at(name)), answer)
            return log, [READ_FROM.format(said), *notes] if log is not None else notes
    return None, [NO_LOG]


def _places(fields: Fields, response: Fields, output: Fields, given: Fields) -> Iterator[tuple[str, Fields, str]]:
    """Yield the fields that may hold it, what the run returned before what the test was given."""
    holders = [
        ("response.metadata", _opened(response, "metadata")),
        ("metadata", _opened(fields, "metadata")),
        ("response.output", output),
        ("vars", given),
    ]
    holders += [("gradingResult", graded) for graded in _graded(fields)]
    for said, holder in holders:
        for name in NAMES:
            if holder is not None and name in holder.held:
                yield f"{said}.{name}", holder, name


def _opened(outer: Fields, name: str) -> Fields | None:
    return outer.object(name) if isinstance(outer.held.get(name), Mapping) else None


def _graded(fields: Fields) -> Iterator[Fields]:
    """Yield what context assertions put on record: the context that each of them was judged against."""
    result = fields.held.get("gradingResult")
    parts = result.get("componentResults") if isinstance(result, Mapping) else None
    for part in parts if isinstance(parts, list) else ():
        metadata = part.get("metadata") if isinstance(part, Mapping) else None
        if isinstance(metadata, Mapping):
            yield Fields(metadata, "gradingResult.componentResults.metadata")


def _of_text(context: str, answer: str | None) -> _Found:
    """Take a text apart at ``[1]``, ``[2]`` … where they begin lines and count up; else it is one passage.

    A number above 1 in the answer then names a passage that cannot be told, so nothing is said to be the log.
    """
    marks = list(_NUMBER.finditer(context))
    if len(marks) > 1 and [int(mark[1]) for mark in marks] == list(range(1, len(marks) + 1)):
        ends = [mark.start() for mark in marks[1:]] + [len(context)]
        texts = [context[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
        return tuple(Source(source_id=str(i), text=text) for i, text in enumerate(texts, 1)), [NUMBERED]
    if any(number > 1 for number in numbers_cited(answer or "")):
        return None, [ONE_TEXT]
    return (Source(source_id="context", text=context),), []


_BY_RANK = ("factuality", "model-graded-factuality", "similar", "equals")
"""Assertions whose value is a whole answer; of several, the first kind counts. What must be contained is only a part of one."""
_VARIABLE = re.compile(r"\{\{\s*(\w{1,200})\s*\}\}")
_DEEPEST = 8


def find_gold(test: Fields, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the reference answer of a test, and that it should be refused where an assertion says so."""
    assertions = list(_flat(test.held.get("assert"), 0))
    kinds = [kind.partition(":")[0] for kind, _ in assertions]
    used = {"is-refusal"}
    stated: list[str] = []
    for wanted in _BY_RANK:
        values = [value for kind, (_, value) in zip(kinds, assertions, strict=True) if kind == wanted]
        stated = [text for value in values if value for text in _texts(value, given)]
        if stated:
            used.add(wanted)
            break
    refused = "is-refusal" in kinds
    if used.issuperset(kinds):
        test.take("assert")
    if not stated and not refused:
        return None
    gold: dict[str, Any] = {"answer": stated[0], "aliases": tuple(stated[1:])} if stated else {}
    return {**gold, **({"expected": ("refused",)} if refused else {})}


def _flat(value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    """Yield the kind and the value of each assertion, those of sets too."""
    for one in value if isinstance(value, list) and depth < _DEEPEST else ():
        kind = one.get("type") if isinstance(one, Mapping) else None
        if kind == "assert-set":
            yield from _flat(one.get("assert"), depth + 1)
        elif isinstance(kind, str):
            yield kind, one.get("value")


def _texts(value: Any, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the answers that a value states, with a variable put in where it is nothing but one."""
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, str) or one.startswith("file://"):
            continue
        named = _VARIABLE.fullmatch(one.strip())
        text = given.get(named[1]) if named else one
        if isinstance(text, str) and text and "{{" not in text and "{%" not in text:
            yield as_text(text, "testCase.assert")
