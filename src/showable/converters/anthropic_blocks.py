"""What an Anthropic request and its server tools put before the model: documents, search results, web pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from showable.converters.fields import Fields, as_object, web_address
from showable.records.record import Source

_NESTED = ("tool_result", "web_fetch_tool_result", "web_fetch_result", "mcp_tool_result")
_BETWEEN = "\n"


@dataclass(slots=True)
class Shown:
    """Blocks in the order that citations count them in, each with its Source; `parts` hold the texts of a block's blocks.

    `fetched` counts the documents that a server tool brought, not the request.
    """

    documents: list[Source] = field(default_factory=list)
    results: list[Source] = field(default_factory=list)
    pages: dict[str, Source] = field(default_factory=dict)
    parts: dict[str, list[str]] = field(default_factory=dict)

    @property
    def sources(self) -> list[Source]:
        """Everything that was shown: documents, search results, pages found on the web."""
        return [*self.documents, *self.results, *self.pages.values()]


def shown_blocks(messages: Sequence[Fields], response: Fields) -> Shown:
    """Walk through all messages, and the results of server tools in the response, in order."""
    shown = Shown()
    for message in (*messages, response):
        for block in _blocks(message):
            _add(block, shown)
    return shown


def _blocks(message: Fields) -> Iterator[Fields]:
    """Yield the blocks of a message, those inside the results of tools included."""
    held = message.raw("content")
    if isinstance(held, str):
        return
    blocks = [message.inner("content")] if isinstance(held, dict) else message.objects("content")
    for block in blocks:
        if block is None:
            continue
        if block.kind in _NESTED:
            yield from _blocks(block)
        else:
            yield block


def _add(block: Fields, shown: Shown) -> None:
    match block.kind:
        case "document":
            source_id = f"document-{len(shown.documents)}"
            shown.documents.append(_document(block, source_id, shown))
        case "search_result":
            source_id = f"search_result-{len(shown.results)}"
            shown.parts[source_id] = _texts(block)
            said = block.text("source")
            shown.results.append(
                Source(
                    source_id=source_id,
                    text=_BETWEEN.join(shown.parts[source_id]),
                    title=block.text("title"),
                    url=web_address(said),
                    metadata={"source": said} if said else {},
                )
            )
        case "web_search_tool_result":
            for item in _found(block):
                url = item.text("url")
                if item.kind == "web_search_result" and url:
                    shown.pages.setdefault(url, Source(source_id=url, url=url, title=item.text("title")))
        case _:
            pass


def _found(block: Fields) -> Sequence[Fields]:
    """Return what a web search found; an error stands there as one object."""
    return [] if isinstance(block.raw("content"), dict) else block.objects("content")


def _document(block: Fields, source_id: str, shown: Shown) -> Source:
    """Make a Source of a document block: its text where it has one, whatever way it was given."""
    given = block.inner("source")
    text: str | None = None
    url: str | None = None
    about: dict[str, Any] = {}
    if context := block.text("context"):
        about["context"] = context
    if given is not None:
        match given.kind:
            case "text":
                text = given.text("data")
            case "content":
                shown.parts[source_id] = _texts(given)
                text = _BETWEEN.join(shown.parts[source_id])
            case "url":
                url = given.text("url")
            case "file":
                about["file_id"] = given.text("file_id")
            case _:
                pass
    return Source(source_id=source_id, text=text, title=block.text("title") or None, url=url, metadata=about)


def _texts(block: Fields) -> list[str]:
    """Return the texts of the blocks that a document or a search result is made of: "" for an image, so that indexes hold."""
    if isinstance(block.raw("content"), str):
        return [block.text("content") or ""]
    parts = [as_object(item, at) for item, at in block.items("content")]
    return [part.text("text") or "" if part.kind == "text" else "" for part in parts]
