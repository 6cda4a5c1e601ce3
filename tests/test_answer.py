"""Whole answers as read: from null to tool calls, with citations joined, quotations taken up, and guidance set apart."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.answer import read_answer
from showable.records import Record, Source

LOG = [
    {"source_id": "lease", "text": "The notice period is thirty days.", "url": "https://docs.example.org/lease"},
    {"source_id": "rent", "text": "Rent falls due monthly.", "title": "Rent schedule"},
]

LOG_SOURCES = [Source(**source) for source in LOG]


def read(answer, question="What is the notice period?", **more):
    row = {"id": "r", "question": question, "retrieved": LOG, "answer": answer} | more
    return read_answer(Record.model_validate_json(json.dumps(row)))


def claim(text, *sources):
    return {"text": text, "citations": [{"source_id": source} for source in sources]}


def cited(reading):
    return [(claim.text, [c.source_id for c in claim.citations]) for claim in reading.answer.claims]


FORMS = [
    (None, "null"),
    ("", "empty"),
    (" \n\t", "empty"),
    ("\u200b", "empty"),
    ("\ufeff\n\u2060 \u200b", "empty"),
    ("<think>It may be 30 days.</think>", "empty"),
    ("<think>a</think>\n<reasoning>b</reasoning> \u200b", "empty"),
    ("<think>It may be 30 days.", "text"),
    ("It is 30 days.", "text"),
    ('{"claims": [], "refusal": "no_evidence"}', "json"),
    ({"claims": [{"text": "It is 30 days"}]}, "structured"),
    ('[{"type": "function", "function": {"name": "a", "arguments": "{\\"claims\\": []}"}}]', "tool_call"),
    ("{not json at all", "text"),
]


@every_row(("answer", "form"), FORMS)
def test_how_it_arrived(answer, form):
    if answer == "{not json at all":
        assert read(answer).form in {"text", "json"}
        return
    assert read(answer).form == form


CLAIMS = [
    # (what is shown, answer, claims with their sources)
    ("positions", "The period is 30 days [1] and rent is due monthly [2].",
     [("The period is 30 days", ["lease"]), ("Rent is due monthly", ["rent"])]),
    ("a reference list names the sources", "The period is 30 days [1].\n\nReferences:\n[1] Rent schedule",
     [("The period is 30 days", ["rent"])]),
    ("a reference list that names nothing retrieved", "The period is 30 days [1].\n\nReferences:\n[1] Some other paper",
     [("The period is 30 days", ["Some other paper"])]),
    ("a bare yes that is spelt out", "Yes. The period is 30 days [1].", [("The period is 30 days", ["lease"])]),
    ("a bare yes alone", "Yes [1].", [("Yes", ["lease"])]),
    ("structured ids", {"claims": [{"text": "It is 30 days", "citations": [{"source_id": "lease"}]}]}, [("It is 30 days", ["lease"])]),
    ("structured positions", {"claims": [{"text": "It is 30 days", "citations": [{"source_id": "1"}]}]}, [("It is 30 days", ["lease"])]),
    ("structured addresses", {"claims": [{"text": "It is 30 days", "citations": [{"url": "http://docs.example.org/lease/"}]}]},
     [("It is 30 days", ["lease"])]),
    ("structured text alone is read as text", {"text": "The period is 30 days [1].", "claims": []}, [("The period is 30 days", ["lease"])]),
    ("a title in brackets", "Rent falls due monthly [Rent schedule].", [("Rent falls due monthly", ["rent"])]),
    ("footnote definitions amid prose", "The period is 30 days.[^1]\n\n[^1]: lease\n\nRent falls due monthly [2].",
     [("The period is 30 days", ["lease"]), ("Rent falls due monthly", ["rent"])]),
    ("thoughts are no claims", "<think>It may be 90 days.</think>The period is 30 days [1].", [("The period is 30 days", ["lease"])]),
    ("a broken marker is no word", "The period is 30 days [1,,2].", [("The period is 30 days", [])]),
    ("a declining claim is no claim", {"claims": [{"text": "The documents do not state the deposit."}]}, []),
]  # fmt: skip


@every_row(("answer", "claims"), [row[1:] for row in CLAIMS])
def test_claims_with_their_sources(answer, claims):
    assert cited(read(answer)) == claims


# (what is in the fence, answer, claims with their sources)
FENCED = [
    ("markdown", "```markdown\nThe period is 30 days [1].\n```", [("The period is 30 days", ["lease"])]),
    ("markdown with a list", "```md\n# Notice\n\n- 30 days [1]\n```", [("Notice: 30 days", ["lease"])]),
    ("text", "```text\nThe period is 30 days [1].\n\nRent is due monthly [2].\n```", [("The period is 30 days", ["lease"]), ("Rent is due monthly", ["rent"])]),
    ("no tag", "```\nThe period is 30 days [1].\n```", [("The period is 30 days", ["lease"])]),
    ("tildes", "~~~\nThe period is 30 days [1].\n~~~", [("The period is 30 days", ["lease"])]),
    ("never closed", "```\nThe period is 30 days [1].", [("The period is 30 days", ["lease"])]),
    ("one line", "```30 days [1]```", [("30 days", ["lease"])]),
    ("a figure after its lead-in", "The period is:\n```\n30 days\n```", [("The period is: 30 days", [])]),
    ("after a refusal", "I cannot answer that from the passages.\n\n```\nThe period is 60 days [1].\n```", [("The period is 60 days", ["lease"])]),
    ("after an answer", "Rent is due monthly [2].\n\n```\nThe period is 60 days [9].\n```", [("Rent is due monthly", ["rent"]), ("The period is 60 days", ["9"])]),
    ("between two blocks of code", "```python title=a\nx = 5\n```\nRent is due monthly [2].\n```sh\nls\n```", [("Rent is due monthly", ["rent"])]),
    ("beside a line of code", "```x = 5```\nRent is due monthly [2].", [("Rent is due monthly", ["rent"])]),
    ("words in tagged code", "```python\nprint('The period is 60 days [1].')\n```", [("The period is 60 days", [])]),
    ("a script", "```\nfor row in rows:\n    print(row[1])\n```", []),
    ("an assignment", "```\nx = 5\n```", []),
    ("a query", "```\nSELECT * FROM leases WHERE id = 1;\n```", []),
    ("a command", "```\npip install showable\n```", []),
    ("a prompt", "```\n$ ls -l\n```", []),
    ("keys and values", "```\nname: lease\nnotice: 30 days\n```", []),
]  # fmt: skip


@every_row(("answer", "claims"), [row[1:] for row in FENCED])
def test_prose_in_a_fence_is_read_and_code_is_not(answer, claims):
    reading = read(answer)
    assert cited(reading) == claims
    for said in reading.answer.claims:
        assert said.text.split()[-1] in answer[slice(*said.span)]
        assert all(answer[slice(*citation.span)] == citation.raw for citation in said.citations)


@pytest.mark.parametrize("answer", [None, "", "\u200b", "<think>It is 30 days.</think>", " <think>a</think>\u200b\n"])
def test_what_shows_nothing_has_no_answer(answer):
    reading = read(answer)
    assert (reading.answer, reading.problems) == (None, ())


@pytest.mark.parametrize(
    "answer",
    [
        "<think>It is 30 days [1].",
        " <thinking>a</thinking><think>It is 30 days",
        {"text": "<think>It is 30 days [1]."},
        '{"text": "<think>It is 30 days [1]."}',
    ],
)
def test_thoughts_that_are_never_closed_cannot_be_read(answer):
    reading = read(answer)
    (problem,) = reading.problems
    assert (reading.answer, problem.code) == (None, "structural.unparsed")
    assert "the thoughts are not closed" in problem.reason


# (what is shown, the claim's text, question, quotations)
QUOTATIONS = [
    ("double", "It says “the notice period is thirty days”", "q", ("the notice period is thirty days",)),
    ("straight", 'It says "the notice period is thirty days."', "q", ("the notice period is thirty days",)),
    ("single", "It says ‘the tenant’s rent is due’ and no more", "q", ("the tenant’s rent is due",)),
    ("angle", "Il est dit « le délai est de trente jours »", "q", ("le délai est de trente jours",)),
    ("low", "Es heißt „die Frist beträgt dreißig Tage“", "q", ("die Frist beträgt dreißig Tage",)),
    ("several", "“A notice period of days” and “rent falls due monthly”", "q", ("A notice period of days", "rent falls due monthly")),
    ("nested", "He said “they ‘pay the rent monthly’ to us”", "q", ("they ‘pay the rent monthly’ to us",)),
    ("put in", "It says “[T]he rent [of the flat] falls due [sic] monthly”", "q", ("[T]he rent … falls due … monthly",)),
    ("straight single marks", "It says 'the notice period is thirty days'", "q", ()),
    ("between two quotations", 'Both "rent" and then the longer term "fee" are defined', "q", ()),
    ("inches", 'A 5" pipe and a long thin 6" pipe are used', "q", ()),
    ("capitals", "It says “NOTICE SHALL BE GIVEN IN WRITING”", "q", ("NOTICE SHALL BE GIVEN IN WRITING",)),
    ("the name of a work", "The film “The Hunger Games: Mockingjay – Part 2” is long", "q", ()),
    ("a name with a year", "The film “Blade Runner and the Year 2049” is long", "q", ()),
    ("letters without case", "قال «غادروا الطابق الأرضي فورًا»", "q", ("غادروا الطابق الأرضي فورًا",)),
    ("terms", "The “notice period” is 30 days", "q", ()),
    ("a title", "The “Rent schedule for all flats” says so", "q", ()),
    ("the question's words", "As to “what is the notice period?”, it is 30 days", "So: What is the notice period? Say.", ()),
    ("never closed", "It says “the notice period is thirty days", "q", ()),
]  # fmt: skip


@every_row(("claim", "question", "quotes"), [row[1:] for row in QUOTATIONS])
def test_quotations_of_a_claim_are_listed_and_left_to_no_one_citation(claim, question, quotes):
    log = [*LOG, {"source_id": "all", "title": "Rent schedule for all flats"}]
    cited = [{"source_id": "lease"}, {"source_id": "rent", "quoted_span": "Rent falls due"}]
    for answer, spans in (
        (f"{claim} [1][2].", [None, None]),
        ({"claims": [{"text": claim, "citations": cited}]}, [None, "Rent falls due"]),
    ):
        reading = read(answer, question=question, retrieved=log)
        assert reading.quotes == (quotes,)
        assert [c.quoted_span for c in reading.answer.claims[0].citations] == spans


# (what is shown, structured answer, claims with their sources, sources of loose citations). All hand-made.
GIVEN = [
    ("a claim that declines and asserts",
     {"claims": [claim("The documents do not state the notice period, but the deposit is two months' rent.", "ghost")]},
     [("The deposit is two months' rent.", ["ghost"])], []),
    ("one that asserts, then declines",
     {"claims": [claim("The deposit is two months' rent. However, the documents do not state the notice period.", "rent")]},
     [("The deposit is two months' rent.", ["rent"])], []),
    ("one that only declines", {"claims": [claim("The documents do not state the notice period.", "ghost", "rent")]},
     [], ["ghost", "rent"]),
    ("one that declines beside one that asserts",
     {"claims": [claim("The documents do not state the deposit.", "ghost"), claim("Rent falls due monthly.", "rent")]},
     [("Rent falls due monthly.", ["rent"])], ["ghost"]),
    ("the text asserts more", {"text": "The notice period is sixty days.", "claims": [claim("Rent falls due monthly.", "rent")]},
     [("Rent falls due monthly.", ["rent"]), ("The notice period is sixty days", [])], []),
    ("the text asserts more, and cites",
     {"text": "Rent falls due monthly [2]. The notice period is sixty days [doc-9].", "claims": [claim("Rent falls due monthly.", "rent")]},
     [("Rent falls due monthly.", ["rent"]), ("The notice period is sixty days", ["doc-9"])], []),
    ("another figure is another fact",
     {"text": "The notice period is sixty days.", "claims": [claim("The notice period is thirty days.", "lease")]},
     [("The notice period is thirty days.", ["lease"]), ("The notice period is sixty days", [])], []),
    ("the opposite is another fact",
     {"text": "The rent is not due monthly.", "claims": [claim("The rent is due monthly.", "rent")]},
     [("The rent is due monthly.", ["rent"]), ("The rent is not due monthly", [])], []),
    ("a figure in other words",
     {"text": "First, the period of notice is 30 days.", "claims": [claim("The notice period is thirty (30) days.", "lease")]},
     [("The notice period is thirty (30) days.", ["lease"])], []),
    ("two claims in one sentence",
     {"text": "Rent falls due monthly, and the notice period is thirty days.",
      "claims": [claim("Rent falls due monthly.", "rent"), claim("The notice period is thirty days.", "lease")]},
     [("Rent falls due monthly.", ["rent"]), ("The notice period is thirty days.", ["lease"])], []),
    ("figures changed round",
     {"text": "The rent is 30 euros and the fee is 60 euros.", "claims": [claim("The rent is 60 euros.", "rent"), claim("The fee is 30 euros.", "rent")]},
     [("The rent is 60 euros.", ["rent"]), ("The fee is 30 euros.", ["rent"]), ("The rent is 30 euros", []), ("The fee is 60 euros", [])], []),
    ("a quotation lends its words",
     {"text": "Every tenant pays rent monthly in advance.",
      "claims": [{"text": "Rent is monthly", "citations": [{"source_id": "rent", "quoted_span": "each tenant pays in advance"}]}]},
     [("Rent is monthly", ["rent"])], []),
    ("no spaces between words", {"text": "通知期間は30日です。家賃は毎月です。", "claims": [claim("通知期間は30日である", "lease")]},
     [("通知期間は30日である", ["lease"]), ("家賃は毎月です", [])], []),
    ("courtesy is no claim", {"text": "Hello! Rent falls due monthly. I hope this helps.", "claims": [claim("Rent falls due monthly.", "rent")]},
     [("Rent falls due monthly.", ["rent"])], []),
    ("an invented source that only the text names",
     {"text": "Rent falls due monthly [doc-9].", "claims": [claim("Rent falls due monthly.", "rent")]},
     [("Rent falls due monthly.", ["rent"])], ["doc-9"]),
    ("numbers that count the claims' own citations",
     {"text": "Rent falls due monthly [4].", "claims": [claim("Rent falls due monthly.", "rent", "lease", "rent", "1")]},
     [("Rent falls due monthly.", ["rent", "lease", "rent", "lease"])], []),
    ("text alone", {"text": "Yes.", "claims": []}, [("Yes", [])], []),
    ("a DOI", {"claims": [claim("Rent falls due monthly.", "https://doi.org/10.1000/XYZ")]}, [("Rent falls due monthly.", ["paper"])], []),
]  # fmt: skip


@every_row(("answer", "claims", "loose"), [row[1:] for row in GIVEN])
def test_a_structured_answer_is_read_whole(answer, claims, loose):
    log = [*LOG, {"source_id": "paper", "doi": "10.1000/xyz"}]
    for wrapped in (answer, json.dumps(answer)):
        reading = read(wrapped, retrieved=log)
        assert cited(reading) == claims
        assert [citation.source_id for citation in reading.loose] == loose
        assert len(reading.roles) == len(reading.quotes) == len(claims)


def test_a_claim_that_only_the_text_makes_has_its_place_in_the_text():
    text = "Rent falls due monthly [2].  The notice period is sixty days [1]."
    reading = read({"text": text, "claims": [claim("Rent falls due monthly.", "rent")]})
    added = reading.answer.claims[1]
    assert text[slice(*added.span)] == "The notice period is sixty days [1]."
    assert [text[slice(*citation.span)] for citation in added.citations] == ["[1]"]


# (citation as given, ids of the log, source id, raw). Source: hand-made; positions as for markers.
RAW = [
    ({"source_id": "1"}, ["lease", "rent"], "lease", "1"),
    ({"source_id": "1"}, ["11", "12"], "1", "1"),
    ({"source_id": "1"}, ["2", "1"], "1", "1"),
    ({"source_id": "lease"}, ["lease"], "lease", "lease"),
    ({"source_id": "LEASE"}, ["lease"], "lease", "LEASE"),
    ({"source_id": "1", "raw": "[1]"}, ["lease"], "lease", "[1]"),
    ({"source_id": "ghost", "raw": "[lease]"}, ["lease"], "ghost", "[lease]"),
    ({"url": "https://x.org/a"}, ["lease"], None, "https://x.org/a"),
    ({"quoted_span": "thirty days"}, ["lease"], None, None),
]


@pytest.mark.parametrize(("citation", "log", "source_id", "raw"), RAW)
def test_what_the_model_wrote_is_kept_beside_what_it_came_to(citation, log, source_id, raw):
    answer = {"claims": [{"text": "It is 30 days", "citations": [citation]}]}
    (found,) = read(answer, retrieved=[{"source_id": name} for name in log]).answer.claims[0].citations
    assert (found.source_id, found.raw) == (source_id, raw)


@pytest.mark.parametrize("span", [[0, 99], [-1, 2], [3, 1], [500, 900]])
@pytest.mark.parametrize("wrap", [json.dumps, dict], ids=["string", "object"])
def test_a_span_outside_the_text_is_dropped_and_said(span, wrap):
    given = {
        "text": "Due [1].",
        "claims": [{"text": "Due", "span": [0, 3], "citations": [{"source_id": "1", "span": span}]}],
    }
    reading = read(wrap(given))
    (problem,) = reading.problems
    assert (reading.answer.claims[0].span, reading.answer.claims[0].citations[0].span) == ((0, 3), None)
    assert (problem.code, problem.claim, problem.citation, problem.where) == ("structural.schema", 0, 0, None)
    assert "claims.0.citations.0.span" in problem.reason


def test_a_span_without_a_text_is_dropped_and_said():
    reading = read({"claims": [{"text": "Due", "span": [0, 3]}]})
    assert reading.answer.claims[0].span is None
    assert "claims.0.span" in reading.problems[0].reason


@pytest.mark.parametrize("wrap", [json.dumps, dict], ids=["string", "object"])
def test_a_claim_without_words_is_left_out_and_said(wrap):
    claims = [
        claim(" "),
        claim("The documents do not state the deposit."),
        claim("\u200b"),
        claim("It is 30 days", "rent"),
    ]
    claims[3]["span"] = [7, 9]
    reading = read(wrap({"claims": claims}))
    assert cited(reading) == [("It is 30 days", ["rent"])]
    assert [(p.code, p.claim) for p in reading.problems] == [("structural.schema", at) for at in (None, None, 0)]
    named = [p.reason.split(":")[0] for p in reading.problems]
    assert named == ["claims.0.text", "claims.2.text", "claims.3.span"]


def test_an_answer_without_words_in_any_claim_has_no_claims():
    reading = read({"claims": [claim("")]})
    assert (reading.answer.claims, reading.form) == ((), "structured")


@pytest.mark.parametrize("answer", [row[1] for row in CLAIMS if isinstance(row[1], str)])
def test_an_answer_that_was_read_reads_the_same_again(answer):
    once = read(answer)
    again = read_answer(
        Record(id="r", question="What is the notice period?", retrieved=LOG_SOURCES, answer=once.answer)
    )
    assert cited(again) == cited(once)
    assert again.quotes == once.quotes


def test_markers_that_hang_on_no_claim_are_kept():
    assert [citation.source_id for citation in read("[1] [7]").loose] == ["lease", "7"]


def test_guidance_beside_a_refusal_is_no_claim():
    reading = read(
        "The passages do not state the deposit. You could ask the landlord's agent. Rent falls due monthly [2]."
    )
    assert reading.refusal.extent == "full"
    assert cited(reading) == [("Rent falls due monthly", ["rent"])]
    assert reading.roles == ("aside",)


def test_a_pointer_to_the_closest_passage_is_no_claim_and_its_citation_is_still_joined():
    reading = read("The passages do not state the deposit. The closest is the notice clause [7].")
    assert cited(reading) == []
    assert [citation.source_id for citation in reading.loose] == ["7"]


def test_words_of_the_question_do_not_decline():
    # source: hand-made; "cannot be answered" is what was asked for
    reading = read(
        "Of the 9,400 questions, 1,310 cannot be answered from the passages [1].",
        question="How many questions cannot be answered from the passages?",
    )
    assert reading.refusal.extent == "none"
    assert len(reading.answer.claims) == 1


def test_spans_index_the_original_text():
    text = "  The period is 30 days [1].\r\n\r\n* Rent is due monthly [2].\n"
    reading = read(text)
    for claim in reading.answer.claims:
        start, end = claim.span
        assert claim.text.split()[0].lower() in text[start:end].lower()
        for citation in claim.citations:
            assert text[slice(*citation.span)] == citation.raw


@given(st.text(max_size=300))
def test_any_text_is_read_and_every_role_has_its_claim(answer):
    reading = read(answer)
    assert (reading.answer is None) or len(reading.roles) == len(reading.quotes) == len(reading.answer.claims)
    assert reading.text == answer or reading.form != "text"


@given(
    st.lists(
        st.sampled_from(
            ["[1]", "[[2]]", "¹", "{", '"', "\u200b", "I cannot", "30 days.", "\n", "| a | b |", "“", "The rent"]
        ),
        max_size=30,
    )
)
def test_any_mixture_of_pieces_is_read(pieces):
    assert read(" ".join(pieces)).form in {"text", "json", "tool_call", "empty"}
