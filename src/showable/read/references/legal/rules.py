"""Federal rules of procedure and evidence, where the set of rules is named (Bluebook rule 12.9.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.references.legal.cite import Cite, plain_subsection
from showable.records.regex import regex

_SETS = {
    "civ": "Fed. R. Civ. P.",
    "crim": "Fed. R. Crim. P.",
    "app": "Fed. R. App. P.",
    "bankr": "Fed. R. Bankr. P.",
    "evid": "Fed. R. Evid.",
}
_RULE = r"[1-9][0-9]{0,3}(?:\.[0-9]{1,2})?"
_SUB = r"(?: ?\((?:[0-9]{1,2}|[A-Za-z]{1,4})\))"
_SUBSECTION = rf"(?:{_SUB}{{1,6}}(?: ?(?:-|to|through){_SUB}{{1,6}})?)?"
"""``(b)(6)``, and a range of them: ``(b)(1)-(3)``, ``(a) through (c)``."""
_ITEM = rf"(?P<rule>{_RULE})(?P<sub>{_SUBSECTION})(?![0-9A-Za-z])"
_ABBREVIATED = regex(
    rf"(?<![\w.])Fed(?:\.|eral)? ?R(?:\.|ules?)? ?(?:of )?(?P<set>Civ|Crim|App|Bankr|Evid)\.? ?(?:P(?:ro)?\.?(?![A-Za-z]))?,? ?(?:Rules? |R\. |§§? ?)?{_ITEM}"
)
_INITIALS = regex(
    rf"(?<![\w.])F\.? ?R\.? ?(?:(?P<set>C(?:iv|rim)?|Cr|A(?:pp)?|B(?:ankr)?)\.? ?P\.?|E(?:vid)?\.?(?= ?[1-9])) ?(?:Rules? )?{_ITEM}"
)
_NAMES = (
    r"Federal Rules? of (?P<set>Civil Procedure|Criminal Procedure|Appellate Procedure|Bankruptcy Procedure|Evidence)"
)
_NAMED = regex(rf"(?<!\w){_NAMES}(?: Rules?)?,? {_ITEM}")
_TURNED = regex(
    rf"(?<!\w)Rules? {_ITEM}(?P<more>(?:(?:, ?(?:and |or )?| and | or ){_RULE}{_SUBSECTION}){{0,8}}),? (?:of|under) the {_NAMES}"
)
_NEXT = regex(rf"(?:, ?(?:and |or )?| and | & | or )(?:Rules? )?{_ITEM}")
_NEXT_PLAIN = regex(rf"(?:, ?(?:and |or )?| and | or ){_ITEM}")
_COUNTED = regex(
    r" (?:[A-Z][A-Za-z']*\.|U\.|F\.|[A-Z]{2,}|[a-z]+s\b(?<!requires)(?<!provides)(?<!governs)(?<!allows)(?<!is)(?<!was)(?<!does))"
)
"""What follows a number that is not the next rule of a list: a reporter, or what it counts (``and 12 patients``)."""
_INITIAL_SETS = {
    "c": "civ",
    "civ": "civ",
    "cr": "crim",
    "crim": "crim",
    "a": "app",
    "app": "app",
    "b": "bankr",
    "bankr": "bankr",
}
_FIRST_WORDS = {"civil": "civ", "criminal": "crim", "appellate": "app", "bankruptcy": "bankr", "evidence": "evid"}
_LONGEST_LIST = 20


def find_rules(text: str) -> list[Cite]:
    """Find every rule cited in folded text, one `Cite` for each of a list, in no order."""
    found: list[Cite] = []
    for match in _ABBREVIATED.finditer(text) if "Fed" in text else ():
        found.extend(_listed(text, match, _SETS[match["set"].lower()]))
    for match in _INITIALS.finditer(text) if any(mark in text for mark in ("F.", "F R", "FR")) else ():
        found.extend(_listed(text, match, _SETS[_INITIAL_SETS[match["set"].lower()] if match["set"] else "evid"]))
    if "Rule" in text:
        for match in _NAMED.finditer(text):
            found.extend(_listed(text, match, _named_set(match)))
        for match in _TURNED.finditer(text):
            found.extend(_turned(text, match))
    return found


def _named_set(match: re.Match[str]) -> str:
    return _SETS[_FIRST_WORDS[match["set"].split()[0].lower()]]


def _fields(rules: str, rule: str, sub: str) -> dict[str, str]:
    fields = {"rules": rules, "rule": rule}
    if sub:
        fields["subsection"] = plain_subsection(sub)
    return fields


def _listed(text: str, match: re.Match[str], rules: str) -> Iterator[Cite]:
    cites = [Cite("fed_rule", *match.span(), _fields(rules, match["rule"], match["sub"]))]
    at = match.end()
    while len(cites) < _LONGEST_LIST:
        item = _NEXT.match(text, at)
        if item is None or _COUNTED.match(text, item.end()):
            break
        cites.append(Cite("fed_rule", item.start("rule"), item.end(), _fields(rules, item["rule"], item["sub"])))
        at = item.end()
    return _whole(cites, match.start(), at)


def _turned(text: str, match: re.Match[str]) -> Iterator[Cite]:
    """``Rules 8 and 9(b) of the Federal Rules of Civil Procedure``: a single rule is cited by the whole phrase."""
    rules = _named_set(match)
    if not match["more"]:
        return iter([Cite("fed_rule", *match.span(), _fields(rules, match["rule"], match["sub"]))])
    cites = [Cite("fed_rule", match.start(), match.end("sub"), _fields(rules, match["rule"], match["sub"]))]
    cites.extend(
        Cite("fed_rule", item.start("rule"), item.end(), _fields(rules, item["rule"], item["sub"]))
        for item in _NEXT_PLAIN.finditer(text, *match.span("more"))
    )
    return _whole(cites, match.start(), match.end())


def _whole(cites: list[Cite], start: int, end: int) -> Iterator[Cite]:
    for cite in cites:
        cite.full_start, cite.full_end, cite.joined = start, end, cite is not cites[0]
        yield cite
