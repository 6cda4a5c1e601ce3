"""What is wrong with an identifier, told from its characters alone: shape, length, month, check digit."""

from __future__ import annotations

import re

from showable.records.regex import regex

_DOI = regex(r"10\.\d{4,9}(?:\.\d{1,9})*/\S+")
_SHORT_DOI = regex(r"10/[a-z0-9]{3,12}")
_NEW_ARXIV = regex(r"(\d\d)(\d\d)\.(\d+)")
_OLD_ARXIV = regex(r"([a-z-]+)(?:\.[a-z]{2})?/(\d\d)(\d\d)(\d+)", re.IGNORECASE)
_ARCHIVES = frozenset(
    """
    acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga funct-an
    gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio
    quant-ph solv-int stat supr-con
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_MONTHS = 12
_NEW_SCHEME, _FIVE_DIGITS = (7, 4), (15, 1)
_OLD_FIRST, _OLD_LAST = (1991, 8), (2007, 3)
_CENTURY = 90
_ISBN_10, _ISBN_13 = 10, 13
_PMID_DIGITS = 8
_NCT_DIGITS = 8
_ISSN_WEIGHTS = range(8, 1, -1)


def doi_fault(doi: str) -> str | None:
    """Return what is wrong with a DOI: ``10.``, a registrant of 4 digits or more, a slash, a suffix (DOI Handbook, 2.2)."""
    if _DOI.fullmatch(doi) or _SHORT_DOI.fullmatch(doi.lower()):
        return None
    if not doi.startswith("10."):
        return "a DOI begins with 10."
    if "/" not in doi or doi.endswith("/"):
        return "a DOI has a suffix after the slash"
    return "the part of a DOI before the slash is 10. and four to nine digits"


def pmid_fault(pmid: str) -> str | None:
    """Return what is wrong with a PubMed id: one to eight digits, the first of them no zero."""
    if len(pmid) > _PMID_DIGITS:
        return f"a PMID has at most {_PMID_DIGITS} digits, this one has {len(pmid)}"
    return "a PMID does not begin with 0" if pmid.startswith("0") else None


def pmcid_fault(pmcid: str) -> str | None:
    """Return what is wrong with a PubMed Central id, given as ``PMC`` and digits."""
    digits = pmcid[3:]
    if len(digits) > _PMID_DIGITS:
        return f"a PMCID has at most {_PMID_DIGITS} digits, this one has {len(digits)}"
    return "a PMCID does not begin with 0" if digits.startswith("0") else None


def arxiv_fault(arxiv: str) -> str | None:
    """Return what is wrong with an arXiv id without version: a month from 01 to 12, as many digits as its date asks for.

    ``YYMM.NNNN`` from April 2007, ``YYMM.NNNNN`` from January 2015, ``archive/YYMMNNN`` from August 1991 to
    March 2007 (arXiv, "Understanding the arXiv identifier").
    """
    new = _NEW_ARXIV.fullmatch(arxiv)
    if new:
        return _new_arxiv_fault((int(new[1]), int(new[2])), len(new[3]))
    old = _OLD_ARXIV.fullmatch(arxiv)
    if old is None:
        return "an arXiv id is YYMM.NNNNN, or before April 2007 an archive, a slash and seven digits"
    return _old_arxiv_fault(old[1].lower(), int(old[2]), int(old[3]), len(old[4]))


def _new_arxiv_fault(when: tuple[int, int], digits: int) -> str | None:
    if not 1 <= when[1] <= _MONTHS:
        return f"{when[1]:02d} is no month"
    if when < _NEW_SCHEME:
        return "ids of this form begin with April 2007 (0704)"
    asked = 5 if when >= _FIVE_DIGITS else 4
    return None if digits == asked else f"an arXiv id of {when[0]:02d}{when[1]:02d} has {asked} digits after the point"


def _old_arxiv_fault(archive: str, year: int, month: int, digits: int) -> str | None:
    if archive not in _ARCHIVES:
        return f"{archive} is no archive of arXiv"
    if not 1 <= month <= _MONTHS:
        return f"{month:02d} is no month"
    when = (1900 + year if year >= _CENTURY else 2000 + year, month)
    if not _OLD_FIRST <= when <= _OLD_LAST:
        return "ids of this form run from August 1991 to March 2007"
    return None if digits == 3 else "an arXiv id of this form has seven digits"  # noqa: PLR2004 - after year and month


def isbn_fault(isbn: str) -> str | None:
    """Return what is wrong with an ISBN without hyphens: 10 or 13 characters and the check digit (ISO 2108)."""
    if len(isbn) == _ISBN_10 and isbn[:9].isdigit() and (isbn[9].isdigit() or isbn[9] == "X"):
        rest = -sum(int(digit) * weight for digit, weight in zip(isbn[:9], range(10, 1, -1), strict=True)) % 11
        return _digit_fault(isbn[9], "X" if rest == 10 else str(rest))  # noqa: PLR2004 - X stands for ten
    if len(isbn) == _ISBN_13 and isbn.isdigit():
        if isbn[:3] not in {"978", "979"}:
            return "an ISBN of 13 digits begins with 978 or 979"
        total = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(isbn[:12]))
        return _digit_fault(isbn[12], str(-total % 10))
    return f"an ISBN has 10 or 13 digits, this one has {len(isbn)} characters"


def issn_fault(issn: str) -> str | None:
    """Return what is wrong with an ISSN, hyphen or none: eight characters and the check digit (ISO 3297)."""
    digits = issn.replace("-", "")
    if len(digits) != 8 or not digits[:7].isdigit():  # noqa: PLR2004 - the length of an ISSN
        return f"an ISSN has eight digits, this one has {len(digits)}"
    rest = -sum(int(digit) * weight for digit, weight in zip(digits[:7], _ISSN_WEIGHTS, strict=True)) % 11
    return _digit_fault(digits[7], "X" if rest == 10 else str(rest))  # noqa: PLR2004 - X stands for ten


def nct_fault(nct: str) -> str | None:
    """Return what is wrong with a ClinicalTrials.gov id, given as ``NCT`` and digits: eight of them."""
    digits = len(nct) - 3
    return None if digits == _NCT_DIGITS else f"NCT is followed by {_NCT_DIGITS} digits, here by {digits}"


def fda_fault(number: str) -> str | None:
    """Return what is wrong with the number of a marketing application to the FDA: five or six digits."""
    return None if len(number) in {5, 6} else f"an application number has six digits, this one has {len(number)}"


def accession_fault(accession: str) -> str | None:
    """Return what is wrong with an SEC accession number: ten digits, two, six (EDGAR Filer Manual)."""
    parts = accession.split("-")
    return None if [len(part) for part in parts] == [10, 2, 6] else "an accession number is 10-2-6 digits"


def _digit_fault(given: str, due: str) -> str | None:
    return None if given == due else f"the check digit is {given}, and should be {due}"
