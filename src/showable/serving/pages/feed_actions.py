"""What people do to issues on the page: every action is a POST of our own form, an event with who and when, and can be undone."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from aiohttp import web

from showable.errors import SettingError
from showable.production.feed import actions
from showable.production.feed.actions import Actor
from showable.production.feed.labelling import lay_out_labels
from showable.production.feed.place import promotions_beside
from showable.production.feed.promotion import named_answers, propose
from showable.production.feed.store import FeedStore
from showable.serving.address import is_own_origin
from showable.serving.pages.asking import Asker, Silent
from showable.serving.pages.door import READ_S, refusal
from showable.stores.promotions import Promotions
from showable.stores.traces.store import TraceStore

_LONGEST_NAME = 80
_KEPT_S = 90 * 86_400


@dataclass(frozen=True, slots=True)
class Sent:
    """A form as it was sent about an issue: fields by name, the answers that were ticked, who acts, and on which stores."""

    traces: TraceStore
    feed: FeedStore
    actor: Actor
    issue: str
    fields: Mapping[str, str]
    answers: tuple[str, ...]

    def __getitem__(self, name: str) -> str:
        return self.fields.get(name, "").strip()


def _merge(sent: Sent) -> str:
    actions.merge(sent.feed, sent.actor, sent.issue, sent["into"])
    return sent["into"]


def _split(sent: Sent) -> str:
    return actions.split(sent.feed, sent.actor, sent.issue, sent.answers)


def _undo(sent: Sent) -> str:
    if not sent["seq"].isdecimal():
        raise SettingError("seq: expected the number of an action")
    actions.undo(sent.feed, sent.actor, int(sent["seq"]))
    return sent.issue


def _promote(sent: Sent) -> str:
    issue = sent.feed.issue(sent.issue)
    scores = sent.traces.scores(sorted(named_answers(issue)))
    answers = {one.id: (one.answer.record, one.scorecard) for one in scores}
    with Promotions(promotions_beside(sent.feed.file.path)) as promotions:
        propose(sent.feed, sent.actor, issue, answers, promotions)
    return sent.issue


def _label(sent: Sent) -> str:
    lay_out_labels(sent.feed, sent.actor, sent.issue, sent.traces)
    return sent.issue


def _simple(act: Callable[..., Any], *names: str) -> Callable[[Sent], str]:
    def done(sent: Sent) -> str:
        act(sent.feed, sent.actor, sent.issue, *(sent[name] for name in names))
        return sent.issue

    return done


ACTIONS: Mapping[str, Callable[[Sent], str]] = {
    "assign": _simple(actions.assign, "to"),
    "rename": _simple(actions.rename, "title"),
    "resolve": _simple(actions.resolve),
    "archive": _simple(actions.archive, "until"),
    "reopen": _simple(actions.reopen),
    "quote": _simple(actions.quote),
    "merge": _merge,
    "split": _split,
    "undo": _undo,
    "promote": _promote,
    "label": _label,
}
"""What each action does; it returns the issue to show after it."""


def _is_foreign(request: web.Request) -> bool:
    """Check whether a browser says that another site's page sends this. Our pages send no referrer, so their origin is null."""
    origin, host = request.headers.get("Origin", "null"), request.headers.get("Host", "")
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    return site not in {"same-origin", "none"} or (origin != "null" and not is_own_origin(origin, host))


@dataclass(frozen=True, slots=True)
class FeedActions:
    """Takes forms. `token` stands in each of them, so that no other site's page can send one."""

    asker: Asker
    feed: Path
    clock: Callable[[], int]
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def name_of(self, request: web.Request) -> str:
        """Return the name that somebody acted under before in this browser."""
        return unquote(request.cookies.get(self._cookie, ""))[:_LONGEST_NAME]

    async def act(self, request: web.Request) -> web.StreamResponse:  # noqa: PLR0911 - a reason each
        """Do what a form asks for, and lead back to the page."""
        if _is_foreign(request):
            return refusal(403, "That form is of another site")
        try:
            async with asyncio.timeout(READ_S):
                sent = await request.post()
        except TimeoutError:
            return refusal(408, "The form took too long to come")
        form = {name: value for name, value in sent.items() if isinstance(value, str)}
        ticked = tuple(value for value in sent.getall("answer", []) if isinstance(value, str))
        if not hmac.compare_digest(form.get("token", "").encode("utf-8", "replace"), self.token.encode()):
            return refusal(403, "That page is of an earlier start of this server; load it again")
        act = ACTIONS.get(request.match_info["action"])
        who, issue = " ".join(form.get("who", "").split())[:_LONGEST_NAME], request.match_info["issue"]
        if act is None or not who:
            return refusal(400, "Say who you are, and use a button of the page")
        actor = Actor(who, self.clock())

        def work(traces: TraceStore) -> str | SettingError:
            try:
                with FeedStore.open(self.feed, make=False) as held:
                    return act(Sent(traces, held, actor, issue, form, ticked))
            except SettingError as error:
                return error

        done = await self.asker.ask(work)
        if isinstance(done, Silent):
            return refusal(503, done.said)
        if isinstance(done, SettingError):
            return refusal(400, str(done))
        answer = web.Response(status=303, headers={"Location": f"/feed/{quote(done)}"})
        answer.set_cookie(self._cookie, quote(who), max_age=_KEPT_S, httponly=True, samesite="Strict", path="/feed")
        return answer

    @property
    def _cookie(self) -> str:
        return f"showable_name_{self.port}"
