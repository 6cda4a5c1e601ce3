"""The citations of an Anthropic text block: from a place in a document or a search result to a Citation."""

from __future__ import annotations

from showable.converters.anthropic_blocks import Shown
from showable.converters.fields import Fields
from showable.converters.shape import FieldError
from showable.records.record import Citation

_OF_DOCUMENTS = frozenset({"char_location", "page_location", "content_block_location"})


class Documents:
    """What citations point into. `cites_request` is set once one points at what only the request can hold.

    `wrong_title` is set where a citation names its document otherwise than the request does: they may be of two calls.
    """

    def __init__(self, shown: Shown) -> None:
        self.shown = shown
        self.cites_request = False
        self.wrong_title = False

    def citation(self, given: Fields) -> Citation | None:
        """Read one citation; None for a kind that is not known."""
        kind = given.kind
        if kind == "web_search_result_location":
            url = given.text("url") or None
            return Citation(source_id=url, url=url, quoted_span=given.text("cited_text"))
        if kind == "search_result_location":
            index = _index(given, "search_result_index")
            source_id, title = f"search_result-{index}", given.text("title")
            known = self.shown.results
        elif kind in _OF_DOCUMENTS:
            index = _index(given, "document_index")
            source_id, title = f"document-{index}", given.text("document_title")
            known = self.shown.documents
        else:
            return None
        self.cites_request = True
        if index < len(known) and title and known[index].title and title != known[index].title:
            self.wrong_title = True
        quoted, page = self._quoted(given, source_id), _pages(given) if kind == "page_location" else None
        return Citation(source_id=source_id, quoted_span=quoted, page=page, raw=title or None)

    def _quoted(self, given: Fields, source_id: str) -> str | None:
        """Return the words cited. Those of several blocks, which the provider joins without a space, are told apart again."""
        said = given.text("cited_text")
        start, end = given.whole("start_block_index"), given.whole("end_block_index")
        parts = self.shown.parts.get(source_id)
        if said is None or parts is None or start is None or end is None or not 0 <= start < end <= len(parts):
            return said
        own = "\n".join(parts[start:end])
        return own if "".join(own.split()) == "".join(said.split()) else said


def _index(given: Fields, name: str) -> int:
    index = given.whole(name)
    if index is None or index < 0:
        raise FieldError(given.at(name), "expected a whole number from 0")
    return index


def _pages(given: Fields) -> int | str | None:
    """Return the page or pages cited: they count from 1, and the last is exclusive."""
    first, end = given.whole("start_page_number"), given.whole("end_page_number")
    if first is None:
        return None
    return first if end is None or end - first <= 1 else f"{first}-{end - 1}"
