"""Read the claims of an answer: the sentences, or atomic parts of them, that assert a fact, with their markers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from showable.read.assertions import asserts, asserts_fact, told_at
from showable.read.blocks import cells
from showable.read.compound import Atom, split_compound
from showable.read.embedded import embedded
from showable.read.marker import Marker
from showable.read.plain_text import tidy, unformatted
from showable.read.predication import PREPOSITIONS, is_predication, tokens
from showable.read.sentences import Sentence
from showable.read.stretches import Stretches
from showable.read.verbs import COMPLEMENT_VERBS
from showable.records.regex import regex

__all__ = ["ClaimFinder", "RawClaim", "asserts_fact", "find_claims"]

_ENUMERATOR = regex(r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,5})\)|\d{1,2}\.)\s+(?=\S)")
_LINK = regex(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{1,2000}\)|<a\b[^<>]{0,500}>([^<>]{1,300})</a>")
_LABEL = regex(
    r"[\d\W]+|(?:source|ref|citation|link|doc|document|page|here)s?\W*[\d\W]*|[\w-]+\.[a-z]{2,6}\S*", re.IGNORECASE
)
_TRAILING = regex(r"(?<![\s,;:–—-])[\s,;:–—-]+$")
"""Looked for where a run begins: from each character of one that ends before the end it would cost the run's square."""
_ABBREVIATED = regex(r"\b[^\W\d_]\.[^\W\d_]\.$|\b(?:Inc|Corp|Ltd|Co|etc|al|Jr|Sr|No|Ph\.D|p\.m|a\.m)\.$")
_ANNOUNCED = regex(
    r"(?:sure[,!.]?\s+)?(?:based on [^,]{1,80},\s+)?(?:here(?:'s| is| are)|below (?:is|are)|the following (?:is|are)|these are)\s+",
    re.IGNORECASE,
)
_GENERIC_LEAD = regex(
    r"(?:(?:the|some|a few|several|my|brief|short|quick)\s+)*(?:main |key |most |important |relevant )*(?:points?|details?|facts?|steps?|"
    r"summary|findings|answers?|information|overview|breakdown|results?|items?|tips|takeaways|reasons|examples|options|ways|methods|highlights|factors)\b(?! of| for| why)[^:]{0,60}:"
    r"|(?:summary|overview|conclusions?|answer|key (?:points|findings|takeaways)|in summary|details?|notes?):",
    re.IGNORECASE,
)
_NOUN_USE = regex(r"\b(?:according to|in|per|by|from|see|of|passages? (?:is|are|was|were)|\\] and)$", re.IGNORECASE)
_PHRASE = regex(r"\b(?:the|an?|this|its|their|in|of|by|to|from|at|on|is|are|was|see|called|named)$|^$", re.IGNORECASE)
_JOINS = regex(r", but |;")
_DOUBLED = regex(r"([.!?])\s+\.(?=\s|$)")
"""What is left where a citation stood as a sentence of its own, as in "It works. doi:10.1000/1."."""
_CITED_UNDER = regex(
    r"(?:\W*(?:key|primary|legal|main|supporting)\s)?\W*(?:authorit(?:y|ies)|sources?|citations?|cites?|references?|cases?|statutes?|see|see also|basis|support|available(?: online)? (?:at|from)|retrieved from)\W*",
    re.IGNORECASE,
)
"""A label before citations alone ("Authority: …"), which is no lead-in of what comes after."""
_JOINED_MARKS = regex(r"\b(?:and|or|used|cited|consulted)\b|[*_()]", re.IGNORECASE)
"""What stands between and around the citations under a label: "*Sources used: [1] and [2]*"."""
_ENCLOSED = regex(r"[(\[]([^()\[\]]+)[)\]]\W*")
_NUMBERED = regex(r"(?:[A-Z][\w-]*\s)?#?\d{1,3}(?:[.:)]|\s[–—-])\s+(?=\S)")
"""A label that only counts: "Step 1: ", "Figure 2 – "."""
_COUNT = regex(r"#?\d{1,3}[.)]?")
"""The number of a row, before its cells."""
_BEFORE_SOURCE = PREPOSITIONS | {"see"}
_AFTER_SOURCE = regex(r"[\])]*\s?[,:]\s+(?=\S)")
_SAYS_THAT = regex(r"\s+(?:\w+ly\s+)?(\w+)\s+that\s+(?=\S)")
_LONGEST_LEAD_IN = 60
_IDS = frozenset({"doi", "pmid", "pmcid", "arxiv"})
_HALF = 0.5
_LONGEST_SENTENCE = 1200


@dataclass(frozen=True, slots=True)
class RawClaim:
    """A claim before its citations are resolved.

    `text` stands on its own: markers and formatting off, the subject kept, no full stop at its end. `span` is its
    place in the answer. `context` is the enclosing sentence, with the lead-in of its list. `markers` index the markers.
    """

    text: str
    span: tuple[int, int]
    context: str
    markers: tuple[int, ...]


def find_claims(
    text: str, sentences: Sequence[Sentence], markers: Sequence[Marker], skip: Sequence[tuple[int, int]]
) -> list[RawClaim]:
    """Read the claims of `sentences` in order; what lies mostly inside a span of `skip` is none.

    A marker belongs to the part it stands in or closes; one that closes an unsplit "A and B" belongs to both.
    Markers that stand alone belong to the sentence before them, those of a lead-in to the items without any.
    """
    return ClaimFinder(text, markers, skip).read(sentences)


class ClaimFinder:
    """Reads claims out of a text whose markers are known; what lies mostly inside a span of `skip` is none."""

    def __init__(self, text: str, markers: Sequence[Marker], skip: Sequence[tuple[int, int]]) -> None:
        self.text = text
        self.led: list[tuple[int, int]] = []
        """Words that only say whose statement follows."""
        self.inside: list[RawClaim] = []
        """What sentences state in brackets, between commas and before their own clause, once they have been read."""
        self.markers = markers
        self.order = sorted(range(len(markers)), key=lambda index: (markers[index].start, index))
        self.starts = [markers[index].start for index in self.order]
        self.skip = sorted(skip)
        self.claims: list[RawClaim] = []

    def words(self, start: int, end: int) -> str:
        """Return the words of a span, without markers and formatting."""
        return self.spoken(start, end, self.within(start, end))

    def claim(self, span: tuple[int, int], words: str) -> RawClaim:
        """Return a claim of these words, with the markers that stand in the span."""
        return RawClaim(_capital(_without_stop(words.strip(" ?!*_"))), span, words, self.within(*span))

    def read(self, sentences: Sequence[Sentence]) -> list[RawClaim]:
        """Return the claims of sentences in order."""
        self._set_apart(sentences)
        lead_marks: tuple[int, ...] = ()
        last: range = range(0)
        for sentence in sentences:
            if sentence.kind in ("heading", "code"):
                lead_marks = ()
                continue
            begun = len(self.claims)
            marks = self.within(sentence.start, sentence.end)
            body = self.spoken(sentence.start, sentence.end, marks)
            if not any(map(str.isalnum, body)) or (marks and _CITED_UNDER.fullmatch(_JOINED_MARKS.sub(" ", body))):
                self._close(last, marks)
                continue
            if self._ends_cited(sentence, marks):
                body = body.rstrip(" :")
            if body.endswith(":"):
                lead_marks = marks
            elif self.skipped(sentence.start, sentence.end):
                last = range(0)
            else:
                marks = marks or (lead_marks if sentence.lead else ())
                self._sentence(sentence, body, marks)
                last = range(begun, len(self.claims))
        return self.claims

    def _set_apart(self, sentences: Sequence[Sentence]) -> None:
        """Take the statements that sentences hold inside them out of the text, so that each is read by itself."""
        holes: list[tuple[int, int]] = []
        for sentence in sentences:
            if sentence.kind in {"heading", "code", "table_row"} or sentence.end - sentence.start > _LONGEST_SENTENCE:
                continue
            marks = self.within(sentence.start, sentence.end)
            at, words = sentence.start, self._blanked(sentence, marks)
            for found in embedded(words):
                outer = (at + found.outer[0], at + found.outer[1])
                inner = (at + found.inner[0], at + found.inner[1])
                said = _capital(_without_stop(tidy(f"{found.carried} {unformatted(words[slice(*found.inner)])}")))
                if asserts(said) and self.text[slice(*outer)] == words[slice(*found.outer)]:
                    holes.append(outer)
                    closing = self.within(inner[1], sentence.end) if found.outer[0] else ()
                    self.inside.append(RawClaim(said, inner, self.spoken(at, sentence.end, marks), closing))
        self.text = Stretches(holes).rewritten(self.text, lambda words: " " * len(words))

    def _ends_cited(self, sentence: Sentence, marks: tuple[int, ...]) -> bool:
        """Check whether the colon that ends the words of a sentence only introduces a case or a paper: "Notice is due: Roe v. Poe"."""
        last = self.markers[marks[-1]] if marks else None
        if last is None or last.style != "reference" or last.mention:
            return False
        return not any(map(str.isalnum, self.text[last.end : sentence.end]))

    def within(self, start: int, end: int) -> tuple[int, ...]:
        """Return the markers that begin in the span, in their order in the text."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return tuple(self.order[first:last])

    def skipped(self, start: int, end: int) -> bool:
        """Check whether most of the span lies in a skipped one."""
        covered = sum(max(0, min(end, last) - max(start, first)) for first, last in self.skip)
        return covered > (end - start) * _HALF

    def _close(self, last: range, marks: tuple[int, ...]) -> None:
        """Give markers that stand alone to the claims of the sentence before them."""
        for at in last:
            claim = self.claims[at]
            self.claims[at] = RawClaim(claim.text, claim.span, claim.context, (*claim.markers, *marks))

    def spoken(self, start: int, end: int, marks: tuple[int, ...]) -> str:
        """Return the text of a span without markers and formatting."""
        if not marks:
            return unformatted(self.text[start:end])
        pieces: list[str] = []
        at = start
        for index in marks:
            mark = self.markers[index]
            if mark.start < at:
                continue
            said = self._read_out(mark, start, end)
            before = self.text[at : mark.start]
            at = min(max(mark.end, at), end)
            if mark.mention and not said and before.rstrip().endswith(","):
                before = before.rstrip()[:-1]
                at += self.text.startswith(",", at)
            pieces += (before, said)
        pieces.append(self.text[at:end])
        return tidy(unformatted(_DOUBLED.sub(r"\1", "".join(pieces))))

    def _read_out(self, mark: Marker, start: int, end: int) -> str:
        """Return what is read in a marker's place: a link's words, an author's name, a statute's, "the source", or nothing."""
        closes = self._closes(mark, start, end)
        if link := _LINK.fullmatch(mark.raw):
            words = link[1] or link[2]
            return "" if closes or _LABEL.fullmatch(words) else words
        if mark.style == "reference":
            return mark.raw if mark.mention and self._is_word(mark, start, closes=closes) else ""
        if mark.raw[0].isalpha() or mark.style == "path":
            return "" if mark.style in {"url", "path"} and closes else mark.raw
        before = self.text[max(start, mark.start - 24) : mark.start].rstrip(" (")
        subject = mark.start == start and self.text[mark.end : mark.end + 2].strip()[:1].islower()
        return "the source" if subject or _NOUN_USE.search(before) else ""

    def _is_word(self, mark: Marker, start: int, *, closes: bool) -> bool:
        """Check whether a reference is a word of its sentence ("Under 28 U.S.C. § 1331, …"): no caption before it says what it is."""
        before = self.text[max(start, mark.start - 16) : mark.start].rstrip()
        fields = mark.reference.fields if mark.reference else {}
        caption = re.findall(r"\w+", fields.get("case_name", ""))
        captioned = bool(caption) and before.rstrip("*_").endswith(caption[-1])
        return not captioned and not before.endswith((",", "(", "[", ";")) and not (closes and fields.keys() & _IDS)

    def _closes(self, mark: Marker, start: int, end: int) -> bool:
        """Check whether a link stands in brackets, after a stop, or at the end and no part of a phrase ("in the …")."""
        before = self.text[max(start, mark.start - 16) : mark.start].rstrip()
        if before[-1:] in (".", "!", "?", "(", "[", ",", ";"):
            return True
        return not self.text[mark.end : end].strip(" .!?)],;") and not _PHRASE.search(before)

    def _sentence(self, sentence: Sentence, body: str, marks: tuple[int, ...]) -> None:
        if sentence.kind == "table_row":
            self._row(sentence, marks)
            return
        lead = sentence.lead or ""
        context = f"{lead} {body}" if lead else body
        alone = asserts(body)
        if not alone and (body.endswith("?") or not _JOINS.search(body)):
            return
        if told := told_at(self._blanked(sentence, marks)):
            self.led.append((sentence.start, sentence.start + told))
            sentence = replace(sentence, start=sentence.start + told)
            body = self.spoken(sentence.start, sentence.end, self.within(sentence.start, sentence.end))
        elif attributed := self._attributed(sentence):
            told = attributed - sentence.start
            sentence = replace(sentence, start=attributed)
            body = self.spoken(attributed, sentence.end, self.within(attributed, sentence.end))
        atoms = split_compound(self._blanked(sentence, marks))
        if len(atoms) > 1:
            self._atoms(sentence, atoms, marks, context)
        elif alone:
            self.claims.append(
                RawClaim(
                    _stand_alone(_capital(body) if told else body, lead), (sentence.start, sentence.end), context, marks
                )
            )

    def _attributed(self, sentence: Sentence) -> int | None:
        """Return where a statement begins, after words that only say whose it is: "According to [1], …", "[2] states that …"."""
        end = sentence.start
        for index in self.within(sentence.start, sentence.end):
            marker = self.markers[index]
            if marker.start > end > sentence.start and self.text[end : marker.start].strip(" ,[]()") not in {
                "",
                "and",
                "or",
                "&",
            }:
                break
            if marker.style in {"reference", "author_year"} or (
                end == sentence.start and marker.start - end > _LONGEST_LEAD_IN
            ):
                return None
            if end == sentence.start and (before := self.text[end : marker.start].rstrip("[( ")):
                last = tokens(before.removesuffix(" the"))
                if not last or last[-1].word not in _BEFORE_SOURCE or is_predication(before):
                    return None
                found = _AFTER_SOURCE
            elif end == sentence.start:
                found = _SAYS_THAT
            end = max(end, marker.end)
        after = found.match(self.text, end, sentence.end) if end > sentence.start else None
        if after is None or (found is _SAYS_THAT and after[1].lower() not in COMPLEMENT_VERBS):
            return None
        self.led.append((sentence.start, after.end()))
        return after.end()

    def _atoms(self, sentence: Sentence, atoms: list[Atom], marks: tuple[int, ...], context: str) -> None:
        """Make each part a claim; a part without markers takes those of the next part that has some."""
        closing = () if self.within(sentence.start, sentence.end) else marks
        begun = len(self.claims)
        edge = sentence.end
        for atom in reversed(atoms):
            start, end = sentence.start + atom.start, sentence.start + atom.end
            closing = self.within(start, edge) or closing
            edge = start
            if self.skipped(start, end):
                continue
            words = self.spoken(start, end, self.within(start, end))
            if atom.carried:
                words = f"{tidy(unformatted(atom.carried))} {words}"
            if asserts(words):
                self.claims.insert(begun, RawClaim(_capital(_without_stop(words)), (start, end), context, closing))

    def _blanked(self, sentence: Sentence, marks: tuple[int, ...]) -> str:
        """Return the sentence with its markers blanked out, at the same length."""
        words = self.text[sentence.start : sentence.end]
        places = (self.markers[index] for index in marks)
        spans = [(at.start - sentence.start, at.end - sentence.start) for at in places if at.start >= sentence.start]
        blank = Stretches(span for span in spans if not words[span[0] : span[0] + 1].isalpha())
        return blank.rewritten(words, lambda marker: " " * len(marker))

    def _row(self, sentence: Sentence, marks: tuple[int, ...]) -> None:
        """Read a table row as ``Header: cell; Header: cell``."""
        at, values = sentence.start, []
        row = self.text[sentence.start : sentence.end]
        for cell in re.split(r"(?<!\\)\|", row):
            values.append(self.spoken(at, at + len(cell), self.within(at, at + len(cell))).replace("\\|", "|"))
            at += len(cell) + 1
        if row.lstrip().startswith("|"):
            values = values[1:]
        heads = cells(sentence.lead) if sentence.lead else []
        stated = [(column, value) for column, value in enumerate(values) if any(map(str.isalnum, value))]
        if stated and stated[0][0] == 0 and _COUNT.fullmatch(stated[0][1]) and len(stated) > 1:
            stated = stated[1:]
        named = [
            f"{heads[column]}: {value}" if column < len(heads) and heads[column] else value for column, value in stated
        ]
        if named:
            words = "; ".join(named)
            self.claims.append(RawClaim(words, (sentence.start, sentence.end), words, marks))


def _stand_alone(body: str, lead: str) -> str:
    """Return the words of a claim: its enumerator off, and after its lead-in where it is no sentence itself."""
    if enclosed := _ENCLOSED.fullmatch(body):
        body = enclosed[1]
    numbered = _ENUMERATOR.match(body) or _NUMBERED.match(body)
    if numbered and (numbered.re is _ENUMERATOR or is_predication(body[numbered.end() :])):
        body = body[numbered.end() :]
    body = _without_stop(body)
    if body.startswith("the source "):
        body = _capital(body)
    if not lead or is_predication(body):
        return body
    announced = _ANNOUNCED.match(lead)
    named = lead[announced.end() :] if announced else lead
    if _GENERIC_LEAD.fullmatch(named):
        return body
    return f"{_capital(named)} {body}"


def _without_stop(words: str) -> str:
    words = _TRAILING.sub("", words)
    if words.endswith("。"):
        return words[:-1]
    if words.endswith(".") and not words.endswith("..") and not _ABBREVIATED.search(words):
        return _TRAILING.sub("", words[:-1])
    return words


def _capital(words: str) -> str:
    first = words[:1]
    return first.upper() + words[1:] if first.islower() and not words[1:2].isupper() else words
