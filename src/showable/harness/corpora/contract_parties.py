"""Who made an agreement: the companies and bodies that its first lines name, so that it can be told from others."""

from __future__ import annotations

import re

_OPENING = 800
"""Characters at the start of an agreement in which its parties are looked for."""
_MOST = 2
_WORD = r"(?:[A-Z]|\d+-?[A-Z])[\w&'’!\-]*\.?"
_SUFFIX = (
    r"(?:Inc|INC|Incorporated|LLC|L\.L\.C|LLP|L\.P|LP|LTD|Ltd|LIMITED|Limited|Corp|CORP|Corporation|CORPORATION|Co|Company|COMPANY"
    r"|GmbH|N\.V|AB|AG|B\.V|S\.A|PLC|plc)"
)
_FRONT = r"(?<![\w'’“\"\[(])"
_COMPANY = re.compile(
    rf"{_FRONT}(?P<name>(?:\d[\d\-]+ )?{_WORD}(?: (?:{_WORD}|&|of|for|and(?= [A-Z]\w+ (?:Company|Co\b))))*?,? {_SUFFIX}\b"
    r"(?:\.?,? (?:LLC|L\.L\.C|LLP|LTD|Ltd|LIMITED|Limited|Inc|INC)\b)?(?:\.(?=[,;\s(]))?)(?! (?:Party|Parties|Agreement|Liability|Investment|Information))"
)
_BODY = re.compile(
    rf"{_FRONT}(?P<name>(?:{_WORD} ){{0,3}}(?:University|City|County|COUNTY|Department|Administrative Office|Schools|Procurement Service)\b"
    rf"(?:,? (?:of|OF|the|for|{_WORD})(?= [A-Z(]|[ ,;]))*)"
)
_NOT_A_NAME = re.compile(
    r"\b(?:agreement|exhibit|whereas|this|non|confidential\w*|liability|receiving|disclosing|party|parties|registered|whose|attachment|dear"
    r"|road|street|tower|floor|suite|avenue|president|request|proposal|form|date|recitals|between|recipient|contracts|insert|name|attn|legal|rfp|contracting)\b",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\[[^\[\]]*\]|<[^<>\n]*>|\([^()]*(?:[Nn]ame of|NAME OF)[^()]*\)")
"""What is to be filled in: ``[NAME OF SUPPLIER]``."""
_SAYS_LITTLE = frozenset(
    re.findall(
        r"\w+",
        "industries company companies group holdings city county department inc llc ltd limited corp corporation co lp nv ab",
    )
)
_LONGEST = 9
_LAST = re.compile(r"(?:,? (?:of|OF|the|for))+$")
_STOP = re.compile(r"(?<=[a-zA-Z]{2})(?<!Inc)(?<!INC)(?<!Co)(?<!CO)(?<!Corp)(?<!CORP)(?<!Ltd)(?<!LTD)\.$")
"""A full stop that ends the sentence and not the name. ``Incorporated.`` has none of its own."""
_LEAD = re.compile(r"^(?:.* (?:BY|AND BETWEEN) |(?:between|the|and|to|re) )", re.IGNORECASE)
_PLAIN = re.compile(r"[^\w ]")


def parties_of(text: str) -> tuple[str, ...]:
    """Return at most two parties that the opening of an agreement names, in order; none where they are blanks to fill in.

    A public body counts where it is named first: later it is mostly what the first is a part of.
    """
    opening = _BLANK.sub("__", text[:_OPENING])
    found: list[str] = []
    for match in sorted([*_COMPANY.finditer(opening), *_BODY.finditer(opening)], key=lambda m: m.start()):
        name = _STOP.sub("", _LAST.sub("", _LEAD.sub("", match["name"])).strip(" ,"))
        if _cut_off(name):
            return ()
        if found and match.re is _BODY:
            continue
        if _is_name(name, opening[: match.start()]) and not any(_alike(name, other) for other in found):
            found.append(name)
    return tuple(found[:_MOST])


def _cut_off(name: str) -> bool:
    """Tell the rest of a name whose first word cannot be read ("x1x Industries Inc."): who is meant stays open."""
    words = _PLAIN.sub("", name).casefold().split()
    return len(words) > 1 and all(word in _SAYS_LITTLE for word in words)


def _is_name(name: str, before: str) -> bool:
    """Tell a name from what a party is ("a Delaware Corporation"), from a blank and from a heading."""
    words = _PLAIN.sub("", name).split()
    return (
        1 < len(words) <= _LONGEST
        and len(words[0]) > 1
        and _NOT_A_NAME.search(name) is None
        and re.search(r"\b(?:a|an)\s$", before) is None
    )


def _alike(name: str, other: str) -> bool:
    """Check whether two names may be of one party: they begin with the same word, or one stands in the other."""
    one, two = _PLAIN.sub("", name).casefold(), _PLAIN.sub("", other).casefold()
    return one.split()[0] == two.split()[0] or one in two or two in one
