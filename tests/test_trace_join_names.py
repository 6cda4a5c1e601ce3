"""Joins that need more than ids: names that the prompt shows, retrievals of tools, agents among agents, logs that were cut."""

import json
from dataclasses import replace

import pytest
from built_traces import LEASE, QUESTION, documents, lease_trace, messages, span

from probative.measure.rubric_outcomes import structural_outcome
from probative.traces.join import join
from probative.traces.scorers import grade_unjudged

NAMED = "Give a notice of 30 days [lease.pdf]."
FILES = ("/data/lease.pdf", "/data/deposit.pdf", "/data/pets.pdf")
PROMPT = "\n".join(f"[{path[6:]}] {text}" for path, text in zip(FILES, LEASE.values(), strict=True)) + f"\n{QUESTION}"


def turn(retrieved, prompt, answer):
    return [
        span("root", "CHAIN", None, (0, 3), input=QUESTION, output=answer),
        span("retriever", "RETRIEVER", at=(0.1, 0.5), input=QUESTION, **retrieved),
        span("llm", "LLM", at=(1, 2.5), **messages(prompt, answer)),
    ]


def exists(spans):
    [answer] = join(spans)
    return answer, str(grade_unjudged(answer.record).citation_exists)


def with_files(passages):
    return documents(passages) | {
        f"retrieval.documents.{n}.document.metadata": json.dumps({"source": path}) for n, path in enumerate(FILES)
    }


@pytest.mark.parametrize(
    "ids", [list(LEASE.values()), {f"uuid-{n}": text for n, text in enumerate(LEASE.values())}], ids=["hashed", "uuids"]
)
@pytest.mark.parametrize(("answer", "outcome"), [(NAMED, "pass"), (NAMED.replace("lease", "bylaws"), "fail")])
def test_a_document_is_known_by_the_name_that_the_model_was_shown(ids, answer, outcome):
    traced, found = exists(turn(with_files(ids), PROMPT, answer))
    assert ([s.source_id for s in traced.record.retrieved], found) == (
        ["lease.pdf", "deposit.pdf", "pets.pdf"],
        outcome,
    )
    assert {loss.code for loss in traced.losses} <= {"known_by_name", "citations_from_text"}


@pytest.mark.parametrize("short", ["cut", "dropped"])
def test_documents_that_were_lost_on_the_way_prove_nothing(short):
    whole = json.dumps([{"id": named, "content": text} for named, text in LEASE.items()])
    retrieved = {
        "retrieval.documents": whole[:-120] if short == "cut" else whole[: whole.index(', {"id": "lease-9"')] + "]"
    }
    spans = turn(retrieved, QUESTION, "Pets need consent [lease-9].")
    if short == "dropped":
        spans[1] = replace(spans[1], problems=("3 attributes were dropped by the sender",))
    assert exists(spans)[1] == "unknown"


LOST = [
    ("an index gap", {"retrieval.documents.0.document.id": "lease-4", "retrieval.documents.3.document.id": "lease-7"}, (), "unknown"),
    ("attributes beyond a count", {"retrieval.documents": '[{"id": "lease-4"}]'}, ("1 attributes were dropped by the sender",), "unknown"),
    ("a value cut at a size", {"retrieval.documents": '[{"id": "lease-4"}]'}, ('attribute "retrieval.documents": cut at 9 of 99 values',), "unknown"),
    ("events, which hold no documents", {"retrieval.documents": '[{"id": "lease-4"}]'}, ("1 events were dropped by the sender",), "fail"),
    ("nothing", {"retrieval.documents": '[{"id": "lease-4"}]'}, (), "fail"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "problems", "expected"), [row[1:] for row in LOST], ids=[row[0] for row in LOST])
def test_a_log_proves_nothing_of_what_it_may_have_lost(said, problems, expected):
    spans = turn(said, QUESTION, "Pets need consent [lease-9].")
    spans[1] = replace(spans[1], problems=problems)
    assert exists(spans)[1] == expected


def test_a_list_that_was_cut_before_its_first_document_is_no_empty_retrieval():
    [traced] = join(turn({"retrieval.documents": '[{"id": "lea'}, QUESTION, "Pets need consent [lease-9]."))
    assert traced.record.retrieved is None


@pytest.mark.parametrize(("problem", "expected"), [
    ("2 attributes were dropped by the sender", "unknown"),
    ('attribute "output.value": cut at 9 of 99 characters', "unknown"),
    ('attribute "metadata": cut at 9 of 99 characters', "fail"),
])  # fmt: skip
def test_an_answer_that_lost_attributes_may_have_cited(problem, expected):
    spans = turn({"retrieval.documents": '[{"id": "lease-4"}]'}, QUESTION, "Pets need consent.")
    spans[2] = replace(spans[2], problems=(problem,))
    [traced] = join(spans)
    assert structural_outcome(grade_unjudged(traced.record)) == expected


JUDGES = [
    "You are an impartial judge. Rate the faithfulness of the answer.",
    "Is the answer supported by the context? Reply yes or no.",
    "Summarise the conversation so far in one sentence.",
]


@pytest.mark.parametrize("told", JUDGES)
def test_a_call_that_speaks_about_the_answer_is_not_the_answer(told):
    root, retriever, llm = lease_trace()
    bare = replace(root, attributes={"openinference.span.kind": "CHAIN", "input.value": QUESTION})
    said = llm.attributes["llm.output_messages.0.message.content"]
    later = span(
        "later",
        "LLM",
        at=(2.6, 2.9),
        **messages([("system", told), ("user", f"{QUESTION}\n{said}")], "It is all faithful to the context."),
    )
    assert [answer.span_id for answer in join([bare, retriever, llm, later])] == ["llm"]


def test_of_agents_whose_answers_somebody_put_together_the_whole_is_the_answer():
    whole = "Notice is 30 days [lease-4]; the deposit is two months' rent [lease-7]."
    parts = {
        "a": ("Notice?", "The notice is 30 days [lease-4]."),
        "b": ("Deposit?", "Two months of rent are the deposit [lease-7]."),
    }
    spans = [span("root", "AGENT", None, (0, 9), input="Notice and deposit?", output=whole)]
    for named, (asked, said) in parts.items():
        found = documents({"lease-4": LEASE["lease-4"]} if named == "a" else {"lease-7": LEASE["lease-7"]})
        spans += [
            span(named, "AGENT", at=(1, 5), input=asked, output=said),
            span(f"{named}-found", "RETRIEVER", named, (1.1, 2), input=asked, **found),
            span(f"{named}-said", "LLM", named, (2, 4), **messages(asked, said)),
        ]
    asked = [("user", "Notice and deposit?"), *(("assistant", said) for _, said in parts.values())]
    [answer] = join([*spans, span("last", "LLM", at=(6, 8), **messages(asked, whole))])
    assert (answer.span_id, {s.source_id for s in answer.record.retrieved}) == ("last", {"lease-4", "lease-7"})


TOOLS = [  # what it gave, the ids that are in the log
    ([{"id": "lease-4", "text": LEASE["lease-4"]}], ["lease-4"]),
    (
        {"results": [{"url": "https://a.example/l", "title": "Lease", "content": LEASE["lease-4"]}]},
        ["https://a.example/l"],
    ),
    ([{"count": 42}], None),
    ({"content": [{"type": "text", "text": "Done."}]}, None),
    ({"results": ["one", "two"]}, None),
]


@pytest.mark.parametrize(("gave", "ids"), TOOLS)
def test_a_tool_that_searches_is_a_retrieval(gave, ids):
    spans = turn({}, QUESTION, "Give 30 days [lease-4].")
    spans[1] = span("tool", "TOOL", at=(0.1, 0.5), input=QUESTION, output=json.dumps(gave))
    [answer] = join(spans)
    assert (None if answer.record.retrieved is None else [s.source_id for s in answer.record.retrieved]) == ids


@pytest.mark.parametrize("gave", ["[]", '{"documents": []}'])
def test_a_retriever_that_gave_nothing_found_nothing(gave):
    answer, outcome = exists(turn({"output": gave}, QUESTION, "Give 30 days [1]."))
    assert (answer.record.retrieved, outcome) == ((), "fail")
