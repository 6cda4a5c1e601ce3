"""Text that runs where it is displayed or pasted: script addresses, active HTML, destructive SQL behind a quote."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator

from showable.production.guard.scanners.markdown_code import code_spans
from showable.records.findings import Finding, Outcome

CODE = "scanner.code_injection"
_MOST = 20
"""As many places are named: one is enough to hold."""

_SCRIPT = r"(?:j~a~v~a|v~b|l~i~v~e)~s~c~r~i~p~t~:".replace("~", r"[\t\n\r]*")
"""``javascript:`` and its kin. Browsers drop tabs and line ends within an address (WHATWG URL, section 4.4)."""
_ADDRESS = re.compile(
    rf"(?<![a-z0-9]){_SCRIPT}(?=\S{{0,400}}?[(=`%\[{{])"
    rf"|(?:\]\(|[=\"'<])\s*(?:<\s*)?{_SCRIPT}"
    r"|(?<![a-z0-9])data:\s*(?:text/(?:html|xml|javascript)|application/(?:xhtml\+xml|xml|javascript)|image/svg\+xml)"
)
"""``javascript:alert(1)``, ``](javascript: x)``, ``data:text/html,…``; not "JavaScript: The Good Parts"."""
_TAG = re.compile(r"<[a-z!/?][^<>]*")
_ACTIVE = re.compile(
    r"</?(?:script|iframe|frame|frameset|object|embed|applet|base)(?=[\s/>]|$)|<meta\b[^<>]*?\bhttp-equiv\b"
)
"""Elements that load or run something by themselves: ``<script>``, ``<iframe src=…>``; not ``<b>``, ``<sub>``, ``<article>``."""
_HANDLER = re.compile(r"[\s/\"']on[a-z]{3,24}\s*=|[\s/\"']srcdoc\s*=")
"""An event handler within a tag: ``<img src=x onerror=…>``, ``<svg/onload=…>``."""
_EVENTS = (
    r"abort|animation|auxclick|before|blur|cancel|canplay|change|click|close|context|copy|cue|cut|dblclick|drag|"
    r"drop|duration|emptied|ended|error|focus|formdata|hash|input|invalid|key|load|message|mouse|offline|online|"
    r"page|paste|pause|play|pointer|popstate|progress|ratechange|rejection|reset|resize|scroll|security|seek|"
    r"select|show|slot|stalled|storage|submit|suspend|time|toggle|touch|transition|unhandled|unload|volume|"
    r"waiting|wheel"
)
"""The beginnings of the event handlers' names (WHATWG HTML, section 8.1.8.2; CSS animations; pointer and touch events)."""
_BREAKOUT = re.compile(rf"[\"'`]\s*on(?:{_EVENTS})[a-z]{{0,16}}\s*=\s*[\"'`a-z]")
"""A handler that leaves the attribute it was put in: ``" onmouseover="alert(1)``; not `"one" = 1`."""

_END = r"(?=\s*(?:;|--|#|/\*|$))"
_NAME = r"[\w.`\"\[\]]{1,80}"
_VERBS = ("drop", "delete", "truncate", "update", "insert", "alter", "union", "exec", "shutdown")
_SQL = re.compile(
    r"[\"'’][\s)]{0,8};\s*(?:"
    rf"drop\s+(?:table|database|schema|view|index|user|role|procedure|function)\s+(?:if\s+exists\s+)?{_NAME}(?:\s+cascade)?{_END}"
    rf"|delete\s+from\s+{_NAME}(?:{_END}|\s+where\s+{_NAME}\s*(?:[=<>!]|like\b|in\b|is\b))"
    rf"|truncate\s+(?:table\s+)?{_NAME}{_END}"
    rf"|update\s+{_NAME}\s+set\s+{_NAME}\s*="
    rf"|insert\s+into\s+{_NAME}\s*(?:\([^()]{{0,400}}\)\s*)?(?:values\s*\(|select\s)"
    rf"|alter\s+(?:table|user|role|database)\s+{_NAME}\s+(?:add|drop|rename|modify|alter|set|with)\b"
    rf"|exec(?:ute)?\s+(?:master\.\.)?(?:xp|sp)_\w+"
    rf"|shutdown{_END})"
    rf"|[\"'’][\s)]{{0,8}}union\s+(?:all\s+)?select\s[^;\n]{{0,400}}?\sfrom\s+{_NAME}"
)
"""``Robert'); DROP TABLE Students;--``; not “the words "thirty days"; delete from clause 5 the words …”."""


def scan_code(text: str) -> Iterator[Finding]:
    """Yield what would run where the text is displayed as HTML, or sent to a database.

    Entities are read as a browser reads them. What Markdown surely shows as code is let be; in a text with entities
    nothing is, and findings have no place.
    """
    plain = (html.unescape(text) if "&" in text else text).lower()
    spots = [*_addresses(plain), *_markup(plain), *_sql(plain)]
    if not spots:
        return
    placed = len(plain) == len(text) and "&" not in text
    shown_as_code = code_spans(text) if placed else []
    starts = [start for start, _ in shown_as_code]
    found = 0
    for start, end, reason in sorted(spots):
        number = bisect_right(starts, start) - 1
        if number >= 0 and start < shown_as_code[number][1]:
            continue
        yield Finding(code=CODE, outcome=Outcome.FAIL, reason=reason, where=(start, end) if placed else None)
        found += 1
        if found == _MOST:
            return


def _addresses(plain: str) -> Iterator[tuple[int, int, str]]:
    joined = plain.replace("\t", "").replace("\n", "").replace("\r", "")
    if "script:" in joined or "data:" in joined:
        for match in _ADDRESS.finditer(plain):
            yield *match.span(), "it holds an address that runs as a script where it is followed"


def _markup(plain: str) -> Iterator[tuple[int, int, str]]:
    if "<" in plain:
        for tag in _TAG.finditer(plain):
            if _ACTIVE.match(tag[0]):
                yield *tag.span(), "it holds an HTML element that loads or runs something"
            elif _HANDLER.search(tag[0]):
                yield *tag.span(), "it holds an HTML element with an event handler"
    if "on" in plain and "=" in plain:
        for match in _BREAKOUT.finditer(plain):
            yield *match.span(), "it holds an event handler behind a closing quotation mark"


def _sql(plain: str) -> Iterator[tuple[int, int, str]]:
    if ("'" in plain or '"' in plain or "’" in plain) and any(verb in plain for verb in _VERBS):
        for match in _SQL.finditer(plain):
            yield *match.span(), "it holds SQL that changes or reads out a database behind a closing quotation mark"
