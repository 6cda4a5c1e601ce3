"""Who is asked about which kind of reference, in which order, where a profile does not say otherwise."""

from __future__ import annotations

from collections.abc import Mapping

LOCAL = "local"
"""The registry of imported citations. It is always asked first, and is the only one asked without a network."""

DEFAULT_ORDER: Mapping[str, tuple[str, ...]] = {
    "case": ("courtlistener", "caselaw_access"),
    "neutral_uk": ("find_case_law",),
    "westlaw": ("westlaw",),
    "lexis": ("lexis",),
    "docket": ("courtlistener", "pacer"),
    "usc": ("us_code", "govinfo"),
    "cfr": ("ecfr", "govinfo"),
    "fed_reg": ("federal_register", "govinfo"),
    "public_law": ("govinfo",),
    "statutes_at_large": ("govinfo",),
    "doi": ("crossref", "datacite", "doi_org", "openalex", "europe_pmc"),
    "pmid": ("pubmed", "europe_pmc"),
    "pmcid": ("pmc_ids", "europe_pmc"),
    "arxiv": ("arxiv",),
    "isbn": ("open_library",),
    "nct": ("clinical_trials",),
    "fda_application": ("drugs_at_fda", "orange_book", "dailymed"),
    "sec_accession": ("edgar",),
    "nbk": ("bookshelf",),
    "bibliographic": ("crossref", "europe_pmc", "datacite", "arxiv", "ecitmatch", "openalex"),
    "news": ("web_page", "wayback"),
    "url": ("web_page", "wayback"),
}
"""For each kind, the registries in order. A kind that is missing (id., a court's rule) can be looked up nowhere."""

DEFAULT_ALSO: Mapping[str, tuple[str, ...]] = {
    "doi": ("crossref", "openalex"),
    "pmid": ("pubmed",),
    "pmcid": ("pubmed", "europe_pmc"),
    "url": ("dailymed",),
}
"""Registries that are asked besides, for what has become of a work: it may be retracted though its id resolves.

Crossref carries Retraction Watch's data; PubMed's marks are asked for where a profile wants them, at three a second.
"""

INDEXES = frozenset({"crossref", "datacite", "arxiv", "europe_pmc"})
"""Keyless indexes of titles. Only where all of those in the order have answered does a title that is in none not exist."""

IDS = ("doi", "pmid", "pmcid", "arxiv", "nct", "isbn")
"""Ids that an entry of a reference list may carry, in the order in which they are looked up."""

KINDS_BY_ADDRESS = frozenset({"url", "news"})
"""Kinds whose reference is itself an address, so that one which may not be asked speaks against it."""

READ_CITED_ADDRESSES = frozenset({"web_page"})
"""Registries that ask addresses which a text names. Each is vetted as a URL, and none may be one of the user's own."""
