"""Labels made by hand and at random, for the tests of what keeps and settles them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import strategies as st

from showable.records.labels import Label, current_guide
from showable.stores.labels.store import LabelStore

GUIDES = current_guide()
ROLE = {"Ada": "senior", "Bo Ek": "reviewer", "Cy": "engineer"}
VALUES = {
    "support": ("supported", "partial", "unsupported", "contradicted", "cannot_tell"),
    "bucket": ("correct", "wrong", "unsupported", "refused", "cannot_tell"),
    "refusal_quality": (0, 1, 2, 3),
    "extra_claims": (0, 1, 12),
    "claim_kind": ("holding", "dosage"),
    "comment": (
        "fine",
        "=1+1",
        '"quoted", with a comma',
        "two\nlines\r\n",
        "'tis",
        "+49 30",
        "ünï \u2028 \U0001f600",
        "'",
    ),
}


@contextmanager
def new_store() -> Iterator[LabelStore]:
    """Build an empty store, which is gone afterwards; a property needs one for each example."""
    with tempfile.TemporaryDirectory() as folder, LabelStore.open(Path(folder) / "labels.sqlite") as store:
        yield store


_PLACES = {"support": (0, 0), "claim_kind": (0, None)}


def label(key, value="supported", who="Ada", **fields):
    """One label: on claim 0 and its citation 0 of `q1` where nothing else is said."""
    about = fields.get("about", "support")
    claim, citation = _PLACES.get(about, (None, None))
    given = {"record": "q1", "about": about, "claim": claim, "citation": citation, "role": ROLE.get(who, "reviewer"),
             "at": "2026-01-31T09:30:00Z", "rubric": GUIDES[about], "answer": "an-answer"}  # fmt: skip
    return Label(id=str(key), value=value, reviewer=who, **{**given, **fields})


def labels(max_size=12):
    """Any labels with distinct ids on few targets, so that many replace one another; one taken back now and then."""
    return st.lists(_words(), max_size=max_size).map(lambda made: [make(n) for n, make in enumerate(made)])


@st.composite
def _words(draw):
    about, who = draw(st.sampled_from(sorted(VALUES))), draw(st.sampled_from(sorted(ROLE)))
    fields = {
        "about": about,
        "record": draw(st.sampled_from(["q1", "=q2", "q 3"])),
        "at": f"2026-01-31T09:30:{draw(st.integers(0, 5)):02d}{draw(st.sampled_from(['Z', '.5Z', '.000001+00:00']))}",
        "source_id": draw(st.sampled_from([None, "", "doc-7", "@d", "'", "-1"])),
        "seconds": draw(st.sampled_from([None, 0.0, 2.25])),
        "blind": draw(st.booleans()),
        "adjudicated": draw(st.sampled_from([False, False, True])),
    }
    if about in _PLACES:
        fields["claim"] = draw(st.integers(0, 1))
    value = draw(st.sampled_from([*VALUES[about], None]))
    return lambda key: label(f"l{key}", value, who, **fields)
