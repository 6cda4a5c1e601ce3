"""What looks like a legal citation and is none, alone and beside one that is."""

from __future__ import annotations

from tables import every_row

from showable.read.references.legal import find_legal

TASK = "named in the requirements"
HAND = "hand-made"

# text in which nothing is cited, source
NOTHING = [
    ("", HAND),
    ("(12) patients were enrolled.", TASK),
    ("E = mc^2", TASK),
    ("Between 2012 and 2015, pages 12-15.", TASK),
    ("12 U.S. companies 2005", TASK),
    ("12 U.S. companies in 2005 reported losses.", TASK),
    ("5 F. 3", TASK),
    ("It was 5 F. 3 days later it rose.", TASK),
    ("Under § 5.2 of this Agreement, and Section 12(b) of Schedule 3, notice is due.", TASK),
    ("§ 5.2", TASK),
    ("Call 555-123-4567 or (212) 555-0199.", TASK),
    ("He lives at 5 Main Street 12.", TASK),
    ("On 12 Jan. 2005 and on 10 June 2020 it met.", HAND),
    ("Filed January 12, 2005, answered 3 May 2006.", HAND),
    ("At 3 P.M. 12 people came.", HAND),
    ("In 2015 CO 2 levels rose by 3 percent.", HAND),
    ("New York, NY 10012, and Apt. 5 NY 10012.", HAND),
    ("See Fig. 3, Table 4 and Vol. 2 No. 3.", HAND),
    ("The 30 Day 45 plan costs $5.", HAND),
    ("Smith v. Jones was argued in 2005 before 9 judges.", HAND),
    ("In Roe v. Wade the Court spoke.", HAND),
    ("12 Monkeys 1995 and 7 Up 2000", HAND),
    ("The user id. of patient 12 is kept.", HAND),
    ("Id. No. 12345 expires in 2030.", HAND),
    ("Student Id. 5521", HAND),
    ("the supra-orbital nerve", HAND),
    ("See supra Part II.B and infra note 5.", "Bluebook rule 3.5, internal cross-references"),
    ("See supra note 12 and accompanying text.", "Bluebook rule 3.5, internal cross-references"),
    ("Invoice No. 18-13694 is unpaid.", HAND),
    ("S. Rep. No. 94-1476, at 5 (1976)", "Bluebook rule 13.4: committee reports are no dockets"),
    ("H.R. Rep. No. 94-1476", "Bluebook rule 13.4: committee reports are no dockets"),
    ("Exec. Order No. 13,769", "Bluebook rule 14.7"),
    ("Exchange Act Release No. 34-12345", HAND),
    ("$12 U.S. 500 and €5 F.3d 10", HAND),
    ("The rule 12(b)(6) motion and Rule 56 were discussed.", "only where the rules are named"),
    ("Rule 11 of the club forbids it.", HAND),
    ("She scored 12 A. 3 times, 4 P. 5 and 2 H. 7.", HAND),
    ("Add 2 Tbsp. 3 times.", HAND),
    ("Windows 10 Pro 64 and USB 3 Type 2", HAND),
    ("Flight 1983 U.S. 42 arrived.", HAND),
    ("[2019] Annual Report 5", HAND),
    ("[1] Smith J. [2] Jones K. N Engl J Med. 2020;382(1):1-10.", HAND),
    ("The 1990 U.S. 5 cent coin.", HAND),
    ("Take 5 mg of drug A. 3 of 12 patients (25%) relapsed.", HAND),
    ("Chapter 11 and Chapter 7 cases rose 12% in 2009.", HAND),
    ("The 2019 Act. 5 members voted.", HAND),
    ("10 Downing Street, London SW1A 2AA", HAND),
    ("He ran 26 Mi. 385 yards.", HAND),
    ("Part No. 12-3456 and Model No. 2020-15", HAND),
    ("v. v. v. v. v.", HAND),
    ("U.S. GDP in 2005 was 13 trillion.", HAND),
    ("the 101 Stat department", HAND),
    ("Prices rose 12 FR 5 as of 2001.", HAND),
    ("Q4 2020 EPS of $1.23 v. $1.10 in Q4 2019", HAND),
    ("Liverpool v. Arsenal, 3 May 2019, ended 2-1.", HAND),
    ("An 18 U.S. city study, 2010.", HAND),
    ("in 5 Cal. 3 g of fat", HAND),
    ("Perception 26 ECVP. Roe G and Poe JG. 2007.", "a list of posters"),
    ("and 603 C.M.R. 23.00 et seq.", "a state's code of regulations, not a reporter"),
    ("The 7 Ave. Sq. 12 stop.", HAND),
    ("The 5 U.S. 3 soldiers", TASK),
    ("The 5 U.S. 3 soldiers arrived in 2005.", HAND),
    ("All 5 U.S. 3 stars attended.", HAND),
]  # fmt: skip


@every_row(("text", "source"), NOTHING)
def test_nothing_is_read_where_nothing_is_cited(text, source):
    assert [(one.reference.kind, one.reference.text) for one in find_legal(text)] == []
