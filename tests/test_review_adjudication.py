"""The pages around labelling: start, disagreements settled by keyboard in a real browser against the real server, agreement."""

import json
import uuid
from contextlib import ExitStack
from itertools import product

import pytest
import review_server
from browser import DESKTOP, PHONE, alone, faults, needs_chromium
from review_server import SENTINEL, served, small_run

from showable.measure.labelled_answer import digest_of
from showable.measure.labelled_kinds import kinds_of
from showable.profiles.load import load_profile
from showable.read.answer import PARSER_REVISION
from showable.records.labels import Label, Target, current_guide
from showable.records.profile import GENERAL, Profile
from showable.review.adjudication import marked, options
from showable.review.agreement_page import _computed, _copy, _State, told_apart
from showable.review.blindness import hidden_from, may_settle_only
from showable.review.desk import Desk
from showable.review.docket import docket
from showable.review.labelling_api import take_label
from showable.review.page_context import Visit
from showable.review.queue_names import queue_title
from showable.review.reading_runs import OpenRun
from showable.review.refusals import Refusal
from showable.review.room_templates import duration, script_data
from showable.review.start_page import counts_for
from showable.stores.labels.store import LabelStore

HOSTILE = "</script><script>alert(1)</script><b>bold</b>\x1b[31m"
ROLES = {"Ada": "senior", "Ben": "reviewer", "Cem": "reviewer", "Eve": "engineer", "Sol": "senior"}
CITED = {"about": "support", "claim": 0, "citation": 0}
WHOLE = {"about": "bucket"}


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    return OpenRun(small_run(tmp_path_factory.mktemp("docket") / "run", 6))


@pytest.fixture
def store(tmp_path):
    with LabelStore.open(tmp_path / "labels.sqlite") as store:
        yield store


def said(run, who, record, value, *, adjudicated=False, answer=None, minute=0, **about):
    """One label as the page would give it."""
    card = run.card(record)
    return Label(
        id=uuid.uuid4().hex,
        record=record,
        **about,
        value=value,
        reviewer=who,
        role=ROLES[who],
        at=f"2026-03-01T09:{minute:02}:00Z",
        rubric=current_guide()[about["about"]],
        answer=answer or digest_of(run.record(record), card),
        adjudicated=adjudicated,
    )


def desk(run, store, who="Sol", hidden=(), profile=GENERAL):
    run.profile = profile
    return Desk(Visit("token", run.name, who, ROLES[who]), run, store, frozenset(hidden))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({"Ada": "supported", "Ben": "partial"}, 1),
        ({"Ada": "supported", "Ben": "supported"}, 0),
        ({"Ada": "supported"}, 0),
        ({"Ada": "supported", "Ben": "cannot_tell"}, 0),  # who cannot tell says nothing
        ({"Ada": "supported", "Ben": "supported", "Cem": "partial"}, 1),  # outvoted is a disagreement too
        ({"Ada": "supported", "Ben": "partial", "Cem": "cannot_tell"}, 1),
    ],
)
def test_a_case_is_what_two_people_called_otherwise(opened, store, words, expected):
    store.add_many(said(opened, who, "r1", value, **CITED) for who, value in words.items())
    found = docket(desk(opened, store))
    assert (len(found.cases), found.open) == (expected, expected)
    for case in found.cases:
        assert case.target == Target("r1", "support", 0, 0)
        assert {word.reviewer: word.value for word in case.words} == words
        assert sorted(word.letter for word in case.words) == ["A", "B", "C"][: len(words)]


def test_labels_on_another_answer_or_of_a_role_that_does_not_count_make_no_case(opened, store):
    store.add(said(opened, "Ada", "r1", "supported", **CITED))
    store.add(said(opened, "Ben", "r1", "partial", answer="0" * 16, **CITED))
    store.add_many(said(opened, who, "r2", value, **WHOLE) for who, value in (("Ada", "correct"), ("Eve", "wrong")))
    assert len(docket(desk(opened, store)).cases) == 1, "r2 alone: the word on r1 was said of another answer"
    assert docket(desk(opened, store, profile=load_profile("legal"))).cases == (), "no engineer's word on answers there"


def test_adjudication_settles_and_taken_back_it_is_open_again(opened, store):
    store.add_many(said(opened, who, "r1", value, **CITED) for who, value in (("Ada", "supported"), ("Ben", "partial")))
    store.add(said(opened, "Sol", "r1", "unsupported", adjudicated=True, minute=1, **CITED))
    (case,) = docket(desk(opened, store)).cases
    assert (case.settled, case.standing, case.ruling_of("Sol").value) == (True, "unsupported", "unsupported")
    assert case.ruling_of("Ada") is None
    store.add(said(opened, "Sol", "r1", None, adjudicated=True, minute=2, **CITED))
    (case,) = docket(desk(opened, store)).cases
    assert (case.settled, case.rulings) == (False, ())


def test_what_one_still_has_to_label_waits_and_what_a_role_does_not_count_for_is_barred(opened, store):
    for record in ("r1", "r2"):
        store.add_many(said(opened, who, record, v, **WHOLE) for who, v in (("Ada", "correct"), ("Ben", "wrong")))
    found = docket(desk(opened, store, hidden=["r2"]))
    assert ([case.target.record for case in found.cases], found.waiting, found.barred) == (["r1"], 1, 0)
    found = docket(desk(opened, store, who="Eve", profile=load_profile("legal")))
    assert (found.cases, found.waiting, found.barred) == ((), 0, 2)


def test_refusals_of_the_hold_out_are_for_senior_reviewers(opened, store):
    store.pin_hold_out(["r4"])
    for record in ("r3", "r4"):
        store.add_many(said(opened, who, record, v, **WHOLE) for who, v in (("Ada", "refused"), ("Sol", "wrong")))
    assert [case.target.record for case in docket(desk(opened, store, who="Ben")).cases] == ["r3"]
    assert [case.target.record for case in docket(desk(opened, store, who="Sol")).cases] == ["r3", "r4"]


def test_a_refusal_of_the_hold_out_is_for_seniors_whatever_it_is_called(store, tmp_path):
    """The tool reads r1 as one that declines, gold wants r2 refused: to call them answers needs a senior as well."""
    run = small_run(tmp_path / "run", 3)
    lines = [json.loads(line) for line in (run / "scores.jsonl").read_text().splitlines()]
    for line, facts in zip(lines, ({"refusal": "full"}, {"answerable": False}, {}), strict=True):
        line.update(facts)
    (run / "scores.jsonl").write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    opened = OpenRun(run)
    store.pin_hold_out(opened.ids)
    for record in opened.ids:
        store.add_many(said(opened, who, record, v, **WHOLE) for who, v in (("Ada", "correct"), ("Sol", "wrong")))
        store.add(said(opened, "Ben", record, "correct", **WHOLE))
    assert [case.target.record for case in docket(desk(opened, store, who="Ben")).cases] == ["r3"]
    assert [case.target.record for case in docket(desk(opened, store)).cases] == ["r1", "r2", "r3"]
    assert [len(case.words) for case in docket(desk(opened, store)).cases] == [2, 2, 3], "Ben's word counts on r3 alone"


def test_a_kind_of_claim_is_one_of_the_profiles(opened, store):
    store.add_many(
        said(opened, who, "r1", kind, about="claim_kind", claim=0) for who, kind in (("Ada", "fact"), ("Ben", "bogus"))
    )
    legal = load_profile("legal")
    (case,) = docket(desk(opened, store, profile=legal)).cases
    assert [one.value for one in options(case, kinds_of(legal))] == [
        "fact",
        "dictum",
        "holding",
        "procedural",
        "statute",
    ]
    assert {one.value for one in options(case)} == {"fact", "bogus"}
    for profile, value, taken in ((legal, "bogus", False), (legal, "holding", True), (GENERAL, "bogus", True)):
        body = {"id": uuid.uuid4().hex, "record": "r2", "about": "claim_kind", "claim": 0, "value": value}
        at_work = desk(opened, store, profile=profile)
        if taken:
            assert take_label(at_work, json.dumps(body).encode())["label"]["value"] == value
            continue
        with pytest.raises(Refusal, match=r"value: expected a claim kind of the profile legal \(dictum, .*got 'bogus'"):
            take_label(at_work, json.dumps(body).encode())


def test_people_pinned_by_an_import_are_hidden_until_labelled(opened, store):
    """There is no queue of it here yet; what one labelled elsewhere is one's own."""
    store.add_many(
        [
            said(opened, "Ada", record, "correct", **WHOLE).model_copy(update={"held_out": True})
            for record in ("r1", "r2")
        ]
    )
    assert store.hold_out() == ["r1", "r2"]
    assert hidden_from(store, "Ben") == {"r1", "r2"}
    assert hidden_from(store, "Ada") == frozenset()
    store.make_queue("hold_out", "hold_out", ["r1", "r2"], 2)
    assert hidden_from(store, "Ada") == {"r1", "r2"}
    store.settle_only("Ada")
    assert (hidden_from(store, "Ada"), hidden_from(store, "Ben")) == (frozenset(), {"r1", "r2"})
    store.finish("hold_out", "Ben", store.next_record("hold_out", "Ben"))
    assert hidden_from(store, "Ben") == {"r2"}
    assert not may_settle_only(store, "Ben"), "what one has begun stays hidden until it is done"


def test_a_letter_says_nothing_of_the_person_and_stays_the_same(opened, store):
    for record, place in product(opened.ids, ((0, 0), (0, 1), (1, 0))):
        about = {"about": "support", "claim": place[0], "citation": place[1]}
        store.add_many(said(opened, who, record, v, **about) for who, v in (("Ada", "supported"), ("Ben", "partial")))
    first, again = (docket(desk(opened, store)).cases for _ in range(2))
    assert first == again
    assert {case.words[0].reviewer for case in first} == {"Ada", "Ben"}
    assert [case.target.record for case in first] == [key for key in opened.ids for _ in range(3)]


def test_cases_are_gone_through_from_where_one_is_and_then_from_the_first(opened, store):
    for record in ("r1", "r2", "r3"):
        store.add_many(said(opened, who, record, v, **WHOLE) for who, v in (("Ada", "correct"), ("Ben", "wrong")))
    store.add(said(opened, "Sol", "r3", "wrong", adjudicated=True, **WHOLE))
    found = docket(desk(opened, store))
    assert [found.next_open(after) for after in (0, 1, 2, 3)] == [1, 2, 1, 1]
    assert found.number_of(Target("r2", "bucket")) == 2
    assert found.number_of(Target("r6", "bucket")) is None


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ((), [("one two", False)]),
        (((0, 3),), [("one", True), (" two", False)]),
        (((4, 7), (0, 3)), [("one", True), (" ", False), ("two", True)]),
        (((0, 5), (2, 7)), [("one t", True), ("wo", True)]),  # an overlap is not shown twice
        (((5, 99), (9, 12)), [("one t", False), ("wo", True)]),  # what lies outside is cut
    ],
)
def test_marks_keep_every_character_once(spans, expected):
    assert marked("one two", spans) == expected
    assert "".join(piece for piece, _ in marked("one two", spans)) == "one two"


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [(None, ""), (20, "under a minute"), (61, "about 1 minute"), (600, "about 10 minutes"), (3600, "about 1 hour"),
     (5400, "about 1.5 hours"), (7300, "about 2 hours")],
)  # fmt: skip
def test_time_left_in_words(seconds, expected):
    assert duration(seconds) == expected


def test_roles_are_told_what_their_labels_count_for():
    assert counts_for(GENERAL, "senior") == "Your labels count for everything."
    assert counts_for(GENERAL, "engineer") == "Your labels count for everything but refusals in the hold-out."
    legal = load_profile("legal")
    said = "Your labels count for everything but whole answers, the quality of refusals and refusals in the hold-out."
    assert counts_for(legal, "engineer") == said
    half = Profile(name="half", label_roles=dict.fromkeys(("bucket", "refusal_quality", "extra_claims"), ("senior",)))
    said = "Your labels count for citations and kinds of claims, but not for refusals in the hold-out."
    assert (counts_for(half, "engineer"), said.count("but")) == (said, 1)
    assert counts_for(half, "senior") == "Your labels count for everything."
    nothing = Profile(name="strict", label_roles=dict.fromkeys(current_guide(), ("senior",)))
    assert counts_for(nothing, "engineer").endswith("count for nothing here.")


def test_data_for_scripts_ends_no_element_and_reads_back():
    written = script_data({"name": HOSTILE, "line": "\u2028"})
    assert not {"<", ">", "&", "\u2028"} & set(written)
    assert json.loads(written) == {"name": HOSTILE, "line": "\u2028"}


@pytest.mark.parametrize(
    ("name", "kind", "title"),
    [
        ("hold_out", "hold_out", "The hold-out"),
        ("random-2", "random", "Any answers, by chance, 2"),
        ("u", "own", "own"),
    ],
)
def test_a_queue_is_called_by_its_plain_name(name, kind, title):
    assert queue_title(name, kind) == title


@pytest.mark.parametrize(("others", "told"), [(0, 0), (1, 1), (4, 4), (5, 0), (6, 0)])
def test_a_figure_over_few_records_tells_what_was_said_on_them(opened, others, told):
    labels = [said(opened, "Ada", record, "correct", **WHOLE) for record in opened.ids[:others]]
    mine = [said(opened, "Sol", record, "correct", **WHOLE) for record in opened.ids]
    assert told_apart([*labels, *mine], "Sol") == set(opened.ids[:told])


def test_figures_are_computed_anew_when_a_hold_out_is_pinned_or_a_queue_made(opened, store):
    """Neither is a new label, and both change the report: what is held out must not stay among what was fitted on."""
    at_work = desk(opened, store)
    states = [_State.of(at_work)]
    store.pin_hold_out(["r1"])
    states.append(_State.of(at_work))
    store.make_queue("failed", "failed", ["r2"])
    states.append(_State.of(at_work))
    assert len({*states}) == 3
    assert states[-1] == _State.of(at_work)


def test_figures_rest_on_the_whole_log_but_for_what_is_hidden(opened, store, tmp_path):
    """The blind word of somebody who changed it later is in the log alone: without it people agree too well."""
    for record in ("r1", "r2"):
        for minute, value in enumerate(("supported", "partial")):
            store.add(said(opened, "Ada", record, value, minute=minute, **CITED))
    store.pin_hold_out(["r2"])
    _copy(store.path, tmp_path / "part.sqlite", {"r2"})
    with LabelStore.open(tmp_path / "part.sqlite") as copy:
        assert copy.history() == [label for label in store.history() if label.record == "r1"]
        assert (copy.current("Ada")[0].value, copy.hold_out()) == ("partial", ["r2"])


@pytest.fixture(scope="module")
def disputed(tmp_path_factory):
    """A served run on which Ada and Ben disagree: on a citation of r1 and r2, on r1 as a whole, on extra claims and a kind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            review_server, "SIGNATURE", review_server.SIGNATURE.model_copy(update={"parser": PARSER_REVISION})
        )
        run = small_run(tmp_path_factory.mktemp("disputed") / "run", 8, question="Case {k}: " + HOSTILE)
    with served(run) as server:
        ada, ben = server.reviewer("Ada", "senior"), server.reviewer("Ben")
        for record in ("r1", "r2"):
            ada.label(record, "support", "supported", 0, 0)
            ben.label(record, "support", "partial", 0, 0)
        ada.label("r1", "bucket", "correct")
        ben.label("r1", "bucket", "wrong")
        ada.label("r1", "extra_claims", 12)
        ben.label("r1", "extra_claims", 3)
        ada.label("r1", "claim_kind", "holding", 0)
        ben.label("r1", "claim_kind", "dictum", 0)
        ben.label("r1", "comment", f"Note: {HOSTILE}")
        for record in ("r3", "r4"):  # no dispute: what people agree on
            for who in (ada, ben):
                who.label(record, "support", "supported", 0, 0)
        for who in (ada, ben):  # they label outside of any queue: none may hide from them what they look at later
            assert who.post("/api/settle-only", {}).status_code == 200
        server.ada, server.ben = ada, ben
        yield server


@pytest.fixture(scope="module")
def _screen(disputed, driver):
    with ExitStack() as stack:
        with driver.driving() as browser:
            page = stack.enter_context(alone(browser))
        yield page
        with driver.driving():
            stack.close()


@pytest.fixture
def screen(_screen, browser):
    """One page for the tests that follow, which go on where the one before them left it."""
    return _screen


def enter(page, url, name, role):
    page.goto(url)
    page.fill("#name", name)
    page.check(f"input[value={role}]")
    page.click("button.primary")
    page.wait_for_selector(".rooms")


@needs_chromium
class TestInABrowser:
    @pytest.mark.slow
    def test_disagreements_are_settled_by_keyboard_undone_and_exported(self, disputed, screen):
        enter(screen, disputed.url, "Sol", "senior")
        screen.click("text=Disagreements")
        assert screen.inner_text("h1") == "5 disagreements to settle"
        screen.click("text=Begin")
        screen.wait_for_selector(".bench")

        before = screen.content()
        assert ("Ada" in before, "Ben" in before, SENTINEL in before) == (False, False, False), (
            "names and verdict hidden"
        )
        assert [one.inner_text() for one in screen.query_selector_all(".who")] == ["A", "B"]
        assert screen.inner_text(".remarks").strip("“”").startswith("Note: </script>"), "a note stays text"
        assert screen.inner_text(".passage mark") != ""
        screen.keyboard.press("Enter")
        assert screen.url.endswith("/adjudicate/1"), "nothing is passed over by Enter"

        screen.keyboard.press("s")
        screen.wait_for_selector("#tool-said:not([hidden])")
        assert {one.inner_text().split()[0] for one in screen.query_selector_all(".who")} == {"Ada", "Ben"}
        assert screen.inner_text("#tool-said").startswith("The tool said Supported (p 0.94)")
        assert screen.inner_text("#settled") == "1"
        assert screen.get_attribute("#options [data-at='0']", "aria-pressed") == "true"

        screen.keyboard.press("Enter")  # the kind of claim 1
        screen.wait_for_url("**/adjudicate/2")
        assert [one.inner_text() for one in screen.query_selector_all(".option")] == ["1\ndictum", "2\nholding"]
        screen.keyboard.press("2")
        screen.wait_for_selector("#tool-said:not([hidden])")
        screen.keyboard.press("Enter")  # how many sentences lack a citation
        screen.wait_for_url("**/adjudicate/3")
        screen.fill("#other", "7")
        screen.keyboard.press("Enter")
        screen.wait_for_selector("#tool-said:not([hidden])")
        screen.keyboard.press("Escape")
        screen.keyboard.press("Enter")  # the whole answer
        screen.wait_for_url("**/adjudicate/4")
        assert len(screen.query_selector_all(".source")) == 2
        screen.keyboard.press("n")
        screen.keyboard.type("The second source says four weeks.")
        screen.keyboard.press("Escape")
        screen.keyboard.press("2")
        screen.wait_for_selector("#tool-said:not([hidden])")

        screen.keyboard.press("j")
        screen.wait_for_url("**/adjudicate/5")
        with screen.expect_navigation(url="**/adjudicate/4"):
            screen.keyboard.press("z")  # takes back what was settled last, on the case where that was
        screen.wait_for_selector("[aria-pressed=true]", state="detached")
        screen.wait_for_selector("#settled:text-is('3')")
        assert screen.input_value("#comment") == "The second source says four weeks."

        lines = map(json.loads, disputed.ada.get("/export/labels.jsonl").text.splitlines())
        settled = {
            (one["about"], one["value"], one["reviewer"], one["blind"])
            for one in lines
            if one["adjudicated"] and one["value"]
        }
        assert settled == {
            ("support", "supported", "Sol", False),
            ("claim_kind", "holding", "Sol", False),
            ("extra_claims", 7, "Sol", False),
            ("comment", "The second source says four weeks.", "Sol", False),
        }
        assert screen.errors == []
        assert all(asked.startswith((disputed.url, "data:")) for asked in screen.asked)

    @pytest.mark.parametrize(
        ("width", "scheme", "rules"),
        [
            (PHONE, "light", None),
            pytest.param(DESKTOP, "dark", ["color-contrast"], marks=pytest.mark.slow),
        ],
        ids=["phone", "desktop"],
    )
    @pytest.mark.slow
    def test_the_pages_are_accessible_and_fit(self, disputed, screen, width, scheme, rules):
        screen.goto(disputed.url)
        enter(screen, disputed.url, "Sol", "senior") if screen.query_selector("#enter") else None
        seen = []
        screen.set_viewport_size(width)
        screen.emulate_media(color_scheme=scheme)
        for path in ("/", "/adjudicate", "/adjudicate/5", "/agreement")[
            : 4 if rules is None else 3
        ]:  # the report has a test of its own
            screen.goto(disputed.url + path)
            seen += [f"{path} {scheme}: {fault}" for fault in faults(screen, rules=rules)]
            fits = screen.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert fits, f"{path} {scheme} is too wide"
        screen.goto(disputed.url + "/agreement")
        screen.click("text=All queues")
        screen.wait_for_selector(".rooms")
        screen.click("#leave")
        screen.wait_for_selector("#enter")
        seen += [f"enter: {fault}" for fault in faults(screen, rules=rules)]
        assert seen == []
        assert screen.errors == []

    def test_a_first_queue_is_made_and_leads_to_labelling(self, disputed, screen):
        enter(screen, disputed.url, "Noa", "reviewer")
        screen.click("summary") if screen.query_selector("details.new:not([open])") else None
        screen.check("input[value=stratified]")
        screen.fill("#n", "2")
        screen.fill("#overlap", "5")  # more than there are: all of them
        screen.click("form#new button.primary")
        screen.wait_for_url("**/label/stratified/1")
        screen.goto(disputed.url)
        assert "Some of every outcome" in screen.inner_text(".queues")
        assert "2 answers, everybody labels all of them" in screen.inner_text(".queues")
        assert screen.errors == []


class TestOverHttp:
    def test_what_is_hidden_from_a_person_stays_so_on_every_page(self, disputed):
        mia = disputed.reviewer("Mia", "senior")
        queue = mia.post("/api/queues", {"kind": "random", "n": 8, "overlap": 8}).json()["queue"]
        mia.client.get(f"{disputed.url}/label/{queue}", follow_redirects=True)
        listed = mia.get("/adjudicate").text
        assert "5 more wait until you have finished your own labels" in listed
        assert 'href="/adjudicate/1"' not in listed
        assert mia.get("/adjudicate/1").status_code == 404
        given = {"id": uuid.uuid4().hex, "record": "r1", "about": "bucket", "value": "wrong"}
        refused = mia.post("/api/adjudicate", given)
        assert refused.status_code == 403
        assert "not finished labelling" in refused.json()["error"]
        agreement = mia.get("/agreement").text
        assert "4 answers that you still have to label take no part here" in agreement
        assert "Balanced accuracy" not in agreement
        assert "Ada" not in listed.replace("Ada</bdi> <small>", "")

    def test_what_is_shared_is_hidden_before_one_has_begun_but_not_from_who_only_settles(self, disputed):
        ivo = disputed.reviewer("Ivo", "senior")
        ivo.post("/api/queues", {"kind": "failed", "n": 8, "overlap": 8})
        jo = disputed.reviewer("Jo", "senior")
        assert "5 more wait until you have finished your own labels" in jo.get("/adjudicate").text
        assert "Others have labelled 4 of the answers that you still have to label" in jo.get("/").text
        for path in ("/export/labels.jsonl", "/adjudicate", "/agreement", "/"):
            assert "I only settle; I label none of these" in jo.get(path).text, path
        given = {
            "id": uuid.uuid4().hex,
            "record": "r1",
            "about": "support",
            "claim": 0,
            "citation": 0,
            "value": "partial",
        }
        assert jo.post("/api/adjudicate", given).status_code == 403
        replies = [jo.post("/api/settle-only", {}).json() for _ in range(2)]
        assert replies[0] == replies[1] == {"since": replies[0]["since"], "hidden": 0}
        assert jo.get("/export/labels.jsonl").status_code == 200
        assert 'href="/adjudicate/1"' in jo.get("/adjudicate").text
        assert "I only settle" not in jo.get("/").text + jo.get("/agreement").text
        assert jo.label("r8", "bucket", "wrong").json()["label"]["blind"] is False
        assert jo.post("/api/settle-only", {"since": "2020"}).status_code == 400

    @pytest.mark.parametrize(
        ("name", "given", "status", "why"),
        [
            ("Ada", {"record": "r3", "about": "support", "claim": 0, "citation": 0, "value": "partial"}, 409, "do not disagree"),
            ("Ada", {"record": "r2", "about": "support", "claim": 0, "citation": 0, "value": None}, 409, "no word of yours"),
            ("Ada", {"record": "r2", "about": "support", "claim": 0, "citation": 0, "value": "perhaps"}, 400, "expected one of"),
            ("Ada", {"record": "r9", "about": "bucket", "value": "wrong"}, 409, "do not disagree"),
        ],
    )  # fmt: skip
    def test_what_is_no_case_of_ones_own_is_refused_in_one_line(self, disputed, name, given, status, why):
        reply = getattr(disputed, name.lower()).post("/api/adjudicate", {"id": uuid.uuid4().hex, **given})
        assert (reply.status_code, why in reply.json()["error"]) == (status, True), reply.text

    def test_what_somebody_settled_nobody_else_overrules(self, disputed):
        one, other = disputed.reviewer("Kim", "senior"), disputed.reviewer("Lee", "senior")
        for who in (one, other):
            who.post("/api/settle-only", {})
        case = {"record": "r2", "about": "support", "claim": 0, "citation": 0}
        settled = one.post("/api/adjudicate", {"id": uuid.uuid4().hex, "value": "partial", **case})
        assert settled.status_code == 200
        assert {word["name"] for word in settled.json()["words"]} == {"Ada", "Ben"}
        overruled = other.post("/api/adjudicate", {"id": uuid.uuid4().hex, "value": "supported", **case})
        assert (overruled.status_code, "settled by Kim" in overruled.json()["error"]) == (409, True)
        assert one.post("/api/adjudicate", {"id": uuid.uuid4().hex, "value": None, **case}).status_code == 200
        assert other.post("/api/adjudicate", {"id": uuid.uuid4().hex, "value": "supported", **case}).status_code == 200
        assert other.post("/api/adjudicate", {"id": uuid.uuid4().hex, "value": None, **case}).status_code == 200

    def test_undo_while_labelling_leaves_alone_what_one_settled(self, disputed):
        max_ = disputed.reviewer("Max", "senior")
        max_.post("/api/settle-only", {})
        max_.label("r7", "bucket", "wrong")
        case = {"record": "r2", "about": "support", "claim": 0, "citation": 0}
        max_.post("/api/adjudicate", {"id": uuid.uuid4().hex, "value": "partial", **case})
        assert max_.post("/api/undo", {}).json()["undone"]["about"] == "bucket"
        assert max_.post("/api/undo", {}).json()["undone"] is None
        assert max_.post("/api/adjudicate", {"id": uuid.uuid4().hex, "value": None, **case}).status_code == 200

    def test_agreement_says_what_is_measured_and_what_is_missing(self, disputed):
        page = disputed.ada.get("/agreement").text
        assert "Nothing was fitted" in page
        assert "more “supported” labels" in page
        assert "People among themselves" in page
        assert "signature" in page.lower()
        assert "<script>alert" not in page


def test_figures_go_by_the_profile_that_the_page_was_started_under(store, tmp_path, monkeypatch):
    today = review_server.SIGNATURE.model_copy(update={"parser": PARSER_REVISION})
    monkeypatch.setattr(review_server, "SIGNATURE", today)
    opened = OpenRun(small_run(tmp_path / "run", 4))
    store.add_many([said(opened, "Eve", record, "correct", **WHOLE) for record in opened.ids])
    seniors = GENERAL.model_copy(update={"label_roles": {"bucket": ("senior",)}})
    own, other = (_computed(_State.of(desk(opened, store, profile=rules))) for rules in (GENERAL, seniors))
    assert (own.not_counted, own.stale) == (0, 0)
    assert (other.not_counted, other.stale) == (4, 0), "an engineer's word on answers does not count there"
