"""What OpenAI's file search found, as the response reports it beside the answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from showable.converters.fields import Fields
from showable.converters.shape import FieldError
from showable.records.record import Source

NOT_INCLUDED = "the file search ran without include=file_search_call.results: what it found is not in the payload"


def file_search_log(output: Sequence[Fields]) -> tuple[tuple[Source, ...] | None, list[str]]:
    """Return the files that the searches of a response found, best first as they stand there, and notes.

    None where no search ran, or one did not report what it found. The passages of one file are one source: citations
    name files, not passages. Its score is that of its best passage.
    """
    calls = [item for item in output if item.kind == "file_search_call"]
    if not calls:
        return None, []
    if any(call.raw("results") is None for call in calls):
        return None, [NOT_INCLUDED]
    files: dict[str, list[Fields]] = {}
    for call in calls:
        for result in call.objects("results"):
            file_id = result.text("file_id")
            if not file_id:
                raise FieldError(result.at("file_id"), "expected the id of the file")
            files.setdefault(file_id, []).append(result)
    return tuple(_source(file_id, found) for file_id, found in files.items()), []


def _source(file_id: str, found: Sequence[Fields]) -> Source:
    texts = list(dict.fromkeys(text for one in found if (text := one.text("text"))))
    scores = [score for one in found if (score := one.number("score")) is not None]
    about: dict[str, Any] = {"passages": len(texts)} if len(texts) > 1 else {}
    attributes = next((held for one in found if (held := one.inner("attributes"))), None)
    if attributes is not None:
        about |= attributes.rest()
    return Source(
        source_id=file_id,
        text="\n\n".join(texts) or None,
        title=next((name for one in found if (name := one.text("filename"))), None),
        score=max(scores, default=None),
        metadata=about,
    )
