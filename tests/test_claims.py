"""Claims of an answer: what asserts, what is split, what each claim cites."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.read.claims import RawClaim, asserts_fact, find_claims
from showable.read.compound import split_compound
from showable.read.markers import find_markers
from showable.read.sentences import split_sentences


def read(text, skip=()):
    markers, _ = find_markers(text)
    return markers, find_claims(text, split_sentences(text), markers, skip)


def cited(text, skip=()):
    """Each claim's words, and the tokens of its markers."""
    markers, claims = read(text, skip)
    return [(claim.text, [markers[index].token for index in claim.markers]) for claim in claims]


# (source, text, claims). "issue" is the sentence of the task on reading, "peer" a row of the known failures of other
# tools; the rest are made by hand for the phenomenon named.
WHOLE = [
    ("issue: names joined", "A and B are parties."),
    ("issue: names joined", "Johnson and Johnson makes vaccines and devices."),
    ("issue: range", "The dose is between 5 and 10 mg a day."),
    ("issue: fixed phrase", "Acme spends a tenth of its income on research and development."),
    ("issue: fixed phrase", "The terms and conditions apply to all users."),
    ("peer: claim lists two things", "The fund charges an entry fee and an exit fee."),
    ("condition in front", "If the tenant pays late, the landlord may terminate the lease and keep the deposit."),
    ("condition behind", "The seller shall deliver the goods and shall notify the buyer if the ship is late."),
    (
        "unless in front",
        "Unless the parties agree otherwise, the seller pays the freight and the buyer collects the goods.",
    ),
    ("provided that", "The lease renews and the rent rises provided that notice was given."),
    ("when", "When demand falls, the firm cuts prices and it sheds staff."),
    ("since", "Since dividends were paid and nothing was skipped, the policy was kept."),
    ("as", "As costs rose and sales fell, the margin shrank."),
    ("or", "The buyer may return the goods or he may keep them and pay less."),
    ("reported speech", "The court held that the contract was void and the seller kept the deposit."),
    ("reported speech without that", "The report says sales fell and costs were high."),
    ("reason", "The claim failed because the notice was late and the form was wrong."),
    ("relative clause", "Acme owns the plant that makes pumps and employs nine people."),
    ("quoted words", 'He said "we won and they lost" in 2019.'),
    ("typographic quotes", "The memo reads “sales fell and costs rose” in bold."),
    ("participles", "The company founded in 1990 and acquired by Bar in 2010 is profitable."),
    ("participles of a noun", "The study enrolled patients aged 50 or over and treated with insulin."),
    ("adjective, not verb", "The plan led to better access and improved outcomes."),
    ("passive or active is open", "Acme was founded in 1990 and moved to Paris in 2010."),
    ("two things and a quality", "They expect earnings per share and total revenue to be higher."),
    ("subordinate as", "This matters, as atmospheric water and ice absorb light."),
    ("object behind the second verb", "She has directed and created many works."),
    ("pronoun inside reported speech", "The minister has said he and his wife have been questioned."),
    ("have as a main verb", "Patients must have a known and documented status."),
    ("infinitives", "The board agreed to buy Foo and sell Bar."),
    ("negation over both", "The buyer may not copy the software and sell the copies."),
    ("correlative", "The drug both reduces pain and improves sleep."),
    ("not only", "Not only is it costly and slow, but it also fails."),
    ("colon list", "There are three fees: 5% on entry; 3% on exit; 1% a year."),
    ("two verbs, one object", "Acme designs and builds pumps."),
    ("noun that looks a verb", "The court costs and fees were paid by the state."),
    ("subject with of", "The cost of labour and materials has risen."),
]


@every_row(("source", "text"), WHOLE)
def test_one_predication_or_a_bound_one_stays_whole(source, text):
    assert [claim.text for claim in read(text)[1]] == [text.removesuffix(".")], source


SPLIT = [
    (
        "issue: keeps its subject",
        "Acme acquired Foo in 2019 and sold it in 2021 [1].",
        [("Acme acquired Foo in 2019", ["1"]), ("Acme sold it in 2021", ["1"])],
    ),
    (
        "peer: A and B loses its subject; law",
        "The tenant must pay rent monthly and keep the premises clean.",
        [("The tenant must pay rent monthly", []), ("The tenant must keep the premises clean", [])],
    ),
    (
        "contract: A [1] and B [2]",
        "The notice period is 30 days [1] and the fee is 5% [2].",
        [("The notice period is 30 days", ["1"]), ("The fee is 5%", ["2"])],
    ),
    (
        "contract: A and B [1]",
        "The notice period is 30 days, and the fee is 5% [1].",
        [("The notice period is 30 days", ["1"]), ("The fee is 5%", ["1"])],
    ),
    (
        "contract: A [1], B",
        "The notice period is 30 days [1], and the fee is 5%.",
        [("The notice period is 30 days", ["1"]), ("The fee is 5%", [])],
    ),
    (
        "research: semicolon",
        "The trial enrolled 43,548 participants; it was conducted in the U.S. and Brazil [3].",
        [("The trial enrolled 43,548 participants", ["3"]), ("It was conducted in the U.S. and Brazil", ["3"])],
    ),
    (
        "medicine: two drugs",
        "Aspirin inhibits COX-1, and ibuprofen inhibits COX-2 [3][4].",
        [("Aspirin inhibits COX-1", ["3", "4"]), ("Ibuprofen inhibits COX-2", ["3", "4"])],
    ),
    (
        "medicine: present in -s",
        "Metformin reduces glucose and improves insulin sensitivity.",
        [("Metformin reduces glucose", []), ("Metformin improves insulin sensitivity", [])],
    ),
    (
        "medicine: passive carried over",
        "The drug was tested in 2019 and approved by the FDA in 2020.",
        [("The drug was tested in 2019", []), ("The drug was approved by the FDA in 2020", [])],
    ),
    (
        "medicine: hedge kept on its side",
        "The vaccine may reduce the risk; the evidence for older adults remains limited.",
        [("The vaccine may reduce the risk", []), ("The evidence for older adults remains limited", [])],
    ),
    (
        "medicine: negated twice",
        "The drug is not approved in the EU and is not recommended for children.",
        [("The drug is not approved in the EU", []), ("The drug is not recommended for children", [])],
    ),
    (
        "finance: contrast",
        "Revenue rose 5%, while costs fell 3% [9].",
        [("Revenue rose 5%", ["9"]), ("Costs fell 3%", ["9"])],
    ),
    (
        "finance: two figures",
        "Net sales increased 5% and operating income decreased 3%.",
        [("Net sales increased 5%", []), ("Operating income decreased 3%", [])],
    ),
    (
        "finance: shared subject and figure",
        "Revenue increased by 5% and reached $5 million.",
        [("Revenue increased by 5%", []), ("Revenue reached $5 million", [])],
    ),
    (
        "finance: verbs without an object",
        "Sales in Europe fell and sales in Asia rose.",
        [("Sales in Europe fell", []), ("Sales in Asia rose", [])],
    ),
    (
        "finance: perfect carried over",
        "The company has acquired Foo and sold Bar.",
        [("The company has acquired Foo", []), ("The company has sold Bar", [])],
    ),
    (
        "finance: plural present",
        "Banks accept deposits and make loans.",
        [("Banks accept deposits", []), ("Banks make loans", [])],
    ),
    (
        "law: three parts",
        "The judge granted the motion and dismissed the case, and the plaintiff appealed.",
        [("The judge granted the motion", []), ("The judge dismissed the case", []), ("The plaintiff appealed", [])],
    ),
    (
        "news: time in front stays with both",
        "In 2019 the mayor left office and joined a bank.",
        [("In 2019 the mayor left office and joined a bank", [])],
    ),
    (
        "news: time in front, shared subject",
        "In 2019, Acme acquired Foo and sold the Bar unit.",
        [("In 2019, Acme acquired Foo", []), ("In 2019, Acme sold the Bar unit", [])],
    ),
    (
        "news: began",
        "The couple met in 1997 and began a firm in 2000.",
        [("The couple met in 1997", []), ("The couple began a firm in 2000", [])],
    ),
    (
        "research: but",
        "However, the vaccine was safe but it did not prevent infection.",
        [("However, the vaccine was safe", []), ("It did not prevent infection", [])],
    ),
    (
        "research: connecting word is not carried",
        "However, the method is fast and has few parameters.",
        [("However, the method is fast", []), ("The method has few parameters", [])],
    ),
    (
        "a part about the system is no claim",
        "I cannot find the fee, but the notice period is 30 days [1].",
        [("The notice period is 30 days", ["1"])],
    ),
]


@every_row(("source", "text", "expected"), SPLIT)
def test_compound_sentences_become_atomic_claims(source, text, expected):
    assert cited(text) == expected, source


def test_parts_carry_the_enclosing_sentence_as_context():
    _, claims = read("Acme acquired Foo in 2019 and sold it in 2021 [1].")
    assert {claim.context for claim in claims} == {"Acme acquired Foo in 2019 and sold it in 2021."}


def test_spans_of_parts_index_the_original_text():
    text = "Hello! Acme acquired Foo in 2019 [1] and sold it in 2021."
    _, claims = read(text)
    assert [text[slice(*claim.span)] for claim in claims] == ["Acme acquired Foo in 2019", "sold it in 2021."]


ASSERTS = [
    ("bare answer", "Yes."),
    ("bare answer", "No"),
    ("bare answer", "30 days [1]"),
    ("bare answer", "$1.2 million"),
    ("bare answer", "Paris."),
    ("a guess is put forward", "My best guess is 900 euros."),
    ("a guess is put forward", "My understanding is that the fee is 5%."),
    ("issue: hedged still asserts", "The notice period may be 30 days."),
    ("hedged", "It appears that the fee is 5%."),
    ("hedged", "I believe the notice period is 30 days."),
    ("hedged", "I think that the fee was waived in 2019."),
    ("first person reports a fact", "However, I can tell you that Pfizer has acquired several companies."),
    ("first person reports a fact", "I found that the lease ends in May."),
    ("peer: sympathetic opening, then a fact", "The notice period is 30 days [2]."),
    ("negative fact", "The agreement does not specify a notice period."),
    ("law: duty", "You must give notice within 30 days."),
    ("law: how to", "To obtain a refund, you must apply within 30 days."),
    ("law: need", "You need to file the claim within a year."),
    ("medicine: instruction", "Take 500 mg twice daily."),
    ("medicine: condition of the reader", "If you have diabetes, metformin reduces glucose."),
    ("medicine: contact as a noun", "Contact dermatitis accounts for most cases."),
    ("research: model as a thing", "The model was trained on 5 million images."),
    ("research: training data", "The training data consisted of 5 million images."),
    ("news: name that begins like a courtesy", "Great Britain left the EU in 2020."),
    ("news: name that begins like a courtesy", "Hope that rates would fall lifted stocks."),
    ("company called AI", "As an AI company, Acme sells models."),
    ("finance: attribution", "Based on the report, the ratio is 1.18."),
    ("please note", "Please note that the fee is 5%."),
    ("in conclusion", "In summary, the margin rose to 5%."),
    ("quoted refusal", "The policy says “we cannot answer such requests”."),
    ("contraction", "It's illegal in France."),
    ("equation", "Margin = 5 / 10 = 50%"),
]
SILENT = [
    ("greeting", "Hello!"),
    ("system", "My understanding is limited to the documents."),
    ("greeting", "Hi John,"),
    ("greeting", "Good morning."),
    ("courtesy", "Sure!"),
    ("courtesy", "Certainly."),
    ("courtesy", "Thank you for your question."),
    ("courtesy", "Great question!"),
    ("courtesy", "I hope this helps!"),
    ("courtesy", "Let me know if you have any other questions."),
    ("courtesy", "Feel free to ask for more."),
    ("courtesy", "I'm happy to help!"),
    ("question", "What is the notice period?"),
    ("question with a marker", "Is it legal? [1]"),
    ("question in Arabic", "ما هذا؟"),
    ("lead-in", "Here is a summary:"),
    ("lead-in", "The fees are as follows:"),
    ("lead-in in bold", "**The fees are:**"),
    ("announcement", "Here are the key points."),
    ("announcement", "Let's look at the figures."),
    ("announcement", "To answer this question, we need to look at the balance sheet."),
    ("about the system", "As an AI language model, I don't have access to the file."),
    ("about the system", "I was trained on data up to 2023."),
    ("about the system", "I searched the documents."),
    ("about the system", "My knowledge cutoff is 2023."),
    ("about the system", "I'm sorry, but I cannot answer that."),
    ("about the reply", "This answer is based on the provided documents."),
    ("about the sources given", "The provided context does not mention a notice period."),
    ("disclaimer", "This is not legal advice."),
    ("pointer", "See Section 4."),
    ("pointer", "Please consult a lawyer."),
    ("pointer", "For more information, visit the site."),
    ("citation signal", "See [1]."),
    ("peer: only markers", "[1][2]"),
    ("nothing", ""),
    ("stops only", "..."),
]


@every_row(("source", "sentence"), ASSERTS)
def test_a_sentence_that_asserts_is_a_claim(source, sentence):
    assert asserts_fact(sentence), source
    assert read(sentence)[1], source


@every_row(("source", "sentence"), SILENT)
def test_a_sentence_that_asserts_nothing_is_no_claim(source, sentence):
    assert not asserts_fact(sentence), source
    assert read(sentence)[1] == [], source


ANSWERS = [
    (
        "peer: one marker after two sentences belongs to the one it closes",
        "The notice period is 30 days. The fee is 5%. [1]",
        [("The notice period is 30 days", []), ("The fee is 5%", ["1"])],
    ),
    ("peer: markers are stripped", "The fee is 5% [1].", [("The fee is 5%", ["1"])]),
    ("several cited items", "The fee is 5% [1, 3][2].", [("The fee is 5%", ["1", "3", "2"])]),
    (
        "marker in the middle",
        "The fee [1] is 5% of the sum [2].",
        [("The fee is 5% of the sum", ["1", "2"])],
    ),
    (
        "issue: short items keep their lead-in",
        "The fees are:\n- 5% on entry [1]\n- 3% on exit [2]",
        [("The fees are: 5% on entry", ["1"]), ("The fees are: 3% on exit", ["2"])],
    ),
    (
        "items that are sentences stand alone",
        "The rules are:\n1. The fee is 5% [1].\n2. Notice is due in writing [2].",
        [("The fee is 5%", ["1"]), ("Notice is due in writing", ["2"])],
    ),
    (
        "marker of a lead-in goes to its items",
        "The fees are as follows [1]:\n- 5% on entry\n- 3% on exit [2]",
        [("The fees are as follows: 5% on entry", ["1"]), ("The fees are as follows: 3% on exit", ["2"])],
    ),
    (
        "announced lead-in",
        "Here are the companies that Acme bought:\n- Foo\n- Bar",
        [("The companies that Acme bought: Foo", []), ("The companies that Acme bought: Bar", [])],
    ),
    ("empty lead-in", "Here are the key points:\n- 5% on entry", [("5% on entry", [])]),
    (
        "issue: table rows under their header",
        "| Fund | Fee | Source |\n|---|---|---|\n| Alpha | 5% | [1] |\n| Beta | **3%** | [2] |",
        [("Fund: Alpha; Fee: 5%", ["1"]), ("Fund: Beta; Fee: 3%", ["2"])],
    ),
    ("rows without a header", "| Alpha | 5% [1] |", [("Alpha; 5%", ["1"])]),
    ("escaped bar in a cell", "| A | B |\n|---|---|\n| x \\| y | 5 |", [("A: x | y; B: 5", [])]),
    ("heading is no claim", "## Fees\n\nThe fee is 5% [1].", [("The fee is 5%", ["1"])]),
    ("fragment under a heading", "## Notice period\n\n30 days [1].", [("Notice period: 30 days", ["1"])]),
    ("block quote", "> The fee\n> is 5%. [1]", [("The fee is 5%", ["1"])]),
    ("code is no claim", "```\nx = 5\n```", []),
    ("marker in a paragraph of its own", "The fee is 5%.\n\n[1]", [("The fee is 5%", ["1"])]),
    (
        "emphasis and code signs come off",
        "The **fee** is `5%` of the *net* sum [1].",
        [("The fee is 5% of the net sum", ["1"])],
    ),
    ("a formula keeps its stars", "Margin = 5 * 10 * 2.", [("Margin = 5 * 10 * 2", [])]),
    (
        "link inside the sentence keeps its words",
        "The [notice period](https://example.com/a) is 30 days.",
        [("The notice period is 30 days", ["https://example.com/a"])],
    ),
    (
        "link at the end of a phrase keeps its words",
        "The rate is set out in the [annual report](https://example.com/a).",
        [("The rate is set out in the annual report", ["https://example.com/a"])],
    ),
    (
        "link as a citation goes",
        "The fee is 5% ([source](https://example.com/a)).",
        [("The fee is 5%", ["https://example.com/a"])],
    ),
    (
        "author in the sentence stays, in brackets goes",
        "Smith et al. (2020) found that X reduces pain (Jones, 2019).",
        [("Smith et al. (2020) found that X reduces pain", ["Smith 2020", "Jones 2019"])],
    ),
    (
        "marker as a noun",
        "[1] states that the fee is 5%. According to [2], it is 3%.",
        [("The fee is 5%", ["1"]), ("It is 3%", ["2"])],
    ),
    ("abbreviation keeps its stop", "The buyer is Acme Inc. [1]", [("The buyer is Acme Inc.", ["1"])]),
    (
        "greeting and closing around a fact",
        "Sure! The fee is 5% [1]. I hope this helps.",
        [("The fee is 5%", ["1"])],
    ),
    ("peer: only markers", "[1][2] [3]", []),
    ("nothing", "", []),
]


@every_row(("source", "text", "expected"), ANSWERS)
def test_an_answer_is_read_into_claims(source, text, expected):
    assert cited(text) == expected, source


def test_a_lead_in_is_context_and_the_span_is_the_items():
    text = "The fees are:\n- 5% on entry [1]"
    _, (claim,) = read(text)
    assert claim.context == "The fees are: 5% on entry"
    assert text[slice(*claim.span)] == "5% on entry [1]"


def test_skipped_spans_hold_no_claims():
    text = "No fee is named. The notice period is 30 days [1].\n\nSources:\n[1] Handbook 2020"
    sources = (text.index("Sources"), len(text))
    assert cited(text, [(0, 16), sources]) == [("The notice period is 30 days", ["1"])]


def test_a_skipped_part_leaves_the_other_part():
    text = "The fee is not stated, but the notice period is 30 days [1]."
    assert cited(text, [(0, text.index(","))]) == [("The notice period is 30 days", ["1"])]


def test_claims_come_without_markers_too():
    text = "The fee is 5%."
    assert find_claims(text, split_sentences(text), [], []) == [
        RawClaim("The fee is 5%", (0, 14), "The fee is 5%.", ())
    ]


HOSTILE = [
    "it is and ",
    "A is b and it is c. ",
    "it is; ",
    "and ",
    "i think ",
    "based on ",
    "*a ",
    "<a ",
    "(",
    "to find ",
    "the provided ",
]


@pytest.mark.parametrize("size", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
@every_row("unit", HOSTILE)
def test_hostile_text_is_read_to_its_end(unit, size):
    text = unit * (size // len(unit))
    for claim in find_claims(text, split_sentences(text), [], []):
        assert 0 <= claim.span[0] < claim.span[1] <= len(text)


SENTENCES = st.lists(
    st.sampled_from(
        [row[1] for row in (*WHOLE, *SPLIT)]
        + [row[1] for row in (*ASSERTS, *SILENT)]
        + ["- 5% on entry\n", "\n\n", "## Fees\n", "| A | B |\n"]
    ),
    max_size=8,
).map(" ".join)
TEXTS = st.one_of(SENTENCES, st.text(max_size=150))


@given(TEXTS)
@settings(max_examples=80)
def test_claims_are_in_range_in_order_apart_and_not_empty(text):
    markers, claims = read(text)
    last = 0
    for claim in claims:
        start, end = claim.span
        assert last <= start < end <= len(text)
        assert any(map(str.isalnum, claim.text))
        assert all(0 <= index < len(markers) for index in claim.markers)
        last = end


@given(st.sampled_from([row[1] for row in (*WHOLE, *SPLIT)]))
def test_the_span_holds_the_core_of_its_claim(text):
    for claim in read(text)[1]:
        held = text[slice(*claim.span)].lower()
        words = claim.text.lower().rstrip(".").split()
        assert " ".join(words[-2:]) in held


@given(TEXTS)
@settings(max_examples=60)
def test_reading_twice_gives_the_same(text):
    assert read(text) == read(text)


@given(st.text(max_size=150))
@settings(max_examples=100)
def test_parts_of_any_sentence_are_in_order_and_apart(text):
    last = 0
    for atom in split_compound(text):
        assert last <= atom.start <= atom.end <= len(text)
        last = atom.end
