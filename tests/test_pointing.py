"""A citation is judged on what it points at: its quotation with the sentence or row it stands in, its page, else the passage."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import showable
from showable.calibrating.replayed import replay
from showable.calibrating.retune_rows import _pairs
from showable.evaluation import evaluate_one, regrade_one
from showable.gather import bounds
from showable.judges.choose import choose
from showable.read.answer import read_answer
from showable.records.evidence import Cost, Evidence, Pair, PairVerdict, Verdict
from showable.records.findings import Outcome
from showable.records.profile import GENERAL
from showable.records.record import Answer, Citation, Claim, Record, Source
from showable.records.scorecard import Scorecard
from showable.rubrics.pointing import Pointing, in_source
from showable.rubrics.quotes import quote_places
from showable.rubrics.retrieval_log import RetrievalLog

PETS = "Visitors may park for three hours. Pets are not allowed in the building. The terrace closes at ten."
PARKING = "Visitors may park for three hours."
MARKDOWN = (
    "Sick leave\n\nTable 1: days a year\n\n| Staff | Paid |\n|---|---|\n| Full-time | 10 |\n| Part-time | 5 |\n\nEnd."
)
PIPES = "Results (USD million)\n\nItem | 2030 | 2031\nRevenue | 410 | 455\nCash | 120 | 96\n\nRevenue rose."
CSV = "Station,Opened,Lifts\nMill Lane,1968,yes\nHarbour,2004,no"
TABS = "Drug\tDose\nTolvarine\t40 mg\nApixol\t5 mg"
LIST = "The following may not be kept in the cellar:\n\n- paint\n- petrol\n\nBicycles may."
WRAPPED = "The notice period, which is long,\nis six months, as agreed. The rent,\nwhich is low, is due in May."
HTML = "<p>Pools.</p><table><tr><th>Pool</th><th>Opens</th></tr><tr><td>North</td><td>6:30</td></tr><tr><td>South</td><td>8</td></tr></table>"


@pytest.mark.parametrize(
    ("text", "quote", "read", "why"),
    [
        (PETS, "Pets are not", "Pets are not allowed in the building.", "DESIGN 3: with the sentence it stands in"),
        (PETS, "building. The terrace", PETS[35:], "both sentences that it touches"),
        (PETS, "three hours … at ten", f"{PARKING}\nThe terrace closes at ten.", "what an ellipsis leaves out is not quoted"),
        (PETS, "PETS are not", "Pets are not allowed in the building.", "normalised"),
        ("He pays €5. They pay €5.", "pay €5", "They pay €5.", "whole words"),
        ("Rent is due. Rent is low.", "Rent is", None, "wherever it stands"),
        (MARKDOWN, "| Part-time | 5 |", "Table 1: days a year\n\n| Staff | Paid |\n|---|---|\n| Part-time | 5 |", "DESIGN 4: row, header, caption"),
        (MARKDOWN, "Full-time", "Table 1: days a year\n\n| Staff | Paid |\n|---|---|\n| Full-time | 10 |", "a cell stands for its row"),
        (PIPES, "Cash | 120 | 96", "Results (USD million)\n\nItem | 2030 | 2031\nCash | 120 | 96", "a | b lines are a table"),
        (PIPES, "Revenue rose", "Revenue rose.", "a sentence below a table"),
        (CSV, "Harbour", "Station,Opened,Lifts\nHarbour,2004,no", "CSV lines are a table"),
        (TABS, "Apixol", "Drug\tDose\nApixol\t5 mg", "tabs"),
        (LIST, "petrol", "The following may not be kept in the cellar:\npetrol", "an item is no sentence without its lead-in"),
        (LIST, "Bicycles may", "Bicycles may.", "what follows a list is none of it"),
        (WRAPPED, "rent,\nwhich is low", "The rent,\nwhich is low, is due in May.", "wrapped prose with commas is no table"),
        (HTML, "<td>South</td>", "<tr><th>Pool</th><th>Opens</th></tr>\n<tr><td>South</td><td>8</td></tr>", "HTML rows"),
        (PETS, "Cats are welcome everywhere here", None, "a quotation that is not there points at nothing: bad_quote"),
        ("Pets are not allowed.", "Pets", None, "the sentence is all of the source"),
    ],
)  # fmt: skip
def test_what_is_read(text: str, quote: str, read: str | None, why: str) -> None:
    log = RetrievalLog(Record(id="r", question="?", answer=None, retrieved=[Source(source_id="a", text=text)]))
    pointing = Pointing([Citation(source_id="a", quoted_span=quote)], log)
    spans = pointing.spans("a")
    assert (None if spans is None else pointing.text("a", spans)) == read, why


@pytest.mark.parametrize(
    ("page", "quote", "read"),
    [
        (4, None, "Travel is paid. The form is blue."),
        ("p. 3", None, "Apply by June. The form is red."),
        ("pp. 3–4", None, None),
        (9, None, None),
        (4, "The form is", "The form is blue."),
        (9, "The form is", "The form is red.\nThe form is blue."),
        (4, "by June", "Apply by June."),
    ],
)
def test_a_page_is_what_a_citation_points_at(page: int | str, quote: str | None, read: str | None) -> None:
    """DESIGN 3: with a page, that page. A quotation on it says more; a page that the log does not know says nothing."""
    pages = [("Apply by June. The form is red.", 3), ("Travel is paid. The form is blue.", 4)]
    log = RetrievalLog(
        Record(id="r", question="?", answer=None, retrieved=[Source(source_id="a", text=t, page=p) for t, p in pages])
    )
    pointing = Pointing([Citation(source_id="a", page=page, quoted_span=quote)], log)
    spans = pointing.spans("a")
    assert (None if spans is None else pointing.text("a", spans)) == read


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("fi–ve", "o ﬁ-ve x", ["ﬁ-ve"]),
        ("re-\nnewed once", "is renewed  once.", ["renewed  once"]),
        ("the rent", "The “rent”: the\n rent", ["the\n rent"]),
        ("cafe\u0301", "a café, twice: café", ["café", "café"]),
        ("five", "five, then Five", ["five"]),
        ("FIVE", "five, then Five", ["five", "Five"]),
        ("a", "a " * 80, ["a"] * 50),
        ("a … c", "c a b c", ["a", "c"]),
        ("c … a", "a b c", []),
    ],
)
def test_places_index_the_original(quote: str, text: str, found: list[str]) -> None:
    """Offsets are those of the text as it is, whatever typesetting was folded to find the words."""
    assert [text[start:end] for start, end in quote_places(quote, text)] == found


def test_words_read_in_parts_are_placed_in_the_source() -> None:
    assert in_source((2, 4), ((10, 15), (20, 30))) == (12, 14)
    assert in_source((7, 9), ((10, 15), (20, 30))) == (21, 23)
    assert in_source((3, 8), ((10, 15), (20, 30))) is None


class Knows:
    """A judge that takes a passage for support where it holds all the words given, and for contradiction where one of `against`."""

    name, prompt_hash = "knows@1", None

    def __init__(self, *words: str, against: str = "\x00") -> None:
        self.words, self.against, self.asked = words, against, list[Pair]()

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.asked += pairs
        return [self._verdict(pair.passage) for pair in pairs]

    def _verdict(self, passage: str) -> Verdict:
        if all(word in passage for word in self.words):
            at = passage.index(self.words[0])
            span = at, at + len(self.words[0])
            return Verdict(label="supported", judge=self.name, quote=self.words[0], quote_span=span)
        return Verdict(label="contradicted" if self.against in passage else "unsupported", judge=self.name)

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        return Cost(calls=len(pairs))


def _record(*citations: Citation, texts: dict[str, str] | None = None) -> Record:
    held = texts or {"a": PETS}
    claim = Claim(text="Animals are forbidden in the house.", citations=citations)
    return Record(
        id="r",
        question="May I keep a dog?",
        answer=Answer(claims=(claim,)),
        retrieved=[Source(source_id=key, text=text) for key, text in held.items()],
    )


def _card(judge: Knows, *citations: Citation, texts: dict[str, str] | None = None) -> Scorecard:
    return asyncio.run(evaluate_one(_record(*citations, texts=texts), judge)).scorecard


def _codes(card: Scorecard) -> set[str]:
    return {finding.code for finding in card.findings if finding.outcome is Outcome.FAIL}


def _quote(words: str, source_id: str = "a") -> Citation:
    return Citation(source_id=source_id, quoted_span=words)


CODE = "semantic.quote_does_not_support"


def test_another_sentence_of_the_source_is_not_what_is_cited() -> None:
    """DESIGN 3: the source contains the claim and the span does not, so the claim is miscited."""
    card = _card(Knows("Pets"), _quote(PARKING))
    assert (card.bucket, card.cause, card.citation_supports) == ("unsupported", "miscited", Outcome.FAIL)
    assert CODE in _codes(card)
    assert card.claims[0].supported_by == ("a",)
    assert card.chunks[0].supports is Outcome.PASS


def test_a_failed_test_says_which_words_are_meant() -> None:
    """For pytest: the headline, what supports the claim, and what to do are about words, not about another source."""
    with pytest.raises(AssertionError) as caught:
        showable.assert_shippable(_record(_quote(PARKING)), judge=Knows("Pets"))
    said = " ".join(str(caught.value).split())
    assert "cites words that do not say it" in said
    assert "another place in [a]" in said
    assert "Quote the words of" in said


def test_the_sentence_quoted_is_what_is_cited() -> None:
    judge = Knows("Pets")
    card = _card(judge, _quote("Pets are not allowed"))
    assert (card.bucket, card.citation_supports) == ("correct", Outcome.PASS)
    assert [pair.passage for pair in judge.asked] == ["Pets are not allowed in the building."]
    assert card.claims[0].citations[0].quote_span == (35, 39)
    assert PETS[35:39] == "Pets"


def test_what_nothing_in_the_source_says_is_no_miscitation() -> None:
    card = _card(Knows("never said"), _quote(PARKING))
    assert (card.bucket, card.cause) == ("unsupported", "no_evidence")
    assert CODE not in _codes(card)


def test_another_citation_may_support_the_claim() -> None:
    """DESIGN 3: miscited when nothing else it cites supports it; the finding is there all the same."""
    texts = {"a": PETS, "b": "Pets are forbidden."}
    card = _card(Knows("Pets"), _quote(PARKING), Citation(source_id="b"), texts=texts)
    assert (card.bucket, card.citation_supports) == ("correct", Outcome.FAIL)
    assert CODE in _codes(card)


def test_two_citations_of_one_source_are_judged_apart() -> None:
    card = _card(Knows("Pets"), _quote(PARKING), _quote("Pets are not allowed"))
    assert card.bucket == "correct"
    assert [cited.supports for cited in card.claims[0].citations] == [Outcome.FAIL, Outcome.PASS]
    assert CODE in _codes(card)


def test_two_citations_of_one_source_may_need_each_other() -> None:
    """As ALCE's citation precision: each is needed by the union, so both pass."""
    card = _card(Knows("Pets", "park"), _quote(PARKING), _quote("Pets are not allowed"))
    assert card.bucket == "correct"
    assert [cited.supports for cited in card.claims[0].citations] == [Outcome.PASS, Outcome.PASS]


def test_a_citation_that_lost_its_source_still_says_which_words_are_meant() -> None:
    """It fails by itself, and the claim rests on what the two quote together."""
    card = _card(Knows("Pets", "park"), _quote(PARKING), Citation(quoted_span="Pets are not allowed"))
    assert card.bucket == "correct"
    assert [cited.supports for cited in card.claims[0].citations] == [Outcome.PASS, Outcome.FAIL]


def test_a_bare_citation_beside_a_quotation_points_at_the_passage() -> None:
    card = _card(Knows("Pets"), Citation(source_id="a"), _quote(PARKING))
    assert [cited.supports for cited in card.claims[0].citations] == [Outcome.PASS, Outcome.FAIL]


def test_a_source_that_supports_the_claim_elsewhere_does_not_contradict_it() -> None:
    """ "Adults 40 mg. Children 10 mg.": the adults' sentence is no contradiction of the children's dose, but miscited."""
    card = _card(Knows("Pets", "park", against="park"), _quote(PARKING))
    assert (card.bucket, card.cause) == ("unsupported", "miscited")


def test_a_span_that_contradicts_in_a_source_that_nowhere_supports_is_contradiction() -> None:
    card = _card(Knows("never said", against="park"), _quote(PARKING))
    assert (card.bucket, card.cause) == ("wrong", "contradicts_source")


def test_a_quotation_that_is_not_there_stays_a_bad_quote() -> None:
    card = _card(Knows("Pets"), _quote("Pets are welcome on every floor of it"))
    assert (card.bucket, card.cause) == ("unsupported", "bad_quote")


def test_the_union_reads_what_each_citation_points_at() -> None:
    judge = Knows("park", "close")
    texts = {"a": PETS, "b": "The gate closes at nine. The hall is cold."}
    card = _card(judge, _quote(PARKING), _quote("gate closes", "b"), texts=texts)
    assert card.bucket == "correct"
    assert f"{PARKING}\n\nThe gate closes at nine." in [pair.passage for pair in judge.asked]


def test_evidence_from_before_is_read_as_it_was_gathered() -> None:
    """A pair without spans is a verdict on the whole source, which nobody asked to be narrower then."""
    verdict = Verdict(label="supported", judge="knows@1", p=0.9)
    saved = Evidence(
        id="r", judge="knows@1", pairs=[PairVerdict(claim=0, sources=["a"], role="cited", verdict=verdict)]
    )
    assert regrade_one(_record(_quote(PARKING)), saved).bucket == "correct"
    again = asyncio.run(replay(_record(_quote(PARKING)), saved, GENERAL, None))
    assert regrade_one(_record(_quote(PARKING)), again).bucket == "correct"
    no = verdict.model_copy(update={"p": 0.1, "label": "unsupported"})
    saved = saved.model_copy(update={"pairs": (saved.pairs[0].model_copy(update={"verdict": no}),)})
    again = asyncio.run(replay(_record(_quote(PARKING)), saved, GENERAL, None))
    assert regrade_one(_record(_quote(PARKING)), again).cause == regrade_one(_record(_quote(PARKING)), saved).cause


@pytest.mark.parametrize("citations", [[PARKING], ["Pets are"], [PARKING, "Pets are"]])
def test_a_run_regrades_and_replays_as_it_was_scored(citations: list[str]) -> None:
    record = _record(*map(_quote, citations))
    first = asyncio.run(evaluate_one(record, Knows("Pets")))
    saved = Evidence.model_validate_json(first.evidence.model_dump_json())
    assert regrade_one(record, saved) == first.scorecard
    assert asyncio.run(replay(record, saved, GENERAL, None)).pairs == saved.pairs


def test_people_and_judge_are_compared_on_the_same_words() -> None:
    pairs = _pairs(_record(_quote(PARKING), Citation(source_id="a")), GENERAL)
    assert [pair.passage for pair in pairs.values()] == [PARKING, PETS]


@pytest.mark.parametrize("words", [("Pets",), ("never said",)])
def test_the_cost_lies_within_its_bounds(words: tuple[str, ...]) -> None:
    record, judge = _record(_quote(PARKING), _quote("Pets are")), Knows(*words)
    least, most = bounds(record, read_answer(record, GENERAL), judge, GENERAL)
    asyncio.run(evaluate_one(record, judge))
    assert least.calls <= len(judge.asked) <= most.calls


def test_written_cases() -> None:
    """The cases of benchmarks/pointing.py under the lexical judge: none that points elsewhere passes."""
    data = json.loads((Path(__file__).parent / "data" / "pointing.json").read_text("utf-8"))
    assert len(data["cases"]) >= 100
    judge = choose("lexical")
    kept = 0
    for key, claim, at, points, why in data["cases"]:
        held = data["sources"][key]
        by_page = not isinstance(held, str)
        citation = Citation(source_id=key, page=at if by_page else None, quoted_span=None if by_page else at)
        record = Record(
            id="r",
            question="What do the documents say?",
            answer=Answer(claims=(Claim(text=claim, citations=(citation,)),)),
            retrieved=[Source(source_id=key, **passage) for passage in (held if by_page else [{"text": held}])],
        )
        supports = asyncio.run(evaluate_one(record, judge)).scorecard.citation_supports
        assert points or supports is not Outcome.PASS, (claim, at, why)
        kept += points and supports is Outcome.PASS
    assert kept >= 48
