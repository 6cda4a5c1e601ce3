"""What the words of a link say of the work that it leads to: its authors and year, or its year alone."""

from __future__ import annotations

from showable.read.references.entry_titles import is_venue
from showable.records.regex import regex

_NAME = r"(?:[A-Z]\.[\s-]?){0,3}(?:(?:van|von|de|der|den|la|al|del|di)\s){0,3}[A-Z][\w'’-]*[a-z][\w'’-]*(?:,?\s(?:[A-Z]\.\s?){1,3}|\s[A-Z]{1,3}(?![\w.]))?"
_AUTHORS_YEAR = regex(
    rf"(?P<open>\()?(?P<names>{_NAME}(?:,?\s(?:and|&)\s{_NAME}|,\s{_NAME}){{0,9}})(?P<et_al>,?\set\sal\.?)?"
    r"(?P<apart>,\s|\s\(|,\s\(|\s)(?P<year>(?:19|20)\d\d)[a-z]?\)?"
)
_BETWEEN = regex(rf",?\s(?:and|&)\s|,\s(?={_NAME})")
_INITIALS = regex(r"\s(?:[A-Z]\.\s?){1,3}$|\s[A-Z]{1,3}$|^[A-Z]\.")
_SUBJECT = regex(
    r"(?i)\b(?:acta|aging|ageing|behaviou?r|biology|blood|body|bone|brain|cancer|cell|chemistry|child|cognition|culture|diabetes|disease|"
    r"ecology|economy|education|energy|environment|evolution|family|food|fuel|gender|gut|health|heart|history|joint|kidney|language|law|"
    r"learning|liver|lung|medicine|memory|metabolism|mind|nature|neuron|nutrition|obesity|pain|plant|policy|politics|psychology|safety|"
    r"science|sleep|society|soil|space|technology|therapy|thorax|time|vaccine|water)s?\b"
)
"""Words of which names of journals are made, as ``Brain and Behavior`` and ``Gut & Liver`` are."""
_DATED = regex(
    r"(?:[,(]\s*|\s(?=[A-Z][a-z]{2,8}\.?\s))(?:\d{1,2}\s)?(?:[A-Z][a-z]{2,8}\.?\s(?:\d{1,2},\s)?)?(?:19|20)\d\d\)?$"
)
_PERIODICAL = regex(
    r"\b(?:Journal|Proceedings|Conference|Transactions|Annals|Archives|Symposium|Workshop|Bulletin|Letters)(?:\s(?:of|on|for)\b|$)"
)


def authors_in(label: str) -> dict[str, str]:
    """Read a link's words as authors and year: ``Roe & Li (2020)``, ``Roe et al., 2020``. Empty where they are neither.

    A single word before a year may be a journal or a report (``Pediatrics, 2019``), and so may two that journals
    are named by: there the year alone is claimed. ``PRISMA 2020`` and ``Windows 2000`` claim nothing.
    """
    match = _AUTHORS_YEAR.fullmatch(label)
    if match is None:
        return {}
    names = [name.strip() for name in _BETWEEN.split(match["names"])]
    listed = len(names) > 1 and (" and " in match["names"] or "&" in match["names"])
    if match["et_al"] or all(_INITIALS.search(name) for name in names) or (listed and not _SUBJECT.search(label)):
        told = {"authors": "; ".join(names), "year": match["year"]}
        return told | {"et_al": "yes"} if match["et_al"] else told
    return {"year": match["year"]} if match["open"] or match["apart"] != " " else {}


def names_no_work(label: str) -> bool:
    """Check whether a link's words are a date or the name of a journal or a conference, rather than a title."""
    return _DATED.search(label) is not None or (_PERIODICAL.search(label) is not None and is_venue(label))
