"""Links within a text: words that say what is linked, and for news the byline's facts."""

from __future__ import annotations

import re

from showable.read.formats.fault import FormatFault
from showable.read.references.found import FoundReference
from showable.records.regex import regex

_MARKDOWN = regex(r"\[(?P<words>.*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)", re.DOTALL)
_HTML = regex(r"(?is)<a\s[^<>]*>(?P<words>.*?)</a>")
_TAG = regex(r"<[^<>]{0,200}>")
_VAGUE = regex(
    r"(?i)(?:click )?(?:here|link|this(?: \w+)?|source|read more|more|website|page|article|url|\[?\d+\]?)\.?"
)
_ADDRESS = regex(r"(?i)(?:https?://|www\.)\S+")
_ASKED_OF_NEWS = ("title", "outlet", "date")
_LINKED = frozenset({"url", "news", "doi", "pmid", "pmcid", "arxiv", "nct", "nbk", "sec_accession", "isbn", "issn"})


def check(found: FoundReference, text: str) -> list[FormatFault]:
    """Return what is wrong with a link in the text: no address, no words, words that tell nothing.

    A news article also needs its title, its outlet and its date beside the link. Kinds that are not linked
    (cases, statutes, entries of a list) have no faults here. `where` is in code points of `text`.
    """
    reference = found.reference
    if reference.kind not in _LINKED:
        return []
    whole = text[slice(*found.full)]
    link = _MARKDOWN.search(whole) or _HTML.search(whole)
    faults = _words(found, link) if link else _bare(found)
    if reference.kind == "news":
        faults += [
            FormatFault(f"missing_{name}", f"the {name} of the article is missing")
            for name in _ASKED_OF_NEWS
            if name not in reference.fields
        ]
    return faults


def _bare(found: FoundReference) -> list[FormatFault]:
    fields = found.reference.fields
    if "url" not in fields:
        return [FormatFault("missing_link", "the citation has no address to follow", found.span)]
    if found.reference.kind == "news" and "title" in fields:
        return []
    return [FormatFault("bare_address", "an address alone, without words that say what it leads to", found.span)]


def _words(found: FoundReference, link: re.Match[str]) -> list[FormatFault]:
    words = _TAG.sub("", link["words"]).strip()
    start = found.full[0]
    where = (start + link.start("words"), start + link.end("words"))
    if not words:
        return [FormatFault("empty_words", "the link has no words", found.full)]
    if _ADDRESS.fullmatch(words):
        return [FormatFault("address_as_words", "the link's words are an address", where)]
    if _VAGUE.fullmatch(words):
        return [FormatFault("vague_words", f"the link's words do not say what it leads to: {words}", where)]
    return []
