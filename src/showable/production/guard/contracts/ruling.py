"""A contract's call from its body to its reply: the log looked up, scanners asked, the answer decided on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import orjson

from showable.production.guard.acting import hold_text, rewrite_instruction
from showable.production.guard.call import GuardCall, Policy
from showable.production.guard.contracts.future_agi import FutureAgi
from showable.production.guard.contracts.litellm import LiteLLM
from showable.production.guard.contracts.native import Native
from showable.production.guard.contracts.portkey import Portkey
from showable.production.guard.contracts.received import (
    Contract,
    Received,
    Ruling,
    log_doubt,
    without_unseen_citations,
)
from showable.production.guard.deciding import Deciding
from showable.production.guard.guard_file import Route
from showable.production.guard.retrieval import NOT_SHOWN, FoundLog, GivenLog
from showable.production.guard.wire.asked import BadRequestError, Json, MalformedError
from showable.records.findings import Finding, Outcome
from showable.records.scorecard import Release

LOG = logging.getLogger("showable.guard")
CONTRACTS: Mapping[str, Contract] = {one.path: one for one in (Native(), LiteLLM(), FutureAgi(), Portkey())}
"""Every contract by the path that its gateway calls."""

_UNREADABLE = "structural.unparsed"
_NO_RETRIEVAL = "no retrieval log: put one and name it in x-showable-log or in the gateway's metadata, or send documents with the request"
_JOINED = "joined call "
"""What the id of a log begins with that is kept for the second call of a pair."""


class Logs(Protocol):
    """Where logs are kept, for all workers."""

    def put(self, tenant: str, log_id: str, body: bytes) -> None:
        """Keep a log."""
        ...

    def get(self, tenant: str, log_id: str) -> GivenLog | None:
        """Return a log that is kept, None where there is none."""
        ...


@dataclass(frozen=True, slots=True)
class RouteRules:
    """What a route says to one call over a contract: how logs are read, and how answers are decided on (all policies must be met)."""

    route: Route
    policies: Sequence[Policy]
    deciding: Deciding
    call_id: str = ""
    model: str = ""

    def found_log(self, received: Received, stored: GivenLog | None) -> FoundLog:
        """Return the retrieval log of a call. Raises BadRequestError where a part of the request cannot be read."""
        table = self.route.table
        return received.found_log(
            stored, tools=table.retrieval_tools, context=self.route.context, verify_shown=table.verify_shown
        )


async def rule_on(received: Received, rules: RouteRules, logs: Logs, tenant: str, log_id: str | None) -> Ruling:
    """Return the ruling on a call that another gateway hands over.

    `log_id` is that of the HTTP header, where the gateway sends one.
    Before there is an answer, what the request says is kept for the call after it, and the call passes unless the route
    rejects calls without a log. Raises BadRequestError where the request cannot be read.
    """
    received, stored = _stored(received, rules, logs, tenant, log_id or received.log_id)
    log = rules.found_log(received, stored)
    if received.response is None:
        return _before(received, rules, log, logs, tenant)
    try:
        return await _decided(received.guard_call(log), received, rules)
    except MalformedError as error:
        return _held(rules, f"the answer cannot be read: {error}", _UNREADABLE)
    except Exception:
        LOG.exception("the guard failed on a call of another gateway")
        return _held(rules, "the guard failed", "guard.failed")


async def _decided(call: GuardCall, received: Received, rules: RouteRules) -> Ruling:
    if not any(answer.text.strip() or answer.refusal or answer.beside for answer in call.answers):
        return _held(rules, "no word of the answer is in this call", "structural.empty_answer")
    seen = (lambda release: release) if received.carries_citations else without_unseen_citations
    ruled = await rules.deciding.rule(
        rules.route, rules.policies, call, call_id=rules.call_id, model=rules.model, seen=seen
    )
    action, release, policy = ruled.action, ruled.release, ruled.policy
    text = instruction = None
    if action == "refuse":
        text = await rules.deciding.refusal(rules.route, ruled.call, policy) or hold_text(release, policy)
    elif action not in {"show", "unverified", "not_an_answer"}:
        text = hold_text(release, policy)
        instruction = rewrite_instruction(release, ruled.call) if action == "rewrite" else None
    return Ruling(action, release, text, instruction, ruled)


def _held(rules: RouteRules, reason: str, code: str) -> Ruling:
    """Hold what could not be decided on: a gateway that is told of an error may pass the answer."""
    release = Release(verdict="unknown", reasons=(reason,), codes=(code,))
    return Ruling("hold", release, hold_text(release, rules.policies[0]))


def _stored(
    received: Received, rules: RouteRules, logs: Logs, tenant: str, log_id: str | None
) -> tuple[Received, GivenLog | None]:
    """Return the log of a call: as the call before the answer had it, else as it was put; with what speaks against it.

    The first was compared with the prompt, where the route asks for that.
    """
    joined = None
    if received.joined_by and received.response is not None:
        joined = logs.get(tenant, _JOINED + received.joined_by)
        if joined is not None and joined.retrieved is not None:
            return received, joined
    named = logs.get(tenant, log_id) if log_id and not log_id.startswith(_JOINED) else None
    doubts = list(received.doubts)
    if log_id and named is None:
        doubts.append(log_doubt("the log that the call names is not kept, or no longer"))
    elif (
        named is not None
        and rules.route.table.verify_shown
        and received.response is not None
        and not received.has_prompt
    ):
        reason = "the prompt is not in this call, so whether the model saw the passages is not known"
        doubts.append(Finding(code=NOT_SHOWN, outcome=Outcome.UNKNOWN, reason=reason))
    if named is not None and named.question is None and joined is not None:
        named = named.model_copy(update={"question": joined.question})
    return replace(received, doubts=tuple(doubts)), named or joined


def _before(received: Received, rules: RouteRules, log: FoundLog, logs: Logs, tenant: str) -> Ruling:
    if received.asks and log.retrieved is None and rules.policies[0].no_retrieval == "reject":
        reasons = (_NO_RETRIEVAL, *(finding.reason for finding in received.doubts))
        return Ruling("hold", Release(verdict="unknown", reasons=reasons), "; ".join(reasons))
    if received.joined_by:
        kept = GivenLog(retrieved=log.retrieved, shown=log.shown, question=log.question or None)
        logs.put(tenant, _JOINED + received.joined_by, orjson.dumps(kept.model_dump(mode="json")))
    return Ruling("not_an_answer", Release(verdict="show"))


def read_body(contract: Contract, body: bytes) -> Received:
    """Read a contract's body. Raises BadRequestError where it is no JSON object or not the contract's."""
    try:
        value = orjson.loads(body)
    except ValueError:
        raise BadRequestError("body", "expected JSON") from None
    if not isinstance(value, dict):
        raise BadRequestError("body", "expected an object")
    return contract.read(value)


def error_body(error: BadRequestError) -> Json:
    """Build the body of a 400: one line with the field."""
    return {
        "error": {"message": str(error), "type": "invalid_request", "param": error.field, "code": "invalid_request"}
    }
