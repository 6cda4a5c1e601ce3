"""Text that runs where it is displayed or pasted: script addresses, active HTML, destructive SQL behind a quote."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator

from showable.production.guard.scanners.markdown_code import Span, code_spans
from showable.records.findings import Finding, Outcome

CODE = "scanner.code_injection"
_MOST = 20
"""As many places are named: one is enough to hold."""

_SCRIPT = r"(?:j~a~v~a|v~b|l~i~v~e)~s~c~r~i~p~t~:".replace("~", r"[\t\n\r]*")
"""``javascript:`` and its kin. Browsers drop tabs and line ends within an address (WHATWG URL, section 4.4)."""
_ADDRESS = re.compile(
    rf"(?<![a-z0-9]){_SCRIPT}(?=\S{{0,400}}?[(=`%\[{{])"
    rf"|(?:\]\(|[=\"'<])\s*(?:<\s*)?{_SCRIPT}"
    r"|(?<![a-z0-9])d[\t\n\r]*a[\t\n\r]*t[\t\n\r]*a[\t\n\r]*:\s*(?:text/(?:html|xml|javascript)|application/(?:xhtml\+xml|xml|javascript)|image/svg\+xml)"
)
"""``javascript:alert(1)``, ``](javascript: x)``, ``data:text/html,…``; not "JavaScript: The Good Parts"."""
_TAG = re.compile(r"<[a-z!/?]")
_ACTIVE = re.compile(
    r"</?(?:script|iframe|frame|frameset|object|embed|applet|base)(?=[\s/>]|$)|<meta\b[^<>]*?\bhttp-equiv\b"
)
"""Elements that load or run something by themselves: ``<script>``, ``<iframe src=…>``; not ``<b>``, ``<sub>``, ``<article>``."""
_EVENTS = (
    r"abort|animation|auxclick|before|blur|cancel|canplay|change|click|close|context|copy|cue|cut|dblclick|drag|"
    r"drop|duration|emptied|ended|error|focus|formdata|hash|input|invalid|key|load|message|mouse|offline|online|"
    r"page|paste|pause|play|pointer|popstate|progress|ratechange|rejection|reset|resize|scroll|security|seek|"
    r"select|show|slot|stalled|storage|submit|suspend|time|toggle|touch|transition|unhandled|unload|volume|"
    r"waiting|wheel"
)
"""The beginnings of the event handlers' names (WHATWG HTML, section 8.1.8.2; CSS animations; pointer and touch events)."""
_HANDLER = re.compile(rf"[\s/\"'>](?:on(?:{_EVENTS})[a-z]{{0,16}}|srcdoc)\s*=")
"""An event handler behind the beginning of a tag: ``<img src=x onerror=…>``, ``<svg/onload=…>``; not `only = 1`. How far the
tag reaches is not asked: its attributes may hold ``<`` and ``>``."""
_BREAKOUT = re.compile(rf"[\"'`]\s*on(?:{_EVENTS})[a-z]{{0,16}}\s*=\s*[\"'`a-z]")
"""A handler that leaves the attribute it was put in: ``" onmouseover="alert(1)``; not `"one" = 1`."""

_END = r"(?=\s*(?:;|--|#|/\*|$))"
_S = r"(?:\s|/\*[^*]{0,60}\*/)"
"""A blank, or a comment in place of one."""
_NAME = r"[\w.`\"\[\]]{1,80}"
_VERBS = ("drop", "delete", "truncate", "update", "insert", "alter", "union", "exec", "shutdown")
_SQL = re.compile(
    r"[\"'’][\s)]{0,8};\s*(?:"
    rf"drop{_S}+(?:table|database|schema|view|index|user|role|procedure|function){_S}+(?:if{_S}+exists{_S}+)?{_NAME}(?:{_S}+cascade)?{_END}"
    rf"|delete{_S}+from{_S}+{_NAME}(?:{_END}|{_S}+where{_S}+{_NAME}\s*(?:[=<>!]|like\b|in\b|is\b))"
    rf"|truncate{_S}+(?:table{_S}+)?{_NAME}{_END}"
    rf"|update{_S}+{_NAME}{_S}+set{_S}+{_NAME}\s*="
    rf"|insert{_S}+into{_S}+{_NAME}\s*(?:\([^()]{{0,400}}\)\s*)?(?:values\s*\(|select\s)"
    rf"|alter{_S}+(?:table|user|role|database){_S}+{_NAME}{_S}+(?:add|drop|rename|modify|alter|set|with)\b"
    rf"|exec(?:ute)?{_S}+(?:master\.\.)?(?:xp|sp)_\w+"
    rf"|shutdown{_END})"
    rf"|[\"'’][\s)]{{0,8}}union{_S}+(?:all{_S}+)?select\s[^;\n]{{0,400}}?\sfrom{_S}+{_NAME}"
)
"""``Robert'); DROP TABLE Students;--``; not “the words "thirty days"; delete from clause 5 the words …”."""


def scan_code(text: str) -> Iterator[Finding]:
    """Yield what would run in a page, or in a database.

    Entities are read as a browser reads them. What Markdown surely shows as code is let be; in a text with entities
    nothing is, and findings have no place.
    """
    plain = (html.unescape(text) if "&" in text else text).lower()
    placed = len(plain) == len(text) and "&" not in text
    shown = _Spans(code_spans(text) if placed else [])
    found = 0
    for start, end, reason in sorted([*_addresses(plain), *_markup(plain, shown), *_sql(plain)]):
        if not shown.hold(start):
            yield Finding(code=CODE, outcome=Outcome.FAIL, reason=reason, where=(start, end) if placed else None)
            found += 1
        if found == _MOST:
            return


class _Spans:
    """Stretches in order, apart from one another."""

    def __init__(self, spans: list[Span]) -> None:
        self._starts, self._ends = [start for start, _ in spans], [end for _, end in spans]

    def hold(self, place: int) -> bool:
        """Return True for a place within one of them."""
        number = bisect_right(self._starts, place) - 1
        return number >= 0 and place < self._ends[number]


def _addresses(plain: str) -> Iterator[tuple[int, int, str]]:
    joined = plain.replace("\t", "").replace("\n", "").replace("\r", "")
    if "script:" in joined or "data:" in joined:
        for match in _ADDRESS.finditer(plain):
            yield *match.span(), "it holds an address that runs as a script where it is followed"


def _markup(plain: str, shown: _Spans) -> Iterator[tuple[int, int, str]]:
    tags = (tag.start() for tag in _TAG.finditer(plain)) if "<" in plain else iter(())
    first = next((start for start in tags if not shown.hold(start)), None)
    if first is not None:
        for match in _ACTIVE.finditer(plain, first):
            yield *match.span(), "it holds an HTML element that loads or runs something"
        for match in _HANDLER.finditer(plain, first):
            yield *match.span(), "it holds an HTML element with an event handler"
    if "on" in plain and "=" in plain:
        for match in _BREAKOUT.finditer(plain):
            yield *match.span(), "it holds an event handler behind a closing quotation mark"


def _sql(plain: str) -> Iterator[tuple[int, int, str]]:
    if ("'" in plain or '"' in plain or "’" in plain) and any(verb in plain for verb in _VERBS):
        for match in _SQL.finditer(plain):
            yield *match.span(), "it holds SQL that changes or reads out a database behind a closing quotation mark"
