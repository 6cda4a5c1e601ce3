"""Put the page together: summary, records for readers without script, index and blocks, under a policy that runs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
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
from showable.report.page.static import StaticRecord, static_record
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
    """Give the script what it says in words."""
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
    """Say what a code means in brief; a code of somebody else is its own name."""
    return FINDING_WORDS[code].brief if code in FINDING_WORDS else code


def _said(name: str) -> str:
    """Write a name of the code as words."""
    return name.replace("_", " ")
