"""The sentence splitter: tables by phenomenon, and properties over any text."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.read.sentences import Sentence, split_sentences

# Each row: where the expectation comes from, and the sentences; the text is the sentences joined by one space.
# "peer" is a row of the known failures of other tools; "law", "medicine", "research", "finance", "news" and the
# names of phenomena are made by hand for it.
RUNNING = [
    ("peer: v.", ["The rule of Smith v. Jones applies.", "It is old."]),
    ("peer: F.3d", ["The panel in 123 F.3d 456 affirmed.", "The case ended."]),
    ("peer: et al.", ["Smith et al. found an effect.", "It was small."]),
    ("peer: No.", ["The motion in No. 21-345 was denied.", "An appeal followed."]),
    ("peer: U.S. inside", ["The U.S. Supreme Court agreed.", "The law stands."]),
    ("peer: marker after the full stop", ["The notice period is 30 days.", "The fee is 5%. [1]"]),
    ("peer: two sentences, one marker each", ["The notice period is 30 days. [1]", "The fee is 5%. [2]"]),
    ("U.S. at the end, clear start", ["He lives in the U.S.", "The tax is due."]),
    ("U.S. at the end, clear start", ["Sales fell in the U.S.", "However, Europe grew."]),
    ("U.S. before a name stays", ["It is regulated by the U.S. Treasury in part."]),
    ("U.K. at the end", ["The firm left the U.K.", "It moved to Ireland."]),
    ("law: reporter", ["See 347 U.S. 483 (1954).", "The Court reversed."]),
    ("law: statute", ["Liability rests on 42 U.S.C. § 1983.", "The claim survives."]),
    ("law: rules", ["Fed. R. Civ. P. 12(b)(6) governs dismissal.", "The bar is low."]),
    ("law: circuit", ["The 9th Cir. reversed in Doe v. Roe, 5 F. Supp. 2d 10 (N.D. Cal. 1998).", "It remanded."]),
    ("law: section", ["Under Sec. 4 and Art. 5, notice is required.", "It must be written."]),
    ("law: paragraph", ["The duty is in para. 7 of the deed.", "It binds heirs."]),
    ("law: L. Rev.", ["The article in 88 Harv. L. Rev. 1 argues this.", "Others differ."]),
    ("law: Inc. inside", ["Acme Inc. sued Foo Ltd. in 2019.", "The case settled."]),
    ("law: Inc. at the end", ["The buyer is Acme Inc.", "The seller is Foo."]),
    ("law: Corp. and Co.", ["Foo Corp. and Bar & Co. merged.", "They kept both names."]),
    ("law: id.", ["The duty is strict, id. at 154.", "It has limits."]),
    ("law: bracketed alteration", ["The court wrote that “[t]he duty ends.”", "The parties agreed."]),
    ("medicine: dose", ["The patient took 2.5 mg b.i.d. for a week.", "The rash faded."]),
    ("medicine: Dr.", ["Dr. Brown examined him.", "He was well."]),
    ("medicine: vs.", ["The trial compared drug vs. placebo.", "It failed."]),
    ("medicine: approx.", ["It lasts approx. 3 hours.", "Then it fades."]),
    ("medicine: vitamin C", ["The tablets contain vitamin C.", "Patients take two."]),
    ("medicine: ill is a word", ["Many patients were ill.", "Symptoms improved later."]),
    ("medicine: p value", ["Mortality fell (p = 0.03).", "The effect was modest."]),
    ("medicine: mRNA opens", ["Two kinds exist.", "mRNA vaccines are newer."]),
    ("medicine: i.v.", ["It is given i.v. over an hour.", "The line is flushed."]),
    ("research: Fig.", ["Fig. 2 shows the trend.", "It is linear."]),
    ("research: Eq. and Figs.", ["See Eq. 4 and Figs. 2 and 3 for details.", "The fit is good."]),
    ("research: e.g.", ["Some methods, e.g. BM25, are lexical.", "Others are not."]),
    ("research: i.e.", ["The last layer, i.e. the head, is trained.", "The rest is frozen."]),
    ("research: cf.", ["This differs (cf. Lee 2019).", "It is faster."]),
    ("research: pp.", ["It is on pp. 12-14 of the report.", "The table is there."]),
    ("research: author and year after the stop", ["The model converges. (Smith et al., 2020)", "The loss is flat."]),
    ("research: vol. and no.", ["It appeared in vol. 3, no. 2.", "A reprint followed."]),
    ("research: etc. inside", ["Cats, dogs, etc. were counted.", "The sample is small."]),
    ("research: etc. at the end", ["They counted cats, dogs, etc.", "Birds were left out."]),
    ("finance: decimals", ["Revenue rose 5.2% to $1.58 billion.", "Costs fell."]),
    ("finance: thousands", ["It had 43,548 clients.", "That is a record."]),
    ("finance: figure ends", ["Net income was $5.", "Sales were $6."]),
    ("finance: year ends", ["It was founded in 2019.", "The founders left."]),
    ("finance: figure opens", ["Costs were stable.", "12 plants were closed."]),
    ("finance: month", ["The rate rose on Jan. 5 and again in Dec. 2020.", "It fell later."]),
    ("finance: month ends", ["The rate was cut in Feb.", "The market rose."]),
    ("finance: the Fed", ["Rates were raised by the Fed.", "The dollar rose."]),
    ("finance: dollar opens", ["The deal closed.", "$5 million was paid."]),
    ("news: initials", ["George W. Bush met J. K. Rowling.", "They spoke."]),
    ("news: p.m.", ["The vote was at 5 p.m.", "Turnout was low."]),
    ("news: p.m. and a day", ["The vote is at 5 p.m. Monday in Paris.", "Results follow."]),
    ("news: Sen. and Gov.", ["Sen. Lee and Gov. Ray agreed.", "The bill passed."]),
    ("news: St.", ["The march began on Main St. near the park.", "It ended at noon."]),
    ("news: Jr.", ["Martin Luther King Jr. spoke there.", "The crowd listened."]),
    ("news: D.C.", ["She moved to Washington, D.C.", "Her office is small."]),
    ("news: brand with a sign", ["Shares of Yahoo! Inc. rose.", "The index fell."]),
    ("URL inside", ["The form is at https://a.example/b.c?d=1.", "It is short."]),
    ("URL after the stop", ["The fee is 5%. https://example.com/fees", "The term is a year."]),
    ("domain", ["The site example.com lists it.", "It is free."]),
    ("question", ["Is it legal?", "It is."]),
    ("exclamation", ["Sure!", "The fee is 5%."]),
    ("question inside quotes", ["He asked “Why?” and left.", "Nobody knew."]),
    ("quote ends after the stop", ["He said “It is over.”", "Then he left."]),
    ("straight quote ends after the stop", ['She wrote "It is over."', "Then she left."]),
    ("two sentences quoted", ["The policy says “We cannot answer. Ask the office.”", "It is old."]),
    ("straight quote of two sentences", ['It reads "Notice is due. It must be written" in clause 4.', "It binds."]),
    ("sentence in brackets", ["The fee is due (see Part I. The rate is fixed) at once.", "It is 5%."]),
    ("ellipsis inside", ["The court ... held that it fails.", "The rest is dicta."]),
    ("ellipsis sign", ["He paused… and went on.", "Then he left."]),
    ("ellipsis ends", ["He waited...", "Then he left."]),
    ("several markers", ["The fee is 5% [1][2].", "The term is a year [3, 4]."]),
    ("markers after the stop", ["The fee is 5%. [1][2]", "The term is a year. [3]"]),
    ("marker without a space", ["The fee is 5%.[1]", "The term is a year.[2]"]),
    ("document id", ["The fee is 5%. [doc-7]", "The term is a year."]),
    ("superscript after the stop", ["The fee is 5%.¹", "The term is a year.²"]),
    ("footnote after the stop", ["The fee is 5%.[^1]", "The term is a year."]),
    ("link after the stop", ["The fee is 5%. [source](https://example.com/a)", "The term is a year."]),
    ("link in brackets after the stop", ["The fee is 5%. ([source](https://example.com/a))", "It is fixed."]),
    ("cited page after the stop", ["The fee is 5%. (p. 4)", "The term is a year."]),
    ("marker opens the next", ["The fee is 5%.", "[1] states the term."]),
    ("marker before each sentence", ["[1] The fee is 5%.", "[2] The term is a year."]),
    ("marker and no full stop", ["The notice period is 30 days [1]", "The fee is 5% [2]"]),
    ("bracket of the reader's own", ["The model [sic] failed.", "The fix worked."]),
    ("enumerated inside", ["The steps follow.", "1. Apply early.", "2. Pay the fee."]),
    ("emphasis", ["**The fee is 5%.**", "The term is a year."]),
    ("full-width stops", ["The end.", "It is."]),
    ("a lone No answers", ["No.", "The fee is fixed."]),
    ("Spanish opening sign", ["It ended.", "¿Quién ganó?"]),
    ("Cyrillic", ["Суд отказал в иске.", "Решение вступило в силу."]),
    ("accented capital", ["The law changed.", "Élodie won."]),
    ("lower case throughout", ["i like this film.", "it is a good start."]),
    ("one word", ["Yes."]),
    ("no stop", ["30 days"]),
    ("Roman part", ["The rule is in Part V.", "The next part differs."]),
]


@every_row(("source", "expected"), RUNNING)
def test_running_text_is_split(source, expected):
    text = " ".join(expected)
    assert [text[s.start : s.end] for s in split_sentences(text)] == expected, source


# Where the sentences are not simply joined by spaces: (source, text, [(kind, sentence, lead)])
LAID_OUT = [
    (
        "issue: lists in Markdown",
        "The fees are:\n- 5% on entry\n- 3% on exit. [1]",
        [
            ("prose", "The fees are:", None),
            ("list_item", "5% on entry", "The fees are:"),
            ("list_item", "3% on exit. [1]", "The fees are:"),
        ],
    ),
    (
        "numbered list with blank lines",
        "Steps:\n\n1. Apply.\n\n2) Pay the fee. Keep the receipt.",
        [
            ("prose", "Steps:", None),
            ("list_item", "Apply.", "Steps:"),
            ("list_item", "Pay the fee.", "Steps:"),
            ("list_item", "Keep the receipt.", "Steps:"),
        ],
    ),
    (
        "nested list",
        "- Revenue:\n  - 2016: $5\n  - 2017: $6\n- Costs fell",
        [
            ("list_item", "Revenue:", None),
            ("list_item", "2016: $5", "Revenue:"),
            ("list_item", "2017: $6", "Revenue:"),
            ("list_item", "Costs fell", None),
        ],
    ),
    (
        "lettered list and an item over two lines",
        "(a) the first\n    goes on\n(b) the second",
        [("list_item", "the first\n    goes on", None), ("list_item", "the second", None)],
    ),
    ("task list", "- [x] done\n- [ ] open", [("list_item", "done", None), ("list_item", "open", None)]),
    (
        "issue: tables in Markdown",
        "| Fund | Fee |\n|:-----|----:|\n| A | 5% |\n| B | 3% |",
        [
            ("heading", "| Fund | Fee |", None),
            ("table_row", "| A | 5% |", "Fund | Fee"),
            ("table_row", "| B | 3% |", "Fund | Fee"),
        ],
    ),
    (
        "table without outer bars, text after it",
        "Fund | Fee\n--- | ---\nA | 5%\n\nThe end.",
        [("heading", "Fund | Fee", None), ("table_row", "A | 5%", "Fund | Fee"), ("prose", "The end.", None)],
    ),
    (
        "rows without a header",
        "| A | 5% |\n| B | 3% |",
        [("table_row", "| A | 5% |", None), ("table_row", "| B | 3% |", None)],
    ),
    (
        "heading signs",
        "## Notice\nIt is 30 days. It is fixed.",
        [("heading", "Notice", None), ("prose", "It is 30 days.", "Notice:"), ("prose", "It is fixed.", None)],
    ),
    (
        "heading underlined",
        "Notice\n======\nIt is long.",
        [("heading", "Notice", None), ("prose", "It is long.", "Notice:")],
    ),
    (
        "heading in bold",
        "**Notice period**\n\nIt is long.",
        [("heading", "**Notice period**", None), ("prose", "It is long.", "Notice period:")],
    ),
    ("bold answer is no heading", "**30 days**", [("prose", "**30 days**", None)]),
    (
        "bold sum is no heading",
        "**$1.2 million**\n\nIt is net.",
        [("prose", "**$1.2 million**", None), ("prose", "It is net.", None)],
    ),
    (
        "heading word",
        "Summary\n\nThe fee is 5%.",
        [("heading", "Summary", None), ("prose", "The fee is 5%.", "Summary:")],
    ),
    (
        "short answer is no heading",
        "Paris\n\nIt is large.",
        [("prose", "Paris", None), ("prose", "It is large.", None)],
    ),
    (
        "issue: block quote",
        "It says:\n> Rent is due\n> monthly. It is fixed.\n\nSo rent is due.",
        [
            ("prose", "It says:", None),
            ("quote_block", "Rent is due\n> monthly.", "It says:"),
            ("quote_block", "It is fixed.", None),
            ("prose", "So rent is due.", None),
        ],
    ),
    (
        "issue: code fence",
        "Run this.\n```sh\nls. Then. cd\n```\nIt works.",
        [("prose", "Run this.", None), ("code", "```sh\nls. Then. cd\n```", None), ("prose", "It works.", None)],
    ),
    ("fence never closed", "~~~\na. B", [("code", "~~~\na. B", None)]),
    ("rule between", "It is.\n\n---\n\nIt was.", [("prose", "It is.", None), ("prose", "It was.", None)]),
    (
        "lines that stand alone",
        "For 2018:\nIncome = $20\nSales = $49",
        [("prose", "For 2018:", None), ("prose", "Income = $20", "For 2018:"), ("prose", "Sales = $49", "For 2018:")],
    ),
    (
        "lines that are one text wrapped",
        "The Commission of the European Union adopted the\nDirective in 2019 after a consultation with all of\nthe Member States.",
        [
            (
                "prose",
                "The Commission of the European Union adopted the\nDirective in 2019 after a consultation with all of\nthe Member States.",
                None,
            )
        ],
    ),
    (
        "sums of like length below each other",
        "Net Operating Revenues for 2021 = $38,655 million\nCost of Goods Sold for 2021 = $15,357 million",
        [
            ("prose", "Net Operating Revenues for 2021 = $38,655 million", None),
            ("prose", "Cost of Goods Sold for 2021 = $15,357 million", None),
        ],
    ),
    ("a sum over two lines", "Total = 5 + 6\n= 11", [("prose", "Total = 5 + 6\n= 11", None)]),
    ("marker on its own line", "The fee is 5%.\n[1]", [("prose", "The fee is 5%.\n[1]", None)]),
    (
        "marker in its own paragraph",
        "The fee is 5%.\n\n[1]",
        [("prose", "The fee is 5%.", None), ("prose", "[1]", None)],
    ),
    ("carriage returns", "It is.\r\nIt was.\r\n", [("prose", "It is.", None), ("prose", "It was.", None)]),
    (
        "no space after the stop",
        "It began in 2019.The fee is fixed.",
        [("prose", "It began in 2019.", None), ("prose", "The fee is fixed.", None)],
    ),
    (
        "marker and no space after it",
        "The fee is 5%.[1]The term is a year.",
        [("prose", "The fee is 5%.[1]", None), ("prose", "The term is a year.", None)],
    ),
    (
        "Chinese",
        "法院驳回了上诉。[1]费用为5%。",
        [("prose", "法院驳回了上诉。[1]", None), ("prose", "费用为5%。", None)],
    ),
    ("Hindi", "यह सच है। वह गया।", [("prose", "यह सच है।", None), ("prose", "वह गया।", None)]),
    ("Arabic question", "ما هذا؟ هذا كتاب.", [("prose", "ما هذا؟", None), ("prose", "هذا كتاب.", None)]),
    (
        "lead-in in its own paragraph",
        "Therefore, the ratio is:\n\n1.18\n\nIt is high.",
        [
            ("prose", "Therefore, the ratio is:", None),
            ("prose", "1.18", "Therefore, the ratio is:"),
            ("prose", "It is high.", None),
        ],
    ),
    (
        "the last sentence of a lead-in leads",
        "Cash rose. The drivers were:\n- sales",
        [
            ("prose", "Cash rose.", None),
            ("prose", "The drivers were:", None),
            ("list_item", "sales", "The drivers were:"),
        ],
    ),
    ("nothing", "", []),
    ("spaces only", " \n\t\n", []),
]


@every_row(("source", "text", "expected"), LAID_OUT)
def test_laid_out_text_is_split(source, text, expected):
    found = [(s.kind, text[s.start : s.end], s.lead) for s in split_sentences(text)]
    assert found == expected, source


def test_paragraphs_are_counted_by_blank_lines():
    assert [s.paragraph for s in split_sentences("A is. B is.\n\nC is.\n\n- d\n- e")] == [0, 0, 1, 2, 2]


def test_a_sentence_is_immutable():
    with pytest.raises(FrozenInstanceError):
        split_sentences("It is.")[0].start = 3  # type: ignore[misc]


HOSTILE = [
    "a.",
    "((((",
    "[1]",
    ". ",
    "A. B ",
    '"a. B ',
    "“a. B ",
    ".[",
    ".(",
    "| a \n",
    "- a:\n",
    "\n",
    ">",
    "`",
    "**",
    "?! ",
    "[",
    "...",
    "http://",
    ".<sup>",
]


@pytest.mark.parametrize("size", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
@every_row("unit", HOSTILE)
def test_hostile_text_is_read_to_its_end(unit, size):
    text = unit * (size // len(unit))
    for sentence in split_sentences(text):
        assert 0 <= sentence.start < sentence.end <= len(text)


PIECES = st.sampled_from(
    ["The fee is 5%", ".", " ", "\n", "\n\n", "[1]", "Dr.", "U.S.", '"', "(", ")", "“", "”", "- ", "1. ", "|", "> ", "# ",
     "e.g.", "2.5", "...", "…", "!", "?", "et al.", "Inc.", "https://a.b/c", "**", "```", "。", "é", "x", "The", ":", "\t", "\r\n"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


@example(" ```")
@given(TEXTS)
@settings(max_examples=100)
def test_spans_are_in_range_ordered_and_apart(text):
    last = 0
    for s in split_sentences(text):
        assert last <= s.start < s.end <= len(text)
        assert not text[s.start].isspace()
        assert not text[s.end - 1].isspace()
        last = s.end


@given(
    st.lists(
        st.sampled_from(
            [
                "The fee",
                "is",
                "5%.",
                "Dr.",
                "Brown",
                "[1]",
                "left.",
                "Then",
                "“It",
                "is.”",
                "(see",
                "v.)",
                "U.S.",
                "e.g.",
            ]
        ),
        min_size=1,
        max_size=30,
    ).map(" ".join)
)
@settings(max_examples=80)
def test_every_character_of_prose_belongs_to_one_sentence(text):
    held = [0] * len(text)
    for s in split_sentences(text):
        for at in range(s.start, s.end):
            held[at] += 1
    assert all(held[at] == 1 for at, letter in enumerate(text) if not letter.isspace())


@given(TEXTS)
@settings(max_examples=100)
def test_splitting_twice_gives_the_same(text):
    assert split_sentences(text) == split_sentences(text)


def test_sentence_is_what_the_door_says():
    assert split_sentences("It is.") == [Sentence(0, 6, "prose", 0, None)]
