"""Keys of no single convention by which answers are put into groups: prompt version, profile, experiment, session."""

from __future__ import annotations

from collections.abc import Mapping

from showable.traces.conventions.convention import Slots

SLOTS: Slots = {
    "prompt_version": ("prompt.version", "langfuse.observation.prompt.version", "langfuse.prompt.version"),
    "profile": ("showable.profile", "probative.profile"),
    "cohort": (
        "showable.cohort", "probative.cohort", "experiment.id", "experiment", "langfuse.experiment.id",
        "langfuse.experiment.name",
    ),
    "session": ("langfuse.session.id",),
}  # fmt: skip

IN_METADATA: Mapping[str, tuple[str, ...]] = {
    "prompt_version": ("prompt_version", "prompt.version"),
    "profile": ("showable.profile", "probative.profile", "profile"),
    "cohort": ("showable.cohort", "probative.cohort", "cohort", "experiment_id", "experiment.id", "experiment"),
    "session": ("session_id", "session.id", "thread_id", "conversation_id"),
}
"""Members of a span's metadata that say the same, read where no attribute does."""
