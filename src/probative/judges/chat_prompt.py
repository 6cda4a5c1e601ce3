"""Put a pair to a chat model: the prompt's files, their hash, and marker lines that no text between them can forge."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from probative.records import Pair

PROMPT = "support-v1"
_PARTS = ("system.txt", "user.txt", "context.txt", "question.txt", "again.txt", "schema.json")
_CODE_LENGTH = 16
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True)
class Prompt:
    """The files of one prompt. `hash` covers all of them, the reply's schema included."""

    system: str
    user: Template
    context: Template
    question: Template
    again: Template
    schema: dict[str, Any]
    hash: str

    def messages(self, pair: Pair, why: str | None = None) -> list[dict[str, str]]:
        """Write the messages for one pair; `why` says what was wrong with an earlier reply."""
        claim, passage, context, question = (
            clean(text or "") for text in (pair.claim, pair.passage, pair.context, pair.question)
        )
        code = _code((claim, passage, context, question))
        beside = self.context.substitute(code=code, context=context) if context and context != claim else ""
        beside += self.question.substitute(code=code, question=question) if question else ""
        user = self.user.substitute(code=code, passage=passage, claim=claim, context=beside)
        user += self.again.substitute(why=why) if why else ""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": user}]


@cache
def load_prompt(name: str = PROMPT) -> Prompt:
    """Read a prompt's files from the package; line ends do not enter the hash."""
    folder = resources.files("probative.judges") / "prompts"
    texts = [(folder / f"{name}.{part}").read_text(encoding="utf-8").replace("\r\n", "\n") for part in _PARTS]
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    system, *templates, schema = texts
    user, context, question, again = map(Template, templates)
    return Prompt(system, user, context, question, again, json.loads(schema), digest[:12])


def clean(text: str) -> str:
    """Replace lone surrogates, which no request can carry; offsets stay what they are."""
    return text.encode(errors="replace").decode()


def estimate_tokens(text_length: int) -> int:
    """Estimate tokens at four characters each, the usual figure for English."""
    return -(-text_length // _CHARS_PER_TOKEN)


def _code(texts: tuple[str, ...]) -> str:
    """Derive the markers' code from what stands between them: a text that held its own code would change it."""
    code = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:_CODE_LENGTH]
    while any(code in text for text in texts):
        code = hashlib.sha256(code.encode()).hexdigest()[:_CODE_LENGTH]
    return code
