"""Visible words of an answer that no claim holds: which of them state something after all.

What is left of the text once claims are taken from it is cut into clauses. A clause that may state something, by its form, is put
to the reader: it is a claim where the reader says that it asserts, it belongs to talk, guidance, a question or a
decline where the reader is sure of that, and where no role fits nobody knows whose it is.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from showable.read.claims import RawClaim
from showable.read.guidance import is_guidance
from showable.read.language import foreign_language
from showable.read.marker import Span
from showable.read.own_doings import SPEAKS_OF_ITSELF
from showable.read.predication import PREPOSITIONS, STRONG, SUBJECTS, finite_at, is_predication, tokens
from showable.read.quantities import find_quantities
from showable.read.reference_lists import ReferenceList
from showable.read.refusal_phrases import ANY_SOURCE
from showable.read.restated import Restated
from showable.read.sentences import Sentence
from showable.read.stretches import Stretches
from showable.records.record import Claim
from showable.records.regex import regex
from showable.records.roles import ROLES, ReadSentence, ReadText

_ASSERTS, _TALKS = 0.5, 0.4
"""From the one on of asserting words are a claim, up to the other they are talk; between them no role fits."""
_RELATIVE = frozenset({"what", "whatever", "who", "whoever", "which", "where", "how"})
_IDLE, _POINTS, _POINTED_AT = 0.25, 0.8, "the source"
_FEWEST_WORDS, _LONG, _LONG_NAME = 3, 4, 7
# What sets off a clause that is stated, whatever its sentence does: "Ask again, because the fee is due".
_META = ROLES.index("meta")
_OF_ITSELF = regex(rf"(?:(?:this|these|that|it|here)\b|(?:the |these |those )?{ANY_SOURCE})", re.IGNORECASE)
_STATED = r"[;(–—]\s*|\s-\s|,?\s*\b(?:(?:given|now|seeing|considering) that|because|although|though|whereas|while)\s+|(?:^\W*|,\s+)(?:since|as)\s+"
# Beside these, of what does not decline: "see the page, which shows that the fee is due".
_TOLD = r"|:\s+|,\s+(?:and|but|so|yet|for)\b,?\s*|,?\s*\b(?:which|whose|who|how|why|that)\s+"
_OF_DECLINES, _OF_TALK = regex(_STATED, re.IGNORECASE), regex(_STATED + _TOLD, re.IGNORECASE)
_END = regex(r"[;:)–—]|\s-\s|,\s|\b(?:because|although|though|whereas)\b", re.IGNORECASE)
_GOES_ON = regex(r"(?:and|or|from|to|in|on|at|by|of|for|with|without|\d\S*)\b|\S+\W*$", re.IGNORECASE)
"""What goes on after a comma: a list, a phrase of place or time, a last word."""
_UNSTATED = regex(r"\b(?:if|whether|unless|in case|once|when)\b", re.IGNORECASE)
_OPENER = regex(r"[\W_]*(?:(?:however|but|and|so|then|also|still|yet|please|\w+ly),?\s+)*", re.IGNORECASE)
_ASKS = regex(
    r"\W*(?:who|whom|whose|what|which|when|where|why|how|is|are|am|was|were|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would|\w+n['’]t)\b",
    re.IGNORECASE,
)
_ANNOUNCES = regex(r"\b(?:here(?:['’]s)?|below|follow(?:s|ing)|these|this|those|such)\b", re.IGNORECASE)
"""In a lead-in that ends in a colon: what is said of "the following" is completed by what follows, and no claim yet."""
_AS_A = regex(r"\W*as\s+(?:an?|of)\b", re.IGNORECASE)
_TAGGED = regex(r",\s+[^,?]{1,24}\?\W*$")
"""What makes a statement a question: ", right?", ", isn't it?"."""
_ENUMERATED = regex(r"\W*(?:\d{1,3}(?:\.\d{1,3})*|[ivx]{1,5}|[a-z])[.):]\s+", re.IGNORECASE)


Words = Callable[[int, int], str]
"""Returns the words of a span, without markers and formatting."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Words that nothing owns yet, and their place; `claim` is what they make, where that is known.

    `named` words are a heading, a cell, a title or a comment: these decline nothing, but may tell of an absence.
    """

    span: Span
    words: str
    named: bool = False
    claim: RawClaim | None = None


def pieces_of(
    text: str,
    sentences: Sequence[Sentence],
    owned: Sequence[Span],
    words_of: Words,
    *,
    declining: Sequence[Span],
    citing: Sequence[Span],
) -> Iterator[Piece]:
    """Yield the clauses outside the spans that claims and citations own which may state something.

    Of what declines only the clauses that it concedes or gives for its reason are looked at.
    """
    in_order, declined, cited = sorted(owned), Stretches(declining), Stretches(citing)
    edges = sorted({at for span in declining for at in span})
    for sentence in sentences:
        if sentence.kind == "code":
            continue
        guides = is_guidance(words_of(sentence.start, sentence.end))
        named = sentence.kind in {"heading", "table_row"}
        for first, last in _apart(_outside(sentence, in_order), edges):
            for start, end in _cells(text, first, last) if named else [(first, last)]:
                declines = 2 * declined.covered((start, end)) > end - start
                for span in _clauses(text, start, end, declines=declines, guides=guides):
                    words = words_of(*span)
                    cites = 2 * cited.covered(span) > span[1] - span[0]
                    if not cites and _may_state(words, named=named, declines=declines):
                        yield Piece(span, words, named)


def of_entries(text: str, references: ReferenceList, names: Collection[str]) -> Iterator[Piece]:
    """Yield what entries of a reference list state in place of naming a source: "[2] The fee is due"."""
    titles = [name.casefold() for name in names]
    for entry in references.entries.values():
        words = entry.text.strip()
        told = is_predication(words) and not entry.url and not any(map(str.isdigit, words))
        if (
            told
            and words.endswith((".", "!"))
            and not any(words.casefold() in title or title in words.casefold() for title in titles if " " in title)
        ):
            at = text.find(words, *entry.span)
            if at >= 0:
                yield Piece((at, at + len(words)), words)


def _apart(parts: Iterable[Span], edges: Sequence[int]) -> Iterator[Span]:
    """Yield the parts cut where a decline begins or ends in them: "I cannot open it,| but here's the sum: 5 euros"."""
    for start, end in parts:
        yield from pairwise([start, *edges[bisect_right(edges, start) : bisect_left(edges, end)], end])


def _cells(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the places of what stands between the bars of a row, or of all of it."""
    for part in re.finditer(r"[^|]+", text[start:end]):
        yield start + part.start(), start + part.end()


def _outside(sentence: Sentence, owned: Sequence[Span]) -> Iterator[Span]:
    """Yield the parts of a sentence that no span of `owned`, which are in order, covers."""
    first = bisect_left(owned, (sentence.start, 0))
    while first and owned[first - 1][1] > sentence.start:
        first -= 1
    at = sentence.start
    for start, end in owned[first : bisect_left(owned, (sentence.end, 0))]:
        if start > at:
            yield at, start
        at = max(at, end)
    if at < sentence.end:
        yield at, sentence.end


def _clauses(text: str, start: int, end: int, *, declines: bool, guides: bool) -> Iterator[Span]:
    """Yield the clauses that talk or a decline states besides, without the words that set them off, and the head of talk.

    The head of a question is none, unless it is a statement with a tag ("It is due, right?"), nor what the
    writer says of its own doings, whose reports are claims already.
    """
    stretch = text[start:end]
    if stretch.rstrip("*_ ").endswith(":") and (announced := _ANNOUNCES.search(stretch)):
        stretch = stretch[: announced.start()]
    asks = stretch.rstrip("*_ ").endswith("?")
    opener = _OPENER.match(stretch)
    body = stretch[opener.end() :] if opener else stretch
    of_itself = SPEAKS_OF_ITSELF.match(body)
    if tag := _TAGGED.search(stretch):
        yield start, start + tag.start()
        stretch, asks = stretch[: tag.start()], False
    elif not (
        declines
        or of_itself
        or (asks and _ASKS.match(body))
        or _UNSTATED.match(body)
        or body.startswith(("To ", "to "))
    ):
        yield start, start + _stop(stretch, 0)
    for cut in (_OF_DECLINES if declines or of_itself else _OF_TALK).finditer(stretch):
        begin = cut.end()
        reported = cut[0].strip().lower() == "that" and _UNSTATED.search(stretch, 0, begin)
        asked = asks and _ASKS.match(stretch, begin)
        names = guides and cut[0].startswith(":")
        if begin == len(stretch) or _UNSTATED.match(stretch, begin) or reported or asked or names:
            continue
        stop = _stop(stretch, begin)
        if not stretch[: cut.start()].strip() and (comma := stretch.find(",", begin, stop)) >= 0:
            stop = comma  # "While the fee is due, I cannot tell"
        if not _AS_A.match(stretch, cut.start()):
            yield start + begin, start + stop


def _stop(stretch: str, begin: int) -> int:
    """Return where a clause ends: at the first sign after which it has its verb, so that a list does not cut it."""
    if stretch[begin - 1 : begin] == "(":
        return stretch.find(")", begin) if ")" in stretch[begin:] else len(stretch)
    for sign in _END.finditer(stretch, begin):
        listed = sign[0].startswith(",") and _GOES_ON.match(stretch, sign.end())
        if not listed and is_predication(stretch[begin : sign.start()]):
            return sign.start()
    return len(stretch)


def _may_state(words: str, *, named: bool, declines: bool) -> bool:
    """Return whether words may state something: a subject and its verb, a figure, or, in running text, many words.

    In what declines a pronoun stands for the documents or the writer: "because they cover only 2020".
    """
    bare = _ENUMERATED.sub("", words, count=1)
    count = len(bare.split())
    figures = any(map(str.isdigit, bare))
    if count < _FEWEST_WORDS and not (figures and named):
        return False
    found = tokens(bare)
    if (
        not found
        or found[0].form in STRONG | {"ed"}
        or found[-1].form in STRONG
        or found[-1].word in PREPOSITIONS | {"like", "that", "which", "whether"}
    ):
        return False  # no subject ("that drove the change"), or no end ("the main factors are")
    at = finite_at(found)
    verb = at is not None
    if at is not None and found[0].word in _RELATIVE and finite_at(found[at + 1 :]) is None:
        return False  # "what came after it" names something
    fragment = not verb and (found[0].word in PREPOSITIONS or found[0].word == "based")
    if declines:
        stands_for_them = found[0].word.partition("'")[0] in SUBJECTS | {"this", "that", "these", "those"}
        return (verb or count >= _LONG) and not stands_for_them
    return not fragment and (
        verb or figures or (named and ": " in bare.strip()) or count >= (_LONG_NAME if named else _LONG)
    )


def _is_talk(span: Span, words: str, read: ReadText) -> bool:
    """Return whether a reader is sure that what stands at a span asserts nothing; words with a figure always may.

    Of words in another language it is never sure. A statement is talk only if it speaks of itself or of a source ("This is no advice"), a label
    ("Summary.") by the reader alone. A sentence that
    ends in what it points at ("For the wording, see [2]") needs less to be only a pointer.
    """
    if foreign_language(words) is not None:
        return False
    points = words.endswith(_POINTED_AT)
    near = _units(read, span)
    if not near or near[0].span[0] < span[0] or near[-1].span[1] > span[1] or "=" in words or find_quantities(words):
        return False
    if points:
        return max(one.asserts for one in near) < _POINTS
    of_itself = not is_predication(words) or _OF_ITSELF.match(words)
    return bool(of_itself) and max(1 - one.p[_META] - one.declines for one in near) < _IDLE


def without_talk(
    found: RawClaim, read: ReadText, claim: Callable[[Span, str], RawClaim], words: Words
) -> RawClaim | None:
    """Return a claim without the clauses of talk that lead into it, None where all of it is talk."""
    if _is_talk(found.span, found.text, read):
        return None
    start, end = found.span
    units = [one for one in _units(read, found.span) if start <= one.span[0] and one.span[1] <= end]
    at = next((one.span[0] for one in units if one.asserts >= _ASSERTS), start)
    led = [one for one in units if one.span[1] <= at]
    before = words(start, at)
    introduced = before.endswith((":", "–", "—")) and any(token.form in STRONG for token in tokens(before))
    if not led or not introduced or max(one.asserts for one in led) >= _IDLE or find_quantities(before):
        return found
    return replace(claim((at, end), words(at, end)), markers=found.markers, context=found.context)


def without_restated(pieces: Sequence[Piece], claims: Sequence[str]) -> list[Piece]:
    """Return the pieces that say something which no claim says."""
    known = Restated([Claim(text=words) for words in claims])
    return [piece for piece in pieces if not known.says(piece.words)]


def settled(pieces: Sequence[Piece], reads: Sequence[ReadText]) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces that assert, by what a reader said of them, and those that no role fits.

    Of two pieces that lie in one another the inner one counts.
    """
    asserting: list[Piece] = []
    nobodys: list[Piece] = []
    for piece in sorted(pieces, key=_place):
        start, end = piece.span
        units = [
            one for read in reads for one in _units(read, piece.span) if start <= one.span[0] and one.span[1] <= end
        ]
        most = max((one.asserts + (one.declines if piece.named else 0.0) for one in units), default=1.0)
        if most >= _ASSERTS or foreign_language(piece.words) is not None:
            asserting.append(piece)
        elif most > _TALKS:
            nobodys.append(piece)
    inner = [piece for piece in asserting if not _holds_one(piece, asserting)]
    return inner, [piece for piece in nobodys if not _holds_one(piece, asserting)]


def _holds_one(outer: Piece, pieces: Sequence[Piece]) -> bool:
    """Return whether another piece, of those in order, lies in a piece."""
    for other in pieces[bisect_left(pieces, _place(outer), key=_place) :]:
        if other.span[0] >= outer.span[1]:
            return False
        if other.span != outer.span and other.span[1] <= outer.span[1]:
            return True
    return False


def _place(piece: Piece) -> Span:
    return piece.span[0], -1


def _units(read: ReadText, span: Span) -> Sequence[ReadSentence]:
    """Return what was read that overlaps a span; units are in order, and lie apart."""
    first = bisect_right(read.sentences, span[0], key=_end)
    return read.sentences[first : bisect_left(read.sentences, span[1], key=_start)]


def _start(one: ReadSentence) -> int:
    return one.span[0]


def _end(one: ReadSentence) -> int:
    return one.span[1]
