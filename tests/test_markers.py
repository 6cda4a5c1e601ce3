"""Citation markers: what is one, where it is, what it names, and what only looks like one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.read.markers import find_markers
from showable.read.reference_lists import find_reference_list

DESIGN = "DESIGN §2, surface forms"
PEER = "peer_failures, citation markers"
HAND = "hand-made"

# text, tokens in order, style of all of them, source
CITATIONS = [
    # numbers in square brackets
    ("The fee is 5 % [1].", ["1"], "bracket", DESIGN),
    ("The fee is 5 %[1].", ["1"], "bracket", HAND),
    ("The fee is 5 %. [1] The term is long.", ["1"], "bracket", HAND),
    ("Two are cited [1, 2].", ["1", "2"], "bracket", PEER),
    ("Two are cited [1,2].", ["1", "2"], "bracket", HAND),
    ("Two are cited [1; 2].", ["1", "2"], "bracket", HAND),
    ("Two are cited [1 and 2].", ["1", "2"], "bracket", HAND),
    ("Two are cited [1 & 2].", ["1", "2"], "bracket", HAND),
    ("Three [1, 2, and 3].", ["1", "2", "3"], "bracket", HAND),
    ("A range, en dash [1–2].", ["1", "2"], "bracket", PEER),
    ("A range, hyphen [1-3].", ["1", "2", "3"], "bracket", DESIGN),
    ("A range, em dash [1—3].", ["1", "2", "3"], "bracket", HAND),
    ("A range and more [1–3, 7].", ["1", "2", "3", "7"], "bracket", HAND),
    ("A range of one [3–3].", ["3"], "bracket", HAND),
    ("The widest range [1–50].", [str(n) for n in range(1, 51)], "bracket", "contract: ranges of at most 50 items"),
    ("Side by side [1][3].", ["1", "3"], "bracket", PEER),
    ("Side by side [1] [3].", ["1", "3"], "bracket", HAND),
    ("Beyond the log [9].", ["9"], "bracket", PEER),
    ("Position nought [0].", ["0"], "bracket", PEER),
    ("Spaces [ 2 ].", ["2"], "bracket", HAND),
    ("Wiki style [[1]].", ["1"], "bracket", HAND),
    ("Wiki style [[1, 2]].", ["1", "2"], "bracket", HAND),
    ("Escaped for Markdown \\[1\\].", ["1"], "bracket", HAND),
    ("[1] says that the fee is 5 %.", ["1"], "bracket", HAND),
    ("See vitamin A[1] and iPhone[2].", ["1", "2"], "bracket", HAND),
    ("As stated in [1, 2], it is so.", ["1", "2"], "bracket", HAND),
    ("Bold **days**[4].", ["4"], "bracket", HAND),
    ("مدة الإشعار ثلاثون يوما [1].", ["1"], "bracket", "hand-made: right to left"),
    ("通知期間は30日です[1]。", ["1"], "bracket", HAND),
    ("Arabic digits [٢].", ["2"], "bracket", HAND),
    # other brackets
    ("通知期間は30日です【1】。", ["1"], "bracket", HAND),
    ("A file search says so【4:0†source】.", ["4:0"], "bracket", HAND),
    ("A browser says so【3†L10-L14】.", ["3"], "bracket", HAND),
    ("In square brackets [2†source].", ["2"], "bracket", HAND),
    ("Full width ［1］ too.", ["1"], "bracket", HAND),
    # ids
    ("The fee is 5 % [doc-7].", ["doc-7"], "bracket", DESIGN),
    ("The fee is 5 % [doc:7].", ["doc:7"], "bracket", HAND),
    ("The fee is 5 % [doc7].", ["doc7"], "bracket", HAND),
    ("The fee is 5 % [Doc-7].", ["Doc-7"], "bracket", HAND),
    ("The fee is 5 % [doc_7].", ["doc_7"], "bracket", HAND),
    ("The fee is 5 % [S2].", ["S2"], "bracket", HAND),
    ("The fee is 5 % [doc-7, doc-9].", ["doc-7", "doc-9"], "bracket", HAND),
    ("The fee is 5 % [doc-7; doc-9].", ["doc-7", "doc-9"], "bracket", HAND),
    ("The fee is 5 % [1, doc-9].", ["1", "doc-9"], "bracket", HAND),
    ("The fee is 5 % [doc-7][doc-9].", ["doc-7", "doc-9"], "bracket", HAND),
    ("The fee is 5 % [handbook.pdf].", ["handbook.pdf"], "bracket", HAND),
    ("The fee is 5 % [handbook.pdf#page=3].", ["handbook.pdf#page=3"], "bracket", HAND),
    ("The fee is 5 % [smith2020].", ["smith2020"], "bracket", HAND),
    ("The fee is 5 % [@smith2020; @lee2021].", ["smith2020", "lee2021"], "bracket", "Pandoc manual, citation syntax"),
    ("The fee is 5 % [hr/leave-2].", ["hr/leave-2"], "bracket", HAND),
    (
        "The fee is 5 % [550e8400-e29b-41d4-a716-446655440000].",
        ["550e8400-e29b-41d4-a716-446655440000"],
        "bracket",
        HAND,
    ),
    ("The fee is 5 % [`doc-7`].", ["doc-7"], "bracket", HAND),
    ("The fee is 5 % [doc-7\u200b].", ["doc-7\u200b"], "bracket", "hand-made: the hidden character stays in the token"),
    # DOIs
    ("The fee is 5 % [10.1000/xyz].", ["10.1000/xyz"], "bracket", "DOI Handbook, 2.2"),
    ("The fee is 5 % [doi:10.1000/xyz].", ["doi:10.1000/xyz"], "bracket", HAND),
    ("The fee is 5 % [doi: 10.1000/xyz].", ["doi: 10.1000/xyz"], "bracket", HAND),
    ("The fee is 5 % [DOI 10.1000/xyz, p. 4].", ["DOI 10.1000/xyz"], "bracket", HAND),
    ("The fee is 5 % [doi.org/10.1000/xyz].", ["doi.org/10.1000/xyz"], "bracket", HAND),
    ("The fee is 5 % [10.1016/S0140-6736(20)30183-5].", ["10.1016/S0140-6736(20)30183-5"], "bracket", HAND),
    ("The fee is 5 % [10.1000/a, 10.1000/b].", ["10.1000/a", "10.1000/b"], "bracket", HAND),
    ("The fee is 5 % (doi:10.1000/xyz).", ["10.1000/xyz"], "reference", HAND),
    # labels
    ("The fee is 5 % [source: doc-7].", ["doc-7"], "bracket", HAND),
    ("The fee is 5 % [source:doc-7].", ["doc-7"], "bracket", HAND),
    ("The fee is 5 % [Source 2].", ["2"], "bracket", HAND),
    ("The fee is 5 % [Sources 1, 2].", ["1", "2"], "bracket", HAND),
    ("The fee is 5 % [Sources: 1–3].", ["1", "2", "3"], "bracket", HAND),
    ("The fee is 5 % [Source 1, Source 2].", ["1", "2"], "bracket", HAND),
    ("The fee is 5 % [Document 4].", ["4"], "bracket", HAND),
    ("The fee is 5 % [Doc. 3, p. 4].", ["3"], "bracket", HAND),
    ("The fee is 5 % [Ref. 3].", ["3"], "bracket", HAND),
    ("The fee is 5 % [Passage 2; Passage 5].", ["2", "5"], "bracket", HAND),
    ("The fee is 5 % [Source #2].", ["2"], "bracket", HAND),
    ("The fee is 5 % [cite: 1, 2].", ["1", "2"], "bracket", HAND),
    ("The fee is 5 % [Source: Employee Handbook].", ["Employee Handbook"], "bracket", HAND),
    ("The fee is 5 % (Source: doc-7).", ["doc-7"], "bracket", HAND),
    ("The fee is 5 % (source: doc-7, doc-9).", ["doc-7", "doc-9"], "bracket", HAND),
    ("The fee is 5 % (Source 2).", ["2"], "bracket", HAND),
    ("The fee is 5 % (Doc. 3, p. 4).", ["3"], "bracket", HAND),
    ("The fee is 5 % (see Source 3).", ["3"], "bracket", HAND),
    # superscripts
    ("The fee is due.¹", ["1"], "superscript", DESIGN),
    ("The fee is due¹.", ["1"], "superscript", DESIGN),
    ("The fee is due.¹²", ["12"], "superscript", HAND),
    ("The fee is due.¹⁻³", ["1", "2", "3"], "superscript", HAND),
    ("The fee is due.¹,²", ["1", "2"], "superscript", HAND),
    ("The fee is due.¹, ² And more.", ["1", "2"], "superscript", HAND),
    ("The fee is due ¹.", ["1"], "superscript", HAND),
    ("It was so in 2020².", ["2"], "superscript", HAND),
    ("The fee (a charge)¹ is due.", ["1"], "superscript", HAND),
    ("The “fee”² is due.", ["2"], "superscript", HAND),
    ("The fee is due.<sup>1</sup>", ["1"], "superscript", HAND),
    ("The fee is due<sup>1,2</sup>.", ["1", "2"], "superscript", HAND),
    ("The fee is due<sup>[3]</sup>.", ["3"], "superscript", HAND),
    ("The fee is due.<sup>1–3</sup>", ["1", "2", "3"], "superscript", HAND),
    ("The fee is due.^1^", ["1"], "superscript", "Pandoc manual, superscript"),
    ("The fee is due^1,2^.", ["1", "2"], "superscript", HAND),
    # footnotes
    ("The fee is due.[^1]", ["1"], "footnote", DESIGN),
    ("The fee is due.[^note]", ["note"], "footnote", HAND),
    ("The fee is due.[^1][^2]", ["1", "2"], "footnote", HAND),
    ("The fee is due [^1^].", ["1"], "footnote", HAND),
    ("The fee is due [^1, ^2].", ["1", "2"], "footnote", HAND),
    ("The fee is due.[^1]\n\n[^1]: Notice of fees, 2021.", ["1"], "footnote", HAND),
    # links
    ("See [the notice](https://x.org/a).", ["https://x.org/a"], "link", DESIGN),
    ("See [the notice](https://x.org/a_(b)).", ["https://x.org/a_(b)"], "link", HAND),
    ('See [the notice](https://x.org/a "Title").', ["https://x.org/a"], "link", HAND),
    ("The fee is due [1](https://x.org/a).", ["1"], "link", HAND),
    ("The fee is due [[1]](https://x.org/a).", ["1"], "link", HAND),
    ('See <a href="https://x.org/a">the notice</a>.', ["https://x.org/a"], "link", DESIGN),
    ("See <a class=c href='https://x.org/a'><b>the</b> notice</a>.", ["https://x.org/a"], "link", HAND),
    (
        "Run [it](javascript:alert(1)).",
        ["javascript:alert(1)"],
        "link",
        "peer_failures, scanners: refused later, seen here",
    ),
    ('The fee is due<a href="#fn1">1</a>.', ["1"], "footnote", HAND),
    ("See https://x.org/a.", ["https://x.org/a"], "url", HAND),
    ("See (https://x.org/a).", ["https://x.org/a"], "url", HAND),
    ("See https://x.org/a_(b), it says so.", ["https://x.org/a_(b)"], "url", HAND),
    ("See <https://x.org/a>.", ["https://x.org/a"], "url", HAND),
    ("See www.x.org/a for more.", ["www.x.org/a"], "url", HAND),
    ("The fee is due [https://x.org/a].", ["https://x.org/a"], "url", HAND),
    ("The fee is due (Source: https://x.org/a).", ["https://x.org/a"], "url", HAND),
    ("参照：https://x.org/a。", ["https://x.org/a"], "url", HAND),
    # author and year
    ("It is so (Smith et al., 2020).", ["Smith 2020"], "author_year", PEER),
    ("It is so (Smith 2020).", ["Smith 2020"], "author_year", DESIGN),
    ("It is so (Smith & Jones, 2020; Lee, 2021a).", ["Smith 2020", "Lee 2021a"], "author_year", HAND),
    ("It is so (Smith and Jones 2020).", ["Smith 2020"], "author_year", HAND),
    ("It is so (Smith, Jones, & Lee, 2020).", ["Smith 2020"], "author_year", "APA manual, three authors"),
    ("It is so (see Smith, 2020).", ["Smith 2020"], "author_year", HAND),
    ("It is so (e.g., Smith, 2020; Lee, 2021).", ["Smith 2020", "Lee 2021"], "author_year", HAND),
    ("It is so (Smith, 2019, 2020).", ["Smith 2019", "Smith 2020"], "author_year", HAND),
    ("It is so (Smith, 2020a, b).", ["Smith 2020a", "Smith 2020b"], "author_year", HAND),
    ("It is so (Smith, J., 2020).", ["Smith 2020"], "author_year", HAND),
    ("It is so (van der Berg, 2019).", ["van der Berg 2019"], "author_year", HAND),
    ("It is so (O’Brien, 2020).", ["O’Brien 2020"], "author_year", HAND),
    ("It is so (Žukauskas et al., 2020).", ["Žukauskas 2020"], "author_year", "hand-made: Lithuanian author"),
    ("It is so (Иванов, 2020).", ["Иванов 2020"], "author_year", "hand-made: Cyrillic author"),
    ("It is so (World Health Organization, 2020).", ["World Health Organization 2020"], "author_year", HAND),
    ("It is so (WHO, 2020).", ["WHO 2020"], "author_year", HAND),
    ("It is so (Smith, n.d.).", ["Smith n.d."], "author_year", "APA manual, no date"),
    ("It is so [Smith et al., 2020].", ["Smith 2020"], "author_year", HAND),
    ("Smith et al. (2020) found it.", ["Smith 2020"], "author_year", HAND),
    ("Smith and Jones (2020) agree.", ["Smith 2020"], "author_year", HAND),
    ("As Fortnow & Homer (2003) point out, it is so.", ["Fortnow 2003"], "author_year", "SQuAD 2.0"),
    ("It is so (CDC, May 2020).", ["CDC 2020"], "author_year", HAND),
    ("It is so [ 15 , 20 – 22 ].", ["15", "20", "21", "22"], "bracket", "Factcheck-GPT: spaces"),
    ("Smith (2020) found it.", ["Smith 2020"], "author_year", HAND),
    ("According to Smith (2020), it is so.", ["Smith 2020"], "author_year", HAND),
    ("Smith et al. (2020a, p. 4) found it.", ["Smith 2020a"], "author_year", HAND),
]

NOT_CITATIONS = [
    ("(12) patients were enrolled.", PEER),
    ("E = mc^2 holds.", PEER),
    ("x²+y² is the sum.", PEER),
    ("E = mc² holds.", HAND),
    ("The room has 12 m².", HAND),
    ("About 10³ cells.", HAND),
    ("The wound of 3 cm² healed.", HAND),
    ("A volume of 20 cm³.", HAND),
    ("An area of 5 km² burnt.", HAND),
    ("R² was 0.8 and χ² was 4.", HAND),
    ("A rate of 5 s⁻¹.", HAND),
    ("5 mg kg⁻¹ day⁻¹.", HAND),
    ("Labelled with ¹⁴C and ¹⁸F.", HAND),
    ("The ion Ca²⁺ enters.", HAND),
    ("10⁹/L platelets.", HAND),
    ("10<sup>3</sup> cells and 5 m<sup>2</sup>.", HAND),
    ("CO<sub>2</sub> rises.", HAND),
    ("2^10 is 1024, and 2^3^2 too.", HAND),
    ("He “recieved [sic] it”.", HAND),
    ("“It must [emphasis added] stop.”", HAND),
    ("“It […] must [...] stop.”", HAND),
    ("Mr. [REDACTED] agreed.", HAND),
    ("“[T]he fee is due [by them].”", HAND),
    ("The interval was [0.3, 0.5].", HAND),
    ("The mean was 4 (95 % CI [1, 5]).", HAND),
    ("x lies in [0, 1].", HAND),
    ("x lies in the interval [2, 5].", HAND),
    ("Change of [-3, 5] points.", HAND),
    ("On a scale [1, 10].", HAND),
    ("Use array[1] here.", HAND),
    ("Use x[0] and my_list[2].", HAND),
    ("Set data[1] = 4.", HAND),
    ("Use args[0] here.", HAND),
    ("The code `a = [1]` runs.", HAND),
    ("```\nprint([1, 2])\n```", HAND),
    ("```python\nprint([1, 2])", "hand-made: a fence that never closes"),
    ("~~~\n[1]\n~~~", HAND),
    ("- [ ] Buy milk\n- [x] Pay the fee", HAND),
    ("* [X] Done", HAND),
    ("An `int[]` and an int[] type.", HAND),
    ("It was so (2020).", HAND),
    ("It was so [2020].", HAND),
    ("The years [2019–2020] were dry.", HAND),
    ("The years were dry [2019–2020].", HAND),
    ("It cost that much [10,000].", HAND),
    ("It was on that day [2019-05-03].", HAND),
    ("The fee rose to [1200].", "hand-made: an amount put in by an editor"),
    ("The port is in [1024, 65535].", "hand-made: an interval"),
    ("The [1234] seats are taken.", "hand-made: amid a clause"),
    ("He said “it costs more [1200].”", "hand-made: put in by an editor"),
    ("Energy is high.^(12345)", "hand-made: no note has such a number"),
    ("They sold [10,000] of them.", HAND),
    ("At [00:12:30] she speaks.", HAND),
    ("Closed (Tuesday, 2020).", HAND),
    ("It rose (May 2020).", HAND),
    ("It rose (May 5, 2020).", HAND),
    ("It rose (FY 2020).", HAND),
    ("It rose (Q3 2020).", HAND),
    ("It rose (fiscal year 2020).", HAND),
    ("It says so (Section 4, 2020).", HAND),
    ("It says so (Table 2, 2020).", HAND),
    ("It grew (since 2020).", HAND),
    ("They met (Paris, 2015).", HAND),
    ("They met (Summer 2020).", HAND),
    ("Protected (Data Protection Act 2018).", HAND),
    ("Held so (2d Cir. 2020).", HAND),
    ("Held so (N.D. Cal. 2020).", HAND),
    ("Held so (Tex. 2001).", HAND),
    ("Brown v. Board (1954) held so.", "the legal finder's, when there is one"),
    ("Made on [ ] between [company name] and us.", "ContractNLI: blanks of a form"),
    ("Higher in one group (4.3% [P=0.001]).", "PubMedQA: a statistic"),
    ("In the film Bedknobs and Broomsticks (1971), she sang.", "AttributedQA: a title"),
    ("Pride and Prejudice (1813) is a novel.", HAND),
    ("Held so (S.D. Ohio Sept. 23, 2020).", "legal citations: a court and a date"),
    ("Sample (n = 2020).", HAND),
    ("He lived long (1920–1980).", HAND),
    ("The law of Vermont (2020) applies.", HAND),
    ("[COVID-19] vaccines work.", HAND),
    ("[CO2] and [H2O] were measured.", HAND),
    ("Sold in [Q3].", HAND),
    ("See [Section 4] and [Table 2].", HAND),
    ("Dear [Your Name],", HAND),
    ("![A chart](https://x.org/chart.png)", HAND),
    ("Write to [us](mailto:a@x.org) or a@x.org.", HAND),
    ("See [above](#terms).", HAND),
    ("Sources vary (source unknown).", HAND),
    ("(a) first, (b) second, (1) third.", HAND),
    ("See (doc-7).", "hand-made: no log says that it is an id"),
    ("\\[ x = 1 \\]", HAND),
    ("From [10.5/12] to [10.1000].", "hand-made: a ratio and a number are no DOI"),
    ("See [^] and [^ ].", HAND),
    ("", HAND),
]

# text, tokens still read, the malformed part, source
MALFORMED = [
    ("The fee is due [1", [], "[1", HAND),
    ("The fee is due [1. The term is long [2].", ["2"], "[1", HAND),
    ("The fee is due [1 The term is long.", [], "[1", HAND),
    ("The fee is due [1, 2\nThe term is long.", [], "[1, 2", HAND),
    ("The fee is due [1,,2].", [], "[1,,2]", HAND),
    ("The fee is due [1,].", [], "[1,]", HAND),
    ("The fee is due [,1].", [], "[,1]", HAND),
    ("The fee is due [1 2].", [], "[1 2]", HAND),
    ("The fee is due [doc-7,].", [], "[doc-7,]", HAND),
    ("The fee is due [3–1].", [], "[3–1]", HAND),
    ("The fee is due [1–500].", [], "[1–500]", HAND),
    ("The fee is due [1–51].", [], "[1–51]", "contract: ranges of at most 50 items"),
    ("The fee is due [1234].", [], "[1234]", "hand-made: no log has so many places"),
    ("The fee is due. [12345] The term is long.", [], "[12345]", HAND),
    ("The fee is due [01].", [], "[01]", "hand-made: position 1 would be a guess"),
    ("The fee is due [1, 02].", [], "[1, 02]", HAND),
    ("The fee is due [1-1001].", [], "[1-1001]", HAND),
    ("The fee is due [1–1000000000000, 3].", [], "[1–1000000000000, 3]", HAND),
    ("The fee is due 【1234】.", [], "【1234】", HAND),
    ("The fee is due [].", [], "[]", HAND),
    ("The fee is due [[1],[2", [], "[[1],[2", HAND),
    ("The fee is due [1, [2]].", [], "[1, [2]]", HAND),
    ("The fee is due.³⁻¹", [], "³⁻¹", HAND),
    ("See [the notice]().", [], "[the notice]()", HAND),
]

# text, ids of the log, tokens, source
KNOWN_IDS = [
    ("The fee is 5 % [Annual Report 2023].", ["Annual Report 2023"], ["Annual Report 2023"], HAND),
    ("The fee is 5 % [Annual Report 2023, p. 4].", ["Annual Report 2023"], ["Annual Report 2023"], HAND),
    ("The fee is 5 % [https://x.org/a].", ["https://x.org/a"], ["https://x.org/a"], HAND),
    ("The fee is 5 % (doc-7).", ["doc-7"], ["doc-7"], HAND),
    ("The fee is 5 % (see doc-7, p. 4).", ["doc-7"], ["doc-7"], HAND),
    ("The fee is 5 % (doc-7, doc-99).", ["doc-7"], ["doc-7", "doc-99"], "hand-made: the second is invented"),
    ("The fee is 5 % (doc-99).", ["doc-7"], ["doc-99"], "hand-made: invented, in the log's shape"),
    ("Levels of (IL-6) rose.", ["KB-3"], [], HAND),
    ("The fee is 5 % [sic].", ["sic"], ["sic"], HAND),
    ("The fee is 5 % [x].", ["x"], ["x"], HAND),
    ("The fee is 5 % [2020].", ["2020"], ["2020"], HAND),
    ("The fee is 5 % [31452104, 31452199].", ["31452104"], ["31452104", "31452199"], "hand-made: PubMed ids"),
    ("The fee is 5 % [smith, 2020].", ["smith, 2020"], ["smith, 2020"], HAND),
    ("The fee is 5 % [leave-policy].", ["leave-policy"], ["leave-policy"], HAND),
    (
        "The fee is 5 % [pension-policy].",
        ["leave-policy"],
        ["pension-policy"],
        "hand-made: invented, in the log's shape",
    ),
    ("The fee is 5 % [pension-policy].", ["d1"], [], HAND),
    ("It must [emphasis-added] stop.", ["leave-policy"], [], HAND),
    ("[COVID-19] is a disease.", ["doc-1"], [], HAND),
    ("[IL-6] rose [KB-12].", ["KB-3"], ["KB-12"], HAND),
    ("(12) patients.", ["12"], [], "peer_failures: a number in parentheses is none even where ids are numbers"),
    ("The fee is 5 % [doc-99].", ["doc-7"], ["doc-99"], HAND),
    ("The fee is 5 % [Annual Report\u200b 2023].", ["Annual Report 2023"], ["Annual Report\u200b 2023"], HAND),
    # words as ids
    ("Rent falls due monthly [deed].", ["lease", "rent"], ["deed"], "hand-made: invented, in the log's shape"),
    ("Rent falls due monthly. [deed] It is paid.", ["lease", "rent"], ["deed"], HAND),
    ("Rent [deed], and the fee [bond-terms]: both.", ["lease", "rent"], ["deed", "bond-terms"], HAND),
    ("Rent falls due monthly [lease, deed].", ["lease", "rent"], ["lease", "deed"], HAND),
    ("Rent falls due monthly [deed][lease].", ["lease", "rent"], ["deed", "lease"], HAND),
    ("Rent falls due monthly【deed】.", ["lease", "rent"], ["deed"], HAND),
    ("- Rent falls due monthly [deed]\n- The fee too [bond]", ["lease", "rent"], ["deed", "bond"], HAND),
    (
        "Rent falls due monthly [deed].",
        ["lease", "rent", "Lease of Unit 1", "Deed"],
        ["deed"],
        "hand-made: titles among them",
    ),
    ("Rent [c].", ["a", "b"], ["c"], HAND),
    ("Rent falls due monthly [deed].", ["doc-1", "doc-2", "rent"], [], "hand-made: most ids are no words"),
    ("Rent falls due monthly [deed].", [], [], "hand-made: no log"),
    ("The [deed] says so.", ["lease", "rent"], [], "hand-made: amid a clause"),
    ("[deed] says so.", ["lease", "rent"], [], HAND),
    ("“Rent falls due to [tenants].”", ["lease", "rent"], [], "hand-made: put in by an editor"),
    ('It says "rent falls due to [tenants]".', ["lease", "rent"], [], HAND),
    ("Rent [Deed].", ["lease", "rent"], [], HAND),
    ("Kesha ([ˈkɛʃə]; born 1987) sings [rəʊz].", ["lease", "rent"], [], "WiCE: pronunciations"),
    ("It took longer (median [range]; 20 days).", ["lease", "rent"], [], "PubMedQA"),
    ("The rent ([deed]) is due.", ["lease", "rent"], [], HAND),
    ("Rent [счёт].", ["аренда", "rent"], ["счёт"], HAND),
    ("Rent [c].", ["lease", "rent"], [], HAND),
    ("- [x] Done\n- Rent [x].", ["a", "b"], [], HAND),
    (
        "It recieved [sic]. Cut [redacted]. Loud [laughter]. Odd [italics]. Paid [them]. So [here].",
        ["lease", "rent"],
        [],
        HAND,
    ),
    ("Stop [emphasis added]. So [citation needed]. Due [emphasis-added]. [applause]", ["lease", "rent"], [], HAND),
    ("Rent [deed](https://x.org/a).", ["lease", "rent"], ["https://x.org/a"], "hand-made: a link's text is no id"),
    ("Interval [1, 5].", ["1, 5"], ["1, 5"], HAND),
    ("The fee is 5 % [rows[1]].", ["1"], ["1"], HAND),
]

PAGES = [
    ("[Doc. 3, p. 4]", "4"),
    ("[doc-7, pp. 4–5]", "4–5"),
    ("[doc-7 p. 4]", "4"),
    ("[1, p. 12]", "12"),
    ("[1, page 12]", "12"),
    ("[doc-7, p. iv]", "iv"),
    ("[doc-7, § 4]", None),
    ("(Source: Employee Handbook, p. 4)", "4"),
    ("(Smith, 2020, p. 7)", "7"),
    ("Smith et al. (2020, p. 7)", "7"),
]


@every_row(("text", "tokens", "style", "source"), CITATIONS)
def test_markers_are_read_with_their_style(text, tokens, style, source):
    markers, problems = find_markers(text)
    assert [m.token for m in markers] == tokens, source
    assert {m.style for m in markers} == {style}
    assert not problems
    assert all(text[m.start : m.end] == m.raw for m in markers)


@every_row(("text", "source"), NOT_CITATIONS)
def test_what_only_looks_like_a_marker_is_none(text, source):
    assert find_markers(text) == ([], []), source


@every_row(("text", "tokens", "broken", "source"), MALFORMED)
def test_a_malformed_marker_is_a_problem_and_cites_nothing(text, tokens, broken, source):
    markers, problems = find_markers(text)
    assert [m.token for m in markers] == tokens, source
    (problem,) = problems
    assert problem.code == "structural.malformed_marker"
    assert text[slice(*problem.where)] == broken
    assert problem.reason


@every_row(("text", "known", "tokens", "source"), KNOWN_IDS)
def test_the_ids_of_the_log_decide_what_is_ambiguous(text, known, tokens, source):
    markers, _ = find_markers(text, known)
    assert [m.token for m in markers] == tokens, source


@pytest.mark.parametrize(("text", "page"), PAGES)
def test_the_page_that_a_marker_names_is_kept(text, page):
    markers, _ = find_markers(text)
    assert [m.page for m in markers] == [page]


@pytest.mark.parametrize(
    ("size", "body", "tokens", "broken"),
    [
        (5_000, "1234", ["1234"], 0),
        (5_000, "1234–1236, 7", ["1234", "1235", "1236", "7"], 0),
        (5_000, "1–1001", [], 1),
        (5_000, "12345", [], 1),
        (5_000, "1999", [], 0),
        (999, "1234", [], 1),
        (10_000, "12345", ["12345"], 0),
    ],
)
def test_a_number_may_have_as_many_digits_as_the_log_has_ids(size, body, tokens, broken):
    markers, problems = find_markers(f"The fee is due [{body}].", frozenset(f"s{i}" for i in range(size)))
    assert ([m.token for m in markers], len(problems)) == (tokens, broken)


def test_items_of_one_bracket_share_its_span():
    markers, _ = find_markers("Due [1, 3].")
    assert [(m.start, m.end, m.raw) for m in markers] == [(4, 10, "[1, 3]"), (4, 10, "[1, 3]")]


def test_offsets_count_code_points():
    markers, _ = find_markers("😀 é [1]")
    assert (markers[0].start, markers[0].end) == (4, 7)


def test_a_link_with_a_number_keeps_number_and_url():
    (marker,), _ = find_markers("Due [2](https://x.org/a).")
    assert (marker.token, marker.url) == ("2", "https://x.org/a")


def test_an_author_and_year_are_kept_apart():
    (marker,), _ = find_markers("So (Smith & Jones, 2021a).")
    assert (marker.surname, marker.year, marker.raw) == ("Smith", "2021a", "(Smith & Jones, 2021a)")


def test_entries_of_a_reference_list_are_no_markers():
    text = "Due [1]. Long [2].\n\nReferences:\n[1] Notice. https://x.org/a\n[2] Terms (Smith, 2020)."
    markers, _ = find_markers(text)
    assert [m.start for m in markers] == [4, 14]


def test_a_marker_keeps_its_meaning_between_quotation_marks_and_brackets():
    markers, _ = find_markers("“Due” (see [1]), and [2].")
    assert [m.token for m in markers] == ["1", "2"]


@every_row(
    ("text", "labels", "urls"),
    [
        ("A [1].\n\nReferences:\n[1] Handbook", {"1": "Handbook"}, {}),
        (
            "A [1].\n\n## Sources\n\n1. Handbook, https://x.org/a\n2. Notice",
            {"1": "Handbook, https://x.org/a", "2": "Notice"},
            {"1": "https://x.org/a"},
        ),
        ("A [1].\n\n**References**\n\n1) Handbook", {"1": "Handbook"}, {}),
        ("A.[^1]\n\n[^1]: Handbook, p. 3", {"1": "Handbook, p. 3"}, {}),
        ("A.[^a]\n\n[^a]: Handbook", {"a": "Handbook"}, {}),
        ("A [1].\n\n[1]: https://x.org/a", {"1": "https://x.org/a"}, {"1": "https://x.org/a"}),
        ("A [1].\n\nSources: [1] Handbook, [2] Notice", {"1": "Handbook", "2": "Notice"}, {}),
        ("A [1].\n\nSources:\n- [1] doc-7\n- [2] doc-9", {"1": "doc-7", "2": "doc-9"}, {}),
        (
            "A (Smith 2020).\n\nReferences\n\nSmith, J. (2020). On fees.\nLee, K. (2021). On terms.",
            {
                "Smith, J. (2020). On fees.": "Smith, J. (2020). On fees.",
                "Lee, K. (2021). On terms.": "Lee, K. (2021). On terms.",
            },
            {},
        ),
        ("A.¹\n\nNotes: \n¹ Handbook\n² Notice", {}, {}),
        ("A.¹\n\nFootnotes:\n¹ Handbook\n² Notice", {"1": "Handbook", "2": "Notice"}, {}),
        ("A [1]. B [2].\n\n[1] Handbook\n[2] Notice", {"1": "Handbook", "2": "Notice"}, {}),
        ("A [1].\n\n[1]: Handbook, p. 3", {"1": "Handbook, p. 3"}, {}),
        ("A [12].\n\n[1] is the source. [2] too.", {}, {}),
        ("[1] The fee is due.\n[2] The term is long.", {}, {}),
        ("A.\n\nSources: [1], [2]", {}, {}),
        ("A.\n\nSource: [1]", {}, {}),
        ("A.\n\nReferences are missing.", {}, {}),
        ("References:\n[1] Handbook\n\nI hope this helps.", {"1": "Handbook"}, {}),
        (
            "A [1].\n\nReferences:\n[1] Handbook of\n    many words\n[2] Notice",
            {"1": "Handbook of many words", "2": "Notice"},
            {},
        ),
        ("No list at all.", {}, {}),
    ],
)
def test_a_reference_list_says_what_labels_mean(text, labels, urls):
    found = find_reference_list(text)
    assert {label: entry.text for label, entry in found.entries.items()} == labels
    assert {label: entry.url for label, entry in found.entries.items() if entry.url} == urls
    assert all(text[slice(*entry.span)].strip() for entry in found.entries.values())
    assert bool(found.spans) == bool(labels)


def test_definitions_amid_prose_are_spans_of_their_own():
    text = "A.[^1]\n\n[^1]: Handbook\n\nB.[^2]\n\n[^2]: Notice\n\nMore prose."
    found = find_reference_list(text)
    assert found.span is None
    assert [text[slice(*span)] for span in found.spans] == ["[^1]: Handbook", "[^2]: Notice"]


_PIECES = st.sampled_from(
    [
        "[",
        "]",
        "[1",
        "1",
        "]",
        ",",
        " ",
        "–",
        "(",
        ")",
        "Smith",
        " et al.",
        "2020",
        "^",
        "`",
        "¹",
        "²",
        "<sup>",
        "</sup>",
        "[^",
        "]:",
        "\n",
        "http://",
        "www.",
        "](",
        "<a href=",
        ">",
        "</a>",
        "【",
        "】",
        "†",
        "doc-",
        "source: ",
        "References:\n",
        "\\",
        "p. 4",
        ";",
        "and",
        "\u200b",
        "😀",
        "x",
    ]
)


@given(
    st.one_of(st.text(max_size=200), st.lists(_PIECES, max_size=40).map("".join)),
    st.lists(st.text(max_size=6), max_size=3),
)
@settings(max_examples=100)
def test_any_text_is_read_without_raising_and_spans_are_right(text, known):
    markers, problems = find_markers(text, known)
    for marker in markers:
        assert 0 <= marker.start < marker.end <= len(text)
        assert text[marker.start : marker.end] == marker.raw
        assert marker.token
    assert [m.start for m in markers] == sorted(m.start for m in markers)
    assert all(0 <= p.where[0] < p.where[1] <= len(text) for p in problems)
    spans = sorted({(m.start, m.end) for m in markers} | {p.where for p in problems})
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    for span in find_reference_list(text).spans:
        assert 0 <= span[0] < span[1] <= len(text)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=8))
def test_a_list_of_numbers_comes_back_as_it_was_written(numbers):
    markers, _ = find_markers(f"Due [{', '.join(map(str, numbers))}].")
    assert [int(m.token) for m in markers] == numbers


@pytest.mark.parametrize("size", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
@every_row(
    "piece",
    ["[", "[1", "[1,", "(", "^1", "^1^", "](", "[a](", "<a ", "<a href=", "`", "``` ", "(Smith ", "Smith, ", "(2020", "¹,", "a¹", "【", "<sup>1",
     "\nReferences:\n", "\n[1] a", "\n[^1]: a", "References:\n- x\ny z\n", "\n- [1]", "[[a", "http://", "www.", "1, ", "1 ", " and ", "a-", "van "],
)  # fmt: skip
def test_a_long_run_of_anything_is_read(piece, size):
    # quadratic reading would take minutes of the long one, and be seen
    text = f"[{(piece * size)[:size]}a] (2020)"
    markers, problems = find_markers(text)
    assert all(text[marker.start : marker.end] == marker.raw for marker in markers)
    assert all(problem.reason for problem in problems)
