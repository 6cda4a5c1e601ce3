"""A refusal that says what it has no answer to is shown under every profile; what is held is replaced by words that are true."""

from __future__ import annotations

import asyncio

import pytest

from showable.evaluation import evaluate_one
from showable.profiles.load import load_profile
from showable.records import Record
from showable.records.evidence import Cost, Verdict
from showable.records.scorecard import Scorecard

LOG = [
    {"source_id": "a", "text": "The supplier's liability is capped at the fees paid. Tolvarine is approved for adults."}
]


class Sure:
    name, prompt_hash = "sure@1", None

    def __init__(self, label: str = "supported"):
        self.label = label

    async def verdicts(self, pairs):
        return [Verdict(label=self.label, judge=self.name) for _ in pairs]

    def estimate(self, pairs):
        return Cost()


def scored(answer: object, profile: str, label: str = "supported", **more: object) -> Scorecard:
    row = {"id": "q", "question": "Is the cap in clause 9 acceptable?", "retrieved": LOG, "answer": answer, **more}
    return asyncio.run(evaluate_one(Record.model_validate(row), Sure(label), load_profile(profile))).scorecard


SHOWN = [
    # profile, refusal
    ("legal", "I do not have a standard for this clause."),
    ("legal", "I do not have a standard for this clause"),
    ("legal", "I have no benchmark for this provision."),
    ("legal", "I cannot find a playbook position on this clause."),
    ("legal", "I couldn't confirm that this authority is still good law."),
    ("news", "I could not verify this source within the deadline window."),
    ("news", "I couldn't reach the source before the deadline."),
    ("news", "I was unable to confirm the quote before publication."),
    ("medical", "I have no dosing information for this population."),
    ("medical", "I cannot verify this interaction from the sources I have."),
    ("medical", "I do not have evidence for this indication."),
    ("research", "I could not find a paper that reports this."),
]


@pytest.mark.parametrize(("profile", "refusal"), SHOWN)
@pytest.mark.parametrize("form", ["text", "structured"])
def test_a_refusal_that_names_its_subject_is_shown(profile: str, refusal: str, form: str) -> None:
    answer = refusal if form == "text" else {"claims": [], "refusal": "no_evidence", "text": refusal}
    card = scored(answer, profile)
    assert card.bucket == "refused"
    assert card.release is not None
    assert (card.release.verdict, card.release.text) == ("show", None)


HELD = [
    ("legal", "I don't know.", "it only declines"),
    ("news", "No idea.", "it only declines"),
    ("medical", "I cannot answer this question.", "it only declines"),
    ("medical", "I have no dosing information for this population. Call 911 immediately!!", "a false alarm"),
]


@pytest.mark.parametrize(("profile", "refusal", "why"), HELD)
def test_what_a_refusal_is_held_for_is_told_truly(profile: str, refusal: str, why: str) -> None:
    card = scored(refusal, profile)
    assert card.bucket == "refused"
    assert card.release is not None
    assert card.release.verdict == "hold", why
    said = card.release.text or ""
    assert "declined" in said
    assert not {"authority", "report", "source", "citation", "911"} & set(said.lower().replace(".", "").split())


REPLACED = [
    # answer, label of the judge, more of the record, whether the text speaks of an authority, why
    ("The cap is the fees paid [a].", "unsupported", {}, True, "a citation does not support its claim"),
    ("The cap is the fees paid [zz].", "supported", {}, True, "a citation leads nowhere"),
    ("The cap is twice the fees paid.", "unsupported", {}, False, "nothing is cited"),
    ("The cap is the fees paid [a].", "supported", {"gold": {"answer": "Ten million euros"}}, False, "only gold speaks against it"),
    ("The cap is the fees\u202e paid [a].", "supported", {}, False, "it hides characters"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "label", "more", "speaks", "why"), REPLACED, ids=[row[-1] for row in REPLACED])
def test_the_words_shown_instead_are_true(answer: str, label: str, more: dict, speaks: bool, why: str) -> None:
    release = scored(answer, "legal", label, **more).release
    assert release is not None
    assert release.verdict == "hold", why
    assert ("at least one authority" in (release.text or "")) == speaks, (why, release.text)
