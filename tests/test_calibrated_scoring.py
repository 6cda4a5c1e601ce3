"""Scoring under a calibration: the same from a judge as from saved evidence, signed, and refused where it does not belong."""

import asyncio
import json
import shutil

import numpy as np
import pytest
from calibrated_runs import leases, scored, write_lines

from showable.calibrating.calibration_file import CALIBRATION, read_calibration, write_calibration
from showable.evaluation import close_judge, sign
from showable.judges.budget import BudgetJudge
from showable.judges.calibrated import CalibratedJudge
from showable.judging_settings import judge_under
from showable.records import GENERAL, Cost, Evidence, Pair, Scorecard, SettingError, Thresholds, Verdict
from showable.records.calibration import Calibration, FittedOn, IsotonicMap
from showable.records.recalibrated import recalibrated
from showable.stores.run_folder import EVIDENCE, PROFILE, SCORES, read_run, read_run_lines

MAP = IsotonicMap(x=(0.0, 0.3, 0.5, 1.0), y=(0.0, 0.1, 0.8, 1.0))
OTHER_MAP = IsotonicMap(x=(0.0, 1.0), y=(0.0, 0.4))
ROWS = [(p, p > 0.35) for p in np.round(np.linspace(0.02, 0.98, 25), 4).tolist()]
ON = FittedOn(n=80, positives=40, negatives=40, labels="0" * 16)


def calibration(of, /, **fields):
    held = {"name": "lease", "judge": of, "thresholds": Thresholds(support=0.4), "recalibration": MAP}
    return Calibration(**held | {"fitted_on": ON} | fields)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A run without a calibration: every log holds the cited source and three others."""
    folder = tmp_path_factory.mktemp("plain")
    scored(folder, *leases(ROWS, others=3))
    return folder


@pytest.fixture(scope="module")
def judge_name(plain):
    return next(read_run_lines(plain / "run" / EVIDENCE, Evidence)).judge


@pytest.fixture
def file(judge_name, tmp_path):
    path = tmp_path / "lease.json"
    write_calibration(path, calibration(judge_name))
    return path


def score(cli, plain, *command):
    return cli("score", plain / "records.jsonl", "--judge", f"scripted:{plain / 'judge.jsonl'}", *command)


def cards(run):
    return {card.id: card for card in read_run_lines(run / SCORES, Scorecard)}


def cited(run):
    lines = read_run_lines(run / EVIDENCE, Evidence)
    return {one.id: next(pair.verdict for pair in one.pairs if pair.role == "cited") for one in lines}


def test_score_and_regrade_agree_exactly(cli, plain, file, tmp_path):
    """What one calibration makes of a judge's words does not depend on when it is put to them."""
    kept = read_calibration(file)
    assert score(cli, plain, "--calibration", file, "--out", "direct")[0] == 0
    code, out, err = cli("regrade", plain / "run", "--calibration", file, "--out", "again", "--json")
    assert code == 0, err
    direct, again = tmp_path / "direct", tmp_path / "again"
    first, second = cards(direct), cards(again)
    assert first.keys() == second.keys()
    assert len({card.bucket for card in first.values()}) > 1
    # nothing that was support is none now, so no other passage matters that nobody had asked about
    assert not [key for key, v in cited(plain / "run").items() if v.p >= 0.5 and MAP(v.p) < 0.4]
    assert second == first
    gathered = [{one.id: one.pairs for one in read_run_lines(run / EVIDENCE, Evidence)} for run in (direct, again)]
    assert gathered[0] == gathered[1]
    assert cited(direct) == cited(again)
    assert read_run(direct)["signature"] == read_run(again)["signature"] == json.loads(out)["signature"]
    assert (
        f"thresholds:0.4|profile:general|registries:-|corpus:-|calibration:{kept.label}|"
        in json.loads(out)["signature"]
    )
    assert read_calibration(direct / CALIBRATION) == read_calibration(again / CALIBRATION) == kept
    code, _, err = cli("gate", "direct", "again")
    assert code == 0, err


def test_the_embedded_answers_are_graded_again_as_they_would_be_scored(cli, tmp_path):
    """Answers of every bucket, with gold, several citations a claim and quotations, read by the lexical judge."""
    from showable.demo.embedded import records_path

    thresholds = Thresholds(support=0.45)
    write_calibration(tmp_path / "c.json", calibration("lexical@2", thresholds=thresholds))
    with records_path() as path:
        some = path.read_text("utf-8").splitlines(keepends=True)[::6]
    (tmp_path / "some.jsonl").write_text("".join(some), "utf-8")
    for out, options in (("plain", ()), ("direct", ("--calibration", "c.json"))):
        assert cli("score", "some.jsonl", "--judge", "lexical", "--out", out, *options)[0] == 0
    assert cli("regrade", "plain", "--calibration", "c.json", "--out", "again")[0] == 0
    first, second = cards(tmp_path / "direct"), cards(tmp_path / "again")
    unlike = [key for key, card in first.items() if second[key].bucket != card.bucket]
    assert {second[key].bucket for key in unlike} <= {"unknown"}  # where a verdict would be needed that nobody gave
    assert len(unlike) < len(first) / 4
    assert first != cards(tmp_path / "plain")


def test_evidence_keeps_what_the_judge_itself_said(cli, plain, file, tmp_path):
    score(cli, plain, "--calibration", file, "--out", "direct")
    own, mapped = cited(plain / "run"), cited(tmp_path / "direct")
    for key, verdict in mapped.items():
        assert verdict.raw_p == own[key].p
        assert verdict.p == pytest.approx(float(np.interp(own[key].p, MAP.x, MAP.y)))
        assert verdict.label == own[key].label
    assert all(verdict.raw_p is None for verdict in own.values())


def test_what_no_evidence_was_gathered_for_is_unknown_and_not_guessed(cli, plain, judge_name, tmp_path):
    """A calibration that finds less support asks about passages that the run never put to its judge."""
    write_calibration(tmp_path / "strict.json", calibration(judge_name, recalibration=OTHER_MAP))
    score(cli, plain, "--calibration", "strict.json", "--out", "direct")
    assert cli("regrade", plain / "run", "--calibration", "strict.json", "--out", "again")[0] == 0
    first, second = cards(tmp_path / "direct"), cards(tmp_path / "again")
    unlike = [key for key in first if first[key] != second[key]]
    assert unlike
    assert {second[key].bucket for key in unlike} == {"unknown"}
    assert {first[key].bucket for key in unlike} == {"unsupported"}


def test_a_calibration_takes_the_place_of_another(cli, plain, judge_name, file, tmp_path):
    """Regrading a calibrated run starts from what the judge itself said: no p is mapped twice."""
    other = tmp_path / "other.json"
    write_calibration(
        other, calibration(judge_name, name="other", recalibration=None, thresholds=Thresholds(support=0.6))
    )
    assert cli("regrade", plain / "run", "--calibration", file, "--out", "first")[0] == 0
    assert cli("regrade", "first", "--calibration", other, "--out", "second")[0] == 0
    assert cli("regrade", plain / "run", "--calibration", other, "--out", "at-once")[0] == 0
    second, at_once = cards(tmp_path / "second"), cards(tmp_path / "at-once")
    assert all(second[key] == card or second[key].bucket == "unknown" for key, card in at_once.items())
    assert sum(second[key] == card for key, card in at_once.items()) > len(at_once) / 2
    assert cited(tmp_path / "second") == cited(plain / "run")
    assert read_run(tmp_path / "second")["signature"] == read_run(tmp_path / "at-once")["signature"]


def test_a_calibrated_run_may_be_cut_elsewhere_but_not_by_another_profile(cli, plain, file, tmp_path):
    assert cli("regrade", plain / "run", "--calibration", file, "--out", "first")[0] == 0
    code, _, err = cli("regrade", "first", "--profile", "legal", "--out", "x")
    assert code == 2
    assert "scored under the calibration lease@" in err
    assert cli("regrade", "first", "--threshold", "0.9", "--out", "cut")[0] == 0
    signature = read_run(tmp_path / "cut")["signature"]
    assert "thresholds:0.9|" in signature
    assert "calibration:lease@" in signature
    assert read_calibration(tmp_path / "cut" / CALIBRATION).name == "lease"
    supported = [card.claims[0].support == "supported" for card in cards(tmp_path / "cut").values()]
    assert sum(supported) == sum(MAP(p) >= 0.9 for p, _ in ROWS)


def test_another_profile_does_not_hide_under_whose_rubrics_the_judge_was_asked(cli, plain, tmp_path):
    shutil.copytree(plain / "run", tmp_path / "run")
    held = GENERAL.model_copy(update={"own_rubrics": ("lease@12345678",)})
    (tmp_path / "run" / PROFILE).write_text(held.model_dump_json())
    code, _, err = cli("regrade", "run", "--profile", "legal", "--out", "again")
    assert code == 0, err
    assert "+lease@12345678|" in read_run(tmp_path / "again")["signature"]


def test_a_run_is_not_taken_up_under_another_calibration(cli, plain, judge_name, file, tmp_path):
    score(cli, plain, "--calibration", file, "--out", "direct")
    code, _, err = score(cli, plain, "--out", "direct")
    assert code == 2
    assert "calibration: lease@" in err
    write_calibration(tmp_path / "b.json", calibration(judge_name, recalibration=OTHER_MAP))
    assert "calibration: lease@" in score(cli, plain, "--calibration", tmp_path / "b.json", "--out", "direct")[2]
    assert score(cli, plain, "--calibration", file, "--out", "direct")[0] == 0
    code, _, err = cli("gate", plain / "run", "direct")
    assert code == 2
    assert "calibration: -" in err


def test_the_default_folder_tells_calibrations_apart(cli, plain, judge_name, file, tmp_path):
    write_calibration(tmp_path / "b.json", calibration(judge_name, recalibration=OTHER_MAP))
    for command in ((), ("--calibration", file), ("--calibration", tmp_path / "b.json")):
        assert score(cli, plain, *command)[0] == 0
    assert len(list((tmp_path / "runs").iterdir())) == 3


REFUSED = [
    # what the file says otherwise, options of score, what is said
    ({"judge": "lexical@1"}, (), "was fitted for the judge lexical@1, this is scripted:"),
    ({"prompt": "ab12"}, (), "was fitted under the prompt ab12, this is -"),
    ({}, ("--threshold", "0.5"), "--calibration and --threshold both say where p is cut"),
    ({"profile": "news"}, (), "was fitted under the profile news, these answers are scored under general"),
    ({"profile": "legal"}, ("--profile", "legal"), "has no threshold for dictum, fact, holding, procedural, statute"),
    ({"head": {"bias": 1.0}}, (), "holds a head for scripted:"),
    # a head whose features are no longer those of the judge: of which version it is says more than which field is wrong
    (
        {"judge": "embedded@1.1-dcc806cf", "head": {"names": ["support"]}},
        ("--judge", "embedded"),
        "was fitted for the judge embedded@1.1-dcc806cf, this is embedded@",
    ),
]


@pytest.mark.parametrize("refused", REFUSED, ids=[said for _, _, said in REFUSED])
def test_a_calibration_that_does_not_belong_is_refused_in_one_line(cli, plain, judge_name, tmp_path, refused):
    fields, options, said = refused
    write_calibration(tmp_path / "c.json", calibration(judge_name, **fields))
    code, _, err = score(cli, plain, "--calibration", "c.json", "--out", "out", *options)
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_regrading_refuses_what_scoring_refuses(cli, plain, judge_name, tmp_path):
    for fields, said in (
        ({"judge": "lexical@1"}, "fitted for the judge lexical@1"),
        ({"profile": "news"}, "under the profile news"),
    ):
        write_calibration(tmp_path / "c.json", calibration(judge_name, **fields))
        code, _, err = cli("regrade", plain / "run", "--calibration", "c.json")
        assert (code, said in err) == (2, True), err
    code, _, err = cli("regrade", plain / "run", "--calibration", "c.json", "--threshold", "0.5")
    assert (code, "both say where p is cut" in err) == (2, True)
    code, _, err = cli("regrade", plain / "run", "--calibration", "none.json")
    assert (code, "none.json" in err) == (2, True)


def test_a_calibration_for_a_profile_with_kinds_of_its_own(cli, plain, judge_name, tmp_path):
    kinds = {"holding": 0.6, "statute": 0.6, "dictum": 0.5, "procedural": 0.5, "fact": 0.3}
    thresholds = Thresholds(support=0.45, per_kind=kinds)
    write_calibration(tmp_path / "c.json", calibration(judge_name, profile="legal", thresholds=thresholds))
    code, _, err = score(cli, plain, "--profile", "legal", "--calibration", "c.json", "--out", "out")
    assert code == 0, err
    assert f"thresholds:{thresholds}|" in read_run(tmp_path / "out")["signature"]


def test_a_pipeline_is_run_under_a_calibration(cli, plain, file, tmp_path):
    records = [json.loads(line) for line in (plain / "records.jsonl").read_text().splitlines()][:4]
    asked = [{"id": one["id"], "question": one["question"], "gold": {"answerable": True}} for one in records]
    questions = write_lines(tmp_path / "q.jsonl", asked)
    answers = write_lines(tmp_path / "answers.jsonl", records)
    command = ("--pipeline", f"recorded:{answers}", "--questions", questions, "--out", "out", "--calibration", file)
    judge = ("--judge", f"scripted:{plain / 'judge.jsonl'}")
    code, _, err = cli("run", *command, *judge)
    assert code == 0, err
    assert f"calibration:{read_calibration(file).label}" in read_run(tmp_path / "out")["signature"]
    assert all(verdict.raw_p is not None for verdict in cited(tmp_path / "out").values())
    assert "both say" in cli("run", *command, *judge, "--threshold", "0.5")[2]


# --- validate


def rows(tmp_path):
    table = [
        {"claim": f"C{n}.", "passage": f"P{n}.", "label": "supported", "p": p}
        for n, p in enumerate((0.2, 0.4, 0.45, 0.7))
    ]
    given = [
        {"claim": f"C{n}.", "passage": f"P{n}.", "label": n % 2, "kind": kind}
        for n, kind in enumerate(("a", "b", "a", "b"))
    ]
    return write_lines(tmp_path / "rows.jsonl", given), f"scripted:{write_lines(tmp_path / 'j.jsonl', table)}"


def test_validate_measures_a_judge_as_calibrated(cli, tmp_path):
    file, judge = rows(tmp_path)
    name = json.loads(cli("validate", "entailment", file, "--judge", judge, "--json")[1])["judge"]
    kept = calibration(name, thresholds=Thresholds(support=0.5, per_kind={"a": 0.9}))
    write_calibration(tmp_path / "c.json", kept)
    code, out, err = cli(
        "validate", "entailment", file, "--judge", judge, "--calibration", "c.json", "--rows", "out.jsonl", "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    assert f"thresholds:0.5,a=0.9|profile:general|registries:-|corpus:-|calibration:{kept.label}|" in found["signature"]
    decided = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    # by hand: .2 → .067, .4 → .45, .45 → .625 (an a: cut at .9), .7 → .88
    assert [round(one["p"], 3) for one in decided] == [0.067, 0.45, 0.625, 0.88]
    assert [one["decision"] for one in decided] == [False, False, False, True]
    records = write_lines(
        tmp_path / "r.jsonl", [{"id": "a", "question": "q", "answer": "It is so.", "gold": {"bucket": "unsupported"}}]
    )
    factual = json.loads(
        cli("validate", "factuality", records, "--judge", judge, "--calibration", "c.json", "--json")[1]
    )
    assert kept.label in factual["signature"]


def test_validate_says_what_a_calibration_cuts_and_whether_it_was_fitted_on_these_labels(cli, tmp_path):
    table, given = [], []
    for n in range(120):
        row = {"claim": f"C{n}.", "passage": f"P{n}."}
        table.append(row | {"label": "unsupported", "p": (0.3 if n % 2 else 0.1) + n / 2_000})
        given.append(row | {"label": n % 2, "kind": "ab"[n % 4 // 2]})
    judge = f"scripted:{write_lines(tmp_path / 'j.jsonl', table)}"
    both = [write_lines(tmp_path / f"{name}.jsonl", given[at::2]) for name, at in (("odd", 1), ("even", 0))]
    labelled = [word for file in both for word in ("--labelled", file)]
    assert cli("calibrate", *labelled, "--judge", judge, "-o", "c.json")[0] == 0
    assert cli("retune", *labelled, "--judge", judge, "--what", "thresholds")[0] == 0
    retuned = "judge-versions/scripted-v1.json"
    for kept, files, fitted in (
        # fitted on all of them by calibrate, on half of them by retune
        ("c.json", both[::-1], "It was fitted on 120 labels of these very files: the figures are in sample"),
        (retuned, both, "It was fitted on 60 labels of these very files: the figures are in sample"),
        ("c.json", both[:1], "It was fitted on 120 labels; any of them that are among these rows flatter it."),
    ):
        held = read_calibration(tmp_path / kept)
        code, out, err = cli("validate", "entailment", *files, "--judge", judge, "--calibration", kept)
        said = " ".join(out.split())
        assert code in {0, 3}, err
        assert f"Under the calibration {held.label} p ≥ {held.thresholds.support:g}" in said
        assert fitted in said
        assert "Nothing was fitted" not in said
        assert ("of p as its map has it" in said) is (held.recalibration is not None)


def test_the_most_confident_half_is_told_from_where_its_kind_is_cut(cli, tmp_path):
    file, judge = rows(tmp_path)  # p .2 and .45 of kind a, labelled 0; .4 and .7 of kind b, labelled 1
    name = json.loads(cli("validate", "entailment", file, "--judge", judge, "--json")[1])["judge"]
    cuts = Thresholds(support=0.5, per_kind={"a": 0.9})
    write_calibration(tmp_path / "c.json", calibration(name, thresholds=cuts, recalibration=None))
    out = cli("validate", "entailment", file, "--judge", judge, "--calibration", "c.json", "--json")[1]
    (found,) = json.loads(out)["files"]
    # by hand: .2 is .7 and .45 is .45 from .9; .4 is .1 and .7 is .2 from .5: both a, no row labelled 1 among them
    assert found["most_confident_half"] == {"n": 2, "balanced_accuracy": None}
    _, out, _ = cli("validate", "entailment", file, "--judge", judge, "--calibration", "c.json")
    assert "p ≥ 0.5 (0.9 for a) is support." in " ".join(out.split())


@pytest.mark.parametrize(
    ("task", "options", "said"),
    [
        ("entailment", ("--at", "0.5"), "--calibration and --at both say where p is cut"),
        ("entailment", ("--threshold", "per-file"), "--threshold per-file both say"),
        ("refusal", (), "none takes part in refusal"),
    ],
)
def test_validate_refuses_what_does_not_go_with_a_calibration(cli, tmp_path, task, options, said):
    write_calibration(tmp_path / "c.json", calibration("lexical@1"))
    file, _ = rows(tmp_path)
    code, _, err = cli("validate", task, file, "--calibration", "c.json", *options)
    assert (code, said in err) == (2, True), err


# --- the wrapper


class Judge:
    """A judge that can be closed and has a price."""

    name, prompt_hash = "j@1", "ab12"

    def __init__(self):
        self.closed = False

    async def verdicts(self, pairs):
        return [
            Verdict(label="unknown", judge=self.name, reason="429"),
            Verdict(label="contradicted", judge=self.name, p=0.4),
            Verdict(label="supported", judge=self.name, p=1.0),
        ][: len(pairs)]

    def estimate(self, pairs):
        return Cost(calls=len(pairs), usd=0.01 * len(pairs))

    async def aclose(self):
        self.closed = True


def test_the_wrapper_is_its_judge_but_for_p():
    inner = Judge()
    held = calibration("j@1", prompt="ab12")
    judge = CalibratedJudge(inner, held)
    pairs = [Pair("c", "p")] * 3
    assert (judge.name, judge.prompt_hash, judge.estimate(pairs)) == ("j@1", "ab12", inner.estimate(pairs))
    found = asyncio.run(BudgetJudge(judge, 1.0).verdicts(pairs))
    assert [(one.label, one.p, one.raw_p) for one in found] == [
        ("unknown", None, None),
        ("contradicted", pytest.approx(0.45), 0.4),
        ("supported", 1.0, 1.0),
    ]
    assert sign(judge, GENERAL).calibration == held.label
    assert sign(inner, GENERAL).calibration is None
    asyncio.run(close_judge(judge))
    assert inner.closed
    with pytest.raises(SettingError, match="under the prompt -, this is ab12"):
        judge_under(calibration("j@1"), inner)


def test_the_embedded_judge_takes_a_head_and_is_named_by_it():
    from showable.judges.embedded import EmbeddedJudge

    judge = EmbeddedJudge()
    head = judge.head.model_dump(mode="json")
    named = judge.with_head(head).name
    assert named.startswith(f"{judge.name}+head-")
    under = judge_under(calibration(judge.name, head=head), judge)
    assert (under.name, sign(under, GENERAL).judge) == (named, named)
    with pytest.raises(SettingError, match="was fitted for the judge"):
        judge_under(calibration("embedded@0", head=head), judge)


@pytest.mark.parametrize("mapping", [MAP, OTHER_MAP, None])
def test_mapping_twice_is_mapping_once(mapping):
    verdict = Verdict(label="supported", judge="j", p=0.7)
    once = recalibrated(verdict, mapping)
    assert recalibrated(once, mapping) == once
    assert recalibrated(once, None) == verdict
    assert recalibrated(recalibrated(verdict, OTHER_MAP), mapping) == once
    bare = Verdict(label="supported", judge="j")
    assert recalibrated(bare, mapping) == bare


def test_a_label_names_all_that_moves_a_number():
    one = calibration("j@1")
    assert one.label == calibration("j@1", bought={"ece": {"before": 0.1}}).label
    moved = [
        {"thresholds": Thresholds(support=0.41)},
        {"recalibration": None},
        {"prompt": "x"},
        {"judge": "k"},
        {"name": "b"},
    ]
    assert len({one.label, *(calibration("j@1", **fields).label for fields in moved)}) == 6


def test_a_copied_run_folder_carries_its_calibration(cli, plain, file, tmp_path):
    score(cli, plain, "--calibration", file, "--out", "direct")
    moved = shutil.copytree(tmp_path / "direct", tmp_path / "moved")
    assert cli("regrade", moved, "--out", "same")[0] == 0
    assert cards(tmp_path / "same") == cards(tmp_path / "direct")
    assert read_run(tmp_path / "same")["signature"] == read_run(tmp_path / "direct")["signature"]
