"""Marks that can be read in two ways: counts from 0 or 1, labels glued to numbers, files with a place, links that name two sources.

Each row is an answer's mark and what it must come to. `OPEN` is a citation of which it is not told which source is meant.
"""

from __future__ import annotations

import json

import pytest

import showable
from showable.read.answer import read_answer
from showable.records import Record, Source

OPEN = "?"
ROPES = {
    "c1a9": "A rope with a broken strand is taken out of use.",
    "c1b2": "Four turns stay on the drum.",
    "c1c7": "Grease it.",
}
ROPE, TURNS, GREASE = ROPES
GUIDES = {"hosting.md": "Jobs run on two plans.", "k8s.md": "Jobs can be deployed to a cluster."}
HOSTING, CLUSTER = GUIDES

# answer over ROPES, what it cites, where the expected value comes from
COUNTS = [
    ("A [ID:0]. B [ID:1].", [ROPE, TURNS], "a 0 says from where it counts"),
    ("A [ID:3]. B [ID:1].", [GREASE, ROPE], "3 of 3 leaves the list when counted from 0"),
    ("A [ID:1]. B [ID:2].", [OPEN, OPEN], "both counts fit"),
    ("A [ID:1].", [OPEN], "both counts fit"),
    ("A [ID:0, ID:2].", [ROPE, GREASE], "two in one bracket"),
    ("A [id: 2][id: 0].", [GREASE, ROPE], "spaces and small letters"),
    ("A 【ID:0】.", [ROPE], "other brackets"),
    ("A ##0$$. B ##1$$.", [ROPE, TURNS], "a stored answer whose marks were never filled in"),
    ("A ##1$$ ##2$$.", [OPEN, OPEN], "both counts fit"),
    ("A ##3$$.", [GREASE], "3 of 3"),
    ("A {{source:0}}.", [ROPE], "a template that was never filled in"),
    ("A {{ cite 1 }}.", [OPEN], "a template that was never filled in"),
    ("A {doc2}.", [OPEN], "single braces"),
    ("A <chunk 0>. B <chunk 2>.", [ROPE, GREASE], "angle brackets"),
    ("A [Source 0]. B [Source 1].", [ROPE, TURNS], "a label whose numbers begin with 0"),
    ("A [0]. B [1].", [ROPE, OPEN], "plain numbers count from 1, but one of these is 0: [0] can only be the first"),
    ("A【4:0†source】.", [OPEN], "the second result of a search that the log does not tell"),
    ("A【2†source】.", [OPEN], "both counts fit"),
    ("A citeturn0search1.", [OPEN], "a result of a search that the log does not tell"),
    ("A \ue200cite\ue202turn0search1\ue202turn0search2\ue201.", [OPEN, OPEN], "the same between private-use characters"),
    ("A %%0%%. B @@1@@.", [ROPE, TURNS], "two signs on either side"),
    ("A {{ sources[1] }}.", [OPEN], "an index into a list"),
    ("A <%= source 0 %>. B <|cite_1|>.", [ROPE, TURNS], "other templates"),
    ("A ${ref_0}. B ${ref_1}.", [ROPE, TURNS], "a variable that was never filled in, at the end of a sentence"),
    ("A {0}. B {1}.", [ROPE, TURNS], "numbers in braces at the end of a sentence"),
    ("A <2>.", [OPEN], "a number in angle brackets"),
    ("<co: 0>A</co: 0> and <co: 2>B</co: 0,2>.", [ROPE, ROPE, GREASE], "Cohere's models mark both ends"),
    ("[cite_start]A[cite: 1]. [cite_start]B[cite: 2].", [ROPE, TURNS], "Gemini marks the beginning too"),
    ("A ②.", [TURNS], "a number in a circle"),
    ("A ⟦2⟧. B ⟨1⟩.", [TURNS, ROPE], "other brackets"),
    ("A [2*].", [TURNS], "a sign after the number"),
    # what must not change
    ("Fill {2} of the <3> boxes, set ${file1} and press ②, then wait.", [], "numbers that are words of their sentence"),
    ("A [ID:7].", ["ID:7"], "no count has a seventh"),
    ("A [ID:0]. B [ID:3].", ["ID:0", GREASE], "no count has both: from 1, as any number"),
    ("A ##9$$.", ["9"], "past the end"),
    ("A {{source:9}}.", ["9"], "past the end"),
    ("A【4:7†source】.", ["4:7"], "the log has no seventh of anything"),
    ("A citeturn0search9.", ["0:9"], "the log has no ninth of anything"),
    ("A [0].", ["0"], "contract: nought alone is no place"),
    ("A [0]. B [3].", ["0", GREASE], "no count has both"),
    ("A [1]. B [2].", [ROPE, TURNS], "contract: plain numbers count from 1"),
    ("A [Source 1].", [ROPE], "contract: a label counts from 1"),
    ("A {{name}}. Pay {{1}} and ##2 or $$3.", [], "templates without a source in them"),
]  # fmt: skip

# the end of an answer, ids of the log, what it cites
LABELS = [
    ("[doc2]", GUIDES, [CLUSTER], "the service counts what it shows from 1"),
    ("[Doc2]", GUIDES, [CLUSTER], "capital letter"),
    ("[Source1, Source2]", GUIDES, [HOSTING, CLUSTER], "two in one bracket"),
    ("[S2]", GUIDES, [CLUSTER], "a letter for the label"),
    ("[chunk-2]", GUIDES, [CLUSTER], "a sign between"),
    ("(doc1)", GUIDES, [HOSTING], "round brackets"),
    ("【doc2】", GUIDES, [CLUSTER], "other brackets"),
    ("[doc2]", {"kb-1": "", "kb-2": ""}, ["kb-2"], "no id begins so"),
    ("[doc0] [doc1]", GUIDES, [HOSTING, CLUSTER], "a 0 says from where it counts"),
    ("[doc1-doc2]", GUIDES, [HOSTING, CLUSTER], "a range with the label at both ends"),
    ("[S2]", {"kb-d004": "", "kb-7f3a": ""}, ["kb-7f3a"], "the log's ids have a sign where this has none"),
    # what must not change
    ("[doc2]", {"doc1": "", "doc2": "", "doc3": ""}, ["doc2"], "an id of the log"),
    ("[doc2]", {"doc7": "", "doc8": "", "doc9": ""}, ["doc2"], "the log's ids begin so: this one it lacks"),
    ("[doc2]", {"doc-7": "", "doc-8": ""}, ["doc2"], "but for a sign the log's ids are such"),
    ("[doc-2]", {"kb-1": "", "kb-2": ""}, ["doc-2"], "the shape of the log's ids"),
    ("[S2]", {"n1": "", "n2": ""}, ["S2"], "a letter and a number, as the log's ids"),
    ("[doc9]", GUIDES, ["doc9"], "past the end"),
    ("[kb2]", GUIDES, ["kb2"], "no label"),
    ("[CO2]", GUIDES, [], "a formula"),
    ("[doc2]", {"1": "", "2": "", "3": ""}, ["2"], "ids that are numbers"),
    ("(S2)", GUIDES, [], "a letter in round brackets is a word of its sentence"),
]

CODE = {"src/auth/session.py": "", "src/auth/token.py": ""}
FILES = {"docs/2024/lease.pdf": "", "docs/2024/rent.pdf": ""}
WORDS = {"lease": "", "rent": ""}
PARTS = {"lease.pdf#1": "", "lease.pdf#2": "", "rent.pdf#1": ""}
BUCKETS = {"s3://kb/port.pdf": "", "s3://kb/train.pdf": ""}
NAMED = {"kb-7f3a": "", "kb-91cc": ""}
"""An id of the log beside words that only say where in it, or how it is cited."""
BESIDE = [
    *[(mark, NAMED, ["kb-91cc"], "a place, a signal or a remark beside an id of the log") for mark in (
        "[kb-91cc § 2]", "[kb-91cc ¶ 3]", "[kb-91cc | p. 3]", "[kb-91cc - p. 2]", "[kb-91cc, 00:12:31]", "[kb-91cc, Section 4: Belts]",
        "[kb-91cc, heading 'Belts']", "[see kb-91cc]", "(see kb-91cc § 2)", "[kb-91cc, emphasis added]", "{{cite|kb-91cc}}", "<<kb-91cc>>",
        "⟦kb-91cc⟧", "[#kb-91cc]", "`[kb-91cc]`", "[kb-91cc]()", "— kb-91cc", "†kb-91cc",
    )],
    ("[kb-91cc; see also kb-7f3a]", NAMED, ["kb-91cc", "kb-7f3a"], "two of them"),
    ("[kb-91cc says they stop at noon]", NAMED, [], "other words may assert something"),
    ("[kb-91cc § 2; kb-11aa § 3]", NAMED, [], "one that the log lacks is not passed over"),
    ("[see lease]", {"lease": "", "rent": ""}, ["lease"], "a signal before a word of the log"),
    ("[in lease]", {"lease": "", "rent": ""}, [], "words that an editor may have put in"),
    ("[lease § 2]", {"lease": "", "rent": ""}, ["lease"], "a word, and a place in it"),
]  # fmt: skip
PLACES = [
    ("`session.py`", CODE, ["src/auth/session.py"], "a file's name in code marks"),
    ("`src/auth/session.py`:12", CODE, ["src/auth/session.py"], "a line behind the code marks"),
    ("[session.py § 2]", CODE, ["src/auth/session.py"], "a section"),
    ("[src/auth/session.py lines 10–12]", CODE, ["src/auth/session.py"], "lines"),
    ("[the code](src/auth/session.py#L4)", CODE, ["src/auth/session.py"], "a link to the file"),
    ("[the code](src/auth/nothing.py)", CODE, ["src/auth/nothing.py"], "a link to no file of the log"),
    ("`src/auth/session.py:42`", CODE, ["src/auth/session.py"], "code marks and a line"),
    ("(`src/auth/session.py:42`)", CODE, ["src/auth/session.py"], "the same in round brackets"),
    ("`src/auth/session.py`", CODE, ["src/auth/session.py"], "an id in code marks that closes the sentence"),
    ("[/home/ci/app/src/auth/session.py:42]", CODE, ["src/auth/session.py"], "the machine's path to it"),
    ("[src/auth/session.py:42:7]", CODE, ["src/auth/session.py"], "line and column"),
    ("[auth/session.py#L42-L44]", CODE, ["src/auth/session.py"], "the end of its path"),
    ("src/auth/token.py:3", CODE, ["src/auth/token.py"], "no marks at all"),
    ("[lease.pdf]", WORDS, ["lease"], "the id is the file without its ending"),
    ("[docs/lease.pdf:3]", WORDS, ["lease"], "folder, ending and place"),
    ("(docs/lease.pdf)", WORDS, ["lease"], "round brackets"),
    ("[port.pdf]", BUCKETS, ["s3://kb/port.pdf"], "the file of an address"),
    ("[rent.pdf]", PARTS, ["rent.pdf#1"], "its only part in the log"),
    ("[lease.pdf]", PARTS, [OPEN], "one of two parts"),
    ("[lease.pdf:1]", PARTS, [OPEN], "a place in a file that the log cuts otherwise"),
    # what must not change
    ("[2023/lease.pdf]", FILES, ["2023/lease.pdf"], "another folder is another file"),
    ("[lib/auth/session.py:3]", CODE, ["lib/auth/session.py:3"], "another folder"),
    ("[other/session.py]", CODE, ["other/session.py"], "another folder, no line"),
    ("`src/auth/sessions.py:42`", CODE, ["src/auth/sessions.py:42"], "no such file"),
    ("[lease.pdf#9]", PARTS, ["lease.pdf#9"], "a part that the log lacks"),
    ("[s3://other/port.pdf]", BUCKETS, ["s3://other/port.pdf"], "another address"),
    ("[lease.pdf]", {"a/lease.pdf": "", "b/lease.pdf": ""}, ["lease.pdf"], "two go by the name"),
    ("in `SESSION_TTL`", CODE, [], "code"),
    ("with `x.y:3`", CODE, [], "code of the look of a file, and no file of the log"),
]

PAGES = [
    Source(
        source_id="s-41", title="Heat pumps in old houses", url="https://energy.test/pumps", text="Pumps cut gas use."
    ),
    Source(source_id="s-42", title="Insulation first", url="https://energy.test/roofs", text="Roofs pay back."),
]
LINKS = [
    ("([Insulation first](https://energy.test/pumps))", [OPEN], "title of one, address of the other"),
    ("[insulation first](https://energy.test/pumps/)", [OPEN], "small letters, a slash"),
    ("[s-42](https://energy.test/pumps)", [OPEN], "id of one"),
    ("([https://energy.test/roofs](https://energy.test/pumps))", [OPEN], "an address over another"),
    ('<a href="https://energy.test/pumps">Insulation first</a>', [OPEN], "HTML"),
    ("([Source: Insulation first](https://energy.test/pumps))", [OPEN], "a label before the title"),
    ("[the price list](/prices)", ["/prices"], "a page of the site, which is in no log"),
    # what must not change
    ("([Heat pumps in old houses](https://energy.test/pumps))", ["s-41"], "both agree"),
    ("[s-41](https://energy.test/pumps)", ["s-41"], "both agree"),
    ("([read more](https://energy.test/pumps))", ["s-41"], "words that name nothing"),
    ("([Roe, 2021](https://energy.test/pumps))", ["s-41"], "an author"),
    ("[[2]](https://energy.test/pumps)", ["s-41"], "the answer may count its own links"),
    ("([Insulation first](https://energy.test/none))", ["https://energy.test/none"], "an address outside the log"),
]


def cited(answer, sources):
    """Return what an answer cites: ids, addresses outside the log, and `OPEN`."""
    reading = read_answer(Record(id="r", question="What is so?", retrieved=tuple(sources), answer=answer))
    claims = reading.answer.claims if reading.answer else ()
    citations = sorted((c for claim in claims for c in claim.citations), key=lambda c: c.span or (0, 0))
    return [OPEN if c.reference and c.reference.kind == "unclear" else c.source_id or c.url for c in citations]


def sources_of(log):
    return [Source(source_id=name, text=text or "Some words.") for name, text in log.items()]


@pytest.mark.parametrize(("answer", "ids", "source"), COUNTS, ids=[row[0] for row in COUNTS])
def test_a_number_counts_as_the_whole_answer_and_the_log_say(answer, ids, source):
    answer = answer.replace("A", "The rope is worn", 1).replace("B", "The drum is full", 1)
    assert cited(answer, sources_of(ROPES)) == ids, source


@pytest.mark.parametrize(
    ("mark", "log", "ids", "source"), [*LABELS, *BESIDE, *PLACES], ids=lambda row: row if isinstance(row, str) else ""
)
def test_a_mark_after_a_claim_comes_to(mark, log, ids, source):
    assert cited(f"The jobs of the house run every night {mark}.", sources_of(log)) == ids, source


@pytest.mark.parametrize(("mark", "ids", "source"), LINKS)
def test_a_link_whose_words_name_another_source_is_open(mark, ids, source):
    assert cited(f"Pumps cut gas use {mark}.", PAGES) == ids, source


def test_the_only_source_is_what_a_search_found():
    assert cited("The rope is worn【4:0†source】.", sources_of({"only": "Ropes wear."})) == ["only"]


def test_the_claims_of_a_structured_answer_count_together():
    claims = [
        {"text": text, "citations": [{"source_id": f"ID:{n}"}]}
        for n, text in enumerate(["Ropes wear.", "Four turns stay."])
    ]
    assert cited(json.dumps({"claims": claims}), sources_of(ROPES)) == [ROPE, TURNS]
    assert cited(json.dumps({"claims": claims[1:]}), sources_of(ROPES)) == [OPEN]


# answer over ROPES, bucket, cause: what is open is neither shown nor accused
SCORED = [
    ("Four turns stay on the drum [ID:1].", "unknown", "undecided", "right if it counts from 0"),
    ("A rope with a broken strand is taken out of use [ID:1].", "unknown", "undecided", "right if it counts from 1"),
    ("A rope with a broken strand is taken out of use {{source:0}}.", "correct", None, "decided by the 0"),
    ("Four turns stay on the drum ##0$$.", "unsupported", "miscited", "decided by the 0, and wrong"),
    ("Four turns stay on the drum [ID:8].", "unsupported", "invented_source", "in no count"),
]


@pytest.mark.parametrize(("answer", "bucket", "cause", "source"), SCORED)
def test_what_is_open_is_unknown(answer, bucket, cause, source):
    record = Record(id="r", question="What is so?", retrieved=tuple(sources_of(ROPES)), answer=answer)
    card = showable.score(record, judge="lexical")
    assert (card.bucket, card.cause) == (bucket, cause), source
    if bucket == "unknown":
        (finding,) = [f for f in card.findings if f.code == "resolvability.not_retrieved"]
        assert finding.outcome == "unknown"
        assert "c1a9" in finding.reason
