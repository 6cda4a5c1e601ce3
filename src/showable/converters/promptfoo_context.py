"""The context of a promptfoo result: given to the test, returned by the provider, or used by a context assertion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from showable.converters.fields import NO_LOG, Fields, as_text
from showable.converters.passages import looks_like_log, numbers_cited, read_log
from showable.records.record import Source

NAMES = ("context", "contexts", "contextUnits", "retrieved", "retrieved_contexts", "documents", "sources")
READ_FROM = "the retrieval log was read from {}"
NUMBERED = "the context is one text: its numbered passages were taken apart"
ONE_TEXT = "the context is one text, of which nothing says where the passages begin that the answer cites by number"

_NUMBER = re.compile(r"^[ \t]{0,8}\[(\d{1,4})\]", re.MULTILINE)
_Found = tuple[tuple[Source, ...] | None, list[str]]


def find_context(fields: Fields, response: Fields, output: Fields, given: Fields, answer: str | None) -> _Found:
    """Give the retrieval log and notes on it: a list of passages, if there is one anywhere, else a context in one text."""
    places = list(_places(fields, response, output, given))
    for said, holder, name in places:
        if looks_like_log(holder.held[name]):
            return read_log(holder, name), [READ_FROM.format(said)]
    for said, holder, name in places:
        value = holder.held[name]
        if isinstance(value, str) and value.strip() and not value.startswith("file://"):
            holder.take(name)
            log, notes = _of_text(as_text(value, holder.at(name)), answer)
            return log, [READ_FROM.format(said), *notes] if log is not None else notes
    return None, [NO_LOG]


def _places(fields: Fields, response: Fields, output: Fields, given: Fields) -> Iterator[tuple[str, Fields, str]]:
    """Yield the fields that may hold it, what the run returned before what the test was given."""
    holders = [
        ("response.metadata", _opened(response, "metadata")),
        ("metadata", _opened(fields, "metadata")),
        ("response.output", output),
        ("vars", given),
    ]
    holders += [("gradingResult", graded) for graded in _graded(fields)]
    for said, holder in holders:
        for name in NAMES:
            if holder is not None and name in holder.held:
                yield f"{said}.{name}", holder, name


def _opened(outer: Fields, name: str) -> Fields | None:
    return outer.object(name) if isinstance(outer.held.get(name), Mapping) else None


def _graded(fields: Fields) -> Iterator[Fields]:
    """Yield what context assertions put on record: the context that each of them was judged against."""
    result = fields.held.get("gradingResult")
    parts = result.get("componentResults") if isinstance(result, Mapping) else None
    for part in parts if isinstance(parts, list) else ():
        metadata = part.get("metadata") if isinstance(part, Mapping) else None
        if isinstance(metadata, Mapping):
            yield Fields(metadata, "gradingResult.componentResults.metadata")


def _of_text(context: str, answer: str | None) -> _Found:
    """Take a text apart at ``[1]``, ``[2]`` … where they begin lines and count up; else it is one passage.

    A number above 1 in the answer then names a passage that cannot be told, so nothing is said to be the log.
    """
    marks = list(_NUMBER.finditer(context))
    if len(marks) > 1 and [int(mark[1]) for mark in marks] == list(range(1, len(marks) + 1)):
        ends = [mark.start() for mark in marks[1:]] + [len(context)]
        texts = [context[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)]
        return tuple(Source(source_id=str(i), text=text) for i, text in enumerate(texts, 1)), [NUMBERED]
    if any(number > 1 for number in numbers_cited(answer or "")):
        return None, [ONE_TEXT]
    return (Source(source_id="context", text=context),), []
