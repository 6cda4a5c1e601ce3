"""`showable compare`: rows, refusals, the licence's effect, the gate between any two, and every format."""

import csv
import io
import json
from pathlib import Path

import pytest
from made_runs import cards, facts, letters_of, make_repeats, make_run
from scorecards import SIGNATURE
from tables import every_row

from showable.measure.contender import refusal_is_due
from showable.measure.licence import licence_pairs, licence_unclear, model_pairs
from showable.records.asking import AskFacts
from showable.records.evidence import Cost
from showable.report.comparison.scatter import FRAME, Box, scatter_of

N = 26
CAREFUL = letters_of(N)
ATTACK = "<script>alert(1)</script> | `x` =1+1 @octocat"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@pytest.fixture
def compare(cli):
    def run(*arguments):
        code, out, err = cli("compare", *arguments, "--json")
        assert code == 0, err
        return json.loads(out)

    return run


def plain(name, letters, **said):
    make_run(name, letters, facts(**said) if said else None)
    return name


def two(**said):
    make_run("a", CAREFUL, facts(label="first", **said))
    make_run("b", letters_of(N, answerable="ow"), facts(label="second", **said))
    return "a", "b"


def test_a_row_counts_what_its_run_holds(compare):
    row = compare(*two())["rows"][1]
    # n=26: 8 answerable (o, w in turn), 4 tempt_wrong and 2 adversarial correct, 12 refusals due
    assert {name: share["count"] for name, share in row["buckets"].items()} == {
        "correct": 6, "wrong": 4, "unsupported": 0, "refused": 16, "unknown": 0,
    }  # fmt: skip
    assert (row["acceptable"]["count"], row["acceptable"]["n"]) == (22, 26)
    assert (row["refusals"]["right"]["count"], row["refusals"]["right"]["n"]) == (12, 12)
    assert (row["refusals"]["over"]["count"], row["refusals"]["over"]["n"]) == (4, 14)
    assert row["categories"]["answerable"]["acceptable"]["count"] == 4
    assert (row["citation_supports"]["passed"], row["citation_supports"]["failed"]) == (6, 4)
    assert row["name"] == "second"


def test_intervals_are_wilsons(compare):
    share = compare(*two())["rows"][1]["acceptable"]
    # Wilson 1927, 22 of 26 at z = 1.959964: centre 0.80157, half 0.13629
    assert (share["low"], share["high"]) == (pytest.approx(0.6647, abs=5e-4), pytest.approx(0.9385, abs=5e-4))


def test_rows_stand_as_they_were_given(compare):
    two()
    assert [row["folder"] for row in compare("b", "a")["rows"]] == ["b", "a"]


def test_the_gate_stands_between_any_two(compare):
    crossings = {(one["baseline"], one["candidate"]): one for one in compare(*two())["gate"]}
    assert crossings[2, 1]["ship"]
    assert not crossings[1, 2]["ship"]
    assert crossings[1, 2]["reason"] == "wrong: rose by 4, from 0 to 4"
    assert (1, 1) not in crossings


def test_repeats_count_by_majority_with_the_spread_beside(compare):
    wrong = letters_of(N, answerable="w")
    make_repeats("thrice", [CAREFUL, wrong, CAREFUL], facts(label="thrice"))
    plain("once", CAREFUL)
    row = compare("once", "thrice")["rows"][1]
    assert (row["repeats"], row["flaky"]) == (3, 8)
    assert row["buckets"]["wrong"]["count"] == 0
    assert row["buckets"]["wrong"]["over_repeats"] == {"name": "wrong", "counts": [0, 8, 0], "low": 0, "high": 8, "mean": pytest.approx(8 / 3)}  # fmt: skip
    assert row["citation_supports"]["failed"] == 8
    assert compare("once", "thrice")["rows"][0]["buckets"]["wrong"]["over_repeats"] is None


def test_repeats_narrow_no_interval_of_a_rate_below_that_of_its_questions(compare):
    """Ten repeats that are all alike say no more than one."""
    mixed = letters_of(N, answerable="cw")
    make_repeats("ten", [mixed] * 10, facts())
    make_run("one", mixed, facts())
    ten, one = (row["citation_supports"] for row in compare("ten", "one")["rows"])
    assert ten["passed"] == 10 * one["passed"]
    assert ten["high"] - ten["low"] > 0.9 * (one["high"] - one["low"])


def test_time_and_cost(compare):
    seconds = [float(n + 1) for n in range(N)]
    cost = Cost(calls=1, tokens_in=100, tokens_out=20, usd=0.01)
    make_run("timed", CAREFUL, facts(), ask=lambda n: AskFacts(seconds=seconds[n], cost=cost))
    free = Cost(usd=None, tokens_in=3)
    make_run("unpriced", CAREFUL, facts(), ask=lambda n: AskFacts(seconds=1.0, cost=cost if n else free))
    make_run("untimed", CAREFUL, None)
    timed, unpriced, untimed = compare("timed", "unpriced", "untimed")["rows"]
    # of 1..26 the median is 13.5 and the nearest rank of 95 % is the 25th
    assert timed["latency"] == {"n": N, "median": 13.5, "p95": 25.0}
    assert timed["cost"] == {"n": N, "priced": N, "usd": pytest.approx(0.26), "tokens_in": 2600, "tokens_out": 520}
    assert (unpriced["cost"]["usd"], unpriced["cost"]["priced"]) == (None, N - 1)
    assert (untimed["latency"]["median"], untimed["cost"]["usd"]) == (None, None)


def test_refusal_quality_and_uncited_claims_are_the_gates(compare):
    """A repeat that refuses and is outvoted says nothing of how well the questions that count as refused are refused."""
    quality = iter((3, 0, 1))
    for number, letters in enumerate(("r" * 13, "r" * 13, letters_of(13)), 1):
        make_run(f"thrice/repeat-{number}", letters, facts(repeat=number, repeats=3), refusal_quality=next(quality))
    make_run("once", "r" * 13, facts(), refusal_quality=2)
    from showable.api import gate

    rows = compare("once", "thrice")["rows"]
    # 6 of 13 refusals are due: all three repeats refuse them, the others two: (6 * 4/3 + 7 * 3/2) / 13
    assert rows[1]["refusal_quality"]["mean"] == pytest.approx((6 * 4 / 3 + 7 * 3 / 2) / 13)
    assert rows[1]["refusal_quality"]["n"] == 13
    lines = {line.name: line for line in gate("once", "thrice").lines}
    for place, side in enumerate(("baseline", "candidate")):
        assert rows[place]["refusal_quality"]["mean"] == pytest.approx(getattr(lines["refusal_quality"], side))
        assert rows[place]["extra_claim_count"]["sum"] == getattr(lines["extra_claim_count"], side)
        assert rows[place]["acceptable"]["count"] == getattr(lines["acceptable"], side)


def test_runs_of_one_name_are_told_apart(compare):
    make_run("x/run", CAREFUL, facts(label="same"))
    make_run("y/run", CAREFUL, facts(label="same"))
    make_run("z/run", CAREFUL, None)
    make_run("other", CAREFUL, facts(label="same"))
    found = compare("x/run", "y/run", "z/run", "other")["rows"]
    assert [row["name"] for row in found] == ["same (x/run)", "same (y/run)", "z/run", "same (other)"]


def test_a_damaged_run_is_one_line(cli):
    plain("a", CAREFUL)
    for name, damage in (("torn", b'{"id":"x"'), ("odd", b'{"id":"x","bucket":"fine"}\n'), ("none", None)):
        scores = make_run(name, CAREFUL, facts()) / "scores.jsonl"
        scores.unlink() if damage is None else scores.write_bytes(damage)
        code, _, err = cli("compare", "a", name)
        assert (code, err.count("\n")) == (2, 1), err
        assert f"{name}/scores.jsonl" in err
    lines = (make_run("short", CAREFUL, facts()) / "records.jsonl").read_text().splitlines(keepends=True)
    Path("short/records.jsonl").write_text("".join(lines[1:]))
    assert "no record has the id 'answerable-1' of scores.jsonl" in cli("compare", "a", "short")[2]
    odd = json.loads(lines[0]) | {"metadata": {"ask": {"seconds": "long"}}}
    Path("short/records.jsonl").write_text("".join([json.dumps(odd) + "\n", *lines[1:]]))
    assert "short/records.jsonl:1: metadata.ask.seconds: expected a number" in cli("compare", "a", "short")[2]


def test_an_outline_says_what_its_scorecard_says():
    from scorecards import few_cards

    from showable.measure.measures import citation_exists, citation_precision, citation_recall, citation_supports
    from showable.measure.repeats import GateRow
    from showable.records.outline import Outline
    from showable.records.scorecard import Release

    held = cards(letters_of(N), release=Release(verdict="hold", reasons=("hidden",)))
    for card in [*few_cards(), *cards(letters_of(N, answerable="cowu?")), *held]:
        outline = Outline.model_validate_json(card.model_dump_json())
        flat = Outline.model_fields.keys() - {"claims", "loose", "release"}
        assert outline.model_dump(include=flat) == {name: getattr(card, name) for name in flat}
        assert [claim.support for claim in outline.claims] == [claim.support for claim in card.claims]
        assert GateRow.of(outline) == GateRow.of(card)
        assert refusal_is_due(outline) == refusal_is_due(card)
        for measure in (citation_exists, citation_supports, citation_precision, citation_recall):
            assert measure(outline) == measure(card)


def test_of_more_runs_than_fit_the_gate_is_told_with_the_first_as_the_baseline(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for number in range(12):
        make_run(f"run-{number}", CAREFUL if number % 2 else letters_of(N, answerable="w"), facts())
    out = cli("compare", *(f"run-{number}" for number in range(12)))[1]
    assert max(map(len, (line for line in out.splitlines() if not line.startswith("signature")))) <= 80
    told = [line.strip() for line in out.splitlines() if line.strip().startswith("1 → ")]
    assert len(told) == 11
    assert told[0] == "1 → 2: SHIP: every rule holds"
    assert "2 → 1" not in out


def test_questions_without_an_answer_are_counted(compare):
    make_run("a", "?" + CAREFUL[1:], facts(), ask=lambda n: AskFacts(seconds=1.0, error=None if n else "timed out"))
    plain("b", CAREFUL)
    assert [row["errors"] for row in compare("a", "b")["rows"]] == [1, 0]


LICENCE = {"prompt": "licensed-structured@aa11", "refusal_licence": True}
NO_LICENCE = {"prompt": "unlicensed-structured@bb22", "refusal_licence": False}


def test_the_effect_of_the_licence_is_singled_out(compare):
    make_run("without", letters_of(N, unanswerable="u", null_retrieval="u"), facts(**NO_LICENCE))
    make_run("with", CAREFUL, facts(**LICENCE))
    [effect] = compare("with", "without")["licence"]
    assert (effect["without"], effect["licensed"], effect["n"]) == (2, 1, N)
    lines = {line["name"]: line for line in effect["differences"]}
    assert (lines["unsupported"]["without"], lines["unsupported"]["licensed"]) == (4, 0)
    assert (lines["acceptable"]["test"]["better"], lines["acceptable"]["test"]["worse"]) == (4, 0)
    assert lines["acceptable"]["test"]["p"] == pytest.approx(0.125)  # exact McNemar, 4-0: 2 * 0.5^4
    assert lines["unsupported"]["test"]["adjusted_p"] == pytest.approx(5 * 0.125)  # Holm over five buckets
    assert lines["acceptable"]["test"]["adjusted_p"] is None
    assert len(effect["moved"]) == 4
    assert {one["licensed"] for one in effect["moved"]} == {"refused"}


@every_row(
    ("sides", "expected", "source"),
    [
        ([LICENCE | {"model": "a"}, LICENCE | {"model": "b"}], [(0, 1)], "another model, the same prompt and licence"),
        ([LICENCE | {"model": "a"}, LICENCE | {"model": "b", "model_class": "mid", "endpoint": "http://b/v1"}], [(0, 1)], "with its place"),
        ([LICENCE | {"model": "a"}, NO_LICENCE | {"model": "b"}], [], "the licence as well"),
        ([LICENCE | {"model": "a"}, LICENCE | {"model": "a"}], [], "the same model"),
        ([LICENCE | {"model": "a"}, LICENCE], [], "one does not say"),
        ([LICENCE | {"model": "a"}, LICENCE | {"model": "b", "questions_fingerprint": "other"}], [], "other questions"),
    ],
)  # fmt: skip
def test_which_rows_differ_in_the_model_alone(sides, expected, source):
    told = [facts(**({"model": None, "name": f"chat:{side.get('model')}"} | side)) for side in sides]
    assert model_pairs(told) == expected, source


def test_the_licence_stands_beside_the_model_in_one_table(cli, compare):
    worse = letters_of(N, unanswerable="u", null_retrieval="u")
    make_run("plain", worse, facts(label="plain", model="model-a", **NO_LICENCE))
    make_run("given", CAREFUL, facts(label="given", model="model-a", **LICENCE))
    make_run("other", worse, facts(label="other", name="chat:model-b", model="model-b", **NO_LICENCE))
    found = compare("plain", "given", "other")["swaps"]
    assert [(one["swapped"], one["baseline"], one["candidate"]) for one in found] == [
        ("licence", 1, 2),
        ("model", 1, 3),
    ]
    gained = [{line["name"]: line["licensed"] - line["without"] for line in one["lines"]} for one in found]
    assert (gained[0]["unsupported"], gained[1]["unsupported"]) == (-4, 0)
    _, out, _ = cli("compare", "plain", "given", "other", "-o", "c.md", "-o", "c.html")
    for text in (out, Path("c.md").read_text("utf-8"), Path("c.html").read_text("utf-8")):
        assert "Licence against model" in text
        assert "4 → 0 (p 0.125)" in text
    assert compare("plain", "given")["swaps"] == []


@pytest.mark.parametrize(
    ("sides", "expected", "source"),
    [
        ([LICENCE, NO_LICENCE], [(1, 0)], "the same but for the licence; a hash is no other prompt"),
        ([NO_LICENCE, LICENCE], [(0, 1)], "whichever comes first"),
        ([LICENCE, LICENCE], [], "both have it"),
        ([LICENCE, NO_LICENCE | {"model": "model-b"}], [], "another model"),
        ([LICENCE, {"prompt": "x"}], [], "one does not say"),
        ([LICENCE, None], [], "one has no pipeline"),
        ([LICENCE, NO_LICENCE | {"label": "b", "at": None, "repeats": 3}], [(1, 0)], "a label is no difference"),
        ([{"prompt": "kind", "refusal_licence": True}, {"prompt": "stern", "refusal_licence": False}], [], "two prompts that have nothing in common by name"),
        ([{"prompt": "terse-licensed@1", "refusal_licence": True}, {"prompt": "terse-unlicensed@2", "refusal_licence": False}], [(1, 0)], "one's own prompt, by its stem"),
        ([LICENCE | {"endpoint": "http://a.example/v1"}, NO_LICENCE | {"endpoint": "http://b.example/v1"}], [], "one name served in two places"),
        ([LICENCE | {"endpoint": "http://a.example/v1"}, NO_LICENCE], [], "one does not say where"),
        ([LICENCE | {"endpoint": "http://a.example/v1"}, NO_LICENCE | {"endpoint": "http://a.example/v1"}], [(1, 0)], "the same place"),
        ([LICENCE, NO_LICENCE | {"questions_fingerprint": "other"}], [], "other questions"),
        ([LICENCE, NO_LICENCE | {"model_class": "small"}], [], "another fact of any kind"),
        ([LICENCE, LICENCE | {"label": "again"}, NO_LICENCE], [], "two partners"),
        ([LICENCE, NO_LICENCE, NO_LICENCE], [], "two partners"),
        (
            [LICENCE, NO_LICENCE, {"prompt": "licensed-plain@c", "refusal_licence": True}, {"prompt": "unlicensed-plain@d", "refusal_licence": False}],
            [(1, 0), (3, 2)],
            "each form with its own",
        ),
    ],
)  # fmt: skip
def test_which_rows_differ_in_the_licence_alone(sides, expected, source):
    assert licence_pairs([None if side is None else facts(**side) for side in sides]) == expected, source


def test_rows_with_more_than_one_partner_are_named_and_not_paired(cli, compare):
    make_run("plain", CAREFUL, facts(label="plain", **NO_LICENCE))
    make_run("one", CAREFUL, facts(label="one", **LICENCE))
    make_run("two", CAREFUL, facts(label="two", **LICENCE))
    make_run("lone", CAREFUL, facts(label="lone", model="model-b", **LICENCE))
    found = compare("plain", "one", "two", "lone")
    assert (found["licence"], found["licence_unclear"]) == ([], [{"without": [1], "licensed": [2, 3]}])
    _, out, _ = cli("compare", "plain", "one", "two", "-o", "c.md", "-o", "c.html")
    said = "the pairs are not unique: 1 plain (without the licence) and 2 one, 3 two (with it)"
    for text in (out, Path("c.md").read_text("utf-8"), Path("c.html").read_text("utf-8")):
        assert said in " ".join(text.split())
    assert licence_unclear([facts(**LICENCE), facts(**NO_LICENCE)]) == []
    assert licence_unclear([facts(**LICENCE), facts(**LICENCE), None]) == []


REFUSES = "r" * N


def test_a_pipeline_that_refuses_all_is_acceptable_and_not_as_expected(cli, compare, monkeypatch):
    """Of 26 questions 8 are answerable: refusing them may be shown, and is not what they call for."""
    monkeypatch.setenv("COLUMNS", "80")
    plain("a", letters_of(N, answerable="cccccc?w"))
    plain("b", REFUSES)
    rows = compare("a", "b", "-o", "c.csv", "-o", "c.md", "-o", "c.html")["rows"]
    assert [row["categories"]["answerable"]["acceptable"]["count"] for row in rows] == [6, 8]
    assert [row["categories"]["answerable"]["expected"] for row in rows] == [
        {"met": 6, "missed": 1, "unknown": 1},
        {"met": 0, "missed": 8, "unknown": 0},
    ]
    out = cli("compare", "a", "b", "--details")[1]
    line = next(line for line in out.splitlines() if line.strip().startswith("answerable"))
    assert line.split() == ["answerable", "8", "6", "6/7", "8", "0/8"]
    assert "is not as expected" in " ".join(out.split())
    cells = [(row["answerable_as_expected"], row["answerable_decided"]) for row in read_csv("c.csv")]
    assert cells == [("6", "7"), ("0", "8")]
    markdown = Path("c.md").read_text("utf-8")
    assert "| **2** acceptable | 8/8<br>" in markdown
    assert "| **2** as expected | 0/8<br><sub>0–32 %</sub>" in markdown  # Wilson 1927: 3.841 / (8 + 3.841)
    html = Path("c.html").read_text("utf-8")
    assert html.count("</span>as expected</th>") == 2
    assert '<td class="number">0/8<small>0–32 %</small></td>' in html


def test_questions_that_call_for_nothing_show_acceptable_alone(cli, compare):
    for name, letters in (("a", CAREFUL), ("b", REFUSES)):
        make_run(name, letters, facts(), expected=())
    rows = compare("a", "b", "-o", "c.csv", "-o", "c.md", "-o", "c.html")["rows"]
    assert {one["expected"] for row in rows for one in row["categories"].values()} == {None}
    for text in (
        cli("compare", "a", "b", "--details")[1],
        Path("c.md").read_text("utf-8"),
        Path("c.html").read_text("utf-8"),
    ):
        assert "as expected" not in text
    assert "Acceptable answers by category" in cli("compare", "a", "b", "--details")[1]
    assert [row["answerable_as_expected"] for row in read_csv("c.csv")] == ["", ""]


def test_two_runs_fit_a_screen(cli, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for name, letters in (("a", CAREFUL), ("b", REFUSES)):
        make_run(name, letters, facts())
    lines = cli("compare", "a", "b")[1].splitlines()
    assert len(lines) <= 40
    assert "By category" not in "\n".join(lines)


def test_buckets_stand_in_one_order_in_all_tables():
    from showable.measure.flaky import spread
    from showable.measure.repeats import GateRow
    from showable.report.category_table import _COLUMNS
    from showable.report.comparison import words as comparison_words
    from showable.report.difference.tables import IN_ORDER
    from showable.report.history import words as history_words

    order = ("correct", "refused", "wrong", "unsupported", "unknown")
    assert comparison_words.BUCKETS == history_words.BUCKETS == IN_ORDER == order
    assert tuple(name for name, _ in _COLUMNS) == order
    assert tuple(one.name for one in spread([[GateRow("q", "correct")]])) == (*order, "acceptable")


def read_csv(path):
    return list(csv.DictReader(io.StringIO(Path(path).read_bytes().decode("utf-8-sig"))))


@pytest.mark.parametrize(
    ("expected", "answerable", "due", "source"),
    [
        (("refused",), True, True, "a forced null: the answer stands in the corpus, and yet only a refusal is right"),
        (("correct", "refused"), True, False, "either may be right"),
        (("correct",), True, False, ""),
        ((), False, True, "no expectation, but gold says unanswerable"),
        ((), True, False, ""),
        ((), None, False, "no gold: nothing is due"),
    ],
)
def test_when_a_refusal_is_due(expected, answerable, due, source):
    from scorecards import card

    assert refusal_is_due(card(expected=expected, answerable=answerable)) is due, source


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda: make_run("b", letters_of(13), facts()), "different questions: 13 missing from the b (adversarial-2"),
        (lambda: make_run("b", CAREFUL, facts(), question_hash="other"), "26 of the same id differ in question or gold between the a and the b"),
        (lambda: make_run("b", CAREFUL, facts(), signature=SIGNATURE.model_copy(update={"judge": "chat@2"})), "not measured alike (judge: lexical@1 → chat@2)"),
        (lambda: make_run("b", CAREFUL, facts(), finished=False), "not finished"),
        (lambda: None, "b: no such folder"),
        (lambda: make_repeats("b", [CAREFUL, CAREFUL], facts()) and (Path("b/repeat-1").rename("b/repeat-3")), "holds repeat-3 but no repeat-1"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_refused_in_one_line(cli, prepare, said):
    plain("a", CAREFUL)
    prepare()
    code, _, err = cli("compare", "a", "b")
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


def test_one_run_alone_or_twice_is_no_comparison(cli):
    plain("a", CAREFUL)
    assert "expected 2 to 40 runs, got 1" in cli("compare", "a")[2]
    assert "a is given twice" in cli("compare", "a", "./a")[2]


def test_repeats_of_several_pipelines_are_no_repeats(cli):
    make_repeats("b", [CAREFUL, CAREFUL], facts())
    make_run("c", CAREFUL, facts(model="model-b", repeat=3))
    Path("c").rename("b/repeat-3")
    plain("a", CAREFUL)
    assert "answered by another pipeline than repeat-1 beside it" in cli("compare", "a", "b")[2]


@pytest.mark.parametrize("width", [80, 120])
def test_the_tables_fit_the_terminal(cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    long = {
        "label": "a rather long name of a pipeline, and more",
        "model": "some-model-with-a-long-name",
        "model_class": "mid",
    }
    make_repeats("a", [CAREFUL, letters_of(N, answerable="w?")], facts(**long, **LICENCE))
    make_run("b", letters_of(N, answerable="w?"), facts(**long, **NO_LICENCE))
    lines = cli("compare", "a", "b")[1].splitlines()
    assert max(len(line) for line in lines if not line.startswith("signature")) <= width
    text = "\n".join(lines)
    for expected in ("model class: mid", "What the refusal licence does", "1 → 2: DO NOT SHIP"):
        assert expected in text
    assert "…\n" not in text, "a figure was cut"


def test_csv_has_a_row_a_run_and_no_formula(cli):
    make_run("a", CAREFUL, facts(label=ATTACK, model="=cmd()"))
    plain("b", letters_of(N, answerable="w"))
    code, _, err = cli("compare", "a", "b", "-o", "c.csv")
    assert code == 0, err
    rows = list(csv.DictReader(io.StringIO(Path("c.csv").read_bytes().decode("utf-8-sig"))))
    assert [row["wrong"] for row in rows] == ["0", "8"]
    assert rows[0]["model"] == "'=cmd()"
    assert rows[1]["model"] == ""
    assert float(rows[1]["wrong_share"]) == pytest.approx(8 / 26, abs=1e-5)
    assert float(rows[1]["answerable_acceptable"]) == 0


def test_markdown_does_nothing_it_should_not(cli):
    from difference_views import CODE

    make_run("a", CAREFUL, facts(label=ATTACK, **LICENCE))
    make_run("b", letters_of(N, answerable="w"), facts(label="b", **NO_LICENCE))
    assert cli("compare", "a", "b", "-o", "c.md")[0] == 0
    text = Path("c.md").read_text("utf-8")
    assert "<script" not in text
    assert "@octocat" not in CODE.sub("", text)
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert "**What the refusal licence does**" in text
    assert all(line.endswith("|") for line in tables)
    assert "| **1** | ·" in text


def test_the_comparison_is_added_to_the_summary_of_the_step(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    assert cli("compare", *two())[0] == 0
    assert "## showable: comparison" in (tmp_path / "summary.md").read_text()


def test_the_page_escapes_what_runs_are_called_and_runs_no_script(cli):
    make_run("a", CAREFUL, facts(label=ATTACK, **LICENCE))
    make_run("b", letters_of(N, answerable="w"), facts(label="b", **NO_LICENCE))
    assert cli("compare", "a", "b", "-o", "c.html")[0] == 0
    html = Path("c.html").read_text("utf-8")
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "script-src" not in html.split("Content-Security-Policy")[1][:40]
    assert html.count('role="img"') == 2


def test_bars_hold_every_answer_of_a_run():
    from showable.report.comparison import charts

    for letters in (CAREFUL, letters_of(N, answerable="w?u"), "?" * N):
        bars = charts.bars_of(comparison_of(letters, CAREFUL))
        assert [sum(piece.count for piece in bar.pieces) for bar in bars.bars] == [N, N]
        for bar in bars.bars:
            assert all(piece.x >= -0.01 and piece.x + piece.width <= charts.WIDTH + 0.01 for piece in bar.pieces)
            right = [piece.bucket for piece in bar.pieces if piece.x >= bars.axis - 0.01]
            assert set(right) <= {"correct", "refused"}


def test_runs_at_the_same_place_share_a_dot():
    found = scatter_of(comparison_of(CAREFUL, CAREFUL, letters_of(N, answerable="o", tempt_wrong="o")))
    assert [dot.label for dot in found.dots] == ["1, 2", "3"]
    assert found.dots[1].x > found.dots[0].x


CORNERS = (
    CAREFUL,
    letters_of(N, answerable="o", tempt_wrong="o", adversarial="o"),
    "w" * N,
    letters_of(N, unanswerable="u"),
    letters_of(N, unanswerable="uur"),
    letters_of(N, answerable="oc"),
    letters_of(N, answerable="occc"),
    letters_of(N, refusal_due="u", answerable="o"),
)


@pytest.mark.parametrize("times", [1, 2, 5], ids=["8 runs", "16 runs", "40 runs"])
def test_no_label_of_the_scatter_covers_a_dot_or_another_label(times):
    found = scatter_of(comparison_of(*(letters for letters in CORNERS for _ in range(times))))
    boxes = [dot.box for dot in found.dots]
    points = [Box(dot.x - 5, dot.y - 5, dot.x + 5, dot.y + 5) for dot in found.dots]
    for place, box in enumerate(boxes):
        assert box.within(FRAME)
        assert not any(map(box.overlap, [*boxes[:place], *boxes[place + 1 :], *points]))
    assert sorted(number for dot in found.dots for number in dot.numbers) == list(range(1, 8 * times + 1))
    assert len(found.shortened) == (len(found.dots) if times == 5 else 0)


def comparison_of(*several):
    from showable.measure.contender import Contender
    from showable.report.comparison.compare_runs import compare_runs

    contenders = []
    for number, letters in enumerate(several):
        contender = Contender(f"run {number}", f"run-{number}", None)
        contender.begin_run()
        for one in cards(letters):
            contender.add(one, None)
        contenders.append(contender)
    return compare_runs(contenders, [SIGNATURE] * len(contenders))


def test_the_matrix_decides_as_the_gate_itself_does(compare):
    several = {"a": CAREFUL, "b": letters_of(N, answerable="w"), "c": letters_of(N, answerable="o", tempt_wrong="o"), "d": letters_of(N, unanswerable="u"), "e": "?" * N}  # fmt: skip
    for name, letters in several.items():
        make_run(name, letters, facts())
    from showable.api import gate

    names = list(several)
    for one in compare(*names)["gate"]:
        decision = gate(names[one["baseline"] - 1], names[one["candidate"] - 1])
        assert (one["ship"], one["inconclusive"], one["reasons"]) == (decision.ship, decision.inconclusive, len(decision.reasons))  # fmt: skip
        assert one["reason"] == (decision.reasons[0] if decision.reasons else None)


def test_over_refusals_are_those_of_the_summary():
    """One definition and one denominator, whatever page they stand on."""
    from scorecards import SIGNATURE, few_cards

    from showable.measure.contender import Contender
    from showable.measure.summary import summarise

    run = Contender("a", "a", None)
    run.begin_run()
    for card in few_cards():
        run.add(card, None)
    over, rate = run.row(1, seed=0).refusals.over, summarise(few_cards(), SIGNATURE).rates["over_refusal"]
    assert (over.count, over.n) == (rate.passed, rate.passed + rate.failed) == (1, 9)
