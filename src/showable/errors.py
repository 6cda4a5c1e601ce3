"""The user's mistakes. The world's failures (network, judge, registry) are data, never exceptions."""

from __future__ import annotations


class ShowableError(Exception):
    """Something the user can put right; the message says how. The command line exits 2 on it."""


class SettingError(ShowableError):
    """An option, a threshold, a profile or a judge's name that cannot be used."""


class InputError(ShowableError):
    """One place in one file that is not what was expected.

    Prints as ``FILE:LINE: FIELD: MESSAGE``, leaving out what does not apply. Lines count from 1.
    """

    def __init__(self, message: str, *, path: str = "", line: int | None = None, field: str = "") -> None:
        self.message, self.path, self.line, self.field = message, path, line, field
        place = path if line is None else f"{path}:{line}"
        super().__init__(": ".join(part for part in (place, field, message) if part))
