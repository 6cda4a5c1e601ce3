"""What a gateway hands over to be guarded, and what it is told: the nouns that every contract reads into and writes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from showable.production.guard.acting import Action
from showable.production.guard.call import GuardCall
from showable.production.guard.deciding import Ruled
from showable.production.guard.retrieval import Context, FoundLog, GivenLog, find_log, with_reply_sources
from showable.production.guard.wire.asked import BadRequestError, Json, MalformedError, Wire
from showable.production.guard.wire.chat import ChatWire
from showable.production.guard.wire.messages import MessagesWire
from showable.production.guard.wire.responses import ResponsesWire
from showable.records.findings import Finding, Outcome
from showable.records.scorecard import Release

WIRES: Mapping[str, Wire] = {"chat": ChatWire(), "responses": ResponsesWire(), "messages": MessagesWire()}
LOG_KEY = "showable_log"
"""The key of a gateway's metadata that names a log which the application has put."""
UNKNOWN_LOG = "retrieval_log.unknown_id"
UNSEEN_CITATIONS = "guard.citations_unseen"


@dataclass(frozen=True, slots=True)
class Received:
    """One call of a gateway. `response` is None before there is an answer.

    `request` and `response` have the form of `wire`. `given` is a log within the body, `log_id` names one that was put,
    `joined_by` is an id that the call before the answer shares with the one after it. `asks` is False where what comes
    before is no question to a model, and needs no log. `carries_citations` is False where the contract leaves the
    citation objects of the interface out.
    """

    wire: Wire
    request: Json
    response: Json | None
    given: GivenLog | None = None
    log_id: str | None = None
    joined_by: str | None = None
    profile: str | None = None
    doubts: tuple[Finding, ...] = ()
    asks: bool = True
    carries_citations: bool = True

    @property
    def has_prompt(self) -> bool:
        """Whether what the model was sent is in the call."""
        return bool(self.request.get("messages") or self.request.get("input"))

    def found_log(
        self,
        stored: GivenLog | None,
        *,
        tools: Sequence[str] = (),
        context: Context | None = None,
        verify_shown: bool = False,
    ) -> FoundLog:
        """Return the retrieval log of the call. Raises BadRequestError where a part of the request cannot be read."""
        asked = self.wire.asked(self.request)
        verify = verify_shown and self.has_prompt
        return find_log(self.wire, asked, self.given, stored, tools=tools, context=context, verify_shown=verify)

    def guard_call(self, log: FoundLog) -> GuardCall:
        """Return the call to decide on. Raises MalformedError where the response is none of its interface."""
        asked = self.wire.asked(self.request)
        response = self.response or {}
        answers = self.wire.answers(response, asked)
        log = with_reply_sources(log, self.wire.reply_sources(response, asked))
        return GuardCall(
            api=self.wire.api,
            question=log.question,
            answers=answers,
            retrieved=log.retrieved,
            shown=log.shown,
            log_from=log.log_from,
            schema_asked=asked.schema_asked,
            doubts=(*log.doubts, *self.doubts),
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was decided on a call. `text` stands in place of an answer that is not shown, None where it is.

    `ruled` has the call with its answers and what a judge took; None where none could be read.
    """

    action: Action
    release: Release
    text: str | None = None
    instruction: str | None = None
    ruled: Ruled | None = None

    @property
    def shows(self) -> bool:
        """Whether the answer may go to the client."""
        return self.action in {"show", "unverified", "not_an_answer"}


class Contract(Protocol):
    """One gateway's contract."""

    path: str

    def read(self, body: Json) -> Received:
        """Read a request of the gateway. Raises BadRequestError with the field."""
        ...

    def write(self, ruling: Ruling) -> Json:
        """Write the reply on a decision."""
        ...


def wire_by_shape(response: Json) -> Wire:
    """Return the interface that a response has the form of. Raises MalformedError where it has none."""
    if isinstance(response.get("choices"), list):
        return WIRES["chat"]
    if isinstance(response.get("output"), list):
        return WIRES["responses"]
    if isinstance(response.get("content"), list):
        return WIRES["messages"]
    raise MalformedError("the response has no choices, no output and no content")


def wire_of_request(request: Json) -> Wire:
    """Return the interface of a request alone; chat where it may be several."""
    return WIRES["responses"] if "input" in request else WIRES["chat"]


def object_at(body: Mapping[str, Any], field: str) -> Json | None:
    """Return an object of a body, None where it is absent or null. Raises BadRequestError for anything else."""
    value = body.get(field)
    if value is None or isinstance(value, dict):
        return value
    raise BadRequestError(field, "expected an object or null")


def text_at(body: Mapping[str, Any], field: str) -> str | None:
    """Return a string of a body, None where it is absent, null or empty. Raises BadRequestError for anything else."""
    value = body.get(field)
    if value is None or isinstance(value, str):
        return value or None
    raise BadRequestError(field, "expected a string or null")


def without_unseen_citations(release: Release) -> Release:
    """Open a release that rests on no citation, where none is carried.

    An answer of a structured form brings its citations in its text; one of running text may have had citation objects.
    """
    left_out = release.rests_on.left_out if release.rests_on else {}
    if release.verdict != "show" or release.citations or "sentences" not in left_out:
        return release
    reason = "no citation stands in the text, and this contract does not carry those that stand beside it"
    return release.model_copy(
        update={
            "verdict": "unknown",
            "reasons": (*release.reasons, reason),
            "codes": (*release.codes, UNSEEN_CITATIONS),
            "text": f"This answer is held back: {reason}.",
        }
    )


def log_doubt(reason: str) -> Finding:
    """Build the finding of a log that was named and is not there."""
    return Finding(code=UNKNOWN_LOG, outcome=Outcome.UNKNOWN, reason=reason)
