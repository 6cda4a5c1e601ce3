"""What the words beside an identifier claim about it: ``Roe et al., 2020, doi:…``, a link whose words are a title."""

from __future__ import annotations

from showable.read.references.found import FoundReference
from showable.read.references.link_words import authors_in, names_no_work
from showable.read.references.links_in_text import Link
from showable.records.record import Reference
from showable.records.regex import regex

_AUTHOR_YEAR = regex(
    r"(?P<first>(?:(?:van|von|de|der|den|la|al)\s){0,3}[A-Z][\w'’-]+)(?:(?P<et_al>,?\set\sal\.?)|\s(?:and|&)\s(?P<second>(?:(?:van|von|de|der)\s){0,3}[A-Z][\w'’-]+))"
    r"['’]?s?,?\s\(?(?P<year>(?:19|20)\d\d)[a-z]?\)?[\s,;:.(\[]{0,4}$"
)
_REACH = 90
_FEWEST_WORDS, _FEWEST_SENTENCE_CASE = 4, 6
_NO_TITLE = regex(
    r"(?i)(?:an?|the|this|these|that|those|see|read|view|click|here|in|on|at|from|according|our|their|its|his|her|recent|study|studies|trial|paper|article|"
    r"link|source|full|available|download|open|pdf|report(?:ed)?|research|researchers|published|by|as|for|more|learn|visit|check|both|one|two|three|several|many|we|they|it)\b"
)
_TELLS = regex(
    r"(?i)\b(?:found|finds|shows?|showed|reports?|reported|suggests?|suggested|concluded|et al|colleagues|published|guidelines? here|this (?:study|paper|trial)|(?:19|20)\d\d (?:study|trial|paper|review|meta))\b"
)
_SMALL = frozenset("a an the of for with on in to from by and or nor but as at via vs vs. is are into per not".split())  # noqa: SIM905
_TITLES_HEAD = regex(
    r"(?i)[*_ ]*(?:titles?|papers?|articles?|works?|publications?|studies|study|preprints?|references?)[*_ ]*"
)
"""The head of a column whose cells are titles."""
_LONGEST_TABLE = 5_000
_QUOTES = ("“”", '""', "‘’", "«»")


def claimed_beside(text: str, one: FoundReference, link: Link | None) -> FoundReference:
    """Add to an identifier what is claimed of it: authors and year right before it, or what a link's words are.

    Words are a title only where they can hardly be anything else: a sentence such as "the 2021 trial" is none,
    and taking it for one would accuse a true citation.
    """
    fields = dict(one.reference.fields)
    label = authors_in(link.label) if link is not None else {}
    fields = label | fields
    if (link is not None and not label and (title := title_in(link.label))) or (
        (link is None or not link.label) and (title := _title_in_row(text, one.full[0]))
    ):
        fields.setdefault("title", title)
    floor = max(0, one.full[0] - _REACH)
    before = _AUTHOR_YEAR.search(text[floor : one.full[0]])
    if before is not None and not {"authors", "year"} & fields.keys():
        fields["authors"] = "; ".join(name for name in (before["first"], before["second"]) if name)
        fields["year"] = before["year"]
        if before["et_al"]:
            fields["et_al"] = "yes"
    if fields == one.reference.fields:
        return one
    kept = Reference(kind=one.reference.kind, text=one.reference.text, fields=fields)
    return FoundReference(kept, one.span, one.full, one.antecedent, one.group)


def _title_in_row(text: str, at: int) -> str:
    """Return the title in the row of a table that an identifier stands in: the cell under a head that says so, or nothing."""
    lines = text[max(0, at - _LONGEST_TABLE) : at].split("\n")
    row = head = lines.pop()
    while lines and "|" in row and "|" in lines[-1]:
        head = lines.pop()
    titled = [number for number, cell in enumerate(_cells(head)) if _TITLES_HEAD.fullmatch(cell)]
    cells = _cells(row)
    return title_in(cells[titled[0]]) if len(titled) == 1 and titled[0] < len(cells) - 1 else ""


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().removeprefix("|").split("|")]


def title_in(label: str) -> str:
    """Return the title that a link's words are, or nothing where they may be a sentence's own words."""
    words = label.split()
    if len(words) < _FEWEST_WORDS or "://" in label:
        return ""
    quoted = label[0] + label[-1] in _QUOTES
    label = label.strip('“”"‘’«» .,')
    if quoted:
        return label
    if not label[:1].isupper() or _NO_TITLE.match(label) or _TELLS.search(label) or names_no_work(label):
        return ""
    weighty = [word for word in words if word.lower() not in _SMALL]
    capital = sum(not word[0].islower() for word in weighty)
    if capital >= 0.8 * len(weighty) or len(words) >= _FEWEST_SENTENCE_CASE:
        return label
    return ""
