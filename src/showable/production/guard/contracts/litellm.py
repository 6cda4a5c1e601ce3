"""LiteLLM's generic guardrail: a call with the question before the model is asked, another with the answer's words after."""

from __future__ import annotations

from typing import Any

from showable.production.guard.contracts.received import WIRES, Received, Ruling, log_doubt, object_at, text_at
from showable.production.guard.wire.asked import BadRequestError, Json, objects
from showable.records.findings import Finding

_HEADER = "x-showable-log"
_NOT_FORWARDED = "[present]"
"""What LiteLLM puts in place of the value of a header that `extra_headers` does not name."""


class LiteLLM:
    """`POST /beta/litellm_basic_guardrail_api`, modes `pre_call` and `post_call`.

    The answer comes without question, documents and citation objects: they are joined by `litellm_call_id` to the call
    before it, or by the log that the header `x-showable-log` names, which LiteLLM forwards where `extra_headers` lists it.
    """

    path = "/beta/litellm_basic_guardrail_api"

    def read(self, body: Json) -> Received:
        """Read a call of either kind. Raises BadRequestError with the field."""
        kind = body.get("input_type")
        if kind not in {"request", "response"}:
            raise BadRequestError("input_type", "expected request or response")
        texts = body.get("texts") or []
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise BadRequestError("texts", "expected a list of strings")
        named = {str(name).lower(): value for name, value in (object_at(body, "request_headers") or {}).items()}.get(
            _HEADER
        )
        doubts: tuple[Finding, ...] = ()
        if named == _NOT_FORWARDED:
            named, doubts = (
                None,
                (log_doubt(f"LiteLLM does not forward {_HEADER}: list it in the guardrail's extra_headers"),),
            )
        params = object_at(body, "additional_provider_specific_params") or {}
        model = text_at(body, "model") or ""
        return Received(
            wire=WIRES["chat"],
            request={"model": model, "messages": _messages(body, texts if kind == "request" else [])},
            response=None if kind == "request" else _completion(texts, body.get("tool_calls")),
            log_id=str(named) if named else None,
            joined_by=text_at(body, "litellm_call_id"),
            profile=text_at(params, "profile"),
            doubts=doubts,
            asks=bool(body.get("structured_messages")),  # what has none is an embedding, a picture or speech
            carries_citations=False,
        )

    def write(self, ruling: Ruling) -> Json:
        """Write the action; codes and reasons are for whoever reads LiteLLM's log.

        A reply that intervenes is never written: on streams the raw answer is delivered then.
        """
        if ruling.shows:
            return {"action": "NONE"}
        release = ruling.release
        return {
            "action": "BLOCKED",
            "blocked_reason": ruling.text or "This answer is held back.",
            "codes": list(release.codes),
            "reasons": list(release.reasons),
        }


def _messages(body: Json, texts: list[str]) -> list[Json]:
    """Return the conversation as far as LiteLLM tells it: its messages, or else the texts it found in them."""
    messages = objects(body.get("structured_messages"))
    return messages or [{"role": "user", "content": text} for text in texts]


def _completion(texts: list[str], tool_calls: Any) -> Json:
    """Build a completion of what reaches the guard: the blocks of one answer, or several whole structured ones.

    Texts are blocks of a message, which may part a sentence, or choices; nothing tells which. Structured answers are
    read one by one, everything else as one text.
    """
    whole = texts if len(texts) > 1 and all(text.lstrip().startswith("{") for text in texts) else ["".join(texts)]
    calls = objects(tool_calls)
    finish = "tool_calls" if calls and not any(texts) else "stop"
    return {
        "choices": [
            {"index": at, "finish_reason": finish, "message": {"content": text, "tool_calls": calls if at == 0 else []}}
            for at, text in enumerate(whole)
        ]
    }
