"""The report of a calibration: every figure with its n and its interval, on the page and on the terminal."""

import io
import re

import numpy as np
import pytest
from browser import BY_LOOKS, DESKTOP, PHONE, faults, needs_chromium, shared
from calibration_reports import EMPTY, FEW, FULL, HOSTILE, KEPT_ASIDE, NOTHING_TAKEN, REFUSED, yes_no
from lxml import html as lxml_html
from rich.console import Console

from showable.calibrating.support_fit import fit_support
from showable.calibrating.support_rows import SupportRow
from showable.measure.calibration_report import Agreement, Bought, CorrectedRate, LeastN, Missing, Refused
from showable.measure.judge_agreement import UNWEIGHTED
from showable.records.signature import Thresholds
from showable.report.calibration_figures import Figure, bounds, figures, gain, in_units
from showable.report.calibration_page import (
    MARGIN,
    WIDTH,
    calibration_body,
    confusion_of,
    drawn,
    render_calibration_html,
)
from showable.report.calibration_text import render_calibration
from showable.report.calibration_words import (
    all_missing,
    beside_people,
    headline,
    least_n_in_words,
    missing_in_words,
    standing_of,
    standings,
)

PERCENT = ("balanced_accuracy", "tpr", "tnr", "exact", "auc", "ece")
NAMES = {
    "balanced_accuracy": "balanced accuracy", "tpr": "TPR", "tnr": "TNR", "exact": "same word", "auc": "AUC", "ece": "ECE",
    "kappa": "kappa", "ac1": "AC1", "alpha": "alpha", "mean_difference": "mean difference",
}  # fmt: skip
SHARES = ["balanced_accuracy", "tpr", "tnr", "kappa", "ac1"]


@pytest.fixture(scope="module")
def full():
    return lxml_html.fromstring(render_calibration_html(FULL))


def cells(article):
    """Give the rows of an article's tables of figures, by whose they are and what they are called."""
    return {
        (row.get("class"), row.xpath("string(th)")): [cell.text_content() for cell in row.xpath("td")][:3]
        for row in article.xpath('.//table[contains(@class, "figures")]//tr[@class]')
        if row.get("class") != "between"
    }


def written(name, value):
    if name in PERCENT:
        return f"{100 * value:.1f} %"
    return f"{value:+.2f}".replace("-", "−") if name == "mean_difference" else f"{value:.2f}"


def between(name, interval):
    if interval is None:
        return "no interval"
    low, high = (written(name, one).removesuffix(" %") for one in interval)
    return f"{low} to {high}" if name == "mean_difference" else f"{low}–{high}"


def expected_rows(found, names):
    """Give, from the report itself, the cells that a figure has to be shown with."""
    for name in names:
        value = getattr(found, name)
        n = (
            {"tpr": found.positives, "tnr": found.negatives}.get(name, found.n)
            if isinstance(found, Agreement)
            else found.n
        )
        yes_no_said = {"tpr": " yes", "tnr": " no"}.get(name, "")
        if value is None:
            yield NAMES[name], ["not measurable", "", f"n = {n}{yes_no_said}"]
        else:
            yield NAMES[name], [written(name, value), between(name, found.intervals.get(name)), f"n = {n}{yes_no_said}"]


class TestPage:
    def test_every_figure_of_the_judge_stands_with_its_interval_and_n(self, full):
        for number, found in enumerate(FULL.agreement.values(), 1):
            (article,) = full.xpath(f'//article[@id="question-{number}"]')
            names = SHARES if found.positives is not None else ["exact", "mean_difference", "kappa", "ac1"]
            names = [*names, *(one for one in ("auc", "ece") if getattr(found, one) is not None)]
            rows = cells(article)
            for label, expected in expected_rows(found, names):
                assert rows["judge", label] == expected, (number, label)

    def test_people_among_themselves_stand_beside_the_judge(self, full):
        support, bucket, quality = FULL.inter_rater
        for number, found in ((1, support), (2, bucket), (3, bucket), (4, quality)):
            (article,) = full.xpath(f'//article[@id="question-{number}"]')
            rows = cells(article)
            for label, expected in expected_rows(found, ["exact", "kappa", "alpha"]):
                shown = "mean kappa of pairs" if label == "kappa" and found.raters > 2 else label
                assert rows["people", shown] == expected, (number, label)
            assert f"People among themselves, {found.raters} of them" in article.text_content()
        (alone,) = full.xpath('//article[@id="question-5"]')
        assert "what people reach among themselves is not known" in alone.text_content()

    def test_kinds_have_their_threshold_what_it_buys_and_the_corrected_rate(self, full):
        holding, dosage, hostile, scope = (full.xpath(f'//article[@id="kind-{n}"]')[0] for n in (1, 2, 3, 4))
        text = " ".join(holding.text_content().split())
        assert (
            "p ≥ 0.61 after recalibration (the judge's own 0.613) (fitted on parts of the labels, on the judge's own scale: 0.58 to 0.63)"
            in text
        )
        assert "What the thresholds buy" in text
        gains = [[cell.text_content() for cell in row] for row in holding.xpath('.//table[@class="gains"]/tbody/tr')]
        assert gains == [
            ["Balanced accuracy", "84.0 %", "89.0 %", "+5.0 points", "+1.0 to +9.0", "n = 86", "better"],
            ["TNR", "81.0 %", "83.0 %", "+2.0 points", "−3.0 to +7.0", "n = 86", "not told apart from no change"],
        ]
        rows = cells(holding)
        assert rows["judge", "as the judge saw it"] == ["51.0 %", "41.0–61.0", "n = 86"]
        assert rows["judge", "with its errors taken out"] == ["50.0 %", "38.0–62.0", "n = 86"]
        text = " ".join(dosage.text_content().split())
        assert (
            "No threshold was fitted for this kind: p ≥ 0.47 after recalibration (the judge's own 0.40) holds" in text
        )
        assert "12 more “not supported” labels of kind dosage (18 of 30)" in text
        assert "Not corrected: TPR + TNR is not shown to lie above 1" in text
        assert "Nothing can be measured on 2 labels" in hostile.text_content()
        assert "Nothing can be measured on 0 labels" in scope.text_content()

    def test_the_confusion_counts_add_up_and_have_people_in_the_rows(self, full):
        (table,) = full.xpath('//article[@id="question-1"]//table[@class="confusion"]')
        rows = [[cell.text_content() for cell in row] for row in table.xpath(".//tr")]
        assert rows == [
            ["", "Supported", "Not supported", "n"],
            ["Supported", "80", "12", "92"],
            ["Not supported", "9", "71", "80"],
        ]
        for found in FULL.agreement.values():
            laid_out = confusion_of(found)
            if laid_out is not None:
                assert sum(row.n for row in laid_out.rows) == sum(n for row in laid_out.rows for _, n, _ in row.cells)

    def test_the_rest_is_there(self, full):
        text = " ".join(full.text_content().split())
        assert (
            "p ≥ 0.47 after recalibration (the judge's own 0.40) for all other kinds, p ≥ 0.61 after recalibration (the judge's own 0.613) for holding"
            in text
        )
        assert "contracts@1a2b3c4d" in text
        assert "showable score --calibration contracts.calibration.json" in text
        assert str(FULL.signature) in text
        assert "32 by people in a role that the profile does not count" in text
        assert "7 given on another answer or under another text of the rubric" in text
        assert "4 support, 2 refusal quality" in text
        (held_out,) = full.xpath('//article[@id="hold-out-1"]')
        assert cells(held_out)["judge", "TPR"] == [
            "88.0 %",
            between("tpr", FULL.held_out.intervals["tpr"]),
            "n = 25 yes",
        ]
        rows = [
            [cell.text_content() for cell in row] for row in full.xpath('//section/div/table[@class="gains"]/tbody/tr')
        ]
        assert ["ECE", "11.0 %", "6.0 %", "−5.0 points", "−9.0 to −1.0", "n = 172", "better"] in rows, "less is better"

    def test_reliability_before_and_after_as_pictures_made_here(self, full):
        before, after = full.xpath('//svg[@class="reliability"]')
        for picture, bins in ((before, FULL.reliability), (after, FULL.reliability_after)):
            assert len(picture.xpath('.//circle[@class="dot"]')) == len(bins)
            counts = [int(one.text) for one in picture.xpath('.//text[contains(@class, "small")]')]
            assert counts == [one.n for one in bins]
            assert f"n = {sum(counts)}" in picture.get("aria-label")
            assert "95 % CI" in picture.xpath("string(desc)")

    def test_too_few_labels_are_refused_with_what_is_missing_first(self):
        page = lxml_html.fromstring(render_calibration_html(REFUSED))
        heads = [one.text_content() for one in page.xpath("//h2")]
        assert heads[:3] == ["Nothing was fitted", "What is missing to say more", "What the judge can be trusted with"]
        missing = [one.text_content() for one in page.xpath('//ul[@class="missing"]/li')]
        assert missing == ["18 more “supported” labels (12 of 30)", "19 more “not supported” labels (11 of 30)"]
        assert not {"Thresholds and recalibration", "Kind by kind"} & set(heads)
        assert cells(page.xpath('//article[@id="question-1"]')[0])["judge", "TPR"][2] == "n = 12 yes", (
            "agreement all the same"
        )

    def test_no_labels_at_all(self):
        page = lxml_html.fromstring(render_calibration_html(EMPTY))
        assert page.xpath("string(//h1)") == "No labels yet: nothing can be said about the judge"
        assert "showable review RUN" in page.text_content()
        assert not page.xpath("//article")
        assert not page.xpath("//svg")

    def test_it_loads_nothing_and_text_stays_text(self):
        attack = "<script>alert(1)</script>\x1b[31m\u202e"
        agreement = yes_no(kind=attack, notes=(attack,), confusion={attack: {attack: 3, "b": 1}})
        page = render_calibration_html(
            FULL.model_copy(
                update={
                    "judge": attack, "source": attack, "notes": (attack,), "file": attack, "calibration": attack,
                    "agreement": {"support": agreement}, "held_out": agreement,
                    "refused": Refused(reason=attack, missing=(Missing(rubric="support", kind=attack, label=attack, have=1, need=2),)),
                    "least_n": (LeastN(rubric="support", kind=attack, says=attack, have=1, need=2),),
                    "corrected": {attack: CorrectedRate(observed=0.5, observed_low=0.4, observed_high=0.6, n=9, reason=attack)},
                    "bought": (Bought(figure=attack),), "by_role": {attack: 3},
                }
            )
        )  # fmt: skip
        assert not re.search(r"<(script|img|link|iframe)\b", page)
        assert not {"\x1b", "\u202e"} & set(page)
        assert "default-src 'none'; style-src 'unsafe-inline'" in page
        assert not re.search(r'(?:src|href)="(?!#)', page)
        assert "&lt;script&gt;" in page
        assert HOSTILE.split("\x1b")[0] not in page

    def test_the_body_goes_into_another_page_as_it_is(self):
        body = calibration_body(FULL)
        assert str(body) in render_calibration_html(FULL)
        assert 'style="' not in body, "a page that forbids styles within has to be able to hold it"

    @needs_chromium
    @pytest.mark.parametrize(
        ("look", "rules"),
        [
            ((PHONE, "light"), None),
            pytest.param((DESKTOP, "light"), None, marks=pytest.mark.slow),
            pytest.param((PHONE, "dark"), BY_LOOKS, marks=pytest.mark.slow),
        ],
        ids=["phone", "desktop", "dark"],
    )
    @pytest.mark.slow
    def test_it_is_accessible_and_fits_a_phone(self, tmp_path, browser, look, rules):
        file = tmp_path / "calibration.html"
        file.write_text(render_calibration_html(FULL), "utf-8")
        with shared(browser, *look) as page:
            page.goto(file.as_uri())
            assert faults(page, rules=rules) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            tall = "Math.max(...[...document.querySelectorAll('tbody th')].map((one) => one.offsetHeight))"
            assert page.evaluate(tall) < 100, "no heading is squeezed to a letter a line"
            assert page.errors == []


def figure(scale, value, interval=None, chance=None, n=9):
    return Figure("x", "x", value, interval, n, scale, chance=chance)


@pytest.mark.parametrize(
    ("one", "at", "low", "high"),
    [
        (figure("share", 0.5, (0.25, 1.0)), 0.5, 0.25, 1.0),
        (figure("kappa", 0.0, (-1.0, 0.5)), 0.5, 0.0, 0.75),
        (figure("difference", 0.5, (0.0, 1.0)), 0.75, 0.5, 1.0),
        (figure("difference", 2.0, (0.0, 4.0)), 0.75, 0.5, 1.0),  # the scale reaches as far as the interval
        (figure("points", 0.05), 0.75, None, None),
    ],
)
def test_marks_stand_where_their_values_are(one, at, low, high):
    inner = WIDTH - 2 * MARGIN
    found = drawn(one)
    ends = [None if share is None else pytest.approx(MARGIN + inner * share) for share in (at, low, high)]
    assert [found.at, found.low, found.high] == ends
    assert drawn(figure(one.scale, None)) is None


def test_figures_beside_one_another_share_their_scale():
    small, wide = figure("difference", 0.2), figure("difference", 1.0, (-3.0, 2.0))
    assert bounds(small, [small, wide]) == bounds(wide, [small, wide]) == (-3.0, 3.0)


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [
        (0.875, "share", "87.5 %"),
        (-0.25, "kappa", "−0.25"),
        (0.5, "difference", "+0.50"),
        (-0.031, "points", "−3.1 points"),
    ],
)
def test_units(value, scale, expected):
    assert in_units(value, scale) == expected


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        ((0.75, 0.9), "trusted"),
        ((0.7499, 0.99), "watched"),
        ((0.5501, 0.9), "watched"),
        ((0.55, 0.7499), "chance"),
        ((0.55, 0.75), "unsaid"),
        (None, "unsaid"),
    ],
)
def test_how_far_a_judge_is_trusted_is_read_off_its_interval(interval, expected):
    assert standing_of(yes_no(intervals={"balanced_accuracy": interval})).standing == expected


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"tp": 15, "fn": 15, "fp": 15, "tn": 15}, "chance"),  # next to chance, on as many labels as a fit asks for
        ({"tp": 18, "fn": 12, "fp": 12, "tn": 18}, "unsaid"),  # 60 %
        ({"tp": 15, "fn": 14, "fp": 15, "tn": 15}, "unsaid"),  # 29 of one class
    ],
)
def test_chance_is_a_verdict_where_there_are_enough_labels(counts, expected):
    assert standing_of(yes_no(**counts, intervals={"balanced_accuracy": (0.3, 0.8)})).standing == expected


@pytest.mark.parametrize(
    ("n", "kappa", "interval", "expected"),
    [
        (40, 0.6, (0.5, 0.9), "trusted"),
        (40, 0.6, (0.49, 0.9), "watched"),
        (40, 0.6, (0.1, 0.9), "unsaid"),
        (40, 0.3, (0.1, 0.49), "chance"),
        (60, 0.1, (-0.3, 0.5), "chance"),
        (59, 0.1, (-0.3, 0.5), "unsaid"),
    ],
)
def test_grades_are_trusted_by_their_kappa(n, kappa, interval, expected):
    found = Agreement(rubric="refusal_quality", n=n, kappa=kappa, intervals={"kappa": interval})
    assert standing_of(found).standing == expected


def test_four_labels_are_no_verdict_against_a_judge():
    found = standings(FEW)
    assert [one.subject for one in found["unsaid"]] == [
        "whether a passage supports a claim",
        "how good a refusal is (0–3)",
    ]
    assert str(found["unsaid"][0].figure) == "balanced accuracy 100.0 % (95 % CI 53.5–100.0, n = 4)"
    assert headline(FEW) == "Too few labels to say how far the judge can be trusted"
    assert "Not to be trusted with" not in printed(FEW, 80)
    said = " ".join(printed(FEW, 80).split())
    assert (
        "labels of 4 questions: below 10 only rates have an interval, kappa and AC1 have none (support, refusal quality)"
        in said
    ), "in the main section, once"
    assert f"{UNWEIGHTED} (refusal quality)" in said


def on_page(report):
    return " ".join(lxml_html.fromstring(render_calibration_html(report)).text_content().split())


def test_a_threshold_on_another_scale_says_so():
    terminal, page = " ".join(printed(KEPT_ASIDE, 80).split()), on_page(KEPT_ASIDE)
    assert (
        "p ≥ 0.874 after recalibration (the judge's own 0.50, as before); holding: p ≥ 0.9 after recalibration (the judge's own 0.60, as before)."
        in terminal
    )
    assert "p ≥ 0.874 after recalibration (the judge's own 0.50, as before) for all other kinds" in page
    for text in (" ".join(printed(NOTHING_TAKEN, 80).split()), on_page(NOTHING_TAKEN)):
        assert "p ≥ 0.47 (as before)" in text
        assert "after recalibration (" not in text


def test_the_fit_says_what_was_taken_over_and_on_which_scale():
    rng = np.random.default_rng(4)
    p = np.round(rng.random(400), 3)
    labels = rng.random(400) < 0.5 + 0.3 * np.sign(p - 0.5)  # cut rightly at one half, and too sure of itself
    rows = [
        SupportRow(
            bool(label), bool(one >= 0.5), float(one), "supported" if one >= 0.5 else "unsupported", "j", None, at
        )
        for at, (label, one) in enumerate(zip(labels, p, strict=True))
    ]
    found = fit_support(rows, Thresholds(support=0.5))
    assert found.taken == ("recalibration",)
    assert found.own == Thresholds(support=0.5)
    mapped = np.array([found.recalibration.mapping(float(one)) for one in p])
    assert np.array_equal(mapped >= found.thresholds.support, p >= 0.5), "the same cut, on another scale"
    assert found.thresholds.support != 0.5
    assert any("(fitting would have bought" in note for note in found.notes)
    refused = fit_support(rows[:20], Thresholds(support=0.5))
    assert (refused.taken, refused.own) == ((), None)


def test_what_was_not_taken_over_would_have_bought():
    wanted = {
        "full": ("What the thresholds buy", "What the recalibration buys"),
        "aside": ("What fitted thresholds would have bought; they were not taken over", "What the recalibration buys"),
        "nothing": ("What fitted thresholds would have bought; they were not taken over",
                    "What a recalibration would have bought; it was not taken over"),
    }  # fmt: skip
    for name, report in {"full": FULL, "aside": KEPT_ASIDE, "nothing": NOTHING_TAKEN}.items():
        page = lxml_html.fromstring(render_calibration_html(report))
        heads = [one.text_content() for one in page.xpath('//section[h2="Thresholds and recalibration"]/h3')]
        assert heads == list(wanted[name])
        terminal = " ".join(printed(report, 100).split())
        thresholds, recalibration = wanted[name]
        assert f"{thresholds}: - balanced accuracy 85.0 % → 88.0 %" in terminal
        assert f"{recalibration}: - ECE 11.0 % → 6.0 %" in terminal
        assert f"holding: {thresholds.lower()}: balanced accuracy 84.0 % → 89.0 %" in terminal
        after = page.xpath("//figcaption/b")[1].text_content()
        assert ("not taken over" in after) is (name == "nothing")


def test_people_of_three_have_a_kappa_and_it_is_named():
    light = "kappa of 3 people is the mean of Cohen's kappa over their pairs (Light 1971)"
    said = " ".join(printed(FULL, 80).split())
    assert (
        "bucket (3): same word 77.0 % (95 % CI 60.0–90.0, n = 22); mean kappa of pairs 0.66 (95 % CI 0.40–0.85, n = 22); alpha"
        in said
    )
    assert f"{light} (people on bucket)" in said
    assert f"Among people, {light}." in on_page(FULL)


def test_every_agreement_is_in_one_standing():
    found = standings(FULL)
    assert sum(map(len, found.values())) == len(FULL.agreement) + len(FULL.per_kind)
    assert headline(FULL) == "The judge can be trusted to say whether a passage supports a claim"


@pytest.mark.parametrize(
    ("judge", "people", "expected"),
    [
        ((0.3, 0.5), (0.6, 0.8), "less than people agree with each other"),
        ((0.3, 0.65), (0.6, 0.8), "do not tell"),
        ((0.85, 0.95), (0.6, 0.8), "more than people agree with each other"),
        (None, (0.6, 0.8), "Too few labels"),
    ],
)
def test_the_judge_beside_people(judge, people, expected):
    assert expected in beside_people(figure("kappa", 0.5, judge), figure("kappa", 0.7, people))


def test_what_is_missing_in_words():
    said = Missing(rubric="support", kind="dosage", label="not supported", have=18, need=30)
    assert missing_in_words(said) == "12 more “not supported” labels of kind dosage (18 of 30)"
    assert (
        missing_in_words(said.model_copy(update={"have": 29, "kind": "all"}))
        == "1 more “not supported” label (29 of 30)"
    )
    more = LeastN(rubric="bucket", says="kappa within ± 0.10", have=16, need=117)
    assert (
        least_n_in_words(more) == "Kappa within ± 0.10 on whether an answer may be shown: 101 more labels (16 of 117)"
    )
    report = REFUSED.model_copy(
        update={"least_n": (LeastN(rubric="support", says="fit a threshold", have=12, need=30),)}
    )
    assert len(all_missing(report)) == 2, "what is missing is said once"


def test_a_gain_without_an_interval_says_so():
    assert str(gain(Bought(figure="tpr", difference=0.1), 12)) == "TPR +10.0 points (no interval, n = 12)"
    assert str(gain(Bought(figure="kappa"), 12)) == "kappa not measurable (n = 12)"


def printed(report, width):
    file = io.StringIO()
    render_calibration(report, console=Console(file=file, width=width, force_terminal=True, color_system=None))
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize(
    "report", [FULL, KEPT_ASIDE, FEW, REFUSED, EMPTY], ids=["full", "aside", "few", "refused", "empty"]
)
def test_the_terminal_is_not_overrun(report, width):
    *lines, signature = printed(report, width).rstrip("\n").split("\n")
    assert max(map(len, lines)) <= width
    assert signature == f"signature {report.signature}"
    assert not {"\x1b", "\u00a0"} & set("".join(lines))


def test_the_terminal_has_every_figure_with_its_interval_and_n():
    said = " ".join(printed(FULL, 100).split())
    for found in FULL.inter_rater:
        assert f"on {found.about.replace('_', ' ')} ({found.raters})" in said
    graded = FULL.agreement["refusal_quality"]
    for one in figures(graded):
        assert str(one) in said
    for one in figures(FULL.held_out):
        assert str(one) in said
    lines = printed(FULL, 100).split("\n")
    at = next(
        n for n, line in enumerate(lines) if line.startswith("Whether a passage supports a claim") and "172" in line
    )
    assert lines[at].split()[-5:] == ["87.9", "87.0", "88.8", "0.75", "0.76"]
    assert lines[at + 1].split() == ["81–95", "79–92", "80–94", ".61–.89", ".62–.90"]
    assert lines[at + 2].split() == ["n=172", "n=92", "n=80", "n=172", "n=172"]
    assert (
        "balanced accuracy 85.0 % → 88.0 % on labels not fitted on: +3.0 points (95 % CI +0.4 to +5.6, n = 172)" in said
    )
    assert "12 more “not supported” labels of kind dosage (18 of 30)" in said


def test_a_refusal_comes_first_on_the_terminal():
    said = printed(REFUSED, 80)
    assert (
        said.index("Nothing was fitted")
        < said.index("18 more “supported” labels (12 of 30)")
        < said.index("Beside people")
    )
    assert "Kind by kind" not in said
