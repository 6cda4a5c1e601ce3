"""promptfoo: the results of an evaluation, as its JSON and JSON Lines outputs of versions 2 and 3 hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.fields import FAILED, NO_ANSWER, Fields, as_text, converted, holds, storable
from showable.converters.passages import with_positions
from showable.converters.promptfoo_context import find_context
from showable.converters.promptfoo_gold import find_gold
from showable.converters.shape import Converted, FieldError, Row

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
        """Give the items of ``results.results``, or of ``results`` where the summary stands alone."""
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
    """Give the variable that promptfoo's own context assertions ask for, or a ``question``; else the prompt."""
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
    """Give the last message of the user where a prompt is a chat in JSON."""
    if not prompt.lstrip().startswith("["):
        return prompt
    try:
        chat = json.loads(prompt)
    except (ValueError, RecursionError):
        return prompt
    turns = [turn.get("content") for turn in chat if isinstance(turn, dict) and turn.get("role") == "user"]
    return as_text(turns[-1], "prompt.raw") if turns and isinstance(turns[-1], str) else prompt


def _answer(fields: Fields, response: Fields, notes: list[str]) -> tuple[str | None, Fields]:
    """Give the output as text, and its fields where it is an object; None and a note why where there is no answer."""
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
    """Give what tells results apart, the test's own metadata, and the other variables."""
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
