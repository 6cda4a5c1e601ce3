"""A failed `assert_shippable` in a report of pytest: what is wrong comes first."""

from __future__ import annotations

from typing import Any

import pytest


def begin_with_the_bucket(report: pytest.TestReport, raised: pytest.ExceptionInfo[BaseException]) -> None:
    """Take the exception's name off the lines that pytest prints: 80 columns are better spent on what is wrong."""
    prefix = f"{raised.type.__module__}.{raised.type.__qualname__}: "
    longrepr: Any = report.longrepr
    alone = (getattr(longrepr, "reprtraceback", None), getattr(longrepr, "reprcrash", None), None)  # --tb=native
    for traceback, crash, _ in getattr(longrepr, "chain", (alone,)):
        if crash is not None:
            crash.message = crash.message.removeprefix(prefix)
        for entry in getattr(traceback, "reprentries", ()):
            lines = getattr(entry, "lines", None)
            if isinstance(lines, list):
                lines[:] = [line.replace(prefix, "", 1) if line.startswith("E") else line for line in lines]
