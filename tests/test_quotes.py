"""Quotations: verbatim, but for typesetting, misquoted with what differs, absent. Rows are hand-made by phenomenon."""

import re

from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.rubrics.quotes import find_quote, same_page

CLAUSE = (
    "The Tenant shall give the Land-\nlord not less than sixty (60) days’ written notice, save where the Lease — as "
    "amended — provides otherwise. Rent falls due monthly. The typical dose is 5 mg; efﬁcacy was not shown."
)

ROWS = [
    # (quotation, match, words that differ)
    ("Rent falls due monthly.", "verbatim", ()),
    ("“Rent falls due monthly”", "verbatim", ()),
    ("rent falls due monthly", "normalised", ()),
    ("sixty (60) days' written notice", "normalised", ()),
    ("the Lease - as amended - provides otherwise", "normalised", ()),
    ("give the Landlord not less than", "normalised", ()),
    ("efficacy was not shown", "normalised", ()),
    ("The Tenant shall … provides otherwise", "normalised", ()),
    ("The Tenant shall give ... sixty (60) days", "normalised", ()),
    ("The Tenant shall [. . .] Rent falls due", "normalised", ()),
    ("[t]he Lease — as amended", "normalised", ()),
    ("Rent  falls\n due   monthly", "normalised", ()),
    ("provides otherwise … The Tenant shall give the Landlord", "absent", ()),
    ("not less than sixty (60) days' writen notice", "approximate", ()),
    ("not less than thirty (30) days' written notice", "approximate", ("thirty 30 → sixty 60",)),
    ("The typical dose is 5 mg; efficacy wasn't shown", "approximate", ()),
    ("Rent falls due yearly and not monthly at all times of the year", "absent", ()),
    ("The atypical dose is 5 mg; efficacy was not shown", "approximate", ("atypical → typical",)),
    ("The typical dose is 5 mg; efficacy was shown", "approximate", ("(nothing) → not",)),
    ("The typical dose is 50 mg; efficacy was not shown", "approximate", ("50 → 5",)),
    ("The moon is made of green cheese", "absent", ()),
    ("ent falls du", "approximate", ("ent → rent", "du → due")),
    ("t", "too_short", ()),
    ("zq", "absent", ()),
    ("5", "too_short", ()),
    ("…", "too_short", ()),
    ("“”", "too_short", ()),
]


@every_row(("quote", "match", "changed"), ROWS)
def test_how_a_quotation_stands(quote, match, changed):
    found = find_quote(quote, CLAUSE)
    assert (found.match, found.changed) == (match, changed)


def test_a_verbatim_quotation_has_its_place():
    start, end = find_quote("Rent falls due", CLAUSE).where
    assert CLAUSE[start:end] == "Rent falls due"


def test_right_to_left_quotations_are_found():
    text = "ינתן הודעה בכתב של שלושים ימים לפני סיום החוזה."
    assert find_quote("הודעה בכתב של שלושים ימים", text).match == "verbatim"


@given(st.text(min_size=1, max_size=60), st.text(max_size=200))
def test_any_text_is_answered(quote, text):
    assert find_quote(quote, text).match in {"verbatim", "normalised", "approximate", "absent", "too_short"}


WORDS = [(m.start(), m.end()) for m in re.finditer(r"\S+", CLAUSE)]


@given(st.integers(0, len(WORDS) - 4), st.integers(3, 12))
def test_a_run_of_whole_words_is_always_found(first, length):
    last = min(first + length, len(WORDS) - 1)
    cut = CLAUSE[WORDS[first][0] : WORDS[last][1]]
    assert find_quote(cut, CLAUSE).match in {"verbatim", "normalised"}


PAGES = [
    (12, 12, True),
    (12, "12", True),
    ("p. 12", 12, True),
    ("pp. 12–14", 13, True),
    ("12-14", "14", True),
    ("112–14", 113, True),
    ("112–14", 14, False),
    (13, "10–12", False),
    ("iv", "IV", True),
    ("iv", 4, False),
    ("page 3", 4, False),
    ("1-2-3", 2, False),
    ("", 1, False),
]


@every_row(("cited", "known", "same"), PAGES)
def test_pages_as_people_write_them(cited, known, same):
    assert same_page(cited, known) is same


@given(st.text("ab-", min_size=1, max_size=3), st.text("ab-", max_size=3), st.text("ab-c", max_size=4))
def test_a_long_quotation_that_repeats_itself_is_found_where_it_cuts_no_word(unit, begin, end):
    """Against looking at each place."""
    quote = f"abc{unit * 30}"
    text = f"{begin}{quote}{unit * 5}{end} {quote}{end}"
    places = [at for at in range(len(text)) if text.startswith(quote, at)]
    whole = [
        at
        for at in places
        if not re.search(r"\w$", text[:at]) and not re.match(r"\w\w", quote[-1] + text[at + len(quote) :])
    ]
    found = find_quote(quote, text)
    assert (found.match == "verbatim", found.where and found.where[0]) == (
        bool(whole),
        whole[0] if whole else found.where and found.where[0],
    )
