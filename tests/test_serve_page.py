"""The dashboard: what is made of counts, traces and answers; what is refused; how it looks in Chromium."""

import asyncio
import http.client
import threading
import time
from collections import Counter
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from browser import PHONE, alone, faults, needs_chromium
from hypothesis import given, settings
from hypothesis import strategies as st
from page_server import served
from seeded_traces import (
    ALL_SHAPES,
    INVENTED,
    MARKUP,
    NO_LOG,
    NOW,
    OFF_PASSAGE,
    UNCITED,
    live,
    long_trace,
    seed,
    spans_of,
)

from showable.errors import SettingError, ShowableError
from showable.measure.rates import wilson_interval
from showable.serving.pages import drift
from showable.serving.pages.answers import answer_of, sampling_said
from showable.serving.pages.asking import Asker, Silent
from showable.serving.pages.charts import panel_of
from showable.serving.pages.dashboard import rates_of
from showable.serving.pages.kept import Kept, Pending
from showable.serving.pages.processes import processes_of
from showable.serving.pages.rates import BUCKETS, MEASURES, RUBRICS, figure_of, table_of
from showable.serving.pages.tree import MOST_ROWS, tree_of
from showable.serving.pages.view import BYS, HOUR_NS, View, read_view, with_window
from showable.serving.pages.words import moment, took
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Count, Where

EXTRA = 9_000
"""Traces of single shapes are numbered from here."""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The traffic in a store, and after it a trace of each shape and one of 2,000 spans."""
    path = tmp_path_factory.mktemp("traces") / "traces.db"
    store, now = open_trace_store(path), time.time_ns()
    seed(store, now)
    lone = [live(shape, EXTRA + at, now - 10**9, judged=True) for at, shape in enumerate(ALL_SHAPES)]
    for one in lone:
        store.add_spans(spans_of(one))
    store.add_scores(lone)
    store.add_spans(long_trace(2_000))
    store.close()
    return path


@pytest.fixture
def store(place):
    opened = open_trace_store(place)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def url(place):
    with served(place) as address:
        yield address


def trace_of(shape):
    return f"/trace/{EXTRA + ALL_SHAPES.index(shape) + 1:032x}"


def get(url, path="/", method="GET", body=None, **headers):
    """Ask for a page; gives status, headers and text."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def counted(dimension, at=0, group="", **values):
    """Rows of counts: n alone, or (n, judged, weight of each)."""
    rows = []
    for value, given_ in values.items():
        n, judged, weight = given_ if isinstance(given_, tuple) else (given_, 0, 1.0)
        rows.append(Count(at, group, dimension, value, n, judged, judged * weight, judged * weight**2))
    return rows


STRUCTURAL, _, SEMANTIC = RUBRICS
WRONG = BUCKETS[0]

FIGURES = [
    # measure, rows, share, said; by hand, intervals by Wilson's formula
    (STRUCTURAL, {"fail": 3, "pass": 7}, 0.3, "30.0 % (3/10, 95 % CI 10.8–60.3)"),
    (STRUCTURAL, {"fail": 3, "pass": 7, "unknown": 2, "not_applicable": 1}, 0.3,
     "30.0 % (3/10, 95 % CI 10.8–60.3); 2 unknown, 1 not applicable"),
    (STRUCTURAL, {"unknown": 12}, None, "not measured (0 of 12 could be checked)"),
    (SEMANTIC, {"unknown": 12}, None, "not measured (0 of 12 judged)"),
    (SEMANTIC, {"unknown": (12, 5, 1.0)}, None, "not measured (0 of 5 judged could be decided)"),
    # two of eight, each standing for five, beside two of two that were certain: 2 + 2·5 of 2 + 8·5
    (WRONG, {"wrong": (12, 4, 3.0), "correct": (30, 6, 5.0)}, 12 / 42, None),
    (WRONG, {"correct": (10, 10, 1.0)}, 0.0, "0 % (95 % CI 0–27.8), estimated from 10 judged of 10"),
]  # fmt: skip


@pytest.mark.parametrize(("measure", "values", "share", "said"), FIGURES)
def test_a_rate_says_what_it_rests_on(measure, values, share, said):
    figure = figure_of(measure, counted(measure.dimension, **values))
    assert figure.share == (share if share is None else pytest.approx(share))
    assert said is None or figure.said == said
    assert (figure.low is None) == (share is None)
    assert "not measured" in figure.brief or figure.low <= figure.share <= figure.high


def test_what_was_counted_whole_has_wilsons_interval():
    figure = figure_of(STRUCTURAL, counted("structural", fail=3, **{"pass": 7}))
    assert (figure.low, figure.high) == pytest.approx(wilson_interval(0.3, 10))


tallies = st.lists(
    st.tuples(
        st.sampled_from("ab"), st.integers(0, 3), st.sampled_from(("pass", "fail", "unknown")), st.integers(1, 9)
    ),
    max_size=12,
)


@settings(max_examples=25)
@given(tallies)
def test_groups_and_steps_add_up_to_the_whole(rows):
    """A property: however counts are split by group and time, the sums are the same, and the largest group is first."""
    counts = [Count(at, group, "structural", value, n, 0, 0.0, 0.0) for group, at, value, n in rows]
    counts += [Count(at, group, "bucket", "unknown", n, 0, 0.0, 0.0) for group, at, _, n in rows]
    table = table_of(counts)
    assert sum(table.answers(group)[0] for group in table.groups) == table.answers()[0] == sum(n for *_, n in rows)
    sizes = [table.answers(group)[0] for group in table.groups]
    assert sizes == sorted(sizes, reverse=True)
    parts = [row for group in table.groups for at in range(4) for row in table.rows("structural", group, at)]
    assert Counter(row for group in table.groups for row in table.rows("structural", group)) == Counter(parts)
    assert Counter(parts) == Counter(table.rows("structural"))


def test_a_line_is_broken_where_nothing_was_measured():
    counts = [
        *counted("structural", at=0, fail=1, **{"pass": 9}),
        *counted("structural", at=HOUR_NS, fail=0, **{"pass": 10}),
        *counted("structural", at=2 * HOUR_NS, unknown=4),
        *counted("structural", at=3 * HOUR_NS, fail=5, **{"pass": 5}),
        *(row for at in range(4) for row in counted("bucket", at=at * HOUR_NS, unknown=10)),
    ]
    panel = panel_of(STRUCTURAL, table_of(counts), (0, 4 * HOUR_NS), HOUR_NS)
    (line,) = panel.lines
    assert (line.path.count("M"), len(line.marks), len(panel.rows)) == (2, 3, 4)
    assert [mark.y for mark in line.marks] == sorted(
        (mark.y for mark in line.marks), key=lambda y: (y != line.marks[0].y, -y)
    )
    assert all(mark.high <= mark.y <= mark.low for mark in line.marks)
    assert panel.rows[2].figures[0].said == "not measured (0 of 4 could be checked)"


def test_no_answer_is_asked_of_a_step_in_which_there_was_none():
    assert not panel_of(STRUCTURAL, table_of([]), (0, 4 * HOUR_NS), HOUR_NS).measured


ADDRESSES = [{}, {"service": "a&b=ü"}, {"model": ""}, {"cohort": ":x", "profile": "general"}]


@pytest.mark.parametrize("filters", ADDRESSES)
def test_an_address_says_exactly_what_is_filtered_by(filters):
    view = View(filters=filters, compare="model", bucket="wrong", failing=True, text="<b>", after="id:1")
    assert read_view(dict(parse_qsl(urlsplit(view.address("/")).query))) == view


@pytest.mark.parametrize("query", [{"window": "2h"}, {"compare": "colour"}, {"bucket": "fine"}])
def test_an_address_that_asks_for_what_there_is_not_is_refused(query):
    with pytest.raises(SettingError, match="expected one of"):
        read_view(query)


def test_the_window_begins_at_a_whole_step():
    view = read_view({"window": "7d"})
    assert view.since(NOW) % view.stretch.step_ns == 0
    assert NOW - view.since(NOW) - view.stretch.length_ns in range(view.stretch.step_ns)


def test_without_a_window_a_list_has_all_and_rates_have_the_longest():
    view = read_view({"window": "all"})
    assert view.where(NOW).since_ns is None
    assert with_window(view).stretch.name == "30d"


def test_rates_by_group_show_where_the_regression_is(store):
    rates = rates_of(store, read_view({"window": "7d", "compare": "prompt_version"}), time.time_ns())
    resolvability = [one.name for one in MEASURES].index("resolvability")
    by_group = {row.name: row.figures[resolvability] for row in rates.rows}
    assert set(by_group) == {"v1", "v2", "v3", "all answers"}
    assert by_group["v3"].low > by_group["v1"].high
    assert rates.answers == sum(row.answers for row in rates.rows[:-1]) == rates.rows[-1].answers
    assert 0 < rates.judged < rates.answers
    assert len({*BYS}) == 5


def test_drift_is_found_and_told_with_its_figures(store):
    rows = store.answers(Where(), limit=drift.MOST_ANSWERS)
    report = drift.look_for_drift(store, Where())
    alarm = next(one for one in report.alarms if one.what == "resolvability_failed")
    assert alarm.before.value < 0.05 < alarm.after.low
    assert alarm.n <= len(rows)
    assert "semantic_failed" in {one.what for one in report.watched}


def test_too_few_answers_are_not_watched(store):
    assert drift.look_for_drift(store, Where(until_ns=1)) is None


def test_thinned_answers_had_all_the_same_chance():
    """Of answers read with certainty a quarter stays where the least probability is a quarter; of the others, all."""
    certain = [live(INVENTED, at, NOW, judged=True) for at in range(400)]
    rest = [live(ALL_SHAPES[0], 1_000 + at, NOW, judged=True, probability=0.25) for at in range(100)]
    kept = Counter(score.probability for score in drift.thinned([*certain, *rest]))
    assert kept[0.25] == 100
    assert 70 <= kept[1.0] <= 130  # 100 expected, standard deviation 8.7


PROCESSES = [
    # what it says of itself, when (seconds ago), what is wrong with it
    ({"spans_accepted": 1_234.0}, 2, None),
    ({"lag_s": 2.4}, 600, "stalled, or ended"),
    ({"lag_s": 900.0}, 2, "behind by 900 s"),
    ({"export_down_since_ns": float(NOW)}, 2, "what it sends is not taken"),
    ({"export_down_since_ns": 0.0}, 2, None),
]


@pytest.mark.parametrize(("said", "ago_s", "trouble"), PROCESSES)
def test_a_process_in_trouble_is_seen(said, ago_s, trouble):
    (process,) = processes_of({"one": {"at_ns": float(NOW - ago_s * 10**9)} | said}, NOW)
    assert process.trouble == trouble


def test_what_a_process_says_is_written_with_its_units():
    said = {"scored_total": 1_234.0, "lag_s": 2.4, "backlog_bytes": 2_500_000.0, "open_traces": 3.0}
    (process,) = processes_of({"scoring": said}, NOW)
    shown = {one.name: one.value for one in process.gauges}
    assert shown == {"scored": "1,234", "lag": "2.4 s", "backlog": "2.5 MB", "open traces": "3"}
    assert (process.heard, process.trouble) == ("it has not said when", "stalled, or ended")


def test_a_long_trace_shows_what_matters_and_counts_the_rest():
    spans = long_trace(2_000)
    spans[1_500] = replace(spans[1_500], status="error")
    shown = tree_of(spans, {spans[1_800].span_id})
    assert (len(shown.rows), shown.left_out, shown.spans) == (MOST_ROWS, 2_000 - MOST_ROWS, 2_000)
    names = {row.span.name for row in shown.rows}
    assert {"agent", spans[1_500].name, spans[1_800].name} <= names
    assert sum(row.hidden for row in shown.rows) == shown.left_out
    assert len(tree_of(spans, (), most=5_000).rows) == 2_000


def test_a_broken_tree_is_shown_and_said():
    root, first, second = long_trace(3)
    spans = [replace(root, parent_id="0" * 15 + "9"), first, replace(second, parent_id=second.span_id, start_ns=0)]
    shown = tree_of(spans, ())
    assert len(shown.rows) == 3
    assert shown.losses
    assert [row.bar for row in shown.rows if row.span.start_ns == 0] == [None]
    assert any(row.orphan for row in shown.rows)


CITED = [
    # shape, what is said of each document; by what the shape cites and what its judge says
    (INVENTED, ["retrieved, not cited", "cited, supports", "cited, and not in the retrieval log"]),
    (OFF_PASSAGE, ["retrieved, not cited", "cited, contradicts", "retrieved, not cited"]),
    (NO_LOG, ["cited; the trace holds no retrieval log"]),
    (UNCITED, ["retrieved, not cited", "retrieved, not cited", "cited, supports"]),
]


@pytest.mark.parametrize(("shape", "said"), CITED)
def test_each_document_says_what_it_is_to_the_answer(shape, said):
    shown = answer_of(1, live(shape, 1, NOW, judged=True))
    assert [document.said for document in shown.documents] == said
    for claim in shown.claims:
        for cited in claim.citations:
            assert shown.documents[cited.document - 1].source_id == cited.named
    assert "".join(piece.text for piece in shown.pieces) == shape.answer


def test_how_an_answer_was_chosen_is_said_in_words():
    drawn = live(ALL_SHAPES[0], 1, NOW, judged=True, probability=0.25)
    assert sampling_said(drawn).endswith(
        "drawn with a probability of 25.0 %, so it stands for 4 answers in estimated rates."
    )
    assert sampling_said(replace(drawn, chosen=False, judged=False)).startswith("Not chosen for the judge")


@pytest.mark.parametrize(
    ("at", "said"), [(NOW, "2026-09-21 14:13"), (0, "time unknown"), (-5, "time unknown"), (10**30, "time unknown")]
)
def test_times_that_no_calendar_has_are_unknown(at, said):
    assert moment(at) == said


@pytest.mark.parametrize(
    ("ms", "said"), [(None, "–"), (0.2, "<1 ms"), (840.4, "840 ms"), (2_400, "2.4 s"), (250_000, "250 s")]
)
def test_durations(ms, said):
    assert took(ms) == said


class Hanging:
    """A store that does not answer until it is let go, or refuses."""

    def __init__(self):
        self.gone = threading.Event()

    def holdings(self):
        self.gone.wait(5)
        raise ShowableError("the disk is\x1b[31m full")

    def close(self):
        pass


def test_a_store_that_hangs_or_refuses_is_told_of():
    hanging = Hanging()

    async def ask():
        asker = Asker(lambda: hanging, limit_s=0.05)
        first = await asker.ask(lambda store: store.holdings())
        hanging.gone.set()
        second = await asker.ask(lambda store: store.holdings())
        asker.close()
        return first, second

    first, second = asyncio.run(ask())
    assert isinstance(first, Silent)
    assert first.said.startswith("The store did not answer within 0.05 seconds")
    assert second == Silent("The store refused: the disk is full")


def test_what_takes_long_is_worked_out_once_and_held():
    async def ask():
        asked, go = [], asyncio.Event()
        kept = Kept(60.0)

        async def slow():
            asked.append(1)
            await go.wait()
            return 7

        first = await asyncio.gather(*(kept.get("x", slow, within_s=0.01) for _ in range(3)))
        go.set()
        return first, await kept.get("x", slow, within_s=1.0), await kept.get("x", slow, within_s=1.0), len(asked)

    assert asyncio.run(ask()) == ([Pending()] * 3, 7, 7, 1)


def test_other_host_names_other_paths_and_other_methods_are_refused(url):
    assert get(url, Host="evil.example")[0] == 421
    assert get(url, "/nothing")[0] == 404
    assert get(url, "/static/../page.py")[0] == 404
    assert get(url, "/trace/none")[0] == 404
    assert get(url, "/", "POST")[0] == 405
    status, _, text = get(url, "/?" + urlencode({"window": "<script>"}))
    assert (status, "<script>" in text) == (400, False)
    assert get(url, "/healthz")[2] == "ok\n"


def test_every_answer_carries_the_headers(url):
    for path in ("/", "/nothing", "/healthz", "/static/pages.css"):
        headers = get(url, path)[1]
        policy = headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_trace_of_another_tool_is_found_whatever_its_id(tmp_path):
    store, (span,) = open_trace_store(tmp_path / "t.db"), long_trace(1, trace_id="a/b c?d#<i>")
    store.add_spans([span])
    store.close()
    with served(tmp_path / "t.db") as url:
        status, _, text = get(url, "/trace/a/b%20c%3Fd%23%3Ci%3E")
    assert (status, "a/b c?d#&lt;i&gt;" in text, "<i>" in text) == (200, True, False)


def test_a_token_is_asked_for_once(place):
    with served(place, token="secret word") as url:
        assert get(url)[0] == 401
        assert "boiler" not in get(url, "/traces?window=7d")[2]
        form = {"method": "POST", "Content_Type": "application/x-www-form-urlencoded"}
        assert get(url, "/enter", body="token=wrong", **form)[0] == 403
        status, headers, _ = get(url, "/enter", body="token=secret+word", **form)
        assert (status, headers["Location"]) == (303, "/")
        cookie = headers["Set-Cookie"].partition(";")[0]
        assert "HttpOnly" in headers["Set-Cookie"]
        assert get(url, "/traces", Cookie=cookie)[0] == 200
        assert get(url, "/enter", body="token=" + "x" * 5_000, **form)[0] == 413


def test_an_empty_store_says_what_to_do(tmp_path):
    with served(tmp_path / "empty.db", port=4999) as url:
        text = get(url)[2]
    assert "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4999" in text
    assert "showable traces import FILE" in text
    assert "<svg" not in text


def test_a_store_that_cannot_be_opened_is_told_of_on_every_page(tmp_path):
    (tmp_path / "notes.db").write_text("no database at all, and long enough to be taken for none\n" * 20)
    with served(tmp_path / "notes.db") as url:
        for path in ("/", "/traces", "/trace/" + "1" * 32):
            status, _, text = get(url, path)
            assert (status, "The store refused" in text) == (503, True)


def test_the_list_goes_on_page_by_page(url):
    seen, path = [], "/traces?window=7d&service=lease-desk"
    for _ in range(5):
        text = get(url, path)[2]
        seen += [part.partition('"')[0] for part in text.split('href="/trace/')[1:]]
        if 'rel="next"' not in text:
            break
        path = text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")
    assert len(seen) == len(set(seen)) == 210


@needs_chromium
def test_the_pages_hold_up_in_a_browser(url, browser):
    with alone(browser) as page:
        check_rates(page, url)
        check_lines(page, url)
        page.set_viewport_size(PHONE)
        page.emulate_media(color_scheme="dark")
        check_phone(page, url)
        assert page.errors == []
        assert all(asked.startswith((url, "data:")) for asked in page.asked)


def check_rates(page, url):
    page.goto(url + "/?window=7d&compare=prompt_version")
    assert page.locator("svg[role=img]").count() == 8
    page.locator("figure summary").first.press("Enter")
    assert faults(page) == []
    page.get_by_label("compare by").select_option("service")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**compare=service**")
    assert "lease-desk" in page.locator(".key").inner_text()


def check_lines(page, url):
    page.goto(url + trace_of(INVENTED))
    page.wait_for_selector("html[data-ready=yes]")
    assert page.locator(".lines path").count() == 2
    assert page.locator(".lines path.wrong").count() == 1
    assert page.locator(".stranger").inner_text().endswith("cited, and not in the retrieval log")


def check_phone(page, url):
    page.goto(url + trace_of(MARKUP))
    assert "<script>alert(1)</script>" in page.locator("h1").inner_text()
    assert page.locator("main b", has_text="bold").count() == 0
    assert page.locator("main img").count() == 0
    assert faults(page) == []
    for path in ("/?window=7d", "/traces?window=7d", "/trace/" + "f" * 32):
        page.goto(url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert "150 of 2,000 spans are shown" in page.locator("main").inner_text()
