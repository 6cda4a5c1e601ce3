"""`showable labels`: export, import and status of a real run folder, as a person uses them."""

from __future__ import annotations

import json
import shutil

import pytest
from labels_given import label
from scorecards import FAIL, PASS, SIGNATURE, card, claim

from showable.measure.labelled_answer import digest_of
from showable.measure.summary import summarise
from showable.profiles.load import load_profile
from showable.records import Evidence, Record, Source
from showable.stores.labels.store import LabelStore
from showable.stores.run_folder import RunFolder

CARDS = (
    card("q1", claims=(claim("supported", (PASS, PASS), text="It lasts 30 days."),)),
    card("q2", "unsupported", cause="miscited", claims=(claim("unsupported", (PASS, FAIL), text="It is free."),)),
    card("q3", "refused", cause="warranted", refusal_quality=2),
)
RECORDS = tuple(
    Record(
        id=one.id,
        question=f"What of {one.id}?",
        answer="It is so [1].",
        retrieved=(Source(source_id="d1", text="So it is."),),
    )
    for one in CARDS
)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A finished run of three records."""
    path = tmp_path_factory.mktemp("runs") / "lease"
    with RunFolder.open(path, SIGNATURE, "lease.jsonl", "f-lease") as folder:
        for record, one in zip(RECORDS, CARDS, strict=True):
            folder.append(record, Evidence(id=one.id, judge=SIGNATURE.judge), one)
        folder.write_json("summary.json", summarise(CARDS, SIGNATURE, run=str(path)).model_dump(mode="json"))
        folder.write_json("run.json", folder.run | {"records": 3, "scored": 3, "finished": True})
    return path


@pytest.fixture
def run(made, tmp_path):
    return shutil.copytree(made, tmp_path / "lease")


def on(record, key, value, who="Ada", **fields):
    number = int(record[1]) - 1
    return label(key, value, who, record=record, answer=digest_of(RECORDS[number], CARDS[number]), **fields)


@pytest.fixture
def labelled(run):
    """Two people: alike on q1, not on q2; a word of Ada's taken back; one label on an answer that is gone, one old guide."""
    with LabelStore.open(run / "labels.sqlite", run_fingerprint="f-lease") as store:
        for name, role in (("Ada", "senior"), ("Bo Ek", "reviewer")):
            store.enter(name, role)
        store.make_queue("random", "random", ["q3", "q1", "q2"], 1)
        for name in ("Ada", "Bo Ek", "Ada"):
            store.finish("random", name, store.next_record("random", name))
        store.pin_hold_out(["q2", "q3"])
        store.add_many([
            on("q1", "a1", "supported"), on("q1", "b1", "supported", "Bo Ek"),
            on("q2", "a2", "contradicted"), on("q2", "b2", "supported", "Bo Ek"),
            on("q3", "a3", "refused", about="bucket"), on("q3", "a4", "fine", about="comment"),
            on("q3", "a5", None, about="refusal_quality"),
            label("a6", "correct", about="bucket", record="q1"),
            on("q2", "a7", "wrong", about="bucket", rubric="1-000000"),
        ])  # fmt: skip
    return run


def test_status_says_who_what_how_far_and_what_no_longer_counts(cli, labelled):
    code, out, err = cli("labels", "status", labelled, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["records"], found["labelled"], found["labels"], found["run"]) == (3, 3, 8, "lease")
    assert [(one["name"], one["role"], one["labels"], one["stale"]) for one in found["reviewers"]] == [
        ("Ada", "senior", {"bucket": 3, "comment": 1, "support": 2}, 2), ("Bo Ek", "reviewer", {"support": 2}, 0)]  # fmt: skip
    assert {one["about"]: (one["labelled"], one["twice"], one["settled"], one["disagree"]) for one in found["targets"]} == {
        "bucket": (1, 0, 1, 0), "support": (2, 2, 1, 1)}  # fmt: skip
    (queue,) = found["queues"]
    assert (queue["n"], queue["overlap"], queue["unfinished"]) == (3, 1, 1)
    assert queue["reviewers"] == [{"name": "Ada", "done": 2, "dealt": 2}, {"name": "Bo Ek", "done": 1, "dealt": 1}]
    assert found["stale"] == {"another_answer": 1, "another_guide": 1}
    assert (found["hold_out"], found["hold_out_labelled"]) == (2, 2)


def test_status_on_the_terminal_reads_as_sentences(cli, labelled):
    _, out, _ = cli("labels", "status", labelled)
    assert out.startswith("8 labels on 3 of 3 records of lease\n")
    for line in (
        "People disagree on 1: `showable review` has a page to settle them.",
        "1 label does not count here: given on another answer than this run holds.",
        "1 label does not count here: given under another text of the guide.",
        "Held out: 2 records, 2 of them labelled.",
        "Ada 2/2, Bo Ek 1/1",
    ):
        assert line in out


def test_what_is_exported_comes_in_elsewhere_and_comes_to_the_same(cli, labelled, tmp_path):
    for name in ("l.csv", "l.jsonl"):
        to, other = tmp_path / name, tmp_path / f"{name}.sqlite"
        code, out, err = cli("labels", "export", labelled, "-o", to)
        assert (code, out) == (0, "")
        assert err.startswith("9 labels written to ")
        code, out, _ = cli("labels", "import", labelled, to, "--labels", other)
        assert (code, out.splitlines()[0]) == (0, "9 labels read, 9 of them new")
        assert "1 label does not count here: given on another answer than this run holds." in out
        assert cli("labels", "import", labelled, to, "--labels", other)[1].startswith("9 labels read, 0 of them new")
        with LabelStore.open(other) as there, LabelStore.open(labelled / "labels.sqlite") as here:
            assert there.last_words() == here.last_words()


def test_a_hold_out_that_is_pinned_here_stays_and_it_is_said(cli, labelled, tmp_path):
    file, other = tmp_path / "labels.jsonl", tmp_path / "other.sqlite"
    assert cli("labels", "export", labelled, "-o", file)[0] == 0
    assert {line["record"] for line in map(json.loads, file.read_text().splitlines()) if line["held_out"]} == {
        "q2",
        "q3",
    }
    for pinned, said in (
        (["q1", "q2"], "a hold-out of 2 records is pinned here and stays as it is: 1 record held out"),
        (["q1", "q2", "q3"], None),
    ):
        other.unlink(missing_ok=True)
        with LabelStore.open(other) as store:
            store.pin_hold_out(pinned)
        code, out, _ = cli("labels", "import", labelled, file, "--labels", other)
        assert (code, "hold-out" in out) == (0, said is not None)
        assert (said or "") in out
        with LabelStore.open(other) as store:
            assert store.hold_out() == pinned
            assert not any(one.held_out for one in store.history()), "a store says it in one place"


def test_kinds_that_the_profile_does_not_have_are_taken_in_and_told(cli, run, tmp_path):
    (run / "profile.json").write_text(load_profile("legal").model_dump_json())
    words = [on("q1", "a1", "holding", about="claim_kind"), on("q1", "b1", "bogus", "Bo Ek", about="claim_kind")]
    (tmp_path / "l.jsonl").write_text("".join(one.model_dump_json() + "\n" for one in words))
    code, out, err = cli("labels", "import", run, tmp_path / "l.jsonl")
    assert (code, "the profile legal does not have, kept and counted under their own names: bogus (1)" in out) == (
        0,
        True,
    ), err
    with LabelStore.open(run / "labels.sqlite", make=False) as store:
        assert {one.value for one in store.current()} == {"holding", "bogus"}


def test_json_lines_go_to_standard_output_by_themselves(cli, labelled):
    code, out, err = cli("labels", "export", labelled)
    assert code == 0
    assert err == "9 labels written\n"
    assert {json.loads(line)["id"] for line in out.splitlines()} == {
        "a1",
        "b1",
        "a2",
        "b2",
        "a3",
        "a4",
        "a5",
        "a6",
        "a7",
    }
    assert cli("labels", "export", labelled, "--format", "csv")[1].startswith("\ufeffid,record,")


def test_settled_pairs_are_written_with_their_texts(cli, labelled, tmp_path):
    to = tmp_path / "rows.jsonl"
    _, _, err = cli("labels", "export", labelled, "--with-text", "-o", to)
    assert err == "1 claim with its passage; left out: 1 without a settled label\n"
    assert json.loads(to.read_text()) == {
        "id": "q1/0/0", "question": "What of q1?", "claim": "It lasts 30 days.", "passage": "So it is.",
        "label": 1.0, "kind": None, "verdict": "supported"}  # fmt: skip


def test_pairs_of_the_hold_out_are_not_written_where_something_may_be_fitted_on_them(cli, labelled, tmp_path):
    with LabelStore.open(labelled / "labels.sqlite") as store:
        store.add(on("q2", "c2", "supported", "Cy"))
    for name in ("rows.jsonl", "rows.csv"):
        _, _, err = cli("labels", "export", labelled, "--with-text", "-o", tmp_path / name)
        assert err == "1 claim with its passage; left out: 1 of the hold-out, on which nothing is fitted\n"
        assert "It lasts 30 days." in (tmp_path / name).read_text("utf-8")
        assert "It is free." not in (tmp_path / name).read_text("utf-8")


def test_what_somebody_left_is_given_back(cli, labelled):
    with LabelStore.open(labelled / "labels.sqlite") as store:
        assert store.next_record("random", "Bo Ek") == "q2"
        assert store.next_record("random", "Ada") is None
    assert cli("labels", "release", labelled, "random", "Bo Ek")[:2] == (0, "1 record given back\n  q2\n")
    assert cli("labels", "release", labelled, "random", "Bo Ek")[:2] == (0, "0 records given back\n")
    with LabelStore.open(labelled / "labels.sqlite") as store:
        assert store.next_record("random", "Ada") == "q2"
    code, _, err = cli("labels", "release", labelled, "random", "Bo")
    assert (code, err) == (2, "showable: Bo: nobody of that name labels here; there are Ada, Bo Ek\n")
    code, _, err = cli("labels", "release", labelled, "other", "Ada")
    assert (code, err) == (2, "showable: queue 'other': there is none of that name\n")


def test_a_bad_file_is_one_line_and_makes_no_label_file(cli, run, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(
        on("q1", "a", "supported").model_dump_json() + "\n" + label("b", record="q9").model_dump_json() + "\n"
    )
    code, out, err = cli("labels", "import", run, bad)
    assert (code, out, err) == (2, "", f"showable: {bad}:2: record: this run has no record 'q9'\n")
    assert not (run / "labels.sqlite").exists()


def test_a_run_without_labels_says_where_they_are_given(cli, run, tmp_path):
    for command in ("status", "export"):
        code, out, err = cli("labels", command, run)
        assert (code, out) == (2, "")
        assert "there are no labels here yet; `showable review RUN` is where they are given" in err
    code, _, err = cli("labels", "status", tmp_path / "nowhere")
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("name", ["records.jsonl", "labels.sqlite", "run.json"])
def test_an_export_never_writes_over_the_run(cli, labelled, name):
    before = (labelled / name).read_bytes()
    code, _, err = cli("labels", "export", labelled, "-o", labelled / name)
    assert (code, "is part of the run; name another file" in err) == (2, True)
    assert (labelled / name).read_bytes() == before


def test_labels_of_another_run_are_refused(cli, labelled, tmp_path):
    other = shutil.copytree(labelled, tmp_path / "other")
    facts = json.loads((other / "run.json").read_text())
    (other / "run.json").write_text(json.dumps({**facts, "fingerprint": "f-other"}))
    code, _, err = cli("labels", "status", other)
    assert code == 2
    assert "belongs to the run of records f-lease, not to that of f-other" in err
