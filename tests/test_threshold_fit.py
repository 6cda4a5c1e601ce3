"""Thresholds fitted to labels: what they are, when they are not fitted, and that what they buy is bought out of sample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, roc_curve
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from showable.measure.cross_fit import best_threshold, cross_fitted, dealt_folds
from showable.measure.least_n import LEAST_PER_CLASS
from showable.measure.paired import mcnemar
from showable.measure.paired_gain import decisions_gain, paired_gain
from showable.measure.threshold_fit import _gain, _Rows, fit_thresholds
from showable.records.signature import Thresholds


def scores(n, cut, seed, *, spread=0.15, yes=0.5):
    """Make labels, and a p that lies above `cut` for most yes and below it for most no."""
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < yes
    p = np.clip(cut + np.where(labels, 0.12, -0.12) + rng.normal(0, spread, n), 0, 1)
    return labels, p


def two_kinds(n, cuts, seed=0):
    """Give rows of two kinds, each with a cut of its own, two rows a question."""
    parts = [scores(n, cut, seed + i) for i, cut in enumerate(cuts)]
    labels, p = (np.concatenate(column) for column in zip(*parts, strict=True))
    return labels, p, ["holding"] * n + ["dosage"] * n, [f"q{i // 2}" for i in range(2 * n)]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20).map(lambda k: k / 20)), min_size=2, max_size=40))
def test_the_best_threshold_is_youdens_on_scikit_learns_curve(rows):
    labels, p = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    if labels.all() or not labels.any():
        assert best_threshold(labels, p, 0.5) == 0.5
        return
    fpr, tpr, _ = roc_curve(labels, p)
    said = p >= best_threshold(labels, p, 0.5)
    assert balanced_accuracy_score(labels, said) == pytest.approx(((tpr - fpr).max() + 1) / 2)


def test_kinds_with_cuts_of_their_own_get_them_and_it_pays_on_rows_not_seen():
    labels, p, kinds, clusters = two_kinds(200, (0.3, 0.75))
    found = fit_thresholds(labels, p, kinds, clusters)
    assert found.refused is None
    assert found.thresholds.per_kind["holding"] == pytest.approx(0.3, abs=0.08)
    assert found.thresholds.per_kind["dosage"] == pytest.approx(0.75, abs=0.08)
    bought = found.bought[0]
    assert bought.figure == "balanced_accuracy"
    assert bought.before == pytest.approx(balanced_accuracy_score(labels, p >= 0.5))
    assert bought.after == pytest.approx(balanced_accuracy_score(labels, found.said))
    assert 0.05 < bought.low < bought.difference < bought.high
    assert found.bought_by_kinds[0].low > 0
    assert [kind.kind for kind in found.kinds] == ["dosage", "holding"]
    for kind in found.kinds:
        assert kind.fitted
        assert kind.why is None
        assert kind.threshold == found.thresholds.of(kind.kind)
        assert len(kind.fold_thresholds) == 5
        mine = np.array(kinds) == kind.kind
        assert kind.bought[0].after == pytest.approx(balanced_accuracy_score(labels[mine], found.said[mine]))


def test_a_fresh_sample_gains_what_was_promised():
    labels, p, kinds, clusters = two_kinds(200, (0.3, 0.75))
    found = fit_thresholds(labels, p, kinds, clusters)
    labels, p, kinds, _ = two_kinds(4_000, (0.3, 0.75), seed=50)
    cuts = np.array([found.thresholds.of(kind) for kind in kinds])
    gained = balanced_accuracy_score(labels, p >= cuts) - balanced_accuracy_score(labels, p >= 0.5)
    assert found.bought[0].low < gained < found.bought[0].high


def test_no_row_is_decided_by_a_threshold_that_saw_its_question():
    labels, p, kinds, clusters = two_kinds(100, (0.3, 0.75))
    found = fit_thresholds(labels, p, kinds, clusters)
    numbers = np.array([int(name[1:]) for name in clusters])
    fold = dealt_folds(numbers)
    for question in range(0, 100, 17):
        mine = numbers == question
        flipped = labels.copy()
        flipped[mine] = ~flipped[mine]
        again = fit_thresholds(flipped, p, kinds, clusters)
        held = fold == fold[mine][0]
        assert (again.said[held] == found.said[held]).all(), "its own labels, and its fold's, decide nothing there"


def test_one_cut_for_all_gives_one_threshold_for_all():
    labels, p, kinds, clusters = two_kinds(200, (0.3, 0.3))
    found = fit_thresholds(labels, p, kinds, clusters)
    assert found.fitted
    assert found.why is None
    assert found.thresholds.support == pytest.approx(0.3, abs=0.08)
    assert found.bought[0].low > 0
    assert len(found.fold_thresholds) == 5
    fits = [fit_thresholds(*two_kinds(100, (0.3, 0.3), seed=seed)) for seed in range(0, 16, 2)]
    own = sum(len(fit.thresholds.per_kind) for fit in fits)
    assert own <= 8, "where kinds are alike, most of the 16 keep the common threshold"


def test_a_threshold_that_is_right_already_mostly_stays():
    stays = 0
    for seed in range(12):
        labels, p = scores(200, 0.5, seed)
        found = fit_thresholds(labels, p, [None] * 200, range(200))
        stays += found.thresholds == Thresholds(support=0.5)
        assert found.kinds == ()
        assert found.bought_by_kinds == ()
        if not found.fitted:
            assert "keeps the earlier threshold" in found.why
    assert stays >= 8, "the one-standard-error rule: chance moves it in about one sample of six"


def test_below_the_least_n_nothing_is_fitted_and_what_is_missing_is_said():
    labels, p = scores(100, 0.3, 1, yes=0.9)
    found = fit_thresholds(labels, p, [None] * 100, range(100), fallback=0.6)
    assert not found.fitted
    assert found.thresholds == Thresholds(support=0.6)
    assert (found.said == (p >= 0.6)).all()
    assert found.bought == ()
    missing = found.refused.missing
    assert [(one.label, one.have, one.need) for one in missing] == [
        ("not supported", 100 - labels.sum(), LEAST_PER_CLASS)
    ]
    assert f'{missing[0].have} of 30 labels "not supported"' in found.refused.reason
    few = fit_thresholds(*scores(200, 0.3, 2), [None] * 200, np.arange(200) // 25)
    assert "8 questions only" in few.refused.reason
    assert few.refused.missing == ()


def test_a_kind_with_too_few_labels_keeps_the_common_threshold():
    labels, p, kinds, clusters = two_kinds(200, (0.3, 0.75))
    rare = np.flatnonzero(np.array(kinds) == "dosage")[:40]
    kept = np.concatenate([np.arange(200), rare])
    found = fit_thresholds(labels[kept], p[kept], [kinds[i] for i in kept], [clusters[i] for i in kept])
    dosage = next(kind for kind in found.kinds if kind.kind == "dosage")
    assert not dosage.fitted
    assert dosage.threshold == found.thresholds.support
    assert {one.label for one in dosage.missing} <= {"supported", "not supported"}
    assert all(one.kind == "dosage" and one.have < 30 for one in dosage.missing)
    assert "keeps the common threshold" in dosage.why
    assert "dosage" not in found.thresholds.per_kind


def test_earlier_thresholds_of_kinds_are_what_it_is_held_against():
    labels, p, kinds, clusters = two_kinds(150, (0.3, 0.75))
    earlier = Thresholds(support=0.5, per_kind={"holding": 0.3, "dosage": 0.75})
    found = fit_thresholds(labels, p, kinds, clusters, earlier)
    cuts = np.array([earlier.of(kind) for kind in kinds])
    assert (found.before == (p >= cuts)).all()
    assert found.bought[0].difference == pytest.approx(0.0, abs=0.04), "there was nothing left to buy"


def test_p_at_the_edges_gives_thresholds_that_can_be_written_down():
    labels = np.array([True, False] * 60)
    for p in (np.where(labels, 1.0, 0.0), np.where(labels, 0.0, 1.0), np.full(120, 1.0), np.zeros(120)):
        found = fit_thresholds(labels, p, ["x"] * 120, range(120))
        assert 0 < found.thresholds.support < 1
        assert Thresholds.parse(str(found.thresholds)) == found.thresholds


def test_the_same_rows_and_seed_give_the_same_and_names_do_not_matter():
    labels, p, kinds, clusters = two_kinds(100, (0.3, 0.7))
    one, two = fit_thresholds(labels, p, kinds, clusters), fit_thresholds(labels.tolist(), p.tolist(), kinds, clusters)
    assert one.thresholds == two.thresholds
    assert one.bought == two.bought
    renamed = fit_thresholds(labels, p, [kind.upper() for kind in kinds], [f"case {name}" for name in clusters])
    assert list(renamed.thresholds.per_kind.values()) == list(one.thresholds.per_kind.values())
    assert renamed.bought == one.bought


def test_the_standard_error_of_a_gain_is_that_of_its_resamples():
    labels, p = scores(400, 0.4, 3)
    clusters = np.arange(400) // 4
    before, after = p >= 0.5, p >= 0.4
    rows = _Rows(labels, p, np.full(400, ""), clusters)
    gain, error = _gain(rows, before, after)
    bought = decisions_gain(labels, before, after, clusters)[0]
    assert gain == pytest.approx(bought.difference)
    assert 2 * 1.96 * error == pytest.approx(bought.high - bought.low, rel=0.15)


def test_a_gain_that_cannot_be_measured_is_none():
    labels, said = np.ones(20, dtype=bool), np.arange(20) % 2 == 0
    balanced, tpr, tnr = decisions_gain(labels, said, ~said, np.arange(20))
    assert (balanced.before, balanced.difference, balanced.low) == (None, None, None)
    assert (tnr.before, tnr.after) == (None, None)
    assert (tpr.before, tpr.after, tpr.difference) == (0.5, 0.5, 0.0)
    few = decisions_gain(labels, said, labels, np.arange(20) // 4)[1]
    assert (few.difference, few.low, few.high) == (0.5, None, None)
    still = paired_gain("tpr", lambda w: w.mean(axis=1), lambda w: w.mean(axis=1), np.arange(20))
    assert (still.difference, still.low) == (0.0, None)


def test_folds_keep_questions_whole_and_are_those_of_cross_fitting():
    labels, p = scores(120, 0.4, 4)
    clusters = np.arange(120) // 3
    fold = dealt_folds(clusters, seed=9)
    assert sorted(set(fold.tolist())) == [0, 1, 2, 3, 4]
    assert all(len(set(fold[clusters == number])) == 1 for number in range(40))
    said, thresholds = cross_fitted(labels, p, clusters, 0.5, seed=9)
    for number, threshold in enumerate(thresholds):
        assert threshold == best_threshold(labels[fold != number], p[fold != number], 0.5)
        assert (said[fold == number] == (p[fold == number] >= threshold)).all()
    assert dealt_folds(np.arange(9)) is None
    assert dealt_folds(np.array([], dtype=int)) is None


@pytest.mark.parametrize(("better", "worse"), [(0, 6), (3, 9), (12, 1), (5, 5), (0, 0)])
def test_mcnemar_is_statsmodels(better, worse):
    expected = statsmodels_mcnemar([[20, better], [worse, 20]], exact=True).pvalue if better + worse else 1.0
    assert mcnemar(better, worse, 40 + better + worse).p == pytest.approx(min(1.0, expected))
