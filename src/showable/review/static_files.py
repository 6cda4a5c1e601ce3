"""Styles, scripts and pictures of the pages: the files that come with the package, and nothing else."""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from showable.report.page_templates import page_templates

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_CALIBRATION = "calibration.css"
"""The one style sheet that is no file here: the calibration report's own, which its standalone page carries inside."""
_IMPORT = re.compile(rb'from "\./([\w.]+\.js)"')
_FOR_GOOD = "public, max-age=31536000, immutable"


async def answer(request: Request) -> Response:
    """Answer with a file; one asked for by the digest of them all may be kept for good."""
    name = request.path_params["name"]
    found = _held().get(name)
    if found is None:
        raise HTTPException(404)
    content, kind, digest = found
    kept = _FOR_GOOD if request.url.query == digest else "no-cache"
    return Response(content, headers={"Content-Type": kind, "Cache-Control": kept})


def static_url(name: str) -> str:
    """Return the address of a file, with the digest of them all: a new version is never taken from a cache."""
    return f"/static/{name}?{_held()[name][2]}"


@cache
def _held() -> dict[str, tuple[bytes, str, str]]:
    """Read all files once. A name that is asked for is looked up here, so no path is ever made of it."""
    held = {}
    for file in files("showable.review").joinpath("static").iterdir():
        kind = _TYPES.get(f".{file.name.rpartition('.')[2]}")
        if kind is not None and file.is_file():
            content = file.read_bytes()
            held[file.name] = content, kind
    style = page_templates("templates/calibration").get_template("style.css.j2").render()
    held[_CALIBRATION] = style.encode(), _TYPES[".css"]
    digest = blake2b(b"".join(held[name][0] for name in sorted(held)), digest_size=6).hexdigest()
    return {name: (_dated(content, digest), kind, digest) for name, (content, kind) in held.items()}


def _dated(content: bytes, digest: str) -> bytes:
    """Let a script import the others by the digest too: one new file makes all of them new, and none is asked for twice."""
    return _IMPORT.sub(rb'from "./\1?' + digest.encode() + b'"', content)
