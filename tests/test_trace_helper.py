import builtins
import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import NoOpTracerProvider, ProxyTracerProvider

from showable import Answer, Citation, Claim, InputError, Record, Source, trace
from showable.errors import SettingError
from showable.read.answer import read_answer
from showable.records.profile import GENERAL
from showable.records.spans import Span
from showable.traces.join import join

QUESTION = "How long is the notice period?"
LEASE = Source(
    source_id="lease-7",
    text="The notice period is 30 days.",
    title="Lease",
    page=3,
    score=0.5,
    metadata={"tier": "primary"},
)
RENT = Source(source_id="lease-2", text="The rent is 900 euros a month.")


@pytest.fixture(scope="module")
def recording():
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))

    def finished():
        spans = [_span(span) for span in exporter.get_finished_spans()]
        exporter.clear()
        return spans

    yield provider, finished
    provider.shutdown()


def _span(span):
    return Span(
        trace_id=f"{span.context.trace_id:032x}",
        span_id=f"{span.context.span_id:016x}",
        parent_id=None if span.parent is None else f"{span.parent.span_id:016x}",
        name=span.name,
        start_ns=span.start_time,
        end_ns=span.end_time,
        attributes=dict(span.attributes),
        status=span.status.status_code.name.lower(),
    )


def one(recording, **told):
    """Record a turn by one call, and join what came of it."""
    provider, finished = recording
    trace_id = trace.answer(QUESTION, tracer_provider=provider, **told)
    (found,) = join(finished())
    assert found.trace_id == trace_id
    return found


def test_one_call_gives_the_record_back(recording):
    found = one(recording, retrieved=[LEASE, RENT], answer="The notice period is 30 days [1].", shown=["lease-7"], model="m",
                profile="legal", prompt_version="v2", cohort="b", tokens_in=4, tokens_out=5, cost_usd=0.25)  # fmt: skip
    record = found.record
    assert (record.question, record.answer) == (QUESTION, "The notice period is 30 days [1].")
    assert record.retrieved == (LEASE, RENT)
    assert record.shown == ("lease-7",)
    assert (found.model, record.profile, found.prompt_version, found.cohort) == ("m", "legal", "v2", "b")
    assert (found.tokens_in, found.tokens_out, found.cost_usd) == (4, 5, 0.25)
    assert [loss.code for loss in found.losses] == ["citations_from_text"]


def test_a_turn_told_as_it_goes_has_its_steps_one_after_the_other(recording):
    provider, finished = recording
    with trace.answering(QUESTION, tracer_provider=provider) as turn:
        turn.retrieved([LEASE])
        turn.retrieved([RENT])
        turn.shown(["lease-2", "lease-7"])
        turn.answered("It is 30 days.", citations=["lease-7"], model="m")
    spans = sorted(finished(), key=lambda span: (span.parent_id is not None, span.start_ns))
    assert [span.name for span in spans] == ["answer a question", "retrieve", "retrieve", "rerank", "answer"]
    root, *steps = spans
    assert {span.parent_id for span in steps} == {root.span_id}
    assert all(before.end_ns <= after.start_ns for before, after in itertools.pairwise(steps))
    (found,) = join(spans)
    assert found.record.retrieved == (LEASE, RENT)
    assert found.record.shown == ("lease-2", "lease-7")
    assert read_answer(found.record, GENERAL).answer.claims[0].citations[0].source_id == "lease-7"


@pytest.mark.parametrize("retrieved", [None, [], [RENT]])
def test_nothing_logged_is_not_nothing_found(recording, retrieved):
    found = one(recording, retrieved=retrieved, answer="It is 30 days.")
    assert found.record.retrieved == (None if retrieved is None else tuple(retrieved))


def test_an_answer_with_its_claims_is_read_back_whole(recording):
    said = Answer(
        claims=(
            Claim(
                text="It is 30 days.",
                kind="holding",
                citations=(Citation(source_id="lease-7", quoted_span="30 days", page=3),),
            ),
            Claim(text="The rent is 900 euros."),
        ),
        refusal="none",
    )
    found = one(recording, retrieved=[LEASE, RENT], answer=said)
    given_whole = Record(id="r", question=QUESTION, answer=said.model_dump_json(), retrieved=(LEASE, RENT))
    assert read_answer(found.record, GENERAL).answer == read_answer(given_whole, GENERAL).answer
    assert [claim.kind for claim in read_answer(found.record, GENERAL).answer.claims] == ["holding", None]


def test_more_passages_than_an_sdk_has_attributes_for(recording):
    # Source: OpenTelemetry SDK specification, AttributeCountLimit: 128.
    many = [Source(source_id=f"p-{i}", text=f"Passage {i}.", score=1 / (i + 1)) for i in range(200)]
    assert one(recording, retrieved=many, shown=["p-3"], answer="See p-3.").record.retrieved == tuple(many)


def test_a_model_call_that_something_else_records_stands_in_the_turn(recording):
    provider, finished = recording
    with trace.answering(QUESTION, tracer_provider=provider) as turn:
        turn.retrieved(["The notice period is 30 days."])
        with provider.get_tracer("elsewhere").start_as_current_span("chat") as span:
            span.set_attributes({"gen_ai.operation.name": "chat"})
            span.set_attribute(
                "gen_ai.output.messages",
                '[{"role": "assistant", "parts": [{"type": "text", "content": "30 days [1]."}]}]',
            )
        assert len(turn.trace_id) == 32
    (found,) = join(finished())
    assert (found.record.question, found.record.answer) == (QUESTION, "30 days [1].")
    assert [source.source_id for source in found.record.retrieved] == ["1"]


def test_citations_beside_a_text_hang_on_their_claims(recording):
    text = "The notice period is 30 days. The rent is 900 euros a month."
    cited = [
        {"source_id": "lease-7", "claim": "The notice period is 30 days.", "page": 3},
        Citation(source_id="lease-2"),
    ]
    found = one(recording, retrieved=[LEASE, RENT], answer=text, citations=cited)
    first, second = found.record.answer.claims
    assert (first.text, first.citations[0].source_id, first.citations[0].page) == (
        "The notice period is 30 days.",
        "lease-7",
        3,
    )
    assert second.citations[0].source_id == "lease-2"


def test_texts_are_numbered_through_the_turn(recording):
    provider, finished = recording
    with trace.answering(QUESTION, tracer_provider=provider) as turn:
        turn.retrieved(["The notice period is 30 days."])
        turn.retrieved(["The rent is 900 euros a month."])
        turn.answered("It is 30 days [1].")
    (found,) = join(finished())
    assert [(source.source_id, source.text[:8]) for source in found.record.retrieved] == [
        ("1", "The noti"),
        ("2", "The rent"),
    ]


def test_configure_sends_a_programs_spans_to_a_receiver(monkeypatch):
    set_up = []
    monkeypatch.setattr(
        "opentelemetry.trace.get_tracer_provider", lambda: set_up[0] if set_up else ProxyTracerProvider()
    )
    monkeypatch.setattr("opentelemetry.trace.set_tracer_provider", set_up.append)
    trace.configure("http://127.0.0.1:9", service="leases")
    (provider,) = set_up
    provider.shutdown()
    assert provider.resource.attributes["service.name"] == "leases"
    with pytest.raises(SettingError, match="has a tracer provider already"):
        trace.configure(service="leases")


def test_a_turn_that_fails_says_so(recording):
    provider, finished = recording
    with pytest.raises(ZeroDivisionError), trace.answering(QUESTION, tracer_provider=provider):
        1 / 0  # noqa: B018
    assert [span.status for span in finished()] == ["error"]


def test_without_an_sdk_nothing_is_recorded():
    assert trace.answer(QUESTION, answer="It is 30 days.", tracer_provider=NoOpTracerProvider()) is None


def test_what_cannot_be_recorded_is_said(recording):
    provider, finished = recording
    with trace.answering(QUESTION, tracer_provider=provider) as turn:
        with pytest.raises(InputError, match=r"retrieved\[1\]\.txt"):
            turn.retrieved([LEASE, {"source_id": "a", "txt": "b"}])
        with pytest.raises(InputError, match="shown: was not retrieved: lease-9"):
            turn.shown(["lease-9"])
        with pytest.raises(InputError, match="citations"):
            turn.answered("30 days.", citations=[{"source": "lease-7"}])
        with pytest.raises(SettingError, match="modle: no such fact"):
            turn.answered("30 days.", modle="m")
    finished()


def test_without_opentelemetry_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *given):
        if name.startswith("opentelemetry"):
            raise ImportError(name)
        return real(name, *given)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SettingError, match=r"pip install 'showable\[trace\]'"):
        trace.answer(QUESTION, answer="30 days.")


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=20)
SOURCES = st.lists(
    st.builds(Source, source_id=TEXT, text=TEXT.map("A passage of {}.".format), title=st.none() | TEXT, page=st.none() | st.integers(1, 999),
              score=st.none() | st.floats(0, 1)),
    max_size=5, unique_by=lambda source: source.source_id,
)  # fmt: skip


@settings(max_examples=25)
@given(SOURCES, TEXT.map("It says {}, and this is known.".format), st.data())
def test_what_is_recorded_is_read_back(recording, retrieved, text, data):
    ids = [source.source_id for source in retrieved]
    shown = data.draw(st.lists(st.sampled_from(ids), unique=True, min_size=1)) if ids else None
    found = one(recording, retrieved=retrieved, shown=shown, answer=text)
    assert (found.record.question, found.record.answer, found.record.retrieved) == (QUESTION, text, tuple(retrieved))
    assert list(found.record.shown or ()) == (shown or [])
