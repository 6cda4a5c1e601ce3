"""An answer of a trace beside what was retrieved for it: claims, documents, and what each citation comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from showable.measure.rates import percent
from showable.records.findings import Finding, Outcome
from showable.records.record import Record, Source
from showable.records.scorecard import CitationScore, ClaimScore
from showable.records.traced import LiveScore
from showable.report.finding_words import FINDING_WORDS
from showable.report.page.answers import given
from showable.review.answer_pieces import Piece, answer_pieces
from showable.review.page_context import CitationShown, ClaimShown
from showable.rubrics.retrieval_log import known_shown
from showable.serving.pages.words import DIAGNOSES, line, shown

MOST_DOCUMENTS, MOST_CLAIMS, MOST_FINDINGS = 60, 100, 100
_MOST_TEXT = 4_000
_WHY_CHOSEN = {
    "failure": "a check that runs on every answer failed",
    "rule": "a rule asks for all such answers",
    "cohort": "it belongs to the cohort of an experiment",
    "latency": "it is among the slowest of its service",
    "cost": "it is among the dearest of its service",
    "refusal": "it declines",
    "rest": "nothing stood out about it",
    "off": "a rule asks for no judge here",
}


@dataclass(frozen=True, slots=True)
class CitationRow:
    """A citation: the number of its document (None: it leads to none), what it comes to in words, and the tone of that."""

    document: int | None
    said: str
    tone: str
    named: str
    reason: str

    @property
    def letter(self) -> str:
        """What its document is called on the page."""
        return "–" if self.document is None else f"D{self.document}"

    def target(self, answer: int) -> str:
        """Return the id of its document on the page; "" where it leads to none."""
        return "" if self.document is None else f"a{answer}-d{self.document}"


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim with its citations; `tone` is that of its support."""

    number: int
    text: str
    support: str
    tone: str
    kind: str | None
    citations: tuple[CitationRow, ...]


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A retrieved document, or one that is cited and was not retrieved. `shown` is None where the trace does not say what the model saw."""

    number: int
    source_id: str
    title: str | None
    text: str | None
    said: str
    tone: str
    retrieved: bool
    shown: bool | None
    score: float | None

    @property
    def letter(self) -> str:
        """What it is called on the page."""
        return f"D{self.number}"


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in words."""

    subject: str
    brief: str
    help: str
    reason: str
    outcome: str


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """All that the page of a trace says of one answer."""

    number: int
    score: LiveScore
    question: str
    pieces: tuple[Piece, ...]
    claims: tuple[ClaimRow, ...]
    documents: tuple[DocumentRow, ...]
    logged: bool
    more_claims: int
    more_documents: int
    findings: tuple[FindingRow, ...]
    more_findings: int
    diagnosis: str
    sampling: str
    losses: tuple[str, ...]


def answer_of(number: int, score: LiveScore) -> AnswerShown:
    """Lay an answer out; `number` tells it from the others of its trace."""
    record, card = score.answer.record, score.scorecard
    places = _places(record, card.claims)
    claims = tuple(_claim(at, claim, places) for at, claim in enumerate(card.claims[:MOST_CLAIMS]))
    findings = [one for one in card.findings if _tells(one, score)]
    documents = _documents(record, card.claims, places)
    return AnswerShown(
        number,
        score,
        shown(record.question),
        _pieces(record, card.claims),
        claims,
        documents[:MOST_DOCUMENTS],
        record.retrieved is not None,
        max(0, len(card.claims) - MOST_CLAIMS),
        max(0, len(documents) - MOST_DOCUMENTS),
        tuple(_finding(one) for one in findings[:MOST_FINDINGS]),
        max(0, len(findings) - MOST_FINDINGS),
        diagnosis_said(score),
        sampling_said(score),
        tuple(loss.words for loss in score.answer.losses),
    )


def _places(record: Record, claims: Sequence[ClaimScore]) -> dict[str, int]:
    """Number the documents from 0: what was retrieved, the first of a name, and after it what is cited and was not."""
    places: dict[str, int] = {}
    for at, source in enumerate(record.retrieved or ()):
        places.setdefault(source.source_id, at)
    cited = [one.source_id for claim in claims for one in claim.citations if one.source_id is not None]
    strangers = dict.fromkeys(name for name in cited if name not in places)
    return places | {name: at for at, name in enumerate(strangers, len(record.retrieved or ()))}


def _tells(finding: Finding, score: LiveScore) -> bool:
    """Leave out what passed, and verdicts that were never asked for: that no judge has read the answer is said by itself."""
    unasked = finding.code == "semantic.unjudged" and not score.judged
    return finding.outcome in {Outcome.FAIL, Outcome.UNKNOWN} and not unasked


def diagnosis_said(score: LiveScore) -> str:
    """Say whose problem a failure is, with what that rests on where it was kept."""
    why = shown(score.diagnosis_why, 600).strip()
    if not why:
        return DIAGNOSES[score.diagnosis]
    if score.diagnosis == "unknown":
        return f"{DIAGNOSES['unknown'].removesuffix('.')}: {why}."
    return f"{why[:1].upper()}{why[1:]}."


def sampling_said(score: LiveScore) -> str:
    """Return whether a judge has read the answer, and why it was chosen or not."""
    why = _WHY_CHOSEN.get(score.stratum, f"it is of the stratum {line(score.stratum, 60)}")
    if not score.chosen:
        return f"Not chosen for the judge: {why}; the probability of being chosen was {percent(score.probability)} %."
    state = "Read by the judge" if score.judged else "Chosen for the judge, and not read yet"
    if score.probability == 1.0:
        return f"{state}: {why}. All such answers are chosen, so it stands for itself alone in estimated rates."
    stands = f"{1 / score.probability:.1f}".removesuffix(".0")
    drawn = f"it was drawn with a probability of {percent(score.probability)} %"
    return f"{state}: {why}; {drawn}, so it stands for {stands} answers in estimated rates."


def _pieces(record: Record, claims: Sequence[ClaimScore]) -> tuple[Piece, ...]:
    text = given(record.answer).text
    if text is None:
        return ()
    cited = [
        ClaimShown(
            claim.text, claim.span, tuple(CitationShown(one.source_id, one.raw, one.span) for one in claim.citations)
        )
        for claim in claims
    ]
    return answer_pieces(shown(text), cited)


def _claim(at: int, claim: ClaimScore, places: Mapping[str, int]) -> ClaimRow:
    said = {"uncited": "cites nothing", "unknown": "not judged"}.get(claim.support, claim.support)
    tone = {"uncited": "unsupported"}.get(claim.support, claim.support)
    return ClaimRow(
        at + 1,
        shown(claim.text, _MOST_TEXT),
        said,
        tone,
        claim.kind,
        tuple(_citation(claim, citation, places) for citation in claim.citations),
    )


def _citation(claim: ClaimScore, citation: CitationScore, places: Mapping[str, int]) -> CitationRow:
    said, tone = _comes_to(claim, citation)
    at = places.get(citation.source_id or "")
    named = citation.source_id or citation.raw or "no source named"
    return CitationRow(None if at is None else at + 1, said, tone, line(named, 120), line(citation.reason))


def _comes_to(claim: ClaimScore, citation: CitationScore) -> tuple[str, str]:
    if citation.exists is Outcome.FAIL:
        return "was not retrieved", "wrong"
    if citation.source_id is not None and citation.source_id in claim.contradicted_by:
        return "contradicts it", "wrong"
    if citation.supports is Outcome.PASS:
        return "supports it", "correct"
    if citation.supports is Outcome.FAIL:
        return "does not support it", "unsupported"
    if citation.exists is not Outcome.PASS:
        return "cannot be traced", "unknown"
    return "not judged", "unknown"


def _documents(record: Record, claims: Sequence[ClaimScore], places: Mapping[str, int]) -> tuple[DocumentRow, ...]:
    """Return what was retrieved, in its order, and after it what is cited and was not."""
    cited: dict[str, list[tuple[str, str]]] = {}
    for claim in claims:
        for citation in claim.citations:
            if citation.source_id is not None:
                cited.setdefault(citation.source_id, []).append(_comes_to(claim, citation))
    held = [_retrieved(at, one, record, cited, places) for at, one in enumerate(record.retrieved or ())]
    logged = record.retrieved is not None
    held += [
        _stranger(name, places[name] + 1, cited[name], logged=logged) for name in cited if places[name] >= len(held)
    ]
    return tuple(held)


def _stranger(name: str, number: int, uses: Sequence[tuple[str, str]], *, logged: bool) -> DocumentRow:
    """Return what is cited and was not retrieved, or where that cannot be told."""
    tone = "wrong" if any(tone == "wrong" for _, tone in uses) else "unknown"
    said = "cited, and not in the retrieval log" if logged else "cited; the trace holds no retrieval log"
    if logged and tone == "unknown":
        said = "cited, and not in what the trace tells of the retrieval"
    return DocumentRow(number, line(name, 120), None, None, said, tone, retrieved=False, shown=None, score=None)


def _retrieved(
    at: int, source: Source, record: Record, cited: Mapping[str, Sequence[tuple[str, str]]], places: Mapping[str, int]
) -> DocumentRow:
    uses = cited.get(source.source_id, ()) if places[source.source_id] == at else ()
    said, tone = _use_said(uses)
    return DocumentRow(
        at + 1,
        line(source.source_id, 120),
        None if source.title is None else line(source.title, 200),
        None if source.text is None else shown(source.text, _MOST_TEXT),
        said,
        tone,
        retrieved=True,
        shown=None if (known := known_shown(record)) is None else source.source_id in known,
        score=source.score,
    )


def _use_said(uses: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Return what a document is to the answer: the worst of its uses gives the tone."""
    if not uses:
        return "retrieved, not cited", ""
    worst = min(uses, key=lambda use: ("wrong", "unsupported", "unknown", "correct").index(use[1]))
    return f"cited, {worst[0].removesuffix(' it')}" if len(
        uses
    ) == 1 else f"cited {len(uses)} times, {_all_said(uses)}", worst[1]


def _all_said(uses: Sequence[tuple[str, str]]) -> str:
    return ", ".join(dict.fromkeys(said.removesuffix(" it") for said, _ in uses))


def _finding(finding: Finding) -> FindingRow:
    words = FINDING_WORDS.get(finding.code)
    brief, help_ = (words.brief, words.help) if words else (line(finding.code, 80), "")
    if finding.outcome is Outcome.UNKNOWN:  # what a failure would mean is no help where there may be none
        brief, help_ = f"Could not be checked: {brief[:1].lower()}{brief[1:]}", ""
    return FindingRow(str(finding.subject), brief, help_, line(finding.reason), finding.outcome.value)
