from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from scorecards import SIGNATURE, card, claim, few_cards
from screens import rows_on_screen

from showable.measure.summary import SummaryBuilder, summarise
from showable.report.gate_text import render_decision
from showable.report.terminal import render_summary
from showable.report.untrusted import printable
from showable.ship_gate import GateRow, decide

GOLDEN = Path(__file__).parent / "golden"
WIDTHS = (60, 80, 200)


def console(width=80):
    return Console(file=io.StringIO(), width=width, force_terminal=False, no_color=True, legacy_windows=False)


def printed(page):
    """What was printed, without the blanks that tables pad lines with."""
    return "".join(f"{line.rstrip()}\n" for line in page.file.getvalue().splitlines())


def summary_text(cards, width=80, *, details=True):
    builder, page = SummaryBuilder(SIGNATURE), console(width)
    for scored in cards:
        builder.add(scored)
    render_summary(builder.build(), builder.worst(), console=page, details=details)
    return printed(page)


def candidate_cards():
    """The small run after a change: one wrong mended, one refusal graded lower, one answer lost."""
    for scored in few_cards():
        if scored.id == "dose-1":
            yield scored.model_copy(update={"bucket": "correct", "cause": None, "extra_claim_count": 0})
        elif scored.id == "lease-2":
            yield scored.model_copy(update={"bucket": "unsupported", "cause": "miscited"})
        elif scored.id == "moon-3":
            yield scored.model_copy(update={"refusal_quality": 1})
        else:
            yield scored


def decision_text(baseline, candidate, width=80, *, details=True, **settings):
    page = console(width)
    decision = decide(list(baseline), list(candidate), SIGNATURE, SIGNATURE, **settings)
    render_decision(decision, console=page, details=details)
    return printed(page)


def test_the_summary_prints_as_it_did():
    assert summary_text(few_cards()) == (GOLDEN / "summary.txt").read_text(encoding="utf-8")


def test_the_decision_prints_as_it_did():
    assert decision_text(few_cards(), candidate_cards()) == (GOLDEN / "decision.txt").read_text(encoding="utf-8")


def test_what_is_printed_without_details_is_one_screen():
    summary = summary_text(few_cards(), details=False)
    assert summary == (GOLDEN / "summary_screen.txt").read_text(encoding="utf-8")
    decision = decision_text(few_cards(), candidate_cards(), details=False)
    assert decision == (GOLDEN / "decision_screen.txt").read_text(encoding="utf-8")
    assert max(rows_on_screen(summary), rows_on_screen(decision)) <= 40


@pytest.mark.parametrize("width", WIDTHS)
def test_reports_fit_the_width_and_lose_nothing(width):
    text, wide = summary_text(few_cards(), width), summary_text(few_cards(), 200)
    lines = text.splitlines()
    assert all(len(line) <= width for line in lines[:-1])
    assert lines[-1] == f"signature {SIGNATURE}"  # never folded: it is to be copied
    assert all_but_categories(text) == all_but_categories(wide)
    gate = decision_text(few_cards(), candidate_cards(), width)
    assert all(len(line) <= width for line in gate.splitlines()[:-1])


def all_but_categories(text):
    """Categories stand in columns or in words, as the width allows; tests of their table hold that none is lost."""
    before, _, rest = text.replace("█", "").partition("Categories of question\n")
    return "".join((before + rest.partition("\n\n")[2]).split())


def test_a_narrow_terminal_shows_each_reason_under_its_line():
    lines = decision_text(few_cards(), candidate_cards(), 60).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("  NO  unsupported  "))
    assert lines[at + 1].startswith(" " * 6 + "rose by ")
    assert max(map(len, lines[:-1])) <= 60


def test_in_a_log_lines_end_where_their_words_do(cli, tmp_path):
    _, out, _ = cli("demo", "--judge", "lexical", "--out", tmp_path / "run")
    assert out.splitlines() == [line.rstrip() for line in out.splitlines()]
    assert "\x1b" not in out


def test_what_matters_comes_first():
    first, second = summary_text(few_cards()).splitlines()[:2]
    assert first == "9 of 12 answers are acceptable (6 correct, 3 refused); 1 unknown"
    assert second == "acceptable where decided: 81.8 % (9/11, 95 % CI 52.3–94.9); 1 unknown"


def test_a_console_of_ascii_gets_bars_of_ascii():
    page = Console(file=io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="replace"), width=80)
    summary = summarise(few_cards(), SIGNATURE)
    render_summary(summary, [], console=page)
    page.file.flush()
    said = page.file.buffer.getvalue().decode("ascii")
    assert "######" in said


CAUSES = ("no_evidence", "contradicts_source", "answered_on_null_retrieval", "answers_another_question", "bad_quote")


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_cause_and_its_count_stay_on_one_line(width):
    cards = [card(f"{cause}-{n}", "wrong", cause=cause) for cause in CAUSES for n in range(12)]
    text = summary_text(cards, width).split("Causes\n")[1].split("\n\n")[0]
    items = [item for line in text.splitlines() for item in line.strip().rstrip(",").split(", ")]
    assert sorted(items) == sorted(f"{cause} 12" for cause in CAUSES)
    assert len(text.splitlines()) > 1


def test_an_empty_run_says_so():
    assert summary_text([]) == f"Nothing was scored: there are no answers.\n\nsignature {SIGNATURE}\n"
    assert "INCONCLUSIVE" in decision_text([], [])


def test_what_was_not_measured_is_not_printed_as_a_number():
    text = summary_text([card("q", "unknown", cause="unparsed")])
    assert "not measured" in text
    assert "nan" not in text.lower()
    rates = text.split("Rates")[1].split("What needs")[0]
    assert "%" not in rates.replace("with 95 % intervals", "")


def test_more_than_ten_to_look_at_says_how_many():
    text = summary_text([card(f"q{n}", "wrong", cause="contradicts_gold") for n in range(14)])
    assert "The worst 10 of 14 that need a look" in text


HOSTILE = "\x1b[31mred\x1b[0m [bold]x[/bold] \x1b]8;;http://evil\x07link\u202e"


def test_text_of_records_cannot_steer_the_terminal():
    bad = card(HOSTILE, "wrong", why=HOSTILE, category=None, claims=(claim("unsupported", text=HOSTILE),))
    text = summary_text([bad], width=200)
    assert text.count("red [bold]x[/bold] link") == 3
    assert "\x1b" not in text
    assert "\u202e" not in text
    rows = [GateRow(HOSTILE, "correct"), GateRow("b", "correct")]
    moved = decision_text(rows, [replace(rows[0], bucket="wrong"), rows[1]], width=200)
    assert "red [bold]x[/bold] link" in moved
    assert "\x1b" not in moved


PRINTABLE = [
    ("plain text", "plain text", "left as it is"),
    ("a\tb\n\nc", "a b c", "white space folded"),
    ("\x1b[1;31mred\x1b[0m", "red", "CSI colour, ECMA-48"),
    ("\x9b2Jgone", "gone", "8-bit CSI"),
    ("\x1b]0;title\x07x", "x", "OSC ended by BEL"),
    ("\x1b]8;;http://e\x1b\\link", "link", "OSC ended by ST"),
    ("\x1b]0;never ended", "]0;never ended", "only the escape goes, or the rest would be hidden"),
    ("a\x00b\x07c\x7f", "abc", "controls"),
    ("abc\u202edef\u2066", "abcdef", "bidirectional override"),
    ("half \ud800 pair", "half \ufffd pair", "a lone surrogate cannot be written"),
    ("क्‍ष 👩‍⚕️ می‌خواهم", "क्‍ष 👩‍⚕️ می‌خواهم", "joiners belong to the script"),
]


@pytest.mark.parametrize(("text", "expected", "source"), PRINTABLE)
def test_printable(text, expected, source):
    assert printable(text) == expected, source


@given(st.text(), st.integers(1, 20))
def test_printable_text_has_no_controls_and_keeps_its_limit(text, limit):
    shown = printable(text, limit=limit)
    assert len(shown) <= limit
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in shown)
    shown.encode()


def test_the_terminal_says_what_is_not_in_its_counts():
    summary = summarise(few_cards(), SIGNATURE)
    page = console(120)
    render_summary(summary.model_copy(update={"records": summary.n + 7, "rejected": 2}), [], console=page)
    said = printed(page)
    assert f"not finished: 7 of {summary.n + 7} records are not scored yet" in said
    assert "2 lines of the input were no records" in said
