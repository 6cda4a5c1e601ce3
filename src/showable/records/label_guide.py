"""What a reviewer is asked, in the words that stand on the page beside the keys. A change of a word is another rubric."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal

from showable.records.wire import Many, Wire

About = Literal["support", "bucket", "refusal_quality", "extra_claims", "claim_kind", "comment"]
LABEL_SCHEMA = "1"
"""Raised with every change of what a label holds. The texts have digests of their own."""


class Choice(Wire):
    """One answer that may be given: the value written down, the key that gives it, its name, and when it is right."""

    value: str | int
    key: str
    name: str
    when: str


class Guide(Wire):
    """A question put to the reviewer, the rule for it, and the answers to choose from (none where it is free)."""

    asks: str
    rule: str
    choices: Many[Choice] = ()


GUIDE: Mapping[About, Guide] = {
    "support": Guide(
        asks="Does the cited passage, read alone, say what the claim says?",
        rule=(
            "Judge by the passage only: not by what you know, not by the other passages, not by whether the claim is true."
            " Numbers, dates, names, negations and conditions count."
        ),
        choices=(
            Choice(value="supported", key="s", name="Supported", when="Everything that the claim asserts is in the passage."),
            Choice(value="partial", key="p", name="Partial", when="Some of what is asserted is there, some is not."),
            Choice(value="unsupported", key="u", name="Not supported", when="The passage does not say it, though it may be about it."),
            Choice(value="contradicted", key="c", name="Contradicted", when="The passage says something that cannot hold together with the claim."),
            Choice(value="cannot_tell", key="x", name="Cannot tell", when="The passage is cut off, garbled, or needs expertise that you do not have."),
        ),
    ),
    "bucket": Guide(
        asks="May this answer be shown?",
        rule="Judge the whole answer by its worst claim: one wrong claim among nine right ones makes it wrong.",
        choices=(
            Choice(value="correct", key="1", name="Correct", when="All that is asserted is right, and its citations say so."),
            Choice(value="wrong", key="2", name="Wrong", when="Something asserted is false, or answers another question than was asked."),
            Choice(value="unsupported", key="3", name="Unsupported", when="Something asserted is not shown by what it cites: true or not."),
            Choice(value="refused", key="4", name="Refused", when="It declines, or asks back, and asserts nothing in place of an answer."),
            Choice(value="cannot_tell", key="5", name="Cannot tell", when="You would have to look further than this page to say."),
        ),
    ),
    "refusal_quality": Guide(
        asks="How good is the refusal?",
        rule="One point each: it says why; it points to the closest evidence or a next step; it does so without false urgency.",
        choices=(
            Choice(value=0, key="0", name="0", when="A flat refusal: none of the three."),
            Choice(value=1, key="1", name="1", when="One of the three."),
            Choice(value=2, key="2", name="2", when="Two of the three."),
            Choice(value=3, key="3", name="3", when="It says why, points on, and is calm."),
        ),
    ),
    "extra_claims": Guide(
        asks="How many sentences assert a fact without a citation?",
        rule="Count sentences that state a fact and carry no citation of their own. Greetings, hedges without a fact and offers of help do not count.",
    ),
    "claim_kind": Guide(
        asks="What kind of claim is it?",
        rule="One word of the profile's list where it has one (holding, dosage, quotation …). Leave it where none fits.",
    ),
    "comment": Guide(
        asks="Anything that the next reader should know?",
        rule="Free text. It is kept with your labels and never shown to a model.",
    ),
}  # fmt: skip


def guide_text(about: About) -> str:
    """Write a guide out as one text: what `guide_digest` is taken of, and what a store keeps beside its labels."""
    guide = GUIDE[about]
    lines = [guide.asks, guide.rule, *(f"{one.value}: {one.name}. {one.when}" for one in guide.choices)]
    return "\n".join(lines)


def guide_digest(about: About) -> str:
    """Return the digest of a guide's text, with the version of the label schema before it: ``1-3f9a2c``."""
    return f"{LABEL_SCHEMA}-{hashlib.blake2b(guide_text(about).encode(), digest_size=3).hexdigest()}"
