"""Why a request is not answered as asked: one line for people, and for scripts the same line as JSON."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from showable.report.untrusted import printable
from showable.review.script_data import script_data
from showable.review.static_files import static_url

_LONGEST = 400
_TITLES = {
    401: "Come in first",
    403: "Not for you, or not yet",
    404: "Nothing here",
    405: "Not this way",
    421: "Another address",
}
_FAILED, _REFUSED = "That did not work", "Not taken"
_OURS = 500


class Refusal(Exception):  # noqa: N818 - an answer that is given, no error of ours
    """A request that is refused: the HTTP status, one line, and whether the connection ends with it.

    `settle_token` is the token of somebody who would not be refused if they only settled, and may say so on the page.
    """

    def __init__(self, status: int, said: str, *, close: bool = False, settle_token: str | None = None) -> None:
        super().__init__(said)
        self.status, self.said, self.close = status, printable(said, limit=_LONGEST), close
        self.settle_token = settle_token


def refusal_page(request: Request, refusal: Refusal) -> Response:
    """Say it in the form that the page or the script can read."""
    headers = {"Connection": "close"} if refusal.close else {}
    if request.scope["path"].startswith("/api/"):
        return JSONResponse({"error": refusal.said}, refusal.status, headers)
    title = _TITLES.get(refusal.status, _FAILED if refusal.status >= _OURS else _REFUSED)
    said = refusal.said[:1].upper() + refusal.said[1:]
    token = refusal.settle_token
    page = _template().render(
        title=title,
        status=refusal.status,
        said=said,
        theme=static_url("theme.css"),
        data=None if token is None else script_data({"token": token, "then": "/"}),
        settle_script=static_url("settle_only.js"),
    )
    return HTMLResponse(page, refusal.status, headers)


@cache
def _template() -> Template:
    loader = PackageLoader("showable.review", "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("refused.html.j2")
