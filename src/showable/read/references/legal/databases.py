"""Numbers of the two legal databases, and docket numbers (Bluebook rules 10.8.1 and 10.9)."""

from __future__ import annotations

import re

from showable.read.references.legal.cite import Cite
from showable.records.regex import regex

_BEFORE = r"(?<![\w$€£.,/-])"
_WESTLAW = regex(
    rf"{_BEFORE}(?P<year>1[6-9][0-9]{{2}}|20[0-9]{{2}}) ?W\.? ?L\.? ?(?P<number>[0-9]{{1,12}})(?![0-9A-Za-z])"
)
_LEXIS = regex(
    rf"{_BEFORE}(?P<year>1[6-9][0-9]{{2}}|20[0-9]{{2}}) (?P<series>(?:(?:[A-Z][A-Za-z.']{{0,19}}|\([A-Z0-9a-z]{{1,4}}\)|[1-9](?:st|d|nd|rd|th)\.?|&) ){{0,8}}?)"
    r"(?P<lexis>LEXIS|Lexis|LexisNexis)(?: \(?[A-Z]{2,4}\)?)? (?P<number>[0-9]{1,12})(?![0-9A-Za-z])"
)
_DISTINCT = r"[0-9]{1,2}:[0-9]{2,4}-?(?:cv|cr|bk|mc|mj|ap|md|ms|po|sw|gj|misc|CV|CR|BK|MC|MJ|AP|MD|Civ|civ|Cv|Cr|crim|CRIM|CIV)-?[0-9]{2,6}(?:-[A-Za-z0-9()]{1,8}){0,5}"
_FEDERAL = r"[0-9]{2,4}[- ](?:cv|cr|bk|mc|mj|ap|md|ms|civ|crim|CV|CR|BK|MC|MJ|AP|MD|CIV|CRIM|Cv|Cr|Civ\.?|Cr\.?|Crim\.?)[- ][0-9]{1,6}(?:-[A-Za-z0-9()]{1,8}){0,4}(?: \([A-Z]{2,4}\)){0,3}"
_LETTERED = (
    r"(?:C|CV|CR|CIV|Civ\.?|A|M|SA|S|B|G|H|D|E|F|L|MD|BK)\.?[ -]?[0-9]{2,4}[-A-Z]{1,4}[0-9]{1,7}(?:-[A-Z0-9]{1,6}){0,3}(?: [A-Z]{2,4})?"
    r"|[A-Z][0-9]{5,7}|[A-Z]-[0-9]-[A-Z]{2}-[0-9]{2}-[0-9]{4,6}"
)
_HYPHENATED = r"[0-9]{1,4}-[A-Z]{1,4}-?[0-9]{1,7}(?:-[A-Z0-9]{1,6}){0,3}|[0-9]{2}-[0-9]{2}-[0-9]{3,6}-[A-Z]{2}|[0-9]{2,4}-[0-9]{1,7}(?:-[A-Za-z0-9]{1,6}){0,3}|[0-9]{4,8}/[0-9]{2,4}"
_PLAIN = r"[0-9]{3,9}"
_NUMBER = rf"(?:{_DISTINCT}|{_FEDERAL}|{_LETTERED}|{_HYPHENATED})"
_LABEL = (
    r"(?:(?:Case|Civil Action|Civ\. ?A(?:ct(?:ion)?)?\.?|Civil Case|Civil|Civ\.|Criminal(?: Case| Action)?|Crim\.|Cr\.|Docket|Dkt\.|Adv\.(?: Proc\.| Pro\.)?|Adversary(?: Proceeding)?|"
    r"Index|Cause|Appeal|App\.|Bankr\.|MDL|Action|Misc\.(?: Action)?|Civil Docket|Master File|Master Docket|C\.A\.|Consol\.)(?: |,)?)"
)
_LABELLED = regex(
    rf"(?<![\w.])(?:{_LABEL}{{1,2}}(?:Nos?\.?:?|#|Numbers?)? ?(?P<a>{_NUMBER})|{_LABEL}{{1,2}}(?:Nos?\.:?|#|Numbers?) ?(?P<b>{_PLAIN})|(?:Nos?\.|Nos?(?= [0-9])|#) ?(?P<c>{_NUMBER}))"
    r"(?![0-9A-Za-z/]|-[0-9A-Za-z]|[.,][0-9])"
)
_BARE = regex(rf"(?<![\w.:/-])(?P<a>{_DISTINCT})(?![0-9A-Za-z/])")
_MORE = regex(
    rf"(?:, ?(?:and |& ?)?| and | & )(?P<number>{_DISTINCT}|{_FEDERAL}|[0-9]{{2}}-[0-9]{{2,6}})(?![0-9A-Za-z/-]|[.,][0-9])"
)
_LOUISIANA = regex(
    r"(?<=, )(?P<a>[0-9]{2,4}-[0-9]{2,5})(?= \(La\. ?(?:App\. ?)?(?:[1-5](?:st|d|nd|rd|th)? Cir\. ?)?[0-9]{1,2}/)"
)
_ENTRY = regex(
    r"(?: \([A-Z]{2,4}\)){0,3},? (?:ECF|Dkt\.?|Doc\.?|D\.[IE]\.)(?: ?(?:Nos?\.?|#))? ?[0-9]{1,4}(?:-[0-9]{1,2})?(?![0-9A-Za-z/]|-[0-9A-Za-z]|[.:][0-9])"
    r"(?:(?:, ?(?:and )?| & | and |-)[0-9]{1,4}(?![0-9A-Za-z/-]|[.:][0-9]| [A-Z])){0,5}"
    r"|(?: \([A-Z]{2,4}\)){1,3}(?= \([^()]{0,60}[0-9]{4}\))"
)
"""What was filed under a docket number, by its own number (``, ECF No. 21``, ``, Dkt. 21-3``); a judge's initials before the court."""
_MOST = 20
_LONGEST_WESTLAW = 8
_FRONT = regex(
    r"(?:^|[\n,.;:()\[\]\"—]|(?<!\w)(?:in|see|under|and|at|also|by|of|is|to|cf\.|docketed as|captioned))\s?$",
    re.IGNORECASE,
)
_NOT_OF_A_COURT = regex(
    r"(?:Rep|Order|Reg|Release|Op|Bill|Res|Doc|Law|Proclamation|Bulletin|Circular|Notice|Patent|L|Opinion|Directive|Ex|ECF|Entry|Filing|Part|Model|Item|Form|Serial|Invoice|Ref|Account|Policy|Phone|Tel|Fax|Study|Protocol|Lot|Batch)\.?,? ?$"
)
_LOOK_BACK = 24


def find_databases(text: str) -> list[Cite]:
    """Find WL and LEXIS numbers in folded text, in no order."""
    found: list[Cite] = []
    if "W" in text and "L" in text:
        found.extend(_westlaw(match) for match in _WESTLAW.finditer(text))
    if "LEXIS" in text or "Lexis" in text:
        for match in _LEXIS.finditer(text):
            fields = {"year": match["year"], "number": match["number"]}
            series = match["series"].strip()
            found.append(Cite("lexis", *match.span(), fields | ({"series": series} if series else {})))
    return found


def _westlaw(match: re.Match[str]) -> Cite:
    """Note a number that cannot be: they are counted within a year, which has never had a hundred million."""
    fields = {"year": match["year"], "number": match["number"]}
    if len(match["number"]) > _LONGEST_WESTLAW:
        fields["malformed"] = f"a WL number has at most {_LONGEST_WESTLAW} digits, this one {len(match['number'])}"
    return Cite("westlaw", *match.span(), fields)


def find_dockets(text: str) -> list[Cite]:
    """Find docket numbers in folded text, in no order; several under one label are one reference.

    ``2:20-cv-1882`` is one by itself; ``No. 18-13694`` is one unless the word before says that it numbers something
    else (an invoice, a committee report, an order). What was filed under a number (``, Dkt. No. 210``) is none.
    """
    found = [
        _docket(text, match, match["a"] or match["b"] or match["c"])
        for match in _LABELLED.finditer(text)
        if match["c"] is None or _stands_alone(text, match.start()) or re.fullmatch(_DISTINCT, match["c"])
    ]
    if ":" in text:
        found.extend(_docket(text, match, match["a"]) for match in _BARE.finditer(text))
    if "La." in text:
        found.extend(_docket(text, match, match["a"]) for match in _LOUISIANA.finditer(text))
    filed = {at for cite in found for at in range(cite.end, past_entry(text, cite.end))}
    return [cite for cite in found if cite.start not in filed]


def past_entry(text: str, at: int) -> int:
    """Step over what stands between a docket number and its court: the entry that is cited, a judge's initials."""
    entry = _ENTRY.match(text, at)
    return entry.end() if entry else at


def _docket(text: str, match: re.Match[str], number: str) -> Cite:
    numbers, end = [number.strip(" .")], match.end()
    while len(numbers) < _MOST:
        more = _MORE.match(text, end)
        if more is None:
            break
        numbers.append(more["number"])
        end = more.end()
    return Cite("docket", match.start(), end, {"number": "; ".join(numbers)})


def _stands_alone(text: str, start: int) -> bool:
    before = text[max(0, start - _LOOK_BACK) : start]
    return _FRONT.search(before) is not None and _NOT_OF_A_COURT.search(before) is None
