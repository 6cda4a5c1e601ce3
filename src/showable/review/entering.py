"""Coming in under a name and a role, and leaving again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from showable.errors import SettingError
from showable.records.labels import ReviewerRole
from showable.records.wire import Wire
from showable.review.guard import check_change, once_more
from showable.review.labelling_api import GivenNothing, read_given
from showable.review.refusals import Refusal

if TYPE_CHECKING:
    from showable.review.app import Review


class GivenName(Wire):
    """Who wants to come in, as posted."""

    name: str
    role: ReviewerRole


def enter(review: Review, request: Request, body: bytes) -> Response:
    """Take somebody in under a name. Refuses a name that labels here in another role."""
    session = check_change(request, review.session_of(request))
    given = read_given(body, GivenName)
    try:
        known = review.store.enter(given.name, given.role)
    except SettingError as error:
        raise Refusal(400, str(error)) from None
    fresh = review.sessions.enter(session, known.name, known.role)
    said = {"name": known.name, "role": known.role, "token": fresh.token, "next": "/"}
    return JSONResponse(said, headers={"Set-Cookie": review.door.session_set(fresh.key)})


def leave(review: Review, request: Request, body: bytes) -> Response:
    """Let somebody go. Labels stay; the browser is nobody's again."""
    session = check_change(request, review.session_of(request))
    read_given(body, GivenNothing)
    review.sessions.leave(session)
    return JSONResponse({"next": "/"}, headers={"Set-Cookie": review.door.session_set("")})


def lead_in(request: Request) -> Response:
    """Lead a browser that nobody entered with to the start page."""
    return once_more(request) or RedirectResponse("/", 303)
