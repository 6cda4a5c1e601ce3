"""The embedded judge: a small cross-encoder on the CPU, word-level checks beside it, one calibrated probability."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from showable.judges.embedded.features import LONGEST, Features, Question, read_question, weigh
from showable.judges.embedded.head import Head, PlattHead, StackedHead, head_digest, head_of, read_head
from showable.judges.embedded.manifest import fingerprint, read_manifest
from showable.judges.embedded.odds import Failure, Odds
from showable.judges.lexical.addressed import rests_on_addressed
from showable.judges.lexical.judge import quoted, unjudged
from showable.judges.origin import HEAD, origin
from showable.records import Cost, Pair, SettingError, Verdict
from showable.records.evidence import Label

if TYPE_CHECKING:
    from showable.judges.embedded.session import Session

REVISION = 6
"""Raised with every change of the code here, or of the word-level checks, after which a p may be another."""
SHIPPED = Path(__file__).parent / "model"
Weighed = tuple[Question, Features] | str | None
"""What the head is to weigh for a pair; None where one side has no words, else the reason of a failure."""
_AT_ONCE = 64
"""Pairs that a thread is given: none can be stopped, and Ctrl-C waits for it. An answer may have thousands."""
SUPPORT = 0.5
_CONFLICT = 0.35
"""Probability of support at most where a word-level conflict is taken for a contradiction."""
_AGAINST = 0.2
"""The same where the model alone says that the passage has it otherwise."""
_PART = 0.0
"""Odds of support from which a sentence of a claim counts as found."""
_CUT = f"a sentence of the claim has more than {LONGEST} words; p is of its beginning"
_SAME_SUBJECT = 0.5
"""Share of the claim that the best run of the passage's sentences must have before the model's own word makes a contradiction."""


class EmbeddedJudge:
    """Judges with a cross-encoder exported to ONNX; offline, at no cost, deterministic for a given machine.

    `folder` holds a manifest and what it names; without one the shipped model judges. The model is loaded when the first
    pair is judged, on `threads` threads. Raises SettingError or InputError at once where the folder is not what its
    manifest says; there is no falling back on another judge.
    """

    prompt_hash: str | None = None

    def __init__(self, folder: Path | None = None, *, threads: int = 1) -> None:
        self._manifest, self._folder = read_manifest(folder or SHIPPED)
        self._threads = threads
        self._session: Session | None = None
        self._loading = Lock()
        manifest = self._manifest
        self._head: Head = (
            read_head(self._folder / manifest.head)
            if manifest.head
            else PlattHead(manifest.calibration, manifest.uncertain)
        )
        kind = "embedded" if folder is None else f"onnx-{manifest.name}"
        self.name = f"{kind}@{REVISION}.{manifest.revision}-{fingerprint(manifest, self._folder)}"

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch: one verdict a pair, in the same order, off the event loop. Cancelled, it ends after a few pairs."""
        found: list[Verdict] = []
        for at in range(0, len(pairs), _AT_ONCE):
            found += await asyncio.to_thread(self.judge, pairs[at : at + _AT_ONCE])
        return found

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - free whatever the pairs are
        """Return what judging would cost: nothing."""
        return Cost()

    def judge(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch on this thread."""
        return self.weigh_all(pairs, self.features(pairs))

    def weigh_all(self, pairs: Sequence[Pair], weighed: Sequence[Weighed]) -> list[Verdict]:
        """Judge a batch whose features are there already: what the model says of it is not asked again."""
        return [
            self._decide(pair, *found)
            if isinstance(found, tuple)
            else unjudged(pair, self.name, found, failed=found is not None)
            for pair, found in zip(pairs, weighed, strict=True)
        ]

    @property
    def head(self) -> StackedHead | None:
        """The head in use; None for a model that brings none and has Platt's two numbers alone."""
        return self._head if isinstance(self._head, StackedHead) else None

    def with_head(self, head: Mapping[str, Any]) -> EmbeddedJudge:
        """Return the same judge with another head, which its name tells; the model is shared.

        `head` has the fields of `StackedHead`. Raises SettingError where it is none of this version, or where the model
        brings no head that it could take the place of.
        """
        if self.head is None:
            raise SettingError(f"{self.name}: has no head of its own that another could take the place of")
        other = copy.copy(self)
        replacement = head_of(head)
        other.__dict__["_head"] = replacement  # a copy of this very class: nobody else has it yet
        other.name = f"{origin(self)[0]}{HEAD}{head_digest(replacement)}"
        return other

    def features(self, pairs: Sequence[Pair]) -> list[Weighed]:
        """Return what the head is to weigh for each pair; None where one side has no words, else the reason of a failure."""
        room, alone = self._manifest.room, self.head is not None
        questions = [read_question(pair, room, alone=alone) for pair in pairs]
        asked = list(dict.fromkeys(one for question in questions if question is not None for one in question.asked))
        odds = dict(zip(asked, self._loaded().odds(asked), strict=True))
        return [None if question is None else _weighed(question, odds) for question in questions]

    def _loaded(self) -> Session:
        """Load the model once, when it is first needed, however many ask at a time."""
        from showable.judges.embedded.session import Session  # noqa: PLC0415 - ONNX Runtime takes a while to import

        with self._loading:
            if self._session is None:
                self._session = Session(self._manifest, self._folder, self._threads)
            return self._session

    def _decide(self, pair: Pair, question: Question, features: Features) -> Verdict:
        p = self._head.probability(features)
        share = question.signs.coverage.share
        label, reason = self._label(p, features, share) if not question.cut else ("unknown", _CUT)
        span = quoted(question.signs, question.passage)
        return Verdict(
            label=label,
            judge=self.name,
            p=round(p, 4),
            quote=pair.passage[span[0] : span[1]] if span else None,
            quote_span=span,
            reason=reason,
            injection_suspected=question.passage.injection
            or (label == "supported" and rests_on_addressed(pair.passage, pair.claim, span)),
            of_part=question.cut,
        )

    def _label(self, p: float, features: Features, share: float) -> tuple[Label, str | None]:
        """Decide, and say why where it is not support."""
        against = self._contradiction(p, features, share)
        if against:
            return "contradicted", against
        if features.conflict and p >= SUPPORT:
            return "unknown", f"the model finds support, but {features.conflict}"
        band = self._head.uncertain
        if band and band[0] < p < band[1]:
            return "unknown", f"uncertain: the probability of support is {p:.2f}"
        if p >= SUPPORT:
            return "supported", None
        found = [odds >= _PART for odds in features.sentences]
        if any(found) and not all(found):
            return "partial", "one sentence of the claim is in the passage, another is not"
        return "unsupported", features.objection

    def _contradiction(self, p: float, features: Features, share: float) -> str | None:
        """Return what the passage has instead; more is asked for than a low probability, since it makes an answer wrong."""
        if features.conflict and p <= _CONFLICT:
            return features.conflict
        odds = features.contradiction
        if p <= _AGAINST and share >= _SAME_SUBJECT and odds is not None and odds >= self._head.contradiction:
            return features.objection or "the passage says otherwise"
        return None


def _weighed(question: Question, odds: Mapping[tuple[str, str], Odds | Failure]) -> tuple[Question, Features] | str:
    """Weigh what was answered, or give the reason why something was not."""
    said = [odds[one] for one in question.asked]
    failed = next((one.reason for one in said if isinstance(one, Failure)), None)
    return failed or (question, weigh(question, [one for one in said if isinstance(one, Odds)]))
