"""What a court held is borne out by its own words alone: not by a dissent's, a summary's, or what it left undecided."""

from __future__ import annotations

import pytest
from tables import every_row
from test_named_scores import ByPassage

import showable
from showable.records import Source
from showable.rubrics.opinion_voices import voice_at, voice_of

RULE = "A letter stops time where it names the claimant and the sum."
HOLDING = "The court held that a letter stops time where it names the claimant and the sum [s1]."
OTHER = "The order of the tribunal is set aside and the matter is sent back."

SOURCES = [
    # ((text before the rule, rule), metadata, title, whose words, source). Hand-made after how reporters print opinions; the rows
    # of the court are neighbours that look like the others.
    (("Lathbury JA (dissenting). ", RULE), {}, None, "dissent", "a signature with the word in brackets, as in Commonwealth reports"),
    (("JUSTICE ORRIN, with whom JUSTICE SEFTON joins, dissenting.\n\n", RULE), {}, None, "dissent", "as in the U.S. Reports"),
    (("Orrin, J., dissenting:\n", RULE), {}, None, "dissent", "as in state reports"),
    (("Chief Justice Orrin, concurring in part and dissenting in part.\n", RULE), {}, None, "concurrence", "partly either"),
    (("Sefton, J., concurring in the judgment.\n", RULE), {}, None, "concurrence", "agreement in the result alone"),
    (("DISSENTING OPINION OF JUDGE ORRIN\n\n", RULE), {}, None, "dissent", "a heading, as in international courts"),
    (("Dissent\n\n", RULE), {}, None, "dissent", "a heading of one word"),
    ((f"{OTHER}\n\nOrrin J (dissenting). I would affirm. ", RULE), {}, None, "dissent", "behind the court's own words"),
    (("", f"{RULE} For these reasons I respectfully dissent."), {}, None, "dissent", "it says so at its end"),
    (("", RULE), {"opinion_type": "040dissent"}, None, "dissent", "CourtListener's type"),
    (("", RULE), {"section": "Dissenting opinion"}, None, "dissent", "a section of a chunker"),
    (("", RULE), {"type": "concurrence"}, None, "concurrence", "a plain word"),
    (("", RULE), {}, "Lathbury JA (dissenting)", "dissent", "a title"),
    (("Syllabus\n\n", RULE), {}, None, "summary", "the reporter's summary, which is no part of the opinion"),
    (("", RULE), {"section": "headnote"}, None, "summary", "a headnote"),
    (("Argument of counsel\n\n", RULE), {}, None, "counsel", "what a party said"),
    (("", "It is unnecessary to decide whether a letter stops time where it names the claimant and the sum."), {}, None, "dictum", "left undecided"),
    (("", "We express no opinion on whether a letter stops time where it names the claimant and the sum."), {}, None, "dictum", "no opinion"),
    (("", "Assuming without deciding that a letter stops time where it names the claimant and the sum, the notice was late."), {}, None, "dictum", "assumed"),
    (("", RULE), {}, None, None, "nobody is named: the court's, as far as anybody can tell"),
    (("Orrin JA, with whom Sefton JA agreed. ", RULE), {}, None, None, "the majority's signature"),
    (("Dissent\n\nI would affirm.\n\nOpinion of the Court\n\n", RULE), {}, None, None, "the court's words behind a dissent"),
    (("As Justice Holmes, dissenting in an older case, wrote, letters are cheap. ", RULE), {}, None, None, "a dissent is quoted, none begins"),
    (("See Abel v. Cane, 250 U.S. 616 (Holmes, J., dissenting). ", RULE), {}, None, None, "a citation of a dissent"),
    (("The dissent would have us read more into the act. ", RULE), {}, None, None, "the court on its dissent"),
    (("JUSTICE ORRIN delivered the opinion of the Court. JUSTICE SEFTON filed a dissenting opinion. ", RULE), {}, None, None, "who filed what"),
    (("", RULE), {"opinion_type": "010combined"}, None, None, "the whole decision"),
    (("", RULE), {"section": "II. Facts"}, "Abel v. Cane", None, "another section, and a case's name"),
    (("", RULE), {"section": "IV. Summary judgment"}, None, None, "no summary"),
    (("", RULE), {"section": "C. Reply to the dissent"}, None, None, "the court on its dissent, as a section"),
    (("", RULE), {"opinion_type": "035concurrenceinpart"}, None, "concurrence", "CourtListener's type"),
    (("", RULE), {}, "Dissent in wartime: a history", None, "a title about dissent"),
    (("", "We need not repeat that a letter stops time where it names the claimant and the sum."), {}, None, None, "need not, but not of deciding"),
]  # fmt: skip


@every_row(("texts", "metadata", "title", "voice", "source"), SOURCES)
def test_a_holding_needs_the_words_of_the_court(texts, metadata, title, voice, source) -> None:
    text = "".join(texts)
    retrieved = [{"source_id": "s1", "text": text, "metadata": metadata, "title": title}]
    record = {"id": "r", "question": "Does a letter stop time?", "answer": HOLDING, "retrieved": retrieved}
    judge = Quoting({text: "supported"}, quote=texts[1])
    card = showable.score(record, judge=judge, profile="legal")
    (claim,) = card.claims
    assert claim.kind == "holding", source
    assert claim.support == ("supported" if voice is None else "unsupported"), (source, card.findings)
    if voice is not None:
        assert (card.bucket, card.release.verdict) == ("unsupported", "hold"), source
        assert "the court did not hold it" in next(
            f.reason for f in card.findings if f.code == "semantic.not_entailed"
        ), source


class Quoting(ByPassage):
    """Gives its label with the words relied on."""

    def __init__(self, labels, quote):
        super().__init__(labels)
        self.quote = quote

    async def verdicts(self, pairs):
        found = await super().verdicts(pairs)
        return [
            verdict.model_copy(update={"p": 0.9, "quote_span": (at, at + len(self.quote))})
            if (at := pair.passage.find(self.quote)) >= 0
            else verdict
            for pair, verdict in zip(pairs, found, strict=True)
        ]


@pytest.mark.parametrize(
    ("answer", "profile", "support", "source"),
    [
        (HOLDING, "general", "supported", "no kinds of claims: nothing is asked of the source"),
        ("Justice Lathbury, in dissent, wrote that a letter stops time where it names the claimant and the sum [s1].", "legal", "supported", "a dissent cited as one"),
        ("The letter of 2 May names the claimant and the sum [s1].", "legal", "supported", "a fact"),
    ],
)  # fmt: skip
def test_a_dissent_may_be_cited_for_what_is_no_holding(answer, profile, support, source) -> None:
    text = f"Lathbury JA (dissenting). {RULE}"
    record = {"id": "r", "question": "Q?", "answer": answer, "retrieved": [{"source_id": "s1", "text": text}]}
    card = showable.score(record, judge=Quoting({text: "supported"}, quote=RULE), profile=profile)
    assert [claim.support for claim in card.claims] == [support], source


def test_another_passage_in_the_words_of_the_court_suffices() -> None:
    texts = [f"Lathbury JA (dissenting). {RULE}", f"Orrin JA, with whom Sefton JA agreed. {RULE}"]
    record = {
        "id": "r",
        "question": "Does a letter stop time?",
        "answer": HOLDING.replace("[s1]", "[s1][s2]"),
        "retrieved": [{"source_id": f"s{n}", "text": text} for n, text in enumerate(texts, 1)],
    }
    card = showable.score(record, judge=Quoting(dict.fromkeys(texts, "supported"), quote=RULE), profile="legal")
    assert card.claims[0].support == "supported"
    assert [citation.supports.value for citation in card.claims[0].citations] == ["fail", "pass"]


def test_voices_are_read_in_linear_time() -> None:
    import time

    began = time.process_time()
    for text in (
        "J. " * 30_000,
        "Justice A, " * 10_000,
        "A" * 100_000,
        "Dissent " * 12_000,
        "JUSTICE ORRIN, with whom " * 4_000,
    ):
        voice_at(text, 0)
        voice_of(Source(source_id="a", title=text[:2_000]))
    assert time.process_time() - began < 5.0
