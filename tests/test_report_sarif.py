"""A run as SARIF: results, regions, fingerprints, and what a log has room for."""

from __future__ import annotations

import io
import json
import random
import re
import zlib
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from report_checks import check_sarif
from report_views import (
    WHAT_COMES,
    recorded,
    sarif_of,
    view_of,
    written,
)
from scorecards import FAIL, PASS, UNKNOWN, card, claim, few_cards
from tables import every_row

import showable
from showable.records import Answer, Claim, Finding, Subject
from showable.records.lookups import LookupStatus
from showable.report.finding_words import FINDING_WORDS
from showable.report.sarif import LEVELS, MOST_BYTES, MOST_RESULTS, Room, write_sarif

SRC = Path(showable.__file__).parent


@pytest.mark.parametrize("cards", WHAT_COMES.values(), ids=WHAT_COMES)
def test_sarif_is_valid(cards):
    check_sarif(sarif_of(view_of(cards)))


REGIONS = [
    # (answer, finding, the words it points at): offsets are code points of the text that was read
    ("Dose 𝔸: 400 mg.\nTwice.", {"where": (16, 22)}, "Twice."),
    ("One claim. Another.", {"subject": Subject(claim=0)}, "One claim."),
    ("One claim. Another.", {"subject": Subject(claim=0, citation=0)}, "claim"),
    ("One claim. Another.", {}, "One claim. Another."),
    ("One claim. Another.", {"where": (5, 900)}, "One claim. Another."),
    ("One claim. Another.", {"subject": Subject(claim=7)}, "One claim. Another."),
    ("a\r\nb\r\nc", {"where": (3, 4)}, "b"),
    ("", {"where": (0, 0)}, ""),
    (None, {}, ""),
    (Answer(claims=[Claim(text="One claim.")], text="One claim. Another."), {"where": (11, 19)}, "Another."),
    ('{"claims": [{"text": "One claim."}]}', {}, "One claim."),
    ('{"claims": [{"text": "One', {"code": "structural.truncated_json", "where": (0, 25)}, '{"claims": [{"text": "One'),
]


@every_row(("answer", "fields", "words"), REGIONS)
def test_a_region_points_at_the_words(answer, fields, words):
    cited = claim("unsupported", (PASS, FAIL), text="One claim.")
    cited = cited.model_copy(
        update={"span": (0, 10), "citations": (cited.citations[0].model_copy(update={"span": (4, 9)}),)}
    )
    finding = Finding(**{"code": "semantic.not_entailed", "outcome": FAIL, **fields})
    scored = card("q", "correct", claims=(cited,), findings=(finding,))
    log = sarif_of(view_of([scored], [recorded(scored, answer=answer)]))
    check_sarif(log)
    (result,) = log["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    text = log["runs"][0]["artifacts"][1]["contents"]["text"]
    assert text[region["charOffset"] : region["charOffset"] + region["charLength"]] == words


def test_passes_are_no_results_and_what_is_unknown_is_open():
    findings = (
        Finding(code="resolvability.quote_normalised", outcome=PASS, reason="but for typesetting"),
        Finding(code="semantic.padding", outcome=FAIL),
        Finding(code="semantic.unjudged", outcome=UNKNOWN),
    )
    results = sarif_of(view_of([card("q", "correct", findings=findings)]))["runs"][0]["results"]
    assert [(one["ruleId"], one["kind"], one["level"]) for one in results] == [
        ("semantic.padding", "fail", "warning"),
        ("semantic.unjudged", "open", "none"),
    ]


def test_a_wrong_answer_without_a_finding_is_a_result_all_the_same():
    (result,) = sarif_of(view_of([card("q", "wrong", cause="contradicts_gold", why="gold says 30")]))["runs"][0][
        "results"
    ]
    assert (result["ruleId"], result["level"]) == ("factuality.wrong", "error")
    assert result["message"]["text"] == "wrong (contradicts_gold): gold says 30"


def test_fingerprints_and_places_stay_when_the_answers_come_in_another_order():
    """GitHub tracks a result by its fingerprint and the name of its file."""
    cards = [one.model_copy(update={"question_hash": f"hash of {one.id}"}) for one in few_cards()]
    tracked = [
        {
            (
                one["properties"]["record"],
                one["ruleId"],
                one["partialFingerprints"]["primaryLocationLineHash"],
                one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            )
            for one in sarif_of(view_of(order))["runs"][0]["results"]
        }
        for order in (cards, cards[::-1], [one for one in cards if one.id != "case-9"])
    ]
    assert tracked[0] == tracked[1]
    assert tracked[2] < tracked[0]


def test_steering_characters_are_replaced_one_for_one():
    answer = "safe \x1b[31m\u202etext"
    finding = Finding(code="structural.invisible_prose", outcome=FAIL, where=(11, 15))
    scored = card("q", "correct", findings=(finding,))
    run = sarif_of(view_of([scored], [recorded(scored, answer=answer)]))["runs"][0]
    assert run["artifacts"][1]["contents"]["text"] == "safe \ufffd[31m\ufffdtext"
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["snippet"]["text"] == "text"


def test_a_log_keeps_within_what_github_takes():
    """GitHub's documentation: at most 25,000 results a run, and 10 MB compressed. Here with a tighter bound."""
    assert (MOST_RESULTS, MOST_BYTES) == (25_000, 9_000_000)
    findings = tuple(Finding(code="semantic.padding", outcome=FAIL) for _ in range(3))
    cards = [card(f"q{n}", "wrong" if n % 10 == 0 else "correct", findings=findings) for n in range(100)]
    log = sarif_of(view_of(cards), most_results=250)
    check_sarif(log)
    levels = Counter(result["level"] for result in log["runs"][0]["results"])
    assert levels == {"error": 10, "warning": 240}  # the gravest are kept
    (told,) = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert told["message"]["text"] == (
        "60 of 310 results are left out, so that the file can be uploaded: 60 of level warning"
    )


def test_texts_are_left_out_before_a_log_grows_too_large():
    noise = random.Random(0)  # noqa: S311 - text, no secret
    cards = [card(f"q{n}", "wrong", cause="contradicts_gold") for n in range(12)]
    texts = ["".join(chr(noise.randrange(0x4E00, 0x9FFF)) for _ in range(30_000)) for _ in cards]  # hardly compresses
    view = view_of(cards, [recorded(one, answer=text) for one, text in zip(cards, texts, strict=True)])
    file = io.BytesIO()
    write_sarif(view, file, most_bytes=400_000)
    rules = len(zlib.compress(written(write_sarif, view_of([])), 6))
    assert len(zlib.compress(file.getvalue(), 6)) < 400_000 + 65_536 + rules
    run = json.loads(file.getvalue())["runs"][0]
    assert 5 <= len(run["artifacts"]) - 1 == len(run["results"]) <= 9  # some 60,000 bytes each
    left = 12 - len(run["results"])
    assert (
        f"{left} of 12 results are left out"
        in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
    )


NOISE = [random.Random(n).randbytes(50_000).hex() for n in range(9)]  # noqa: S311 - 50,000 bytes each once compressed


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (["none"] * 3 + ["error"] * 2, {"error": 2, "none": 1}),  # of three
        (["error"] * 5, {"error": 3}),
        (["warning", "none"], {"warning": 1, "none": 1}),
    ],
)
def test_room_is_kept_for_the_gravest(asked, taken):
    expected = Counter(asked)
    room = Room({level: expected[level] for level in LEVELS}, 3, 10_000)
    assert Counter(level for level in asked if room.take(level, "a result")) == taken
    assert sum(room.left_out().values()) == len(asked) - sum(taken.values())
    assert room.seen == len(asked)


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (["warning"] * 5 + ["error"] * 4, {"warning": 2, "error": 2}),  # half is kept for errors that are still to come
        (["error", "warning", "warning", "warning", "warning"], {"error": 1, "warning": 3}),
    ],
)
def test_bytes_are_kept_for_the_gravest(asked, taken):
    expected = Counter(asked)
    room = Room({level: expected[level] for level in LEVELS}, 100, 230_000)
    given = zip(asked, NOISE, strict=False)
    assert Counter(level for level, text in given if room.take(level, text)) == taken


def test_every_code_that_can_be_emitted_has_words():
    """The codes are read off the source: what stands there as ``"rubric.code"``, and what is put together from parts."""
    found = set()
    for room in ("read", "rubrics", "serving"):
        for path in (SRC / room).rglob("*.py"):
            found |= set(
                re.findall(r'"((?:structural|resolvability|semantic|refusal)\.[a-z_]+)"', path.read_text("utf-8"))
            )
    found |= {f"resolvability.{code}" for code in ("quote_not_found", "quote_in_other_source")}
    found |= {f"resolvability.registry_{status}" for status in get_args(LookupStatus)}
    assert len(found) > 45
    assert found <= set(FINDING_WORDS)
    assert {code for code in FINDING_WORDS if not code.startswith("factuality.")} == found
    for words in FINDING_WORDS.values():
        assert words.brief
        assert words.help.endswith((".", "!"))
