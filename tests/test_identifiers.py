"""Identifiers: what is one, where it ends, what is wrong with it, and what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.references.identifier_checks import arxiv_fault, doi_fault, isbn_fault, issn_fault
from showable.read.references.identifiers import find_identifiers

# (text, what is found as (text, kind, fields less `url` and `malformed`), where the expected value comes from)
IDENTIFIERS = [
    # DOI Handbook 2.2 (syntax) and 2.6.2 (address form); trimming is our own, from how sentences end
    ("As doi:10.1038/nature12373 shows.", [("doi:10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "DOI Handbook"),
    ("See 10.1038/nature12373.", [("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "sentence end"),
    ("(10.1016/S0140-6736(97)11096-0)", [("10.1016/S0140-6736(97)11096-0", "doi", {"doi": "10.1016/s0140-6736(97)11096-0"})], "balanced parentheses"),
    ("DOI: 10.1000/182", [("DOI: 10.1000/182", "doi", {"doi": "10.1000/182"})], "the Handbook's own DOI"),
    ("10.1000.10/123456", [("10.1000.10/123456", "doi", {"doi": "10.1000.10/123456"})], "DOI Handbook 2.2.2, subdivided prefix"),
    ("https://doi.org/10.1038/NATURE12373", [("https://doi.org/10.1038/NATURE12373", "doi", {"doi": "10.1038/nature12373"})], "DOIs ignore case, Handbook 2.4"),
    ("http://dx.doi.org/10.1038/nature12373,", [("http://dx.doi.org/10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "the older address"),
    ("doi.org/10.1038/nature12373", [("doi.org/10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "address without scheme"),
    ("https://doi.org/10.1038%2Fnature12373", [("https://doi.org/10.1038%2Fnature12373", "doi", {"doi": "10.1038/nature12373"})], "percent signs, Handbook 2.5.2.4"),
    ("10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1.", [("10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1", "doi", {"doi": "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1"})], "SICI in a DOI, ANSI Z39.56"),
    ("https://doi.org/10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1", [("https://doi.org/10.1002/(SICI)1096-8644(199601)99:1<1::AID-AJPA1>3.0.CO;2-1", "doi", {"doi": "10.1002/(sici)1096-8644(199601)99:1<1::aid-ajpa1>3.0.co;2-1"})], "SICI in an address"),
    ("10.1641/0006-3568(2004)054[0633:ABC]2.0.CO;2", [("10.1641/0006-3568(2004)054[0633:ABC]2.0.CO;2", "doi", {"doi": "10.1641/0006-3568(2004)054[0633:abc]2.0.co;2"})], "SICI with square brackets"),
    ("<b>10.1038/nature12373</b>", [("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "a tag ends it"),
    ("**10.1038/nature12373**", [("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "emphasis is not part"),
    ("| 10.1038/nature12373 | x |", [("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "a table cell"),
    ("“10.1038/nature12373”", [("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "quotation marks"),
    ("10.1038/nature12373,10.1038/nature14539", [("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"}), ("10.1038/nature14539", "doi", {"doi": "10.1038/nature14539"})], "two, a comma between"),
    ("doi:10.1038/nature12373;PMID:34265844", [("doi:10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"}), ("PMID:34265844", "pmid", {"pmid": "34265844"})], "two, a semicolon between"),
    ("doi:10.1016/j.cell.2020.02.052PMID: 32142651", [("doi:10.1016/j.cell.2020.02.052", "doi", {"doi": "10.1016/j.cell.2020.02.052"}), ("PMID: 32142651", "pmid", {"pmid": "32142651"})], "as pasted from PubMed, no space between"),
    ("doi:10.1016/j.cell.2020.02.052PMCID: PMC7102627.", [("doi:10.1016/j.cell.2020.02.052", "doi", {"doi": "10.1016/j.cell.2020.02.052"}), ("PMCID: PMC7102627", "pmcid", {"pmcid": "PMC7102627"})], "as pasted from PubMed, no space between"),
    ("doi:10.1000/abc.PMCID:7102627", [("doi:10.1000/abc", "doi", {"doi": "10.1000/abc"}), ("PMCID:7102627", "pmcid", {"pmcid": "PMC7102627"})], "as pasted from PubMed, no space between"),
    ("doi: 10.7326/M20-0504.Epub 2020 Mar 10. PMID: 32150748", [("doi: 10.7326/M20-0504", "doi", {"doi": "10.7326/m20-0504"}), ("PMID: 32150748", "pmid", {"pmid": "32150748"})], "as pasted from PubMed, no space between"),
    ("doi:10.1000/pmid.12 and 10.1000/PMIDs", [("doi:10.1000/pmid.12", "doi", {"doi": "10.1000/pmid.12"}), ("10.1000/PMIDs", "doi", {"doi": "10.1000/pmids"})], "letters that are no label stay part of it"),
    ("doi:10.1016/j.jbi.2019.\n103123 and", [("doi:10.1016/j.jbi.2019.\n103123", "doi", {"doi": "10.1016/j.jbi.2019.103123"})], "broken after a point"),
    ("10.1016/S0140-\n6736(97)11096-0 was", [("10.1016/S0140-\n6736(97)11096-0", "doi", {"doi": "10.1016/s0140-6736(97)11096-0"})], "broken after its own hyphen"),
    ("10.1038/natu-\nre12373 was", [("10.1038/natu-\nre12373", "doi", {"doi": "10.1038/nature12373"})], "hyphenated by the typesetter"),
    ("10.1038/natu\u00adre12373", [("10.1038/natu\u00adre12373", "doi", {"doi": "10.1038/nature12373"})], "soft hyphen, UAX 14"),
    ("https://doi.org/\n10.1016/j.cell.2020.01.001", [("https://doi.org/\n10.1016/j.cell.2020.01.001", "doi", {"doi": "10.1016/j.cell.2020.01.001"})], "broken after the host"),
    ("x 10.1038/nature12373.\n2. Smith", [("10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "the next line is a label"),
    ("[a paper](https://doi.org/10.1038/nature12373)", [("https://doi.org/10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "CommonMark link"),
    ("[10.1038/nature12373](https://doi.org/10.1038/nature12373)", [("https://doi.org/10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "one link, one reference"),
    ('<a href="https://doi.org/10.1038/nature12373">here</a>', [("https://doi.org/10.1038/nature12373", "doi", {"doi": "10.1038/nature12373"})], "HTML link"),
    ("https://dl.acm.org/doi/full/10.1145/3292500.3330701?x=1", [("https://dl.acm.org/doi/full/10.1145/3292500.3330701?x=1", "doi", {"doi": "10.1145/3292500.3330701"})], "publisher's address"),
    ("www.frontiersin.org/articles/10.3389/fpsyg.2018.00123/full", [("www.frontiersin.org/articles/10.3389/fpsyg.2018.00123/full", "doi", {"doi": "10.3389/fpsyg.2018.00123"})], "the page's view is not part"),
    ("https://doi.org/abc123", [("https://doi.org/abc123", "doi", {"doi": "10/abc123"})], "short DOI service"),
    ("10.48550/arXiv.1706.03762", [("10.48550/arXiv.1706.03762", "doi", {"doi": "10.48550/arxiv.1706.03762"})], "arXiv's DOIs stay DOIs"),
    ("doi: 10.12/abc1", [("doi: 10.12/abc1", "doi", {"doi": "10.12/abc1"})], "registrant too short, kept"),
    ("doi: 11.1038/nature12373", [("doi: 11.1038/nature12373", "doi", {"doi": "11.1038/nature12373"})], "no directory 11, kept"),
    ("10.1/x", [("10.1/x", "doi", {"doi": "10.1/x"})], "a text that is nothing else"),
    # PubMed help: PMID, 1 to 8 digits; PMC ids
    ("PMID: 34265844", [("PMID: 34265844", "pmid", {"pmid": "34265844"})], "NLM"),
    ("PMID34265844", [("PMID34265844", "pmid", {"pmid": "34265844"})], "no space"),
    ("[PMID 9500320]", [("PMID 9500320", "pmid", {"pmid": "9500320"})], "no colon"),
    ("PubMed PMID: 34265844.", [("PubMed PMID: 34265844", "pmid", {"pmid": "34265844"})], "Citing Medicine"),
    ("PubMed ID: 34265844", [("PubMed ID: 34265844", "pmid", {"pmid": "34265844"})], "the long label"),
    ("PMIDs: 12345678, 23456789 and 34567890", [("PMIDs: 12345678", "pmid", {"pmid": "12345678"}), ("23456789", "pmid", {"pmid": "23456789"}), ("34567890", "pmid", {"pmid": "34567890"})], "a list under one label"),
    ("PMID: 999999999", [("PMID: 999999999", "pmid", {"pmid": "999999999"})], "nine digits, kept"),
    ("PMID: 01234567", [("PMID: 01234567", "pmid", {"pmid": "01234567"})], "leading zero, kept"),
    ("https://pubmed.ncbi.nlm.nih.gov/34265844/", [("https://pubmed.ncbi.nlm.nih.gov/34265844/", "pmid", {"pmid": "34265844"})], "PubMed's address"),
    ("https://www.ncbi.nlm.nih.gov/pubmed/9500320", [("https://www.ncbi.nlm.nih.gov/pubmed/9500320", "pmid", {"pmid": "9500320"})], "PubMed's older address"),
    ("https://europepmc.org/article/MED/9500320", [("https://europepmc.org/article/MED/9500320", "pmid", {"pmid": "9500320"})], "Europe PMC's address"),
    ("PMCID: PMC7029759", [("PMCID: PMC7029759", "pmcid", {"pmcid": "PMC7029759"})], "NLM"),
    ("in PMC7029759.", [("PMC7029759", "pmcid", {"pmcid": "PMC7029759"})], "unmistakable without a label"),
    ("PMC3531190.1", [("PMC3531190.1", "pmcid", {"pmcid": "PMC3531190", "version": "1"})], "id converter, versioned"),
    ("PMCID: 7029759", [("PMCID: 7029759", "pmcid", {"pmcid": "PMC7029759"})], "label says it"),
    ("https://pmc.ncbi.nlm.nih.gov/articles/PMC7029759/", [("https://pmc.ncbi.nlm.nih.gov/articles/PMC7029759/", "pmcid", {"pmcid": "PMC7029759"})], "PMC's address"),
    ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7029759/", [("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC7029759/", "pmcid", {"pmcid": "PMC7029759"})], "PMC's older address"),
    ("PMC123456789", [("PMC123456789", "pmcid", {"pmcid": "PMC123456789"})], "nine digits, kept"),
    # arXiv: Understanding the arXiv identifier
    ("arXiv:1706.03762", [("arXiv:1706.03762", "arxiv", {"arxiv": "1706.03762"})], "arXiv"),
    ("arXiv:1706.03762v7 [cs.CL]", [("arXiv:1706.03762v7", "arxiv", {"arxiv": "1706.03762", "version": "7"})], "arXiv, version"),
    ("arXiv preprint arXiv:1706.03762.", [("arXiv preprint arXiv:1706.03762", "arxiv", {"arxiv": "1706.03762"})], "as Google Scholar writes it"),
    ("arXiv 0704.0001", [("arXiv 0704.0001", "arxiv", {"arxiv": "0704.0001"})], "arXiv, four digits to 2014"),
    ("arXiv:hep-th/9711200", [("arXiv:hep-th/9711200", "arxiv", {"arxiv": "hep-th/9711200"})], "arXiv, old scheme"),
    ("math.GT/0309136v2", [("math.GT/0309136v2", "arxiv", {"arxiv": "math.GT/0309136", "version": "2"})], "arXiv, old scheme with a class"),
    ("1706.03762v5", [("1706.03762v5", "arxiv", {"arxiv": "1706.03762", "version": "5"})], "a version makes it plain"),
    ("CoRR abs/1706.03762", [("CoRR abs/1706.03762", "arxiv", {"arxiv": "1706.03762"})], "as DBLP writes it"),
    ("https://arxiv.org/abs/1706.03762v5", [("https://arxiv.org/abs/1706.03762v5", "arxiv", {"arxiv": "1706.03762", "version": "5"})], "arXiv's address"),
    ("https://arxiv.org/pdf/1706.03762v5.pdf", [("https://arxiv.org/pdf/1706.03762v5.pdf", "arxiv", {"arxiv": "1706.03762", "version": "5"})], "arXiv's PDF"),
    ("arxiv.org/abs/cs/0112017", [("arxiv.org/abs/cs/0112017", "arxiv", {"arxiv": "cs/0112017"})], "arXiv's address, old scheme"),
    ("arXiv:9999.99999", [("arXiv:9999.99999", "arxiv", {"arxiv": "9999.99999"})], "month 99, kept"),
    ("arXiv:1201.56789", [("arXiv:1201.56789", "arxiv", {"arxiv": "1201.56789"})], "five digits in 2012, kept"),
    ("arXiv:2313.01234", [("arXiv:2313.01234", "arxiv", {"arxiv": "2313.01234"})], "month 13, kept"),
    # ISO 2108 (ISBN) and ISO 3297 (ISSN)
    ("ISBN 978-0-262-03384-8", [("ISBN 978-0-262-03384-8", "isbn", {"isbn": "9780262033848"})], "ISO 2108"),
    ("ISBN-13: 9780262033848", [("ISBN-13: 9780262033848", "isbn", {"isbn": "9780262033848"})], "ISO 2108"),
    ("ISBN 0-306-40615-2 (hardback)", [("ISBN 0-306-40615-2", "isbn", {"isbn": "0306406152"})], "ISO 2108, ten digits"),
    ("ISBN: 0 8044 2957 X.", [("ISBN: 0 8044 2957 X", "isbn", {"isbn": "080442957X"})], "ISO 2108, X is ten"),
    ("978-0-262-03384-8", [("978-0-262-03384-8", "isbn", {"isbn": "9780262033848"})], "hyphens make it plain"),
    ("ISBN 0-306-40615-3", [("ISBN 0-306-40615-3", "isbn", {"isbn": "0306406153"})], "wrong check digit, kept"),
    ("ISBN 978-0-262-03384-9", [("ISBN 978-0-262-03384-9", "isbn", {"isbn": "9780262033849"})], "wrong check digit, kept"),
    ("ISBN 978 0 262 03384 8", [("ISBN 978 0 262 03384 8", "isbn", {"isbn": "9780262033848"})], "spaces for hyphens"),
    ("ISSN 0028-0836", [("ISSN 0028-0836", "issn", {"issn": "0028-0836"})], "ISO 3297"),
    ("eISSN: 1476-4687", [("eISSN: 1476-4687", "issn", {"issn": "1476-4687"})], "ISO 3297, online"),
    ("ISSN (online) 2049-3630", [("ISSN (online) 2049-3630", "issn", {"issn": "2049-3630"})], "ISO 3297"),
    ("ISSN 2049-3631", [("ISSN 2049-3631", "issn", {"issn": "2049-3631"})], "wrong check digit, kept"),
    ("ISSN 2434-561X", [("ISSN 2434-561X", "issn", {"issn": "2434-561X"})], "ISO 3297, X is ten"),
    # ClinicalTrials.gov, FDA, SEC, Bookshelf
    ("(NCT04437511)", [("NCT04437511", "nct", {"nct": "NCT04437511"})], "ClinicalTrials.gov glossary"),
    ("nct04437511", [("nct04437511", "nct", {"nct": "NCT04437511"})], "ClinicalTrials.gov ignores case"),
    ("NCT1234567", [("NCT1234567", "nct", {"nct": "NCT1234567"})], "seven digits, kept"),
    ("https://clinicaltrials.gov/study/NCT04437511", [("https://clinicaltrials.gov/study/NCT04437511", "nct", {"nct": "NCT04437511"})], "its address"),
    ("https://clinicaltrials.gov/ct2/show/NCT04437511", [("https://clinicaltrials.gov/ct2/show/NCT04437511", "nct", {"nct": "NCT04437511"})], "its older address"),
    ("NDA 020702", [("NDA 020702", "fda_application", {"type": "NDA", "number": "020702"})], "Orange Book"),
    ("NDA 20-702", [("NDA 20-702", "fda_application", {"type": "NDA", "number": "020702"})], "approval letters before 2000"),
    ("ANDA #076543", [("ANDA #076543", "fda_application", {"type": "ANDA", "number": "076543"})], "Orange Book"),
    ("ANDA076543", [("ANDA076543", "fda_application", {"type": "ANDA", "number": "076543"})], "openFDA"),
    ("BLA 125514", [("BLA 125514", "fda_application", {"type": "BLA", "number": "125514"})], "Purple Book"),
    ("NDA No. 1234567", [("NDA No. 1234567", "fda_application", {"type": "NDA", "number": "1234567"})], "seven digits, kept"),
    ("0000320193-24-000123", [("0000320193-24-000123", "sec_accession", {"accession": "0000320193-24-000123"})], "EDGAR"),
    ("CIK 0000320193, accession no. 0000320193-24-000123", [("accession no. 0000320193-24-000123", "sec_accession", {"accession": "0000320193-24-000123", "cik": "320193"})], "EDGAR"),
    ("https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/a.htm", [("https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/a.htm", "sec_accession", {"accession": "0000320193-24-000123", "cik": "320193"})], "EDGAR's folders"),
    ("NBK1247", [("NBK1247", "nbk", {"nbk": "NBK1247"})], "NCBI Bookshelf"),
    ("https://www.ncbi.nlm.nih.gov/books/NBK1247/", [("https://www.ncbi.nlm.nih.gov/books/NBK1247/", "nbk", {"nbk": "NBK1247"})], "NCBI Bookshelf's address"),
]  # fmt: skip

MALFORMED = {
    "doi: 10.12/abc1",
    "doi: 11.1038/nature12373",
    "10.1/x",
    "PMID: 999999999",
    "PMID: 01234567",
    "PMC123456789",
    "arXiv:9999.99999",
    "arXiv:1201.56789",
    "arXiv:2313.01234",
    "ISBN 0-306-40615-3",
    "ISBN 978-0-262-03384-9",
    "ISSN 2049-3631",
    "NCT1234567",
    "NDA No. 1234567",
}

TRAPS = [
    ("The ratio 10.1234/5 = 2.02 held.", "a division"),
    ("x = 10.1234/567 + 3", "a division, operator after"),
    ("rates of 10.1234/24 hours", "digits alone, too few"),
    ("110.1038/nature", "a longer number"),
    ("10.0.0.1/24 and 192.168.10.1/16", "networks"),
    ("version 10.1234 of the tool", "no slash"),
    ("upgrade from 10.15.7/10.16", "versions"),
    ("doi: pending", "a label and no identifier"),
    ("DOI: not yet assigned (2024/25)", "a label and words"),
    ("(12) patients", "the brief's own example"),
    ("E = mc^2", "the brief's own example"),
    ("ranges of 10-20 and 1995-2005", "ranges"),
    ("34265844 people", "a bare number is no PMID"),
    ("PMID: N/A", "a label alone"),
    ("in PMC 2015 we", "two words"),
    ("PMC1 and PMC2 cells", "too short for PubMed Central"),
    ("a total of 1706.03762 dollars", "a decimal, not arXiv"),
    ("arXiv since 1991", "the word alone"),
    ("and/1234567 or/7654321", "no archive of arXiv"),
    ("version 1.2.3.4567v2", "a version"),
    ("0306406152", "ten digits without a label"),
    ("call 978-555-0123", "a telephone number"),
    ("978-1-555-0123", "too few digits for an ISBN"),
    ("0028-0836", "a bare ISSN may be anything"),
    ("ISSN pending", "a label alone"),
    ("NCT trials and NCT 12", "too short to be meant"),
    ("Agenda 123456, VERANDA 12345", "letters within a word"),
    ("signed an NDA 2019", "a year"),
    ("an NDA of 2 years", "no number"),
    ("call 555-123-4567", "a telephone number"),
    ("(0123) 456-78-901234", "digits in groups, not 10-2-6"),
    ("GenBank accession number NM_000546", "another accession"),
    ("SSN 123-45-6789", "a social security number"),
    ("$10.1234 billion/5", "money"),
    ("2,3,7,8-tetrachlorodibenzo-p-dioxin", "a chemical name"),
    ("1,1'-bi-2-naphthol at 10.5/h", "a chemical name and a rate"),
    ("https://pubmed.ncbi.nlm.nih.gov.example.com/34265844/", "another host's address"),
    ("https://user@pubmed.ncbi.nlm.nih.gov/34265844/", "not PubMed's own form"),
    ("https://arxiv.org/list/cs.CL/recent", "a listing"),
    ("NBK", "letters alone"),
    ("12:34:56 on 2020-01-02", "time and date"),
]

PLAIN = ("url", "malformed")


@every_row(("text", "expected", "source"), IDENTIFIERS)
def test_identifiers_are_found_with_their_fields(text, expected, source):
    found = [
        (one.reference.text, one.reference.kind, {k: v for k, v in one.reference.fields.items() if k not in PLAIN})
        for one in find_identifiers(text)
    ]
    assert found == expected, source


@every_row("text", [row[0] for row in IDENTIFIERS])
def test_what_is_wrong_is_said_and_only_there(text):
    wrong = any("malformed" in one.reference.fields for one in find_identifiers(text))
    assert wrong == (text in MALFORMED)


@every_row(("text", "why"), TRAPS)
def test_what_only_looks_like_an_identifier_is_none(text, why):
    assert find_identifiers(text) == [], why


@pytest.mark.parametrize(
    ("fault", "value", "said"),
    [
        (isbn_fault, "9780262033849", "the check digit is 9, and should be 8"),
        (isbn_fault, "0306406153", "the check digit is 3, and should be 2"),
        (isbn_fault, "9770262033848", "an ISBN of 13 digits begins with 978 or 979"),
        (issn_fault, "2049-3631", "the check digit is 1, and should be 0"),
        (arxiv_fault, "2313.01234", "13 is no month"),
        (arxiv_fault, "0703.0001", "ids of this form begin with April 2007 (0704)"),
        (arxiv_fault, "1501.0001", "an arXiv id of 1501 has 5 digits after the point"),
        (arxiv_fault, "hep-xx/9711200", "hep-xx is no archive of arXiv"),
        (arxiv_fault, "hep-th/0704001", "ids of this form run from August 1991 to March 2007"),
        (doi_fault, "10.12/abc", "the part of a DOI before the slash is 10. and four to nine digits"),
        (doi_fault, "10.1234/", "a DOI has a suffix after the slash"),
    ],
)
def test_faults_say_what_is_expected(fault, value, said):
    assert fault(value) == said


def test_an_address_is_kept_beside_the_identifier_it_carries():
    (one,) = find_identifiers("https://example.com/10.1038/nature12373")
    assert one.reference.fields["url"] == "https://example.com/10.1038/nature12373"


def test_every_isbn_has_one_right_check_digit():
    for body in ("978026203384", "979109063607", "978316148410"):
        assert sum(isbn_fault(f"{body}{digit}") is None for digit in range(10)) == 1


PIECES = [
    "10.1234/", "doi:", "https://doi.org/", "(", ")", "<", ">2.0.CO;2", "[", "]", "](", "\n", "-", ".", "PMID: ", "PMC", "arXiv:",
    "1706.03762v", "ISBN 978-", "ISSN ", "NCT", "NDA ", "0000320193-24-000123", "NBK", "%2F", "\u00ad", "\u200b", "é", " ", "a", "7",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=200))
def test_any_text_is_read_and_offsets_hold(text):
    end = 0
    for one in find_identifiers(text):
        assert text[slice(*one.span)] == one.reference.text
        assert end <= one.span[0] < one.span[1] <= len(text)
        assert one.full[0] <= one.span[0]
        assert one.span[1] <= one.full[1]
        end = one.span[1]
