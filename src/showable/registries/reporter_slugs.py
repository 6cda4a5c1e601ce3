"""The Caselaw Access Project's names of reporters in its addresses: `F. Supp. 2d` is `f-supp-2d`."""

from __future__ import annotations

from typing import Any

from showable.registries.shapes import rows_of, text_of
from showable.rubrics.metadata.reporter_cites import plain_reporter

SLUGS = {
    "us": "us",
    "f2d": "f2d",
    "f3d": "f3d",
    "fsupp": "f-supp",
    "fsupp2d": "f-supp-2d",
    "fsupp3d": "f-supp-3d",
}
"""Slugs of the reporters most cited, by reporter without stops, spaces and case; the list of all 401 gives the others."""


def slugs_in(metadata: Any) -> dict[str, tuple[str, ...]]:
    """Read the list of reporters. A short name that several reporters bear has several slugs."""
    slugs: dict[str, tuple[str, ...]] = {}
    for row in rows_of(metadata):
        name, slug = text_of(row.get("short_name")), text_of(row.get("slug"))
        if name and slug and _is_safe(slug):
            key = plain_reporter(name)
            slugs[key] = tuple(dict.fromkeys((*slugs.get(key, ()), slug)))
    return slugs


def _is_safe(slug: str) -> bool:
    return slug.replace("-", "").replace("_", "").isalnum() and slug.isascii()
