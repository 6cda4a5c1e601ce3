"""Whether a citation is written as a style asks, and what it lacks: Bluebook, Vancouver, AMA, APA, inline links."""

from __future__ import annotations

from collections.abc import Callable

from showable.read.formats import ama, apa, inline_link, vancouver
from showable.read.formats.fault import FormatFault
from showable.read.references.found import FoundReference

Check = Callable[[FoundReference, str], list[FormatFault]]
"""Says what in one reference of a text departs from a style; nothing where it is written as the style asks."""


def _bluebook(found: FoundReference, text: str) -> list[FormatFault]:
    from showable.read.formats.bluebook import bluebook_faults  # noqa: PLC0415 - its table of reporters takes time to load

    return bluebook_faults(found, text)


FORMATS: dict[str, Check] = {
    "bluebook": _bluebook,
    "vancouver": vancouver.check,
    "ama": ama.check,
    "apa": apa.check,
    "inline_link": inline_link.check,
}
"""The surface formats by the name that a profile calls them."""
