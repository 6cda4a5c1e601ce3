"""All scanners over one text, in one kind of finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from showable.read.links import find_links, find_urls
from showable.read.scan.finding import ScanFinding, Span
from showable.read.scan.invisible import scan_invisible
from showable.read.scan.invisible_finding import Unseen
from showable.read.scan.passages import scan_passage
from showable.read.scan.patterns import scan_patterns
from showable.read.scan.registered import is_part, registered_spans
from showable.read.scan.urls import may_pass_for_another, scan_url
from showable.records.regex import regex

_HAS_SCHEME = regex(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_TOLD = 20
"""As many findings of the same are told each by itself."""
_BARE_HOST = regex(r"(?i)(?<![\w@/.:-])(?!www\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,6}[a-z]{2,24}(?![\w@-])")
"""`faceb00k-security.tk` and `e.g`; not `a@b.org`, the host of `https://a.b` or of `www.a.b`, which are read as addresses."""
_INNER_DOT = regex(r"(?i)\.[a-z]{2}")
"""What every host without a scheme has: found at a tenth of the cost."""
_OTHER_SCHEME = regex(r"(?i)(?<![\w+.:/-])(?<!\]\()(?!(?:https?|ftp):)([a-z][a-z0-9+.-]{1,30})://[^\s<>\"]{1,300}")
"""``file:///etc/passwd``, ``gopher://x``; not the target of a link, which is looked at as one, nor the path of an address."""
_STORES = frozenset(["s3", "s3a", "gs", "az", "abfs", "abfss", "wasb", "wasbs", "hdfs", "dbfs", "attachment"])
"""Schemes of object stores, by which logs name their sources, and which no browser opens."""
_PASSES_FOR_ANOTHER = frozenset({"look_alike", "carried_name", "borrowed_name"})
_OF_THE_WEB = regex(r"(?i)https?:|www\.")


def scan(text: str, *, patterns: Mapping[str, str] | None = None, passage: bool = False) -> list[ScanFinding]:
    """Scan running text: invisible characters, the URLs in it, the user's patterns, and orders where it is a `passage`.

    What a pattern matches within a longer identifier of a register (eight digits of ``PMID: 31978945``) is that
    identifier. Findings are in order of place. Raises SettingError where a pattern cannot be read, and nothing else.
    """
    found = [*scan_hidden(text), *scan_addresses(text)]
    if patterns:
        named = scan_patterns(text, patterns)
        spans = registered_spans(text) if named else []
        named = [one for one in named if not is_part(one.where, spans)]
        found += [ScanFinding("pattern", one.name, f"matches the pattern {one.name}", one.where) for one in named]
    if passage:
        found += scan_passage(text)
    return sorted(found, key=lambda finding: (finding.where, finding.scanner, finding.code))


def scan_hidden(text: str) -> Iterator[ScanFinding]:
    """Find invisible characters in running text. Tell the first few of what is the same one by one, and how many follow."""
    places: dict[Unseen, list[Span]] = {}
    for where, unseen in scan_invisible(text, "prose"):
        places.setdefault(unseen, []).append(where)
    for unseen, spans in places.items():
        hidden = f"; it spells {unseen.hidden_text[:200]!r}" if unseen.hidden_text else ""
        reason = f"{unseen.name}: {unseen.reason}{hidden}"
        code = _code(unseen)
        for where in spans[:_TOLD]:
            yield ScanFinding("invisible", code, reason, where, unseen.severity)
        if spans[_TOLD:]:
            yield ScanFinding("invisible", code, reason, spans[_TOLD], unseen.severity, len(spans) - _TOLD)


def _code(unseen: Unseen) -> str:
    """Return the code of a finding: what it spells, its first character, or `more` where the scan stopped counting."""
    if unseen.hidden_text:
        return "hidden_text"
    return f"U+{unseen.code_points[0]:04X}" if unseen.code_points else "more"


def scan_addresses(text: str) -> Iterator[ScanFinding]:
    """Find addresses in running text that mislead: links, bare ones, and hosts without a scheme that pass for another's."""
    for url, start in _addresses(text):
        for found in scan_url(url):
            where = start + found.where[0], start + found.where[1]
            yield ScanFinding("url", found.code, found.reason, where, found.severity)
    for reason, place in chain(_odd_links(text), _other_schemes(text)):
        yield ScanFinding("url", "scheme", reason, place)
    yield from _bare_hosts(text)


def _addresses(text: str) -> Iterator[tuple[str, int]]:
    for marker in find_urls(text, frozenset()).markers:
        if marker.url is not None:
            yield marker.url, marker.start + int(text[marker.start] == "(")


def _bare_hosts(text: str) -> Iterator[ScanFinding]:
    """Find names of hosts that stand without a scheme and pass for another's: a reader types them all the same."""
    if not _INNER_DOT.search(text):
        return
    for match in _BARE_HOST.finditer(text):
        host = match[0].lower()
        if not may_pass_for_another(host):
            continue
        for found in scan_url(f"https://{host}"):
            if found.code in _PASSES_FOR_ANOTHER:
                yield ScanFinding("url", found.code, found.reason, match.span(), found.severity)


def _other_schemes(text: str) -> Iterator[tuple[str, Span]]:
    """Find bare addresses of another kind than the web's, which the readers of links leave to running text."""
    if "://" in text:
        for match in _OTHER_SCHEME.finditer(text):
            if match[1].lower() in _STORES:
                continue
            yield f"the scheme {match[1].lower()} is neither http nor https", match.span()


def _odd_links(text: str) -> Iterator[tuple[str, Span]]:
    """Find links whose target is an address of another kind than the web's: it would run, or open a file."""
    if "](" not in text and "<" not in text:
        return
    for marker in find_links(text, frozenset()).markers:
        url = marker.url or ""
        if _HAS_SCHEME.match(url) and not _OF_THE_WEB.match(url):
            for found in scan_url(url):
                if found.code in {"scheme", "no_scheme"}:
                    yield found.reason, (marker.start, marker.end)
