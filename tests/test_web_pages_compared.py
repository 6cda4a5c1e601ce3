"""What a citation claims of a page beside what the page says: title, author, day, outlet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.records import Entry, Person, Reference
from showable.rubrics.metadata.web_pages import compare_page

PAGE = Entry(
    title="Council approves the river plan after a long night",
    other_titles=("River plan approved",),
    authors=(Person(family="van der Berg", given="Jane"), Person(family="Müller", given="Jörg")),
    date="2024-03-05",
    years=(2024,),
    containers=("The Valley Courier",),
    publisher="valleycourier.com",
    url="https://www.valleycourier.com/2024/03/council-approves-river-plan",
)


def check(field, value, entry=PAGE, kind="news"):
    checks = compare_page(Reference(kind=kind, text="", fields={field: value}), entry)
    assert len(checks) == 1
    return checks[0]


@pytest.mark.parametrize(
    ("claimed", "outcome"),
    [
        ("Council approves the river plan after a long night", "agrees"),
        ("Council Approves River Plan After a Long Night", "agrees"),
        ("“Council approves the river plan”", "agrees"),  # cut short: a subset of its words
        ("River plan approved", "agrees"),  # the title it has for others
        ("Council rejects the harbour tunnel in a snap vote", "differs"),
        ("Senator resigns over scandal in the capital", "differs"),
        ("River", "unknown"),  # one word says nothing
        ("Harbour", "unknown"),
    ],
)
def test_titles(claimed, outcome):
    assert check("title", claimed).outcome == outcome


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("here", "unknown"),
        ("the committee's own account of it all", "unknown"),
        ("Council approves the river plan", "agrees"),
    ],
)
def test_the_text_of_a_link_is_no_title_it_could_get_wrong(text, outcome):
    assert check("title", text, kind="url").outcome == outcome


def test_a_page_without_a_title_says_nothing():
    assert check("title", "Council approves the river plan", Entry(publisher="x.com")).outcome == "unknown"


def test_a_page_that_names_its_site_alone_says_nothing():
    shell = Entry(title="The Valley Courier", containers=("The Valley Courier",), publisher="valleycourier.com")
    assert check("title", "Council approves the river plan", shell).outcome == "unknown"


def test_the_words_of_a_canonical_address_are_a_title_too():
    entry = Entry(title="Rewritten altogether for the evening edition", facts={"slug": "council approves river plan"})
    assert check("title", "Council approves river plan", entry).outcome == "agrees"


@pytest.mark.parametrize(
    ("claimed", "outcome", "score"),
    [
        ("Jane van der Berg", "agrees", 1.0),
        ("J. van der Berg", "agrees", 1.0),
        ("By Jane van der Berg and Jorg Muller", "agrees", 1.0),
        ("van der Berg, Jane; Müller, Jörg", "agrees", 1.0),
        ("Jörg Müller; John Smith", "differs", 0.5),
        ("John Smith", "differs", 0.0),
        ("Unknown", "unknown", None),
    ],
)
def test_authors(claimed, outcome, score):
    found = check("author", claimed)
    assert (found.outcome, found.score) == (outcome, score)


@pytest.mark.parametrize(
    ("authors", "claimed", "outcome"),
    [
        ((), "Jane Doe", "unknown"),
        ((Person(family="Valley Courier Staff"),), "Jane Doe", "unknown"),  # a desk is nobody in particular
        ((Person(family="Reuters"),), "Reuters", "agrees"),
        ((Person(family="Associated Press"),), "The Associated Press", "agrees"),
    ],
)
def test_a_page_by_nobody_in_particular(authors, claimed, outcome):
    assert check("author", claimed, Entry(authors=authors)).outcome == outcome


@pytest.mark.parametrize(
    ("claimed", "outcome"),
    [
        ("2024-03-05", "agrees"),
        ("March 5, 2024", "agrees"),
        ("6 March 2024", "agrees"),
        ("2024-03-04", "agrees"),
        ("2024-03-07", "differs"),
        ("2023-03-05", "differs"),
        ("2024-03", "agrees"),
        ("2024", "agrees"),
        ("2023", "differs"),
        ("last week", "unknown"),
    ],
)
def test_days(claimed, outcome):
    assert check("date", claimed).outcome == outcome


def test_a_day_at_the_turn_of_the_year():
    assert check("date", "2024-01-01", Entry(date="2023-12-31")).outcome == "agrees"


def test_the_day_of_the_last_change_will_do():
    assert check("date", "2024-05-01", Entry(date="2024-03-05", facts={"modified": "2024-05-01"})).outcome == "agrees"


def test_a_day_out_of_a_time_element_accuses_nobody():
    assert check("date", "2020-01-01", Entry(date="2024-03-05", facts={"date_from": "time"})).outcome == "unknown"


@every_row(
    ("claimed", "containers", "site", "outcome"),
    [
        ("The Valley Courier", ("The Valley Courier",), "valleycourier.com", "agrees"),
        ("Valley Courier", (), "valleycourier.com", "agrees"),
        ("valleycourier.com", (), "valleycourier.com", "agrees"),
        ("www.valleycourier.com", (), "valleycourier.com", "agrees"),
        ("The New York Times", (), "nytimes.com", "agrees"),
        ("Wall Street Journal", (), "wsj.com", "agrees"),
        ("BBC News", (), "bbc.co.uk", "agrees"),
        ("BBC", ("BBC News",), "bbc.co.uk", "agrees"),
        ("Associated Press", ("AP News",), "apnews.com", "agrees"),
        ("The Guardian", (), "theguardian.com", "agrees"),
        ("Los Angeles Times", (), "latimes.com", "agrees"),
        ("Financial Times", (), "ft.com", "agrees"),
        ("USA Today", (), "usatoday.com", "agrees"),
        ("Reuters", ("Reuters",), "yahoo.com", "agrees"),  # syndicated
        ("Reuters", ("The Onion",), "theonion.com", "differs"),
        ("The Washington Post", ("The New York Times",), "nytimes.com", "differs"),
        ("Reuters", (), "yahoo.com", "unknown"),  # it does not say whose it is
    ],
)
def test_outlets(claimed, containers, site, outcome):
    assert check("outlet", claimed, Entry(containers=containers, publisher=site)).outcome == outcome


def test_an_agency_may_be_the_author():
    entry = Entry(authors=(Person(family="Reuters"),), containers=("Example Daily",), publisher="example.com")
    assert check("outlet", "Reuters", entry).outcome == "agrees"


def test_what_is_not_claimed_is_not_compared():
    assert compare_page(Reference(kind="url", text="", fields={"url": "https://x.example/"}), PAGE) == ()


@given(st.dictionaries(st.sampled_from(["title", "author", "date", "outlet", "year"]), st.text(max_size=60)))
def test_no_claim_raises(fields):
    for kind in ("news", "url"):
        compare_page(Reference(kind=kind, text="", fields=fields), PAGE)
        compare_page(Reference(kind=kind, text="", fields=fields), Entry())


def test_a_page_agrees_with_itself():
    fields = {
        "title": PAGE.title,
        "author": "Jane van der Berg; Jörg Müller",
        "date": PAGE.date,
        "outlet": PAGE.containers[0],
    }
    checks = compare_page(Reference(kind="news", text="", fields=fields), PAGE)
    assert [one.outcome for one in checks] == ["agrees"] * 4
