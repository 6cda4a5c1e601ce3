"""Addresses of pages: their site, their words, and what one address is to another."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

LONGEST_URL = 2_000
_WORD = re.compile(r"[^\W\d_]{3,}")
_HOME = re.compile(r"/*(?:(?:index|home|default)(?:\.\w{2,5})?/?|[a-z]{2}(?:-[a-z]{2})?/?)?", re.IGNORECASE)
_DOOR = re.compile(
    r"(?:^|[/.])(?:log-?in|sign-?in|signon|sso|oauth2?|consent|cookie-?consent|captcha|challenge|cdn-cgi)(?:[/.]|$)",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp|shtml|cfm)$", re.IGNORECASE)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]{1,30}):(?!\d)")
_NUMERIC = re.compile(r"[\d.]+|.*:.*")


def page_url(written: str) -> str | None:
    """Return the address of a page without its fragment, its host in lower case; None where it is no http or https address."""
    text = written.strip()
    text = f"https://{text}" if text[:4].lower() == "www." else text
    parts = _split(text)
    if parts is None or len(text) > LONGEST_URL or parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
        return None
    if any(char.isspace() or not char.isprintable() for char in text):
        return None
    return urlunsplit((parts.scheme.lower(), parts.netloc.lower(), parts.path or "/", parts.query, ""))


def other_scheme(written: str) -> str | None:
    """Return the scheme of an address that is neither http nor https; None where it has no scheme, or one of these."""
    match = _SCHEME.match(written.strip())
    return match[1].lower() if match and match[1].lower() not in {"http", "https"} else None


def host_of(url: str) -> str:
    """Return the host and port of an address."""
    parts = _split(url)
    return parts.netloc.rpartition("@")[2].lower() if parts else ""


def site_of(url: str) -> str:
    """Return the registrable domain of an address, by the bundled public suffix list; a bare address or host is its own site."""
    parts = _split(url)
    host = (parts.hostname or "") if parts else ""
    if not host or _NUMERIC.fullmatch(host):
        return host
    known = _suffixes()(host)
    if known.suffix:
        return f"{known.domain}.{known.suffix}" if known.domain else host
    return ".".join(host.split(".")[-2:])  # the list's own rule for what it does not list is "*"


def resolved(link: str, page: str) -> str | None:
    """Make a link of a page absolute; None where it is none, or leads to no page."""
    try:
        return page_url(urljoin(page, link.strip()[:LONGEST_URL]))
    except ValueError:
        return None


def is_home(url: str) -> bool:
    """Check whether an address is the front page of its host, or of one of its languages."""
    parts = _split(url)
    return parts is not None and not parts.query and _HOME.fullmatch(parts.path) is not None


def is_deep(url: str) -> bool:
    """Check whether an address names one page of a site: a path of several steps, or with words or digits of an article."""
    parts = _split(url)
    if parts is None or is_home(url):
        return False
    steps = [step for step in parts.path.split("/") if step]
    return len(steps) > 1 or bool(parts.query) or any(char in steps[0] for char in "-_.0123456789")


def leads_to_section(asked: str, final: str) -> bool:
    """Check whether a redirect led from a page to a section that holds it: `/world/2020/a-story` to `/world`."""
    one, other = _split(asked), _split(final)
    if one is None or other is None or one.hostname != other.hostname:
        return False
    steps, kept = [s for s in one.path.split("/") if s], [s for s in other.path.split("/") if s]
    return 0 < len(kept) < len(steps) and steps[: len(kept)] == kept and not _ENDING.search(kept[-1])


def is_door(url: str) -> bool:
    """Check whether an address is where one signs in, consents, or proves to be a person."""
    parts = _split(url)
    return parts is not None and _DOOR.search(f"{parts.hostname or ''}{parts.path}") is not None


def slug_words(url: str) -> tuple[str, ...]:
    """Return the words in the longest step of a path, where that has three words or more; most sites put the headline there."""
    parts = _split(url)
    steps = [_ENDING.sub("", unquote(step)) for step in parts.path.split("/")] if parts else []
    words = max(([word.casefold() for word in _WORD.findall(step)] for step in steps), key=len, default=[])
    return tuple(words) if len(words) > 2 else ()  # noqa: PLR2004 - two words may be a section's name


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is none
    except ValueError:
        return None
    return parts


@cache
def _suffixes() -> Any:
    import tldextract  # noqa: PLC0415 - takes 0.4 s, and only pages need it

    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
