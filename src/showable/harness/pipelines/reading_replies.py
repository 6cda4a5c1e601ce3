"""Whatever a pipeline gives back, read as a Reply: a text, a pair, a mapping, documents of a framework."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from showable.converters.fields import Fields, storable
from showable.converters.json_text import JsonError, decode, parse_json
from showable.converters.passages import read_log
from showable.converters.shape import FieldError
from showable.harness.pipelines.failures import LARGEST_REPLY, PipelineError, brief
from showable.harness.pipelines.pipeline import Reply
from showable.records.evidence import Cost
from showable.records.keys import endless_number
from showable.records.lines import explain, plain_name
from showable.records.record import Answer, Source

FIELDS = ("answer", "retrieved", "shown", "cost", "usage", "metadata")
_ECHOED = frozenset({"id", "question", "force_null"})
_PAIR = 2
_BOM = b"\xef\xbb\xbf"
_SHOWN = 60
"""Bytes that are shown of what is no JSON: enough to know a page of HTML or a line of a log by."""
_TOKENS = (("prompt_tokens", "completion_tokens"), ("input_tokens", "output_tokens"), ("tokens_in", "tokens_out"))


class _ReplyError(PipelineError):
    """What came back is no reply. Asking again would bring the same."""

    def __init__(self, message: str) -> None:
        super().__init__(message, again=False)


def read_reply(given: Any, asked_id: str | None = None) -> Reply:
    """Read what a pipeline gave back.

    A text is an answer without a retrieval log; a pair is the answer and the log; a mapping has ``answer`` and, where there
    are any, ``retrieved``, ``shown``, ``cost`` (USD, or the fields of a Cost), ``usage`` (tokens) and ``metadata``.
    An ``id`` that is given back has to be the one that was asked. Raises PipelineError where it is none of these,
    and where it could not be written down: half a character, an endless number, more than 16 MiB.
    """
    try:
        reply = _reply(given, asked_id)
        _refuse_unwritable(reply)
    except RecursionError:
        raise _ReplyError("the reply cannot be read: it is nested too deeply") from None
    except FieldError as error:
        raise _ReplyError(f"the reply cannot be read: {error}") from None
    except ValidationError as error:
        field, said = explain(error)
        raise _ReplyError(f"the reply cannot be read: {field}: {said}" if field else f"the reply: {said}") from None
    return reply


def read_json_reply(body: bytes, what: str, asked_id: str) -> Reply:
    """Read a reply that came as bytes of JSON, by `what`: ``stdout`` of a program. Raises PipelineError as `read_reply` does."""
    text = body.removeprefix(_BOM)
    if not text.strip():
        raise _ReplyError(f"{what} is empty")
    try:
        given = parse_json(decode(text))
    except JsonError as error:
        begins = brief(text[:_SHOWN].decode("utf-8", "replace"))
        raise _ReplyError(f"{what} cannot be read: {error.told()}; it begins {begins!r}") from None
    if not isinstance(given, dict):
        raise _ReplyError(f"{what} holds JSON, but no object")
    return read_reply(given, asked_id)


def _reply(given: Any, asked_id: str | None) -> Reply:
    if isinstance(given, Reply):
        return given
    if given is None:
        raise _ReplyError("it returned nothing")
    if isinstance(given, tuple) and len(given) == _PAIR:
        answer, retrieved = given
        return Reply(answer=_answer(answer), retrieved=read_documents(retrieved))
    given = _as_mapping(given)
    if not isinstance(given, str | Answer | Mapping):
        got = f"{type(given).__name__} of {len(given)}" if isinstance(given, tuple | list) else type(given).__name__
        raise _ReplyError(f"expected a text, a pair (answer, retrieved) or a mapping with `answer`, got {got}")
    if isinstance(given, Mapping) and "claims" not in given:
        return _from_mapping(given, asked_id)
    return Reply(answer=_answer(given))


def _as_mapping(given: Any) -> Any:
    """Turn what has named fields into a mapping; leave the rest, and an Answer, as it is."""
    if isinstance(given, BaseModel) and not isinstance(given, Answer):
        return given.model_dump()
    if is_dataclass(given) and not isinstance(given, type):
        return {one.name: getattr(given, one.name) for one in fields(given)}
    return given


def _from_mapping(given: Mapping[Any, Any], asked_id: str | None) -> Reply:
    if "answer" not in given:
        raise _ReplyError("the reply has no field `answer`")
    if unknown := next((str(name) for name in given if name not in FIELDS and name not in _ECHOED), None):
        raise _ReplyError(f"the reply has an unknown field {plain_name(unknown)!r}; it may have {', '.join(FIELDS)}")
    echoed = given.get("id")
    if asked_id is not None and echoed is not None and str(echoed) != asked_id:
        raise _ReplyError(f"the reply is to another question ({plain_name(str(echoed))!r}, asked was {asked_id!r})")
    metadata = given.get("metadata")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise FieldError("metadata", "expected an object")
    return Reply(
        answer=_answer(given["answer"]),
        retrieved=read_documents(given.get("retrieved")),
        shown=_ids(given.get("shown")),
        cost=_cost(given.get("cost"), given.get("usage")),
        metadata=dict(metadata or {}),
    )


def _answer(given: Any) -> Answer | str | None:
    """Read an answer: text, or claims. Another object is kept as its JSON, which the reader of answers may know."""
    if given is None or isinstance(given, str | Answer):
        return given
    if isinstance(given, BaseModel):
        given = given.model_dump()
    if not isinstance(given, Mapping) or not storable(given):
        raise FieldError("answer", f"expected a text or an object with claims, got {type(given).__name__}")
    try:
        return Answer.model_validate(given)
    except ValidationError:
        import json  # noqa: PLC0415 - rarely needed

        return json.dumps(given, ensure_ascii=False, default=dict)


def read_documents(given: Any) -> tuple[Source, ...] | None:
    """Read a retrieval log in rank order: Sources, texts, mappings, documents of LangChain, nodes of LlamaIndex.

    None means that none was kept. Passages without ids are called by their rank, from 1. Raises FieldError or
    ValidationError where one is something else.
    """
    if given is None:
        return None
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence):
        raise FieldError("retrieved", f"expected a list of passages, got {type(given).__name__}")
    items = [_plain(one) for one in given]
    if items and all(isinstance(one, Mapping) and "source_id" in one for one in items):
        return tuple(Source.model_validate(one) for one in items)
    return read_log(Fields({"retrieved": items}), "retrieved")


def _plain(one: Any) -> Any:
    """Turn an object of a framework into a mapping; leave the rest as it is."""
    if isinstance(one, Source):
        return one.model_dump()
    if hasattr(one, "page_content"):
        metadata = one.metadata if storable(one.metadata) else {}
        return {"id": getattr(one, "id", None), "text": one.page_content, "metadata": metadata}
    if hasattr(one, "get_content") and (hasattr(one, "node_id") or hasattr(one, "node")):
        return _node(one)
    return one


def _node(one: Any) -> dict[str, Any]:
    node = getattr(one, "node", one)
    metadata = getattr(node, "metadata", None)
    found = {
        "id": node.node_id,
        "text": node.get_content(),
        "score": _number(getattr(one, "score", None)),
        "metadata": metadata if isinstance(metadata, Mapping) and storable(metadata) else {},
    }
    return {name: value for name, value in found.items() if value is not None}


def _number(value: Any) -> float | None:
    """Take a number of any library for one of Python's: scores often are numpy's."""
    return None if value is None else float(value)


def _ids(given: Any) -> tuple[str, ...] | None:
    if given is None:
        return None
    if not isinstance(given, list | tuple):
        raise FieldError("shown", "expected a list of ids")
    for one in given:
        if not isinstance(one, str | int) or isinstance(one, bool):
            raise FieldError("shown", "expected a list of ids: strings or whole numbers")
    return tuple(str(one) for one in given)


def _cost(cost: Any, usage: Any) -> Cost | None:
    """Read what answering took: USD as a number, or a Cost; tokens in any provider's names."""
    if isinstance(cost, Cost):
        return cost
    if isinstance(cost, Mapping):
        return Cost.model_validate({"calls": 1, "usd": None, **cost})
    if cost is not None and (isinstance(cost, bool) or not isinstance(cost, int | float) or cost < 0):
        raise FieldError("cost", "expected USD as a number, or an object with tokens_in, tokens_out and usd")
    if usage is not None and not isinstance(usage, Mapping):
        raise FieldError("usage", "expected an object")
    if cost is None and not usage:
        return None
    tokens_in, tokens_out = _tokens(usage or {})
    usd = None if cost is None else float(cost)
    return Cost.model_validate({"calls": 1, "tokens_in": tokens_in, "tokens_out": tokens_out, "usd": usd})


def _tokens(usage: Mapping[str, Any]) -> tuple[int, int]:
    for names in _TOKENS:
        if any(name in usage for name in names):
            read = [usage.get(name) or 0 for name in names]
            if any(type(count) is not int or count < 0 for count in read):
                raise FieldError("usage", f"expected whole numbers of tokens under {names[0]} and {names[1]}")
            return read[0], read[1]
    return 0, 0


def _refuse_unwritable(reply: Reply) -> None:
    if (place := endless_number(reply)) is not None:
        raise FieldError(place, "expected a finite number")
    try:
        size = len(reply.model_dump_json().encode())
    except (ValueError, UnicodeError, RecursionError):
        raise _ReplyError(
            "the reply cannot be written as JSON: half a character, or an object of no JSON kind"
        ) from None
    if size > LARGEST_REPLY:
        raise _ReplyError(f"the reply is larger than {LARGEST_REPLY >> 20} MiB")
