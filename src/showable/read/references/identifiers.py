"""Identifiers in running text: DOI, PMID, PMCID, arXiv, ISBN, ISSN, NCT, NDA/ANDA/BLA, SEC accession, NBK.

What a label calls an identifier and what is none (a wrong check digit, a digit too many) is kept, with what is
wrong in the field `malformed`: dropping it would hide the very thing that a reader must be told.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from showable.read.references.dois import doi_in, find_dois
from showable.read.references.found import FoundReference, Span
from showable.read.references.id_urls import id_in, split_arxiv
from showable.read.references.identifier_checks import (
    accession_fault,
    arxiv_fault,
    doi_fault,
    fda_fault,
    isbn_fault,
    issn_fault,
    nct_fault,
    pmcid_fault,
    pmid_fault,
)
from showable.read.references.links_in_text import links_in
from showable.read.references.placed import placed, without_overlaps
from showable.records.regex import regex

_PMID = regex(
    r"(?:(?<![^\W_])(?:pubmed[ \t]+)?pmids?|(?-i:PMID))[ \t]*(?:no\.?|number|[:#=])*[ \t]*\[?(?P<id>\d+)(?![\w-]|\.\d|/\d)"
    r"|(?<![^\W_])pubmed[ \t]*(?:[:#]|id[:#]?)[ \t]*(?P<id2>\d+)(?![\w-]|\.\d)",
    re.IGNORECASE,
)
"""In capitals a label wherever it stands: after a DOI it is often pasted without a space."""
_MORE_PMIDS = regex(r"[ \t]*(?:[,;][ \t]*(?:and[ \t]+)?|and[ \t]+|&[ \t]*)(\d{5,8})(?![\w-]|\.\d)")
_PMCID = regex(
    r"(?:(?<![^\W_])|(?-i:(?=PMCID)))(?P<label>pmcid[ \t]*[:#=]?[ \t]*)?(?P<pmc>pmc)[ \t]?[:#]?[ \t]?(?P<id>\d+)(?:\.(?P<version>\d{1,2})(?!\d))?(?![\w-])"
    r"|(?:(?<![^\W_])|(?-i:(?=PMCID)))pmcid[ \t]*[:#=][ \t]*(?P<id2>\d+)(?![\w-]|\.\d)",
    re.IGNORECASE,
)
_FEWEST_BARE_PMC = 4
_ARXIV = regex(
    r"(?<![^\W_])arxiv(?:\.org)?(?:[ \t]+(?:e-?print|preprint|id|identifier|no\.?|number))?(?:[ \t]+arxiv)?(?:[ \t]*[:#]|/(?:abs|pdf)/)?[ \t]*(?:arxiv[:-])?\[?"
    r"(?P<id>(?:[a-z-]{2,9}(?:\.[a-z]{2})?/\d{5,9}|\d{3,5}\.\d{3,6})(?:v\d{1,3})?)(?![\w/-]|\.\d)",
    re.IGNORECASE,
)
_CORR = regex(r"(?<![^\W_])(?:corr[ \t,]+)?abs/(\d{4}\.\d{4,5}(?:v\d{1,3})?)(?![\w/-]|\.\d)", re.IGNORECASE)
_BARE_ARXIV = regex(
    r"(?<![\w./:-])(?:(?P<new>\d{4}\.\d{4,5}v\d{1,2})|(?P<old>[a-z]+(?:-[a-z]+)?(?:\.[A-Z]{2})?/\d{7}(?:v\d{1,2})?))(?![\w/-]|\.\d)"
)
_ISBN = regex(
    r"(?<![^\W_])isbn(?:-?1[03])?[ \t]*(?:\([^()\n]{1,20}\))?[ \t]*[:#=]?[ \t]*(?P<id>\d(?:[\d \t\u2010-\u2013-]{7,19})[\dXx])(?![\w])",
    re.IGNORECASE,
)
_BARE_ISBN = regex(
    r"(?<![\w./-])97[89][-\u2010-\u2013]\d{1,5}[-\u2010-\u2013]\d{1,7}[-\u2010-\u2013]\d{1,7}[-\u2010-\u2013]\d(?![\w-]|\.\d|/)"
)
_ISBN_DIGITS = 13
_ISBN_TEN = 10
_ISSN = regex(
    r"(?<![^\W_])(?:[ep]-?|l-?|online[ \t]|print[ \t])?issn(?:-l)?[ \t]*(?:\([^()\n]{1,20}\))?[ \t]*[:#=]?[ \t]*(?P<id>\d{4}[\u2010-\u2013-]?\d{2,4}[\dXx]?)(?![\w-])",
    re.IGNORECASE,
)
_NCT = regex(r"(?<![^\W_])nct[ \t]?(?:no\.?|number|[:#-])?[ \t]?(?P<id>\d{5,12})(?!\w)", re.IGNORECASE)
_FDA = regex(
    r"(?<![^\W_])s?(?P<type>ANDA|NDA|BLA)s?(?P<label>[ \t]*(?:No\.?|Nos\.?|[Nn]umbers?|[Aa]pplication|STN:?|[:#])?[ \t]*(?:STN[ \t]?)?#?)[ \t]?-?"
    r"(?P<id>\d{2,3}-\d{3}|\d{3,9})(?![\w,-]*\d|\.\d)"
)
_YEAR = regex(r"(?:19|20)\d\d")
_SEC = regex(r"(?<![\w.-])\d{10}-\d\d-\d{6}(?![\w-]|\.\d)")
_SEC_LABEL = regex(
    r"(?<![^\W_])accession[ \t]+(?:no\.?|number|#)?[ \t]*:?[ \t]*(?P<id>\d{6,12}-\d{1,3}-\d{3,8}|\d{18})(?![\w-])",
    re.IGNORECASE,
)
_CIK = regex(r"(?i)\bcik[ \t]*(?:no\.?|number)?[ \t]*[:#]?[ \t]*0{0,9}(\d{1,10})\b")
_CIK_NEAR = 90
_NBK = regex(r"(?<![^\W_])NBK[ \t]?(\d{3,8})(?!\w)")
_DASHES = regex(r"[\s\u2010-\u2013-]+")


def find_identifiers(text: str) -> list[FoundReference]:
    """Find the identifiers of a text, in order of place; the labels before them are part of `text`.

    Kinds and fields: `doi` {doi}, `pmid`, `pmcid`, `arxiv` {arxiv, version}, `isbn` and `issn` (check digits:
    ISO 2108, ISO 3297), `nct`, `fda_application` {type, number of six digits}, `sec_accession` {accession, cik},
    `nbk`. An identifier that came in an address keeps it as `url`. Numbers without a label are none, save
    where the shape is unmistakable: PMC7029759, NCT04437511, 978-0-262-03384-8, 0000320193-24-000123.
    """
    if not any(map(str.isdigit, text)):
        return []
    lowered = text.lower()
    dois = find_dois(text)
    addresses = [*_in_addresses(text)] if "/" in text else []
    found = _settled(dois, addresses) if addresses else dois
    for hints, read in _READERS:
        if any(hint in lowered for hint in hints):
            found += [one for one in read(text) if not _is_within(one, addresses)]
    return without_overlaps(found)


def _in_addresses(text: str) -> Iterator[FoundReference]:
    for link in links_in(text):
        carried = id_in(link.url)
        doi = doi_in(link.url) if carried is None else None
        if doi is not None:
            carried = "doi", {"doi": doi, "malformed": doi_fault(doi) or "", "url": link.url}
        if carried is not None:
            yield placed(text, carried[0], link.span, carried[1], link.full)


def _settled(dois: list[FoundReference], addresses: list[FoundReference]) -> list[FoundReference]:
    """Take an address and the DOI in it as one: the address, unless the DOI goes on after it (a SICI, a line break)."""
    longer = [one for one in dois if not _is_within(one, addresses)]
    kept = [one for one in addresses if not any(_overlap(one.span, doi.span) for doi in _near(longer, one))]
    return [*kept, *longer]


def _near(found: list[FoundReference], one: FoundReference) -> list[FoundReference]:
    at = bisect_left(found, one.span[0], key=lambda other: other.span[1])
    return found[at : at + 3]


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _is_within(one: FoundReference, links: list[FoundReference]) -> bool:
    """Check whether a reference stands inside a link, its words included; `links` are in order and apart."""
    at = bisect_right(links, one.span[0], key=lambda link: link.full[0]) - 1
    return at >= 0 and one.span[1] <= links[at].full[1]


def _pmids(text: str) -> Iterator[FoundReference]:
    for match in _PMID.finditer(text):
        pmid = match["id"] or match["id2"]
        yield placed(text, "pmid", match.span(), {"pmid": pmid, "malformed": pmid_fault(pmid) or ""})
        more = _MORE_PMIDS.match(text, match.end())
        while more is not None:
            yield placed(text, "pmid", more.span(1), {"pmid": more[1]})
            more = _MORE_PMIDS.match(text, more.end())


def _pmcids(text: str) -> Iterator[FoundReference]:
    for match in _PMCID.finditer(text):
        digits = match["id"] or match["id2"]
        apart = match["id"] is not None and not match[0].endswith(f"C{match['id']}")
        if (
            match["pmc"]
            and not match["label"]
            and (len(digits) < _FEWEST_BARE_PMC + 2 * apart or not match["pmc"].isupper())
        ):
            continue
        pmcid = f"PMC{digits}"
        fields = {"pmcid": pmcid, "version": match["version"] or "", "malformed": pmcid_fault(pmcid) or ""}
        yield placed(text, "pmcid", match.span(), fields)


def _arxivs(text: str) -> Iterator[FoundReference]:
    for match in _ARXIV.finditer(text):
        yield placed(text, "arxiv", match.span(), split_arxiv(match["id"]))


def _bare_arxivs(text: str) -> Iterator[FoundReference]:
    """Read ``1706.03762v7`` and ``hep-th/9711200``, where all is right with them."""
    for match in _BARE_ARXIV.finditer(text):
        fields = split_arxiv(match[0])
        if arxiv_fault(fields["arxiv"]) is None:
            yield placed(text, "arxiv", match.span(), fields)


def _corr(text: str) -> Iterator[FoundReference]:
    for match in _CORR.finditer(text):
        yield placed(text, "arxiv", match.span(), split_arxiv(match[1]))


def _isbns(text: str) -> Iterator[FoundReference]:
    for match in _ISBN.finditer(text):
        isbn, end = _isbn_within(match["id"])
        span = (match.start(), match.start("id") + end)
        yield placed(text, "isbn", span, {"isbn": isbn, "malformed": isbn_fault(isbn) or ""})


def _isbn_within(written: str) -> tuple[str, int]:
    """Read as many digits as the ISBN has: ten where white space follows them and not three more digits."""
    places = [at for at, char in enumerate(written, 1) if char.isdigit() or char in "Xx"]
    length = len(places)
    if length > _ISBN_DIGITS or (length > _ISBN_TEN and length != _ISBN_DIGITS):
        for due in (_ISBN_TEN, _ISBN_DIGITS):
            if length > due and written[places[due - 1]] in " \t":
                length = due
                break
    end = places[length - 1]
    return "".join(written[at - 1].upper() for at in places[:length]), end


def _bare_isbns(text: str) -> Iterator[FoundReference]:
    for match in _BARE_ISBN.finditer(text):
        isbn = _DASHES.sub("", match[0])
        if len(isbn) == _ISBN_DIGITS:
            yield placed(text, "isbn", match.span(), {"isbn": isbn, "malformed": isbn_fault(isbn) or ""})


def _issns(text: str) -> Iterator[FoundReference]:
    for match in _ISSN.finditer(text):
        digits = _DASHES.sub("", match["id"]).upper()
        issn = f"{digits[:4]}-{digits[4:]}"
        yield placed(text, "issn", match.span(), {"issn": issn, "malformed": issn_fault(issn) or ""})


def _ncts(text: str) -> Iterator[FoundReference]:
    for match in _NCT.finditer(text):
        nct = f"NCT{match['id']}"
        yield placed(text, "nct", match.span(), {"nct": nct, "malformed": nct_fault(nct) or ""})


def _applications(text: str) -> Iterator[FoundReference]:
    """Read applications to the FDA; ``NDA 2019`` without ``No.`` is a year, and three or four digits no number."""
    for match in _FDA.finditer(text):
        number = match["id"].replace("-", "")
        fault = fda_fault(number)
        labelled = any(mark in match["label"] for mark in ("o", "#", ":", "STN", "umber"))
        if fault and (not labelled or _YEAR.fullmatch(number)):
            continue
        fields = {"type": match["type"], "number": number.zfill(6), "malformed": fault or ""}
        yield placed(text, "fda_application", match.span(), fields)


def _accessions(text: str) -> Iterator[FoundReference]:
    for match in _SEC_LABEL.finditer(text):
        written = match["id"]
        accession = written if "-" in written else f"{written[:10]}-{written[10:12]}-{written[12:]}"
        fields = {"accession": accession, "cik": _cik(text, match), "malformed": accession_fault(accession) or ""}
        yield placed(text, "sec_accession", match.span(), fields)
    for match in _SEC.finditer(text):
        yield placed(text, "sec_accession", match.span(), {"accession": match[0], "cik": _cik(text, match)})


def _cik(text: str, match: re.Match[str]) -> str:
    near = _CIK.search(text, max(0, match.start() - _CIK_NEAR), min(len(text), match.end() + _CIK_NEAR))
    return near[1].lstrip("0") if near else ""


def _nbks(text: str) -> Iterator[FoundReference]:
    for match in _NBK.finditer(text):
        yield placed(text, "nbk", match.span(), {"nbk": f"NBK{match[1]}"})


_READERS = (
    (("pmid", "pubmed"), _pmids),
    (("pmc",), _pmcids),
    (("arxiv",), _arxivs),
    (("abs/",), _corr),
    (("v", "/"), _bare_arxivs),
    (("isbn",), _isbns),
    (("978", "979"), _bare_isbns),
    (("issn",), _issns),
    (("nct",), _ncts),
    (("nda", "bla"), _applications),
    (("-", "accession"), _accessions),
    (("nbk",), _nbks),
)
