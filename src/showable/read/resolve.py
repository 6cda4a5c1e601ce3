"""From a marker to the source of the log that it names: one candidate or none, never the nearest guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from urllib.parse import unquote, urlsplit

from showable.read.cited_items import DOI, GLUED, LABEL
from showable.read.cited_sources import place_named
from showable.read.log_references import SearchedLog
from showable.read.marker import Marker
from showable.read.positions import Positions, Unclear
from showable.read.reference_lists import Entry, ReferenceList
from showable.read.references.find import find_references
from showable.read.source_names import is_file_name, is_path, named_source, names_files, without_pin
from showable.records import Citation, Record, Reference, Source
from showable.records.record import unclear
from showable.records.regex import regex

_DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}
_DOI = regex(r"(?i)\b10\.\d{4,9}/[^\s\"<>\[\]{}]+")
_TRACKING = regex(
    r"(?i)(?:utm_\w+|mtm_\w+|pk_\w+|[gdfy]clid|fbclid|msclkid|gbraid|wbraid|igshid|mc_[ce]id|mkt_tok|_ga|_gl|_hs(?:enc|mi)|ref_src|ref_url)(?:=|$)"
)
"""Parameters that campaigns and counters add: `utm_source=x`, `fbclid=y`; not `ref=3` or `id=7`, which may name a page."""
_OPENING = frozenset("[(【")
_LINK_WORDS = regex(r"(?is)\[(.*)\]\(|<a\s[^<>]*>(.*)</a>")
_AROUND_WORDS = "[]^*_`\"“”'‘’ \t\n"
_LONGEST_ID = 200
_SHORTEST_TITLE = 8
_SHORTEST_REFERENCE = 6
_TEXT_START = 400


def resolve(
    markers: Sequence[Marker], references: ReferenceList, log: Log, positions: Positions | None = None
) -> list[Citation]:
    """Return one Citation for each marker, in the same order; `positions` are those of the whole answer, if these are some markers of it.

    An exact source id wins. A number is a position (`Positions` says from where it counts) in what the model was
    shown (else the retrieved order), unless the log's own ids are numbers or the answer's reference list says what it
    means. What may be one source or another has a `reference` of the kind `unclear`. What names nothing in the log keeps its token as `source_id`, so that it is found not to be
    there; a URL or an author that names nothing leaves `source_id` empty, with `url` or `reference` set.
    Ids compare exactly, then ignoring case and outer space where that leaves one candidate. Two sources
    with one id, or one URL, are the first of them.
    """
    if positions is None:
        positions = Positions((m for m in markers if m.token not in references.entries), log.order, log.ids)
    citations: list[Citation] = []
    for marker in markers:
        named = citations[-1] if marker.again and citations else None
        citations.append(_citation(marker, references, log, positions) if named is None else _again(marker, named))
    return citations


def _again(marker: Marker, named: Citation) -> Citation:
    """Return what an "id." stands for: the citation before it, whatever its style, at the page that the "id." itself gives."""
    return named.model_copy(
        update={"raw": marker.raw, "span": (marker.start, marker.end), "page": marker.page, "quoted_span": None}
    )


def with_reference(citation: Citation, log: Log) -> Citation:
    """Join a citation that names no id and no address: by the reference that it carries, else by one read in its words."""
    if citation.reference is not None:
        return citation.model_copy(update={"source_id": _by_reference(citation.reference, log)})
    placed, reference = _named_outside(citation.raw or "", log)
    return citation.model_copy(update={"source_id": placed, "reference": reference})


def normalise_url(url: str) -> str | None:
    """Return a URL without what does not tell pages apart, or None where it is malformed.

    Scheme and host in lower case; no default port, `www.`, fragment, or slash at the end; http and https
    are one; the query is kept but for what only tells where a reader came from.
    """
    url = url.strip()
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return None
    if not host:
        return None
    place = host if port in {None, _DEFAULT_PORTS.get(parts.scheme.lower())} else f"{host}:{port}"
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    scheme = "web" if parts.scheme.lower() in {"http", "https"} else parts.scheme.lower()
    query = "&".join(part for part in parts.query.split("&") if part and not _TRACKING.match(part))
    return f"{scheme}://{user}{place}{parts.path.rstrip('/')}" + (f"?{query}" if query else "")


class Log:
    """The retrieval log, indexed once a record; what few markers need is indexed when first asked for."""

    def __init__(self, record: Record) -> None:
        self.sources: Sequence[Source] = record.retrieved or ()
        ids = [source.source_id for source in self.sources]
        self.order: Sequence[str] = ids if record.shown is None else record.shown
        self.ids = dict.fromkeys([*ids, *(record.shown or ())])
        self.numeric = any(source_id.isdecimal() for source_id in self.ids)

    @cached_property
    def searched(self) -> SearchedLog:
        """The sources, for references that name none by its id."""
        return SearchedLog(self.sources)

    @cached_property
    def folded(self) -> dict[str, str | None]:
        """Ids ignoring case and outer space; None where two ids differ in that alone."""
        return _unique((source_id.strip().casefold(), source_id) for source_id in self.ids)

    @cached_property
    def titles(self) -> dict[str, str | None]:
        """Titles, in single spaces and ignoring case."""
        return _unique((_plain(source.title), source.source_id) for source in self.sources if source.title)

    @cached_property
    def urls(self) -> dict[str, str]:
        """Normalised URLs, of sources and of ids that are URLs; the first source has a URL."""
        found: dict[str, str] = {}
        for source in self.sources:
            for url in (source.url, source.source_id if "://" in source.source_id else None):
                if url and (plain := normalise_url(url)):
                    found.setdefault(plain, source.source_id)
        return found

    @cached_property
    def dois(self) -> dict[str, str]:
        """DOIs, of sources, of their URLs and of ids that are DOIs."""
        found: dict[str, str] = {}
        for source in self.sources:
            for text in (source.doi, source.url, source.source_id):
                if text and (doi := doi_in(text)):
                    found.setdefault(doi, source.source_id)
        return found

    def by_id(self, token: str) -> str | None:
        """Find an id, exactly or but for case and outer space."""
        return token if token in self.ids else self.folded.get(token.strip().casefold())

    def by_url(self, url: str) -> str | None:
        """Find the source at an address, or with the DOI in it."""
        if url in self.ids:
            return url
        plain = normalise_url(url)
        found = self.urls.get(plain) if plain else None
        return found or self.by_doi(url)

    def by_doi(self, words: str) -> str | None:
        """Find the source with the DOI that stands in these words."""
        doi = doi_in(words)
        return self.dois.get(doi) if doi else None

    def by_title(self, words: str) -> str | None:
        """Find the one source of this title."""
        return self.titles.get(_plain(words))

    def by_position(self, token: str) -> str | None:
        """Find what stands at a position, from 1, in what was shown."""
        position = int(token) if len(token) < 9 else 0  # noqa: PLR2004 - no list is that long
        return self.order[position - 1] if 0 < position <= len(self.order) else None

    def by_link_words(self, raw: str) -> str | None:
        """Return the one source whose id, title or address are the words of a link. Numbers may be the answer's own count."""
        link = _LINK_WORDS.match(raw)
        words = (link[1] or link[2] or "").strip(_AROUND_WORDS) if link else ""
        label = LABEL.match(words)
        if label and ":" in label[2]:
            words = words[label.end() :]
        if not words or words.isdecimal():
            return None
        return self.by_id(words) or self.by_title(words) or (self.by_url(words) if "://" in words else None)

    def by_parts(self, token: str) -> str | Unclear | None:
        """Return what has a file cut in parts: ``lease.pdf`` and ``lease.pdf:3`` where the log has ``lease.pdf#1`` and ``lease.pdf#2``."""
        stem, _ = without_pin(token)
        sign = token[len(stem) : len(stem) + 1]
        if not is_file_name(stem) or (sign and any(known.startswith(f"{stem}{sign}") for known in self.ids)):
            return None
        parts = tuple(known for known in self.ids if known.startswith(stem) and not known[len(stem) :][:1].isalnum())
        return Unclear(parts, "they are parts of what is cited") if len(parts) > 1 else next(iter(parts), None)

    def by_author(self, surname: str, year: str) -> str | None:
        """Find the one source by this author of this year."""
        found = {source.source_id for source in self.sources if _written_by(source, surname, year)}
        return found.pop() if len(found) == 1 else None


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for key, value in pairs:
        found[key] = value if found.setdefault(key, value) == value else None
    return found


def _citation(marker: Marker, references: ReferenceList, log: Log, positions: Positions) -> Citation:
    source_id, url, reference = _resolve(marker, references, log, positions)
    return Citation(
        source_id=source_id,
        page=marker.page,
        url=url,
        reference=reference,
        raw=marker.raw,
        span=(marker.start, marker.end),
    )


def _resolve(
    marker: Marker, references: ReferenceList, log: Log, positions: Positions
) -> tuple[str | None, str | None, Reference | None]:
    """Return the source id, the URL and the reference that a marker comes to."""
    if marker.reference is not None:
        return _by_reference(marker.reference, log), None, marker.reference
    if marker.style == "author_year":
        return _by_author(marker, references, log)
    if marker.style in {"link", "url"} and marker.url:
        return _by_link(marker, marker.url, log)
    entry = references.entries.get(marker.token)
    if marker.token in log.ids or entry is None:
        return _by_number_or_name(marker, log, positions)
    named = _by_entry(entry, log)
    if named in log.ids:
        return named, entry.url, None
    placed, reference = _named_outside(entry.text, log)
    return placed or named, entry.url, reference


def _by_number_or_name(
    marker: Marker, log: Log, positions: Positions
) -> tuple[str | None, str | None, Reference | None]:
    found = _by_token(marker, log, positions)
    if isinstance(found, Unclear):
        return None, None, _unclear(marker, found)
    placed, reference = (None, None) if found in log.ids else _named_outside(marker.token, log)
    return (placed if marker.token.isprintable() else None) or found, None, reference


def _by_link(marker: Marker, url: str, log: Log) -> tuple[str | None, str | None, Reference | None]:
    found = log.by_url(url)
    if found is None and "://" not in url:
        known = frozenset(log.ids)
        if file := named_source(url, known):
            return file.source, None, None
        if is_path(url) and names_files(known):
            return url, None, None
    if found is None and marker.token.isdecimal() and not log.urls:
        found = log.by_position(marker.token)
    named = log.by_link_words(marker.raw)
    if found and named and named != found:
        why = "the words of the link name one source, its address another"
        return None, url, _unclear(marker, Unclear((named, found), why))
    return found, url, None


def _named_outside(words: str, log: Log) -> tuple[str | None, Reference | None]:
    """Read what names nothing of the log as a reference to a case or a paper: one that it names, or none."""
    if len(words) < _SHORTEST_REFERENCE:
        return None, None
    found = [one.reference for one in find_references(words)]
    full = [one for one in found if one.kind not in {"id", "supra", "case_short"}]
    return (_by_reference(full[0], log), full[0]) if len(full) == 1 else (None, None)


def _unclear(marker: Marker, found: Unclear) -> Reference:
    return unclear(marker.raw or marker.token, found.among, found.why)


def _by_token(marker: Marker, log: Log, positions: Positions) -> str | Unclear:
    token = marker.token
    found: str | Unclear | None = log.by_id(token)
    found = found or (log.by_id(marker.raw[1:-1]) if marker.raw[:1] in _OPENING else None)
    if found is None and not token.isdecimal():
        found = log.by_title(token)
        label = LABEL.match(token)
        token = token[label.end() :] if label and label[2] else token
        found = found or log.by_id(token) or (log.by_doi(token) if DOI.fullmatch(token) else None)
        if found is None and log.numeric and (glued := GLUED.fullmatch(token)):
            found = log.by_id(glued[2])
    if found is None and not log.numeric:
        found = positions.find(marker)
    return found or log.by_parts(marker.token) or marker.token


def _by_entry(entry: Entry, log: Log) -> str:
    """Find the source that an entry of the reference list names by id, URL, DOI or title; else keep its words."""
    words = entry.text.strip()
    found = log.by_id(words) or log.by_title(words) or (log.by_url(entry.url) if entry.url else None)
    if found is None and (place_at := place_named(words)) and not log.numeric:
        found = log.by_position(place_at)
    return found or log.by_doi(words) or _named_in(words, log) or words[:_LONGEST_ID]


def _named_in(words: str, log: Log) -> str | None:
    """Find the one source whose id or title stands in an entry as a phrase of its own."""
    ids = [known for known in log.ids if not known.isdecimal() and known in words and _stands_alone(known, words)]
    if ids:
        return max(ids, key=len) if len(ids) == 1 or all(i in max(ids, key=len) for i in ids) else None
    plain = _plain(words)
    titles = [t for t in log.titles if len(t) >= _SHORTEST_TITLE and t in plain and _stands_alone(t, plain)]
    longest = max(titles, key=len, default="")
    return log.titles[longest] if longest and all(title in longest for title in titles) else None


def _stands_alone(phrase: str, words: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", words) is not None


def _by_reference(reference: Reference, log: Log) -> str | None:
    """Return the one source that is, or that alone contains, what is referred to."""
    placed = log.searched.place(reference)
    return placed.source_ids[0] if len(placed.source_ids) == 1 else None


def _by_author(marker: Marker, references: ReferenceList, log: Log) -> tuple[str | None, str | None, Reference | None]:
    surname, year = marker.surname or "", marker.year or ""
    entries = [e for e in references.entries.values() if _mentions(_plain(e.text), surname, year)]
    if len(entries) == 1 and (named := _by_entry(entries[0], log)) in log.ids:
        return named, entries[0].url, None
    found = log.by_author(surname, year)
    if found is not None:
        return found, None, None
    fields = {"author": surname, "year": year}
    url = entries[0].url if len(entries) == 1 else None
    return None, url, Reference(kind="author_year", text=marker.raw, fields=fields)


def _written_by(source: Source, surname: str, year: str) -> bool:
    about = source.metadata
    said = [
        str(about[key])
        for key in ("authors", "author", "creator", "year", "date", "published", "publication_date")
        if key in about
    ]
    return _mentions(_plain(" ".join([source.title or "", *said, (source.text or "")[:_TEXT_START]])), surname, year)


def _mentions(plain: str, surname: str, year: str) -> bool:
    name = _plain(surname)
    if not name or name not in plain or not _stands_alone(name, plain):
        return False
    return year[:4] in plain if year[:4].isdecimal() else True


def doi_in(text: str) -> str | None:
    """Return the DOI that stands in a text or an address, in lower case."""
    match = _DOI.search(unquote(text))
    return match[0].rstrip(".,;:)'").casefold() if match else None


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())
