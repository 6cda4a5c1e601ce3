"""Kinds of answers met in the field that are still decided wrongly: they take a reader of English, not a grammar of marks.

Every row is what should come out; a row that comes out right fails here, and then moves to the tests of what does it.
"""

from __future__ import annotations

import pytest

import showable

SHED = "The shed is insured for 40,000 euros. Claims are sent in within ten days."
POOL = "The pool opens at seven. Children under eight swim with an adult."
LOG = [{"source_id": "shed", "text": SHED}, {"source_id": "pool", "text": POOL}]

# answer, what its bucket may be, the kind
REFUSALS = [
    ("Naming the person in charge is not something that can be done here.", {"refused"}, "refusal wording missed"),
    ("[NO ANSWER]", {"refused"}, "refusal wording missed"),
    ("\\text{[UNK]}", {"refused"}, "refusal wording missed"),
    ("One cannot say with any confidence which of them it was.", {"refused"}, "refusal wording missed"),
]
# a source's text, an answer that cites it, what its bucket may be, the kind
LACKING = [
    ("The search of the cellar found papers about the sale.", "The search of the cellar found no information about the sale [s].", {"unsupported", "wrong"}),
]  # fmt: skip
# the same, which the reader reads against the rules
LACKED = [
    ("The auditor had no data about the roof.", "The auditor had no data about the roof [s].", {"correct"}),
    ("The auditor had ample data about the roof.", "The auditor had no data about the roof [s].", {"unsupported", "wrong"}),
    ("The board had no information on the price when it signed.", "The board had no information on the price when it signed [s].", {"correct"}),
    ("The board had full information on the price when it signed.", "The board had no information on the price when it signed [s].", {"unsupported", "wrong"}),
    ("The phone stores data on your calls.", "The phone stores no data on your calls [s].", {"unsupported", "wrong"}),
]  # fmt: skip
# an answer over LOG, what its bucket may be, the kind
LEAD_INS = [
    ("Here's the sum: the shed is insured for 90,000 euros [shed]. Claims are sent in within ten days [shed].", {"unsupported", "wrong"}),
    ("Here is what is on file: the pool opens at noon [pool]. Children under eight swim with an adult [pool].", {"unsupported", "wrong"}),
    ("I can't open your file, but here's the sum: 90,000 euros for the shed [shed].", {"unsupported", "wrong"}),
    ("Have you seen that the pool opens at noon [pool]? Children under eight swim with an adult [pool].", {"unsupported", "wrong"}),
    ("Here's what I see: the pool opens at seven [pool].", {"correct"}),
]  # fmt: skip
BEFORE = [
    ("I'm sorry to say children under eight swim with an adult [pool].", {"correct"}),
]
CAUSES = [
    ("Nobody can be certain of the order, yet likely reasons are: the pool opening at seven [pool]; claims being sent in within ten days [shed].", {"correct"}),
]  # fmt: skip
PAIRS = [
    ("The filter removes sand from the water.", "The filter removes sand and oil from the water [s]."),
    ("Kim asked for two new keys on Monday.", "Kim and the treasurer asked for two new keys on Monday [s]."),
]
MEMBERS = [
    ("The shed and the garage are insured for 40,000 euros [shed].", {"unsupported", "wrong", "unknown"}),
]


def bucket(answer, log=LOG):
    return showable.score({"id": "r", "question": "What is so?", "retrieved": log, "answer": answer}).bucket


TAKEN_OFF = [
    ("According to Source 2, the pool opens at seven [2].", {"correct"}),
    ("Per passage 2, the pool opens at seven [2].", {"correct"}),
    ("Going by document 2, the pool opens at seven [2].", {"correct"}),
    ("As set out in Source 1, claims are sent in within ten days [1].", {"correct"}),
    ("Source 2 makes clear that the pool opens at seven [2].", {"correct"}),
    ("Which came first cannot be told, but it may be due to: the pool opening at seven [pool]; claims being sent in within ten days [shed].", {"correct"}),
]  # fmt: skip
KINDS = [
    *[(answer, [{"source_id": "s", "text": text}], buckets, "another's lack of information") for text, answer, buckets in LACKING],
    *[(answer, LOG, buckets, "a list of causes judged as one") for answer, buckets in CAUSES],
]  # fmt: skip


@pytest.mark.xfail(strict=True, reason="it takes a model that reads roles and claims")
@pytest.mark.parametrize(
    ("answer", "log", "buckets", "kind"), KINDS, ids=[f"{kind}: {answer[:40]}" for answer, _, _, kind in KINDS]
)
def test_what_a_reader_of_english_should_get_right(answer, log, buckets, kind):
    assert bucket(answer, log) in buckets, kind


# beside them, what comes out right and must stay so
RIGHT = [
    *[(answer, [{"source_id": "s", "text": text}], buckets) for text, answer, buckets in LACKED],
    *[(answer, LOG, buckets) for answer, buckets, _ in REFUSALS],
    *[(answer, LOG, buckets) for answer, buckets in MEMBERS],
    *[(answer, [{"source_id": "s", "text": text}], {"unsupported", "wrong", "unknown"}) for text, answer in PAIRS],
    *[(answer, LOG, buckets) for answer, buckets in (*TAKEN_OFF, *LEAD_INS, *BEFORE)],
    ("The documents do not say who is in charge.", LOG, {"refused"}),
    ("As a language model I have no way of giving you the name.", LOG, {"refused"}),
    ("That name is beyond what I am able to supply.", LOG, {"refused"}),
    (
        "The inspectors found no leaks in the roof [s].",
        [{"source_id": "s", "text": "The inspectors found no leaks in the roof."}],
        {"correct"},
    ),
    (
        "Gladly: the pool opens at noon [pool]. Children under eight swim with an adult [pool].",
        LOG,
        {"unsupported", "wrong"},
    ),
    ("Children under eight swim with an adult and a lifeguard [pool].", LOG, {"unsupported", "wrong", "unknown"}),
    ("The pool opens at seven [pool].", LOG, {"correct"}),
    ("The pool opens at noon [pool].", LOG, {"unsupported", "wrong"}),
    ("The shed is insured for 40,000 euros [shed]. The pool opens at seven [pool].", LOG, {"correct"}),
    ("I could not find the premium.", LOG, {"refused"}),
    ("Claims are sent in within ninety days [shed].", LOG, {"unsupported", "wrong"}),
]


@pytest.mark.parametrize(("answer", "log", "buckets"), RIGHT)
def test_what_is_right_beside_them(answer, log, buckets):
    assert bucket(answer, log) in buckets
