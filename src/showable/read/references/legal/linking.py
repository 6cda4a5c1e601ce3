"""Completes citations in order of place: parallel groups, dockets, names before, pins and dates after, later history."""

from __future__ import annotations

import re

from showable.read.references.legal.after import read_court, read_date, read_pin
from showable.read.references.legal.cite import NAMED_CASES, Cite
from showable.read.references.legal.courts import court_id
from showable.read.references.legal.databases import past_entry
from showable.read.references.legal.dates import YEAR
from showable.read.references.legal.journals import complete_article
from showable.read.references.legal.names import CaseName, read_name
from showable.read.references.legal.reporters import court_of_reporter, settle_edition
from showable.records.regex import regex

_BETWEEN_PARALLEL = regex(r",? ?\[?(?:reprinted in )?|; ?(?=$)")
_AFTER_DOCKET = regex(r"(?: \([^()\n]{2,80}\))?(?:,? (?:slip op\.?|[A-Z]{2,4}(?![A-Za-z])|\([A-Z]{2,4}\)))*+,? ?")
"""Between a docket number and the citation it belongs to: a judge's initials, ``slip op.``, a court and date."""
_TELLS = (
    r"aff'd|affirmed|aff'g|affirming|rev'd|reversed|rev'g|reversing|vacated|vacating|modified|remanded|enforced|enf'd|"
    r"cert(?:\.|iorari) (?:denied|granted|dismissed)|appeal (?:dismissed|denied|docketed)|reh'g (?:en banc )?(?:denied|granted)|"
    r"rehearing denied|review (?:denied|granted)|pet(?:\.|ition) (?:denied|filed)|on (?:remand|reh'g)"
)
_HISTORY = regex(
    rf"^[\s,;)\]]*+(?P<what>(?:(?:{_TELLS}|mem\.|per curiam|on other grounds|in part|and|as modified|judgment|granting|denying)(?:[\s,.]|\bby\b|\bto\b)*+)++)"
    r"(?P<sub>sub nom\.?,? (?P<name>.+))?$"
)
_TOLD = regex(_TELLS)
_OTHER_CASE = regex(r"\b(?:overruled|abrogated|disapproved|called into doubt|superseded by statute)\b")
_JOIN = regex(
    r"[)\].]{0,3}\s*(?:[;,]|(?:,|;)? ?(?:and|or|&))\s*(?:(?:see|but|cf\.?|accord|also|e\.g\.|contra|compare|with|and|generally|cert)[\s,]*){0,5}$",
    re.IGNORECASE,
)
_MORE_PIN = regex(
    r"-\*?[0-9]{1,7}(?: ?nn?\.? ?[0-9]{1,4})?|(?:, ?| & ?)[0-9]{1,5}(?:-[0-9]{1,5})?(?=[,.;)]| [(\[]|$)| ?nn?\.? ?[0-9]{1,4}"
)
_SHORT_NAME = regex(
    r"(?:(?<=^)|(?<=[\s(\"\[]))(?P<name>[A-Z][\w'&.-]*(?: (?:of|the|and|&|[A-Z][\w'&.-]*)){0,7})\"?, ?\"?$"
)
_SIGNALS = regex(
    r"^(?:(?:See(?: also)?|Cf\.|Accord|But see|But|Citing|Quoting|Contra|Compare|With|In|And|Under|As|E\.g\.),? )+"
)
_ROOM = 420
_LONGEST_PARENTHETICAL = 1500


def complete(text: str, cites: list[Cite]) -> list[Cite]:
    """Return the citations with all their fields; those that are part of another (its docket) are gone."""
    floor, at = 0, 0
    top: Cite | None = None
    kept: list[Cite] = []
    while at < len(cites):
        group, at = _group(text, cites, at)
        limit = min(cites[at].start if at < len(cites) else len(text), group[-1].end + _ROOM)
        if group[0].kind in NAMED_CASES:
            _complete_case(text, floor, group, limit, top)
        elif group[0].kind == "law_journal":
            complete_article(text, floor, group[0], limit)
        elif group[0].kind == "case_short":
            _complete_short(text, floor, group, limit)
        members = group[1:] if group[0].kind == "docket" and len(group) > 1 else group
        _place(text, members, top, floor)
        kept.extend(members)
        top = top if members[0].nested else members[0]
        floor = max(floor, *(cite.full_end for cite in group))
    return kept


def _group(text: str, cites: list[Cite], at: int) -> tuple[list[Cite], int]:
    """Take the citation at `at` with those that are parallel to it: nothing stands between but commas and pins."""
    group = [cites[at]]
    at += 1
    while at < len(cites) and _is_parallel(text, group, cites[at]):
        group.append(cites[at])
        at += 1
    return group, at


def _is_parallel(text: str, group: list[Cite], following: Cite) -> bool:
    last = group[-1]
    if last.kind == "docket":
        between = text[past_entry(text, last.end) : following.start]
        return following.kind in NAMED_CASES - {"docket"} and _AFTER_DOCKET.fullmatch(between) is not None
    both = {last.kind, following.kind}
    if not (both <= NAMED_CASES - {"docket"} or both == {"case_short"}):
        return False
    mine = [_series(cite) for cite in group]
    if _series(following) in mine:
        return False
    _, end = read_pin(text, last.end, following.start)
    return _BETWEEN_PARALLEL.fullmatch(text[end : following.start]) is not None


def _series(cite: Cite) -> str:
    return cite.fields.get("reporter") or cite.fields.get("court") or cite.kind


def _complete_case(text: str, floor: int, group: list[Cite], limit: int, previous: Cite | None) -> None:
    docket = group[0] if group[0].kind == "docket" else None
    members = group[1:] if docket and len(group) > 1 else group
    name = read_name(text, floor, group[0].start)
    own = dict(name.fields) if name else {}
    if docket and docket is not members[0]:
        own["docket"] = docket.fields["number"]
    own |= _history(text, floor, group[0].start, previous)
    end = _pins(text, members, limit)
    after = read_date(text, end, limit)
    if after.year is None and docket is not None:
        after = read_date(text, docket.end, members[0].start) if docket is not members[0] else after
        end = max(end, members[-1].end)
    court_text = after.court_text or _court_alone(text, end, limit)
    year = after.year or _year_in_place_of_pin(text, group[0].start, members[-1], end)
    own |= _court_and_date(name, year, after.date, court_text)
    start = name.start if name and name.name else group[0].start
    for cite in members:
        cite.full_start, cite.full_end = min(start, group[0].start), max(after.end, end)
        _fill(cite, own, members)


def _court_alone(text: str, at: int, limit: int) -> str | None:
    words = read_court(text, at, limit)
    return words if words and court_id(words) else None


def _year_in_place_of_pin(text: str, start: int, last: Cite, end: int) -> str | None:
    """``Miranda v. Arizona (384 U.S. 436, 1966)``: within brackets of its own what follows the page is the year."""
    pin = last.fields.get("pin", "")
    if text[max(0, start - 1) : start] != "(" or not text.startswith(")", end) or not re.fullmatch(YEAR, pin):
        return None
    return last.fields.pop("pin")


def _fill(cite: Cite, own: dict[str, str], members: list[Cite]) -> None:
    """Give one of a group what the group shares, and what its own reporter tells."""
    year = cite.fields.get("year")
    shared = dict(own)
    if cite.kind == "neutral_uk":
        shared.pop("court", None)
    if year and cite.kind in {"westlaw", "lexis", "neutral_uk"}:
        shared.pop("year", None)
        if own.get("year", year) != year:
            shared["year_after"] = own["year"]
    cite.fields |= shared
    settle_edition(cite)
    if "court_text" in cite.fields and "court" not in cite.fields:
        state = cite.fields.get("reporter", "").partition(" ")[0]
        cite.fields["court"] = court_id(f"{state} {cite.fields['court_text']}") or ""
    if cite.kind == "case" and "court" not in cite.fields:
        courts = (court_of_reporter(one.fields.get("reporter", ""), one.fields.get("volume", "")) for one in members)
        court = next((court for court in courts if court), None)
        if court and "court_text" not in cite.fields:
            cite.fields["court"] = court


def _court_and_date(
    name: CaseName | None, year: str | None, date: str | None, court_text: str | None
) -> dict[str, str]:
    found = {"year": year or (name.year if name else None), "date": date, "court_text": court_text}
    found["court"] = court_id(court_text) if court_text else None
    return {key: value for key, value in found.items() if value}


def _pins(text: str, members: list[Cite], limit: int) -> int:
    """Read the pin after each of a group; give where the last one ends, a closing bracket included."""
    end = members[-1].end
    for position, cite in enumerate(members):
        stop = members[position + 1].start if position + 1 < len(members) else limit
        at = past_entry(text, cite.end) if cite.kind == "docket" else cite.end
        pin, end = read_pin(text, at, stop)
        if pin:
            cite.fields["pin"] = pin
    return end + 1 if text.startswith("]", end) and len(members) > 1 else end


def _history(text: str, floor: int, start: int, previous: Cite | None) -> dict[str, str]:
    """Report that a citation tells what became of the case before it, whose name it then shares (Bluebook rule 10.7)."""
    if previous is None or previous.kind not in NAMED_CASES:
        return {}
    match = _HISTORY.match(text[floor:start].rstrip(" ,")) if start - floor < _ROOM else None
    if match is None or not _TOLD.search(match[0]) or _OTHER_CASE.search(match[0]):
        return {}
    found = {"history": " ".join(match["what"].split()).strip(" ,")}
    if match["sub"]:
        return found
    names = ("case_name", "plaintiff", "defendant")
    return found | {key: previous.fields[key] for key in names if key in previous.fields}


def _complete_short(text: str, floor: int, group: list[Cite], limit: int) -> None:
    name = read_name(text, floor, group[0].start)
    short = _short_name(text, floor, group[0].start)
    end = group[-1].end
    for position, cite in enumerate(group):
        stop = group[position + 1].start if position + 1 < len(group) else limit
        more = _MORE_PIN.match(text, cite.end, stop)
        if more:
            cite.fields["pin"] = cite.fields.get("pin", "") + more[0]
        end = more.end() if more else cite.end
    for cite in group:
        cite.full_end = end
        if name and name.name:
            cite.fields |= name.fields
            cite.full_start = name.start
        elif short:
            cite.fields["case_name"] = text[short[0] : short[1]]
            cite.full_start = short[0]


def _short_name(text: str, floor: int, start: int) -> tuple[int, int] | None:
    """Find the one or few capitalised words before a short form: ``Twombly, 550 U.S. at 570``."""
    low = max(floor, start - 120)
    match = _SHORT_NAME.search(text[low:start])
    if match is None:
        return None
    name = match["name"]
    lead = _SIGNALS.match(name + " ")
    skipped = min(len(lead[0]), len(name)) if lead else 0
    stops = [stop.end() for stop in re.finditer(r"[a-z]{4,}\. (?=[A-Z])", name)]
    skipped = max(skipped, *stops) if stops else skipped
    first = low + match.start("name") + skipped
    return (first, low + match.end("name")) if skipped < len(name) else None


def _place(text: str, members: list[Cite], top: Cite | None, floor: int) -> None:
    """Say of a group which is first, whether it belongs to another citation, and whether it is one of a string of them.

    `top` is the last citation that stands by itself; `floor` is where all that was read so far ends.
    """
    head = members[0]
    for cite in members:
        cite.first = head
    if top is None or head.joined:
        return
    nested = "history" in head.fields or _within(text, top.full_end, head.full_start)
    for cite in members:
        cite.nested = nested
    head.joined = not nested and _JOIN.fullmatch(text[min(floor, head.full_start) : head.full_start]) is not None


def _within(text: str, start: int, end: int) -> bool:
    """Check whether `end` stands in the parenthetical that opens at `start`, right after a citation."""
    between = text[start:end]
    if not between.startswith((" (", "(")) or len(between) > _LONGEST_PARENTHETICAL:
        return False
    depth = 0
    for char in between:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0 and char == ")":
            return False
    return depth > 0
