"""What is written in a convention is read back; and nothing that a span may carry makes reading fail."""

import string
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from showable.errors import SettingError
from showable.records.record import Source
from showable.records.spans import Span, SpanEvent
from showable.traces.conventions.documents import content_id
from showable.traces.conventions.keys import CONVENTIONS, KEYS
from showable.traces.conventions.read import read_span
from showable.traces.conventions.write import NAMES, write_span
from showable.traces.facts import Evaluation, Message, SpanFacts, TracedCitation

QUICK = settings(max_examples=15)

# Texts that look like JSON are read as JSON, ids and names without the space around them: that is tested in tables.
PLAIN = st.text(alphabet=string.ascii_letters + string.digits + "éß漢 .,:;!?-_/\n", max_size=30)
NAME = st.text(alphabet=string.ascii_letters + string.digits + "-_:/é漢", min_size=1, max_size=12)
COUNT = st.integers(min_value=0, max_value=10**9)
FIGURE = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False)
FLAT = st.dictionaries(st.sampled_from(["team", "Tenant", "stage"]), PLAIN | COUNT | st.booleans(), min_size=1)
SOURCES = st.lists(
    st.builds(
        Source,
        source_id=NAME,
        text=st.none() | PLAIN,
        title=st.none() | NAME,
        page=st.none() | COUNT | NAME,
        url=st.none() | NAME,
        doi=st.none() | NAME,
        score=st.none() | FIGURE,
        metadata=st.dictionaries(st.sampled_from(["tier", "Version"]), st.none() | PLAIN | st.lists(COUNT, max_size=2)),
    ),
    max_size=3,
).map(tuple)
MESSAGES = st.lists(
    st.builds(Message, role=st.sampled_from(["system", "user", "assistant", "tool"]), content=PLAIN)
).map(tuple)
CITATIONS = st.lists(
    st.builds(
        TracedCitation,
        source_id=NAME, claim=st.none() | PLAIN, quoted_span=st.none() | PLAIN, page=st.none() | COUNT | NAME,
        url=st.none() | NAME, start=st.none() | COUNT, end=st.none() | COUNT,
    ),
    max_size=3,
).map(tuple)  # fmt: skip
EVALUATIONS = st.lists(
    st.builds(
        Evaluation,
        name=NAME, score=st.none() | FIGURE, label=st.none() | PLAIN, explanation=st.none() | PLAIN,
        target_span_id=st.none() | NAME, error=st.none() | PLAIN,
    ),
    max_size=2,
).map(tuple)  # fmt: skip
FACTS = st.builds(
    SpanFacts,
    kind=st.sampled_from(["LLM", "RETRIEVER", "RERANKER", "EMBEDDING", "CHAIN", "AGENT", "TOOL", "GUARDRAIL", "UNKNOWN"]),
    inputs=st.none() | MESSAGES, outputs=st.none() | MESSAGES, input_text=st.none() | PLAIN, output_text=st.none() | PLAIN,
    documents=st.none() | SOURCES, rerank_input=st.none() | SOURCES, reranked=st.none() | SOURCES,
    citations=st.none() | CITATIONS, evaluations=EVALUATIONS, model=st.none() | NAME, prompt_version=st.none() | NAME,
    profile=st.none() | NAME, cohort=st.none() | NAME, session=st.none() | NAME, tokens_in=st.none() | COUNT,
    tokens_out=st.none() | COUNT, cost_usd=st.none() | FIGURE, finish=st.none() | NAME, tool_calls=st.booleans(),
    metadata=st.none() | FLAT,
)  # fmt: skip
LISTED = ("documents", "rerank_input", "reranked", "evaluations")
BLANK = SpanFacts()
PARTLY = {("openllmetry", "documents"), ("openllmetry", "output_text"), ("openllmetry", "metadata")}


def sayable(facts, convention):
    """The facts that are left when what the convention cannot say is taken away, by its own table."""
    for entry in convention.cannot_say:
        whole, _, member = entry.partition(".")
        if not member and (convention.name, entry) not in PARTLY:
            facts = replace(facts, **{whole: getattr(BLANK, whole)})
        elif member == "second":
            facts = replace(facts, evaluations=facts.evaluations[:1])
        elif whole == "evaluations":
            facts = replace(facts, evaluations=tuple(replace(it, **{member: None}) for it in facts.evaluations))
        elif whole == "documents" and facts.documents is not None:
            empty = {} if member == "metadata" else None
            facts = replace(facts, documents=tuple(it.model_copy(update={member: empty}) for it in facts.documents))
    if convention.name == "openllmetry":
        carries = facts.kind in {"RETRIEVER", "TOOL", "UNKNOWN"} and facts.documents is not None
        facts = replace(facts, **({"output_text": None} if carries else {"documents": None}))
    return facts


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda it: it.name)
@QUICK
@given(facts=FACTS)
def test_what_a_convention_can_say_comes_back(convention, facts):
    if convention.kind_name(facts.kind) is None:
        facts = replace(facts, kind="LLM" if convention.kinds else "UNKNOWN")
    facts = sayable(facts, convention)
    attributes = write_span(facts, convention.name)
    read = read_span(Span("0" * 32, "1" * 16, attributes=attributes))
    if not convention.kinds and facts.documents is not None:
        facts = replace(facts, kind="RETRIEVER")  # supposed, of a span that names no kind
    own = any(KEYS.get(key.split(".0")[0]) is None or KEYS[key.split(".0")[0]].conventions for key in attributes)
    assert read == replace(facts, conventions=(convention.name,) if own else ())


@pytest.mark.parametrize("name", NAMES)
def test_ids_that_were_made_of_the_text_are_made_again(name):
    facts = SpanFacts(
        documents=(Source(source_id=content_id("Warm."), text="Warm."), Source(source_id="b", text="Cold."))
    )
    read = read_span(Span("0" * 32, "1" * 16, attributes=write_span(facts, name)))
    assert (read.documents, read.hashed, [code for code, _ in read.problems]) == (facts.documents, True, ["hashed_ids"])


def test_a_convention_that_is_not_there_is_refused():
    with pytest.raises(SettingError, match="no convention jaeger: there are openinference, otel_genai, fi"):
        write_span(SpanFacts(), "jaeger")


JSON_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(['[{"id": "a", "content": "x"}]', '{"documents": [', "[[[", '{"id": 1', '"[]"', "page_content='a' metadata={"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["id", "content", "document", "metadata", "role", "parts", "message", "type", "text", "lc", "kwargs", "score"])
        | st.text(max_size=4), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
SOME_KEY = st.sampled_from(sorted(KEYS)) | st.builds(
    "{}.{}{}".format,
    st.sampled_from(sorted(KEYS)),
    st.integers(0, 3) | st.sampled_from(["999999", "²", "-1", "0000000001"]),
    st.sampled_from(["", ".document.id", ".document.content", ".message.role", ".message.content", ".evaluation.name", ".citation.page",
                     ".message.contents.0.message_content.text", ".id", ".content"]),
)  # fmt: skip
EVENT = st.builds(
    SpanEvent,
    name=st.sampled_from(["gen_ai.choice", "gen_ai.user.message", "gen_ai.evaluation.result", "db.query.result", "db.search.result",
                          "gen_ai.client.inference.operation.details", "exception"]),
    at_ns=st.integers(0, 9),
    attributes=st.dictionaries(st.sampled_from(["body", "content", "message", "db.query.result.id", "entity"]) | SOME_KEY, JSON_LIKE, max_size=4),
)  # fmt: skip


@settings(max_examples=30)
@given(
    attributes=st.dictionaries(SOME_KEY | st.text(max_size=9), JSON_LIKE, max_size=6),
    events=st.lists(EVENT, max_size=3),
)
def test_nothing_that_a_span_may_carry_makes_reading_fail(attributes, events):
    facts = read_span(Span("0" * 32, "1" * 16, attributes=attributes, events=events))
    assert all(code and words and "\n" not in words for code, words in facts.problems)
    for convention in NAMES:
        write_span(facts, convention)
