"""Text that came from elsewhere, made fit for XML 1.0."""

from __future__ import annotations

import hashlib
import re

from showable.report.untrusted import printable

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""All but the characters of production 2 (Char) of XML 1.0, fifth edition."""
_LONGEST_NAME = 500


def xml_text(text: str, *, limit: int | None = None, one_line: bool = False) -> str:
    """Strip what XML cannot hold, and what steers a terminal. Half characters become U+FFFD; the rest goes."""
    return _NO_XML.sub("", printable(text, limit=limit, one_line=one_line))


def xml_name(name: str) -> str:
    """Return a name for one test: whole up to 500 characters, and never the same for two ids.

    Readers take tests of one name for one test, so a name that had to be altered ends in a digest of the id.
    """
    shown = xml_text(name, limit=_LONGEST_NAME, one_line=True)
    if shown == name:
        return shown
    return f"{shown} [{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}]"
