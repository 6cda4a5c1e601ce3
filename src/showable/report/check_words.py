"""What the statuses of a citation mean, in words for the person who has to act on them."""

from __future__ import annotations

from showable.report.check_outcome import CheckedCitation

MEANING: dict[str, tuple[str, str]] = {
    "not_found": (
        "No such source",
        "The registry of record for this kind of citation has none with this id or at this page.",
    ),
    "mismatch": (
        "Not what is on record",
        "What the registry has at this id or page is not what the document says.",
    ),
    "malformed": ("Not a possible citation", "No source can have this id: its form or its check digit is wrong."),
    "retracted": ("Retracted", "The source exists and has been retracted."),
    "withdrawn": ("Withdrawn", "The source exists and has been withdrawn, removed or repealed."),
    "superseded_version": ("Superseded", "A later version replaces the one that is cited."),
    "blocked_url": (
        "Dangerous address",
        "The address must not be opened: it leads to a private network or imitates another.",
    ),
    "bad_quote": ("Misquoted", "The quoted words do not stand in the source that was given."),
    "ambiguous": ("More than one candidate", "Several sources fit, and which one is meant cannot be told."),
    "not_covered": (
        "Not covered",
        "Nobody who was asked is an authority on it; that says nothing against it.",
    ),
    "not_configured": (
        "Not configured",
        "The registry needs a key or an account that is not set up; nothing was asked.",
    ),
    "unreachable": ("Not reached", "The registry gave no answer; nothing is known."),
    "rate_limited": (
        "Not reached in time",
        "The registry asks to be left alone for longer than the check may take; nothing is known.",
    ),
    "resolved": ("Resolved", "The source exists, and what the document says of it agrees with the registry."),
}
"""For each label: a name for people, and what it means."""

_READ_AS = {
    "case": "case",
    "case_short": "short form of a case",
    "id": "id.",
    "supra": "supra",
    "neutral_uk": "UK neutral citation",
    "usc": "U.S. Code",
    "cfr": "Code of Federal Regulations",
    "fed_reg": "Federal Register",
    "fed_rule": "federal rule",
    "public_law": "public law",
    "statutes_at_large": "Statutes at Large",
    "law_journal": "law journal",
    "state_code": "code of a state",
    "westlaw": "Westlaw number",
    "lexis": "Lexis number",
    "docket": "docket number",
    "doi": "DOI",
    "pmid": "PubMed id",
    "pmcid": "PMC id",
    "arxiv": "arXiv id",
    "isbn": "ISBN",
    "issn": "ISSN",
    "nct": "clinical trial",
    "fda_application": "FDA application",
    "sec_accession": "SEC filing",
    "nbk": "NCBI book",
    "bibliographic": "reference",
    "news": "news link",
    "url": "web address",
}


def kind_in_words(kind: str) -> str:
    """Return what a citation was read as."""
    return _READ_AS.get(kind, kind.replace("_", " "))


def reason_of(citation: CheckedCitation) -> str:
    """Return the reason of its status, or what the status means where none was given."""
    return citation.reason or MEANING[citation.label][1]


def counted(number: int, noun: str) -> str:
    """Count things: ``1 citation``, ``2 citations``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
