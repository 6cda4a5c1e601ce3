"""Characters that do not show: in an id, an address or a mark they hold an answer, in quotations and prose by the profile's rule."""

from __future__ import annotations

import asyncio

import pytest

from showable.evaluation import evaluate_one
from showable.profiles.load import load_profile
from showable.records import Record
from showable.records.evidence import Cost, Verdict
from showable.records.profile import Profile

TEXT = "The notice period is thirty days. Rent is due in May."


class Sure:
    name, prompt_hash = "sure@1", None

    async def verdicts(self, pairs):
        return [Verdict(label="supported", judge=self.name, p=0.95) for _ in pairs]

    def estimate(self, pairs):
        return Cost()


def verdict(answer: object, profile: Profile) -> str:
    log = [{"source_id": "lease", "text": TEXT, "url": "https://docs.example.org/lease"}]
    record = Record.model_validate({"id": "q", "question": "How long is notice?", "retrieved": log, "answer": answer})
    release = asyncio.run(evaluate_one(record, Sure(), profile)).scorecard.release
    assert release is not None
    return release.verdict


def cited(**fields: str) -> dict:
    citation = {"source_id": "lease", "quoted_span": "thirty days"} | fields
    return {"claims": [{"text": "Notice is thirty days.", "citations": [citation]}], "refusal": "none"}


CASES = [
    # answer, under the rule "hold", under "finding", why
    (cited(), "show", "show", "nothing is hidden"),
    (cited(quoted_span="thirty\u200b days"), "hold", "show", "a space of no width in a quotation"),
    (cited(quoted_span="thir\u2060ty days"), "hold", "show", "a joiner of words in a quotation"),
    (cited(source_id="lea\u200bse"), "hold", "hold", "in an id"),
    (cited(url="https://docs.example.org/lea\u200bse"), "hold", "hold", "in an address"),
    ("Notice is thirty days [lease].", "show", "show", "nothing is hidden"),
    ("No\u200btice is thirty days [lease].", "hold", "show", "a space of no width in a word"),
    ("Notice is\ufeff thirty days [lease].", "hold", "show", "a byte order mark amid the words"),
    ("Notice is thirty\u200b days [lease].", "hold", "show", "a space of no width between words"),
    ("Notice is thirty days [lea\u200bse].", "hold", "hold", "in a mark"),
    ("Notice is \u202ethirty\u202c days [lease].", "hold", "hold", "an override, which no typesetting leaves"),
    ("No\u00adtice is thirty days [lease].", "show", "show", "a soft hyphen leaves the meaning alone"),
    ("\ufeffNotice is thirty days [lease].", "show", "show", "a byte order mark in front"),
    ("Notice is thirty days 👨\u200d👩\u200d👧 [lease].", "show", "show", "an emoji is joined"),
    ("Notice is thirty\u00a0days [lease].", "show", "show", "a space that breaks no line"),
    ("Notice is thirty days, ประกาศ\u200bล่วงหน้า [lease].", "show", "show", "Thai has no blanks between words"),
]


@pytest.mark.parametrize(("answer", "held", "found", "why"), CASES, ids=[row[-1] for row in CASES])
def test_hidden_characters(answer: object, held: str, found: str, why: str) -> None:
    for profile in ("general", "research", "news"):
        assert verdict(answer, load_profile(profile)) == held, (profile, why)
    lenient = load_profile("general").model_copy(update={"hidden_characters": "finding"})
    assert verdict(answer, lenient) == found, why
