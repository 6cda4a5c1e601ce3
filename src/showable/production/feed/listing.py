"""What `feed list`, `show` and `explain` give: JSON that others rely on, and lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from showable.production.feed.nouns import Batch, Card, Contrast, DimensionScore, Event, Issue, Member
from showable.report.untrusted import printable

_SHOWN = 30
_MANY = 8


def in_order(issues: Sequence[Issue]) -> list[Issue]:
    """Return the issues that have members, the most urgent first: by priority, size, then number."""
    alive = [issue for issue in issues if issue.n and issue.lineage.merged_into is None]
    return sorted(alive, key=lambda issue: (-issue.priority, -issue.n, int(issue.issue.rpartition("-")[2])))


def list_document(
    batch: Batch, issues: Sequence[Issue], members: Sequence[Member], *, with_members: bool
) -> dict[str, Any]:
    """Return the document of `feed list --json`; every failing answer is in one issue or in `not_grouped`."""
    of: dict[str, list[str]] = {}
    for member in members:
        of.setdefault(member.issue or "", []).append(member.answer)
    rows = []
    for issue in in_order(issues):
        row: dict[str, Any] = {
            "issue": issue.issue,
            "state": issue.state,
            "title": issue.title,
            "n": issue.n,
            "fix": issue.fix.model_dump(include={"category", "text"}),
            "share": issue.share.model_dump(),
            "priority": issue.priority,
            "assignee": issue.assignee,
        }
        rows.append(row | ({"members": sorted(of.get(issue.issue, ()))} if with_members else {}))
    return {
        "n": batch.n,
        "passing": batch.passing,
        "unknown": batch.unknown,
        "not_grouped": sorted(of.get("", ())),
        "batch": batch.id,
        "space": batch.space,
        "issues": rows,
    }


def show_document(issue: Issue, members: Sequence[Member], events: Sequence[Event]) -> dict[str, Any]:
    """Return the document of `feed show --json`."""
    held = issue.model_dump(mode="json")
    held["first"], held["last"] = _instant(issue.first_ns), _instant(issue.last_ns)
    held["members"] = [{"id": m.answer, "p": m.p, "core": m.core, "also": m.also} for m in members]
    held["events"] = [event.model_dump(mode="json") for event in events]
    return held


def explain_document(issue: Issue, cards: Sequence[Card]) -> dict[str, Any]:
    """Return the document of `feed explain --json`: what is known, each piece with its evidence."""
    return {
        "issue": issue.issue,
        "title": issue.title,
        "fix": issue.fix.model_dump(),
        "diagnosis": dict(issue.diagnosis),
        "contrast": [row.model_dump() for row in issue.contrast],
        "evidence": [card.model_dump() for card in cards],
        "statements": [statement.model_dump() for statement in issue.statements],
        "dropped": issue.dropped,
    }


def list_lines(batch: Batch, issues: Sequence[Issue]) -> Iterator[str]:
    """Yield the issues in brief, a few lines each, as a terminal shows them."""
    rows = in_order(issues)
    grouped = f"{batch.n - batch.not_grouped} in {len(rows)} issue{'s' * (len(rows) != 1)}"
    yield f"{batch.n} failing answers: {grouped}, {batch.not_grouped} not grouped; {batch.passing} pass, {batch.unknown} unknown"
    if not rows:
        yield f"{_MANY} alike make an issue"
        return
    yield ""
    for issue in rows[:_SHOWN]:
        yield f"{issue.issue:6} {issue.state:11} {issue.n:5}  {printable(issue.title)}"
        yield f"{'':26}fix: {issue.fix.category}{_share(issue)}{_assigned(issue)}"
    if len(rows) > _SHOWN:
        yield f"and {len(rows) - _SHOWN} more: --json has them all"


def show_lines(issue: Issue, events: Sequence[Event]) -> Iterator[str]:
    """Yield one issue as a terminal shows it."""
    yield f"{issue.issue}  {printable(issue.title)}"
    seen = f", {_instant(issue.first_ns)} to {_instant(issue.last_ns)}" if issue.first_ns is not None else ""
    yield f"{issue.state}; {issue.n} answers{_share(issue)}{_assigned(issue)}{seen}"
    if issue.since:
        yield f"it comes up more often since answer {printable(issue.since)}"
    yield f"fix: {issue.fix.category}: {issue.fix.text}"
    yield "causes: " + ", ".join(f"{cause} {n}" for cause, n in issue.causes.items())
    yield "whose fault: " + ", ".join(f"{whose} {n}" for whose, n in issue.diagnosis.items())
    yield from contrast_lines(issue.contrast)
    for name, score in issue.scores.items():
        yield f"{name}: {_score(score)}"
    yield "representatives: " + ", ".join(f"{printable(one.id)} ({one.p:.2f})" for one in issue.representatives)
    if issue.boundary:
        yield "on the boundary: " + ", ".join(f"{printable(one.id)} ({one.p:.2f})" for one in issue.boundary)
    if issue.neighbours:
        yield "passing neighbours: " + ", ".join(map(printable, issue.neighbours))
    if issue.lineage.split_from or issue.lineage.merged_into or issue.lineage.absorbed:
        yield "lineage: " + "; ".join(_lineage(issue))
    for event in events:
        yield f"#{event.seq} {_instant(event.at_ns)} {printable(event.who)}: {event.kind}{_body(event)}"


def explain_lines(issue: Issue, cards: Sequence[Card]) -> Iterator[str]:
    """Yield what is known about one issue, each sentence with its evidence card."""
    yield f"{issue.issue}  {printable(issue.title)}"
    for card in cards:
        yield f"{card.id:4} {printable(card.text)}"
    for statement in issue.statements:
        yield f"{statement.kind}: {printable(statement.text)} [{', '.join(statement.cites)}]"
    if issue.dropped:
        yield f"{issue.dropped} statements of the model dropped: no evidence card bears them out"
    yield f"fix: {issue.fix.category}: {issue.fix.text}"


def contrast_lines(rows: Sequence[Contrast]) -> Iterator[str]:
    """Yield what occurs with an issue, a line each."""
    for row in rows:
        yield (
            f"occurs with {printable(row.field)} {printable(row.value)}: {row.share_in:.0%} of its answers, {row.share_out:.0%} of passing ones"
            f" (odds ratio {row.odds:g}, q {row.q:.2g}, n {row.n})"
        )


def _share(issue: Issue) -> str:
    share = issue.share
    if share.rate is None or share.low is None or share.high is None:
        return ""
    return f"; {share.rate:.1%} of answers (95 % CI {share.low:.1%}–{share.high:.1%}, n {share.read})"


def _assigned(issue: Issue) -> str:
    return f"; {printable(issue.assignee)}" if issue.assignee else ""


def _score(score: DimensionScore) -> str:
    unknown = f"{score.unknown} unknown ({score.why})" if score.unknown else ""
    if score.median is None or score.p10 is None:
        return f"unknown: {score.why}"
    return "; ".join(filter(None, (f"median {score.median:g}, 10th percentile {score.p10:g}, n {score.n}", unknown)))


def _lineage(issue: Issue) -> Iterator[str]:
    if issue.lineage.split_from:
        yield f"split from {issue.lineage.split_from}"
    if issue.lineage.merged_into:
        yield f"merged into {issue.lineage.merged_into}"
    if issue.lineage.absorbed:
        yield f"with {', '.join(issue.lineage.absorbed)}"


def _body(event: Event) -> str:
    told = [str(event.body[name]) for name in ("into", "to", "title", "until", "by", "seq") if event.body.get(name)]
    return f" {printable(' '.join(told))}" if told else ""


def _instant(at_ns: int | None) -> str | None:
    return None if at_ns is None else datetime.fromtimestamp(at_ns / 10**9, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
