"""The application: which address leads where. Every answer is made in a worker thread, from one person's `Desk`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from showable.errors import SettingError, ShowableError
from showable.report.untrusted import printable
from showable.review import asking_queues, entering, exports, labelling_api, pages, promoting, settling, static_files
from showable.review.blindness import hidden_from
from showable.review.desk import Desk
from showable.review.guard import Door, Guard, check_change, once_more, read_body
from showable.review.page_context import Visit
from showable.review.reading_runs import OpenRun
from showable.review.refusals import Refusal, refusal_page
from showable.review.sessions import Session, Sessions
from showable.stores.labels.label_file import RefusedLabelError
from showable.stores.labels.store import LabelStore


@dataclass(frozen=True, slots=True)
class Review:
    """What one server serves: a run, its labels, the door that leads to it, and who is there."""

    run: OpenRun
    store: LabelStore
    door: Door
    second: OpenRun | None = None
    promotions: Path | None = None
    sessions: Sessions = field(default_factory=Sessions)
    _labels: int = field(init=False)

    def __post_init__(self) -> None:
        """Note which file the labels are in."""
        object.__setattr__(self, "_labels", _inode(self.store.path))

    def check_labels(self) -> None:
        """Raise SettingError where the label file is gone: what is written to it now nobody would ever find."""
        if _inode(self.store.path) != self._labels:
            raise SettingError(
                f"{self.store.path}: the label file was moved or deleted; put it back, and start the page again"
            )

    def desk(self, session: Session) -> Desk:
        """Return what a page for this person may be made from."""
        visit = Visit(session.token, self.run.name, session.name, session.role)
        hidden = hidden_from(self.store, session.name) if session.name else frozenset(self.run.ids)
        return Desk(visit, self.run, self.store, hidden, self.second, self.promotions)

    def session_of(self, request: Request) -> Session | None:
        """Return the session of a browser, or None where it has none, or none any more."""
        return self.sessions.find(request.cookies.get(self.door.session_cookie))


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


Endpoint = Callable[[Request], Any]


def make_app(review: Review) -> Starlette:
    """Put the application together."""
    show, change = partial(_show, review), partial(_change, review)
    routes = [
        Route("/", _start(review)),
        Route("/label/{queue}", show(pages.next_record)),
        Route("/label/{queue}/{position}", show(pages.label)),
        Route("/adjudicate", show(pages.adjudicate)),
        Route("/adjudicate/{n}", show(pages.adjudicate_one)),
        Route("/agreement", show(pages.agreement)),
        Route("/promotion", show(promoting.candidates)),
        Route("/promotion/{n}", show(promoting.candidate)),
        Route("/export/labels.jsonl", show(exports.jsonl)),
        Route("/export/labels.csv", show(exports.csv)),
        Route("/static/{name}", static_files.answer),
        Route("/healthz", _healthy),
        Route("/api/enter", _post(partial(entering.enter, review)), methods=["POST"]),
        Route("/api/leave", _post(partial(entering.leave, review)), methods=["POST"]),
        Route("/api/queues", change(asking_queues.make_queue), methods=["POST"]),
        Route("/api/labels", change(labelling_api.take_label), methods=["POST"]),
        Route("/api/undo", change(labelling_api.undo), methods=["POST"]),
        Route("/api/done", change(labelling_api.done), methods=["POST"]),
        Route("/api/settle-only", change(settling.settle_only), methods=["POST"]),
        Route("/api/adjudicate", change(settling.settle), methods=["POST"]),
        Route("/api/promotion", change(promoting.sign), methods=["POST"]),
    ]
    handlers: Any = {HTTPException: _http_error}
    return Starlette(routes=routes, middleware=[Middleware(Guard, door=review.door)], exception_handlers=handlers)


def _show(review: Review, make: Callable[..., Response]) -> Endpoint:
    """Answer with a page that only somebody who entered may see; anybody else is led to the start page."""

    async def endpoint(request: Request) -> Response:
        session = review.session_of(request)
        if session is None or session.name is None:
            return entering.lead_in(request)
        return await _answered(
            request, lambda: make(review.desk(session), **request.path_params, query=request.query_params)
        )

    return endpoint


def _change(review: Review, make: Callable[[Desk, bytes], Any]) -> Endpoint:
    """Answer a post of somebody who entered: what `make` gives, as JSON."""

    def changed(request: Request, body: bytes) -> Response:
        session = check_change(request, review.session_of(request))
        if session.name is None:
            raise Refusal(401, "nobody has entered here; open the start page")
        review.check_labels()
        return JSONResponse(make(review.desk(session), body))

    return _post(changed)


def _post(make: Callable[[Request, bytes], Response]) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            body = await read_body(request)
        except Refusal as refusal:
            return refusal_page(request, refusal)
        return await _answered(request, lambda: make(request, body))

    return endpoint


def _start(review: Review) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        session = review.session_of(request)
        if session is None and (again := once_more(request)) is not None:
            return again  # it came without the cookie of a session that there may be: a new one would end that
        known = session or review.sessions.begin()
        set_cookie = None if session else review.door.session_set(known.key)
        return await _answered(request, lambda: pages.start(review.desk(known), set_cookie))

    return endpoint


async def _answered(request: Request, make: Callable[[], Response]) -> Response:
    """Make an answer in a worker thread. Whatever goes wrong there is one line, for the browser and on stderr."""
    try:
        return await run_in_threadpool(make)
    except Refusal as refusal:
        return refusal_page(request, refusal)
    except RefusedLabelError as error:
        return refusal_page(request, Refusal(409, str(error)))
    except ShowableError as error:
        _tell(request, str(error))
        return refusal_page(request, Refusal(500, str(error)))
    except Exception as error:  # noqa: BLE001 - a traceback is nothing for a browser, and others go on working
        _tell(request, f"{type(error).__name__}: {error}")
        return refusal_page(request, Refusal(500, "this could not be answered; the server's terminal says why"))


def _tell(request: Request, said: str) -> None:
    line = printable(f"showable: {request.method} {request.scope['path']}: {said}", limit=500)
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - the log of a command


async def _http_error(request: Request, error: Exception) -> Response:
    """Return in our own form what Starlette refuses: an address that leads nowhere, a method that is not taken."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = {404: "there is nothing at this address", 405: f"{request.method} is not taken here"}
    answer = refusal_page(request, Refusal(status, said.get(status, "this cannot be answered")))
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


async def _healthy(_: Request) -> Response:
    return PlainTextResponse("ok\n")
