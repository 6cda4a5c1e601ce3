"""The summary of the GitHub Actions step that runs this: Markdown is added to the file that GITHUB_STEP_SUMMARY names."""

from __future__ import annotations

import os
from contextlib import suppress
from io import BytesIO
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from showable.cli.outputs import Writer

MOST_BYTES = 1 << 20
"""GitHub shows no summary of a step that is larger than 1 MiB."""
_VARIABLE = "GITHUB_STEP_SUMMARY"


def step_summary() -> str | None:
    """Return the file of the step's summary, where there is one."""
    return os.environ.get(_VARIABLE) or None


def add_to_step_summary(write: Writer) -> None:
    """Add what `write` writes to the step's summary, unless it stands there already.

    Outside of GitHub Actions nothing is written. What goes wrong is told in one line on stderr, and changes no
    exit code: the summary is for looking at, and the run is what counts.
    """
    path = step_summary()
    if path is None:
        return
    try:
        text = BytesIO()
        write(text)
        _add(path, text.getvalue())
    except Exception as error:  # noqa: BLE001 - whatever it is, the run is done and its exit code says how it went
        from showable.report.untrusted import printable

        said = getattr(error, "strerror", None) or error
        typer.echo(f"showable: {_VARIABLE}: cannot be written: {printable(str(said))}", err=True)


def _add(path: str, text: bytes) -> None:
    with open(path, "a+b") as handle:  # noqa: PTH123 - as named, whatever it holds
        handle.seek(0)
        before = handle.read(MOST_BYTES + 1)
    if text in before:
        return
    if len(before) + len(text) + 2 > MOST_BYTES:
        typer.echo(f"showable: {_VARIABLE}: holds too much already; the summary was not added", err=True)
        return
    try:
        with open(path, "ab") as handle:  # noqa: PTH123 - as above
            handle.write(b"\n\n" + text if before else text)
    except OSError:
        with suppress(OSError):
            os.truncate(path, len(before))  # half of a report would be taken for the whole
        raise
