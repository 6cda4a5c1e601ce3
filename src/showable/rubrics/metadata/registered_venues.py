"""Which venues register DOIs for their papers with Crossref, so that a paper which it does not have did not appear there.

Crossref's members and their prefixes (www.crossref.org/members, doi.crossref.org/getPrefixPublisher): IEEE 10.1109 (CVPR
and ICCV are published with the CVF, whose own open access copies have no DOI), ACM 10.1145, Springer 10.1007, SIAM
10.1137, AAAI 10.1609, IJCAI 10.24963, ISCA 10.21437, the VLDB Endowment 10.14778, RSS 10.15607, ACL 10.18653 (aclanthology.org/faq/doi: its
own events since 2014, and no third party's, so neither COLING nor LREC). Journals register in general; JMLR, TMLR and
law reviews do not. Nothing follows for NeurIPS (which has DOIs for some years alone), ICML, AISTATS and others of PMLR,
ICLR, COLM, USENIX, nor for workshops, of which few have proceedings.
"""

from __future__ import annotations

import re

from showable.read.word_sets import word_set
from showable.records.regex import regex
from showable.rubrics.metadata.containers import container_words, preprint_server, same_container
from showable.rubrics.metadata.plain_words import bare_words

_IEEE = word_set("cvpr iccv wacv icassp icra iros icip icme icde icdm infocom asru slt icpr globecom")
_ACM = word_set(
    "kdd sigkdd www thewebconf sigir cikm wsdm recsys chi uist cscw sigmod sigcomm ccs stoc facct hri mobicom"
)
_SINCE = (
    dict.fromkeys(_IEEE, 2000)
    | dict.fromkeys(_ACM, 2000)
    | dict.fromkeys(word_set("eccv accv miccai ecml pkdd ecmlpkdd"), 2000)
    | dict.fromkeys(word_set("acl emnlp naacl eacl aacl tacl conll"), 2016)
    | {"facct": 2019, "aaai": 2010, "ijcai": 2017, "interspeech": 2010, "rss": 2010, "pvldb": 2008, "sdm": 2005}
)
"""Meetings that register, and a year from which on all of their papers have been."""
_LONG = {
    "cvpr": "Conference on Computer Vision and Pattern Recognition",
    "iccv": "International Conference on Computer Vision",
    "wacv": "Winter Conference on Applications of Computer Vision",
    "eccv": "European Conference on Computer Vision",
    "accv": "Asian Conference on Computer Vision",
    "miccai": "Medical Image Computing and Computer Assisted Intervention",
    "icassp": "International Conference on Acoustics, Speech and Signal Processing",
    "icra": "International Conference on Robotics and Automation",
    "iros": "International Conference on Intelligent Robots and Systems",
    "kdd": "SIGKDD International Conference on Knowledge Discovery and Data Mining",
    "sigir": "International SIGIR Conference on Research and Development in Information Retrieval",
    "acl": "Annual Meeting of the Association for Computational Linguistics",
    "emnlp": "Conference on Empirical Methods in Natural Language Processing",
    "naacl": "Conference of the North American Chapter of the Association for Computational Linguistics",
    "eacl": "Conference of the European Chapter of the Association for Computational Linguistics",
    "aaai": "AAAI Conference on Artificial Intelligence",
    "ijcai": "International Joint Conference on Artificial Intelligence",
}
_OTHER_MEETINGS = word_set(
    "neurips nips icml iclr colm aistats uai colt corl acml midl log automl l4dc clear coling lrec bmvc ismir usenix osdi nsdi"
)
"""Meetings whose papers are not all registered with Crossref."""
_OTHER_LONG = ("Advances in Neural Information Processing Systems", "Advances in Neural Information Processing")
_MEETING = word_set("conference conf symposium symp congress meeting proceedings proc")
_WORKSHOP = regex(
    r"workshop|\bwkshp|tutorial|companion|extended abstract|doctoral|competition|(?-i:\b[A-Z]{3,6}W\b)", re.IGNORECASE
)
_NOT_YET = regex(
    r"\bsubmitted|\bsubmission|\bunder review|\bin review|\bpreparation|\bto appear|\bforthcoming|\bin press|\baccepted",
    re.IGNORECASE,
)
_NO_VENUE = regex(
    r"\breport\b|\bthesis\b|\bdissertation|\bunpublished|\bpreparation|\bblog\b|^\W*submitted", re.IGNORECASE
)
_PERIODICAL = word_set("journal transactions trans letters lett annals j")
_FIRST = word_set("nature cell neuron lancet jama bmj plos pnas npj elife phys physical")
_SCIENCE = regex(
    r"\s*science(?:\s*(?:\(.*\)|advances|robotics|immunology|signaling|translational medicine))?\s*", re.IGNORECASE
)
_PROCEEDINGS_JOURNALS = regex(
    r"\bproc(?:eedings|\.)?\s+(?:of\s+)?(?:the\s+)?(?:nat(?:iona)?l\.? acad|royal soc|r\.? soc|vldb|acm on|ieee$)",
    re.IGNORECASE,
)
_UNREGISTERED = (
    ("machine", "learning", "research"),
    ("mach", "learn", "res"),
    ("law",),
    ("wall", "street"),
    ("electronic",),
)
_ANTHOLOGY = {"p": "acl", "d": "emnlp", "n": "naacl", "e": "eacl", "q": "tacl", "k": "conll", "c": "coling"}
"""Letters of the older ids of the ACL Anthology (aclanthology.org/info/ids)."""
_OLD_ANTHOLOGY = regex(r"10\.(?:18653|3115)/v1/([a-z])\d\d-\d{4}")
_LETTERS = regex(r"[a-z]{3,}")
_YEAR = regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_SETTLED_MONTH = 7
_LONGEST = 400


def registers(venue: str, year: int | None, asked: str) -> bool:
    """Check whether all papers of a venue of that year stood at Crossref when it was asked (ISO 8601), by the year's end and a half.

    False where the year is not known, and for what is no venue: a workshop, a thesis, what is yet to appear.
    """
    venue = venue[:_LONGEST]
    if year is None or not _over(year, asked) or _NOT_YET.search(venue) or is_workshop(venue) or not is_venue(venue):
        return False
    meeting = _meeting(venue)
    return _SINCE[meeting] <= year if meeting else is_journal(venue)


def is_venue(name: str) -> bool:
    """Check whether a name can be that of a place in which papers appear: no preprint server, no thesis, no report."""
    name = name[:_LONGEST]
    return not (preprint_server(name) or _NO_VENUE.search(name))


def is_workshop(venue: str) -> bool:
    """Check whether it is a workshop, a companion volume or another place where what appears elsewhere appears too."""
    return bool(_WORKSHOP.search(venue))


def is_meeting(venue: str) -> bool:
    """Check whether it is a conference, of which a paper has one: its main proceedings take what no other has had."""
    venue = venue[:_LONGEST]
    words = {*bare_words(venue)}
    named = _meeting(venue) or words & _OTHER_MEETINGS or words & _MEETING or same_container(venue, _OTHER_LONG)
    return bool(named) and not (
        is_workshop(venue) or is_journal(venue) or _NOT_YET.search(venue) or _NO_VENUE.search(venue)
    )


def is_journal(venue: str) -> bool:
    """Check whether a name is that of a journal whose articles have DOIs: by its words, since journals are too many to list."""
    words = bare_words(venue)
    if not words or any(_stand_in(run, words) for run in _UNREGISTERED):
        return False
    if _PROCEEDINGS_JOURNALS.search(venue) or _SCIENCE.fullmatch(venue):
        return True
    first = next(word for word in (*words, "") if word != "the")
    return not {*words} & (_MEETING | {"workshop"}) and (first in _FIRST or bool({*words} & _PERIODICAL))


def doi_names(doi: str) -> set[str]:
    """Return the acronyms in a DOI: ``10.1109/CVPR.2016.90`` is of CVPR, ``10.18653/v1/N19-1423`` of NAACL by its letter.

    Names of proceedings are at times cut short in what a publisher registers (NAACL's of 2019 end in ``of the North``).
    """
    text = doi.casefold()
    old = _OLD_ANTHOLOGY.match(text)
    return {*_LETTERS.findall(text.partition("/")[2])} | (
        {_ANTHOLOGY[old[1]]} if old and old[1] in _ANTHOLOGY else set()
    )


def year_in(text: str) -> int | None:
    """Read the year of a venue: ``CVPR 2019``."""
    found = _YEAR.search(text)
    return int(found[0]) if found else None


def _meeting(venue: str) -> str | None:
    words = container_words(venue)
    if len(words) == 1 and words[0] in _SINCE:
        return words[0]
    written = {word for word in bare_words(venue) if word in _SINCE}
    if len(written) == 1 and (any(char.isupper() for char in venue)) and not {*words} & _OTHER_MEETINGS:
        (only,) = written
        return only if only.upper() in venue or only == "interspeech" else None
    return next((acronym for acronym, name in _LONG.items() if len(words) > 1 and same_container(venue, [name])), None)


def _stand_in(run: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return any(words[at : at + len(run)] == run for at in range(len(words)))


def _over(year: int, asked: str) -> bool:
    """Check whether a year's proceedings are registered by now: in the middle of the next one."""
    now = re.match(r"(\d{4})-(\d\d)", asked)
    return now is not None and (int(now[1]), int(now[2])) >= (year + 1, _SETTLED_MONTH)


_LONGEST_COMMENT = 1_000
_CLAUSE = regex(r"[;()\[\]\n]|,\s+(?=[A-Z0-9])|(?:(?<=[a-z]{5})|(?<=\d\d))\.\s+(?=[A-Z0-9])|[.,]$|\s-+\s")
_NOT_IT = regex(
    r"\bsubmi(?:tted|ssion)|\bunder (?:review|consideration)|\bin review|\bextend(?:ed|s|ing)|\blonger|\bjournal version"
    r"|\bpreliminary|\bearlier|\bfollow|\bbased on|\breject|\bwithdrawn|\bnot accepted|\bsupersed|\btemplate|\bstyle\b|\bformat",
    re.IGNORECASE,
)
_LEAD = regex(
    r"^.{0,80}?\b(?:accepted|published|appear(?:s|ed|ing)?|presented|presentation|paper|version|ready|oral|poster|spotlight|press"
    r"|publication|proceedings|proc)\b.{0,40}?\b(?:at|by|in|to|for|of|as)\s+(?:the\s+|an?\s+)?",
    re.IGNORECASE,
)
_PREPOSITIONS = regex(r"\s+(?:at|by|in|to|for)\s+(?:the\s+)?", re.IGNORECASE)
_TAIL = regex(
    r"\s*(?:\b(?:camera[- ]ready|oral|poster|spotlight|main|conference|track|long|short|paper|version|accepted|final|highlight"
    r"|proceedings|findings)\b\s*)+$",
    re.IGNORECASE,
)
_ACRONYM = regex(r"[A-Z][A-Za-z]{0,7}[A-Z][A-Za-z]{0,9}")


def venue_in_comment(venue: str, comment: str) -> str | None:
    """Return the clause of a comment that says that the paper appeared in a venue, or None."""
    for clause in _CLAUSE.split(comment[:_LONGEST_COMMENT]):
        said = " ".join(clause.split())
        if not said or _NOT_IT.search(said) or (is_workshop(said) and not is_workshop(venue)):
            continue
        if _names(venue, said):
            return said
    return None


def _names(venue: str, said: str) -> bool:
    words = container_words(venue)
    if len(words) == 1 and any(container_words(token) == words for token in _ACRONYM.findall(said)):
        return bool(_ACRONYM.search(venue))
    after = _LEAD.sub("", said, count=1)
    ends = [after, *(_PREPOSITIONS.split(after)[-1:]), *([said] if after == said else [])]
    names = {name for end in ends for name in (end, _TAIL.sub("", end)) if container_words(name)}
    return any(same_container(venue, [name]) for name in names)
