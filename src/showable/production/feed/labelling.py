"""Ten answers of an issue laid out as a run folder, for people to label: is it the answers that are wrong, or the measurement?"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from showable.errors import SettingError
from showable.measure.tail_sampling import draw
from showable.production.feed.actions import Actor, act
from showable.production.feed.store import FeedStore
from showable.profiles.load import load_profile
from showable.records.evidence import Evidence
from showable.records.signature import Signature
from showable.records.traced import LiveScore
from showable.stores.run_folder import PROFILE, RunFolder
from showable.stores.traces.store import TraceStore

MOST = 10


def lay_out_labels(feed: FeedStore, actor: Actor, issue: str, traces: TraceStore) -> Path:
    """Write ten members of an issue, drawn by their ids, as a run to review, and return its folder.

    The same ten again are the same folder. They are of one signature, the most frequent, as a run is. Raises SettingError
    where the store holds none of them any more.
    """
    members = [member.answer for member in feed.members(feed.issue(issue).batch, issue)]
    drawn = sorted(members, key=lambda answer: (draw(answer, 0), answer))
    held = _alike(traces.scores(drawn[: 5 * MOST]))[:MOST]
    if not held:
        raise SettingError(f"{issue}: the store holds none of its answers any more")
    fingerprint = hashlib.sha256("\n".join(one.id for one in held).encode("utf-8", "replace")).hexdigest()[:16]
    folder = feed.file.path.with_name(f"{feed.file.path.stem}.{issue}-{fingerprint[:6]}")
    signature = Signature.parse(held[0].signature)
    facts = {"records": len(held), "rejected": 0, "scored": len(held)}
    with RunFolder.open(folder, signature, f"{issue} of {feed.file.path.name}", fingerprint, **facts) as run:
        run.write_json(PROFILE, load_profile(held[0].profile or "general").model_dump(mode="json"))
        for one in held:
            run.append(one.answer.record, Evidence(id=one.id, judge=signature.judge), one.scorecard)
        run.write_json("run.json", run.run | {"finished": True})
    act(feed, actor, issue, "label", {"answers": [one.id for one in held], "folder": str(folder)})
    return folder


def _alike(scores: Sequence[LiveScore]) -> list[LiveScore]:
    """Return the scores of the most frequent signature and profile, in the order of their draws."""
    counts = Counter((one.signature, one.profile) for one in scores)
    chosen = max(sorted(counts), key=lambda pair: counts[pair], default=None)
    kept = [one for one in scores if (one.signature, one.profile) == chosen]
    return sorted(kept, key=lambda one: (draw(one.id, 0), one.id))
