"""The console that reports are printed on."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class ReportConsole(Console):
    """A console whose broken pipe stays a broken pipe: rich would leave with exit code 1, which means `do not ship`."""

    def on_broken_pipe(self) -> NoReturn:
        """Let the command line decide on the exit code."""
        raise BrokenPipeError
