"""What somebody else's text may do where reports are opened: links in SARIF, formulas in CSV, controls in a terminal."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_checks import check_sarif
from report_views import sarif_of, view_of, written
from scorecards import FAIL, card

from showable.cli.terminal import TerminalOutput, shown
from showable.records import Finding
from showable.registries.find_case_law import _parsed
from showable.registries.web.asking import OddReplyError, Reply
from showable.report.sarif_text import sarif_message
from showable.report.table import safe_cell, write_table
from showable.stores.label_csv import csv_lines, neutral, plain

LINK = "[click](http://evil.example/)"
_EMBEDDED = re.compile(r"(?<!\\)\[(?:[^\\\[\]]|\\.)*\]\(")
"""An embedded link, SARIF 2.1.0, 3.11.6: an unescaped bracket, and an address behind it."""


def messages(value):
    """Every message text in a log."""
    if isinstance(value, dict):
        for name, held in value.items():
            if name in {"message", "description"}:
                yield held["text"]
            else:
                yield from messages(held)
    elif isinstance(value, list):
        for held in value:
            yield from messages(held)


def test_no_message_of_a_run_as_sarif_has_a_link_in_it():
    reason = f"the source {LINK} is not in the log \\{LINK}"
    finding = Finding(code="resolvability.not_retrieved", outcome=FAIL, reason=reason)
    made = card(f"q{LINK}", "wrong", why=LINK, findings=(finding,))
    log = sarif_of(view_of([made]))
    check_sarif(log)
    texts = list(messages(log))
    assert any(r"\[click\](http://evil.example/)" in text for text in texts)
    assert not [text for text in texts if _EMBEDDED.search(text)]


@given(st.text("[]\\()ab:/ \n\u202e", max_size=30))
def test_a_message_reads_back_as_the_text_that_it_was_made_of(text):
    written = sarif_message(text)["text"]
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]]", written), "no bracket is left bare"
    assert re.sub(r"\\([\\\[\]])", r"\1", written) == " ".join(text.replace("\u202e", "").split())


SIGNS = "=+-@|%＝＋－＠"


def cells_as_opened(text, delimiter):
    return [cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) for cell in row]


@pytest.mark.parametrize(
    ("text", "expected", "source"),
    [
        ("x;=1+1;y", "x;'=1+1;y", "the case: `;` parts cells in half of Europe"),
        ("x\t@SUM(A1)", "x\t'@SUM(A1)", "a tab parts cells"),
        ("x; \u00a0-2", "x; \u00a0'-2", "blanks before the sign"),
        ('a "b" c\n=1', 'a "b" c\n\'=1', "a line ends a row where the quotes are another separator's"),
        (";=;=", ";'=;'=", "each of them"),
        ("x;'=1", "x;'=1", "a quote is there already"),
        ("x; y = 1", "x; y = 1", "no cell begins with the sign"),
        ("a=b", "a=b", "nor here"),
    ],
)
def test_a_sign_within_a_cell_begins_no_formula(text, expected, source):
    assert safe_cell(text) == expected, source


@given(st.text(";\t\n \"',=+-@ab", max_size=25))
def test_no_cell_is_a_formula_however_the_file_is_opened(text):
    view = view_of([card("q1", "correct", why=text)])
    table = written(write_table, view).decode("utf-8-sig")
    for delimiter in ",;\t":
        assert not [cell for cell in cells_as_opened(table, delimiter) if cell.lstrip()[:1] in SIGNS and cell.strip()]


@given(st.text(";\t\r\n \"',=+-@＝ab", max_size=25))
def test_labels_are_neutral_however_the_file_is_opened_and_read_back_as_they_were(text):
    assert plain(neutral(text)) == text
    table = "".join(csv_lines(["a", "b"], [["x", neutral(text)]])).removeprefix("\ufeff")
    for delimiter in ",;\t":
        cells = cells_as_opened(table, delimiter)
        assert not [cell for cell in cells if cell.lstrip()[:1] in set(SIGNS) - {"|", "%"} and cell.strip()]


def test_labels_that_spread_over_cells_take_no_time_that_grows_with_their_square():
    for text in (";" * 300_000, "\n" * 300_000, "; " * 200_000, "'" * 300_000, ";" + " " * 300_000):
        assert plain(neutral(text)) == text


STEERING = "a\x9b2Jb\u202ec\u2066d\x85e\U000e0041f\ufeffg\x7fh"


def test_json_on_a_terminal_is_the_same_json_and_steers_nothing():
    document = json.dumps({"question": STEERING}, ensure_ascii=False)
    safe = shown(document)
    assert safe.isascii()
    assert json.loads(safe) == {"question": STEERING}
    assert shown("\x1b[1mbold\x1b[0m — ü\n") == "\x1b[1mbold\x1b[0m — ü\n", "colours and letters stay"


def test_text_and_bytes_go_the_same_way():
    held = io.StringIO()
    output = TerminalOutput(held)
    output.writelines([STEERING])
    output.buffer.write(STEERING.encode())
    output.buffer.writelines([STEERING.encode(), b"\xff"])
    output.buffer.flush()
    assert held.getvalue() == shown(STEERING) * 3 + "\\xff"
    assert output.write("\u202e") == 1, "as long as what was given"


@pytest.mark.parametrize("args", [["convert", "FILE"], ["convert", "FILE", "--json", "-o", "OUT"]])
def test_a_command_that_prints_records_does_not_steer_the_terminal(args, tmp_path):
    file = tmp_path / "a.jsonl"
    row = {"id": STEERING.replace("\x7f", ""), "question": STEERING, "retrieved": [], "answer": STEERING}
    file.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    args = [{"FILE": str(file), "OUT": str(tmp_path / "out.jsonl")}.get(one, one) for one in args]
    master, slave = os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "showable", *args], stdout=slave, stderr=subprocess.PIPE, check=False
        )
        os.close(slave)
        printed = b""
        while True:
            try:
                piece = os.read(master, 65_536)
            except OSError:  # how Linux says that nobody writes any more
                break
            printed += piece
            if not piece:
                break
    finally:
        os.close(master)
    assert done.returncode == 0, done.stderr
    assert printed
    assert not re.search("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]", printed.decode())
    assert re.search("[\x80-\x9f]", file.read_text()), "and it was there"


BOMB = '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx">]><a>&x;</a>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("before", ["", "<!-- " + "x" * 5_000 + " -->"])
def test_declarations_are_found_in_every_encoding(encoding, before):
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    with pytest.raises(OddReplyError, match="XML with declarations of its own"):
        _parsed(Reply(200, "http://127.0.0.1/", mark + (before + BOMB).encode(encoding)))
    assert _parsed(Reply(200, "http://127.0.0.1/", mark + f"{before}<a>ü</a>".encode(encoding))).text == "ü"


@pytest.mark.parametrize(
    "body", [b"", b"<a>", b"no xml", b"\xff\xfe", b"<?xml version='1.0' encoding='nonsense'?><a/>"]
)
def test_what_is_no_xml_is_said(body):
    with pytest.raises(OddReplyError, match="the body is no XML"):
        _parsed(Reply(200, "http://127.0.0.1/", body))
