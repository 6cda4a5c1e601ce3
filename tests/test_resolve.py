"""From a marker to the source it names: one candidate or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.markers import find_markers
from showable.read.reference_lists import find_reference_list
from showable.read.resolve import Log, normalise_url, resolve
from showable.records import Record, Source

PEER = "peer_failures, citation markers"
CONTRACT = "contract: resolution rules"
HAND = "hand-made"

IDS = [Source(source_id=name) for name in ("doc-7", "doc-8", "doc-9")]
NUMBERS = [Source(source_id=name) for name in ("11", "12", "3")]
ODD = [Source(source_id=name) for name in ("Annual Report 2023", "https://x.org/a", "kb:4")]
RICH = [
    Source(source_id="a", title="Employee Handbook", url="https://www.x.org/handbook/", doi="10.1000/xyz1"),
    Source(source_id="b", title="Notice of Fees", url="http://y.org:80/fees?lang=en#top"),
    Source(source_id="c", title="On fees", metadata={"authors": ["Smith, J.", "Jones, K."], "year": 2020}),
    Source(source_id="d", text="K. Lee and others. On terms. Journal of Terms, 2021. The term is long."),
]
PAPERS = [Source(source_id="10.1000/xyz"), Source(source_id="https://doi.org/10.1000/abc")]
TWINS = [Source(source_id="x", text="first"), Source(source_id="x", text="second"), Source(source_id="y")]
CASES = [Source(source_id="Doc-1"), Source(source_id="doc-1"), Source(source_id="Doc-2")]

# answer, log, source ids in order, source of the expectation
ROWS = [
    # ids
    ("A [doc-7].", IDS, ["doc-7"], CONTRACT),
    ("A [doc-8][doc-7].", IDS, ["doc-8", "doc-7"], CONTRACT),
    ("A [Doc-7].", IDS, ["doc-7"], "contract: case ignored where that leaves one"),
    ("A [ doc-7 ].", IDS, ["doc-7"], HAND),
    ("A [DOC-1].", CASES, ["DOC-1"], "hand-made: two candidates, so none"),
    ("A [doc-1].", CASES, ["doc-1"], "hand-made: exact before folded"),
    ("A [doc-2].", CASES, ["Doc-2"], HAND),
    ("A [doc-99].", IDS, ["doc-99"], "contract: not in the log, and stays so"),
    ("A [doc-7\u200b].", IDS, ["doc-7\u200b"], "contract: a hidden character is an attack, not a match"),
    ("A [1\u200b].", IDS, ["1\u200b"], HAND),
    ("A [Annual Report 2023].", ODD, ["Annual Report 2023"], HAND),
    ("A [annual report 2023, p. 3] [source: annual report 2023].", ODD, ["Annual Report 2023"], HAND),
    ("A [https://x.org/a].", ODD, ["https://x.org/a"], HAND),
    ("A [kb:4].", ODD, ["kb:4"], HAND),
    ("A [x].", TWINS, ["x"], "contract: the first of two sources with one id"),
    ("A [source: doc-8].", IDS, ["doc-8"], HAND),
    ("A [source:doc-8].", IDS, ["doc-8"], HAND),
    ("A (doc-8).", IDS, ["doc-8"], HAND),
    # positions
    ("A [1].", IDS, ["doc-7"], CONTRACT),
    ("A [1, 3].", IDS, ["doc-7", "doc-9"], "peer_failures: both are read"),
    ("A [1–3].", IDS, ["doc-7", "doc-8", "doc-9"], PEER),
    ("A [0].", IDS, ["0"], "peer_failures: nought is not the last passage"),
    ("A [9].", IDS, ["9"], PEER),
    ("A [4].", IDS, ["4"], HAND),
    ("A [999].", IDS, ["999"], HAND),
    ("A [Source 2].", IDS, ["doc-8"], HAND),
    ("A [Doc. 3, p. 4].", IDS, ["doc-9"], HAND),
    ("A [doc:2].", IDS, ["doc-8"], HAND),
    ("A.¹ B.² C.[^3]", IDS, ["doc-7", "doc-8", "doc-9"], HAND),
    ("A【1】.", IDS, ["doc-7"], HAND),
    ("A【4:0†source】.", IDS, [None], "hand-made: what it counts is not in the log"),
    ("A [2].", TWINS, ["x"], "hand-made: positions count every source"),
    ("A [1].", [], ["1"], "hand-made: an empty log has no first source"),
    ("A [1].", None, ["1"], "hand-made: no log"),
    # ids that are numbers
    ("A [11].", NUMBERS, ["11"], "peer_failures: ids are ids"),
    ("A [3].", NUMBERS, ["3"], "peer_failures: an id before a position"),
    ("A [1].", NUMBERS, ["1"], "contract: no position where ids are numbers"),
    ("A [Source 12].", NUMBERS, ["12"], HAND),
    # reference lists
    ("A [1].\n\nReferences:\n[1] doc-9", IDS, ["doc-9"], CONTRACT),
    ("A [1].\n\nReferences:\n[1] doc-99", IDS, ["doc-99"], CONTRACT),
    ("A [1].\n\nReferences:\n[1] Some other book", IDS, ["Some other book"], CONTRACT),
    ("A [1].\n\nReferences:\n[1] doc-9: Notice of fees, p. 3", IDS, ["doc-9"], HAND),
    ("A [1].\n\nReferences:\n[1] doc-70 and doc-90", IDS, ["doc-70 and doc-90"], "hand-made: an id is no prefix"),
    ("A [1].\n\nReferences:\n[1] doc-8 and doc-9", IDS, ["doc-8", "doc-9"], "hand-made: the entry names both"),
    ("A [1].\n\nReferences:\n[1] Notice of Fees", RICH, ["b"], CONTRACT),
    ("A [1].\n\nReferences:\n[1] The Town. *Notice of fees*. 2021.", RICH, ["b"], HAND),
    ("A [1].\n\nReferences:\n[1] https://x.org/handbook", RICH, ["a"], CONTRACT),
    ("A [1].\n\nReferences:\n[1] doi:10.1000/XYZ1.", RICH, ["a"], CONTRACT),
    ("A.[^1]\n\n[^1]: Notice of Fees, p. 3", RICH, ["b"], CONTRACT),
    ("A [2].\n\nReferences:\n[1] Notice of Fees", RICH, ["b"], "hand-made: no entry, so a position"),
    ("A [doc-7].\n\nReferences:\n[doc-7] doc-9", IDS, ["doc-7"], "contract: an exact id wins"),
    ("A [1].\n\nReferences:\n[1] " + "word " * 100, IDS, [("word " * 100).strip()[:200]], CONTRACT),
    # titles
    ("A [Source: Employee Handbook].", RICH, ["a"], HAND),
    ("A [Source: employee  handbook, p. 4].", RICH, ["a"], HAND),
    ("A [Source: Employee].", RICH, ["Employee"], "hand-made: part of a title is no title"),
    # links and URLs
    ("A [here](https://x.org/handbook).", RICH, ["a"], CONTRACT),
    ("A [here](HTTP://WWW.X.ORG/handbook/#fees).", RICH, ["a"], CONTRACT),
    ("A https://y.org/fees?lang=en.", RICH, ["b"], CONTRACT),
    ("A https://y.org/fees?lang=fr.", RICH, [None], "contract: the query is kept"),
    ("A [1](https://nowhere.org).", RICH, [None], "hand-made: the URL says otherwise than the number"),
    ("A [1](https://nowhere.org).", IDS, ["doc-7"], "hand-made: the log has no URLs, the number counts"),
    ("A [x](https://doi.org/10.1000/xyz1).", RICH, ["a"], HAND),
    ("A [x](https://[bad).", RICH, [None], "hand-made: malformed, and nothing raises"),
    ("A [x](http://h:99999/).", RICH, [None], HAND),
    ("A https://x.org/a.", ODD, ["https://x.org/a"], HAND),
    # DOIs
    ("A [doi:10.1000/xyz1].", RICH, ["a"], "DOI Handbook: doi: is a label"),
    ("A [DOI: 10.1000/XYZ1].", RICH, ["a"], "DOI Handbook, 2.4: case makes no difference"),
    ("A [10.1000/xyz1].", RICH, ["a"], HAND),
    ("A [doi.org/10.1000/xyz1].", RICH, ["a"], HAND),
    ("A [https://doi.org/10.1000/xyz1].", RICH, ["a"], HAND),
    ("A [http://dx.doi.org/10.1000%2FXYZ1].", RICH, ["a"], HAND),
    ("A (doi:10.1000/xyz1).", RICH, ["a"], HAND),
    ("A [doi:10.1000/xyz].", RICH, ["doi:10.1000/xyz"], "hand-made: another DOI, though a prefix"),
    ("A [10.1000/\u200bxyz1].", RICH, ["10.1000/\u200bxyz1"], "contract: a hidden character is no match"),
    ("A [doi:10.1000/XYZ].", PAPERS, ["10.1000/xyz"], "hand-made: the id is a DOI"),
    ("A [10.1000/abc].", PAPERS, ["https://doi.org/10.1000/abc"], HAND),
    # words
    (
        "A [deed].",
        [Source(source_id="lease"), Source(source_id="rent")],
        ["deed"],
        "hand-made: not in the log, and stays so",
    ),
    # author and year
    ("A (Smith & Jones, 2020).", RICH, ["c"], CONTRACT),
    ("A (Lee et al., 2021).", RICH, ["d"], CONTRACT),
    ("A (Lee, 2021a).", RICH, ["d"], HAND),
    ("A (Smith, 2019).", RICH, [None], CONTRACT),
    ("A (Smithson, 2020).", RICH, [None], HAND),
    ("A (Miller, 2020).", RICH, [None], CONTRACT),
    ("A (Smith, 2020).", [RICH[2], Source(source_id="e", title="Smith 2020, again")], [None], "contract: exactly one"),
    ("A (Berg, 2018).\n\nReferences\n\nBerg, A. (2018). Notice of Fees.", RICH, ["b"], HAND),
]


def cite(text, log, shown=None):
    record = Record(id="r", question="q", answer=text, retrieved=log, shown=shown)
    known = [source.source_id for source in log or ()]
    return resolve(find_markers(text, known)[0], find_reference_list(text), Log(record))


@every_row(("text", "log", "ids", "source"), ROWS)
def test_a_marker_comes_to_the_source_it_names(text, log, ids, source):
    assert [citation.source_id for citation in cite(text, log)] == ids, source


def test_positions_count_in_the_order_the_model_was_shown():
    citations = cite("A [1]. B [2]. C [3].", IDS, shown=("doc-9", "doc-7"))
    assert [c.source_id for c in citations] == ["doc-9", "doc-7", "3"]


def test_ranking_again_changes_no_id():
    assert cite("A [doc-8].", IDS) == cite("A [doc-8].", IDS[::-1])


def test_an_empty_list_of_what_was_shown_has_no_positions():
    assert [c.source_id for c in cite("A [1].", IDS, shown=())] == ["1"]


def test_raw_and_span_are_carried():
    (first, second) = cite("A [1, 3].", IDS)
    assert first.raw == second.raw == "[1, 3]"
    assert first.span == second.span == (2, 8)


def test_the_page_is_carried():
    assert [c.page for c in cite("A [doc-7, p. 4].", IDS)] == ["4"]


def test_an_unknown_url_is_kept():
    (citation,) = cite("A [x](https://nowhere.org/a).", RICH)
    assert (citation.source_id, citation.url) == (None, "https://nowhere.org/a")


def test_an_unknown_author_becomes_a_reference():
    (citation,) = cite("A (Miller & Co, 2020a).", RICH)
    assert citation.reference.kind == "author_year"
    assert citation.reference.fields == {"author": "Miller", "year": "2020a"}
    assert citation.reference.text == "(Miller & Co, 2020a)"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HTTPS://X.org/a", "https://x.org/a"),
        ("https://www.x.org/a/", "https://x.org/a"),
        ("http://x.org:80/a", "http://x.org/a"),
        ("https://x.org:443/a#b", "https://x.org/a"),
        ("http://x.org/a", "https://x.org/a"),
        ("x.org/a", "https://x.org/a"),
    ],
)
def test_urls_that_lead_to_one_page_are_alike(one, other):
    assert normalise_url(one) == normalise_url(other) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://x.org/a?b=1", "https://x.org/a?b=2"),
        ("https://x.org/A", "https://x.org/a"),
        ("https://x.org:8080/a", "https://x.org/a"),
        ("https://y.org@x.org/a", "https://x.org/a"),
        ("ftp://x.org/a", "https://x.org/a"),
    ],
)
def test_urls_that_lead_elsewhere_are_not(one, other):
    assert normalise_url(one) != normalise_url(other)


@pytest.mark.parametrize(
    "url", ["", "https://", "http://[::1", "https://x:port/", "http://x:99999/", "http://\u2100.org"]
)
def test_a_malformed_url_is_none(url):
    assert normalise_url(url) is None


@given(st.text(max_size=60))
def test_no_url_raises(url):
    normalise_url(url)
    normalise_url(f"https://{url}")


@given(st.text(alphabet="[](),;–0123456789doc-–^.: ¹²\nhttps://x.orgSmith2", max_size=80))
def test_every_marker_gets_one_citation(text):
    markers, _ = find_markers(text, ["doc-7"])
    record = Record(id="r", question="q", answer=text, retrieved=IDS)
    citations = resolve(markers, find_reference_list(text), Log(record))
    assert [(c.raw, c.span) for c in citations] == [(m.raw, (m.start, m.end)) for m in markers]
    assert all(c.source_id or c.url or c.reference for c in citations)
