"""Invisible characters by region: what is reported, what spelling needs, and the map back from stripped text."""

from __future__ import annotations

import sys
import unicodedata

import idna.idnadata
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row
from test_invisible import CLEAN, HIDDEN

from showable.read.invisible import without_invisible
from showable.read.scan.everything import scan
from showable.read.scan.invisible import scan_invisible, strip_map
from showable.read.scan.invisible_direction import right_to_left
from showable.read.scan.invisible_spelling import hangs_on_farther, joiner_is_spelling

ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
TAGGED = "".join(chr(0xE0000 + ord(char)) for char in "obey me")
SELECTED = "".join(chr(0xE0100 + byte - 16) for byte in b"run")


def said(findings):
    return [(finding.where, finding.severity) for finding in findings]


# (text, findings in prose, findings in a token, where the expectation comes from)
REPORTED = [
    ("10.1000/\u200bxyz", [((8, 9), "low")], [((8, 9), "warning")], "spec of scanners: a DOI with U+200B"),
    ("hand\u00adbook", [((4, 5), "low")], [((4, 5), "low")], "soft hyphens are debris of line breaks"),
    ("a\ufeffb", [((1, 2), "low")], [((1, 2), "warning")], "U+FEFF is legal at offset 0 alone"),
    ("\ufeffdoc-7", [], [((0, 1), "warning")], "legal at the start of a text, not of an id"),
    ("doc\u2060-7", [((3, 4), "low")], [((3, 4), "warning")], "word joiner"),
    ("doc\u202e7-cod\u202c", [((3, 4), "error"), ((9, 10), "error")], [((3, 4), "error"), ((9, 10), "error")], "CVE-2021-42574"),
    ("if \u2066admin\u2069", [((3, 4), "warning"), ((9, 10), "warning")], [((3, 4), "error"), ((9, 10), "error")], "UTS 55: no right-to-left text"),
    ("שלום \u202e1234\u202c", [((5, 6), "error"), ((10, 11), "error")], [((5, 6), "error"), ((10, 11), "error")], "overrides deceive in any script"),
    ("שלום \u2067abc", [((5, 6), "error")], [((5, 6), "error")], "UAX 9: an isolate that is never closed"),
    ("שלום \u2069abc", [((5, 6), "error")], [((5, 6), "error")], "UAX 9: an end without a beginning"),
    ("שלום \u2067abc\nd\u2069", [((5, 6), "error"), ((11, 12), "error")], [((5, 6), "error"), ((11, 12), "error")], "a paragraph ends every isolate"),
    ("שלום \u2067a\u202bb\u2069c\u202c", [((7, 8), "error"), ((11, 12), "error")], [((5, 6), "error"), ((7, 8), "error"), ((9, 10), "error"), ((11, 12), "error")], "UAX 9, X6a: the isolate's end closes the embedding"),
    ("plain\u200e text", [((5, 6), "warning")], [((5, 6), "error")], "a mark with no right-to-left text near"),
    ("ab\u200ecd שלום", [((2, 3), "warning")], [((2, 3), "error")], "a mark inside a Latin word"),
    ("Hi\U000e0041", [((2, 3), "error")], [((2, 3), "error")], "a tag outside a flag"),
    ("\U0001f3f4\U000e0067", [((1, 2), "error")], [((1, 2), "error")], "UTS 51: a flag is closed by U+E007F"),
    ("a\ufe0f", [((1, 2), "error")], [((1, 2), "error")], "a selector after an ASCII letter"),
    ("😀\ufe0f\ufe0f", [((2, 3), "error")], [((2, 3), "error")], "one character takes one selector"),
    ("葛\U000e0100\U000e0101", [((2, 3), "error")], [((2, 3), "error")], "UTS 37"),
    ("か\U000e0100", [((1, 2), "error")], [((1, 2), "error")], "UTS 37: ideographs alone"),
    ("doc\u200d-7", [((3, 4), "error")], [((3, 4), "error")], "no joiner between Latin letters"),
    ("fu\u200cll", [((2, 3), "error")], [((2, 3), "error")], "no non-joiner between Latin letters"),
    ("کتاب\u200c و", [((4, 5), "low")], [((4, 5), "error")], "a Persian non-joiner left at a word's end"),
    ("name\u3164", [((4, 5), "error")], [((4, 5), "error")], "a Hangul filler without Hangul"),
    ("x\uffa0y", [((1, 2), "error")], [((1, 2), "error")], "the halfwidth filler"),
    ("a\u115fb", [((1, 2), "error")], [((1, 2), "error")], "a leading filler without a vowel"),
    ("a\u034fb", [((1, 2), "warning")], [((1, 2), "error")], "a grapheme joiner before no mark"),
    ("f\u2061(x)", [((1, 2), "low")], [((1, 2), "error")], "function application of a formula"),
    ("a\u180eb", [((1, 2), "error")], [((1, 2), "error")], "the Mongolian separator elsewhere"),
    ("ក\u17b4", [((1, 2), "error")], [((1, 2), "error")], "deprecated Khmer vowel"),
    ("a\u206ab", [((1, 2), "error")], [((1, 2), "error")], "deprecated format character"),
    ("a\ufff9b", [((1, 2), "error")], [((1, 2), "error")], "interlinear annotation"),
    ("a\U0001bca0", [((1, 2), "error")], [((1, 2), "error")], "shorthand format control alone"),
    ("a\U0001d173", [((1, 2), "error")], [((1, 2), "error")], "musical control alone"),
    ("a\u2065b", [((1, 2), "error")], [((1, 2), "error")], "reserved"),
    ("a\U000e0fffb", [((1, 2), "error")], [((1, 2), "error")], "reserved, default-ignorable"),
    ("a\x00b", [((1, 2), "error")], [((1, 2), "error")], "NUL"),
    ("a\u2800b", [((1, 2), "warning")], [((1, 2), "warning")], "a Braille blank without Braille"),
    ("no\u00a0break", [], [((2, 3), "low")], "a space in prose, an odd one in an id"),
    ("日本\u3000語", [], [((2, 3), "low")], "the ideographic space"),
]  # fmt: skip

CLEAN_PROSE = [
    ("", "nothing"),
    ("two\tcolumns\r\nand lines\x0cand pages", "white space"),
    ("TNF-α and 5 μg by Žukauskas and Иванов, 東京", "no invisible character"),
    ("نمی\u200cخواهم", "RFC 5892, A.1: between joining letters"),
    ("کتاب\u200cهای PDF\u200cها ۲۰۲۰\u200cها", "a Persian ending after another script and a number"),
    ("क\u094d\u200dष and क\u094d\u200cष", "RFC 5892: after a virama"),
    ("র\u200d\u09cdয", "The Unicode Standard, chapter 12: Bengali ya-phalaa after ra"),
    ("ශ\u0dca\u200dරී ලංකා", "Sinhala conjunct"),
    ("سنة 1445 ه\u200d", "the abbreviation of Hijri keeps its joined form"),
    ("👩\u200d⚕\ufe0f 👨🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 1\ufe0f⃣ ©\ufe0f", "UTS 51"),
    (f"{ENGLAND} won", "UTS 51: the flag of England"),
    ("葛\U000e0100飾区 芦\ufe00屋 ∩\ufe00 0\ufe00", "UTS 37 and StandardizedVariants"),
    ("הוא אמר \u2066Hello, world!\u2069 והלך", "balanced isolate beside Hebrew"),
    ("קראו \u202aabc\u202c כאן \u2067א \u2066b\u2069\u2069", "embedding, nested isolates"),
    ("חברת C++\u200e בעברית, (2020)\u200f.", "marks beside Hebrew"),
    ("\u061c١٢٣ ريال", "the Arabic letter mark"),
    ("\ufeffA text with a byte-order mark", "at offset 0"),
    ("ភាសា\u200bខ្មែរ ภาษา\u200bไทย", "breaks in scripts without blanks"),
    ("\u115f\u1161\u11a8 ㄱ\u3164", "fillers in a Hangul syllable"),
    ("ᠪᠣᠯᠤᠭᠰᠠᠨ\u180eᠠ ᠭ\u180bᠠ", "Mongolian vowel separator and variants"),
    ("ä\u034f\u0308", "a grapheme joiner before a combining mark"),
    ("⠓⠊\u2800⠽⠕⠥", "Braille"),
    ("Il a dit\u202f: «\u00a0oui\u00a0»", "French spacing"),
]


@every_row(("text", "prose", "token", "source"), REPORTED)
def test_what_is_reported_where(text, prose, token, source):
    assert said(scan_invisible(text, "prose")) == prose, source
    assert said(scan_invisible(text, "token")) == token, source


@every_row(("text", "source"), CLEAN_PROSE)
def test_what_prose_needs_passes(text, source):
    assert scan_invisible(text, "prose") == [], source


def test_a_finding_names_what_it_found():
    (finding,) = scan_invisible("doc\u200d-7", "token")
    assert finding.code_points == (0x200D,)
    assert finding.name == "U+200D ZERO WIDTH JOINER"
    assert "joiner" in finding.reason


@pytest.mark.parametrize(
    ("text", "hidden", "where"),
    [
        (f"See [1].{TAGGED} Then", "obey me", (8, 15)),
        (f"😀{SELECTED}", "run", (1, 4)),
        ("a\ufe01\ufe02", None, (1, 3)),  # two control bytes say nothing
        ("😀\U000e0100", None, (1, 2)),  # one byte is not text
    ],
)
def test_hidden_text_is_spelt_out(text, hidden, where):
    for region in ("prose", "token"):
        (finding,) = scan_invisible(text, region)
        assert (finding.hidden_text, finding.where, finding.severity) == (hidden, where, "error")
        assert "…" in finding.name or len(finding.code_points) == 1


ANY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from("a9 \u200c\u200d\u200b\u00ad\ufeff\u202e\u202c\u2066\u2069\u200f\u3164\ufe0f\U000e0067\U000e007f🏴😀नק葛\u094dم\n"),
    ),
    max_size=60,
)  # fmt: skip


@given(ANY)
def test_findings_are_in_order_and_apart_and_name_their_characters(text):
    for region in ("prose", "token"):
        end = 0
        for finding in scan_invisible(text, region):
            start, stop = finding.where
            assert end <= start < stop <= len(text)
            assert finding.code_points == tuple(map(ord, text[start:stop]))
            end = stop


@given(ANY)
def test_prose_never_reports_what_a_token_may_hold(text):
    token = {at for finding in scan_invisible(text, "token") for at in range(*finding.where)}
    assert {at for finding in scan_invisible(text, "prose") for at in range(*finding.where)} <= token


@every_row("row", HIDDEN)
def test_a_token_reports_all_that_the_inline_check_finds(row):
    text, found, source = row
    reported = {at for finding in scan_invisible(text, "token") for at in range(*finding.where)}
    assert reported == {at for at, _ in found}, source


@every_row("text", CLEAN)
def test_a_token_passes_what_the_inline_check_passes(text):
    assert not [finding for finding in scan_invisible(text, "token") if finding.severity != "low"]


@given(ANY)
def test_the_map_leads_back(text):
    plain, offsets = strip_map(text)
    assert len(offsets) == len(plain) + 1
    assert offsets[-1] == len(text)
    assert all(text[at] == char for at, char in zip(offsets, plain, strict=False))
    assert offsets == sorted(set(offsets))
    assert strip_map(plain)[0] == plain


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("hand\u00adbook", "handbook"),
        ("نمی\u200cخواهم", "نمیخواهم"),  # both sides of a comparison are stripped
        ("a\u00a0b\u2009c", "a\u00a0b\u2009c"),  # a space stays a space
        ("\ufeffa\U000e0041b\x00", "ab"),
    ],
)
def test_what_is_stripped(text, plain):
    assert strip_map(text)[0] == plain
    assert without_invisible(plain) == plain


@pytest.mark.parametrize("times", [1_000, pytest.param(20_000, marks=pytest.mark.slow)])
@every_row("piece", ["\u2066", "\u2069", "\u200c", "م\u0651\u200c", "\u202e\u202c", "\U000e0041", "👩\u200d", "\u200f", "\u2067\u202b\u2069"])  # fmt: skip
def test_long_hostile_text_is_read_to_its_end(piece, times):
    text = piece * times
    scan_invisible(text, "prose")
    scan_invisible(text, "token")
    assert strip_map(text)[1][-1] == len(text)


MIXED = "\u200d\U000e0041\ufe0f\u3164\u00ad"


@pytest.mark.parametrize("region", ["prose", "token"])
def test_a_long_run_of_several_kinds_is_one_finding_as_grave_as_the_gravest(region):
    (finding,) = scan_invisible(f"a{MIXED * 3}b", region)
    assert finding.where == (1, 1 + 3 * len(MIXED))
    assert finding.severity == "error"
    assert finding.code_points == tuple(map(ord, MIXED * 3))


def test_the_same_many_times_is_told_a_few_times_and_counted():
    text = "a\u200d" * 100
    told = scan(text)
    assert sum(one.count for one in told) == len(scan_invisible(text, "prose")) == 100
    assert len(told) < 30
    assert [one.where for one in told] == sorted(one.where for one in told)
    assert {one.severity for one in told} == {"error"}


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("👩🏽\u200d👩", "UTS 51: a joiner after a tone of skin"),
        ("👁\ufe0f\ufe0f\u200d🗨", "the second selector is the fault, the joiner is none"),
        ("𐮀\u0301\u200c𐮀", "RFC 5892, A.1: across a mark, in a script of its own rule alone"),
    ],
)
def test_what_stands_beyond_the_neighbours_of_a_joiner_is_seen(text, source):
    joiner = text.index("\u200d" if "\u200d" in text else "\u200c")
    assert all(finding.where[0] != joiner for finding in scan_invisible(text, "token")), source


def test_every_right_to_left_letter_is_known():
    """Unicode's own classes (UAX 9) of every character, against the blocks that are asked."""
    known = right_to_left()
    marks = "\u061c\u200e\u200f"
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        leftwards = unicodedata.bidirectional(char) in {"R", "AL"} and char not in marks
        assert leftwards == (known.match(char) is not None), hex(code)


def test_what_letters_join_across_is_asked_beyond():
    """Joining types of Unicode (RFC 5892, A.1) of every character, against the categories that are asked."""
    for kind, ranges in idna.idnadata.joining_types.items():
        for encoded in ranges:
            for code in range(encoded >> 32, encoded & 0xFFFFFFFF):
                if kind == "T":
                    assert hangs_on_farther(chr(code), "\u200c", "a"), hex(code)
                elif kind == "D" and unicodedata.category(chr(code)) != "Cn":
                    assert joiner_is_spelling(f"{chr(code)}\u200c{chr(code)}", 1), hex(code)


def test_after_many_errors_the_rest_is_one_finding_and_nothing_is_passed_over():
    text = "a\u200db" * 400
    for region in ("prose", "token"):
        found = scan_invisible(text, region)
        assert len(found) == 257
        assert found[-1].where == (256 * 3 + 1, len(text) - 1)
        assert {one.severity for one in found} == {"error"}


def test_what_spelling_needs_never_hides_what_follows():
    found = scan_invisible("می\u200cخواهم " * 600 + "doc\u202e-7", "prose")
    assert [one.name for one in found] == ["U+202E RIGHT-TO-LEFT OVERRIDE"]
