"""Put pairs to a chat model: the prompt's files, their hash, and marker lines that no text between them can forge."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from showable.judges.chat_settings import ChatSettings, Domain
from showable.records import Pair
from showable.records.calibration import Shot

PROMPT = "support-v1"
TOKEN_PROMPT = "token-v1"  # noqa: S105 - a name of files
"""The question that one word answers; files that it has no version of are those of the other prompt."""
DOMAIN_NOTES = "domain-{}-v1.md"
_SYSTEM = ("system.txt", "reply.txt", "replies.txt")
_TEMPLATES = ("user.txt", "several.txt", "claim.txt", "context.txt", "question.txt", "again.txt")
_SCHEMAS = ("schema.json", "several.schema.json")
_EXAMPLES = ("examples.txt", "example.txt")
_TOKEN_SYSTEM = ("system.txt", "reply.txt")
_TOKEN_TEMPLATES = ("user.txt", "context.txt", "question.txt")
_CODE_LENGTH = 16
_CHARS_PER_TOKEN = 4
_FOLDER = resources.files("showable.judges") / "prompts"

Messages = list[dict[str, str]]


@dataclass(frozen=True)
class Prompt:
    """The files of one prompt. `hash` covers all of them: the reply's schemas and the notes on a domain included.

    `system` and `schema` are for one claim a message, `system_several` and `schema_several` for more; a prompt that is
    answered by one word has neither schema. `shots` are worked examples, which stand in every message before what is to be
    judged.
    """

    name: str
    system: str
    templates: dict[str, Template]
    hash: str
    system_several: str = ""
    schema: dict[str, Any] | None = None
    schema_several: dict[str, Any] | None = None
    shots: tuple[Shot, ...] = ()

    def with_shots(self, shots: Sequence[Shot]) -> Prompt:
        """Return the same prompt with worked examples, and with a hash of its own; the same prompt where there are none.

        An example's passage and claim are material like any other: they stand between marker lines under the message's
        code, in the user's message, and only the verdict that people gave is said outside of them.
        """
        if not shots:
            return self
        texts = {part: _read(self.name, part) for part in _EXAMPLES}
        said = "\0".join((self.hash, *texts.values(), *(shot.model_dump_json() for shot in shots)))
        templates = self.templates | {part: Template(text) for part, text in texts.items()}
        digest = hashlib.sha256(said.encode(errors="replace")).hexdigest()[: len(self.hash)]
        return replace(self, templates=templates, hash=digest, shots=tuple(shots))

    def messages(self, pair: Pair, why: str | None = None) -> Messages:
        """Write the messages for one pair; `why` says what was wrong with an earlier reply."""
        claim, passage, context, question = (
            clean(text or "") for text in (pair.claim, pair.passage, pair.context, pair.question)
        )
        code = marker_code((claim, passage, context, question, *self._example_texts()))
        beside = self._context(code, claim, context, "The claim", "CONTEXT")
        beside += self._question(code, question, "The claim")
        user = self._fill("user.txt", code=code, passage=passage, claim=claim, context=beside)
        user += self._fill("again.txt", why=why) if why else ""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self._with_examples(user, code)},
        ]

    def messages_several(self, pairs: Sequence[Pair]) -> Messages:
        """Write the messages for several claims, numbered from 1, about one passage and one question."""
        passage, question = clean(pairs[0].passage), clean(pairs[0].question or "")
        texts = [(clean(pair.claim), clean(pair.context or "")) for pair in pairs]
        code = marker_code((passage, question, *(text for both in texts for text in both), *self._example_texts()))
        claims = ""
        for number, (claim, context) in enumerate(texts, start=1):
            beside = self._context(code, claim, context, f"Claim {number}", f"CONTEXT {number}")
            claims += self._fill("claim.txt", code=code, number=number, claim=claim, context=beside)
        user = self._fill(
            "several.txt",
            code=code,
            passage=passage,
            question=self._question(code, question, "Each claim"),
            claims=claims,
            count=len(pairs),
        )
        user = self._with_examples(user, code)
        return [{"role": "system", "content": self.system_several}, {"role": "user", "content": user}]

    def _example_texts(self) -> list[str]:
        return [clean(text) for shot in self.shots for text in (shot.passage, shot.claim)]

    def _with_examples(self, user: str, code: str) -> str:
        """Put the examples behind the message's first line, which names the code of their markers too."""
        if not self.shots:
            return user
        examples = ""
        for number, shot in enumerate(self.shots, start=1):
            passage, claim = clean(shot.passage), clean(shot.claim)
            examples += self._fill(
                "example.txt",
                code=code,
                number=number,
                passage=passage,
                claim=claim,
                label=shot.label,
                answer="yes" if shot.label == "supported" else "no",
            )
        first, rest = user.split("\n\n", 1)
        return f"{first}\n\n{self._fill('examples.txt', count=len(self.shots), examples=examples)}\n{rest}"

    def _context(self, code: str, claim: str, context: str, which: str, mark: str) -> str:
        if not context or context == claim:
            return ""
        return self._fill("context.txt", code=code, context=context, which=which, mark=mark)

    def _question(self, code: str, question: str, which: str) -> str:
        return self._fill("question.txt", code=code, question=question, which=which) if question else ""

    def _fill(self, name: str, **values: object) -> str:
        return self.templates[name].substitute(values)


@cache
def load_prompt(domain: Domain | None = None, rule: str = "", name: str = PROMPT) -> Prompt:
    """Read the prompt's files from the package, with the notes on a domain and a rule of the user's own behind them.

    Line ends do not enter the hash.
    """
    one_word = name == TOKEN_PROMPT
    wanted = (*_TOKEN_SYSTEM, *_TOKEN_TEMPLATES) if one_word else (*_SYSTEM, *_TEMPLATES, *_SCHEMAS)
    parts = {part: _read(name, part) for part in wanted}
    notes = "" if domain is None else "\n" + _file(DOMAIN_NOTES.format(domain))
    notes += f"\n{rule}" if rule else ""
    digest = hashlib.sha256("\0".join((*parts.values(), notes)).encode()).hexdigest()[:12]
    system = parts["system.txt"] + notes
    if one_word:
        templates = {part: Template(parts[part]) for part in _TOKEN_TEMPLATES}
        return Prompt(name, system + parts["reply.txt"], templates, digest)
    templates = {part: Template(parts[part]) for part in _TEMPLATES}
    schema, schema_several = (json.loads(parts[part]) for part in _SCHEMAS)
    return Prompt(
        name, system + parts["reply.txt"], templates, digest, system + parts["replies.txt"], schema, schema_several
    )


def prompts_by_kind(settings: ChatSettings) -> dict[str | None, Prompt]:
    """Return the prompt for each kind of claim that has a rubric of its own, and under None the one for all others."""
    rules = {rubric.kind: rubric.notes for rubric in settings.rubrics}
    name = TOKEN_PROMPT if settings.logprobs else PROMPT
    return {
        kind: load_prompt(settings.domain, rules.get(None, "") + (rules[kind] if kind else ""), name).with_shots(
            settings.shots
        )
        for kind in (None, *(kind for kind in rules if kind))
    }


def hash_of(prompts: Mapping[str | None, Prompt]) -> str:
    """Return the hash of prompts by kind: that of the prompt itself where there is one for all."""
    if len(prompts) == 1:
        return prompts[None].hash
    said = "\0".join(f"{kind or ''} {prompt.hash}" for kind, prompt in sorted(prompts.items(), key=str))
    return hashlib.sha256(said.encode()).hexdigest()[: len(prompts[None].hash)]


def clean(text: str) -> str:
    """Replace lone surrogates, which no request can carry; offsets stay what they are."""
    return text.encode(errors="replace").decode()


def estimate_tokens(messages: Messages) -> int:
    """Estimate tokens at four characters each, the usual figure for English."""
    return -(-sum(len(message["content"]) for message in messages) // _CHARS_PER_TOKEN)


def _read(name: str, part: str) -> str:
    """Read a file of a prompt; where it has none of its own, that of the first prompt."""
    own = f"{name}.{part}"
    return _file(own if (_FOLDER / own).is_file() else f"{PROMPT}.{part}")


def _file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").replace("\r\n", "\n")


def marker_code(texts: tuple[str, ...]) -> str:
    """Derive the markers' code from what stands between them: a text that held its own code would change it."""
    code = hashlib.sha256("\0".join(texts).encode()).hexdigest()[:_CODE_LENGTH]
    while any(code in text for text in texts):
        code = hashlib.sha256(code.encode()).hexdigest()[:_CODE_LENGTH]
    return code
