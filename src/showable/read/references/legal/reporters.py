"""Volume, reporter and page, as eyecite's tokenizer reads them.

eyecite knows some 1,200 reporters in all their spellings. Of it, only the tokenizer is used here: it says which
characters are a volume, a reporter and a page. What eyecite says of the year, the court and the parties is not used,
for it takes them from the citation beside where two stand close together, and finding them is most of its time
(``helpers.get_court_by_paren`` alone tries every court for every parenthetical). They are read by this package, from
the text between one citation and the next.

The tokenizer runs a regular expression over all of a text for each reporter that occurs anywhere in it, so it is given
the text in windows of a few words: each begins at a number before a capital letter, and is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from showable.read.references.legal.cite import Cite
from showable.read.references.legal.dates import MONTH, YEAR
from showable.records.regex import regex

if TYPE_CHECKING:
    from eyecite.models import CitationToken, Edition
    from eyecite.tokenizers import AhocorasickTokenizer

_WINDOW = 90
_CANDIDATE = regex(
    rf"(?<![0-9A-Za-z$€£])(?<![0-9][.,/:-])(?:[1-9][0-9]{{0,4}}[A-Z]?[ -](?=\(?[A-Z])(?!(?:Nos?|Vols?|Figs?|Tables?|Sec|Page)\b)(?!{MONTH} ?(?:[0-3]?[0-9],? )?{YEAR}\b)(?=[^\n;\"<>@]{{1,60}}?[ .)¶-](?:at )?[0-9ivxl_])"
    r"|(?=T\.? ?C\.? (?:Memo|Summ|No))|(?=[A-Z][A-Za-z. ]{2,30} ?\(CCH\)))"
)
"""A number, then something capitalised that is not a month, then a page: eyecite is worth loading for nothing less."""
_CAPITALS = regex(r"([1-9][0-9]{0,4} )([A-Z][A-Z0-9.&' ]{0,40}[A-Z0-9.])(?= (?:AT )?[0-9])")
_SERIES = regex(r"[0-9]")
_ONE_WORD = regex(r"\(?[A-Z][A-Za-z']*\.?\)?|(?:[A-Z]\.){1,2}|[A-Z]{1,3}")
_AFTER_WEAK = regex(r"$|[,.;:)\]\"'\n]|\s?[(\[—]| at [0-9]| n\.| \*")
_BEFORE_NAME = regex(r"(?:\bv\.? .{1,120}|\b(?:In re|Ex parte|Matter of) .{1,120}), ?$")
_COURT_YEAR = regex(rf"(?:,? ?[0-9n.*& -]{{0,24}}) ?[(\[](?:[^()\[\]\n]{{0,60}} )?{YEAR}[)\]]")
_CALIFORNIA = regex(rf"\({YEAR}\),? ?$")
_SIGNAL_BEFORE = regex(
    r"(?:^|[\n;(]|\b[Ss]ee|\b[Cc]iting|\b[Qq]uoting|\b[Cc]f\.|\b[Aa]ccord|\bat|\bin|also|, [0-9-]{1,9},|[0-9],) ?$"
)
_SUBDIVIDED = regex(r"\.[0-9]")
"""``603 C.M.R. 23.00``: a section of a code, not a page."""
_BEFORE_NOUN = regex(r"(?<![\w])(?:[Tt]he|[Tt]hese|[Tt]hose|[Aa]ll|[Oo]ur|[Tt]heir|[Ii]ts|[Hh]is|[Hh]er) $")
_AFTER_NOUN = regex(
    r" (?!(?:decisions?|cases?|opinions?|holdings?|rulings?|citations?|cites?|judgments?|orders?|courts?|standards?|rules?|doctrines?|tests?|lines?|framework|analysis|majority|dissent|plurality|"
    r"and|or|nor|but|at|in|of|for|on|by|to|from|with|as|is|was|were|are|has|had|have|which|that|who|where|held|holds|did|does)\b)[a-z]{3,}"
)
"""``The 5 U.S. 3 soldiers``: a count of a noun, between an article and a word that no citation is followed by."""
_TWO_FIGURES = 10
_ZIP = 10000
_LOOK_BACK = 140
_FIRST_YEAR, _LAST_YEAR = 1600, 2100
_FIRST_SUPREME_VOLUME = 5
"""Before it stand decisions of the courts of Pennsylvania too (1-4 Dallas)."""
_SUPREME = frozenset({"U.S.", "S. Ct.", "L. Ed.", "L. Ed. 2d"})


def find_reporters(text: str) -> list[Cite]:
    """Find volume-reporter-page citations of known reporters and journals, and their short forms, in folded text."""
    found: list[Cite] = []
    at = 0
    for match in _CANDIDATE.finditer(text):
        if match.start() < at:
            continue
        cite = _read(text, match.start())
        if cite is not None and _is_meant(text, cite):
            found.append(cite)
            at = cite.end
    return found


@lru_cache(maxsize=1)
def _extractors() -> tuple[AhocorasickTokenizer, frozenset[int]]:
    """Load eyecite; say which of its extractors are of reporters and journals: statutes are read by this package."""
    from eyecite.models import CitationToken  # noqa: PLC0415 - 0.4 s, and most texts cite no case
    from eyecite.tokenizers import EXTRACTORS, default_tokenizer  # noqa: PLC0415

    of_cases = (one for one in EXTRACTORS if one.constructor == CitationToken.from_match and _is_of_cases(one.extra))
    return default_tokenizer, frozenset(id(one) for one in of_cases)


def _is_of_cases(extra: dict[str, Any]) -> bool:
    editions = [*extra.get("exact_editions", ()), *extra.get("variation_editions", ())]
    kinds = {(edition.reporter.source, edition.reporter.cite_type) for edition in editions}
    return any(source != "laws" for source, _ in kinds) and not {"specialty_west", "specialty_lexis"} & {
        kind for _, kind in kinds
    }


def _read(text: str, start: int) -> Cite | None:
    """Return the citation that begins at `start`, if one does."""
    window = text[start : start + _WINDOW].partition("\n")[0]
    token = _first(window) or _first(_in_small_letters(window))
    if token is None:
        return None
    editions = _editions(token)
    kinds = {edition.reporter.cite_type for edition in editions}
    groups = {name: value for name, value in token.groups.items() if value}
    written = " ".join(groups.get("reporter", "").split())
    fields = {"volume": groups.get("volume", ""), "reporter": written, "page": groups.get("page", "").strip("_")}
    names = sorted({edition.short_name for edition in editions})
    if len(names) == 1:
        fields["reporter"] = names[0]
    else:
        fields["reporter_candidates"] = "; ".join(names)
    cite = Cite("case", start, start + token.end, {key: value for key, value in fields.items() if value})
    cite.editions = tuple(sorted(names))
    return _with_kind(cite, groups, kinds, short=token.short)


def _in_small_letters(window: str) -> str:
    """Return a heading's ``560 F. SUPP. 2D 894`` with its reporter as the list spells it, which is as long."""
    found = _CAPITALS.match(window)
    return window if found is None else f"{found[1]}{_spellings().get(found[2], found[2])}{window[found.end() :]}"


@lru_cache(maxsize=1)
def _spellings() -> dict[str, str]:
    """Return reporters by their names in capitals, those that have a small letter."""
    from eyecite.tokenizers import EDITIONS_LOOKUP  # noqa: PLC0415 - loaded already where there is a candidate

    return {name.upper(): name for name in EDITIONS_LOOKUP if not name.isupper() and len(name.upper()) == len(name)}


@lru_cache(maxsize=8192)
def _first(window: str) -> CitationToken | None:
    """Return the citation at the beginning of a window: the longest, with the editions of all that read it alike."""
    tokenizer, of_cases = _extractors()
    tokens: list[Any] = [
        extractor.get_token(match)
        for extractor in tokenizer.get_extractors(window)
        if id(extractor) in of_cases
        for match in extractor.get_matches(window)  # type: ignore[no-untyped-call]
        if match.start(1) == 0
    ]
    tokens.sort(key=lambda token: (-token.end, token.short, len(token.groups)))
    for token in tokens[1:]:
        tokens[0].merge(token)
    return tokens[0] if tokens else None


def _editions(token: CitationToken) -> list[Edition]:
    cases = [one for one in (*token.exact_editions,) if one.reporter.source != "laws"]
    return cases or [one for one in token.variation_editions if one.reporter.source != "laws"]


def _with_kind(cite: Cite, groups: dict[str, str], kinds: set[str], *, short: bool) -> Cite:
    """Return which kind of reference it is, from what sort of reporter eyecite says it is."""
    if kinds == {"journal"}:
        cite.kind = "law_journal"
        cite.fields["journal"] = cite.fields.pop("reporter")
    if short:
        cite.kind = "case_short" if cite.kind == "case" else "supra"
        cite.fields["pin"] = cite.fields.pop("page", "")
        return cite
    if cite.kind == "case":
        cite.fields["reporter_known"] = "yes"
        if kinds == {"neutral"} or _is_neutral(cite.fields):
            cite.fields |= {"neutral": "yes", "year": cite.fields.get("volume", "")}
        if groups.get("reporter_nominative"):
            said = [groups.get("volume_nominative", ""), groups["reporter_nominative"]]
            cite.fields["nominative"] = " ".join(part for part in said if part)
    return cite


def _is_neutral(fields: dict[str, str]) -> bool:
    """Check whether the volume is the year: ``2013 IL App (1st) 111279-U``, ``2002-Ohio-2220``."""
    volume = fields.get("volume", "")
    return (
        volume.isdigit()
        and _FIRST_YEAR < int(volume) < _LAST_YEAR
        and re.fullmatch(
            r"[A-Z]{2}(?: App(?: \([1-5][a-z]{2}\))?| CR| CIV APP)?|Ohio|VT|[A-Z]{3,5}|N\.?Y\.? Slip Op\.?(?: ?\(U\))?",
            fields["reporter"],
        )
        is not None
    )


def _is_meant(text: str, cite: Cite) -> bool:
    """Check whether words that are also plain words are meant as a citation: ``5 F. 3``, ``30 Day 45``, ``NY 10012``."""
    if _AFTER_NOUN.match(text, cite.end) and _BEFORE_NOUN.search(text, max(0, cite.start - 12), cite.start):
        return False
    volume, page = cite.fields.get("volume", ""), cite.fields.get("page", cite.fields.get("pin", ""))
    if cite.kind == "case_short" or _SUBDIVIDED.match(text, cite.end):
        return cite.kind == "case_short" and not _is_year(volume)
    written = text[cite.start : cite.end][len(volume) :].strip(" -")
    written = written[: len(written) - len(page)].strip(" ,-") if page else written
    plain = not _SERIES.search(written) and _ONE_WORD.fullmatch(written) is not None
    weak = (plain and cite.fields.get("reporter") != "U.S.") or not volume
    out_of_time = _is_year(volume) and "neutral" not in cite.fields
    if not weak and not out_of_time:
        return True
    return _is_shown(text, cite) or (not out_of_time and _stands_as_one(text, cite, volume, page, written))


def _is_shown(text: str, cite: Cite) -> bool:
    """Check whether a case's name before it, or a court and year after it, show that a citation is meant."""
    before = text[max(0, cite.start - _LOOK_BACK) : cite.start]
    named = _BEFORE_NAME.search(before) or _CALIFORNIA.search(before)
    return bool(named or _COURT_YEAR.match(text, cite.end))


def _stands_as_one(text: str, cite: Cite, volume: str, page: str, written: str) -> bool:
    """Check whether it stands where a citation does: after a signal or a comma, at the end of its clause."""
    if not _AFTER_WEAK.match(text, cite.end):
        return False
    signalled = _SIGNAL_BEFORE.search(text[max(0, cite.start - _LOOK_BACK) : cite.start]) is not None
    if "neutral" in cite.fields or not volume:
        return signalled or text.startswith((", ¶", " ¶"), cite.end)
    return signalled and _is_plausible(volume, page, written)


def _is_plausible(volume: str, page: str, written: str) -> bool:
    """Check whether a bare ``410 Mass. 309`` is one: abbreviated, in a volume and on a page of two figures or more."""
    return (
        written.endswith(".")
        and len(written.replace(".", "")) > 1
        and volume.isdigit()
        and page.isdigit()
        and int(volume) >= _TWO_FIGURES
        and _TWO_FIGURES <= int(page) < _ZIP
    )


def _is_year(volume: str) -> bool:
    return volume.isdigit() and _FIRST_YEAR <= int(volume) <= _LAST_YEAR


def settle_edition(cite: Cite) -> None:
    """Choose among several reporters of one abbreviation by the year of the decision, where that leaves one."""
    candidates = cite.fields.get("reporter_candidates", "")
    if not candidates or "year" not in cite.fields:
        return
    year = int(cite.fields["year"])
    alive = [name for name, first, last in _lifetimes(tuple(candidates.split("; "))) if first <= year <= last]
    if len(set(alive)) == 1:
        cite.fields["reporter"] = alive[0]
        del cite.fields["reporter_candidates"]


@lru_cache(maxsize=256)
def _lifetimes(names: tuple[str, ...]) -> list[tuple[str, int, int]]:
    return list(_all_lifetimes(names))


def _all_lifetimes(names: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    from eyecite.tokenizers import EDITIONS_LOOKUP  # noqa: PLC0415 - loaded already where there is a candidate

    for name in names:
        for edition in EDITIONS_LOOKUP.get(name, ()):
            if edition.short_name == name:
                yield name, edition.start.year if edition.start else 0, edition.end.year if edition.end else _LAST_YEAR


def court_of_reporter(reporter: str, volume: str) -> str | None:
    """Return the court that a reporter alone implies: the Supreme Court of the United States, and no other for certain."""
    if reporter not in _SUPREME or (reporter == "U.S." and volume.isdigit() and int(volume) < _FIRST_SUPREME_VOLUME):
        return None
    return "scotus"
