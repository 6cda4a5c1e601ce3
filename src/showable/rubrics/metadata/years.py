"""Claimed years beside those of a registry."""

from __future__ import annotations

import re
from collections.abc import Sequence

_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_SLACK_AFTER = 3


def year_of(text: str) -> int | None:
    """Read the first year of a field: ``2020a``, ``2020 Feb 7`` and ``(2020)`` are all 2020; None where there is none."""
    found = _YEAR.search(text[:200])
    return int(found[1]) if found else None


def other_version_year(claimed: int, years: Sequence[int], *, claims_preprint: bool) -> bool:
    """Say whether a year could be that of the other version of a work: a preprint before the journal, at most 3 years."""
    if claims_preprint:
        return any(0 <= year - claimed <= _SLACK_AFTER for year in years)
    return any(0 <= claimed - year <= _SLACK_AFTER for year in years)
