"""Opposites: words by which an answer says the contrary of what was asked, "rejected" of "approve", "weakest" of "strongest"."""

from __future__ import annotations

import re
from functools import lru_cache

_BANS = (
    r"prohibit|forbid|forbad|forbidden|bar(?:s|red)\b|ban(?:s|ned|ning)?\b|disallow|outlaw|unlawful|illegal|off limits"
)
_FORBIDS = rf"{_BANS}|avoid|contraindicat|contra-indicat|refrain|unsafe|dangerous|exclud"
_QUASHES = r"overturn|overrul|overrode|overrid|revers|quash|annul|nullif|invalidat|(?:struck|strike|strikes|striking) (?:\w+ )?down|set(?:s|ting)? (?:\w+ )?aside|vacat|rescind|repeal|revok"
_REJECTS = r"reject|refus|veto|defeat|den(?:y|ies|ied|ying|ial)|declin(?:ed|es|e)\b|rebuff|(?:turn(?:s|ed|ing)?|vot(?:e|es|ed|ing)|knock(?:s|ed)?|shot) (?:\w+ )?down|thr(?:ew|own?) out|block(?:s|ed)?\b|disapprov|disallow|withh[eo]ld"
_PAIRS = (
    (r"improv|increas|rise|rising|rose|risen|grow|grew|higher|gain|expan|upward|better|strengthen|climb|surg|soar|jump|accelerat|widen|up\b|recover|double[sd]?\b|went up|gone up|rais(?:e|ed|es|ing)\b|boost|lift(?:s|ed|ing)?\b|pick(?:s|ed|ing)? up",
     r"declin|decreas|deteriorat|worsen|fell\b|fall|drop|lower|shrink|shr[au]nk|contract(?:ed|ing|ion)\b|reduc|downward|weaken|slid\b|slip|sank|sunk|sink|slump|plung|plummet|tumbl|narrow|dip(?:s|ped)?\b|diminish|down\b|shed\b|eas(?:ed|es|ing)\b|halve[sd]?\b|dwindl|cut(?:s|ting)?\b|trimm|curb"),
    (r"consisten|stable|steady|constant|unchanged|flat\b", r"inconsisten|unstable|fluctuat|volatil|varied|vary|varies|erratic"),
    (r"allow|permit|authori[sz]|entitle|lawful|legal|licen[cs]ed", _FORBIDS),
    (r"may\b|can\b", _BANS),
    (r"require|must|mandatory|obliged|obligat|oblige|compulsory|have to\b|has to\b|necessary|needed", r"optional|voluntary|exempt|waive|unnecessary|discretion"),
    (r"safe|recommend|indicated|effective|benefi|advis(?:ed|able)", r"unsafe|contraindicat|contra-indicat|ineffective|harmful|dangerous|avoid|discourag|inadvisable"),
    (r"enforceable|valid|binding|in force\b", r"unenforceable|invalid|void|null\b|lapsed?\b|expired?\b"),
    (r"associat|related|link|correlat|depend(?!ent o)|influenc|affect", r"independent|unrelated|irrespective|regardless"),
    (r"significant|material\b", r"insignificant|negligible|immaterial|trivial"),
    (r"includ|contain|cover", r"exclud|omit|left out|leaves? out"),
    (r"succe|win(?:s|ning)?\b|won\b|prevail|victor", r"fail|los[te]|losing|defeat|beaten\b"),
    (r"approv|adopt|pass(?:es|ed|ing)?\b|carried\b|ratif|endors|accept|enact|agreed to|back(?:s|ed)\b", _REJECTS),
    (r"grant|award|allow|accept|gave\b|given\b", _REJECTS),
    (r"upheld|uphold|affirm|confirm|sustain", _QUASHES),
    (r"allow|upheld|uphold|grant|succe", r"dismiss|reject|fail|thr(?:ew|own?) out|struck out"),
    (r"met\b|meet(?:s|ing)?\b|achiev|reach|attain|satisf|fulfil|pass(?:es|ed)?\b|hit(?:s|ting)?\b", r"miss(?:es|ed)?\b|fail|f[ae]ll(?:s|en)? short|breach"),
    (r"convict|guilty|liable", r"acquit|innocent|exonerat|cleared\b"),
    (r"admit|admission|acknowledg|conced|confess|agree(?:s|d)?\b", r"den(?:y|ies|ied)|disput|contest|disagree"),
    (r"appoint|hire[sd]?\b|employ|recruit|join|t[oa]ok? over|reinstat", r"dismiss|fire[sd]?\b|sack|laid off|oust|resign|step(?:s|ped)? down|depart|quit"),
    (r"begin|began|begun|start|commenc|launch|open(?:s|ed|ing)?\b|resum", r"end(?:s|ed|ing)?\b|stop|ceas|terminat|halt|discontinu|suspend|clos(?:e|es|ed|ing)\b|shut"),
    (r"extend|extension|prolong|renew", r"shorten|curtail|expir|lapse"),
    (r"profit|gain|surplus|net income|in the black", r"loss(?:es)?\b|deficit|shortfall|in the red"),
    (r"solvent|solvency", r"insolven|bankrupt"),
    (r"support|favou?r|endors|back(?:s|ed|ing)\b|consent", r"oppos|object|against\b|resist"),
    (r"compl(?:y|ies|ied|iant|iance)|conform|observ|honou?r", r"violat|breach|infring|contraven|non-?complian|in default"),
    (r"exceed|surpass|beat\b|top(?:s|ped)\b|outperform|above\b", r"below\b|f[ae]ll(?:s|en)? short|miss(?:es|ed)?\b|underperform|lag"),
    (r"upgrad|rais(?:e|ed|es|ing)\b", r"downgrad|cut(?:s|ting)?\b|lower"),
    (r"surviv|alive\b|lived\b", r"die[sd]?\b|dead\b|death|perish|killed\b|fatal"),
    (r"positive|detected\b|present\b", r"negative|undetect|absent\b"),
    (r"malignan|cancerous", r"benign"),
    (r"acquir|b[ou]u?[gy]h?t?\b|purchas", r"s[eo]ld?\b|sell|divest|dispos"),
    (r"eligib|qualif", r"ineligib|disqualif"),
    (r"remain|keep|kept\b|retain|maintain|stay", r"abandon|scrap|drop(?:s|ped)\b|withdr[ae]w|relinquish|gave up|given up"),
)  # fmt: skip
_DEGREES = (
    (r"majority\b", r"minority\b|dissent"),
    (r"strong", r"weak"),
    (r"eas(?:y|ier|iest|ily)\b", r"difficult|hard(?:er|est)?\b"),
    (r"high(?:er|est)?\b|great(?:er|est)\b|larg(?:e|er|est)\b|bigg|big\b|most\b|more\b|maxim", r"low(?:er|est)?\b|least\b|small|few(?:er|est)?\b|less(?:er)?\b|minim"),
    (r"long(?:er|est)?\b|length", r"short"),
    (r"fast|quick|rapid|swift", r"slow"),
    (r"cheap|inexpensive", r"expensive|dear(?:er|est)?\b|costl(?:y|ier|iest)"),
    (r"best\b|better\b", r"worst\b|worse\b"),
    (r"old(?:er|est)?\b", r"young|new(?:er|est)?\b"),
    (r"early|earlie", r"late(?:r|st)?\b"),
)  # fmt: skip
_OTHER_PART = (
    (r"control(?:s| arm| group)?\b|comparator|placebo", r"experimental|intervention|treatment (?:arm|group)|study drug|active arm"),
    (r"domestic", r"foreign|international|overseas"),
    (r"rural", r"urban"),
    (r"basic", r"diluted"),
    (r"import", r"export"),
    (r"fixed", r"variable|floating"),
    (r"short-term", r"long-term"),
    (r"internal", r"external"),
    (r"primary", r"secondary"),
    (r"temporary|interim|acting", r"permanent"),
    (r"public", r"private"),
    (r"inpatient", r"outpatient"),
    (r"first\b", r"last\b|second\b|third\b|final\b"),
)  # fmt: skip
_PREFIXES = ("in", "un", "im", "ir", "il", "non", "dis")
_WORDS = re.compile(r"[a-z]{4,}")


def _compiled(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((re.compile(rf"\b(?:{one})"), re.compile(rf"\b(?:{other})")) for one, other in pairs)


_GROUPS, _OF_DEGREE, _PARTS = _compiled(_PAIRS), _compiled(_DEGREES), _compiled(_OTHER_PART)
FORBIDS = re.compile(rf"\b(?:{_FORBIDS})")
WARNS = re.compile(rf"\b(?:{_FORBIDS}|stop)")
"""Words that warn of a thing: a statement with one of them is no yes to whether the thing is allowed."""


def opposed(statement: str, question: str) -> bool | None:
    """Tell whether a statement uses the opposite of a word of the question; None where it has neither, or both of two words."""
    asked_words, words = set(_WORDS.findall(question)), set(_WORDS.findall(statement))
    if any(prefix + word in words for word in asked_words - words for prefix in _PREFIXES):
        return True
    for groups in (_GROUPS, _OF_DEGREE):
        sides = [
            (asked.search(statement) is not None, opposite.search(statement) is not None)
            for asked, opposite in _asked_groups(question, groups)
        ]
        repeated, contrary = any(same for same, _ in sides), any(other and not same for same, other in sides)
        if repeated or contrary:
            return None if repeated == contrary else contrary
    return None if _asked_groups(question, _GROUPS) else False


def verdict_word(statement: str, question: str) -> re.Match[str] | None:
    """Find the first word of a statement that means what a word of the question means, or its opposite."""
    found = [side.search(statement) for pair in _asked_groups(question, _GROUPS + _OF_DEGREE) for side in pair]
    return min((m for m in found if m), key=lambda m: m.start(), default=None)


def opposite_word(clause: str, question: str) -> re.Match[str] | None:
    """Find the opposite of a word of the question in a clause that has not the word itself; parts of a whole are opposites too."""
    verbs = _asked_groups(question, _GROUPS)
    apart = [*_asked_groups(question, _OF_DEGREE), *_asked_groups(question, _PARTS)]
    if not any(asked.search(clause) for asked, _ in verbs):
        apart = [*verbs, *apart]
    return next(
        (found for asked, opposite in apart if not asked.search(clause) and (found := opposite.search(clause))), None
    )


@lru_cache(maxsize=64)
def _asked_groups(
    question: str, groups: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
) -> list[tuple[re.Pattern[str], re.Pattern[str]]]:
    """List the pairs of which the question has one side alone, that side first."""
    return [
        (asked, opposite)
        for one, other in groups
        for asked, opposite in ((one, other), (other, one))
        if asked.search(question) and not opposite.search(question)
    ]
