"""A run as one self-contained HTML page: summary, and the records worth reading, with filters, search and links. Nothing is fetched."""

from __future__ import annotations

from typing import TextIO

from showable.report.page.write import page_parts
from showable.report.run_view import RunView


def render_run(view: RunView) -> str:
    """Render a run as a page that works from disk, under 30 MB however large the run.

    The run is read once, in constant memory. Where records take too much room, long passages are cut around what was
    relied on or quoted, and each says how much is left out; of more than 5,000 records the worst are kept, and the page
    says how many are not shown. All text of records is shown as text.
    """
    return "".join(page_parts(view))


def write_run(view: RunView, handle: TextIO) -> None:
    """Write the page of a run to an open file, as `render_run` gives it."""
    handle.writelines(page_parts(view))
