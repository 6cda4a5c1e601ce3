"""Who writes what: for each ending the report that goes into such a file. Each is imported when it is written.

What takes a reading of a whole run is made once, however many files it goes into.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from showable.cli.outputs import Writer
    from showable.measure.comparison import Comparison
    from showable.measure.decision import Decision
    from showable.measure.history import History
    from showable.report.difference.changes import Compared
    from showable.report.run_view import RunView


class RunWriters:
    """What writes a run. `document` is what ``--json`` prints, where that is more than the summary."""

    def __init__(self, view: RunView, document: Mapping[str, Any] | None = None) -> None:
        self.view, self.document = view, document

    def by_ending(self) -> Mapping[str, Writer]:
        """Return, for each ending, what writes such a file."""
        return {
            ".html": self.html,
            ".md": lambda file: _put(self.markdown, file),
            ".xml": self.junit,
            ".sarif": self.sarif,
            ".csv": self.table,
            ".json": self.summary,
            ".jsonl": self.scores,
        }

    def html(self, file: IO[bytes]) -> None:
        """Write the page."""
        from showable.report.html import render_run

        _put(render_run(self.view), file)

    @cached_property
    def markdown(self) -> str:
        """The run as one comment."""
        from showable.report.markdown import render_markdown

        return render_markdown(self.view)

    def junit(self, file: IO[bytes]) -> None:
        """Write JUnit XML."""
        from showable.report.junit import write_junit

        write_junit(self.view, file)

    def sarif(self, file: IO[bytes]) -> None:
        """Write SARIF."""
        from showable.report.sarif import write_sarif

        write_sarif(self.view, file)

    def table(self, file: IO[bytes]) -> None:
        """Write one row a record."""
        from showable.report.table import write_table

        write_table(self.view, file)

    def summary(self, file: IO[bytes]) -> None:
        """Write what ``--json`` prints."""
        from showable.report.json_report import run_document, write_document

        write_document(run_document(self.view) if self.document is None else self.document, file)

    def scores(self, file: IO[bytes]) -> None:
        """Write the scorecards, one a line."""
        from showable.report.json_report import write_scores

        write_scores(self.view, file)


class GateWriters:
    """What writes the comparison of two runs."""

    def __init__(self, decision: Decision, baseline: RunView, candidate: RunView) -> None:
        self.decision, self.baseline, self.candidate = decision, baseline, candidate

    def by_ending(self) -> Mapping[str, Writer]:
        """Return, for each ending, what writes such a file."""
        return {".html": self.html, ".md": self.markdown, ".xml": self.junit, ".json": self.summary}

    @cached_property
    def compared(self) -> Compared:
        """Both runs, read once."""
        from showable.report.difference.changes import compared

        return compared(self.baseline, self.candidate)

    def html(self, file: IO[bytes]) -> None:
        """Write the page."""
        from showable.report.difference.page import render_difference

        _put(render_difference(self.decision, self.compared), file)

    def markdown(self, file: IO[bytes]) -> None:
        """Write one comment of a pull request."""
        from showable.report.difference.markdown import render_gate_markdown

        _put(render_gate_markdown(self.decision, self.compared), file)

    def junit(self, file: IO[bytes]) -> None:
        """Write JUnit XML."""
        from showable.report.junit import write_gate_junit

        write_gate_junit(self.decision, file)

    def summary(self, file: IO[bytes]) -> None:
        """Write what ``--json`` prints."""
        from showable.report.json_report import gate_document, write_document

        write_document(gate_document(self.decision), file)


def comparison_writers(comparison: Comparison) -> Mapping[str, Writer]:
    """Return, for each ending, what writes a comparison into such a file."""
    from showable.report.comparison.markdown import render_comparison_markdown
    from showable.report.comparison.page import render_comparison_page
    from showable.report.comparison.table import write_comparison_table
    from showable.report.json_report import write_document

    return {
        ".html": lambda file: _put(render_comparison_page(comparison), file),
        ".md": lambda file: _put(render_comparison_markdown(comparison), file),
        ".json": lambda file: write_document(comparison.model_dump(mode="json"), file),
        ".csv": lambda file: write_comparison_table(comparison, file),
    }


def history_writers(history: History, runs_at: str) -> Mapping[str, Writer]:
    """Return, for each ending, what writes a history into such a file; `runs_at` leads from there to the runs."""
    from showable.report.history.markdown import render_history_markdown
    from showable.report.history.page import render_history_page
    from showable.report.json_report import write_document

    return {
        ".html": lambda file: _put(render_history_page(history, runs_at=runs_at), file),
        ".md": lambda file: _put(render_history_markdown(history), file),
        ".json": lambda file: write_document(history.model_dump(mode="json"), file),
    }


def _put(text: str, file: IO[bytes]) -> None:
    file.write(text.encode("utf-8", "replace"))
