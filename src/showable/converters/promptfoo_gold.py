"""What a promptfoo test states of the right answer: the references of some of its assertions, never their verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.fields import Fields, as_text

_BY_RANK = ("factuality", "model-graded-factuality", "similar", "equals")
"""Assertions whose value is a whole answer; of several, the first kind counts. What must be contained is only a part of one."""
_VARIABLE = re.compile(r"\{\{\s*(\w{1,200})\s*\}\}")
_DEEPEST = 8


def find_gold(test: Fields, given: Mapping[str, Any]) -> dict[str, Any] | None:
    """Give the reference answer of a test, and that it should be refused where an assertion says so."""
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
