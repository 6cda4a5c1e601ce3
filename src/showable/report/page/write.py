"""Put the page together: summary, records for readers without script, index and blocks, under a policy that runs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Any
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from showable.records.signature import Thresholds
from showable.report.finding_words import FINDING_WORDS
from showable.report.page import words
from showable.report.page.keeping import CUTS, Keeping
from showable.report.page.overview import tables
from showable.report.page.packing import Packed, dump, pack
from showable.report.page.shortening import Body
from showable.report.page.texts import line
from showable.report.page.uncertain import NEAR
from showable.report.page_templates import page_templates
from showable.report.run_view import RunView

WITHOUT_SCRIPT = 20
"""Records that the page shows where scripts are off."""
MOST_WITHOUT_SCRIPT = 400_000
"""Characters of these records, passages apart."""
_SCRIPTS = ("data", "state", "search", "list", "marks", "reader", "evidence", "keys", "main")
_FIRST = """\
document.documentElement.classList.add("scripted");
addEventListener("error", () => document.documentElement.classList.remove("scripted"));
"""
"""Runs before anything shows: hides what is for readers without script, for as long as scripts work."""
_TEMPLATES = "templates/run"


def page_parts(view: RunView, keeping: Keeping | None = None) -> Iterator[str]:
    """Yield the page in pieces. Reads the run once, unless `keeping` has been over it already."""
    if keeping is None:
        keeping = Keeping(view.summary.signature.thresholds)
        keeping.add_all(view.entries())
    packed = pack(keeping)
    style, script = _style(), _script()
    room, spared = CUTS[keeping.cuts - 1] if keeping.cuts else (0, 0)
    yield from (
        _environment()
        .get_template("page.html.j2")
        .generate(
            summary=view.summary,
            run=line(view.name),
            folder=None if view.summary.run is None else line(view.summary.run),
            shown=packed.count,
            static=list(_static(keeping, packed)),
            style=Markup(style),  # noqa: S704 - our own file
            first=Markup(_FIRST),  # noqa: S704 - our own
            script=Markup(script),  # noqa: S704 - our own file
            cut_to=room,
            spared=spared,
            policy=_policy(style, _FIRST, script),
            index=Markup(dump(packed.index | _settings(view, packed.index["codes"]))),  # noqa: S704 - `dump` leaves nothing that ends the element
            blocks=packed.blocks,
            words=words,
            near=NEAR,
            **tables(view.summary),
        )
    )


def _settings(view: RunView, codes: Iterable[str]) -> dict[str, Any]:
    """Return the script what it says in words."""
    return {
        "n": view.summary.n,
        "run": line(view.name),
        "folder": None if view.summary.run is None else line(view.summary.run),
        "signs": words.SIGNS,
        "supports": words.SUPPORTS,
        "meanings": words.CAUSES,
        "codeWords": {code: FINDING_WORDS[code][:2] for code in codes if code in FINDING_WORDS},
        "near": NEAR,
        "thresholds": _threshold_words(view.summary.signature.thresholds),
    }


def _threshold_words(thresholds: Thresholds) -> str:
    return line(str(thresholds).replace(",", ", "))


def _static(keeping: Keeping, packed: Packed) -> Iterator[StaticRecord]:
    """Yield the worst records, fewer where they are endless, so that they stay a small part of the page."""
    size = 0
    for kept, body in islice(keeping.records(), min(WITHOUT_SCRIPT, packed.count)):
        if size > MOST_WITHOUT_SCRIPT:
            return
        size += len(dump(body))
        yield static_record(body, [keeping.text(key) for key in kept.texts])


@cache
def _style() -> str:
    return _read("page.css")


@cache
def _script() -> str:
    parts = "\n".join(_read(f"{part}.js") for part in _SCRIPTS)
    return f'"use strict";\n(() => {{\n{parts}\n}})();\n'


def _read(name: str) -> str:
    return files("showable.report").joinpath(f"{_TEMPLATES}/{name}").read_text("utf-8")


def _policy(style: str, *scripts: str) -> str:
    """Allow these scripts and this style by their digests and nothing else: no request, no frame, no form, no inline handler."""
    return (
        f"default-src 'none'; script-src {' '.join(map(_digest, scripts))}; style-src {_digest(style)};"
        " base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _environment() -> Environment:
    return page_templates(_TEMPLATES, grouped="{:,}".format, key=_key, line=line, said=_said, brief=_brief)


def _key(text: str) -> str:
    """Write a value into the fragment of a link."""
    return quote(text.encode("utf-8", "replace"), safe="")


def _brief(code: str) -> str:
    """Return what a code means in brief; a code of somebody else is its own name."""
    return FINDING_WORDS[code].brief if code in FINDING_WORDS else code


def _said(name: str) -> str:
    """Write a name of the code as words."""
    return name.replace("_", " ")


# A record for readers without script: the same content as the page's reader shows, laid out plainly and cut shorter.


MOST_CLAIMS = 60
MOST_PASSAGES = 12
MOST_OF_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class StaticPassage:
    """One passage: its fields, its text in pieces, each marked where it was relied on, and how much is left out."""

    fields: Body
    pieces: tuple[tuple[str, bool], ...]
    more: int


@dataclass(frozen=True, slots=True)
class StaticRecord:
    """One record, its passages cut to what fits a page without script."""

    body: Body
    answer: str | None
    answer_more: int
    passages: tuple[StaticPassage, ...]
    passages_more: int


def static_record(body: Body, texts: Sequence[str]) -> StaticRecord:
    """Lay a record out. `texts` are the passages that its body counts."""
    passages = body.get("passages", [])
    answer = body.get("answer", body.get("raw"))
    return StaticRecord(
        body=body
        | {"claims": body.get("claims", [])[:MOST_CLAIMS], "findings": body.get("findings", [])[:MOST_CLAIMS]},
        answer=None if answer is None else answer[: 2 * MOST_OF_TEXT],
        answer_more=body.get("more", 0) + max(0, len(answer or "") - 2 * MOST_OF_TEXT),
        passages=tuple(_passages(body, passages[:MOST_PASSAGES], texts)),
        passages_more=max(0, (body.get("log") or 0) - MOST_PASSAGES),
    )


def _passages(body: Body, passages: Sequence[Body], texts: Sequence[str]) -> Iterator[StaticPassage]:
    for passage in passages:
        text = texts[passage["text"]] if "text" in passage else ""
        more = passage.get("more", 0) + sum(count for _, count in passage.get("gaps", ()))
        more += max(0, len(text) - MOST_OF_TEXT)
        yield StaticPassage(passage, marked(text[:MOST_OF_TEXT], _relied(body, passage["source"])), more)


def _relied(body: Body, source: str) -> list[tuple[int, int]]:
    return [
        tuple(citation["relied"])
        for claim in body.get("claims", ())
        for citation in claim.get("citations", ())
        if citation.get("source") == source and "relied" in citation
    ]


def marked(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[str, bool], ...]:
    """Cut a text at spans, which may overlap or lie outside it, into pieces that are inside a span or not."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted(spans):
        start, end = max(start, at), min(end, len(text))  # noqa: PLW2901 - clipped to what is left of the text
        if start < end:
            pieces += [(text[at:start], False), (text[start:end], True)]
            at = end
    return tuple(piece for piece in [*pieces, (text[at:], False)] if piece[0])
