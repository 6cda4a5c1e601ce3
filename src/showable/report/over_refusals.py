"""What stands beside the headline: what was refused though it could be answered, and what the judge does not understand."""

from __future__ import annotations

from showable.measure.summary import Summary
from showable.read.language import LANGUAGES


def over_refusals(summary: Summary) -> str | None:
    """Return how many answerable questions were refused although their evidence was retrieved; None where none was."""
    rate = summary.rates["over_refusal"]
    asked = rate.passed + rate.failed
    if not rate.passed:
        return None
    of = "the one question that could be answered" if asked == 1 else f"{asked:,} questions that could be answered"
    return f"over-refusals: {rate.passed:,} of {of} {'was' if rate.passed == 1 else 'were'} refused"


def in_another_language(summary: Summary) -> str | None:
    """Return how many answers are in a language that the judge was not trained on; None where none is."""
    count = summary.causes.get("language", 0)
    told = f"{count:,} answers are in languages" if count > 1 else "1 answer is in a language"
    return f"{told} that the judge was not trained on ({LANGUAGES} alone): not judged" if count else None
