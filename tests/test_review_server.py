"""The labelling page's server, as its users meet it: a real process, over a small run, asked over HTTP."""

import json
import shutil
import signal
import socket
import sqlite3
import threading
import uuid

import httpx
import pytest
from review_server import SENTINEL, Reviewer, served, small_run

from showable.errors import InputError
from showable.records.labels import Label, Target
from showable.review import adjudication, exports
from showable.review.asking_queues import make_queue
from showable.review.desk import Desk
from showable.review.labelling_api import take_label
from showable.review.page_context import Visit
from showable.review.reading_runs import LineIndex, OpenRun
from showable.review.reveal import revealed
from showable.stores.labels.store import LABELS, LabelStore

SUPPORTS = [(0, 0), (0, 1), (1, 0)]
"""The citations of every answer of `small_run`, as claim and place."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """One server for the tests that do not stop it; each of them labels under names and records of its own."""
    run = small_run(tmp_path_factory.mktemp("review") / "run", 60)
    with served(run) as server:
        server.run = run
        yield server


def fresh_queue(reviewer, **asked):
    reply = reviewer.post("/api/queues", {"kind": "random", "n": 4, "overlap": 2, **asked})
    assert reply.status_code == 200, reply.text
    return reply.json()["queue"]


def record_on(page):
    data = page.text.split('id="data">')[1].split("</script>")[0]
    return json.loads(data)["record"]


def go(reviewer, url):
    """Open an address as a browser does; gives the address one ends at and the page."""
    reply = reviewer.client.get(reviewer.url + url, follow_redirects=True)
    return reply.url.path, reply


class TestStartAndEnd:
    def test_it_says_where_it_is_and_where_the_labels_are_and_ends_with_0(self, cli, tmp_path, monkeypatch):
        run, second, labels = small_run(tmp_path / "run"), small_run(tmp_path / "second"), tmp_path / "mine.sqlite"
        lines = (
            (second / "scores.jsonl")
            .read_text()
            .replace('"support":"contradicted","p":0.0625', '"support":"supported","p":0.9')
        )
        (second / "scores.jsonl").write_text(lines)
        with served(run, "--second", second, "--labels", labels) as server:
            ada = server.reviewer("Ada", "senior")
            assert ada.post("/api/queues", {"kind": "disagreement"}).json()["n"] == 6
            assert ada.label("r1", "bucket", "correct").status_code == 200
            code, out, err = server.stop(signal.SIGINT)
        assert (code, err) == (0, "")
        assert server.said[0].startswith("run: 6 records to label at http://127.0.0.1:")
        assert server.said[1] == f"Labels are kept in {labels} as they are given. Ctrl-C ends the page."
        assert f"Stopped. 1 label by 1 person in {labels}" in out
        command = out.strip().splitlines()[-1].partition(": ")[2].split()
        assert command[:3] == ["showable", "labels", "export"]
        monkeypatch.chdir(tmp_path)
        assert cli(*command[1:])[0] == 0
        assert json.loads((tmp_path / "labels.jsonl").read_text())["value"] == "correct"

    def test_a_port_that_is_taken_is_one_line_and_2(self, cli, server):
        port = server.url.rpartition(":")[2]
        said = f"showable: --port {port}: something else listens there; give another, or 0 for any free one\n"
        assert cli("review", server.run, "--port", port) == (2, "", said)

    @pytest.mark.parametrize(
        ("args", "said"),
        [
            (["{tmp}/nothing"], "no such folder"),
            (["{tmp}"], "holds no run"),
            (["{run}", "--second", "{tmp}/nothing"], "no such folder"),
            (["{run}", "--second", "{other}"], "is a run of other answers"),
            (["{run}", "--profile", "nobody"], "profile 'nobody'"),
            (["{run}", "--host", "host.invalid"], "--host host.invalid: no such address"),
            (["{run}", "--labels", "{run}/run.json"], "no label file"),
        ],
    )
    def test_what_cannot_be_opened_is_one_line_and_2(self, cli, tmp_path, server, args, said):
        other = small_run(tmp_path / "other", 2) if "{other}" in args else None
        given = [arg.format(tmp=tmp_path, run=server.run, other=other) for arg in args]
        code, out, err = cli("review", "--port", "0", *given)
        assert (code, out) == (2, "")
        assert said in err
        assert err.count("\n") == 1

    def test_without_the_extra_it_says_what_to_install(self, cli, server, monkeypatch):
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        code, _, err = cli("review", server.run)
        assert (code, err) == (2, "showable: the page needs starlette and uvicorn: pip install 'showable[review]'\n")

    def test_a_run_that_is_not_finished_is_refused(self, cli, tmp_path):
        run = small_run(tmp_path / "run")
        facts = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps(facts | {"finished": False}))
        code, _, err = cli("review", run)
        assert code == 2
        assert "not finished" in err


class TestLabels:
    def test_a_label_is_filled_in_by_the_server(self, server):
        ada = server.reviewer("Ada", "senior")
        reply = ada.label("r1", "support", "partial", 0, 1, seconds=4.5).json()
        label = reply["label"]
        assert (label["reviewer"], label["role"], label["source_id"], label["blind"]) == ("Ada", "senior", "p2", True)
        assert label["seconds"] == 4.5
        assert ada.label("r1", "support", "partial", 0, 0, seconds=90_000).json()["label"]["seconds"] is None
        assert label["at"].endswith("Z")
        assert label["rubric"].startswith("1-")
        assert len(label["answer"]) == 16
        assert reply["judge"]["said"] == "unsupported"
        assert reply["judge"]["p"] == 0.125
        with LabelStore.open(server.run / LABELS) as store:
            assert label["id"] in {one.id for one in store.current("Ada")}

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"record": "r99"}, "record: the run has none of the id 'r99'"),
            ({"claim": 7}, "claim: the answer has 2 claims, counted from 0; there is no 7"),
            ({"claim": 1, "citation": 1}, "citation: the claim has 1 citation, counted from 0; there is no 1"),
            ({"claim": None}, "support: expected the claim and its citation, counted from 0"),
            ({"value": "maybe"}, "value: expected one of supported, partial"),
            ({"value": True}, "value: expected"),
            ({"value": 1.5}, "value: expected"),
            ({"about": "taste"}, "about: expected"),
            ({"claim": -1}, "claim: expected"),
            ({"seconds": -1}, "seconds: expected"),
            ({"id": "no spaces please"}, "id: "),
            ({"blind": True}, "blind: unknown field"),
            ({"reviewer": "Ben"}, "reviewer: unknown field"),
            ({"at": "2020-01-01T00:00:00Z"}, "at: unknown field"),
            ({"adjudicated": True}, "adjudicated: unknown field"),
            ({"about": "bucket"}, "bucket: expected no claim and no citation"),
            ({"about": "comment", "claim": None, "citation": None, "value": "x" * 4_001}, "value: expected text of at most 4,000"),
        ],
    )  # fmt: skip
    def test_what_is_no_label_is_refused_with_the_field(self, server, change, said):
        ada = server.reviewer("Ada", "senior")
        known = {"id": uuid.uuid4().hex, "record": "r1", "about": "support", "claim": 0, "citation": 0}
        reply = ada.post("/api/labels", known | {"value": "supported"} | change)
        assert reply.status_code == 400
        assert reply.json()["error"].startswith(said)

    def test_a_delivery_may_be_repeated_but_an_id_is_one_label(self, server):
        ben = server.reviewer("Ben")
        given = {"id": "twice-1", "record": "r2", "about": "bucket", "value": "wrong"}
        first, again = ben.post("/api/labels", given).json(), ben.post("/api/labels", given).json()
        assert (first["new"], again["new"]) == (True, False)
        assert first["label"] == again["label"]
        other = ben.post("/api/labels", given | {"value": "correct"})
        assert other.status_code == 409
        assert "another label has the id twice-1" in other.json()["error"]

    def test_a_word_given_after_the_judge_was_shown_is_not_blind(self, server):
        cleo = server.reviewer("Cleo")
        words = [
            cleo.label("r3", "support", value, 0, 0).json() for value in ("supported", "partial", None, "supported")
        ]
        assert [one["label"]["blind"] for one in words] == [True, False, False, False]
        assert [one["judge"] is None for one in words] == [False, False, True, False]

    def test_a_tab_is_told_what_another_wrote_and_the_last_word_holds(self, server):
        dora = server.reviewer("Dora")
        one, two = ({"record": "r4", "about": "bucket", "was": None} for _ in range(2))
        first = dora.post("/api/labels", one | {"id": uuid.uuid4().hex, "value": "wrong"}).json()
        second = dora.post("/api/labels", two | {"id": uuid.uuid4().hex, "value": "correct"}).json()
        assert first["changed_elsewhere"] is None
        assert second["changed_elsewhere"] == {"value": "wrong", "at": first["label"]["at"]}
        with LabelStore.open(server.run / LABELS) as store:
            assert [one.value for one in store.current("Dora")] == ["correct"]

    def test_undo_takes_back_the_last_change_and_says_what_holds(self, server):
        emma = server.reviewer("Emma")
        for value in ("wrong", "correct"):
            emma.label("r5", "bucket", value)
        undone = emma.post("/api/undo", {}).json()
        assert (undone["undone"]["value"], undone["now"]["value"], undone["record"]) == ("correct", "wrong", "r5")
        assert emma.post("/api/undo", {}).json()["now"] is None
        assert emma.post("/api/undo", {}).json()["undone"] is None

    def test_an_answer_that_lacks_a_verdict_after_undo_is_led_to_again(self, server):
        ivo = server.reviewer("Ivo")
        queue = fresh_queue(ivo, n=2, overlap=0)
        record = record_on(go(ivo, f"/label/{queue}")[1])
        for about, value in (("bucket", "wrong"), ("comment", "hm")):
            ivo.label(record, about, value)
        assert ivo.post("/api/done", {"queue": queue, "record": record}).json()["progress"]["done"] == 1
        undone = [ivo.post("/api/undo", {"queue": queue}).json() for _ in range(2)]
        assert [(one["undone"]["about"], one["progress"]["done"]) for one in undone] == [("comment", 1), ("bucket", 0)]
        assert go(ivo, f"/label/{queue}")[0] == f"/label/{queue}/1"

    def test_an_answer_of_two_queues_that_lacks_a_verdict_after_undo_is_done_in_neither(self, tmp_path):
        run = small_run(tmp_path / "run")
        with served(run) as server:
            zoe = server.reviewer("Zoe")
            one, two = (fresh_queue(zoe, kind=kind, n=9, overlap=9) for kind in ("random", "stratified"))
            record = record_on(go(zoe, f"/label/{one}")[1])
            zoe.label(record, "bucket", "wrong")
            zoe.post("/api/done", {"queue": one, "record": record})
            shown = record_on(go(zoe, f"/label/{two}")[1])
            while shown != record:
                following = zoe.post("/api/done", {"queue": two, "record": shown}).json()["next"]
                shown = record_on(go(zoe, following)[1])
            before = zoe.post("/api/done", {"queue": two, "record": record}).json()["progress"]["done"]
            undone = zoe.post("/api/undo", {"queue": two}).json()
        assert (undone["queue"], undone["record"], undone["progress"]["done"]) == (two, record, before - 1)
        with LabelStore.open(run / LABELS) as store:
            assert all((record, False) in store.records_dealt(queue, "Zoe") for queue in (one, two))

    def test_a_word_on_another_answer_or_under_another_guide_is_asked_for_again(self, server):
        """Such a word counts no more: shown as one's own, it would never be given anew, and would show the tool's."""
        uta = server.reviewer("Uta")
        queue = fresh_queue(uta, n=1, overlap=1)
        record = record_on(go(uta, f"/label/{queue}")[1])
        given = [uta.label(record, "support", "supported", *at).json()["label"] for at in SUPPORTS]
        changes = [{"answer": "0" * 16}, {"rubric": "1-000000"}, {}]
        with LabelStore.open(server.run / LABELS) as store:
            for label, change in zip(given, changes, strict=True):
                store.add(Label.model_validate(label | change | {"id": uuid.uuid4().hex}))
        page = json.loads(uta.get(f"/label/{queue}/1").text.split('id="data">')[1].split("</script>")[0])
        assert page["mine"] == {"support:1:0": "supported"}
        assert page["judge"].keys() == {"support:1:0"}
        again = uta.post("/api/labels", {**_body(record, 0, 0), "value": "partial", "was": None}).json()
        assert (again["changed_elsewhere"], again["judge"]["said"]) == (None, "supported")

    def test_many_at_once_lose_nothing(self, server):
        acknowledged, people = [], [server.reviewer(f"Crowd {n}") for n in range(4)]

        def work(person):
            given = [(f"r{k}", value) for k in range(1, 7) for value in ("wrong", "correct")]
            acknowledged.extend(person.label(key, "bucket", value).json()["label"]["id"] for key, value in given)

        threads = [threading.Thread(target=work, args=(person,)) for person in people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with LabelStore.open(server.run / LABELS) as store:
            assert len(acknowledged) == 48
            assert set(acknowledged) <= {label.id for label in store.history()}


class TestQueues:
    def test_shared_records_come_to_both_the_others_to_one(self, server):
        fay, gus = server.reviewer("Fay"), server.reviewer("Gus")
        queue = fresh_queue(fay, n=4, overlap=2)
        mine = {one.name: [] for one in (fay, gus)}
        for one in (fay, gus, fay, gus, fay, gus):
            path, page = go(one, f"/label/{queue}")
            if path == "/":
                continue
            record = record_on(page)
            mine[one.name].append(record)
            assert one.post("/api/done", {"queue": queue, "record": record}).status_code == 200
        with LabelStore.open(server.run / LABELS) as store:
            records = store.records_of(queue)
        assert mine["Fay"][:2] == mine["Gus"][:2] == records[:2]
        assert sorted(mine["Fay"][2:] + mine["Gus"][2:]) == sorted(records[2:])

    def test_one_resumes_at_the_first_that_is_not_done(self, server):
        hal = server.reviewer("Hal")
        queue = fresh_queue(hal, n=3, overlap=0)
        path, page = go(hal, f"/label/{queue}")
        assert path == f"/label/{queue}/1"
        first = record_on(page)
        following, page = go(hal, f"/label/{queue}?after=1")
        assert following == f"/label/{queue}/2"
        assert go(hal, f"/label/{queue}")[0] == f"/label/{queue}/1"
        reply = hal.post("/api/done", {"queue": queue, "record": first}).json()
        assert reply["next"] == f"/label/{queue}/2"
        assert (reply["progress"]["done"], reply["progress"]["of"]) == (1, 3)
        again = Reviewer(server.url).enter("Hal")
        assert go(again, f"/label/{queue}")[0] == f"/label/{queue}/2"

    def test_a_second_queue_of_a_kind_takes_other_records(self, server):
        ida = server.reviewer("Ida")
        replies = [ida.post("/api/queues", {"kind": "failed", "n": 2}).json() for _ in range(2)]
        assert [one["queue"] for one in replies] == ["failed", "failed-2"]
        with LabelStore.open(server.run / LABELS) as store:
            assert not set(store.records_of("failed")) & set(store.records_of("failed-2"))

    def test_the_hold_out_is_pinned_once_and_everybodys(self, server):
        jon = server.reviewer("Jon")
        first = jon.post("/api/queues", {"kind": "hold_out", "n": 5}).json()
        again = jon.post("/api/queues", {"kind": "hold_out"}).json()
        assert first == again
        assert (first["n"], first["overlap"]) == (5, 5)
        with LabelStore.open(server.run / LABELS) as store:
            assert store.hold_out() == store.records_of("hold_out")

    def test_half_of_a_small_run_is_held_out_and_not_all_of_it(self, tmp_path):
        run = OpenRun(small_run(tmp_path / "run", 6))
        with LabelStore.open(tmp_path / "labels.sqlite") as store:
            at_work = Desk(Visit("token", run.name, "Ada", "senior"), run, store)
            assert make_queue(at_work, b'{"kind":"hold_out"}')["n"] == len(store.hold_out()) == 3

    @pytest.mark.parametrize(
        ("body", "status", "said"),
        [
            ({"kind": "best"}, 400, "kind: expected one of random"),
            ({"kind": "random", "n": 0}, 400, "n: expected"),
            ({"kind": "random", "overlap": -1}, 400, "overlap: expected"),
            ({"kind": "random", "name": "mine"}, 400, "name: unknown field"),
            ({"kind": "disagreement"}, 400, "kind: disagreements are between two runs"),
            ({}, 400, "kind: this field is missing"),
        ],
    )
    def test_what_is_no_queue_is_refused(self, server, body, status, said):
        reply = server.reviewer("Kim").post("/api/queues", body)
        assert reply.status_code == status
        assert reply.json()["error"].startswith(said)

    @pytest.mark.parametrize(
        "path", ["/label/nothing", "/label/nothing/1", "/label/random/99", "/label/random/x", "/adjudicate/7"]
    )
    def test_what_is_not_there_is_404(self, server, path):
        lea = server.reviewer("Lea")
        assert lea.get(path).status_code == 404


class TestHidden:
    """What may not be in any answer: the tool's word before one's own, and what others said while one is at work."""

    PAGES = ("/", "/label/{queue}/1", "/adjudicate", "/agreement", "/export/labels.jsonl", "/export/labels.csv")

    def test_the_tools_word_is_nowhere_until_ones_own_is_given(self, server):
        mia = server.reviewer("Mia")
        queue = fresh_queue(mia, n=2, overlap=2)
        _, page = go(mia, f"/label/{queue}")
        record = record_on(page)
        for path in self.PAGES:
            shown = mia.get(path.format(queue=queue))
            assert SENTINEL.encode() not in shown.content, path
        assert b"0.9375" not in page.content
        assert b"0.0625" not in page.content
        assert b"sentinel-verdict-kind" not in page.content

        reply = mia.label(record, "support", "supported", 0, 0)
        assert f"{SENTINEL} 0 p1" in reply.text
        shown = mia.get(f"/label/{queue}/1").text
        assert f"{SENTINEL} 0 p1" in shown
        assert set(shown.split(SENTINEL)[1:]) == {one for one in shown.split(SENTINEL)[1:] if one.startswith(" 0 p1")}

    def test_each_word_shows_that_verdict_alone_and_the_bucket_waits_for_the_citations(self, server):
        nia = server.reviewer("Nia")
        assert nia.label("r6", "bucket", "wrong").json()["judge"] is None
        for claim, citation in SUPPORTS[:2]:
            reply = nia.label("r6", "support", "supported", claim, citation).json()
            assert reply["judge"]["reason"] == f"{SENTINEL} {claim} p{citation + 1}"
            assert reply["also"] == {}
        last = nia.label("r6", "support", "contradicted", 1, 0).json()
        assert last["judge"]["said"] == "contradicted"
        assert last["also"]["bucket"]["said"] == "correct"
        assert nia.label("r6", "refusal_quality", 2).json()["judge"]["said"] == 2
        assert nia.label("r6", "extra_claims", 0).json()["judge"]["said"] == 3
        assert nia.label("r6", "claim_kind", "dosage", 0).json()["judge"]["said"] == "sentinel-verdict-kind"
        assert nia.label("r6", "comment", "hm").json()["judge"] is None

    def test_labels_on_what_the_answer_has_not_reveal_nothing(self, server):
        card = OpenRun(server.run).card("r1")
        labelled = {Target("r1", "support", 9, 0), Target("r1", "bucket"), Target("r2", "support", 0, 0)}
        assert revealed(card, labelled) == frozenset()

    def test_what_others_said_is_nowhere_until_one_is_done(self, server):
        olga, pete = server.reviewer("Olga", "senior"), server.reviewer("Pete")
        queue = fresh_queue(olga, n=2, overlap=2)
        records = []
        for position in (1, 2):
            _, page = go(olga, f"/label/{queue}")
            records.append(record_on(page))
            olga.label(records[-1], "comment", "olga-said-this")
            olga.label(records[-1], "bucket", "refused")
            olga.post("/api/done", {"queue": queue, "record": records[-1]})
            assert f"/label/{queue}/{position}" == page.url.path
        go(pete, f"/label/{queue}")
        for path in self.PAGES:
            assert b"olga-said-this" not in pete.get(path.format(queue=queue)).content, path
        for path in ("/export/labels.jsonl", "/export/labels.csv"):
            refused = pete.get(path)
            assert refused.status_code == 403
            assert "records that you still have to label" in refused.text
            assert pete.get(f"{path}?whose=mine").status_code == 200
        reply = pete.label(records[0], "bucket", "correct")
        assert b"olga" not in reply.content.lower()
        settle = {"id": uuid.uuid4().hex, "record": records[0], "about": "bucket", "value": "wrong"}
        assert pete.post("/api/adjudicate", settle).status_code == 403
        pete.post("/api/settle-only", {})  # lifts what he has not begun: other queues of this server, and not this one
        assert pete.get("/export/labels.jsonl").status_code == 403
        for record in records:
            pete.post("/api/done", {"queue": queue, "record": record})
        assert "olga-said-this" in pete.get("/export/labels.jsonl").text

    def test_who_looked_first_labels_no_longer_blind(self, server, tmp_path):
        run = OpenRun(server.run)
        with LabelStore.open(tmp_path / "labels.sqlite") as store:
            quin, rosa, una = (
                Desk(Visit("token", run.name, who, "senior"), run, store) for who in ("Quin", "Rosa", "Una")
            )
            word = {"record": "r12", "about": "bucket", "value": "wrong"}

            def blind(desk, **given):
                body = json.dumps(word | given | {"id": uuid.uuid4().hex}).encode()
                return take_label(desk, body)["label"]["blind"]

            assert blind(quin)
            assert b"Quin" in exports.csv(rosa, {}).body
            assert (blind(rosa), blind(rosa, record="r14")) == (False, True)
            assert (blind(quin, record="r13"), blind(rosa, record="r13", value="correct")) == (True, True)
            assert "case 13" in adjudication.render_list(una)  # what people differ on is something that they said
            word = {"about": "support", "claim": 0, "citation": 0, "value": "supported"}
            assert (blind(una, record="r13"), blind(una, record="r15")) == (False, True)

    def test_a_disagreement_is_settled_by_who_counts(self, server):
        uma, vic, chief = server.reviewer("Uma"), server.reviewer("Vic"), server.reviewer("Chief", "senior")
        chief.post("/api/settle-only", {})
        for person, value in ((uma, "supported"), (vic, "partial")):
            person.label("r11", "support", value, 1, 0)
        given = {"id": "chief-1", "record": "r11", "about": "support", "claim": 1, "citation": 0, "value": "partial"}
        reply = chief.post("/api/adjudicate", given).json()
        assert (reply["label"]["adjudicated"], reply["label"]["blind"]) == (True, False)
        assert chief.label("r11", "support", "partial", 1, 0).json()["label"]["blind"] is False
        nothing = chief.post("/api/adjudicate", given | {"id": "chief-2", "citation": 0, "claim": 0})
        assert nothing.status_code == 409
        assert chief.get("/adjudicate/1").status_code == 200
        assert uma.get("/agreement").status_code == 200


class TestWhatGoesWrong:
    def test_a_run_that_changes_under_the_server_is_one_line(self, tmp_path):
        run = small_run(tmp_path / "run")
        scores, away = run / "scores.jsonl", tmp_path / "away"
        with served(run) as server:
            ada = server.reviewer("Ada")
            url = f"/label/{fresh_queue(ada)}"
            shutil.move(scores, away)
            pages = [go(ada, url)[1]]
            shutil.move(away, scores)
            assert go(ada, url)[1].status_code == 200
            with scores.open("a") as handle:
                handle.write("{}\n")
            pages.append(go(ada, url)[1])
            (run / LABELS).rename(away)
            lost = ada.label("r1", "bucket", "wrong")
            _break_off(server)
            _, _, err = server.stop()
        assert [page.status_code for page in pages] == [500, 500]
        assert "cannot be read any more: No such file" in pages[0].text
        assert "changed since the page was opened" in pages[1].text
        assert (lost.status_code, "was moved or deleted" in lost.json()["error"]) == (500, True)
        assert "Traceback" not in err + pages[0].text + pages[1].text
        assert [line.startswith("showable: ") for line in err.splitlines()] == [True] * 3

    def test_a_name_has_one_role(self, server):
        server.reviewer("Sam", "senior")
        other = server.reviewer()
        other.token = other.token or _token(other)
        reply = other.post("/api/enter", {"name": "sam", "role": "engineer"})
        assert reply.status_code == 400
        assert "Sam labels here as senior" in reply.json()["error"]

    def test_who_left_has_to_come_in_again(self, server):
        tom = server.reviewer("Tom")
        assert tom.post("/api/leave", {}).status_code == 200
        assert tom.label("r1", "bucket", "wrong").status_code == 401
        assert tom.get("/label/random").headers["location"] == "/"


def _body(record, claim, citation):
    return {"id": uuid.uuid4().hex, "record": record, "about": "support", "claim": claim, "citation": citation}


def _token(reviewer):
    from review_server import find_token

    return find_token(reviewer.get("/").text)


def _break_off(server):
    """Go away in the middle of a post, as a phone does: nobody at the terminal need hear of it."""
    with socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2]))) as connection:
        connection.sendall(b"POST /api/labels HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{")
    assert server.reviewer().get("/healthz").text == "ok\n"


def post_until_refused(person, acknowledged, enough, count):
    """Post labels one after another until the server is gone; says so when `count` were acknowledged."""
    for k in range(100_000):
        try:
            reply = person.label(f"r{k % 6 + 1}", "bucket", ("wrong", "correct", "unsupported")[k % 3])
        except httpx.TransportError:
            break
        acknowledged.append(reply.json()["label"]["id"])
        if k >= count:
            enough.set()


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path):
    run, acknowledged = small_run(tmp_path / "run"), []
    for turn in range(2):
        with served(run) as server:
            ada = server.reviewer("Ada", "senior")
            queue = fresh_queue(ada, n=6, overlap=0) if turn == 0 else "random"
            path, page = go(ada, f"/label/{queue}")
            assert path == f"/label/{queue}/{turn + 1}"
            ada.post("/api/done", {"queue": queue, "record": record_on(page)})
            enough = threading.Event()
            posting = threading.Thread(target=post_until_refused, args=(ada, acknowledged, enough, 3 + turn))
            posting.start()
            assert enough.wait(20)
            server.process.send(signal.SIGKILL)
            posting.join()
        with LabelStore.open(run / LABELS) as store:
            assert set(acknowledged) <= {label.id for label in store.history()}
    assert len(acknowledged) >= 3 + 4
    with sqlite3.connect(run / LABELS) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


class TestIndex:
    @pytest.mark.parametrize(
        "key", ["r1", 'a "quoted" one', "back\\slash", "\\", '\\"', "ünïcode ☃", "line\nbreak", "<b>", "\u202e"]
    )
    def test_every_id_is_found(self, tmp_path, key):
        from showable.records import Record

        record = Record(id=key, question="q", answer="a")
        line = record.model_dump_json(exclude_defaults=True)
        other = Record(id="other", question="q", answer="a").model_dump_json(exclude_defaults=True)
        (tmp_path / "records.jsonl").write_text(f"{other}\n{line}\n", "utf-8")
        index = LineIndex(tmp_path / "records.jsonl")
        assert index.ids() == ["other", key]
        assert index.read(key, Record) == record

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ('{"id":"a"}\n{"name":"b"}\n', ":2: no line of a run"),
            ('{"id":"a"}\n{"id":"b', ":2: no line of a run"),
            ('{"id":"a"}\n{"id":"a"}\n', ":2: the id 'a' stands twice"),
            ('{"id":7}\n', ":1: no line of a run"),
            ("\n", ":1: no line of a run"),
        ],
    )
    def test_a_damaged_file_is_told_with_the_line(self, tmp_path, text, said):
        (tmp_path / "records.jsonl").write_text(text)
        with pytest.raises(InputError, match=said):
            LineIndex(tmp_path / "records.jsonl")

    def test_a_record_without_scores_is_told(self, tmp_path):
        run = small_run(tmp_path / "run", 2)
        lines = (run / "scores.jsonl").read_text().splitlines(keepends=True)
        (run / "scores.jsonl").write_text(lines[0])
        with pytest.raises(InputError, match="no line has the id 'r2'"):
            OpenRun(run)
