"""`showable power`: the table against published bounds, and what a run of one's own proves."""

import json

import pytest
from made_runs import PARTS, facts, letters_of, make_repeats, make_run

SPEC = "statistics of small question sets: all passing, one-sided 95 % lower bound"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def rows(cli, *arguments):
    code, out, err = cli("power", *arguments, "--json")
    assert code == 0, err
    return {row["name"]: row for row in json.loads(out)["rows"]}


@pytest.mark.parametrize(
    ("name", "n", "all_pass", "one_miss", "source"),
    [
        ("null_retrieval", 10, 74.1, 60.6, SPEC),
        ("tempt_wrong", 20, 86.1, 78.4, SPEC),
        ("answerable", 40, 92.8, 88.7, SPEC),
        ("all", 130, 97.7, 96.4, SPEC),
    ],
)
def test_the_protocols_table_says_what_passing_proves(cli, name, n, all_pass, one_miss, source):  # noqa: PLR0917 - a row
    row = rows(cli)[name]
    assert row["n"] == n
    assert round(100 * row["all_pass"], 1) == all_pass, source
    assert round(100 * row["one_miss"], 1) == one_miss, source


def test_the_smallest_drop_is_where_the_published_power_passes_four_fifths(cli):
    # mid-p McNemar, 2 % fixes: n=130, 8 points .79 and 10 points .90; n=40, 20 points .80; n=20, 30 points .68
    table = rows(cli)
    assert 0.08 < table["all"]["smallest_drop"] < 0.10
    assert table["answerable"]["smallest_drop"] == pytest.approx(0.20, abs=0.002)
    assert table["tempt_wrong"]["smallest_drop"] > 0.30


def test_categories_are_the_protocols_and_add_up(cli):
    table = rows(cli, 130)
    assert [row["n"] for name, row in table.items() if name != "all"] == [40, 20, 20, 20, 10, 10, 10]
    assert sum(row["n"] for name, row in rows(cli, 57).items() if name != "all") == 57


def test_too_few_questions_see_no_drop_however_large(cli):
    assert rows(cli, 3)["all"]["smallest_drop"] is None
    assert "none" in cli("power", 3)[1]


def test_more_questions_never_show_less(cli):
    found = [rows(cli, n)["all"] for n in (10, 20, 40, 130, 400)]
    assert [one["all_pass"] for one in found] == sorted(one["all_pass"] for one in found)
    drops = [one["smallest_drop"] for one in found]
    assert drops == sorted(drops, reverse=True)


def test_a_run_is_taken_with_its_own_categories_and_what_it_proves(cli, tmp_path):
    make_run(tmp_path / "mine", letters_of(26, answerable="cccw"), facts())
    table = rows(cli, "--run", tmp_path / "mine")
    assert table["answerable"] | {"all_pass": 0, "one_miss": 0, "smallest_drop": None} == {
        "name": "answerable", "n": 8, "all_pass": 0, "one_miss": 0, "smallest_drop": None,
        "acceptable": 6, "unknown": 0, "proves": pytest.approx(0.4003, abs=5e-5),  # beta.ppf(0.05, 6, 3), by its CDF
    }  # fmt: skip
    assert "this run" in cli("power", "--run", tmp_path / "mine")[1]


def test_unknown_answers_count_as_failed_and_that_is_said(cli, tmp_path):
    make_run(tmp_path / "mine", letters_of(13, answerable="?"), facts())
    row = rows(cli, "--run", tmp_path / "mine")["answerable"]
    assert (row["acceptable"], row["unknown"], row["proves"]) == (0, row["n"], 0.0)
    assert "as if they had failed" in cli("power", "--run", tmp_path / "mine")[1]


def test_repeats_are_folded(cli, tmp_path):
    worse = letters_of(13, answerable="w")
    make_repeats(tmp_path / "mine", [letters_of(13), worse, worse], facts())
    assert rows(cli, "--run", tmp_path / "mine")["answerable"]["acceptable"] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((130, "--run", "x"), "give N or --run, not both"),
        (("--run", "missing"), "missing: no such folder, and no baseline is pinned by that name"),
    ],
)
def test_mistakes_are_one_line(cli, arguments, said):
    code, _, err = cli("power", *arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


@pytest.mark.parametrize("width", [40, 60, 76, 79, 80, 120])
def test_the_name_of_a_category_is_never_split(cli, monkeypatch, tmp_path, width):
    monkeypatch.setenv("COLUMNS", str(width))
    make_run(tmp_path / "mine", letters_of(130), facts())
    make_run(tmp_path / "long", letters_of(13), facts(), category="a category of " + "length" * 9)
    out = cli("power", "--run", tmp_path / "mine")[1]
    assert all(name in out for name in PARTS)
    other = cli("power", "--run", tmp_path / "long")[1]
    assert max(map(len, [*out.splitlines(), *other.splitlines()])) <= width
    assert ("a category of lengthlen…," if width == 40 else "a category of lengthlengthlengthlengthl…") in other


@pytest.mark.parametrize("width", [40, 80, 120])
def test_it_fits_the_terminal(cli, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    assert max(map(len, cli("power")[1].splitlines())) <= width
