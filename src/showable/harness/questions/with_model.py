"""Candidates written by a chat model, one call each, of which none is taken on trust."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import chain, zip_longest
from string import Template
from typing import Any, get_args

from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.build import Made, Order, completed, sieved, without_model
from showable.harness.questions.from_text_facts import is_superseded, title_of
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.shape import counts_for
from showable.harness.questions.with_model_reply import Kind, read_written
from showable.harness.questions.with_model_verify import Draft, verify
from showable.judges.chat_endpoint import ChatEndpoint, Failure, Request
from showable.judges.chat_prompt import Messages, clean, marker_code
from showable.judges.chat_settings import ChatSettings
from showable.records.evidence import Cost, Judge
from showable.records.record import Category, Source

_SPARE = 1.4
"""Questions asked for beyond those needed, since some are rejected."""
_BY_HAND: frozenset[Category] = frozenset({"refusal_due", "tempt_unsupported"})
"""What no model writes: questions out of scope, and well-known facts, stand in lists."""
_BATCH = 16
_SHORTEST = 200
"""Characters of a passage that holds enough to ask about."""
_FOUND = 8


@dataclass(frozen=True, slots=True)
class _Task:
    """What to write: a kind of question about a passage, beside a near miss where the kind wants one."""

    kind: Kind
    category: Category
    passage: Source
    other: Source | None = None


async def made_with_model(
    corpus: Corpus,
    order: Order,
    settings: ChatSettings,
    judge: Judge,
    told: Callable[[int, int, Cost], None] = lambda _done, _of, _cost: None,
) -> Made:
    """Let a model write questions, verify each, and fill in from labels or templates where too few are left.

    `told` hears after each batch how many were asked for, of how many, and what they cost.
    A failing endpoint is no error: what failed is counted, and where nothing comes back any more, asking stops.
    """
    settings.check_ready()
    ground, counts = Ground(corpus), Counter[str]()
    endpoint = ChatEndpoint(settings, counts)
    try:
        written = await _written(endpoint, settings, _tasks(ground, order), ground, told)
    finally:
        await endpoint.aclose()
    candidates, refused = await verify(written.drafts, ground, judge)
    others = without_model(corpus, order)
    by_hand = [candidate for candidate in others.candidates if candidate.category in _BY_HAND]
    made = Made(
        [*candidates, *by_hand],
        +written.rejected + refused,
        ((f"the model stopped answering: {written.stopped}",) if written.stopped else ()),
        settings.model,
        load_writing_prompt().hash,
        judge.name,
        written.cost,
    )
    return completed(sieved(made, corpus), lambda: others, order, "the model", "labels or templates")


@dataclass(slots=True)
class _Writing:
    """What came of asking: drafts, how many replies were rejected and why, the cost, and why asking stopped early."""

    drafts: list[Draft] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    cost: Cost = field(default_factory=Cost)
    stopped: str | None = None


async def _written(
    endpoint: ChatEndpoint,
    settings: ChatSettings,
    tasks: Sequence[_Task],
    ground: Ground,
    told: Callable[[int, int, Cost], None],
) -> _Writing:
    """Ask for every task, some at a time; stop when a whole batch brings no reply."""
    writing = _Writing()
    told(0, len(tasks), writing.cost)
    for start in range(0, len(tasks), _BATCH):
        batch = tasks[start : start + _BATCH]
        replies = await asyncio.gather(*(endpoint.ask(_request(task, settings, ground)) for task in batch))
        writing.cost = sum((cost for _, cost in replies), writing.cost)
        told(start + len(batch), len(tasks), writing.cost)
        failures = [response for response, _ in replies if isinstance(response, Failure)]
        writing.rejected["model_failed"] += len(failures)
        if len(failures) == len(batch):
            writing.stopped = failures[0].reason
            break
        for task, (response, _) in zip(batch, replies, strict=True):
            if isinstance(response, Failure):
                continue
            written = read_written(response, task.kind, task.passage.text or "")
            if isinstance(written, str):
                writing.rejected[written] += 1
            else:
                writing.drafts.append(Draft(written, task.kind, task.category, task.passage, task.other))
    return writing


def _request(task: _Task, settings: ChatSettings, ground: Ground) -> Request:
    prompt = load_writing_prompt()
    other = None if task.other is None else (_title(task.other, ground), task.other)
    messages = prompt.messages(task.kind, _title(task.passage, ground), task.passage, other)
    return Request(messages, prompt.schema, seed=settings.seed, schema_name="question")


def _tasks(ground: Ground, order: Order) -> list[_Task]:
    """Share the passages out over what is to be written, a document at a time, no passage twice while others are left."""
    passages = _passages(ground, order.seed)
    if not passages:
        return []
    wanted, held = counts_for(order.n), counts_for(order.held_out)
    kinds: dict[Category, Kind] = {kind: kind for kind in get_args(Kind)}
    kinds["null_retrieval"] = "answerable"
    asked = chain.from_iterable(
        [(category, kind)] * round(_SPARE * (wanted[category] + held[category])) for category, kind in kinds.items()
    )
    tasks = []
    for place, (category, kind) in enumerate(asked):
        passage = passages[place % len(passages)]
        other = _near_miss(passage, ground) if kind == "tempt_wrong" else None
        if kind != "tempt_wrong" or other is not None:
            tasks.append(_Task(kind, category, passage, other))
    return tasks


def _passages(ground: Ground, seed: int) -> list[Source]:
    """Return the passages that can be asked about: one of each document, then a second of each, and so on."""
    chance = random.Random(f"{seed} passages")  # noqa: S311 - a reproducible choice, nothing secret
    shuffled = []
    for sources in ground.corpus.by_document.values():
        long_enough = [one for one in sources if len(one.text or "") >= _SHORTEST and not is_superseded(one)]
        chance.shuffle(long_enough)
        shuffled.append(long_enough)
    chance.shuffle(shuffled)
    return [source for row in zip_longest(*shuffled) for source in row if source is not None]


def _near_miss(passage: Source, ground: Ground) -> Source | None:
    """Return the passage of another document that is most like this one."""
    mine = passage.metadata.get("document")
    found = ground.search.search(passage.text or "", _FOUND)
    return next((one for one in found if one.metadata.get("document") != mine), None)


def _title(source: Source, ground: Ground) -> str:
    document = str(source.metadata.get("document", source.source_id))
    return title_of(document, ground.corpus.by_document.get(document, [source]))


# The prompt by which a chat model writes questions: its files, their hash, and messages that no passage can end.


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
