"""What stands beside the headline, so that a pipeline which refuses everything does not look like a good one."""

from __future__ import annotations

from showable.measure.summary import Summary


def over_refusals(summary: Summary) -> str | None:
    """Say how many answerable questions were refused although their evidence was retrieved; None where none was."""
    rate = summary.rates["over_refusal"]
    asked = rate.passed + rate.failed
    if not rate.passed:
        return None
    of = "the one question that could be answered" if asked == 1 else f"{asked:,} questions that could be answered"
    return f"over-refusals: {rate.passed:,} of {of} {'was' if rate.passed == 1 else 'were'} refused"
