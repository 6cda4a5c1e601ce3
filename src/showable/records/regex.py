"""A regular expression that is compiled when it is first used: most answers need few of a thousand."""

from __future__ import annotations

import re
from typing import Any, cast


class _Late:
    """Stands for a pattern; the methods of the compiled one become its own."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found

    def __repr__(self) -> str:
        return f"regex({self.pattern!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return regex, (self.pattern, self._flags)


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern, compiled at its first use. A mistake in it raises re.error then."""
    return cast("re.Pattern[str]", _Late(pattern, flags))
