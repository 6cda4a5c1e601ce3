"""Sources named in prose, in lines and lists, by shortened names, in round brackets; and what only looks like it."""

from __future__ import annotations

import pytest
from tables import every_row

from showable.read.answer import read_answer
from showable.read.markers import find_markers
from showable.records import Record, Source

FILES = ["lease.pdf", "House Rules 2024.docx", "notices/2023-04.txt", "hr-policy_v2.md"]
LEASE, RULES, NOTICE, POLICY = FILES
IDS = ["kb-4f1a", "kb-77c2", "kb-9e05", "kb-b3d8"]

# what is added to "The deposit is 1,200 euros", the sources that it cites
AFTER_A_CLAIM = [
    # a place within the source
    (" [lease.pdf, p. 3].", [LEASE]),
    (" [lease.pdf (p. 3)].", [LEASE]),
    (" [lease.pdf: Section 4].", [LEASE]),
    (" [lease.pdf:3].", [LEASE]),
    (" [lease.pdf#page=3].", [LEASE]),
    (" [lease.pdf, pages 3 and 4].", [LEASE]),
    (" [lease.pdf, pp. 3, 4 and 9].", [LEASE]),
    (" [lease.pdf, Annex II].", [LEASE]),
    (" [lease.pdf, cl. 4(b)].", [LEASE]),
    (" [lease.pdf, chunk 2].", [LEASE]),
    (" [Source: lease.pdf, Page: 3].", [LEASE]),
    (" [1, pages 3 and 4].", [LEASE]),
    (" [2: §3].", [RULES]),
    (" [2: p. 4].", [RULES]),
    (" [1, p. 3, 2].", [LEASE, RULES]),
    # other names of the same file
    (" [LEASE.PDF].", [LEASE]),
    (" [lease].", [LEASE]),
    (" [./lease.pdf].", [LEASE]),
    (" [/data/in/lease.pdf].", [LEASE]),
    (" [2023-04.txt].", [NOTICE]),
    (" [hr-policy_v2].", [POLICY]),
    (" (hr-policy_v2).", [POLICY]),
    (" [House Rules 2024].", [RULES]),
    (" [Other Rules 2023.docx].", ["Other Rules 2023.docx"]),
    (" (other.pdf, p. 2).", ["other.pdf"]),
    # dress
    (" (`lease.pdf`).", [LEASE]),
    (" (**lease.pdf**).", [LEASE]),
    (" (*lease.pdf*, p. 3).", [LEASE]),
    (" [**lease.pdf**].", [LEASE]),
    (" (cf. lease.pdf and hr-policy_v2.md).", [LEASE, POLICY]),
    (" [lease.pdf | hr-policy_v2.md].", [LEASE, POLICY]),
    (" [#2].", [RULES]),
    (" [no. 2].", [RULES]),
    (" [№ 2].", [RULES]),
    (".¹ ³", [LEASE, NOTICE]),
    (" \\cite{lease.pdf}.", [LEASE]),
    (" \\citep[see][p. 3]{smith2020,lee2021}.", ["smith2020", "lee2021"]),
    (" {lease.pdf}.", [LEASE]),
    (" <source>lease.pdf</source>.", [LEASE]),
    (' <ref id="lease.pdf"/>.', [LEASE]),
    # lines and lists that say where it is from
    (".\n\nSource: lease.pdf", [LEASE]),
    (".\n\n**Source:** lease.pdf, p. 3", [LEASE]),
    (".\n\n*Source: lease.pdf*", [LEASE]),
    (".\nSource: House Rules 2024.docx (p. 2)", [RULES]),
    (". Sources: lease.pdf, hr-policy_v2.md.", [LEASE, POLICY]),
    (".\n\nSource: other.pdf", ["other.pdf"]),
    (".\n\nSources:\n- lease.pdf\n- hr-policy_v2.md", [LEASE, POLICY]),
    (".\n\n**Sources:**\n- lease.pdf (p. 3)", [LEASE]),
    (".\n\n### Sources\n1. lease.pdf\n2. House Rules 2024.docx", [LEASE, RULES]),
    (". – lease.pdf", [LEASE]),
    # notes at the end
    (".¹\n\n¹ hr-policy_v2.md", [POLICY]),
    (".²\n\n---\n¹ lease.pdf\n² hr-policy_v2.md, p. 4", [POLICY]),
    (".<sup>1</sup>\n\n<sup>1</sup> hr-policy_v2.md", [POLICY]),
    (" [2].\n\n[2] hr-policy_v2.md\n[1] lease.pdf", [POLICY]),
    (" [1].\n\n[1] = hr-policy_v2.md; [2] = lease.pdf", [POLICY]),
    (" [1].\n\n1. hr-policy_v2.md", [POLICY]),
    (" [1].\n\n(1) hr-policy_v2.md", [POLICY]),
    ("*.\n\n\\* hr-policy_v2.md, p. 3", [POLICY]),
    (".†\n\n† hr-policy_v2.md", [POLICY]),
    (" [a].\n\n[a] hr-policy_v2.md", [POLICY]),
    (" (fn. 1).\n\nfn. 1: hr-policy_v2.md", [POLICY]),
    (" [1].\n\n| # | Source |\n|---|---|\n| 1 | hr-policy_v2.md |\n| 2 | lease.pdf |", [POLICY]),
    (" [1].\n\n**Notes**\n\n1. hr-policy_v2.md", [POLICY]),
    (" [1].\n\nSource documents:\n1. hr-policy_v2.md", [POLICY]),
    (" [1].\n\n📚 Sources:\n1. hr-policy_v2.md", [POLICY]),
    (" [1].\n\n<details><summary>Sources</summary>\n\n1. hr-policy_v2.md\n\n</details>", [POLICY]),
    (".[^1]\n\n[^1]:\n    hr-policy_v2.md, p. 3", [POLICY]),
    (".[^1]\n\n[^1]: See hr-policy_v2.md,\n    page 4, second paragraph.", [POLICY]),
    (".[^1]\n\n[^1]: Passage 3.", [NOTICE]),
    (".[^1]\n\n[^1]: [3]", [NOTICE]),
    (".[^1]\n\n[^1]: lease.pdf, p. 3; hr-policy_v2.md, p. 9", [LEASE, POLICY]),
    # none
    (" [sic].", []),
    (" (the lease).", []),
    (" [emphasis added].", []),
    (" in {brackets}.", []),
    (" <b>net</b>.", []),
    ("*.\n\n* Plus tax.", []),
]

# answer over four ids, the positions named in prose
IN_PROSE = [
    ("According to passage 3, the fee is 5 %.", ["3"]),
    ("As per source 2, the fee is 5 %.", ["2"]),
    ("Per Source 2, the fee is 5 %.", ["2"]),
    ("Based on passages 1 and 3, the fee is 5 %.", ["1", "3"]),
    ("Based on sources 1-3, the fee is 5 %.", ["1", "2", "3"]),
    ("The fee is 5 %, according to document 2.", ["2"]),
    ("The fee is 5 %, as stated in excerpt 4.", ["4"]),
    ("The fee, as noted in passage two, is 5 %.", ["2"]),
    ("Passage 3 says that the fee is 5 %.", ["3"]),
    ("As passage 3 says, the fee is 5 %.", ["3"]),
    ("Source 2 also lists a fee of 5 %.", ["2"]),
    ("The fee was 4 %, but Source 3 still lists 5 %.", ["3"]),
    ("Chunk 1 put the fee at 5 %.", ["1"]),
    ("Document 4 states the fee.", ["4"]),
    ("The third document specifies the fee.", ["3"]),
    ("In the first document the fee is 5 %.", ["1"]),
    ("In document 2, the fee is 5 %.", ["2"]),
    ("The fee is set in passage 2.", ["2"]),
    ("According to the second source, the fee is 5 %.", ["2"]),
    ("As shown in search result 2, the fee is 5 %.", ["2"]),
    # what the sentence is about
    ("Document 2 must be signed by both.", []),
    ("The tenant signs document 2 first.", []),
    ("The first document must be filed by May.", []),
    ("The first source of income is rent.", []),
    ("In the first place, the fee is 5 %.", []),
    ("Send document 3 to the office.", []),
    ("It says that text 2 is void.", []),
    ("Income from source 9 is taxed.", []),
    ("According to passage 9, the fee is 5 %.", []),
    ("According to section 2, the fee is 5 %.", []),
    ("Neither passage 1 nor passage 2 says so.", []),
    ("Unlike passage 2, this is clear.", []),
    ("The results 1 and 2 were equal.", []),
    ("Result 3 was better than result 2.", []),
    ("Open source 2 is a project.", []),
    ("The passage 2 km north is closed.", []),
    ("According to document 2.5, the fee is 5 %.", []),
    ("Context 1% is lost.", []),
    ("Two sources say so.", []),
    ("The document says so.", []),
]

# answer over four ids, the positions in round brackets
ROUND = [
    ("The monthly fee is 20 euros (1). It is due on the first of May (2).", ["1", "2"]),
    ("Net profit went up by 14% (1), mainly because of the sale of the depot (2).", ["1", "2"]),
    ("The monthly fee is 20 euros (1, 3). It is due on the first of May (2).", ["1", "3", "2"]),
    ("The monthly fee is 20 euros (1).\nIt is due on the first of May (2).", ["1", "2"]),
    # one alone, a place that the log lacks, other markers beside
    ("The monthly fee is 20 euros (1).", []),
    ("The monthly fee is 20 euros (1). It is due on the first of May (7).", []),
    ("The monthly fee is 20 euros (1) [1]. It is due on the first of May (2).", ["1"]),
    # numbers said again, counts, parts of a law, enumerations
    ("Notice is given within three (3) months. He returns two (2) keys.", []),
    ("The tenant returns all keys, two (2). The landlord keeps the other, one (1).", []),
    ("Doors with defects (2), broken windows (1), stains (3).", []),
    ("It follows from the second section (2). It follows as well from section (1).", []),
    ("There are two ways: (1) by post; (2) by hand.", []),
    ("(1) The monthly fee is due. (2) The deposit is due.", []),
    ("The office asked for documents (2) and photos (1).", []),
    ("The tenant pays it under subsection (1). The landlord returns it under subsection (2).", []),
    ("In the year just past, 12 (2). In the year before it, 14 (1).", []),
]

# text, the tokens of its markers: a number that the sentence needs is none
WORDS_AND_MARKERS = [
    ("Set the vector to x = [2] and run it.", []),
    ("Use y = [3].", []),
    ("Press [1] to hear the menu.", []),
    ("Please press [2].", []),
    ("Type [2] and press Enter.", []),
    ("If [1] is pressed, the call ends.", []),
    ("You can choose [2] for a refund.", []),
    ("Exit code [1] means a failure.", []),
    ("It stops with exit code [1].", []),
    ("Index [2] of the list is empty.", []),
    ("Choose option [1].", []),
    ('The error reads "ERR[2]: no such file".', []),
    ("The regular expression [1-3] matches a digit.", []),
    ("The pattern [0-9] matches a digit.", []),
    ("It matches [1-3]+ and no more.", []),
    ("Each value is in column B = [4].", []),
    # citations
    ("You may choose the plan that suits you [2].", ["2"]),
    ("It is the plan that you choose [2].", ["2"]),
    ("The process ends with an exit code [1].", ["1"]),
    ("The consumer price index [2] rose.", ["2"]),
    ("The fee was paid in error [2].", ["2"]),
    ("Under the GDPR[2], consent is needed.", ["2"]),
    ("The keys must be returned [1].", ["1"]),
    ("The option [1] lapses in May.", ["1"]),
    ("Callers press a key [1].", ["1"]),
    ("It is a matter of choice [3].", ["3"]),
    ("Doses vary over a wide range [1-3].", ["1", "2", "3"]),
    ("The sum equals the fee [1].", ["1"]),
]


def record_of(answer, ids):
    return Record(
        id="r",
        question="What do the documents say?",
        retrieved=tuple(Source(source_id=name, text="Some words.") for name in ids),
        answer=answer,
    )


@every_row(("added", "sources"), AFTER_A_CLAIM)
def test_sources_are_joined_to_the_claim_that_they_follow(added, sources):
    reading = read_answer(record_of(f"The deposit is 1,200 euros{added}", FILES))
    assert [citation.source_id for citation in reading.answer.claims[0].citations] == sources
    if sources:
        assert [claim.text for claim in reading.answer.claims] == ["The deposit is 1,200 euros"]


@every_row(("text", "positions"), IN_PROSE)
def test_prose_names_a_source_where_the_sentence_rests_on_it(text, positions):
    markers, _ = find_markers(text, IDS, len(IDS))
    assert [marker.token for marker in markers] == positions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("According to lease.pdf, the fee is 5 %.", [LEASE]),
        ("According to `lease.pdf`, the fee is 5 %.", [LEASE]),
        ("`lease.pdf` says that the fee is 5 %.", [LEASE]),
        ("The fee is 5 %, as stated in House Rules 2024.docx.", [RULES]),
        ("Send lease.pdf to the office.", []),
        ("The file lease.pdf must be signed.", []),
    ],
)
def test_prose_names_a_file(text, names):
    markers, _ = find_markers(text, FILES)
    assert [marker.token for marker in markers] == names


def test_a_source_named_in_prose_is_taken_off_the_claim():
    claim = read_answer(record_of("According to passage 3, the fee is 5 %.", IDS)).answer.claims[0]
    assert claim.text == "The fee is 5 %"
    assert [citation.source_id for citation in claim.citations] == ["kb-9e05"]


@every_row(("text", "positions"), ROUND)
def test_round_brackets_cite_only_where_all_of_them_close_clauses(text, positions):
    markers, _ = find_markers(text, IDS, len(IDS))
    assert [marker.token for marker in markers] == positions


@every_row(("text", "tokens"), WORDS_AND_MARKERS)
def test_a_bracketed_number_that_the_sentence_needs_is_no_marker(text, tokens):
    assert [marker.token for marker in find_markers(text)[0]] == tokens


def test_numbers_that_are_ids_are_no_positions():
    claim = read_answer(record_of("According to passage 2, the fee is 5 %.", ["101", "102"])).answer.claims[0]
    assert claim.citations == ()


def test_a_name_that_two_files_share_names_neither():
    claim = read_answer(record_of("The fee is 5 % [lease].", ["a/lease.pdf", "b/lease.pdf"])).answer.claims[0]
    assert claim.citations == ()


def test_a_part_that_the_log_lacks_is_not_its_neighbour():
    claim = read_answer(record_of("The fee is 5 % [kb:9].", ["kb", "kb:1", "kb:2"])).answer.claims[0]
    assert [citation.source_id for citation in claim.citations] == ["kb:9"]


def test_a_list_without_labels_cites_only_where_nothing_else_does():
    text = "The deposit is 1,200 euros [2].\n\nSources:\n- lease.pdf\n- hr-policy_v2.md"
    claim = read_answer(record_of(text, FILES)).answer.claims[0]
    assert [citation.source_id for citation in claim.citations] == [RULES]


def test_a_numbered_answer_that_lists_files_is_no_list_of_notes():
    answer = read_answer(record_of("Pets are dealt with in two files:\n1. lease.pdf\n2. hr-policy_v2.md", FILES)).answer
    assert len(answer.claims) == 2


def test_a_column_of_sources_cites_for_its_rows():
    table = (
        "| Fee | Source |\n|---|---|\n| The rent is 900 euros | lease.pdf |\n| Pets cost 20 euros | hr-policy_v2.md |"
    )
    claims = read_answer(record_of(table, FILES)).answer.claims
    assert [(claim.text, claim.citations[0].source_id) for claim in claims] == [
        ("Fee: The rent is 900 euros", LEASE),
        ("Fee: Pets cost 20 euros", POLICY),
    ]


def test_a_long_blank_line_is_read_in_linear_time():
    assert find_markers(" " * 20_000 + "]", FILES, len(FILES)) == ([], [])
