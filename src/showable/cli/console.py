"""The console that reports are printed on."""

from __future__ import annotations

import re
import sys
from typing import Any, NoReturn, TextIO, cast

from rich.console import Console

_TRAILING = re.compile(r" +(?=\n)")


class ReportConsole(Console):
    """A console whose broken pipe stays a broken pipe: rich would leave with exit code 1, which means `do not ship`.

    In a log, lines end where their words do.
    """

    def __init__(self, **settings: Any) -> None:
        """Print to standard output; `settings` are rich's."""
        super().__init__(file=None if sys.stdout.isatty() else cast("TextIO", _Log(sys.stdout)), **settings)

    def on_broken_pipe(self) -> NoReturn:
        """Let the command line decide on the exit code."""
        raise BrokenPipeError


class _Log:
    """Standard output without the spaces by which tables are padded to their width."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(_TRAILING.sub("", text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
