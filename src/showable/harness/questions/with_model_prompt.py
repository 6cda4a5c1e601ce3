"""The prompt by which a chat model writes questions: its files, their hash, and messages that no passage can end."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Any, get_args

from showable.harness.questions.with_model_reply import Kind
from showable.judges.chat_prompt import Messages, clean, marker_code
from showable.records.record import Source

PROMPT = "write-v1"
_PARTS = ("system", "user", "beside")


@dataclass(frozen=True)
class WritingPrompt:
    """The files of the prompt. `hash` covers all of them, the schema of the reply included."""

    system: str
    user: Template
    beside: Template
    tasks: dict[Kind, str]
    schema: dict[str, Any]
    hash: str

    def messages(self, kind: Kind, title: str, passage: Source, other: tuple[str, Source] | None) -> Messages:
        """Ask for one question of a kind about a passage; `other` is the title and text of a near miss."""
        text, name = clean(passage.text or ""), clean(title)
        near = ("", "") if other is None else (clean(other[0]), clean(other[1].text or ""))
        code = marker_code((name, text, *near))
        beside = "" if other is None else self.beside.substitute(code=code, title=near[0], passage=near[1])
        user = self.user.substitute(code=code, title=name, passage=text, beside=beside, task=self.tasks[kind])
        return [{"role": "system", "content": self.system}, {"role": "user", "content": user}]


@cache
def load_writing_prompt() -> WritingPrompt:
    """Read the prompt's files from the package; line ends do not enter the hash."""
    parts = {part: _read(f"{PROMPT}.{part}.txt") for part in _PARTS}
    tasks = {kind: _read(f"{PROMPT}.{kind}.txt").strip() for kind in get_args(Kind)}
    schema = _read(f"{PROMPT}.schema.json")
    digest = hashlib.sha256("\0".join((*parts.values(), *tasks.values(), schema)).encode()).hexdigest()
    templates = Template(parts["user"]), Template(parts["beside"])
    return WritingPrompt(parts["system"], *templates, tasks, json.loads(schema), digest[:12])


def _read(name: str) -> str:
    file = resources.files("showable.harness.questions") / "prompts" / name
    return file.read_text(encoding="utf-8").replace("\r\n", "\n")
