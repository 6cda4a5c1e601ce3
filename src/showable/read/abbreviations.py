"""Which full stops end no sentence: abbreviations, by what may follow them."""

from __future__ import annotations

from showable.read.word_sets import word_set
from showable.records.regex import regex

NEVER_FINAL = word_set("dr mr mrs ms mx messrs prof v vs cf viz e.g eg i.e ie approx ca incl excl mt lt capt sgt")
"""Never the last word of a sentence: a name, a number or a list follows."""

BEFORE_NUMBER = word_set(
    "no nos p pp fig figs eq eqs sec secs art arts vol vols ch chs cl cls para paras par pt pts tab ref refs app appx "
    "ex exh ed eds reg regs r s ss c ann bk col doc n nn fn lit tit amend sched jan feb mar apr jun jul aug sep sept "
    "oct nov dec ver"
)
"""Abbreviations where a number or a letter follows (``No. 5``, ``Fig. 2``, ``Jan. 3``)."""

SOMETIMES_FINAL = word_set(
    "harv stan colum geo inc corp ltd co llc llp plc bros assn assoc dept univ inst intl natl al jr sr esq st ave blvd rd hwy ft cmdr gen "
    "adm sen rep gov supt insp rev fr hon maj fed civ crim evid bankr resp ct cir dist supp tex fla mich minn conn "
    "ariz colo okla tenn penn va vt wyo kan ky md mont neb nev stat cong treas sess comm cmty int'l nat'l dep't gov't "
    "ass'n eng'g mktg mgmt mfg est ext avg ibid id op cit loc cf jan feb apr jun jul aug sep sept oct nov dec tue "
    "tues thu thur thurs fri lb lbs oz hr hrs sq yr yrs mos trans rept proc med engl lett bull sci acad publ phys "
    "chem biol clin surg rptr wks"
)
"""May be the last word: it is where the next word is one that only opens a sentence."""

_CAPITALISED_ONLY = word_set(
    "no cal mass ill wash pa ore wis ala ark del ga ind la me mo com cap mar mon wed sat sun am soc nat mod ann arch "
    "res atl pres col br max min j"
)
"""The same, but only with a capital: in small letters they are words ("The patients were ill.")."""

OPENERS = word_set(
    "the a an this these those that it its he she they his her their we our you your i there here in on at by for "
    "from with without after before during since until while when where who what which why how if unless although "
    "though because as but and or so yet however therefore moreover furthermore additionally also then thus hence "
    "finally many most some all each every both any no none such another according based overall meanwhile instead "
    "nevertheless nonetheless similarly consequently accordingly specifically generally typically currently recently "
    "later only even not to yes despite following under"
)
"""Capitalised inside a sentence only in titles: after a full stop they open a new one."""

LETTERED = word_set(
    "vitamin class plan hepatitis type grade group schedule exhibit option part appendix annex series section tier "
    "phase figure table influenza and or factor protein category team"
)
"""Words after which a single capital letter is a label, not an initial (``vitamin C.``)."""

_CLOCK = frozenset(("a.m", "p.m"))
_AFTER_CLOCK = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december est edt cst cdt mst mdt pst pdt gmt utc bst cet eastern central pacific "
    "mountain et ct pt"
)
_ACRONYM = regex(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,3}")
_NUMBER_OR_LABEL = regex(r"[§¶#(]?\s?(?:[A-Z]?\d|[IVXLC]{1,5}\b|[A-Z]\b(?!\.))|[§¶#]")
_WORD = regex(r"[^\W\d_][\w'’]*")
_EDGE = "([{<\"'“‘«*_—–"


def opens_sentence(text: str, at: int) -> bool:
    """Check whether a word stands here that opens a sentence whatever came before it (``The``, ``However``)."""
    word = _WORD.match(text, at)
    if word is None or not text[at].isupper():
        return False
    return word[0].lower() in OPENERS and text[word.end() : word.end() + 1] != "."


def ends_sentence(text: str, begin: int, stop: int, following: int) -> bool:
    """Decide whether the single full stop at `stop` ends the sentence begun at `begin`.

    `following` is the offset of what comes next: a capital, a digit or an opening sign, which the caller made sure of.
    """
    before = text[max(begin, stop - 32) : stop].split()
    if not before:
        return False
    word = before[-1].lstrip(_EDGE)
    low = word.lower().replace("’", "'")
    if low in NEVER_FINAL and word != "V":
        return False
    if low in BEFORE_NUMBER and _NUMBER_OR_LABEL.match(text, following) and not opens_sentence(text, following):
        return False
    if len(word) == 1 and word.isalpha():
        labelled = len(before) > 1 and before[-2].lower() in LETTERED
        return labelled or opens_sentence(text, following)
    if low in _CLOCK or low == "etc":
        follower = _WORD.match(text, following)
        return follower is None or follower[0].lower() not in _AFTER_CLOCK
    return not _is_abbreviation(word, low, alone=len(before) == 1) or _opens_after_sign(text, following)


def _is_abbreviation(word: str, low: str, *, alone: bool) -> bool:
    if low in _CAPITALISED_ONLY:
        return word[0].isupper() and not (alone and low == "no")
    return low in SOMETIMES_FINAL or bool(_ACRONYM.fullmatch(word))


def _opens_after_sign(text: str, at: int) -> bool:
    return opens_sentence(text, at) or (not text[at].isalnum() and opens_sentence(text, at + 1))
