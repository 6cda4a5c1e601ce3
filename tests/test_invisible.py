"""Characters that cannot be seen, inside ids, quotes and URLs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.invisible import is_blank, without_invisible

PEER = "peer_failures, scanners"

HIDDEN = [
    ("10.1000/\u200bxyz", [(8, "U+200B ZERO WIDTH SPACE")], PEER),
    ("doc\u202e-7", [(3, "U+202E RIGHT-TO-LEFT OVERRIDE")], PEER),
    ("doc-7\U000e0041", [(5, "U+E0041 TAG LATIN CAPITAL LETTER A")], PEER),
    ("doc-7\ufe00", [(5, "U+FE00 VARIATION SELECTOR-1")], PEER),
    ("a\U000e0100\U000e0101", [(1, "U+E0100 VARIATION SELECTOR-17"), (2, "U+E0101 VARIATION SELECTOR-18")], PEER),
    ("😀\U000e0100", [(1, "U+E0100 VARIATION SELECTOR-17")], "selectors 17 and up hide bytes behind an emoji"),
    ("doc\u200c-7", [(3, "U+200C ZERO WIDTH NON-JOINER")], "hand-made: no joiner belongs among Latin letters"),
    ("doc\u200d-7", [(3, "U+200D ZERO WIDTH JOINER")], "hand-made"),
    ("doc\ufe0f-7", [(3, "U+FE0F VARIATION SELECTOR-16")], "hand-made"),
    ("hand\u00adbook", [(4, "U+00AD SOFT HYPHEN")], "contract"),
    ("\ufeffdoc-7", [(0, "U+FEFF ZERO WIDTH NO-BREAK SPACE")], "contract"),
    ("doc\u2060-7", [(3, "U+2060 WORD JOINER")], "hand-made"),
    ("doc\u2066-7\u2069", [(3, "U+2066 LEFT-TO-RIGHT ISOLATE"), (6, "U+2069 POP DIRECTIONAL ISOLATE")], "contract"),
    ("doc\u3164", [(3, "U+3164 HANGUL FILLER")], "hand-made"),
    ("doc\x00-7", [(3, "U+0000 CONTROL CHARACTER")], "hand-made"),
    ("doc\x08-7", [(3, "U+0008 CONTROL CHARACTER")], "hand-made"),
    ("PDF\u200c2", [(3, "U+200C ZERO WIDTH NON-JOINER")], "hand-made: Latin on both sides"),
    ("ها\u200c", [(2, "U+200C ZERO WIDTH NON-JOINER")], "hand-made: nothing follows"),
    ("PDF\u200c\u200cها", [(3, "U+200C ZERO WIDTH NON-JOINER"), (4, "U+200C ZERO WIDTH NON-JOINER")], "hand-made: two"),
    ("葛\U000e0100\U000e0101", [(2, "U+E0101 VARIATION SELECTOR-18")], "hand-made: one character takes one selector"),
    ("か\U000e0100", [(1, "U+E0100 VARIATION SELECTOR-17")], "UTS 37: ideographs alone have such variants"),
    ("🏴\U000e0067", [(1, "U+E0067 TAG LATIN SMALL LETTER G")], "UTS 51: a flag is closed by the cancel tag"),
    (
        "😀\U000e0067\U000e0062\U000e0065\U000e007f",
        [
            (1, "U+E0067 TAG LATIN SMALL LETTER G"),
            (2, "U+E0062 TAG LATIN SMALL LETTER B"),
            (3, "U+E0065 TAG LATIN SMALL LETTER E"),
            (4, "U+E007F CANCEL TAG"),
        ],
        "UTS 51: a black flag carries a region, nothing else does",
    ),
    ("https://x.org/\u200ea", [(14, "U+200E LEFT-TO-RIGHT MARK")], "contract"),
]

CLEAN = [
    "doc-7",
    "",
    "two\tcolumns\r\nand lines",
    "TNF-α and 5 μg",
    "Žukauskas and Иванов",
    "東京 Tokyo",
    "می‌خواهم",
    "क्‍ष and क्‌ष",
    "👩‍⚕️ and ❤️ and 1️⃣",
    "naïve café",
    "PDF\u200cها",
    "۲۰۲۰\u200cها and ها\u200cPDF",
    "葛\U000e0100飾区",
    "\U00020bb7\U000e0101野家",
    "芦\ufe00屋",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f and 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "no\u00a0break",
]


@every_row(("text", "found", "source"), HIDDEN)
def test_a_hidden_character_is_taken_out_and_the_rest_stays_in_order(text, found, source):
    gone = {at for at, _ in found}
    assert without_invisible(text) == "".join(char for at, char in enumerate(text) if at not in gone), source


@every_row("text", CLEAN)
def test_what_spelling_needs_is_clean(text):
    assert without_invisible(text) == text  # peer_failures, scanners: these are no attack


@given(st.text(max_size=60))
def test_taking_them_out_leaves_nothing_to_take_out_but_what_they_parted(text):
    plain = without_invisible(text)
    assert len(plain) <= len(text)
    assert without_invisible(without_invisible(plain)) == without_invisible(plain)


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "\ufeff \u2060\n", "\u00ad", "\u200c\u200d", "\U000e0041"])
def test_what_shows_nothing_is_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", " 1", "\u200b.", "?", "🏴", "通"])
def test_what_shows_something_is_not_blank(text):
    assert not is_blank(text)
