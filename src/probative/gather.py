"""Gather the verdicts that grading needs, in three rounds, so that no judge is asked what an earlier answer settles.

Round 1: every (claim, cited source); for a claim without citations the best few sources of the log.
Round 2: for a claim that no single citation supports: its citations joined, and the best few other sources.
Round 3: where only the union supports: the union with each citation left out in turn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import log

from probative.errors import ProbativeError
from probative.read.reading import Reading
from probative.records.evidence import Cost, Evidence, Judge, Pair, PairRole, PairVerdict, Verdict
from probative.records.findings import Outcome
from probative.records.profile import Profile
from probative.records.record import Claim, Record
from probative.records.signature import Thresholds
from probative.rubrics.gold_agreement import gold_pairs
from probative.rubrics.grade import read_gold
from probative.rubrics.retrieval_log import RetrievalLog
from probative.rubrics.semantic import ClaimVerdicts, gather_verdicts, supports, tier_weights

OTHER_SOURCES = 3
"""How many uncited sources are read for a claim that its citations do not support."""

_WORD = re.compile(r"\w+")
_LEAVE_ONE_OUT_FROM = 3
"""With two citations, leaving one out leaves the other, which was already judged alone."""

Ask = tuple[int, tuple[str, ...], PairRole, Pair | None]
"""A claim, the sources, the role, and what to ask; None where a source has no text to ask about."""


async def gather(record: Record, reading: Reading, judge: Judge, profile: Profile) -> Evidence:
    """Ask the judge all that grading this record needs. Failures come back as ``unknown`` verdicts, with reasons."""
    evidence = Evidence(id=record.id, judge=judge.name)
    if reading.answer is None:
        return evidence
    claims, thresholds = reading.answer.claims, profile.thresholds
    plan = _Plan(record, claims, conflicts_matter=profile.sources_conflict == "unknown")
    weights = tier_weights(plan.log, profile)
    evidence = await _ask([*plan.first(), *_gold_asks(record, reading, thresholds)], judge, evidence)
    evidence = await _ask(plan.second(gather_verdicts(claims, evidence, thresholds, weights)), judge, evidence)
    return await _ask(plan.third(gather_verdicts(claims, evidence, thresholds, weights)), judge, evidence)


class _Plan:
    """What to ask about the claims of one record."""

    def __init__(self, record: Record, claims: Sequence[Claim], *, conflicts_matter: bool = False) -> None:
        self.record, self.claims, self.log = record, claims, RetrievalLog(record)
        self.conflicts_matter = conflicts_matter
        self.cited = [
            list(dict.fromkeys(c.source_id for c in claim.citations if c.source_id in self.log)) for claim in claims
        ]

    def first(self) -> list[Ask]:
        asks: list[Ask] = []
        for index, cited in enumerate(self.cited):
            asks.extend(self._ask(index, (source_id,), "cited") for source_id in cited if source_id)
            if not cited:
                asks.extend(self._others(index))
        return asks

    def second(self, verdicts: Sequence[ClaimVerdicts]) -> list[Ask]:
        asks: list[Ask] = []
        for index, cited in enumerate(self.cited):
            ids = [source_id for source_id in cited if source_id is not None]
            supported = bool(verdicts[index].supporting_among(ids))
            if not ids or (supported and not self.conflicts_matter):
                continue
            if len(ids) > 1 and not supported:
                asks.append(self._ask(index, tuple(ids), "union"))
            asks.extend(self._others(index))
        return asks

    def third(self, verdicts: Sequence[ClaimVerdicts]) -> list[Ask]:
        asks: list[Ask] = []
        for index, cited in enumerate(self.cited):
            union = verdicts[index].union
            ids = [source_id for source_id in cited if source_id is not None]
            if union is None or len(ids) < _LEAVE_ONE_OUT_FROM:
                continue
            if supports(union, verdicts[index].threshold_of(ids)) is Outcome.PASS:
                for left_out in ids:
                    rest = tuple(source_id for source_id in ids if source_id != left_out)
                    asks.append(self._ask(index, rest, "leave_one_out"))
        return asks

    def _ask(self, index: int, source_ids: tuple[str, ...], role: PairRole) -> Ask:
        texts = [self.log.texts.get(source_id) for source_id in source_ids]
        claim = self.claims[index]
        if any(text is None for text in texts):
            return index, source_ids, role, None
        passage = "\n\n".join(text for text in texts if text is not None)
        return index, source_ids, role, Pair(claim.text, passage, claim.context, self.record.question, claim.kind)

    def _others(self, index: int) -> Iterator[Ask]:
        """The best few sources that the claim does not cite, by its words that they contain, rare ones counting more."""
        ours = frozenset(_WORD.findall(self.claims[index].text.casefold()))
        others = [source_id for source_id in self.log.by_id if source_id not in self.cited[index]]
        if len(others) > OTHER_SOURCES:
            others.sort(key=lambda source_id: -sum(self._rarity[word] for word in ours & self._words[source_id]))
        for source_id in others[:OTHER_SOURCES]:
            yield self._ask(index, (source_id,), "other")

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        texts = self.log.texts
        return {i: frozenset(_WORD.findall(texts.get(i, "").casefold())) for i in self.log.by_id}

    @cached_property
    def _rarity(self) -> dict[str, float]:
        """Inverse document frequency over the log: a word that every source has tells none of them apart."""
        counts = Counter(word for words in self._words.values() for word in words)
        return {word: log((1 + len(self._words)) / count) for word, count in counts.items()}


def _gold_asks(record: Record, reading: Reading, thresholds: Thresholds) -> list[Ask]:
    """Ask the judge about gold only where words and numbers leave agreement undecided."""
    if record.gold is None or reading.answer is None or reading.refusal.extent == "full":
        return []
    if not read_gold(record, reading, None, thresholds).undecided:
        return []
    texts = [claim.text for claim in reading.answer.claims]
    return [(i, (), role, pair) for role, i, pair in gold_pairs(record.question, record.gold, texts, reading.text)]


async def _ask(asks: Sequence[Ask], judge: Judge, evidence: Evidence) -> Evidence:
    if not asks:
        return evidence
    askable = [pair for *_, pair in asks if pair is not None]
    answers = iter(await _verdicts(askable, judge) if askable else ())
    verdicts = [_without_text() if pair is None else next(answers) for *_, pair in asks]
    found = tuple(
        PairVerdict(claim=index, sources=sources, role=role, verdict=verdict)
        for (index, sources, role, _), verdict in zip(asks, verdicts, strict=True)
    )
    cost = evidence.cost
    for verdict in verdicts:
        if verdict.cost is not None:
            cost = cost + verdict.cost
    return evidence.model_copy(update={"pairs": evidence.pairs + found, "cost": cost})


async def _verdicts(pairs: Sequence[Pair], judge: Judge) -> list[Verdict]:
    """Ask the judge. One that fails, or gives another number of verdicts than was asked for, has said nothing."""
    try:
        verdicts = await judge.verdicts(pairs)
    except ProbativeError:  # the user's to put right, such as a budget that is reached
        raise
    except Exception as error:  # noqa: BLE001 - whatever a plugged-in judge raises is data, not the end of the run
        said = f"the judge failed: {type(error).__name__}: {error}"
    else:
        if len(verdicts) == len(pairs):
            return verdicts
        said = f"the judge gave {len(verdicts)} verdicts for {len(pairs)} pairs"
    return [Verdict(label="unknown", judge=judge.name, reason=said)] * len(pairs)


def _without_text() -> Verdict:
    return Verdict(label="unknown", judge="none", reason="the log carries no text for this source")


def bounds(record: Record, reading: Reading, judge: Judge, profile: Profile) -> tuple[Cost, Cost]:
    """Say, without a call, the least and the most that gathering for this record may cost.

    The least is round 1 (every cited passage supports its claim), and the other passages where a conflict of
    sources matters; the most is all three rounds in full, as when no single passage supports and every union does.
    """
    if reading.answer is None:
        return Cost(), Cost()
    plan = _Plan(record, reading.answer.claims, conflicts_matter=profile.sources_conflict == "unknown")
    first = [*plan.first(), *_gold_asks(record, reading, profile.thresholds)]
    nothing = [ClaimVerdicts(1.0) for _ in plan.claims]
    union = Verdict(label="supported", judge="none")
    every = [ClaimVerdicts(1.0, union=union) for _ in plan.claims]
    settled = [ClaimVerdicts(1.0, single={i: union for i in cited if i}) for cited in plan.cited]
    rest = [*plan.second(nothing), *plan.third(every)]
    at_first = _cost(first, judge)
    return at_first + _cost(plan.second(settled), judge), at_first + _cost(rest, judge)


def _cost(asks: Sequence[Ask], judge: Judge) -> Cost:
    return judge.estimate([pair for *_, pair in asks if pair is not None])
