"""A failing answer as what is grouped: which checks failed, on which claim, and how the claim differs from what it cites.

Nothing about the system is in it (model, prompt, service, documents): such things are to explain groups, not to make them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from showable.judges.lexical.judge import quoted, read_claim
from showable.judges.lexical.passage import read_passage
from showable.judges.lexical.signs import Signs, read_signs
from showable.measure.rubric_outcomes import rubric_outcomes
from showable.measure.worst import failing_claim
from showable.read.question_focus import topic
from showable.read.references.find import find_references
from showable.records.findings import Outcome
from showable.records.record import Answer, Record
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.traces.diagnosis import diagnose

Standing = Literal["failing", "passing", "unknown"]
Features = Mapping[str, tuple[str, ...]]
"""Values by family; each family is described in `space.FAMILIES`."""

_CASES = frozenset({"case", "case_short", "neutral_uk", "docket"})
_STATUTES = frozenset({"usc", "cfr", "state_code", "fed_rule", "fed_reg", "public_law"})
_ADDRESSES = frozenset({"url", "news"})
_OF_CITATIONS = frozenset({"invented_source", "bad_quote", "wrong_page", "bad_source"})
"""Causes that a citation bears, not what its claim says."""
_MOSTLY, _NEARLY = 0.5, 0.85
"""Shares of a claim's words found in a text, from which most are, and nearly all."""
_MANY = 2
_LONGEST_CLAIM = 4_000
"""Characters of a claim or passage that are compared: what comes after is left out."""


@dataclass(frozen=True, slots=True)
class Item:
    """A failing answer.

    `text` is its worst claim and the sentence it is to rest on; `same_as` is equal for equal failures;
    `vector` is the text's, float32, where it is known already, and the text then is not.

    `weight` is how many answers of the traffic it stands for: 1 / the probability with which it was read.
    """

    answer: str
    features: Features
    text: str
    same_as: str
    vector: bytes | None = None
    scored_ns: int = 0
    at_ns: int | None = None
    weight: float = 1.0


def standing(card: Scorecard) -> Standing:
    """Return whether an answer fails, passes, or cannot be said to do either.

    It fails in the bucket wrong or unsupported, where a rubric failed, and as a refusal of what was there or one that says
    nothing beyond declining.
    """
    if card.bucket in {"wrong", "unsupported"} or Outcome.FAIL in rubric_outcomes(card):
        return "failing"
    if card.bucket == "refused":
        return "failing" if card.cause == "over_refusal" or "refusal.flat" in _failed(card) else "passing"
    return "passing" if card.bucket == "correct" else "unknown"


def item_of(
    record: Record, card: Scorecard, *, scored_ns: int = 0, at_ns: int | None = None, weight: float = 1.0
) -> Item:
    """Build the item of a failing answer."""
    claim = deciding_claim(card)
    words = claim.text if claim is not None else _answer_text(record)
    sentence, signs = _evidence(record, claim, words)
    features = dict(
        sorted((family, tuple(sorted(set(values)))) for family, values in _features(record, card, claim, signs))
    )
    identity = repr((record.question, _answer_text(record), features))
    return Item(
        answer=card.id,
        features=features,
        text=f"{words} {sentence}".strip(),
        same_as=hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:16],
        scored_ns=scored_ns,
        at_ns=at_ns,
        weight=weight,
    )


def deciding_claim(card: Scorecard) -> ClaimScore | None:
    """Return the claim that decided the bucket; None where no single one did.

    Where a citation decided it, that is the first claim whose citation leads nowhere, whatever else is the matter with others.
    """
    if card.cause in _OF_CITATIONS:
        for finding in card.findings:
            at = finding.subject.claim
            if finding.outcome is Outcome.FAIL and finding.code.startswith("resolvability.") and at is not None:
                return card.claims[at]
    return failing_claim(card)


def cited_kind(citation: CitationScore, retrieved: Collection[str]) -> str:
    """Return what a citation looks like that leads nowhere: ``id``, ``page``, ``mark``, or the kind of a reference outside.

    An id that the log holds fails by its page or its quotation alone. Kinds of references are `case`, `statute`, `address`, and
    `work` for all that is published otherwise; ``retrieved`` is what leads into the log.
    """
    if citation.exists is not Outcome.FAIL:
        return "retrieved"
    if citation.source_id is not None:
        return "page" if citation.source_id in retrieved else "id"
    found = find_references((citation.raw or "")[:_LONGEST_CLAIM])
    if not found:
        return "mark" if (citation.raw or "").startswith(("[", "(", "^")) else "reference"
    kind = found[0].reference.kind
    return "case" if kind in _CASES else "address" if kind in _ADDRESSES else "statute" if kind in _STATUTES else "work"


def _features(
    record: Record, card: Scorecard, claim: ClaimScore | None, signs: Signs | None
) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield values by family; what most failing answers have alike is left out, as it would only thin the rest."""
    retrieved = [source.source_id for source in record.retrieved or ()]
    texts = [source.text for source in record.retrieved or () if source.text]
    citations = [citation for one in card.claims for citation in one.citations] + list(card.loose)
    yield "cause", [card.cause or "none"]
    yield "codes", _failed_at(card, claim)
    if claim is not None:
        yield "support", [claim.support]
        yield "log_support", _unless(claim.log_support, Outcome.FAIL)
        yield "contradicted", _unless(claim.contradicted, Outcome.FAIL, Outcome.UNKNOWN)
        yield "corpus", _unless(claim.corpus_support, Outcome.NOT_APPLICABLE)
        others = [one.support for one in card.claims if one is not claim]
        yield "beside", ["supported"] if "supported" in others else ["failing"] if others else []
        yield "restated", _shares(claim.text, [record.question])
        yield "held", _shares(claim.text, texts)
    yield "exists", _unless(card.citation_exists, Outcome.PASS, Outcome.NOT_APPLICABLE)
    yield "refusal", [card.refusal] if card.refusal != "none" else []
    yield "retrieved", ["not logged"] if record.retrieved is None else [] if retrieved else ["none"]
    yield "citations", [_how_many(len(citations))] if len(citations) != 1 else []
    yield "claims", [_how_many(len(card.claims))] if len(card.claims) != 1 else []
    yield "cited", [kind for c in citations if (kind := cited_kind(c, retrieved)) != "retrieved"]
    yield "diagnosis", [diagnose(record, card)[0]]
    yield "difference", list(_differences(signs))
    yield "covered", [f"{signs.coverage.share:.2f}"] if signs else []
    yield "asked", _shares(record.question, texts)


def _unless(outcome: Outcome, *usual: Outcome) -> list[str]:
    return [] if outcome in usual else [outcome.value]


def _differences(signs: Signs | None) -> Iterator[str]:
    """Yield in what a claim differs from the passage that it is to rest on: one that has most of its words, else in everything."""
    if signs is None or signs.coverage.share < _MOSTLY:
        return
    if signs.numbers.missing:
        yield "number"
    if signs.missing_names:
        yield "name"
    if signs.coverage.whole < _NEARLY and not signs.missing_names and not signs.numbers.missing:
        yield "word"
    if signs.flipped or (signs.negations[0].cues > 0) != (signs.negations[1].cues > 0):
        yield "negation"


def _evidence(record: Record, claim: ClaimScore | None, words: str) -> tuple[str, Signs | None]:
    """Return the sentence that a claim is to rest on, and how the two differ.

    It is sought in what the claim cites, else in all that was retrieved: the sentences that hold most of the claim's words.
    """
    if claim is None:
        return "", None
    text, terms = read_claim(words[:_LONGEST_CLAIM])
    sources = [source for source in record.retrieved or () if source.text]
    cited = {citation.source_id for citation in claim.citations}
    best: tuple[float, str, Signs] | None = None
    for source in [one for one in sources if one.source_id in cited] or sources:
        passage = read_passage((source.text or "")[:_LONGEST_CLAIM])
        if not terms.terms or not passage.words.terms:
            continue
        signs = read_signs(terms, text, passage)
        if best is None or signs.coverage.share > best[0]:
            span = quoted(signs, passage)
            best = (signs.coverage.share, (source.text or "")[slice(*span)] if span else "", signs)
    return (best[1], best[2]) if best else ("", None)


def _shares(text: str, others: Sequence[str]) -> list[str]:
    """Return the largest share of a text's words that another holds, in hundredths; nothing where there is none to compare."""
    words = topic(text[:_LONGEST_CLAIM])
    if not words or not others:
        return []
    return [f"{max(len(words & topic(other[:_LONGEST_CLAIM])) / len(words) for other in others):.2f}"]


def _failed(card: Scorecard) -> list[str]:
    return sorted({finding.code for finding in card.findings if finding.outcome is Outcome.FAIL})


def _failed_at(card: Scorecard, claim: ClaimScore | None) -> list[str]:
    """Return the checks that failed at a claim, or at the answer as a whole: those at other claims say nothing of it."""
    number = next((at for at, one in enumerate(card.claims) if one is claim), None)
    failed = (finding for finding in card.findings if finding.outcome is Outcome.FAIL)
    return sorted({f.code for f in failed if f.subject.claim in {None, number} or f.code == "semantic.padding"})


def _how_many(n: int) -> str:
    return str(n) if n < _MANY else f"{_MANY}+"


def _answer_text(record: Record) -> str:
    if isinstance(record.answer, Answer):
        return record.answer.text or "\n".join(claim.text for claim in record.answer.claims)
    return record.answer or ""
