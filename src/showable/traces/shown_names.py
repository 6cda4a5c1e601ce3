"""The names under which a model was shown documents, where those are not their ids.

Vector stores give ids of their own to chunks, and prompts label the chunks with the file that they are of: ``[lease.pdf] The notice …``. A model can
cite that name alone. Where a document's id stands nowhere in what the model was given, and its name does, the name is what it is known by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from showable.records.record import Source
from showable.records.traced import Loss
from showable.traces.sayings import sources_of
from showable.traces.text_values import squeezed
from showable.traces.tree import Step

_NAMES = ("source", "file_name", "filename", "file_path", "path", "document_name", "source_name")
_SHORTEST = 3


def shown_names(steps: Sequence[Step], prompt: str) -> dict[str, str]:
    """Map ids that the model was not given to the names that it was; none where a name may be that of two documents."""
    if not prompt:
        return {}
    told: dict[str, str] = {}
    whole: dict[str, set[str]] = {}
    for source in (source for step in steps for source in sources_of(step)):
        names = [(name, full) for name, full in _names(source) if squeezed(name) in prompt]
        if names and source.source_id not in told and squeezed(source.source_id) not in prompt:
            name, full = names[0]
            told[source.source_id] = name
            whole.setdefault(name, set()).add(full)
    return {named: name for named, name in told.items() if len(whole[name]) == 1}


def _names(source: Source) -> Iterator[tuple[str, str]]:
    """Yield a document's names, each with that which it is short for: a path is known by its last part too."""
    held = [source.metadata.get(name) for name in _NAMES]
    for full in [each for each in (*held, source.url) if isinstance(each, str) and len(each) >= _SHORTEST]:
        yield full, full
        last = full.replace("\\", "/").rstrip("/").rpartition("/")[2]
        if len(last) >= _SHORTEST and last != full and "." in last:
            yield last, full


def renamed(steps: Sequence[Step], same: Mapping[str, str]) -> list[Loss]:
    """Return how many documents are known by another name than the id that they came with."""
    ids = {s.source_id for step in steps for s in sources_of(step) if not step.facts.hashed}
    n = sum(one in same for one in ids)
    if not n:
        return []
    counted = "a document is" if n == 1 else f"{n} documents are"
    return [Loss("known_by_name", f"{counted} known by the name that the model was shown, not by the id of the store")]
