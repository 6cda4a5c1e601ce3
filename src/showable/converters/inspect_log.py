"""Inspect AI: the samples of an evaluation log, as JSON, as ``.eval`` archive, or one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from showable.converters.cited_spans import with_citations
from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG, Fields, as_text, converted, kind_of
from showable.converters.inspect_log_archive import read_archive
from showable.converters.inspect_log_messages import Words, read_content, read_documents, resolved
from showable.converters.passages import looks_like_log, read_log
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Source

CONVERSATION = "a conversation: its last message of the user is the question"
LETTER = "a multiple-choice target names a letter, which is no gold answer"
CUT = "the answer was cut off at the model's limit of tokens"
STOPPED = "Inspect stopped the sample at a limit"
INVALID = "the sample was marked invalid in Inspect"
BLOCKED = "the model's provider gave an error in place of an answer"
TOOLS = "messages of tools may hold what was retrieved: they are not read"

_HEADER = ("task", "model", "run_id", "tags")
_TIMES = ("uuid", "started_at", "completed_at", "total_time", "working_time", "turn_count")
_SAMPLE = {"id", "epoch", "input", "target"}


class InspectLog:
    """Samples of `EvalLog` (inspect_ai): one of each epoch is a record of its own, ``ID`` the first, ``ID#2`` the next.

    Scores, events and the conversation before the answer are lost. Inspect has no place of its own for what was
    retrieved: lists of passages in a sample's store or metadata are read, and documents put to the model.
    """

    name = "inspect-log"
    title = "Inspect AI"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return the samples of a log in JSON (``{"version", "eval", "samples": […]}``)."""
        if not isinstance(document, Mapping) or not isinstance(document.get("eval"), Mapping):
            return None
        samples = document.get("samples")
        if not isinstance(samples, list) or not any(isinstance(one, Mapping) and self.fits(one) for one in samples):
            return None
        head = _of_header(document["eval"])
        return ((f"samples[{i}]", _with_header(one, head)) for i, one in enumerate(samples))

    def archive(self, path: Path) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return the samples of an ``.eval`` archive one by one, or None where the archive is something else.

        Raises InputError where it is a log that is damaged, or that cannot be unpacked here.
        """
        if (read := read_archive(path)) is None:
            return None
        header, samples = read
        head = _of_header(spec) if isinstance(spec := header.get("eval"), Mapping) else {}
        return ((name, _with_header(sample, head)) for name, sample in samples)

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Hold for a sample: its id and epoch, its input and target, and an output or messages."""
        return fields.keys() >= _SAMPLE and bool({"output", "messages"} & fields.keys())

    def convert(self, row: Row) -> Converted:
        """Turn a sample into a Record."""
        fields = Fields(row.fields)
        held = fields.take("attachments")
        attachments: Mapping[str, Any] = held if isinstance(held, Mapping) else {}
        notes: list[str] = []
        put, messages = _messages(fields, "input"), _messages(fields, "messages")
        documents = read_documents(put, attachments) or read_documents(messages, attachments)
        log, log_notes = find_log(fields, attachments, documents)
        output = fields.object("output")
        words = _answer(fields, output, attachments, log or (), notes)
        if log is not None and words is not None and words.loose:
            log, log_notes = None, [UNNAMED]
        if log is None and any(isinstance(one, Mapping) and one.get("role") == "tool" for one in (*put, *messages)):
            notes.append(TOOLS)
        record = {
            "id": _id(fields, row),
            "question": _question(fields, attachments, notes),
            "answer": None if words is None else words.text,
            "retrieved": log,
            "gold": _gold(fields, notes),
            "metadata": _metadata(fields, output),
        }
        others = [f"output.choices.message.content.{kind}" for kind in sorted(words.others)] if words else []
        others += ["output.choices"] if len(output.list("choices") or ()) > 1 else []
        made = converted(record, fields, [*log_notes, *notes], others)
        if words is None or not words.cited:
            return made
        hung, said = with_citations(made.record, words.cited)
        return Converted(hung, made.lost, (*made.notes, *said))


def _of_header(spec: Mapping[str, Any]) -> dict[str, Any]:
    return {name: spec[name] for name in _HEADER if isinstance(spec.get(name), str | list)}


def _with_header(sample: Any, head: Mapping[str, Any]) -> Any:
    """Put beside a sample what only the log's header says of it; what is no sample stays as it is."""
    return {**sample, "eval": head} if isinstance(sample, Mapping) else sample


def _messages(fields: Fields, name: str) -> Sequence[Any]:
    given = fields.held.get(name)
    return given if isinstance(given, list) else ()


def _id(fields: Fields, row: Row) -> str:
    own = fields.id("id") or row.fallback_id
    epoch = fields.id("epoch") or "1"
    return own if epoch == "1" else f"{own}#{epoch}"


def _question(fields: Fields, attachments: Mapping[str, Any], notes: list[str]) -> str:
    """Return the input, or the last message of the user in it."""
    given = fields.take("input")
    if not isinstance(given, list):
        words = read_content(given, "input", attachments)
        if words is None:
            raise FieldError(
                "input", "expected a question, got null" if given is None else "an attachment is not in the log"
            )
        return words.text
    turns = [(i, one) for i, one in enumerate(given) if isinstance(one, Mapping) and one.get("role") == "user"]
    if any(isinstance(one, Mapping) and one.get("role") == "assistant" for one in given) or len(turns) > 1:
        notes.append(CONVERSATION)
    for i, turn in reversed(turns):
        words = read_content(turn.get("content"), f"input[{i}].content", attachments)
        if words is not None and words.text:
            return words.text
    raise FieldError("input", "expected a message of the user with words")


def _answer(
    fields: Fields, output: Fields, attachments: Mapping[str, Any], sources: Sequence[Source], notes: list[str]
) -> Words | None:
    """Return the first choice of the output; None, and a note why, where there is none."""
    failed, blocked = fields.take("error"), output.take("error")
    notes += [said for said, name in ((STOPPED, "limit"), (INVALID, "invalidation")) if fields.take(name) is not None]
    choices = output.list("choices") or ()
    words = None
    if choices:
        choice = output.item("choices", 0, choices[0])
        notes += [CUT] if choice.take("stop_reason") in ("max_tokens", "length") else []
        message = choice.object("message")
        for name in ("id", "role", "source", "model"):
            message.take(name)
        words = read_content(message.take("content"), message.at("content"), attachments, sources)
    completion = read_content(output.take("completion"), "output.completion", attachments)
    if words is None or not words.text:
        words = completion
    if failed is None and words is not None and words.text:
        return words
    notes.append(FAILED if failed is not None else BLOCKED if blocked is not None else NO_ANSWER)
    return None


def _gold(fields: Fields, notes: list[str]) -> dict[str, Any] | None:
    """Return the target; of several, any is right."""
    if fields.take("choices"):
        notes.append(LETTER)
        return None
    given = fields.take("target")
    if given is None:
        return None
    many = given if isinstance(given, list) else [given]
    if not isinstance(given, str | list):
        raise FieldError("target", f"expected a string or a list of strings, got {kind_of(given)}")
    texts = [as_text(one, "target") for one in many]
    wanted = [text for text in texts if text]
    return {"answer": wanted[0], "aliases": tuple(wanted[1:])} if wanted else None


def _metadata(fields: Fields, output: Fields) -> dict[str, Any]:
    """Return the sample's own metadata, with what tells runs apart: epoch, model, task."""
    own = fields.object("metadata").rest()
    head = fields.object("eval").kept(*_HEADER)
    epoch = {"epoch": one} if (one := fields.held.get("epoch")) is not None else {}
    return {**own, **fields.kept(*_TIMES), **head, **output.kept("model"), **epoch}


NAMES = ("retrieved", "retrieved_contexts", "sources", "documents", "contexts")
NO_PLACE = "Inspect has no place of its own for what was retrieved: the log was read from {}"
UNNAMED = "the answer cites a document by a title that no passage bears: the passages that were found are no log of it"


def find_log(
    fields: Fields, attachments: Mapping[str, Any], documents: Sequence[Source]
) -> tuple[tuple[Source, ...] | None, list[str]]:
    """Return the retrieval log with a note that says where it was read: the store first, which the run itself filled."""
    for place in ("store", "metadata"):
        held = fields.object(place)
        for name in NAMES:
            for key, value in held.held.items():
                if isinstance(key, str) and key.rpartition(":")[2] == name and looks_like_log(value):
                    inner = Fields({key: _whole(value, attachments)}, place)
                    held.take(key)
                    return read_log(inner, key), [NO_PLACE.format(f"{place}.{name}")]
    if documents:
        return tuple(documents), [NO_PLACE.format("the documents put to the model")]
    return None, [NO_LOG]


def _whole(value: Sequence[Any], attachments: Mapping[str, Any]) -> list[Any]:
    """Put attachments in where passages are kept as such."""
    return [
        {name: resolved(held, attachments) for name, held in one.items()}
        if isinstance(one, Mapping)
        else resolved(one, attachments)
        for one in value
    ]
