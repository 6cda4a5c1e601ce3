"""What to try first for a group of failures, by rule, and what the group is called. Words come from templates, never from texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from showable.production.feed.items import Features
from showable.production.feed.nouns import Fix, Target
from showable.records.traced import Diagnosis

SHARE = 0.6
"""Share of the members that a rule must hold for."""
WORDING = 0.5
"""Share of the questions whose worst claim has one and the same wording, from which the measurement is doubted."""
_QUESTIONS = 5
"""Different questions that a wording must be repeated over: the same answer to one question repeats itself."""
CHECK = "measurement.check"


@dataclass(frozen=True, slots=True)
class Failure:
    """What rules look at in a failing answer.

    `wording` is its worst claim, folded; `near` says that its p lies at the threshold; `missed` are passages of the corpus that
    support it and were not retrieved.
    """

    features: Features
    diagnosis: Diagnosis
    question: str
    wording: str
    near: bool
    kind: str | None = None
    missed: tuple[str, ...] = ()

    def has(self, family: str, *values: str) -> bool:
        """Check whether a family of features has one of the values."""
        return not set(self.features.get(family, ())).isdisjoint(values)

    def failed(self, *codes: str) -> bool:
        """Check whether one of these checks failed."""
        return self.has("codes", *codes)

    def caused(self, *causes: str) -> bool:
        """Check whether the bucket has one of these causes."""
        return self.has("cause", *causes)


@dataclass(frozen=True, slots=True)
class Rule:
    """One row: what holds for an answer, the category of the fix, what it aims at, the title, and what to do."""

    category: str
    target: Target
    title: str
    text: str
    holds: Callable[[Failure], bool]


def _reference(one: Failure) -> bool:
    return one.has("cited", "reference", "case", "statute", "work", "address")


def _padding(one: Failure) -> bool:
    return one.failed("semantic.padding") or (
        one.has("support", "unsupported") and one.has("beside", "supported") and one.caused("no_evidence")
    )


RULES: tuple[Rule, ...] = (
    Rule(
        "generation.no_outside_authority", "prompt", "Invented but plausible case: cites a decision that was not retrieved",
        "Allow citations of retrieved passages only, and look every case up in a registry before the answer is shown.",
        lambda one: one.caused("invented_source") and one.has("cited", "case"),
    ),
    Rule(
        "generation.no_outside_authority", "prompt", "Invented but plausible source: cites a work that was not retrieved",
        "Allow citations of retrieved passages only, and look references up in a registry before the answer is shown.",
        lambda one: one.caused("invented_source") and _reference(one),
    ),
    Rule(
        "generation.ids_from_log", "schema", "Invented id: cites a passage that was not retrieved",
        "Make source_id an enumeration of the retrieved ids in the response schema.",
        lambda one: one.caused("invented_source"),
    ),
    Rule(
        "sources.freshness", "index", "Lapsed amendment: relies on a version that no longer stands",
        "Drop superseded, repealed and withdrawn versions when the index is built.",
        lambda one: one.failed("resolvability.source_status", "resolvability.source_version") or one.caused("bad_source"),
    ),
    Rule(
        "pages.carry", "index", "Right document, wrong page",
        "Carry each passage's page through chunking, and cite it from there instead of letting the model name it.",
        lambda one: one.caused("wrong_page") or (one.failed("resolvability.wrong_page") and not one.caused("bad_quote")),
    ),
    Rule(
        "quotes.verbatim", "schema", "Quotes words that are not in the source",
        "Copy quoted spans by their offsets in the passage.",
        lambda one: one.caused("bad_quote") or one.failed("resolvability.quote_not_found"),
    ),
    Rule(
        "refusal.licence", "prompt", "Answers although nothing was retrieved",
        "License a refusal in the profile's wording where the retrieval is empty.",
        lambda one: one.caused("answered_on_null_retrieval", "refused_then_answered"),
    ),
    Rule(
        "refusal.loosen", "prompt", "Refuses what the retrieved passages answer",
        "The licence to refuse is too wide: ask for the closest passage before a refusal.",
        lambda one: one.caused("over_refusal"),
    ),
    Rule(
        "refusal.explain", "prompt", "Refuses without saying why or what to do next",
        "Ask that a refusal says what is missing and points to the closest passage.",
        lambda one: one.failed("refusal.flat"),
    ),
    Rule(
        "structure.schema", "schema", "Gives no answer that can be read",
        "Allow more tokens, and hold the answer to a stricter schema.",
        lambda one: one.caused("empty_answer", "unparsed")
        or one.failed("structural.schema", "structural.truncated_json", "structural.unparsed", "structural.no_claims"),
    ),
    Rule(
        "padding.drop", "prompt", "Padding of procedural sentences that nothing cited supports",
        "Drop procedural claims without support before the answer is shown.",
        lambda one: _padding(one) and one.kind == "procedural",
    ),
    Rule(
        "padding.drop", "prompt", "Padding: sentences beside the answer that nothing cited supports",
        "Drop claims without support before the answer is shown.",
        _padding,
    ),
    Rule(
        "reading.numbers", "prompt", "Gives another number than the passage it cites",
        "Quote the figure first, then state it; check numbers against the passage before the answer is shown.",
        lambda one: one.has("contradicted", "pass") and one.has("difference", "number"),
    ),
    Rule(
        "reading.names", "prompt", "Gives another name than the passage it cites",
        "Quote the sentence first, then answer; check names against the passage before the answer is shown.",
        lambda one: one.has("contradicted", "pass") and one.has("difference", "name"),
    ),
    Rule(
        "reading.negation", "prompt", "Turns the passage it cites into its opposite",
        "Lower the temperature, and quote the sentence first; check negations before the answer is shown.",
        lambda one: one.has("contradicted", "pass") and one.has("difference", "negation"),
    ),
    Rule(
        "reading.contradicted", "prompt", "Says otherwise than the retrieved passages",
        "Quote the sentence that decides first, then answer.",
        lambda one: one.has("contradicted", "pass"),
    ),
    Rule(
        "prompt.cite_every_claim", "prompt", "Asserts without any citation",
        "Ask for a citation behind each sentence, and require source_id in the response schema.",
        lambda one: one.caused("uncited"),
    ),
    Rule(
        "selection.cite_check", "reranker", "Cites the wrong one of the retrieved passages",
        "Attach each claim to the retrieved passage that supports it before the answer is shown.",
        lambda one: one.caused("miscited"),
    ),
    Rule(
        "retrieval.recall", "retrieval", "The documents hold the answer, the retrieval did not bring it",
        "Look at how the passages that were missed are indexed and ranked: `feed explain` names them.",
        lambda one: one.caused("retrieval_miss") or one.has("corpus", "pass"),
    ),
    Rule(
        "refusal.licence", "prompt", "Answers what the documents do not hold",
        "License a refusal where no document holds the answer.",
        lambda one: one.caused("no_evidence") and one.has("corpus", "fail"),
    ),
    Rule(
        "undecided.licence_or_recall", "retrieval", "Answers what the retrieved passages do not hold",
        "Score once with --corpus: it tells whether to license a refusal or to mend the retrieval.",
        lambda one: one.caused("no_evidence") and one.diagnosis in {"retriever", "both"},
    ),
    Rule(
        "reading.unsupported", "prompt", "Claims what the retrieved passages do not say",
        "Quote the sentence that a claim rests on first; drop claims that have none.",
        lambda one: one.caused("no_evidence"),
    ),
    Rule(
        "prompt.cite_every_claim", "prompt", "Leaves single claims without a citation",
        "Ask for a citation behind each sentence.",
        lambda one: one.failed("structural.uncited_claim"),
    ),
)  # fmt: skip
"""The first row that holds for enough members decides; the order is that of how much each row proves."""
UNKNOWN = Fix(category="unknown", text="No rule fits most of these answers; read a few before anything is changed.")
_MIXED = "Failures that are alike, of no single kind"


def fix_of(failures: Sequence[Failure]) -> tuple[Fix, str]:
    """Return what to try first for a group, and its title from rule words."""
    rule, share = _best(failures)
    title = _MIXED if rule is None else rule.title
    doubt = _doubt(failures)
    if doubt is not None:
        why, doubted = doubt
        text = f"The measurement may be wrong: {why}. Label ten of these first (the review page's queue)."
        return Fix(
            category=CHECK, text=text, target="measurement", share=round(doubted, 4)
        ), f"Measurement to be checked: {title}"
    if rule is None:
        return UNKNOWN, title
    return Fix(category=rule.category, text=rule.text, target=rule.target, share=round(share, 4)), title


def _best(failures: Sequence[Failure]) -> tuple[Rule | None, float]:
    for rule in RULES:
        share = sum(map(rule.holds, failures)) / len(failures)
        if share >= SHARE:
            return rule, share
    return None, 0.0


def _doubt(failures: Sequence[Failure]) -> tuple[str, float] | None:
    """Return why the measurement itself is doubted, and the share of members that bear it out."""
    questions = {one.question: one.wording for one in failures}
    wordings = Counter(wording for wording in questions.values() if wording)
    if wordings:
        repeats = max(wordings.values())
        if repeats >= max(_QUESTIONS, WORDING * len(questions)):
            return "the worst claims of different questions have one and the same wording", repeats / len(questions)
    near = sum(one.near for one in failures) / len(failures)
    if near >= SHARE:
        return "most of the worst claims lie within 0.1 of the threshold", near
    return None
