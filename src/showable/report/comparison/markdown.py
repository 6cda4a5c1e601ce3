"""A comparison as GitHub-flavoured Markdown that fits one comment."""

from __future__ import annotations

from collections.abc import Sequence

from showable.measure.comparison import Comparison, Crossing, LicenceEffect, Row, Share
from showable.report.category_table import EXPECTED_NOTE
from showable.report.comparison import words
from showable.report.decision_words import p_value
from showable.report.markdown_comment import Comment
from showable.report.markdown_text import MARKS, inline

_OF_NAME, _OF_FACTS, _OF_ID, _OF_REASON, _OF_UNCLEAR, _MOST_MOVED = 60, 200, 80, 200, 800, 20


def render_comparison_markdown(comparison: Comparison, *, limit: int = 65_536) -> str:
    """Render a comparison as Markdown of at most `limit` characters: what has no room is counted."""
    page = Comment(limit, tail=f"<sub>{inline(str(comparison.signature), limit=600)}</sub>")
    page.block("## showable: comparison")
    page.block(f"{inline(words.head_of(comparison))}. {words.INTERVAL_NOTE}")
    _table(
        page, ["", "run", "model class", "pipeline", "licence"], [_named(row) for row in comparison.rows], side="---|"
    )
    _table(page, ["", *map(_bucket, words.BUCKETS), "acceptable"], [_buckets(row) for row in comparison.rows])
    heads = ["", "citations exist", "citations support", "refusal quality", "claims uncited"]
    _table(
        page,
        [*heads, "refusals right", "over-refusals", "time", "cost a question"],
        [_axes(row) for row in comparison.rows],
    )
    names = words.category_names(comparison)
    heads = ["", *(f"{inline(name.replace('_', ' '), limit=_OF_NAME)}" for name in names)]
    _table(page, heads, [line for row in comparison.rows for line in _categories(row, comparison)])
    if words.expects(comparison):
        page.block(EXPECTED_NOTE)
    for effect in comparison.licence:
        _licence(page, effect, comparison)
    if comparison.swaps:
        page.block(f"**{words.SWAPS}**")
        named = words.by_number(comparison)
        swaps = [
            [inline(words.swap_head(one, named), limit=_OF_FACTS), *words.swap_cells(one)] for one in comparison.swaps
        ]
        _table(page, ["swap", *words.SWAP_LINES], swaps)
    for unclear in comparison.licence_unclear:
        said = inline(words.unclear_in_words(unclear, words.by_number(comparison)), limit=_OF_UNCLEAR)
        page.block(f"**What the refusal licence does**: {said}")
    _gate(page, comparison)
    page.block(words.REFUSALS_NOTE)
    if any(row.repeats > 1 for row in comparison.rows):
        page.block(words.REPEATS_NOTE)
    return str(page)


def _named(row: Row) -> list[str]:
    facts = inline(words.facts_in_words(row), limit=_OF_FACTS)
    return [f"**{row.number}**", inline(row.name, limit=_OF_NAME), words.class_of(row), facts, words.licence_of(row)]


def _buckets(row: Row) -> list[str]:
    shares = [*(row.buckets[bucket] for bucket in words.BUCKETS), row.acceptable]
    return [f"**{row.number}**", *map(_share, shares)]


def _axes(row: Row) -> list[str]:
    pairs = [words.rate(row.citation_exists), words.rate(row.citation_supports), words.quality(row.refusal_quality)]
    ends = [words.latency(row.latency), words.cost(row.cost)]
    cells = [*map(_pair, pairs), f"{row.extra_claim_count.sum:.4g}"]
    cells += [_of(row.refusals.right), _of(row.refusals.over), *map(_pair, ends)]
    return [f"**{row.number}**", *cells]


def _categories(row: Row, comparison: Comparison) -> list[list[str]]:
    """Return what is acceptable of each category and, where gold says what its questions call for, what is as expected."""
    lines = [[f"**{row.number}** acceptable", *(_of(one.acceptable) for one in row.categories.values())]]
    if words.expects(comparison):
        met = (_pair(words.expected(one)) for one in row.categories.values())
        lines.append([f"**{row.number}** as expected", *met])
    return lines


def _licence(page: Comment, effect: LicenceEffect, comparison: Comparison) -> None:
    head = inline(words.licence_head(effect, words.by_number(comparison)), limit=_OF_FACTS)
    page.block(f"**What the refusal licence does**: {head}")
    rows = []
    for line in words.in_order(effect):
        said = line.test.better + line.test.worse > 0
        p = [p_value(line.test.p), p_value(line.test.adjusted_p)] if said else ["–", "–"]
        moved = words.change(line.without, line.licensed)
        rows.append([_bucket(line.name), str(line.without), f"**{line.licensed}**", moved, *map(_plain, p)])
    _table(page, ["", "without", "with", "change", "p", "Holm"], rows)
    if effect.moved:
        page.block(f"{words.moved_in_words(effect)}. The worst first:")
        moves = (
            f"| {inline(one.id, limit=_OF_ID)} | {_bucket(one.without)} → {_bucket(one.licensed)} |"
            for one in effect.moved[:_MOST_MOVED]
        )
        page.rows(("| question | without → with |", "|---|---|"), moves, count=len(effect.moved))


def _gate(page: Comment, comparison: Comparison) -> None:
    crossings = {(one.baseline, one.candidate): one for one in comparison.gate}
    numbers = [row.number for row in comparison.rows]
    rows = [[f"**{a}**", *("·" if a == b else _decision(crossings[a, b]) for b in numbers)] for a in numbers]
    page.block("**The gate**: may the candidate (column) replace the baseline (row)?")
    _table(page, ["baseline ↓ candidate →", *map(str, numbers)], rows)
    against = [one for one in comparison.gate if not one.ship]
    lines = (f"- {one.baseline} → {one.candidate}: {inline(words.reason(one), limit=_OF_REASON)}" for one in against)
    if against:
        page.rows([], lines, count=len(against))


def _decision(crossing: Crossing) -> str:
    return {"SHIP": "ship", "DO NOT SHIP": "**no**"}.get(words.verdict(crossing), "?")


def _table(page: Comment, heads: Sequence[str], rows: Sequence[Sequence[str]], *, side: str = "--:|") -> None:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    page.rows((f"| {' | '.join(heads)} |", f"|---|{side * (len(heads) - 1)}"), lines, count=len(lines))


def _share(one: Share) -> str:
    beside = words.interval(one.low, one.high)
    return f"{words.count(one)}<br><sub>{beside}</sub>" if beside else words.count(one)


def _of(one: Share) -> str:
    beside = words.interval(one.low, one.high)
    said = f"{one.count}/{one.n}" if one.n else "n/a"
    return f"{said}<br><sub>{beside}</sub>" if beside else said


def _pair(cell: tuple[str, str]) -> str:
    first, second = (part.replace("$", "&#36;") for part in cell)
    return f"{first}<br><sub>{second}</sub>" if second else first


def _plain(p: str) -> str:
    return p.replace("<", "&#60;")


def _bucket(name: str) -> str:
    return f"{MARKS[name]}\N{NO-BREAK SPACE}{name}" if name in MARKS else name
