"""Whether two captions name the same case: `Zicherman v. Korean Air Lines` and its full caption do.

Before it the words of captions: what abbreviations stand for, which words name nobody, which parties are governments. The
abbreviations are those that the Bluebook's tables T6 (case names) and T10 (places) teach, with the spellings that courts
and databases use beside them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from showable.read.word_sets import word_set
from showable.records.regex import regex

SPELLINGS = """
academy acad, administration admin administrative administrator administratrix admr admx adm, advertising advert
adver, affiliates affil affiliate affiliated, agriculture agric agricultural, airlines airline airway airways,
alliance all, alternative alt, america am american americas amer, and et, apartments apt apts apartment, appeals app
appeal, associates assoc assocs associate, association assn assns, atlantic atl, attorney atty attys attorneys,
authority auth auths, automobile auto automotive, avenue ave, bankruptcy bankr, bank banc banking bancorp bankers,
board bd, boulevard blvd, broadcasting broad broadcast, brotherhood bhd, brothers bros brother, building bldg
buildings, business bus businesses, bureau bur, casualty cas, center ctr centers centre ctrs, central cent, chemical
chem chemicals, citizens cit citizen, coalition coal, college coll colleges, commission commn comn, commissioner
commr commrs commissioners, committee comm comms, communications commcn commcns communication, community cmty comty,
computer comput computers, condominium condo condos, congress cong, consolidated consol, construction constr,
continental contl, contractor contr contractors, cooperative coop, correction corr corrections correctional, county
cnty cty counties cnt, credit cred, defense def, delaware del, department dept depts, design des designs,
development dev developmental, director dir directors dirs, disability disab, discount disc, distributing distrib
distributor distributors distribution, district dist dists, division div, eastern e east, economic econ economics
economy, education educ educational edn, electric elec electrical electricity electronic electronics, elementary
elem, employment emp employee employees emps employer employers empl, engineering engg engineer engr engineers,
enterprises enter enters enterprise, entertainment ent ents, environment env envtl environmental envt, equality
equal, equipment equip, estates est, examiner exam examiners, exchange exch, executive exec executor executrix exr
exx, export exp, federal fed, federation fedn, fidelity fid, finance fin financial financing, foundation found,
general gen, governor govs governors gov, government govt, group grp groups, guaranty guar guarantee, hospital hosp
hospitals, housing hous, illinois ill, importer imp importers import, incorporated inc, indemnity indem, independent
indep, indiana ind, industries indus industry industrial, information info, institute inst institution institutional
institutes, insurance ins insurers, international intl internatl, investment inv invs investments investors
investor, italian ital, judicial jud, laboratory lab labs laboratories, land lands, liability liab, library libr,
litigation litig, loan loans, machine mach machinery, maintenance maint, management mgmt mgt, manufacturing mfg
manuf manufacturer mfr mfrs manufacturers, maritime mar, market mkt mkts marketing mktg markets, mechanical mech,
medical med medicine medicinal, memorial meml, merchandise merch merchants merchandising, metropolitan metro,
mortgage mortg, municipal mun municipality, mutual mut, national natl nat, natural nats nat, north n no northern,
northeast ne northeastern, northwest nw northwestern, nuclear nuc, office off offices, organization org orgs
organizing, pacific pac, parish par, partnership pship, pennsylvania pa penn, personal pers, pharmaceuticals pharm
pharms pharmaceutical pharma, philadelphia phila, preserve pres, production prod prods productions product products,
professional profl prof, property prop props properties, protection prot protective, public pub, publishing publg
publn publns publication publications publisher publ, railroad rr railroads, railway ry railways rly, refining ref,
regional regl, rehabilitation rehab, reproduction reprod, resource res resources, restaurant rest restaurants,
retirement ret, road rd, saint st ste saints, savings sav, school sch schools schs, science sci sciences scientific,
secondary sec, secretary secy, security sec securities secs, senior sr, service serv servs services svc svcs serve,
shareholder sholder sholders shareholders, social soc, society socy, solution sol sols solutions, south s so
southern, southeast se southeastern, southwest sw southwestern, standard std, steamship ss steamships, street str,
subcommittee subcomm, superintendent supt, surety sur, system sys systems syss, taxpayers taxpayer, technology tech
techs technologies technical, telecommunications telecomm telecom telecommunication, telephone tel telegraph,
temporary temp, tennessee tenn, township twp, transcontinental transcon, transportation transp transport transit,
trust tr trustee trustees trs, turnpike tpk, underwriters underwriter, uniform unif, university univ universities,
utility util utils utilities, vermont vt, village vill, virginia va, washington wash, west w western, workers
compensation
"""
"""Spellings of one word between commas, the first of them standing for all. A spelling in two places may be either word."""

PLACES = """
ala alabama, ariz arizona, ark arkansas, cal california, calif california, colo colorado, conn connecticut, dc
districtofcolumbia, fla florida, ga georgia, kan kansas, ky kentucky, la louisiana, mass massachusetts, md maryland,
mich michigan, minn minnesota, miss mississippi, mo missouri, mont montana, nc northcarolina, nd northdakota, neb
nebraska, nev nevada, nh newhampshire, nj newjersey, nm newmexico, ny newyork, nyc newyork, okla oklahoma, or
oregon, pr puertorico, ri rhodeisland, sc southcarolina, sd southdakota, tex texas, wis wisconsin, wva westvirginia,
wyo wyoming, us unitedstates, usa unitedstates, uk unitedkingdom
"""
"""Abbreviated places that are no entry of `SPELLINGS`, written as those are, but the abbreviation first."""

PHRASES = (
    ("united states of america", "unitedstates"),
    ("united states", "unitedstates"),
    ("united kingdom", "unitedkingdom"),
    ("district of columbia", "districtofcolumbia"),
    ("new hampshire", "newhampshire"),
    ("new jersey", "newjersey"),
    ("new mexico", "newmexico"),
    ("new york", "newyork"),
    ("north carolina", "northcarolina"),
    ("north dakota", "northdakota"),
    ("puerto rico", "puertorico"),
    ("rhode island", "rhodeisland"),
    ("south carolina", "southcarolina"),
    ("south dakota", "southdakota"),
    ("west virginia", "westvirginia"),
    ("air lines", "airlines"),
    ("air line", "airlines"),
    ("air ways", "airlines"),
    ("e. i. du pont", "dupont"),
    ("du pont", "dupont"),
)
"""Words that stand together, as the one word they are compared as."""

STATES = word_set(
    """
    alabama alaska arizona arkansas california colorado connecticut delaware districtofcolumbia florida georgia guam
    hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota
    mississippi missouri montana nebraska nevada newhampshire newjersey newmexico newyork northcarolina northdakota
    ohio oklahoma oregon pennsylvania puertorico rhodeisland southcarolina southdakota tennessee texas utah vermont
    virginia washington westvirginia wisconsin wyoming
    """
)

FORMS = word_set(
    """
    ab ag bv co companies company corp corporation corporations cos fsb gmbh inc incorporated kk lc limited llc lllp
    llp lp ltd ltda na nv pa pc plc pllc pty sa sarl sas se spa
    """
)
"""Forms of companies, which say nothing about who it is."""

EMPTY = word_set(
    """
    a adoption al all an and another application as at behalf by capacities capacity conservatorship de del dr esq
    estate et ex for guardianship her herself himself his ii iii in individually interest its iv jr la le marriage
    matter mr mrs ms no nos of official on others parte petition re rel similarly situated sr succession the their
    to ux vir well
    """
)
"""Words that belong to a caption's form rather than to a party."""

GENERIC = STATES | word_set(
    """
    academy administration affiliates agriculture airlines alliance america appeals associates association attorney
    authority automobile bank bankruptcy board borough brothers building bureau business casualty center central
    chemical citizens city college commission commissioner committee commonwealth communications community computer
    congress construction contractor correction council county court credit defense department development director
    distributing district division eastern economic education electric employment engineering enterprises
    entertainment environment equipment exchange executive federal federation fidelity finance first foundation fund
    general government governor group health home homeland homes hospital housing human indemnity independent
    industries information institute insurance internal international investment justice labor laboratory land
    liability life litigation loan london machine maintenance management manufacturing market medical memorial
    mental metropolitan mortgage municipal mutual national natural new north office officer oil operations
    organization pacific park partners partnership people personal police prison production professional property
    protection public publishing railroad railway regional research resource revenue royal safety saint savings
    school science secretary security service sheriff social society solution south standard state street
    superintendent supply system tax technology telephone territory town township transportation trust unified union
    united unitedkingdom unitedstates university utility veterans village warden water welfare west works world
    """
)
"""Words too common in captions for one alone to say that two parties are the same."""

SOVEREIGN = word_set("commonwealth crown king people queen r regina rex state territory")
"""Parties that stand for a government without saying which."""

OFFICES = word_set(
    """
    administration attorney board chief commission commissioner department director governor justice mayor office
    president secretary security service sheriff superintendent warden
    """
)
"""Words of an office, by which it may be named in short."""

HELD = OFFICES - word_set("board commission department office security service")
"""Offices that one person holds, whose name may stand in its place in another database's caption. An administrator is
spelt as an administration is, which therefore stays."""


LONGEST = 600
"""Characters of a caption that are read: the longest real ones name their parties well before."""
MOST_WORDS = 60
SHORTEST_TYPO = 5
"""Letters from which on one wrong letter is a slip; two are from `LONG_WORD` on."""
LONG_WORD = 9
LEAST_STEM = 3
LEAST_JOINED = 6
"""Letters that names written as one word (`Exxonmobil`, `Daimlerchrysler`) have in common at least."""
ACRONYM = (3, 9)
"""Fewest and most letters of a word that may be the initials of others."""

_VERSUS = regex(r"\s(?:v|vs|versus)(?:\.|(?=\s))\s*")
_APART = regex(r"\b(?:ex rel\b\.?|on behalf of|by and through|[adfn]/[bk]/a|doing business as|on the application of)")
_INITIALS = regex(r"(?<![a-z.'])(?:[a-z]\.\s?){2,}(?![a-z]\b)")
_LOOSE_APOSTROPHE = regex(r"(?<=[a-z])\s?'\s?(?=[a-z]{1,3}\b)")
_WORD = regex(r"[a-z0-9]+(?:['&][a-z0-9]+)*\.?")
_DIGIT = regex(r"\d")
_ASIDE = regex(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a caption: `words` as compared, in order, and those of them that can tell it from others.

    `initials` is its only word as it was written, where that may be an acronym.
    """

    words: tuple[str, ...]
    telling: tuple[str, ...]
    company: bool
    initials: str = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """A case's name taken apart. Each side is one party under each of its names (``State ex rel. Smith``).

    `sides` has two of them, or one where there is no ``v.``; `aside` holds what stands in parentheses.
    """

    sides: tuple[tuple[Party, ...], ...]
    aside: tuple[Party, ...] = ()


def same_case(claimed: str, found: str) -> bool | None:
    """Return whether two captions name one case; None where one of them names nobody, or where it cannot be told.

    Each side must have a party in common with one side of the other, in either order (parties are reversed on
    appeal). Two parties agree when more than half of the telling words of the shorter one stand in the other (half,
    with the first of a company or the surname of a person among them), spelt out or abbreviated, as initials, or
    with a letter wrong; words such as `Bank`, `County` or `United`
    tell nothing on their own. A government agrees with itself only. An office with a name in its place may be one
    case, since the name may be its holder's: None. A caption without `v.` agrees with either side.
    """
    ours, theirs = read_caption(claimed), read_caption(found)
    if not ours.sides or not theirs.sides:
        return None
    if len(ours.sides) == 2 and len(theirs.sides) == 2:  # noqa: PLR2004 - the two sides of a caption
        ways = (theirs.sides, theirs.sides[::-1])
        if any(_sides_agree(ours.sides, way) for way in ways) or _any_agree(ours.aside, theirs.aside):
            return True
        return None if any(_may_be_held(ours.sides, way) for way in ways) else False
    single, other = (ours, theirs) if len(ours.sides) == 1 else (theirs, ours)
    return any(_any_agree(single.sides[0], side) for side in (*other.sides, other.aside))


def same_as_any(claimed: str, found: Iterable[str]) -> bool | None:
    """Return whether a caption names the case that a registry has under several names.

    A short form (`Smith`) would agree with too much, so captions with both parties decide where there are any.
    """
    names = [name for name in found if name.strip()]
    if len(read_caption(claimed).sides) == 2:  # noqa: PLR2004 - the two sides of a caption
        names = [name for name in names if len(read_caption(name).sides) == 2] or names  # noqa: PLR2004
    answers = [same_case(claimed, name) for name in names]
    if True in answers:
        return True
    return False if False in answers else None


def likeness(claimed: str, found: str) -> float:
    """Return the similarity of two captions from 0 to 1: the share of words in common (rapidfuzz token_set_ratio)."""
    from rapidfuzz.fuzz import token_set_ratio  # noqa: PLC0415 - only where names are compared

    return round(token_set_ratio(_all_words(claimed), _all_words(found)) / 100, 2)


@lru_cache(4096)
def read_caption(name: str) -> Caption:
    """Take a caption apart. What names nobody has no sides."""
    text = _folded(name[:LONGEST])
    aside = " ".join(_ASIDE.findall(text))
    if len(_VERSUS.split(_ASIDE.sub(" ", text))) > 1 or _parties(_ASIDE.sub(" ", text)):
        text = _ASIDE.sub(" ", text) if "application" not in aside else text
    halves = _VERSUS.split(f" {text}", maxsplit=1)
    sides = tuple(parties for half in halves if (parties := _parties(half)))
    return Caption(sides, _parties(aside))


def _folded(name: str) -> str:
    text = unicodedata.normalize("NFKD", name).casefold()
    text = "".join(character for character in text if not unicodedata.combining(character))
    text = text.replace("’", "'").replace("‘", "'").replace("`", "'")
    text = re.sub(r"\s+", " ", _LOOSE_APOSTROPHE.sub("'", text))
    text = re.sub(r"(?<=\b[a-z]\.)\s?&\s?(?=[a-z]\b)", "", text)
    return re.sub(r"\s&\s", " and ", text)


def _parties(half: str) -> tuple[Party, ...]:
    found = (_party(part) for part in (half, *_APART.split(half)) if part.strip())
    return tuple(dict.fromkeys(party for party in found if party.words))


def _party(text: str) -> Party:
    text = _INITIALS.sub(lambda match: re.sub(r"[.\s]", "", match[0]) + " ", f" {text} ")
    for phrase, word in PHRASES:
        text = text.replace(f" {phrase}", f" {word}")
    raw = [re.sub(r"['&]", "", word) for word in _WORD.findall(text)[:MOST_WORDS]]
    company = any(word.rstrip(".") in FORMS for word in raw)
    kept = [word for word in raw if word.rstrip(".") not in FORMS and word.rstrip(".") not in EMPTY]
    words = tuple(dict.fromkeys(_spelt(word) for word in kept or raw))
    telling = tuple(word for word in words if not _is_generic(word))
    initials = kept[0].rstrip(".") if len(kept) == 1 and ACRONYM[0] <= len(kept[0].rstrip(".")) <= ACRONYM[1] else ""
    return Party(words, telling, company or any(map(_is_generic, words)), initials)


@cache
def _spellings() -> dict[str, str]:
    """Map each spelling to the one that stands for it; a spelling of two words joins them with ``|``."""
    spellings: dict[str, str] = {}
    for pair in PLACES.split(","):
        short, long = pair.split()
        spellings[short] = long
    for line in SPELLINGS.split(","):
        first, *rest = line.split()
        for word in (first, *rest):
            spellings[word] = f"{spellings[word]}|{first}" if word in spellings else first
    return spellings


def _spelt(word: str) -> str:
    spelt = _spellings().get(word.rstrip("."))
    return spelt or (word if word.endswith(".") and len(word) > LEAST_STEM else word.rstrip("."))


def _is_generic(word: str) -> bool:
    return any(part in GENERIC for part in word.split("|")) or len(word) == 1


def _all_words(name: str) -> str:
    return " ".join(word for side in read_caption(name).sides for word in side[0].words)


def _sides_agree(ours: tuple[tuple[Party, ...], ...], theirs: tuple[tuple[Party, ...], ...]) -> bool:
    return all(_any_agree(mine, other) for mine, other in zip(ours, theirs, strict=True))


def _may_be_held(ours: tuple[tuple[Party, ...], ...], theirs: tuple[tuple[Party, ...], ...]) -> bool:
    """Check whether one side agrees, and an office stands on the other where the other caption has a person."""
    return any(
        _any_agree(ours[at], theirs[at], telling=True) and _one_holds_the_office(ours[1 - at][0], theirs[1 - at][0])
        for at in (0, 1)
    )


def _any_agree(ours: tuple[Party, ...], theirs: tuple[Party, ...], *, telling: bool = False) -> bool:
    return any(
        _parties_agree(mine, other) and (not telling or bool(mine.telling and other.telling))
        for mine in ours
        for other in theirs
    )


def _parties_agree(ours: Party, theirs: Party) -> bool:
    governments = _government(ours), _government(theirs)
    if governments[0] and governments[1]:
        return governments[0] == governments[1] or ("any" in governments and "unitedstates" not in governments)
    if ours.telling and theirs.telling and _telling_agree(ours, theirs):
        return True
    if ours.telling and theirs.telling:
        return _stands_for(ours, theirs) or _stands_for(theirs, ours)
    return _generic_agree(ours.words, theirs.words) or _stands_for(ours, theirs) or _stands_for(theirs, ours)


def _telling_agree(ours: Party, theirs: Party) -> bool:
    short, long = sorted((ours, theirs), key=lambda party: len(party.telling))
    shared = sum(_stands_in(word, long) for word in short.telling)
    if shared * 2 > len(short.telling) or all(_is_initials(word, short) for word in long.telling):
        return True
    joined = "".join(short.telling), "".join(long.telling)
    if min(map(len, joined)) >= LEAST_JOINED and (joined[0] in joined[1] or joined[1] in joined[0]):
        return True
    if ours.company or theirs.company:
        return shared * 2 == len(short.telling) and _same_word(short.telling[0], long.telling[0])
    return _same_word(short.telling[-1], long.telling[-1])


def _stands_in(word: str, party: Party) -> bool:
    return any(_same_word(word, other) for other in party.words) or _is_initials(word, party)


def _is_initials(word: str, party: Party) -> bool:
    """Check whether a word is the initials of others that follow one another: `MGM` of Metro-Goldwyn-Mayer."""
    if not ACRONYM[0] <= len(word) <= ACRONYM[1] or len(party.words) < len(word):
        return False
    return word in "".join(other[0] for other in party.words)


def _generic_agree(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Hold parties of common words (`National Bank`) against each other: most of all their words must be shared.

    An office may be named in short: `Commissioner` is the `Commissioner of Internal Revenue`.
    """
    shared = [word for word in ours if any(_same_word(word, other) for other in theirs)]
    least = min(len(ours), len(theirs))
    if len(shared) == least and any(part in OFFICES for word in shared for part in word.split("|")):
        return True
    return len(shared) * 3 >= 2 * len(ours) and len(shared) * 2 >= len(theirs)


def _government(party: Party) -> str | None:
    words = set(party.words)
    if words in ({"unitedstates"}, {"unitedstates", "government"}):
        return "unitedstates"
    if words and words <= SOVEREIGN:
        return "any"
    states = words & STATES
    return states.pop() if len(states) == 1 and words <= SOVEREIGN | STATES else None


def _one_holds_the_office(ours: Party, theirs: Party) -> bool:
    """Tell an office from its holder: databases put one in the other's place (`Commissioner` and a surname)."""

    def office(party: Party) -> bool:
        return not party.telling and any(part in HELD for word in party.words for part in word.split("|"))

    def person(party: Party) -> bool:
        return bool(party.telling) and not party.company

    return (office(ours) and person(theirs)) or (office(theirs) and person(ours))


def _stands_for(short: Party, long: Party) -> bool:
    """Check whether one word is the initials of the other party's words: `NLRB`, `NAACP`."""
    return bool(short.initials) and len(long.words) > 1 and short.initials in "".join(word[0] for word in long.words)


def _same_word(ours: str, theirs: str) -> bool:
    if ours == theirs or ours.rstrip("s.") == theirs.rstrip("s.") or set(ours.split("|")) & set(theirs.split("|")):
        return True
    for short, long in ((ours, theirs), (theirs, ours)):
        if short.endswith(".") and long.startswith(short[:-1].removesuffix("s")):
            return True
    if min(len(ours), len(theirs)) < SHORTEST_TYPO or _DIGIT.search(ours + theirs):
        return False
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - only where names are compared

    most = 2 if min(len(ours), len(theirs)) >= LONG_WORD else 1
    return DamerauLevenshtein.distance(ours, theirs, score_cutoff=most) <= most
