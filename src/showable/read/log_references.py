"""From an external reference to the source of the log that it names: by its id, by its title, or by its words in the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote

from showable.records.record import Reference, Source

_IDS = {
    "doi": "doi", "pmid": "pmid", "pmcid": "pmcid", "arxiv": "arxiv", "isbn": "isbn", "issn": "issn", "nct": "nct",
    "nbk": "nbk", "fda_application": "number", "sec_accession": "accession",
}  # fmt: skip
_EXACT = frozenset({"doi", "pmid", "pmcid", "arxiv", "nct", "nbk"})
_SHORTEST_PMID = 6
_VERSUS = re.compile(r"(?i)\bvs?\.?\s")
_CAPTION = 100
_TELLING = 3
_CITED_BY = ("volume", "reporter", "page")
_HEAD = 400
_SHORTEST_NAME = 8
_SHORTEST_PARTY = 4
_SHORT = frozenset({"case_short", "supra"})
_POINTERS = frozenset({"id", "supra"})

Standing = Literal["named", "mentioned", "nowhere", "unsearchable"]


class Placed(NamedTuple):
    """Where a reference stands in the log.

    ``named``: one source is it, by id, title or heading. ``mentioned``: one source or more contain it in their
    text. ``nowhere``: every source has text, and none contains it. ``unsearchable``: some have no text, or it only points back, at nothing.
    """

    standing: Standing
    source_ids: tuple[str, ...] = ()


def place(reference: Reference, sources: Sequence[Source]) -> Placed:
    """Find the sources that a reference names. Pure; linear in the text of the log."""
    patterns = _patterns(reference)
    for level in (_said_of, _headed):
        found = _matching(reference, patterns, sources, level)
        if not found and level is _said_of:
            found = _by_case_name(reference, sources)
        if found:
            return Placed("named" if len(found) == 1 else "mentioned", found)
    if found := _matching(reference, patterns, sources, lambda source: source.text or ""):
        return Placed("mentioned", found)
    if reference.kind in _POINTERS:
        return Placed("unsearchable")
    return Placed("nowhere" if patterns and all(source.text for source in sources) else "unsearchable")


_BEFORE_NUMBER = 500
"""Characters of a reference before its longest number, beyond all that are written: matching is dear, finding is not."""


def _matching(
    reference: Reference,
    patterns: Sequence[re.Pattern[str]],
    sources: Iterable[Source],
    level: Callable[[Source], str],
) -> tuple[str, ...]:
    said = [(s.source_id, level(s)) for s in sources]
    numbers = [_longest_number(pattern.pattern) for pattern in patterns]  # looking for it is far cheaper than matching
    found = [
        source_id
        for source_id, words in said
        if any(
            not _of_another(reference, words, match.start())
            for pattern, number in zip(patterns, numbers, strict=True)
            if number in words
            for match in pattern.finditer(words, max(0, words.find(number) - _BEFORE_NUMBER))
        )
    ]
    return tuple(dict.fromkeys(found))


def _of_another(reference: Reference, words: str, at: int) -> bool:
    """Say whether the numbers of a case stand behind the caption of another, with not a word in common."""
    name = reference.fields.get("case_name", "")
    before = words[max(0, at - _CAPTION) : at]
    if not name or not _VERSUS.search(name) or not _VERSUS.search(before):
        return False
    parties = {word for word in _folded(name).split() if len(word) >= _TELLING}
    return bool(parties) and not parties & set(_folded(before).split())


def _said_of(source: Source) -> str:
    """Put together what the log says of a source beside its text."""
    about = [f"{name}: {value}" for name, value in source.metadata.items() if isinstance(value, str | int)]
    return "\n".join([source.source_id, source.title or "", source.doi or "", unquote(source.url or ""), *about])


def _headed(source: Source) -> str:
    return (source.text or "")[:_HEAD]


def _by_case_name(reference: Reference, sources: Iterable[Source]) -> tuple[str, ...]:
    """Find the sources whose title is the caption of the case; a short form may give its first party alone.

    One that is said to stand elsewhere in the same reporter is not it: a right name makes no right citation.
    """
    name = _folded(reference.fields.get("case_name", ""))
    titled = [(s.source_id, _folded(s.title)) for s in sources if s.title and not _stands_elsewhere(reference, s)]
    if len(name) >= _SHORTEST_NAME and " v " in name:
        return tuple(dict.fromkeys(source_id for source_id, title in titled if f" {name} " in f" {title} "))
    if reference.kind in _SHORT and len(name) >= _SHORTEST_PARTY:
        return tuple(dict.fromkeys(i for i, title in titled if title.startswith(f"{name} ") and " v " in title))
    return ()


def _stands_elsewhere(reference: Reference, source: Source) -> bool:
    fields = reference.fields
    if not all(fields.get(field) for field in _CITED_BY):
        return False
    letters = r"[\s.]*".join(map(re.escape, re.findall(r"\w+", fields["reporter"])))
    cites = re.findall(rf"(?i)(?<!\w)(\d+)\s+{letters}\.?\s*(\d+)(?!\w)", _said_of(source)) if letters else []
    return bool(cites) and (fields["volume"], fields["page"]) not in cites


def _folded(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.casefold()))


def _patterns(reference: Reference) -> list[re.Pattern[str]]:
    """Give the ways in which a reference may be written, each so that no longer number matches."""
    fields = reference.fields
    named = [kind for kind in _IDS if reference.kind in {kind, "bibliographic"} and fields.get(_IDS[kind])]
    written = [_id(kind, fields[_IDS[kind]]) for kind in named]
    if all(fields.get(field) for field in _CITED_BY):
        written.append(_cite(*(fields[field] for field in _CITED_BY)))
    elif reference.kind == "case_short" and fields.get("volume") and fields.get("reporter"):
        written.append(_cite(fields["volume"], fields["reporter"], None))
    if parallel := fields.get("parallel"):
        written += [_loose(cite) for cite in parallel.split("; ") if cite.strip()]
    if not written and (title := fields.get("title")) and len(title) >= _SHORTEST_NAME:
        written.append(_loose(title))
    if not written:
        written.append(_loose(reference.text))
    return [_compiled(pattern) for pattern in written if pattern]


def _id(kind: str, value: str) -> str:
    """Match an id to the letter, and none that goes on; hyphens may be left out of those that have a fixed length.

    A short PubMed id is a number like any other: it must be said to be one.
    """
    if kind not in _EXACT:
        return _loose(value)
    label = r"pmid\W*" if kind == "pmid" and len(value) < _SHORTEST_PMID else ""
    version = r"(?:v\d+)?" if kind == "arxiv" else ""
    return rf"(?<!\w){label}{re.escape(value)}{version}(?!\w|[-./:;]\w)"


def _cite(volume: str, reporter: str, page: str | None) -> str:
    """Match a reporter cite however it is spaced; any first page where only a page within is cited."""
    letters = r"[\s.]*".join(map(re.escape, re.findall(r"\w+", reporter)))
    return (
        rf"(?<!\d){re.escape(volume)}\s+{letters}\.?\s*{re.escape(page) if page else '[0-9]+'}(?!\d)" if letters else ""
    )


def _loose(words: str) -> str:
    """Match the same words and numbers, whatever stands between them."""
    parts = re.findall(r"\w+", words)
    return r"(?<!\w)" + r"\W*".join(map(re.escape, parts)) + r"(?!\w)" if parts else ""


_NUMBER = re.compile(r"(?<![\\\d])\d{2,}")


@lru_cache(maxsize=1024)
def _longest_number(pattern: str) -> str:
    """Give the longest number that whatever matches a pattern must hold; an empty string where there is none."""
    return max(_NUMBER.findall(pattern), key=len, default="")


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
