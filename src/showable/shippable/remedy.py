"""What would make an answer acceptable: for each cause one sentence to whoever has to mend it."""

from __future__ import annotations

from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.report.untrusted import printable
from showable.shippable.decide import Shortfall

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
    """Say what would make the answer acceptable; empty where there is nothing to say."""
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
    """Give the cause that is known already, though others are still open."""
    if card.gold_agreement in _GOLD_FAULTS:
        return _GOLD_FAULTS[card.gold_agreement]
    failed = {finding.code for finding in card.findings if finding.outcome == "fail"}
    return next((cause for code, cause in _FAULTS.items() if code in failed), None)


def _close(card: Scorecard, *, undecided: bool = True) -> str:
    """Say how what is open could be closed."""
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
