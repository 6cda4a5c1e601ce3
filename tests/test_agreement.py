"""The statistics of judge against people: each against scikit-learn's, a hand-computed table or a property."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    cohen_kappa_score,
    f1_score,
    recall_score,
    roc_auc_score,
)

from showable.measure.agreement import Tables, weighted_auc
from showable.measure.bucket_agreement import bucket_accuracies, bucket_kappas, confusion, recall
from showable.measure.calibration_error import calibration_errors, reliability
from showable.measure.cross_fit import best_threshold, cross_fitted
from showable.measure.rates import wilson_interval
from showable.measure.resampling import mean_of_two, number_clusters, percentile_interval, resampled_weights
from showable.measure.validated import FileFigures
from showable.measure.validation_figures import Baseline, Decided, estimate, macro_mean


def one(n):
    return np.ones((1, n))


def flags(values):
    return np.array(values, dtype=bool)


rows = st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from([0.0, 0.2, 0.2, 0.5, 0.9, 1.0]), st.integers(0, 3)),
                min_size=2, max_size=30)  # fmt: skip


@settings(max_examples=25)
@given(rows)
def test_every_figure_is_scikit_learns_also_under_weights(drawn):
    labels, said, score, counts = (np.array(column) for column in zip(*drawn, strict=True))
    for weights in (np.ones(len(labels)), counts.astype(float)):
        used = weights > 0
        if len(set(labels[used])) < 2:
            continue
        table = Tables.of(labels, said, weights[np.newaxis, :])
        kept = {"sample_weight": weights[used]}
        y, d, p = labels[used], said[used], score[used]
        expected = {
            "tpr": recall_score(y, d, **kept),
            "tnr": recall_score(~y, ~d, **kept),
            "balanced_accuracy": balanced_accuracy_score(y, d, **kept),
            "accuracy": accuracy_score(y, d, **kept),
            "f1": f1_score(y, d, **kept),
            "kappa": cohen_kappa_score(y, d, **kept),
        }
        for name, value in expected.items():
            assert getattr(table, name)[0] == pytest.approx(value), name
        assert weighted_auc(labels, score, weights[np.newaxis, :])[0] == pytest.approx(roc_auc_score(y, p, **kept))


HAND = [
    # (tp, fn, fp, tn), balanced accuracy, kappa: source
    ((20, 5, 10, 15), 0.7, 0.4, "Cohen's kappa as in the textbook table 20/5/10/15: po .70, pe .50"),
    ((45, 15, 25, 15), 0.5625, 0.1304, "po .60, pe .54: (.60 - .54) / .46"),
    ((5, 0, 5, 0), 0.5, 0.0, "always yes"),
    ((0, 4, 4, 0), 0.0, -1.0, "always the opposite, evenly"),
]


@pytest.mark.parametrize(("cells", "balanced", "kappa", "source"), HAND)
def test_tables_computed_by_hand(cells, balanced, kappa, source):
    labels = np.repeat(flags([1, 1, 0, 0]), cells)
    said = np.repeat(flags([1, 0, 1, 0]), cells)
    table = Tables.of(labels, said, one(sum(cells)))
    assert table.balanced_accuracy[0] == pytest.approx(balanced), source
    assert table.kappa[0] == pytest.approx(kappa, abs=1e-4), source


def test_one_class_alone_is_not_measurable():
    labels = flags([1, 1, 1])
    table = Tables.of(labels, flags([1, 0, 1]), one(3))
    assert np.isnan([table.balanced_accuracy[0], table.tnr[0], weighted_auc(labels, np.arange(3.0), one(3))[0]]).all()
    assert table.tpr[0] == pytest.approx(2 / 3)
    assert np.isnan(Tables.of(labels, labels, one(3)).kappa[0]), "chance alone agrees on everything"


def test_calibration_error_by_hand():
    labels, p = flags([1, 0, 1, 1]), np.array([0.72, 0.78, 0.15, 1.0])
    # bin .7: mean p .75, observed .5, half of the rows; bin .1: |.15 - 1| and bin .9 (p = 1 belongs to the last): 0
    assert calibration_errors(labels, p, one(4))[0] == pytest.approx(0.5 * 0.25 + 0.25 * 0.85)
    doubled = np.array([[2.0, 2.0, 0.0, 0.0]])
    assert calibration_errors(labels, p, doubled)[0] == pytest.approx(0.25)
    bins = reliability(labels, p)
    assert [(one.low, one.n, one.observed) for one in bins] == [(0.1, 1, 1.0), (0.7, 2, 0.5), (0.9, 1, 1.0)]
    assert (bins[1].observed_low, bins[1].observed_high) == pytest.approx(wilson_interval(0.5, 2))


def test_resampling_is_seeded_and_keeps_clusters_together():
    clusters = number_clusters(["a", "b", "a", "c"])
    assert clusters.tolist() == [0, 1, 0, 2]
    first, again = (np.concatenate(list(resampled_weights(clusters, seed=4))) for _ in range(2))
    assert first.shape == (1000, 4)
    assert (first == again).all()
    assert (first[:, 0] == first[:, 2]).all()
    assert (first[:, 0] + first[:, 1] + first[:, 3] == 3).all()


def test_large_files_are_resampled_in_batches():
    batches = list(resampled_weights(np.arange(5_000)))
    assert len(batches) > 1
    assert sum(len(batch) for batch in batches) == 1000
    assert all((batch.sum(axis=1) == 5_000).all() for batch in batches)


def test_clustered_intervals_are_wider_than_those_of_independent_rows():
    rng = np.random.default_rng(1)
    hit = np.repeat(rng.random(60) < 0.7, 10)  # ten rows of a question stand or fall together
    labels = np.tile(flags([1, 0]), 300)
    said = np.where(hit, labels, ~labels)
    width = {}
    for name, clusters in (("rows", np.arange(600)), ("questions", np.repeat(np.arange(60), 10))):
        low, high = estimate(Decided(labels, said, clusters)).intervals["balanced_accuracy"]
        width[name] = high - low
    assert width["questions"] > 2 * width["rows"]


def test_intervals_that_a_bootstrap_cannot_give():
    labels = np.tile(flags([1, 0]), 20)
    perfect = estimate(Decided(labels, labels, np.arange(40), np.where(labels, 0.9, 0.1)))
    assert perfect.intervals["tpr"] == pytest.approx(wilson_interval(1.0, 20)), "all alike: Wilson's"
    low, high = perfect.intervals["balanced_accuracy"]
    assert high == 1.0
    assert 0.83 < low < 0.95
    assert perfect.intervals["auc"] is None, "nothing varies"
    few = estimate(Decided(labels[:8], ~labels[:8], np.arange(8)))
    assert few.intervals["tnr"] == pytest.approx(wilson_interval(0.0, 4))
    assert few.intervals["kappa"] is None
    assert estimate(Decided(flags([]), flags([]), np.array([], dtype=int))).values == {}
    assert percentile_interval(np.full(10, np.nan)) is None


def test_one_rate_without_a_miss_does_not_narrow_the_mean_of_both():
    # 12 of 12 and 90 of 100: Wilson's interval of 12 of 12 begins at .757, so the mean may be .83, by square-and-add
    labels = flags([1] * 12 + [0] * 100)
    said = flags([1] * 12 + [1] * 10 + [0] * 90)
    constant = flags([1] * 112)
    found = estimate(Decided(labels, said, np.arange(112), None, Baseline("constant", constant)))
    low, high = found.intervals["balanced_accuracy"]
    expected = mean_of_two(1.0, 0.9, wilson_interval(1.0, 12), found.intervals["tnr"])
    assert (low, high) == pytest.approx(expected)
    assert low == pytest.approx(0.825, abs=0.005)
    lead = found.lead("constant")
    # over a rule whose balanced accuracy is always .5 the lead is as open as the figure: Beta(12.5, .5) begins at .82
    assert lead.low < 0.45 - 0.06
    assert lead.low <= lead.balanced_accuracy <= lead.high
    files = [FileFigures(file=name, n=112, **found.figures()) for name in "ab"]
    macro = macro_mean(files, [found, found])
    assert macro.intervals["tpr"][0] < 0.95
    assert macro.intervals["balanced_accuracy"][0] < 0.93


def test_the_mean_of_two_rates_by_square_and_add():
    # Newcombe's method by hand: rates .5 and .5, each .3 to .7: half-width sqrt(.2² + .2²) / 2
    assert mean_of_two(0.5, 0.5, (0.3, 0.7), (0.3, 0.7)) == pytest.approx((0.5 - 0.1414, 0.5 + 0.1414), abs=1e-4)


def test_the_lead_is_paired():
    rng = np.random.default_rng(2)
    labels = rng.random(400) < 0.5
    said = labels ^ (rng.random(400) < 0.3)
    same = estimate(Decided(labels, said, np.arange(400), None, Baseline("rule", said)))
    assert same.lead("rule").balanced_accuracy == 0.0
    assert same.intervals["lead"] is None
    barely = said.copy()
    wrong = np.flatnonzero(said != labels)[:16]
    barely[wrong] = labels[wrong]  # sixteen rows better, none worse: a paired interval sees it
    lead = estimate(Decided(labels, barely, np.arange(400), None, Baseline("rule", said))).lead("rule")
    assert lead.low > 0
    assert lead.balanced_accuracy == pytest.approx(0.04, abs=0.01)


def test_the_best_threshold_by_hand():
    labels, p = flags([0, 0, 1, 1]), np.array([0.1, 0.3, 0.2, 0.9])
    assert best_threshold(labels, p, 0.5) == pytest.approx(0.6), (
        "of .15 and .6, which are equally good, the nearer to .5"
    )
    assert best_threshold(flags([1, 1]), np.array([0.1, 0.2]), 0.5) == 0.5, "one class alone"


def test_a_threshold_of_a_files_own_does_not_flatter_it():
    rng = np.random.default_rng(3)
    labels, p = rng.random(300) < 0.5, rng.random(300)  # p knows nothing
    clusters = np.arange(300)
    said, thresholds = cross_fitted(labels, p, clusters, 0.5)
    assert len(thresholds) == 5
    fitted = Tables.of(labels, p >= best_threshold(labels, p, 0.5), one(300)).balanced_accuracy[0]
    crossed = Tables.of(labels, said, one(300)).balanced_accuracy[0]
    assert crossed < 0.55
    assert crossed < fitted
    shifted = np.where(labels, 0.3, 0.1)
    assert (cross_fitted(labels, shifted, clusters, 0.5)[0] == labels).all(), "and it finds a threshold that is there"
    assert cross_fitted(labels[:9], shifted[:9], clusters[:9], 0.5)[1] == (), "too few to fit"


def test_buckets_against_scikit_learn_and_by_hand():
    labels = ["correct"] * 6 + ["wrong"] * 3 + ["refused"] * 2 + ["unsupported"]
    scored = ["correct"] * 4 + ["unsupported", "wrong"] + ["wrong"] * 3 + ["refused", "correct"] + ["unsupported"]
    assert bucket_kappas(labels, scored, one(12))[0] == pytest.approx(cohen_kappa_score(labels, scored))
    assert bucket_accuracies(labels, scored, one(12))[0] == pytest.approx(9 / 12)
    assert np.isnan(bucket_kappas(["wrong"], ["wrong"], one(1))[0])
    table = confusion([*labels, "wrong"], [*scored, "unknown"])
    assert sum(sum(row.values()) for row in table.values()) == 13
    assert table["wrong"] == {"correct": 0, "wrong": 3, "unsupported": 0, "refused": 0, "unknown": 1}
    found = recall([*labels, "wrong"], [*scored, "unknown"])
    assert str(found["wrong"]) == "100 % (3/3, 95 % CI 43.9–100); 1 unknown"
    assert found["correct"].rate == pytest.approx(4 / 6)


def test_the_macro_mean_counts_files_alike_and_says_over_how_many():
    rng = np.random.default_rng(5)
    files, estimates = [], []
    for n, error in ((40, 0.1), (400, 0.4)):
        labels = np.tile(flags([1, 0]), n // 2)
        said = labels ^ (rng.random(n) < error)
        p = said * 0.8 + 0.1 if n == 40 else None
        found = estimate(Decided(labels, said, np.arange(n), p))
        estimates.append(found)
        files.append(FileFigures(file=f"{n}", n=n, **found.figures(), ms_per_pair=float(n)))
    macro = macro_mean(files, estimates)
    assert macro.n == 440
    assert macro.balanced_accuracy == pytest.approx(np.mean([file.balanced_accuracy for file in files]))
    assert macro.over["balanced_accuracy"] == 2
    assert (macro.over["auc"], macro.auc) == (1, files[0].auc)
    low, high = macro.intervals["balanced_accuracy"]
    assert low < macro.balanced_accuracy < high
    assert macro.ms_per_pair == 220
