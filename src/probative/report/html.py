"""A run as one self-contained HTML page: no script, nothing fetched, readable in print and in the dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from probative.measure.measures import MEASURES
from probative.measure.rates import percent, wilson_interval
from probative.measure.summary import BUCKETS, UNCATEGORISED, Summary
from probative.measure.worst import failing_claim, place
from probative.records.record import Answer, Record, Source
from probative.records.scorecard import ClaimScore, Scorecard
from probative.report.untrusted import printable

MOST_RECORDS = 100
MOST_CHARACTERS = 2_000
MOST_OF_ANSWER = 4_000
MOST_OF_CLAIM = 1_000
MOST_ITEMS = 300
"""Claims, findings, and citations on no claim that are shown of one record, each."""
_ABOVE = frozenset({"acceptable", "citation_exists", "citation_supports"})


@dataclass(frozen=True, slots=True)
class Bar:
    """One bucket: its count, and its share and interval in percent of all answers."""

    bucket: str
    count: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrieved passage as it is shown: its text in pieces, each marked when it was relied on."""

    source: Source
    pieces: tuple[tuple[str, bool], ...]
    more: int


@dataclass(frozen=True, slots=True)
class Shown:
    """One record with its scorecard, ready to be laid out: how much of its answer is left out, its claims, each marked if it fails."""

    record: Record
    card: Scorecard
    answer: str | None
    more: int
    claims: tuple[tuple[ClaimScore, bool], ...]
    passages: tuple[Passage, ...]


def render_html(summary: Summary, cards: Sequence[tuple[Record, Scorecard]], *, omitted: int) -> str:
    """Render a summary and the records given with it, the worst first, as one page.

    `omitted` is how many records of the run are not among `cards`. Beyond a hundred the rest are left
    out too; the page says how many are not shown. All text of records is escaped.
    """
    ordered = sorted(cards, key=lambda entry: place(entry[1]))
    shown = [_shown(record, card) for record, card in ordered[:MOST_RECORDS]]
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            summary=summary,
            bars=[_bar(bucket, summary) for bucket in BUCKETS] if summary.n else [],
            causes=sorted(summary.causes.items(), key=lambda entry: (-entry[1], entry[0])),
            measures=[measure for measure in MEASURES if measure.name not in _ABOVE],
            faults=_faults(summary),
            categories={} if set(summary.categories) <= {UNCATEGORISED} else summary.categories,
            shown=shown,
            omitted=omitted + len(ordered) - len(shown),
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("probative.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["most"] = MOST_ITEMS
    environment.filters.update(line=printable, cut=_cut, text=_text, percent=percent)
    return environment


def _cut(text: str) -> str:
    shown, more = text[:MOST_OF_CLAIM], len(text) - MOST_OF_CLAIM
    return f"{printable(shown)} … ({more} more characters are not shown)" if more > 0 else printable(shown)


def _text(text: str) -> str:
    return printable(text, one_line=False)


def _bar(bucket: str, summary: Summary) -> Bar:
    count = summary.buckets[bucket]
    share = count / summary.n
    low, high = wilson_interval(share, summary.n)
    return Bar(bucket, count, 100 * share, 100 * low, 100 * high)


def _faults(summary: Summary) -> list[tuple[str, str]]:
    """List the codes of checks that failed or could not be made, the most frequent first, with their counts in words."""
    counted = [(code, counts) for code, counts in summary.findings.items() if counts.failed or counts.unknown]
    ranked = sorted(counted, key=lambda entry: (-entry[1].failed, -entry[1].unknown, entry[0]))
    return [
        (code, ", ".join(f"{n} {word}" for n, word in ((c.failed, "failed"), (c.unknown, "unknown")) if n))
        for code, c in ranked
    ]


def _shown(record: Record, card: Scorecard) -> Shown:
    answer = _answer_text(record.answer)
    return Shown(
        record=record,
        card=card,
        answer=None if answer is None else answer[:MOST_OF_ANSWER],
        more=max(0, len(answer or "") - MOST_OF_ANSWER),
        claims=_claims(card),
        passages=tuple(_passage(source, card) for source in record.retrieved or ()),
    )


def _claims(card: Scorecard) -> tuple[tuple[ClaimScore, bool], ...]:
    """Give the first claims, and the one that fails wherever it stands."""
    failing = failing_claim(card)
    shown = [(claim, claim is failing) for claim in card.claims[:MOST_ITEMS]]
    if failing is not None and not any(fails for _, fails in shown):
        shown = [*shown[: MOST_ITEMS - 1], (failing, True)]
    return tuple(shown)


def _answer_text(answer: Answer | str | None) -> str | None:
    return answer.text if isinstance(answer, Answer) else answer


def _passage(source: Source, card: Scorecard) -> Passage:
    spans = [
        citation.quote_span
        for claim in card.claims
        for citation in claim.citations
        if citation.source_id == source.source_id and citation.quote_span is not None
    ]
    text = source.text or ""
    return Passage(source, marked(text[:MOST_CHARACTERS], spans), max(0, len(text) - MOST_CHARACTERS))


def marked(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[str, bool], ...]:
    """Cut a text at spans, which may overlap or lie outside it, into pieces that are inside a span or not."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted(spans):
        start, end = max(start, at), min(end, len(text))  # noqa: PLW2901 - clipped to what is left of the text
        if start < end:
            pieces += [(text[at:start], False), (text[start:end], True)]
            at = end
    return tuple(piece for piece in [*pieces, (text[at:], False)] if piece[0])
