"""A labelled run: its settled rows for an anchor, and what people and the tool say of the same things."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from showable.calibrating.people import People, read_people
from showable.calibrating.said_by_run import Said, read_said
from showable.drifting.anchors import Labelled
from showable.errors import SettingError
from showable.measure.drift.people import GRADED, Told
from showable.measure.labelled_texts import TextRow, text_rows
from showable.profiles.load import read_profile_json
from showable.records.labels import Target, Value
from showable.records.profile import Profile
from showable.records.scorecard import Scorecard
from showable.records.signature import Signature
from showable.stores.run_folder import PROFILE, SCORES, need_finished_run
from showable.stores.run_reading import joined
from showable.validation.rows import LabelledPair

SUPPORTED = "supported"


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """A finished run with what the tool and what people say of it."""

    path: Path
    signed: Signature
    profile: Profile
    said: Said
    people: People

    @classmethod
    def read(cls, path: Path, labels: Path | None) -> LabelledRun:
        """Read a run and its labels. Raises InputError or SettingError where there are none or they cannot be read."""
        run, signed = need_finished_run(path)
        profile = read_profile_json(path / PROFILE).at(signed.thresholds)
        said = read_said(path, signed, profile, regraded=False)
        digests = {record: answer.digest for record, answer in said.answers.items()}
        people = read_people(path, labels, profile, digests, str(run.get("fingerprint")))
        return cls(path, signed, profile, said, people)

    def anchor_rows(self) -> Labelled:
        """Return the settled (claim, passage) pairs as labelled rows; what people call partial is no support.

        Raises SettingError where nothing is settled.
        """
        rows, textless = [], 0
        for row in text_rows(self.people.settled, joined(self.path, SCORES, Scorecard)):
            if isinstance(row, TextRow):
                rows.append(_labelled(row))
            else:
                textless += 1
        if not rows:
            raise SettingError(
                f"{self.people.source}: no claim with a citation is settled yet; people have to label some"
            )
        notes = [*self.people.notes()]
        if textless:
            notes.append(f"{textless} settled citations have no text in the retrieval log")
        return Labelled(str(self.path), self.profile.name, list(enumerate(rows, 1)), tuple(notes), self.signed)

    def told(self) -> list[Told]:
        """Return everything that people said blind, with what the tool says of it."""
        return [
            Told(target.about, self._question(target), _people_said(target, words), self._tool(target))
            for target, words in self.people.settled.by_reviewer.items()
            if target.about in GRADED
        ]

    def _question(self, target: Target) -> str:
        """Return the question that a target's record answers: repeats, and answers of several models, share theirs."""
        return self.said.answers[target.record].question

    def _tool(self, target: Target) -> Value | None:
        """Return what the tool says of a target, in the words of the labels; None where it says nothing."""
        if target.about == "support":
            pair = self.said.pairs.get(target)
            return None if pair is None or pair.said is None else int(pair.said)
        answer = self.said.answers[target.record]
        found = {"bucket": answer.bucket, "refusal_quality": answer.quality, "extra_claims": answer.extra_claims}
        return found.get(target.about)

    def notes(self) -> Iterator[str]:
        """Say whose labels these are."""
        yield f"{len(self.people.labels):,} labels of {self.people.reviewers} people"
        yield from self.people.notes()


def _labelled(row: TextRow) -> LabelledPair:
    label = float(row.verdict == SUPPORTED)
    return LabelledPair(
        claim=row.claim, passage=row.passage, label=label, question=row.question, kind=row.kind, id=row.id
    )


def _people_said(target: Target, words: dict[str, Value]) -> dict[str, Value]:
    """Return people's words; of support, yes or no, as the judge is held to no more."""
    if target.about != "support":
        return words
    return {name: int(value == SUPPORTED) for name, value in words.items()}
