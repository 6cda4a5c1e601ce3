"""The identifier that an address carries: pubmed.ncbi.nlm.nih.gov/34265844 is a PubMed id."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from showable.read.references.identifier_checks import arxiv_fault, isbn_fault, issn_fault, nct_fault, pmcid_fault
from showable.records.regex import regex

Carried = tuple[str, dict[str, str]]
_Reader = Callable[[re.Match[str]], Carried]

_LONGEST_URL = 500


def id_in(url: str) -> Carried | None:
    """Return the kind and the fields of the identifier that an address stands for, or None where it is a page of its own.

    The host must be the registry's own: ``pubmed.ncbi.nlm.nih.gov.example.com`` carries nothing. DOIs are
    not told here: they are found in any address (`find_dois`).
    """
    if len(url) > _LONGEST_URL:
        return None
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        host = (parts.hostname or "").removeprefix("www.")
        plain = parts.username is None and parts.port in {None, 80, 443}
    except ValueError:
        return None
    if not plain or parts.scheme not in {"http", "https"}:
        return None
    path = unquote(parts.path)
    for hosts, pattern, read in _ADDRESSES:
        if host in hosts and (match := pattern.match(path)) is not None:
            kind, fields = read(match)
            return kind, {**fields, "url": url}
    return None


def split_arxiv(written: str) -> dict[str, str]:
    """Return the fields of an arXiv id: without its version, which stands apart, and what is wrong with it."""
    match = re.fullmatch(r"(?i)(.*?)(?:v(\d{1,3}))?", written)
    arxiv, version = (match[1], match[2] or "") if match else (written, "")
    if "/" in arxiv:
        archive, _, number = arxiv.partition("/")
        name, dot, subject = archive.partition(".")
        arxiv = f"{name.lower()}{dot}{subject.upper()}/{number}"
    return {"arxiv": arxiv, "version": version, "malformed": arxiv_fault(arxiv) or ""}


def _pmid(match: re.Match[str]) -> Carried:
    return "pmid", {"pmid": match[1]}


def _pmcid(match: re.Match[str]) -> Carried:
    pmcid = f"PMC{match[1]}"
    return "pmcid", {"pmcid": pmcid, "malformed": pmcid_fault(pmcid) or ""}


def _arxiv(match: re.Match[str]) -> Carried:
    return "arxiv", split_arxiv(match[1])


def _nct(match: re.Match[str]) -> Carried:
    nct = f"NCT{match[1]}"
    return "nct", {"nct": nct, "malformed": nct_fault(nct) or ""}


def _nbk(match: re.Match[str]) -> Carried:
    return "nbk", {"nbk": f"NBK{match[1]}"}


def _accession(match: re.Match[str]) -> Carried:
    digits = match[2].replace("-", "")
    accession = f"{digits[:10]}-{digits[10:12]}-{digits[12:]}"
    return "sec_accession", {"accession": accession, "cik": match[1].lstrip("0")}


def _of_dblp(match: re.Match[str]) -> Carried:
    return "arxiv", split_arxiv(match[1].replace("-", "."))


def _isbn(match: re.Match[str]) -> Carried:
    isbn = match[1].replace("-", "").upper()
    return "isbn", {"isbn": isbn, "malformed": isbn_fault(isbn) or ""}


def _issn(match: re.Match[str]) -> Carried:
    issn = match[1].upper()
    return "issn", {"issn": issn, "malformed": issn_fault(issn) or ""}


_NCBI = frozenset({"ncbi.nlm.nih.gov"})
_EUROPE = frozenset({"europepmc.org"})
_ADDRESSES: tuple[tuple[frozenset[str], re.Pattern[str], _Reader], ...] = (
    (frozenset({"pubmed.ncbi.nlm.nih.gov", "pubmed.gov"}), regex(r"/(\d{1,8})/?$"), _pmid),
    (_NCBI, regex(r"/pubmed/(\d{1,8})/?$"), _pmid),
    (_EUROPE, regex(r"(?i)/(?:abstract|article)/med/(\d{1,8})/?$"), _pmid),
    (_NCBI, regex(r"(?i)/pmc/articles/pmc(\d+)(?:/|$)"), _pmcid),
    (frozenset({"pmc.ncbi.nlm.nih.gov"}), regex(r"(?i)/articles/pmc(\d+)(?:/|$)"), _pmcid),
    (_EUROPE, regex(r"(?i)/(?:articles|article/pmc|abstract/pmc)/(?:pmc)?(\d+)(?:/|$)"), _pmcid),
    (
        frozenset({"arxiv.org", "export.arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org"}),
        regex(r"/(?:abs|pdf|html|format|ps)/((?:[a-zA-Z-]+(?:\.[A-Za-z]{2})?/\d{5,9}|\d{3,5}\.\d{3,6})(?:v\d{1,3})?)(?:\.pdf)?/?$"),
        _arxiv,
    ),
    (frozenset({"huggingface.co"}), regex(r"/papers/(\d{4}\.\d{4,5}(?:v\d{1,3})?)/?$"), _arxiv),
    (frozenset({"semanticscholar.org", "api.semanticscholar.org"}), regex(r"(?i)(?:/[a-z]+)?/arxiv:(\d{4}\.\d{4,5}(?:v\d{1,3})?)/?$"), _arxiv),
    (frozenset({"dblp.org", "dblp.uni-trier.de"}), regex(r"/rec/(?:[a-z]+/)?journals/corr/abs-(\d{4}-\d{4,5})(?:\.bib)?/?$"), _of_dblp),
    (frozenset({"clinicaltrials.gov", "classic.clinicaltrials.gov"}), regex(r"(?i)/(?:ct2/show/|study/|show/)?(?:record/)?nct(\d+)(?:/|$)"), _nct),
    (_NCBI, regex(r"(?i)/books/nbk(\d{1,8})(?:/|$)"), _nbk),
    (
        frozenset({"sec.gov"}),
        regex(r"(?i)/archives/edgar/data/(\d{1,10})/(?:\d{18}/)?(\d{10}-\d\d-\d{6}|\d{18})(?:[/.-]|$)"),
        _accession,
    ),
    (frozenset({"openlibrary.org", "worldcat.org"}), regex(r"(?i)/isbn/([\d-]{9,16}[\dx])(?:[/.]|$)"), _isbn),
    (frozenset({"portal.issn.org"}), regex(r"(?i)/resource/issn/(\d{4}-\d{3}[\dx])(?:/|$)"), _issn),
)  # fmt: skip
