"""The application: which address leads where. The store is asked in threads; a page without its answer says so."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from showable.errors import SettingError
from showable.measure.drift.report import DriftReport
from showable.production.feed.place import feed_beside
from showable.review.door import Door
from showable.serving.address import url_of
from showable.serving.guesses import Guesses
from showable.serving.pages import door as doorway
from showable.serving.pages.asking import LIMIT_S, Asker, Silent
from showable.serving.pages.dashboard import MOST_FAILURES, choices_of, filter_words, rates_of
from showable.serving.pages.drift import look_for_drift
from showable.serving.pages.feed_actions import FeedActions
from showable.serving.pages.feed_issue import issue_shown
from showable.serving.pages.feed_list import feed_listing, read_feed_view
from showable.serving.pages.feed_webhooks import HOOKS, FeedWebhooks, webhook_targets
from showable.serving.pages.kept import Kept, Pending
from showable.serving.pages.listing import listing_of
from showable.serving.pages.processes import state_of
from showable.serving.pages.rendering import held, render
from showable.serving.pages.routes import TITLES, routes_of
from showable.serving.pages.trace_page import trace_of
from showable.serving.pages.view import read_view, with_window
from showable.serving.saying import say
from showable.serving.settings import ServeSettings

_FOR_GOOD = "public, max-age=31536000, immutable"
_CHOICES_FOR_S, _DRIFT_FOR_S = 30.0, 60.0
_DRIFT_WAIT_S = 1.0
"""A page is not held up for longer: drift takes seconds where there are thousands of answers."""


class Pages:
    """What handlers share: the way to the store, and answers that are kept for a while."""

    def __init__(self, asker: Asker, settings: ServeSettings, clock: Callable[[], int] = time.time_ns) -> None:
        self.asker, self.settings, self.clock = asker, settings, clock
        self._choices: Kept[Any] = Kept(_CHOICES_FOR_S)
        self._drift: Kept[DriftReport | None] = Kept(_DRIFT_FOR_S)
        self.feed = feed_beside(settings.store)
        self.webhooks = FeedWebhooks(asker, self.feed, webhook_targets(settings.tickets, os.environ), clock)
        self.actions = FeedActions(asker, self.feed, clock, settings.page_port)

    async def dashboard(self, request: web.Request) -> web.StreamResponse:
        """Rates, drift, failures and the state of things."""
        view, now = with_window(read_view(request.query)), self.clock()
        failing = replace(view, failing=True)
        rates, routes, choices, failures, state, drift = await asyncio.gather(
            self.asker.ask(lambda store: rates_of(store, view, now)),
            self.asker.ask(lambda store: routes_of(store, view, now)),
            self._choices.get("", lambda: self.asker.ask(choices_of), within_s=LIMIT_S),
            self.asker.ask(lambda store: store.answers(failing.where(now), limit=MOST_FAILURES)),
            self.asker.ask(lambda store: state_of(store, now)),
            self._drift.get(
                view.address("", compare=None),
                lambda: self.asker.ask(lambda store: look_for_drift(store, view.where(now))),
                within_s=_DRIFT_WAIT_S,
            ),
        )
        if not isinstance(state, Silent) and not state.holdings.spans and not state.holdings.answers:
            return self._page("empty.html.j2", **self._where_to_send(), state=state)
        return self._page(
            "dashboard.html.j2",
            view=view,
            now=now,
            rates=rates,
            routes=routes,
            titles=TITLES,
            choices=choices,
            failures=failures,
            state=state,
            drift=drift,
            filtered=filter_words(view),
        )

    async def traces(self, request: web.Request) -> web.StreamResponse:
        """The list of answers."""
        view, now = read_view(request.query), self.clock()
        listing, choices = await asyncio.gather(
            self.asker.ask(lambda store: listing_of(store, view, now)),
            self._choices.get("", lambda: self.asker.ask(choices_of), within_s=LIMIT_S),
        )
        return self._page("traces.html.j2", view=view, listing=listing, choices=choices, filtered=filter_words(view))

    async def trace(self, request: web.Request) -> web.StreamResponse:
        """One trace."""
        trace_id = request.match_info["trace_id"]
        every = request.query.get("spans") == "all"
        found = await self.asker.ask(lambda store: trace_of(store, trace_id, every=every))
        if found is None:
            return doorway.refusal(404, "The store holds no such trace; it may have been pruned")
        return self._page("trace.html.j2", trace_id=trace_id, shown=found, every=every)

    async def issues(self, request: web.Request) -> web.StreamResponse:
        """The list of issues."""
        view, now = read_feed_view(request.query), self.clock()
        listing = await self.asker.ask(lambda store: feed_listing(store, self.feed, view, now))
        return self._page("feed.html.j2", view=view, listing=listing, store=_without_password(self.settings.store))

    async def issue(self, request: web.Request) -> web.StreamResponse:
        """One issue."""
        identifier = request.match_info["issue"]
        found = await self.asker.ask(lambda store: issue_shown(store, self.feed, identifier))
        if found is None:
            return doorway.refusal(404, "The feed holds no such issue")
        who, token = self.actions.name_of(request), self.actions.token
        return self._page("issue.html.j2", identifier=identifier, shown=found, who=who, token=token)

    def _where_to_send(self) -> dict[str, str | None]:
        return {
            "receiver": url_of(self.settings.host, self.settings.port),
            "token": "yes" if self.settings.token else None,
        }

    def _page(self, template: str, **context: Any) -> web.Response:
        silent = any(isinstance(value, Silent) for value in context.values())
        text = render(template, is_silent=_is_silent, is_pending=_is_pending, **context)
        return web.Response(text=text, content_type="text/html", status=503 if silent else 200)


def _without_password(store: str) -> str:
    """Return a store's name as a page may show it."""
    scheme, slashes, rest = store.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if slashes else store


def _is_silent(value: object) -> bool:
    return isinstance(value, Silent)


def _is_pending(value: object) -> bool:
    return isinstance(value, Pending)


def make_app(
    door: Door, asker: Asker, settings: ServeSettings, clock: Callable[[], int] = time.time_ns
) -> web.Application:
    """Put the application together."""
    pages = Pages(asker, settings, clock)
    app = web.Application(middlewares=[doorway.guarding(door)], client_max_size=doorway.MOST_FORM)
    app.add_routes(
        [
            web.get("/", _answered(pages.dashboard)),
            web.get("/traces", _answered(pages.traces)),
            web.get("/trace/{trace_id:.+}", _answered(pages.trace)),
            web.get("/feed", _answered(pages.issues)),
            web.get("/feed/{issue}", _answered(pages.issue)),
            web.post(f"{HOOKS}{{target}}", _answered(pages.webhooks.take)),
            web.post("/feed/{issue}/{action}", _answered(pages.actions.act)),
            web.get("/static/{name}", _static),
            web.get("/healthz", _healthy),
            web.route("*", doorway.ENTER, partial(doorway.enter, door=door, guesses=Guesses())),
        ]
    )
    return app


def _answered(make: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Handler:
    """Answer; whatever goes wrong is one line, for the browser and on stderr."""

    async def handler(request: web.Request) -> web.StreamResponse:
        try:
            return await make(request)
        except SettingError as error:
            return doorway.refusal(400, str(error))
        except web.HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 - a traceback is nothing for a browser, and others go on working
            say(f"{request.method} {urlsplit(request.path).path}: {type(error).__name__}: {error}")
            return doorway.refusal(500, "This could not be shown; the server's terminal says why")

    return handler


async def _static(request: web.Request) -> web.StreamResponse:
    found = held().get(request.match_info["name"])
    if found is None:
        raise web.HTTPNotFound
    content, kind, digest = found
    kept = _FOR_GOOD if request.query_string == digest else "no-cache"
    return web.Response(body=content, content_type=kind, charset="utf-8", headers={"Cache-Control": kept})


async def _healthy(_: web.Request) -> web.StreamResponse:
    return web.Response(text="ok\n")
