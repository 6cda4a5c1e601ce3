"""The answers a registry can give, made in one way by all of them: what was found, what was not, and what went wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from showable.records import Entry, Found
from showable.records.lookups import FoundStatus
from showable.registries.web.asking import BlockedError, RateLimitedError, Reply, TroubleError

_SECRET_NAME = re.compile(
    r"(?:^|[-_.])(?:key|apikey|token|secret|password|passwd|pwd|auth|authorization|signature|sig|login|credentials?"
    r"|jwt|sid|session|session[-_]?id|mailto|email)[0-9]?$",
    re.IGNORECASE,
)
_WOULD_KNOW: Mapping[str, str] = {
    "case": "the printed volume, Westlaw or Lexis",
    "case_short": "the printed volume, Westlaw or Lexis",
    "neutral_uk": "BAILII or the court's own list",
    "westlaw": "Westlaw",
    "lexis": "Lexis",
    "docket": "the court's own docket (PACER)",
    "fed_rule": "the rules of the court",
    "law_journal": "the journal's own index",
    "bibliographic": "the publisher or a library's catalogue",
    "isbn": "the publisher or a library's catalogue",
}
"""Who would know about a kind where nobody who was asked does. Every other kind has its authority among the registries."""
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_REASON = 300
_REFUSED = frozenset({401, 402, 403, 407, 451})


def found(name: str, entries: Iterable[Entry], reply: Reply | None = None) -> Found:
    """Return what a registry has: one entry for an id, several for a search. None at all is a mistake of the caller's."""
    has = tuple(entries)
    if not has:
        raise ValueError("found() without an entry; missed() says that there is none")
    return _answer("found", name, reply, None, entries=has)


def missed(
    name: str,
    proves: AbstractSet[str],
    kind: str,
    reply: Reply | None,
    reason: str,
    *,
    near: Iterable[Entry] = (),
) -> Found:
    """Report that a registry has nothing: ``not_found`` where it is the authority for the kind, else ``not_covered``, and who would know."""
    if kind in proves:
        return _answer("not_found", name, reply, reason, near=tuple(near))
    return _answer("not_covered", name, reply, reason + would_know(kind), near=tuple(near))


def would_know(kind: str) -> str:
    """Return who would know about a kind of which no registry is the authority, as the end of a reason."""
    who = _WOULD_KNOW.get(kind)
    return f"; {who} would know" if who else ""


def several(name: str, entries: Iterable[Entry], reply: Reply | None, reason: str) -> Found:
    """Report that an id, or a cite, is that of several works."""
    return _answer("ambiguous", name, reply, reason, entries=tuple(entries))


def ill_formed(name: str, reason: str, reply: Reply | None = None) -> Found:
    """Report that what was asked for cannot be an id of its kind."""
    return _answer("malformed", name, reply, reason)


def not_held(name: str, reason: str, reply: Reply | None = None) -> Found:
    """Report that a registry does not hold this sort of thing, so that its miss means nothing."""
    return _answer("not_covered", name, reply, reason)


def trouble(name: str, error: TroubleError, reply: Reply | None = None) -> Found:
    """Return why nothing was learned: ``unreachable``, ``rate_limited``, or ``blocked_url`` for an address not to be asked."""
    status: FoundStatus = "unreachable"
    if isinstance(error, RateLimitedError):
        status = "rate_limited"
    elif isinstance(error, BlockedError):
        status = "blocked_url"
    return _answer(status, name, reply, str(error) or "no answer")


def odd(name: str, reply: Reply, reason: str | None = None) -> Found:
    """Report that a service refused, or answered in a shape that is not the documented one. Nothing is concluded from it."""
    if reply.status == HTTPStatus.TOO_MANY_REQUESTS:
        return _answer("rate_limited", name, reply, reason or "too many requests")
    if reply.status in _REFUSED:
        return _answer(
            "unreachable", name, reply, f"refused with status {reply.status}{f': {reason}' if reason else ''}"
        )
    said = reason or "no answer of the documented shape"
    return _answer("unreachable", name, reply, f"status {reply.status}: {said}")


def unset(name: str, reason: str) -> Found:
    """Return what has to be configured before a registry can be asked."""
    return _answer("not_configured", name, None, reason)


def without_secrets(url: str) -> str:
    """Return a URL without user, password, and the values of parameters that hold keys, tokens or mail addresses."""
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return "(an address that cannot be read)"
    host = parts.netloc.rpartition("@")[2]
    query = parts.query
    if any(_is_secret(key) for key, _ in pairs):
        query = urlencode([(key, value) for key, value in pairs if not _is_secret(key)])
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def _is_secret(name: str) -> bool:
    """Check whether a parameter's name says that it holds a secret: `api_key`, `accessToken`, `X-Amz-Signature`."""
    return _SECRET_NAME.search(_SEAM.sub("_", name)) is not None


def one_line(text: str) -> str:
    """Put text on one line of printable characters, of a length that can be shown."""
    said = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * _LONGEST_REASON]).split())
    return said if len(said) <= _LONGEST_REASON else f"{said[: _LONGEST_REASON - 1]}…"


def _answer(
    status: FoundStatus,
    name: str,
    reply: Reply | None,
    reason: str | None,
    *,
    entries: tuple[Entry, ...] = (),
    near: tuple[Entry, ...] = (),
) -> Found:
    return Found(
        status=status,
        registry=name,
        entries=entries,
        near=near,
        reason=None if reason is None else one_line(reason),
        url=None if reply is None else without_secrets(reply.url),
        http_status=None if reply is None else reply.status,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
