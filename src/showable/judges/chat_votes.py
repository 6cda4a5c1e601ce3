"""From what a chat model said about one pair, once or in several samples, to one decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from showable.judges.chat_endpoint import Failure
from showable.judges.chat_reply import ChatLabel, Reply, Unreadable
from showable.records import Cost
from showable.records.evidence import Label

Outcome = Reply | Unreadable | Failure


@dataclass(frozen=True, slots=True)
class Answer:
    """What one sample came to for one pair, and its share of the cost."""

    outcome: Outcome
    cost: Cost
    asked_twice: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict of all samples. `kind` says what went wrong where it is unknown, `failure` how the call failed."""

    label: Label
    reason: str
    p: float | None = None
    quote: str | None = None
    quote_span: tuple[int, int] | None = None
    kind: str | None = None
    failure: str | None = None
    topical: bool | None = None


def decide(answers: Sequence[Answer]) -> Decision:
    """Take one answer as it is; of several samples, the label that more than half of them give.

    A sample that could not be read is a vote for nothing. `p` is then the share of all samples that say
    supported, whatever p each of them gave; the words and the reason are those of the first sample of
    the majority. Without a majority the label is `unknown`; its p is that share too, unless a sample is
    missing. Disagreement is in the reason, counted. After self-consistency (Wang et al. 2023,
    arXiv:2203.11171).
    """
    if len(answers) == 1:
        return _decide_one(answers[0])
    replies = [answer.outcome for answer in answers if isinstance(answer.outcome, Reply)]
    unread = next((answer for answer in answers if not isinstance(answer.outcome, Reply)), None)
    if unread is not None and not replies:
        lost = _decide_one(unread)
        said = f"none of {len(answers)} samples was read: {lost.reason}"
        return Decision("unknown", said, kind=lost.kind, failure=lost.failure)
    votes = Counter(reply.label for reply in replies)
    said = _tell(votes, len(answers))
    p = votes["supported"] / len(answers)
    label, most = votes.most_common(1)[0]
    if 2 * most > len(answers):
        first = next(reply for reply in replies if reply.label == label)
        topical = first.topical if len({reply.topical for reply in replies if reply.label == label}) == 1 else None
        return Decision(label, f"{said}; {first.reason}", p, first.quote, first.quote_span, topical=topical)
    if unread is None:
        return Decision("unknown", said, p, kind="no_majority")
    lost = _decide_one(unread)
    return Decision("unknown", f"{said} ({lost.reason})", kind="no_majority", failure=lost.failure)


def _decide_one(answer: Answer) -> Decision:
    outcome = answer.outcome
    if isinstance(outcome, Reply):
        said = outcome
        return Decision(said.label, said.reason, said.p, said.quote, said.quote_span, topical=said.topical)
    kind = outcome.fault if isinstance(outcome, Unreadable) else outcome.kind
    reason = f"{outcome.reason} (asked twice)" if answer.asked_twice else outcome.reason
    failure = "unreadable reply" if isinstance(outcome, Unreadable) else outcome.headline
    return Decision("unknown", reason, kind=kind, failure=failure)


def _tell(votes: Counter[ChatLabel], samples: int) -> str:
    """Return how the samples voted, as ``3 samples: 2 supported, 1 partial``."""
    parts = [f"{count} {label}" for label, count in sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))]
    if missing := samples - votes.total():
        parts.append(f"{missing} unread")
    return f"{samples} samples: {', '.join(parts)}"
