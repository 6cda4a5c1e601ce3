"""What a page carries for its script: JSON inside an element, of which nothing ends the element."""

from __future__ import annotations

import json

from markupsafe import Markup


def script_data(value: object) -> Markup:
    """Write JSON for a script element: nothing in it ends the element, opens a comment, is an entity, or ends a line."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    return Markup(written)  # noqa: S704 - nothing that is markup is left in it
