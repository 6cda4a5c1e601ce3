"""Counts what the tests have scored, and says so in a few lines at the end. Says nothing where nothing was scored."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator

import pytest

from showable.pytest_plugin.options import Settings
from showable.pytest_plugin.properties import Scored, read

_BUCKETS = ("correct", "refused", "unsupported", "wrong", "unknown")
_QUIET, _SILENT = -1, -2
_SIGNATURES_SHOWN = 3


class Tally:
    """Adds up the reports of finished tests, those of xdist's workers among them: each test counts once, its last run."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._scored: dict[str, tuple[Scored, ...]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test has scored, when it is done and nothing more can come."""
        if report.when == "teardown" and report.user_properties and (scored := tuple(read(report.user_properties))):
            self._scored[report.nodeid] = scored

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session in which too many calls failed: tests that skip what is unknown would make it a pass."""
        if session.exitstatus == pytest.ExitCode.OK and self._not_measured() is not None:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _not_measured(self) -> str | None:
        calls = [one.calls for several in self._scored.values() for one in several if one.calls]
        if not calls:
            return None
        from showable.measure.not_measured import FailureTally  # noqa: PLC0415 - only where something was scored
        from showable.records.calls import CallCounts  # noqa: PLC0415 - as above

        tally = FailureTally(self._settings.limit())
        for one in calls:
            tally.add_calls(CallCounts.model_validate_json(one))
        return tally.headline()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the counts: a section, with -q one line, with -qq nothing."""
        verbosity = terminalreporter.config.get_verbosity()
        if not self._scored or verbosity <= _SILENT:
            return
        first, *rest = self._lines()
        if verbosity <= _QUIET:
            terminalreporter.write_line(f"showable: {first}")
            return
        terminalreporter.write_sep("=", "showable")
        terminalreporter.write_line(first)
        width = terminalreporter.config.get_terminal_writer().fullwidth
        for line in rest:
            # a signature stays whole, to be copied
            whole = not line.startswith("causes")
            for part in (line,) if whole else textwrap.wrap(line, width, subsequent_indent="  "):
                terminalreporter.write_line(part)

    def _lines(self) -> Iterator[str]:
        scored = [one for several in self._scored.values() for one in several]
        buckets = Counter(one.bucket for one in scored)
        if (headline := self._not_measured()) is not None:
            yield headline
        counts = ", ".join(f"{buckets[name]} {name}" for name in _BUCKETS)
        yield f"{len(scored)} {'answer' if len(scored) == 1 else 'answers'} scored: {counts}"
        causes = sorted(
            Counter(one.cause for one in scored if one.cause).items(), key=lambda entry: (-entry[1], entry[0])
        )
        if causes:
            yield f"causes: {', '.join(f'{cause} {count}' for cause, count in causes)}"
        signatures = Counter(one.signature for one in scored)
        for signature, count in signatures.most_common(_SIGNATURES_SHOWN):
            yield f"signature {signature}" if len(signatures) == 1 else f"signature of {count}: {signature}"
        if len(signatures) > _SIGNATURES_SHOWN:
            yield f"and {len(signatures) - _SIGNATURES_SHOWN} signatures more"
