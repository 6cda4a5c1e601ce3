"""Short forms: the citation in full that one points back to, at the page or the section that it names itself."""

from __future__ import annotations

from collections.abc import Mapping

from showable.records.record import Reference

POINTING = frozenset({"id", "supra", "case_short"})
"""Kinds that only point back at a citation given in full."""


def as_pointed(short: Reference, full: Reference) -> Reference:
    """Give what a short form stands for: all of the citation in full, but its own pin cite or section.

    ``Id. at 9`` after ``576 U.S. 644, 675`` is page 9 of the same case, and ``Id. § 3`` after ``28 U.S.C. § 1331``
    is another section, that may not exist though the first one does. A bare ``Id.`` is the very same place.
    """
    own = {name: short.fields[name] for name in ("pin", "section", "subsection") if short.fields.get(name)}
    if "section" in own and "section" not in full.fields:
        own = {"pin": own["pin"]} if "pin" in own else {}
    if not own:
        return full
    kept = {name: said for name, said in full.fields.items() if name != "pin" and not _moves(name, own)}
    return full.model_copy(update={"fields": {**kept, **own, **_part(full.fields, own)}})


def _moves(name: str, own: Mapping[str, str]) -> bool:
    return name == "subsection" and "section" in own


def _part(full: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Give the part of the C.F.R. that a section lies in: its number up to the dot."""
    part, dot, _ = own.get("section", "").partition(".")
    return {"part": part} if dot and "part" in full else {}
