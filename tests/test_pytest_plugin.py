"""The pytest plugin, run inside pytest: what its user sees, and that nobody else sees anything."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

import showable
from showable.pytest_plugin.options import Settings
from showable.pytest_plugin.record_lines import held_lines
from showable.pytest_plugin.record_tests import HeldLine
from showable.pytest_plugin.tally import Tally

pytest_plugins = ["pytester"]

PLUGIN = ("-p", "showable.pytest_plugin")
LEXICAL = ("--showable-judge", "lexical")

PRELUDE = """
import asyncio, pytest, showable
LEASE = "Either party may end the lease by giving 30 days' notice in writing."
def record(answer="Either party may end the lease by giving 30 days' notice [lease].", key="lease-7", **fields):
    log = [{"source_id": "lease", "text": LEASE}]
    return {"id": key, "question": "How long is the notice period?", "answer": answer, "retrieved": log, **fields}
WRONG = "Either party may end the lease by giving 60 days' notice [lease]."
DECLINES = "I could not find this in the documents."
"""


def line(key="lease-1", answer="Either party may end the lease by giving 30 days' notice [lease].", **fields):
    log = [{"source_id": "lease", "text": "Either party may end the lease by giving 30 days' notice in writing."}]
    record = {"id": key, "question": "How long is the notice period?", "answer": answer, "retrieved": log}
    return json.dumps(record | fields, ensure_ascii=False)


WRONG_LINE = line("lease-2", "Either party may end the lease by giving 60 days' notice [lease].")


@pytest.fixture(scope="module", autouse=True)
def _imported_once():
    """Import here what the runs inside need: what they import themselves is forgotten, and NumPy is imported once only."""
    import showable.pytest_plugin.failures
    import showable.pytest_plugin.scoring
    import showable.shippable.message

    showable.score(json.loads(line()), judge="lexical")


@pytest.fixture
def suite(pytester, monkeypatch):
    """Write a suite and run it: `suite(body, *options, **files)`, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # whatever else is installed takes its time in every run
    monkeypatch.delenv("CI", raising=False)

    def run(body, *options, judge=LEXICAL, **files):
        pytester.makepyfile(test_it=PRELUDE + body)
        for name, text in files.items():
            pytester.path.joinpath(f"{name}.jsonl").write_bytes(text if isinstance(text, bytes) else text.encode())
        return pytester.runpytest_inprocess("-W", "error", "-p", "no:cacheprovider", *PLUGIN, *judge, *options)

    return run


def section(result):
    """Give the lines of the section in the summary."""
    lines = [text.strip("= ") if text.startswith("=") else text for text in result.outlines]
    start = next((at for at, text in enumerate(result.outlines) if re.fullmatch("=+ showable =+", text)), None)
    if start is None:
        return None
    end = next(at for at in range(start + 1, len(lines)) if result.outlines[at].startswith("="))
    return lines[start + 1 : end]


# ── what a test sees


def test_a_good_answer_passes_and_gives_its_scorecard(suite):
    result = suite("""
def test_it(assert_shippable, showable_score):
    assert assert_shippable(record()).bucket == "correct"
    assert showable_score(record()) == showable.score(record(), judge="lexical")
""")
    result.assert_outcomes(passed=1)


FAILURE = """\
E       wrong (contradicts_source): a retrieved passage contradicts a claim
E       
E         record    lease-7
E         question  How long is the notice period?
E       
E         claim 1   Either party may end the lease by giving 60 days' notice
E         cites     [lease], which contradicts it: the passage has 30 days, the
E                   claim says 60 days
E         passage   [lease] >>Either party may end the lease by giving 30 days'
E                   notice in writing.<<
E       
E         to mend   Say what the passage says, or leave the claim out."""  # fmt: skip  # noqa: W291 - pytest ends empty lines so


@pytest.mark.parametrize(
    "call", ["assert_shippable(record(WRONG))", 'showable.shippable.assert_shippable(record(WRONG), judge="lexical")']
)
def test_a_failure_shows_claim_passage_and_cause_and_no_inside(suite, call):
    result = suite(f"""
import showable.shippable
def test_it(assert_shippable):
    {call}
""")
    shown = "\n".join(result.outlines)
    assert FAILURE in shown
    assert not re.search(r"scoring\.py|shippable[/\\]|thread\.py|NotShippableError: ", shown)
    assert all(len(text) <= 80 for text in shown.splitlines() if text.startswith("E"))
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_it - wrong (contradicts_source): a retrieved passage*"])


@pytest.mark.parametrize("style", ["auto", "long", "short", "line", "native", "no"])
def test_the_short_summary_begins_with_the_bucket_in_every_style(suite, style):
    result = suite("def test_it(assert_shippable): assert_shippable(record(WRONG))", f"--tb={style}")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_it - wrong (contradicts_source): a retrieved passage*"])


def test_what_is_no_record_is_an_error_of_the_test(suite):
    result = suite("""
def test_it(assert_shippable):
    assert_shippable(record(qestion="?"))
""")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E*InputError: record 'lease-7': qestion: unknown field"])
    assert section(result) is None


def test_rules_are_made_stricter_by_name(suite):
    result = suite("""
def test_declining_is_fine(assert_shippable):
    assert_shippable(record(DECLINES))
def test_only_an_answer_will_do(assert_shippable):
    assert_shippable(record(DECLINES), allow=["correct"])
def test_not_when_it_was_there(assert_shippable):
    gold = {"answer": "30 days", "evidence": [{"source_id": "lease"}]}
    assert_shippable(record(DECLINES, gold=gold), forbid_causes=["over_refusal"])
""")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines_random(["E*refused (unjudged): *; this*", "E*refused (over_refusal): *"])


def test_a_failing_judge_is_unknown_and_not_an_error_of_the_test(suite):
    result = suite("""
class Broken:
    name, prompt_hash = "broken@1", None
    async def verdicts(self, pairs):
        raise ConnectionError("no route")
    def estimate(self, pairs):
        raise NotImplementedError
@pytest.fixture(scope="session")
def showable_judge():
    return Broken()
def test_it(showable_score):
    assert showable_score(record()).bucket == "unknown"
""")
    result.assert_outcomes(passed=1)
    assert section(result)[0] == "not measured: 1 of 1 answers, the judge failed (ConnectionError)"
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert section(result)[1].endswith("0 wrong, 1 unknown")
    assert "judge:broken@1" in section(result)[-1]


def test_failing_registries_are_unknown_and_named_in_the_signature(suite):
    result = suite("""
class Down:
    name = "down@1"
    async def lookup_all(self, references):
        raise TimeoutError
    async def aclose(self):
        pass
@pytest.fixture(scope="session")
def showable_registries():
    return Down()
def test_it(showable_score):
    log = [{"source_id": "lease", "text": LEASE, "doi": "10.1000/182"}]
    card = showable_score(record(retrieved=log))
    assert (card.bucket, card.claims[0].citations[0].status) == ("unknown", "unreachable")
""")
    result.assert_outcomes(passed=1)
    assert "registries:down@1" in section(result)[-1]


# ── async


def test_async_tests(suite):
    result = suite("""
def test_in_a_loop(assert_shippable):
    async def main():
        return assert_shippable(record()).bucket
    assert asyncio.run(main()) == "correct"
def test_beside_a_loop(assert_shippable):
    async def main():
        ticks = 0
        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)
        ticking = asyncio.create_task(tick())
        cards = await asyncio.gather(*(asyncio.to_thread(assert_shippable, record(key=f"k{n}")) for n in range(8)))
        ticking.cancel()
        assert ticks > 1
        return cards
    assert [card.id for card in asyncio.run(main())] == [f"k{n}" for n in range(8)]
def test_fails(assert_shippable):
    async def main():
        await asyncio.to_thread(assert_shippable, record(WRONG))
    asyncio.run(main())
def test_the_current_loop_stays(assert_shippable):
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    assert_shippable(record())
    assert asyncio.get_event_loop() is loop
    asyncio.set_event_loop(None)
    loop.close()
""")
    result.assert_outcomes(passed=3, failed=1)
    assert section(result)[0].startswith("11 answers scored: 10 correct, 0 refused, 0 unsupported, 1 wrong")


def test_async_tests_under_anyio(suite):
    pytest.importorskip("anyio")
    result = suite(
        """
@pytest.fixture
def anyio_backend():
    return "asyncio"
@pytest.mark.anyio
async def test_good(assert_shippable):
    await asyncio.sleep(0)
    assert_shippable(record())
@pytest.mark.anyio
async def test_bad(assert_shippable):
    assert_shippable(record(WRONG))
""",
        "-p",
        "anyio",
    )
    result.assert_outcomes(passed=1, failed=1)
    assert "E       wrong (contradicts_source): a retrieved passage contradicts a claim" in result.outlines


def test_a_judge_with_connections_is_closed_in_the_loop_that_opened_them(suite):
    result = suite("""
from showable.records import Verdict
class Connected:
    name, prompt_hash = "connected@1", None
    opened, closed = [], []
    async def verdicts(self, pairs):
        self.opened.append(asyncio.get_running_loop())
        return [Verdict(label="supported", judge=self.name)] * len(pairs)
    def estimate(self, pairs):
        raise NotImplementedError
    async def aclose(self):
        self.closed.append(asyncio.get_running_loop())
@pytest.fixture(scope="session")
def showable_judge():
    return Connected()
def test_it(assert_shippable, showable_judge):
    assert_shippable(record())
    assert_shippable(record(key="other"))
    assert set(showable_judge.opened) == set(showable_judge.closed) and len(showable_judge.closed) == 2
""")
    result.assert_outcomes(passed=1)


# ── the marker

EACH = """
@pytest.mark.showable_records("answers.jsonl")
def test_answer(record, assert_shippable):
    assert_shippable(record)
"""


def test_one_test_a_record(suite):
    result = suite(EACH, "-v", "--strict-markers", answers=f"{line()}\n\n{WRONG_LINE}\n")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*::test_answer[[]lease-1[]] PASSED*", "*::test_answer[[]lease-2[]] FAILED*"])
    result.stdout.fnmatch_lines(["FAILED test_it.py::test_answer[[]lease-2[]] - wrong (contradicts_source): *"])
    result.stdout.fnmatch_lines(["record = Record(id='lease-2', *"])


def test_a_bad_line_is_one_test_that_says_which(suite):
    result = suite(EACH, answers=f'{line()}\n{{"id": "x", "anser": "y"}}\n{{"id"\n{line()}\n{line("last")}')
    result.assert_outcomes(passed=2, errors=3)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup of test_answer[[]line-2[]]*",
            "*answers.jsonl:2: *: this field is missing",
            "*answers.jsonl:3: not JSON: *",
            "*answers.jsonl:4: id: 'lease-1' stands on line 1 already",
        ]
    )
    assert "All traceback entries" not in "\n".join(result.outlines)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (None, "No such file or directory"),
        ("", "holds no records"),
        ("\n \n", "holds no records"),
        ("\xff", "expected"),
    ],
)
def test_a_file_without_records_is_one_test_that_says_so(suite, written, said):
    files = {} if written is None else {"answers": written}
    result = suite(f"{EACH}\ndef test_other(): pass", **files)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines([f"*answers.jsonl*{said if said != 'expected' else 'not JSON'}*"])


def test_a_file_of_another_kind_that_cannot_be_read_is_one_test(suite, pytester):
    pytester.path.joinpath("answers.csv").write_text("".join(f"a,b{n}\n" for n in range(50)))
    result = suite(EACH.replace("jsonl", "csv"))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ERROR at setup of test_answer[[]answers.csv[]]*", "*answers.csv:*"])


RAGAS = [
    {"user_input": "?", "response": "The notice is 30 days [1].", "retrieved_contexts": ["The notice is 30 days."]},
    {"user_input": "?", "response": "The notice is 60 days [1].", "retrieved_contexts": ["The notice is 30 days."]},
]
COLUMNS = 'question,answer,contexts\n?,The notice is 30 days [1].,"[""The notice is 30 days.""]"\n?,It is 60 [2].,[]\n'
OTHERS = {
    "answers.json": json.dumps(RAGAS),
    "answers.jsonl": "\n".join(map(json.dumps, RAGAS)),
    "answers.csv": COLUMNS,
}


@pytest.mark.parametrize("name", OTHERS)
def test_files_of_other_tools_are_read_as_score_reads_them(suite, pytester, name):
    pytester.path.joinpath(name).write_text(OTHERS[name])
    result = suite(EACH.replace("answers.jsonl", name), "-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*::test_answer[[]row-1[]] PASSED*", "*::test_answer[[]row-2[]] FAILED*"])


def test_a_row_of_another_tool_that_is_no_record_is_one_test(suite):
    rows = [RAGAS[0], *[RAGAS[0] | {"response": 7}] * 22, RAGAS[1]]
    result = suite(EACH, "-v", answers="\n".join(map(json.dumps, rows)))
    result.assert_outcomes(passed=1, failed=1, errors=21)
    result.stdout.fnmatch_lines(["*answers.jsonl:2: *expected a string*", "*answers.jsonl: 2 more rows are no records"])
    assert "test_answer[no-record-20]" in "\n".join(result.outlines)


IDS = {
    "plain-1.a_b": "plain-1.a_b",
    "with space/and[brackets]::x": "with_space_and_brackets_x-*",
    "契約": "????????",
    "x" * 300: "x" * 71 + "-????????",
    "\x1b[31mred\u202e": "31mred-????????",
    "line-7": "line-7",
}


def test_ids_are_plain_short_and_no_two_alike(pytester, request):
    ids = [*IDS, "a b", "a\tb", "a_b"]
    path = pytester.path / "ids.jsonl"
    path.write_text("\n".join(map(line, ids)) + "\n{}\n", "utf-8")
    names = [name for name, _ in held_lines(path, request.config)]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,80}", name) for name in names)
    assert len(set(names)) == len(ids) + 1
    for name, shape in zip(names, IDS.values(), strict=False):
        assert re.fullmatch(re.escape(shape).replace(r"\?", "[0-9a-f]").replace(r"\*", "[0-9a-f]{8}"), name), name
    path.touch()
    assert [name for name, _ in held_lines(path, request.config)] == names
    assert names[-1] == "line-10"


def test_a_test_holds_the_place_of_a_line_and_not_the_record(pytester, request):
    path = pytester.path / "big.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(line(f"é{n}") for n in range(50)).encode() + b"\r\n\r\n")
    held = [each for _, each in held_lines(path, request.config)]
    assert [type(each) for each in held] == [HeldLine] * 50
    assert not any(each.record for each in held)
    assert [each.read().id for each in reversed(held)] == [f"é{n}" for n in range(49, -1, -1)]
    path.write_text("gone")
    with pytest.raises(pytest.fail.Exception, match=r"big.jsonl:3: the file has changed since"):
        held[2].read()


def test_the_argument_may_have_another_name_and_fixtures_may_ask_for_it(suite):
    result = suite(
        """
@pytest.fixture
def card(answer, showable_score):
    return showable_score(answer)
@pytest.mark.showable_records("answers.jsonl", argname="answer")
@pytest.mark.parametrize("strict", [True, False])
def test_it(card, answer, strict):
    assert card.id == answer.id
@pytest.mark.showable_records("answers.jsonl")
class TestAll:
    def test_one(self, record, assert_shippable):
        assert_shippable(record)
    def test_of_something_else(self):
        pass
""",
        answers=f"{line()}\n{line('b')}\n",
    )
    result.assert_outcomes(passed=7)


def test_several_markers_are_several_files(suite):
    """On a test, and on a class; a file that is named twice is one, and a file that is missing is still told."""
    result = suite(
        """
@pytest.mark.showable_records("other.jsonl")
@pytest.mark.showable_records("answers.jsonl")
def test_both(record, assert_shippable):
    assert_shippable(record)
@pytest.mark.showable_records("answers.jsonl")
@pytest.mark.showable_records("answers.jsonl")
@pytest.mark.showable_records("none.jsonl")
class TestAll:
    def test_one(self, record, assert_shippable):
        assert_shippable(record)
@pytest.mark.showable_records("other.jsonl", argname="second")
@pytest.mark.showable_records("answers.jsonl", argname="first")
def test_pairs(first, second):
    assert (first.id, second.id) == ("lease-1", "lease-2")
""",
        "-v",
        answers=line(),
        other=WRONG_LINE,
    )
    result.assert_outcomes(passed=3, failed=1, errors=1)
    for said in (
        "test_both[[]answers-lease-1[]] PASSED*",
        "test_both[[]other-lease-2[]] FAILED*",
        "test_one[[]answers-lease-1[]] PASSED*",
        "test_one[[]none-none.jsonl[]] ERROR*",
    ):
        result.stdout.fnmatch_lines([f"*::{said}"])


def test_a_path_is_looked_for_beside_the_test_and_then_in_the_root(suite, pytester):
    folder = pytester.mkdir("deep")
    (folder / "answers.jsonl").write_text(line("beside"))
    (folder / "test_deep.py").write_text(
        f"import pytest\n{EACH}{EACH.replace('answers', 'other').replace('test_answer', 'test_other')}"
    )
    result = suite("", "-v", answers=line("root"), other=line("root"))
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_answer[[]beside[]] PASSED*", "*test_other[[]root[]] PASSED*"])


@pytest.mark.parametrize(
    ("marker", "said"),
    [
        ('("answers.jsonl", "b.jsonl")', 'written|@pytest.mark.showable_records("answers.jsonl", argname="record")'),
        ("()", "takes the path of one file"),
        ('("answers.jsonl", arg="x")', "takes the path of one file"),
        ('("answers.jsonl", argname="x")', "showable_records gives 'x', which is no argument"),
    ],
)
def test_a_marker_that_is_written_wrong(suite, marker, said):
    result = suite(EACH.replace('("answers.jsonl")', marker), answers=line())
    result.assert_outcomes(errors=1)
    assert said.rpartition("|")[2] in "\n".join(result.outlines)


def test_last_failed_runs_the_same_records_again(suite, pytester):
    suite(EACH, answers=f"{WRONG_LINE}\n{line()}\n{line('c', 'The fee is 9 dollars [lease].')}\n")
    options = ("-W", "error", *PLUGIN, *LEXICAL)
    pytester.runpytest_inprocess(*options).assert_outcomes(failed=2, passed=1)
    again = pytester.runpytest_inprocess(*options, "--lf")
    again.assert_outcomes(failed=2)
    assert section(again)[0].startswith("2 answers scored")
    first = pytester.runpytest_inprocess(*options, "-x", "-p", "no:randomly")
    first.assert_outcomes(failed=1)
    assert section(first)[0].startswith("1 answer scored: 0 correct, 0 refused, 0 unsupported, 1 wrong, 0 unknown")


# ── options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--showable-judge=oracle"], "--showable-judge: judge 'oracle': there is embedded*"),
        (["--showable-judge=scripted:no.jsonl"], "--showable-judge: no.jsonl: No such file or directory"),
        (["--showable-profile=maritime"], "--showable-profile: profile 'maritime': expected general*"),
        (["--showable-threshold=2"], "--showable-threshold: threshold '2': expected p between 0 and 1*"),
        (["--showable-unknown=ignore"], "--showable-unknown: expected fail, skip, xfail, got 'ignore'"),
        (["-o", "showable_profile=maritime"], "--showable-profile: profile 'maritime': *"),
    ],
)
def test_what_cannot_be_used_is_said_before_the_first_test(suite, options, said):
    result = suite("def test_it(): pass", *options, judge=())
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}"])


def test_options_reach_the_signature(suite):
    options = ("--showable-profile", "legal", "--showable-threshold", "0.7,holding=0.8")
    result = suite("def test_it(showable_score): showable_score(record())", *options)
    assert "judge:lexical@" in section(result)[-1]
    assert "|thresholds:0.7,holding=0.8|profile:legal@" in section(result)[-1]


def test_the_ini_file_says_the_same_and_its_paths_start_there(suite, pytester):
    table = {"claim": "Either party may end the lease by giving 60 days' notice", "label": "supported"}
    pytester.mkdir("tables").joinpath("verdicts.jsonl").write_text(json.dumps(table))
    pytester.path.joinpath("own.toml").write_text('name = "own"\nextends = "general"\n')
    pytester.makeini(
        "[pytest]\nshowable_judge = scripted:tables/verdicts.jsonl\nshowable_profile = own.toml\n"
        "showable_threshold = 0.6\nshowable_unknown = skip\n"
    )
    elsewhere = pytester.mkdir("elsewhere")
    pytester.makepyfile(test_it=f"{PRELUDE}\ndef test_it(assert_shippable):\n    assert_shippable(record(WRONG))")
    pytester.chdir()
    result = pytester.runpytest_inprocess("-W", "error", *PLUGIN, "--rootdir", pytester.path, "test_it.py", elsewhere)
    result.assert_outcomes(passed=1)
    assert "judge:scripted:" in section(result)[-1]
    assert "|thresholds:0.6|profile:own@" in section(result)[-1]


UNKNOWN = """
def test_it(assert_shippable):
    assert_shippable(record(retrieved=None))
"""


@pytest.mark.parametrize(
    ("option", "outcome"),
    [((), "failed"), (("fail",), "failed"), (("skip",), "skipped"), (("xfail",), "xfailed")],
)
def test_what_could_not_be_decided(suite, option, outcome):
    result = suite(UNKNOWN, "-rsx", *(f"--showable-unknown={said}" for said in option))
    result.assert_outcomes(**{outcome: 1})
    assert section(result)[:2] == [
        "1 answer scored: 0 correct, 0 refused, 0 unsupported, 0 wrong, 1 unknown",
        "causes: undecided 1",
    ]
    if outcome == "skipped":
        result.stdout.fnmatch_lines(["SKIPPED [[]1[]] test_it.py:*: lease-7: unknown (undecided): *"])


def test_wrong_answers_fail_whatever_is_done_with_unknown_ones(suite):
    result = suite("def test_it(assert_shippable): assert_shippable(record(WRONG))", "--showable-unknown=skip")
    result.assert_outcomes(failed=1)


# ── the summary, and properties

MIXED = """
def test_a(assert_shippable): assert_shippable(record(key="a"))
def test_b(assert_shippable): assert_shippable(record(WRONG, key="b"))
def test_c(showable_score):
    showable_score(record(DECLINES, key="c"))
    showable_score(record(DECLINES, key="c"))
    showable_score(record("", key="d"))
@pytest.fixture
def scored(showable_score):
    yield showable_score(record(key="e"))
    showable_score(record(key="f"))
def test_e(scored): pass
def test_g(): pass
"""
COUNTED = [
    "6 answers scored: 3 correct, 1 refused, 0 unsupported, 1 wrong, 1 unknown",
    "causes: contradicts_source 1, empty_answer 1, unjudged 1",
]


def test_the_summary_counts_every_answer_once(suite):
    said = section(suite(MIXED))
    assert said[:2] == COUNTED
    assert said[2].startswith(f"signature version:{showable.__version__}|")
    assert len(said) == 3


def test_causes_are_folded_to_the_width_of_the_terminal(suite):
    result = suite("""
def test_it(showable_score):
    for key, answer in enumerate(["", WRONG, DECLINES, "The fee is 9 dollars [lease].", "The lease ends in 30 days [x].", "{"]):
        showable_score(record(answer, key=str(key)))
""")
    at = next(n for n, text in enumerate(result.outlines) if text.startswith("causes: "))
    causes = result.outlines[at : at + 2]
    assert causes[1].startswith("  ")
    assert all(len(text) <= 80 for text in causes)


def test_the_summary_is_short_where_quiet_and_silent_where_very_quiet(suite):
    quiet = [text for text in suite(MIXED, "-q").outlines if "showable" in text]
    assert quiet == [f"showable: {COUNTED[0]}"]
    assert not [text for text in suite(MIXED, "-qq").outlines if "answers scored" in text]


def test_the_summary_tells_signatures_apart(suite):
    result = suite("""
def test_it(showable_score):
    for n in range(3):
        showable_score(record(key=f"g{n}"))
    showable_score(record(key="l", profile="legal"))
""")
    first, second = section(result)[-2:]
    assert first.startswith("signature of 3: ")
    assert "profile:general|" in first
    assert second.startswith("signature of 1: ")
    assert "profile:legal@" in second


def test_a_test_that_is_run_again_counts_once(suite, pytester):
    pytester.makeconftest("""
from _pytest.runner import runtestprotocol
def pytest_runtest_protocol(item, nextitem):
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    runtestprotocol(item, nextitem=nextitem, log=False)
    item.funcargs = {}
    item._initrequest()
    runtestprotocol(item, nextitem=nextitem, log=True)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
""")
    assert section(suite(MIXED))[:2] == COUNTED


def properties(path):
    cases = ET.parse(path).getroot().iter("testcase")  # noqa: S314 - written by the run just made
    return {case.get("name"): [(p.get("name"), p.get("value")) for p in case.iter("property")] for case in cases}


def test_junit_properties(suite, pytester):
    suite(MIXED, "--junitxml=out.xml")
    found = properties(pytester.path / "out.xml")
    assert found["test_b"][:3] == [
        ("showable.record", "b"),
        ("showable.bucket", "wrong"),
        ("showable.cause", "contradicts_source"),
    ]
    assert found["test_b"][3][0] == "showable.signature"
    assert [value for name, value in found["test_c"] if name == "showable.record"] == ["c", "d"]
    assert found["test_g"] == []


def test_properties_can_be_written_whatever_an_id_holds(suite, pytester):
    suite('def test_it(showable_score): showable_score(record(key="<&\\x00\\x1b[1m\\u202e]]>"))', "--junitxml=out.xml")
    assert properties(pytester.path / "out.xml")["test_it"][0] == ("showable.record", "<&]]>")


def test_what_workers_send_is_counted(suite, pytester, request, monkeypatch):
    """Reports travel from xdist's workers as pytest writes them for a journey; workers themselves take seconds to start."""
    sent = []
    monkeypatch.setattr(Tally, "pytest_runtest_logreport", lambda _, report: sent.append(report))
    assert section(suite(MIXED)) is None
    tally, hook = Tally(Settings()), request.config.hook
    monkeypatch.undo()
    for report in sent:
        written = json.dumps(hook.pytest_report_to_serializable(config=request.config, report=report))
        tally.pytest_runtest_logreport(
            hook.pytest_report_from_serializable(config=request.config, data=json.loads(written))
        )
    assert list(tally._lines())[:2] == COUNTED


_SLOW_OPTIONS = [("-n", "2"), ("-n", "2", "--dist", "each")]


@pytest.mark.parametrize("options", [*(pytest.param(one, marks=pytest.mark.slow) for one in _SLOW_OPTIONS), ("-n0",)])
def test_workers_count_together(suite, pytester, options):
    result = suite(
        MIXED + EACH,
        "-p",
        "xdist",
        *options,
        "--junitxml=out.xml",
        answers=f"{line()}\n{WRONG_LINE}\nnothing\n",
    )
    assert section(result)[:2] == [
        "8 answers scored: 4 correct, 1 refused, 0 unsupported, 2 wrong, 1 unknown",
        "causes: contradicts_source 2, empty_answer 1, unjudged 1",
    ]
    assert properties(pytester.path / "out.xml")["test_answer[lease-2]"][1] == ("showable.bucket", "wrong")
    assert FAILURE.splitlines()[0] in result.outlines


# ── suites that do not use it, and how it is loaded


def test_a_suite_that_does_not_use_it_sees_nothing(suite):
    result = suite("def test_it(): pass\ndef test_bad(): assert record()['id'] == 3", "--no-header", "-rA", judge=())
    result.assert_outcomes(passed=1, failed=1)
    assert not [
        text for text in [*result.outlines, *result.errlines] if "showable" in text.replace("import asyncio", "")
    ]


HEAVY = ("pydantic", "numpy", "onnxruntime", "rich", "showable.records", "showable.api")


def test_a_suite_that_does_not_use_it_imports_nothing_heavy(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_PLUGINS", raising=False)
    pytester.makepyfile(
        f"import sys\ndef test_it():\n    assert 'showable.pytest_plugin' in sys.modules\n"
        f"    assert not [name for name in {HEAVY} if name in sys.modules]"
    )
    pytester.runpytest_subprocess("-p", "showable.pytest_plugin").assert_outcomes(passed=1)


def test_help_and_markers_tell_of_it(suite):
    shown = "\n".join([*suite("", "--help").outlines, *suite("", "--markers").outlines])
    for name in ("judge", "profile", "threshold", "unknown"):
        assert f"--showable-{name}=" in shown
        assert f"showable_{name} (string):" in shown
    assert "@pytest.mark.showable_records(path, argname=" in shown


@pytest.mark.parametrize("options", [(), ("-p", "showable.pytest_plugin"), ("-p", "showable")])
def test_it_may_be_loaded_under_both_its_names(pytester, monkeypatch, options):
    """An entry point, `-p` and `pytest_plugins` may each ask for it; pytest itself refuses one module under two names."""
    point = pytester.mkdir("showable_entry-1.dist-info")
    point.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: showable-entry\nVersion: 1\n")
    point.joinpath("entry_points.txt").write_text("[pytest11]\nshowable = showable.pytest_plugin\n")
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=":")
    pytester.makeconftest('pytest_plugins = ["showable.pytest_plugin"]')
    pytester.makepyfile("""
def test_it(pytestconfig, showable_registries):
    held = [plugin for _, plugin in pytestconfig.pluginmanager.list_name_plugin() if plugin is not None]
    assert [getattr(plugin, "__name__", "") for plugin in held].count("showable.pytest_plugin") == 1
    assert [type(plugin).__name__ for plugin in held].count("Tally") == 1
""")
    pytester.runpytest_subprocess(*options, "--showable-unknown=skip").assert_outcomes(passed=1)
