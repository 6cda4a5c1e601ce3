from __future__ import annotations

from hypothesis import given
from scorecards import FAIL, NOT_APPLICABLE, PASS, SIGNATURE, UNKNOWN, card, chunk, claim, loose, runs
from tables import every_row

from showable.measure.measures import MEASURES
from showable.measure.summary import summarise
from showable.records import OutcomeCounts

GOOD, PADDING, INVENTED, UNCHECKED = (PASS, PASS), (PASS, FAIL), (FAIL, NOT_APPLICABLE), (PASS, UNKNOWN)
UNREAD = card(bucket="unknown", cause="unparsed")
REFUSED = card(bucket="refused", cause="warranted", refusal="full")


def said(**fields):
    """A card of one claim, so that passages have something to support."""
    return card(claims=(claim("uncited"),), **fields)


TABLE = [
    # the counts stand in the order: passed, failed, unknown, not applicable
    ("acceptable", card(), (1, 0, 0, 0), "DESIGN §4: correct is acceptable"),
    ("acceptable", REFUSED, (1, 0, 0, 0), "DESIGN §4: refused is acceptable"),
    ("acceptable", card(bucket="unsupported"), (0, 1, 0, 0), "DESIGN §4"),
    ("acceptable", UNREAD, (0, 0, 1, 0), "DESIGN §5: unknown is its own outcome"),
    ("citation_precision", card(claims=(claim("supported", GOOD, PADDING),)), (1, 1, 0, 0), "ALCE: padding fails"),
    ("citation_precision", card(claims=(claim("supported", INVENTED),)), (0, 1, 0, 0), "peers drop [9] from precision"),
    ("citation_precision", card(claims=(claim("unknown", UNCHECKED),)), (0, 0, 1, 0), "never 0 for what is unknown"),
    ("citation_precision", card(claims=(claim("uncited"),)), (0, 0, 0, 1), "no citation at all: not applicable"),
    (
        "citation_precision",
        card(bucket="refused", refusal="full", loose=(loose(FAIL), loose(PASS), loose(UNKNOWN), loose(FAIL))),
        (0, 2, 1, 1),
        "citations of a declining sentence: those that lead nowhere fail, the others have nothing to support",
    ),
    (
        "citation_precision",
        card(claims=(claim("supported", GOOD),), loose=(loose(FAIL),)),
        (1, 1, 0, 0),
        "DESIGN §4: every citation given, on a claim or not",
    ),
    ("citation_precision", UNREAD, (0, 0, 1, 0), "what could not be read is unknown"),
    (
        "citation_recall",
        card(claims=(claim("supported", GOOD), claim("partial", PADDING), claim("uncited"), claim("unknown"))),
        (1, 2, 1, 0),
        "ALCE: a statement without support, or without citation, counts 0",
    ),
    ("citation_recall", REFUSED, (0, 0, 0, 1), "nothing claimed: not applicable, where peers give 0 or 1"),
    ("citation_coverage", card(claims=(claim("unsupported", PADDING), claim("uncited"))), (1, 1, 0, 0), "made by hand"),
    (
        "groundedness",
        card(claims=(claim("uncited", log_support=PASS), claim("unsupported", log_support=FAIL), claim("unknown"))),
        (1, 1, 1, 0),
        "RAGAS: claims supported by the context, cited or not",
    ),
    (
        "groundedness",
        card(claims=(claim("supported", log_support=UNKNOWN),)),
        (1, 0, 0, 0),
        "supported by what it cites",
    ),
    (
        "context_adherence",
        card(claims=(claim("supported"), claim("uncited", log_support=FAIL), claim("unknown"))),
        (0, 1, 0, 0),
        "one claim from outside fails the answer",
    ),
    ("context_adherence", card(claims=(claim("supported"), claim("unknown"))), (0, 0, 1, 0), "made by hand"),
    ("context_adherence", REFUSED, (0, 0, 0, 1), "made by hand"),
    ("chunk_attribution", said(chunks=(chunk(PASS), chunk(FAIL), chunk(UNKNOWN))), (1, 1, 1, 0), "made by hand"),
    ("chunk_attribution", said(retrieved_count=0), (0, 0, 0, 1), "the retrieval returned nothing"),
    ("chunk_attribution", said(), (0, 0, 1, 0), "the retrieval was not logged"),
    (
        "chunk_attribution",
        card(bucket="refused", refusal="full", retrieved_count=2, chunks=(chunk(UNKNOWN), chunk(UNKNOWN))),
        (0, 0, 0, 1),
        "a refusal claims nothing: no passage has anything to support",
    ),
    (
        "chunk_attribution",
        card(bucket="unknown", cause="unparsed", retrieved_count=2, chunks=(chunk(UNKNOWN), chunk(UNKNOWN))),
        (0, 0, 1, 0),
        "what it claims could not be read",
    ),
    (
        "chunk_utilization",
        said(chunks=(chunk(PASS, 100, 30), chunk(FAIL, 50), chunk(UNKNOWN, 20), chunk(UNKNOWN, 0))),
        (30, 120, 21, 0),
        "characters; a passage without text is one unknown",
    ),
    ("chunk_utilization", said(chunks=(chunk(PASS, 40, 0),)), (0, 0, 40, 0), "relied on, but the judge names no words"),
    ("chunk_utilization", said(chunks=(chunk(PASS, 10, 30),)), (10, 0, 0, 0), "never more than there is"),
    ("chunk_utilization", card(chunks=(chunk(UNKNOWN, 40),)), (0, 0, 0, 1), "no claim: nothing relies on a passage"),
    ("abstention_rate", REFUSED, (1, 0, 0, 0), "made by hand"),
    ("abstention_rate", card(bucket="wrong", refusal="full"), (1, 0, 0, 0), "it declines, though an aside is wrong"),
    ("abstention_rate", card(bucket="unknown", cause="undecided"), (0, 1, 0, 0), "it answered, whatever the bucket"),
    ("abstention_rate", card(bucket="unknown", cause="empty_answer"), (0, 0, 1, 0), "peers: empty string = refusal"),
    ("over_refusal", card(bucket="refused", cause="over_refusal", answerable=True), (1, 0, 0, 0), "DESIGN §4 row 1"),
    ("over_refusal", card(answerable=True), (0, 1, 0, 0), "made by hand"),
    (
        "over_refusal",
        card(bucket="refused", cause="warranted", answerable=True),
        (0, 1, 0, 0),
        "evidence not retrieved",
    ),
    ("over_refusal", card(bucket="refused", cause="warranted", answerable=False), (0, 0, 0, 1), "made by hand"),
    ("over_refusal", card(bucket="refused", cause="unjudged"), (0, 0, 1, 0), "no gold: nobody can say"),
    (
        "over_refusal",
        card(bucket="refused", cause="unjudged", answerable=True),
        (0, 0, 1, 0),
        "gold does not say where its evidence is: nobody can say",
    ),
    (
        "over_refusal",
        card(bucket="refused", cause="warranted", retrieved_count=0),
        (0, 0, 0, 1),
        "no gold, nothing retrieved: the refusal was due",
    ),
    (
        "over_refusal",
        card(bucket="unsupported", cause="no_evidence", refusal="full", answerable=True),
        (0, 0, 1, 0),
        "it declines; whether its evidence was retrieved is not on the card",
    ),
    (
        "over_refusal",
        card(bucket="unsupported", refusal="full", answerable=True, retrieved_count=0),
        (0, 1, 0, 0),
        "it declines, and nothing was retrieved",
    ),
    ("over_refusal", card(), (0, 0, 0, 1), "no gold, and it answered"),
    ("over_refusal", card(bucket="unknown", cause="undecided", answerable=True), (0, 1, 0, 0), "it answered"),
    ("over_refusal", card(bucket="unknown", cause="unparsed", answerable=True), (0, 0, 1, 0), "made by hand"),
    ("factual_accuracy", card(claims=(claim(), claim("contradicted", contradicted_by=("d1",)))), (1, 1, 0, 0), "FEVER"),
    (
        "factual_accuracy",
        card(claims=(claim("unsupported", log_support=FAIL),)),
        (0, 0, 1, 0),
        "without evidence is not false",
    ),
    ("factual_accuracy", card(claims=(claim(contradicted_by=("d2",)),)), (0, 0, 1, 0), "sources in conflict"),
    ("cherry_picking", card(claims=(claim(),)), (0, 0, 1, 0), "a scorecard from before the check: it was not made"),
    (
        "cherry_picking",
        card(checks={"semantic.cherry_picking": OutcomeCounts(passed=2, failed=1)}),
        (1, 0, 0, 0),
        "DESIGN §4",
    ),
    (
        "sycophantic_restatement",
        card(checks={"semantic.restated_premise": OutcomeCounts(not_applicable=1)}, retrieved_count=1),
        (0, 0, 0, 1),
        "the question takes nothing for granted",
    ),
    (
        "sycophantic_restatement",
        card(checks={"semantic.restated_premise": OutcomeCounts(not_applicable=1)}, claims=(claim(),)),
        (0, 0, 1, 0),
        "no log: nobody knows what was retrieved",
    ),
    ("answer_refusal", REFUSED, (0, 0, 0, 1), "no gold, and something was retrieved"),
    ("answer_refusal", card(bucket="refused", cause="over_refusal", answerable=True), (0, 1, 0, 0), "XSTest"),
    ("answer_refusal", card(answerable=True), (1, 0, 0, 0), "SQuAD 2.0: answered what can be answered"),
    ("missed_refusal", card(bucket="wrong", answerable=False), (1, 0, 0, 0), "answers another question"),
    ("missed_refusal", card(bucket="unsupported", retrieved_count=0), (1, 0, 0, 0), "answered on null retrieval"),
    ("missed_refusal", card(bucket="correct", expected=("refused",), answerable=True), (1, 0, 0, 0), "made by hand"),
    ("missed_refusal", card(bucket="refused", cause="warranted", answerable=False), (0, 1, 0, 0), "made by hand"),
    ("missed_refusal", card(answerable=True), (0, 0, 0, 1), "a refusal was not due"),
    ("missed_refusal", card(bucket="refused", cause="warranted", retrieved_count=0), (0, 1, 0, 0), "due, and made"),
    (
        "missed_refusal",
        card(bucket="refused", cause="warranted", answerable=True, retrieved_count=2),
        (0, 0, 0, 1),
        "warranted, yet an answer may have been right too: refusing does not change the denominator",
    ),
    (
        "missed_refusal",
        card(bucket="wrong", refusal="full", answerable=False),
        (0, 1, 0, 0),
        "it declines all the same",
    ),
    ("missed_refusal", card(), (0, 0, 1, 0), "no gold, and it answered: nobody can say"),
    ("missed_refusal", card(bucket="refused", cause="unjudged"), (0, 0, 0, 1), "no gold, and it refused"),
    ("missed_refusal", card(bucket="unknown", cause="unparsed", answerable=False), (0, 0, 1, 0), "made by hand"),
    (
        "citation_resolves",
        card(
            claims=(claim("supported", (PASS, PASS), (FAIL, FAIL)), claim("supported", (UNKNOWN, PASS))),
            loose=(loose(PASS),),
        ),
        (2, 1, 1, 0),
        "citations of claims, and those that hang on none",
    ),
    ("citation_resolves", card(), (0, 0, 0, 1), "no citation at all"),
    ("citation_resolves", UNREAD, (0, 0, 1, 0), "its citations could not be read"),
    ("citation_exists", card(citation_exists=FAIL), (0, 1, 0, 0), "the axis"),
    ("citation_exists", card(), (0, 0, 0, 1), "no citation at all: not applicable"),
    ("citation_exists", UNREAD, (0, 0, 1, 0), "its citations could not be read"),
    ("citation_exists", card(bucket="unknown", cause="undecided"), (0, 0, 0, 1), "read, and without a citation"),
    ("citation_supports", UNREAD, (0, 0, 1, 0), "its citations could not be read"),
    ("citation_supports", card(citation_supports=UNKNOWN), (0, 0, 1, 0), "the axis"),
    ("gold_agreement", card(gold_agreement="agrees"), (1, 0, 0, 0), "made by hand"),
    ("gold_agreement", card(gold_agreement="absent"), (0, 1, 0, 0), "the gold answer is nowhere in it"),
    ("gold_agreement", card(gold_agreement="unknown"), (0, 0, 1, 0), "made by hand"),
    ("gold_agreement", card(), (0, 0, 0, 1), "no gold"),
    (
        "gold_agreement",
        card(bucket="unknown", cause="empty_answer", answerable=True),
        (0, 0, 1, 0),
        "there is gold, but no answer that could be read",
    ),
    ("gold_agreement", UNREAD, (0, 0, 0, 1), "no gold to agree with, read or not"),
    (
        "gold_agreement",
        card(bucket="unknown", cause="unparsed", answerable=False),
        (0, 0, 0, 1),
        "unanswerable: there is no gold answer",
    ),
    ("label_agreement", card(labelled="correct"), (1, 0, 0, 0), "made by hand"),
    ("label_agreement", card(labelled="wrong"), (0, 1, 0, 0), "made by hand"),
    ("label_agreement", card(bucket="unknown", labelled="wrong"), (0, 0, 1, 0), "made by hand"),
    ("label_agreement", card(), (0, 0, 0, 1), "no label"),
]
BY_NAME = {measure.name: measure for measure in MEASURES}


@every_row(("name", "scored", "expected", "source"), TABLE)
def test_a_measure_counts_what_its_docstring_says(name, scored, expected, source):
    passed, failed, unknown, not_applicable = expected
    counts = OutcomeCounts(passed=passed, failed=failed, unknown=unknown, not_applicable=not_applicable)
    assert BY_NAME[name].count(scored) == counts, source


def test_every_measure_is_in_the_table():
    assert {name for name, *_ in TABLE} == set(BY_NAME)


@every_row("measure", MEASURES)
def test_every_measure_states_its_denominator(measure):
    assert "Denominator: " in measure.count.__doc__


@given(runs(max_size=1))
def test_no_answer_is_left_out_of_any_measure(run):
    for scored in run:
        for measure in MEASURES:
            counts = measure.count(scored)
            total = counts.passed + counts.failed + counts.unknown + counts.not_applicable
            assert total >= 1 if measure.clustered else total == 1


@given(runs())
def test_counts_add_up_over_answers(run):
    summary = summarise(run, SIGNATURE)
    for measure in MEASURES:
        total = sum((measure.count(scored) for scored in run), OutcomeCounts())
        rate = summary.rates[measure.name]
        assert (rate.passed, rate.failed, rate.unknown, rate.not_applicable) == tuple(total.model_dump().values())
