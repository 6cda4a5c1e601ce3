"""Citations by shape whose reporter nobody knows: kept as such, so that an invented reporter is seen and not dropped.

The shape alone says little (``5 Main Street 12``, ``12 Jan. 2005``), so it is read where something beside it says that a
case or an article is cited: a name before it, a court and a year after it, or a reporter of several abbreviated words.
"""

from __future__ import annotations

import re

from showable.read.references.legal.cite import Cite
from showable.read.references.legal.dates import YEAR
from showable.records.regex import regex

_WORD = (
    r"(?:[A-Z][A-Za-z'&]{0,14}\.?|[2-9](?:d|nd|rd|th)|&|of|the|and|\((?:[A-Z][A-Za-z.]{0,8}|[1-9](?:st|d|nd|rd|th))\))"
)
_SHAPE = regex(
    rf"(?<![\w$€£%])(?<![0-9][.,/:-])(?P<volume>[1-9][0-9]{{0,3}}) (?P<reporter>(?=[A-Z]){_WORD}(?:(?: |(?<=\.)){_WORD}){{0,7}}?),? (?P<page>[1-9][0-9]{{0,5}})(?![0-9A-Za-z%]|[.,:/-][0-9])"
)
_NAME_BEFORE = regex(
    r"(?:(?<!\w)(?:v|vs)\.? [^;\n]{1,120}|(?<!\w)(?:In re|Ex parte|Matter of) [^;\n]{1,120})(?:,|\)|[\"*]) ?$"
)
_YEAR_BEFORE = regex(rf"(?<!\w)(?:v|vs)\.? [^;\n]{{1,120}}\({YEAR}\),? ?$")
_COURT_AFTER = regex(
    rf"(?:,? ?(?:at )?[0-9]{{1,5}}(?:-[0-9]{{1,5}})?)? ?\((?:[A-Z0-9][\w.' ]{{0,40}}(?:Cir|Ct|App|Dist|D|Div|Supp|Ch|Super|Cal|[A-Z]\.)\.?[\w. ]{{0,20}}? )?(?:[A-Z][a-z]{{2,8}}\.? [0-9]{{1,2}}, )?{YEAR}\)"
)
_NEVER = regex(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|"
    r"Mon|Tue|Tues|Wed|Thu|Thurs|Fri|Sat|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|No|Nos|Vol|Vols|Fig|Figs|Figure|Tab|Table|Sec|Section|Art|Article|Ch|"
    r"Chapter|Part|Pt|App|Appendix|Ex|Exh|Exhibit|Ann|Annex|Note|Page|Pages|P\.M|A\.M|PM|AM|EST|PST|CST|MST|EDT|PDT|GMT|UTC|BC|AD|B\.C|A\.D|BCE|CE|USD|EUR|GBP|"
    r"St|Street|Ave|Avenue|Rd|Road|Blvd|Boulevard|Lane|Ln|Drive|Court Street|Way|Suite|Apt|Unit|Floor|Room|Box|Route|Hwy|Highway|Mr|Mrs|Ms|Dr|Prof|Inc|Co|Ltd|LLC|Corp|"
    r"Days?|Weeks?|Months?|Years?|Hours?|Minutes?|Patients?|People|Members|Items?|Step|Phase|Type|Grade|Version|Windows|Act|Stat|Laws|Cong|Sess|Rep|H\.R|S\.J|Res)",
    re.IGNORECASE,
)
_STREET = regex(
    r"\b(?:Street|Avenue|Road|Boulevard|Lane|Drive|Suite|Apt|Floor|Square|Plaza|Terrace|Highway|Place|Parkway|St|Ave|Rd|Blvd|Dr|Pkwy|Hwy)\b"
)
_JOURNAL = regex(r"\b(?:L\. ?(?:Rev|J|Q|F)\b|J\. ?L\b|L\.J|Law (?:Review|Journal|Quarterly)|J\.)")
_ABBREVIATED = regex(r"[A-Z][A-Za-z']*\.")
_LOOK_BACK = 150
_FIRST_YEAR, _LAST_YEAR = 1600, 2100


def find_unknown(text: str) -> list[Cite]:
    """Find citations of reporters that are in no list, in folded text, in order of place."""
    found: list[Cite] = []
    for match in _SHAPE.finditer(text):
        if not _is_citation(text, match):
            continue
        fields = {"volume": match["volume"], "reporter": match["reporter"], "page": match["page"]}
        if _JOURNAL.search(match["reporter"]):
            fields["journal"] = fields.pop("reporter")
            found.append(Cite("law_journal", *match.span(), fields))
        else:
            found.append(Cite("case", *match.span(), fields | {"reporter_known": "no"}))
    return found


def _is_citation(text: str, match: re.Match[str]) -> bool:
    reporter = match["reporter"]
    words = reporter.split()
    if _NEVER.fullmatch(words[0].strip(".")) or _STREET.search(reporter) or words[-1] in {"of", "the", "and", "&"}:
        return False
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    before = before.rpartition("\n")[2]
    named = (
        _NAME_BEFORE.search(before) and not re.search(r"[a-z]{4,}\. [A-Z]", before.rpartition("v.")[2])
    ) or _YEAR_BEFORE.search(before)
    dated = _COURT_AFTER.match(text, match.end())
    if named:
        return True
    if not any(char == "." or char.isdigit() for char in reporter) and not reporter.isupper():
        return bool(dated) and _ends_a_clause(before) and len(words) <= len("of a") and not _is_year(match["volume"])
    several = len(_ABBREVIATED.findall(reporter)) > 1 or any(char.isdigit() for char in reporter)
    if _is_year(match["volume"]):
        return bool(dated) and several
    return bool(dated) or (
        several and not _JOURNAL.search(reporter) and _all_abbreviated(words) and _alone(text, match)
    )


def _all_abbreviated(words: list[str]) -> bool:
    return all(word.endswith(".") or word == "&" or any(char.isdigit() for char in word) for word in words)


def _ends_a_clause(before: str) -> bool:
    return (
        not before.rstrip()
        or before.rstrip()[-1] in ",;("
        or re.search(r"\b(?:[Ss]ee|[Cc]iting|[Qq]uoting|[Cc]f\.)\s*$", before) is not None
    )


def _alone(text: str, match: re.Match[str]) -> bool:
    """Check whether nothing beside it makes it a count or an address: it ends its clause."""
    following = text[match.end() : match.end() + 2]
    return not following or following[0] in ",.;:)]\"'\n" or following in {" (", " ["}


def _is_year(volume: str) -> bool:
    return _FIRST_YEAR <= int(volume) <= _LAST_YEAR
