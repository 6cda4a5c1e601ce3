"""What a citation says of a page of the web, beside what the page says of itself: title, author, day, outlet.

A page is cited more freely than a paper. Its headline is rewritten, its day depends on where one is, and a link's text
is often no title at all: what is only loosely alike is left ``unknown`` rather than called wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

from rapidfuzz import fuzz

from showable.read.word_sets import word_set
from showable.records.lookups import Entry, FieldCheck
from showable.records.record import Reference
from showable.rubrics.metadata.authors import split_authors
from showable.rubrics.metadata.days import day_in, year_of
from showable.rubrics.metadata.names import Name, is_group, is_nobody, registered_name, written_name
from showable.rubrics.metadata.plain_words import bare_words

Outcome = Literal["agrees", "differs", "unknown"]

_SAME_TITLE = 85.0
_SAME_OUTLET = 85.0
_ENOUGH_WORDS = 3
_MOST_AUTHORS = 30
_GENERIC = word_set("the news online com magazine media newspaper daily website web www org net co")
_ENDINGS = ("news", "online", "media", "magazine", "mag")


def compare_page(reference: Reference, entry: Entry) -> tuple[FieldCheck, ...]:
    """Hold what is claimed of a page (kinds ``news`` and ``url``) against what was read there.

    A title agrees from a token set ratio of 85, a day within one day (time zones, and editions overnight), an author
    by surname, an outlet by its name or its registrable domain. The text of a plain link is no claim of a title:
    it agrees, or says nothing.
    """
    return tuple(_checks(reference, entry))


def _checks(reference: Reference, entry: Entry) -> Iterator[FieldCheck]:
    fields = reference.fields
    if title := fields.get("title"):
        yield _title(title, entry, named=reference.kind != "url")
    if authors := fields.get("author") or fields.get("authors"):
        yield _author(authors, entry)
    if day := fields.get("date") or fields.get("year"):
        yield _date(day, entry)
    if outlet := fields.get("outlet"):
        yield _outlet(outlet, entry)


def _title(claimed: str, entry: Entry, *, named: bool) -> FieldCheck:
    has = [title for title in (entry.title, *entry.other_titles, entry.facts.get("slug")) if title]
    said = bare_words(claimed)
    best, score = None, 0.0
    for title in has:
        words = bare_words(title)
        ratio = fuzz.token_set_ratio(" ".join(said), " ".join(words))
        if ratio > score and not _too_little(said, words):
            best, score = title, ratio
    shown = best if score >= _SAME_TITLE else (entry.title or best)
    if score >= _SAME_TITLE:
        return _check("title", claimed, shown, "agrees", score / 100)
    # One word that is among those of a headline, or a link's own words, say neither yes nor no.
    untold = not entry.title or not named or len(said) < _ENOUGH_WORDS or _cut(said, entry)
    return _check("title", claimed, shown, "unknown" if untold else "differs", score / 100 if has else None)


def _too_little(said: Sequence[str], words: Sequence[str]) -> bool:
    """Check whether two titles share so little that a ratio of sets, which is 100 for a subset, means nothing."""
    shared = set(said) & set(words)
    return len(shared) < _ENOUGH_WORDS and set(said) != set(words) and len(shared) < max(len(said), len(words)) / 2


def _cut(said: Sequence[str], entry: Entry) -> bool:
    """Check whether all that is known of the page is the name of its site, as where a page is built by scripts."""
    known = {" ".join(bare_words(name)) for name in entry.containers}
    titles = [" ".join(bare_words(title)) for title in (entry.title, *entry.other_titles) if title]
    return bool(said) and all(title in known or len(title.split()) < _ENOUGH_WORDS for title in titles)


def _author(claimed: str, entry: Entry) -> FieldCheck:
    said = [name for name in split_authors(claimed)[:_MOST_AUTHORS] if not is_nobody(name)]
    people = [person for person in entry.authors if not _no_person(person.family, person.given)]
    shown = "; ".join(f"{person.given} {person.family}".strip() for person in entry.authors) or None
    surnames = {word for person in people for word in _surname(registered_name(person))}
    groups = {" ".join(bare_words(person.family)) for person in entry.authors}
    present = [
        name
        for name in said
        if _surname(written_name(name)) & surnames or any(fuzz.token_set_ratio(" ".join(bare_words(name)), group) >= _SAME_OUTLET for group in groups)
    ]  # fmt: skip
    if not said or not (people or present):
        return _check("author", claimed, shown, "unknown")
    share = len(present) / len(said)
    return _check("author", claimed, shown, "agrees" if share == 1 else "differs", share)


def _surname(readings: Sequence[Name]) -> set[str]:
    return {word for name in readings for word in name.family}


def _no_person(family: str, given: str) -> bool:
    return is_nobody(family) or is_group(f"{given} {family}") or not given


def _date(claimed: str, entry: Entry) -> FieldCheck:
    said = day_in(claimed) or (str(year) if (year := year_of(claimed)) else None)
    published, modified = entry.date, entry.facts.get("modified")
    if said is None or published is None:
        return _check("date", claimed, published, "unknown")
    if any(_same_day(said, has) for has in (published, modified) if has):
        return _check("date", claimed, published, "agrees", 1.0)
    # A <time> element may be any day that the page mentions.
    return _check("date", claimed, published, "unknown" if entry.facts.get("date_from") == "time" else "differs", 0.0)


def _same_day(said: str, has: str) -> bool:
    """Compare as far as both are told: a year with a year, a month with a month, a day with the day before and after."""
    one, other = _whole(said), _whole(has)
    if one and other:
        return abs((one - other).days) <= 1
    length = min(len(said), len(has))
    return said[:length] == has[:length]


def _whole(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _outlet(claimed: str, entry: Entry) -> FieldCheck:
    names = [*entry.containers, *(person.family for person in entry.authors if not person.given)]
    site = entry.publisher or ""
    shown = " / ".join(dict.fromkeys(name for name in (*entry.containers[:1], site) if name)) or None
    said = " ".join(word for word in bare_words(claimed) if word not in _GENERIC) or " ".join(bare_words(claimed))
    score = max((fuzz.token_set_ratio(said, " ".join(bare_words(name))) for name in names), default=0.0)
    if (
        score >= _SAME_OUTLET
        or _is_site(claimed, site)
        or any(_is_short_for(_squeezed(name), claimed) for name in names)
    ):
        return _check("outlet", claimed, shown, "agrees", max(score, _SAME_OUTLET) / 100)
    return _check("outlet", claimed, shown, "differs" if entry.containers else "unknown", score / 100)


def _is_site(claimed: str, site: str) -> bool:
    """Check whether a name is that of a site: its domain, or what its domain is short for."""
    host = claimed.strip().lower().removeprefix("https://").removeprefix("http://").partition("/")[0]
    return bool(site) and (
        host == site or host.endswith(f".{site}") or _is_short_for(site.partition(".")[0].replace("-", ""), claimed)
    )


def _squeezed(name: str) -> str:
    return "".join(bare_words(name))


def _is_short_for(label: str, name: str) -> bool:
    """Check whether a label is made of beginnings of a name's words: `nytimes`, `wsj`, `apnews`, `theguardian`.

    An outlet's domain leaves out, or adds, words such as "the" and "news".
    """
    words = [word for word in bare_words(name) if word not in _GENERIC] or list(bare_words(name))
    bare = label.removeprefix("the") if len(label) > len("the") + 1 else label
    shorter = [bare.removesuffix(ending) for ending in _ENDINGS]
    return bool(words) and any(_begins(one, words) for one in {label, bare, *shorter} if len(one) > 1)


def _begins(label: str, words: Sequence[str]) -> bool:
    """Check whether a label can be cut into one beginning, not empty, of each word in turn."""
    ends = {0}
    for word in words[:12]:
        ends = {
            at + length
            for at in ends
            for length in range(1, len(word) + 1)
            if label.startswith(word[:length], at) and at + length <= len(label)
        }
    return len(label) in ends


def _check(field: str, claimed: str, found: str | None, outcome: Outcome, score: float | None = None) -> FieldCheck:
    return FieldCheck(field=field, claimed=claimed, found=found, outcome=outcome, score=score)
