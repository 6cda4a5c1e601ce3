"""Open Library: the Internet Archive's catalogue of books."""

from __future__ import annotations

from typing import Any

from showable import __version__
from showable.records import Entry, Found, Person, Reference
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.pages.bylines import person
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web

_OK = 200
_TEN, _THIRTEEN = 10, 13


class OpenLibrary:
    """The books API of Open Library: ``openlibrary.org/api/books``; three requests a second for who says who asks, else one.

    A number whose check digit is wrong is ``malformed``, and nobody is asked. A miss is ``{}`` with status 200, and
    proves nothing: no catalogue has every book. See openlibrary.org/dev/docs/api/books.
    """

    name = "open_library"
    kinds = frozenset({"isbn"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=1)
    known = Reference(kind="isbn", text="ISBN 9780262033848", fields={"isbn": "9780262033848"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._mailto = web, settings.mailto
        self._address = settings.address(self.name, "https://openlibrary.org")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the thirteen digits, of which the older ten are another form, or what is written instead."""
        written = reference.fields.get("isbn", "").strip()
        return isbn13(written) or written or None

    async def find(self, reference: Reference) -> Found:
        """Look a book up by its number."""
        number = isbn13(reference.fields.get("isbn", "").strip())
        if number is None:
            return ill_formed(self.name, "no ISBN: its check digit is wrong, or it is not of 10 or 13 digits")
        params = {"bibkeys": f"ISBN:{number}", "format": "json", "jscmd": "data"}
        agent = {"User-Agent": f"showable/{__version__} ({self._mailto})"} if self._mailto else None
        try:
            reply = await self._web.ask("GET", f"{self._address}/api/books", params=params, headers=agent)
            book = _book(reply, number)
        except TroubleError as error:
            return trouble(self.name, error)
        if book is None:
            return missed(self.name, self.proves, reference.kind, reply, f"Open Library has no book with ISBN {number}")
        return found(self.name, [_entry(number, book)], reply)


def isbn13(written: str) -> str | None:
    """Return an ISBN as thirteen digits, or None where its check digit is wrong (ISO 2108:2017, annex A)."""
    digits = "".join(char for char in written.upper() if char not in "- \u2010\u2011\u2012\u2013")
    body, check = digits[:-1], digits[-1:]
    if not (body.isascii() and body.isdigit()):
        return None
    if len(digits) == _TEN and check in "0123456789X":
        total = sum((_TEN - n) * int(digit) for n, digit in enumerate(body))
        total += _TEN if check == "X" else int(check)
        return _with_check(f"978{body}") if total % 11 == 0 else None
    if len(digits) == _THIRTEEN and body.startswith(("978", "979")):
        return digits if _with_check(body) == digits else None
    return None


def _with_check(body: str) -> str:
    total = sum(int(digit) * (3 if n % 2 else 1) for n, digit in enumerate(body))
    return f"{body}{-total % 10}"


def _book(reply: Reply, number: str) -> dict[str, Any] | None:
    said = reply.json()
    if reply.status != _OK or not isinstance(said, dict):
        raise OddReplyError(f"status {reply.status}: no table of books")
    if not said:
        return None
    book = table_of(said, f"ISBN:{number}")
    if not book:
        raise OddReplyError("an answer about another book than the one asked for")
    return book


def _entry(number: str, book: dict[str, Any]) -> Entry:
    title, subtitle = text_of(book.get("title")), text_of(book.get("subtitle"))
    published = text_of(book.get("publish_date"))
    publishers = texts_of(book.get("publishers"), "name")
    return Entry(
        title=f"{title}: {subtitle}" if title and subtitle else title,
        other_titles=(title,) if title and subtitle else (),
        authors=_authors(book),
        years=years_in(published),
        publisher=publishers[0] if publishers else None,
        ids={"isbn": number},
        url=text_of(book.get("url")),
        facts=told(
            published=published, publishers="; ".join(publishers), by_statement=text_of(book.get("by_statement"))
        ),
    )


def _authors(book: dict[str, Any]) -> tuple[Person, ...]:
    return tuple(person(name) for name in texts_of(rows_of(book.get("authors")), "name"))
