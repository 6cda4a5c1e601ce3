"""Gather the verdicts that grading needs, in rounds, so that no judge is asked what an earlier answer settles.

Round 1: every (claim, cited source), of which what the citations point at is read; for a claim without citations the best
few sources of the log.
Round 2: for a claim that no single citation supports: its citations joined, and the best few other sources. Where the
words that a citation points at do not support the claim: the whole of their source. Where citations of one source point
at different words: each of them alone.
Round 3: where only the union supports: the union with each citation left out in turn. Of an answer that all its claims
together do not let pass: the best few other sources for its least supported claim, where they were not read.
Round 4, with a corpus at hand: for a claim that the log neither supports nor contradicts, where that may decide the
bucket: the best few passages of the corpus that are not in the log.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import log
from typing import NamedTuple

from showable.errors import ShowableError
from showable.read.reading import Reading
from showable.records.evidence import Cost, Evidence, Judge, Pair, PairRole, PairVerdict, Verdict
from showable.records.findings import Outcome
from showable.records.passages import Passages
from showable.records.profile import Profile
from showable.records.record import Claim, Record, Source
from showable.records.signature import Thresholds
from showable.rubrics.follow_up import question_before, whole_claim
from showable.rubrics.gold_verdicts import gold_pairs
from showable.rubrics.grade import claims_to_look_up, decide_support, read_gold
from showable.rubrics.marks import settled_by_marks
from showable.rubrics.pointing import Pointing, Spans, in_source
from showable.rubrics.retrieval_log import RetrievalLog, no_longer_stands
from showable.rubrics.semantic import ClaimVerdicts, gather_verdicts

MOST_JUDGED = 500
"""Claims of an answer that a judge reads; what costs claims × passage has to end somewhere, and no answer needs more."""
_LEFT = f"not judged: of an answer's claims the first {MOST_JUDGED} are"

OTHER_SOURCES = 3
"""How many uncited sources are read for a claim that its citations do not support."""

CORPUS_PASSAGES = 5
"""How many passages of the corpus are read for a claim that nothing in the log supports."""

_SPARE, _A_PASSAGE = 5, 500
"""Results asked for beyond those to be read: for some that no longer stand, and one for every so many characters of the log."""
_ALIKE = 0.8
"""Share of the shorter one's words that two texts under one id have in common where they are the same passage."""
_KEPT = ("document", "start", "tier", "version", "effective", "status")
"""What is saved of a passage's metadata: a row of a corpus may carry anything, of any size."""

_WORD = re.compile(r"\w+")
_LEAVE_ONE_OUT_FROM = 3
"""With two citations, leaving one out leaves the other, which was already judged alone."""
_LEAVE_ONE_OUT_TO = 30
"""Each reads all the others, which costs their square; of more, none is known to be needed."""


class Ask(NamedTuple):
    """A claim, the sources, the role, and what to ask: None where that is not possible, for the reason in `why_not`.

    `before` is the question before this one, where the answer is to a follow-up.
    """

    claim: int
    sources: tuple[str, ...]
    role: PairRole
    pair: Pair | None
    why_not: str = "the log carries no text for this source"
    passage: Source | None = None
    spans: Spans = ()
    citation: int | None = None
    before: str = ""


async def gather(
    record: Record,
    reading: Reading,
    judge: Judge,
    profile: Profile,
    corpus: Passages | None = None,
    *,
    failed: bool = False,
) -> Evidence:
    """Ask the judge all that grading this record needs. Failures come back as ``unknown`` verdicts, with reasons.

    With a `corpus`, what the log leaves open is looked up there. `failed` says that another rubric failed the answer.
    """
    evidence = Evidence(id=record.id, judge=judge.name)
    if reading.answer is None:
        return evidence
    claims, thresholds = reading.answer.claims, profile.thresholds
    plan = _Plan(record, claims, conflicts_matter=profile.sources_conflict == "unknown")
    evidence = await _ask([*plan.first(), *_gold_asks(record, reading, thresholds)], judge, evidence, failed=failed)
    evidence = await _ask(
        plan.second(gather_verdicts(claims, evidence, profile, plan.log)), judge, evidence, failed=failed
    )
    evidence = await _ask(
        plan.third(gather_verdicts(claims, evidence, profile, plan.log)), judge, evidence, failed=failed
    )
    evidence = await _ask(plan.worst(record, reading, evidence, profile), judge, evidence, failed=failed)
    if corpus is None:
        return evidence
    open_claims = claims_to_look_up(record, reading, evidence, profile)
    evidence = evidence.model_copy(update={"corpus": corpus.name, "corpus_claims": tuple(open_claims)})
    return await _ask(
        [ask for index in open_claims for ask in plan.behind_log(index, corpus)], judge, evidence, failed=failed
    )


class _Plan:
    """What to ask about the claims of one record."""

    def __init__(self, record: Record, claims: Sequence[Claim], *, conflicts_matter: bool = False) -> None:
        self.record, self.claims, self.log = record, claims, RetrievalLog(record)
        self.conflicts_matter = conflicts_matter
        self.pointing = [Pointing(claim.citations, self.log) for claim in claims]
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
            supporting = verdicts[index].supporting_among(ids)
            supported = bool(supporting)
            asks.extend(self._behind(index, [source_id for source_id in ids if source_id not in supporting]))
            asks.extend(ask for source_id in ids for ask in self._parts(index, source_id))
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
            if union is None or not _LEAVE_ONE_OUT_FROM <= len(ids) <= _LEAVE_ONE_OUT_TO:
                continue
            if verdicts[index].decide(union, ids) is Outcome.PASS:
                for left_out in ids:
                    rest = tuple(source_id for source_id in ids if source_id != left_out)
                    asks.append(self._ask(index, rest, "leave_one_out"))
        return asks

    def worst(self, record: Record, reading: Reading, evidence: Evidence, profile: Profile) -> list[Ask]:
        """Ask about the least supported claim of an answer that may not be shown: does another passage say it, or deny it?"""
        support = decide_support(record, reading, evidence, profile)
        if support is None or support.outcome is Outcome.PASS or not self.cited[support.least]:
            return []
        read = {pair.claim for pair in evidence.pairs if pair.role == "other"}
        return [] if support.least in read else list(self._others(support.least))

    def _ask(self, index: int, source_ids: tuple[str, ...], role: PairRole) -> Ask:
        if index >= MOST_JUDGED:
            return Ask(index, source_ids, role, None, _LEFT)
        passage = self.pointing[index].read_for(source_ids, role)
        if passage is None:
            return Ask(index, source_ids, role, None)
        spans = self.pointing[index].spans(source_ids[0]) if role == "cited" else None
        pair, before = self._pair(self.claims[index], passage), question_before(self.record)
        return Ask(index, source_ids, role, pair, spans=spans or (), before=before)

    def _behind(self, index: int, source_ids: Iterable[str]) -> Iterator[Ask]:
        """The whole of each source of which the citations point at a part."""
        for source_id in source_ids:
            if self.pointing[index].spans(source_id) is not None:
                yield self._ask(index, (source_id,), "whole")

    def _parts(self, index: int, source_id: str) -> Iterator[Ask]:
        """What each citation of a source points at, where they point at different words of it."""
        if index >= MOST_JUDGED:  # the source is not judged either, and says why
            return
        for number, spans in self.pointing[index].parts(source_id).items():
            pair = self._pair(self.claims[index], self.pointing[index].text(source_id, spans) or "")
            yield Ask(index, (source_id,), "part", pair, spans=spans or (), citation=number)

    def _pair(self, claim: Claim, passage: str) -> Pair:
        whole = whole_claim(claim.text, self.record)
        return Pair(whole, passage, claim.context if whole == claim.text else None, self.record.asked, claim.kind)

    def behind_log(self, index: int, corpus: Passages) -> list[Ask]:
        """The best few passages of the corpus that the log does not hold, found by the claim's and the question's words.

        A claim such as "It is thirty days" has few words of its own. Only the record decides what is found. What is
        superseded or retracted is no witness: it is well that it was not retrieved.
        """
        if index >= MOST_JUDGED:
            return [Ask(index, (), "corpus", None, _LEFT)]
        claim = self.claims[index]
        most = CORPUS_PASSAGES + _SPARE + sum(3 + len(held) // _A_PASSAGE for held in self._held)
        try:
            found = _sources(corpus.search(f"{claim.text} {self.record.asked}", most))
        except ShowableError:  # the user's to put right
            raise
        except Exception as error:  # noqa: BLE001 - whatever a plugged-in search raises is data, not the end of the run
            said = f"the corpus could not be searched: {type(error).__name__}: {error}"
            return [Ask(index, (), "corpus", None, said)]
        new = [source for source in found if source.text and not no_longer_stands(source) and not self._in_log(source)]
        return [
            Ask(index, (source.source_id,), "corpus", self._pair(claim, source.text or ""), passage=_to_be_kept(source))
            for source in new[:CORPUS_PASSAGES]
        ]

    def _in_log(self, source: Source) -> bool:
        """Check whether the log holds a passage. An id alone does not tell: a log may number its ranks as a corpus its rows."""
        text = _one_line(source.text or "")
        if any(text in held for held in self._held):
            return True
        logged = self.log.texts.get(source.source_id)
        return source.source_id in self.log and (logged is None or _alike(logged, text))

    @cached_property
    def _held(self) -> list[str]:
        """The passages of the log. One of them may hold several of the corpus, where the two are cut differently."""
        return [_one_line(source.text) for source in self.record.retrieved or () if source.text]

    def _others(self, index: int) -> Iterator[Ask]:
        """The best few sources that the claim does not cite, by its words that they contain, rare ones counting more."""
        ours = frozenset(_WORD.findall(self.claims[index].text.casefold()))
        others = [source_id for source_id in self.log.by_id if source_id not in self.cited[index]]
        if len(others) > OTHER_SOURCES and index < MOST_JUDGED:
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
    if not read_gold(record, reading, None, thresholds).open:
        return []
    texts = [claim.text for claim in reading.answer.claims]
    return [Ask(i, (), role, pair) for role, i, pair in gold_pairs(record.asked, record.gold, texts, reading.text)]


async def _ask(asks: Sequence[Ask], judge: Judge, evidence: Evidence, *, failed: bool) -> Evidence:
    if not asks:
        return evidence
    askable = _askable(asks, failed=failed)
    answers = dict(zip(askable, await _verdicts(list(askable.values()), judge), strict=True)) if askable else {}
    verdicts = [_unasked(ask.why_not) if ask.pair is None else _settled(ask, answers[ask.pair]) for ask in asks]
    found = tuple(
        PairVerdict(
            claim=ask.claim,
            sources=ask.sources,
            role=ask.role,
            verdict=_placed(verdict, ask),
            passage=ask.passage,
            spans=ask.spans,
            citation=ask.citation,
        )
        for ask, verdict in zip(asks, verdicts, strict=True)
    )
    cost = evidence.cost
    for verdict in answers.values():
        if verdict.cost is not None:
            cost = cost + verdict.cost
    return evidence.model_copy(update={"pairs": evidence.pairs + found, "cost": cost})


def _settled(ask: Ask, verdict: Verdict) -> Verdict:
    """Return the verdict of marks on a claim's values, where they decide it; what is compared with gold is no passage."""
    if ask.pair is None or ask.role in {"gold_in_answer", "answer_in_gold"}:
        return verdict
    own = ask.role in {"cited", "part", "whole", "union"}
    return settled_by_marks(ask.pair, verdict, own=own, before=ask.before)


def _placed(verdict: Verdict, ask: Ask) -> Verdict:
    """Return a verdict whose quote is placed in the source, though only a part of it was read."""
    found = verdict.quote_span
    if not ask.spans or found is None or ask.pair is None or ask.pair.passage[slice(*found)] != verdict.quote:
        return verdict
    return verdict.model_copy(update={"quote_span": in_source(found, ask.spans)})


def _askable(asks: Sequence[Ask], *, failed: bool = False) -> dict[Pair, Pair]:
    """Return what a judge is to be asked for each pair, equal ones once."""
    return {ask.pair: ask.pair._replace(failed=failed) for ask in asks if ask.pair is not None}


async def _verdicts(pairs: Sequence[Pair], judge: Judge) -> Sequence[Verdict]:
    """Ask the judge. One that fails, or gives anything but a verdict for each pair, has said nothing."""
    try:
        verdicts: object = await judge.verdicts(pairs)
    except ShowableError:  # the user's to put right, such as a budget that is reached
        raise
    except Exception as error:  # noqa: BLE001 - whatever a plugged-in judge raises is data, not the end of the run
        failure, said = type(error).__name__, f"the judge failed: {type(error).__name__}: {error}"
    else:
        failure, said = "no verdicts", _wrong_with(verdicts, len(pairs))
        if isinstance(verdicts, list | tuple) and not said:
            return verdicts
    return [Verdict(label="unknown", judge=judge.name, reason=said, failure=failure)] * len(pairs)


def _wrong_with(verdicts: object, count: int) -> str:
    """Return what a judge gave in place of a list of verdicts; nothing where it gave one."""
    if not isinstance(verdicts, list | tuple):
        return f"the judge gave {type(verdicts).__name__} in place of a list of verdicts"
    if len(verdicts) != count:
        return f"the judge gave {len(verdicts)} verdicts for {count} pairs"
    other = next((type(one).__name__ for one in verdicts if not isinstance(one, Verdict)), None)
    return "" if other is None else f"the judge gave {other} in place of a verdict"


def _unasked(why: str) -> Verdict:
    return Verdict(label="unknown", judge="none", reason=why)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _alike(one: str, other: str) -> bool:
    ours, theirs = (set(_WORD.findall(text.casefold())) for text in (one, other))
    return len(ours & theirs) >= _ALIKE * min(len(ours), len(theirs))


def _sources(found: Iterable[Source]) -> list[Source]:
    """Take what a search gave, each id once. Raises TypeError for what are no sources."""
    by_id: dict[str, Source] = {}
    for source in found:
        if not isinstance(source, Source):
            raise TypeError(f"expected Source, got {type(source).__name__}")
        by_id.setdefault(source.source_id, source)
    return list(by_id.values())


def _to_be_kept(source: Source) -> Source:
    told = {name: source.metadata[name] for name in _KEPT if name in source.metadata}
    return source.model_copy(update={"metadata": told})


def bounds(
    record: Record, reading: Reading, judge: Judge, profile: Profile, corpus: Passages | None = None
) -> tuple[Cost, Cost]:
    """Say, without a call, the least and the most that gathering for this record may cost.

    The least is round 1 (every cited passage supports its claim), and the other passages where a conflict of
    sources matters; the most is all three rounds in full, as when no single passage supports and every union does,
    and every claim looked up in the corpus, where there is one and the log is not empty.
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
    if corpus is not None and record.retrieved:
        rest += [ask for index in range(len(plan.claims)) for ask in plan.behind_log(index, corpus)]
    at_first = _cost(first, judge)
    return at_first + _cost(plan.second(settled), judge), at_first + _cost(rest, judge)


def _cost(asks: Sequence[Ask], judge: Judge) -> Cost:
    return judge.estimate(list(_askable(asks).values()))
