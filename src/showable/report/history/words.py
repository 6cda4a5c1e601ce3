"""What is said of runs over time, the same in every format."""

from __future__ import annotations

from showable.measure.history import History, PastRun

BUCKETS = ("correct", "refused", "wrong", "unsupported", "unknown")


def head_of(history: History) -> str:
    """Return how many runs there are, of how many question sets and signatures."""
    runs, sets = len(history.runs), len({run.questions_fingerprint for run in history.runs})
    signatures = len({run.signature_short for run in history.runs})
    said = f"{runs} {_plural('run', runs)} in {history.folder}"
    return f"{said}: {sets} question {_plural('set', sets)}, measured in {signatures} {_plural('way', signatures)}"


def note_of(history: History) -> str:
    """Return how the table is to be read."""
    said = "ok %: correct or refused. Only runs of the same set and signature can be compared or gated."
    return f"{said} ×: repeats, folded by majority." if any(run.repeats > 1 for run in history.runs) else said


def day(run: PastRun) -> str:
    """Return the day of a run."""
    return run.when[:10]


def share_a_day(history: History) -> bool:
    """Check whether any two runs are of the same day, so that only the minute tells which is older."""
    days = [day(run) for run in history.runs]
    return len(set(days)) < len(days)


def moment(run: PastRun) -> str:
    """Return day and minute of a run; ``~`` where only its files say so."""
    return f"{run.when[:16].replace('T', ' ')}{'~' if run.when_from == 'files' else ''}"


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"
