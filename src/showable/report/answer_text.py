"""An answer as people read it."""

from __future__ import annotations

from showable.records.record import Answer
from showable.report.run_view import Entry


def answer_text(entry: Entry) -> str | None:
    """Return the text of an answer, or its claims one below the other; None where it has neither."""
    answer = entry.record.answer
    if not isinstance(answer, Answer) or answer.text:
        return answer.text if isinstance(answer, Answer) else answer
    claims = answer.claims or entry.card.claims
    return "\n".join(claim.text for claim in claims) or answer.text
