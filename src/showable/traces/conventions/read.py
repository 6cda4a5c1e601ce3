"""Read the facts of a span, whichever conventions it mixes: what decides is which keys are there, not which comes first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from showable.records.spans import Span
from showable.traces.conventions.citations import KEY, read_citations
from showable.traces.conventions.documents import Draft, merged, read_drafts, sources_of
from showable.traces.conventions.evaluations import read_evaluation, read_evaluations
from showable.traces.conventions.events import Happened, read_events
from showable.traces.conventions.gathering import LATER, Gathered
from showable.traces.conventions.grouping import IN_METADATA
from showable.traces.conventions.kinds import read_kind, supposed_kind
from showable.traces.conventions.messages import Said, read_messages
from showable.traces.conventions.serialised import answered, asked, can_be_cited, columns_of, documents_within
from showable.traces.conventions.values import OPENERS, Notes, mapping, named, number, text, unpacked, whole, word
from showable.traces.facts import Kind, Message, SpanFacts

NOTHING = SpanFacts()
"""The facts of a span that says nothing which is read."""
SINGLE: tuple[tuple[str, Callable[[Any, str, Notes], Any]], ...] = (
    ("model", word), ("prompt_version", word), ("profile", word), ("cohort", word), ("session", word),
    ("input_text", text), ("output_text", text), ("tokens_in", whole), ("tokens_out", whole), ("cost_usd", number),
)  # fmt: skip
"""Facts that are one value, with what reads them."""
SAID = frozenset({"inputs", "outputs", "system"})
FOUND = frozenset({"documents", "rerank_input", "reranked", "document_ids", "memories"})
LISTED = frozenset({"citations", "evaluations", "evaluation.name"})
"""Facts that are read together: a span that says none of them, as most do not, is asked for none."""
EVALUATION = ("name", "score", "label", "explanation", "target_span_id")
WRAPPED = ("messages", "choices", "documents", "citations")
BRINGS = frozenset({"RETRIEVER", "TOOL"})
"""Kinds of span whose documents may stand in what they gave alone."""
CARRIES_DOCUMENTS = frozenset({None, "RETRIEVER", "RERANKER", "TOOL", "VECTOR_DB", "UNKNOWN"})
"""Kinds of span whose output may be documents; that of a workflow or a model is an answer."""


def read_span(span: Span) -> SpanFacts:
    """Read what a span and its events say. Never raises: what cannot be read is among `problems`."""
    gathered = Gathered()
    gathered.take(span.attributes)
    notes = gathered.notes
    happened = read_events(span.events, gathered, notes) if span.events else None
    if not (gathered.values or gathered.items or gathered.members or gathered.owners or notes):
        return NOTHING
    if happened is None and not notes and gathered.only_kind:
        return _of_kind(gathered)
    return _Reader(gathered, happened or Happened(), notes, span.name).facts()


def _of_kind(gathered: Gathered) -> SpanFacts:
    """Read a span that says its kind and no more, as many do."""
    kind, _ = read_kind(gathered, gathered.notes)
    return _bare(kind or "UNKNOWN", gathered.conventions, tuple(dict.fromkeys(gathered.notes)))


@lru_cache(maxsize=256)
def _bare(kind: Kind, conventions: tuple[str, ...], problems: tuple[tuple[str, str], ...]) -> SpanFacts:
    return SpanFacts(kind=kind, conventions=conventions, problems=problems)


class _Reader:
    """One span's reading: what was gathered, and the notes that come of it."""

    def __init__(self, gathered: Gathered, happened: Happened, notes: Notes, name: str) -> None:
        self._gathered, self._happened, self._notes = gathered, happened, notes
        self._name = name.lower()

    def facts(self) -> SpanFacts:
        kind, step = read_kind(self._gathered, self._notes)
        values, items, happened = self._gathered.values, self._gathered.items, self._happened
        found = self._figures()
        if _any_of(SAID, values, items) or happened.inputs is not None or happened.outputs is not None:
            self._conversation(found)
        if "entity_input" in values or "entity_output" in values:
            self._entity(found, kind, step=step)
        if _any_of(FOUND, values, items) or happened.rows is not None or (kind in BRINGS and "output_text" in found):
            self._retrieval(found, kind)
        if _any_of(LISTED, values, items) or happened.evaluations:
            self._lists(found)
        if kind is None:
            kind = supposed_kind(found)
        elif step and found.get("reranked") is not None:
            kind = "RERANKER"
        elif step and found.get("documents") is not None:
            kind = "RETRIEVER"
        problems = tuple(dict.fromkeys(self._notes)) if self._notes else ()
        return SpanFacts(kind=kind, conventions=self._gathered.conventions, problems=problems, **found)

    def _figures(self) -> dict[str, Any]:
        """Read all that is one value."""
        found: dict[str, Any] = {}
        gathered = self._gathered
        for slot, reader in SINGLE:
            if slot in gathered.values:
                self._first(found, slot, reader)
        if (took := found.get("input_text")) is not None and took.startswith(OPENERS):
            found["input_text"] = asked(unpacked(took, "", [])) or took
        if gathered.members or "metadata" in gathered.values:
            self._metadata(found)
        if "finish" in gathered.values or "finish" in gathered.items:
            self._finish(found)
        return found

    def _first(self, found: dict[str, Any], slot: str, reader: Any) -> None:
        """Keep the first of a fact's values that can be read."""
        if slot not in self._gathered.values:
            return
        for _, key, value in self._gathered.of(slot):
            read = reader(value, key, self._notes)
            if read is not None:
                found[slot] = read
                return

    def _metadata(self, found: dict[str, Any]) -> None:
        self._first(found, "metadata", mapping)
        members = self._gathered.members
        if members:
            found["metadata"] = {**members, **found.get("metadata", {})}
        metadata = found.get("metadata")
        if not metadata:
            return
        for slot, names in IN_METADATA.items():
            if found.get(slot) is None:
                given = (metadata[name] for name in names if isinstance(metadata.get(name), str | int))
                held = next(given, None)
                if held is not None and (read := word(held, f"metadata {slot}", self._notes)) is not None:
                    found[slot] = read

    def _finish(self, found: dict[str, Any]) -> None:
        for _, key, value in self._gathered.of("finish"):
            listed = unpacked(value, key, self._notes)
            reason = (listed[0] if listed else None) if isinstance(listed, list | tuple) else listed
            if (read := word(reason, key, self._notes)) is not None:
                found["finish"] = read
                return
        for items in self._gathered.items.get("finish", {}).values():
            found["finish"] = word(items[min(items)].get(""), "finish", self._notes)

    def _conversation(self, found: dict[str, Any]) -> None:
        """Read the messages that a model got and gave, the span's own before those of its events."""
        inputs = self._messages("inputs", "user", self._happened.inputs)
        outputs = self._messages("outputs", "assistant", self._happened.outputs)
        system = self._messages("system", "system", None)
        if system is not None and system.messages:
            whole_text = "\n".join(message.content for message in system.messages)
            before = inputs.messages if inputs is not None else ()
            inputs = Said((Message("system", whole_text), *before))
        if inputs is not None:
            found["inputs"] = None if inputs.lost else inputs.messages
        if outputs is not None:
            found["outputs"] = None if outputs.lost else outputs.messages
            found["tool_calls"] = outputs.tool_calls
            if outputs.citations:
                found["citations"] = outputs.citations
            if found.get("finish") is None:
                found["finish"] = outputs.finish

    def _messages(self, slot: str, role: str, of_events: list[Any] | None) -> Said | None:
        candidates = [
            read_messages(items, role, key, self._notes) for key, items in self._listed(slot, partial_text=True)
        ]
        if of_events is not None:
            candidates.append(read_messages(of_events, role, "an event", self._notes))
        if not candidates:
            return None
        return max(candidates, key=_fullness)  # the first of equals

    def _listed(self, slot: str, *, partial_text: bool = False) -> list[tuple[str, list[Any]]]:
        """Return a fact's lists as (key, items), flattened and whole ones, the one to believe first."""
        if slot not in self._gathered.values and slot not in self._gathered.items:
            return []
        lists: list[tuple[int, str, list[Any]]] = []
        for (rank, prefix), indexed in self._gathered.items.get(slot, {}).items():
            missing = max(indexed) + 1 - len(indexed)
            if missing:
                self._notes.append(("gap", f"{prefix} has {len(indexed)} items and lacks {missing} before the last"))
            lists.append((rank, prefix, [_item(indexed[place]) for place in sorted(indexed)]))
        for rank, prefix, value in self._gathered.of(slot):
            items = self._as_list(value, prefix, partial_text=partial_text)
            if items is not None:
                lists.append((rank, prefix, items))
        lists.sort(key=lambda it: it[0])
        return [(prefix, items) for _, prefix, items in lists]

    def _as_list(self, value: Any, key: str, *, partial_text: bool) -> list[Any] | None:
        read = unpacked(value, key, self._notes, partial_text=partial_text)
        if isinstance(read, str) and read != value:
            read = unpacked(read, key, self._notes, partial_text=partial_text)  # JSON within JSON
        if isinstance(read, dict):
            columns = isinstance(read.get("ids"), list)
            inner = (
                None if columns else next((read[name] for name in WRAPPED if isinstance(read.get(name), list)), None)
            )
            if inner is None and not partial_text:
                inner = documents_within(read, texts=False)
            return [read] if inner is None else list(inner)
        if isinstance(read, list | tuple):
            batch = partial_text and len(read) == 1 and isinstance(read[0], list)  # LangChain's, of one conversation
            return list(read[0] if batch else read)
        if isinstance(read, str) and partial_text and read:
            return [read]
        if read is not None:
            self._notes.append(("type", f"{key} should be a list, and is {named(read)}"))
        return None

    def _entity(self, found: dict[str, Any], kind: Kind | None, *, step: bool) -> None:
        """Read what OpenLLMetry says that a step took and gave: a question, an answer, or the documents of a retriever."""
        values = self._gathered.values
        if "entity_input" in values and found.get("input_text") is None:
            self._first(found, "entity_input", text)
            took = found.pop("entity_input", None)
            found["input_text"] = asked(unpacked(took, "", [])) or took
        if "entity_output" not in values:
            return
        _, key, value = self._gathered.of("entity_output")[0]
        gave = unpacked(value, key, self._notes)
        if step or kind in CARRIES_DOCUMENTS:
            texts = kind == "RETRIEVER" or "retriev" in self._name
            documents = documents_within(gave, texts=texts)
            if documents is not None:
                reranks = kind == "RERANKER" or "rerank" in self._name
                slot = "reranked" if reranks else "documents"
                values.setdefault(slot, []).append((LATER, key, documents))
                return
        if found.get("output_text") is None:
            found["output_text"] = answered(gave) or text(value, key, self._notes)

    def _retrieval(self, found: dict[str, Any], kind: Kind | None) -> None:
        """Read the documents of a retriever and of a reranker."""
        hashed = False
        for slot in ("documents", "rerank_input", "reranked"):
            lists = self._listed(slot)
            if slot == "documents" and kind == "RETRIEVER":
                lists += self._listed("memories")  # of a search: records that are stored are no retrieval
            candidates = [read_drafts(items, key, self._notes) for key, items in lists]
            if slot == "documents":
                candidates += self._rows()
                if kind in BRINGS and not any(map(_have_ids, candidates)):
                    candidates += self._printed(found.get("output_text"), tool=kind == "TOOL")
            if candidates:
                key = lists[0][0] if lists else "the output"
                drafts = candidates[0] if len(candidates) == 1 else merged(candidates)
                found[slot], made = sources_of(drafts, key, self._notes)
                hashed = hashed or made
        found["hashed"] = hashed

    def _rows(self) -> list[list[Draft]]:
        """Read what a vector store says that it returned: an event a row, or a column of ids and one of scores."""
        rows = [] if self._happened.rows is None else [read_drafts(self._happened.rows, "db.query.result", self._notes)]
        for _, key, value in self._gathered.of("document_ids"):
            ids = self._as_list(value, key, partial_text=False)
            scores = self._gathered.of("document_scores")
            column = self._as_list(scores[0][2], scores[0][1], partial_text=False) if scores else None
            if ids is not None:
                rows.append(read_drafts(columns_of(ids, score=column), key, self._notes))
        return rows

    def _printed(self, gave: str | None, *, tool: bool) -> list[list[Draft]]:
        """Read the documents in what a retriever or a tool gave: LangChain's instrumentations keep ids there, tools all of it."""
        if gave is None or not gave.startswith(OPENERS):
            return []
        read = unpacked(gave, "output.value", [])
        documents = read if read == [] and not tool else documents_within(read, texts=False)
        if tool and not (documents and all(map(can_be_cited, documents))):
            return []
        return [] if documents is None else [read_drafts(documents, "output.value", [])]

    def _lists(self, found: dict[str, Any]) -> None:
        """Read citations and evaluations."""
        cited = self._listed("citations")
        if cited:
            fullest = max(cited, key=lambda it: len(it[1]))
            found["citations"] = read_citations(fullest[1], self._notes)
        elif "citations" in self._gathered.values:
            self._notes.append(("unreadable", f"{KEY} cannot be read"))
        evaluations = [
            one for key, items in self._listed("evaluations") for one in read_evaluations(items, key, self._notes)
        ]
        if "evaluation.name" in self._gathered.values:
            said = {name: self._value(f"evaluation.{name}") for name in EVALUATION}
            read = read_evaluation(said, "gen_ai.evaluation", self._notes)
            evaluations += [] if read is None else [read]
        found["evaluations"] = (*evaluations, *self._happened.evaluations)

    def _value(self, slot: str) -> Any:
        held = self._gathered.of(slot)
        return held[0][2] if held else None


def _any_of(slots: frozenset[str], values: Mapping[str, Any], items: Mapping[str, Any]) -> bool:
    return not (slots.isdisjoint(values) and slots.isdisjoint(items))


def _have_ids(drafts: list[Draft]) -> bool:
    return all(draft.get("source_id") is not None for draft in drafts)


def _item(members: Mapping[str, Any]) -> Any:
    """Return an item as it is where it came whole under its index: ``retrieval.documents.0`` = JSON."""
    return members[""] if "" in members and len(members) == 1 else members


def _fullness(said: Said) -> tuple[int, bool]:
    return sum(bool(message.content) for message in said.messages), bool(said.messages)
