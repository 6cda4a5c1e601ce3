"""What is wrong with a URL."""

from __future__ import annotations

from dataclasses import dataclass

from showable.read.scan.finding import Severity, Span


@dataclass(frozen=True, slots=True)
class UrlFinding:
    """One thing wrong with a URL: a code, the reason in words, its place in the URL, and whether it refuses."""

    code: str
    reason: str
    where: Span
    severity: Severity = "error"
