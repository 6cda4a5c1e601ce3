"""Entries of reference lists: authors, title and the rest, each split where its style splits it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.references.entries import find_entries, read_entry
from showable.read.references.entry_text import plain_entry
from showable.read.references.structured_scholarly import (
    MedicalReference,
    NewsReference,
    ResearchReference,
    from_structured,
    json_schema,
)

A, J, T = "authors", "container", "title"

# (entry, fields that must be so, where the split comes from). Works and people are made up where no source is a fact.
ENTRIES = [
    # ICMJE Recommendations, sample references; NLM Citing Medicine, chapters 1, 2, 8, 18
    ("Roe A, Li L. Aspirin for headache: a trial. Pain Res. 2020;12(3):45-50.", {A: "Roe A; Li L", T: "Aspirin for headache: a trial", J: "Pain Res", "year": "2020", "volume": "12", "issue": "3", "pages": "45-50", "style": "vancouver"}, "ICMJE 1"),
    ("Roe AB, Li L, van der Berg C, Poe D, Moe E, Doe F, et al. Things. N Engl J Med. 2020 Jan 7;382(2):145-50.", {A: "Roe AB; Li L; van der Berg C; Poe D; Moe E; Doe F", "et_al": "yes", T: "Things", "date": "2020 Jan 7", "pages": "145-50"}, "ICMJE 1, more than six"),
    ("Roe A. Volume with a supplement. Headache. 2020;42 Suppl 2:S93-9.", {T: "Volume with a supplement", J: "Headache", "volume": "42", "pages": "S93-9"}, "ICMJE 5"),
    ("Roe A. Issue with a supplement. Neurology. 2020;58(12 Suppl 7):S6-12.", {"issue": "12 Suppl 7", "pages": "S6-12"}, "ICMJE 6"),
    ("Roe A, Li L Jr, Poe B 3rd. Ranks after names. Neurology. 2002;58:6-12.", {A: "Roe A; Li L Jr; Poe B 3rd"}, "Citing Medicine 1A"),
    ("Things Study Group. Effects of things. Hypertension. 2002;40(5):679-86.", {A: "Things Study Group", T: "Effects of things"}, "ICMJE 2, organization"),
    ("Roe A, Li L; Things Study Group. Effects of things. J Urol. 2003;169(6):2257-61.", {A: "Roe A; Li L; Things Study Group"}, "ICMJE 3"),
    ("21st century things may have a way. BMJ. 2002;325(7357):184.", {T: "21st century things may have a way", J: "BMJ", "pages": "184"}, "ICMJE 4, no author"),
    ("Roe A, Li L. Textbook of things. 4th ed. St. Louis: Mosby; 2002.", {T: "Textbook of things", "edition": "4th", "publisher": "Mosby", "year": "2002"}, "ICMJE, books"),
    ("Roe A, Li L. Chapter on things. In: Poe B, Moe C, editors. The book of things. New York: McGraw-Hill; 2002. p. 93-113.", {T: "Chapter on things", J: "The book of things", "publisher": "McGraw-Hill", "pages": "93-113"}, "ICMJE, chapter"),
    ("World Health Organization. Guidelines for things. 3rd ed. Geneva: World Health Organization; 2015.", {A: "World Health Organization", T: "Guidelines for things", "edition": "3rd", "publisher": "World Health Organization"}, "Citing Medicine 2"),
    ("Roe A. Vitamin things: too much vitamin D. BMJ. 2020;368:m1.", {T: "Vitamin things: too much vitamin D", J: "BMJ", "pages": "m1"}, "a title that ends in a capital"),
    ("Roe A, Li L. Is it true? A look at things. Lancet. 2020;395:1-2.", {T: "Is it true? A look at things", J: "Lancet"}, "a question in a title"),
    ("Roe A. Is it good? JAMA. 2020;1:2.", {T: "Is it good?", J: "JAMA"}, "a title that is a question"),
    ("Roe A. Drug X vs. drug Y in things. Ann Intern Med. 2019;170(1):1-9.", {T: "Drug X vs. drug Y in things", J: "Ann Intern Med"}, "vs."),
    ("Roe A. The U.S. system of things. Health Aff (Millwood). 2020;39(1):1-5.", {T: "The U.S. system of things", J: "Health Aff (Millwood)"}, "an abbreviation in a title"),
    ("Roe A. Part one. Part two of things. J Things. 2020;1:1-2.", {T: "Part one. Part two of things", J: "J Things"}, "two sentences"),
    ("Roe A. Smith v. Jones revisited. Law Rev. 2020;1(2):3.", {A: "Roe A", T: "Smith v. Jones revisited"}, "a case in a title"),
    ("Ann Roe and Lee Li. Things of group D. arXiv preprint. 2022", {T: "Things of group D", J: "arXiv"}, "a server after a capital"),
    ("Ann Roe and Lee Li and Jo Poe and {\\v{Z. Things by {Name. Nature. 2021", {A: "Ann Roe; Lee Li; Jo Poe", "et_al": "yes", T: "Things by Name", J: "Nature"}, "a list cut off within a name"),
    ("Roe A. On $\\varepsilon$-things, \\v{Z}ak\\'e and na\\\"ive \\c c. J Things. 2020;1:1-2.", {T: "On $\\varepsilon$-things, Žaké and naïve ç"}, "LaTeX accents and a letter's name"),
    ("Roe A. Deep Things. Nature. 2015;521:436-44.", {A: "Roe A", T: "Deep Things", J: "Nature"}, "a short title in capitals"),
    ("Deep Things. Nature. 2015;521:436-44.", {T: "Deep Things", J: "Nature"}, "no author, a short title"),
    ("Müller Ö, Ångström Å, D'Amico Z. Über das Ding. Z Dinge. 1999;1:1-2.", {A: "Müller Ö; Ångström Å; D'Amico Z", T: "Über das Ding"}, "letters beyond ASCII"),
    ("Roe A, Li L. Things at home [Internet]. Bethesda: Institute of Things; 2020 [cited 2021 Jan 3]. Available from: https://example.org/x", {T: "Things at home", "publisher": "Institute of Things", "year": "2020", "url": "https://example.org/x"}, "ICMJE, web"),
    ("Roe A. Early things. medRxiv [Preprint]. 2020 May 1. doi: 10.1101/2020.05.01.20012345.", {T: "Early things", J: "medRxiv", "year": "2020", "doi": "10.1101/2020.05.01.20012345"}, "ICMJE, preprint"),
    ("Roe A. Ahead of things. J Things. 2020 Jan 3. doi: 10.1000/j.1234. PMID: 34265844; PMCID: PMC7029759.", {T: "Ahead of things", "doi": "10.1000/j.1234", "pmid": "34265844", "pmcid": "PMC7029759"}, "Citing Medicine, ids at the end"),
    ("Roe MB et al. Rise of things. Pediatrics, 2008;122(5):e1055-e1060", {A: "Roe MB", "et_al": "yes", T: "Rise of things", J: "Pediatrics", "pages": "e1055-e1060"}, "a comma after the journal"),
    # AMA Manual of Style, 11th edition, 3.11 to 3.15
    ("Roe A, Li L, Poe B, et al. Things in adults. JAMA. 2020;323(1):1-2. doi:10.1001/jama.2020.0001", {"style": "ama", "et_al": "yes", "doi": "10.1001/jama.2020.0001"}, "AMA 3.11"),
    ("Roe A, Li L. Chapter on things. In: Poe B, ed. Handbook of Things. 2nd ed. Elsevier; 2019:45-50.", {T: "Chapter on things", J: "Handbook of Things", "edition": "2nd", "publisher": "Elsevier", "pages": "45-50"}, "AMA 3.12"),
    ("Roe A. A Book of Things. 2nd ed. Oxford University Press; 2019.", {T: "A Book of Things", "edition": "2nd", "publisher": "Oxford University Press", "year": "2019"}, "AMA 3.12"),
    ("Roe A. Facts about things. Institute of Things. Published May 1, 2020. Updated June 1, 2021. Accessed July 2, 2021. https://example.org/x", {T: "Facts about things", J: "Institute of Things", "year": "2020", "style": "ama"}, "AMA 3.15, web"),
    ("Roe A, Li L. Early things. medRxiv. Preprint posted online May 1, 2020. doi:10.1101/2020.05.01.20012345", {T: "Early things", J: "medRxiv", "year": "2020", "style": "ama"}, "AMA 3.11.4, preprint"),
    # APA Publication Manual, 7th edition, chapter 10
    ("Roe, A. B., & Li, C. (2020). Aspirin for headache: A trial. Journal of Pain, 12(3), 45–50. https://doi.org/10.1000/jp.2020.45", {A: "Roe, A. B.; Li, C.", T: "Aspirin for headache: A trial", J: "Journal of Pain", "volume": "12", "issue": "3", "pages": "45–50", "style": "apa", "doi": "10.1000/jp.2020.45"}, "APA 10.1, 1"),
    ("Roe, A., van der Berg, C.-D., Li, L., Jr., & O'Poe, B. (2021). Things. Thing Reports, 5, Article 12. https://doi.org/10.1000/t.12", {A: "Roe, A.; van der Berg, C.-D.; Li, L., Jr.; O'Poe, B.", J: "Thing Reports", "pages": "12"}, "APA 9.8, 10.1"),
    ("Roe, A. (2019). The book of things (2nd ed.). Oxford University Press.", {T: "The book of things", "edition": "2nd", "publisher": "Oxford University Press"}, "APA 10.2, 20"),
    ("Roe, A. (2019). Chapter on things. In B. Poe & C. Moe (Eds.), Handbook of things (2nd ed., pp. 45–50). Academic Press.", {T: "Chapter on things", J: "Handbook of things", "edition": "2nd", "pages": "45–50", "publisher": "Academic Press"}, "APA 10.3, 38"),
    ("World Health Organization. (2021). Guideline on things (Report No. 12). https://www.who.int/x", {A: "World Health Organization", "year": "2021", "style": "apa", "url": "https://www.who.int/x"}, "APA 10.4, 50"),
    ("Roe, A., & Li, L. (2023, March 3). Things we know. arXiv. https://arxiv.org/abs/2301.01234", {T: "Things we know", J: "arXiv", "date": "March 3 2023", "arxiv": "2301.01234"}, "APA 10.8, 73"),
    # IEEE Editorial Style Manual for Authors, conference proceedings
    ("J. Roe et al., “Deep learning of things,” in Proc. IEEE Conf. Comput. Vis. Pattern Recognit. (CVPR), 2016, pp. 770–778.", {J: "Proc. IEEE Conf. Comput. Vis. Pattern Recognit", "publisher": None, "year": "2016", "volume": None, "pages": "770–778"}, "IEEE, letters in parentheses"),
    ("J. Roe et al., “Deep learning of things,” in Proc. IEEE/CVF Conf. Comput. Vis. Pattern Recognit. (CVPR), Las Vegas, NV, USA, Jun. 2016, pp. 770–778.", {J: "Proc. IEEE/CVF Conf. Comput. Vis. Pattern Recognit", "publisher": None, "year": "2016"}, "IEEE, the place of a conference"),
    ("J. Roe and L. Li, “A method for things,” in Proc. NeurIPS, 2017, pp. 5998–6008.", {J: "Proc. NeurIPS", "publisher": None, "year": "2017", "volume": None}, "IEEE, a conference in short"),
    ("J. Roe and L. Li, “A method for things,” in Advances in Things, 2017, pp. 5998–6008.", {J: "Advances in Things", "year": "2017", "volume": None}, "IEEE, a year before the pages"),
    ("J. Roe and L. Li, “A method for things,” in Proc. NeurIPS, 2017, pp. 5998–6008, arXiv:1706.03762.", {J: "Proc. NeurIPS", "year": "2017", "arxiv": "1706.03762"}, "IEEE, an id after the pages"),
    ("J. Roe and L. Li, “A method for things,” in Proc. 31st Int. Conf. Things. Springer, 2017, pp. 1–8.", {J: "Proc. 31st Int. Conf. Things", "publisher": "Springer", "year": "2017"}, "IEEE, with its publisher"),
    ("Roe, A. (2016). Title of things and more. JHEP, 2016, 45–67.", {"year": "2016", "volume": "2016", "pages": "45–67"}, "a journal that counts volumes by years"),
    ('Roe, M. T., Singh, S., & Li, C. (2016). "Why trust it?": Explaining things. In Proceedings of the 22nd Conference on Things (pp. 1135–1144). ACM.', {T: '"Why trust it?": Explaining things', J: "Proceedings of the 22nd Conference on Things", "pages": "1135–1144", "publisher": "ACM"}, "APA 10.5, 60"),
    ("Roe, A. (n.d.). Undated things. Institute of Things. https://example.org/x", {A: "Roe, A.", T: "Undated things"}, "APA 9.17"),
    # IEEE Reference Guide; Chicago 17, 14; MLA 9; ACL; Springer LNCS: styles this does not name, read all the same
    ("J. Roe and L. Li, “A method for things,” IEEE Trans. Things, vol. 12, no. 3, pp. 45–50, Mar. 2020, doi: 10.1109/TT.2020.1234567.", {A: "J. Roe; L. Li", T: "A method for things", J: "IEEE Trans. Things", "volume": "12", "issue": "3", "year": "2020"}, "IEEE"),
    ('A. Roe, N. Li, and J. Poe, "Attention to things," in Advances in Thing Systems, vol. 30, pp. 5998–6008, 2017.', {T: "Attention to things", J: "Advances in Thing Systems", "pages": "5998–6008", "year": "2017"}, "IEEE, proceedings"),
    ('Roe, Jane, and Lei Li. "A Method for Things." Journal of Things 12, no. 3 (2020): 45–50.', {A: "Roe, Jane; Lei Li", T: "A Method for Things", J: "Journal of Things", "issue": "3", "year": "2020"}, "Chicago 14.175"),
    ("Roe, Jane. The Book of Things. New York: Penguin Press, 2019.", {A: "Roe, Jane", T: "The Book of Things", "publisher": "Penguin Press", "year": "2019"}, "Chicago 14.100"),
    ("Jane Roe and Lei Li. 2020. A method for things. In Proceedings of ACL, pages 1–10, Online. Association for Computational Linguistics.", {A: "Jane Roe; Lei Li", T: "A method for things", J: "Proceedings of ACL", "year": "2020", "pages": "1–10"}, "ACL"),
    ("Roe, J., Li, L.: A method for things. In: Proceedings of Things, vol. 123, pp. 45-50. Springer (2020)", {A: "Roe, J.; Li, L.", T: "A method for things", J: "Proceedings of Things", "publisher": "Springer", "year": "2020"}, "LNCS"),
    ("Roe J (2020) A method for things. J Things 12(3):45-50. doi:10.1000/x.1234", {A: "Roe J", T: "A method for things", J: "J Things", "year": "2020", "volume": "12"}, "Harvard"),
    # BibTeX-like one-liners and plain names
    ("Ann Roe and Lei Li and Jan-Willem van de Poe. A method: with a subtitle. ICML. 2023. doi:10.48550/arXiv.2301.01234", {A: "Ann Roe; Lei Li; Jan-Willem van de Poe", T: "A method: with a subtitle", J: "ICML", "style": "bibtex"}, "names joined by and"),
    ("Roe A and Li L. A method. CVPR. 2022. doi:10.1109/CVPR52688.2022.01234", {A: "Roe A; Li L", T: "A method", J: "CVPR"}, "initials joined by and"),
    ("Lei Li, Ann Roe. Some title: with a subtitle. Journal of Things. 2023", {A: "Lei Li; Ann Roe", T: "Some title: with a subtitle", J: "Journal of Things", "year": "2023"}, "plain"),
    ("Lei Li et al.. Some title. arXiv. 2024", {A: "Lei Li", "et_al": "yes", T: "Some title", J: "arXiv"}, "two periods after et al"),
    ("Lei Li and others. Some method for things. NeurIPS. 2024", {A: "Lei Li", "et_al": "yes", T: "Some method for things"}, "BibTeX, others"),
    ("Jane A. Roe. Title of things. Journal of Things. 2023", {A: "Jane A. Roe", T: "Title of things"}, "a middle initial ends no list"),
    ("Jane A. Roe and Philip H. S. Poe. Title of things. ICML. 2023", {A: "Jane A. Roe; Philip H. S. Poe", T: "Title of things"}, "initials within"),
    ("Lei Li Jr., Ann Roe. Title of things. arXiv. 2023", {A: "Lei Li Jr.; Ann Roe"}, "a rank with a period"),
    ("Li, Edward J. et al.. LoTH: things adapted. arXiv. 2021", {A: "Li, Edward J.", "et_al": "yes", T: "LoTH: things adapted"}, "inverted, et al"),
    ("Ann Roe and Lei Li. Learning of things.. J. Mach. Learn. Res.. 2021", {T: "Learning of things", J: "J. Mach. Learn. Res"}, "an abbreviated journal, doubled periods"),
    ("Ann Roe and Lei Li. Is this a thing?. ICLR. 2022", {T: "Is this a thing?", J: "ICLR"}, "a question and a period"),
    ("Ann Roe and Lei Li. How does it work? Application to the age of things. 2021", {T: "How does it work? Application to the age of things", "year": "2021"}, "no venue, a question"),
    ("Ann Roe and Lei Li. Works on things. 2021. doi:10.1000/w.2021", {T: "Works on things", "year": "2021"}, "no venue"),
    ("Ann Roe, Lei Li. Centralized vs. Federated Things: A Study. arXiv. 2025", {T: "Centralized vs. Federated Things: A Study"}, "vs. with a capital after"),
    ("Ann Roe. Things in AI. THINGCONF 2025. 2025", {T: "Things in AI", J: "THINGCONF 2025", "year": "2025"}, "a venue with its year"),
    ("Roe, Poe, Moe. Practice of things. Publication. 2023", {A: "Roe; Poe; Moe"}, "family names alone"),
    ("van Roe. Definition of things. Publication. 2024", {A: "van Roe", T: "Definition of things"}, "one family name with a particle"),
    ("Unknown. Inference of things. arXiv. 2025", {T: "Inference of things", A: None}, "nobody is no author"),
    ("Roe A, et al. Attention to things. arXiv preprint arXiv:2301.01234 (2023).", {T: "Attention to things", J: "arXiv", "arxiv": "2301.01234", "year": "2023"}, "as Google Scholar writes it"),
    ("Roe AB et al. Few-shot things. arXiv:2301.01234v2, 2023.", {T: "Few-shot things", "arxiv": "2301.01234", "version": "2", "year": "2023"}, "arXiv and a year"),
    ('Roe et al., "Attention to things", NeurIPS 2017.', {A: "Roe", T: "Attention to things", J: "NeurIPS", "year": "2017"}, "shorthand"),
    ('Francesco d&apos;Amico and Jonas M. K{\\"u}bler. Things &amp; more. ICML. 2021', {A: "Francesco d'Amico; Jonas M. Kübler", T: "Things & more"}, "entities and LaTeX"),
    ('@article{roe20, title={The {T}hing}, author={Roe, Ann and L{\\"o}we, Lei and others}, journal={J. Things}, year={2020}, volume=3, pages={1--9}, doi={10.1000/XYZ9}}', {A: "Roe, Ann; Löwe, Lei", "et_al": "yes", T: "The Thing", J: "J. Things", "year": "2020", "pages": "1-9", "doi": "10.1000/xyz9", "style": "bibtex"}, "BibTeX"),
    ("Roe A. Fair use under § 107: a count. J Things. 2020;1(2):3-9.", {T: "Fair use under § 107: a count", J: "J Things", "volume": "1"}, "a paper on a section"),
    ("Roe A, Li L. Things are what they seem. Sci Rep. 2020;10(1):94-147.", {T: "Things are what they seem", J: "Sci Rep"}, "a journal of reports, a title with a verb"),
    ("Things Organization. (2021). Where things are made and how they were sold.", {A: "Things Organization", "year": "2021"}, "APA 10.4, a title with a verb"),
    ("Roe A. Things of note [trial]. ClinicalTrials.gov; 2020. NCT04437511.", {T: "Things of note", J: "ClinicalTrials.gov", "nct": "NCT04437511"}, "a trial's number at the end"),
    ("[12] Roe A. Labelled things. Pain. 2020;1:2.", {T: "Labelled things"}, "a label is not part"),
    ("王伟, 李娜. 东西的方法. 东西学报. 2020.", {A: "王伟; 李娜", T: "东西的方法", J: "东西学报"}, "names without capitals"),
]  # fmt: skip

NO_ENTRIES = [
    ("We enrolled (12) patients. Nature took its course. In 2020, it ended.", "prose"),
    ("Smith et al. (2020) found that aspirin works in 12 cases.", "narrative citation"),
    ("In March 2020, Apple Inc. announced results. Shares rose 3%.", "prose with a company"),
    ("The score was 12:3 in 2020; version 1.2.3 followed.", "numbers"),
    ("John met Jane in 2020.", "a sentence"),
    ("Dear Dr. Roe, thank you for your letter of May 1, 2020.", "a letter"),
    ("1. Heat the oven to 200 degrees.", "a numbered step"),
    ("2. In 2020, revenue grew by 12%.", "a numbered sentence"),
    ("- Revenue: $12 million (2020)", "a bullet"),
    ("Figure 1. Survival by group, 2010-2020.", "a caption"),
    ("Table 2. Baseline characteristics of the cohort in 2019.", "a caption"),
    ("Copyright 2020 The Things Company. All rights reserved.", "a notice"),
    ("Call (555) 123-4567 before May 2020. Thank you.", "a telephone number"),
    ("E = mc^2 was published in 1905.", "a formula"),
    ("On 3 March 2020, at 12:30, the meeting began. It ended at 14:00.", "clock times"),
    ("The Court held in 2020 that it was so. It was affirmed.", "a court"),
    ("Chapter 3. Methods. 2020 data were used in all of the analyses.", "a heading run on"),
    ('In 2008, "Things" magazine ranked the city first for its air.', "a year and a quoted name"),
    ("Premier League 2018: Ann Roe named captain of the Things", "a headline"),
    ("March 19, 2023 8:00 AM ET The Sunday Story: things? Listen 16:29", "a page's furniture"),
    ("", "nothing"),
    ("References", "a heading alone"),
]

# Law that has no title, and sentences that begin as an entry does: no entry even where one is expected.
NEVER_ENTRIES = [
    ("S. Rep. No. 94-1476, at 5 (1976)", "Bluebook rule 13.4, committee reports"),
    ("H.R. Rep. No. 94-1476, at 47 (1976).", "Bluebook rule 13.4, committee reports"),
    ("1. S. Rep. No. 94-1476, at 5 (1976)", "a committee report in a list"),
    ("Restatement (Second) of Torts § 402A (1965)", "Bluebook rule 12.9.4, restatements"),
    ("Restatement (Third) of Agency (2006)", "Bluebook rule 12.9.4, restatements"),
    ("Model Penal Code § 2.02 (1962)", "Bluebook rule 12.9.4, model codes"),
    ("U.C.C. § 2-207 (2002)", "Bluebook rule 12.9.4, uniform acts"),
    ("Cal. Civ. Code § 1542 (West 2020)", "Bluebook rule 12.3, state codes"),
    ("N.Y. Gen. Bus. Law § 349 (McKinney 2019)", "Bluebook rule 12.3, state codes"),
    ("28 U.S.C. § 1331 (2018)", "Bluebook rule 12.3"),
    ("21 C.F.R. § 314.53 (2023)", "Bluebook rule 14.2"),
    ("Exec. Order No. 13,769 (2017)", "Bluebook rule 14.7"),
    ("Exec. Order No. 13,769, 82 Fed. Reg. 8977 (Jan. 27, 2017)", "Bluebook rule 14.7"),
    ("U.S. Const. amend. XIV, § 1 (1868)", "Bluebook rule 11"),
    ("H.R. 3200, 111th Cong. § 2 (2009)", "Bluebook rule 13.2, bills"),
    ("121 Cong. Rec. 5432 (1975)", "Bluebook rule 13.5"),
    ("In 2019, Acme acquired Foo and sold the Bar unit.", "a sentence that opens with a year"),
    ("In 2019, Acme acquired Foo.", "a sentence that opens with a year"),
    ("By 2020, Acme Corp. had grown. It sold things in 12 states.", "two sentences"),
    ("Acme Corp. announced in 2019 that it sold Foo. Revenue grew to 12 million (2020).", "two sentences"),
]

LIST = """Some words about 2020.

## References

1. Roe A, Li L. First things. Pain. 2020;12(3):45-50.
   doi:10.1000/p.2020.45
2. Poe B. Second things. Lancet. 2019;1:2.

[3] Moe C. Third things. BMJ. 2018;3:4.

## Appendix

Words after 2020.
"""

UNLABELLED = """References

Roe, A., & Li, L. (2020). First things. Journal of Things,
    12(3), 45–50.
Poe, B. (2019). Second things. Thing Reports, 1, 2–3.

Moe, C. (2018). Third things. Oxford University Press.
"""


@every_row(("text", "expected", "source"), ENTRIES)
def test_an_entry_is_split_where_its_style_splits_it(text, expected, source):
    one = read_entry(text)
    assert one is not None, source
    assert {name: one.reference.fields.get(name) for name in expected} == expected, source
    assert text[slice(*one.span)] == one.reference.text


@every_row(("text", "why"), NO_ENTRIES)
def test_prose_is_no_entry(text, why):
    assert find_entries(text) == [], why


@every_row(("text", "why"), NEVER_ENTRIES)
def test_law_and_sentences_are_no_entry_even_where_one_is_expected(text, why):
    assert read_entry(text) is None, why
    assert find_entries(f"## References\n- {text}") == [], why
    assert find_entries(text) == [], why


@pytest.mark.parametrize("name", ["He Lei", "He, Lei", "An Jo", "Things Organization"])
def test_a_name_that_is_also_a_word_opens_no_sentence(name):
    one = read_entry(f"{name}. Things are what they were. 2016.")
    assert (one.reference.fields["authors"], one.reference.fields["title"]) == (name, "Things are what they were")


@every_row("text", [row[0] for row in ENTRIES if row[2] != "nobody is no author"])
def test_a_text_that_is_one_entry_is_found_as_one(text):
    found = find_entries(text)
    assert len(found) == 1
    alone = read_entry(text)
    assert found[0].reference.fields == alone.reference.fields


def test_a_list_under_a_heading_is_read_entry_by_entry():
    found = find_entries(LIST)
    assert [one.reference.fields["title"] for one in found] == ["First things", "Second things", "Third things"]
    assert found[0].reference.fields["doi"] == "10.1000/p.2020.45"
    assert found[0].reference.text.startswith("Roe A")
    assert LIST[found[2].span[0] - 4 : found[2].span[0]] == "[3] "


def test_entries_without_labels_are_told_apart():
    found = find_entries(UNLABELLED)
    assert [one.reference.fields["title"] for one in found] == ["First things", "Second things", "Third things"]
    assert found[0].reference.fields["pages"] == "45–50"


def test_a_malformed_identifier_of_an_entry_is_kept():
    one = read_entry("Roe A. Things of note. Pain. 2020;1:2. PMID: 999999999")
    assert one.reference.fields["malformed"].startswith("pmid: a PMID has at most 8 digits")


def test_a_plain_entry_has_no_markup():
    plain = plain_entry("Roe A. <i>Things</i> &amp; **more**. J. doi:10.1000/abc1")
    assert plain.line == "Roe A. Things & more. J."
    assert plain.fields == {"doi": "10.1000/abc1"}


@given(st.text(max_size=300))
def test_any_text_is_read(text):
    for one in find_entries(text):
        assert text[slice(*one.span)] == one.reference.text
    one = read_entry(text)
    assert one is None or text[slice(*one.span)] == one.reference.text


MIXTURE = [
    "Roe", " A", ". ", ", ", "Li, L.", " and ", "et al", "(2020)", "2020;1(2):3-4", "In: ", "eds. ", "vol. 1", '"', "“", "”", "?", "!",
    "doi:10.1/x", "https://", "\n", "References\n", "1. ", "@article{a,", "title={", "}", "J Things", "Published May 1, 2020", "é", "van ",
]  # fmt: skip


@given(st.lists(st.sampled_from(MIXTURE), max_size=50).map("".join))
def test_any_mixture_of_an_entrys_parts_is_read(text):
    end = 0
    for one in find_entries(text):
        assert text[slice(*one.span)] == one.reference.text
        assert end <= one.span[0]
        end = one.span[1]
    one = read_entry(text)
    assert one is None or all(one.reference.fields.values())


def test_a_medical_row_is_the_reference_a_text_would_give():
    row = MedicalReference(
        authors=["Roe A", "Li L", "et al"],
        title="Things",
        journal="Pain",
        year=2020,
        doi="https://doi.org/10.1000/ABC9",
        pmid="PMID: 34265844",
        pmcid="7029759",
        nct="NCT1234567",
    )
    reference = from_structured(row)
    assert reference.kind == "bibliographic"
    assert reference.fields == {
        "authors": "Roe A; Li L",
        "et_al": "yes",
        "title": "Things",
        "container": "Pain",
        "year": "2020",
        "doi": "10.1000/abc9",
        "pmid": "34265844",
        "pmcid": "PMC7029759",
        "nct": "NCT1234567",
        "malformed": "nct: NCT is followed by 8 digits, here by 7",
    }


def test_research_and_news_rows():
    research = from_structured(ResearchReference(authors=["Ann Roe"], title="Things", arxiv="arXiv:1706.03762v5"))
    assert research.fields["arxiv"] == "1706.03762"
    assert research.fields["version"] == "5"
    news = from_structured(NewsReference(headline="Things happen", outlet="The Times", date="2024-03-03"))
    assert (news.kind, news.fields["title"], news.fields["outlet"]) == ("news", "Things happen", "The Times")


@pytest.mark.parametrize("profile", ["medical", "research", "news"])
def test_a_schema_is_strict(profile):
    item = json_schema(profile)["properties"]["references"]["items"]
    assert item["required"] == list(item["properties"])
    assert item["additionalProperties"] is False
    assert all("type" in shape and "description" in shape for shape in item["properties"].values())
