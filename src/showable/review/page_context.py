"""What the pages are made of. The server fills these in; a page only lays them out, and has nothing else to go by.

All texts of records come as `held` gives them (nothing in them steers, offsets stay true), but not escaped: templates
escape. What the tool itself said is in `LabelPage.judge` alone, and there only for targets that this person has labelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from showable.records.labels import ReviewerRole, Target, Value
from showable.review.queue_names import queue_title

Place = tuple[int, int]
"""Start and end in Unicode code points (not UTF-16 units), end exclusive."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks at a page: `name` and `role` are None until somebody entered. `token` goes into ``X-Showable``."""

    token: str
    run: str
    name: str | None = None
    role: ReviewerRole | None = None


@dataclass(frozen=True, slots=True)
class CitationShown:
    """A citation of a claim. `passage` is its place among the record's passages, None where the log has no such source.

    `span` is where it stands in the answer; `own_words` where words that the answer itself quotes stand in the passage,
    and `missing_words` those that it quotes and that do not stand there.
    """

    source_id: str | None
    raw: str | None = None
    span: Place | None = None
    passage: int | None = None
    own_words: tuple[Place, ...] = ()
    missing_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClaimShown:
    """A claim, where it stands in the answer's text (None: not word for word), and what it cites."""

    text: str
    span: Place | None = None
    citations: tuple[CitationShown, ...] = ()


@dataclass(frozen=True, slots=True)
class PassageShown:
    """A retrieved passage; `text` is None where the log holds ids alone."""

    source_id: str
    text: str | None = None
    title: str | None = None
    page: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class RecordShown:
    """A record without anything that the tool, or gold, says of it. `answer` is None where there is no text.

    `id` is the id as it is, to be posted back (in JSON, escaped); `name` is what is shown of it. `logged` is false where
    nobody noted what was retrieved: no passages then does not mean that nothing was found.
    """

    id: str
    name: str
    question: str
    answer: str | None
    claims: tuple[ClaimShown, ...] = ()
    passages: tuple[PassageShown, ...] = ()
    logged: bool = True


@dataclass(frozen=True, slots=True)
class ProgressShown:
    """How far one is in a queue: `done` of `of` records, about `seconds_left` to go (None: too early to say)."""

    done: int
    of: int
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class LabelPage:
    """The labelling page. Keys of `mine` and `judge` are `target_key`s; `kinds` the claim kinds to choose from.

    `judge[key]` is what the reply to POST /api/labels has under ``judge`` too (`reveal.what_it_said`): ``{"said": value,
    "p", "reason", "quote", "where": [start, end] | None, …}``. `finished` says that this record was marked as done.
    """

    visit: Visit
    queue: str
    kind: str
    position: int
    record: RecordShown
    progress: ProgressShown
    mine: Mapping[str, Value] = field(default_factory=dict)
    judge: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    finished: bool = False
    previous_url: str | None = None
    next_url: str | None = None
    kinds: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What the queue is called."""
        return queue_title(self.queue, self.kind)


def target_key(target: Target) -> str:
    """Name a target within its record: ``bucket``, ``claim_kind:0``, ``support:0:1``."""
    return ":".join([target.about, *(str(at) for at in (target.claim, target.citation) if at is not None)])
