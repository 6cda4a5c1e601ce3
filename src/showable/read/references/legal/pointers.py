"""What points back: ``Id. at 5``, ``Ibid.``, ``Twombly, supra, at 570`` (Bluebook rules 4.1 and 4.2)."""

from __future__ import annotations

import re

from showable.read.references.legal.after import read_pin
from showable.read.references.legal.cite import Cite
from showable.read.references.legal.name_words import CONNECTORS, SUFFIXES
from showable.read.references.legal.plaintiffs import is_abbreviation
from showable.records.regex import regex

_ID = regex(
    r"(?<![\w.@/-])(?P<word>[Ii]d\.|[Ii]bid\.?|IBID\.|ID\.(?= at))(?![\w@-])(?! ?(?:[Nn]os?\.|[Nn]umber|#|[Cc]ards?\b))"
)
_ID_FRONT = regex(
    r"(?:^|[\n.!?;:,()\[\]\"'—-]|\b(?:see|also|cf\.?|accord|citing|quoting|e\.g\.,?|under|in|and|with|compare|contra|but|generally)|\b[0-9]{1,3})\s?$",
    re.IGNORECASE,
)
_SECTION = regex(r",? ?(?:at )?§§? ?(?P<section>[0-9][0-9A-Za-z.-]{0,12})(?P<sub>(?:\([0-9A-Za-z]{1,4}\)){0,6})")
_SUPRA = regex(r"(?<![\w-])[Ss]upra(?![\w-])(?:,? (?:n(?:ote|\.) ?|footnote |fn\. ?)(?P<note>[0-9]{1,4}))?")
_NAME_WORD = regex(r"\S+")
_INTERNAL = frozenset(
    [
        "see",
        "also",
        "cf",
        "accord",
        "compare",
        "but",
        "note",
        "part",
        "section",
        "pp",
        "p",
        "at",
        "and",
        "in",
        "id",
        "under",
        "as",
        "vide",
        "infra",
        "table",
        "figure",
        "exhibit",
        "fig",
        "discussed",
    ]
)
_LEADS = frozenset("see also cf accord compare but citing quoting in under contra e.g with and".split())  # noqa: SIM905 - a list of words reads best as words
_LOOK_BACK = 16
_NAME_ROOM = 220


def find_ids(text: str) -> list[Cite]:
    """Find ``id.`` and ``ibid.`` with their pins, in folded text, in order of place.

    An ``id`` in the middle of prose (``the user id. of``) is one only after a word that introduces a citation.
    """
    found: list[Cite] = []
    for match in _ID.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        if match["word"][0].islower() and before[-1:].isspace() and not _ID_FRONT.search(before):
            continue
        if match["word"] == "Id." and not _ID_FRONT.search(before):
            continue
        found.append(_with_pin(text, Cite("id", *match.span(), {})))
    return found


def _with_pin(text: str, cite: Cite) -> Cite:
    section = _SECTION.match(text, cite.end)
    if section:
        cite.fields["section"] = section["section"].rstrip(".-")
        if section["sub"]:
            cite.fields["subsection"] = section["sub"]
        cite.full_end = section.end() - (len(section["section"]) - len(cite.fields["section"])) * (not section["sub"])
        return cite
    pin, end = read_pin(text, cite.end, min(len(text), cite.end + 80))
    if pin:
        cite.fields["pin"] = pin
        cite.full_end = end
    return cite


def find_supras(text: str) -> list[Cite]:
    """Find ``NAME, supra`` in folded text, in order of place; ``supra Part II`` points within the document and is not one."""
    found: list[Cite] = []
    for match in _SUPRA.finditer(text):
        low = max(
            text.rfind("\n", 0, match.start()) + 1, match.start() - _NAME_ROOM, found[-1].full_end if found else 0
        )
        start = _name_start(text, low, match.start())
        if start is None:
            continue
        name = text[start : match.start()].strip(" ,\"'(")
        cite = Cite("supra", match.start(), match.start() + len("supra"), {"case_name": name}, full_start=start)
        if match["note"]:
            cite.fields["note"] = match["note"]
        pin, end = read_pin(text, match.end(), min(len(text), match.end() + 80))
        cite.full_end = end
        if pin:
            cite.fields["pin"] = pin
        found.append(cite)
    return found


def _name_start(text: str, low: int, end: int) -> int | None:
    """Walk back over the name before ``supra``; None where there is none (``see supra note 5``)."""
    start = None
    words = list(_NAME_WORD.finditer(text, low, end))
    for position, word in enumerate(reversed(words)):
        said = word[0].strip("\"'([,")
        bare = said.strip(".").lower()
        ends = word[0][-1] in ";:!?)]" or (
            position
            and word[0][-1] == ","
            and "&" not in text[word.end() : end]
            and bare not in SUFFIXES
            and not _suffix_follows(text, word.end())
        )
        ends = ends or (
            position > 0 and word[0][-1] == "." and not is_abbreviation(word[0]) and bare not in {"v", "vs"}
        )
        if (
            not said
            or ends
            or bare in _LEADS
            or (not said[0].isupper() and not said[0].isdigit() and said not in CONNECTORS)
        ):
            break
        if position == 0 and bare in _INTERNAL:
            break
        if said[0].isupper() or said[0].isdigit():
            start = word.start() + len(word[0]) - len(word[0].lstrip("\"'(["))
        if word[0][0] in '("[':
            break
    return start if start is not None and re.search(r"[A-Za-z]{2}", text[start:end]) else None


def _suffix_follows(text: str, at: int) -> bool:
    following = text[at : at + 8].split()
    return bool(following) and following[0].lower().strip(",") in SUFFIXES
