"""The trend of each bucket: which runs are joined, what is marked, where links lead; and both new pages in Chromium."""

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from browser import PHONE, faults, needs_chromium, shared
from made_runs import facts, letters_of, make_repeats, make_run
from scorecards import SIGNATURE

from showable.report.history import trends
from showable.report.history.markdown import render_history_markdown
from showable.report.history.page import render_history_page
from showable.stores.baselines import pin
from showable.stores.run_history import read_history

CAREFUL = letters_of(13)
OTHER_JUDGE = SIGNATURE.model_copy(update={"judge": "chat@2"})
ATTACK = "<img src=x onerror=alert(1)>"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def runs_of(*kinds):
    """One run a day: ``a`` and ``A`` of one set, ``b`` of another set, ``j`` of the first set by another judge."""
    for day, kind in enumerate(kinds, 1):
        letters = {"b": letters_of(26), "A": letters_of(13, answerable="w")}.get(kind, CAREFUL)
        signature = OTHER_JUDGE if kind == "j" else SIGNATURE
        make_run(f"runs/{day:02}-{kind}", letters, facts(at=f"2026-01-{day:02}T00:00:00Z"), signature=signature)
    return read_history(Path("runs"))


@pytest.mark.parametrize(
    ("kinds", "joined", "source"),
    [
        ("aaa", [(0, 1), (1, 2)], "one series"),
        ("ab", [], "another question set"),
        ("aj", [], "another signature"),
        ("abab", [(0, 2), (1, 3)], "each series by itself, over the others"),
        ("ajA", [(0, 2)], ""),
        ("a", [], "one run is no trend"),
    ],
)
def test_only_runs_of_the_same_questions_measured_alike_are_joined(kinds, joined, source):
    for panel in trends.panels_of(runs_of(*kinds)):
        places = {round(mark.x, 3): place for place, mark in enumerate(panel.marks)}
        found = [(places[round(line.x1, 3)], places[round(line.x2, 3)]) for line in panel.lines]
        assert sorted(found) == joined, source


def test_a_mark_stands_where_its_share_is():
    wrong = {panel.name: panel for panel in trends.panels_of(runs_of("a", "A"))}["wrong"]
    floor, high = trends.HEIGHT - trends.FOOT, trends.HEIGHT - trends.FOOT - trends.TOP
    assert wrong.marks[0].y == pytest.approx(floor)
    assert wrong.marks[1].y == pytest.approx(floor - high * 4 / 13)
    for mark in wrong.marks:
        assert mark.high <= mark.y <= mark.low
        assert trends.LEFT <= mark.x <= trends.WIDTH - trends.RIGHT


def test_there_is_a_panel_a_bucket_and_series_have_shapes_of_their_own():
    history = runs_of("a", "b", "j", "a")
    assert [panel.name for panel in trends.panels_of(history)] == ["acceptable", "correct", "refused", "wrong", "unsupported", "unknown"]  # fmt: skip
    series = trends.series_of(history)
    assert [(one.shape, one.count) for one in series] == [("circle", 2), ("square", 1), ("triangle", 1)]


def test_the_newest_sixty_are_drawn():
    history = runs_of("a")
    many = history.model_copy(update={"runs": history.runs * 75})
    assert len(trends.panels_of(many)[0].marks) == 60
    assert "Drawn are the newest 60 of 75 runs" in render_history_page(many)


def test_the_baseline_is_marked():
    runs_of("a", "A")
    pin("main", Path("runs/02-A"))
    history = read_history(Path("runs"))
    marks = trends.panels_of(history)[0].marks
    assert [mark.pinned for mark in marks] == ["", "main"]
    html = render_history_page(history)
    assert html.count('class="run pinned"') == 6
    assert '<span class="badge">main</span>' in html


def test_links_lead_to_each_report(cli):
    make_run("runs/a b#1", CAREFUL, facts())
    make_repeats("runs/javascript:alert(1)", [CAREFUL, CAREFUL], facts())
    Path("out/deep").mkdir(parents=True)
    for target in ("h.html", "out/deep/h.html", "runs/h.html"):
        assert cli("runs", "-o", target)[0] == 0
        links = re.findall(r'href="([^"#][^"]*)"', Path(target).read_text("utf-8"))
        assert len(links) == 3
        for link in links:
            assert ":" not in link
            assert (Path(target).parent / unquote(link)).is_file()


def test_what_runs_are_called_is_escaped():
    make_run("runs/a", CAREFUL, facts(label=ATTACK, questions=ATTACK, name=ATTACK))
    make_run(f"runs/{ATTACK}", CAREFUL, facts(at=ATTACK))
    make_run("runs/half", CAREFUL, facts(), finished=False)
    html = render_history_page(read_history(Path("runs")))
    assert "<img" not in html
    assert "<script" not in html
    markdown = render_history_markdown(read_history(Path("runs")))
    assert "<img" not in markdown
    assert "not finished" in markdown


def test_an_empty_folder_makes_a_page_all_the_same():
    Path("runs").mkdir()
    assert "no finished runs" in render_history_page(read_history(Path("runs")))


def test_markdown_lists_the_newest_first_and_counts_what_has_no_room():
    history = runs_of(*"aAaAaA")
    lines = [line for line in render_history_markdown(history).splitlines() if line.startswith("| 2026")]
    assert [line[2:12] for line in lines] == [f"2026-01-{day:02}" for day in range(6, 0, -1)]
    assert "more" in render_history_markdown(history, limit=900)
    assert len(render_history_markdown(history, limit=900)) <= 1_500


def test_json_holds_it_all(cli):
    runs_of("a", "b")
    assert cli("runs", "-o", "h.json")[0] == 0
    document = json.loads(Path("h.json").read_text())
    assert [run["n"] for run in document["runs"]] == [13, 26]
    assert document["runs"][0]["signature"] == str(SIGNATURE)


@pytest.fixture
def pages(cli):
    make_run("runs/a", CAREFUL, facts(prompt="licensed@1", refusal_licence=True, model_class="frontier"))
    make_run("runs/b", letters_of(13, null_retrieval="u", answerable="cow?"), facts(prompt="unlicensed@2", refusal_licence=False, label="a long label " * 6))  # fmt: skip
    make_repeats("runs/c", [CAREFUL, letters_of(13, answerable="w"), CAREFUL], facts(model="model-b"))
    make_run("runs/d", letters_of(26), facts())
    make_run("runs/half", CAREFUL, facts(), finished=False)
    pin("main", Path("runs/a"))
    assert cli("compare", "runs/a", "runs/b", "runs/c", "-o", "compare.html")[0] == 0
    assert cli("runs", "-o", "history.html")[0] == 0
    make_run("e", "w" + CAREFUL[1:], facts())
    assert cli("gate", "runs/c", "e", "-o", "gate.html")[0] == 1
    return [Path(name).resolve() for name in ("compare.html", "history.html", "gate.html")]


@needs_chromium
@pytest.mark.parametrize(
    ("names", "scheme"),
    [
        (("compare.html", "history.html"), "light"),
        pytest.param(("gate.html",), "light", marks=pytest.mark.slow),  # it has tests of its own
        pytest.param(("compare.html", "history.html"), "dark", marks=pytest.mark.slow),
    ],
)
def test_the_pages_are_accessible_light_dark_and_on_a_phone(pages, browser, names, scheme):
    """All rules in the light, in the dark what colours can get wrong, on a phone the width."""
    for path in (path for path in pages if path.name in names):
        with shared(browser, color_scheme=scheme) as page:
            page.goto(path.as_uri())
            assert faults(page, rules=None if scheme == "light" else ["color-contrast"]) == [], path.name
            assert _fits(page), path.name
            page.set_viewport_size(PHONE)
            assert _fits(page), path.name
            assert page.errors == []
            assert {url.partition("#")[0] for url in page.asked} == {path.as_uri()}


def _fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_names_of_baselines_stand_clear_of_each_other():
    runs_of(*"aaAAaa")
    for day, name in enumerate(("main", "a-longer-name", "x", "release-2026.03", "y", "another-long-one"), 1):
        pin(name, Path(f"runs/{day:02}-{'A' if day in (3, 4) else 'a'}"))
    for panel in trends.panels_of(read_history(Path("runs"))):
        spans = [(flag.level, flag.x - 3.1 * len(flag.text), flag.x + 3.1 * len(flag.text)) for flag in panel.flags]
        assert len(spans) == 6
        for place, (level, left, right) in enumerate(spans):
            assert right <= trends.WIDTH
            assert all(right <= low or high <= left for other, low, high in spans[place + 1 :] if other == level)


def test_an_axis_ends_above_every_interval_and_no_higher_than_it_must():
    panels = {panel.name: panel for panel in trends.panels_of(runs_of("b", "b"))}
    # 26 questions: none wrong is 0-12.9 % by Wilson, so 20 % is the first end above it
    assert (panels["wrong"].ceiling, panels["acceptable"].ceiling) == (20, 100)
    for panel in panels.values():
        assert all(trends.TOP - 0.01 <= mark.high <= mark.y <= mark.low for mark in panel.marks)
