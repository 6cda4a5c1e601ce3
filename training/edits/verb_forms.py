"""Forms of common English verbs, for do-support and the passive; regular ones by rule, the rest by table."""

from __future__ import annotations

import re

_IRREGULAR = """begin began begun|become became become|break broke broken|bring brought brought|build built built
|buy bought bought|catch caught caught|choose chose chosen|come came come|draw drew drawn|drive drove driven
|fall fell fallen|feel felt felt|fight fought fought|find found found|fly flew flown|forbid forbade forbidden
|gain gained gained|get got got|give gave given|go went gone|grow grew grown|have had had|hear heard heard
|hold held held|keep kept kept|know knew known|lead led led|leave left left|lend lent lent|lose lost lost
|make made made|mean meant meant|meet met met|pay paid paid|rise rose risen|run ran run|say said said|see saw seen
|seek sought sought|sell sold sold|send sent sent|shoot shot shot|show showed shown|sing sang sung|speak spoke spoken
|spend spent spent|stand stood stood|take took taken|teach taught taught|tell told told|think thought thought
|win won won|write wrote written|withdraw withdrew withdrawn|wear wore worn|sink sank sunk|steal stole stolen
|strike struck struck|overtake overtook overtaken|undergo underwent undergone|beat beat beaten"""
_REGULAR = """abandon accept achieve acquire add adopt allow announce appear appoint approve argue arrive ask assist attack
attend attract award ban base capture carry cause change claim close collect complete confirm conquer consider contain
continue contribute control convert cover create decide declare decline decrease defeat define deliver demonstrate
deny describe design destroy determine develop die direct discover divide earn elect employ enable end enter establish
exceed exist expand expect explain export express face fail feature fill finish follow force form found gain generate
govern happen help host identify import improve include incorporate increase indicate influence inherit inspire
introduce invade invent invite involve issue join kill lack last launch learn live locate maintain marry move murder
need notice observe obtain occupy occur offer open operate oppose order organize own participate pass perform permit
place play possess prefer prevent produce prohibit promote propose protect prove provide publish purchase raise reach
receive recognize recommend record reduce refer reform refuse reject release remain remove replace report represent
require rescue resemble resign result retain retire return reveal sack score serve settle share sign spread start
state stay succeed suffer suggest supply support surrender survive switch test train transfer travel treat try turn
use visit vote want warn work yield"""
_DOUBLED = {
    "ban",
    "refer",
    "transfer",
    "permit",
    "occur",
    "prefer",
    "admit",
    "commit",
    "submit",
    "control",
    "stop",
    "plan",
}
_THIRD = {"have": "has", "go": "goes", "do": "does"}


def _past(base: str) -> str:
    if base in _DOUBLED:
        return base + base[-1] + "ed"
    if base.endswith("e"):
        return base + "d"
    return base[:-1] + "ied" if re.search(r"[^aeiou]y$", base) else base + "ed"


def third(base: str) -> str:
    """Give the present form in -s."""
    if base in _THIRD:
        return _THIRD[base]
    if re.search(r"(?:s|x|z|ch|sh)$", base):
        return base + "es"
    return base[:-1] + "ies" if re.search(r"[^aeiou]y$", base) else base + "s"


FORMS: dict[str, tuple[str, str]] = {base: (_past(base), _past(base)) for base in _REGULAR.split()} | {
    row.split()[0]: (row.split()[1], row.split()[2]) for row in _IRREGULAR.replace("\n", "").split("|")
}
"""Base form to (past, participle)."""

PAST_TO_BASE: dict[str, str] = {past: base for base, (past, _) in FORMS.items()}
THIRD_TO_BASE: dict[str, str] = {third(base): base for base in FORMS}
ONLY_PAST: frozenset[str] = frozenset(past for past, participle in FORMS.values() if past != participle)
"""Pasts that are no participle: they stand for a finite verb wherever they are."""
