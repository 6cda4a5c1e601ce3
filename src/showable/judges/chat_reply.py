"""Read a chat model's reply into a verdict from the closed menu, or say why it cannot be read. Nothing is guessed."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from showable.judges.lexical.addressed import rests_on_addressed
from showable.judges.lexical.vocabulary import FUNCTION_WORDS
from showable.judges.lexical.words import split_words
from showable.read.injection import suspect_injection
from showable.records.regex import regex

Fault = Literal[
    "no_message",
    "empty",
    "refused",
    "truncated",
    "unclosed_think",
    "not_json",
    "several_objects",
    "no_list",
    "misnumbered",
    "missing_claim",
    "numbered_twice",
    "no_verdict",
    "off_menu",
    "no_reason",
    "bad_p",
    "no_quote",
    "quote_not_found",
    "quote_instructs",
    "quote_too_long",
    "quote_elsewhere",
    "bad_topical",
]
_SAY: dict[Fault, str] = {
    "no_message": "the response holds no message",
    "empty": "the reply is empty",
    "refused": "the model refused to reply",
    "truncated": "the reply was cut off",
    "unclosed_think": "the reply is a thought that never ends",
    "not_json": "the reply is not one JSON object",
    "several_objects": "the reply holds more than one JSON value",
    "no_list": "the reply has no list of verdicts",
    "misnumbered": "the reply numbers claims that were not asked about",
    "missing_claim": "the reply leaves this claim out",
    "numbered_twice": "the reply has more than one verdict on this claim",
    "no_verdict": "the reply has no verdict",
    "off_menu": "the verdict is not on the menu",
    "no_reason": "the reply gives no reason",
    "bad_p": "p is not a probability that goes with the verdict",
    "no_quote": "the reply quotes nothing from the passage",
    "quote_not_found": "the quote is not in the passage",
    "quote_instructs": "the quote is what the passage tells a judge to answer or to find of claims, which is no evidence",
    "quote_too_long": "the quote is longer than 2,000 characters",
    "quote_elsewhere": "the quote has neither a figure nor a word of the claim that it is to support",
    "bad_topical": "topical is neither true, false nor null",
}
_DETAIL_LENGTH = 80
_LONGEST_QUOTE, _LONGEST_REASON = 2_000, 1_000

ChatLabel = Literal["supported", "partial", "unsupported", "contradicted"]
_MENU = frozenset({"supported", "partial", "unsupported", "contradicted"})
_EVEN = 0.5

_THINK, _THOUGHT = "<think>", "</think>"
_FENCED = regex(r"```(?:json)?\n(.*)\n```", re.DOTALL | re.IGNORECASE)
_ELLIPSIS = regex(r"\[\.\.\.\]|\[…\]|\.\.\.|…")
_ALIKE = {ord(letter): letters[0] for letters in ("'‘’‚‛′`´", '"“”„‟″', "-\u2010\u2011‒–—―−") for letter in letters}


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model decided: on the menu, with a reason, and with words that do stand in the passage."""

    label: ChatLabel
    reason: str
    quote: str | None
    quote_span: tuple[int, int] | None
    p: float | None
    topical: bool | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a reply cannot be read. `say` is fixed text; `reason` may also show a piece of the reply."""

    fault: Fault
    detail: str = ""

    @property
    def say(self) -> str:
        """The fault in words that hold nothing of what the model or the passage said."""
        return _SAY[self.fault]

    @property
    def reason(self) -> str:
        """The fault with the piece of the reply that shows it."""
        if not self.detail:
            return self.say
        shown = self.detail if len(self.detail) <= _DETAIL_LENGTH else f"{self.detail[:_DETAIL_LENGTH]}…"
        return f"{self.say}: {shown!r}"


def read_reply(content: str, passage: str, claim: str) -> Reply | Unreadable:
    """Read a reply: one JSON object with `verdict`, `reason`, `quote`, `p`, `topical`, alone or in one code fence.

    A finished ``<think>`` block before it is passed over. Whatever a verdict other than ``unsupported``
    relies on must stand in the passage (blanks, case, quotation marks, dashes and ellipses aside), or
    the verdict rests on words that are not there. What supports the claim must have a figure or a content word of it: a
    model that was told to say "supported" quotes whatever it was told to. Nor may it touch a sentence that speaks to a judge.
    Letter case and blanks around the verdict are not held against it.
    """
    values = read_object(content)
    return values if isinstance(values, Unreadable) else _read_verdict(values, passage, claim)


def read_replies(content: str, passage: str, claims: Sequence[str]) -> list[Reply | Unreadable] | Unreadable:
    """Read a reply about numbered claims: one JSON object whose `verdicts` lists one object a claim.

    Each is read as a reply about one claim. A number that was not asked about makes the whole reply
    unreadable: counting from 0 would give every claim its neighbour's verdict.
    """
    values = read_object(content)
    if isinstance(values, Unreadable):
        return values
    listed = values.get("verdicts")
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        return Unreadable("no_list")
    by_number: dict[int, list[dict[str, Any]]] = {number: [] for number in range(1, len(claims) + 1)}
    for item in listed:
        number = item.get("claim")
        if type(number) is not int or number not in by_number:
            return Unreadable("misnumbered", str(number))
        by_number[number].append(item)
    return [_read_numbered(items, passage, claim) for items, claim in zip(by_number.values(), claims, strict=True)]


def _read_numbered(items: list[dict[str, Any]], passage: str, claim: str) -> Reply | Unreadable:
    if len(items) == 1:
        return _read_verdict(items[0], passage, claim)
    return Unreadable("numbered_twice" if items else "missing_claim")


def read_object(content: str) -> dict[str, Any] | Unreadable:
    """Read a reply that is one JSON object, alone or in one code fence, after a finished thought or none."""
    body = _after_thinking(content.encode(errors="replace").decode())
    return body if isinstance(body, Unreadable) else _one_object(body)


def _read_verdict(values: dict[str, Any], passage: str, claim: str) -> Reply | Unreadable:
    label = _label(values)
    if isinstance(label, Unreadable):
        return label
    reason = values.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        return Unreadable("no_reason")
    p = _probability(values.get("p"), label)
    if isinstance(p, Unreadable):
        return p
    topical = values.get("topical")
    if topical is not None and not isinstance(topical, bool):
        return Unreadable("bad_topical", str(topical))
    found = _quote(label, values.get("quote"), passage, claim)
    if isinstance(found, Unreadable):
        return found
    return Reply(label, _shortened(reason.strip()), *found, p, topical)


def _shortened(reason: str) -> str:
    return reason if len(reason) <= _LONGEST_REASON else f"{reason[:_LONGEST_REASON]}…"


def _after_thinking(content: str) -> str | Unreadable:
    body = content.strip()
    while body.startswith(_THINK):
        thought, closed, body = body.partition(_THOUGHT)
        if not closed:
            return Unreadable("unclosed_think", thought[len(_THINK) :].strip())
        body = body.strip()
    return body or Unreadable("empty")


def _one_object(body: str) -> dict[str, Any] | Unreadable:
    fenced = _FENCED.fullmatch(body)
    text = fenced[1].strip() if fenced else body
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return Unreadable("not_json", body)
    rest = text[end:].strip()
    if rest:
        return Unreadable("several_objects" if rest[0] in "{[" else "not_json", rest)
    if not isinstance(value, dict):
        return Unreadable("not_json", body)
    return value


def _no_repeats(items: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(items)
    if len(values) < len(items):
        raise ValueError("a field is there twice")
    return values


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant)


def _label(values: dict[str, Any]) -> ChatLabel | Unreadable:
    said = values.get("verdict")
    if said is None or said == "":
        return Unreadable("no_verdict")
    label = said.strip().lower() if isinstance(said, str) else None
    return cast("ChatLabel", label) if label in _MENU else Unreadable("off_menu", str(said))


def _probability(said: object, label: ChatLabel) -> float | Unreadable | None:
    if said is None:
        return None
    if isinstance(said, bool) or not isinstance(said, int | float) or not math.isfinite(said) or not 0 <= said <= 1:
        return Unreadable("bad_p", str(said))
    agrees = said >= _EVEN if label == "supported" else said < _EVEN
    return float(said) if agrees else Unreadable("bad_p", f"{said} with {label}")


_Quoted = tuple[str | None, tuple[int, int] | None]


def _quote(label: ChatLabel, said: object, passage: str, claim: str) -> _Quoted | Unreadable:
    """Return the quote and where it stands; only ``unsupported`` may do without one."""
    quote = said.strip() if isinstance(said, str) else ""
    span = find_quote(quote, passage) if 0 < len(quote) <= _LONGEST_QUOTE else None
    if label == "unsupported":
        return quote if span else None, span
    fault = _wrong_with(label, quote, span, passage, claim)
    return (quote, span) if fault is None else Unreadable(fault, quote)


def _wrong_with(label: ChatLabel, quote: str, span: tuple[int, int] | None, passage: str, claim: str) -> Fault | None:
    if not quote:
        return "no_quote"
    if span is None:
        return "quote_not_found" if len(quote) <= _LONGEST_QUOTE else "quote_too_long"
    if suspect_injection(quote):
        return "quote_instructs"
    if label != "supported":
        return None
    if rests_on_addressed(passage, claim, span):
        return "quote_instructs"
    return None if _shares_a_word(quote, claim) else "quote_elsewhere"


def _shares_a_word(quote: str, claim: str) -> bool:
    """Check whether a quote has a figure or a content word of the claim; where they are in other scripts, nobody can tell."""
    ours, theirs = (set(split_words(text).terms) for text in (quote, claim))
    if (ours & theirs) - FUNCTION_WORDS:
        return True
    return not theirs - FUNCTION_WORDS or not _scripts(quote) & _scripts(claim)


def _scripts(text: str) -> set[str]:
    """Return the scripts of a text's letters, by the first word of their names: LATIN, CYRILLIC, HANGUL."""
    return {unicodedata.name(letter, "?").partition(" ")[0] for letter in set(text) if letter.isalpha()}


def find_quote(quote: str, passage: str) -> tuple[int, int] | None:
    """Find where a quote stands in a passage: offsets, end exclusive, or None. Takes linear time.

    Blanks, case, and the shapes of quotation marks and dashes do not matter. Parts joined by an
    ellipsis must all be there, in order; the span then runs from the first to the last.
    """
    parts = [part for raw in _ELLIPSIS.split(quote) if (part := raw.strip(" \t\r\n\"'“”‘’"))]
    if not any(character.isalnum() for part in parts for character in part):
        return None
    folded, places = _folded(passage)
    start: int | None = None
    at = 0
    for part in parts:
        words, _ = _folded(part)
        found = folded.find(words, at)
        if found < 0:
            return None
        at = found + len(words)
        start = places[found] if start is None else start
    return None if start is None else (start, places[at - 1] + 1)


def _folded(text: str) -> tuple[str, list[int]]:
    """Return a text with runs of blanks as one, in one case and one shape of marks, and where each character stood."""
    characters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        small = _ALIKE.get(ord(character)) or character.lower()
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            small = " "
        characters.append(small if len(small) == 1 else character)
        places.append(place)
    return "".join(characters), places
