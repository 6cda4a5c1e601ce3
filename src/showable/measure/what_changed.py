"""What differs between two pipelines, as far as their runs say."""

from __future__ import annotations

from showable.records.asking import PipelineFacts
from showable.records.wire import Wire

_NOT_A_CHANGE = frozenset({"label", "model_class", "repeat", "repeats", "at", "questions", "questions_fingerprint"})
"""What people call a run, and facts of that run alone; the questions themselves are compared one by one."""


class Changed(Wire):
    """One fact of the pipeline that is not the same on both sides, in words; None where a side does not say."""

    name: str
    baseline: str | None
    candidate: str | None

    def __str__(self) -> str:
        """Say it in brief: ``model: a → b``."""
        return f"{self.name.replace('_', ' ')}: {_said(self.baseline)} → {_said(self.candidate)}"


def what_changed(baseline: PipelineFacts | None, candidate: PipelineFacts | None) -> tuple[Changed, ...]:
    """Return every fact of the pipeline in which two runs differ, in the order in which facts are written down.

    A side without facts (a file that was scored) says nothing of any of them; where neither side has any, nothing is given.
    """
    mine, theirs = _facts(baseline), _facts(candidate)
    names = [name for name in PipelineFacts.model_fields if name not in _NOT_A_CHANGE]
    return tuple(
        Changed(name=name, baseline=mine.get(name), candidate=theirs.get(name))
        for name in names
        if mine.get(name) != theirs.get(name)
    )


def _facts(facts: PipelineFacts | None) -> dict[str, str | None]:
    if facts is None:
        return {}
    values = facts.model_dump(mode="json")
    return {name: _word(value) for name, value in values.items()}


def _word(value: object) -> str | None:
    if value is None:
        return None
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _said(value: str | None) -> str:
    return "not said" if value is None else value
