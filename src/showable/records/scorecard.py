"""What comes out for one record: five axes, the bucket and its cause, and the tables they were read from."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from showable.records.calls import CallCounts
from showable.records.findings import Finding, Outcome, OutcomeCounts
from showable.records.lookups import LookupStatus
from showable.records.roles import Refusal, RefusalBasis
from showable.records.shown_from import ShownFrom
from showable.records.wire import Many, Span, Wire

Bucket = Literal["correct", "wrong", "unsupported", "refused", "unknown"]
Showing = Literal["show", "hold", "unknown"]
Cause = Literal[
    "empty_answer",
    "unparsed",
    "null_not_honoured",
    "undecided",
    "language",
    "unread",
    "warranted",
    "over_refusal",
    "unjudged",
    "wrong_source",
    "contradicts_gold",
    "answers_another_question",
    "contradicts_source",
    "miscalculated",
    "contradicts_corpus",
    "refused_then_answered",
    "answered_on_null_retrieval",
    "invented_source",
    "bad_quote",
    "wrong_page",
    "bad_source",
    "no_evidence",
    "retrieval_miss",
    "miscited",
    "uncited",
    "no_answer",
    "partial",
    "incomplete",
]
Support = Literal["supported", "partial", "unsupported", "contradicted", "unknown", "uncited"]
GoldAgreement = Literal["agrees", "disagrees", "absent", "unknown", "not_applicable"]
Role = Literal["answering", "aside"]
RubricState = Literal["pass", "fail", "unknown", "not_applicable", "not_run"]


class CitationScore(Wire):
    """One citation: does it lead to a passage of the log (`exists`), and does that passage support the claim.

    `resolves` is the whole of resolvability: it leads into the log, its quotation and page are right, and no
    registry or notice speaks against it. `status` is what a registry said, where one was asked.
    """

    source_id: str | None
    raw: str | None = None
    exists: Outcome
    resolves: Outcome = Outcome.UNKNOWN
    supports: Outcome
    status: LookupStatus | None = None
    registry: str | None = None
    reason: str = ""
    quote: str | None = None
    quote_span: Span | None = None
    span: Span | None = None


class CorpusPassage(Wire):
    """A passage of the corpus that the retrieval log does not hold, and that says something about a claim."""

    source_id: str
    says: Literal["supports", "contradicts"]
    text: str
    title: str | None = None


class ClaimScore(Wire):
    """One claim: what its own citations do for it, what the rest of the log does, and what gold says.

    `support` is by its own citations together (`uncited` when it has none); `log_support` by any
    passage that was looked at; `contradicted_by` the passages that contradict it. `corpus_support` and
    `corpus_contradicted` are by the corpus behind the log, ``not_applicable`` where it was not asked; `corpus_by` holds
    the passages relied on for them.
    """

    text: str
    span: Span | None = None
    kind: str | None = None
    role: Role = "answering"
    support: Support
    p: float | None = None
    log_support: Outcome = Outcome.UNKNOWN
    supported_by: Many[str] = ()
    contradicted: Outcome = Outcome.FAIL
    contradicted_by: Many[str] = ()
    corpus_support: Outcome = Outcome.NOT_APPLICABLE
    corpus_contradicted: Outcome = Outcome.NOT_APPLICABLE
    corpus_by: Many[CorpusPassage] = ()
    gold: GoldAgreement = "not_applicable"
    citations: Many[CitationScore] = ()


class AnswerSupport(Wire):
    """All claims together: the probability that each is supported, and what that comes to.

    `least` is the number of the least supported claim, `claims` how many had a probability. Only judges that an answer's
    probability was fitted for have one.
    """

    p: float
    outcome: Outcome
    least: int
    claims: int


class ChunkScore(Wire):
    """One retrieved passage: whether any claim is supported by it, and how many of its characters were relied on."""

    source_id: str
    chars: int = 0
    supports: Outcome = Outcome.UNKNOWN
    relied_chars: int = 0


class RefusalPoint(Wire):
    """One point of refusal quality, earned or not, and why."""

    point: Literal["reason", "pointer", "calm"]
    earned: bool
    why: str


class RestsOn(Wire):
    """What a release rests on: the outcome of each rubric, how deeply the answer was read, and what was not run.

    `not_run` is neither a pass nor unknown: nobody asked. `left_out` says why, by what was left out.
    """

    structural: RubricState
    resolvability: RubricState
    semantic: RubricState
    reading: Literal["lean", "full"]
    left_out: dict[str, str] = Field(default_factory=dict)


class Release(Wire):
    """Whether an answer may be shown under a profile: `show`, `hold`, or `unknown` where that could not be decided.

    `resolved` of `citations` are known to lead to a real source, `unresolved` known not to; `floor` is the
    least share that the profile asks for, `shown_from` the least probability that a calibration does. `text` is what to
    show in place of an answer that is not shown. Of a guarded answer, `codes` are those of the findings behind the
    verdict, and `rests_on` says what was checked.
    """

    verdict: Showing
    reasons: Many[str] = ()
    citations: int = 0
    resolved: int = 0
    unresolved: int = 0
    floor: float | None = None
    shown_from: ShownFrom | None = None
    text: str | None = None
    codes: Many[str] = ()
    rests_on: RestsOn | None = None


class Scorecard(Wire):
    """One record, graded. Axes that do not apply are None or ``not_applicable``, never 0.

    `loose` holds the citations that hang on no claim; `question_hash` tells whether two runs asked the
    same, of the same gold. `findings` holds what failed, what could not be checked, and passes worth a
    word; `checks` counts every check by code, `calls` the calls to judges and registries. `refusal_basis` tells what an answer that declines rests on: the
    evidence, the scope of the documents, a policy (safety, privacy, advice), or a question to be clarified.
    """

    id: str
    bucket: Bucket
    cause: Cause | None = None
    why: str = ""
    citation_exists: Outcome
    citation_supports: Outcome
    refusal_quality: int | None = None
    refusal_points: Many[RefusalPoint] = ()
    extra_claim_count: int | None = None
    gold_agreement: GoldAgreement = "not_applicable"
    refusal: Refusal = "none"
    refusal_basis: RefusalBasis | None = None
    retrieved_count: int | None = None
    category: str | None = None
    expected: Many[str] = ()
    labelled: str | None = None
    answerable: bool | None = None
    question_hash: str | None = None
    support: AnswerSupport | None = None
    claims: Many[ClaimScore] = ()
    loose: Many[CitationScore] = ()
    chunks: Many[ChunkScore] = ()
    findings: Many[Finding] = ()
    checks: dict[str, OutcomeCounts] = Field(default_factory=dict)
    release: Release | None = None
    calls: CallCounts = CallCounts()
