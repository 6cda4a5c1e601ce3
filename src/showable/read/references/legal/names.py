"""The name of a case, read backwards from its citation: the defendant, the ``v.``, and as much as is the plaintiff's.

No more is read than stands between the previous citation and this one, within its paragraph. Where the words before
a citation are no name, none is given.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from showable.read.references.legal import name_words as words_of
from showable.read.references.legal.dates import YEAR
from showable.read.references.legal.plaintiffs import BARE, WORD, is_abbreviation, is_odd, plaintiff_start
from showable.records.regex import regex

_LOOK_BACK = 360
_LONGEST = 240
_VERSUS = regex(r"(?<![\w'./])(?:(?:v|vs|V|VS|Vs)\.(?= ?\S)|(?:v|vs|V|-v-|versus)(?= \S)) ?")
_KINDS = (
    r"In (?:the )?(?:re|Re|RE|Matter of|Interest of|Estate of|Marriage of)\b:?|IN RE\b:?|In Re:|Ex [Pp]arte\b|EX PARTE\b|Re\b(?!:)|"
    r"(?:The )?(?:Matter|MATTER|Estate|ESTATE|Marriage|Guardianship|Conservatorship|Adoption|Application|Petition|Appeal|Succession|Custody|Interest|Dissolution|Parentage|Paternity) (?:of|OF)\b"
)
_PROCEDURE = regex(rf"(?<![\w'])(?:(?:{_KINDS}) ?)+(?=\S)")
_TRAIL = regex(
    rf"(?:\](?:\([^()\s]{{0,200}}\))?)?[\"']*+(?:,? ?[(\[](?P<year>{YEAR})[)\]])?[,:;]?[\"']*+(?: ?(?:-|—|\|))?(?: ?[(\[])?(?:,? ?slip op\.,?)? ?[\"']*$"
)
_SENTENCE = regex(r"[.?!][\"')\]]* (?=[A-Z\"'(\[])")
_HEADING = regex(
    r".*(?<!\w)(?:TABLE OF (?:AUTHORITIES|CASES|CONTENTS)|Table of (?:Authorities|Cases)|ARGUMENT|INTRODUCTION|BACKGROUND|DISCUSSION|CONCLUSION|LEGAL STANDARD|AUTHORITIES)"
    r"[ :]+(?:(?:CASES|Cases|PAGE(?:S|\(S\))?|Pages?(?:\(s\))?)[ :]+){0,2}",
    re.DOTALL,
)
_LEADERS = regex(r".*(?:\.{3,}|(?:\. ){3,}|…)[ 0-9,ivx]*", re.DOTALL)
_SOLE = regex(
    r"(?:^|[;(]|\b(?:[Ss]ee(?: also)?|[Cc]f\.|[Aa]ccord|[Cc]iting|[Qq]uoting|e\.g\.|[Cc]ompare|[Ww]ith|[Cc]ontra|[Aa]lso),?) ?"
    r"(?P<name>(?:(?:The )?[A-Z][\w'&.-]*|Cases)(?: (?:of|the|and|&|[A-Z][\w'&.-]*)){0,7})$"
)
_FAMOUS = regex(
    r"(?:^|[^\w.]) ?(?P<name>The [A-Z][\w'-]*(?: [A-Z][\w'-]*){0,3}|(?:The )?(?:[A-Z][\w'-]* ){1,5}Cases?)$"
)


@dataclass(frozen=True, slots=True)
class CaseName:
    """A name with its place in the folded text, and the year where one stands after it (California style)."""

    start: int
    end: int
    plaintiff: str | None = None
    defendant: str | None = None
    name: str | None = None
    year: str | None = None

    @property
    def fields(self) -> dict[str, str]:
        """The fields of a reference that the name fills."""
        both = {"plaintiff": self.plaintiff, "defendant": self.defendant, "case_name": self.name}
        return {key: value for key, value in both.items() if value}


def read_name(text: str, floor: int, start: int) -> CaseName | None:
    """Read the name that ends right before `start`, looking back no further than `floor`."""
    low = max(floor, start - _LOOK_BACK)
    low = max(low, text.rfind("\n", low, start) + 1)
    for boundary in (_LEADERS, _HEADING):
        passed = boundary.match(text[low:start])
        low += passed.end() if passed else 0
    before = text[low:start]
    trail = _TRAIL.search(before)
    end = trail.start() if trail else len(before)
    year = trail["year"] if trail else None
    before = before[:end].rstrip(" ,")
    found = _adversaries(before) or _procedural(before) or _sole(before)
    if found is None:
        return CaseName(low + end, low + end, year=year) if year else None
    return CaseName(low + found.start, low + found.end, found.plaintiff, found.defendant, found.name, year)


def _adversaries(before: str) -> CaseName | None:
    marks = [mark for mark in _VERSUS.finditer(before) if _is_versus(before, mark)]
    if not marks:
        return None
    versus = marks[-1]
    end = _name_end(before, versus.end())
    procedure = _last_procedure(before)
    if end is None or (procedure and procedure.start() > versus.end() and _begins_anew(before, procedure.start())):
        return None
    start = plaintiff_start(before, versus.start())
    if start is None or end <= versus.end():
        return None
    plaintiff, defendant = _clean(before[start : versus.start()]), _clean(before[versus.end() : end])
    if not plaintiff or not defendant:
        return None
    return CaseName(start, end, plaintiff, defendant, f"{plaintiff} {versus[0].strip()} {defendant}")


def _is_versus(before: str, mark: re.Match[str]) -> bool:
    """Take ``v`` without its stop only between capitals: ``People v Smith``."""
    following = before[mark.end() : mark.end() + 1]
    ahead = before[: mark.start()].rstrip()
    if not ahead or not following:
        return False
    if "." in mark[0]:
        return True
    word = ahead.split()[-1]
    ends = ahead[-1] in ").'" or word[:1].isupper() or word[:1] in "([\"'" or word.lower() in words_of.SUFFIXES
    return ends and (following.isupper() or following.isdigit() or following in "\"'(")


def _last_procedure(before: str) -> re.Match[str] | None:
    last = None
    for match in _PROCEDURE.finditer(before):
        last = match
    return last


def _begins_anew(before: str, start: int) -> bool:
    """Check whether ``In re`` begins another name, and is not part of the defendant's: ``Doe v. Estate of Roe``."""
    return re.search(r"(?:[;,:.]|\band|\bor|\bin|\bsee)\s?$", before[:start], re.IGNORECASE) is not None


def _name_end(before: str, start: int) -> int | None:
    """Return where the second party ends: at the end, or where only linking words stand between; None where prose does."""
    if len(before) - start > _LONGEST or ";" in before[start:]:
        return None
    for stop in _SENTENCE.finditer(before, start):
        word = before[: stop.start() + 1].rsplit(maxsplit=1)[-1]
        if not is_abbreviation(word, alone=len(before[start : stop.start()].split()) <= 1):
            return None
    depth = 0
    for match in WORD.finditer(before, start):
        depth += match[0].count("(") - match[0].count(")")
        bare = BARE.sub("", match[0])
        if depth <= 0 and bare[:1].islower() and bare not in words_of.CONNECTORS and not is_odd(bare):
            cut = before[start : match.start()].rstrip(" ,(").removesuffix(" the").removesuffix(" a").rstrip(" ,(")
            return start + len(cut) if _links(before[start + len(cut) :]) and cut else None
    return len(before)


def _links(between: str) -> bool:
    words = [BARE.sub("", word).lower() for word in between.split()]
    return all(word in words_of.LINKS or word.isdigit() or not word for word in words)


def _procedural(before: str) -> CaseName | None:
    """``In re X``, ``Ex parte X``, ``Estate of X``."""
    match = _last_procedure(before)
    if match is None:
        return None
    end = _name_end(before, match.end())
    if end is None or end <= match.end() or not _begins_name(before[match.end() :]):
        return None
    return CaseName(match.start(), end, name=_clean(before[match.start() : end]))


def _begins_name(words: str) -> bool:
    bare = words.lstrip("\"'([")
    return bare[:1].isupper() or bare[:1].isdigit() or bare.startswith(("the ", "de ", "von ", "van "))


def _sole(before: str) -> CaseName | None:
    """``The Paquete Habana``, ``Slaughter-House Cases``; ``See Twombly``, where a signal or a bracket shows that it begins there."""
    match = _FAMOUS.search(before) or _SOLE.search(before)
    if match is None:
        return None
    name = match["name"].strip()
    while name.partition(" ")[0].lower().strip(".,") in words_of.LEADS - {"the"} and " " in name:
        name = name.partition(" ")[2]
    first, last = name.split()[0].lower().strip("."), name.split()[-1].lower().strip(".")
    if first in words_of.NOT_A_NAME or first in words_of.LEADS - {"the"} or last in words_of.NOT_A_NAME - {"states"}:
        return None
    if first == "the" and last in words_of.GENERIC - {"case", "cases"}:
        return None
    end = match.start("name") + len(match["name"].rstrip())
    return CaseName(end - len(name), end, name=_clean(name))


def _clean(name: str) -> str:
    return " ".join(name.split()).strip(' ,;:"').rstrip("'[(").removeprefix("[").strip(" ,")
