"""Why an answer is in its bucket, in one line for whoever reads a failed test."""

from __future__ import annotations

from showable.records.scorecard import Scorecard

_NO_LOG = "resolvability.log_missing"
_DECIDED = frozenset({"correct", "wrong", "unsupported", "refused"})
_DOUBTS_SHOWN = 2
_WHY: dict[str | None, str] = {
    "empty_answer": "there is no answer to check",
    "answers_another_question": "gold says there is no answer, yet a claim and its citation give one",
    "invented_source": "it cites a source that was not retrieved",
    "no_evidence": "nothing that was retrieved supports a claim",
    "bad_quote": "a quotation is not in the source that it cites",
    "wrong_page": "a citation names another page than its passage is on",
    "bad_source": "a source that it cites does not stand",
    "miscited": "a claim cites a source that does not support it; another that was retrieved does",
    "over_refusal": "it declines, although the evidence was retrieved",
}
"""Where the scorecard's own words are those of several causes, or a test's failure can say it more plainly."""


def named(card: Scorecard) -> str:
    """Return the bucket, with its cause where it has one."""
    return f"{card.bucket} ({card.cause})" if card.cause else card.bucket


def in_short(card: Scorecard) -> str:
    """Say the bucket, its cause and why in one line."""
    if card.cause == "miscited" and any(f.code == "semantic.quote_does_not_support" for f in card.findings):
        return f"{named(card)}: a claim cites words that do not say it; others of the same source do"
    why = _WHY.get(card.cause) or (_doubt(card) if card.bucket == "unknown" else card.why)
    return f"{named(card)}: {why}" if why else named(card)


def is_lost(card: Scorecard, allow: frozenset[str]) -> bool:
    """Check whether an undecided answer is in none of the buckets allowed, however what is open comes out.

    Without a retrieval log it is not: which citations the answer has was read without the ids they may name.
    """
    could_be = _could_be(card)
    return bool(could_be) and not could_be & allow and not any(f.code == _NO_LOG for f in card.findings)


def _could_be(card: Scorecard) -> frozenset[str]:
    """Return the buckets between which it was not decided, empty where the scorecard does not name them."""
    listed = frozenset(card.why.partition(": ")[0].split(" or ")) if card.cause == "undecided" else frozenset()
    return listed if listed <= _DECIDED else frozenset()


def _doubt(card: Scorecard) -> str:
    """Say between which buckets it was not decided, and what that hangs on."""
    if any(finding.code == _NO_LOG for finding in card.findings):
        return "what was retrieved was not recorded, so it cannot be checked"
    if not _could_be(card):
        return card.why
    listed, _, said = card.why.partition(": ")
    *others, last = listed.split(" or ")
    doubts = list(filter(None, said.split("; ")))
    shown, rest = doubts[:_DOUBTS_SHOWN], len(doubts) - _DOUBTS_SHOWN
    between = f"{', '.join(others)} or {last}" if others else last
    more = f", and {rest} more" if rest > 0 else ""
    return f"{between}, depending on {' and '.join(shown)}{more}" if shown else between
