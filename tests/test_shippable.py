"""`assert_shippable`: what is shippable, and what a developer reads where an answer is not."""

import asyncio
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from scorecards import card, claim, scorecards
from tables import every_row

import showable
from showable.errors import InputError, SettingError
from showable.judges.scripted import ScriptedJudge
from showable.records import Release
from showable.shippable import NotShippableError, assert_shippable
from showable.shippable.excerpt import nearest, quote_in
from showable.shippable.rows import WIDTH, fold

LEASE = (
    "This lease begins on 1 May. Either party may end the lease by giving 30 days' notice in writing."
    " Rent is due on the first day of each month."
)
PETS = "Pets are not allowed in the building without the written consent of the landlord."
RIGHT = "Either party may end the lease by giving 30 days' notice [lease]."
DECLINES = "I could not find this in the documents."


def source(source_id, text, **fields):
    return {"source_id": source_id, "text": text, **fields}


def record(answer, **fields):
    return {
        "id": "lease-7",
        "question": "How long is the notice period?",
        "answer": answer,
        "retrieved": [source("lease", LEASE, page=4), source("pets", PETS)],
        **fields,
    }


def structured(**citation):
    text = "Either party may end the lease by giving 30 days' notice"
    return {"claims": [{"text": text, "citations": [{"source_id": "lease", **citation}]}]}


def refused(answer, judge="lexical", **fields):
    """Give the error that a record raises."""
    rules = {name: fields.pop(name) for name in ("allow", "forbid_causes", "profile") if name in fields}
    with pytest.raises(NotShippableError) as caught:
        assert_shippable(record(answer, **fields), judge=judge, **rules)
    return caught.value


GOLD = {"answer": "30 days"}

MESSAGES = {  # one record for every cause of the bucket table that a record without a corpus can have
    "empty_answer": (None, {}, ["answer    none was recorded (null)", "to mend   Record the answer."]),
    "unparsed": ('{"claims": [{"txt": 3}]}', {}, ["open      claims.0.text: this field is missing"]),
    "undecided": (
        RIGHT,
        {"retrieved": [{"source_id": "lease"}]},
        [
            "cites     [lease], not decided: the log carries no text for this",
            "passage   [lease] no text was recorded",
            "to mend   Record the text of the sources (`retrieved[].text`).",
        ],
    ),
    "warranted": (
        DECLINES,
        {"retrieved": [], "allow": "correct"},
        ["answer    I could not find this in the documents.", "to mend   Answer, or allow a refusal here."],
    ),
    "unjudged": (DECLINES, {"allow": ["correct"]}, ["to mend   Answer, or allow a refusal here."]),
    "over_refusal": (
        DECLINES,
        {"gold": {**GOLD, "evidence": [{"source_id": "lease"}]}, "forbid_causes": "over_refusal"},
        ['gold      "30 days", from [lease]', "to mend   Answer from [lease], which was retrieved."],
    ),
    "wrong_source": (
        "The notice period is 60 days [old].",
        {"gold": GOLD, "retrieved": [source("old", "The notice period is 60 days.")]},
        ["cites     [old], which supports it", 'gold      "30 days"; claim 1 disagrees'],
    ),
    "contradicts_gold": (
        "Either party may end the lease by giving 60 days' notice [lease].",
        {"gold": {**GOLD, "why": "clause 2"}},
        ['gold      "30 days"; claim 1 disagrees', "          clause 2", "to mend   Say what gold says, or decline."],
    ),
    "answers_another_question": (
        RIGHT,
        {"gold": {"answerable": False}},
        [
            "gold      the question has no answer in these documents",
            "to mend   Decline: what it cites is about something else",
        ],
    ),
    "contradicts_source": (
        "Either party may end the lease by giving 60 days' notice [lease].",
        {},
        [
            "claim 1   Either party may end the lease by giving 60 days' notice",
            "cites     [lease], which contradicts it: the passage has 30 days, the",
            "passage   [lease, page 4] This lease begins on 1 May. >>Either party",
        ],
    ),
    "refused_then_answered": (
        "I cannot answer this question from the documents. The notice period is 60 days.",
        {},
        ["cites     nothing", "support   nothing in the 2 retrieved passages"],
    ),
    "answered_on_null_retrieval": (
        "The notice period is 30 days.",
        {"retrieved": []},
        ["claim 1   The notice period is 30 days", "to mend   Nothing was retrieved, so decline."],
    ),
    "invented_source": (
        "The notice period is 30 days [deed].",
        {},
        [
            "cites     [deed]: 'deed' is not among the 2 retrieved sources",
            "support   [lease, page 4] This lease begins on 1 May.",
            "to mend   Cite only what was retrieved: [lease] or [pets].",
        ],
    ),
    "bad_quote": (
        structured(quoted_span="either side can terminate with a month of warning"),
        {},
        [
            "cites     [lease]: the quoted words are not in 'lease'",
            'quoted    "either side can terminate with a month of warning"',
            "to mend   Quote word for word from the source cited",
        ],
    ),
    "wrong_page": (structured(page=9), {}, ["cites     [lease]: page 9 is cited, the passage is on page 4"]),
    "bad_source": (
        "The notice period is 30 days [lease].",
        {"retrieved": [source("lease", "The notice period is 30 days.", metadata={"status": "repealed"})]},
        ["cites     [lease]: 'lease' is repealed", "to mend   Cite a source that stands"],
    ),
    "no_evidence": (
        "The deposit is two months' rent [lease].",
        {},
        [
            "cites     [lease], which does not support it; not in the passage: two",
            "support   nothing in the 2 retrieved passages",
            "to mend   Leave the claim out, or decline.",
        ],
    ),
    "miscited": (
        RIGHT.replace("lease]", "pets]"),
        {},
        [
            "cites     [pets], which does not support it; not in the passage: 30",
            "passage   [pets] Pets are not allowed",
            "support   [lease, page 4] This lease begins on 1 May.",
            "to mend   Cite [lease] for it.",
        ],
    ),
    "uncited": (RIGHT.replace(" [lease]", ""), {}, ["cites     nothing", "to mend   Cite [lease] for it."]),
    "no_answer": (
        "Rent is due on the first day of each month [lease].",
        {"gold": GOLD},
        ["answer    Rent is due on the first", 'gold      "30 days"; nowhere in the answer'],
    ),
    "partial": (
        f"{RIGHT} The documents do not say how large the deposit is.",
        {"forbid_causes": ["partial"]},
        ["to mend   Answer the rest as well."],
    ),
}


@every_row("cause", MESSAGES)
def test_a_message_shows_what_is_wrong(cause):
    answer, fields, expected = MESSAGES[cause]
    error = refused(answer, **fields)
    said = str(error).splitlines()
    assert error.scorecard.cause == cause
    assert error.record.id == "lease-7"
    assert said[0].startswith(f"{error.scorecard.bucket} ({cause}): ")
    assert "  record    lease-7" in said
    assert "  question  How long is the notice period?" in said
    for start in expected:
        assert any(line[2:].startswith(start) for line in said), f"{start!r} is not in\n{error}"
    assert all(cell_len(line) <= WIDTH for line in said)


GOLDEN = """\
unsupported (miscited): a claim cites a source that does not support it;
another that was retrieved does

  record    lease-7
  question  How long is the notice period?

  claim 2   Either party may end the lease by giving 30 days' notice
  cites     [pets], which does not support it; not in the passage: 30
            days, party, end, lease, giving
  passage   [pets] Pets are not allowed in the building without the
            written consent of the landlord.
  support   [lease, page 4] This lease begins on 1 May. Either party may
            end the lease by giving 30 days' notice in writing. Rent is
            due on the first day of each month.

  to mend   Cite [lease] for it."""


def test_a_whole_message():
    error = refused("Rent is due on the first day of each month [lease]. " + RIGHT.replace("lease]", "pets]"))
    assert str(error) == GOLDEN


def test_a_good_answer_gives_its_scorecard():
    scored = assert_shippable(record(RIGHT), judge="lexical")
    assert scored == showable.score(record(RIGHT), judge="lexical")
    assert assert_shippable(scored) is scored


def test_a_warranted_refusal_is_good():
    assert assert_shippable(record(DECLINES, retrieved=[]), judge="lexical").bucket == "refused"


def test_it_is_an_assertion_error():
    with pytest.raises(AssertionError, match="contradicts_source"):
        assert_shippable(record(MESSAGES["contradicts_source"][0]), judge="lexical")


def test_a_scorecard_alone_is_shown_with_the_words_it_holds():
    scored = showable.score(record("The deposit is two months' rent [lease]."), judge="lexical")
    with pytest.raises(NotShippableError) as caught:
        assert_shippable(scored)
    assert caught.value.record is None
    assert "  passage   [lease] >>Rent is due on the first day of each month.<<" in str(caught.value).splitlines()


def test_at_most_three_claims_are_shown():
    error = refused(" ".join(f"The fee for item {n} is {n * 7} dollars [lease]." for n in range(1, 21)))
    said = str(error)
    assert "  claim 3 " in said
    assert "  claim 4 " not in said
    assert "  also      claims 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, and 7 more of 20," in said


def test_a_long_passage_is_cut_around_the_words_relied_on():
    text = f"{'Intro. ' * 3000}The deposit is one month of rent. {'Further terms. ' * 3000}"
    error = refused("The deposit is two months' rent [big].", retrieved=[source("big", text)])
    said = " ".join(str(error).split())
    assert "[big] …Intro." in said
    assert ">>The deposit is one month of rent.<< Further terms." in said
    assert len(said) < 1500


def test_a_long_passage_that_no_judge_pointed_into_is_cut_around_the_words_of_the_claim():
    text = f"{'Intro. ' * 3000}{LEASE} {'Further terms. ' * 3000}"
    error = refused(RIGHT.replace(" [lease]", ""), retrieved=[source("big", text)])
    assert "Either party may end the lease by giving 30 days' notice in writing." in " ".join(str(error).split())


EXCERPTS = [  # text, the words relied on, room, what is shown
    ("One. Two three. Four.", "Two three.", 60, "One. >>Two three.<< Four."),
    ("Two three.", "Two three.", 60, ">>Two three.<<"),
    ("A word before. Two three. A word after.", "Two three.", 20, "…>>Two three.<<…"),
    (
        f"{'before ' * 50}Two.{' after' * 50}",
        "Two.",
        64,
        "…before before before before >>Two.<< after after after after…",
    ),
    ("One \x1b[31m\n\n two\u202e three", "two\u202e three", 60, "One >>two three<<"),
    ("約" * 500, "約" * 400, 40, f">>{'約' * 20} … {'約' * 20}<<…"),
]


@pytest.mark.parametrize(("text", "words", "room", "expected"), EXCERPTS)
def test_excerpts(text, words, room, expected):
    at = text.index(words)
    shown = quote_in(text, (at, at + len(words)), room)
    assert shown == expected
    assert len(shown) <= room + 8  # two marks of two characters, and four signs for what was cut


@given(st.text(max_size=400), st.integers(-9, 400), st.integers(-9, 400), st.integers(20, 120))
def test_no_span_breaks_an_excerpt(text, start, end, room):
    shown = quote_in(text, (start, end), room)
    assert len(shown) <= room + 8
    assert len(nearest(text, "a claim of 30 days", room)) <= room + 8


def test_what_a_profile_holds_back_is_not_shippable():
    error = refused("I don't know.", profile="legal")
    said = " ".join(str(error).split())
    assert error.scorecard.bucket == "refused"
    assert said.startswith("held back, though refused (unjudged): the legal profile asks for a reason: ")
    assert " held the legal profile asks for a pointer: " in said
    assert not error.undecided


@pytest.mark.parametrize(
    ("verdict", "undecided", "first"),
    [("hold", False, "held back, though correct: "), ("unknown", True, "not decided")],
)
def test_release(verdict, undecided, first):
    scored = card(bucket="correct", release=Release(verdict=verdict, reasons=("1 of 3 citations resolve",)))
    with pytest.raises(NotShippableError, match=f"^{first}") as caught:
        assert_shippable(scored)
    assert caught.value.undecided is undecided


def test_a_judge_that_fails_leaves_it_undecided():
    class Broken:
        name, prompt_hash = "broken@1", None

        async def verdicts(self, pairs):
            raise ConnectionError("no route to the judge")

        def estimate(self, pairs):
            raise NotImplementedError

    error = refused(RIGHT, judge=Broken())
    assert error.undecided
    assert "the judge failed: ConnectionError: no route to the judge" in " ".join(str(error).split())
    assert "score it again when the judge answers" in " ".join(str(error).split())


@pytest.mark.parametrize(
    ("p", "said"), [(0.53, "The judge is not sure: a stronger one"), (None, "when the judge answers")]
)
def test_a_judge_that_is_not_sure_is_told_from_one_that_failed(p, said):
    from showable.records import Verdict

    class Unsure:
        name, prompt_hash = "unsure@1", None

        async def verdicts(self, pairs):
            return [Verdict(label="unknown", judge=self.name, p=p, reason="because")] * len(pairs)

        def estimate(self, pairs):
            raise NotImplementedError

    assert said in " ".join(str(refused(RIGHT, judge=Unsure())).split())


UNSUPPORTED = "unsupported or wrong: whether a retrieved passage contradicts a claim"
# why it is unknown, what is allowed, whether it may yet be fit to be shown, what is said of it
OPEN = [
    ("correct or wrong: whether it agrees", {}, True, "correct or wrong, depending on whether it agrees"),
    ("refused or wrong: whether x", {"allow": "refused"}, True, "refused or wrong, depending on whether x"),
    (
        "refused or wrong: whether x",
        {"allow": "correct"},
        False,
        "depending on whether x; it may not be shown either way",
    ),
    (
        UNSUPPORTED,
        {},
        False,
        "unsupported or wrong, depending on whether a retrieved passage contradicts a claim; it may",
    ),
    (
        "correct or refused or wrong: whether a; whether b; whether c; whether d",
        {},
        True,
        "correct, refused or wrong, depending on whether a and whether b, and 2 more",
    ),
    ("something else", {}, True, "something else"),
    ("a or b: whether c", {}, True, "a or b: whether c"),
    ("", {}, True, ""),
]


@pytest.mark.parametrize(("why", "rules", "undecided", "said"), OPEN)
def test_what_is_open_may_be_settled_for_the_worse_alone(why, rules, undecided, said):
    error = raised(card(bucket="unknown", cause="undecided", why=why), **rules)
    assert error.undecided is undecided
    assert said in " ".join(str(error).split())
    held = raised(card(bucket="unknown", cause="undecided", why=why, release=Release(verdict="hold", reasons=("so",))))
    assert not held.undecided


def test_an_answer_that_is_lost_either_way_is_told_what_is_known_to_be_at_fault():
    class Unsure:
        name, prompt_hash = "unsure@1", None

        async def verdicts(self, pairs):
            from showable.records import Verdict

            return [Verdict(label="unknown", judge=self.name, p=0.5)] * len(pairs)

        def estimate(self, pairs):
            raise NotImplementedError

    error = refused(structured(quoted_span="either side can terminate with a month of warning"), judge=Unsure())
    said = " ".join(str(error).split())
    assert error.scorecard.bucket == "unknown"
    assert not error.undecided
    assert said.startswith("unknown (undecided): unsupported or wrong, depending on ")
    assert 'quoted "either side can terminate' in said
    assert "to mend Quote word for word" in said


def test_without_a_log_nothing_is_held_against_it():
    error = refused(RIGHT, retrieved=None)
    said = " ".join(str(error).split())
    assert error.undecided
    assert "it cannot be checked" in said
    assert "cites nothing that can be told without the ids of what was retrieved" in said
    assert said.count("retrieval log") == 1


def test_the_citation_at_fault_is_shown_though_it_stands_last():
    error = refused("Rent is due on the first day of each month [lease] [lease] [pets] [lease] [deed].")
    first = next(line for line in str(error).splitlines() if line.startswith("  cites"))
    assert first == "  cites     [deed]: 'deed' is not among the 2 retrieved sources"
    assert "and 2 more" in str(error)


def test_a_message_fits_a_screen_however_much_is_wrong():
    clause = "Either party may end the lease of the flat in the northern building by giving notice in writing, "
    log = [source(f"s{n}", f"{clause * 3}and the fee is {n * 13 + 5} dollars. " * 9) for n in range(9)]
    cited = [" ".join(f"[s{(n + m) % 9}]" for m in range(4)) for n in range(9)]
    answer = " ".join(f"{clause * 3}and the fee is {n * 7 + 300} dollars {cited[n]}." for n in range(9))
    error = refused(
        answer, retrieved=log, question="What is the fee? " * 90, gold={"answer": "one " * 99, "why": "w " * 99}
    )
    assert 30 < len(str(error).splitlines()) <= 70
    assert str(error).count("dollars\n") >= 3  # a claim is cut in the middle: what it says stands at its end


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"allow": ("wrong",)}, "allow: expected correct, refused or both, got ['wrong']"),
        ({"allow": ()}, "allow: expected correct, refused or both, got []"),
        ({"forbid_causes": ("over-refusal",)}, "forbid_causes: 'over-refusal' is none of empty_answer, "),
        ({"judge": "oracle"}, "judge 'oracle': there is embedded"),
        ({"profile": "maritime"}, "profile 'maritime': expected general"),
    ],
)
def test_settings_that_cannot_be(given, said):
    with pytest.raises(SettingError) as caught:
        assert_shippable(record(RIGHT), **{"judge": "lexical", **given})
    assert str(caught.value).startswith(said)


def test_a_scorecard_takes_no_judge():
    with pytest.raises(SettingError, match="graded already: judge would change nothing"):
        assert_shippable(card(), judge="lexical")


@pytest.mark.parametrize("given", [record(RIGHT, qestion="?"), {"id": "x"}, record(3), "lease-7", None])
def test_what_is_no_record_is_refused_as_score_refuses_it(given):
    with pytest.raises(InputError) as theirs:
        showable.score(given, judge="lexical")
    with pytest.raises(InputError) as ours:
        assert_shippable(given, judge="lexical")
    assert str(ours.value).replace("a Record, a mapping or a Scorecard", "a Record or a mapping") == str(theirs.value)


def test_it_works_in_a_running_loop_and_beside_one():
    async def test():
        blocking = assert_shippable(record(RIGHT), judge="lexical")
        return blocking == await asyncio.to_thread(assert_shippable, record(RIGHT), judge="lexical")

    assert asyncio.run(test())


def test_the_loop_of_the_caller_stays_current():
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        assert_shippable(record(RIGHT), judge="lexical")
        assert asyncio.get_event_loop() is loop
    finally:
        asyncio.set_event_loop(None)
        loop.close()


HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202e\u2066<script>\x00\x9b31m\r\nE   passed\n"


def test_hostile_text_is_made_printable():
    fields = {
        "id": f"id {HOSTILE}",
        "question": HOSTILE * 50,
        "retrieved": [source("lease", f"{HOSTILE} The deposit is one month of rent. {HOSTILE}", page=HOSTILE)],
        "gold": {"answer": f"one month {HOSTILE}", "why": HOSTILE},
    }
    error = refused(f"The deposit is two months' rent {HOSTILE}[lease].", **fields)
    shown = str(error).replace("\n", "")
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs"}]
    assert all(cell_len(line) <= WIDTH for line in str(error).splitlines())
    assert len(str(error)) < 6000


def test_wide_characters_fill_two_columns():
    error = refused("契約は三十日前の通知により終了することができる" * 9 + "[pets]。", question="通知期間は?" * 40)
    assert all(cell_len(line) <= WIDTH for line in str(error).splitlines())


def raised(*args, **kwargs):
    """Give what it raises, None where it is content."""
    try:
        assert_shippable(*args, **kwargs)
    except NotShippableError as error:
        return error
    return None


@given(scorecards())
def test_any_scorecard_is_shippable_or_says_why(scored):
    error = raised(scored)
    assert (error is None) is (scored.bucket in {"correct", "refused"})  # these carry no release
    if error is not None:
        assert error.undecided is (scored.bucket == "unknown")
        assert str(error).startswith(scored.bucket)
        assert all(cell_len(line) <= WIDTH for line in str(error).splitlines())


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300), st.sampled_from([GOLD, None]))
def test_no_text_breaks_a_message(answer, question, passage, gold):
    given = record(answer, question=question, retrieved=[source("s", passage)], gold=gold)
    error = raised(given, judge=ScriptedJudge.of({"x": "supported"}))
    assert all(cell_len(line) <= WIDTH for line in str(error).splitlines())


@given(st.text(max_size=200), st.integers(2, 40))
def test_folding_keeps_every_word(text, width):
    lines = list(fold(text, width))
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= width for line in lines)


def test_the_claim_to_blame_is_the_one_that_decided():
    scored = card(
        bucket="wrong",
        cause="contradicts_gold",
        gold_agreement="disagrees",
        claims=(claim("unsupported", text="First."), claim("supported", text="Second.", gold="disagrees")),
    )
    with pytest.raises(NotShippableError) as caught:
        assert_shippable(scored)
    assert "claim 2   Second." in str(caught.value)
    assert "First." not in str(caught.value)
    assert "gold      claim 2 disagrees" in str(caught.value)


def test_each_citation_beside_the_claims_is_told_its_own_fault():
    answer = "The notice period is sixty days [s].\n\nSee https://one.example.org/a\n\nSee https://two.example.org/b\n\nSee [7]"
    told = str(
        raised(record(answer, retrieved=[source("s", "The notice period is thirty days.", url="https://e.org/l")]))
    )
    for named in ("https://one.example.org/a", "https://two.example.org/b"):
        assert f"has the address {named}" in " ".join(told.split())
    assert "[7], beside its claims: '7' is not" in " ".join(told.split())
