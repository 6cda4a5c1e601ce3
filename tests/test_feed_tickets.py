"""Tickets of issues: one an issue, updated in place, two-way, and without anybody's texts."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from feed_tickets import FIVE, SECRET, TEXTS, Outcome, desk, issue, killed_senders, slack_hook, targets
from forked import needs_fork
from registry_doubles import loopback_web, serve
from ticket_doubles import Doubles, Fault

from showable.production.feed.tickets.issue_tickets import ticket_of
from showable.production.feed.tickets.linear import LinearTarget
from showable.production.feed.tickets.linear_oauth import LinearOAuth
from showable.production.feed.tickets.outbox import SECOND_NS
from showable.production.feed.tickets.ticket import LockedOutError, WebhookError
from showable.production.feed.tickets.way_out import WayOut
from showable.production.feed.tickets.webhooks import check_signature, hex_hmac
from showable.production.feed.tickets.wording import adf, markdown_line, mrkdwn

URGENT = {"state": "escalating"}


@pytest.fixture
def at(tmp_path):
    with desk(tmp_path) as one:
        yield one


@pytest.mark.parametrize("name", FIVE)
def test_a_ticket_is_opened_updated_resolved_and_opened_again(at, name):
    at.put(issue(**URGENT))
    at.want(name)
    assert at.send(name) == 1
    first = at.outbox.held(name, "EF-7")
    at.later(hours=2)
    at.put(issue(n=150, **URGENT))
    at.want(name)
    at.send(name)
    assert ("150" in json.dumps(at.doubles.sent(name))) == at.targets[name].edits
    at.put(issue(state="resolved"))
    at.want(name)
    at.send(name)
    assert not at.outbox.held(name, "EF-7").open
    at.put(issue(state="regressed"))
    at.want(name)
    at.send(name)
    held = at.outbox.held(name, "EF-7")
    assert (held.remote, held.open) == (first.remote, True)
    assert at.outbox.rows("queued", "uncertain", "sending", "refused") == []
    incidents = 2 if name == "pagerduty" else 1  # after a resolution the same key is a new incident
    assert len(at.doubles.tickets()[name]) == incidents


def test_what_did_not_change_is_not_sent_and_counts_are_sent_once_an_hour(at):
    at.put(issue())
    at.want("github")
    at.send()
    at.want("github")
    at.put(issue(n=143))
    at.want("github")
    at.put(issue(n=144))
    at.want("github")
    assert (at.send(), [row.kind for row in at.outbox.rows("queued")]) == (0, ["update"])
    at.later(seconds=3_599)
    assert at.send() == 0
    at.later(seconds=1)
    assert at.send() == 1
    assert [path for _, path, _ in at.doubles.sent("github")] == ["repos/o/r/issues", "repos/o/r/issues/1"]
    assert "| Answers | 144 |" in at.doubles.github[1]["body"]


def test_a_change_of_state_does_not_wait_for_the_hour(at):
    at.put(issue())
    at.want("jira")
    at.send()
    at.put(issue(n=143))
    at.want("jira")
    at.put(issue(state="resolved"))
    at.want("jira")
    assert at.send() == 1
    assert at.doubles.jira["LAW-1"]["done"]
    assert at.doubles.jira_comments == [("LAW-1", "EF-7 is now resolved.")]


def test_no_ticket_before_an_issue_stands_and_none_for_what_is_settled(at):
    for number, state in enumerate(("provisional", "resolved", "archived", "fading"), 1):
        at.put(issue(number, state=state))
    at.want()
    assert at.outbox.rows() == []


def test_only_an_urgent_matter_of_safety_wakes_somebody():
    for state, median, urgent in (("new", 1.0, False), ("escalating", 1.0, True), ("regressed", 2.0, True), ("escalating", 3.0, False)):  # fmt: skip
        one = issue(state=state)
        one = one.model_copy(update={"scores": {"privacy_and_safety": one.scores["privacy_and_safety"].model_copy(update={"median": median})}})  # fmt: skip
        assert ticket_of(one, store="s", page="https://h").urgent is urgent


# Each row: what the vendor's documentation says that it answers; the state of the row after it; the least seconds to the next try.
# Sources: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api; developer.atlassian.com/cloud/jira/platform/rate-limiting;
# linear.app/developers/rate-limiting; docs.slack.dev/apis/web-api/rate-limits; developer.pagerduty.com/docs/events-api-v2/overview.
TROUBLES = [
    ("github", Fault(429, {"Retry-After": "120"}), "queued", 120),
    ("github", Fault(403, {"Retry-After": "180"}, {"message": "You have exceeded a secondary rate limit"}), "queued", 180),
    ("github", Fault(403, {"x-ratelimit-remaining": "4999"}, {"message": "Resource not accessible"}), "refused", None),
    ("github", Fault(410, body={"message": "Issues are disabled for this repo"}), "refused", None),
    ("github", Fault(422, body={"message": "Validation Failed"}), "refused", None),
    ("github", Fault(301, {"Location": "https://api.github.com/repositories/1/issues"}), "refused", None),
    ("github", Fault(401, body={"message": "Bad credentials"}), "queued", 3_600),
    ("github", Fault(502), "uncertain", 0),
    ("jira", Fault(429, {"Retry-After": "90", "RateLimit-Reason": "jira-burst-based"}), "queued", 90),
    ("jira", Fault(400, body={"errors": {"issuetype": "Specify a valid issue type"}}), "refused", None),
    ("jira", Fault(503, {"Retry-After": "30"}), "uncertain", 0),
    ("jira", Fault(401), "queued", 3_600),
    ("linear", Fault(400, {"X-RateLimit-Requests-Remaining": "0", "X-RateLimit-Requests-Reset": "9999999999999"}, {"errors": [{"message": "Rate limit exceeded", "extensions": {"code": "RATELIMITED"}}]}), "queued", 3_600),
    ("linear", Fault(400, {}, {"errors": [{"message": "Complexity", "extensions": {"code": "RATELIMITED"}}]}), "queued", 60),
    ("linear", Fault(200, {}, {"errors": [{"message": "Argument Validation Error", "extensions": {"code": "INPUT_ERROR"}}]}), "refused", None),
    ("linear", Fault(200, {}, {"errors": [{"message": "Authentication required", "extensions": {"code": "AUTHENTICATION_ERROR"}}]}), "queued", 3_600),
    ("linear", Fault(500), "uncertain", 0),
    ("slack", Fault(429, {"Retry-After": "100"}, {"ok": False, "error": "ratelimited"}), "queued", 100),
    ("slack", Fault(200, {}, {"ok": False, "error": "channel_not_found"}), "refused", None),
    ("slack", Fault(200, {}, {"ok": False, "error": "msg_blocks_too_long"}), "refused", None),
    ("slack", Fault(200, {}, {"ok": False, "error": "token_revoked"}), "queued", 3_600),
    ("slack", Fault(200, {}, {"ok": False, "error": "internal_error"}), "uncertain", 0),
    ("pagerduty", Fault(429), "queued", 60),
    ("pagerduty", Fault(400, body={"status": "invalid event", "errors": ["'payload.source' is missing"]}), "refused", None),
    ("pagerduty", Fault(500), "uncertain", 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fault", "state", "wait_s"), TROUBLES)
def test_every_documented_error_ends_as_it_should(at, name, fault, state, wait_s):
    at.put(issue(**URGENT))
    at.want(name)
    at.doubles.faults = [fault]
    if wait_s == 0:  # what is in doubt is asked about at once here, so look at it before that
        at.targets[name].settle_s = 1.0
    assert at.send(name) == 0
    (row,) = at.outbox.rows()
    assert row.state == state
    assert row.said
    assert at.send(name) == 0  # nothing is hurried
    assert len(at.doubles.sent(name)) == 1
    if state == "refused":
        at.later(hours=30)
        at.want(name)
        assert at.send(name) == 0  # not repeated until a setting changes
        return
    if wait_s > 1:
        at.later(seconds=wait_s - 1)
        assert at.send(name) == 0
    at.later(hours=25)
    at.targets = targets_again(at)
    assert at.send(name) == 1
    assert len(at.doubles.tickets()[name]) == 1


def targets_again(at):
    """Make the targets anew, as the next process would: a way out remembers how long it was asked to wait, by its own clock."""
    url = at.targets["github"]._issues
    return targets(url[: url.index("/github")])


def test_a_row_that_no_answer_came_to_is_given_up_after_a_day_and_says_so(at):
    at.put(issue())
    at.want("jira")
    at.doubles.faults = [Fault(503) for _ in range(80)]
    for _ in range(60):
        at.later(hours=1.6)
        at.send("jira")
    (row,) = at.outbox.rows()
    assert row.state == "refused"
    assert row.said.startswith("no answer for 24 hours")


@pytest.mark.parametrize("name", ["github", "jira", "linear", "slack"])
def test_what_was_given_up_in_doubt_is_asked_about_when_it_is_tried_again(at, name):
    at.put(issue())
    at.want(name)
    at.doubles.faults = [Fault(accepts=True), *(Fault(503) for _ in range(60))]  # the first was accepted
    at.targets[name].settle_s = 3_600.0
    at.send(name)
    at.doubles.blind = True  # and the vendor's lists fail for a day
    for _ in range(40):
        at.later(hours=1.6)
        at.send(name)
    (row,) = at.outbox.rows()
    assert (row.state, row.doubt) == ("refused", True)
    at.doubles.blind, at.doubles.faults = False, []
    at.outbox.release()
    at.want(name)
    at.targets = targets_again(at)
    assert at.send(name) == 1
    assert len(at.doubles.tickets()[name]) == 1


def test_a_row_that_waited_for_a_token_has_its_day_from_the_first_try(at):
    at.put(issue())
    at.want("github")
    at.doubles.faults = [Fault(401)]
    at.send("github")
    at.later(hours=48)
    at.doubles.faults = [Fault(429)]
    at.send("github")
    assert [row.state for row in at.outbox.rows()] == ["queued"]
    at.later(hours=1)
    assert at.send("github") == 1


def test_one_vendors_odd_answer_holds_up_nobody_else(at):
    at.put(issue())
    at.want("linear", "github")
    at.doubles.faults = [Fault(200, body={"data": {"issueCreate": {"issue": [7]}}})]
    at.targets["linear"].settle_s = 60.0
    assert at.send("linear", "github") == 1
    assert {row.target: row.state for row in at.outbox.rows()} == {"linear": "uncertain", "github": "sent"}


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("fault", [Fault(accepts=True), Fault(accepts=True, hangs_s=5.0), Fault(502, accepts=True)], ids=["cut", "silent", "502"])  # fmt: skip
def test_no_second_ticket_after_a_time_out_that_followed_the_accepting(tmp_path, name, fault):
    with desk(tmp_path, read_s=0.05 if fault.hangs_s else 5.0) as at:
        at.put(issue(**URGENT))
        at.want(name)
        at.doubles.faults = [fault]
        at.targets[name].settle_s = 2.0
        assert at.send(name) == 0
        assert [state for _, _, state in at.states()] == ["uncertain"]
        at.later(hours=1)
        at.targets = targets_again(at)
        assert at.send(name) == 1
        assert len(at.doubles.tickets()[name]) == 1
        assert at.outbox.held(name, "EF-7").remote
        assert at.outbox.rows("queued", "uncertain", "refused") == []


def test_an_incoming_webhook_is_posted_to_once_whatever_happens(at):
    at.targets = {"slack": slack_hook(at.targets["github"]._issues.partition("/github")[0])}
    at.put(issue())
    at.want()
    at.doubles.faults = [Fault(accepts=True)]
    at.send()
    for state in ("new", "resolved"):
        at.later(hours=3)
        at.put(issue(n=200, state=state))
        at.want()
        at.send()
    assert len(at.doubles.slack_hooks) == 1


def test_a_deleted_ticket_is_said_to_be_gone_and_no_new_one_is_made(at):
    for name in ("github", "jira", "linear", "slack"):
        at.put(issue())
        at.want(name)
        at.send(name)
        getattr(at.doubles, name).clear()
        at.later(hours=2)
        at.put(issue(n=143))
        at.want(name)
        at.send(name)
        assert at.outbox.held(name, "EF-7").gone, name
        at.later(hours=2)
        at.put(issue(state="resolved"))
        at.want(name)
        at.put(issue(state="regressed"))
        at.want(name)
        assert at.send(name) == 0
        assert len(getattr(at.doubles, name)) == 0


def test_a_workflow_without_the_transition_gets_a_comment_and_the_issue_stays_open(at):
    at.doubles.jira_transitions = []
    at.put(issue())
    at.want("jira")
    at.send("jira")
    at.doubles.jira["LAW-1"]["done"] = True
    at.send("jira", look=True)
    at.later(hours=2)
    at.send("jira", look=True)
    assert at.store.issue("EF-7").state == "resolved"
    at.later(hours=1)
    at.put(issue(state="regressed"))
    at.want("jira")
    assert at.send("jira") == 1
    at.later(hours=2)
    at.send("jira", look=True)
    at.want("jira")
    at.send("jira")
    assert at.store.issue("EF-7").state == "regressed"
    assert [text for _, text in at.doubles.jira_comments].count("EF-7 is now regressed.") == 1


def test_a_transition_that_was_taken_before_the_answer_got_lost_is_not_asked_for_again(at):
    at.put(issue())
    at.want("jira")
    at.send("jira")
    at.put(issue(state="resolved"))
    at.want("jira")
    at.doubles.faults = [Fault(204, accepts=True), Fault(accepts=True)]  # of the update, of the transition
    at.targets["jira"].settle_s = 2.0
    assert at.send("jira") == 0
    at.doubles.jira_transitions = [{"id": "11", "name": "Reopen"}]  # a closed issue offers no other
    at.later(hours=1)
    at.targets = targets_again(at)
    assert at.send("jira") == 1
    assert at.doubles.jira["LAW-1"]["done"]
    assert at.doubles.jira_comments == []


# -- what leaves -------------------------------------------------------------------------------------------------------


def test_not_a_word_of_question_answer_or_passage_leaves_for_any_of_five(at):
    at.put(issue(**URGENT))
    at.targets |= {"slack-hook": slack_hook(at.targets["github"]._issues.partition("/github")[0])}
    for state, n in (("escalating", 142), ("escalating", 150), ("resolved", 150), ("regressed", 151)):
        at.put(issue(state=state, n=n))
        at.want()
        assert at.send()
        at.later(hours=2)
    assert {vendor for vendor, *_ in at.doubles.seen} == set(FIVE)
    everything = "\n".join(f"{path} {headers} {body}" for _, _, path, headers, body in at.doubles.seen)
    words = {word for text in TEXTS for word in text.replace(",", " ").split() if len(word) > 4}
    assert [word for word in words if word in everything] == []
    assert "EF-7" in everything
    assert "https://feed.example.org/feed/EF-7" in everything


def test_marks_of_every_vendor_are_shown_and_do_nothing():
    attack = "@channel <!here> <script> [x](http://e.vil) **b** | `c` & \x1b[31m\u202e\udc00"
    assert (
        markdown_line(attack) == r"＠channel &lt;\!here\> &lt;script\> \[x\]\(http://e.vil\) \*\*b\*\* \| \`c\` &amp; �"
    )
    assert mrkdwn(attack) == "＠channel &lt;!here&gt; &lt;script&gt; [x](http://e.vil) **b** | `c` &amp; �"
    assert adf(attack)["content"][0]["content"] == [{"type": "text", "text": mrkdwn(attack).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")}]  # fmt: skip


def test_no_secret_stands_in_the_store_or_in_a_reason(at, tmp_path):
    at.put(issue())
    at.want("github")
    at.doubles.faults = [Fault(422, body={"message": "token gh_token is odd"})]
    at.send("github")
    assert at.outbox.rows()[0].said == 'status 422: {"message": "token … is odd"}'
    at.store.close()
    held = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [secret for secret in (b"gh_token", b"xoxb", b"lin_key", SECRET.encode()) if secret in held]


# -- two-way -----------------------------------------------------------------------------------------------------------

NOW = datetime(2026, 9, 28, 12, 0, tzinfo=UTC)
MS = int(NOW.timestamp() * 1_000)


def hook(at, name, *, closed=True, when=NOW):
    """Make what the vendor posts when somebody closes or reopens a ticket: headers and body."""
    remote = at.outbox.held(name, "EF-7").remote
    ms, iso = int(when.timestamp() * 1_000), when.isoformat()
    if name == "github":
        body = {"action": "closed" if closed else "reopened", "issue": {"number": int(remote), "updated_at": iso}, "repository": {"full_name": "o/r"}, "sender": {"login": "kim"}}  # fmt: skip
        return {"X-GitHub-Event": "issues"}, json.dumps(body).encode(), "X-Hub-Signature-256", "sha256="
    if name == "jira":
        status = {"statusCategory": {"key": "done" if closed else "new"}}
        body = {"timestamp": ms, "webhookEvent": "jira:issue_updated", "user": {"displayName": "kim"}, "issue": {"key": remote, "fields": {"status": status}}}  # fmt: skip
        return {}, json.dumps(body).encode(), "X-Hub-Signature", "sha256="
    if name == "linear":
        body = {"action": "update", "type": "Issue", "webhookTimestamp": ms, "actor": {"name": "kim"}, "data": {"id": remote, "updatedAt": iso, "state": {"type": "canceled" if closed else "started"}}}  # fmt: skip
        return {}, json.dumps(body).encode(), "linear-signature", ""
    if name == "pagerduty":
        body = {"event": {"event_type": "incident.resolved" if closed else "incident.reopened", "occurred_at": iso, "agent": {"summary": "kim"}, "data": {"incident_key": remote}}}  # fmt: skip
        return {}, json.dumps(body).encode(), "X-PagerDuty-Signature", "v1="
    from urllib.parse import urlencode

    payload = {
        "user": {"username": "kim"},
        "actions": [{"action_id": "showable_resolve", "value": "showable:prod:EF-7"}],
    }
    body = urlencode({"payload": json.dumps(payload)}).encode()
    return {"X-Slack-Request-Timestamp": str(ms // 1_000)}, body, "X-Slack-Signature", "v0="


def signed(name, headers, body, header, prefix, *, secret=SECRET):
    what = body if name != "slack" else f"v0:{headers['X-Slack-Request-Timestamp']}:".encode() + body
    return {**headers, header: f"{prefix}{hex_hmac(secret, what)}"}


def opened(at, name):
    at.now_ns = int((NOW - timedelta(hours=2)).timestamp() * SECOND_NS)
    at.put(issue(**URGENT))
    at.want(name)
    at.send(name)
    at.now_ns = int(NOW.timestamp() * SECOND_NS)


@pytest.mark.parametrize("name", FIVE)
def test_closed_there_is_resolved_by_ticket_and_nothing_is_sent_back(at, name):
    opened(at, name)
    headers, body, header, prefix = hook(at, name)
    change = at.targets[name].verify_webhook(signed(name, headers, body, header, prefix), body, NOW)
    assert at.changes.take(name, change, at.now_ns, webhook=body)
    assert at.store.issue("EF-7").state == "resolved"
    (event,) = at.store.events("EF-7")
    assert (event.kind, event.body["by"], event.who) == ("resolve", "ticket", f"kim ({name})")
    writes = len(at.doubles.sent(name))
    at.want(name)
    at.send(name)
    assert len(at.doubles.sent(name)) - writes <= 1  # the message in the channel says so; a closed ticket is left alone
    with pytest.raises(WebhookError, match="before"):
        at.changes.take(name, change, at.now_ns, webhook=body)
    assert len(at.store.events("EF-7")) == 1


@pytest.mark.parametrize("name", FIVE)
def test_a_webhook_that_is_not_right_changes_nothing(at, name):
    opened(at, name)
    target = at.targets[name]
    headers, body, header, prefix = hook(at, name)
    right = signed(name, headers, body, header, prefix)
    respelt = json.dumps(json.loads(body), indent=1).encode() if name != "slack" else body + b"&x=1"
    wrong = [
        (right, respelt),
        (signed(name, headers, body, header, prefix, secret="another"), body),
        ({**right, header: ""}, body),
        ({**right, header: right[header][:-1]}, body),
        (headers, body),
    ]
    for given, sent in wrong:
        with pytest.raises(WebhookError, match="signature"):
            target.verify_webhook(given, sent, NOW)
    with pytest.raises(WebhookError, match="secret"):
        targets("http://127.0.0.1:1", secret="")[name].verify_webhook(right, body, NOW)
    if name in {"linear", "slack"}:  # the only two that sign when it was sent
        for seconds in (-400, 400):
            with pytest.raises(WebhookError, match="stale"):
                target.verify_webhook(right, body, NOW + timedelta(seconds=seconds))
    assert target.verify_webhook(right, body, NOW) is not None


def test_what_githubs_documentation_signs_is_right_here():
    # docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries, "Testing the webhook payload validation"
    vector = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    check_signature("It's a Secret to Everybody", b"Hello, World!", f"sha256={vector}", prefix="sha256=")


@pytest.mark.parametrize("name", ["github", "jira", "linear", "pagerduty"])
def test_opened_again_there_opens_the_issue_and_an_older_change_does_nothing(at, name):
    opened(at, name)
    for closed, when, state in ((True, NOW, "resolved"), (False, NOW + timedelta(seconds=9), "ongoing"), (True, NOW + timedelta(seconds=5), "ongoing")):  # fmt: skip
        headers, body, header, prefix = hook(at, name, closed=closed, when=when)
        change = at.targets[name].verify_webhook(signed(name, headers, body, header, prefix), body, when)
        at.changes.take(name, change, at.now_ns + 60 * 10**9)
        assert at.store.issue("EF-7").state == state


def test_another_repository_project_or_key_is_of_no_concern(at):
    opened(at, "github")
    headers, body, header, prefix = hook(at, "github")
    body = body.replace(b"o/r", b"o/s")
    assert at.targets["github"].verify_webhook(signed("github", headers, body, header, prefix), body, NOW) is None
    opened(at, "jira")
    headers, body, header, prefix = hook(at, "jira")
    body = body.replace(b"LAW-", b"HR-")
    assert at.targets["jira"].verify_webhook(signed("jira", headers, body, header, prefix), body, NOW) is None


def test_without_webhooks_a_look_an_hour_finds_what_was_closed(at):
    at.put(issue(1), issue(2))
    at.want("github", "linear")
    at.send()
    at.doubles.github[1]["state"] = "closed"
    next(row for row in at.doubles.linear.values() if "EF-2" in row["title"])["state"] = {"type": "canceled"}
    at.later(seconds=3_000)
    at.send(look=True)
    assert [one.state for one in at.store.issues()] == ["new", "new"]
    at.later(seconds=601)
    at.send(look=True)
    assert [one.state for one in at.store.issues()] == ["resolved", "resolved"]


# -- OAuth -------------------------------------------------------------------------------------------------------------


def test_linears_tokens_rotate_on_disk_before_they_are_used_and_one_renews_for_all(tmp_path):
    doubles, clock = Doubles(), [1_000.0]
    with serve(doubles.app()) as base:

        def oauth():
            return LinearOAuth(
                WayOut(loopback_web(base)), tmp_path / "linear.json", "id", "sec", lambda: clock[0], f"{base}/linear"
            )

        with pytest.raises(LockedOutError, match="connect"):
            asyncio.run(oauth()())
        asyncio.run(oauth().connect("code", "http://localhost:1/"))
        assert (tmp_path / "linear.json").stat().st_mode & 0o777 == 0o600
        assert asyncio.run(oauth()()) == "Bearer access-2"
        clock[0] += 86_400
        one, other = oauth(), oauth()
        assert [asyncio.run(one()), asyncio.run(other())] == ["Bearer access-3"] * 2
        assert doubles.refresh == ["r0", "r1", "r2"]
        assert json.loads((tmp_path / "linear.json").read_text())["refresh"] == "r2"
        doubles.access = "taken back"  # a token that is not taken is renewed, and the call made again
        target = LinearTarget(
            WayOut(loopback_web(base)), "team", authorization=oauth(), webhook_secret="", address=f"{base}/linear"
        )
        ticket = ticket_of(issue(), store="prod", page="https://h")
        assert asyncio.run(target.find(ticket, None)) is None
        assert len(doubles.refresh) == 4
        doubles.refresh.append("spent by another")
        clock[0] += 86_400
        with pytest.raises(LockedOutError, match="connect"):
            asyncio.run(oauth()())


# -- kill -9 -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_fork
def test_a_sender_killed_at_any_moment_loses_no_event_and_makes_no_second_ticket(tmp_path):
    outcome = killed_senders(tmp_path, kills=20, seed=29)
    assert outcome == Outcome(kills=20, second={}, lost={}, stuck=0)
