"""Why a scorecard is not shippable, and which of its claims and citations are to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from showable.measure.worst import failing_claim
from showable.records.findings import Finding, Outcome, Subject
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.rubrics.release import ACCEPTABLE
from showable.shippable.why import in_short, is_lost, named

FAIL, UNKNOWN = Outcome.FAIL, Outcome.UNKNOWN


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Why an answer may not be shown, in one line. `undecided`: nothing is known against it.

    `held` is what its profile has against it besides; `by_profile` says that nothing else stands in the way.
    """

    headline: str
    undecided: bool = False
    held: tuple[str, ...] = ()
    by_profile: bool = False


def find_shortfall(card: Scorecard, allow: frozenset[str], forbid_causes: frozenset[str]) -> Shortfall | None:
    """Return why a scorecard is not shippable; None where it is. The bucket decides first, then the cause, then the profile."""
    said = in_short(card)
    if card.bucket not in allow:
        lost = is_lost(card, allow)
        only = f"; this test allows only {' or '.join(sorted(allow))}" if card.bucket in ACCEPTABLE else ""
        also = "; it may not be shown either way" if lost else only
        held = card.release is not None and card.release.verdict == "hold"
        undecided = card.bucket == "unknown" and not lost and not held
        return Shortfall(said + also, undecided=undecided, held=_held(card))
    if card.cause in forbid_causes:
        return Shortfall(f"{said}; this test forbids {card.cause}")
    if card.release is None or card.release.verdict == "show":
        return None
    undecided = card.release.verdict == "unknown"
    first, *rest = _held(card) or ("for a reason that was not recorded",)
    words = "not decided whether it may be shown" if undecided else "held back"
    return Shortfall(f"{words}, though {named(card)}: {first}", undecided=undecided, held=tuple(rest), by_profile=True)


def _held(card: Scorecard) -> tuple[str, ...]:
    """Return what the profile has against showing it, beside the bucket."""
    own = {f"it is {card.bucket}", "its bucket is unknown"}
    return tuple(reason for reason in (card.release.reasons if card.release else ()) if reason not in own)


Blame = Callable[[ClaimScore], bool]


def _disagrees(claim: ClaimScore) -> bool:
    return claim.gold == "disagrees"


def _answering(claim: ClaimScore) -> bool:
    return claim.role == "answering"


def _backed(claim: ClaimScore) -> bool:
    return _answering(claim) and claim.support == "supported"


def _unbacked(claim: ClaimScore) -> bool:
    return _answering(claim) and claim.support != "supported"


def _contradicted(claim: ClaimScore) -> bool:
    return claim.contradicted is Outcome.PASS and claim.support != "supported" and claim.gold != "agrees"


def _contradicted_by_corpus(claim: ClaimScore) -> bool:
    return claim.corpus_contradicted is Outcome.PASS and claim.corpus_support is FAIL and claim.gold != "agrees"


def _nowhere(claim: ClaimScore) -> bool:
    return claim.log_support is FAIL


def _miscited(claim: ClaimScore) -> bool:
    return bool(claim.citations) and claim.support != "supported"


def _badly_cited(claim: ClaimScore) -> bool:
    return any(FAIL in (citation.exists, citation.resolves) for citation in claim.citations)


def _open(claim: ClaimScore) -> bool:
    outcomes = {o for c in claim.citations for o in (c.exists, c.resolves, c.supports)}
    unsettled = claim.support == "uncited" and claim.log_support is UNKNOWN
    return claim.support == "unknown" or claim.gold == "unknown" or unsettled or UNKNOWN in outcomes


def _every(_claim: ClaimScore) -> bool:
    return True


def _none(_claim: ClaimScore) -> bool:
    return False


_BLAMED: dict[str | None, Blame] = {
    "wrong_source": _disagrees,
    "contradicts_gold": _disagrees,
    "answers_another_question": _backed,
    "contradicts_source": _contradicted,
    "miscalculated": _unbacked,
    "contradicts_corpus": _contradicted_by_corpus,
    "refused_then_answered": _unbacked,
    "answered_on_null_retrieval": _every,
    "invented_source": _badly_cited,
    "bad_quote": _badly_cited,
    "wrong_page": _badly_cited,
    "bad_source": _badly_cited,
    "no_evidence": _nowhere,
    "retrieval_miss": _nowhere,
    "miscited": _miscited,
    "uncited": _every,
    "undecided": _open,
    "language": _none,
    "unread": _none,
    "null_not_honoured": _none,
    "no_answer": _none,
    "warranted": _none,
    "unjudged": _none,
    "over_refusal": _none,
}
"""For each cause, the claims that it can be laid to: the rows of the bucket table, read backwards."""


def blamed_claims(card: Scorecard) -> list[int]:
    """Return the indices of the claims that decided the bucket, in their order; empty where no single claim did.

    Where the cause lies with the whole answer (gold disagrees with it as a whole), its answering claims.
    """
    blamed = _BLAMED.get(card.cause, _open if card.bucket == "unknown" else _faulty)
    found = [index for index, claim in enumerate(card.claims) if blamed(claim)]
    if found or blamed is _none:
        return found
    if card.cause in {"wrong_source", "contradicts_gold"}:
        return [index for index, claim in enumerate(card.claims) if _answering(claim)]
    worst = failing_claim(card)
    return [] if worst is None else [next(i for i, claim in enumerate(card.claims) if claim is worst)]


def _faulty(claim: ClaimScore) -> bool:
    return claim.support not in {"supported", "uncited"} or _badly_cited(claim)


def faults_of(card: Scorecard, claim: int | None, number: int, citation: CitationScore) -> list[str]:
    """Return what is the matter with one citation, in the words of the checks; empty where nothing is."""
    wanted = FAIL if FAIL in (citation.exists, citation.resolves) else UNKNOWN
    if wanted is UNKNOWN and UNKNOWN not in (citation.exists, citation.resolves):
        return []
    if claim is None:  # it hangs on no claim: only by its place can a finding be told to be about it
        here = [f.reason for f in _resolvability(card, Subject()) if f.where is not None and f.where == citation.span]
        return list(dict.fromkeys(filter(None, here or [citation.reason])))
    at = Subject(claim=claim, citation=number)
    said = [finding.reason for finding in _resolvability(card, at) if finding.outcome is wanted]
    if not said:
        said = [f.reason for f in _resolvability(card, Subject(claim=claim)) if f.outcome is wanted]
    return list(dict.fromkeys(filter(None, said or [citation.reason])))


def _resolvability(card: Scorecard, at: Subject) -> Iterator[Finding]:
    return (f for f in card.findings if f.subject == at and f.code.startswith("resolvability."))
