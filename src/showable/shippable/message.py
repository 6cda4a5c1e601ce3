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
    """Return the gold answer, and where it stands if the answer declined although that was retrieved."""
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


# What would make an answer acceptable: for each cause one sentence to whoever has to mend it.


_IDS_NAMED = 4
_ID_LIMIT = 40

_REMEDIES: dict[str | None, str] = {
    "empty_answer": "Record the answer. If the system gave none, mend the system.",
    "null_not_honoured": "Put the question with an empty retrieval, and record the empty log; what came out otherwise shows nothing.",
    "unparsed": "Record the answer as text, or in the schema of answers.",
    "language": "Judge it with a model that knows the language: --judge chat:MODEL.",
    "unread": "Leave out the words that neither state nor decline anything, or make them a sentence.",
    "warranted": "Answer, or allow a refusal here.",
    "unjudged": "Answer, or allow a refusal here.",
    "partial": "Answer the rest as well.",
    "incomplete": "Answer every part that the gold answer has.",
    "over_refusal": "Answer from {gold}, which was retrieved.",
    "wrong_source": "The document is the wrong one, such as an old version or another entity: retrieve the one that holds"
    " the gold answer. Where gold is out of date, mend gold.",
    "contradicts_gold": "Say what gold says, or decline. Where gold is wrong, mend gold.",
    "answers_another_question": "Decline: what it cites is about something else (another entity, another year). Where it is"
    " not, mend gold.",
    "contradicts_source": "Say what the passage says, or leave the claim out.",
    "miscalculated": "Reckon it again from the numbers of the passages, or leave the result out.",
    "contradicts_corpus": "Say what the corpus says, or leave the claim out.",
    "refused_then_answered": "Decline and stop there, or answer with claims that the passages support.",
    "answered_on_null_retrieval": "Nothing was retrieved, so decline.",
    "invented_source": "Cite only what was retrieved: {retrieved}.",
    "bad_quote": "Quote word for word from the source cited, or say it without quotation marks.",
    "wrong_page": "Cite the page that the passage is on.",
    "bad_source": "Cite a source that stands, or leave the claim out.",
    "no_evidence": "Leave the claim out, or decline. If a document does say it, mend the retriever, which did not find it.",
    "retrieval_miss": "The corpus holds the evidence and the retriever did not find it: mend the retriever.",
    "miscited": "Cite {support} for it.",
    "quote_does_not_support": "Quote the words of {support} that say it, or give the page they are on.",
    "uncited": "Cite {support} for it.",
    "no_answer": "Answer the question from the passages, or decline and say why.",
}
_OPEN_ENDS = {
    "resolvability.log_missing": "Record the retrieval log (`retrieved`): without it no citation can be checked.",
    "resolvability.text_missing": "Record the text of the sources (`retrieved[].text`).",
    "resolvability.wrong_page": "Record the pages of the sources (`retrieved[].page`).",
    "resolvability.not_retrieved": "Cite by the ids of the retrieval log.",
    "semantic.unjudged": "Nothing is known against the answer: score it again when the judge answers.",
}
"""What to give where something could not be decided, by the check that was left open; the first that was decides."""
_UNSURE = "The judge is not sure: a stronger one (cascade:chat:MODEL), or a person, has to decide."
_UNDECIDED = "Nothing is known against the answer, and it was not shown to hold: a stronger judge may decide."
_FAULTS = {
    "resolvability.not_retrieved": "invented_source",
    "resolvability.quote_not_found": "bad_quote",
    "resolvability.quote_approximate": "bad_quote",
    "resolvability.wrong_page": "wrong_page",
    "resolvability.source_status": "bad_source",
    "structural.uncited_claim": "uncited",
}
"""What is known against an answer that may not be shown either way, by the check that failed: the cause to mend."""
_GOLD_FAULTS = {"disagrees": "contradicts_gold", "absent": "no_answer"}
_EITHER_WAY = "Leave out what its citations do not support, or decline."
_REGISTRY = "A registry gave no answer: ask again, or leave registries out."


def remedy(shortfall: Shortfall, card: Scorecard, record: Record | None, blamed: list[int]) -> str:
    """Return what would make the answer acceptable; empty where there is nothing to say."""
    if shortfall.by_profile:
        return _close(card) if shortfall.undecided else "Give the answer what its profile asks for."
    cause: str | None = card.cause
    if card.bucket == "unknown" and card.cause not in {
        "empty_answer",
        "unparsed",
        "null_not_honoured",
        "language",
        "unread",
    }:
        cause = None if shortfall.undecided else _known_fault(card)
        if cause is None:
            return _close(card, undecided=shortfall.undecided)
    if cause == "miscited" and any(finding.code == "semantic.quote_does_not_support" for finding in card.findings):
        cause = "quote_does_not_support"
    words = _REMEDIES.get(cause, "")
    return words.format(
        gold=_listed(
            [e.source_id for e in record.gold.evidence] if record and record.gold else (), "the gold evidence"
        ),
        retrieved=_listed([s.source_id for s in record.retrieved or ()] if record else (), "the ids of the log"),
        support=_listed([i for at in blamed for i in card.claims[at].supported_by], "a passage that supports it"),
    )


def _known_fault(card: Scorecard) -> str | None:
    """Return the cause that is known already, though others are still open."""
    if card.gold_agreement in _GOLD_FAULTS:
        return _GOLD_FAULTS[card.gold_agreement]
    failed = {finding.code for finding in card.findings if finding.outcome == "fail"}
    return next((cause for code, cause in _FAULTS.items() if code in failed), None)


def _close(card: Scorecard, *, undecided: bool = True) -> str:
    """Return how what is open could be closed."""
    if not undecided:
        return _EITHER_WAY
    if any(claim.support == "unknown" and claim.p is not None for claim in card.claims):
        return _UNSURE
    left_open = {finding.code for finding in card.findings if finding.outcome == "unknown"}
    said = next((words for code, words in _OPEN_ENDS.items() if code in left_open), None)
    if said is None and any(code.startswith("resolvability.registry_") for code in left_open):
        said = _REGISTRY
    return said or _UNDECIDED


def _listed(ids: object, otherwise: str) -> str:
    """Name a few ids, each once."""
    named = [f"[{printable(str(i), limit=_ID_LIMIT)}]" for i in dict.fromkeys(ids if isinstance(ids, list) else ())]
    if not named:
        return otherwise
    shown, rest = named[:_IDS_NAMED], len(named) - _IDS_NAMED
    if rest > 0:
        return f"{', '.join(shown)} or one of {rest} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"
