"""Sentences that read like an entry: ``In 2019, Acme acquired Foo`` has a name, a year and words after them."""

from __future__ import annotations

from showable.read.references.entry_authors import Authors
from showable.read.references.entry_titles import is_venue
from showable.records.regex import regex

_HELD = ("volume", "issue", "pages", "doi", "pmid", "pmcid", "arxiv", "isbn", "url", "nct", "edition")
_OPENERS = frozenset(
    """
    in on at by as to of for from with since during after before until under over through within between among although
    while when where if because that this these those the a an it its we our he she they their his her you your there
    here however meanwhile also then both each all some many most no not according despite unlike like about around
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
"""Words with a capital at the head of a sentence that nobody is called, unless initials follow."""
_FINITE = regex(
    r"\b(?:is|are|was|were|has|have|had|will|would|shall|could|did|does|do|must|said|says|sold|bought|grew|rose|fell|made|began|led|became|won|lost|"
    r"paid|met|took|gave|held|found|wrote|told|showed|reports?|reported|announced|acquired|merged|owns?|sells?|launched|raised|opened|closed|"
    r"completed|signed|agreed|filed|moved|ended|started|followed|joined|posted|named)\b"
    r"|\b[A-Z][\w&'’-]*(?: [a-z]{3,10}ly)? [a-z]{2,12}ed (?:the|an?|its|his|her|their|that|to|from|for|in|on|by|with|[A-Z$€£0-9])"
)


def is_sentence(line: str, authors: Authors | None, fields: dict[str, str]) -> bool:
    """Check whether what was read as an entry is a sentence: it opens as one, or tells something, and has no venue or id.

    Authors written with initials, several of them, or one set apart by a mark are what no sentence has.
    """
    held = fields.get("container") or fields.get("publisher") or ""
    if any(fields.get(name) for name in _HELD) or (held and is_venue(held) and not _FINITE.search(held)):
        return False
    if authors is None:
        return _FINITE.search(line) is not None
    if authors.et_al or len(authors.names) > 1 or authors.form in {"initials", "inverted_initials"}:
        return False
    return not _apart(line, authors) and (authors.names[0].lower() in _OPENERS or _FINITE.search(line) is not None)


def _apart(line: str, authors: Authors) -> bool:
    """Check whether a mark sets the author apart from what follows: ``World Health Organization. Mpox is …``."""
    after = line[authors.end :].lstrip()
    return after.startswith("(") or (line[: authors.end].endswith(".") and not after[:1].islower())
