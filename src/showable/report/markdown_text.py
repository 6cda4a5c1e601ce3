"""Text that came from elsewhere, made safe inside Markdown that GitHub renders: it shows as it was written, and does nothing.

GitHub looks for mentions, references and emoji in what Markdown has already been turned into, where an escaped character
is itself again; only code is left alone there. So a token of that kind goes into ``<code>``, and every other sign that
means something becomes a character reference, which also holds inside HTML, where a backslash would not.
"""

from __future__ import annotations

import re

from showable.report.untrusted import printable

MARKS = {"correct": "🟢", "refused": "🔵", "unsupported": "🟠", "wrong": "🔴", "unknown": "⚪"}
"""Signs for the buckets, where there is no colour; the name always stands beside, for who cannot see them."""

_TOKEN = re.compile(
    r"(?P<code>@[\w/-]{0,80}"  # mentions of people and teams; the sign alone, too, so that no address is linked
    r"|\#\w{1,80}"  # issues and pull requests
    r"|(?<![^\W_])(?i:GH(?:SA)?-)\w{1,40}"
    r"|(?<![^\W_])(?i:(?:https?|ftp)://|www\.|(?:mailto|xmpp):)\S{0,400}"  # addresses that become links by themselves
    r"|(?<![^\W_])[0-9a-f]{7,40}(?![^\W_])"  # commits
    r"|:(?=(?:100|1234|[a-z0-9_+-]{0,40}[a-z+-][a-z0-9_+-]{0,40}):))"  # emoji, but no time of day
    r"|(?P<sign>[&<>\\`*\[\]|~#$@]|(?<![^\W_])_|_(?![^\W_]))"  # an underscore inside a word is only that
)
_STARTS_BLOCK = re.compile(r"[-+=]|\d{1,9}(?=[.)](?:\s|$))")
"""At the beginning of a line: a list, a rule, an underlined heading."""
_IN_CODE = re.compile(r"[^A-Za-z0-9 /,-]", re.ASCII)


def inline(text: str, *, limit: int | None = None) -> str:
    """Return text for one line of Markdown, a heading, a cell of a table, a link's label or the inside of an HTML element.

    White space becomes single spaces, controls and bidirectional overrides go. With `limit` that many characters of the
    text are kept, the last of them ``…``; what they are written with may be longer.
    """
    shown = printable(text, limit=limit)
    start = _STARTS_BLOCK.match(shown)
    if start is None:
        return _escaped(shown)
    first, rest = shown[: start.end()], shown[start.end() :]
    if first.isdigit():  # the number stays, the point that would make it an item is written otherwise
        return f"{_escaped(first)}{_reference(rest[0])}{_escaped(rest[1:])}"
    return f"{_reference(first)}{_escaped(rest)}"


def _escaped(text: str) -> str:
    return _TOKEN.sub(_replacement, text)


def _replacement(found: re.Match[str]) -> str:
    token = found["code"]
    if token is None:
        return _reference(found["sign"])
    return f"<code>{_IN_CODE.sub(lambda sign: _in_code(sign[0]), token)}</code>"


def _in_code(sign: str) -> str:
    return _reference(sign) if sign.isascii() else sign


def _reference(sign: str) -> str:
    return f"&#{ord(sign)};"
