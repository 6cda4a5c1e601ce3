"""What every scanner says about a text, in one shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]
"""Start and end in code points of the text that was scanned, end exclusive."""

Severity = Literal["error", "warning", "low"]
"""``error`` refuses. ``warning`` is for a person to look at. ``low`` is dirt that leaves the meaning alone, such as a soft hyphen."""

Scanner = Literal["invisible", "url", "pattern", "injection"]


@dataclass(frozen=True, slots=True)
class ScanFinding:
    """One thing that a scanner found: who found it, its code, a reason in words, and its place.

    `count` is how many it stands for, the first of them at its place: the same may stand in a text a thousand times.
    """

    scanner: Scanner
    code: str
    reason: str
    where: Span
    severity: Severity = "error"
    count: int = 1
