"""Whether the comment on a preprint says that it appeared in a venue: ``Accepted by NeurIPS 2017``, ``CVPR 2019 camera ready``.

The comment is the authors' own line on arXiv, free text (info.arxiv.org/help/prep, Comments). A clause that speaks of a
submission, a workshop, a longer version of what appeared there, or of code, says nothing of this paper in that venue.
"""

from __future__ import annotations

import re

from showable.rubrics.metadata.containers import container_words, same_container
from showable.rubrics.metadata.registered_venues import is_workshop

_LONGEST = 1_000
_CLAUSE = re.compile(r"[;()\[\]\n]|,\s+(?=[A-Z0-9])|(?:(?<=[a-z]{5})|(?<=\d\d))\.\s+(?=[A-Z0-9])|[.,]$|\s-+\s")
_NOT_IT = re.compile(
    r"\bsubmi(?:tted|ssion)|\bunder (?:review|consideration)|\bin review|\bextend(?:ed|s|ing)|\blonger|\bjournal version"
    r"|\bpreliminary|\bearlier|\bfollow|\bbased on|\breject|\bwithdrawn|\bnot accepted|\bsupersed|\btemplate|\bstyle\b|\bformat",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^.{0,80}?\b(?:accepted|published|appear(?:s|ed|ing)?|presented|presentation|paper|version|ready|oral|poster|spotlight|press"
    r"|publication|proceedings|proc)\b.{0,40}?\b(?:at|by|in|to|for|of|as)\s+(?:the\s+|an?\s+)?",
    re.IGNORECASE,
)
_PREPOSITIONS = re.compile(r"\s+(?:at|by|in|to|for)\s+(?:the\s+)?", re.IGNORECASE)
_TAIL = re.compile(
    r"\s*(?:\b(?:camera[- ]ready|oral|poster|spotlight|main|conference|track|long|short|paper|version|accepted|final|highlight"
    r"|proceedings|findings)\b\s*)+$",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"[A-Z][A-Za-z]{0,7}[A-Z][A-Za-z]{0,9}")


def venue_in_comment(venue: str, comment: str) -> str | None:
    """Give the clause of a comment that says that the paper appeared in a venue, or None."""
    for clause in _CLAUSE.split(comment[:_LONGEST]):
        said = " ".join(clause.split())
        if not said or _NOT_IT.search(said) or (is_workshop(said) and not is_workshop(venue)):
            continue
        if _names(venue, said):
            return said
    return None


def _names(venue: str, said: str) -> bool:
    words = container_words(venue)
    if len(words) == 1 and any(container_words(token) == words for token in _ACRONYM.findall(said)):
        return bool(_ACRONYM.search(venue))
    after = _LEAD.sub("", said, count=1)
    ends = [after, *(_PREPOSITIONS.split(after)[-1:]), *([said] if after == said else [])]
    names = {name for end in ends for name in (end, _TAIL.sub("", end)) if container_words(name)}
    return any(same_container(venue, [name]) for name in names)
