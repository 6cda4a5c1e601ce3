"""Streams that are shown by the sentence: each is decided on once the next has begun."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from showable.production.guard.acting import action_of
from showable.production.guard.call import GivenAnswer, GuardCall, Policy
from showable.production.guard.incoming_stream import Arrived
from showable.read.sentences import split_sentences
from showable.records.scorecard import Release

_OPENING = ("{", "[", "```", "<")
"""How text begins that is no prose: JSON, a code block, tags. It is decided on whole."""

_STOPS = frozenset(".!?…\n。！？؟۔।")
_LONGEST_OPEN = 20_000
"""Characters of a sentence that does not end; what is longer is decided on whole."""


class SentenceStream:
    """Holds events until the sentence they are part of is over and may be shown.

    A sentence is over when the next begins with a letter: a marker behind the full stop still belongs to it. What is not running text
    (calls, reasoning, citation objects, several choices) ends the release by the sentence: the rest waits for the
    whole. State is the open sentence; each character is read once.
    """

    def __init__(
        self, call: GuardCall, policies: Sequence[Policy], decide: Callable[[GuardCall, Policy], Release]
    ) -> None:
        self._call, self._policies, self._decide = call, policies, decide
        self._waiting: list[tuple[bytes, int]] = []
        self._open, self._stopped = "", False
        self._decided = self._size = 0
        self._whole = call.retrieved is None
        self.failed: Release | None = None
        self.failed_on: GuardCall | None = None

    def take(self, event: Arrived) -> list[bytes]:
        """Return the events that may now be shown; sets `failed` at the first sentence that may not."""
        if event.text is None:
            self._whole = True
        self._size += len(event.text or "")
        self._waiting.append((event.raw, self._size))
        if self._whole or not event.text:
            return []
        self._open += event.text
        self._stopped = self._stopped or not _STOPS.isdisjoint(event.text)
        begins_otherwise = self._decided == 0 and self._open.lstrip().startswith(_OPENING)
        self._whole = begins_otherwise or len(self._open) > _LONGEST_OPEN
        end = 0 if self._whole or not self._stopped else self._over()
        if not end or not self._may_be_shown(self._open[:end]):
            return []
        self._open = self._open[end:]
        self._stopped = not _STOPS.isdisjoint(self._open)
        self._decided += end
        return self._released()

    def _over(self) -> int:
        """Return where the sentence begins that is still open, 0 where no other is over."""
        starts = [sentence.start for sentence in split_sentences(self._open)]
        begun = self._open[starts[-1] :].lstrip()[:1] if starts else ""
        return starts[-1] if len(starts) > 1 and begun.isalpha() else 0

    def rest(self) -> list[bytes]:
        """Return what still waits."""
        held, self._waiting = [raw for raw, _ in self._waiting], []
        return held

    def _may_be_shown(self, text: str) -> bool:
        call = replace(self._call, answers=(GivenAnswer(text),))
        for policy in self._policies:
            release = self._decide(call, policy)
            if action_of(release, call, policy) not in {"show", "unverified"}:
                self.failed, self.failed_on = release, call
                return False
        return True

    def _released(self) -> list[bytes]:
        count = next((i for i, (_, end) in enumerate(self._waiting) if end > self._decided), len(self._waiting))
        released = [raw for raw, _ in self._waiting[:count]]
        del self._waiting[:count]
        return released
