"""What a retune came to, on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from showable.report.untrusted import printable

if TYPE_CHECKING:
    from showable.calibrating.retune_report import RetuneReport
    from showable.measure.acceptance import VersionTest
    from showable.stores.judge_versions import JudgeVersion, JudgeVersions, Tried

_NAMES = {
    "thresholds": "thresholds",
    "probability": "map of p",
    "head": "head",
    "examples": "examples in the prompt",
}


def tell(report: RetuneReport) -> None:
    """Print a retune: the labels, what was tried, the test, and what stands now."""
    for line in _lines(report):
        text = line.lstrip()
        typer.echo(" " * (len(line) - len(text)) + printable(text))


def _lines(report: RetuneReport) -> list[str]:
    lines = [f"judge {report.judge}, profile {report.profile}, versions in {report.folder}"]
    for name, part in (("fitted on", report.fitting), ("unseen", report.unseen)):
        counts = f"{part.positives} supported, {part.negatives} not, of {part.clusters} questions"
        lines.append(f"{name}: {part.positives + part.negatives} labels ({counts})")
    if report.left_out:
        lines.append("left out: " + ", ".join(f"{n} {why}" for why, n in report.left_out.items()))
    lines += report.notes
    if report.refused is not None:
        return [*lines, *_cost(report), f"refused: {report.refused.reason}"]
    if report.version is None:
        return lines
    if report.nothing_new:
        at = report.version.at
        lines.append(
            f"nothing new: the same labels and settings came to {report.version.name} ({at}); no label was looked at"
        )
        return [*lines, *_outcome(report, report.version)]
    if report.version.tried:
        lines.append("tried on the fitting part, cross-validated, beside the judge as it ships:")
        lines += [_tried(one) for one in report.version.tried]
    if report.version.test is not None:
        lines += _test(report.version.test, report.version)
    return [*lines, *_cost(report), *_outcome(report, report.version)]


def _cost(report: RetuneReport) -> list[str]:
    if not report.cost.calls:
        return []
    usd = "price unknown" if report.cost.usd is None else f"${report.cost.usd:.4f}"
    return [f"judging took {report.cost.calls:,} calls, {usd}"]


def _tried(one: Tried) -> str:
    brier = "" if one.brier is None else f", Brier score {one.brier:+.4f}"
    return f"  {told(one.what)}: balanced accuracy {_points(one.balanced_accuracy)}, TNR {_points(one.tnr)}{brier}"


def _test(test: VersionTest, version: JudgeVersion) -> list[str]:
    beside = version.parent or "the judge as it ships"
    decisions, level = test.decisions, f"{100 * (1 - 2 * test.level):.3g} %"
    rates = ((test.tpr_before, test.tpr_after), (test.tnr_before, test.tnr_after))
    tpr, tnr = (f"{100 * before:.1f} → {100 * after:.1f} %" for before, after in rates)
    lines = [
        f"tested: {told(version.what)}, beside {beside}, on {test.n} unseen labels of {test.clusters} questions",
        f"  {_figures(test, level)}; sign-flip p {test.p:.3g}",
        f"  TPR {tpr}, TNR {tnr}",
        f"  decisions: {decisions.better} put right, {decisions.worse} put wrong, McNemar's exact p {decisions.p:.3g}",
        f"  look {test.look} at these labels: the interval is at {level}, and p must be at most {2 * test.level:.3g}",
    ]
    if test.undecided:
        lines.append(f"  {test.undecided} unseen labels take no part: one of the two leaves them undecided")
    return lines


def _figures(test: VersionTest, level: str) -> str:
    if test.measured == "brier":
        spread = f"{test.difference:+.4f} ({level} interval {test.low:+.4f} to {test.high:+.4f})"
        return f"Brier score {test.before:.4f} → {test.after:.4f}, {spread}"
    spread = f"{_points(test.difference)} ({level} interval {_points(test.low)} to {_points(test.high)})"
    return f"balanced accuracy {100 * test.before:.1f} → {100 * test.after:.1f} %, {spread}"


def _outcome(report: RetuneReport, version: JudgeVersion) -> list[str]:
    verdict = "accepted" if version.outcome == "accepted" else "kept aside"
    lines = [f"{version.name} {verdict}: {version.why}"]
    if version.outcome == "aside":
        lines.append(f"it stays in {report.folder} and is used only by who names its file")
    if report.stands is None:
        return [*lines, "the judge as it ships stands"]
    return [*lines, f"{report.stands} stands: --calibration {report.file}"]


def told(what: tuple[str, ...]) -> str:
    """Name what a version changes."""
    return " + ".join(_NAMES.get(one, one) for one in what) or "nothing"


def _points(fraction: float) -> str:
    return f"{100 * fraction:+.1f}"


def tell_history(held: JudgeVersions) -> None:
    """Print the versions of a folder, the first first."""
    from rich.table import Table

    from showable.cli.console import ReportConsole

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("version", "", "changes", "unseen", "gain", "look", "when", "why"):
        table.add_column(name, justify="right" if name in {"unseen", "look"} else "left", overflow="fold")
    for one in held.entries:
        test = one.test
        gain = "–"
        if test is not None:
            points = test.measured == "balanced_accuracy"
            gain = (
                f"{_points(test.difference)} [{_points(test.low)}, {_points(test.high)}]"
                if points
                else f"Brier {test.difference:+.4f}"
            )
        seen, look = (str(test.n), str(test.look)) if test else ("–", "–")
        cells = (one.name, one.outcome, told(one.what), seen, gain, look, one.at[:10], one.why)
        table.add_row(*(printable(cell) for cell in cells))
    ReportConsole().print(table, markup=False)
    standing = {}
    for one in held.entries:
        if one.outcome == "accepted":
            standing[one.judge, one.profile] = one.name
    for (judge, profile), name in standing.items():
        typer.echo(printable(f"{name} stands for {judge}, profile {profile}: --calibration {held.path / name}.json"))
    if not standing:
        typer.echo("no version was accepted: the judge as it ships stands")
