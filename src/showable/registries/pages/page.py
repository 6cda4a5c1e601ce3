"""What a page says that it is."""

from __future__ import annotations

from dataclasses import dataclass, field

from showable.records import Person


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read. Everything is in the order of how far it can be trusted, the best first.

    `described` says that it carries an article's own metadata, which a page of errors does not. `date_from` is where
    the day came from: `time` is a `<time>` element, which may be any day that the page mentions. `text` is the beginning
    of what a reader sees.
    """

    titles: tuple[str, ...] = ()
    authors: tuple[Person, ...] = ()
    date: str | None = None
    date_from: str | None = None
    modified: str | None = None
    outlets: tuple[str, ...] = ()
    canonical: str | None = None
    og_url: str | None = None
    refresh: str | None = None
    ids: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    """Volume, issue, first and last page, where the page is that of a paper."""
    paywalled: bool = False
    described: bool = False
    broken_scripts: int = 0
    tab: str | None = None
    """The `<title>`, whole."""
    heading: str | None = None
    text: str = ""
