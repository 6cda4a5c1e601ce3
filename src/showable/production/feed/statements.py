"""Which of a model's statements are kept: those whose cards exist, whose marks are copied, and which the tool grades correct."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz.distance import Levenshtein

from showable.evaluation import evaluate_safely
from showable.production.feed.nouns import Card, Statement
from showable.records.evidence import Judge
from showable.records.record import Answer, Citation, Claim, Record, Source

_LONGEST = 400
_SLOT = re.compile(r"\{(E\d+)\.([\w.]+)\}")
"""A value that code puts in: ``{E4.share_in}``; not ``{E4}`` alone."""
_MARK = re.compile(r"[^\s\"“”‘’(),;:!?\[\]{}]+")
"""A run that may be a number or an id: ``72%``, ``p7``, ``contract-qa``, ``semantic.padding``."""
_ID = re.compile(r"\d|[_/#@%]|\w[.:-]\w|[A-Z].*[A-Z]|[a-z][A-Z]")
"""What a run has that is no plain word: a digit, a sign of ids, several capitals; not ``Answers``."""
_EDGES = ".,-–—'"
_NEAR = 2
"""Letters by which a word is taken for a changed value of a card: ``Forces`` where the card says ``Force``."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The statements that are kept, and why each of the others is not, in their order."""

    kept: tuple[Statement, ...]
    dropped: tuple[tuple[str, str], ...]


async def check_statements(given: Any, cards: Sequence[Card], judge: Judge) -> Checked:
    """Check what a model states, as it came: nothing of it is trusted, and nothing raises."""
    by_id = {card.id: card for card in cards}
    kept: list[Statement] = []
    dropped: list[tuple[str, str]] = []
    for one in given if isinstance(given, list) else []:
        read = _read(one, by_id)
        if isinstance(read, str):
            dropped.append((_shown(one), read))
            continue
        fault = _uncopied(read, by_id) or await _ungrounded(read, cards, judge)
        if fault is None:
            kept.append(read)
        else:
            dropped.append((read.text, fault))
    return Checked(tuple(kept), tuple(dropped))


def marks_of(text: str) -> set[str]:
    """Return the numbers, ids and names of a text, each as it stands; plain words are none."""
    runs = _words(text)
    return {run for at, run in enumerate(runs) if _ID.search(run) or (at and run[:1].isupper())}


def _words(text: str) -> list[str]:
    return [run for found in _MARK.findall(text) if (run := found.strip(_EDGES))]


def _read(one: Any, cards: Mapping[str, Card]) -> Statement | str:
    """Return a statement with its values put in, or what keeps it from being one."""
    if not isinstance(one, dict) or not isinstance(one.get("text"), str) or not one["text"].strip():
        return "it has no text"
    cites = one.get("cites")
    if not isinstance(cites, list) or not cites or not all(isinstance(name, str) for name in cites):
        return "it cites no card"
    if strange := [name for name in cites if name not in cards]:
        return f"there is no card {strange[0][:20]}"
    text = " ".join(one["text"].split())
    if len(text) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    for slot in _SLOT.finditer(text):
        if slot[1] not in cites or slot[2] not in cards[slot[1]].values:
            return f"no card that it cites has {slot[0][:40]}"
    filled = _SLOT.sub(lambda slot: _written(slot[2], cards[slot[1]].values[slot[2]]), text)
    kind = "hypothesis" if one.get("kind") == "hypothesis" else "observation"
    return Statement(text=filled, cites=tuple(dict.fromkeys(cites)), kind=kind)  # type: ignore[arg-type]  # one of two


def _written(name: str, value: Any) -> str:
    """Return a value as cards write it: shares as percentages."""
    if isinstance(value, float) and (name.startswith("share") or name in {"rate", "low", "high"}):
        return f"{value:.0%}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _uncopied(statement: Statement, cards: Mapping[str, Card]) -> str | None:
    """Return the first number, id or name that stands in none of the cards that a statement cites, or all but one of their values."""
    held, values = set(statement.cites), set[str]()
    for name in statement.cites:
        written = [_written(key, value) for key, value in cards[name].values.items()]
        values.update(word for value in written for word in _words(value) if len(word) > _NEAR)
        held.update(_words(cards[name].text), written)
    strange = set(_words(statement.text)) - held
    altered = {word for word in strange for value in values if 0 < Levenshtein.distance(word, value) <= _NEAR}
    missing = sorted(strange & marks_of(statement.text) | altered)
    return f"{missing[0]!r} stands in none of its cards" if missing else None


async def _ungrounded(statement: Statement, cards: Sequence[Card], judge: Judge) -> str | None:
    """Return why the tool does not grade a statement correct, read as an answer that cites its cards."""
    record = Record(
        id="statement",
        question="What is known of these failing answers?",
        retrieved=tuple(Source(source_id=card.id, text=card.text) for card in cards),
        answer=Answer(
            claims=(Claim(text=statement.text, citations=tuple(Citation(source_id=name) for name in statement.cites)),)
        ),
    )
    card = (await evaluate_safely(record, judge)).scorecard
    return None if card.bucket == "correct" else f"{card.bucket}: {card.why or 'its cards do not say it'}"


def _shown(one: Any) -> str:
    text = one.get("text") if isinstance(one, dict) else one
    return str(text)[:_LONGEST]
