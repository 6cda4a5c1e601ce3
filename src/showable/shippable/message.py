"""What a developer reads when an answer is not shippable: claim, citation, passage, gold, and what would mend it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from showable.records.findings import Outcome
from showable.records.record import Answer, Gold, Record
from showable.records.scorecard import Scorecard
from showable.report.untrusted import printable
from showable.shippable.claim_rows import claim_rows, name_of, shown_id
from showable.shippable.decide import Shortfall, blamed_claims, faults_of
from showable.shippable.excerpt import head
from showable.shippable.remedy import remedy
from showable.shippable.rows import WIDTH, Row, fold, lay_out

_NUMBERS_SHOWN = 3
_REASONS_SHOWN = 3
_ROOM = 160
_HEADLINE_ROOM = 400
_ID_ROOM = 60
_ANSWER_SHOWN = frozenset(
    {"no_answer", "over_refusal", "warranted", "unjudged", "empty_answer", "unparsed", "partial", "incomplete"}
)
_GOLD_SHOWN = frozenset(
    {"wrong_source", "contradicts_gold", "answers_another_question", "no_answer", "over_refusal", "incomplete"}
)
_IN_THE_HEADLINE = frozenset({"resolvability.log_missing"})
_NOTED = frozenset({"semantic.injection_suspected", "semantic.sources_conflict", "structural.malicious_url"})


def compose(shortfall: Shortfall, card: Scorecard, record: Record | None) -> str:
    """Write the message: the headline on the first line, then labelled rows, at most 72 columns wide."""
    blamed = blamed_claims(card)
    rows = [
        ("", ""),
        ("record", printable(card.id, limit=_ID_ROOM)),
        *_asked(card, record),
        *claim_rows(card, record, blamed),
        *_loose(card),
        *_gold(card, record, blamed),
        *_left(shortfall, card),
    ]
    mend = remedy(shortfall, card, record, blamed)
    rows += [("to mend", mend)] if mend else []
    headline = printable(shortfall.headline, limit=_HEADLINE_ROOM)
    return "\n".join([*fold(headline, WIDTH), *lay_out(rows)])


def _asked(card: Scorecard, record: Record | None) -> Iterator[Row]:
    if record is None:
        return
    yield "question", head(record.question, _ROOM)
    if card.cause in _ANSWER_SHOWN:
        yield "answer", _answer(record)


def _answer(record: Record) -> str:
    answer = record.answer
    if isinstance(answer, Answer):
        answer = answer.text or " ".join(claim.text for claim in answer.claims[:_REASONS_SHOWN])
    if answer is None:
        return "none was recorded (null)"
    return head(answer, _ROOM) or "it is empty"


def _loose(card: Scorecard) -> Iterator[Row]:
    """Show the citations of sentences that assert nothing, where they are at fault."""
    faulty = [
        (citation, faults)
        for number, citation in enumerate(card.loose[:100])
        if Outcome.FAIL in (citation.exists, citation.resolves) and (faults := faults_of(card, None, number, citation))
    ]
    for citation, faults in faulty[:_NUMBERS_SHOWN]:
        yield "cites", f"{name_of(citation)}, beside its claims: {printable(faults[0], limit=_ROOM)}"


def _gold(card: Scorecard, record: Record | None, blamed: Sequence[int]) -> Iterator[Row]:
    """Show gold where the answer is not what gold says."""
    if card.cause not in _GOLD_SHOWN and card.gold_agreement not in {"disagrees", "absent"}:
        return
    gold = None if record is None else record.gold
    numbers = ", ".join(str(i + 1) for i in blamed[:_NUMBERS_SHOWN] if card.claims[i].gold == "disagrees")
    against = f"claim {numbers} disagrees" if numbers else ""
    if gold is None:
        yield from (
            [("gold", against or f"the answer {card.gold_agreement}")] if card.gold_agreement == "disagrees" else []
        )
        return
    missing = card.gold_agreement == "absent" and card.bucket != "refused"
    said = [*_gold_answer(gold, card), against, "nowhere in the answer" if missing else ""]
    if any(said):
        yield "gold", "; ".join(filter(None, said))
    if gold.why:
        yield "", head(gold.why, _ROOM)


def _gold_answer(gold: Gold, card: Scorecard) -> list[str]:
    """Give the gold answer, and where it stands if the answer declined although that was retrieved."""
    if card.answerable is False:
        return ["the question has no answer in these documents"]
    where = ", ".join(f"[{shown_id(e.source_id)}]" for e in gold.evidence[:_NUMBERS_SHOWN])
    answer = f'"{head(gold.answer, _ROOM)}"' if gold.answer else "the question can be answered"
    return [f"{answer}, from {where}" if where and card.cause == "over_refusal" else answer]


def _left(shortfall: Shortfall, card: Scorecard) -> Iterator[Row]:
    """Show what could not be decided, what the profile holds against it, and what a reader should know besides."""
    wanted = Outcome.UNKNOWN if card.bucket == "unknown" else None
    left = [f for f in card.findings if f.outcome is wanted and f.code not in _IN_THE_HEADLINE]
    open_ends = [printable(f"{f.subject}: {f.reason}", limit=_ROOM) for f in left]
    if card.cause in {"unparsed", "empty_answer"}:
        structural = [f for f in card.findings if f.code.startswith("structural.") and card.cause == "unparsed"]
        open_ends = [printable(f.reason, limit=_ROOM) for f in structural]
    for label, reasons in (
        ("open", open_ends),
        ("held", [printable(reason, limit=_ROOM) for reason in shortfall.held]),
        ("note", [printable(f.reason, limit=_ROOM) for f in card.findings if f.code in _NOTED]),
    ):
        for number, reason in enumerate(dict.fromkeys(filter(None, reasons))):
            if number < _REASONS_SHOWN:
                yield "" if number else label, reason
