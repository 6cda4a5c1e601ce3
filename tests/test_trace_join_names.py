"""Joins that need more than ids: names that the prompt shows, retrievals of tools, agents among agents, logs that were cut."""

import json
from dataclasses import replace

import pytest
from built_traces import LEASE, QUESTION, documents, lease_trace, messages, span
from tables import every_row

from showable.measure.rubric_outcomes import structural_outcome
from showable.rubrics.retrieval_log import known_shown
from showable.traces.join import join
from showable.traces.scorers import grade_unjudged

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
    assert {loss.code for loss in traced.losses} <= {"known_by_name", "id_from_metadata", "citations_from_text"}


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


A, B, C = LEASE.items()
A2 = ("lease-4", "The landlord may end it with a notice of three months.")
LONG = ("lease-8", "Heating is paid with the rent. " * 9 + "It is billed once a year, in the month of March.")
TWICE = "a passage that overlaps: the end of one is the beginning of the next. " * 4
HEAD, TAIL = (
    ("head", f"The first words of the head. {TWICE}"),
    ("tail", f"{TWICE}And the last words of the tail, which stand alone."),
)
IDS = ["lease-4", "lease-7", "lease-9"]


def numbered(*passages, form="[{}] {}", begin=1):
    lines = (form.format(n, text) for n, (_, text) in enumerate(passages, begin))
    return "\n".join([*lines, f"Question: {QUESTION}"])


def found(passages):
    said = {}
    for n, (named, text) in enumerate(passages):
        said[f"retrieval.documents.{n}.document.id"] = named
        said |= {} if text is None else {f"retrieval.documents.{n}.document.content": text}
    return said


def searches(retrieved, prompt, answer="Give a notice of 30 days [2].", **llm):
    """Build a turn in which each list of passages is what one retriever found; what lies between them and the prompt has no span."""
    root, _, call = turn({}, prompt, answer)
    each = [span(f"r{n}", "RETRIEVER", at=(0.1, 0.2 + n / 100), **found(one)) for n, one in enumerate(retrieved)]
    return [root, *each, replace(call, attributes=call.attributes | llm)]


ORDERS = [  # what each retriever found, the prompt, what was shown: the order in which the prompt was built; None: nothing tells
    ("all, in the retriever's order", [[A, B, C]], numbered(A, B, C), IDS),
    ("all, in another order", [[A, B, C]], numbered(C, A, B), ["lease-9", "lease-4", "lease-7"]),
    ("one was dropped", [[A, B, C]], numbered(A, C), ["lease-4", "lease-9"]),
    ("one was dropped, the rest sorted, without numbers", [[A, B, C]], numbered(C, A, form="- {1}"), ["lease-9", "lease-4"]),
    ("one was dropped, and the others kept their numbers", [[A, B, C]], numbered(B, C, begin=2), IDS),
    ("other words of numbers", [[A, B, C]], numbered(C, A, form="Source {}:\n{}"), ["lease-9", "lease-4"]),
    ("numbers from 0", [[A, B, C]], numbered(A, B, C, begin=0), None),
    ("numbers that are no places", [[A, B, C]], numbered(A, C, begin=7), None),
    ("of two retrievers, fused", [[A, B], [C, LONG]], numbered(C, A), ["lease-9", "lease-4"]),
    ("of two retrievers, a prompt without passages", [[A, B], [C]], QUESTION, None),
    ("of two retrievers that found the same, a prompt without passages", [[A, B], [A, B], []], QUESTION, IDS[:2]),
    ("of one retriever, a prompt without passages", [[A, B, C]], QUESTION, IDS),
    ("several passages of one document", [[A, B, A2]], numbered(A, B, A2), ["lease-4", "lease-7", "lease-4"]),
    ("the same, next to each other", [[A, A2, B]], numbered(A, A2, B), ["lease-4", "lease-4", "lease-7"]),
    ("the same, one of them dropped", [[A, A2, B]], numbered(A2, B), ["lease-4", "lease-7"]),
    ("the same, a prompt without passages", [[A, A2, B]], QUESTION, ["lease-4", "lease-4", "lease-7"]),
    ("one without words, the others in order", [[A, ("x", None), C]], numbered(A, ("", "?"), C), ["lease-4", "x", "lease-9"]),
    ("one without words, the others in none", [[A, ("x", None), C]], numbered(C, ("", "?"), A), None),
    ("one that was cut short", [[LONG, A, C]], numbered((0, LONG[1][:90]), A, C), ["lease-8", "lease-4", "lease-9"]),
    ("one that was cut short, the others sorted", [[LONG, A, C]], numbered((0, LONG[1][:90]), C, A), None),
    ("passages that overlap", [[TAIL, HEAD]], numbered(HEAD, TAIL), ["head", "tail"]),
    ("passages that overlap, one dropped", [[HEAD, TAIL, A]], numbered(A, HEAD), ["lease-4", "head"]),
    ("one text under two ids", [[A, ("copy", A[1])], [B]], numbered(A, B), None),
    ("a passage that stands there twice, without numbers", [[A, B]], numbered(B, A, B, form="- {1}"), None),
]  # fmt: skip


@every_row(("retrieved", "prompt", "shown"), [row[1:] for row in ORDERS])
def test_a_number_counts_in_what_the_prompt_showed(retrieved, prompt, shown):
    answer, outcome = exists(searches(retrieved, prompt))
    assert [*answer.record.shown] == (shown or [])
    assert ("order_unknown" in {loss.code for loss in answer.losses}) == (shown is None)
    assert known_shown(answer.record) == (shown and tuple(shown))
    assert outcome == ("unknown" if shown is None else "pass")


CITING = [  # two retrievers, and no word of the order: what needs none is told all the same
    ("an id", "Give 30 days [lease-4].", "pass"),
    ("an id that was not retrieved", "Give 30 days [lease-99].", "fail"),
    ("a number", "Give 30 days [3].", "unknown"),
    ("a number beyond all that was retrieved", "Give 30 days [4].", "fail"),
    ("a number of a passage whose document was counted before", "Give 30 days [3]. See [2].", "unknown"),
    ("no citation", "Give 30 days.", "not_applicable"),
]


@every_row(("answer", "outcome"), [row[1:] for row in CITING])
@every_row("second", [[C], [A2]])
def test_where_no_order_is_known_numbers_alone_are_left_open(second, answer, outcome):
    assert exists(searches([[A, B], second], QUESTION, answer))[1] == outcome


PARTLY = [
    ({}, (), ["lease-9", "lease-4"]),
    ({"llm.input_messages.1.message.role": "user"}, (), None),
    ({}, ('attribute "llm.input_messages": cut at 9 of 99 characters',), None),
]


@pytest.mark.parametrize(("more", "problems", "shown"), PARTLY, ids=["whole", "a message without content", "cut"])
def test_what_a_prompt_lacks_was_dropped_only_where_all_of_it_came(more, problems, shown):
    *spans, call = searches([[A, B, C]], numbered(C, A, form="- {1}"), **more)
    answer, outcome = exists([*spans, replace(call, problems=problems)])
    assert ([*answer.record.shown], outcome) == ((shown, "pass") if shown else ([], "unknown"))


def test_of_rerankers_beside_each_other_no_order_is_known():
    root, one, other, call = searches([[A, B], [C]], QUESTION)
    ranks = [
        span(f"rank{n}", "RERANKER", at=(0.6, 0.7 + n / 10), **documents(dict(got), "reranker.input_documents"), **documents(dict(gave), "reranker.output_documents"))
        for n, (got, gave) in enumerate([([A, B], [B]), ([C], [C])])
    ]  # fmt: skip
    assert exists([root, one, other, *ranks, call])[1] == "unknown"
    last = span("last", "RERANKER", at=(0.8, 0.9), **documents(dict([C, B]), "reranker.output_documents"))
    assert join([root, one, other, *ranks, last, call])[0].record.shown == ("lease-9", "lease-7")


def test_words_that_are_kept_elsewhere_are_looked_for_in_the_prompt_too():
    spans = searches([[(named, None) for named in LEASE]], numbered(C, A, B))
    assert join(spans, texts=lambda ids: {named: LEASE[named] for named in ids})[0].record.shown == tuple(
        IDS[n] for n in (2, 0, 1)
    )


def test_passages_of_an_earlier_turn_that_are_numbered_with_its_own_count():
    *first, _ = searches([[A]], numbered(A), "Give 30 days [1].")
    prompts = {"with its own": numbered(A, B), "by themselves": f"{numbered(A)}\n{numbered(B)}"}
    shown = {}
    for how, prompt in prompts.items():
        call = span("llm", "LLM", at=(1, 2), **messages(numbered(A), "Give 30 days [1]."))
        turns = [span("root", "CONVERSATION", None, (0, 9)), *first[1:], call]
        again = span("again", "RETRIEVER", at=(3, 3.5), **found([B]))
        later = span("later", "LLM", at=(4, 5), **messages(prompt, "The deposit is two months' rent [1]."))
        shown[how] = join([*turns, again, later])[1].record.shown
    assert shown == {"with its own": ("lease-4", "lease-7"), "by themselves": ("lease-7",)}
