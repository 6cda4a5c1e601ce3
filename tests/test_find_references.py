"""All grammars together: who takes a stretch of text, and what stands in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.references import find
from showable.read.references.find import find_references
from showable.read.references.found import FoundReference
from showable.read.references.web_addresses import find_web
from showable.records.record import Reference

# (text, what is found as (kind, text, fields that must be so), where the expected value comes from)
WEB = [
    ("See https://example.org/a?b=c#d.", [("url", "https://example.org/a?b=c#d", {"url": "https://example.org/a?b=c#d"})], "RFC 3986; the period is the sentence's"),
    ("(https://example.org/a_(b))", [("url", "https://example.org/a_(b)", {"url": "https://example.org/a_(b)"})], "balanced parentheses"),
    ("<https://example.org/a>", [("url", "https://example.org/a", {"url": "https://example.org/a"})], "CommonMark autolink"),
    ("[the agency's page on things](https://example.org/a)", [("url", "https://example.org/a", {"url": "https://example.org/a", "title": "the agency's page on things"})], "CommonMark link"),
    ('<a href="https://example.org/a">the page</a>', [("url", "https://example.org/a", {"title": "the page"})], "HTML"),
    ("www.example.org/a", [("url", "www.example.org/a", {"url": "https://www.example.org/a"})], "as a browser reads it"),
    ("example.org/a/b.", [("url", "example.org/a/b", {"url": "https://example.org/a/b"})], "host and path"),
    ("[a link of no good](javascript:alert(1))", [("url", "javascript:alert(1)", {"url": "javascript:alert(1)"})], "kept for the scanner to refuse"),
    ("https://pubmed.ncbi.nlm.nih.gov.example.com/34265844/", [("url", "https://pubmed.ncbi.nlm.nih.gov.example.com/34265844/", {})], "a look-alike stays an address"),
    ("By Jane Roe, Rules on Things, The New York Times, March 3, 2024, https://www.nytimes.com/x", [("news", "By Jane Roe, Rules on Things, The New York Times, March 3, 2024, https://www.nytimes.com/x", {"title": "Rules on Things", "author": "Jane Roe", "outlet": "The New York Times", "date": "2024-03-03", "url": "https://www.nytimes.com/x"})], "byline"),
    ('Jane Roe, "Rules on Things," The Washington Post, March 3, 2024, https://www.washingtonpost.com/x', [("news", 'Jane Roe, "Rules on Things," The Washington Post, March 3, 2024, https://www.washingtonpost.com/x', {"author": "Jane Roe", "title": "Rules on Things", "outlet": "The Washington Post"})], "Chicago 14.191"),
    ('Roe, Jane. "Rules on Things." The Guardian, 3 Mar. 2024, www.theguardian.com/x.', [("news", 'Roe, Jane. "Rules on Things." The Guardian, 3 Mar. 2024, www.theguardian.com/x', {"author": "Roe, Jane", "outlet": "The Guardian", "date": "2024-03-03", "url": "https://www.theguardian.com/x"})], "MLA 9"),
    ("Roe, J. (2024, March 3). Rules on things. The New York Times. https://www.nytimes.com/x", [("news", "Roe, J. (2024, March 3). Rules on things. The New York Times. https://www.nytimes.com/x", {"title": "Rules on things", "author": "Roe, J.", "date": "2024-03-03"})], "APA 10.1, 16"),
    ("[Rules on things](https://apnews.com/x) (AP News, March 3, 2024)", [("news", "[Rules on things](https://apnews.com/x)", {"title": "Rules on things", "outlet": "AP News", "date": "2024-03-03", "url": "https://apnews.com/x"})], "link, outlet and date after"),
    ("[Rules on things](https://www.reuters.com/x), by Jane Roe, Reuters, 3 March 2024", [("news", "[Rules on things](https://www.reuters.com/x)", {"author": "Jane Roe", "outlet": "Reuters", "date": "2024-03-03"})], "link, byline after"),
    ("Reuters: [Rules on things](https://www.reuters.com/x), March 3, 2024.", [("news", "[Rules on things](https://www.reuters.com/x)", {"outlet": "Reuters", "date": "2024-03-03"})], "outlet before"),
    ("[The New York Times, March 3, 2024](https://www.nytimes.com/x)", [("news", "[The New York Times, March 3, 2024](https://www.nytimes.com/x)", {"outlet": "The New York Times", "date": "2024-03-03"})], "outlet and date are the words"),
    ('Roe, Jane; Li, Lei (March 3, 2024). "Rules on Things". The New York Times.', [("news", 'Roe, Jane; Li, Lei (March 3, 2024). "Rules on Things". The New York Times', {"author": "Roe, Jane; Li, Lei", "title": "Rules on Things", "date": "2024-03-03"})], "Wikipedia's template for news"),
    ("Jane Roe, Rules on Things, The Guardian, 2024-03-03, https://www.theguardian.com/x", [("news", "Jane Roe, Rules on Things, The Guardian, 2024-03-03, https://www.theguardian.com/x", {"title": "Rules on Things", "date": "2024-03-03"})], "ISO 8601 date"),
]  # fmt: skip

MIXED = [
    ("Roe A. Things of note. Pain. 2020;1:2. doi:10.1000/p.2020", ["bibliographic"], "an entry takes its DOI"),
    ("see doi:10.1038/nature12373 and PMID: 34265844 and https://example.org/a", ["doi", "pmid", "url"], "in order of place"),
    ("[Nanometre-scale thermometry in a living cell](https://doi.org/10.1038/nature12373)", ["doi"], "an address that carries an id is the id"),
    ("https://arxiv.org/abs/1706.03762", ["arxiv"], "an address that carries an id is the id"),
    ("## References\n1. Brown v. Board of Education, 347 U.S. 483 (1954).\n2. Roe A. Things of note. Pain. 2020;1:2.", ["case", "bibliographic"], "a case in a list is a case"),
    ("In Obergefell v. Hodges, 576 U.S. 644 (2015), and doi:10.1038/nature12373.", ["case", "doi"], "law and science"),
    ("Sources:\n- Roe A, Li L. Things of note. Pain. 2020;1:2.\n- https://example.org/a\n- PMID: 34265844", ["bibliographic", "url", "pmid"], "a list of several kinds"),
]  # fmt: skip

TRAPS = [
    ("[back to top](#top)", "a place in the text itself"),
    ("![a picture](https://example.org/a.png)", "an image"),
    ("[write to us](mailto:a@example.org)", "a mail address"),
    ("[the guide](guide.md)", "a file beside the text"),
    ("a@example.org", "a mail address"),
    ("and/or, his/her, 1/2, km/h", "slashes"),
    ("node.js and index.html", "names with points"),
    ("On March 3, 2024, The New York Times reported that it rained.", "an outlet in prose"),
    ("It was reported in The Guardian on 3 March 2024.", "an outlet in prose"),
    ("By March 3, 2024, the Court had ruled.", "no byline"),
    ("e.g. this, i.e. that, etc. and so on.", "abbreviations"),
    ("(12) patients, 10-20 of them since 1995", "the brief's own examples"),
]

CLAIMS = [
    ("Kucsko et al. (2013), doi:10.1038/nature12373", {"authors": "Kucsko", "et_al": "yes", "year": "2013"}, "author and year before"),
    ("(LeCun and Hinton, 2015; doi:10.1038/nature14539)", {"authors": "LeCun; Hinton", "year": "2015"}, "two authors before"),
    ("[Nanometre-scale thermometry in a living cell](https://doi.org/10.1038/nature12373)", {"title": "Nanometre-scale thermometry in a living cell"}, "a title for words"),
    ("[“Deep learning of things”](https://doi.org/10.1038/nature14539)", {"title": "Deep learning of things"}, "a quoted title"),
    ("[the 2013 paper on living cells](https://doi.org/10.1038/nature12373)", {"title": None}, "words of a sentence claim nothing"),
    ("[A randomized trial found fewer deaths](https://doi.org/10.1038/nature12373)", {"title": None}, "a finding is no title"),
    ("[see here](https://doi.org/10.1038/nature12373)", {"title": None}, "a pointer is no title"),
    ("[Kucsko & Maurer (2013)](https://doi.org/10.1038/nature12373)", {"authors": "Kucsko; Maurer", "year": "2013", "title": None}, "authors and year for words, APA 8.11"),
    ("[Kucsko and Maurer 2013](https://doi.org/10.1038/nature12373)", {"authors": "Kucsko; Maurer", "year": "2013", "title": None}, "Chicago's author and year"),
    ("[Kucsko, Maurer, and Lukin (2013)](https://doi.org/10.1038/nature12373)", {"authors": "Kucsko; Maurer; Lukin", "year": "2013", "title": None}, "three authors"),
    ("[Kucsko G, Maurer PC, 2013](https://doi.org/10.1038/nature12373)", {"authors": "Kucsko G; Maurer PC", "year": "2013", "title": None}, "initials tell a name"),
    ("[Smith, J., & Doe, A. (2020)](https://doi.org/10.1038/nature12373)", {"authors": "Smith, J.; Doe, A.", "year": "2020"}, "initials after a comma"),
    ("[Smith et al., 1999](https://doi.org/10.1038/nature12373)", {"authors": "Smith", "et_al": "yes", "year": "1999"}, "et al."),
    ("[(Jones, 2001)](https://doi.org/10.1038/nature12373)", {"authors": None, "year": "2001"}, "one word may be a journal; its year is one all the same"),
    ("[Pediatrics, 2019](https://doi.org/10.1038/nature12373)", {"authors": None, "year": "2019", "title": None}, "a journal of one word"),
    ("[Brain and Behavior (2020)](https://doi.org/10.1038/nature12373)", {"authors": None, "year": "2020"}, "a journal named by two"),
    ("[PRISMA 2020](https://doi.org/10.1038/nature12373)", {"authors": None, "year": None, "title": None}, "a guideline's own year, published in 2021"),
    ("[Nature, 31 July 2013](https://doi.org/10.1038/nature12373)", {"authors": None, "title": None}, "a journal and a day"),
    ("[IEEE Conference on Computer Vision and Pattern Recognition](https://doi.org/10.1109/CVPR.2016.90)", {"title": None}, "a conference is no title"),
    ("[New England Journal of Medicine](https://doi.org/10.1038/nature12373)", {"title": None}, "nor is a journal"),
    ("[Kaiming He and Colleagues at Microsoft Research](https://doi.org/10.1109/CVPR.2016.90)", {"title": None}, "nor are people"),
    ("[Randomized Trial of a Lifestyle Program: A Review](https://doi.org/10.1038/nature12373)", {"title": "Randomized Trial of a Lifestyle Program: A Review"}, "a title with a word of venues"),
    ("In March 2013, doi:10.1038/nature12373", {"authors": None, "year": None}, "a month is no author"),
]  # fmt: skip


def ids(rows, at):
    return [f"{row[at]} {i}" for i, row in enumerate(rows)]


@every_row(("text", "expected", "source"), WEB)
def test_addresses_and_news_are_found(text, expected, source):
    found = find_references(text)
    assert [(one.reference.kind, one.reference.text) for one in found] == [row[:2] for row in expected], source
    for one, (_, _, fields) in zip(found, expected, strict=True):
        assert {name: one.reference.fields.get(name) for name in fields} == fields, source


@pytest.mark.parametrize(("text", "kinds", "why"), MIXED, ids=ids(MIXED, 2))
def test_each_stretch_is_read_once(text, kinds, why):
    assert [one.reference.kind for one in find_references(text)] == kinds, why


@every_row(("text", "why"), TRAPS)
def test_what_is_no_reference_is_none(text, why):
    assert find_references(text) == [], why


@every_row(("text", "fields", "why"), CLAIMS)
def test_words_beside_an_identifier_claim_only_what_they_say(text, fields, why):
    (one,) = find_references(text)
    assert {name: one.reference.fields.get(name) for name in fields} == fields, why


def test_antecedents_count_in_the_list_that_is_returned(monkeypatch):
    text = "doi:10.1038/nature12373 Brown, 347 U.S. 483. Id."
    case = FoundReference(Reference(kind="case", text="347 U.S. 483"), (31, 43), (24, 43))
    back = FoundReference(Reference(kind="id", text="Id."), (45, 48), (45, 48), antecedent=0)
    monkeypatch.setattr(find, "_legal", lambda text: [case, back])
    found = find_references(text)
    assert [one.reference.kind for one in found] == ["doi", "case", "id"]
    assert found[2].antecedent == 1


def test_an_antecedent_that_another_grammar_took_points_nowhere(monkeypatch):
    text = "Roe A. Things of note. Pain. 2020;1:2. doi:10.1000/p.2020 Id."
    inner = FoundReference(Reference(kind="case", text="Pain"), (23, 27), (23, 27))
    back = FoundReference(Reference(kind="id", text="Id."), (58, 61), (58, 61), antecedent=0)
    monkeypatch.setattr(find, "_legal", lambda text: [inner, back])
    monkeypatch.setattr(find, "find_entries", lambda text: [FoundReference(Reference(kind="bibliographic", text=text[:57], fields={"doi": "x"}), (0, 57), (0, 57))])  # fmt: skip
    found = find_references(text)
    assert [(one.reference.kind, one.antecedent) for one in found] == [("bibliographic", None), ("id", None)]


def test_a_long_reference_list_is_read_whole(monkeypatch):
    monkeypatch.setattr(find, "_legal", lambda text: [])
    text = "References\n" + "".join(
        f"{n}. Roe A, Li L. Things of note {n}. Pain. 2020;{n}(1):1-2. doi:10.1000/p.{n:04}\n" for n in range(1, 301)
    )
    found = find_references(text)
    assert len(found) == 300
    assert all(one.reference.fields["volume"] == str(n) for n, one in enumerate(found, 1))


PIECES = [
    "10.1234/", "doi:", "https://a.org/", "[a b](", ")", "(2020)", "Roe A. ", "Li, L., ", "2020;1:2", '"', "“", "”", "The Times, ", "March 3, 2024",
    "By Jane Roe, ", "\n", "References\n", "1. ", "PMID: 1234567", "<a href=", ">", "</a>", "et al. ", "@article{a, title={b}}", "\u200b", "é", " ", "x/1",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=300))
def test_any_text_is_read_and_offsets_hold(text):
    end = 0
    for one in [*find_references(text)]:
        assert text[slice(*one.span)] == one.reference.text
        assert end <= one.span[0] < one.span[1] <= len(text)
        assert one.full[0] <= one.span[0]
        assert one.span[1] <= one.full[1]
        end = one.span[1] if one.reference.kind not in {"case", "case_short", "supra", "id"} else one.span[0]
    for one in find_web(text):
        assert text[slice(*one.span)] == one.reference.text


def test_a_paragraph_with_several_works_is_no_entry():
    text = (
        "A party may waive the clause by conduct, Roe v. Poe, 12 F.3d 45 (2d Cir. 1999), as was noted in 2019. Under 42 U.S.C. § 1983"
        " the courts agree (https://doi.org/10.1000/xyz123; doi:10.5555/12345678)."
    )
    assert [one.reference.kind for one in find_references(text)] == ["case", "usc", "doi", "doi"]
