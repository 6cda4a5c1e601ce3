"""People beside people: against scikit-learn and statsmodels on random tables, hand-computed and published tables."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from showable.measure.agreement import Tables, ac1s, weighted_kappas
from showable.measure.krippendorff import alphas
from showable.measure.rater_agreement import (
    coded,
    cohen_kappa,
    counted,
    gwet_ac1,
    inter_rater,
    krippendorff_alpha,
)
from showable.measure.smoothed_intervals import expanded_tail, prior_pairs
from showable.records.labels import Target


def pairs_of(table, names=None):
    """Write a table of counts out as two lists of words."""
    names = names or [chr(97 + i) for i in range(len(table))]
    cells = [(names[i], names[j]) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [a for a, _ in cells], [b for _, b in cells]


two_raters = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.tuples(st.integers(0, k - 1), st.integers(0, k - 1)), min_size=2, max_size=40)
)


@settings(max_examples=40)
@given(two_raters)
def test_kappa_is_scikit_learns_and_statsmodels_with_every_weighting(drawn):
    a, b = [pair[0] for pair in drawn], [pair[1] for pair in drawn]
    labels = list(range(5))
    for weighting in (None, "linear", "quadratic"):
        mine = cohen_kappa(a, b, weighting, values=labels)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn divides 0 by 0 where chance agrees on everything
            theirs = cohen_kappa_score(a, b, labels=labels, weights=weighting)
        if mine is None:
            assert not np.isfinite(theirs) or len({*a, *b}) == 1
            continue
        assert mine == pytest.approx(theirs)
        table = np.zeros((5, 5))
        np.add.at(table, (a, b), 1)
        kind = {None: {}, "linear": {"wt": "linear"}, "quadratic": {"wt": "quadratic"}}[weighting]
        assert mine == pytest.approx(cohens_kappa(table, return_results=False, **kind))


KAPPAS = [
    # table, kappa, AC1: source
    ([[20, 5], [10, 15]], 0.4, 0.4059,
     "po 35/50 = .70. kappa: pe = .5 * .6 + .5 * .4 = .50. AC1: pi = 55/100, pe = 2 * .55 * .45 = .495, .205 / .505"),
    ([[118, 5], [2, 0]], -0.0234, 0.9408,
     "Feinstein & Cicchetti 1990, J. Clin. Epidemiol. 43: 543; AC1 .94 in Gwet 2002: pi = 243/250, pe .0544, .8896 / .9456"),
    ([[106, 10, 4], [22, 28, 10], [2, 12, 6]], 0.4286, None,
     "Fleiss, Cohen & Everitt 1969, Psychol. Bull. 72: 323, kappa .429: po .70, pe .60*.65 + .30*.25 + .10*.10 = .475"),
    ([[0, 4], [4, 0]], -1.0, -1.0, "always the opposite: po 0, pe .5 either way"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "kappa", "ac1", "source"), KAPPAS)
def test_published_and_hand_computed_tables(table, kappa, ac1, source):
    a, b = pairs_of(table)
    assert cohen_kappa(a, b) == pytest.approx(kappa, abs=1e-4), source
    if ac1 is not None:
        assert gwet_ac1(a, b) == pytest.approx(ac1, abs=1e-4), source


def test_weighted_kappa_by_hand():
    # 0-3, four pairs: (0,0) (1,2) (3,3) (2,0). Squared differences 0, 1, 0, 4: mean 5/4.
    # By chance: a is each of 0-3 once, b is 0 twice, 2, 3. Mean of (i - j)² over all 16: a against 0: 0+1+4+9 = 14, twice;
    # against 2: 4+1+0+1 = 6; against 3: 9+4+1+0 = 14; 48/16 = 3. kappa = 1 - 1.25 / 3.
    assert cohen_kappa([0, 1, 3, 2], [0, 2, 3, 0], "quadratic") == pytest.approx(1 - 1.25 / 3)
    # Fleiss, Cohen & Everitt 1969: the third table above, agreement weights 1, 0, 4/9; 0, 1, 2/3: weighted kappa .507.
    # Weighted disagreement: .05 + .11 + (.02 + .01) * 5/9 + (.05 + .06) / 3 = .2133;
    # by chance .15 + .195 + (.06 + .065) * 5/9 + (.03 + .025) / 3 = .4328; 1 - .2133 / .4328
    a, b = coded(["a", "b", "c"], *pairs_of(KAPPAS[2][0]))
    distance = np.array([[0, 1, 5 / 9], [1, 0, 1 / 3], [5 / 9, 1 / 3, 0]])
    assert weighted_kappas(a, b, distance, np.ones((1, 200)))[0] == pytest.approx(0.507, abs=5e-4)
    # numbers are as far apart as they are, also where values between them never occur
    assert cohen_kappa([0, 9, 9], [0, 9, 0], "linear") == pytest.approx(cohen_kappa([0, 1, 1], [0, 1, 0], "linear"))
    assert cohen_kappa([0, 1, 9], [0, 9, 9], "linear") == pytest.approx(
        cohen_kappa_score([0, 1, 9], [0, 9, 9], labels=range(10), weights="linear")
    )


def test_ac1_of_a_table_of_two_is_that_of_codes():
    rng = np.random.default_rng(3)
    labels, said, weights = rng.random(60) < 0.8, rng.random(60) < 0.7, rng.integers(0, 3, (4, 60)).astype(float)
    found = ac1s(labels.astype(int), said.astype(int), 2, weights)
    assert Tables.of(labels, said, weights).ac1 == pytest.approx(found)


def test_a_value_that_nobody_gave_changes_ac1_alone():
    a, b = pairs_of([[20, 5], [10, 15]])
    # pi (1 - pi) summed is .495 still, over two other values in place of one: pe = .2475
    assert gwet_ac1(a, b, values=["a", "b", "c"]) == pytest.approx((0.7 - 0.2475) / (1 - 0.2475))
    assert cohen_kappa(a, b, values=["a", "b", "c"]) == pytest.approx(0.4)


# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section D: four observers, twelve units, "." missing.
OBSERVERS = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}
UNITS = [
    {name: int(said.split()[at]) for name, said in OBSERVERS.items() if said.split()[at] != "."} for at in range(12)
]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_own_example(level, alpha):
    assert krippendorff_alpha(UNITS, level) == pytest.approx(alpha, abs=5e-4)


def test_alpha_by_hand():
    # Krippendorff 2011, section A: two observers, ten units, yes or no: alpha .095.
    a, b = "0100000010", "1110010000"
    # coincidences: o01 + o10 = 8 of n = 20; n0 = 14, n1 = 6: 1 - 19 * 8 / (2 * 14 * 6)
    units = [{"a": x, "b": y} for x, y in zip(a, b, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(1 - 19 * 8 / 168)
    assert krippendorff_alpha(units) == pytest.approx(0.095, abs=5e-4)


def coincidence_alpha(units, level):
    """Alpha straight from the definition: the coincidence matrix and the metric, cell by cell."""
    values = sorted({v for said in units if len(said) > 1 for v in said.values()})
    o = {(c, k): 0.0 for c in values for k in values}
    for said in units:
        words = list(said.values())
        for i, c in enumerate(words):
            for j, k in enumerate(words):
                if i != j:
                    o[c, k] += 1 / (len(words) - 1)
    n = {c: sum(o[c, k] for k in values) for c in values}
    total = sum(n.values())

    def metric(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return float(c - k) ** 2
        between = [g for g in values if min(c, k) <= g <= max(c, k)]
        return (sum(n[g] for g in between) - (n[c] + n[k]) / 2) ** 2

    within = sum(o[c, k] * metric(c, k) for c in values for k in values)
    across = sum(n[c] * n[k] * metric(c, k) for c in values for k in values)
    return None if not across else 1 - (total - 1) * within / across


some_units = st.lists(
    st.dictionaries(st.sampled_from("abcd"), st.integers(0, 4), min_size=0, max_size=4), min_size=1, max_size=15
)


@settings(max_examples=80)
@given(some_units, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_is_its_definition_with_missing_words(units, level):
    expected = coincidence_alpha(units, level)
    found = krippendorff_alpha(units, level)
    assert found is None if expected is None else found == pytest.approx(expected)


def test_alpha_without_missing_words_is_fleiss_kappa_corrected_for_its_n():
    rng = np.random.default_rng(5)
    said = rng.integers(0, 3, (40, 3))
    units = [dict(zip("abc", row.tolist(), strict=True)) for row in said]
    # alpha = 1 - (1 - kappa) (1 - 1/N), N all words: Krippendorff's De draws without replacement
    kappa = fleiss_kappa(aggregate_raters(said)[0])
    assert krippendorff_alpha(units) == pytest.approx(1 - (1 - kappa) * (1 - 1 / said.size))


def test_alpha_under_weights_is_that_of_units_repeated():
    rng = np.random.default_rng(8)
    units = [{name: int(rng.integers(0, 4)) for name in "abc" if rng.random() < 0.8} for _ in range(20)]
    times = rng.integers(0, 3, 20)
    repeated = [unit for unit, count in zip(units, times, strict=True) for _ in range(count)]
    counts, values = counted(units)
    for level in ("nominal", "ordinal", "interval"):
        found = alphas(counts, values, level, times[np.newaxis, :].astype(float))[0]
        assert found == pytest.approx(krippendorff_alpha(repeated, level))


@settings(max_examples=40)
@given(some_units, st.randoms(use_true_random=False))
def test_order_and_names_change_nothing(units, chance):
    shuffled = [dict(chance.sample(list(said.items()), len(said))) for said in units]
    chance.shuffle(shuffled)
    swapped = [{{"a": "d", "b": "c", "c": "b", "d": "a"}[who]: v for who, v in said.items()} for said in units]
    renamed = [{who: f"value {(7 * v) % 5}" for who, v in said.items()} for said in units]
    for level in ("nominal", "ordinal", "interval"):
        known = krippendorff_alpha(units, level)
        for other in (shuffled, swapped):
            found = krippendorff_alpha(other, level)
            assert found == (None if known is None else pytest.approx(known))
    nominal = krippendorff_alpha(units)
    assert krippendorff_alpha(renamed) == (None if nominal is None else pytest.approx(nominal))


@given(two_raters)
@settings(max_examples=40)
def test_kappa_and_ac1_do_not_care_who_is_first_or_what_values_are_called(drawn):
    a, b = [pair[0] for pair in drawn], [pair[1] for pair in drawn]
    names = ["delta", "alpha", "echo", "bravo", "charlie"]
    for figure in (cohen_kappa, gwet_ac1):
        known = figure(a, b)
        expected = None if known is None else pytest.approx(known)
        assert figure(b, a) == expected
        assert figure([names[v] for v in a], [names[v] for v in b]) == expected


def test_perfect_agreement_is_one_and_one_value_alone_is_not_measurable():
    a = ["x", "y", "x", "y"]
    assert cohen_kappa(a, a) == gwet_ac1(a, a) == 1.0
    assert krippendorff_alpha([{"p": v, "q": v, "r": v} for v in a]) == 1.0
    same = ["x"] * 4
    assert cohen_kappa(same, same) is gwet_ac1(same, same) is None
    assert krippendorff_alpha([{"p": "x", "q": "x"}] * 4) is None
    assert krippendorff_alpha([{"p": "x"}, {"q": "y"}]) is None, "nothing was labelled by two"
    assert krippendorff_alpha([]) is None
    with pytest.raises(KeyError):
        coded(["x"], ["x"], ["z"])


def labelled(words, about="support", rows_a_record=1):
    return {
        Target(
            f"r{i // rows_a_record}", about, 0 if about == "support" else None, i if about == "support" else None
        ): said
        for i, said in enumerate(words)
    }


def test_inter_rater_of_two():
    words = [{"p": "supported", "q": "supported" if i % 5 else "partial"} for i in range(30)]
    words += [{"p": "unsupported", "q": "unsupported"}] * 20 + [
        {"p": "supported"},
        {"p": "partial", "q": "cannot_tell"},
    ]
    found = inter_rater("support", labelled(words))
    assert (found.n, found.raters, found.level) == (50, 2, "nominal")
    assert found.exact == pytest.approx(44 / 50)
    both = [said for said in words if len(said) == 2 and said["q"] != "cannot_tell"]
    assert found.kappa == pytest.approx(cohen_kappa_score([s["p"] for s in both], [s["q"] for s in both]))
    assert found.alpha == pytest.approx(krippendorff_alpha(both))
    for name in ("exact", "kappa", "alpha"):
        low, high = found.intervals[name]
        assert low < getattr(found, name) < high < 1.0
    assert found == inter_rater("support", labelled(words)), "the seed alone decides"


def test_questions_are_what_is_resampled():
    words = [{"p": "supported", "q": "supported" if (i // 4) % 4 else "unsupported"} for i in range(160)]
    words += [{"p": "unsupported", "q": "unsupported"}] * 160
    alone, grouped = inter_rater("support", labelled(words)), inter_rater("support", labelled(words, rows_a_record=4))
    width = [found.intervals["kappa"][1] - found.intervals["kappa"][0] for found in (alone, grouped)]
    assert width[1] > 1.5 * width[0], "four rows a question that go together are one observation"
    by_hand = {target: target.citation // 4 for target in labelled(words)}
    assert inter_rater("support", labelled(words), clusters=by_hand).intervals == grouped.intervals


def test_kappa_of_three_is_the_mean_over_their_pairs():
    rng = np.random.default_rng(11)
    truth = rng.integers(0, 3, 60)
    said = [np.where(rng.random(60) < 0.8, truth, rng.integers(0, 3, 60)) for _ in range(3)]
    words = [{"p": f"v{p}", "q": f"v{q}", "r": f"v{r}"} for p, q, r in zip(*said, strict=True)]
    found = inter_rater("support", labelled(words))
    # Light 1971: everybody labelled everything, so the plain mean of the three kappas
    light = np.mean([cohen_kappa_score(said[i], said[j]) for i, j in ((0, 1), (0, 2), (1, 2))])
    assert found.kappa == pytest.approx(light)
    assert found.exact == pytest.approx(np.mean([(said[i] == said[j]).mean() for i, j in ((0, 1), (0, 2), (1, 2))]))
    for name in ("exact", "kappa", "alpha"):
        low, high = found.intervals[name]
        assert low < getattr(found, name) < high, name
    assert found.notes == ("kappa of 3 people is the mean of Cohen's kappa over their pairs (Light 1971)",)
    two = inter_rater("support", labelled([{"p": one["p"], "q": one["q"]} for one in words]))
    assert np.ptp(found.intervals["kappa"]) < np.ptp(two.intervals["kappa"]), "three pairs tell more than one"


def test_pairs_weigh_by_what_they_share():
    words = [{"p": i % 2, "q": int(i % 8 < 5) if i % 2 else 0} for i in range(40)] + [{"q": 1, "r": 0}, {"q": 0, "r": 0}, {"q": 1, "r": 1}, {"q": 0, "r": 0}]  # fmt: skip
    found = inter_rater("refusal_quality", labelled(words, "refusal_quality"))
    of_pq, of_qr = (
        cohen_kappa([w[a] for w in words if a in w and b in w], [w[b] for w in words if a in w and b in w], "quadratic")
        for a, b in (("p", "q"), ("q", "r"))
    )
    assert found.kappa == pytest.approx((40 * of_pq + 4 * of_qr) / 44)
    assert found.notes[0].endswith("(Light 1971); measurable for 2 of 3 pairs"), "p and r share nothing"


def test_inter_rater_of_three_with_gaps():
    words = [{"p": 0, "q": 0}, {"q": 3, "r": 2}, {"p": 1, "r": 1}] * 10
    found = inter_rater("refusal_quality", labelled(words, "refusal_quality"))
    # p and q always say 0, p and r always 1: no kappa there; q and r differ always, as chance has it
    assert (found.level, found.raters, found.kappa) == ("ordinal", 3, 0.0)
    assert found.alpha == pytest.approx(coincidence_alpha(words, "ordinal"))
    assert any("1 of 3 pairs" in note for note in found.notes)
    counts = inter_rater("extra_claims", labelled(words, "extra_claims"))
    assert counts.alpha == pytest.approx(coincidence_alpha(words, "interval"))


def test_what_cannot_be_measured_is_none_with_a_note():
    nothing = inter_rater("support", labelled([{"p": "supported"}]))
    assert (nothing.n, nothing.kappa, nothing.exact) == (0, None, None)
    assert nothing.notes == ("nothing was labelled by two people",)
    alike = inter_rater("support", labelled([{"p": "supported", "q": "supported"}] * 20))
    assert (alike.exact, alike.kappa, alike.alpha, set(alike.intervals)) == (1.0, None, None, {"exact"})
    # Jeffreys' interval of 20 of 20: Beta(20.5, .5) reaches down to .88, with one disagreement beforehand in place of half of one lower
    assert 0.8 < alike.intervals["exact"][0] < 0.88
    assert "same one value" in alike.notes[0]
    few = inter_rater("support", labelled([{"p": "supported", "q": "supported"}, {"p": "partial", "q": "partial"}] * 3))
    assert few.kappa == 1.0
    assert few.intervals["kappa"] is few.intervals["alpha"] is None
    assert few.intervals["exact"] == pytest.approx((0.6097, 1.0), abs=1e-4), "Wilson's interval of 6 of 6"
    assert "6 questions" in few.notes[0]


def test_full_agreement_keeps_a_width():
    words = [{"p": v, "q": v} for v in ["supported", "unsupported"] * 20]
    low, high = inter_rater("support", labelled(words)).intervals["kappa"]
    # Jeffreys' interval of 40 agreements out of 40 reaches down to .94; kappa is about twice agreement less one
    assert 0.75 < low < 0.92
    assert 0.99 < high <= 1.0


def test_the_prior_weighs_one_agreement_and_one_disagreement():
    for values in (2, 3, 4):
        mine, theirs, weight = prior_pairs(values)
        assert weight[mine == theirs].sum() == pytest.approx(1.0)
        assert weight[mine != theirs].sum() == pytest.approx(1.0)
    assert expanded_tail(10_000) == pytest.approx(0.025, abs=1e-4)
    assert expanded_tail(12) < expanded_tail(30) < 0.025
