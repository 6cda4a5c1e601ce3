"""guard.toml: the smallest one works, every mistake is one line with its place; prices and costs by hand."""

import json
import time
from types import SimpleNamespace

import pytest
from guarded import chat, config_text, messages, responses

from showable.errors import InputError
from showable.production.guard.acting import composed_refusal
from showable.production.guard.call import GivenAnswer, GuardCall
from showable.production.guard.call_rows import CallRow, CallRows, structure_of
from showable.production.guard.cost import Prices, read_prices
from showable.production.guard.cost_table import Mean, costs_by_route, difference
from showable.production.guard.counters import Counters
from showable.production.guard.guard_file import PriceTable, policy_for, read_guard_file
from showable.production.guard.proxy import WIRES
from showable.production.guard.tracked import Spent, TrackedCall
from showable.production.guard.wire.asked import Usage
from showable.profiles.load import load_profile
from showable.read.answer import read_answer
from showable.records.record import Record, Source
from showable.rubrics.refusal_quality import grade_refusal


def read(tmp_path, text, environment=None):
    path = tmp_path / "guard.toml"
    path.write_text(text, "utf-8")
    return read_guard_file(path, environment or {})


def test_the_smallest_config_works(tmp_path):
    settings = read(tmp_path, config_text(9000))
    route = settings.route_of("chat", "/v1/chat/completions", "", "any")
    assert (route.name, route.policy.on_fail, route.policy.on_unknown, route.policy.reading) == (
        "all",
        "hold",
        "show",
        "lean",
    )


WRONG = [
    # name, text, where the error points, a part of it
    ("no TOML", "a = =\n", ":1", "no TOML"),
    ("unknown key", config_text(1, {"profle": "x"}), ":12", "profle"),
    ("no upstream of that name", config_text(1, {"upstream": "x"}), ":8", "none of model"),
    ("no policy without a log", config_text(1, {"no_retrieval": None}), ":", "no_retrieval"),
    ("another policy", config_text(1, {"no_retrieval": "maybe"}), ":10", "no_retrieval"),
    ("unknown profile", config_text(1, {"profile": "poetry"}), ":9", "poetry"),
    ("no address", config_text(1, upstream={"base_url": "localhost"}), ":3", "base_url"),
    ("user in the address", config_text(1, upstream={"base_url": "http://a:b@x"}), ":3", "base_url"),
    ("credential without keys", config_text(1, upstream={"key": "env:K"}), ":5", "callers show"),
    ("unset variable", config_text(1, upstream={"key": "env:MISSING"}), ":5", "MISSING is not set"),
    ("a key in the file", '[key.a]\nsecret = "in plain"\n' + config_text(1), ":2", "secret"),
    ("short key", '[key.a]\nsecret = "env:SHORT"\n' + config_text(1), ":2", "16 characters"),
    (
        "by the sentence under a full reading",
        config_text(1, {"stream": "sentence", "profile": "legal", "semantic": "off"}),
        ":",
        "sentence",
    ),
    (
        "critical without a full reading",
        config_text(1, {"semantic": "critical", "reading": "lean"}),
        ":11",
        "critical",
    ),
    ("sampled without a store", config_text(1, {"semantic": "sampled"}), ":11", "[store]"),
    ("no such judge", '[judge]\njudge = "oracle"\n' + config_text(1, {"semantic": "required"}), ":1", "oracle"),
    ("a webhook in plain", '[store]\npath = "s"\nwebhook = "http://198.51.100.1/"\n' + config_text(1), ":3", "https"),
]


@pytest.mark.parametrize(("name", "text", "place", "part"), WRONG, ids=[row[0] for row in WRONG])
def test_a_mistake_is_one_line_with_file_and_line(tmp_path, name, text, place, part):
    with pytest.raises(InputError) as raised:
        read(tmp_path, text, {"K": "k" * 20, "SHORT": "short"})
    assert str(raised.value).startswith(f"{tmp_path}/guard.toml{place}")
    assert part in str(raised.value)
    assert "\n" not in str(raised.value)


def test_routes_are_tried_in_order(tmp_path):
    first = config_text(1, {"name": "first", "model": "gpt-*"})
    second = config_text(1, {"name": "second"}).partition("[[route]]")[2]
    settings = read(tmp_path, f"{first}\n[[route]]{second}")
    assert [settings.route_of("chat", "/v1/chat/completions", "", m).name for m in ("gpt-4", "claude")] == [
        "first",
        "second",
    ]
    only = read(tmp_path, config_text(1, upstream={"apis": ["chat"]}))
    assert only.route_of("messages", "/v1/messages", "", "m") is None


def test_what_a_route_leaves_out_follows_from_the_field_of_its_profile():
    rows = {name: policy_for(load_profile(name)) for name in ("general", "legal", "medical", "research", "news")}
    assert {name: (p.on_fail, p.on_unknown, p.reading, p.semantic) for name, p in rows.items()} == {
        "general": ("hold", "show", "lean", "off"),
        "legal": ("refuse", "hold", "full", "critical"),
        "medical": ("refuse", "hold", "full", "critical"),
        "research": ("hold", "hold", "lean", "off"),
        "news": ("hold", "hold", "lean", "off"),
    }


USAGES = [
    # reply, usage; by the definitions of the two providers: prompt_tokens contains the cached ones, input_tokens of messages does not
    (chat(), Usage(fresh=40, cached=60, written=0, output=20)),
    (responses(), Usage(fresh=40, cached=60, written=0, output=20, reasoning=5)),
    (messages(), Usage(fresh=40, cached=60, written=0, output=20)),
    (
        messages(
            usage={
                "input_tokens": 1,
                "output_tokens": 2,
                "cache_creation_input_tokens": 9,
                "cache_creation": {"ephemeral_1h_input_tokens": 4},
            }
        ),
        Usage(1, 0, 9, 2, written_1h=4),
    ),
    (chat() | {"usage": None}, None),
    (chat() | {"usage": {"prompt_tokens": "many"}}, None),
]


@pytest.mark.parametrize(("reply", "usage"), USAGES)
def test_tokens_are_counted_as_the_provider_counts_them(reply, usage):
    path = {"chat.completion": "/v1/chat/completions", "response": "/v1/responses"}.get(
        reply.get("object"), "/v1/messages"
    )
    assert WIRES[path].usage(reply) == usage


LISTED = {
    "m": {
        "input_cost_per_token": 1e-6,
        "output_cost_per_token": 4e-6,
        "cache_read_input_token_cost": 1e-7,
        "input_cost_per_token_above_200k_tokens": 2e-6,
        "output_cost_per_token_above_200k_tokens": 6e-6,
        "input_cost_per_token_flex": 5e-7,
        "output_cost_per_token_flex": 2e-6,
    }
}
OWN = {"own": PriceTable(input=10, output=20, cached=1, cache_write=12.5, cache_write_1h=20)}
INVOICES = [
    # model, usage, dollars by hand
    ("m", Usage(40, 60, 0, 20), 40e-6 + 60e-7 + 80e-6),
    ("m", Usage(199_000, 2_000, 0, 10), 199_000 * 2e-6 + 2_000 * 1e-7 + 10 * 6e-6),
    ("m", Usage(100, 0, 0, 10, tier="flex"), 100 * 5e-7 + 10 * 2e-6),
    ("m", Usage(100, 0, 0, 10, tier="priority"), None),
    ("m", Usage(100, 0, 5, 10), None),
    ("own", Usage(100, 10, 8, 5, written_1h=3), (1000 + 10 + 5 * 12.5 + 3 * 20 + 100) / 1e6),
    ("other", Usage(1, 0, 0, 1), None),
    ("m", None, None),
]


@pytest.mark.parametrize(("name", "usage", "usd"), INVOICES)
def test_a_call_is_priced_exactly_or_not_at_all(name, usage, usd):
    priced = Prices(OWN, LISTED, "prices.json").price(name, usage)
    assert (priced and priced.usd) == (usd and pytest.approx(usd))
    if priced:
        assert priced.source == ("config" if name == "own" else "prices.json")


def test_a_file_of_prices_that_is_none_is_an_error(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text("[1]")
    with pytest.raises(InputError, match=r"prices\.json"):
        read_prices({}, path)
    with pytest.raises(InputError):
        read_prices({}, tmp_path / "missing.json")
    path.write_text('{"m": {"input_cost_per_token": 1}}')
    assert read_prices({}, path).listed == {"m": {"input_cost_per_token": 1}}


def test_counts_of_workers_add_up_and_survive_them(tmp_path):
    first, second = Counters(tmp_path, 0), Counters(tmp_path, 1)
    first.add("showable_guard_calls_total", route="a", release="show")
    second.add("showable_guard_calls_total", 2, route="a", release="show")
    second.add("showable_guard_calls_total", route='b"\n', release="hold")
    second.save()
    text = first.text().decode()
    assert 'showable_guard_calls_total{route="a",release="show"} 3' in text
    assert 'showable_guard_calls_total{route="b\\"\\n",release="hold"} 1' in text
    first.save()
    again = Counters(tmp_path, 0)
    again.add("showable_guard_calls_total", route="a", release="show")
    assert again.totals()["showable_guard_calls_total", (("route", "a"), ("release", "show"))] == 4


@pytest.mark.parametrize(
    "retrieved",
    [
        (
            Source(source_id="lease", title="Lease of 2021", text="notice of ninety days"),
            Source(source_id="b", text="rent"),
        ),
        (Source(source_id="b"),),
        (),
    ],
)
@pytest.mark.parametrize(
    "question", ["How much notice must the tenant give?", "", 'What does "notice" mean?', "q " * 200]
)
def test_a_composed_refusal_is_worth_three_of_three(retrieved, question):
    call = GuardCall(api="chat", question=question, answers=(GivenAnswer("x"),), retrieved=retrieved)
    text = composed_refusal(call)
    record = Record(id="r", question=question or "q", answer=text, retrieved=retrieved)
    reading = read_answer(record)
    titles = [source.title for source in retrieved if source.title]
    quality, points = grade_refusal(text, reading.refusal, len(reading.loose), titles)
    assert (quality, reading.refusal.extent) == (3, "full"), (text, points)
    if retrieved and "notice" in question and len(retrieved) > 1:
        assert text.index("[lease]") < text.index("[b]")


ROWS = [CallRow(1e9 + n, route, release, usd, tokens, structure) for n, (route, release, usd, tokens, structure) in enumerate(
    [("a", "show", 0.01, 100, 0.5)] * 20 + [("a", "hold", 0.02, 200, None)] * 10 + [("b", "show", 0.01, 80, 0.25), ("b", "show", None, None, None)]
)]  # fmt: skip


def test_costs_are_summed_by_route_and_release():
    first, second = costs_by_route(ROWS)
    assert (first.route, first.calls, first.releases, first.unknown) == ("a", 30, {"show": 20, "hold": 10}, 0)
    assert first.usd == pytest.approx({"show": 0.2, "hold": 0.2})
    assert first.usd_per_shown == pytest.approx(0.4 / 20)
    assert (first.output.value, first.output.n, first.structure.value) == (pytest.approx(4000 / 30), 30, 0.5)
    assert first.output.low < first.output.value < first.output.high
    assert (second.unknown, second.usd_per_shown, second.output) == (1, None, Mean(80.0, 1))
    tokens, usd = difference(ROWS, "a", "b")
    assert (tokens.value, tokens.n, tokens.low) == (pytest.approx(4000 / 30 - 80), 1, None)
    assert usd.value == pytest.approx(0.4 / 30 - 0.01)


def test_structure_is_what_is_not_the_words_of_claims():
    assert structure_of('{"claims": [{"text": "abcde"}]}') == pytest.approx(1 - 5 / 31)
    assert [structure_of(text) for text in ("words", "{", "{}", '{"claims": 1}')] == [None] * 4


def test_the_costs_of_a_guard_are_printed(tmp_path, cli):
    rows = CallRows(tmp_path, 0)
    call = TrackedCall("", "chat", model="m")
    rows.add(call, 0.0)  # of no route
    call.route = SimpleNamespace(name="all")
    call.outcome, call.structure = "refuse", 0.5
    call.spent = [Spent(Usage(10, 0, 0, 20), None, 0.5)]
    now = time.time()
    rows.add(call, now)
    rows.save(now)
    code, out, _ = cli("guard", "costs", "--data", str(tmp_path))
    assert (code, "all: 1 calls (refused 1)" in out, "refused 0.500000" in out, "20.0 (n=1)" in out) == (
        0,
        True,
        True,
        True,
    )
    code, out, _ = cli("guard", "costs", "--data", str(tmp_path), "--json")
    assert json.loads(out)["routes"][0]["releases"] == {"refused": 1}
    for wrong in (("--since", "soon"), ("--against", "other"), ("--data", str(tmp_path / "none"))):
        code, _, error = cli("guard", "costs", "--data", str(tmp_path), *wrong)
        assert (code, error.count("\n")) == (2, 1)
