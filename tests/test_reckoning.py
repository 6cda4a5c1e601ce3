"""What a claim reckons from its passage comes out, does not, or has nothing to come from."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.api import score
from showable.records import Cost, Pair, Verdict
from showable.records.record import Record, Source, Turn
from showable.rubrics.marks import settled_by_marks
from showable.rubrics.reckoning import reckon

REVENUE = (
    "Revenue was £100 million in 2022 and £120 million in 2023. Profit was £15 million in 2022 and £12 million in 2023."
)
LEAVE = "Employees have 25 days of annual leave and 3 days of care leave."
LEASE = "The lease began on 1 March 2019. The deposit was returned on 14 September 2021, after the lease had ended on 31 August 2021."
LIST = "The following documents must be enclosed:\n- a passport\n- proof of address\n- a bank statement\n"
BUDGET = "| € thousand | 2024 | 2025 |\n|---|---|---|\n| Schools | 4,200 | 4,410 |\n| Roads | 1,850 | 1,665 |\n| Parks | 950 | 975 |\n"

ROWS = [  # passage, claim, outcomes; by hand
    (REVENUE, "Revenue grew by 20 %.", ["holds"]),
    (REVENUE, "Revenue grew by 35 %.", ["fails"]),
    (REVENUE, "Revenue fell by 20 %.", ["open"]),  # profit did
    (REVENUE, "Profit declined by a fifth.", ["holds"]),
    (REVENUE, "Revenue was £120 million in 2023.", []),
    (REVENUE, "Revenue rose: £120 million − £100 million = £20 million.", ["holds"]),
    (REVENUE, "Revenue rose: £120 million − £100 million = £25 million.", ["fails"]),
    (REVENUE, "Revenue rose: £120 million − £90 million = £30 million.", ["no_operands"]),
    (LEAVE, "Annual leave and care leave come to 28 days together.", ["holds"]),
    (LEASE, "The lease lasted 30 months.", ["holds"]),
    (LIST, "Three documents are listed.", ["holds"]),
    (LIST, "Four documents are listed.", ["fails"]),
    (BUDGET, "Schools take 60 % of the 2024 budget.", ["holds"]),
    (BUDGET, "The budget for roads falls by 10 %.", ["holds"]),
    (BUDGET, "The budget for roads falls by 15 %.", ["fails"]),
    ("The container weighs 2,300 kg.", "The container weighs 2.3 tonnes.", ["holds"]),
    ("The room is kept at 4 °C.", "The room is kept at 39 °F.", ["holds"]),
]


@every_row("passage, claim, outcomes", ROWS)
def test_reckonings_come_out_or_not(passage: str, claim: str, outcomes: list[str]) -> None:
    assert [found.outcome for found in reckon(claim, passage)] == outcomes


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 900), st.integers(2, 900))
def test_a_sum_written_out_is_right_only_if_it_is(first: int, second: int) -> None:
    passage = f"The hall has {first} seats and the balcony {second}."
    for total, outcome in ((first + second, "holds"), (first + second + 7, "fails")):
        steps = reckon(f"Together they have {first} + {second} = {total}.", passage)
        assert steps[0].outcome == outcome


class _Unsure:
    """A judge that finds every claim likely, so that what is refused was refused by marks."""

    name, prompt_hash = "unsure@1", None

    async def verdicts(self, pairs: list[Pair]) -> list[Verdict]:
        await asyncio.sleep(0)
        return [Verdict(label="supported", judge=self.name, p=0.9) for _ in pairs]

    def estimate(self, pairs: list[Pair]) -> Cost:
        return Cost(calls=len(pairs))


def _record(answer: str, *texts: str, **more: object) -> Record:
    sources = tuple(Source(source_id=f"s{n}", text=text) for n, text in enumerate(texts, 1))
    return Record(id="r", question="How did it develop?", retrieved=sources, answer=answer, **more)


def test_a_miscalculation_is_a_cause_of_its_own() -> None:
    card = score(_record("Revenue grew by 35 % [s1].", REVENUE), judge=_Unsure())
    assert (card.bucket, card.cause) == ("wrong", "miscalculated")
    (finding,) = [f for f in card.findings if f.code == "semantic.miscalculated"]
    assert "is 20 %, not 35 %" in finding.reason


def test_operands_of_two_sources_are_read_together() -> None:
    texts = ("The Harlow site has 62 docks.", "The Selby site has 45 docks.")
    assert score(_record("Together the sites have 107 docks [s1][s2].", *texts), judge="lexical").bucket == "correct"


def test_a_follow_up_is_judged_with_its_question_and_no_earlier_answer() -> None:
    table = "| Staff | Notice (days) |\n|---|---|\n| Full-time | 30 |\n| Part-time | 14 |\n"
    said = (
        Turn(role="user", text="What notice must full-time staff give?"),
        Turn(role="assistant", text="30 days [s1]."),
    )
    for answer, bucket in (("30 days [s1].", "wrong"), ("14 days [s1].", "correct")):
        record = _record(answer, table, history=said).model_copy(update={"question": "And part-time staff?"})
        whole = record.model_copy(update={"standalone_question": "What notice must part-time staff give?"})
        assert score(whole, judge=_Unsure()).bucket == bucket


def test_a_value_of_what_was_asked_before_is_not_of_what_is_asked_now() -> None:
    text = "Full-time staff give notice of 30 days. For part-time staff it is 14 days."
    said = (
        Turn(role="user", text="What notice must full-time staff give?"),
        Turn(role="assistant", text="30 days [s1]."),
    )
    asked = {"question": "And part-time staff?", "standalone_question": "What notice must part-time staff give?"}
    for answer, bucket in (("30 days [s1].", "wrong"), ("14 days [s1].", "correct")):
        assert score(_record(answer, text, history=said).model_copy(update=asked), judge=_Unsure()).bucket == bucket


def test_a_failed_call_stays_failed() -> None:
    failed = Verdict(label="unknown", judge="x", reason="down", failure="503")
    assert settled_by_marks(Pair("Revenue grew by 20 %.", REVENUE), failed, own=True) is failed


def test_a_finding_names_the_search_that_brought_its_passage() -> None:
    record = _record("The deposit is two months' rent [s1].", "Rent is due monthly.")
    found = {"step": 2, "tool": "search_leases", "query": "rent due"}
    source = Source.model_validate({"source_id": "s1", "text": "Rent is due monthly.", "retrieval": found})
    card = score(record.model_copy(update={"retrieved": (source,)}), judge="lexical")
    (finding,) = [f for f in card.findings if f.code == "semantic.not_entailed"]
    assert "'s1' was brought by step 2, search_leases, \"rent due\"" in finding.reason
    assert "none of 1 searches looked for it" in finding.reason
