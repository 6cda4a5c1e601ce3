"""The legal and the scholarly tables as one, read with all grammars together, and what came of it, kind by kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from test_find_references import TRAPS as WEB_TRAPS
from test_find_references import WEB
from test_identifiers import IDENTIFIERS
from test_identifiers import TRAPS as ID_TRAPS
from test_legal_cases import CASES, POINTERS
from test_legal_statutes import STATUTES
from test_legal_traps import NOTHING
from test_reference_entries import ENTRIES, NEVER_ENTRIES, NO_ENTRIES

from showable.read.references.find import find_references

ANY = -1
"""Stands for an antecedent that the row says nothing of."""


@dataclass(frozen=True)
class Due:
    """A reference that a row holds: its kind, its words, fields that must agree, and what it points back to."""

    kind: str
    words: str
    fields: dict[str, str | None] = field(default_factory=dict)
    antecedent: int | None = ANY

    def is_met_by(self, found):
        """Say whether a reference that was read is this one."""
        one = found.reference
        return (
            (one.kind, one.text) == (self.kind, self.words)
            and all(one.fields.get(name) == value for name, value in self.fields.items())
            and self.antecedent in {ANY, found.antecedent}
        )


# Kinds of which the tables of one grammar have few, in prose and in lists, and law that is no kind of its own.
# text, references as (kind, words, fields that must agree), where the expected value comes from
MORE = [
    ("GeneReviews (NBK1116) describes it.", [("nbk", "NBK1116", {"nbk": "NBK1116"})], "NCBI Bookshelf"),
    ("See Bookshelf ID: NBK430685.", [("nbk", "NBK430685", {"nbk": "NBK430685"})], "NCBI Bookshelf"),
    ("https://www.ncbi.nlm.nih.gov/books/NBK430685/?report=reader", [("nbk", "https://www.ncbi.nlm.nih.gov/books/NBK430685/?report=reader", {"nbk": "NBK430685"})], "NCBI Bookshelf's address"),
    ("Smith v. Doe, 1999 U.S. App. LEXIS 4321 (2d Cir. Mar. 4, 1999)", [("lexis", "1999 U.S. App. LEXIS 4321", {"series": "U.S. App.", "number": "4321", "date": "1999-03-04"})], "Bluebook rule 10.8.1"),
    ("See 2005 U.S. LEXIS 3700.", [("lexis", "2005 U.S. LEXIS 3700", {"series": "U.S.", "year": "2005"})], "Bluebook rule 10.8.1"),
    ("Doe v. Roe, No. 03-1234, 2004 U.S. Dist. LEXIS 99, at *3 (D. Mass. Jan. 5, 2004)", [("lexis", "2004 U.S. Dist. LEXIS 99", {"docket": "03-1234", "pin": "*3"})], "Bluebook rule 10.8.1"),
    ("Civil Rights Act of 1964, Pub. L. No. 88-352, 78 Stat. 241", [("public_law", "Pub. L. No. 88-352", {"congress": "88", "number": "352"}), ("statutes_at_large", "78 Stat. 241", {"volume": "78", "page": "241"})], "Bluebook rule 12.4"),
    ("Pub. L. 104-191 was enacted in 1996.", [("public_law", "Pub. L. 104-191", {"congress": "104", "number": "191"})], "Bluebook rule 12.4"),
    ("It is codified from 110 Stat. 1936 (1996).", [("statutes_at_large", "110 Stat. 1936", {"volume": "110"})], "Bluebook rule 12.4"),
    ("See 61 Stat. 136; 48 Stat. 74.", [("statutes_at_large", "61 Stat. 136", {}), ("statutes_at_large", "48 Stat. 74", {})], "Bluebook rule 12.4"),
    ("Louis D. Brandeis & Samuel D. Warren, The Right to Privacy, 4 Harv. L. Rev. 193 (1890)", [("law_journal", "4 Harv. L. Rev. 193", {"title": "The Right to Privacy", "year": "1890"})], "Bluebook rule 16"),
    ("120 Harv. L. Rev. 1234 (2007)", [("law_journal", "120 Harv. L. Rev. 1234", {"volume": "120", "page": "1234", "year": "2007"})], "Bluebook rule 16"),
    ("The filings 0000320193-23-000106 and 0001018724-24-000008 say so.", [("sec_accession", "0000320193-23-000106", {}), ("sec_accession", "0001018724-24-000008", {"accession": "0001018724-24-000008"})], "EDGAR"),
    ("See SEC accession number 0000950170-23-035122.", [("sec_accession", "accession number 0000950170-23-035122", {"accession": "0000950170-23-035122"})], "EDGAR"),
    ("The docket is No. 2:19-cv-00123 (N.D. Cal.).", [("docket", "No. 2:19-cv-00123", {"number": "2:19-cv-00123"})], "Bluebook rule 10.8.1"),
    ("The journal (ISSN 0140-6736; eISSN 1474-547X) is weekly.", [("issn", "ISSN 0140-6736", {"issn": "0140-6736"}), ("issn", "eISSN 1474-547X", {"issn": "1474-547X"})], "ISO 3297"),
    ("Approved under BLA 761055 and ANDA 202230.", [("fda_application", "BLA 761055", {"type": "BLA", "number": "761055"}), ("fda_application", "ANDA 202230", {"type": "ANDA"})], "Purple Book, Orange Book"),
    ("85 Fed. Reg. 12,345 (Mar. 3, 2020)", [("fed_reg", "85 Fed. Reg. 12,345", {"date": "2020-03-03"})], "Bluebook rule 14.2: a line of its own is no paper"),
    ("Fed. R. Civ. P. 11(b)(2)", [("fed_rule", "Fed. R. Civ. P. 11(b)(2)", {"rule": "11", "subsection": "(b)(2)"})], "Bluebook rule 12.9.3"),
    ("## Sources\n- 28 U.S.C. § 1331\n- S. Rep. No. 94-1476, at 5 (1976)\n- Roe A. Things of note. Pain. 2020;1:2.", [("usc", "28 U.S.C. § 1331", {}), ("bibliographic", "Roe A. Things of note. Pain. 2020;1:2.", {"title": "Things of note"})], "a list of law and papers"),
    ("Roe A. Section 230 and 47 U.S.C. § 230 compared. J Things. 2020;1(2):3-9. doi:10.1000/j.2020", [("bibliographic", "Roe A. Section 230 and 47 U.S.C. § 230 compared. J Things. 2020;1(2):3-9. doi:10.1000/j.2020", {"doi": "10.1000/j.2020"})], "a paper on a section is a paper"),
]  # fmt: skip

# What the other grammars rightly read in rows that were written for one of them alone.
ALSO = {
    "[Roe v. Wade](https://example.org/roe), 410 U.S. 113 (1973)": [Due("url", "https://example.org/roe")],
    "28 U.S.C. § 1331 (2018)": [Due("usc", "28 U.S.C. § 1331", {"year": "2018"})],
    "21 C.F.R. § 314.53 (2023)": [Due("cfr", "21 C.F.R. § 314.53", {"year": "2023"})],
    "Exec. Order No. 13,769, 82 Fed. Reg. 8977 (Jan. 27, 2017)": [
        Due("fed_reg", "82 Fed. Reg. 8977", {"date": "2017-01-27"})
    ],
    **{text: [Due("url", text)] for text, _ in ID_TRAPS if text.startswith("https://")},
}


def rows():
    """Give each row as its text and the references due in it."""
    for text, expected, _ in [*CASES, *STATUTES, *MORE]:
        yield text, [*(Due(*row) for row in expected), *ALSO.get(text, ())]
    for text, expected, _ in WEB:
        yield text, [Due(*row) for row in expected]
    for text, expected, _ in POINTERS:
        yield text, [Due(kind, words, {}, antecedent) for kind, words, antecedent in expected]
    for text, expected, _ in IDENTIFIERS:
        yield text, [Due(kind, words, fields) for words, kind, fields in expected]
    for text, fields, _ in ENTRIES:
        label = text.find("Roe") if text.startswith("[") else 0
        yield text, [Due("bibliographic", text[label:], fields)]
    for text, *_ in [*NOTHING, *ID_TRAPS, *NO_ENTRIES, *NEVER_ENTRIES, *WEB_TRAPS]:
        yield text, ALSO.get(text, [])


@dataclass
class Figures:
    """Counts by kind: due in the rows, read, and of these right; and each row that was not read as it is due."""

    rows: int = 0
    due: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    rows_with: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, list, list]] = field(default_factory=list)

    def precision(self, kind=None):
        """Share of what was read that is right."""
        return _share(self.right, self.read, kind)

    def recall(self, kind=None):
        """Share of what is due that was read."""
        return _share(self.right, self.due, kind)


def _share(right, of, kind):
    whole = of[kind] if kind else of.total()
    return (right[kind] if kind else right.total()) / whole if whole else 1.0


def figures():
    """Read every row with `find_references` as it is, and count."""
    told = Figures()
    for text, due in rows():
        found = find_references(text)
        told.rows += 1
        told.due.update(one.kind for one in due)
        told.rows_with.update({one.kind for one in due})
        told.read.update(one.reference.kind for one in found)
        left = list(due)
        for one in found:
            met = next((each for each in left if each.is_met_by(one)), None)
            if met is not None:
                left.remove(met)
                told.right[met.kind] += 1
        if left or len(found) != len(due):
            told.wrong.append((text, [(one.reference.kind, one.reference.text, one.antecedent) for one in found], due))
    return told
