"""A store of traces with a feed beside it: issues in every state, evidence, tickets, and hostile words where anybody can write."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from seeded_traces import seed

from showable.production.feed.nouns import (
    Batch,
    Card,
    Contrast,
    DimensionScore,
    Event,
    Fix,
    Issue,
    Lineage,
    Member,
    Representative,
    Share,
    Statement,
    TrendDay,
)
from showable.production.feed.place import feed_beside
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.issue_tickets import ticket_of
from showable.production.feed.tickets.outbox import Outbox
from showable.production.feed.tickets.ticket import Remote
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Where

HOSTILE = '</bdi><script>document.title="gone"</script> <img src=x onerror=alert(1)> \u202eesrever'
TITLES = (
    ("ongoing", "Cites a page of the right document that does not hold the claim"),
    ("escalating", "Invents a case that the log does not hold"),
    ("new", "Pads procedural sentences with citations"),
    ("regressed", "Relies on an amendment that has lapsed"),
    ("provisional", "Answers although nothing was retrieved"),
    ("fading", "Changes a number of the passage"),
    ("resolved", "Leaves sentences without a citation"),
    ("archived", "Refuses what the documents answer"),
    ("ongoing", HOSTILE),
)
DAY = 86_400 * 10**9


def fed(folder, now_ns):
    """Make the store and its feed; gives the path of the store."""
    path = folder / "traces.db"
    store = open_trace_store(path)
    seed(store, now_ns)
    failing = [row.id for row in store.answers(Where(failing=True), limit=40)]
    passing = [row.id for row in store.answers(Where(bucket="correct"), limit=4)]
    store.close()
    with FeedStore.open(feed_beside(str(path))) as feed:
        members = [
            Member(answer=key, cluster=f"EF-{n % 9 + 1}" if n < 30 else None, issue=f"EF-{n % 9 + 1}" if n < 30 else None, p=0.97)
            for n, key in enumerate(failing)
        ]  # fmt: skip
        issues = [_issue(number, now_ns, failing, passing) for number in range(1, len(TITLES) + 1)]
        with feed.file.writing():
            feed.put_batch(
                Batch(id="b1", at_ns=now_ns, space="ef1:words-64", parameters="p", n=len(failing), passing=212, unknown=9, not_grouped=len(failing) - 30)
            )  # fmt: skip
            feed.put_members("b1", members)
            feed.put_issues(issues)
            for issue in issues:
                feed.put_evidence("b1", issue.issue, _cards(issue))
            feed.add_events([Event(at_ns=now_ns - DAY, who="Kim", issue="EF-2", kind="assign", body={"to": "Ada"})])
        _tickets(Outbox(feed.file), issues, now_ns)
    return path


def _issue(number, now_ns, failing, passing):
    state, title = TITLES[number - 1]
    mine = [key for n, key in enumerate(failing) if n < 30 and n % 9 + 1 == number]
    n = (142, 61, 12, 33, 8, 9, 44, 19, 27)[number - 1]
    rate = n / 4_000
    return Issue(
        issue=f"EF-{number}",
        state=state,
        title=title,
        n=n,
        fix=Fix(category="pages.carry", text="Carry the page of each chunk through indexing, and cite it from there.", target="index", share=0.86, rests_on=("E1", "E2")),
        share=Share(rate=rate, low=rate * 0.8, high=rate * 1.25, read=4_000),
        first_ns=now_ns - 12 * DAY,
        last_ns=now_ns - number * 3_600 * 10**9,
        services=("leases",),
        versions={"model": ("m-small", "m-large"), "prompt_version": ("p7", "p8")},
        traces=n - 2,
        diagnosis={"generator": n - 5, "retriever": 3, "unknown": 2},
        causes={"wrong_page": n - 3, "no_evidence": 3},
        contrast=(Contrast(field="prompt_version", value="p8", share_in=0.91, share_out=0.12, odds=74.2, q=0.00031, n=n - 6), Contrast(field="model", value=HOSTILE, share_in=0.6, share_out=0.2, odds=6.0, q=0.02, n=20)),
        scores={
            "factual_grounding": DimensionScore(median=3.0, p10=2.0, n=n),
            "privacy_and_safety": DimensionScore(n=0, unknown=n, why="no scan for personal data"),
            "instruction_adherence": DimensionScore(median=4.0, p10=3.0, n=n),
            "optimal_plan_execution": DimensionScore(median=5.0, p10=4.0, n=n - 4, unknown=4, why="incomplete traces"),
        },
        priority=n * 2.0,
        representatives=tuple(Representative(id=key, p=0.98 - 0.03 * at) for at, key in enumerate(mine[:3])),
        boundary=(*(Representative(id=key, p=0.61) for key in mine[3:4]), Representative(id="gone", p=0.55)),
        neighbours=tuple(passing[:2]),
        trend=_trend(now_ns, n),
        statements=(Statement(text="Answers of prompt p8 cite page 1 whatever the chunk.", cites=("E1",)), Statement(text=HOSTILE, cites=("E2",), kind="hypothesis")),
        dropped=2,
        assignee="Ada" if number == 2 else "",
        lineage=Lineage(split_from="EF-3") if number == 1 else Lineage(),
        batches=3,
        batch="b1",
        space="ef1:words-64",
    )  # fmt: skip


def _trend(now_ns, n):
    last = datetime.fromtimestamp(now_ns / 1e9, UTC).date()
    days = []
    for back in range(13, -1, -1):
        day, members = (last - timedelta(days=back)).isoformat(), max(0, n * (14 - back) // 105)
        if back == 6:
            days.append(TrendDay(day=day, members=0, answers=0))
            continue
        rate = members / 300
        days.append(TrendDay(day=day, members=members, answers=300, rate=rate, low=rate * 0.6, high=rate * 1.5 + 0.004))
    return tuple(days)


def _cards(issue):
    return [
        Card(id="E1", kind="contrast", text=f"91 % of {issue.n} answers come from prompt version p8, and 12 % of those that pass."),
        Card(id="E2", kind="findings", text=f"wrong_page in {issue.n - 3} of {issue.n} answers."),
        Card(id="E3", kind="diagnosis", text=f"The generator is at fault in {issue.n - 5} of {issue.n}."),
        Card(id="E4", kind="answer", text=HOSTILE),
    ]  # fmt: skip


def _tickets(outbox, issues, now_ns):
    """Stand for tickets that were sent, and one that was refused."""
    for number, (target, url) in enumerate(
        (("github", "https://github.com/o/r/issues/12"), ("linear", "https://linear.app/x/issue/LAW-3")), 1
    ):
        outbox.want(target, ticket_of(issues[number - 1], store="prod", page="https://h"), now_ns)
        row = outbox.begin(now_ns, [target])
        outbox.sent(row, Remote(str(number), url, open=True), now_ns)
    outbox.want("jira", ticket_of(issues[2], store="prod", page="https://h"), now_ns)
    outbox.refuse(outbox.begin(now_ns, ["jira"]), f"status 400: no project LAW {HOSTILE}", gone=False)
    outbox.hold("slack", now_ns + 3_600 * 10**9, "Slack answers token_revoked")
