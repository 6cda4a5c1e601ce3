"""`showable drift` as a nightly job calls it: exit codes, what is printed, the webhook and its memory."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from showable.calibrating.calibration_file import write_calibration
from showable.drifting import webhook
from showable.judges.choose import choose
from showable.judges.scripted import ScriptedJudge
from showable.judging_settings import judge_under
from showable.records.calibration import Calibration, FittedOn, IsotonicMap
from showable.records.labels import Label, current_guide
from showable.records.profile import GENERAL
from showable.records.signature import Thresholds

TOWNS = ("Arden", "Brock", "Corle", "Dunmor", "Elsby", "Farrow")


def labelled_rows(n=80):
    """Rows that words alone can tell: what the passage says, and what it does not."""
    for i in range(n):
        town, days = TOWNS[i % len(TOWNS)], 10 + i
        said = f"The council of {town} grants {days} days of notice to every tenant of the old harbour."
        other = f"Fishing boats of {town} may not enter the northern basin before {days} o'clock."
        yield {
            "claim": f"The council of {town} grants {days} days of notice.",
            "passage": (said, other)[i % 2],
            "label": 1 - i % 2,
        }


@pytest.fixture
def rows(tmp_path):
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in labelled_rows()))
    return file


@pytest.fixture
def anchor(cli, rows, tmp_path):
    out = tmp_path / "anchor.json"
    code, said, _ = cli("drift", "anchor", "freeze", rows, "--judge", "lexical", "-o", out)
    assert code == 0
    assert "80 rows (40 labelled 1, 40 labelled 0)" in said
    return out


def test_an_unchanged_judge_is_no_alarm_and_the_same(cli, anchor):
    code, out, _ = cli("drift", "anchor", "check", anchor, "--judge", "lexical")
    assert code == 0
    assert out.startswith("no alarm: 5 things watched, none moved\n")
    assert "the judge answers as it did on all 80 rows: every decision and every p" in out


def scripted(tmp_path, label):
    table = tmp_path / f"{label}.jsonl"
    lines = ({"claim": row["claim"], "passage": row["passage"], "label": label} for row in labelled_rows())
    table.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"scripted:{table}"


def test_a_judge_that_says_yes_to_everything_alarms(cli, anchor, tmp_path):
    judge = scripted(tmp_path, "supported")
    code, out, _ = cli("drift", "anchor", "check", anchor, "--judge", judge, "--json")
    report = json.loads(out)
    assert code == 1
    assert {alarm["what"] for alarm in report["alarms"]} == {"kappa", "tnr", "balanced_accuracy"}
    assert report["alarms"][0].keys() >= {"what", "profile", "window", "before", "after", "n", "since", "test"}
    code, out, _ = cli("drift", "anchor", "check", anchor, "--judge", judge)
    assert out.splitlines()[0].startswith("ALARM: kappa fell, general; TNR fell, general")


def test_a_judge_that_decides_nothing_is_no_drift_and_no_pass(cli, anchor, tmp_path):
    code, out, _ = cli("drift", "anchor", "check", anchor, "--judge", scripted(tmp_path, "unknown"))
    assert code == 3
    assert out.startswith("UNKNOWN: nothing could be measured\n")


def test_a_judge_that_decides_nothing_makes_no_anchor(cli, rows, tmp_path):
    words = ("drift", "anchor", "freeze", rows, "--judge", scripted(tmp_path, "unknown"), "-o", tmp_path / "a.json")
    code, _, err = cli(*words)
    assert (code, (tmp_path / "a.json").exists()) == (3, False)
    assert "decided none of 80 rows" in err


def test_an_anchor_too_small_to_measure_by_says_so_and_is_no_all_clear(cli, tmp_path):
    file, anchor = tmp_path / "few.jsonl", tmp_path / "few.json"
    file.write_text("".join(json.dumps(row) + "\n" for row in labelled_rows(40)))
    _, out, _ = cli("drift", "anchor", "freeze", file, "--judge", "lexical", "-o", anchor)
    assert "30 rows of each label: 10 more labelled 1 and 10 more labelled 0 are missing" in out
    code, out, _ = cli("drift", "anchor", "check", anchor, "--judge", "lexical")
    assert code == 3
    assert out.startswith("UNKNOWN: nothing could be measured but that the judge decides\n")


def test_an_anchor_of_few_questions_says_so_and_is_no_all_clear(cli, tmp_path):
    file, anchor = tmp_path / "few.jsonl", tmp_path / "few.json"
    lines = [row | {"question": f"q{i % 12 if row['label'] else i % 6}"} for i, row in enumerate(labelled_rows(120))]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, out, _ = cli("drift", "anchor", "freeze", file, "--judge", "lexical", "-o", anchor)
    of_each = {label: len({line["question"] for line in lines if line["label"] == label}) for label in (1, 0)}
    said = f"a check takes 10 questions or sources of each label: {of_each[1]} are of label 1 and {of_each[0]} of label 0\n"
    assert said in out
    assert cli("drift", "anchor", "check", anchor, "--judge", "lexical")[0] == 3


def test_labels_given_twice_are_one_row_of_an_anchor_and_contradicting_ones_none(cli, tmp_path):
    file, anchor = tmp_path / "doubles.jsonl", tmp_path / "doubles.json"
    lines = list(labelled_rows(40))
    lines += [*lines, lines[0] | {"label": 1 - lines[0]["label"]}]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, out, _ = cli("drift", "anchor", "freeze", file, "--judge", "lexical", "-o", anchor)
    assert "39 rows (19 labelled 1, 20 labelled 0)" in out
    assert "- 39 labels are given twice (claim, passage and kind alike), and count once\n" in out
    assert "- 3 labels contradict one another on the same claim and passage, and take no part\n" in out
    assert "11 more labelled 1 and 10 more labelled 0 are missing" in out


def test_chunks_of_one_source_are_one_row_of_an_anchor(cli, tmp_path):
    file, anchor = tmp_path / "chunks.jsonl", tmp_path / "chunks.json"
    lines = [
        row | {"passage": passage, "group": f"g{i}"}
        for i, row in enumerate(labelled_rows(40))
        for passage in (row["passage"], f"Page {i}.")
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    _, out, _ = cli("drift", "anchor", "freeze", file, "--judge", "lexical", "-o", anchor)
    assert "80 rows" in out
    assert "30 rows of each label: 10 more labelled 1 and 10 more labelled 0 are missing; chunks" in out  # of 20 and 20
    assert cli("drift", "anchor", "check", anchor, "--judge", "lexical")[0] == 3


def test_an_anchor_under_a_calibration_is_checked_under_one(cli, rows, tmp_path):
    write_calibration(tmp_path / "f.json", calibration())
    freeze = ("drift", "anchor", "freeze", rows, "--judge", "lexical", "--calibration", tmp_path / "f.json")
    assert cli(*freeze, "-o", tmp_path / "a.json")[0] == 0
    check = ("drift", "anchor", "check", tmp_path / "a.json", "--judge", "lexical")
    code, out, err = cli(*check)
    assert (code, out) == (2, "")
    assert f"was frozen under the calibration {calibration().label}; give --calibration" in err
    assert cli(*check, "--calibration", tmp_path / "f.json")[0] == 0
    assert cli(*check, "--threshold", "0.5")[0] == 0  # who says where p is cut may take the calibration away


def test_an_anchor_that_was_changed_is_refused(cli, anchor):
    held = json.loads(anchor.read_text())
    held["rows"][3]["label"] = 1 - held["rows"][3]["label"]
    anchor.write_text(json.dumps(held))
    code, _, err = cli("drift", "anchor", "check", anchor, "--judge", "lexical")
    assert code == 2
    assert "was changed since it was frozen" in err


MISTAKES = [
    (("anchor", "freeze", "{rows}", "-o", "{anchor}"), "is never written over"),
    (("anchor", "freeze", "{rows}", "--labels", "{rows}", "-o", "new.json"), "--labels goes with a run folder"),
    (("anchor", "check", "{rows}"), "makes an anchor"),
    (("anchor", "check", "{anchor}", "--false-alarms", "0.001"), "--false-alarms: expected a number from 0.01"),
    (("anchor", "check", "{anchor}", "--bound", "-1"), "--bound: expected a number from"),
    (("stream", "nowhere"), "nowhere: no such folder"),
    (("stream", "{rows}", "--baseline", "50"), "--baseline: expected 100 answers or more"),
    (("stream", "{rows}"), "rows.jsonl:1: id: this field is missing"),
    (("stream", "{rows}", "--false-alarms", "0"), "--false-alarms: expected a number from"),
    (("stream", "{rows}", "--webhook", "http://example.org/x"), "--webhook: expected https://"),
    (("stream", "{rows}", "--webhook", "https://example.org/x", "--state", "{rows}"), "no state of alarms"),
    (("stream", "{rows}", "--state", "x.json"), "--state goes with --webhook"),
    (("stream", "{rows}", "--baseline", "{rows}"), "is all that was given"),
    (("people", "nowhere"), "nowhere: no such folder"),
]


@pytest.mark.parametrize(("words", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_mistakes_are_one_line(cli, rows, anchor, words, said):
    code, _, err = cli("drift", *(word.format(rows=rows, anchor=anchor) for word in words))
    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def night(path, n, refused, *, seed, day, profile="legal", judge="lexical@1"):
    rng = np.random.default_rng(seed)
    path.mkdir(parents=True)
    signature = f"version:0|rubric:4|parser:5|judge:{judge}|prompt:-|thresholds:0.5|profile:{profile}@abc123|registries:-|corpus:-|calibration:-|seed:0"
    (path / "run.json").write_text(json.dumps({"signature": signature, "finished": True, "fingerprint": "f"}))
    with (path / "scores.jsonl").open("w") as scores, (path / "evidence.jsonl").open("w") as evidence:
        for i in range(n):
            key, declined = f"{path.name}-{i}", bool(rng.random() < refused)
            card = {
                "id": key,
                "bucket": "refused" if declined else "correct",
                "refusal": "full" if declined else "none",
                "claims": [] if declined else [{"text": "a secret sentence", "p": round(float(rng.beta(4, 2)), 3)}],
                "checks": {"structural.schema": {"passed": 1, "failed": 0, "unknown": 0, "not_applicable": 0}},
            }
            scores.write(json.dumps(card) + "\n")
            evidence.write(json.dumps({"id": key, "judge": judge, "at": f"2026-03-{day:02d}T02:00:00+00:00"}) + "\n")
    return path


@pytest.fixture
def nights(tmp_path):
    """Five nights: from the fourth on another judge refuses more."""
    runs = tmp_path / "runs"
    for day in range(1, 6):
        changed = day > 3
        night(runs / f"n{day}", 130, 0.45 if changed else 0.1, seed=day, day=day, judge=f"lexical@{1 + changed}")
    return runs


def watch(cli, *words):
    return cli("drift", "stream", *words, "--baseline", "300", "--horizon", "300")


def test_a_stream_that_refuses_more_alarms_and_names_what_changed(cli, nights):
    code, out, _ = watch(cli, nights)
    assert code == 1
    assert out.splitlines()[0].startswith("ALARM: refusal rate rose, legal")
    joined = " ".join(out.split())
    assert f"measured otherwise from {nights}/n4 on: judge: lexical@1 → lexical@2" in joined.replace("/ ", "/")
    assert "2026-03-04T02:00:00" in joined
    assert "semantic failed" in out


def test_runs_are_put_in_the_order_of_time(cli, nights):
    backwards = [nights / f"n{day}" for day in range(5, 0, -1)]
    code, out, _ = watch(cli, *backwards, "--json")
    report = json.loads(out)
    assert code == 1
    assert report["alarms"][0]["since"]["at"].startswith("2026-03-04")
    assert "the runs were put in the order of time in which they were judged" in report["notes"]


def test_a_baseline_out_of_the_stream_is_not_watched_and_what_measured_it_is_told(cli, nights):
    code, out, _ = cli("drift", "stream", nights, "--baseline", nights / "n1", "--horizon", "300", "--json")
    report = json.loads(out)
    assert code == 1
    assert report["about"].startswith("520 answers; baseline: 130 answers of ")
    assert f"{nights / 'n1'} is the baseline, and its answers are not watched too" in report["notes"]
    own = (nights / "n5", "--baseline", nights / "n1")
    notes = json.loads(cli("drift", "stream", *own, "--horizon", "300", "--json")[1])["notes"]
    assert any("n5 on: judge: lexical@1 → lexical@2" in note for note in notes)


@pytest.mark.parametrize("label", ["general", "general@abc123", "general+mine@12ab", "general@abc123+a@1+b@2"])
def test_a_change_of_rules_or_rubrics_begins_no_other_stream(label):
    from showable.drifting.streams import _plain

    assert _plain(label) == "general"


def test_the_first_nights_alone_are_not_enough_to_say(cli, nights):
    code, out, _ = watch(cli, nights / "n1")
    assert code == 3
    assert out.startswith("UNKNOWN: nothing could be measured\n")
    assert "needs" in out


def test_a_run_given_twice_is_refused(cli, nights):
    code, _, err = watch(cli, nights / "n1", nights / "n1")
    assert (code, "given twice" in err) == (2, True)


def test_a_file_of_scorecards_may_name_its_profile(cli, tmp_path):
    file = tmp_path / "appended.jsonl"
    line = {"id": "a", "bucket": "correct", "profile": "news", "at": "2026-03-01T00:00:00Z"}
    file.write_text("".join(json.dumps(line | {"id": f"a{i}"}) + "\n" for i in range(120)))
    code, out, _ = cli("drift", "stream", file, "--json")
    assert code == 3
    assert {one["profile"] for one in json.loads(out)["watched"]} == {"news"}


def test_a_line_that_is_being_written_is_left_for_the_next_look(cli, tmp_path):
    file = tmp_path / "appended.jsonl"
    whole = "".join(json.dumps({"id": f"a{i}", "bucket": "correct"}) + "\n" for i in range(5))
    file.write_text(whole + '{"id": "a5", "buck')
    code, out, _ = cli("drift", "stream", file, "--json")
    assert (code, json.loads(out)["about"][:10]) == (3, "5 answers;")
    for torn in ('{"id": "a5", "buck\n', '{"id": "a5", "buck\n' + whole):
        file.write_text(whole + torn)
        code, _, err = cli("drift", "stream", file)
        assert (code, "appended.jsonl:6: not JSON" in err) == (2, True)


class Hook:
    """A server on loopback that answers with the statuses given, then 200."""

    def __init__(self, *statuses):
        self.got, left = [], list(statuses)
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                hook.got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(left.pop(0) if left else 200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hooks/secret"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(webhook, "FIRST_WAIT_S", 0.01)


def test_an_alarm_is_posted_once_and_again_when_it_comes_back(cli, nights, tmp_path, quick):
    state = tmp_path / "state.json"
    with Hook(503) as hook:
        words = ("--webhook", hook.url, "--state", state, "--json")
        code, out, err = watch(cli, nights, *words)
        sent = json.loads(out)["webhook"]
        assert (code, err, sent["new"], sent["delivered"], sent["failed"]) == (1, "", 1, 1, 0)
        assert len(hook.got) == 2  # the first try was answered with 503
        assert hook.got[1]["alarm"]["what"] == "refusal_rate"
        assert "secret sentence" not in json.dumps(hook.got)
        code, out, _ = watch(cli, nights, *words)
        assert (code, json.loads(out)["webhook"]["new"], len(hook.got)) == (1, 0, 2)
        steady = night(tmp_path / "calm" / "n1", 600, 0.1, seed=2, day=1)
        assert watch(cli, steady, *words)[0] == 0
        assert json.loads(state.read_text()) == {"sent": {}}
        watch(cli, nights, *words)
        assert len(hook.got) == 3


def test_a_webhook_that_fails_is_told_and_changes_nothing(cli, nights, tmp_path, quick):
    state = tmp_path / "state.json"
    with Hook(404, 404) as hook:
        code, out, err = watch(cli, nights, "--webhook", hook.url, "--state", state, "--json")
        assert code == 1
        assert json.loads(out)["webhook"] == {
            "new": 1,
            "delivered": 0,
            "failed": 1,
            "reason": "answers with status 404",
        }
        assert err == "showable: webhook: 1 of 1 new alarms not sent: answers with status 404\n"
        assert "secret" not in err
    code, _, err = watch(cli, nights, "--webhook", hook.url, "--state", state)
    assert (code, "ConnectError, after 3 tries" in err) == (1, True)


def test_an_answer_without_an_end_and_a_redirect_are_not_followed(cli, nights, tmp_path, quick, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # nobody listens there: http on this machine takes no proxy
    stop = threading.Event()

    class Endless(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(302 if self.path == "/away" else 200)
            self.send_header("Location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(b"and so on")
            stop.wait(60)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Endless) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url, state = f"http://127.0.0.1:{server.server_port}", tmp_path / "state.json"
        try:
            _, away, err = watch(cli, nights, "--webhook", f"{url}/away", "--state", state, "--json")
            _, out, _ = watch(cli, nights, "--webhook", url, "--state", state, "--json")
        finally:
            stop.set()
            server.shutdown()
    assert (json.loads(away)["webhook"]["delivered"], "answers with status 302" in err) == (0, True)
    assert json.loads(out)["webhook"]["delivered"] == 1


def test_an_alarm_that_turned_round_is_sent_when_it_turns_back():
    from showable.drifting.alarm_state import AlarmState
    from showable.measure.drift.report import DriftReport, Level, Test, Watched

    def moved(after, state="alarm"):
        level, test = Level(value=0.5, n=100), Test(name="cusum", value=9, limit=5, level=0.01)
        one = Watched(what="wrong", profile="legal", state=state, window="w", before=level, after=Level(value=after, n=9), test=test)  # fmt: skip
        return DriftReport.of("stream", "", (one,), false_alarms=0.05, family="")

    up, down = moved(0.9), moved(0.1)
    state = AlarmState().after(up, up.alarms)
    assert state.new(up.alarms) == []
    assert state.after(moved(0.9, "unknown"), ()).sent == state.sent
    state = state.after(down, state.new(down.alarms))
    assert [alarm.key for alarm in state.new(up.alarms)] == ["stream/legal/wrong/up"]


ADDRESSES = [
    ("https://example.org/hook", True), ("http://127.0.0.1:9/x", True), ("http://[::1]/x", True), ("http://localhost/x", True),
    ("http://example.org/x", False), ("ftp://example.org", False), ("https://", False), ("example.org", False),
    ("http://127.0.0.1.example.org/", False), ("https://example.org:port/", False),
]  # fmt: skip


@pytest.mark.parametrize(("url", "good"), ADDRESSES)
def test_addresses_that_alarms_may_go_to(url, good):
    from showable.errors import SettingError

    if good:
        assert webhook.check_address(url) == url
    else:
        with pytest.raises(SettingError, match="--webhook"):
            webhook.check_address(url)


def calibration():
    """A calibration of the judge of words: p halved, and cut at a quarter."""
    on = FittedOn(n=60, positives=30, negatives=30, labels="0" * 16)
    half, quarter = IsotonicMap(x=(0.0, 1.0), y=(0.0, 0.5)), Thresholds(support=0.25)
    return Calibration(name="f", judge=choose("lexical").name, thresholds=quarter, recalibration=half, fitted_on=on)


def scored_at(folder, judge, rules, questions=40):
    """Score forty short answers to so many questions."""
    from showable.cli.reading import check_records
    from showable.cli.scoring import Plan, score_into_folder

    file = folder / "records.jsonl"
    records = (
        {"id": f"r{i}", "question": f"How long, in case {i % questions}?", "retrieved": [{"source_id": "s", "text": row["passage"]}], "answer": f"{row['claim'][:-1]} [s]."}
        for i, row in enumerate(labelled_rows(40))
    )  # fmt: skip
    file.write_text("".join(json.dumps(record) + "\n" for record in records))

    class Silent:
        def show(self, tally):
            pass

    score_into_folder(
        Plan(check_records(file, file, None), folder / "run", judge, rules, 8, None, None, None), Silent()
    )
    return folder / "run"


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """A run of forty short answers, scored by words alone."""
    return scored_at(tmp_path_factory.mktemp("scored"), choose("lexical"), GENERAL)


def labels_of(run, said, path):
    from showable.calibrating.said_by_run import read_said
    from showable.profiles.load import read_profile_json
    from showable.stores.run_folder import need_finished_run

    _, signed = need_finished_run(run)
    held = read_said(run, signed, read_profile_json(run / "profile.json"), regraded=False)
    with path.open("w") as handle:
        for target in held.pairs:
            i = int(target.record[1:])
            for name in ("ana", "ben"):
                label = Label(
                    id=f"{name}-{i}", record=target.record, about="support", claim=target.claim, citation=target.citation,
                    value=said(i, name), reviewer=name, role="reviewer", at="2026-03-01T09:00:00Z",
                    rubric=current_guide()["support"], answer=held.answers[target.record].digest,
                )  # fmt: skip
                handle.write(label.model_dump_json() + "\n")
    return path


def test_people_who_agree_with_the_tool_and_people_who_do_not(cli, scored, tmp_path):
    true = ("supported", "unsupported")
    agree = labels_of(scored, lambda i, name: true[i % 2], tmp_path / "agree.jsonl")
    code, out, _ = cli("drift", "people", scored, "--labels", agree)
    assert code == 0
    assert out.startswith("no alarm: 1 thing watched, none moved\n")
    assert "next: `showable review" not in out
    one = tmp_path / "one.jsonl"
    one.write_text("".join(line for line in agree.read_text().splitlines(keepends=True) if '"ana"' in line))
    code, out, _ = cli("drift", "people", scored, "--labels", one)
    assert code == 3
    assert out.startswith("UNKNOWN: nothing could be measured\n")
    assert " ".join(out.split()).count("next: `showable review") == 1
    assert "0 figures" not in out
    differ = labels_of(scored, lambda i, name: true[(i + 1) % 2 if i % 3 else i % 2], tmp_path / "differ.jsonl")
    code, out, _ = cli("drift", "people", scored, "--labels", differ)
    assert code == 1
    assert out.startswith("ALARM: disagreement on support above that among people, general\n")


def test_answers_to_one_question_are_not_counted_as_independent(cli, tmp_path):
    """The tool differs from people on all answers to one question of three, and on none elsewhere: too little to say."""
    run = scored_at(tmp_path, choose("lexical"), GENERAL, questions=3)
    true = ("supported", "unsupported")
    labels = labels_of(run, lambda i, name: true[(i + (i % 3 == 0)) % 2], tmp_path / "labels.jsonl")
    code, out, _ = cli("drift", "people", run, "--labels", labels)
    assert code == 3
    assert "40 things of 3 questions had a label of two people or more" in " ".join(out.split())


def test_a_labelled_run_becomes_an_anchor(cli, scored, tmp_path):
    true = ("supported", "partial")
    labels = labels_of(scored, lambda i, name: true[i % 2], tmp_path / "labels.jsonl")
    out = tmp_path / "anchor.json"
    code, said, _ = cli("drift", "anchor", "freeze", scored, "--labels", labels, "--judge", "lexical", "-o", out)
    assert code == 0
    assert "40 rows (20 labelled 1, 20 labelled 0)" in said
    assert json.loads(out.read_text())["profile"] == "general"


def test_an_anchor_of_a_run_has_its_judge_and_its_thresholds(cli, tmp_path):
    run = scored_at(tmp_path, choose("lexical"), GENERAL.at(Thresholds(support=0.7, per_kind={"fee": 0.6})))
    labels = labels_of(run, lambda i, name: ("supported", "partial")[i % 2], tmp_path / "labels.jsonl")
    freeze = ("drift", "anchor", "freeze", run, "--labels", labels)
    code, said, err = cli(*freeze, "-o", tmp_path / "own.json")
    assert code == 0, err
    assert f"judge {choose('lexical').name}, threshold 0.7,fee=0.6" in said
    _, said, _ = cli(*freeze, "--threshold", "0.4", "-o", tmp_path / "other.json")
    assert "threshold 0.4," in said


CALLED = ("was scored under the calibration f@", "give --calibration, or say with --threshold")


@pytest.mark.parametrize(
    ("judged", "words", "said"),
    [
        (lambda: judge_under(calibration(), choose("lexical")), (), CALLED),
        (lambda: judge_under(calibration(), choose("lexical")), ("--judge", "lexical"), CALLED),
        (
            lambda: ScriptedJudge([]),
            (),
            ("the judge of the run is scripted:", "say with --judge how to reach it"),
        ),
    ],
)
def test_what_a_run_cannot_say_of_its_anchor_is_asked_for(cli, tmp_path, judged, words, said):
    run = scored_at(tmp_path, judged(), GENERAL.at(calibration().thresholds))
    labels = labels_of(run, lambda i, name: ("supported", "partial")[i % 2], tmp_path / "labels.jsonl")
    code, _, err = cli("drift", "anchor", "freeze", run, "--labels", labels, "-o", tmp_path / "a.json", *words)
    assert (code, (tmp_path / "a.json").exists()) == (2, False), err
    assert all(one in err for one in said), err
