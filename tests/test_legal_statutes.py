"""Statutes, regulations and rules: title, section, subsection, lists and ranges."""

from __future__ import annotations

from legal_rows import check
from tables import every_row

CODE = "Bluebook rule 12.3"
REG = "Bluebook rule 14.2"
RULES = "Bluebook rule 12.9.3"
SESSION = "Bluebook rule 12.4"
HAND = "hand-made"

# text, references as (kind, words, fields that must agree), source
STATUTES = [
    ("28 U.S.C. § 1331", [("usc", "28 U.S.C. § 1331", {"title": "28", "section": "1331", "subsection": None})], CODE),
    ("42 U.S.C. § 1983 (2018)", [("usc", "42 U.S.C. § 1983", {"year": "2018"})], CODE),
    ("28 U.S.C. §§ 1331, 1332", [("usc", "28 U.S.C. §§ 1331", {"section": "1331"}), ("usc", "1332", {"title": "28", "section": "1332"})], CODE),
    ("28 U.S.C. §§ 1331, 1332(a)(1), and 1367 confer it.", [("usc", "28 U.S.C. §§ 1331", {}), ("usc", "1332(a)(1)", {"section": "1332", "subsection": "(a)(1)"}), ("usc", "1367", {"section": "1367"})], CODE),
    ("28 U.S.C. §§ 1331 and 1332 require it.", [("usc", "28 U.S.C. §§ 1331", {}), ("usc", "1332", {})], CODE),
    ("28 U.S.C. §§ 1331, 42 U.S.C. § 1983", [("usc", "28 U.S.C. §§ 1331", {}), ("usc", "42 U.S.C. § 1983", {"title": "42"})], HAND),
    ("28 U.S.C. §§ 1332(a) and (d)", [("usc", "28 U.S.C. §§ 1332(a)", {"subsection": "(a)"}), ("usc", "(d)", {"section": "1332", "subsection": "(d)"})], CODE),
    ("5 U.S.C. §§ 552(a)(1)-(3), 553.", [("usc", "5 U.S.C. §§ 552(a)(1)-(3)", {"section": "552", "subsection": "(a)(1)-(3)"}), ("usc", "553", {"section": "553", "subsection": None})], "Bluebook rule 3.3(b), consecutive subsections"),
    ("5 U.S.C. §§ 552(b) through (d), 553(b)–(d), and 554", [("usc", "5 U.S.C. §§ 552(b) through (d)", {"subsection": "(b)-(d)"}), ("usc", "553(b)–(d)", {"section": "553", "subsection": "(b)-(d)"}), ("usc", "554", {"section": "554"})], "Bluebook rule 3.3(b), consecutive subsections"),
    ("5 U.S.C. § 552(a)(1)-(3)", [("usc", "5 U.S.C. § 552(a)(1)-(3)", {"subsection": "(a)(1)-(3)"})], "Bluebook rule 3.3(b), consecutive subsections"),
    ("5 U.S.C. §§ 701-706", [("usc", "5 U.S.C. §§ 701-706", {"section": "701", "section_to": "706"})], "Bluebook rule 3.3(b), consecutive sections"),
    ("5 U.S.C. §§ 701–06", [("usc", "5 U.S.C. §§ 701–06", {"section": "701", "section_to": "706"})], "Bluebook rule 3.3(b), consecutive sections"),
    ("42 U.S.C. § 2000e-2(a)(1)", [("usc", "42 U.S.C. § 2000e-2(a)(1)", {"section": "2000e-2", "subsection": "(a)(1)"})], CODE),
    ("42 U.S.C. §§ 2000e to 2000e-17", [("usc", "42 U.S.C. §§ 2000e", {"section": "2000e", "section_to": "2000e-17"})], "Bluebook rule 3.3(b), consecutive sections"),
    ("42 U.S.C. §§ 7401-7671q", [("usc", "42 U.S.C. §§ 7401-7671q", {"section": "7401", "section_to": "7671q"})], "the Clean Air Act"),
    ("15 U.S.C. §§ 78a–78pp (2018)", [("usc", "15 U.S.C. §§ 78a–78pp", {"section": "78a", "section_to": "78pp", "year": "2018"})], "the Securities Exchange Act of 1934"),
    ("15 U.S.C. §§ 78pp–78a", [("usc", "15 U.S.C. §§ 78pp–78a", {"section": "78pp-78a", "section_to": None})], "letters that go backwards are no range"),
    ("15 U.S.C. §§ 78a–78a", [("usc", "15 U.S.C. §§ 78a–78a", {"section": "78a-78a", "section_to": None})], "one section twice is no range"),
    ("15 U.S.C. §§ 1692-1692p", [("usc", "15 U.S.C. §§ 1692-1692p", {"section": "1692", "section_to": "1692p"})], "the Fair Debt Collection Practices Act"),
    ("42 U.S.C. §§ 2000e-2000e-17", [("usc", "42 U.S.C. §§ 2000e-2000e-17", {"section": "2000e", "section_to": "2000e-17"})], "Title VII of the Civil Rights Act of 1964"),
    ("42 U.S.C. §§ 300aa-1–300aa-34", [("usc", "42 U.S.C. §§ 300aa-1–300aa-34", {"section": "300aa-1", "section_to": "300aa-34"})], "the National Childhood Vaccine Injury Act"),
    ("42 U.S.C. §§ 300f-300j-26", [("usc", "42 U.S.C. §§ 300f-300j-26", {"section": "300f", "section_to": "300j-26"})], "the Safe Drinking Water Act"),
    ("42 U.S.C. §§ 2000e-2, 1395w-4, 300aa-11", [("usc", "42 U.S.C. §§ 2000e-2", {"section_to": None, "range_from": None}), ("usc", "1395w-4", {"section": "1395w-4", "section_to": None}), ("usc", "300aa-11", {"section_to": None})], "sections of these numbers are in the Code"),
    ("16 U.S.C. §§ 1a-5", [("usc", "16 U.S.C. §§ 1a-5", {"section": "1a-5", "section_to": None, "range_from": "1a"})], "16 U.S.C. § 1a-5 is a section of the Code"),
    ("16 U.S.C. § 1a-5", [("usc", "16 U.S.C. § 1a-5", {"section": "1a-5", "range_from": None})], CODE),
    ("42 U.S.C. § 300aa-11", [("usc", "42 U.S.C. § 300aa-11", {"section": "300aa-11"})], CODE),
    ("15 U.S.C. § 78j(b)", [("usc", "15 U.S.C. § 78j(b)", {"section": "78j", "subsection": "(b)"})], CODE),
    ("29 U.S.C. § 201 et seq.", [("usc", "29 U.S.C. § 201", {"et_seq": "yes"})], CODE),
    ("42 USC 1983", [("usc", "42 USC 1983", {"title": "42", "section": "1983"})], HAND),
    ("42 U. S. C. §1983", [("usc", "42 U. S. C. §1983", {"section": "1983"})], "as the Supreme Court spaces it"),
    ("17 U.S.C.A. § 107", [("usc", "17 U.S.C.A. § 107", {"section": "107"})], CODE),
    ("28 U.S.C. sec. 1331", [("usc", "28 U.S.C. sec. 1331", {"section": "1331"})], HAND),
    ("28 U.S.C.\n§ 1331", [("usc", "28 U.S.C.\n§ 1331", {"section": "1331"})], "eyecite issue 297: line breaks of PDFs"),
    ("28 U.S.C. &sect; 1331", [("usc", "28 U.S.C. &sect; 1331", {"section": "1331"})], "HTML"),
    ("Title 28, United States Code, Section 1331", [("usc", "Title 28, United States Code, Section 1331", {"title": "28", "section": "1331"})], HAND),
    ("section 1331 of title 28, United States Code", [("usc", "section 1331 of title 28, United States Code", {"title": "28", "section": "1331"})], "as Acts of Congress cite the Code"),
    ("18 U.S.C. app. § 3", [("usc", "18 U.S.C. app. § 3", {"appendix": "yes", "section": "3"})], CODE),
    ("11 U.S.C. § 362(a)(3); 11 U.S.C. § 541", [("usc", "11 U.S.C. § 362(a)(3)", {}), ("usc", "11 U.S.C. § 541", {})], CODE),
    ("28 U.S.C. § 1331, 12 patients were", [("usc", "28 U.S.C. § 1331", {})], HAND),
    ("99 U.S.C. § 1", [], "the Code has 54 titles"),
    ("21 C.F.R. § 314.53(b)", [("cfr", "21 C.F.R. § 314.53(b)", {"title": "21", "part": "314", "section": "314.53", "subsection": "(b)"})], REG),
    ("21 C.F.R. § 314.53(b)(1)(i) (2023)", [("cfr", "21 C.F.R. § 314.53(b)(1)(i)", {"year": "2023", "subsection": "(b)(1)(i)"})], REG),
    ("21 C.F.R. Part 11", [("cfr", "21 C.F.R. Part 11", {"part": "11", "section": None})], REG),
    ("21 C.F.R. pt. 11", [("cfr", "21 C.F.R. pt. 11", {"part": "11"})], REG),
    ("21 CFR 314", [("cfr", "21 CFR 314", {"title": "21", "part": "314"})], HAND),
    ("21 CFR 314.53", [("cfr", "21 CFR 314.53", {"section": "314.53"})], HAND),
    ("45 C.F.R. §§ 164.502, 164.512", [("cfr", "45 C.F.R. §§ 164.502", {}), ("cfr", "164.512", {"part": "164", "section": "164.512"})], REG),
    ("21 C.F.R. §§ 314.53(b)(1)-(3), 314.54", [("cfr", "21 C.F.R. §§ 314.53(b)(1)-(3)", {"section": "314.53", "subsection": "(b)(1)-(3)"}), ("cfr", "314.54", {"section": "314.54"})], "Bluebook rule 3.3(b), consecutive subsections"),
    ("26 C.F.R. § 1.401(k)-1(a)", [("cfr", "26 C.F.R. § 1.401(k)-1(a)", {"section": "1.401(k)-1", "subsection": "(a)"})], REG),
    ("17 C.F.R. § 240.15c3-1", [("cfr", "17 C.F.R. § 240.15c3-1", {"section": "240.15c3-1", "part": "240"})], "the net capital rule"),
    ("17 C.F.R. §§ 240.12g3-2(b), 240.15Ba1-1", [("cfr", "17 C.F.R. §§ 240.12g3-2(b)", {"section": "240.12g3-2", "subsection": "(b)"}), ("cfr", "240.15Ba1-1", {"section": "240.15Ba1-1"})], "as the SEC numbers its rules"),
    ("17 C.F.R. § 275.206(4)-7", [("cfr", "17 C.F.R. § 275.206(4)-7", {"section": "275.206(4)-7"})], "as the SEC numbers its rules"),
    ("Treas. Reg. § 1.401(a)(9)-1", [("cfr", "Treas. Reg. § 1.401(a)(9)-1", {"section": "1.401(a)(9)-1", "subsection": None})], "as the Treasury numbers its regulations"),
    ("26 C.F.R. § 1.401(a)(4)-1(b)(2)", [("cfr", "26 C.F.R. § 1.401(a)(4)-1(b)(2)", {"section": "1.401(a)(4)-1", "subsection": "(b)(2)"})], "as the Treasury numbers its regulations"),
    ("26 C.F.R. § 1.267(a)-2T", [("cfr", "26 C.F.R. § 1.267(a)-2T", {"section": "1.267(a)-2T"})], "temporary regulations of the Treasury"),
    ("21 C.F.R. §§ 11.10(a)-11.30", [("cfr", "21 C.F.R. §§ 11.10(a)", {"section": "11.10", "subsection": "(a)", "section_to": "11.30"})], "Bluebook rule 3.3(b), consecutive sections"),
    ("40 C.F.R. part 60, subpart OOOOa", [("cfr", "40 C.F.R. part 60, subpart OOOOa", {"part": "60", "subpart": "OOOOa"})], "as the EPA cites its standards"),
    ("21 C.F.R. pt. 314, subpt. B (2023)", [("cfr", "21 C.F.R. pt. 314, subpt. B", {"part": "314", "subpart": "B", "year": "2023"})], "Bluebook table T16"),
    ("Subpart E of 45 C.F.R. Part 164 applies.", [("cfr", "45 C.F.R. Part 164", {"part": "164", "subpart": "E"})], "as agencies write it"),
    ("45 CFR part 164, subparts A and E", [("cfr", "45 CFR part 164, subparts A and E", {"subpart": "A and E"})], "the Privacy Rule, as HHS cites it"),
    ("17 C.F.R. § 240.10b-5", [("cfr", "17 C.F.R. § 240.10b-5", {"section": "240.10b-5", "part": "240"})], REG),
    ("Treas. Reg. § 1.482-1(b)", [("cfr", "Treas. Reg. § 1.482-1(b)", {"title": "26", "section": "1.482-1"})], "Bluebook rule 14.2(a), Treasury regulations"),
    ("8 C.F.R. §§ 208.1–208.31", [("cfr", "8 C.F.R. §§ 208.1", {"section": "208.1", "section_to": "208.31"})], "Bluebook rule 3.3(b), consecutive sections"),
    ("85 Fed. Reg. 12,345", [("fed_reg", "85 Fed. Reg. 12,345", {"volume": "85", "page": "12345"})], REG),
    ("85 Fed. Reg. 12,345, 12,350 (Mar. 3, 2020)", [("fed_reg", "85 Fed. Reg. 12,345", {"pin": "12350", "date": "2020-03-03", "year": "2020"})], REG),
    ("88 FR 4296", [("fed_reg", "88 FR 4296", {"volume": "88", "page": "4296"})], "as agencies write it"),
    ("75 Fed. Reg. 5 (proposed Jan. 2, 2010)", [("fed_reg", "75 Fed. Reg. 5", {"date": "2010-01-02"})], REG),
    ("Pub. L. No. 111-148, 124 Stat. 119 (2010)", [("public_law", "Pub. L. No. 111-148", {"congress": "111", "number": "148"}), ("statutes_at_large", "124 Stat. 119", {"volume": "124", "page": "119"})], SESSION),
    ("Public Law 107–56", [("public_law", "Public Law 107–56", {"congress": "107", "number": "56"})], SESSION),
    ("P.L. 94-553", [("public_law", "P.L. 94-553", {"number": "553"})], SESSION),
    ("ch. 531, 49 Stat. 620", [("statutes_at_large", "49 Stat. 620", {"page": "620"})], SESSION),
    ("Fed. R. Civ. P. 11", [("fed_rule", "Fed. R. Civ. P. 11", {"rules": "Fed. R. Civ. P.", "rule": "11"})], RULES),
    ("Fed. R. Civ. P. 12(b)(6)", [("fed_rule", "Fed. R. Civ. P. 12(b)(6)", {"rule": "12", "subsection": "(b)(6)"})], RULES),
    ("Fed. R. Civ. P. 12(b)(1), 12(b)(6)", [("fed_rule", "Fed. R. Civ. P. 12(b)(1)", {}), ("fed_rule", "12(b)(6)", {"rules": "Fed. R. Civ. P.", "subsection": "(b)(6)"})], RULES),
    ("Fed. R. Civ. P. 12(b)(1)-(3), 56(a)", [("fed_rule", "Fed. R. Civ. P. 12(b)(1)-(3)", {"rule": "12", "subsection": "(b)(1)-(3)"}), ("fed_rule", "56(a)", {"rule": "56", "subsection": "(a)"})], "Bluebook rule 3.3(b), consecutive subsections"),
    ("Fed. R. Crim. P. 16", [("fed_rule", "Fed. R. Crim. P. 16", {"rules": "Fed. R. Crim. P."})], RULES),
    ("Fed. R. App. P. 4(a)", [("fed_rule", "Fed. R. App. P. 4(a)", {"rules": "Fed. R. App. P."})], RULES),
    ("Fed. R. Bankr. P. 7001", [("fed_rule", "Fed. R. Bankr. P. 7001", {"rule": "7001"})], RULES),
    ("Fed. R. Evid. 702", [("fed_rule", "Fed. R. Evid. 702", {"rules": "Fed. R. Evid.", "rule": "702"})], RULES),
    ("FRCP 12(b)(6) and FRE 403", [("fed_rule", "FRCP 12(b)(6)", {"rules": "Fed. R. Civ. P."}), ("fed_rule", "FRE 403", {"rules": "Fed. R. Evid."})], HAND),
    ("Federal Rule of Civil Procedure 56(a)", [("fed_rule", "Federal Rule of Civil Procedure 56(a)", {"rule": "56", "subsection": "(a)"})], RULES),
    ("Federal Rules of Evidence 403 and 404(b)", [("fed_rule", "Federal Rules of Evidence 403", {"rule": "403"}), ("fed_rule", "404(b)", {"rule": "404", "subsection": "(b)"})], RULES),
    ("Rule 12(b)(6) of the Federal Rules of Civil Procedure", [("fed_rule", "Rule 12(b)(6) of the Federal Rules of Civil Procedure", {"rule": "12"})], RULES),
    ("Rules 8 and 9(b) of the Federal Rules of Civil Procedure", [("fed_rule", "Rules 8", {"rule": "8"}), ("fed_rule", "9(b)", {"rule": "9"})], RULES),
    ("Fed.R.Civ.P. 30(b)(6)", [("fed_rule", "Fed.R.Civ.P. 30(b)(6)", {"rule": "30"})], "eyecite issue 305: spaced reporters"),
]  # fmt: skip


@every_row(("text", "expected", "source"), STATUTES)
def test_what_is_read(text, expected, source):
    check(text, expected)
