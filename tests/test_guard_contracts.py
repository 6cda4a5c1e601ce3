"""Other gateways' contracts: recorded bodies in, the decision in each one's own shape out."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from guarded import ROUTE
from tables import every_row

from showable.production.guard.call import Policy
from showable.production.guard.contracts.ruling import CONTRACTS, RouteRules, read_body, rule_on
from showable.production.guard.counters import Counters
from showable.production.guard.deciding import Deciding
from showable.production.guard.guard_file import Route, RouteTable
from showable.production.guard.retrieval import GivenLog
from showable.production.guard.wire.asked import BadRequestError
from showable.records.findings import Finding, Outcome

LITELLM, NATIVE = "/beta/litellm_basic_guardrail_api", "/showable/guard"
FUTURE_AGI, PORTKEY = "/showable/future-agi", "/showable/portkey"
TEXT = "Notice must be given thirty days before the term ends."
LOG = {"question": "When?", "retrieved": [{"source_id": "lease-4", "text": TEXT}]}
GOOD = "Thirty days before the term ends [lease-4]."
BAD = "Ninety days [lease-9]."


def structured(source_id, quote=TEXT):
    citation = {"source_id": source_id, "quoted_span": quote}
    return json.dumps({"claims": [{"text": "Notice is thirty days.", "citations": [citation]}], "refusal": "none"})


class Logs(dict):
    """Logs by tenant and id, as the guard keeps them for its workers."""

    def put(self, tenant, log_id, body):
        self[tenant, log_id] = GivenLog.model_validate_json(body)

    def get(self, tenant, log_id):
        return super().get((tenant, log_id))


def put(log=LOG, log_id="log-1", tenant=""):
    logs = Logs()
    logs.put(tenant, log_id, json.dumps(log).encode())
    return logs


class Scanners:
    """Scanners of others, as a test has them answer."""

    def __init__(self, answer):
        self.answer = answer

    async def ask(self, _names, call, **_asked):
        return await self.answer(call)


def ask(path, body, logs=None, *, log_id=None, tenant="", policy=None, scanner=None, **table):
    contract, policy = CONTRACTS[path], policy or Policy()
    deciding = Deciding(Counters(Path("none"), 0))
    deciding.outside = scanner and Scanners(scanner)
    fields = ROUTE | {"no_retrieval": policy.no_retrieval} | table
    route = Route(RouteTable.model_validate(fields), policy, {}, None, ("other",) if scanner else ())
    rules = RouteRules(route, (policy,), deciding)
    received = read_body(contract, json.dumps(body).encode())
    ruling = asyncio.run(rule_on(received, rules, Logs() if logs is None else logs, tenant, log_id))
    return contract.write(ruling)


# LiteLLM: bodies as its proxy sends them (litellm 1.108.7, modes pre_call and post_call)


def litellm(kind, texts, *, call_id="c1", headers=None, messages=None, **more):
    """Return a body of the generic guardrail, with every field that the proxy sends."""
    body = {
        "input_type": kind,
        "litellm_call_id": call_id,
        "litellm_trace_id": "t1",
        "structured_messages": messages,
        "images": None,
        "tools": None,
        "texts": texts,
        "request_data": {"user_api_key_hash": "h", "user_api_key_user_id": "default_user_id"},
        "request_headers": {"host": "127.0.0.1", "authorization": "[present]", **(headers or {})},
        "litellm_version": "1.108.7",
        "additional_provider_specific_params": {},
        "tool_calls": None,
        "model": "m",
    }
    return body | more


NAMED = {"x-showable-log": "log-1"}


@every_row(
    "texts, action, source",
    [
        ([GOOD], "NONE", "the log is named in a header that extra_headers forwards"),
        ([BAD], "BLOCKED", "an id that no log holds"),
        ([GOOD, " ", BAD], "BLOCKED", "blocks of one message: the second fails"),
        (["Thirty days before", " the term ends [lease-4]."], "NONE", "blocks that part a sentence"),
        ([structured("lease-4")], "NONE", "a structured answer"),
        ([structured("lease-4", "sixty days")], "BLOCKED", "its quotation stands nowhere"),
        ([structured("lease-4"), structured("lease-9")], "BLOCKED", "n = 2, one of them bad"),
        ([], "BLOCKED", "nothing to look at"),
    ],
)
def test_litellm_answers(texts, action, source):
    reply = ask(LITELLM, litellm("response", texts, headers=NAMED), put())
    assert reply["action"] == action
    assert ("blocked_reason" in reply) is (action == "BLOCKED")


def test_litellm_joins_both_calls_by_the_id_of_the_call():
    logs = put({"retrieved": LOG["retrieved"]})
    before = litellm("request", ["When?"], headers=NAMED, messages=[{"role": "user", "content": "When is notice due?"}])
    assert ask(LITELLM, before, logs) == {"action": "NONE"}
    kept = logs.get("", "joined call c1")
    assert (kept.question, [source.source_id for source in kept.retrieved]) == ("When is notice due?", ["lease-4"])
    assert ask(LITELLM, litellm("response", [GOOD]), logs) == {"action": "NONE"}  # the header is gone
    assert ask(LITELLM, litellm("response", [BAD]), logs)["action"] == "BLOCKED"
    assert (
        ask(LITELLM, litellm("response", [GOOD], call_id="c2"), logs)["action"] == "BLOCKED"
    )  # another call has no log
    assert ask(LITELLM, litellm("response", [GOOD]), logs, tenant="other")["action"] == "BLOCKED"


def test_litellm_tools_are_the_log_where_the_route_names_them():
    logs = Logs()
    result = json.dumps({"results": [{"id": "lease-4", "text": TEXT}]})
    messages = [
        {"role": "user", "content": "When?"},
        {"role": "assistant", "tool_calls": [{"id": "k", "function": {"name": "search_leases", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "k", "content": result},
    ]
    ask(LITELLM, litellm("request", ["When?"], messages=messages), logs, retrieval_tools=["search_*"])
    assert ask(LITELLM, litellm("response", [GOOD]), logs)["action"] == "NONE"
    assert ask(LITELLM, litellm("response", [BAD]), logs)["action"] == "BLOCKED"


def test_litellm_without_citations_in_the_text_is_unknown_and_never_passes():
    """The contract does not carry the citation objects of an interface, so their absence proves nothing."""
    reply = ask(LITELLM, litellm("response", ["Thirty days."], headers=NAMED), put())
    assert reply["action"] == "BLOCKED"
    assert "does not carry" in reply["blocked_reason"]
    same = {"choices": [{"message": {"content": "Thirty days."}, "finish_reason": "stop"}]}
    native = ask(NATIVE, {"response": same, "log": LOG})
    assert "guard.citations_unseen" not in native["codes"]


def test_litellm_header_that_is_not_forwarded_is_told():
    reply = ask(LITELLM, litellm("response", [GOOD], headers={"X-Showable-Log": "[present]"}), put())
    assert reply["action"] == "BLOCKED"
    assert any("extra_headers" in reason for reason in reply["reasons"])


def test_litellm_log_that_is_not_kept_is_told():
    reply = ask(LITELLM, litellm("response", [GOOD], headers={"x-showable-log": "gone"}), put())
    assert reply["action"] == "BLOCKED"
    assert any("not kept" in reason for reason in reply["reasons"])


def test_litellm_calls_without_a_log_are_blocked_before_the_model_is_asked():
    policy = Policy(no_retrieval="reject")
    question = [{"role": "user", "content": "When?"}]
    reply = ask(LITELLM, litellm("request", ["When?"], messages=question), policy=policy)
    assert (reply["action"], "no retrieval log" in reply["blocked_reason"]) == ("BLOCKED", True)
    assert ask(LITELLM, litellm("request", ["When?"], headers=NAMED, messages=question), put(), policy=policy) == {
        "action": "NONE"
    }


def test_litellm_a_turn_of_tool_calls_is_no_answer():
    call = {"id": "k", "type": "function", "function": {"name": "search", "arguments": '{"q": "notice"}'}}
    assert ask(LITELLM, litellm("response", [], headers=NAMED, tool_calls=[call]), put()) == {"action": "NONE"}
    hidden = call | {"function": {"name": "search", "arguments": '{"q": "a\u202eb"}'}}
    assert ask(LITELLM, litellm("response", [], headers=NAMED, tool_calls=[hidden]), put())["action"] == "BLOCKED"


def test_litellm_what_is_no_question_to_a_model_needs_no_log():
    """An embedding brings texts and no messages."""
    reject = Policy(no_retrieval="reject")
    assert ask(LITELLM, litellm("request", ["a passage"]), policy=reject) == {"action": "NONE"}


SHOWS = Policy(on_unknown="show", no_retrieval="unverified")


@every_row(
    "path, body",
    [
        (LITELLM, litellm("response", [], headers=NAMED)),
        (LITELLM, litellm("response", ["", " "], headers=NAMED)),
        (FUTURE_AGI, {"request": {}, "response": {"choices": []}, "metadata": {"showable_log": "log-1"}}),
        (FUTURE_AGI, {"request": {}, "response": {"choices": None}, "metadata": {"showable_log": "log-1"}}),
        (PORTKEY, {"response": {"json": {"choices": []}}, "metadata": {"showable_log": "log-1"}}),
        (PORTKEY, {"response": {}, "metadata": {"showable_log": "log-1"}}),
    ],
)
def test_an_answer_that_the_call_does_not_hold_is_held_under_every_policy(path, body):
    reply = ask(path, body, put(), policy=SHOWS)
    assert (reply.get("action", "BLOCKED"), shown(reply) if "action" not in reply else False) == ("BLOCKED", False)


def test_passages_that_the_model_was_not_shown_support_nothing():
    policy = Policy(on_unknown="hold")
    prompt = [{"role": "user", "content": f"When? {TEXT}"}]
    quoted = litellm("response", [structured("lease-4")], headers=NAMED)
    for messages, action in ((prompt, "NONE"), ([{"role": "user", "content": "When?"}], "BLOCKED")):
        logs = put()
        ask(
            LITELLM,
            litellm("request", ["When?"], headers=NAMED, messages=messages),
            logs,
            verify_shown=True,
            policy=policy,
        )
        assert ask(LITELLM, quoted, logs, verify_shown=True, policy=policy)["action"] == action
    alone = ask(LITELLM, quoted, put(), verify_shown=True, policy=policy)  # the prompt is in no call
    assert (alone["action"], "retrieval_log.not_shown" in alone["codes"]) == ("BLOCKED", True)


def test_a_guard_that_fails_holds():
    async def broken(call):
        raise RuntimeError("a bug")

    reply = ask(PORTKEY, portkey(completion(GOOD), showable_log="log-1"), put(), policy=SHOWS, scanner=broken)
    assert (reply["verdict"], reply["data"]["codes"]) == (False, ["guard.failed"])


# the other contracts: (path, body) of an answer, whole

COMPLETION = {"id": "1", "object": "chat.completion", "model": "m"}
CHAT = {"model": "m", "messages": [{"role": "user", "content": "When?"}]}


def completion(text):
    return COMPLETION | {
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]
    }


def message(text, citations=None):
    block = {"type": "text", "text": text} | ({"citations": citations} if citations else {})
    return {"id": "m", "type": "message", "role": "assistant", "content": [block], "stop_reason": "end_turn"}


def response(text):
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "role": "assistant", "status": "completed", "content": [part]}
    return {"id": "r", "object": "response", "status": "completed", "output": [item]}


def future_agi(reply, **metadata):
    return {"request": CHAT, "response": reply, "metadata": metadata}


def portkey(reply, request=CHAT, event="afterRequestHook", **metadata):
    return {
        "request": {"text": "When?", "json": request, "isStreamingRequest": False},
        "response": {"text": "", "json": reply, "statusCode": 200},
        "provider": "openai",
        "requestType": "chatComplete",
        "metadata": metadata,
        "eventType": event,
    }


def shown(reply):
    """Return whether a contract's reply lets the answer pass, by the field that its gateway reads."""
    return next(value for name in ("pass", "verdict") if (value := reply.get(name)) is not None)


ANSWERS = [completion, message, response]


@every_row("shape", ANSWERS)
def test_native_decides_on_each_interface(shape):
    good = ask(NATIVE, {"response": shape(GOOD), "log": LOG})
    assert (good["action"], good["text"]) == ("show", None)
    assert good["citations"] == {"n": 1, "resolved": 1, "failed": 0, "unknown": 0, "floor": None}
    assert good["rests_on"]["semantic"] == "not_run"
    bad = ask(NATIVE, {"response": shape(BAD), "log": LOG})
    assert (bad["action"], bad["verdict"]) == ("hold", "hold")
    assert "resolvability.not_retrieved" in bad["codes"]
    assert bad["text"]
    assert ask(NATIVE, {"response": shape(GOOD)})["action"] == "hold"  # no log
    assert ask(NATIVE, {"response": shape(GOOD), "log_id": "log-1"}, put())["action"] == "show"
    assert ask(NATIVE, {"response": shape(GOOD)}, put(), log_id="log-1")["action"] == "show"


def test_native_reads_documents_and_citation_objects_of_the_interface():
    document = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": TEXT},
        "title": "Lease",
    }
    request = {"model": "m", "messages": [{"role": "user", "content": [document, {"type": "text", "text": "When?"}]}]}

    def cited(text, quoted):
        place = {
            "type": "char_location",
            "cited_text": quoted,
            "document_index": 0,
            "start_char_index": 0,
            "end_char_index": len(quoted),
        }
        return {"request": request, "response": message(text, [place])}

    assert ask(NATIVE, cited("Thirty days.", TEXT))["action"] == "show"
    assert ask(NATIVE, cited("Thirty days.", "Notice is ninety days."))["action"] == "hold"


def cohere(text, source_id="lease-4", **more):
    """A reply of Cohere's chat interface, version 2, whose first words are cited."""
    citation = {
        "start": 0,
        "end": 11,
        "text": text[:11],
        "sources": [{"type": "document", "id": source_id}],
        "type": "TEXT_CONTENT",
    }
    message = {"role": "assistant", "content": [{"type": "text", "text": text}], "citations": [citation]} | more
    return {"id": "c", "finish_reason": "COMPLETE", "message": message}


COHERE = {
    "model": "m",
    "messages": [{"role": "user", "content": "When?"}],
    "documents": [{"id": "lease-4", "data": {"text": TEXT}}],
}


def gemini(*texts, chunk=0, **more):
    """A reply of Gemini's interface, a candidate for each text, which a passage grounds."""
    passage = {"retrievedContext": {"uri": "gs://b/lease", "title": "Lease", "text": TEXT}}
    candidates = []
    for text in texts:
        support = {
            "segment": {"startIndex": 0, "endIndex": 11, "partIndex": 0, "text": text[:11]},
            "groundingChunkIndices": [chunk],
        }
        found = {"groundingChunks": [passage], "groundingSupports": [support]}
        candidates.append(
            {
                "content": {"role": "model", "parts": [{"text": text}]},
                "finishReason": "STOP",
                "groundingMetadata": found,
            }
        )
    return {"candidates": candidates} | more


@every_row(
    "body, action, source",
    [
        ({"request": COHERE, "response": cohere("Thirty days.")}, "show", "its documents are the log"),
        (
            {"request": COHERE, "response": cohere("Thirty days.", "lease-9")},
            "hold",
            "an id that the request does not hold",
        ),
        ({"api": "cohere", "request": COHERE, "response": cohere("Thirty days.")}, "show", "named"),
        ({"response": cohere("Thirty days.")}, "hold", "the reply's own documents are no log"),
        ({"response": cohere("Thirty days."), "log": LOG}, "show", "a log that was given"),
        ({"request": COHERE, "response": cohere("Thirty days.", tool_plan="a\u202eb")}, "hold", "hidden in the plan"),
        ({"request": COHERE, "response": cohere("Thirty days.") | {"finish_reason": "MAX_TOKENS"}}, "hold", "cut off"),
        ({"response": gemini("Thirty days.")}, "show", "passages of a retrieval tool"),
        ({"response": gemini("Thirty days.", "Thirty days, or so [lease-9].")}, "hold", "the second candidate is bad"),
        ({"response": gemini("Thirty days."), "log": {"retrieved": []}}, "hold", "the application's word counts first"),
        ({"response": {"promptFeedback": {"blockReason": "SAFETY"}}, "log": LOG}, "hold", "there is no answer"),
    ],
)
def test_native_reads_what_the_proxy_does_not_speak(body, action, source):
    assert ask(NATIVE, body)["action"] == action


def test_native_hands_over_the_instruction_of_a_rewrite():
    reply = ask(NATIVE, {"response": completion(BAD), "log": LOG}, policy=Policy(on_fail="rewrite"))
    assert reply["action"] == "rewrite"
    assert "lease-4" in reply["instruction"]


def test_native_refuses_in_words_that_name_the_closest_passage():
    reply = ask(NATIVE, {"response": completion(BAD), "log": LOG}, policy=Policy(on_fail="refuse"))
    assert reply["action"] == "refuse"
    assert "[lease-4]" in reply["text"]


@every_row(
    "path, good, bad, unseen",
    [
        (FUTURE_AGI, future_agi(completion(GOOD), showable_log="log-1"), future_agi(completion(BAD), showable_log="log-1"),
         future_agi(COMPLETION, showable_log="log-1")),
        (FUTURE_AGI, future_agi(message(GOOD), showable_log="log-1"), future_agi(message(BAD), showable_log="log-1"),
         future_agi(None, showable_log="log-1")),
        (PORTKEY, portkey(completion(GOOD), showable_log="log-1"), portkey(completion(BAD), showable_log="log-1"),
         portkey(None, showable_log="log-1")),
        (PORTKEY, portkey(response(GOOD), {"input": "When?"}, showable_log="log-1"),
         portkey(response(BAD), {"input": "When?"}, showable_log="log-1"), portkey({"status": "ok"}, showable_log="log-1")),
    ],
)  # fmt: skip
def test_webhooks_with_both_sides_of_a_call(path, good, bad, unseen):
    assert shown(ask(path, good, put())) is True
    assert shown(ask(path, bad, put())) is False
    assert shown(ask(path, good, Logs())) is False  # the log that is named is not kept
    assert shown(ask(path, unseen, put())) is False  # an answer that is not in the body


def test_future_agi_scores_trigger_on_every_threshold_below_one():
    reply = ask(FUTURE_AGI, future_agi(completion(BAD), showable_log="log-1"), put())
    assert (reply["pass"], reply["score"]) == (False, 1.0)
    assert reply["details"]["codes"] == ["resolvability.not_retrieved"]
    assert ask(FUTURE_AGI, future_agi(completion(GOOD), showable_log="log-1"), put())["score"] == 0.0


def test_portkey_passes_what_comes_before_the_request():
    assert ask(PORTKEY, portkey(None, event="beforeRequestHook"))["verdict"] is True
    assert (
        ask(PORTKEY, portkey(None, event="beforeRequestHook"), policy=Policy(no_retrieval="reject"))["verdict"] is False
    )


def test_another_scanner_is_asked_and_its_word_counts():
    seen = []

    def scanner(*findings):
        async def asked(call):
            seen.append(call.answers[0].text)
            return findings

        return asked

    body = {"response": completion(GOOD), "log": LOG}
    blocked = Finding(code="scanner.other", outcome=Outcome.FAIL, reason="no")
    down = Finding(code="scanner.unavailable", outcome=Outcome.UNKNOWN, reason="down")
    shows = Policy(on_unknown="show", holding=frozenset({"scanner.other"}))
    assert ask(NATIVE, body, policy=shows, scanner=scanner())["action"] == "show"
    assert ask(NATIVE, body, policy=shows, scanner=scanner(blocked))["action"] == "hold"
    assert ask(NATIVE, body, policy=shows, scanner=scanner(down))["action"] == "hold"  # closed on error
    assert ask(NATIVE, body, policy=shows, scanner=scanner(down), on_error="open")["action"] == "unverified"
    assert seen == [GOOD] * 4


@every_row(
    "path, body, field",
    [
        (NATIVE, b"{", "body"),
        (NATIVE, b"[]", "body"),
        (NATIVE, b"{}", "response"),
        (NATIVE, b'{"response": {}}', "response"),
        (NATIVE, b'{"response": {"choices": []}, "api": "grpc"}', "api"),
        (NATIVE, b'{"response": {"choices": []}, "logs": []}', "logs"),
        (NATIVE, b'{"response": {"choices": []}, "log": {"retrieved": [{}]}}', "log.retrieved"),
        (LITELLM, b'{"input_type": "both"}', "input_type"),
        (LITELLM, b'{"input_type": "response", "texts": [1]}', "texts"),
        (FUTURE_AGI, b'{"request": []}', "request"),
        (PORTKEY, b'{"request": {"json": 1}}', "json"),
    ],
)
def test_a_body_that_is_not_the_contracts_is_one_line_with_its_field(path, body, field):
    with pytest.raises(BadRequestError) as raised:
        read_body(CONTRACTS[path], body)
    assert raised.value.field.startswith(field)
    assert "\n" not in str(raised.value)
