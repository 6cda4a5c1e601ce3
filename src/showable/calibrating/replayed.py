"""Gather anew from saved evidence: what a judge under a calibration would have been asked, answered by what it said before.

A run that is graded again under a calibration so comes out as one that was scored under it: with the same passages looked
at, no more and no fewer. What nobody asked then is unknown now, and never guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from showable.gather import gather
from showable.read.answer import read_answer
from showable.read.reading import Reading
from showable.reader.read import replayed
from showable.records.calibration import IsotonicMap
from showable.records.evidence import Cost, Evidence, Pair, PairVerdict, Verdict
from showable.records.profile import Profile
from showable.records.recalibrated import recalibrated
from showable.records.record import Record, Source
from showable.rubrics.gold_verdicts import gold_pairs
from showable.rubrics.pointing import Pointing
from showable.rubrics.retrieval_log import RetrievalLog

NOT_ASKED = "the judge was not asked about this when the run was scored"
_Key = tuple[str, str]


async def replay(record: Record, saved: Evidence, profile: Profile, mapping: IsotonicMap | None) -> Evidence:
    """Return the evidence that scoring under `profile` and a map of p would have gathered, from what was saved.

    No judge is called. What registries said, what the evidence cost and when it was gathered stay as they are.
    """
    reading = read_answer(record, profile, replayed(saved.read))
    said = {
        key: recalibrated(pair.verdict, mapping)
        for pair, keys in zip(saved.pairs, _keys(record, reading, saved.pairs), strict=True)
        for key in keys
    }
    corpus = None if saved.corpus is None else _SavedPassages(record, reading, saved)
    found = await gather(record, reading, _SavedJudge(saved.judge, said), profile, corpus)
    return found.model_copy(update={"lookups": saved.lookups, "read": saved.read, "cost": saved.cost, "at": saved.at})


def _keys(record: Record, reading: Reading, pairs: Sequence[PairVerdict]) -> list[list[_Key]]:
    """Return the claims and passages that each verdict is about; none where no judge could be asked.

    A verdict from before citations were judged on what they point at is about the whole source, and stands for both.
    """
    claims = reading.answer.claims if reading.answer else ()
    log = RetrievalLog(record)
    pointing = [Pointing(claim.citations, log) for claim in claims]
    gold = {}
    if record.gold is not None:
        every = gold_pairs(record.question, record.gold, [claim.text for claim in claims], reading.text)
        gold = {(role, claim): (pair.claim, pair.passage) for role, claim, pair in every}
    found: list[list[_Key]] = []
    for pair in pairs:
        if (pair.role, pair.claim) in gold:
            found.append([gold[pair.role, pair.claim]])
        elif pair.claim >= len(claims):
            found.append([])
        elif pair.passage is not None:
            found.append([(claims[pair.claim].text, pair.passage.text or "")])
        else:
            claim = pointing[pair.claim]
            if pair.role == "part":
                texts = [claim.text(pair.sources[0], pair.spans or None)]
            else:
                before = pair.role == "cited" and not pair.spans
                texts = [
                    claim.read_for(pair.sources, role) for role in ([pair.role, "whole"] if before else [pair.role])
                ]
            found.append([(claims[pair.claim].text, text) for text in dict.fromkeys(texts) if text is not None])
    return found


class _SavedJudge:
    """Says again what it said before, and nothing that it was not asked."""

    prompt_hash: str | None = None

    def __init__(self, name: str, said: dict[_Key, Verdict]) -> None:
        self.name, self._said = name, said

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Look each pair up."""
        open_ended = Verdict(label="unknown", judge=self.name, reason=NOT_ASKED)
        return [self._said.get((pair.claim, pair.passage), open_ended) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - free whatever the pairs are
        """Return what looking up costs: nothing."""
        return Cost()


class _SavedPassages:
    """The corpus behind the log, as far as it was searched: of each claim the passages that were found."""

    def __init__(self, record: Record, reading: Reading, saved: Evidence) -> None:
        self.name = str(saved.corpus)
        claims = reading.answer.claims if reading.answer else ()
        self._found: dict[str, list[Source]] = {
            f"{claims[index].text} {record.question}": [
                pair.passage
                for pair in saved.pairs
                if pair.role == "corpus" and pair.claim == index and pair.passage is not None
            ]
            for index in saved.corpus_claims
            if index < len(claims)
        }

    def search(self, query: str, k: int) -> list[Source]:
        """Return what was found for the claim. Raises LookupError for one that was not looked up."""
        if query not in self._found:
            raise LookupError("this claim was not looked up when the run was scored")
        return self._found[query][:k]
