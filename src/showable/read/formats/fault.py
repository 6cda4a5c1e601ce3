"""What is wrong with the way a citation is written."""

from __future__ import annotations

from dataclasses import dataclass

from showable.read.references.found import Span


@dataclass(frozen=True, slots=True)
class FormatFault:
    """One departure from a citation style.

    `code` is a short name that does not change (``missing_year``), `said` the same for a reader, and `where` the
    place in the original text, in code points: what is written wrongly, or None where something is missing.
    """

    code: str
    said: str
    where: Span | None = None
