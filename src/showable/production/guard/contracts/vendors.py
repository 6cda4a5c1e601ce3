"""Replies of Cohere's and Gemini's interfaces, which the proxy does not speak, as calls of the native endpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from showable.converters.cohere import CUT_OFF as COHERE_CUT
from showable.converters.cohere import FAILED, Cohere
from showable.converters.gemini import BLOCKED, STOPPED, Gemini
from showable.converters.gemini import CUT_OFF as GEMINI_CUT
from showable.converters.shape import Converted, FieldError, Row, Shape
from showable.production.guard.call import Api, Finish, GivenAnswer, GuardCall
from showable.production.guard.contracts.received import WIRES, Received
from showable.production.guard.retrieval import Context, FoundLog, GivenLog
from showable.production.guard.wire.asked import BadRequestError, Json, objects, strings
from showable.records.record import Answer, Citation, Source

_SHAPES: Mapping[Api, Shape] = {"cohere": Cohere(), "gemini": Gemini()}
_NOT_TEXT = ("tool_plan", "tool_calls")


@dataclass(frozen=True, slots=True)
class VendorCall(Received):
    """A call of an interface whose replies a converter reads. `native` is the log that the converter found."""

    api: Api = "cohere"
    answers: tuple[GivenAnswer, ...] = ()
    native: tuple[Source, ...] | None = None

    def found_log(
        self,
        stored: GivenLog | None,
        *,
        tools: Sequence[str] = (),
        context: Context | None = None,
        verify_shown: bool = False,
    ) -> FoundLog:
        """Return the log that was given or put, else the interface's own documents."""
        log = Received.found_log(self, stored, tools=tools, context=context, verify_shown=verify_shown)
        return (
            replace(log, retrieved=self.native, log_from="native")
            if log.log_from is None and self.native is not None
            else log
        )

    def guard_call(self, log: FoundLog) -> GuardCall:
        """Return the call to decide on."""
        return GuardCall(
            api=self.api,
            question=log.question,
            answers=self.answers,
            retrieved=log.retrieved,
            shown=log.shown,
            log_from=log.log_from,
            doubts=(*log.doubts, *self.doubts),
        )


def vendor_of(response: Json) -> Api | None:
    """Return the vendor's interface that a response has the form of, None for no vendor's."""
    return next((api for api, shape in _SHAPES.items() if shape.fits(response)), None)


def read_vendor_call(api: Api, request: Json, response: Json) -> VendorCall:
    """Read a reply with its request; each candidate is an answer. Raises BadRequestError with the field."""
    try:
        converted = [
            _SHAPES[api].convert(Row({"request": request, "response": one}, "call")) for one in _candidates(response)
        ]
    except FieldError as error:
        raise BadRequestError(error.field or "response", error.message) from None
    first = converted[0].record
    asked = {"model": request.get("model"), "messages": [{"role": "user", "content": first.question}], "sent": request}
    answers = tuple(_answer(one, part) for one, part in zip(converted, _candidates(response), strict=True))
    return VendorCall(WIRES["chat"], asked, response, api=api, answers=answers, native=first.retrieved)


def _candidates(response: Json) -> list[Json]:
    """Return a reply of each candidate by itself."""
    listed = response.get("candidates")
    if not isinstance(listed, list) or len(listed) < 2:  # noqa: PLR2004 - one is the reply itself
        return [response]
    return [response | {"candidates": [one]} for one in listed]


def _answer(converted: Converted, response: Json) -> GivenAnswer:
    answer = converted.record.answer
    text, citations = (answer.text or "", tuple(_cited(answer))) if isinstance(answer, Answer) else (answer or "", ())
    beside = tuple(_beside(response))
    finish: Finish = "stop"
    if {COHERE_CUT, GEMINI_CUT} & set(converted.notes):
        finish = "length"
    elif {FAILED, STOPPED, BLOCKED} & set(converted.notes):
        finish = "filter"
    elif beside and not text.strip():
        finish = "tools"
    return GivenAnswer(text, citations, finish, beside=beside)


def _cited(answer: Answer) -> Iterator[Citation]:
    for claim in answer.claims:
        for citation in claim.citations:
            yield citation if citation.span else citation.model_copy(update={"span": claim.span})


def _beside(response: Json) -> Iterator[str]:
    """Yield what reaches the client beside the answer: thoughts, plans, calls of functions."""
    message: Any = response.get("message")
    if isinstance(message, dict):
        yield from strings({name: message.get(name) for name in _NOT_TEXT})
        yield from strings([part for part in objects(message.get("content")) if part.get("type") != "text"])
    for candidate in objects(response.get("candidates")):
        content: Any = candidate.get("content")
        for part in objects(content.get("parts")) if isinstance(content, dict) else ():
            yield from strings(
                {name: value for name, value in part.items() if name != "text" or part.get("thought") is True}
            )
