"""A rubric drafted by a chat model from a description: read strictly, asked for once more, and never taken on trust."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from pydantic import ValidationError

from showable.authoring.template import slug, threshold_of
from showable.judges.chat_endpoint import ChatEndpoint, Failure, Request
from showable.judges.chat_prompt import Messages, clean, marker_code
from showable.judges.chat_reply import Unreadable, read_object
from showable.judges.chat_settings import ChatSettings
from showable.read.claim_kinds import RULES
from showable.records.evidence import Cost
from showable.records.lines import explain
from showable.records.profile import FieldName
from showable.records.rubric_file import OwnRubric, RubricExample

PROMPT = "rubric-v1"
_TRIES = 2
_MOST_EXAMPLES = 40
_PARTS = ("name", "kind", "criteria", "menu", "examples")


@dataclass(frozen=True, slots=True)
class Drafted:
    """What asking came to: a rubric, or the reason why there is none, and what it cost either way."""

    rubric: OwnRubric | None
    why: str
    cost: Cost


async def drafted_by_model(
    says: str, settings: ChatSettings, *, field: FieldName = "general", kind: str | None = None
) -> Drafted:
    """Let a model turn a description into a rubric of a field. What it writes is checked like a file; labels it gives none.

    `kind` stands over what the model chooses. Raises SettingError where the model cannot be asked at all.
    """
    settings.check_ready()
    endpoint = ChatEndpoint(settings, Counter())
    cost, why = Cost(), ""
    try:
        for _ in range(_TRIES):
            response, spent = await endpoint.ask(_request(says, field, settings, why))
            cost = cost + spent
            if isinstance(response, Failure):
                return Drafted(None, response.reason, cost)
            found = _read(response, says, settings.model, field=field, kind=kind)
            if isinstance(found, OwnRubric):
                return Drafted(found, "", cost)
            why = found
    finally:
        await endpoint.aclose()
    return Drafted(None, f"its reply is no rubric, asked for twice: {why}", cost)


def _request(says: str, field: FieldName, settings: ChatSettings, why: str) -> Request:
    parts = _prompt()
    material = {"says": clean(says), "field": field, "kinds": ", ".join(RULES[field].kinds) or "(none)"}
    user = Template(parts["user"]).substitute(code=marker_code(tuple(material.values())), **material)
    user += Template(parts["again"]).substitute(why=why) if why else ""
    messages: Messages = [{"role": "system", "content": parts["system"]}, {"role": "user", "content": user}]
    return Request(messages, json.loads(parts["schema"]), seed=settings.seed, schema_name="rubric")


@cache
def _prompt() -> dict[str, str]:
    folder = resources.files("showable.authoring") / "prompts"
    ends = {"system": "txt", "user": "txt", "again": "txt", "schema": "json"}
    return {part: (folder / f"{PROMPT}.{part}.{end}").read_text("utf-8") for part, end in ends.items()}


def _read(response: dict[str, Any], says: str, model: str, *, field: FieldName, kind: str | None) -> OwnRubric | str:
    """Read a reply into a rubric, or say what keeps it from being one."""
    choices = response.get("choices")
    message = (
        choices[0].get("message") if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    )
    content = message.get("content") if isinstance(message, dict) else None
    values = read_object(content) if isinstance(content, str) else "the response holds no message"
    if isinstance(values, Unreadable | str):
        return values if isinstance(values, str) else values.say
    if missing := [part for part in _PARTS if part not in values]:
        return f"{missing[0]} is missing"
    known = RULES[field].kinds
    chosen = kind or str(values["kind"] or "") or None
    if chosen and known and chosen not in known:
        return f"kind: {chosen[:40]!r} is none of {', '.join(known)}"
    try:
        return OwnRubric(
            name=slug(str(values["name"])),
            says=" ".join(says.split()),
            field=field,
            kind=chosen,
            threshold=threshold_of(field, chosen),
            criteria=values["criteria"],
            menu=values["menu"],
            written_by=model,
            examples=_examples(values["examples"]),
        )
    except ValidationError as error:
        where, said = explain(error)
        return f"{where}: {said}"
    except (TypeError, KeyError):
        return "examples: expected pairs of claim and passage"


def _examples(written: Any) -> tuple[RubricExample, ...]:
    """Take the first examples, each once; a label that the model gives besides is no person's, and is left out."""
    found = [RubricExample(claim=one["claim"], passage=one["passage"]) for one in written[:_MOST_EXAMPLES]]
    return tuple({one.key: one for one in found}.values())
