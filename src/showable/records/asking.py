"""What is written down when a pipeline is run: of the run in `run.json`, of each question in its record's metadata."""

from __future__ import annotations

from typing import Literal

from showable.records.evidence import Cost
from showable.records.wire import Many, Wire

ModelClass = Literal["frontier", "large_open", "mid", "small"]
PIPELINE, ASK = "pipeline", "ask"
"""The keys: ``run.json`` has the facts of the pipeline under the first, a record's metadata those of one question under the second."""


class PipelineFacts(Wire):
    """A row of a comparison: which pipeline answered which questions. None stands for what was not said.

    `endpoint` is the address behind a model, without user, password or query: one model's name may be served in many
    places. `label` is the user's name for the row. `repeat` of `repeats` counts from 1. `at` is when the run began
    (ISO 8601, UTC).
    """

    name: str
    label: str | None = None
    model: str | None = None
    model_class: ModelClass | None = None
    endpoint: str | None = None
    prompt: str | None = None
    refusal_licence: bool | None = None
    questions: str
    questions_fingerprint: str
    repeat: int = 1
    repeats: int = 1
    at: str | None = None


class AskFacts(Wire):
    """How one question went: seconds of the try that counted, tries made, and the error where no answer came.

    `null_honoured` is False where an empty retrieval was asked for and the log holds passages, None where none was asked
    for or nothing was logged. `cost` is None where the pipeline does not say. `earlier` are the costs of the times that
    the question was asked before and failed: these were paid too.
    """

    seconds: float
    tries: int = 1
    error: str | None = None
    force_null: bool = False
    null_honoured: bool | None = None
    cost: Cost | None = None
    earlier: Many[Cost | None] = ()
