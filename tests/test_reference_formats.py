"""Whether an entry is written as its style asks, and what it lacks; whether a link says what it leads to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.formats import FORMATS
from showable.read.references.entries import read_entry
from showable.read.references.find import find_references
from showable.read.references.web_addresses import find_web

CLEAN = "Roe A, Li L. Aspirin for headache: a trial. Pain Res. 2020;12(3):45-50."
SIX = "Roe A, Li L, Poe B, Moe C, Doe D, Zoe E"
SEVEN = f"{SIX}, Foe F"

# (style, entry, codes of the faults, where the rule stands)
ENTRIES = [
    ("vancouver", CLEAN, [], "ICMJE 1"),
    ("vancouver", f"{SIX}, et al. Things. Pain. 2020 Jan 7;12(3):45-50.", [], "ICMJE 1, six and et al."),
    ("vancouver", f"{SEVEN}. Things. Pain. 2020;12(3):45-50.", [], "Citing Medicine 1A, all named"),
    ("vancouver", "Roe A, Li L, Poe B, et al. Things of note. Pain. 2020;12(3):45-50.", ["et_al_count"], "ICMJE 1"),
    ("vancouver", "Things Study Group. Effects of things. Pain. 2020;40(5):679-86.", [], "ICMJE 2"),
    ("vancouver", "21st century things may have a way. BMJ. 2002;325(7357):184.", [], "ICMJE 4"),
    ("vancouver", "Roe A, Li L. Textbook of things. 4th ed. St. Louis: Mosby; 2002.", [], "ICMJE, books"),
    ("vancouver", "Roe A. Chapter on things. In: Poe B, editor. The book of things. New York: Mosby; 2002. p. 93-113.", [], "ICMJE, chapter"),
    ("vancouver", "Roe A, Li L. Aspirin for headache. Pain Res. 12(3):45-50.", ["missing_year"], "ICMJE 1"),
    ("vancouver", "Roe A, Li L. Aspirin for headache. Pain Res. 2020.", ["missing_volume"], "ICMJE 1"),
    ("vancouver", "Roe A, Li L. Aspirin for headache. Pain Res. 2020;12(3).", ["missing_pages"], "ICMJE 1"),
    ("vancouver", "Roe, A., & Li, L. (2020). Aspirin for headache. Pain Res, 12(3), 45-50.", ["author_form", "author_joint", "year_place"], "APA is not Vancouver"),
    ("vancouver", "Roe A and Li L. Aspirin for headache. Pain Res. 2020;12(3):45-50.", ["author_joint"], "Citing Medicine 1A"),
    ("vancouver", "Ann Roe, Lei Li. Aspirin for headache. Pain Res. 2020;12(3):45-50.", ["author_form"], "Citing Medicine 1A"),
    ("vancouver", "Roe A.B., Li L.C. Aspirin for headache. Pain Res. 2020;12(3):45-50.", ["author_form"], "Citing Medicine 1A"),
    ("vancouver", 'Roe A. "Aspirin for headache." Pain Res. 2020;12(3):45-50.', ["quoted_title"], "Citing Medicine 1A"),
    ("vancouver", "Roe A. Aspirin for headache. Pain Res. 2020;12(3):45-50. https://doi.org/10.1000/p.2020", ["doi_form"], "Citing Medicine 18B"),
    ("vancouver", "Roe A. Aspirin for headache. Pain Res. 2020;12(3):45-50. doi: 10.1000/p.2020. PMID: 34265844.", [], "Citing Medicine 1A"),
    ("vancouver", "Roe A. Aspirin for headache. Pain Res. 2020;12(3):45-50", ["missing_period"], "Citing Medicine 1A"),
    ("vancouver", "Roe A. Aspirin for headache. Pain Res, vol. 12, no. 3, pp. 45-50, 2020.", ["numbers_form"], "Citing Medicine 1A"),
    ("vancouver", f"{SIX} et al. Things of note. Pain. 2020;12(3):45-50.", ["et_al_comma"], "ICMJE 1"),
    ("vancouver", "Roe A. Aspirin for headache. Pain Res. 2020;12(3):45-50. PMID: 999999999.", ["malformed_identifier"], "PMIDs have eight digits at most"),
    ("ama", "Roe A, Li L. Aspirin for headache: a trial. Pain Res. 2020;12(3):45-50. doi:10.1000/p.2020", [], "AMA 3.11"),
    ("ama", "Roe A, Li L, Poe B, et al. Aspirin for headache. Pain Res. 2020;12(3):45-50.", [], "AMA 3.7"),
    ("ama", f"{SIX}. Aspirin for headache. Pain Res. 2020;12(3):45-50.", [], "AMA 3.7, six are named"),
    ("ama", f"{SEVEN}. Aspirin for headache. Pain Res. 2020;12(3):45-50.", ["et_al_due"], "AMA 3.7"),
    ("ama", f"{SIX}, et al. Aspirin for headache. Pain Res. 2020;12(3):45-50.", ["et_al_count"], "AMA 3.7"),
    ("ama", "Roe A. Aspirin for headache. Pain Res. 2020;12(3):45-50. doi: 10.1000/p.2020", ["doi_form"], "AMA 3.15.3"),
    ("ama", "Roe A. Aspirin for headache. Pain Res. 2020;12(3):45-50. https://doi.org/10.1000/p.2020", ["doi_form"], "AMA 3.15.3"),
    ("ama", "Roe A. Aspirin for headache. Pain Res. 2020;12(3):45-50. doi:10.1000/p.2020.", ["doi_period"], "AMA 3.15.3"),
    ("ama", "Roe A. Aspirin for headache. Pain Res. 2020 Jan 7;12(3):45-50.", ["numbers_form"], "AMA 3.11.2, year alone"),
    ("ama", "Roe A. A Book of Things. 2nd ed. Oxford University Press; 2019.", [], "AMA 3.12"),
    ("ama", "Roe A. Facts about things. Institute of Things. Published May 1, 2020. Accessed July 2, 2021. https://example.org/x", [], "AMA 3.15"),
    ("apa", "Roe, A. B., & Li, C. (2020). Aspirin for headache: A trial. Journal of Pain, 12(3), 45–50. https://doi.org/10.1000/jp.2020.45", [], "APA 10.1"),
    ("apa", "World Health Organization. (2021). Guideline on things. https://www.who.int/x", [], "APA 10.4"),
    ("apa", "Roe, A. (2019). The book of things (2nd ed.). Oxford University Press.", [], "APA 10.2"),
    ("apa", "Roe, A. (n.d.). Undated things. Institute of Things. https://example.org/x", [], "APA 9.17"),
    ("apa", "Roe, A., Li, C. (2020). Aspirin for headache. Journal of Pain, 12(3), 45–50.", ["ampersand"], "APA 9.8"),
    ("apa", "Roe, A., Li, C., et al. (2020). Aspirin for headache. Journal of Pain, 12(3), 45–50.", ["et_al_used"], "APA 9.8"),
    ("apa", "Roe, A. (2020). Aspirin for headache. Journal of Pain, 12(3), 45-50.", ["page_dash"], "APA 9.25 and 6.6"),
    ("apa", "Roe, A. (2020). Aspirin for headache. Journal of Pain, 12(3), 45–50. doi:10.1000/jp.2020", ["doi_form"], "APA 9.35"),
    ("apa", CLEAN, ["author_form", "ampersand", "year_place", "numbers_form"], "Vancouver is not APA"),
    ("apa", "Roe, A. (2020). Aspirin for headache. Journal of Pain.", ["missing_volume"], "APA 9.25"),
]  # fmt: skip

LINKS = [
    ("[Rules on things](https://example.org/x)", [], "words that say what is linked"),
    ("https://example.org/x", ["bare_address"], "an address alone"),
    ("[https://example.org/x](https://example.org/x)", ["address_as_words"], "an address for words"),
    ("[here](https://example.org/x)", ["vague_words"], "WCAG 2.4.4, link purpose"),
    ("[1](https://example.org/x)", ["vague_words"], "a number tells nothing"),
    ('<a href="https://example.org/x">Rules on things</a>', [], "HTML"),
    ("[Rules on things](https://apnews.com/x) (AP News, March 3, 2024)", [], "news, all there"),
    ("[AP News, March 3, 2024](https://apnews.com/x)", ["missing_title"], "news without its title"),
    ('Jane Roe, "Rules on things," The Washington Post, March 3, 2024', ["missing_link"], "news without a link"),
]


@every_row(("style", "text", "codes", "source"), ENTRIES)  # fmt: skip
def test_an_entry_has_the_faults_of_its_style(style, text, codes, source):
    faults = FORMATS[style](read_entry(text), text)
    assert [fault.code for fault in faults] == codes, source
    assert all(fault.said for fault in faults)
    for fault in faults:
        assert fault.where is None or 0 <= fault.where[0] < fault.where[1] <= len(text)


@pytest.mark.parametrize(("text", "codes", "source"), LINKS, ids=[row[2] for row in LINKS])
def test_a_link_says_what_it_leads_to(text, codes, source):
    (one,) = find_web(text)
    assert [fault.code for fault in FORMATS["inline_link"](one, text)] == codes, source


def test_a_fault_shows_its_place():
    text = "Roe A, Li L, Poe B, et al. Things of note. Pain. 2020;12(3):45-50."
    (fault,) = FORMATS["vancouver"](read_entry(text), text)
    assert text[slice(*fault.where)] == "et al"


@pytest.mark.parametrize("style", ["vancouver", "ama", "apa"])
@pytest.mark.parametrize(
    ("text", "code"), [("doi:10.1038/nature12373", "identifier_only"), ("https://example.org/x", "address_only")]
)
def test_what_is_no_entry_is_a_fault_of_an_entry_style(style, text, code):
    (one,) = find_references(text)
    assert [fault.code for fault in FORMATS[style](one, text)] == [code]


def test_styles_say_nothing_of_kinds_they_do_not_govern():
    text = "Obergefell v. Hodges, 576 U.S. 644 (2015)."
    for one in find_references(text):
        for style in ("vancouver", "ama", "apa", "inline_link"):
            assert FORMATS[style](one, text) == []


def test_the_formats_have_the_names_that_profiles_call_them():
    assert list(FORMATS) == ["bluebook", "vancouver", "ama", "apa", "inline_link"]


@given(
    st.lists(st.sampled_from([row[1] for row in ENTRIES] + ["\n", "(", "et al", "“", "doi:"]), max_size=4).map(" ".join)
)
def test_any_entry_is_checked(text):
    one = read_entry(text)
    for style in ("vancouver", "ama", "apa", "inline_link"):
        for fault in FORMATS[style](one, text) if one else ():
            assert fault.where is None or 0 <= fault.where[0] <= fault.where[1] <= len(text)


def test_bluebook_is_checked_through_the_same_door():
    text = "Obergefell v. Hodges, 576 U.S. 644 (2015)."
    (one,) = find_references(text)
    assert FORMATS["bluebook"](one, text) == []
