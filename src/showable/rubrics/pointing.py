"""What a citation points at: the words it quotes with their sentence or table row, else the page it names, else the passage.

A row is read with its header and caption, an item of a list with its lead-in: neither says anything without them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from showable.read.plain_text import plain
from showable.read.sentences import Sentence, split_sentences
from showable.records.evidence import PairRole
from showable.records.record import Citation
from showable.records.regex import regex
from showable.rubrics.quotes import quote_places, same_page
from showable.rubrics.retrieval_log import RetrievalLog

Span = tuple[int, int]
Spans = tuple[Span, ...]

_BETWEEN_PASSAGES = "\n\n"
_BLANK_LINE = regex(r"\n[ \t]*\n")
_COMMA = regex(r",")
_SEPARATORS = (regex(r"(?<!\\)\|"), regex(r"\t"), _COMMA, regex(r"(?<=\S) {2,}(?=\S)"))
"""What sets cells apart: `a | b`, tabs, `a,b`, columns set with blanks. Prose has commas too: there all lines must agree."""
_ENDS = ".!?;:,"
_MARKUP_ROW = regex(r"(?is)<tr\b.*?(?:</tr\s*>|(?=<tr\b)|(?=</table)|\Z)")
_MARKUP_TABLE = regex(r"(?is)<table\b.*?(?:</table\s*>|\Z)")
_MARKUP_CAPTION = regex(r"(?is)<caption\b.*?</caption\s*>")
_LONGEST_CAPTION = 200
_LEAD_REACH = 2
"""Paragraphs before the one that holds a quotation, among which the lead-in of a list is looked for."""
_PIECES = "\n"


class Pointing:
    """What the citations of one claim point at, source by source. Spans index the source's text in the log.

    A citation that has lost its source and still quotes words of one that the claim cites points at them, too.
    """

    def __init__(self, citations: Sequence[Citation], log: RetrievalLog) -> None:
        self.log = log
        self.targets: list[Spans | None] = [_target(citation, log) for citation in citations]
        self._of: dict[str, list[int]] = {}
        for index, citation in enumerate(citations):
            if citation.source_id in log.texts:
                self._of.setdefault(citation.source_id, []).append(index)
        lost = [citation.quoted_span for citation in citations if citation.quoted_span and not _names_source(citation)]
        self._lost = {source_id: _lost_spans(lost, log.texts[source_id]) for source_id in self._of if lost}

    def spans(self, source_id: str) -> Spans | None:
        """Return what all citations of a source point at together; None where that is all of it, or it is not cited."""
        targets = [self.targets[index] for index in self._of.get(source_id, ())]
        if not targets or None in targets:
            return None
        every = [*targets, self._lost.get(source_id, ())]
        return _merged(self.log.texts[source_id], (span for spans in every for span in spans or ()))

    def parts(self, source_id: str) -> dict[int, Spans | None]:
        """Return the target of each citation, by its number, where citations of one source point at different ones."""
        targets = {index: self.targets[index] for index in self._of.get(source_id, ())}
        return targets if len(set(targets.values())) > 1 else {}

    def text(self, source_id: str, spans: Spans | None) -> str | None:
        """Return the words that spans of a source hold; None where the log has no text of it."""
        text = self.log.texts.get(source_id)
        return text if text is None or spans is None else _PIECES.join(text[start:end] for start, end in spans)

    def read_for(self, source_ids: Sequence[str], role: PairRole) -> str | None:
        """Return what a judge reads of these sources in a role; None where one has no text."""
        whole = role in {"whole", "other"}
        texts = [self.text(source_id, None if whole else self.spans(source_id)) for source_id in source_ids]
        return None if not texts or None in texts else _BETWEEN_PASSAGES.join(text for text in texts if text)


def in_source(found: Span, spans: Spans) -> Span | None:
    """Return where in the source words stand that were found in the text of its spans; None across two of them."""
    at = 0
    for start, end in spans:
        if at <= found[0] and found[1] <= at + end - start:
            return start + found[0] - at, start + found[1] - at
        at += end - start + len(_PIECES)
    return None


def _names_source(citation: Citation) -> bool:
    return bool(citation.source_id or citation.url or citation.reference)


def _lost_spans(quotes: Sequence[str], text: str) -> Spans:
    return _merged(text, (span for quote in quotes for span in _quoted(quote, text, None) or ()))


def _target(citation: Citation, log: RetrievalLog) -> Spans | None:
    source_id = citation.source_id or ""
    text = log.texts.get(source_id)
    if text is None:
        return None
    page = _page(citation, log)
    spans = _quoted(citation.quoted_span, text, page) if citation.quoted_span else page
    return None if spans is None or spans == ((0, len(text)),) else spans


def _page(citation: Citation, log: RetrievalLog) -> Spans | None:
    """Return the passages of the page cited; None where no page is, or the log knows none such."""
    if citation.page is None:
        return None
    spans, at = [], 0
    for source in log.by_id[citation.source_id or ""]:
        if not source.text:
            continue
        if source.page is not None and same_page(citation.page, source.page):
            spans.append((at, at + len(source.text)))
        at += len(source.text) + len(_BETWEEN_PASSAGES)
    return _merged(log.texts[citation.source_id or ""], spans) if spans else None


def _quoted(quote: str, text: str, page: Spans | None) -> Spans | None:
    """Return the sentences and rows that hold a quotation: on the page cited, else wherever it stands, else that page."""
    places = quote_places(quote, text)
    if page is not None:
        places = [p for p in places if any(start <= p[0] and p[1] <= end for start, end in page)] or places
    if not places:
        return page
    return _merged(text, (span for place in places for span in _extent(text, place)))


def _merged(text: str, spans: Iterable[Span]) -> Spans:
    """Return spans in order, those joined that touch, overlap, or have only blanks between them."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and (start <= joined[-1][1] or not text[joined[-1][1] : start].strip()):
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def _extent(text: str, place: Span) -> Iterator[Span]:
    """Return the sentences that a place touches, or its rows with their header and caption."""
    paragraphs = _paragraphs(text)
    first = max(0, bisect_right(paragraphs, (place[0], len(text))) - 1)
    last = max(first, bisect_right(paragraphs, (place[1] - 1, len(text))) - 1)
    rows = list(_markup_rows(text, place))
    if not rows and first == last:
        rows = list(_rows(text, first, place))
    yield from rows or _around(text, max(0, first - _LEAD_REACH), last, place)


@lru_cache(maxsize=32)
def _paragraphs(text: str) -> tuple[Span, ...]:
    """Return what stands between blank lines, in order; at least one, however empty."""
    starts = [0, *(gap.end() for gap in _BLANK_LINE.finditer(text))]
    ends = [*(gap.start() for gap in _BLANK_LINE.finditer(text)), len(text)]
    return tuple(zip(starts, ends, strict=True))


def _around(text: str, first: int, last: int, place: Span) -> Iterator[Span]:
    """Return the sentences that a place touches, an item of a list with what leads into it; of code, its lines."""
    begin = _paragraphs(text)[first][0]
    part = text[begin : _paragraphs(text)[last][1]]
    at = place[0] - begin, place[1] - begin
    sentences = _sentences(part)
    touched = [index for index, s in enumerate(sentences) if s.start < at[1] and at[0] < s.end]
    if not touched:
        yield place
    for index in touched:
        sentence = sentences[index]
        spans = [(sentence.start, sentence.end)]
        if sentence.kind == "code":
            spans = [_lines(part, (max(at[0], sentence.start), min(at[1], sentence.end)))]
        elif sentence.kind == "list_item" and sentence.lead:
            spans += _lead_in(part, sentences, index)
        yield from ((begin + start, begin + end) for start, end in spans)


@lru_cache(maxsize=64)
def _sentences(text: str) -> tuple[Sentence, ...]:
    return tuple(split_sentences(text))


def _lead_in(text: str, sentences: Sequence[Sentence], index: int) -> Iterator[Span]:
    """Find the sentence or heading that leads into a list: the nearest one above that says so."""
    lead = (sentences[index].lead or "").rstrip(":")
    for sentence in reversed(sentences[:index]):
        if plain(text[sentence.start : sentence.end]).rstrip(":").endswith(lead):
            yield sentence.start, sentence.end
            return


def _lines(text: str, place: Span) -> Span:
    end = text.find("\n", max(place[0], place[1] - 1))
    return text.rfind("\n", 0, place[0]) + 1, len(text) if end < 0 else end


def _rows(text: str, number: int, place: Span) -> Iterator[Span]:
    """Return the rows that a place touches, in lines that one separator cuts into as many cells; none elsewhere."""
    lines, tables = _tables(text, number)
    row = _lines(text, place)
    touched = [index for index, (first, last) in enumerate(lines) if first < row[1] and row[0] < last]
    for counts in tables:
        head = _head(counts, touched)
        if head is None:
            continue
        yield from (lines[index] for index in touched)
        yield lines[head]
        if head + 1 < len(lines) and not text[slice(*lines[head + 1])].strip("|:-+= \t"):
            yield lines[head + 1]
        yield from lines[max(0, head - 2) : head] or _caption_above(text, number)
        return


@lru_cache(maxsize=64)
def _tables(text: str, number: int) -> tuple[list[Span], list[list[int]]]:
    """Return the lines of a paragraph, and for each separator that may make it a table how many stand in each line."""
    lines = _spans_of_lines(text, *_paragraphs(text)[number])
    tables = []
    for separator in _SEPARATORS:
        counts = [len(separator.findall(text[first:last].strip().strip("|"))) for first, last in lines]
        prose = separator is _COMMA and (len(set(counts)) > 1 or any(text[last - 1] in _ENDS for _, last in lines))
        if any(counts) and not prose:
            tables.append(counts)
    return lines, tables


def _head(counts: Sequence[int], touched: Sequence[int]) -> int | None:
    """Return the first line of the table that the touched lines belong to; None where they are no table's."""
    if not touched or not counts[touched[0]] or len({counts[index] for index in touched}) > 1:
        return None
    cells, head = counts[touched[0]], touched[0]
    while head and counts[head - 1] == cells:
        head -= 1
    after = touched[-1] + 1 < len(counts) and counts[touched[-1] + 1] == cells
    return head if head < touched[0] or after or len(touched) > 1 else None


def _caption_above(text: str, number: int) -> Iterator[Span]:
    """Return the paragraph above a table, where it is one line and may be the caption."""
    start, end = _paragraphs(text)[number - 1] if number else (0, 0)
    if start < end <= start + _LONGEST_CAPTION and "\n" not in text[start:end].strip("\n"):
        yield start, end


def _spans_of_lines(text: str, start: int, end: int) -> list[Span]:
    spans, at = [], start
    for line in text[start:end].splitlines(keepends=True):
        spans.append((at, at + len(line.rstrip())))
        at += len(line)
    return [(first, last) for first, last in spans if first < last]


def _markup_rows(text: str, place: Span) -> Iterator[Span]:
    """Return the `<tr>` rows that a place touches, with the header row and the caption of their `<table>`."""
    for rows, captions in _markup_tables(text):
        touched = [row for row in rows if row[0] < place[1] and place[0] < row[1]]
        if touched:
            yield from [*touched, rows[0], *captions]
            return


@lru_cache(maxsize=32)
def _markup_tables(text: str) -> tuple[tuple[Spans, Spans], ...]:
    """Return the rows and the captions of every `<table>`."""
    if "<" not in text:
        return ()
    tables = [table.span() for table in _MARKUP_TABLE.finditer(text)]
    return tuple(
        (
            tuple(row.span() for row in _MARKUP_ROW.finditer(text, start, end)),
            tuple(caption.span() for caption in _MARKUP_CAPTION.finditer(text, start, end)),
        )
        for start, end in tables
    )
