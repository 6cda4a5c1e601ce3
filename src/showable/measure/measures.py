"""The named measures: each counts one thing in one scorecard, and says what its denominator is.

A measure never averages. It gives counts; rates and intervals are made of their sum. Where an answer has
nothing of what a measure counts, it counts once, as ``not_applicable``; where the answer (or the log) could not
be read, it counts once, as ``unknown``. So every answer is in every measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

from showable.records.findings import Outcome, OutcomeCounts
from showable.records.outline import ClaimOutline, Outline
from showable.records.scorecard import ClaimScore, Scorecard

Unit = Literal["answers", "questions", "claims", "citations", "passages", "characters"]

_UNREAD = frozenset({"empty_answer", "unparsed"})
_ONE = {
    Outcome.PASS: OutcomeCounts(passed=1),
    Outcome.FAIL: OutcomeCounts(failed=1),
    Outcome.UNKNOWN: OutcomeCounts(unknown=1),
    Outcome.NOT_APPLICABLE: OutcomeCounts(not_applicable=1),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure by name: the function that counts, and what it counts."""

    name: str
    unit: Unit
    count: Callable[[Scorecard], OutcomeCounts]

    @property
    def clustered(self) -> bool:
        """Whether one answer can hold several of the unit, so that intervals are clustered by answer."""
        return self.unit not in ("answers", "questions")


def acceptable(card: Scorecard) -> OutcomeCounts:
    """Count answers that may be shown: passed when correct or refused. Denominator: answers with a known bucket."""
    if card.bucket == "unknown":
        return _ONE[Outcome.UNKNOWN]
    return _yes(card.bucket in ("correct", "refused"))


def citation_precision(card: Scorecard | Outline) -> OutcomeCounts:
    """Count citations that support their claim, alone or as a needed part. Denominator: citations given.

    A citation that leads nowhere counts against it. One that hangs on no claim (in a sentence that declines)
    has nothing to support: it is not applicable where it leads into the log. ALCE: Gao et al. 2023, "Enabling
    Large Language Models to Generate Text with Citations", §4.3 citation precision.
    """
    cited = (citation for claim in card.claims for citation in claim.citations)
    outcomes = [Outcome.FAIL if c.exists is Outcome.FAIL else c.supports for c in cited]
    outcomes += [Outcome.NOT_APPLICABLE if c.exists is Outcome.PASS else c.exists for c in card.loose]
    return _tally(card, outcomes)


def citation_resolves(card: Scorecard) -> OutcomeCounts:
    """Count citations that lead to a real source. Denominator: citations given, those of refusals included.

    It leads into the retrieval log, its quotation and its page are right, and no registry or notice speaks
    against it; a registry that could not say leaves it unknown. The resolvability rubric as a rate, which a
    profile's floor is held against.
    """
    return _tally(
        card, [c.resolves for claim in card.claims for c in claim.citations] + [c.resolves for c in card.loose]
    )


def citation_recall(card: Scorecard | Outline) -> OutcomeCounts:
    """Count claims wholly supported by their own citations together. Denominator: all claims, uncited ones included.

    ALCE: Gao et al. 2023, §4.3 citation recall. Partial support is not support.
    """
    return _tally(card, (_own_support(claim) for claim in card.claims))


def citation_coverage(card: Scorecard) -> OutcomeCounts:
    """Count claims with at least one citation, right or wrong. Denominator: all claims.

    Coverage as in Liu et al. 2023, "Evaluating Verifiability in Generative Search Engines"; no judge is needed.
    """
    return _tally(card, (Outcome.PASS if claim.citations else Outcome.FAIL for claim in card.claims))


def groundedness(card: Scorecard) -> OutcomeCounts:
    """Count claims supported by the retrieval log, cited or not. Denominator: all claims.

    RAGAS faithfulness: Es et al. 2023; TREC RAG calls the same thing support.
    """
    return _tally(card, (_grounded(claim) for claim in card.claims))


def context_adherence(card: Scorecard) -> OutcomeCounts:
    """Count answers all of whose claims the retrieval log supports. Denominator: answers with claims.

    The answer-level companion of groundedness, under Galileo's name: one claim from outside the context fails it.
    """
    outcomes = {_grounded(claim) for claim in card.claims}
    for worst in (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS):
        if worst in outcomes:
            return _ONE[worst]
    return _nothing(card)


def chunk_attribution(card: Scorecard) -> OutcomeCounts:
    """Count retrieved passages that support some claim, alone or as a needed part. Denominator: retrieved passages.

    Passages are told apart by source id: an id that was returned twice is one. An answer without claims has nothing
    that a passage could support: not applicable, once. Galileo's chunk attribution.
    """
    if not card.claims or not card.chunks:
        return _no_passages(card)
    return _tally(card, (chunk.supports for chunk in card.chunks))


def chunk_utilization(card: Scorecard) -> OutcomeCounts:
    """Count characters of retrieved passages that a claim relied on. Denominator: their characters.

    Galileo's chunk utilization, pooled over passages, which are told apart by source id. Unknown are the
    characters of a passage that was not judged, or that supports a claim by words the judge did not name; a
    passage without text counts once. An answer without claims relies on nothing: not applicable, once.
    """
    if not card.claims or not card.chunks:
        return _no_passages(card)
    passed = failed = unknown = not_applicable = 0
    for chunk in card.chunks:
        unnamed = chunk.supports is Outcome.PASS and not chunk.relied_chars
        if chunk.supports is Outcome.UNKNOWN or not chunk.chars or unnamed:
            unknown += chunk.chars or 1
        elif chunk.supports is Outcome.NOT_APPLICABLE:
            not_applicable += chunk.chars
        else:
            relied = min(chunk.relied_chars, chunk.chars)
            passed += relied
            failed += chunk.chars - relied
    return OutcomeCounts(passed=passed, failed=failed, unknown=unknown, not_applicable=not_applicable)


def factual_accuracy(card: Scorecard) -> OutcomeCounts:
    """Count claims that are true by gold, the log or the corpus behind it. Denominator: claims that one of them settles.

    A claim that disagrees with gold is false, whatever is cited. Else one that some source supports is true, and one that a
    source contradicts, or that is miscalculated, is false. Unknown are one that sources both support and contradict, one that
    agrees with gold where the sources that were read do not bear out the rest of it, and one of which nothing says anything:
    without evidence is not false, which tells this from groundedness. FActScore (Min et al. 2023) with the three outcomes of FEVER (Thorne et al. 2018).
    """
    wrong = {f.subject.claim for f in card.findings if f.code == "semantic.miscalculated" and f.outcome is Outcome.FAIL}
    return _tally(card, (_true(claim, miscalculated=at in wrong) for at, claim in enumerate(card.claims)))


def cherry_picking(card: Scorecard) -> OutcomeCounts:
    """Count answers that tell one side alone. Denominator: answers with a supported claim.

    The log holds evidence against a claim, or a qualifier beside the words relied on, and the answer is silent on it.
    `passed` is how many do so: the lower the better. Unknown where support was not decided and nothing else was picked.
    """
    counts = _happened(card, "semantic.cherry_picking")
    undecided = any(claim.support == "unknown" for claim in card.claims)
    return _ONE[Outcome.UNKNOWN] if undecided and not counts.passed else counts


def sycophantic_restatement(card: Scorecard) -> OutcomeCounts:
    """Count answers that repeat an unsupported premise of their question. Denominator: answers to such as have a premise.

    `passed` is how many do so: the lower the better. A question for yes or no takes nothing for granted: not applicable.
    False presuppositions as in CREPE (Yu et al. 2023), sycophancy as in Sharma et al. 2024.
    """
    unlogged = card.retrieved_count is None and bool(card.claims)
    return _ONE[Outcome.UNKNOWN] if unlogged else _happened(card, "semantic.restated_premise")


def answer_refusal(card: Scorecard) -> OutcomeCounts:
    """Count answers that decline where a refusal is due and answer where it is not. Denominator: questions where one is due, or wrong.

    Due as in `missed_refusal`. It is wrong where gold holds the question answerable and its evidence was retrieved, or
    the answer found it: what is missing from the log makes either right, not applicable. Declining is to decline in full; who
    declines and then answers has answered. Without gold a question is not applicable unless the retrieval returned nothing.
    The decision of SQuAD 2.0 (Rajpurkar et al. 2018) whether to answer, by itself.
    """
    due = card.answerable is False or card.expected == ("refused",) or card.retrieved_count == 0
    if not due and card.answerable is None:
        return _ONE[Outcome.NOT_APPLICABLE]
    if card.cause in _UNREAD:
        return _ONE[Outcome.UNKNOWN]
    if due or not _declines(card):
        return _yes(_declines(card) == due)
    return _ONE[
        {"warranted": Outcome.NOT_APPLICABLE, "over_refusal": Outcome.FAIL}.get(card.cause or "", Outcome.UNKNOWN)
    ]


def abstention_rate(card: Scorecard) -> OutcomeCounts:
    """Count answers that decline in full, warranted or not. Denominator: answers that could be read.

    Declining is what the answer does, whatever bucket its asides put it in. As in selective prediction: coverage is
    1 minus this.
    """
    return _ONE[Outcome.UNKNOWN] if card.cause in _UNREAD else _yes(_declines(card))


def over_refusal(card: Scorecard | Outline) -> OutcomeCounts:
    """Count answerable questions refused although their evidence was retrieved. Denominator: answerable questions.

    `passed` is how many were over-refused: the lower the better. A refusal is unknown where nobody can say whether
    it was due: gold is missing, or does not say where its evidence is. One that was due (nothing was retrieved, or
    not the evidence) is no over-refusal. Without gold an answer is not applicable, and so is a refusal that was due.
    Röttger et al. 2024, XSTest, "exaggerated safety".
    """
    if card.cause == "over_refusal":
        return _ONE[Outcome.PASS]
    if card.answerable is False:
        return _ONE[Outcome.NOT_APPLICABLE]
    due = card.cause == "warranted" or card.retrieved_count == 0
    if card.cause in _UNREAD or (_declines(card) and not due):
        return _ONE[Outcome.UNKNOWN]
    return _ONE[Outcome.NOT_APPLICABLE if card.answerable is None else Outcome.FAIL]


def missed_refusal(card: Scorecard) -> OutcomeCounts:
    """Count questions answered although a refusal was due. Denominator: questions where a refusal was due.

    It is due where gold says unanswerable, or expects nothing but a refusal, or the retrieval returned nothing:
    what the question and the log say, whatever the answer did, so that refusing cannot change the denominator.
    Where the retrieval missed the evidence of an answerable question, a refusal is warranted but not the only right
    answer: not applicable. `passed` is how many were missed: the lower the better. Without gold an answer is unknown
    and a refusal not applicable. Unanswerable questions as in SQuAD 2.0: Rajpurkar et al. 2018.
    """
    due = card.answerable is False or card.expected == ("refused",) or card.retrieved_count == 0
    if not due:
        unjudged = card.answerable is None and not card.expected and not _declines(card)
        return _ONE[Outcome.UNKNOWN if unjudged else Outcome.NOT_APPLICABLE]
    return _ONE[Outcome.UNKNOWN] if card.cause in _UNREAD else _yes(not _declines(card))


def citation_exists(card: Scorecard | Outline) -> OutcomeCounts:
    """Count answers all of whose citations lead into the retrieval log. Denominator: answers with citations."""
    return _axis(card, card.citation_exists)


def citation_supports(card: Scorecard | Outline) -> OutcomeCounts:
    """Count answers all of whose citations support what they hang on. Denominator: answers with citations."""
    return _axis(card, card.citation_supports)


def gold_agreement(card: Scorecard) -> OutcomeCounts:
    """Count answers that give the gold answer. Denominator: answers with gold; one where it is absent fails.

    One that could not be read is unknown where gold holds the question answerable.
    """
    if card.cause in _UNREAD and card.answerable:
        return _ONE[Outcome.UNKNOWN]
    return _ONE[
        {
            "agrees": Outcome.PASS,
            "disagrees": Outcome.FAIL,
            "absent": Outcome.FAIL,
            "unknown": Outcome.UNKNOWN,
            "not_applicable": Outcome.NOT_APPLICABLE,
        }[card.gold_agreement]
    ]


def label_agreement(card: Scorecard) -> OutcomeCounts:
    """Count answers in the bucket of their label. Denominator: labelled answers with a known bucket."""
    if card.labelled is None:
        return _ONE[Outcome.NOT_APPLICABLE]
    return _ONE[Outcome.UNKNOWN] if card.bucket == "unknown" else _yes(card.bucket == card.labelled)


MEASURES = (
    Measure("acceptable", "answers", acceptable),
    Measure("citation_exists", "answers", citation_exists),
    Measure("citation_supports", "answers", citation_supports),
    Measure("citation_resolves", "citations", citation_resolves),
    Measure("citation_precision", "citations", citation_precision),
    Measure("citation_recall", "claims", citation_recall),
    Measure("citation_coverage", "claims", citation_coverage),
    Measure("groundedness", "claims", groundedness),
    Measure("context_adherence", "answers", context_adherence),
    Measure("factual_accuracy", "claims", factual_accuracy),
    Measure("cherry_picking", "answers", cherry_picking),
    Measure("sycophantic_restatement", "answers", sycophantic_restatement),
    Measure("chunk_attribution", "passages", chunk_attribution),
    Measure("chunk_utilization", "characters", chunk_utilization),
    Measure("abstention_rate", "answers", abstention_rate),
    Measure("answer_refusal", "questions", answer_refusal),
    Measure("over_refusal", "questions", over_refusal),
    Measure("missed_refusal", "questions", missed_refusal),
    Measure("gold_agreement", "answers", gold_agreement),
    Measure("label_agreement", "answers", label_agreement),
)
"""Every measure, in the order in which they are printed."""


def _declines(card: Scorecard | Outline) -> bool:
    """Check whether the answer declines in full, whatever bucket its asides put it in."""
    return card.bucket == "refused" or card.refusal == "full"


def _own_support(claim: ClaimScore | ClaimOutline) -> Outcome:
    if claim.support == "unknown":
        return Outcome.UNKNOWN
    return Outcome.PASS if claim.support == "supported" else Outcome.FAIL


def _grounded(claim: ClaimScore) -> Outcome:
    return Outcome.PASS if claim.support == "supported" else claim.log_support


def _true(claim: ClaimScore, *, miscalculated: bool) -> Outcome:
    if claim.gold == "disagrees":
        return Outcome.FAIL
    held = claim.support == "supported" or Outcome.PASS in {claim.log_support, claim.corpus_support}
    denied = miscalculated or bool(claim.contradicted_by) or claim.corpus_contradicted is Outcome.PASS
    if held and not denied:
        return Outcome.PASS
    if denied and not held and claim.gold != "agrees":
        return Outcome.FAIL
    borne_out = claim.gold == "agrees" and not denied and claim.log_support is not Outcome.FAIL
    return Outcome.PASS if borne_out else Outcome.UNKNOWN


def _happened(card: Scorecard, code: str) -> OutcomeCounts:
    """Count whether a check of this code failed on any claim; unknown where it was not made, or not decided."""
    made = card.checks.get(code)
    if made is None or (made.unknown and not made.failed):
        return _ONE[Outcome.UNKNOWN]
    if made.failed or made.passed:
        return _yes(made.failed > 0)
    return _ONE[Outcome.NOT_APPLICABLE]


def _yes(happened: bool) -> OutcomeCounts:  # noqa: FBT001 - the outcome itself
    return _ONE[Outcome.PASS if happened else Outcome.FAIL]


def _tally(card: Scorecard | Outline, outcomes: Iterable[Outcome]) -> OutcomeCounts:
    passed = failed = unknown = not_applicable = 0
    for outcome in outcomes:
        if outcome is Outcome.PASS:
            passed += 1
        elif outcome is Outcome.FAIL:
            failed += 1
        elif outcome is Outcome.UNKNOWN:
            unknown += 1
        else:
            not_applicable += 1
    if not passed + failed + unknown + not_applicable:
        return _nothing(card)
    return OutcomeCounts(passed=passed, failed=failed, unknown=unknown, not_applicable=not_applicable)


def _axis(card: Scorecard | Outline, outcome: Outcome) -> OutcomeCounts:
    """Count an axis: not applicable on an answer that was read, unknown on one that was not."""
    return _nothing(card) if outcome is Outcome.NOT_APPLICABLE else _ONE[outcome]


def _nothing(card: Scorecard | Outline) -> OutcomeCounts:
    """Return why there was nothing to count: the answer could not be read, or holds none of it."""
    return _ONE[Outcome.UNKNOWN if card.cause in _UNREAD else Outcome.NOT_APPLICABLE]


def _no_passages(card: Scorecard) -> OutcomeCounts:
    """Return why no passage can be counted: no claim needs one, the retrieval returned none, or the log is missing."""
    if not card.claims:
        return _nothing(card)
    return _ONE[Outcome.NOT_APPLICABLE if card.retrieved_count == 0 else Outcome.UNKNOWN]
