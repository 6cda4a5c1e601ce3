"""Where the retrieval log of a call comes from: the application's word, the interface's documents, tools, marked context."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import orjson
from pydantic import ValidationError

from showable.production.guard.call import LogForm
from showable.production.guard.wire.asked import Asked, BadRequestError, Json, Wire, strings
from showable.records.findings import Finding, Outcome
from showable.records.lines import explain
from showable.records.record import Source
from showable.records.wire import Id, Many
from showable.records.wire import Wire as Noun

FIELD = "showable"
"""The field of a request's body that carries the log, and that no upstream gets to see."""
DISAGREE = "retrieval_log.forms_disagree"
NOT_SHOWN = "retrieval_log.not_shown"
_LEADING = 64
"""Characters of a passage that are looked for in the prompt."""
_LISTS = ("results", "documents", "passages")
_NUMBERED = re.compile(r"(?m)^[ \t]*(?:\[([^\[\]\n]{1,80})\]|Source[ \t]+(\d{1,4})[ \t]*:)[ \t]*")
"""`[1] …`, `[doc-7] …` and `Source 3: …` at the beginning of a line; not `see [1]`, `Sources: none`."""
_TAGGED = re.compile(r'<document index="(\d{1,4})">(.*?)</document>', re.DOTALL)


class GivenLog(Noun):
    """A retrieval log as an application gives it: `null` was not logged, `[]` found nothing."""

    retrieved: Many[Source] | None = None
    shown: Many[Id] | None = None
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """Where a prompt holds its passages: in messages of `role`, between the marks `begin` and `end`."""

    role: str
    begin: str
    end: str


@dataclass(frozen=True, slots=True)
class FoundLog:
    """The log of one call: None where there is none, with the form it came in and what speaks against it."""

    retrieved: tuple[Source, ...] | None
    shown: tuple[str, ...] | None
    question: str
    log_from: LogForm | None
    doubts: tuple[Finding, ...] = ()


def read_given(value: Any, field: str = FIELD) -> GivenLog:
    """Read the log that an application gives. Raises BadRequestError with the field that is wrong."""
    try:
        return GivenLog.model_validate(value)
    except ValidationError as error:
        place, said = explain(error)
        raise BadRequestError(f"{field}.{place}" if place else field, said) from None


def find_log(
    wire: Wire,
    asked: Asked,
    given: GivenLog | None,
    stored: GivenLog | None,
    *,
    tools: Sequence[str] = (),
    context: Context | None = None,
    verify_shown: bool = False,
) -> FoundLog:
    """Return the log by the first form that applies: body field, stored by id, the interface's own, tools, marked context.

    Raises BadRequestError where marked context cannot be read.
    """
    found: list[tuple[LogForm, GivenLog]] = []
    if given is not None:
        found.append(("field", given))
    if stored is not None:
        found.append(("header", stored))
    if asked.native is not None:
        found.append(("native", GivenLog(retrieved=asked.native)))
    if tools and (results := _of_tools(wire, asked.body, tools)) is not None:
        found.append(("tools", GivenLog(retrieved=results)))
    if context is not None and (passages := _of_context(wire, asked.body, context)) is not None:
        found.append(("context", GivenLog(retrieved=passages)))
    if not found:
        return FoundLog(None, None, asked.question, None)
    form, log = found[0]
    doubts = _disagreements(found) if len(found) > 1 else ()
    retrieved = log.retrieved
    if verify_shown and retrieved and form in {"field", "header"}:
        retrieved, unseen = _seen(retrieved, asked.body)
        doubts = (*doubts, *unseen)
    return FoundLog(retrieved, log.shown, log.question or asked.question, form, doubts)


def with_reply_sources(log: FoundLog, found: tuple[Source, ...] | None) -> FoundLog:
    """Add what a reply says was retrieved for it: alone where there was no log, else beside the interface's own documents."""
    if found is None or (log.retrieved is not None and log.log_from != "native"):
        return log
    known = {source.source_id for source in log.retrieved or ()}
    both = (*(log.retrieved or ()), *(source for source in found if source.source_id not in known))
    return FoundLog(both, log.shown, log.question, "native", log.doubts)


def _disagreements(found: Sequence[tuple[LogForm, GivenLog]]) -> tuple[Finding, ...]:
    """Return which later form names other sources than the first, which wins."""
    (first, log), *others = found
    ids = {source.source_id for source in log.retrieved or ()}
    told = [
        Finding(
            code=DISAGREE,
            outcome=Outcome.FAIL,
            reason=f"the log of the {first} and that of the {form} name other sources; the {first} counts",
        )
        for form, other in others
        if {source.source_id for source in other.retrieved or ()} != ids
    ]
    return tuple(told)


def _seen(sources: Sequence[Source], body: Json) -> tuple[tuple[Source, ...], tuple[Finding, ...]]:
    """Take the text from passages whose beginning is not in the prompt: what the model did not see supports nothing."""
    prompt = "\n".join(strings({key: value for key, value in body.items() if key != FIELD}))
    unseen = {s.source_id for s in sources if s.text and s.text[:_LEADING] not in prompt}
    kept = tuple(s.model_copy(update={"text": None}) if s.source_id in unseen else s for s in sources)
    told = (
        Finding(code=NOT_SHOWN, outcome=Outcome.FAIL, reason=f"the prompt does not hold the passage {name!r}")
        for name in sorted(unseen)
    )
    return kept, tuple(told)


def _of_tools(wire: Wire, body: Json, patterns: Sequence[str]) -> tuple[Source, ...] | None:
    """Read the passages that named tools gave back; None where no such tool did, or none of them gave passages."""
    found: list[Source] | None = None
    for result in wire.tool_results(body):
        if not any(fnmatchcase(result.tool, pattern) for pattern in patterns):
            continue
        passages = _passages(result.text)
        if passages is not None:
            found = [*(found or ()), *passages]
    if found is None:
        return None
    return tuple({source.source_id: source for source in reversed(found)}.values())[::-1]


def _passages(text: str) -> list[Source] | None:
    """Read a JSON list of passages, or an object that holds one; None for anything else."""
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    if isinstance(value, dict):
        value = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if not isinstance(value, list):
        return None
    return list(_read(value))


def _read(items: Iterable[Any]) -> Iterator[Source]:
    for item in items:
        if not isinstance(item, dict):
            continue
        source_id = next((item[key] for key in ("source_id", "id", "doc_id") if item.get(key) not in (None, "")), None)
        text = next((item[key] for key in ("text", "content") if isinstance(item.get(key), str)), None)
        if isinstance(source_id, str | int) and not isinstance(source_id, bool):
            about = {key: item[key] for key in ("title", "url", "doi") if isinstance(item.get(key), str)}
            page = item.get("page")
            about |= {"page": page} if isinstance(page, str | int) and not isinstance(page, bool) else {}
            yield Source(source_id=str(source_id), text=text, **about)


def _of_context(wire: Wire, body: Json, context: Context) -> tuple[Source, ...] | None:
    """Read numbered passages between the marks; None where no message has them.

    Marks that stand twice may be a user's: the request is refused, as are numbers that are not 1, 2, 3 …
    """
    found: tuple[Source, ...] | None = None
    for place, text in wire.messages(body, context.role):
        if context.begin not in text:
            continue
        if found is not None or text.count(context.begin) > 1:
            raise BadRequestError(place, f"the mark {context.begin!r} stands more than once")
        inner, end, _ = text.partition(context.begin)[2].partition(context.end)
        if not end:
            raise BadRequestError(place, f"the mark {context.end!r} is missing")
        found = tuple(_numbered(inner, place))
    return found


def _numbered(text: str, place: str) -> Iterator[Source]:
    tagged = [(match[1], match[2].strip()) for match in _TAGGED.finditer(text)]
    if not tagged:
        marks = list(_NUMBERED.finditer(text))
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        tagged = [(mark[1] or mark[2], text[mark.end() : end].strip()) for mark, end in zip(marks, ends, strict=True)]
    numbers = [name for name, _ in tagged if name.isdecimal()]
    if numbers != [str(number) for number in range(1, len(numbers) + 1)] or len({name for name, _ in tagged}) < len(
        tagged
    ):
        raise BadRequestError(place, "the numbers of the passages are not 1, 2, 3 …")
    for name, words in tagged:
        yield Source(source_id=name, text=words or None)
