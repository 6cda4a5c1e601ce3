"""The templates of the pages, and their style sheets: all text is escaped, a name that nobody gave is an error."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from showable.measure.rates import percent
from showable.report import drift_words
from showable.report.page.words import CAUSES
from showable.serving.pages import charts, words
from showable.serving.pages.feed_list import SORTS
from showable.serving.pages.view import ALL, BUCKETS, BY_WORDS, STRETCHES, written

_TYPES = {".css": "text/css", ".js": "text/javascript"}


def render(template: str, **context: Any) -> str:
    """Render a page."""
    return _environment().get_template(template).render(**context)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("showable.serving.pages", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        line=words.line,
        shown=words.shown,
        moment=words.moment,
        exact=words.exact,
        took=words.took,
        bytes=words.bytes_said,
        group=words.group_name,
        percent=percent,
        written=written,
    )
    environment.globals.update(
        asset=asset,
        signs=words.SIGNS,
        bucket_signs=words.BUCKET_SIGNS,
        outcomes=words.OUTCOMES,
        causes=CAUSES,
        by_words=BY_WORDS,
        buckets=BUCKETS,
        stretches=STRETCHES,
        all_time=ALL,
        units=charts,
        drift_words=drift_words,
        plural=words.plural,
        feed_tabs=words.FEED_TABS,
        feed_sorts=SORTS,
        feed_signs=words.FEED_SIGNS,
        feed_tones=words.FEED_TONES,
        feed_dimensions=words.FEED_DIMENSIONS,
    )
    return environment


def asset(name: str) -> str:
    """Return the address of a file, with its digest: a new version is never taken from a cache."""
    return f"/static/{name}?{held()[name][2]}"


@cache
def held() -> dict[str, tuple[bytes, str, str]]:
    """Read all files once: content, type, digest. A name that is asked for is looked up here, so no path is ever made of it."""
    found = {"theme.css": files("showable.review").joinpath("static", "theme.css").read_bytes()}
    for file in files("showable.serving.pages").joinpath("static").iterdir():
        if f".{file.name.rpartition('.')[2]}" in _TYPES:
            found[file.name] = file.read_bytes()
    return {
        name: (content, _TYPES[f".{name.rpartition('.')[2]}"], blake2b(content, digest_size=6).hexdigest())
        for name, content in found.items()
    }
