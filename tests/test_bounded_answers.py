"""What an answer may cost is bounded, and what is beyond the bound is unknown, with the reason; nothing ends a run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from showable import evaluate, score
from showable.evaluation import evaluate_one, regrade_one
from showable.gather import MOST_JUDGED
from showable.judges.lexical import LexicalJudge
from showable.judges.lexical.judge import read_claim
from showable.judges.lexical.passage import read_passage
from showable.judges.lexical.signs import read_signs
from showable.measure.rubric_outcomes import rubric_outcomes
from showable.read.answer import LONGEST_ANSWER, MOST_CLAIMS
from showable.read.quantities import QuantityIndex, find_quantities, same_quantity
from showable.read.question_focus import focus
from showable.read.scan.everything import scan
from showable.records import Cost, Pair, Record, Verdict
from showable.records.findings import Outcome
from showable.rubrics import grade as grade_room
from showable.rubrics.gold_agreement import MOST_STATEMENTS
from showable.rubrics.quotes import LONGEST_APPROXIMATE
from showable.rubrics.quotes import find_quote as find_in_source

PASSAGE = "The notice period is thirty (30) days."
ONE = "The notice period is 30 days [lease]. "


def record(answer: object, **fields: object) -> Record:
    source = {"source_id": "lease", "text": PASSAGE}
    return Record.model_validate(
        {"id": "q", "question": "What is the notice period?", "retrieved": [source], "answer": answer} | fields
    )


# Unseen characters: security test B1.


@pytest.mark.parametrize(
    ("unseen", "source"),
    [
        ("\x92", "an apostrophe of Windows-1252 read as Latin-1"),
        ("\x07", "BEL"),
        ("\x1b", "ESC"),
        ("\x00", "NUL"),
        ("a\u202eb", "a mark of direction"),
        ("\u200da", "a joiner"),
        ("a\U000e0041", "a tag character"),
    ],
)
@pytest.mark.parametrize("times", [255, 256, 257, 514, 1_000])
def test_many_unseen_characters_are_scanned(unseen: str, times: int, source: str) -> None:
    found = scan(f"The tenant{unseen}s notice. " * times)
    assert found, source
    assert all(one.code for one in found), source


def test_what_follows_256_unseen_characters_has_a_code_of_its_own() -> None:
    codes = {one.code for one in scan("The tenant\x92s notice. " * 300)}
    assert codes == {"U+0092", "more"}


def test_an_answer_full_of_unseen_characters_is_graded() -> None:
    card = score(record("The tenant\x92s notice period is 60 days [ghost-2021]. " * 257), judge="lexical")
    assert card.bucket in {"wrong", "unsupported"}
    assert any(finding.code == "structural.invisible_prose" for finding in card.findings)


# One answer's unforeseen exception: security test B1.


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the grading of whatever says "broken" raise what nobody foresaw."""
    graded = grade_room.check_scans

    def check_scans(reading, *rest):
        if "broken" in reading.text:
            raise IndexError("tuple index\nout of range")
        return graded(reading, *rest)

    monkeypatch.setattr(grade_room, "check_scans", check_scans)


@pytest.mark.usefixtures("broken")
def test_an_exception_is_an_unknown_of_its_record() -> None:
    rows = [record(ONE, id=f"q{n}") for n in range(5)]
    rows[2] = record("It is broken [lease].", id="q2")
    result = evaluate(rows, judge="lexical")
    assert [card.bucket for card in result] == ["correct", "correct", "unknown", "correct", "correct"]
    failed = result.scorecards[2]
    assert failed.why == "it could not be scored: IndexError: tuple index out of range"
    assert [(one.code, str(one.outcome)) for one in failed.findings] == [("scoring.failed", "unknown")]
    assert set(rubric_outcomes(failed)) == {Outcome.UNKNOWN}
    assert failed.question_hash == score(record(ONE), judge="lexical").question_hash
    assert result.summary.buckets["unknown"] == 1


@pytest.mark.usefixtures("broken")
def test_score_and_regrade_give_the_reason() -> None:
    given = record("It is broken [lease].")
    assert score(given, judge="lexical").why.startswith("it could not be scored: IndexError")
    evidence = asyncio.run(evaluate_one(record(ONE), LexicalJudge())).evidence
    assert regrade_one(given, evidence).why.startswith("it could not be scored: IndexError")


@pytest.mark.usefixtures("broken")
def test_score_on_the_command_line_goes_on(tmp_path, cli):
    rows = [record(ONE, id="a"), record("It is broken [lease].", id="b"), record(ONE, id="c")]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(row.model_dump_json(exclude_none=True) + "\n" for row in rows))
    code, out, err = cli("score", file, "--judge", "lexical", "--out", tmp_path / "run", "--json")
    document = json.loads(out)
    assert code == 3, err
    assert "Traceback" not in err
    assert (document["buckets"]["correct"], document["buckets"]["unknown"]) == (2, 1)
    assert document["calls"]["judge"] == {"made": 3, "failures": {"scoring": 1}}
    assert cli("score", file, "--judge", "lexical", "--out", tmp_path / "again", "--max-failures", "50%")[0] == 0


# Claims and characters of an answer: security tests B4 and B19.


class Counting:
    """Supports everything, and counts what it is asked."""

    name, prompt_hash = "counting@1", None

    def __init__(self) -> None:
        self.asked: list[Pair] = []

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.asked += pairs
        return [Verdict(label="supported", judge=self.name, cost=Cost(calls=1)) for _ in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        return Cost(calls=len(pairs))


def test_equal_pairs_are_judged_once() -> None:
    judge = Counting()
    evidence = asyncio.run(evaluate_one(record(ONE * 400), judge)).evidence
    assert len(judge.asked) == 1
    assert len(evidence.pairs) == 400
    assert evidence.cost.calls == 1


@pytest.mark.parametrize(
    ("claims", "bucket", "judged"), [(MOST_JUDGED, "correct", MOST_JUDGED), (MOST_JUDGED + 1, "unknown", MOST_JUDGED)]
)
def test_so_many_claims_are_judged(claims: int, bucket: str, judged: int) -> None:
    judge = Counting()
    card = score(record("".join(f"Item {n} is due [lease]. " for n in range(claims))), judge=judge)
    assert (card.bucket, len(judge.asked), len(card.claims)) == (bucket, judged, claims)
    said = [one.reason for one in card.findings if one.code == "semantic.unjudged"]
    assert len(said) == claims - judged
    assert all(f"the first {MOST_JUDGED}" in reason for reason in said)


def test_claims_that_are_not_judged_are_still_joined() -> None:
    text = "".join(f"Item {n} is due [lease]. " for n in range(MOST_JUDGED)) + "The deposit is due [ghost-2021]."
    card = score(record(text), judge=Counting())
    assert (card.bucket, card.cause, card.citation_exists) == ("unsupported", "invented_source", Outcome.FAIL)
    assert "resolvability.not_retrieved" in {one.code for one in card.findings if one.outcome is Outcome.FAIL}


LONG = ONE * (LONGEST_ANSWER // len(ONE) + 1)


@pytest.mark.parametrize(
    ("answer", "reason", "source"),
    [
        (LONG, "characters is not read", "64,000 cited sentences"),
        ({"claims": [{"text": LONG}]}, "characters is not read", "one long claim"),
        ({"claims": [{"text": "a", "citations": [{"quoted_span": LONG}]}]}, "characters is not read", "a long quote"),
        ({"claims": [], "text": LONG}, "characters is not read", "a long text beside the claims"),
        ({"claims": [{"text": "a"}] * (MOST_CLAIMS + 1)}, "claims or citations is not read", "many claims"),
        ({"claims": [{"text": "a", "citations": [{"source_id": "b"}] * (MOST_CLAIMS + 1)}]}, "not read", "citations"),
        ("- a\n" * (MOST_CLAIMS + 1), "claims or citations is not read", "many items"),
        ({"claims": [{"text": "a"}], "text": "- a\n" * (MOST_CLAIMS + 1)}, "not read", "many items beside a claim"),
    ],
)
def test_what_is_too_long_is_unknown(answer: object, reason: str, source: str) -> None:
    card = score(record(answer), judge="lexical")
    assert (card.bucket, card.cause) == ("unknown", "unparsed"), source
    assert any(reason in finding.reason for finding in card.findings), source


def test_gold_is_not_compared_with_endless_statements() -> None:
    text = "".join(f"Acme Holdings leases floor {n} [lease]. " for n in range(MOST_STATEMENTS + 1))
    card = score(record(text, gold={"answer": "Acme Holdings"}), judge=Counting())
    assert (card.bucket, card.gold_agreement) == ("unknown", "unknown")


# The same answers as before, by other means.


@pytest.mark.parametrize(
    ("question", "stems", "source"),
    [
        ("Answer as an analyst. What is the fee?", {"fee"}, "the instruction is left out"),
        ("The lease v1.2 says so: what is the fee? Thanks.", {"fee"}, "a stop inside a word ends nothing"),
        ("What is the fee", {"fee"}, "no question mark"),
        ("Context!\nWhat is the fee? And the rent?", {"fee", "rent"}, "two questions"),
        ("", set(), "nothing"),
    ],
)
def test_the_question_proper_is_found(question: str, stems: set[str], source: str) -> None:
    assert focus(question).stems == stems, source


AMOUNTS = ("30 days", "thirty days", "a month", "5 %", "5.0 %", "$1.58 million", "1,577 thousand dollars", "(1.2)", "-1.2", "1.2",
           "May 5, 2020", "5/6/2020", "2020", "Q3 2020", "12 mg", "0.012 g", "1 L", "600 mL", "2 billion", "third", "5:30")  # fmt: skip


@given(st.lists(st.sampled_from(AMOUNTS), max_size=12), st.sampled_from(AMOUNTS))
def test_the_index_finds_what_comparing_one_by_one_finds(stated: list[str], sought: str) -> None:
    theirs, ours = find_quantities("; ".join(stated)), find_quantities(sought)
    index = QuantityIndex(theirs)
    for quantity in ours:
        same = [other for other in theirs if same_quantity(other, quantity)]
        assert index.same(quantity) == same
        assert index.has(quantity) == bool(same)


@pytest.mark.parametrize(
    ("claim", "window", "source"),
    [
        ("red fox", "A red fox ran.", "the shortest of equals"),
        ("green owl", "The green hat. An owl sat.", "two sentences where none has both"),
        ("blue whale sang", "A blue sky. The whale dived. It sang.", "three"),
        ("slept owl", "The cat slept.", "the earliest of equals, as they stand too far apart"),
    ],
)
def test_the_best_window(claim: str, window: str, source: str) -> None:
    text = "A red fox ran. The cat slept. It rained. The green hat. An owl sat. A red fox ran. A blue sky. The whale dived. It sang."
    passage = read_passage(text)
    low, high = read_signs(read_claim(claim)[1], claim, passage).coverage.window
    assert text[passage.words.starts[low] : passage.words.ends[high - 1]] + "." == window, source


@pytest.mark.parametrize(
    ("claim", "read", "source"),
    [
        ("The fee is due   [1].", "The fee is due.", "blanks before a marker"),
        ("The fee is due¹² .", "The fee is due .", "a superscript"),
        ("The fee [2, 3] is m² large", "The fee is m large", "a superscript at a blank is read as a marker, as before"),
        ("x" + " " * 30 + "y", "x" + " " * 30 + "y", "blanks before nothing"),
    ],
)
def test_markers_of_a_claim_are_passed_over(claim: str, read: str, source: str) -> None:
    assert read_claim(claim)[0] == read, source


def test_citations_are_left_out_one_by_one_where_they_are_few() -> None:
    class Joined(Counting):
        """Supports a claim by nothing but many sources joined."""

        async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
            self.asked += pairs
            return [
                Verdict(label="supported" if "\n\n" in pair.passage else "unsupported", judge=self.name)
                for pair in pairs
            ]

    for many, left_out in ((30, 30), (31, 0)):
        sources = [{"source_id": f"s{n}", "text": f"Part {n}."} for n in range(many)]
        given = record("The fee is due " + "".join(f"[s{n}]" for n in range(many)) + ".", retrieved=sources)
        evidence = asyncio.run(evaluate_one(given, Joined())).evidence
        assert sum(pair.role == "leave_one_out" for pair in evidence.pairs) == left_out


def test_a_long_quotation_is_found_where_it_stands_as_it_is() -> None:
    text = " ".join(f"Clause {n} binds the tenant." for n in range(200))
    quote = text[: LONGEST_APPROXIMATE + 500].rsplit(" ", 1)[0]
    assert find_in_source(quote, text).match == "verbatim"
    assert find_in_source(quote.upper(), text).match == "normalised"
    assert find_in_source(quote.replace("Clause 3 ", "Clause x "), text).match == "absent"
