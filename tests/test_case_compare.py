"""Whether two captions, two courts, a claimed case and a registered one are the same."""

import pytest
from tables import every_row

from showable.records import Reference
from showable.records.lookups import Entry
from showable.rubrics.metadata.case_names import likeness, read_caption, same_as_any, same_case
from showable.rubrics.metadata.cases import caption, compare_case, same_docket
from showable.rubrics.metadata.courts import court_id, reporter_court, same_court
from showable.rubrics.metadata.reporter_cites import page_number, pages_within, read_cite

SAME = [
    # (claimed, found, why: the source of the expectation)
    ("Obergefell v. Hodges", "James OBERGEFELL, et al., Petitioners v. Richard HODGES, Director", "the caption of 576 U.S. 644"),
    ("Zicherman v. Korean Air Lines Co., Ltd.", "Zicherman ex rel. Estate of Kole v. Korean Air Lines Co.", "ex rel. and Estate of"),
    ("Cnty. of Sacramento v. Lewis", "County of Sacramento v. Lewis", "T6: Cnty."),
    ("Massachusetts Bd. of Ret. v. Murgia", "Massachusetts Board of Retirement v. Murgia", "T6: Bd., Ret."),
    ("Bd. of Govs. of the Fed. Reserve Sys. v. First Lincolnwood Corp.",
     "Board of Governors of the Federal Reserve System v. First Lincolnwood Corp.", "T6: Govs."),
    ("Int'l Shoe Co. v. Washington", "International Shoe Company v. State of Washington", "T6: Int'l; a state either way"),
    ("Dep’t of Commerce v. New York", "Department of Commerce v. New York", "a typographic apostrophe"),
    ("Comm 'r v. Glenshaw Glass Co.", "Commissioner v. Glenshaw Glass Co.", "an apostrophe torn off by extraction"),
    ("SC Dep't of Health v. Doe", "South Carolina Department of Health v. Doe", "T10: a state's initials"),
    ("N.Y. Times Co. v. Sullivan", "New York Times Company v. Sullivan", "T10: N.Y."),
    ("Eastern Airlines, Inc. v. Floyd", "Eastern Air Lines, Inc. v. Floyd", "one word or two"),
    ("NLRB v. Jones & Laughlin Steel Corp.", "National Labor Relations Board v. Jones & Laughlin Steel Corp.", "initials"),
    ("SEC v. Chenery Corp.", "Securities & Exchange Commission v. Chenery Corp.", "initials that are an abbreviation too"),
    ("INS v. Chadha", "Immigration and Naturalization Service v. Chadha", "initials that are an abbreviation too"),
    ("NAACP v. Alabama", "National Association for the Advancement of Colored People v. Alabama ex rel. Patterson", "both"),
    ("MCI Telecomms. Corp. v. AT&T Co.", "MCI Telecommunications Corp. v. A. T. & T. Co.", "an ampersand within initials"),
    ("U.S. v. Nixon", "United States v. Nixon", "U.S."),
    ("People v. Goetz", "People of the State of New York v. Goetz", "a government under its longer name"),
    ("Commonwealth v. Hunt", "Massachusetts v. Hunt", "a government without its name"),
    ("Gore v. Bush", "Bush v. Gore", "parties are reversed on appeal"),
    ("In re Gault", "Application of Gault", "forms of a caption without v."),
    ("Ex parte Young", "Ex Parte Edward T. Young", "a given name"),
    ("In re Enron Corp.", "Smith v. Enron Corp. (In re Enron Corp.)", "the caption in parentheses"),
    ("In re Hudson", "United States v. Hudson & Goodwin", "one side alone agrees with either"),
    ("Marbury v. Madison", "MARBURY vs. MADISON", "vs., capitals"),
    ("Peterson v. Minneapolis Ry. Co.", "Petersen v. Minneapolis Railway Co.", "one wrong letter"),
    ("Muñoz v. Garcia", "Munoz v. García", "accents"),
    ("State ex rel. Miller v. Ford", "Miller v. Ford", "the relator is the party"),
    ("R (on the application of Miller) v Secretary of State", "R (Miller) v The Secretary of State", "judicial review"),
    ("MGM Studios Inc. v. Grokster, Ltd.", "Metro-Goldwyn-Mayer Studios, Inc. v. Grokster, Ltd.", "initials of a part"),
    ("Chevron U.S.A. Inc. v. NRDC", "Chevron U.S.A., Inc. v. Natural Resources Defense Council, Inc.", "initials"),
    ("NFIB v. Sebelius", "National Federation of Independent Business v. Sebelius", "initials"),
    ("Citizens United v. FEC", "Citizens United v. Federal Election Commission", "a party of common words alone"),
    ("Brown v. Bd. of Educ.", "Brown v. Board of Education of Topeka", "a place left out"),
    ("Comm'r v. Banks", "Commissioner of Internal Revenue v. Banks", "an office in short"),
    ("Walmart Stores, Inc. v. Dukes", "Wal-Mart Stores, Inc. v. Dukes", "with a hyphen and without"),
    ("Daimler AG v. Bauman", "DaimlerChrysler AG v. Bauman", "a name written with another"),
    ("The Bremen v. Zapata Off-Shore Co.", "M/S Bremen v. Zapata Off-Shore Co.", "a ship"),
    ("Dred Scott v. Sandford", "Scott v. Sandford", "a given name"),
    ("Jacobson v. Massachusetts", "Jacobson v. Commonwealth of Massachusetts", "a state in full"),
    ("Lujan v. Defs. of Wildlife", "Lujan v. Defenders of Wildlife", "an abbreviation that no table has"),
    ("Friends of the Earth, Inc. v. Laidlaw Env't Servs. (TOC), Inc.",
     "Friends of the Earth, Inc. v. Laidlaw Environmental Services (TOC), Inc.", "parentheses within a name"),
    ("Planned Parenthood of Se. Pa. v. Casey", "Planned Parenthood of Southeastern Pennsylvania v. Casey", "T10"),
    ("Bd. of Trs. of Univ. of Ala. v. Garrett", "Board of Trustees of the University of Alabama v. Garrett", "T6, T10"),
    ("A.B. v. C.D.", "A. B. v. C. D.", "initials in place of names"),
    ("Miranda v. Arizona", "MIRANDA v. STATE OF ARIZONA", "a state in full"),
    ("United States v. $124,700 in U.S. Currency", "United States v. $124,700, in U.S. Currency", "money as a party"),
    ("Matsushita Elec. Indus. Co. v. Zenith Radio Corp.", "Matsushita Electric Industrial Co., Ltd. v. Zenith Radio Corporation", "T6"),
    ("Doe d/b/a Acme v. Roe", "Acme v. Roe", "a trading name"),
]  # fmt: skip

UNSURE = [
    # a database may put an office in its holder's place, and any other name would fit there as well
    ("Smith v. Astrue", "Smith v. Commissioner of Social Security", "an office and its holder"),
    ("Jones v. Warden", "Jones v. Whitaker", "an office and its holder"),
    ("Varghese v. Duberstein", "Commissioner v. Duberstein", "an office, and who never held it"),
    ("Doe v. Gonzales", "Doe v. Attorney General", "an office and its holder"),
]

OTHER = [
    ("Brown v. Smith", "Brown v. Board of Education", "a board is held by nobody"),
    ("Brown v. Jefferson", "Brown v. Department of Education", "nor is a department"),
    ("Doe v. Smith", "Doe v. Public Service Commission", "nor is a commission"),
    ("Miller v. United Airlines, Inc.", "United States v. Drake", "'United' tells nothing"),
    ("Smith v. Jones", "Smith v. Brown", "one party is not enough"),
    ("United States v. Flores", "United States v. Drake", "nor is a government"),
    ("United States v. Smith", "Texas v. Smith", "another government"),
    ("Texas v. Smith", "Ohio v. Smith", "another state"),
    ("Chan v. Korean Air Lines, Ltd.", "Wallace v. Korean Air", "one party is not enough"),
    ("Martinez v. Delta Airlines, Inc.", "Martinez v. United Airlines, Inc.", "an airline, not this one"),
    ("Ruiz v. Bank of Am., N.A.", "Ruiz v. Wells Fargo Bank, N.A.", "a bank, not this one"),
    ("First Nat'l Bank of Omaha v. Doe", "First Nat'l Bank of Boston v. Doe", "a bank of another town"),
    ("John Smith v. Ames", "John Brown v. Ames", "a given name in common"),
    ("Thompson v. Best", "Thompson v. Thompson", "one party twice"),
    ("In re Acme 12 LLC", "In re 700 West 12th Street LLC", "a form of company in common"),
    ("Dep't of Health v. Roe", "Department of Homeland Security v. Roe", "another department"),
    ("Cnty. of Kern v. Doe", "County of Lake v. Doe", "another county"),
    ("Comm'r v. Banks", "Commissioner of Internal Revenue v. Brooks", "an office is not enough"),
    ("Adams v. Sec'y of Labor", "Adams v. Secretary of Defense", "another office"),
    ("A.B. v. Natick Pub. Schs.", "C.D. v. Natick Pub. Schs.", "other initials"),
    ("NLRB v. Acme Co.", "National Bank v. Acme Co.", "initials that are not"),
    ("Smith v. Jones", "Jones v. Brown", "the same party on the other side"),
]  # fmt: skip


@every_row(("claimed", "found", "why"), SAME)
def test_captions_of_one_case(claimed, found, why):
    assert same_case(claimed, found) is True, why
    assert same_case(found, claimed) is True, f"{why}, the other way round"


@pytest.mark.parametrize(("claimed", "found", "why"), UNSURE)
def test_an_office_and_a_name_in_its_place(claimed, found, why):
    assert same_case(claimed, found) is None, why
    assert same_case(found, claimed) is None, f"{why}, the other way round"


@every_row(("claimed", "found", "why"), OTHER)
def test_captions_of_two_cases(claimed, found, why):
    assert same_case(claimed, found) is False, why
    assert same_case(found, claimed) is False, f"{why}, the other way round"


def test_likeness_alone_would_not_do():
    assert likeness("Smith v. Jones", "Smith v. Brown") >= 0.5
    assert likeness("Zicherman v. Korean Air Lines", "Zicherman ex rel. Estate of Kole v. Korean Air Lines Co.") >= 0.8
    assert 0 <= likeness("Miller v. United Airlines", "United States v. Drake") < 0.8


def test_a_short_caption_is_no_escape():
    assert same_as_any("Smith v. Jones", ["Smith v. Brown", "Smith"]) is False
    assert same_as_any("Smith v. Jones", ["Smith"]) is True
    assert same_as_any("Smith", ["Smith v. Brown", "Brown"]) is True
    assert same_as_any("Smith v. Jones", []) is None
    assert same_as_any("v.", ["Smith v. Jones"]) is None


HOSTILE = [
    "",
    " v. ",
    "v. v. v.",
    "(" * 10_000,
    "a." * 10_000,
    "'" * 5_000,
    "v " * 10_000,
    "A\u202e v. \u0000",
    "1 2 3",
    "ex rel. " * 2_000,
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_caption_is_too_odd_to_read(name):
    assert len(read_caption(name).sides) <= 2
    assert same_case(name, "Smith v. Jones") in {None, True, False}
    assert 0 <= likeness(name, "Smith v. Jones") <= 1


COURTS = [
    ("11th Cir.", "ca11"),
    ("2d Cir.", "ca2"),
    ("United States Court of Appeals for the Eleventh Circuit", "ca11"),
    ("D.C. Cir.", "cadc"),
    ("United States Court of Appeals for the District of Columbia Circuit", "cadc"),
    ("C.D. Cal.", "cacd"),
    ("United States District Court for the Southern District of New York", "nysd"),
    ("United States Bankruptcy Court for the Southern District of New York", "nysb"),
    ("D. Wyo.", "wyd"),
    ("D.D.C.", "dcd"),
    ("nysd", "nysd"),
    ("Supreme Court of the United States", "scotus"),
    ("Court of Appeals of Indiana", "indctapp"),
    ("Supreme Court of Montana", "mont"),
    ("Ill. App. Ct. 1st Dist.", "illappct"),
    ("Tex. App.—Houston [14th Dist.]", "texapp"),
    ("Court of Nowhere", None),
    ("", None),
]


@every_row(("text", "expected"), COURTS)
def test_courts_by_id_name_and_abbreviation(text, expected):
    assert court_id(text) == expected


@pytest.mark.parametrize(
    ("claimed", "found", "expected"),
    [
        ("ca11", "11th Cir.", True),
        ("ca1", "ca11", False),
        ("ca11", "cadc", False),
        ("nysd", "nysb", False),
        ("Ga.", "Ga. Ct. App.", False),
        ("Ga.", "Ala.", False),
        ("Tex. App. 14th Dist.", "texapp", True),
        ("somewhere", "ca2", None),
        ("N.Y. Sup. Ct.", "N.Y. App. Div.", None),
    ],
)
def test_courts_that_are_one(claimed, found, expected):
    assert same_court(claimed, found) is expected


def test_reporters_of_one_court():
    assert reporter_court("U.S.") == reporter_court("S. Ct.") == "scotus"
    assert reporter_court("F.3d") is None


@pytest.mark.parametrize(
    ("page", "expected"),
    [("1339", ("", 1339)), ("S12", ("s", 12)), ("xii", ("roman", 12)), ("XLIV", ("roman", 44)), ("1,339", ("", 1339)),
     ("at", None), ("", None), ("___", None), ("417a", ("", 417))],
)  # fmt: skip
def test_pages(page, expected):
    assert page_number(page) == expected


def test_pages_within():
    assert pages_within("371-72", "366", "380") is True
    assert pages_within("390", "366", "380") is False
    assert pages_within("360", "366", None) is False
    assert pages_within("390", "366", None) is None
    assert pages_within("S3", "366", "380") is None
    assert read_cite("925 F.3d 1291") is not None
    assert read_cite("see above") is None


@pytest.mark.parametrize(
    ("claimed", "found", "expected"),
    [
        ("No. 2:24-cv-01776-JHC", "2:24-cv-01776", True),
        ("24-cv-1776", "2:24-cv-01776", True),
        ("C15-1228-JCC", "2:15-cv-01228", True),
        ("No. 18-13694", "18-13694", True),
        ("2:20-cv-1882", "2:02-cv-00236", False),
        ("1:20-cv-1882", "2:20-cv-1882", False),
        ("20-cr-1882", "20-cv-1882", False),
        ("none", "2:20-cv-1882", False),
    ],
)
def test_docket_numbers(claimed, found, expected):
    assert same_docket(claimed, found) is expected


AZAR = Entry(
    case_names=("J.D. v. Azar", "J. D. v. Alex Azar"), court="cadc", date="2019-06-14", years=(2019,),
    containers=("F.3d",), volume="925", first_page="1291", last_page="1349", citations=("925 F.3d 1291",),
)  # fmt: skip
OBERGEFELL = Entry(
    case_names=("Obergefell v. Hodges",),
    date="2015-06-26",
    years=(2015,),
    citations=("576 U.S. 644", "135 S. Ct. 2584"),
)


def case(kind="case", **fields):
    return Reference(kind=kind, text="", fields=fields)


def outcomes(reference, entry):
    return {check.field: check.outcome for check in compare_case(reference, entry)}


AGREES = {"citation": "agrees", "case_name": "agrees", "year": "agrees", "court": "agrees"}
COMPARED = [
    ("as cited", OBERGEFELL, {}, AGREES),
    ("another year", OBERGEFELL, {"year": "2014"}, AGREES | {"year": "differs"}),
    ("another court", OBERGEFELL, {"court": "ca6"}, AGREES | {"court": "differs"}),
    ("another name", OBERGEFELL, {"case_name": "Varga v. Hodges"}, AGREES | {"case_name": "differs"}),
    ("another page", OBERGEFELL, {"page": "645"}, AGREES | {"citation": "differs"}),
    ("no name claimed", OBERGEFELL, {"case_name": ""}, {k: v for k, v in AGREES.items() if k != "case_name"}),
    ("spaced reporter", OBERGEFELL, {"reporter": "U. S."}, AGREES),
    ("its parallel cite", OBERGEFELL, {"parallel": "135 S. Ct. 2584; 192 L. Ed. 2d 609"}, AGREES | {"parallel": "unknown"}),
    ("another parallel cite", OBERGEFELL, {"parallel": "135 S. Ct. 2585"}, AGREES | {"parallel": "differs"}),
    ("a docket unknown there", OBERGEFELL, {"docket": "14-556"}, AGREES | {"docket": "unknown"}),
    ("a loose date", OBERGEFELL.model_copy(update={"date": "2015"}), {"year": "2016"}, AGREES),
    ("a loose date, two years", OBERGEFELL.model_copy(update={"date": "2015"}), {"year": "2017"}, AGREES | {"year": "differs"}),
]  # fmt: skip


@every_row(("what", "entry", "change", "expected"), COMPARED)
def test_what_decides(what, entry, change, expected):
    fields = {"case_name": "Obergefell v. Hodges", "volume": "576", "reporter": "U.S.", "page": "644", "year": "2015"}
    assert outcomes(case(**(fields | change)), entry) == expected, what


def test_a_page_inside_another_case_says_whose_it_is():
    checks = compare_case(
        case(case_name="Nemo v. China Lines", volume="925", reporter="F.3d", page="1339", court="ca11", year="2019"),
        AZAR,
    )
    said = {check.field: (check.outcome, check.found) for check in checks}
    assert said["citation"] == ("differs", "inside J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019), pp. 1291–1349")
    assert said["case_name"] == ("differs", "J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019)")
    assert said["court"] == ("differs", "D.C. Cir.")
    assert said["year"] == ("agrees", "2019-06-14")


def test_the_right_name_at_a_page_within_is_still_the_wrong_page():
    compared = outcomes(case(case_name="J.D. v. Azar", volume="925", reporter="F.3d", page="1339"), AZAR)
    assert compared == {"citation": "differs", "case_name": "agrees"}


def test_dallas_printed_more_than_one_court():
    entry = Entry(case_names=("Respublica v. Doe",), court="pa", date="1788-04-01", citations=("1 U.S. 86",))
    fields = {"case_name": "Respublica v. Doe", "volume": "1", "reporter": "U.S.", "page": "86", "year": "1788"}
    assert "court" not in outcomes(case(**fields, court="scotus"), entry)
    assert outcomes(case(**fields, court="pa", court_text="Pa."), entry)["court"] == "agrees"
    late = entry.model_copy(update={"court": None, "citations": ("576 U.S. 644",)})
    assert (
        outcomes(case(case_name="A v. B", volume="576", reporter="U.S.", page="644", court="ca6"), late)["court"]
        == "differs"
    )


def test_pins():
    fields = {"case_name": "J.D. v. Azar", "volume": "925", "reporter": "F.3d"}
    assert outcomes(case(**fields, page="1291", pin="1339-40"), AZAR)["pin"] == "agrees"
    assert outcomes(case(**fields, page="1291", pin="1400"), AZAR)["pin"] == "differs"
    assert "pin" not in outcomes(case(**fields, page="1291", pin="*4"), AZAR)
    short = outcomes(case("case_short", **fields, pin="1339"), AZAR)
    assert short == {"citation": "agrees", "case_name": "agrees", "pin": "agrees"}
    assert outcomes(case("case_short", **fields, page="1339"), AZAR)["citation"] == "agrees"


def test_a_neutral_citation():
    entry = Entry(case_names=("Doe v Roe",), citations=("[2020] EWHC 12 (Admin)",), date="2020-02-03")
    fields = {"year": "2020", "court": "EWHC", "number": "12", "division": "Admin", "case_name": "Doe v Roe"}
    assert outcomes(case("neutral_uk", **fields), entry) == {
        "citation": "agrees",
        "case_name": "agrees",
        "year": "agrees",
    }
    assert outcomes(case("neutral_uk", **(fields | {"number": "13"})), entry)["citation"] == "differs"


def test_an_entry_that_says_nothing_decides_nothing():
    compared = outcomes(
        case(case_name="A v. B", volume="1", reporter="F.3d", page="1", year="1990", court="ca1"), Entry()
    )
    assert set(compared.values()) == {"unknown"}
    assert caption(Entry()) == "a case without a name"
