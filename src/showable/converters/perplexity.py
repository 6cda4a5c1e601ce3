"""Chat completions of a search service (Perplexity, and others alike), which carry the pages that they found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.chat_completion import choices_of, completion_record, first_choice, question_of
from showable.converters.exchange import Exchange, find_exchange, joined_texts, need_exchange
from showable.converters.fields import as_text
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Source

NO_TEXTS = "the pages came without snippets: what is cited from them cannot be checked"


class Perplexity:
    """A chat completion beside whose choices stand `search_results`, or `citations`, a list of addresses.

    They are the log: what the service found before the model wrote. ``[1]`` in the answer counts `citations`, which
    `search_results` repeat with titles and snippets; a page without a snippet has no text.

    Shape: "Chat Completions" of Perplexity's API reference (`search_results`: title, url, date, snippet; `citations`).
    """

    name = "perplexity"
    title = "Perplexity replies with search results"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - the Shape's
        """Return None: nothing wraps replies."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a completion with the pages that were found, or a pair that holds one."""
        return find_exchange(fields, is_searched) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a reply into a Record. Raises FieldError where a field is not what the shape asks for."""
        expected = "expected a chat completion with search_results or citations"
        return _converted(row, need_exchange(row.fields, is_searched, "search_results", expected))


def is_searched(value: Any) -> bool:
    """Recognise a completion that carries the pages that were found."""
    return bool(choices_of(value)) and any(
        isinstance(value.get(name), list | tuple) for name in ("search_results", "citations")
    )


def _converted(row: Row, exchange: Exchange) -> Converted:
    notes: list[str] = []
    question = question_of(exchange, notes)
    message = first_choice(exchange.response, notes).inner("message")
    if message is None:
        raise FieldError("choices[0].message", "this field is missing")
    log = _log(exchange)
    notes += [NO_TEXTS] if any(source.text is None for source in log) else []
    text = joined_texts(message, "text") if message.raw("content") is not None else None
    record = completion_record(exchange, row, question, text, retrieved=log)
    return Converted(record, exchange.unread(), tuple(dict.fromkeys(notes)))


def _log(exchange: Exchange) -> tuple[Source, ...]:
    """Return the pages in the order of `citations`, those that are found and not among them at the end."""
    found = []
    for at, page in enumerate(exchange.response.objects("search_results")):
        url = page.text("url") or None
        about = {name: said for name in ("date", "last_updated") if (said := page.text(name))}
        found.append(
            Source(
                source_id=url or f"result-{at + 1}",
                text=page.text("snippet") or None,
                title=page.text("title") or None,
                url=url,
                metadata=about,
            )
        )
    cited = [as_text(url, at) for url, at in exchange.response.items("citations")]
    if not cited or [source.source_id for source in found] == cited:
        return tuple(found)
    known = {source.source_id: source for source in reversed(found)}
    counted = [known.get(url) or Source(source_id=url, url=url) for url in cited if url]
    return (*counted, *(source for source in found if source.source_id not in cited))
