"""Marks by which a line is law and no work: sections, committee reports, restatements, codes, orders.

Their parts stand where those of a paper do (``S. Rep. No. 94-1476, at 5 (1976)`` looks like a name, a title, a volume
and a year), so that a reading of them as a paper would be looked up where they cannot be.
"""

from __future__ import annotations

from showable.records.regex import regex

_WORKS_ALONE = ("doi", "pmid", "pmcid", "arxiv", "isbn")
_HEAD = regex(
    r"(?:S|H\. ?R|H|Sen|House|Senate)\.? (?:Exec\. )?(?:Rep|Doc|Res|Con\. Res|Conf\. Rep|J\. Res|Comm\. Print|Report|Document)\.? (?:No\. )?[0-9]"
    r"|Restatement\b(?=.{0,60}(?:§|\(?(?:First|Second|Third|Fourth)\b))|(?:Exec|Executive)\.? Order\b|Proclamation (?:No\. )?[0-9]"
    r"|(?:U\. ?S|[A-Z][a-z]{1,5})\. Const\.|Treas\. Reg\.|Rev\. (?:Rul|Proc)\.|(?:S|H\. ?R)\. [0-9]{1,5}, [0-9]{1,3}(?:st|d|nd|rd|th) Cong\."
    r"|(?:[A-Z][A-Za-z.]*,? )?No\. [0-9]{1,4}-[0-9]{1,5}\b"
)
"""What a citation of this kind begins with; what follows needs no reading."""
_WITHIN = regex(
    r"§ ?§? ?[0-9IVX]|(?<!\w)[0-9]{1,3} (?:U\. ?S\. ?C\.|C\. ?F\. ?R\.|Fed\. Reg\.|Stat\.|Cong\. Rec\.) ?[§0-9]|\bNo\. [0-9]{2,3}-[0-9]{1,5}, at [0-9]"
    r"|\b(?:[0-9]{2,3}(?:st|d|nd|rd|th) Cong\.|Cong\. Rec\.|Pub\. L\.(?: No\.)? [0-9]|Op\. Att'y Gen\.)"
)
_PARTS_OF_A_PAPER = ("authors", "title", "container", "volume", "pages", "year")


def is_law(line: str, fields: dict[str, str]) -> bool:
    """Check whether an entry read as `fields` is a code, a report, a restatement or an order rather than a work.

    One with an identifier that only works have is a work, and so is one whose sign stands in its title and whose
    other parts are all there: papers are written about sections of codes. (Forms of The Bluebook, rules 11 to 14.)
    """
    if any(fields.get(name) for name in _WORKS_ALONE):
        return False
    if _HEAD.match(line):
        return True
    if _WITHIN.search(line) is None:
        return False
    whole = all(fields.get(name) for name in _PARTS_OF_A_PAPER)
    return not (whole and _WITHIN.search(fields["title"]) and "§" not in fields["container"] + fields["authors"])
