"""The prompt of the chat pipeline: put together from files, hashed, with passages that cannot end their block."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from showable.errors import InputError
from showable.judges.chat_prompt import Messages, clean, marker_code
from showable.read.structured import answer_schema
from showable.records.record import Source

_HASH_LENGTH = 6
_TOLD = ("version", "status", "effective", "superseded_by")
"""What a passage's metadata may tell a model about its standing."""


@dataclass(frozen=True)
class ChatPrompt:
    """Instructions, the message's templates, and the schema of the reply (None for plain text).

    `label` names it in tables, with a hash of all that is sent but passages and question: ``licensed-structured@3fa9c1``.
    `licence` says whether it allows a refusal, None where the user's own words decide that.
    """

    system: str
    user: Template
    passage: Template
    nothing: str
    schema: dict[str, Any] | None
    label: str
    licence: bool | None

    def messages(self, question: str, passages: Sequence[Source]) -> Messages:
        """Write the messages. The code of the marker lines stands in nothing that is put between them."""
        asked = clean(question)
        blocks = [
            (clean(heading), clean(one.text or ""))
            for heading, one in zip(self._headings(passages), passages, strict=True)
        ]
        code = marker_code((asked, *(text for block in blocks for text in block)))
        shown = "".join(self.passage.substitute(code=code, heading=heading, text=text) for heading, text in blocks)
        user = self.user.substitute(code=code, passages=shown or self.nothing, question=asked)
        return [{"role": "system", "content": self.system}, {"role": "user", "content": user}]

    def _headings(self, passages: Sequence[Source]) -> list[str]:
        if self.schema is not None:
            return [_heading("source_id", one.source_id, one) for one in passages]
        return [_heading("label", label, one) for label, one in zip(labels(passages), passages, strict=True)]


def labels(passages: Sequence[Source]) -> list[str]:
    """Give what a plain answer is to call each passage: its number, or its id where an id is a number itself."""
    if any(one.source_id.isdecimal() for one in passages):
        return [f"[{one.source_id}]" for one in passages]
    return [f"[{number}]" for number in range(1, len(passages) + 1)]


def load_prompt(*, licence: bool | None, structured: bool, instructions: Path | None = None) -> ChatPrompt:
    """Put a prompt together: instructions, the refusal licence where it is given, and the form of the reply.

    `instructions` is a file of the user's that replaces the shipped ones. `licence` None means yes with the shipped
    instructions; with the user's own it adds nothing, as they say themselves what a model may do. Without a licence
    a structured reply has no field to refuse in. Raises InputError where the file cannot be read or is empty.
    """
    licensed = instructions is None if licence is None else licence
    opening = _shipped("answering.md") if instructions is None else _own(instructions)
    parts = [opening, *([_shipped("licence.md")] if licensed else []), *_form(structured=structured, licensed=licensed)]
    system = "\n".join(parts)
    kept = instructions is not None and licence is None
    schema = _schema(refusal=licensed or kept) if structured else None
    sent = (system, *map(_shipped, ("user.md", "passage.md", "nothing.md")), repr(schema))
    digest = hashlib.sha256("\0".join(sent).encode()).hexdigest()[:_HASH_LENGTH]
    words = [
        *([instructions.stem] if instructions else []),
        *([] if kept else ["licensed" if licensed else "unlicensed"]),
    ]
    return ChatPrompt(
        system=system,
        user=Template(sent[1]),
        passage=Template(sent[2]),
        nothing=sent[3],
        schema=schema,
        label=f"{'-'.join([*words, 'structured' if structured else 'plain'])}@{digest}",
        licence=None if kept else licensed,
    )


def _form(*, structured: bool, licensed: bool) -> list[str]:
    if not structured:
        return [_shipped("plain.md")]
    return [_shipped("structured.md"), *([_shipped("licence-structured.md")] if licensed else [])]


def _schema(*, refusal: bool) -> dict[str, Any]:
    schema = answer_schema()
    if refusal:
        return schema
    kept = {name: given for name, given in schema["properties"].items() if name != "refusal"}
    return schema | {"description": "An answer as claims with citations.", "properties": kept, "required": list(kept)}


def _heading(name: str, label: str, source: Source) -> str:
    """Say of a passage what it is called, and what is known of its document, a line each."""
    about = {"title": source.title, "page": source.page, **{key: source.metadata.get(key) for key in _TOLD}}
    known = (f"{key}: {' '.join(str(value).split())}" for key, value in about.items() if value is not None)
    return "\n".join((f"{name}: {label}", *known))


def _own(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(f"the prompt cannot be read: {error.strerror or error}", path=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("the prompt is not UTF-8 text", path=str(path)) from None
    if not text.strip():
        raise InputError("the prompt is empty", path=str(path))
    return text if text.endswith("\n") else f"{text}\n"


@cache
def _shipped(name: str) -> str:
    file = resources.files("showable.harness.pipelines.chat") / "prompts" / name
    return file.read_text(encoding="utf-8").replace("\r\n", "\n")
