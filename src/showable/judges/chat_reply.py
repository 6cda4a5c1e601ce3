"""Read a chat model's reply into a verdict from the closed menu, or say why it cannot be read. Nothing is guessed."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any, Literal, cast

from showable.read.injection import suspect_injection

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
    "quote_instructs": "the quote is what the passage tells a judge to answer, which is no evidence",
}
_DETAIL_LENGTH = 80

ChatLabel = Literal["supported", "partial", "unsupported", "contradicted"]
_MENU = frozenset({"supported", "partial", "unsupported", "contradicted"})
_EVEN = 0.5

_THINK, _THOUGHT = "<think>", "</think>"
_FENCED = re.compile(r"```(?:json)?\n(.*)\n```", re.DOTALL | re.IGNORECASE)
_ELLIPSIS = re.compile(r"\[\.\.\.\]|\[…\]|\.\.\.|…")
_ALIKE = tuple(
    (frozenset(letters), f"[{re.escape(letters)}]") for letters in ("'‘’‚‛′`´", '"“”„‟″', "-\u2010\u2011‒–—―−")
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model decided: on the menu, with a reason, and with words that do stand in the passage."""

    label: ChatLabel
    reason: str
    quote: str | None
    quote_span: tuple[int, int] | None
    p: float | None


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


def read_reply(content: str, passage: str) -> Reply | Unreadable:
    """Read a reply: one JSON object with `verdict`, `reason`, `quote`, `p`, alone or in one code fence.

    A finished ``<think>`` block before it is passed over. Whatever a verdict other than ``unsupported``
    relies on must stand in the passage (blanks, case, quotation marks, dashes and ellipses aside), or
    the verdict rests on words that are not there. Letter case and blanks around the verdict are not held against it.
    """
    values = read_object(content)
    return values if isinstance(values, Unreadable) else _read_verdict(values, passage)


def read_replies(content: str, passage: str, count: int) -> list[Reply | Unreadable] | Unreadable:
    """Read a reply about `count` numbered claims: one JSON object whose `verdicts` lists one object a claim.

    Each is read as a reply about one claim. A number that was not asked about makes the whole reply
    unreadable: counting from 0 would give every claim its neighbour's verdict.
    """
    values = read_object(content)
    if isinstance(values, Unreadable):
        return values
    listed = values.get("verdicts")
    if not isinstance(listed, list) or not all(isinstance(item, dict) for item in listed):
        return Unreadable("no_list")
    by_number: dict[int, list[dict[str, Any]]] = {number: [] for number in range(1, count + 1)}
    for item in listed:
        number = item.get("claim")
        if type(number) is not int or number not in by_number:
            return Unreadable("misnumbered", str(number))
        by_number[number].append(item)
    return [_read_numbered(items, passage) for items in by_number.values()]


def _read_numbered(items: list[dict[str, Any]], passage: str) -> Reply | Unreadable:
    if len(items) == 1:
        return _read_verdict(items[0], passage)
    return Unreadable("numbered_twice" if items else "missing_claim")


def read_object(content: str) -> dict[str, Any] | Unreadable:
    """Read a reply that is one JSON object, alone or in one code fence, after a finished thought or none."""
    body = _after_thinking(content.encode(errors="replace").decode())
    return body if isinstance(body, Unreadable) else _one_object(body)


def _read_verdict(values: dict[str, Any], passage: str) -> Reply | Unreadable:
    label = _label(values)
    if isinstance(label, Unreadable):
        return label
    reason = values.get("reason")
    if not isinstance(reason, str) or not reason.strip():
        return Unreadable("no_reason")
    p = _probability(values.get("p"), label)
    if isinstance(p, Unreadable):
        return p
    return _with_quote(label, reason.strip(), values.get("quote"), passage, p)


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


def _with_quote(label: ChatLabel, reason: str, said: object, passage: str, p: float | None) -> Reply | Unreadable:
    quote = said.strip() if isinstance(said, str) else ""
    span = find_quote(quote, passage) if quote else None
    if label == "unsupported":
        return Reply(label, reason, quote if span else None, span, p)
    if not quote:
        return Unreadable("no_quote")
    if span is None:
        return Unreadable("quote_not_found", quote)
    if suspect_injection(quote):
        return Unreadable("quote_instructs", quote)
    return Reply(label, reason, quote, span, p)


def find_quote(quote: str, passage: str) -> tuple[int, int] | None:
    """Find where a quote stands in a passage: offsets, end exclusive, or None.

    Blanks, case, and the shapes of quotation marks and dashes do not matter. Parts joined by an
    ellipsis must all be there, in order; the span then runs from the first to the last.
    """
    parts = [part for raw in _ELLIPSIS.split(quote) if (part := raw.strip(" \t\r\n\"'“”‘’"))]
    if not any(character.isalnum() for part in parts for character in part):
        return None
    start: int | None = None
    end = 0
    for part in parts:
        found = _pattern(part).search(passage, end)
        if found is None:
            return None
        start, end = found.start() if start is None else start, found.end()
    return None if start is None else (start, end)


def _pattern(part: str) -> re.Pattern[str]:
    words = ("".join(_any_shape(character) for character in word) for word in part.split())
    return re.compile(r"\s+".join(words), re.IGNORECASE)


def _any_shape(character: str) -> str:
    return next((shapes for letters, shapes in _ALIKE if character in letters), None) or re.escape(character)
