"""Where the title of an entry ends and the journal, the book or the publisher begins."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from showable.records.regex import regex

_BOUNDARY = regex(r"(?P<marks>[.?!]{1,3})(?P<close>[\"”’'»)\]]{0,2})(?P<after>\.?)\s+(?=[^\s.])")
_NO_END = regex(
    r"(?i)(?<![^\W_])(?:vs?|viz|cf|approx|eqs?|dr|mr|mrs|ms|st|prof|gen|inc|ltd|e\.g|i\.e|u\.s|u\.k|u\.s\.a|ph\.d|[a-z])$"
)
_NUMBERED = regex(r"(?i)(?<![^\W_])(?:nos?|vols?|figs?|pt|art|sect?|ch|pp?)$")
"""Abbreviations where a number follows, words of a title where none does."""
_LOWER_AFTER = regex(r"(?i)(?<![^\W_])(?:etc|spp?|subsp|var|ca|al|eds?|ser)$")
_SERVER_ALONE = regex(r"(?i)(?:arxiv|biorxiv|medrxiv|chemrxiv|corr)(?:\s+(?:e-?print|preprint)s?)?[\s.]*")
_VENUE = regex(
    r"\b(?:J|Journals?|Proc|Proceedings|Conf|Conference|Trans|Transactions|Revs?|Reviews?|Lett|Letters|Ann|Annals|Archives?|Arch|Bull|Bulletin|Int|International|"
    r"Workshop|Symposium|Advances|[aA]r[xX]iv|bioRxiv|medRxiv|ChemRxiv|SSRN|CoRR|OpenReview|Nature|Science|Lancet|BMJ|JAMA|PLoS|PLOS|Cell|PNAS|IEEE|ACM|Med|Medicine|Res|Research|"
    r"Sci|Sciences|University|Univ|Press|Magazine|Quarterly|Findings|Communications|Frontiers|Lecture Notes|Preprint|Publications?|Acad|Am|Eur|Br|Engl|Chem|Phys|"
    r"Biol|Clin|Surg|Psychol|Psychiatry|Neurosci|Mach|Learn|Comput|Math|Stat|Eng|Systems|Technologies|Reports?|Rep|Notes|Today|Times|Post|News|Weekly|Book|Handbook)\b"
)
_ACRONYM = regex(r"[A-Z]{2,}[A-Za-z]?(?:\b|\d)|[A-Z][a-z]{0,3}[A-Z]+[a-z]?[A-Z]*\b")
_LOWER_VENUE = frozenset("of the and for in on & de la des für und der et di y del a an et. to with from by".split())  # noqa: SIM905
_ABBREVIATED = regex(
    r"[A-Z][^\W\d_]{0,7}(?:-[A-Z]?[^\W\d_]{0,7})?|[A-Z](?:\.\s?[A-Z])*\.?|(?:of|and|the|für|de|[A-Z]{2,5})"
)
_QUOTED = regex(
    r"[\s,.]*(?:“(?P<curly>[^”]{3,400})”|'(?P<plain>[^']{8,300})'(?=\s*[,.;]|$)|‘(?P<single>[^’]{3,400}(?:’\w[^’]{0,200}){0,4})’|\"(?P<straight>[^\"]{3,400})\"|«\s?(?P<angle>[^»]{3,400})»|``(?P<tex>[^`']{3,400})'')(?P<after>\s*[.,;:]?)"
)
_IN = regex(
    r"(?P<mark>[.?!,][\"”’]?)\s+In(?::\s*|\s+(?=Proc|Advances|Findings|Conference|International|(?:19|20)\d\d|The \w+ Conference|(?:IEEE|ACM|AAAI|[A-Z]{3,})\b|"
    r"[\w-]*\s?Workshop|Annual|European|[A-Z]\.\s?[A-Z]|[^.()]{3,160}\((?:[Ee]ds?)\.\)))"
)
_EDITORS = regex(r"^.{2,240}?(?:,?\s\(?(?:[Ee]ds?\.?|[Ee]ditors?)\)?[.,:]\s+|\s\([Ee]ds?\.?\),?\s+)")
_EDITION = regex(
    r"(?i)[.,;]?\s*\(?(?P<edition>\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|rev(?:ised)?\.?|international)\s(?:ed(?:ition|n)?\b\.?)(?P<rest>,[^()]{0,40})?\)?"
)
_PLACE_PUBLISHER = regex(
    r"(?P<place>(?:[A-Z][\w’'-]*\.?,?\s){0,3}(?:[A-Z][\w’'-]+\.?,?|\([A-Z][\w. ]{1,20}\)))\s?:\s?(?P<publisher>[A-Z][^:;]{1,90}?)\s?(?:[;,]|\.)?\s*$"
)
_PUBLISHER = regex(
    r"\b(?:Press|Publish(?:ing|ers?)|Publications|Wiley|Springer|Elsevier|Routledge|Sage|SAGE|Penguin|McGraw|Pearson|Oxford University|Cambridge University|Books|Harper\w*|Norton|Macmillan|"
    r"Verlag|Academic|CRC|Blackwell|Saunders|Lippincott|Mosby|Thieme|Knopf|Houghton|Random House|O[’']Reilly|Addison|Prentice|Birkh\w+|Kluwer|Brill|Karger|Basic|Guilford|Erlbaum)\b"
)
_PROCEEDINGS = regex(r"(?:(?:19|20)\d\d )?Proc\.")
_AFTER_ACRONYM = regex(r"\s*\((?=[^()]{0,20}[A-Z]{2})[A-Z][\w&'’/ -]{1,20}\)(?:,.*)?$")
"""A conference's letters in parentheses, and the place where it was held."""
_SOCIETY = regex(
    r"(?:IEEE|ACM|ACL|AAAI|USENIX|PMLR|IET|SIAM|ISCA|Association for [A-Z][\w ]{3,40})(?: Computer Society)?"
)
_LONGEST_VENUE = 22
_LONG = 9
_FEW = 3


@dataclass(slots=True)
class Segment:
    """Words between two sentence marks; `hard` where what ends it can only be an end: two marks, a closing quote."""

    words: str
    start: int
    end: int
    mark: str = ""
    hard: bool = False


@dataclass(slots=True)
class Split:
    """The title, what contains it, and who published it."""

    title: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    quoted: bool = False


def segments_of(line: str) -> list[Segment]:
    """Cut a line at the marks that end a sentence; abbreviations, initials and ``vs.`` end none."""
    found: list[Segment] = []
    start = 0
    for match in _BOUNDARY.finditer(line):
        before = line[start : match.start()]
        hard = len(match["marks"]) > 1 or match["after"] == "." or bool(match["close"])
        if not hard and match["marks"] == "." and not _ends(before, line, match.end()):
            continue
        found.append(Segment(before.strip(), start, match.start(), match["marks"] + match["close"], hard))
        start = match.end()
    rest = line[start:].rstrip()
    if rest.strip(" ."):
        end = start + len(rest.rstrip("."))
        found.append(Segment(line[start:end].strip(), start, end, line[end : end + 1]))
    return found


def _ends(before: str, line: str, after: int) -> bool:
    """Check whether a period ends a sentence: not after ``vs``, ``No``, ``e.g`` or an initial, yes after ``vitamin D``."""
    tail = before[-8:]
    if _NUMBERED.search(tail):
        return not line[after : after + 1].isdigit()
    if _LOWER_AFTER.search(tail):
        return line[after : after + 1].isupper()
    if not _NO_END.search(tail) or _SERVER_ALONE.fullmatch(line, after):
        return True
    words = before[-40:].split()
    return (
        len(words) > 1
        and len(words[-1]) == 1
        and words[-2].islower()
        and words[-2].isalpha()
        and line[after : after + 1].isupper()
    )


def split_title(head: str, *, has_numbers: bool) -> Split:
    """Split ``Title. Container`` where the year and the numbers are gone already."""
    quoted = _quoted(head)
    if quoted is not None:
        return quoted
    inside = _IN.search(head)
    if inside is not None and inside.start() > 0:
        split = Split(_tidy(head[: inside.start()] + inside["mark"].strip(",.")))
        split.fields.update(container_fields(head[inside.end() :], book=True))
        return split
    parts = segments_of(head)
    if not parts:
        return Split()
    at = _container_from(parts, has_numbers=has_numbers)
    title = head[parts[0].start : parts[at - 1].end] + parts[at - 1].mark.strip(".") if at else head
    split = Split()
    edition = _EDITION.search(title)
    if edition is not None and edition.end() >= len(title.rstrip(" .)")) and edition.start() > 0:
        split.fields["edition"] = edition["edition"]
        title = title[: edition.start()]
    split.title = _tidy(title)
    if at and at < len(parts):
        split.fields.update(container_fields(head[parts[at].start :], book=False))
    return split


def _quoted(head: str) -> Split | None:
    """Take a quotation at the head for the title, unless it only begins one: ``"Why Trust You?": Explaining …``."""
    match = _QUOTED.match(head)
    if match is None:
        return None
    words = next(group for name, group in match.groupdict().items() if name != "after" and group)
    closed = words[-1] in ",.?!" or match["after"].strip() in {",", "."} or match.end() == len(head)
    if not closed or match["after"].strip() == ":" or len(words.split()) < _FEW - 1:
        return None
    rest = re.sub(r"^[\s,.]*(?:[Ii]n:?\s+)?", "", head[match.end() :])
    split = Split(_tidy(words), quoted=True)
    split.fields.update(container_fields(rest, book=" eds" in rest or "ed." in rest) if rest else {})
    return split


def _container_from(parts: list[Segment], *, has_numbers: bool) -> int:
    """Return the index of the segment with which the container begins; the length where there is none."""
    last = len(parts) - 1
    if last == 0:
        return 1
    at = last
    while (
        at > 1
        and not parts[at - 1].hard
        and _is_abbreviated(parts[at - 1])
        and _is_abbreviated(parts[at])
        and parts[at - 1].mark == "."
    ):
        at -= 1
    while at > 1 and (found := _EDITION.match(parts[at - 1].words)) and found.end() >= len(parts[at - 1].words):
        at -= 1
    before = parts[at - 1]
    if has_numbers or before.hard:
        return at
    words = " ".join(part.words for part in parts[at:])
    if is_venue(words):
        return at
    few_words = len(words.split()) <= _LONG - 1
    return at if few_words and before.mark[:1] == "." else len(parts)


def _is_abbreviated(part: Segment) -> bool:
    return len(part.words) <= 24 and all(_ABBREVIATED.fullmatch(word) for word in part.words.split())  # noqa: PLR2004


def is_venue(words: str) -> bool:
    """Check whether words look like the name of a journal, a conference, a repository or a publisher."""
    every = words.split()
    if not every or len(every) > _LONGEST_VENUE:
        return False
    if any(
        word[0].islower() and word not in _LOWER_VENUE and not word.startswith(("arXiv", "bioRxiv", "medRxiv", "eLife"))
        for word in every
    ):
        return False
    if _VENUE.search(words) or _ACRONYM.match(words):
        return True
    return len(every) <= _FEW


def container_fields(words: str, *, book: bool) -> dict[str, str]:
    """Read what follows a title: a journal or a book, its edition, its publisher, without editors."""
    fields: dict[str, str] = {}
    words = words.strip(" .,;")
    if book or "ditor" in words or "eds" in words.lower() or "(Ed" in words:
        words = _EDITORS.sub("", words, count=1)
    edition = _EDITION.search(words)
    if edition:
        fields["edition"] = edition["edition"]
        after = words[edition.end() :].strip(" .,;)")
        words = words[: edition.start()].strip(" .,;(")
        if after:
            fields["publisher"] = _publisher(after)
    words = re.sub(
        r"\s*\((?:pp?\.[^()]{1,30}|Report[^()]{1,40}|[^()]{0,30}No\.[^()]{1,20}|Vol\.[^()]{1,20})\)", "", words
    ).strip(" .,;")
    words = _AFTER_ACRONYM.sub("", words) if _PROCEEDINGS.match(words) else words
    parts = segments_of(words)
    place = _PLACE_PUBLISHER.match(parts[-1].words) if parts else None
    if place:
        fields.setdefault("publisher", place["publisher"].strip(" .,;"))
        words = words[: parts[-1].start].strip(" .,;")
        parts = parts[:-1]
    elif len(parts) > 1 and not edition and not all(map(_is_abbreviated, parts)):
        held = _name_ends(parts)
        if held < len(parts):
            fields["publisher"] = parts[-1].words.strip(" .,;")
        words = words[: parts[held - 1].end]
    if words:
        name = (
            "publisher"
            if not book and "publisher" not in fields and _is_publisher(words, edition=bool(edition))
            else "container"
        )
        fields[name] = _container(words)
    return fields


def _name_ends(parts: list[Segment]) -> int:
    """Count the segments of a container's name: ``Proc. 31st Int. Conf. Neural Inf. Process. Syst.`` is one name."""
    if not _PROCEEDINGS.match(f"{parts[0].words}."):
        return 1
    return len(parts) - bool(_PUBLISHER.search(parts[-1].words) or _SOCIETY.fullmatch(parts[-1].words))


def _publisher(words: str) -> str:
    """Return the publisher without its place."""
    place = _PLACE_PUBLISHER.match(words)
    return place["publisher"].strip(" .,;") if place else words


def _is_publisher(words: str, *, edition: bool) -> bool:
    return edition or (
        _PUBLISHER.search(words) is not None and not re.search(r"\b(?:J|Journal|Trans|Review|Lancet)\b", words)
    )


def _container(words: str) -> str:
    words = re.sub(r"(?i)^in:?\s+(?=[A-Z])", "", words.strip(" .,;:"))
    if re.fullmatch(r"(?i)arxiv(?:\s*(?:e-?prints?|preprint))?(?:\s*arxiv)?(?:\s*preprint)?", words):
        return "arXiv"
    return words


def _tidy(title: str) -> str:
    """Drop the marks around a title; the quotation marks only where they enclose all of it."""
    title = re.sub(r"\s*\[(?:[A-Za-z' -]{2,40})\]$", "", title.strip(" ,;"))
    title = title.rstrip(" .,;") if not title.endswith("...") else title
    if len(title) > _FEW and title[0] + title[-1] in {"“”", '""', "‘’", "«»"} and title[1:-1].count(title[0]) == 0:
        title = title[1:-1].rstrip(" .,")
    return title.strip()
