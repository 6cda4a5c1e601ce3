"""Scorecards made by hand and at random, for the tests of what is measured from them."""

from __future__ import annotations

from hypothesis import strategies as st

from showable.records import (
    ChunkScore,
    CitationScore,
    ClaimScore,
    Finding,
    Outcome,
    OutcomeCounts,
    Scorecard,
    Signature,
    Subject,
)

PASS, FAIL, UNKNOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE
SIGNATURE = Signature(version="0.1.0", rubric="1", parser="1", judge="lexical@1")

_CAUSES = {
    "correct": (None, "partial", "incomplete"),
    "wrong": ("contradicts_gold", "wrong_source", "contradicts_source"),
    "unsupported": ("no_evidence", "miscited", "invented_source", "uncited"),
    "refused": ("warranted", "over_refusal", "unjudged"),
    "unknown": ("empty_answer", "unparsed", "undecided"),
}
_SUPPORT = ("supported", "partial", "unsupported", "contradicted", "unknown", "uncited")


def card(key="q1", bucket="correct", **fields):
    """One scorecard; axes that are not given do not apply."""
    fields = {"citation_exists": NOT_APPLICABLE, "citation_supports": NOT_APPLICABLE, **fields}
    return Scorecard(id=key, bucket=bucket, **fields)


def claim(support="supported", *citations, text="The notice period is 30 days.", **fields):
    """One claim; each citation is a pair (exists, supports)."""
    cited = tuple(
        CitationScore(source_id=f"d{n}", exists=e, resolves=e, supports=s) for n, (e, s) in enumerate(citations, 1)
    )
    return ClaimScore(text=text, support=support, citations=cited, **fields)


def loose(exists):
    """A citation on no claim, as in a sentence that declines."""
    return CitationScore(source_id="d1", exists=exists, resolves=exists, supports=NOT_APPLICABLE)


def chunk(supports, chars=100, relied=0, key="d1"):
    return ChunkScore(source_id=key, chars=chars, supports=supports, relied_chars=relied)


def few_cards():
    """A small run with every bucket, for reports."""
    found, missing = (PASS, PASS), (FAIL, UNKNOWN)
    for n in range(1, 7):
        yield card(
            f"lease-{n}",
            citation_exists=PASS,
            citation_supports=PASS,
            category="answerable",
            answerable=True,
            gold_agreement="agrees" if n % 2 else "not_applicable",
            labelled="correct",
            retrieved_count=2,
            extra_claim_count=0,
            claims=(claim("supported", found, log_support=PASS),),
            chunks=(chunk(PASS, 400, 80 + n), chunk(FAIL, 250, key="d2")),
            checks={"structural.schema": OutcomeCounts(passed=1)},
        )
    yield card(
        "dose-1",
        "wrong",
        cause="contradicts_source",
        why="claim 1 is contradicted by d1: the passage says 40 mg, the claim 400 mg",
        citation_exists=PASS,
        citation_supports=FAIL,
        category="tempt_wrong",
        answerable=True,
        labelled="correct",
        retrieved_count=1,
        extra_claim_count=1,
        claims=(
            claim(
                "contradicted",
                (PASS, FAIL),
                text="The usual dose is 400 mg [bold]a day[/bold].",
                log_support=FAIL,
                contradicted=PASS,
                contradicted_by=("d1",),
            ),
            claim("uncited", text="It is taken with food.", log_support=FAIL),
        ),
        chunks=(chunk(FAIL, 300),),
        findings=(
            Finding(code="semantic.contradicted", outcome=FAIL, subject=Subject(claim=0, citation=0), reason="40 mg"),
        ),
    )
    yield card(
        "case-9",
        "unsupported",
        cause="invented_source",
        why="cites [9], but 3 passages were retrieved",
        citation_exists=FAIL,
        citation_supports=UNKNOWN,
        category="tempt_unsupported",
        answerable=True,
        retrieved_count=3,
        extra_claim_count=0,
        claims=(claim("unknown", missing, text="The appeal lies to the full court."),),
        findings=(Finding(code="resolvability.not_retrieved", outcome=FAIL, subject=Subject(claim=0, citation=0)),),
    )
    yield card("trial-3", "unknown", cause="undecided", why="the judge timed out", category="answerable")
    for n, grade in enumerate((0, 2, 3), 1):
        yield card(
            f"moon-{n}",
            "refused",
            cause="warranted" if grade else "over_refusal",
            refusal="full",
            refusal_quality=grade,
            category="unanswerable" if grade else "answerable",
            answerable=not grade,
            retrieved_count=2,
            extra_claim_count=0,
        )


def outcomes():
    return st.sampled_from(list(Outcome))


def claims():
    pairs = st.lists(st.tuples(outcomes(), outcomes()), max_size=3)
    return st.builds(
        lambda support, cited, log: claim(support, *cited, log_support=log),
        st.sampled_from(_SUPPORT),
        pairs,
        outcomes(),
    )


# Made once: making a strategy anew costs more than to draw from it.
_BUCKET = st.sampled_from(sorted(_CAUSES))
_CAUSE = {bucket: st.sampled_from(causes) for bucket, causes in _CAUSES.items()}
_REFUSAL = st.sampled_from(["none", "partial", "refused_then_answered"])
_QUALITY = st.integers(0, 3)
_KEY = st.text(min_size=1, max_size=4)
_FIELDS = st.fixed_dictionaries(
    {
        "extra_claim_count": st.sampled_from([None, 0, 1, 2, 3]),
        "citation_exists": outcomes(),
        "citation_supports": outcomes(),
        "gold_agreement": st.sampled_from(["agrees", "disagrees", "absent", "unknown", "not_applicable"]),
        "category": st.sampled_from([None, "answerable", "adversarial"]),
        "expected": st.sampled_from([(), ("refused",), ("correct", "refused")]),
        "labelled": st.sampled_from([None, "correct", "wrong"]),
        "answerable": st.sampled_from([None, False, True]),
        "retrieved_count": st.sampled_from([None, 0, 1, 2]),
        "claims": st.lists(claims(), max_size=3).map(tuple),
        "loose": st.lists(st.builds(loose, outcomes()), max_size=2).map(tuple),
        "chunks": st.lists(st.builds(chunk, outcomes(), st.integers(0, 50), st.integers(0, 50)), max_size=2).map(tuple),
        "checks": st.sampled_from([{}, {"structural.schema": OutcomeCounts(passed=1, failed=2)}]),
        "findings": st.sampled_from([(), (Finding(code="semantic.miscited", outcome=FAIL),)]),
    }
)


@st.composite
def scorecards(draw, key=None):
    """Any scorecard that holds together as far as measures look at it."""
    bucket = draw(_BUCKET)
    refused = bucket == "refused"
    return card(
        key if key is not None else draw(_KEY),
        bucket,
        cause=draw(_CAUSE[bucket]),
        refusal="full" if refused else draw(_REFUSAL),
        refusal_quality=draw(_QUALITY) if refused else None,
        **draw(_FIELDS),
    )


def runs(max_size=8):
    """A run: scorecards with distinct ids."""
    sizes = [st.tuples(*(scorecards(key=f"q{i}") for i in range(n))) for n in range(max_size + 1)]
    return st.integers(0, max_size).flatmap(sizes.__getitem__)
