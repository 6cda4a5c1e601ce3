"""Read documents in the shapes in which spans carry them, and write them."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from showable.records.record import Source
from showable.traces.conventions.citations import read_page
from showable.traces.conventions.serialised import IDS, TEXTS, as_mapping
from showable.traces.conventions.values import MASK, Notes, mapping, named, number, sound, text, unpacked, word

Draft = dict[str, Any]
"""A Source on its way: its fields, `source_id` perhaps missing."""

SCORES = ("score", "relevance_score", "similarity_score", "similarity", "_score")
IDS_IN_METADATA = IDS[:5]
FILES = ("source", "file_name", "filename", "file_path", "filepath", "path", "uri", "source_uri", "file")
"""Members that name the file or the address a document was cut from, as LangChain's `source` does."""
_IS_FILE = re.compile(r"(?i)^\S.*(?:\w\.[a-z][a-z0-9]{0,7}|://\S+)$")
BESIDE = ("title", "page", "url", "doi")
PLACES: dict[str, tuple[str, int]] = {
    name: (slot, rank)
    for slot, names in (
        ("source_id", IDS), ("text", TEXTS), ("score", SCORES), ("metadata", ("metadata", "metadatas")),
        ("title", ("title", "name")), ("page", ("page",)), ("url", ("url",)), ("doi", ("doi",)),
    )
    for rank, name in enumerate(names)
}  # fmt: skip
"""Members to the field that they say, and which is believed first."""
HASH = "sha256:"


def content_id(content: str) -> str:
    """Make the id of a document that came without one: ``sha256:`` and the first 16 hexadecimal digits of its text's hash."""
    return HASH + hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def written(source: Source) -> dict[str, Any]:
    """Write a document as members `id`, `content`, `score` and `metadata`, where title, page, url and doi go too.

    An id that was made of the text is left out, so that it is made again where it is read.
    """
    said: dict[str, Any] = {}
    if source.text is None or source.source_id != content_id(source.text):
        said["id"] = source.source_id
    if source.text is not None:
        said["content"] = source.text
    if source.score is not None:
        said["score"] = source.score
    beside = {name: value for name in BESIDE if (value := getattr(source, name)) is not None}
    if beside or source.metadata:
        said["metadata"] = {**source.metadata, **beside}
    return said


def read_drafts(items: Sequence[Any], key: str, notes: Notes) -> list[Draft]:
    """Read documents from mappings (flattened or not), JSON text of these, pairs with a score, bare texts and bare ids."""
    return [_draft(item, key, notes) for item in items]


def _draft(item: Any, key: str, notes: Notes) -> Draft:
    if type(item) is dict and (plain := _plain(item)) is not None:
        return plain
    item = unpacked(item, key, notes)
    if isinstance(item, list | tuple) and len(item) == len(("document", "score")):
        return {"score": number(item[1], f"{key} score", notes)} | _draft(item[0], key, notes)
    members = as_mapping(item)
    if members is not None:
        return _of_members(members, key, notes)
    if isinstance(item, str | int) and not isinstance(item, bool):
        notes.append(
            ("bare_documents", f"{key} has documents that are not JSON objects: with a space a text, else an id")
        )
        bare = sound(str(item))
        return {"text": bare} if any(map(str.isspace, bare.strip())) else {"source_id": bare.strip() or None}
    notes.append(("type", f"a document of {key} should be a JSON object, and is {named(item)}"))
    return {}


def _plain(item: dict[str, Any]) -> Draft | None:
    """Read the most frequent form, an id with a text and perhaps a score and nothing else, without looking for others."""
    said, content = item.get("document.id"), item.get("document.content")
    if type(said) is not str or type(content) is not str or content.startswith(("{", MASK)):
        return None
    named_id, score = sound(said).strip(), item.get("document.score")
    if not named_id or len(item) != len(("id", "content")) + (score is not None):
        return None
    draft: Draft = {"metadata": {}, "text": sound(content), "source_id": named_id}
    if score is not None:
        if type(score) is not float or not math.isfinite(score):
            return None
        draft["score"] = score
    return draft


def _of_members(members: dict[str, Any], key: str, notes: Notes) -> Draft:
    raw: dict[str, Any] = {}
    ranks: dict[str, int] = {}
    for name, value in members.items():
        short = name.removeprefix("document.")
        place = PLACES.get(short) or PLACES.get(short.lower())
        if place is not None and value is not None and place[1] < ranks.get(place[0], len(PLACES)):
            raw[place[0]], ranks[place[0]] = value, place[1]
    held = raw.get("text")
    inner = as_mapping(held) if isinstance(held, dict) else None
    if inner is not None:
        return _of_members({**{name: said for name, said in members.items() if said is not held}, **inner}, key, notes)
    metadata = raw.get("metadata")
    draft: Draft = {"metadata": {} if metadata is None else mapping(metadata, f"{key} metadata", notes) or {}}
    if held is not None:
        draft["text"] = text(held, f"{key} content", notes)
    if "source_id" in raw:
        draft["source_id"] = word(raw["source_id"], f"{key} id", notes)
    if "score" in raw:
        draft["score"] = number(raw["score"], f"{key} score", notes)
    _unwrap(draft, key, notes)
    _beside(draft, raw, key, notes)
    if draft.get("source_id") is None:
        for name in FILES:
            if isinstance(file := members.get(name, members.get(f"document.{name}")), str):
                draft["metadata"].setdefault(name, file)
    return draft


def _unwrap(draft: Draft, key: str, notes: Notes) -> None:
    """Take the text out of a document whose content is itself a JSON object with one, or whose text is in its metadata."""
    content, metadata = draft.get("text"), draft["metadata"]
    if content is not None and content.startswith("{"):
        unheard: Notes = []
        held = unpacked(content, key, unheard)
        name = _text_name(held) if isinstance(held, dict) and not unheard else None
        if name is not None:
            draft["text"] = sound(held[name])
            draft["source_id"] = draft.get("source_id") or _first(held, IDS, key, notes)
            draft["metadata"] = metadata = {**(as_mapping(held.get("metadata")) or {}), **metadata}
    if not metadata:
        return
    if content is None and (name := _text_name(metadata)) is not None:
        draft["text"] = sound(metadata.pop(name))


def _text_name(members: dict[str, Any]) -> str | None:
    return next((name for name in TEXTS if isinstance(members.get(name), str)), None)


def _beside(draft: Draft, raw: dict[str, Any], key: str, notes: Notes) -> None:
    """Read title, page, url and doi from beside the content, else out of the metadata."""
    metadata = draft["metadata"]
    if metadata:
        if metadata.get("page_label") is not None:  # what is printed on the page, where `page` counts from 0
            raw.setdefault("page", metadata["page_label"])
        for name in BESIDE:
            if name not in raw and isinstance(metadata.get(name), (int, str) if name == "page" else str):
                raw[name] = metadata.pop(name)
    for name in BESIDE:
        if name in raw:
            draft[name] = (read_page if name == "page" else word)(raw[name], f"{key} {name}", notes)


def _first(members: dict[str, Any], names: Sequence[str], key: str, notes: Notes) -> str | None:
    for name in names:
        value = members.get(name)
        if value is not None and (read := word(value, f"{key} id", notes)) is not None:
            return read
    return None


def merged(candidates: Sequence[list[Draft]]) -> list[Draft]:
    """Make one list of several that mean the same retrieval: that with most ids, then most texts, filled from the others.

    Another fills by id, or by rank where it is as long and has no ids of its own.
    """
    best = max(candidates, key=lambda drafts: (_count(drafts, "source_id"), _count(drafts, "text"), len(drafts)))
    for other in candidates:
        if other is not best and other:
            _fill(best, other)
    return best


def _count(drafts: list[Draft], name: str) -> int:
    return sum(draft.get(name) is not None for draft in drafts)


def _fill(drafts: list[Draft], other: list[Draft]) -> None:
    by_id = {draft["source_id"]: draft for draft in reversed(other) if draft.get("source_id") is not None}
    ranked = not by_id and len(other) == len(drafts)
    for rank, draft in enumerate(drafts):
        more = other[rank] if ranked else by_id.get(draft.get("source_id"), {})
        for name, value in more.items():
            if draft.get(name) in (None, {}):
                draft[name] = value


def _files(drafts: Sequence[Draft]) -> dict[int, str]:
    """Find the file or address that a document came from, by draft: one that several came from names none of them."""
    found: dict[int, str] = {}
    for draft in drafts:
        about = draft.get("metadata") or {}
        named = (about[name].strip() for name in FILES if isinstance(about.get(name), str))
        if (file := next((name for name in named if _IS_FILE.search(name)), None)) is not None:
            found[id(draft)] = file
    times = Counter(found.values())
    return {draft: file for draft, file in found.items() if times[file] == 1}


def sources_of(drafts: Sequence[Draft], key: str, notes: Notes) -> tuple[tuple[Source, ...], bool]:
    """Make documents of drafts, in order, and say whether ids had to be made; what has neither id nor text is left out."""
    made, hashed, inside, linked = [], 0, False, False
    files = _files(drafts)
    for draft in drafts:
        source_id, content = draft.get("source_id"), draft.get("text")
        if source_id is None and draft.get("metadata"):
            source_id = _first(draft["metadata"], IDS_IN_METADATA, key, notes)
            inside = inside or source_id is not None
        if source_id is None and (source_id := draft.get("url") or files.get(id(draft))) is not None:
            linked = True
        if source_id is None and content:
            hashed += 1
            source_id = content_id(content)
        if source_id is None:
            notes.append(("empty_document", f"{key} has a document with neither id nor text"))
        else:
            given = {name: value for name, value in draft.items() if value is not None and name != "source_id"}
            made.append(Source(source_id=source_id, **given))
    if inside:
        notes.append(("id_from_metadata", f"{key} has documents whose id is only among their metadata"))
    if linked:
        notes.append(
            ("id_from_metadata", f"{key} has documents without an id: they are known by their addresses or files")
        )
    if hashed:
        notes.append(
            ("hashed_ids", f"{hashed} of {len(drafts)} documents of {key} came without an id: it is made of their text")
        )
    return tuple(made), hashed > 0
