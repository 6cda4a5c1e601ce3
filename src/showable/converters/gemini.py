"""Replies of Gemini with grounding metadata, with the request that they answer where it was kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.cited_spans import with_citations
from showable.converters.exchange import (
    NO_QUESTION,
    Exchange,
    find_exchange,
    last_asked,
    need_exchange,
    record_id,
    record_of,
)
from showable.converters.fields import Fields, as_object, as_text
from showable.converters.gemini_grounding import Grounding, Parts, grounding_of
from showable.converters.shape import Converted, Row

_CUT = "MAX_TOKENS"
_FINE = frozenset({"", "STOP", "FINISH_REASON_UNSPECIFIED", _CUT})
_OF_A_CANDIDATE = frozenset({"content", "finishReason", "finish_reason", "groundingMetadata", "grounding_metadata"})
NO_LOG = "the payload has no passages of a retrieval tool (groundingChunks with retrievedContext): nothing says what was retrieved"
CUT_OFF = "the answer was cut off at the token limit"
STOPPED = "the provider stopped the answer (finishReason)"
BLOCKED = "the provider blocked the request (promptFeedback): there is no answer"
ONE_CANDIDATE = "the reply offers several candidates; the first was taken"


class Gemini:
    """A reply of generateContent, alone or in a pair with its request, its names in camelCase or snake_case.

    The log (`retrieved`) is `groundingChunks`, where a retrieval tool brought passages of documents
    (`retrievedContext`): the interface calls them what was retrieved from the source that grounds the answer, and lists
    more than what is cited. Where all chunks are pages of the web or places on a map, which come without text, there
    is none. Ids are ``chunk-0``, by which supports call them; two chunks may be of one document.

    Offsets of a segment count UTF-8 bytes of one part. Where the words there are not the segment's own `text`, the
    nearest that are, are taken. `citationMetadata` reports words recited from training data, and cites nothing.

    Shape: `GenerateContentResponse`, `GroundingMetadata`, `GroundingChunk`, `GroundingSupport`, `Segment` in
    google.genai.types of python-genai, and in the reference of the Gemini and Vertex interfaces.
    """

    name = "gemini"
    title = "Gemini replies with grounding"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - the Shape's
        """Return None: nothing wraps replies."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a reply, or a pair that holds one."""
        return find_exchange(fields, _is_reply) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a reply into a Record. Raises FieldError where a field is not what the shape asks for."""
        return _converted(
            row, need_exchange(row.fields, _is_reply, "candidates", "expected a reply of Gemini (candidates)")
        )


def _is_reply(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    candidates = value.get("candidates")
    if isinstance(candidates, list | tuple) and candidates:
        return all(isinstance(one, Mapping) and bool(_OF_A_CANDIDATE & one.keys()) for one in candidates)
    return isinstance(value.get("promptFeedback") or value.get("prompt_feedback"), Mapping)


def _converted(row: Row, exchange: Exchange) -> Converted:
    response = exchange.response
    notes: list[str] = []
    lost: list[str] = []
    question = exchange.words or _question(exchange.asked("contents"))
    if not question:
        notes.append(NO_QUESTION)
    candidates = response.objects("candidates")
    notes += [ONE_CANDIDATE] if len(candidates) > 1 else []
    parts, grounding = Parts(), Grounding()
    if candidates:
        first = candidates[0]
        parts = _parts(first, lost)
        grounding = grounding_of(first.inner("groundingMetadata", "grounding_metadata"), parts)
        lost += _lost(first)
        notes += _ended(first)
    else:
        response.take("promptFeedback")
        notes.append(BLOCKED)
    notes += grounding.notes
    if grounding.log is None:
        notes.append(NO_LOG)
    model = response.text("modelVersion", "model_version")
    record = record_of(
        record_id(exchange, row, "responseId", "response_id"),
        question,
        parts.text if candidates else None,
        retrieved=grounding.log,
        metadata={"model": model} if model else {},
    )
    record, unfit = with_citations(record, grounding.cited)
    lost = [*exchange.unread(), *lost, *grounding.lost]
    return Converted(record, tuple(dict.fromkeys(lost)), (*dict.fromkeys(notes), *unfit))


def _parts(candidate: Fields, lost: list[str]) -> Parts:
    """Put the parts of the answer together; thoughts are none."""
    parts = Parts()
    content = candidate.inner("content")
    for part in content.objects("parts") if content else ():
        thought = part.raw("thought") is True
        if thought or part.raw("functionCall", "function_call") is not None:
            lost.append(f"candidates.content.parts.{'thought' if thought else 'functionCall'}")
        parts.add("" if thought else part.text("text") or "")
    return parts


def _lost(candidate: Fields) -> list[str]:
    held = candidate.inner("citationMetadata", "citation_metadata")
    recited = held is not None and any(held.items(name) for name in ("citations", "citationSources"))
    return ["candidates.citationMetadata"] if recited else []


def _ended(candidate: Fields) -> list[str]:
    reason = candidate.raw("finishReason", "finish_reason")
    reason = reason.rpartition(".")[2] if isinstance(reason, str) else ""
    if reason == _CUT:
        return [CUT_OFF]
    return [] if reason in _FINE else [STOPPED]


def _question(request: Fields | None) -> str:
    """Return the last words of the user: `contents` is a list of turns, one turn, or in the library a text alone."""
    held = None if request is None else request.raw("contents")
    if request is None or held is None:
        return ""
    if isinstance(held, str):
        return request.text("contents") or ""
    items = request.items("contents") if isinstance(held, list | tuple) else [(held, request.at("contents"))]
    if all(isinstance(item, str) for item, _ in items):
        return "\n".join(as_text(item, at) for item, at in items)
    return last_asked([as_object(item, at) for item, at in items], _words_asked)


def _words_asked(turn: Fields) -> str:
    if isinstance(turn.raw("parts"), str):
        return turn.text("parts") or ""
    if turn.raw("parts") is None:
        return turn.text("text") or ""
    words = [
        as_text(item, at) if isinstance(item, str) else as_object(item, at).text("text")
        for item, at in turn.items("parts")
    ]
    return "\n".join(word for word in words if word and word.strip())
