"""What a run is made of: the questions, the corpus behind them, and the facts that tell its row from others."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from showable.errors import SettingError
from showable.harness.pipelines.pipeline import Pipeline
from showable.harness.questions.question_set import QuestionSet, read_question_set
from showable.records.asking import ModelClass, PipelineFacts
from showable.records.record import Question, Source
from showable.records.wire import Many

if TYPE_CHECKING:
    from showable.records.passages import Passages

EMBEDDED = "embedded"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AskedSet:
    """The questions to ask, and what is searched behind them; no corpus where none is known."""

    name: str
    questions: Many[Question]
    sources: Many[Source]
    corpus: Passages | None

    @property
    def corpus_name(self) -> str | None:
        """The corpus with its digest; None where there is none."""
        return None if self.corpus is None else self.corpus.name

    @property
    def fingerprint(self) -> str:
        """A hash of all that is asked and of the gold it is scored by."""
        digest = hashlib.sha256()
        for question in self.questions:
            digest.update(question.model_dump_json().encode() + b"\n")
        return digest.hexdigest()[:16]


def open_set(spec: str, *, corpus: str | None, held_out: bool) -> AskedSet:
    """Read a question set, and the corpus given in place of its own. Raises SettingError or InputError."""
    found = _read(spec)
    if held_out and not found.held_out:
        raise SettingError(f"--held-out: the question set {spec} holds none out")
    name = f"{found.name} (held out)" if held_out else found.name
    sources, corpus_name = found.corpus, found.name
    if corpus is not None:
        from showable.cli.corpus_opening import open_aloud

        opened = open_aloud(corpus)
        sources, corpus_name = opened.sources, opened.name
    return AskedSet(name, found.held_out if held_out else found.questions, sources, _search(sources, corpus_name))


def _read(spec: str) -> QuestionSet:
    if spec == EMBEDDED:
        from showable.harness.questions.embedded import embedded_set

        return embedded_set()
    if not Path(spec).exists():
        raise SettingError(f"--questions {spec}: no such folder or file, nor `{EMBEDDED}`, the set that ships")
    return read_question_set(Path(spec))


def _search(sources: Many[Source], name: str) -> Passages | None:
    from showable.search.bm25 import Bm25

    return Bm25(sources, name) if sources else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the user says of a pipeline, for the tables."""

    label: str | None = None
    model: str | None = None
    model_class: ModelClass | None = None
    refusal_licence: bool | None = None


def class_of(given: str | None) -> ModelClass | None:
    """Return the option's value, which typer has checked, as what it is."""
    return None if given is None else cast("ModelClass", str(given))


def facts_of(pipeline: Pipeline, asked: AskedSet, said: Said, repeats: int = 1) -> PipelineFacts:
    """Write down which pipeline answers what. What it says of itself and what the user says must agree.

    Raises SettingError where they do not, and for a label or a model that is not one line of characters that show.
    """
    for option, words in (("label", said.label), ("model", said.model)):
        if words is not None and not (words.strip() and words.isprintable()):
            raise SettingError(f"--{option} {words!r}: expected one line of characters that show")
    return PipelineFacts(
        name=pipeline.name,
        label=said.label,
        model=_agreed("model", getattr(pipeline, "model", None), said.model, pipeline.name),
        model_class=said.model_class,
        endpoint=getattr(pipeline, "endpoint", None),
        prompt=getattr(pipeline, "prompt", None),
        refusal_licence=_agreed(
            "refusal-licence", getattr(pipeline, "refusal_licence", None), said.refusal_licence, pipeline.name
        ),
        questions=asked.name,
        questions_fingerprint=asked.fingerprint,
        repeats=repeats,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _agreed(option: str, its_own: T | None, said: T | None, name: str) -> T | None:
    if its_own is not None and said is not None and its_own != said:
        words = {True: "it has one", False: "it has none"}
        own = words[its_own] if isinstance(its_own, bool) else f"it is {its_own}"
        raise SettingError(f"--{option}: {own}, says the pipeline {name} of itself")
    return said if its_own is None else its_own
