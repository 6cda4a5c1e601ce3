"""`showable calibrate`: what is fitted on people's labels, what it buys on others, what is refused, and that nothing is lost."""

import asyncio
import json
import re
import shutil
import socket

import numpy as np
import pytest
from calibrated_runs import (
    KINDS,
    REFUSALS,
    answered,
    digests,
    judged,
    keep,
    label,
    leases,
    low_p,
    refused,
    scored,
    support_labels,
    write_lines,
)
from chat_server import Say, serve
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from showable.calibrating.calibration_file import CALIBRATION, name_from, read_calibration
from showable.calibrating.corrected_rates import corrected
from showable.calibrating.from_labelled import LabelledRows, calibrate_labelled
from showable.calibrating.from_run import calibrate_run
from showable.calibrating.people import NO_HOLD_OUT, read_people
from showable.calibrating.recalibrating import shortest, strict, undone
from showable.calibrating.support_fit import NO_P, fit_support
from showable.calibrating.support_rows import SupportRow
from showable.errors import InputError, SettingError
from showable.judges.chat import ChatJudge
from showable.judges.chat_settings import ChatSettings
from showable.measure.calibration_report import CalibrationReport
from showable.measure.isotonic import fit_isotonic
from showable.measure.judge_agreement import agreement
from showable.profiles.load import load_profile
from showable.records.profile import GENERAL
from showable.records.signature import Thresholds
from showable.report.calibration_text import render_calibration
from showable.stores.labels.store import LABELS, LabelStore

ROWS = low_p(60)
HELD = 20


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def labelled_run(tmp_path_factory):
    """A run of 120 leases and 12 refusals, labelled by two people; the first 20 leases are held out."""
    folder = tmp_path_factory.mktemp("calibrated")
    records, table = leases(ROWS, KINDS)
    run = scored(folder, [*records, *(refused(n, REFUSALS[n % 3]) for n in range(12))], table)
    held = digests(run)
    labels = support_labels(run, ROWS)
    labels += support_labels(run, ROWS[:40], by="bob", role="reviewer")
    labels += [
        label(f"lease-{n}", "bucket", "correct" if yes else "unsupported", held[f"lease-{n}"])
        for n, (_, yes) in enumerate(ROWS)
    ]
    for n in range(12):
        digest = held[f"refusal-{n}"]
        labels.append(label(f"refusal-{n}", "bucket", "refused" if n % 3 != 1 else "unsupported", digest))
        labels.append(label(f"refusal-{n}", "refusal_quality", (2, 0, 1)[n % 3], digest))
        labels.append(label(f"refusal-{n}", "extra_claims", 0, digest))
    keep(run, labels, hold_out=[f"lease-{n}" for n in range(HELD)])
    return run


@pytest.fixture(scope="module")
def report(labelled_run):
    """What calibrating on it comes to."""
    return calibrate_run(labelled_run, None, name="run").report


@pytest.fixture
def run(labelled_run, tmp_path):
    """The same run, to be changed."""
    return shutil.copytree(labelled_run, tmp_path / "run")


def calibrated(cli, *command, code=0):
    done, out, err = cli("calibrate", *command, "--json")
    assert done == code, err
    return CalibrationReport.model_validate_json(out)


def bought(report, figure):
    return next(one for one in report.bought if one.figure == figure)


def test_a_judge_that_states_too_low_a_p_is_put_right(cli, labelled_run, tmp_path):
    from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, roc_auc_score

    report = calibrated(cli, labelled_run, "-o", tmp_path / "lease.json")
    fitted_on = ROWS[HELD:]
    people, said = [yes for _, yes in fitted_on], [p >= 0.5 for p, _ in fitted_on]
    support = report.agreement["support"]
    assert support.n == len(fitted_on)
    assert support.balanced_accuracy == pytest.approx(balanced_accuracy_score(people, said))
    assert support.kappa == pytest.approx(cohen_kappa_score(people, said))
    assert support.auc == pytest.approx(roc_auc_score(people, [p for p, _ in fitted_on]))
    gain = bought(report, "balanced_accuracy")
    assert gain.before == support.balanced_accuracy
    assert gain.after > 0.9
    assert gain.low > 0.2
    assert bought(report, "ece").after < bought(report, "ece").before / 3
    kept = read_calibration(tmp_path / "lease.json")
    assert report.file == str(tmp_path / "lease.json")
    assert report.calibration == kept.label
    assert kept.label.startswith("lease@")
    assert kept.thresholds == report.thresholds
    assert (kept.fitted_on.n, kept.fitted_on.reviewers) == (100, 2)
    assert kept.fitted_on.positives == sum(people)
    # thresholds cut the mapped p: what they decide is what people say, nearly always
    decided = [kept.recalibration(p) >= kept.thresholds.support for p, _ in fitted_on]
    assert balanced_accuracy_score(people, decided) > 0.9
    assert kept.bought["balanced_accuracy"]["after"] == gain.after


def test_what_is_held_out_is_never_fitted_on(cli, report, run):
    before = report
    turned = [(p, not yes) for p, yes in ROWS[:HELD]]
    keep(run, support_labels(run, turned, at="2026-03-02T10:00:00Z"))
    keep(run, support_labels(run, turned, by="bob", role="reviewer", at="2026-03-02T10:00:00Z"))
    after = calibrated(cli, run)
    assert after.thresholds == before.thresholds
    assert after.calibration.partition("@")[2] == before.calibration.partition("@")[2]
    assert after.agreement["support"] == before.agreement["support"]
    assert before.held_out.n == after.held_out.n == HELD
    assert before.held_out.balanced_accuracy > 0.8
    assert after.held_out.balanced_accuracy == pytest.approx(1 - before.held_out.balanced_accuracy)
    assert before.held_out_answers["bucket"].n == HELD
    assert "without the calibration" in before.held_out.notes[0]


def test_below_the_stated_number_of_labels_nothing_is_fitted(cli, tmp_path):
    rows = [*ROWS[:40]]
    records, table = leases(rows)
    run = scored(tmp_path, records, table)
    keep(run, support_labels(run, rows))
    report = calibrated(cli, run, "-o", "few.json", code=3)
    have = {one.label: (one.have, one.need) for one in report.refused.missing}
    yes = sum(y for _, y in rows)
    assert have == {"supported": (yes, 30), "not supported": (40 - yes, 30)}
    assert "too few labels" in report.refused.reason
    assert report.agreement["support"].n == 40
    assert report.agreement["support"].balanced_accuracy is not None
    assert (report.thresholds, report.calibration, report.file, report.bought) == (None, None, None, ())
    assert report.reliability
    assert not (tmp_path / "few.json").exists()
    code, out, err = cli("calibrate", run, "-o", "few.json")
    assert code == 3
    assert "Nothing was fitted" in out
    assert "few.json is not written" in err


def test_more_labels_may_be_asked_for_and_not_fewer(cli, labelled_run):
    report = calibrated(cli, labelled_run, "--least", 90, code=3)
    assert {one.need for one in report.refused.missing} == {90}
    assert cli("calibrate", labelled_run, "--least", 5)[0] == 2


def test_an_empty_store_is_no_agreement_and_no_store_says_where_labels_come_from(cli, tmp_path):
    run = scored(tmp_path, *leases(ROWS[:3]))
    code, _, err = cli("calibrate", run)
    assert code == 2
    assert "showable review" in err
    keep(run, [])
    report = calibrated(cli, run, code=3)
    assert (report.labels, report.reviewers, report.agreement) == (0, 0, {})


def test_every_label_is_somewhere(cli, run, report):
    """Stale, undecided, unsettled, cannot tell: each is counted, none is dropped unsaid."""
    held, before = digests(run), report
    late = {"at": "2026-04-01T09:00:00Z"}
    keep(
        run,
        [
            label("lease-50", "support", "contradicted", "0" * 16, **late),
            label("lease-51", "support", "supported", held["lease-51"], rubric="1-000000", **late),
            label("somewhere", "support", "supported", "0" * 16),
            label("lease-52", "support", "cannot_tell", held["lease-52"], **late),
            label("lease-53", "support", "partial", held["lease-53"], by="eve", role="engineer"),
            label("lease-54", "support", "supported", held["lease-54"], by="eve", role="engineer"),
            label("lease-54", "support", "unsupported", held["lease-54"], by="eva", role="engineer"),
            label("lease-55", "comment", "odd", held["lease-55"]),
        ],
    )
    report = calibrated(cli, run)
    support = report.agreement["support"]
    assert report.stale == 3
    assert [note.partition(" ")[0] for note in report.notes if "given on another answer" in note] == ["1"]
    assert [note.partition(" ")[0] for note in report.notes if "another text of the rubric" in note] == ["1"]
    assert [note.partition(" ")[0] for note in report.notes if "does not hold" in note] == ["1"]
    assert support.cannot_tell == 1
    assert support.unsettled >= 1 - int(ROWS[53][1])
    counted = support.n + support.undecided + support.unsettled + support.cannot_tell
    assert counted == before.agreement["support"].n - 2  # 50 and 51 have their last word on something else
    assert sum(report.by_role.values()) == report.labels


def test_a_citation_that_no_judge_could_read_is_left_open(cli, tmp_path):
    records, table = leases(ROWS)
    bare = answered(900)
    del bare["retrieved"][0]["text"]
    lost = answered(901)
    lost["answer"]["claims"][0]["citations"] = [{"source_id": "nowhere"}]
    run = scored(tmp_path, [*records, bare, lost], table)
    held = digests(run)
    more = [label(f"lease-{n}", "support", "supported", held[f"lease-{n}"]) for n in (900, 901)]
    keep(run, [*support_labels(run, ROWS), *more])
    support = calibrated(cli, run).agreement["support"]
    assert (support.n, support.undecided) == (120, 2)
    assert support.confusion["yes"]["undecided"] == 2


def test_people_stand_beside_the_judge(report):
    (people,) = [one for one in report.inter_rater if one.about == "support"]
    assert (people.n, people.raters, people.exact) == (40, 2, 1.0)
    assert report.labels == 120 + 40 + 120 + 36
    assert report.by_role == {"reviewer": 40, "senior": 276}


def test_refusals_are_held_against_people_by_what_they_rest_on(report):
    refusal = report.agreement["refusal"]
    assert refusal.confusion["yes"] == {"yes": 8, "no": 0, "undecided": 0}
    rows = {(one.rubric, one.kind): one for one in report.per_kind}
    evidence = rows["refusal", "evidence"].agreement
    # a flat "I cannot answer that" rests on the evidence too, and people do not call it a refusal here
    assert (evidence.n, evidence.exact, evidence.balanced_accuracy) == (8, 0.5, None)
    assert "share that people confirm" in evidence.notes[0]
    assert rows["refusal", "scope"].agreement.exact == 1.0
    assert rows["refusal_quality", "scope"].agreement.n == 4
    assert rows["refusal", "unanswerable"].agreement.n == 12
    assert report.agreement["refusal_quality"].n == 12
    assert report.agreement["extra_claims"].exact == 1.0
    assert any("have no threshold" in note for note in report.notes)
    assert not [one for one in report.least_n if one.rubric == "refusal" and "threshold" in one.says]
    corrected = report.corrected["refusal"]
    assert corrected.n == 132
    assert corrected.observed == pytest.approx(12 / 132)
    assert corrected.rate < corrected.observed


def test_kinds_with_too_few_labels_say_what_is_missing(report):
    kinds = {one.kind: one for one in report.per_kind if one.rubric == "support"}
    assert set(kinds) == set(KINDS)
    assert all(one.threshold == report.thresholds.support and not one.fitted for one in kinds.values())
    assert {one.need for one in kinds["fee"].refused.missing} == {30}
    assert sum(one.agreement.n for one in kinds.values()) == report.agreement["support"].n


def rows_of(*groups):
    """Rows of (n, p, people's word, kind), each of its own question, p spread a little so that folds differ."""
    rng = np.random.default_rng(3)
    found = []
    for n, p, word, kind in groups:
        for _ in range(n):
            given = float(np.clip(p + rng.normal(0, 0.03), 0.001, 0.999))
            verdict = "supported" if given >= 0.5 else "unsupported"
            found.append(SupportRow(word, given >= 0.5, given, verdict, "j", kind, len(found)))
    return found


def test_a_kind_with_enough_labels_has_a_threshold_of_its_own():
    rows = rows_of((40, 0.4, True, "fee"), (40, 0.2, False, "fee"), (40, 0.9, True, "dose"), (40, 0.65, False, "dose"))
    fit = fit_support(rows, Thresholds())
    assert fit.adopted
    assert fit.thresholds.per_kind
    mapping = fit.recalibration.mapping
    assert all(row.under(fit.thresholds, mapping) == row.label for row in rows)
    assert {one.kind for one in fit.kinds} == {"fee", "dose"}


def test_a_kind_without_enough_labels_keeps_what_the_profile_sets_for_it():
    rows = rows_of((60, 0.4, True, None), (60, 0.2, False, None), (5, 0.4, True, "dosage"), (5, 0.2, False, "dosage"))
    fit = fit_support(rows, Thresholds(support=0.5, per_kind={"dosage": 0.7, "safety": 0.6}))
    mapping = fit.recalibration.mapping
    assert fit.adopted
    assert set(fit.thresholds.per_kind) == {"dosage", "safety"}
    assert undone(mapping, fit.thresholds.per_kind["dosage"]) == pytest.approx(0.7, abs=0.3)
    assert not any(row.under(fit.thresholds, mapping) for row in rows if row.kind == "dosage")
    (dosage,) = fit.kinds
    assert not dosage.fitted
    assert "the profile sets" in dosage.why


def test_a_kind_is_held_against_the_threshold_that_it_has():
    """A threshold of its own so far is what another must beat, and its rows do not move the common one."""
    rows = rows_of((40, 0.9, True, "dose"), (40, 0.7, False, "dose"), (40, 0.9, True, None), (40, 0.1, False, None))
    fit = fit_support(rows, Thresholds(support=0.5, per_kind={"dose": 0.8}))
    assert not fit.adopted, "every row is decided rightly as things are"
    mapping = fit.recalibration.mapping
    assert all(row.under(fit.thresholds, mapping) == row.label for row in rows)
    badly = fit_support(rows, Thresholds(support=0.5, per_kind={"dose": 0.95}))
    assert [one.fitted for one in badly.kinds] == [True]
    assert undone(badly.recalibration.mapping, badly.thresholds.of("dose")) == pytest.approx(0.8, abs=0.08)
    assert undone(badly.recalibration.mapping, badly.thresholds.support) == pytest.approx(0.5, abs=0.2)
    few = fit_support(rows[:80] + rows[100:130], Thresholds(support=0.95, per_kind={"dose": 0.95}))
    assert undone(few.recalibration.mapping, few.thresholds.support) == pytest.approx(0.95, abs=0.06)


def test_nothing_is_taken_over_that_is_not_shown_to_be_better():
    rows = rows_of((50, 0.93, True, None), (50, 0.07, False, None), (4, 0.93, False, None), (4, 0.07, True, None))
    fit = fit_support(rows, Thresholds(support=0.5))
    assert not fit.adopted
    assert fit.refused is None
    assert any("thresholds stay as they were" in note for note in fit.notes)
    mapping = fit.recalibration.mapping
    assert all(row.under(fit.thresholds, mapping) == row.said for row in rows)


def test_labels_without_a_probability_leave_nothing_to_fit(cli, tmp_path):
    rows = [(None, yes) for _, yes in ROWS]
    records = [answered(n) for n in range(len(rows))]
    table = [row for n, (_, yes) in enumerate(rows) for row in judged(n, None, "supported" if yes else "unsupported")]
    run = scored(tmp_path, records, table)
    keep(run, support_labels(run, rows))
    report = calibrated(cli, run, code=3)
    assert report.refused.reason == NO_P
    assert report.agreement["support"].balanced_accuracy == 1.0
    assert (report.reliability, report.agreement["support"].auc) == ((), None)


def test_two_judges_have_no_map_in_common():
    """A cascade: the p of two judges is not on one scale."""
    rows = rows_of((40, 0.4, True, None), (40, 0.2, False, None))
    mixed = [
        row if n % 2 else SupportRow(row.label, row.said, row.p, row.verdict, "k", None, n)
        for n, row in enumerate(rows)
    ]
    fit = fit_support(mixed, Thresholds())
    assert fit.adopted
    assert fit.recalibration.mapping is None
    assert any("2 judges (j, k)" in note for note in fit.notes)
    # labels of one judge alone do not make its map one of the other's p
    assert fit_support(rows, Thresholds(), judges={"j"}).recalibration.mapping is not None
    assert fit_support(rows, Thresholds(), judges={"j", "k"}).recalibration.mapping is None


def test_what_the_judge_leaves_open_or_contradicts_is_not_cut():
    row = SupportRow(True, None, 0.9, "unknown", "j", None, 0)
    assert row.cut is None
    assert row.under(Thresholds(support=0.1), None) is None
    against = SupportRow(True, False, 0.9, "contradicted", "j", None, 0)
    assert against.cut == 0.0
    assert against.under(Thresholds(support=0.1), None) is False
    weak = SupportRow(True, False, 0.6, "supported", "j", None, 0, weight=0.5)
    assert weak.cut is None
    assert (weak.under(Thresholds(support=0.5), None), weak.under(Thresholds(support=0.25), None)) == (False, True)


def test_the_kind_is_what_people_say_it_is(cli, run):
    held = digests(run)
    keep(run, [label(f"lease-{n}", "claim_kind", "penalty", held[f"lease-{n}"]) for n in range(20, 30)])
    report = calibrated(cli, run)
    assert next(one for one in report.per_kind if one.kind == "penalty").agreement.n == 10
    assert any(note.startswith("10 pairs are of another claim kind") for note in report.notes)


def test_labels_in_files_give_what_the_store_gives(cli, labelled_run, report, tmp_path):
    from showable.stores.label_files import label_lines
    from showable.stores.labels.store import LabelStore

    with LabelStore.open(labelled_run / LABELS, make=False) as store:
        current = store.current()
    expected = read_people(labelled_run, None, GENERAL, digests(labelled_run), None)
    for form in ("jsonl", "csv"):
        file = tmp_path / f"labels.{form}"
        file.write_text("".join(label_lines(current, form)))
        people = read_people(labelled_run, file, GENERAL, digests(labelled_run), None)
        assert people.source == str(file)
        assert people.settled == expected.settled
        assert (people.digest, people.hold_out) == (expected.digest, expected.hold_out)
    assert calibrated(cli, labelled_run, "--labels", file).model_copy(update={"source": report.source}) == report
    code, _, err = cli("calibrate", labelled_run, "--labels", tmp_path / "none.jsonl")
    assert code == 2
    assert "none.jsonl" in err
    bad = write_lines(tmp_path / "bad.jsonl", [{"id": "x"}])
    assert "bad.jsonl:1" in cli("calibrate", labelled_run, "--labels", bad)[2].replace(" line ", ":")


def test_the_hold_out_of_the_run_holds_whatever_store_is_read(labelled_run, tmp_path):
    from showable.stores.labels.store import LabelStore

    with LabelStore.open(labelled_run / LABELS, make=False) as store, LabelStore.open(tmp_path / "l.sqlite") as other:
        other.add_many(store.history())
        held = store.hold_out()
    people = read_people(labelled_run, tmp_path / "l.sqlite", GENERAL, digests(labelled_run), None)
    assert people.hold_out == {*held}


def test_labels_of_chosen_queues_are_said_to_be_so(run):
    from showable.stores.labels.store import LabelStore

    with LabelStore.open(run / LABELS) as store:
        store.make_queue("u", "uncertain", ["lease-30"])
        store.make_queue("s", "stratified", ["lease-31"])
        store.make_queue("r", "random", ["lease-32"])
    notes = read_people(run, None, GENERAL, digests(run), None).notes()
    assert any("chosen by what the tool said (stratified, uncertain)" in note for note in notes)


def test_the_hold_out_moves_with_the_labels(cli, labelled_run, report, tmp_path):
    """Exported, and taken into a copy of the run that has no labels: the same is held out, and the same is fitted on."""
    bare = shutil.copytree(labelled_run, tmp_path / "bare", ignore=shutil.ignore_patterns(f"{LABELS}*"))
    held = read_people(labelled_run, None, GENERAL, digests(labelled_run), None).hold_out
    for form in ("jsonl", "csv"):
        file, copy = tmp_path / f"labels.{form}", shutil.copytree(bare, tmp_path / form)
        assert cli("labels", "export", labelled_run, "-o", file)[0] == 0
        people = read_people(bare, file, GENERAL, digests(bare), None)
        assert (people.hold_out, NO_HOLD_OUT in people.notes()) == (held, False)
        code, out, err = cli("labels", "import", copy, file)
        assert (code, f"{HELD} records pinned as the hold-out" in out) == (0, True), err
    moved = calibrated(cli, tmp_path / "csv")
    assert (moved.held_out, moved.thresholds) == (report.held_out, report.thresholds)
    assert moved.calibration.partition("@")[2] == report.calibration.partition("@")[2]
    plain = tmp_path / "old.jsonl"  # as it was written before labels said what is held out
    plain.write_text(re.sub(r',"held_out":(true|false)', "", (tmp_path / "labels.jsonl").read_text()))
    people = read_people(bare, plain, GENERAL, digests(bare), None)
    assert (people.hold_out, NO_HOLD_OUT in people.notes()) == (frozenset(), True)


def test_a_hold_out_that_was_topped_up_is_said_to_be_so(run):
    (run / LABELS).unlink()
    with LabelStore.open(run / LABELS) as store:
        store.pin_hold_out(["lease-1", "refusal-1", "refusal-2"], 2)
    notes = read_people(run, None, GENERAL, digests(run), None).notes()
    assert any("2 of the 3 records held out were not drawn by chance" in note for note in notes)


def test_held_out_refusals_are_settled_by_seniors_whatever_they_are_called(run):
    """The tool reads refusal-1 as one: a reviewer who calls it unsupported does not make it gold, a senior does."""
    (run / LABELS).unlink()
    held = digests(run)["refusal-1"]
    with LabelStore.open(run / LABELS) as store:
        store.pin_hold_out(["refusal-1"])
        store.add(label("refusal-1", "bucket", "unsupported", held, by="bob", role="reviewer"))
        assert read_people(run, None, GENERAL, digests(run), None).settled.gold == {}
        store.add(label("refusal-1", "bucket", "unsupported", held))
    assert list(read_people(run, None, GENERAL, digests(run), None).settled.gold.values()) == ["unsupported"]


def test_whose_labels_count_is_the_profiles_to_say(cli, run, tmp_path):
    own = tmp_path / "own.toml"
    own.write_text('name = "own"\nextends = "general"\n[label_roles]\nsupport = ["senior"]\n')
    report = calibrated(cli, run, "--profile", own)
    assert report.not_counted == 40
    assert report.inter_rater == ()
    assert report.signature.profile.startswith("own")
    rules = load_profile(str(own))
    assert read_people(run, None, GENERAL, digests(run), None).fitted_on(rules)[0].reviewer == "ada"
    kept = calibrate_run(run, None, name="own", profile=rules).calibration
    assert kept.fitted_on.reviewers == 1, "bob's word does not count"
    assert [rubric.partition("@")[0] for rubric in kept.fitted_on.rubrics] == ["support"], "buckets are not fitted on"


# --- rows without a run


def pairs(rows, **fields):
    return [
        {"claim": f"Lease {n} may be ended on {n + 10} days' notice.", "label": int(yes),
         "passage": f"Clause {n}: notice of {n + 10} days ends the lease."} | fields
        for n, (_, yes) in enumerate(rows)
    ]  # fmt: skip


def test_rows_without_a_run(cli, tmp_path):
    judge = write_lines(tmp_path / "judge.jsonl", [row for n, (p, _) in enumerate(ROWS) for row in judged(n, p)])
    rows = pairs(ROWS, kind="deadline")
    rows.append({"claim": "Half.", "passage": "Half of it.", "label": 0.5})
    file = write_lines(tmp_path / "rows.jsonl", rows)
    report = calibrated(cli, "--labelled", file, "--judge", f"scripted:{judge}", "-o", "rows-cal.json")
    assert (report.labels, report.reviewers, report.agreement["support"].n) == (121, None, 120)
    assert any("neither yes nor no" in note for note in report.notes)
    assert bought(report, "balanced_accuracy").after > 0.9
    assert [one.kind for one in report.per_kind] == ["deadline"]
    kept = read_calibration(tmp_path / "rows-cal.json")
    assert kept.name == "rows-cal"
    assert kept.fitted_on.reviewers is None
    code, out, err = cli("calibrate", "--labelled", file, "--judge", f"scripted:{judge}")
    assert code == 0, err
    assert "Not written down" in out
    assert max(len(line) for line in out.splitlines() if not line.startswith("signature")) <= 100


def test_chunks_of_one_source_count_as_one_and_questions_are_held_out_whole(cli, tmp_path):
    rows, table = [], []
    for n, (p, yes) in enumerate(ROWS):
        for chunk in range(2):
            rows.append(
                {
                    "claim": f"C{n}.",
                    "passage": f"P{n}.{chunk}",
                    "label": int(yes),
                    "group": f"g{n}",
                    "question": f"q{n // 40}",
                }
            )
            table.append(
                {"claim": f"C{n}.", "passage": f"P{n}.{chunk}", "label": "unsupported", "p": p if chunk else 0.01}
            )
    judge = write_lines(tmp_path / "judge.jsonl", table)
    file = write_lines(tmp_path / "rows.jsonl", rows)
    report = calibrated(cli, "--labelled", file, "--judge", f"scripted:{judge}", code=3)
    assert report.agreement["support"].n == 120
    assert "3 questions only" in report.refused.reason
    half = [write_lines(tmp_path / f"{n}.jsonl", rows[n::2]) for n in range(2)]  # the same questions in two files
    command = [word for one in half for word in ("--labelled", one)]
    report = calibrated(cli, *command, "--judge", f"scripted:{judge}", code=3)
    assert report.agreement["support"].n == 240
    assert "3 questions only" in report.refused.reason


def test_a_label_given_twice_is_one_label(cli, tmp_path):
    """40 labels, 16 of them yes, are too few; so are they five times over, and in two files, as for `retune`."""
    rows = pairs(ROWS[:20] + ROWS[-20:])
    judge = write_lines(
        tmp_path / "judge.jsonl", [row | {"label": "supported", "p": 0.4 + n / 100} for n, row in enumerate(rows)]
    )
    once = write_lines(tmp_path / "once.jsonl", rows)
    again = write_lines(tmp_path / "again.jsonl", rows[::-1])
    fivefold = write_lines(tmp_path / "fivefold.jsonl", rows * 5)
    alone, two, five = (
        calibrated(cli, *command, "--judge", f"scripted:{judge}", "-o", "none.json", code=3)
        for command in (("--labelled", once), ("--labelled", once, "--labelled", again), ("--labelled", fivefold))
    )
    for report, doubles in ((two, 40), (five, 160)):
        assert (report.labels, report.agreement, report.refused) == (40, alone.agreement, alone.refused)
        assert report.notes[0] == f"{doubles} labels are given twice (claim, passage and kind alike), and count once"
    assert alone.refused.missing[0].have == 16


def test_labels_that_contradict_one_another_take_no_part(cli, tmp_path):
    rows = pairs(ROWS)
    judge = write_lines(tmp_path / "judge.jsonl", [row for n, (p, _) in enumerate(ROWS) for row in judged(n, p)])
    other = write_lines(tmp_path / "other.jsonl", [rows[0] | {"label": 1 - rows[0]["label"]}, rows[1]])
    command = ("--labelled", write_lines(tmp_path / "rows.jsonl", rows), "--labelled", other)
    report = calibrated(cli, *command, "--judge", f"scripted:{judge}")
    assert (report.labels, report.agreement["support"].n) == (119, 119)
    assert report.agreement["support"].unsettled == 2
    assert report.notes[:2] == (
        "1 labels are given twice (claim, passage and kind alike), and count once",
        "2 labels contradict one another on the same claim and passage, and take no part",
    )


def test_the_same_labels_in_another_order_are_fitted_alike(cli, tmp_path):
    rng = np.random.default_rng(3)
    rows, table = [], []
    for n in range(160):
        row = {"claim": f"C{n}.", "passage": f"P{n}."}
        p = round(float(np.clip(rng.normal(0.47 if n % 2 else 0.33, 0.15), 0.01, 0.99)), 4)
        rows.append(row | {"label": n % 2} | ({"group": f"g{n // 3}"} if n % 5 else {"question": f"q{n // 4}"}))
        table.append(row | {"label": "unsupported", "p": p})
    judge = write_lines(tmp_path / "judge.jsonl", table)
    a, b = (write_lines(tmp_path / f"{name}.jsonl", part) for name, part in (("a", rows[:90]), ("b", rows[90:])))
    (tmp_path / "else").mkdir()
    mixed = [rows[i] for i in rng.permutation(90)] + [rows[90 + i] for i in rng.permutation(70)]
    c, d = (write_lines(tmp_path / "else" / f"{n}.jsonl", part) for n, part in (("a", mixed[:90]), ("b", mixed[90:])))
    found = [
        calibrated(cli, "--labelled", one, "--labelled", two, "--judge", f"scripted:{judge}", "-o", "made.json")
        for one, two in ((a, b), (b, a), (c, d))
    ]
    assert len({one.model_dump_json(exclude={"source"}) for one in found}) == 1


MISTAKES = [
    # what is called, what is said
    ((), "give a RUN"),
    (("{run}", "--labelled", "{rows}"), "takes the place of a run"),
    (("--labelled", "{rows}", "--labels", "{rows}"), "--labels goes with a RUN"),
    (("--labelled", "{rows}", "--labelled", "{rows}"), "given twice"),
    (("{run}", "--judge", "lexical"), "--judge goes with --labelled"),
    (("{run}", "--samples", "3"), "--samples goes with --labelled"),
    (("{run}", "-o", "x.json", "-o", "./x.json"), "given twice"),
    (("{run}", "-o", "x.json", "-o", "y.json"), "give one .json file"),
    (("{run}", "--out", "x.json"), "--out is now -o FILE"),
    (("{run}", "--html", "x.html"), "--html is now -o FILE.html"),
    (("--labelled", "{rows}", "-o", "{rows}"), "would be written over"),
    (("{run}", "-o", "nowhere/x.json"), "its folder does not exist"),
    (("{rows}.none",), "no such folder"),
    (("--labelled", "{rows}.none"), "No such file"),
]


@pytest.mark.parametrize(("command", "said"), MISTAKES, ids=[said for _, said in MISTAKES])
def test_mistakes_are_one_line(cli, labelled_run, tmp_path, command, said):
    rows = write_lines(tmp_path / "rows.json", pairs(ROWS[:2]))
    code, _, err = cli("calibrate", *(word.format(run=labelled_run, rows=rows) for word in command))
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_the_page_and_the_terminal_show_the_same_report(cli, labelled_run, tmp_path):
    code, out, err = cli("calibrate", labelled_run, "-o", "a.json", "-o", "a.html")
    assert code == 0, err
    page = (tmp_path / "a.html").read_text()
    label = read_calibration(tmp_path / "a.json").label
    assert label in out
    assert label in page
    assert "<script" not in page


# --- the file

FITTED_ON = '"fitted_on": {"n": 1, "positives": 1, "negatives": 0, "labels": "x"}'
FALLING = '"recalibration": {"x": [0.2, 0.1], "y": [0, 1]}'
BROKEN = [
    ("{", "", "not JSON"),
    ("[]", "", "expected an object"),
    ('{"schema_version": "9"}', "schema_version", "another version of showable"),
    (f'{{"name": "a", "judge": "j", {FITTED_ON}, "extra": 1}}', "extra", "unknown field"),
    (f'{{"judge": "j", {FITTED_ON}}}', "name", "missing"),
    (f'{{"name": "a", "judge": "j", {FALLING}, {FITTED_ON}}}', "recalibration", "rising"),
]


@pytest.mark.parametrize(("text", "field", "said"), BROKEN, ids=[said for _, _, said in BROKEN])
def test_a_file_that_is_no_calibration_says_what_is_wrong(tmp_path, text, field, said):
    file = tmp_path / "c.json"
    file.write_text(text)
    with pytest.raises(InputError, match=said) as found:
        read_calibration(file)
    assert found.value.path == str(file)
    assert found.value.field == field
    with pytest.raises(InputError):
        read_calibration(tmp_path / "none.json")


def test_a_name_is_made_of_any_name():
    assert [name_from(one) for one in ("a b", "..", "lease_1", "x" * 90)] == ["a-b", "calibration", "lease_1", "x" * 60]


# --- the arithmetic


def test_a_threshold_is_written_as_short_as_the_labels_allow():
    p = np.array([0.1, 0.4312, 0.4398, 0.9])
    assert [shortest(0.4355, p[[0, 3]]), shortest(0.4355, p), shortest(0.43119, p)] == [0.44, 0.435, 0.43]
    assert shortest(0.0004, p) == 0.0004


SOME = st.lists(st.tuples(st.integers(0, 10_000), st.booleans()), min_size=2, max_size=40)


@settings(max_examples=60)
@given(SOME, st.integers(1, 99_999))
def test_a_map_never_moves_a_decision(rows, cut):
    """The map rises everywhere: what a threshold parts on the judge's own p, the mapped threshold parts on the mapped p."""
    p = np.array([number / 10_000 for number, _ in rows])
    mapping = strict(fit_isotonic(p, np.array([yes for _, yes in rows])))
    threshold = cut / 100_000
    mapped = np.array([mapping(one) for one in p])
    assert np.array_equal(mapped >= mapping(threshold), p >= threshold)
    assert 0 <= mapped.min() <= mapped.max() <= 1
    assert undone(mapping, mapping(threshold)) == pytest.approx(threshold, abs=1e-5)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 1_000_000), max_size=30), st.integers(1, 999_999))
def test_a_threshold_in_fewer_digits_decides_the_same(numbers, cut):
    p, threshold = np.array([number / 1_000_000 for number in numbers]), cut / 1_000_000
    written = shortest(threshold, p)
    assert np.array_equal(p >= written, p >= threshold)
    assert 0 < written < 1


def test_a_calibrated_run_is_calibrated_from_what_the_judge_itself_said(labelled_run, tmp_path):
    """Scored under a calibration and labelled alike, a run gives the same thresholds and the same map as before."""
    first = calibrate_run(labelled_run, None, name="first").calibration
    records, table = leases(ROWS, KINDS)
    again = scored(tmp_path, records, table, calibration=first)
    assert read_calibration(again / CALIBRATION) == first
    keep(again, support_labels(again, ROWS)[HELD:])
    second = calibrate_run(again, None, name="second")
    assert second.calibration.recalibration == first.recalibration
    assert second.report.agreement["support"].balanced_accuracy > 0.9
    own = calibrate_run(again, None, name="second", profile=GENERAL)
    assert own.report == second.report, "a calibration stands in place of its profile's thresholds"
    with pytest.raises(SettingError, match="the thresholds of legal know nothing of it"):
        calibrate_run(again, None, name="legal", profile=load_profile("legal"))
    # nothing more is to be had, so the thresholds stay
    assert second.calibration.thresholds.support == pytest.approx(first.thresholds.support, abs=0.02)


def test_things_of_one_question_widen_a_corrected_rate():
    """What was seen goes together by question, and so do the errors: the larger effect divides every n."""
    labels = [n % 2 == 0 for n in range(80)]
    said = [yes if n % 10 else not yes for n, yes in enumerate(labels)]
    found = agreement("support", "all", labels, said)
    alone = [(yes, n) for n, yes in enumerate([*labels, *labels])]
    together = [(n // 4 % 2 == 0, n // 4) for n in range(160)]  # four at a time are alike
    rights = [(one, label, n) for n, (one, label) in enumerate(zip(said, labels, strict=True))]
    narrow, wide = corrected(found, alone, rights), corrected(found, together, rights)
    assert narrow.observed == wide.observed == 0.5
    assert (wide.observed_high - wide.observed_low) == pytest.approx(
        2 * (narrow.observed_high - narrow.observed_low), rel=0.05
    )
    assert wide.high - wide.low > narrow.high - narrow.low
    assert corrected(found, [(None, 0)], rights) is None


# --- what the judge leaves undecided, and what is held out


def test_a_judge_that_cannot_be_reached_is_not_taken_for_missing_labels(tmp_path):
    """60 labels of each class are there, and no call went through."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
    judge = ChatJudge(ChatSettings(model="m", base_url=url, retries=0, concurrency=64))
    file = LabelledRows.read(write_lines(tmp_path / "rows.jsonl", pairs(ROWS, kind="deadline")), "rows.jsonl")
    found = asyncio.run(calibrate_labelled([file], judge, GENERAL, lambda _: None, name="rows", concurrency=64))
    report = found.report
    assert found.calibration is None
    why = f"the judge left 120 of 120 labelled pairs undecided, the first of them: cannot reach {url}: "
    assert any(note.startswith(why) for note in report.notes)
    few = 'too few of the labels can be fitted on: 0 of 30 labels "supported" (60 given), 0 of 30 labels "not supported" (60 given)'
    assert report.refused.reason.startswith(
        f"not measured: 120 of 120 rows, the judge failed (unreachable); {few}; {why}"
    )
    assert {(one.have, one.given, one.need) for one in report.refused.missing} == {(0, 60, 30)}
    assert not [one for one in report.least_n if "threshold" in one.says], "more labels would fit nothing"


def test_what_a_chat_judge_cost_is_said(tmp_path):
    file = LabelledRows.read(write_lines(tmp_path / "rows.jsonl", pairs(ROWS[:6])), "rows.jsonl")

    async def calibrate():
        async with serve([Say(json.dumps({"verdict": "unsupported", "reason": "no", "quote": ""}))]) as server:
            prices = {"usd_per_million_in": 1.0, "usd_per_million_out": 2.0}
            judge = ChatJudge(ChatSettings(model="m", base_url=server.url, **prices))
            return await calibrate_labelled([file], judge, GENERAL, lambda _: None, name="rows")

    report = asyncio.run(calibrate()).report
    # 6 rows, a call each; tokens as the server counts them, 400 in and 50 out a call: 2,400 + 2 × 300 millionths of a dollar
    assert report.cost.model_dump() == {"calls": 6, "tokens_in": 2400, "tokens_out": 300, "usd": pytest.approx(0.003)}
    with (tmp_path / "out.txt").open("w") as out:
        render_calibration(report, console=Console(file=out))
    assert "\n6 judge calls, 2,400 tokens in, 300 out, $0.0030\n" in (tmp_path / "out.txt").read_text()


def test_the_first_error_of_a_runs_judge_is_said(cli, tmp_path):
    records = leases(ROWS)[0]
    down = [row | {"reason": "HTTP 503: overloaded"} for n in range(len(ROWS)) for row in judged(n, None, "unknown")]
    run = scored(tmp_path, [*records, answered(900) | {"retrieved": []}], down)
    more = label("lease-900", "support", "supported", digests(run)["lease-900"])
    keep(run, [more, *support_labels(run, ROWS)])
    report = calibrated(cli, run, code=3)
    why = "the judge left 121 of 121 labelled pairs undecided, the first of them: HTTP 503: overloaded"
    assert why in report.notes
    assert report.refused.reason.endswith(f"; {why}")
    assert {(one.label, one.have, one.given) for one in report.refused.missing} == {
        ("supported", 0, 61),
        ("not supported", 0, 60),
    }
    code, out, _ = cli("calibrate", run)
    said = " ".join(out.split())
    assert (code, "HTTP 503: overloaded" in said) == (3, True)
    assert "30 more decided of the 61 “supported” labels given (0 of 30)" in said
    assert "30 more “supported” labels" not in said


def test_labels_that_are_missing_and_labels_that_are_undecided_are_told_apart():
    rows = rows_of((20, 0.9, True, None), (40, 0.1, False, None))
    rows += [SupportRow(True, None, None, "unknown", "j", None, 100 + n, reason="timeout") for n in range(5)]
    refused = fit_support(rows, Thresholds()).refused
    (missing,) = refused.missing
    assert (missing.label, missing.have, missing.given, missing.need) == ("supported", 20, 25, 30)
    assert refused.reason.startswith('too few labels to fit a threshold: 20 of 30 labels "supported" (25 given); ')
    assert refused.reason.endswith("left 5 of 65 labelled pairs undecided, the first of them: timeout")


def test_records_that_share_a_question_with_the_hold_out_are_not_fitted_on(cli, tmp_path):
    """Pairs 0 to 9 are held out; 10 to 19 ask what they ask, and say the contrary of what all others do."""
    records, table = leases(ROWS)
    for n in range(10, 20):
        records[n]["question"] = records[n - 10]["question"]
    run = scored(tmp_path, records, table)
    turned = [(p, not yes if 10 <= n < 20 else yes) for n, (p, yes) in enumerate(ROWS)]
    keep(run, support_labels(run, turned), hold_out=[f"lease-{n}" for n in range(10)])
    report = calibrated(cli, run, "-o", "with.json")
    assert "10 labelled pairs share a question with a record held out, and are not fitted on" in report.notes
    assert (report.agreement["support"].n, report.held_out.n) == (100, 10)
    kept = read_calibration(tmp_path / "with.json")
    assert kept.fitted_on.n == 100
    # the same as if nobody had labelled them
    other = scored(_another(tmp_path), records, table)
    without = [one for one in support_labels(other, turned) if one.record not in {f"lease-{n}" for n in range(10, 20)}]
    keep(other, without, hold_out=[f"lease-{n}" for n in range(10)])
    assert calibrated(cli, other, "-o", "without.json").thresholds == report.thresholds
    assert read_calibration(tmp_path / "without.json").recalibration == kept.recalibration


def _another(folder):
    """A folder beside, for a second run."""
    other = folder / "other"
    other.mkdir()
    return other
