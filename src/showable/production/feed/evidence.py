"""Evidence cards: what is known of an issue, in sentences made by code, with the numbers they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from showable.production.feed.facts import Facts
from showable.production.feed.nouns import Card, Issue

_MOST_CODES = 8
_MOST_MISSED = 20
_MOST_CONTRASTS = 10


def cards_of(issue: Issue, members: Sequence[Facts]) -> list[Card]:
    """Return the cards of an issue, numbered E1, E2 …: findings, whose fault, contrasts, trend, lineage."""
    made = [*_findings(issue, members), _diagnosis(issue), *_contrasts(issue), *_since(issue), *_lineage(issue)]
    return [Card(id=f"E{at}", kind=kind, text=text, values=values) for at, (kind, text, values) in enumerate(made, 1)]


_Made = tuple[str, str, dict[str, Any]]


def _findings(issue: Issue, members: Sequence[Facts]) -> Iterator[_Made]:
    causes = ", ".join(f"{n} {cause}" for cause, n in issue.causes.items())
    yield "findings", f"{issue.n} answers fail alike; by cause: {causes}.", {"n": issue.n, **issue.causes}
    codes = Counter(code for one in members if one.failure for code in one.failure.features.get("codes", ()))
    if codes:
        told = dict(codes.most_common(_MOST_CODES))
        listed = ", ".join(f"{code} in {n}" for code, n in told.items())
        yield "findings", f"Checks that failed, of {issue.n} answers: {listed}.", {"n": issue.n, **told}
    missed = Counter(name for one in members if one.failure for name in one.failure.missed)
    if missed:
        ranked = sorted(missed.items(), key=lambda row: (-row[1], row[0]))[:_MOST_MISSED]
        listed = ", ".join(f"{name} in {n}" for name, n in ranked)
        yield "missed", f"Passages that support the claims and were not retrieved: {listed}.", dict(ranked)


def _diagnosis(issue: Issue) -> _Made:
    listed = ", ".join(
        f"{whose} {n}" for whose, n in sorted(issue.diagnosis.items(), key=lambda row: (-row[1], row[0]))
    )
    return (
        "diagnosis",
        f"Whose fault, of {issue.n} answers: {listed or 'unknown'}.",
        {"n": issue.n} | {str(whose): n for whose, n in issue.diagnosis.items()},
    )


def _contrasts(issue: Issue) -> Iterator[_Made]:
    for row in issue.contrast[:_MOST_CONTRASTS]:
        text = (
            f"{row.field} {row.value} occurs with {row.share_in:.0%} of these answers and {row.share_out:.0%} of passing"
            f" answers of the same services or documents (odds ratio {row.odds:g}, q {row.q:.2g}, n {row.n})."
        )
        yield "contrast", text, row.model_dump()


def _since(issue: Issue) -> Iterator[_Made]:
    if issue.since:
        yield "trend", f"It comes up more often since answer {issue.since}.", {"since": issue.since}
    if issue.share.rate is not None and issue.share.low is not None and issue.share.high is not None:
        share = issue.share
        text = (
            f"It affects {share.rate:.1%} of answers (95 % CI {share.low:.1%} to {share.high:.1%}, {share.read} read)."
        )
        yield "share", text, share.model_dump()


def _lineage(issue: Issue) -> Iterator[_Made]:
    if issue.lineage.split_from:
        yield "lineage", f"It was part of {issue.lineage.split_from}.", {"split_from": issue.lineage.split_from}
    if issue.lineage.absorbed:
        yield (
            "lineage",
            f"{', '.join(issue.lineage.absorbed)} went into it.",
            {"absorbed": list(issue.lineage.absorbed)},
        )
