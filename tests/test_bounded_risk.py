"""`calibrate --risk`: from which probability on answers may be shown, so that few of those are bad."""

import json

import numpy as np
import pytest
from calibrated_runs import answered, digests, keep, label, scored, write_lines
from scipy.stats import binom
from tables import every_row

from showable.calibrating.calibration_file import read_calibration
from showable.measure.calibration_report import CalibrationReport
from showable.measure.risk_control import CONFIDENCE, GRID, LabelledAnswer, bound_risk
from showable.records import Scorecard
from showable.stores.run_folder import SCORES, read_run_lines


def answers(*groups):
    """Answers, each to its own question, of groups (how many, p, how many of them bad)."""
    rows = [(p, at >= bad) for n, p, bad in groups for at in range(n)]
    return [LabelledAnswer(p, good, str(number)) for number, (p, good) in enumerate(rows)]


BOUNDS = [
    # answers (how many, p, bad), risk, threshold, labels missing. Source: 0 bad of n falls at .95**n ≤ .05/8, so n ≥ 99
    ("enough, and none is bad", [(99, 0.99, 0)], 0.05, 0.5, None),
    ("one too few", [(98, 0.99, 0)], 0.05, None, 1),
    ("half of them shown, twice as many needed", [(50, 0.99, 0), (50, 0.1, 25)], 0.05, None, 98),
    ("bad ones below .8 only", [(120, 0.9, 0), (80, 0.75, 40)], 0.05, 0.8, None),
    ("no better than the risk anywhere", [(200, 0.99, 12)], 0.05, None, None),
    ("a laxer risk", [(200, 0.99, 12)], 0.15, 0.5, None),
    ("nobody's answer", [], 0.05, None, None),
]


@every_row("shown, groups, risk, threshold, missing", BOUNDS)
def test_the_least_threshold_that_holds_is_found(shown, groups, risk, threshold, missing):
    found = bound_risk(answers(*groups), risk)
    assert (found.threshold, found.missing) == (threshold, missing), (shown, found)
    for step in found.tested:
        assert step.p_value == pytest.approx(binom.cdf(step.bad, step.shown, risk) if step.shown else 1.0)


def test_as_many_labels_as_are_said_to_be_missing_do():
    few = answers((60, 0.99, 1))
    missing = bound_risk(few, 0.05).missing
    scale = (60 + missing) / 60
    assert bound_risk(answers((60 + missing, 0.99, int(scale))), 0.05).threshold is not None


def test_of_a_question_with_several_answers_one_counts():
    many = [LabelledAnswer(0.99, True, str(n % 20)) for n in range(400)]
    found = bound_risk(many, 0.05)
    assert (found.questions, found.answers, found.threshold) == (20, 400, None)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0.0, 0.8, 2.0])
def test_the_bound_holds_in_a_thousand_draws(shift):
    """Answers in groups of like difficulty; what is found is held against 100,000 others. Source: the 5 % of the test."""

    def draw(rng, questions):
        hard = np.repeat(rng.normal(size=questions), 2)
        z = hard + rng.normal(size=2 * questions) + 1.5
        good = rng.random(2 * questions) < 1 / (1 + np.exp(-1.2 * z - shift))
        p = 1 / (1 + np.exp(-1.5 * z))
        return [LabelledAnswer(float(a), bool(b), str(n // 2)) for n, (a, b) in enumerate(zip(p, good, strict=True))]

    others = draw(np.random.default_rng(1), 50_000)
    truth = {at: np.mean([not one.good for one in others if one.p >= at]) for at in GRID}
    rng = np.random.default_rng(2)
    found = [bound_risk(draw(rng, 250), 0.05, seed=n).threshold for n in range(1000)]
    broken = sum(at is not None and truth[at] > 0.05 for at in found)
    assert broken <= binom.ppf(0.999, 1000, 1 - CONFIDENCE)
    assert shift < 2 or any(at is not None for at in found)


@pytest.fixture(scope="module")
def labelled_run(tmp_path_factory):
    """A run of 160 supported leases, whose answers people find right but for one."""
    folder = tmp_path_factory.mktemp("bounded")
    records = [answered(n) for n in range(160)]
    table = [
        {"claim": r["answer"]["claims"][0]["text"], "passage": r["retrieved"][0]["text"], "label": "supported"}
        for r in records
    ]
    run = scored(folder, records, table)
    held = digests(run)
    keep(run, [label(f"lease-{n}", "bucket", "wrong" if n == 3 else "correct", held[f"lease-{n}"]) for n in range(160)])
    return run


def test_a_bound_is_written_printed_by_score_and_kept_by_the_answers(cli, labelled_run, tmp_path):
    file = tmp_path / "shown.json"
    page = tmp_path / "shown.html"
    code, out, err = cli("calibrate", labelled_run, "--risk", "0.05", "-o", file, "-o", page)
    assert code == 0, err
    assert "At most 5% of what is shown bad, with 95% confidence" in out
    assert "exchangeable" in out or "questions like these" in out
    assert "from a probability of 0.5 on" in page.read_text("utf-8")
    kept = read_calibration(file)
    assert (kept.shown_from.p, kept.shown_from.risk, kept.shown_from.questions) == (0.5, 0.05, 160)
    assert kept.label != kept.model_copy(update={"shown_from": None}).label
    records = write_lines(tmp_path / "few.jsonl", [answered(n) for n in range(3)])
    judge = f"scripted:{labelled_run.parent / 'judge.jsonl'}"
    code, out, err = cli("score", records, "--judge", judge, "--calibration", file, "--out", tmp_path / "scored")
    assert code == 0, err
    assert "with 95% confidence at most 5% of what is shown is bad" in " ".join(out.split())
    card = next(iter(read_run_lines(tmp_path / "scored" / SCORES, Scorecard)))
    assert card.release.shown_from == kept.shown_from


def test_too_few_labels_are_said_and_nothing_is_written(cli, labelled_run, tmp_path):
    code, out, _ = cli("calibrate", labelled_run, "--risk", "0.02", "-o", tmp_path / "none.json", "--json")
    report = CalibrationReport.model_validate_json(out)
    assert code == 3
    assert report.risk.threshold is None
    assert f"about {report.risk.missing:,} more questions" in report.refused.reason
    assert not (tmp_path / "none.json").exists()


def test_claims_have_no_answers_to_be_shown(cli, tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"claim": "a", "passage": "a", "label": 1}) + "\n")
    code, _, err = cli("calibrate", "--labelled", rows, "--risk", "0.05")
    assert code == 2
    assert "--risk takes a RUN" in err
