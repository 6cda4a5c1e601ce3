"""One question-and-answer turn, however it arrived: the wire format is JSON Lines, one `Record` a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from showable.records.wire import Id, Many, Span, Wire

RefusalField = Literal["none", "ambiguous", "out_of_scope", "no_evidence"]
Category = Literal[
    "answerable", "tempt_wrong", "tempt_unsupported", "refusal_due", "unanswerable", "adversarial", "null_retrieval"
]
BucketName = Literal["correct", "wrong", "unsupported", "refused"]


FORM = "form"
"""The kind of a reference that came as a structured form, until it is read."""
UNCLEAR = "unclear"
"""The kind of a reference that may be one source of the log or another: its fields say which (`among`), and `why`."""
_MOST_NAMED = 20
"""Sources that such a reference names; an answer may hold as many such references as its log has sources."""


def _in_words(given: Any) -> str:
    if isinstance(given, list | tuple):
        return "; ".join(map(str, given))
    return "" if given is None else str(given)


SourceKind = Literal["text", "table", "figure", "code"]


class Retrieval(Wire):
    """Which of several searches brought a passage: its `step`, the `tool` that was called, the `query` put to it, and when."""

    step: str | None = None
    tool: str | None = None
    query: str | None = None
    at: str | None = None

    @field_validator("step", mode="before")
    @classmethod
    def _numbered(cls, value: Any) -> Any:
        """Take the number of a step for its name."""
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def __str__(self) -> str:
        """Print as a finding names it: ``step 2, search_policies, "part-time notice"``."""
        told = [f"step {self.step}" if self.step else "", self.tool or "", f'"{self.query}"' if self.query else ""]
        return ", ".join(filter(None, told)) or "one search"


class Turn(Wire):
    """An earlier turn of a conversation: who spoke, and what was said. It is no evidence, whoever said it."""

    role: str
    text: str


class Source(Wire):
    """One retrieved passage. `text` may be missing: some logs carry ids only.

    `kind` says what it is, text where absent; a table is also seen as one without it. `retrieval` says which search
    brought it, where a pipeline has several.
    """

    source_id: Id = Field(min_length=1)
    text: str | None = None
    title: str | None = None
    page: int | str | None = None
    url: str | None = None
    doi: str | None = None
    score: float | None = None
    kind: SourceKind | None = None
    retrieval: Retrieval | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)


class Reference(Wire):
    """A reference to something outside the log: `kind` (case, doi, pmid, author_year …) and its parsed fields."""

    kind: str
    text: str
    fields: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _form(cls, value: Any) -> Any:
        """Take the fields of a structured form (``{"case": …, "reporter": …}``) for a reference still to be read."""
        if not isinstance(value, dict) or not value or value.keys() & {"kind", "text", "fields"}:
            return value
        fields = {name: said for name, given in value.items() if (said := _in_words(given))}
        return {"kind": FORM, "text": ", ".join(fields.values()), "fields": fields}


def unclear(text: str, among: Sequence[str], why: str) -> Reference:
    """Return a reference to one of several sources of the log, the first of which it names."""
    more = f" and {len(among) - _MOST_NAMED} more" if len(among) > _MOST_NAMED else ""
    return Reference(kind=UNCLEAR, text=text, fields={"among": ", ".join(among[:_MOST_NAMED]) + more, "why": why})


class Citation(Wire):
    """A pointer from a claim to a source, as structured by the model or as read from its text."""

    source_id: Id | None = None
    quoted_span: str | None = None
    page: int | str | None = None
    url: str | None = None
    reference: Reference | None = None
    raw: str | None = None
    span: Span | None = None


class Claim(Wire):
    """One asserted fact. `context` is the sentence it was split from, `span` its place in the answer's text."""

    text: str
    citations: Many[Citation] = ()
    kind: str | None = None
    span: Span | None = None
    context: str | None = None


class Answer(Wire):
    """What the system said, as claims. `text` is optional, so a model may be asked for claims and refusal alone."""

    claims: Many[Claim] = ()
    refusal: RefusalField = "none"
    text: str | None = None


class GoldEvidence(Wire):
    """Where the gold answer stands: a source, and the characters of its text when they are known."""

    source_id: Id
    start: int | None = None
    end: int | None = None


class Gold(Wire):
    """What a person says is right about the question; `bucket` is a person's label of this very answer."""

    answer: str | None = None
    aliases: Many[str] = ()
    answerable: bool | None = None
    evidence: Many[GoldEvidence] = ()
    category: Category | None = None
    expected: Many[BucketName] = ()
    why: str | None = None
    bucket: BucketName | None = None


class Record(Wire):
    """A question, the retrieval log, and the answer.

    `retrieved` is the retrieval log in rank order: ``None`` when nothing was logged, ``()`` when the
    retrieval returned nothing. `shown` lists the ids the model saw, in its order; positional markers
    such as ``[1]`` resolve against it, else against `retrieved`.

    `history` holds the earlier turns of a conversation, oldest first; they are never evidence. `standalone_question` is the
    question made whole, as the system rewrote it.
    """

    id: Id = Field(min_length=1)
    question: str
    answer: Answer | str | None
    retrieved: Many[Source] | None = None
    shown: Many[Id] | None = None
    history: Many[Turn] = ()
    standalone_question: str | None = None
    gold: Gold | None = None
    profile: str | None = None
    trace_id: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def asked(self) -> str:
        """Return the question made whole: as the system rewrote it, else after the last one that the user put before it."""
        if self.standalone_question:
            return self.standalone_question
        before = next((turn.text for turn in reversed(self.history) if turn.role == "user"), None)
        return self.question if before is None else f"{before.strip()} {self.question}"


class Question(Wire):
    """A question to put to a pipeline; `force_null` asks for an empty retrieval.

    `metadata` says where it comes from (`document`, `made_by`, `labels`); no pipeline gets to see it, nor the gold.
    """

    id: Id = Field(min_length=1)
    question: str
    gold: Gold | None = None
    force_null: bool = False
    metadata: dict[str, Any] = Field(default_factory=dict)
