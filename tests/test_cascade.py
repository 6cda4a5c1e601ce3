"""The cascade: a second judge only where the first is unsure or the claim's kind is critical, and what that saves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from chat_server import Say, serve
from hypothesis import given
from hypothesis import strategies as st

from showable.cli.judge_calls import count_calls
from showable.cli.scoring import Plan, score_into_folder
from showable.judges.budget import BudgetJudge
from showable.judges.cascade import CascadeJudge, CascadeName
from showable.judges.choose import choose
from showable.judges.origin import origin
from showable.records import GENERAL, Cost, Judge, Pair, SettingError, Signature, Verdict
from showable.records.evidence import Evidence
from showable.records.record_file import check_record_file
from showable.stores.run_folder import EVIDENCE, read_run_lines

PRICE = Cost(calls=1, tokens_in=100, tokens_out=10, usd=0.01)


class Table:
    """Says of each claim what its table says, and remembers what it was asked."""

    def __init__(
        self, name: str, says: dict[str, Verdict], cost: Cost | None = None, prompt: str | None = None
    ) -> None:
        self.name, self.says, self.cost, self.prompt_hash = name, says, cost, prompt
        self.asked: list[Pair] = []
        self.closed = False

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.asked += pairs
        return [self.says[pair.claim].model_copy(update={"judge": self.name, "cost": self.cost}) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        return sum((self.cost or Cost() for _ in pairs), Cost())

    async def aclose(self) -> None:
        self.closed = True


def said(label, **more) -> Verdict:
    return Verdict(label=label, judge="?", **more)


FIRST = {
    "sure": said("supported", p=0.97),
    "sure not": said("unsupported", p=0.02),
    "contradicted": said("contradicted", p=0.01),
    "uncertain": said("unknown", p=0.55, reason="in the uncertain band"),
    "wordless": said("unknown", reason="the claim has no words to judge by"),
    "planted": said("unknown", p=0.5, reason="in the uncertain band", injection_suspected=True),
}
SECOND = {
    "sure": said("partial", reason="half of it"),
    "sure not": said("supported", reason="it is", quote="q"),
    "contradicted": said("unknown", reason="no reply within 60 s"),
    "uncertain": said("supported", p=0.9, reason="it is there"),
    "wordless": said("unknown", reason="no reply within 60 s"),
    "planted": said("unsupported", reason="only an order"),
}


def cascade(critical=frozenset()):
    first, second = Table("first@1", FIRST), Table("chat:m@1a2b", SECOND, PRICE, "hash")
    return CascadeJudge(first, second, critical), first, second


def judge(*pairs, critical=frozenset()):
    made, first, second = cascade(critical)
    return asyncio.run(made.verdicts(pairs)), first, second


# (claim, its kind, the label, who said it). Source: the definition of the cascade, with dosage critical.
CASES = [
    ("sure", None, "supported", "first@1"),
    ("sure", "holding", "supported", "first@1"),
    ("sure", "Dosage", "supported", "first@1"),
    ("sure not", None, "unsupported", "first@1"),
    ("contradicted", None, "contradicted", "first@1"),
    ("uncertain", None, "supported", "chat:m@1a2b"),
    ("planted", None, "unsupported", "chat:m@1a2b"),
    ("wordless", None, "unknown", "chat:m@1a2b"),
    ("sure", "dosage", "partial", "chat:m@1a2b"),
    ("sure not", "dosage", "supported", "chat:m@1a2b"),
    ("contradicted", "dosage", "unknown", "chat:m@1a2b"),
]


@pytest.mark.parametrize(("claim", "kind", "label", "who"), CASES)
def test_the_second_judge_is_asked_where_the_first_is_unsure_or_the_kind_is_critical(claim, kind, label, who) -> None:
    (verdict,), first, second = judge(Pair(claim, "p", kind=kind), critical=frozenset({"dosage"}))
    assert (verdict.label, verdict.judge) == (label, who)
    assert (len(first.asked), len(second.asked)) == (1, int(who == "chat:m@1a2b"))
    assert verdict.cost == (PRICE if second.asked else None)


def test_many_pairs_come_back_in_order_from_one_call_to_each_judge() -> None:
    pairs = [Pair(claim, "p", kind=kind) for claim, kind, *_ in CASES]
    verdicts, first, second = judge(*pairs, critical=frozenset({"dosage"}))
    assert [(v.label, v.judge) for v in verdicts] == [(label, who) for *_, label, who in CASES]
    assert (first.asked, len(second.asked)) == (pairs, 6)


def test_no_pair_in_doubt_is_no_call() -> None:
    (verdict,), _, second = judge(Pair("sure", "p"))
    assert (verdict.label, second.asked) == ("supported", [])
    assert judge()[0] == []


def test_a_second_judge_that_fails_leaves_unknown_with_both_reasons() -> None:
    (verdict,), *_ = judge(Pair("wordless", "p"))
    assert verdict.label == "unknown"
    assert verdict.reason == "first@1: the claim has no words to judge by; chat:m@1a2b: no reply within 60 s"
    (verdict,), *_ = judge(Pair("contradicted", "p", kind="dosage"), critical=frozenset({"dosage"}))
    assert (verdict.label, verdict.p) == ("unknown", None)
    assert verdict.reason == "first@1: says contradicted; chat:m@1a2b: no reply within 60 s"


def test_a_suspicion_of_the_first_judge_is_kept() -> None:
    (verdict,), *_ = judge(Pair("planted", "p"))
    assert (verdict.label, verdict.injection_suspected) == ("unsupported", True)


def test_it_is_a_judge_that_closes_both_and_estimates_the_most() -> None:
    made, first, second = cascade()
    assert isinstance(made, Judge)
    assert made.prompt_hash == "hash"
    assert made.estimate([Pair("sure", "p")] * 3) == PRICE + PRICE + PRICE
    assert BudgetJudge(made, 1.0).name == made.name
    asyncio.run(made.aclose())
    assert (first.closed, second.closed) == (True, True)


# --- names ----------------------------------------------------------------------------------------------

NAMES = [
    ("lexical@1", "chat:gpt@1a2b3c4d", frozenset(), "cascade(lexical@1>chat:gpt@1a2b3c4d)@1"),
    ("lexical@1", "chat:a>b(c)@1", frozenset({"holding", "dosage"}), "cascade+dosage+holding(lexical@1>chat:a>b(c)@1)@1"),
    ("a(b)@1", "c@2", frozenset({"x.y-z"}), "cascade+x.y-z(a(b)@1>c@2)@1"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "before"),
    [
        ("cascade+head-injury(lexical@1>chat:gpt@1a2b3c4d)@1", "cascade+head-injury(lexical@1>chat:gpt@1a2b3c4d)@1"),
        ("cascade+head-ab(lexical@1>chat:gpt@1a2b3c4d)@1", "cascade+head-ab(lexical@1>chat:gpt@1a2b3c4d)@1"),
        ("embedded@5+head-1a2b3c4d", "embedded@5"),
        ("onnx:+head-on@5+head-1a2b3c4d", "onnx:+head-on@5"),
    ],
)
def test_only_a_head_at_the_end_is_taken_off_a_name(name, before) -> None:
    assert origin(Table(name, {})) == (before, None)


@pytest.mark.parametrize(("first", "second", "critical", "name"), NAMES)
def test_a_name_prints_and_reads_back_also_from_a_signature(first, second, critical, name) -> None:
    made = CascadeJudge(Table(first, {}), Table(second, {}), critical)
    assert made.name == name
    assert CascadeName.parse(name) == CascadeName(first, second, critical)
    signature = Signature(version="1", rubric="1", parser="1", judge=name)
    assert Signature.parse(str(signature)) == signature


@given(
    st.from_regex(r"[a-z:()@+.]{1,12}", fullmatch=True),
    st.from_regex(r"[a-z:()@+.>]{1,12}", fullmatch=True),
    st.frozensets(st.from_regex(r"[\w.-]{1,6}", fullmatch=True)),
)
def test_every_name_reads_back(first, second, critical) -> None:
    name = CascadeName(first, second, critical)
    assert CascadeName.parse(str(name)) == name


@pytest.mark.parametrize("name", ["lexical@1", "chat:m@1a2b", "cascade", "scripted:1@1", "cascade(a@1)@1", ""])
def test_other_names_are_no_cascade(name) -> None:
    assert CascadeName.parse(name) is None


def test_what_cannot_stand_in_a_name_is_refused() -> None:
    made, *_ = cascade()
    with pytest.raises(SettingError, match="both judges are lexical@1"):
        CascadeJudge(Table("lexical@1", FIRST), Table("lexical@1", SECOND))
    with pytest.raises(SettingError, match="first judge cannot be"):
        CascadeJudge(made, Table("b", {}))
    for kind in ("a b", "a+b", "", "a|b", "a>b"):
        with pytest.raises(SettingError, match="is no claim kind"):
            CascadeJudge(Table("a", {}), Table("b", {}), frozenset({kind}))


# --- choosing -------------------------------------------------------------------------------------------


def test_a_cascade_is_chosen_by_its_second_judge() -> None:
    made = choose("cascade:chat:org/m:free@http://127.0.0.1:9/v1", critical=frozenset({"dosage"}), environ={})
    name = CascadeName.parse(made.name)
    assert name is not None
    assert (name.first, name.critical) == (choose(None).name, frozenset({"dosage"}))
    second = choose("chat:org/m:free@http://127.0.0.1:9/v1", environ={})
    assert (name.second, made.prompt_hash) == (second.name, second.prompt_hash)


@pytest.mark.parametrize(
    "spec", ["cascade", "cascade:", "cascade:lexical", "cascade:cascade:chat:m", "cascade:chat:", "cascade:x"]
)
def test_any_other_cascade_is_refused_listing_what_there_is(spec) -> None:
    with pytest.raises(SettingError, match=r"chat:MODEL.*cascade:JUDGE"):
        choose(spec, environ={})


def test_the_second_judges_verdicts_are_cached(tmp_path) -> None:
    reply = Say('{"reason": "r", "quote": "40 mg", "verdict": "supported", "p": null}')
    pair = Pair("The dose is 40 mg.", "The dose is 40 mg daily.", kind="dosage")

    async def go():
        async with serve([reply]) as server:
            verdicts = []
            for _ in range(2):
                made = choose(
                    f"cascade:chat:m@{server.url}",
                    cache=tmp_path / "v.sqlite",
                    critical=frozenset({"dosage"}),
                    environ={},
                )
                verdicts += await made.verdicts([pair])
                await made.aclose()
            return verdicts, len(server.requests)

    (paid, free), calls = asyncio.run(go())
    assert (paid.label, paid.cost.calls, free.label, free.cost.calls, calls) == ("supported", 1, "supported", 0, 1)


# --- what a run says of it --------------------------------------------------------------------------------


def write_records(path, n=4):
    """Claims with two passages each; those of odd numbers are of the critical kind."""
    rows = []
    for k in range(n):
        claim = {"text": f"claim {k}", "citations": [{"source_id": "s"}], "kind": "dosage" if k % 2 else "note"}
        source = {"source_id": "s", "text": f"It says claim {k}."}
        rows.append(
            {"id": str(k), "question": "q", "retrieved": [source], "answer": {"claims": [claim], "refusal": "none"}}
        )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def score(file, folder, second, **more):
    first = Table("first@1", {f"claim {k}": said("supported", p=0.9) for k in range(10)})
    made = CascadeJudge(first, second, frozenset({"dosage"}))
    return score_into_folder(Plan(check_record_file(file), folder, made, GENERAL, **more), Quiet())


class Quiet:
    def show(self, tally) -> None:
        pass


def asked_second(n=10):
    return Table("second@1", {f"claim {k}": said("supported") for k in range(n)}, PRICE)


def test_a_run_says_how_often_the_second_judge_was_asked_and_what_it_cost(tmp_path) -> None:
    file = write_records(tmp_path / "r.jsonl", 6)
    scored = score(file, tmp_path / "run", asked_second())
    expected = {
        "pairs": 6,
        "asked": 3,
        "saved": 3,
        "by_judge": {"first@1": 3, "second@1": 3},
        "cost": {"calls": 3, "tokens_in": 300, "tokens_out": 30, "usd": pytest.approx(0.03)},
    }
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["judge_calls"] == expected
    assert str(scored.tally.calls) == ("second judge asked about 3 of 6 pairs (50.0 %), 3 saved: 3 calls, $0.0300")


def test_a_run_that_was_stopped_says_the_same_when_it_is_done(tmp_path) -> None:
    file = write_records(tmp_path / "r.jsonl", 8)
    score(file, tmp_path / "whole", asked_second())
    stopped = score(file, tmp_path / "run", asked_second(), max_cost=0.025, concurrency=1)
    assert stopped.stopped
    assert score(file, tmp_path / "run", asked_second()).stopped is None
    counts = [json.loads((tmp_path / name / "summary.json").read_text())["judge_calls"] for name in ("whole", "run")]
    assert counts[0] == counts[1]
    assert counts[0]["asked"] == 4


def test_regrading_says_the_same_and_the_command_line_prints_it(tmp_path, cli, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = tmp_path / "table.jsonl"
    table.write_text("".join(json.dumps({"claim": f"claim {k}", "label": "supported"}) + "\n" for k in range(4)))
    file = write_records(tmp_path / "r.jsonl")
    command = ["score", file, "--judge", f"cascade:scripted:{table}", "--critical", "dosage, holding", "--out", "run"]
    code, out, err = cli(*command)
    assert code == 0, err
    assert "second judge asked about 2 of 4 pairs (50.0 %), 2 saved: 0 calls, $0.0000" in out
    document = json.loads(cli(*command, "--json")[1])
    assert (document["judge_calls"]["asked"], document["judge_calls"]["saved"]) == (2, 2)
    assert "cascade+dosage+holding(" in document["signature"]
    _, out, _ = cli("regrade", "run", "--threshold", "0.7", "--json")
    assert json.loads(out)["judge_calls"] == document["judge_calls"]


def test_one_judge_alone_saves_nothing_and_says_its_cost(tmp_path) -> None:
    file = write_records(tmp_path / "r.jsonl")
    scored = score_into_folder(Plan(check_record_file(file), tmp_path / "run", asked_second(), GENERAL), Quiet())
    assert str(scored.tally.calls) == "4 pairs judged: 4 calls, $0.0400"
    assert scored.tally.calls.as_json()["asked"] is None
    assert str(count_calls("lexical@1", [])) == ""


def test_an_unknown_price_is_said_and_a_passage_without_text_is_no_pair(tmp_path) -> None:
    file = tmp_path / "r.jsonl"
    rows = json.loads(write_records(file, 1).read_text())
    rows["retrieved"][0]["text"] = None
    file.write_text(
        json.dumps(rows) + "\n" + write_records(tmp_path / "other.jsonl", 2).read_text().splitlines()[1] + "\n"
    )
    second = Table("second@1", {"claim 1": said("supported")}, Cost(calls=1, usd=None))
    score(file, tmp_path / "run", second)
    evidence = read_run_lines(tmp_path / "run" / EVIDENCE, Evidence)
    assert str(count_calls("cascade+dosage(first@1>second@1)@1", evidence)) == (
        "second judge asked about 1 of 1 pairs (100 %), 0 saved: 1 calls, price unknown"
    )


# (options, what the one line of error says). Source: an option that the judge does not read must not seem to work.
IDLE = [
    (["--critical", "dosage"], "--critical goes with --judge cascade"),
    (["--judge", "chat:m@http://127.0.0.1:9/v1", "--critical", "dosage"], "--critical goes with"),
    (["--samples", "3"], "--samples goes with --judge chat"),
    (["--judge", "lexical", "--batch", "4"], "--batch goes with --judge chat"),
    (["--domain", "legal"], "--domain goes with --judge chat"),
    (["--judge", "chat:m@http://127.0.0.1:9/v1", "--domain", "cooking"], "choose of legal, medical"),
    (["--judge", "cascade:chat:m@http://127.0.0.1:9/v1", "--critical", "a b"], "'a b' is no claim kind"),
]


@pytest.mark.parametrize(("options", "said"), IDLE)
def test_an_option_that_the_judge_would_not_read_is_refused(tmp_path, cli, monkeypatch, options, said) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = cli("score", write_records(tmp_path / "r.jsonl"), *options)
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def test_a_dry_run_of_a_cascade_says_that_it_may_cost_nothing(tmp_path, cli, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_records(tmp_path / "r.jsonl")
    options = ["--judge", "cascade:chat:m", "--dry-run", "--price-in", "1", "--price-out", "2", "--samples", "3"]
    code, out, err = cli("score", file, *options)
    assert code == 0, err
    assert "0 to 12 judge calls" in out
    assert "nothing if the first judge is sure of every claim" in out
    estimate = json.loads(cli("score", file, *options, "--json")[1])
    assert (estimate["least"]["calls"], estimate["most"]["calls"]) == (0, 12)
