"""What the figures of a validation mean, in plain words: the same sentences on the terminal and on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from showable.measure.rates import percent
from showable.measure.validated import FileFigures, Lead, UnderCalibration, Validation
from showable.records.signature import Thresholds
from showable.report.cost_words import cost_in_words
from showable.report.untrusted import printable

YES = {
    "entailment": ("supported", "not supported"),
    "refusal": ("a refusal", "no refusal"),
    "factuality": ("acceptable (correct or refused)", "not acceptable (wrong or unsupported)"),
}
"""What the two labels of each task mean."""


def short_name(file: str) -> str:
    """Return a file's name without its folder and endings."""
    name = printable(file.replace("\\", "/").rsplit("/", 1)[-1])
    return name.removesuffix(".gz").removesuffix(".jsonl") or name


def short_names(files: Sequence[FileFigures]) -> dict[str, str]:
    """Return what each file is called by its path: its short name, or the path itself where two would be called alike."""
    counts = Counter(short_name(file.file) for file in files)
    return {
        file.file: short_name(file.file) if counts[short_name(file.file)] == 1 else printable(file.file)
        for file in files
    }


def headline(found: Validation) -> str:
    """Return in one line what was measured, and how it came out."""
    if found.not_measured is not None:
        return f"{found.task}: {found.not_measured}"
    judged = f"judge {printable(found.judge)}" if found.task != "refusal" else "this tool's reader"
    macro = found.macro
    files = "1 file" if macro.files == 1 else f"{macro.files} files"
    row = {"entailment": "row", "refusal": "response", "factuality": "answer"}[found.task]
    rows = f"{macro.n} {row}" if macro.n == 1 else f"{macro.n} {row}s"
    if undecided := sum(file.undecided for file in found.files):
        rows += f" ({undecided} more undecided)"
    if macro.balanced_accuracy is None:
        return f"{found.task}: {judged} on {rows} of {files}: balanced accuracy was not measurable"
    of = "" if macro.files == 1 else ", the mean over files"
    return (
        f"{found.task}: {judged} on {rows} of {files}: balanced accuracy "
        f"{between(macro.balanced_accuracy, macro.intervals.get('balanced_accuracy'))}{of}"
    )


def between(value: float, interval: tuple[float, float] | None) -> str:
    """Print a fraction in percent with its interval."""
    said = f"{100 * value:.1f} %"
    return f"{said} (95 % CI {100 * interval[0]:.1f}–{100 * interval[1]:.1f})" if interval else f"{said} (no interval)"


def meaning(found: Validation) -> list[str]:
    """Return what the figures are, where they are near chance, and what they are worth beside the baselines."""
    yes, no = YES[found.task]
    balanced = (
        f"Balanced accuracy is the mean of TPR (of the rows that people call {yes}, the share decided so) and TNR (of those "
        f"{no}){_majority(found.files)}."
    )
    said = [
        balanced,
        *_near_chance(found.files),
        *_leads(found),
    ]
    if found.task == "entailment":
        said.append(_threshold(found))
    if any(file.ece is not None for file in found.files):
        said.append(
            "AUC is how often a supported row gets the higher p than one that is not; ECE is how far p lies from the share that "
            "people call supported, 0 for a p that can be taken at its word."
        )
    return said


def _majority(files: Sequence[FileFigures]) -> str:
    both = [file for file in files if file.balanced_accuracy is not None]
    shares = [share for file in both if (share := file.baseline.get("majority_accuracy")) is not None]
    if not shares:
        return ""
    low, high = f"{100 * min(shares):.0f}", f"{100 * max(shares):.0f}"
    return f"; always saying the more frequent label gives 50.0 % (and is right on {low if low == high else f'{low}–{high}'} % of the rows)"


def _near_chance(files: Sequence[FileFigures]) -> list[str]:
    names = short_names(files)
    measured = [file for file in files if file.balanced_accuracy is not None]
    near = [names[file.file] for file in measured if file.near_chance]
    if near:
        return [f"Near chance (the interval of the balanced accuracy reaches 55 % or less) on {_some(near)}."]
    return ["Nowhere near chance: every interval of the balanced accuracy lies above 55 %."] if measured else []


def _leads(found: Validation) -> list[str]:
    lead = found.macro.lead
    if lead is None:
        return []
    said = f"Lead over {lead.over}: {lead_in_words(lead)}{' in the mean over files' if found.macro.files > 1 else ''}"
    names = short_names(found.files)
    leads = [(names[file.file], file.lead) for file in found.files if file.lead is not None]
    unshown = [name for name, one in leads if one.low is None or one.low <= 0]
    if not unshown:
        return [f"{said}; above it on every file."] if found.macro.files > 1 else [f"{said}."]
    if found.macro.files == 1:
        return [f"{said}: these rows do not show a lead."]
    return [f"{said}. Not shown to be above it on {_some(unshown)}."]


def lead_in_words(lead: Lead) -> str:
    """Print a lead in points with its interval."""
    said = f"{100 * lead.balanced_accuracy:+.1f} points of balanced accuracy"
    if lead.low is None or lead.high is None:
        return f"{said} (no interval: too few rows)"
    return f"{said} (95 % CI {100 * lead.low:+.1f} to {100 * lead.high:+.1f})"


def _threshold(found: Validation) -> str:
    if found.calibration is not None:
        return _under(found.calibration, found.signature.thresholds)
    if found.threshold == "fixed":
        return f"One threshold for all files: p ≥ {found.at:g} is support. Nothing was fitted to these labels."
    return (
        "Each file's threshold is fitted on four fifths of that file and applied to the rest, five times over, so no row is decided "
        "by its own label; it is still what a judge reaches after being tuned on labels of the very same kind. "
        "--threshold fixed says what to expect without."
    )


def _under(held: UnderCalibration, cuts: Thresholds) -> str:
    """Return where a calibration cuts p, and how its labels and these are related."""
    kinds = ", ".join(f"{p:g} for {printable(kind)}" for kind, p in sorted(cuts.per_kind.items()))
    mapped = ", of p as its map has it" if held.mapped else ""
    said = f"Under the calibration {printable(held.label)} p ≥ {cuts.support:g}{f' ({kinds})' if kinds else ''} is support{mapped}."
    labels = "1 label" if held.labels == 1 else f"{held.labels} labels"
    if held.in_sample:
        return f"{said} It was fitted on {labels} of these very files: the figures are in sample, and flatter it."
    return f"{said} It was fitted on {labels}; any of them that are among these rows flatter it."


def caveats(found: Validation) -> list[str]:
    """Say file by file what is not in the figures."""
    said = []
    names = short_names(found.files)
    for file in found.files:
        parts = [f"{file.excluded} labelled neither yes nor no, excluded"] if file.excluded else []
        if found.task == "factuality":
            parts = []
        parts += [printable(note) for note in file.notes]
        if parts:
            said.append(f"{names[file.file]}: {'; '.join(parts)}")
    return said


_MOST = 6


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST])
    return f"{shown} and {len(names) - _MOST} more" if len(names) > _MOST else shown


def spent(found: Validation) -> str | None:
    """Return what judging cost, where it was not free, and what a cascade saved."""
    cost, share = found.cost, found.cascade
    if not cost.calls and share is None:
        return None
    said = cost_in_words(cost)
    if share is None:
        return said
    part = f" ({percent(share.asked / share.pairs)} %)" if share.pairs else ""
    return f"second judge asked about {share.asked:,} of {share.pairs:,} pairs{part}, {share.saved:,} saved: {said}"
