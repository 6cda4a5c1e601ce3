"""A question set on disk: questions beside the corpus they are asked about, and a card that says how they were made.

A folder: `questions.jsonl` (a `Question` a line), `held_out.jsonl` (more of the same kind, for the last word),
`corpus.jsonl` (a `Source` a line), `set.json` (the facts) and `README.md` (the same facts for people).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from showable.errors import InputError
from showable.records.lines import read_lines
from showable.records.record import Question, Source
from showable.records.wire import Many, Wire

QUESTIONS, HELD_OUT, CORPUS, FACTS, CARD = "questions.jsonl", "held_out.jsonl", "corpus.jsonl", "set.json", "README.md"

LONGEST_QUESTION = 20_000
"""Characters; a longer one is no question, and every comparison with the others would take minutes."""

W = TypeVar("W", Question, Source)


class QuestionSet(Wire):
    """Questions, and the passages they are asked about. `corpus` is empty where a bare file of questions was read.

    `fingerprint` is that of the passages when the set was made, None where it was not written down. `missing` counts the
    questions that the set says it lacks, by category. `kind` is ``regression`` for a set that was selected on failures: it has
    no proportions to keep.
    """

    name: str
    questions: Many[Question]
    held_out: Many[Question] = ()
    corpus: Many[Source] = ()
    fingerprint: str | None = None
    missing: dict[str, int] = Field(default_factory=dict)
    kind: str = "protocol"


def read_question_set(path: Path) -> QuestionSet:
    """Read a set's folder, or a bare JSON Lines file of questions.

    Raises InputError at the first line that cannot be read, and where an id stands twice.
    """
    if not path.is_dir():
        return QuestionSet(name=path.stem, questions=_lines(path, Question))
    if not (path / QUESTIONS).exists():
        raise InputError(f"is no question set: it holds no {QUESTIONS}", path=str(path))
    held_out, corpus, facts = path / HELD_OUT, path / CORPUS, _facts(path / FACTS)
    return QuestionSet(
        name=path.resolve().name,
        questions=_lines(path / QUESTIONS, Question),
        held_out=_lines(held_out, Question) if held_out.exists() else (),
        corpus=_lines(corpus, Source) if corpus.exists() else (),
        fingerprint=_fingerprint(facts),
        missing=_missing(facts),
        kind=str(facts.get("kind", "protocol")),
    )


def _facts(path: Path) -> Mapping[str, Any]:
    """Read what a set says of itself. Raises InputError where the file cannot be read."""
    if not path.exists():
        return {}
    try:
        facts = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be read: {error}", path=str(path)) from None
    return facts if isinstance(facts, Mapping) else {}


def _fingerprint(facts: Mapping[str, Any]) -> str | None:
    corpus = facts.get("corpus")
    return str(corpus["fingerprint"]) if isinstance(corpus, Mapping) and "fingerprint" in corpus else None


def _missing(facts: Mapping[str, Any]) -> dict[str, int]:
    held = facts.get("missing")
    counts = held.items() if isinstance(held, Mapping) else ()
    return {str(name): n for name, n in counts if isinstance(n, int) and not isinstance(n, bool) and n > 0}


def read_questions(path: Path) -> tuple[Question, ...]:
    """Read a JSON Lines file of questions. Raises InputError as `read_question_set` does."""
    return _lines(path, Question)


def _lines(path: Path, model: type[W]) -> tuple[W, ...]:
    values, seen = [], set()
    for line in read_lines(path, model):
        if line.value is None:
            raise line.problem or InputError("cannot be read", path=str(path), line=line.number)
        _refuse_too_long(line.value, path, line.number)
        key = line.value.id if isinstance(line.value, Question) else line.value.source_id
        if key in seen:
            raise InputError(f"the id {key!r} stands twice", path=str(path), line=line.number, field="id")
        seen.add(key)
        values.append(line.value)
    if not values:
        raise InputError("holds nothing", path=str(path))
    return tuple(values)


def _refuse_too_long(value: Question | Source, path: Path, number: int) -> None:
    if not isinstance(value, Question):
        return
    texts = {"question": value.question, "gold.answer": (value.gold and value.gold.answer) or ""}
    for field, text in texts.items():
        if len(text) > LONGEST_QUESTION:
            said = f"expected at most {LONGEST_QUESTION:,} characters, got {len(text):,}"
            raise InputError(said, path=str(path), line=number, field=field)
