"""Traces to Records: which spans answer, what was retrieved before, what was asked, what is said to be missing.

Every trace is built here; what is expected follows from how it was built, the reason standing beside it.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from built_traces import ANSWER, BEGUN, LEASE, QUESTION, TRACE, documents, lease_trace, messages, span
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.read.answer import read_answer
from showable.records.evidence import Evidence
from showable.records.profile import GENERAL
from showable.records.record import Source
from showable.rubrics.grade import grade
from showable.traces.conventions.write import write_span
from showable.traces.facts import Message, SpanFacts
from showable.traces.join import join

FOUR = {"lease-4": LEASE["lease-4"]}
SEVEN = {"lease-7": LEASE["lease-7"]}
DEPOSIT = "The deposit is two months' rent [lease-7]."


def root(**said):
    return span("root", "CHAIN", None, (0, 9), **said)


def retriever(name="retriever", at=(0.1, 0.5), found=LEASE, parent="root", **said):
    return span(name, "RETRIEVER", parent, at, **documents(found), **said)


def llm(name="llm", at=(1, 2), asked=QUESTION, answer=ANSWER, parent="root", **said):
    return span(name, "LLM", parent, at, **messages(asked, answer, **said))


def turn(name, at, question, answer, found):
    return [
        span(name, "CHAIN", "root", (at, at + 3), input=question, output=answer),
        retriever(f"{name}-r", (at + 0.1, at + 0.5), found, name),
        llm(f"{name}-l", (at + 1, at + 2), question, answer, name),
    ]


def graded(answer):
    record = answer.record
    return grade(record, read_answer(record, GENERAL), Evidence(id=record.id, judge="-"), GENERAL)


def codes(answer):
    return {loss.code for loss in answer.losses}


ANSWERING = [
    ("a chain that retrieves and answers", lease_trace(), ["llm"]),
    ("spans of the retriever and the model alone, no root", lease_trace()[1:], ["llm"]),
    ("a model call alone", [llm(parent=None)], ["llm"]),
    ("an evaluator's own model call", [*lease_trace(), span("eval", "EVALUATOR", at=(4, 6)), llm("judge", (4.1, 5), parent="eval")], ["llm"]),
    ("a guardrail's, deeper below", [span("guard", "GUARDRAIL", at=(0, 1)), span("g", "CHAIN", "guard"), llm("check", (0.1, 0.2), parent="g"), *lease_trace()], ["llm"]),
    ("a rewriting whose words are the retriever's query", [root(), llm("first", (0.1, 0.2), answer="notice period lease"), retriever(at=(0.3, 0.5), input="notice period lease"), llm()], ["llm"]),
    ("an expansion into several queries", [root(), llm("first", (0.1, 0.2), answer='["notice period lease", "how to end a lease"]'), retriever(at=(0.3, 0.5), input="how to end a lease"), llm()], ["llm"]),
    ("a rewriting by its name, after another retrieval", [root(), retriever(), llm("rewrite_question", (0.6, 0.7), answer="Notice?"), retriever("again", (0.8, 0.9)), llm()], ["llm"]),
    ("a title made afterwards, which the chain does not give back", [root(output=ANSWER), retriever(), llm(), llm("x", (3, 4), answer="Lease notice")], ["llm"]),
    ("the same without a word of the chain, by the name", [root(), retriever(), llm(), llm("TitleGenerator", (3, 4), answer="Lease notice")], ["llm"]),
    ("calling tools is no answering", [span("root", "AGENT", None, (0, 9)), llm("calls", (0, 0.1), answer=None, **{"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "search"}), span("tool", "TOOL", at=(0.2, 0.6), **documents(LEASE)), llm()], ["llm"]),
    ("one call recorded by two instrumentations, one within the other", [root(output=ANSWER), retriever(), llm("outer"), llm("inner", (1.1, 1.9), parent="outer")], ["outer"]),
    ("and side by side", [root(output=ANSWER), retriever(), llm("one", asked=None), llm("two", (1.05, 1.95))], ["two"]),
    ("refining: the first answer is the second's material", [root(), retriever(), llm("draft", answer="The notice is thirty days or so, it seems."), llm("final", (3, 4), asked="Improve: The notice is thirty days or so, it seems.")], ["final"]),
    ("a failed call and its retry", [root(), retriever(), llm("ok", (1, 2)), replace(llm("bad", (2, 3), answer="The ten"), status="error")], ["ok"]),
    ("turns of a conversation", [span("root", "CONVERSATION", None, (0, 20)), *turn("t1", 1, QUESTION, ANSWER, FOUR), *turn("t2", 6, "And the deposit?", DEPOSIT, SEVEN)], ["t1-l", "t2-l"]),
    ("a flat conversation", [span("root", "CONVERSATION", None, (0, 20)), retriever("r1", (1, 2), FOUR), llm("l1", (2, 3)), retriever("r2", (4, 5), SEVEN), llm("l2", (5, 6), "And the deposit?", DEPOSIT)], ["l1", "l2"]),
    ("a batch of questions in one trace", [span("root", "CHAIN", None, (0, 20)), *turn("t1", 1, QUESTION, ANSWER, FOUR), *turn("t2", 6, "And the deposit?", DEPOSIT, SEVEN)], ["t1-l", "t2-l"]),
    ("agents that work for one answer are no batch", [root(output="In sum: 30 days, and two months' rent."), *turn("t1", 1, QUESTION, ANSWER, FOUR), *turn("t2", 4, "And the deposit?", DEPOSIT, SEVEN), llm("writer", (8, 9), f"{ANSWER} {DEPOSIT}", "In sum: 30 days, and two months' rent.")], ["writer"]),
    ("no model call: the chain answers", lease_trace()[:2], ["root"]),
    ("a model call that gave nothing", [root(), retriever(), llm(answer="")], ["llm"]),
    ("a model call whose words were not recorded", [root(), retriever(), llm(answer=None)], []),
    ("a model call whose message came without its content", [root(), retriever(), llm(answer=None, **{"llm.output_messages.0.message.role": "assistant"})], []),
    ("a model call whose words were masked", [root(), retriever(), llm(answer="__REDACTED__", **{"output.value": "__REDACTED__"})], []),
    ("the same below a chain that gave them", [root(input=QUESTION, output=ANSWER), retriever(), llm(answer="__REDACTED__")], ["root"]),
    ("the same below a chain that masked them too", [root(input="__REDACTED__", output="__REDACTED__"), retriever(), llm(answer="__REDACTED__")], []),
    ("a retriever alone", [retriever(parent=None)], []),
    ("a rewriting alone: the answer is still to come", [root(), llm("rewrite", (0, 0.05), answer="notice"), retriever()], []),
    ("ten milliseconds of skew: it ended before the first retrieval began", [root(), llm(at=(1, 2)), retriever(at=(2.01, 2.5))], ["llm"]),
    ("an hour of skew", [root(), llm(at=(1, 2)), retriever(at=(3602, 3602.4))], ["llm"]),
    ("an end before its start", [root(), retriever(at=(0.5, 0.7)), llm(at=(1, 0.2))], ["llm"]),
    ("early words, and a later call whose words were not recorded: no skew", [root(), llm("first", (0, 0.05), answer="A lease question."), retriever(), llm(answer=None)], []),
    ("early words, and a chain that gave others", [root(input=QUESTION, output=ANSWER), llm("first", (0, 0.05), answer="A lease question."), retriever()], ["root"]),
    ("no spans", [], []),
]  # fmt: skip


@every_row(("spans", "expected"), [row[1:] for row in ANSWERING])
def test_one_record_for_each_answer_to_the_user(spans, expected):
    assert [answer.span_id for answer in join(spans)] == expected


@pytest.mark.parametrize("retrieved", [(2.01, 2.5), (3602, 3602.4)])
def test_a_retrieval_that_clocks_put_after_the_answer_is_joined_to_it(retrieved):
    [answer] = join([root(), llm(at=(1, 2)), retriever(at=retrieved)])
    assert [source.source_id for source in answer.record.retrieved] == [*LEASE]
    assert "clock_skew" in codes(answer)


RETRIEVAL = [
    ("one retriever: its order is what was shown", lease_trace(), [*LEASE], [*LEASE], set()),
    ("a retriever that found nothing", lease_trace(passages={}), [], [], set()),
    ("no retriever", lease_trace(passages=None), None, None, {"no_retrieval_span"}),
    ("two retrievers, overlapping: the union by first appearance", [root(), retriever("a", (0, 0.2), FOUR), retriever("b", (0.3, 0.4), {**SEVEN, **FOUR}), llm()], ["lease-4", "lease-7"], None, set()),
    ("a cousin", [root(), span("search", "CHAIN", at=(0, 0.9)), retriever(parent="search"), span("say", "CHAIN", at=(1, 3)), llm(parent="say")], [*LEASE], [*LEASE], set()),
    ("a tool that brings documents", [root(), span("tool", "TOOL", at=(0, 0.5), **documents(FOUR)), llm()], ["lease-4"], ["lease-4"], set()),
    ("a vector store within its retriever: what the retriever gave was shown", [root(), retriever(at=(0, 0.6), found=FOUR), span("db", "VECTOR_DB", "retriever", (0.1, 0.2), **documents(LEASE)), llm()], ["lease-4", "lease-7", "lease-9"], ["lease-4"], set()),
    ("a reranker: the log is what it got, shown what it gave", [root(), retriever(), span("rank", "RERANKER", at=(0.6, 0.7), **documents(LEASE, "reranker.input_documents"), **documents({**SEVEN, **FOUR}, "reranker.output_documents")), llm()], [*LEASE], ["lease-7", "lease-4"], set()),
    ("a reranker alone", [root(), span("rank", "RERANKER", at=(0.6, 0.7), **documents(LEASE, "reranker.input_documents"), **documents(SEVEN, "reranker.output_documents")), llm()], [*LEASE], ["lease-7"], set()),
    ("passages found in the prompt, in another order", [root(), retriever(), llm(asked=f"{LEASE['lease-9']}\n{LEASE['lease-4']}\n{LEASE['lease-7']}\n{QUESTION}")], [*LEASE], ["lease-9", "lease-4", "lease-7"], {"question_in_prompt"}),
    ("a retrieval after the answer", [root(), retriever(found=FOUR), llm(), retriever("later", (5, 6), SEVEN)], ["lease-4"], ["lease-4"], set()),
    ("the only retrieval is timed after it", [root(output=ANSWER), llm(), retriever("later", (5, 6), SEVEN)], ["lease-7"], ["lease-7"], {"clock_skew"}),
    ("timed after it, but its words are in the prompt", [root(), retriever(found=FOUR), llm(asked=f"{LEASE['lease-7']} {LEASE['lease-4']} {QUESTION}"), retriever("later", (5, 6), SEVEN)], ["lease-4", "lease-7"], ["lease-7", "lease-4"], {"clock_skew", "question_in_prompt"}),
    ("timed outside of the span that it is part of", [root(), retriever(found=FOUR), llm(), span("search", "CHAIN", at=(0.1, 0.9)), retriever("far", (50, 51), SEVEN, "search")], ["lease-4", "lease-7"], None, {"clock_skew"}),
    ("ends after the answer began", [root(), retriever(at=(0.5, 1.5)), llm()], [*LEASE], [*LEASE], {"clock_skew"}),
    ("within the answering span", [llm(parent=None, at=(0, 3)), retriever(at=(1, 2), parent="llm")], [*LEASE], [*LEASE], set()),
    ("an evaluator's retrieval is none of the answer's", [root(), retriever(found=FOUR), span("eval", "EVALUATOR", at=(0.5, 0.6)), retriever("r2", (0.5, 0.6), SEVEN, "eval"), llm()], ["lease-4"], ["lease-4"], set()),
    ("ids without text", lease_trace(passages=dict.fromkeys(LEASE)), [*LEASE], [*LEASE], {"texts_missing"}),
    ("a retriever that says nothing", [root(), span("retriever", "RETRIEVER", at=(0.1, 0.5), input="q"), llm()], None, None, {"documents_missing"}),
    ("a retriever that failed", [root(), replace(span("retriever", "RETRIEVER", at=(0.1, 0.5), input="q"), status="error"), llm()], [], None, {"retrieval_failed"}),
    ("one id, two passages: read together", [root(), retriever("a", (0, 0.1), {"lease": LEASE["lease-4"]}), retriever("b", (0.2, 0.3), {"lease": LEASE["lease-7"]}), llm()], ["lease"], None, {"texts_differ"}),
    ("documents without ids, and the same ones with ids in the store's span", [root(), retriever(at=(0, 0.6), found=[*FOUR.values()]), span("db", "VECTOR_DB", "retriever", (0.1, 0.2), **documents(LEASE)), llm()], ["lease-4", "lease-7", "lease-9"], ["lease-4"], set()),
]  # fmt: skip
SAID_ANYWAY = {"citations_from_text", "missing_parent", "unfinished"}


@every_row(("spans", "log", "shown", "losses"), [row[1:] for row in RETRIEVAL])
def test_the_log_is_what_was_retrieved_before_the_answer(spans, log, shown, losses):
    (answer,) = join(spans)
    record = answer.record
    assert (None if record.retrieved is None else [source.source_id for source in record.retrieved]) == log
    assert (None if record.shown is None else [*record.shown]) == shown
    assert codes(answer) - SAID_ANYWAY == losses


def test_texts_are_fetched_by_id_and_what_is_still_missing_is_said():
    (answer,) = join(
        lease_trace(passages=dict.fromkeys(LEASE)), texts=lambda ids: {i: LEASE[i] for i in ids if i != "lease-9"}
    )
    assert [source.text for source in answer.record.retrieved] == [LEASE["lease-4"], LEASE["lease-7"], None]
    assert "texts_missing" in codes(answer)
    assert "texts_missing" not in codes(join(lease_trace(passages=dict.fromkeys(LEASE)), texts=lambda _: LEASE)[0])


def test_a_turn_of_a_conversation_has_the_log_of_its_own_and_what_it_was_given_again():
    begun = [span("root", "CONVERSATION", None, (0, 20)), *turn("t1", 1, QUESTION, ANSWER, FOUR)]
    own = join([*begun, *turn("t2", 6, "And the deposit?", DEPOSIT, SEVEN)])[1].record
    assert [source.source_id for source in own.retrieved] == ["lease-7"]
    again = [
        retriever("r", (6, 7), SEVEN, "t2"),
        llm("l", (7, 8), f"{LEASE['lease-4']} And the deposit?", DEPOSIT, "t2"),
    ]
    second = join([*begun, span("t2", "CHAIN", at=(6, 9)), *again])[1]
    assert [source.source_id for source in second.record.retrieved] == ["lease-7", "lease-4"]
    assert second.record.shown == ("lease-7",)
    none = join([*begun, span("t2", "CHAIN", at=(6, 9)), again[1]])[1]
    assert [source.source_id for source in none.record.retrieved] == ["lease-4"]
    assert "earlier_turns" in codes(second) & codes(none)


STUFFED = f"Context: {LEASE['lease-4']}\nQuestion: {QUESTION}"
ASKED = [
    ("the chain's input, found in the prompt", root(input=QUESTION), STUFFED, QUESTION),
    ("as JSON", root(input=f'{{"question": "{QUESTION}", "k": 4}}'), STUFFED, QUESTION),
    ("as messages", root(input=f'{{"messages": [{{"role": "user", "content": "{QUESTION}"}}]}}'), STUFFED, QUESTION),
    ("as LangChain's messages", root(input=f'{{"input": {{"messages": [["system", "Be brief"], ["human", "{QUESTION}"]]}}}}'), STUFFED, QUESTION),
    ("JSON that names no question", root(input='{"k": 4}'), QUESTION, QUESTION),
    ("the last user message", root(), [("user", "Hello"), ("assistant", "Yes?"), ("user", QUESTION)], QUESTION),
    ("rewritten, in a stuffed prompt", root(input="And the notice?"), STUFFED, "And the notice?"),
    ("the chain alone says it", root(input=QUESTION), None, QUESTION),
    ("nothing says it", root(), None, ""),
]  # fmt: skip


@pytest.mark.parametrize(("top", "asked", "expected"), [row[1:] for row in ASKED], ids=[row[0] for row in ASKED])
def test_the_question_is_the_shortest_honest(top, asked, expected):
    (answer,) = join([top, retriever(), llm(asked=asked)])
    assert answer.record.question == expected
    assert ("no_question" in codes(answer)) == (not expected)


CITED = "It is 30 days. Pets are allowed."
CITATIONS = [
    ("an id that was retrieved", ANSWER, None, LEASE, "pass", 0),
    ("an id that was not", ANSWER.replace("4", "99"), None, LEASE, "fail", 0),
    ("nothing was retrieved", ANSWER, None, {}, "fail", 0),
    ("it is not known what was retrieved", ANSWER, None, None, "unknown", 0),
    ("no citations at all", CITED, None, LEASE, "not_applicable", 2),
    ("published: none", CITED, [], LEASE, "not_applicable", 2),
    ("published: none, but a marker in the text", ANSWER, [], LEASE, "pass", 0),
    ("published on its claim", CITED, [{"claim": "It is 30 days.", "source_id": "lease-4"}], LEASE, "pass", 1),
    ("published, invented", CITED, [{"claim": "It is 30 days.", "source_id": "lease-99"}], LEASE, "fail", 1),
    ("published by its place", CITED, [{"start": 6, "end": 13, "source_id": "lease-4"}], LEASE, "pass", 1),
    ("a place outside of the text", CITED, [{"start": 6, "end": 1300, "source_id": "lease-4"}], LEASE, "pass", 1),
    ("published without claim or place", CITED, [{"source_id": "lease-4"}], LEASE, "pass", 1),
    ("a quote that the source does not hold", CITED, [{"claim": "It is 30 days", "source_id": "lease-4", "quoted_span": "a notice of sixty days by mail"}], LEASE, "fail", 1),
    ("a claim in other words than the text", CITED, [{"claim": "Thirty days of notice are due", "source_id": "lease-4"}], LEASE, "pass", 1),
    ("ids cited against documents logged without ids", ANSWER, None, [*LEASE.values()], "unknown", 0),
    ("a position among them", "The notice is 30 days [1].", None, [*LEASE.values()], "pass", 0),
    ("published, joined by the words quoted", CITED, [{"claim": "It is 30 days.", "source_id": "lease-4", "quoted_span": "a notice of 30 days in writing"}], [*LEASE.values()], "pass", 1),
    ("a structured answer", '{"claims": [{"text": "The notice is 30 days.", "citations": [{"source_id": "lease-4"}]}], "refusal": "none"}', None, LEASE, "pass", 0),
]  # fmt: skip


@every_row(
    ("text", "published", "passages", "exists", "extra"),
    [row[1:] for row in CITATIONS],
)
def test_citations_are_joined_to_what_was_retrieved(text, published, passages, exists, extra):
    (answer,) = join(lease_trace(text, passages=passages, citations=published))
    scorecard = graded(answer)
    assert scorecard.citation_exists == exists, scorecard.findings
    assert scorecard.extra_claim_count == extra


def test_what_is_missing_is_said():
    whole = lease_trace()
    assert codes(join(whole)[0]) == {"citations_from_text"}
    assert not join(whole, complete=False)[0].complete
    assert "unfinished" in codes(join(whole, complete=False)[0])
    rootless = join(whole[1:])[0]
    assert {"missing_parent", "unfinished"} <= codes(rootless)
    assert not rootless.complete
    assert "answer_from_chain" in codes(join(whole[:2])[0])
    assert "output_differs" in codes(join([root(output="We cannot say."), *whole[1:]])[0])


def test_a_parent_in_another_process_is_missed_by_nobody():
    served = [
        replace(one, parent_id="gateway", remote_parent=True) if one.parent_id is None else one for one in lease_trace()
    ]
    (answer,) = join(served)
    assert answer.complete
    assert codes(answer) == {"citations_from_text"}


def test_a_trace_in_pieces_proves_no_citation_invented():
    pieces = [retriever(found=SEVEN, parent="gone-1"), llm(parent="gone-2")]
    (answer,) = join(pieces)
    assert graded(answer).citation_exists == "unknown"
    together = [retriever(found=SEVEN, parent="gone"), llm(parent="gone")]
    assert graded(join(together)[0]).citation_exists == "fail"
    filtered = [root(), retriever(found=SEVEN, parent="gone"), llm()]
    assert graded(join(filtered)[0]).citation_exists == "fail"
    assert graded(join(filtered, complete=False)[0]).citation_exists == "unknown"


@pytest.mark.parametrize("convention", ["fi", "otel_genai", "openinference", "openllmetry"])
def test_every_convention_joins_alike(convention):
    found = tuple(Source(source_id=named, text=text) for named, text in LEASE.items())
    said = [
        SpanFacts(kind="CHAIN", input_text=QUESTION, output_text=ANSWER),
        SpanFacts(kind="RETRIEVER", input_text=QUESTION, documents=found),
        SpanFacts(
            kind="LLM", inputs=(Message("user", QUESTION),), outputs=(Message("assistant", ANSWER),), model="m-1"
        ),
    ]
    spans = [
        replace(each, attributes=write_span(facts, convention)) for each, facts in zip(lease_trace(), said, strict=True)
    ]
    (answer,) = join(spans)
    record = answer.record
    assert (answer.span_id, answer.model, record.question, record.answer) == ("llm", "m-1", QUESTION, ANSWER)
    assert [(source.source_id, source.text) for source in record.retrieved] == [*LEASE.items()]


def test_a_state_of_messages_gives_question_and_answer():
    took = f'{{"messages": [{{"type": "human", "content": "{QUESTION}"}}]}}'
    gave = f'{{"messages": [{{"type": "human", "content": "{QUESTION}"}}, {{"type": "ai", "content": "{ANSWER}"}}]}}'
    (answer,) = join([root(input=took, output=gave), retriever()])
    assert (answer.record.question, answer.record.answer) == (QUESTION, ANSWER)


def test_json_of_ones_own_making_is_read_by_its_names():
    (answer,) = join(lease_trace('{"answer": "The notice is 30 days.", "sources": ["lease-4", {"id": "lease-99"}]}'))
    assert answer.record.answer.text == "The notice is 30 days."
    assert [citation.exists for citation in graded(answer).claims[0].citations] == ["pass", "fail"]
    assert "citations_from_json" in codes(answer)


def test_halves_of_characters_are_replaced():
    record = join(lease_trace("It is 30\ud800 days.", question="How long\ud800?"))[0].record
    assert (record.question, record.answer) == ("How long\ufffd?", "It is 30\ufffd days.")


def test_halves_of_characters_in_documents_and_citations_are_replaced():
    said = {
        "retrieval.documents.0.document.id": "a\ud800",
        "retrieval.documents.0.document.content": "Cold\udfff and dry \ud83d\ude00.",
    }
    said |= {
        "retrieval.documents.1.document.metadata": {"title": "T\ud800"},
        "retrieval.documents.1.document.content": '{"text": "Warm \ud800."}',
    }
    cited = {"llm.output.citations": [{"source_id": "a\ud800", "claim": "Cold\udfff.", "quoted_span": "\ud800"}]}
    found = span("r", "RETRIEVER", "root", (0.1, 0.5), **said)
    call = llm(answer="Cold\udfff.")
    (answer,) = join([root(), found, replace(call, attributes={**call.attributes, **cited})])
    (first, second), claim = answer.record.retrieved, answer.record.answer.claims[0]
    assert (first.source_id, first.text, second.title) == ("a\ufffd", "Cold\ufffd and dry \U0001f600.", "T\ufffd")
    assert (claim.text, claim.citations[0].source_id, claim.citations[0].quoted_span) == (
        "Cold\ufffd.",
        "a\ufffd",
        "\ufffd",
    )


def test_a_prompt_that_stands_for_the_question_is_said():
    asked = "Passages:\nThe notice is 30 days.\n\nHow long is it?"
    (whole,), (line,) = join([llm(asked=asked)]), join([llm(asked=QUESTION)])
    assert whole.record.question == asked
    assert ("question_is_prompt" in codes(whole), "question_is_prompt" in codes(line)) == (True, False)


def test_circles_of_parents_are_cut():
    spans = [span("root", "CHAIN", "llm", (0, 9)), *lease_trace()[1:-1], llm()]
    (answer,) = join(spans)
    assert answer.span_id == "llm"
    assert "parent_cycle" in codes(answer)
    (alone,) = join([llm(parent="llm")])
    assert alone.record.answer == ANSWER


def test_who_answered_is_told_from_the_span_and_those_above_it():
    first, *rest = lease_trace(
        **{"llm.model_name": "m-1", "llm.token_count.prompt": 20, "llm.token_count.completion": 7}
    )
    first = replace(first, resource={"showable.cohort": "b", "service.name": "lease-qa"})
    (answer,) = join([first, *(replace(each, resource={"showable.cohort": "b"}) for each in rest)])
    assert (answer.model, answer.cohort, answer.service, answer.tokens_in, answer.tokens_out) == (
        "m-1",
        "b",
        "lease-qa",
        20,
        7,
    )
    assert (answer.record.id, answer.record.trace_id) == (f"{TRACE}:llm", TRACE)
    assert (answer.parent_id, answer.started_ns, answer.latency_ms, answer.spans) == ("root", BEGUN + 10**9, 3000.0, 3)
    assert answer.record.metadata == {"service": "lease-qa", "model": "m-1"}
    assert answer.conventions == ("openinference",)


EVERY = [row[1] for row in (*ANSWERING, *RETRIEVAL)]


@settings(max_examples=40)
@given(spans=st.sampled_from(EVERY), data=st.data())
def test_order_and_repetition_change_nothing(spans, data):
    if not spans:
        return
    mixed = data.draw(st.permutations([*spans, *data.draw(st.lists(st.sampled_from(spans), max_size=4))]))
    assert join(mixed) == join(spans)


@settings(max_examples=60)
@given(spans=st.sampled_from(EVERY), data=st.data())
def test_whatever_is_missing_or_points_anywhere_the_rest_is_joined(spans, data):
    left = [each for each in spans if data.draw(st.booleans())]
    ids = [each.span_id for each in spans]
    turned = [
        replace(each, parent_id=data.draw(st.sampled_from([each.parent_id, None, "gone", *ids]))) for each in left
    ]
    for answer in join(turned):
        assert answer.span_id in {each.span_id for each in left}
        graded(answer)
