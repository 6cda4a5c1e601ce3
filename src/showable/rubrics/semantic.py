"""Semantic rubric: does the cited source, read alone, contain the claim? Read from saved verdicts; no judge is called."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from showable.records.evidence import Evidence, PairVerdict, Verdict
from showable.records.findings import Outcome, Subject
from showable.records.profile import Profile
from showable.records.record import Claim
from showable.records.scorecard import Support
from showable.rubrics.checks import Checks
from showable.rubrics.opinion_voices import as_holding
from showable.rubrics.resolvability import Resolution
from showable.rubrics.retrieval_log import RetrievalLog

_OTHER_SUFFICES = "another citation supports the claim without this one"
_OTHERS_SUFFICE = "the other citations together support the claim without this one"
_PADDING = frozenset({_OTHER_SUFFICES, _OTHERS_SUFFICE})
_BELOW = "the judge does not find it likely enough that the passage supports the claim"
_BY_LABEL: dict[str, str] = {
    "supported": _BELOW,
    "partial": "the passage says only part of the claim",
    "unsupported": "the passage does not say what the claim says",
    "contradicted": "the passage contradicts the claim",
    "unknown": "the judge gave no verdict on the passage",
}
_ADDRESSED = "the only support is a passage with text that addresses a judge"
_ELSEWHERE = "the source supports the claim, what the citation points at in it does not"
LABEL_REASONS = frozenset(_BY_LABEL.values())
"""What stands for the reason of a citation where the judge gave its label alone."""
MOST = 6.0
"""Log odds beyond these tell nothing more."""
HIGHEST_THRESHOLD = 0.99
"""However weak a source's tier, a judge that is certain is believed."""


def supports(verdict: Verdict, threshold: float, *, topical: bool = False, by_p: bool = False) -> Outcome:
    """Return whether a verdict is support: p at the threshold where the judge gives one, else its label.

    `partial` is not support, and neither is a label of contradiction, whatever the p. With `topical` a passage about the
    subject is enough, where the judge says that it is one. A passage that seems to tell a judge what to answer is no
    witness: its support is unknown. With `by_p` a verdict that is merely unsure counts as its p has it: of all claims
    together the answer's own probability decides.
    """
    if verdict.label == "unknown" and not (by_p and verdict.p is not None and not verdict.of_part):
        return Outcome.UNKNOWN
    if verdict.label == "contradicted":
        return Outcome.FAIL
    found = verdict.label == "supported" if verdict.p is None else verdict.p >= threshold
    if not found and not (topical and verdict.topical):
        return Outcome.FAIL
    return Outcome.UNKNOWN if verdict.injection_suspected else Outcome.PASS


@dataclass(slots=True)
class ClaimVerdicts:
    """What the judge said about one claim: by single source, by its citations joined, and with one left out.

    A source of which only a part is cited is `narrowed`: `single` is about that part, `whole` about all of the source.
    `parts` are about what one citation points at, by its number, where several point into one source.
    `others_read` says whether any source was read that the claim does not cite. `weights` are those of the
    sources' tiers, where a profile weighs them. `topical` says that a passage about the subject is enough for this claim, `by_p` that an
    unsure verdict counts as its p has it.
    """

    threshold: float
    single: dict[str, Verdict] = field(default_factory=dict)
    union: Verdict | None = None
    others_read: bool = False
    without: dict[str, Verdict] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    topical: bool = False
    narrowed: set[str] = field(default_factory=set)
    whole: dict[str, Verdict] = field(default_factory=dict)
    parts: dict[int, Verdict] = field(default_factory=dict)
    by_p: bool = False

    def decide(self, verdict: Verdict, source_ids: Sequence[str]) -> Outcome:
        """Return whether a verdict on these sources together supports the claim."""
        return supports(verdict, self.threshold_of(source_ids), topical=self.topical, by_p=self.by_p)

    def of(self, source_id: str) -> Outcome | None:
        """Return whether what is cited of this source supports the claim alone; None where it was not judged."""
        return self._support(self.single.get(source_id), source_id)

    def of_whole(self, source_id: str) -> Outcome | None:
        """Return whether all of this source supports the claim, more than what is cited of it; None where it was not judged."""
        if source_id not in self.narrowed or self.of(source_id) is Outcome.PASS:
            return self.of(source_id)
        return self._support(self.whole.get(source_id), source_id)

    def of_citation(self, number: int, source_id: str) -> Outcome | None:
        """Return whether what one citation points at supports the claim alone; None where it was not judged."""
        part = self.parts.get(number)
        return self.of(source_id) if part is None else self._support(part, source_id)

    def _support(self, verdict: Verdict | None, source_id: str) -> Outcome | None:
        return None if verdict is None else self.decide(verdict, [source_id])

    def threshold_of(self, source_ids: Sequence[str]) -> float:
        """Return the threshold that these sources must reach together: what is heard from a weaker tier must be clearer."""
        if not self.weights:
            return self.threshold
        weight = min((self.weights.get(source_id, 1.0) for source_id in source_ids), default=1.0)
        return min(self.threshold / weight, max(self.threshold, HIGHEST_THRESHOLD))

    @property
    def contradicting(self) -> list[str]:
        """The sources that contradict the claim, in the order judged. One that supports it elsewhere does not."""
        return [
            source_id
            for source_id, verdict in self.single.items()
            if any(
                v.label == "contradicted" and not v.miscalculated for v in (verdict, self.whole.get(source_id, verdict))
            )
            and self.of_whole(source_id) is not Outcome.PASS
        ]

    def miscalculation(self, source_ids: Sequence[str]) -> Verdict | None:
        """Return the verdict that what the claim reckons from all of these sources does not come out; None where none says so."""
        verdict = (
            self.union if len(source_ids) > 1 else next((self.single[i] for i in source_ids if i in self.single), None)
        )
        return verdict if verdict is not None and verdict.miscalculated else None

    def supporting_among(self, source_ids: Sequence[str]) -> list[str]:
        """The sources of these that support the claim alone."""
        return [source_id for source_id in source_ids if self.of(source_id) is Outcome.PASS]


@dataclass(slots=True)
class ClaimSupport:
    """Support of one claim, three-valued: by its own citations, by any of the log; contradiction; each citation's part."""

    own: Outcome
    log: Outcome
    contradicted: Outcome
    label: Support
    p: float | None
    verdicts: ClaimVerdicts
    citations: list[tuple[Outcome, str]]
    miscalculated: bool = False

    def read_by_p(self, resolved: Sequence[Resolution], log: RetrievalLog) -> ClaimSupport:
        """Return the same with unsure verdicts read by their p."""
        return _judge_claim(resolved, replace(self.verdicts, by_p=True), log)

    def odds(self, resolved: Sequence[Resolution]) -> float | None:
        """Return the log odds of support beyond those of the threshold; None where no judge gave a probability.

        The best of the cited passages and their union counts; of a claim that cites nothing, the best of the log.
        """
        table, cited = self.verdicts, _cited_ids(resolved)
        read: Iterable[tuple[Verdict, list[str]]]
        if resolved:
            read = [(table.single[i], [i]) for i in cited if i in table.single]
            read += [(table.union, cited)] if table.union is not None else []
        else:
            read = [(verdict, [i]) for i, verdict in table.single.items()]
        found = [
            min(
                log_odds(verdict.p) - log_odds(table.threshold_of(ids)),
                0.0 if verdict.label == "contradicted" else MOST,
            )
            for verdict, ids in read
            if verdict.p is not None and not verdict.injection_suspected and not verdict.of_part
        ]
        return max(found, default=None)


def tier_weights(log: RetrievalLog, profile: Profile) -> Mapping[str, float]:
    """Return each source's weight under a profile that weighs tiers; the best of its passages counts."""
    if not profile.tiers:
        return {}
    return {i: max(profile.weight(s.metadata.get("tier")) for s in group) for i, group in log.by_id.items()}


def gather_verdicts(
    claims: Sequence[Claim], evidence: Evidence, profile: Profile, log: RetrievalLog
) -> list[ClaimVerdicts]:
    """Sort saved verdicts on the log by claim; what a court held is borne out by its own words alone.

    Those on gold pairs and on the corpus behind the log are read elsewhere.
    """
    weights = tier_weights(log, profile)
    tables = [
        ClaimVerdicts(profile.thresholds.of(claim.kind), weights=weights, topical=claim.kind in profile.topical)
        for claim in claims
    ]
    for pair in evidence.pairs:
        if pair.role in {"gold_in_answer", "answer_in_gold", "corpus"} or pair.claim >= len(tables):
            continue
        _file(tables[pair.claim], as_holding(claims[pair.claim], pair, log))
    return tables


def _file(table: ClaimVerdicts, pair: PairVerdict) -> None:
    if pair.role == "union":
        table.union = pair.verdict
    elif pair.role == "leave_one_out":
        table.without["\n".join(pair.sources)] = pair.verdict
    elif pair.role == "whole":
        table.whole[pair.sources[0]] = pair.verdict
    elif pair.role == "part":
        if pair.citation is not None:
            table.parts[pair.citation] = pair.verdict
    else:
        table.others_read = table.others_read or pair.role == "other"
        table.single[pair.sources[0]] = pair.verdict
        if pair.spans:
            table.narrowed.add(pair.sources[0])


def judge_claims(
    claims: Sequence[Claim],
    resolutions: Sequence[Sequence[Resolution]],
    verdicts: Sequence[ClaimVerdicts],
    *,
    log: RetrievalLog,
    checks: Checks,
) -> list[ClaimSupport]:
    """Decide support claim by claim, and say of each citation whether it carries its part."""
    supported = []
    for index, (claim, resolved, table) in enumerate(zip(claims, resolutions, verdicts, strict=True)):
        support = _judge_claim(resolved, table, log)
        _report(index, claim, resolved, support, checks)
        supported.append(support)
    return supported


def _judge_claim(resolved: Sequence[Resolution], table: ClaimVerdicts, log: RetrievalLog) -> ClaimSupport:
    own = _own_support(resolved, table)
    read = [table.of_whole(source_id) for source_id in table.single]
    unread = not log.logged or (len(log) > len(_cited_ids(resolved)) and not table.others_read)
    if own is Outcome.PASS or Outcome.PASS in read:
        anywhere = Outcome.PASS
    else:
        open_ends = unread or own is Outcome.UNKNOWN or Outcome.UNKNOWN in read or None in read
        anywhere = Outcome.UNKNOWN if open_ends else Outcome.FAIL
    if table.contradicting:
        contradicted = Outcome.PASS
    else:
        contradicted = Outcome.UNKNOWN if unread or Outcome.UNKNOWN in read or None in read else Outcome.FAIL
    citations = [_citation_part(number, resolved, table, own) for number in range(len(resolved))]
    label, p = _label(resolved, table, own), _probability(resolved, table)
    miscalculated = own is not Outcome.PASS and table.miscalculation(_cited_ids(resolved)) is not None
    return ClaimSupport(own, anywhere, contradicted, label, p, table, citations, miscalculated)


def _cited_ids(resolved: Sequence[Resolution]) -> list[str]:
    """The ids cited that stand in the log, each once, in order."""
    ids = (r.citation.source_id for r in resolved if r.in_log is Outcome.PASS)
    return list(dict.fromkeys(source_id for source_id in ids if source_id is not None))


def _own_support(resolved: Sequence[Resolution], table: ClaimVerdicts) -> Outcome:
    """Support by the citations together: one suffices, else their union, else it is as unknown as any of them."""
    if not resolved:
        return Outcome.FAIL
    singles = [table.of(source_id) for source_id in _cited_ids(resolved)]
    if Outcome.PASS in singles:
        return Outcome.PASS
    union = None if table.union is None else table.decide(table.union, _cited_ids(resolved))
    if union is Outcome.PASS:
        return Outcome.PASS
    unasked = union is None and len(singles) > 1  # evidence gathered under a lower threshold
    open_ends = unasked or union is Outcome.UNKNOWN or None in singles or Outcome.UNKNOWN in singles
    unjoined = any(r.in_log is Outcome.UNKNOWN for r in resolved)
    return Outcome.UNKNOWN if open_ends or unjoined else Outcome.FAIL


def _citation_part(
    number: int, resolved: Sequence[Resolution], table: ClaimVerdicts, own: Outcome
) -> tuple[Outcome, str]:
    """Return whether one citation entails the claim alone, or is needed by the union that does (ALCE citation precision)."""
    resolution = resolved[number]
    source_id = resolution.citation.source_id
    if resolution.in_log in {Outcome.FAIL, Outcome.NOT_APPLICABLE}:
        return Outcome.FAIL, resolution.reason
    alone = None
    if source_id is not None and resolution.in_log is Outcome.PASS:
        alone = table.of_citation(number, source_id)
    if source_id is None or alone is None:
        return Outcome.UNKNOWN, "no judge has read the cited passage"
    verdict = table.parts.get(number, table.single[source_id])
    if alone is not Outcome.FAIL:
        return alone, "" if alone is Outcome.PASS else _why_not(verdict, alone)
    elsewhere = table.of_whole(source_id) is Outcome.PASS
    if own is not Outcome.PASS or (verdict.label == "contradicted" and not elsewhere):
        return Outcome.FAIL, _ELSEWHERE if elsewhere else _why_not(verdict, alone)
    if number in table.parts and table.of(source_id) is Outcome.PASS:
        return _needed_part(number, resolved, table)
    return _needed(source_id, _cited_ids(resolved), table, _ELSEWHERE if elsewhere else _OTHER_SUFFICES)


def _why_not(verdict: Verdict, outcome: Outcome) -> str:
    """Return why a verdict is no support; one that is unknown for its passage alone has another reason than the judge's."""
    if outcome is Outcome.UNKNOWN and verdict.label != "unknown":
        return _ADDRESSED
    return verdict.reason or _BY_LABEL[verdict.label]


def _needed_part(number: int, resolved: Sequence[Resolution], table: ClaimVerdicts) -> tuple[Outcome, str]:
    """Return whether the words of one citation are needed beside those of others into the same source, which together suffice."""
    source_id = resolved[number].citation.source_id or ""
    rest = [at for at, r in enumerate(resolved) if r.citation.source_id == source_id and at != number]
    outcomes = [table.of_citation(at, source_id) for at in rest]
    if Outcome.PASS in outcomes:
        return Outcome.FAIL, _ELSEWHERE
    if len(rest) == 1 and outcomes[0] is Outcome.FAIL:
        return Outcome.PASS, "the claim needs it beside the other citations"
    return Outcome.UNKNOWN, "it was not decided whether the other citations support the claim without this one"


def _needed(source_id: str, cited: list[str], table: ClaimVerdicts, unneeded: str) -> tuple[Outcome, str]:
    if table.supporting_among(cited):
        return Outcome.FAIL, unneeded
    rest = [other for other in cited if other != source_id]
    without = table.single.get(rest[0]) if len(rest) == 1 else table.without.get("\n".join(rest))
    outcome = Outcome.UNKNOWN if without is None else table.decide(without, rest)
    if outcome is Outcome.FAIL:
        return Outcome.PASS, "the claim needs it beside the other citations"
    if outcome is Outcome.PASS:
        return Outcome.FAIL, _OTHERS_SUFFICE
    return Outcome.UNKNOWN, "it was not decided whether the other citations support the claim without this one"


def _label(resolved: Sequence[Resolution], table: ClaimVerdicts, own: Outcome) -> Support:
    if not resolved:
        return "uncited"
    if own is Outcome.PASS:
        return "supported"
    if own is Outcome.UNKNOWN:
        return "unknown"
    labels = {table.single[i].label for i in _cited_ids(resolved) if i in table.single}
    if set(_cited_ids(resolved)) & set(table.contradicting):
        return "contradicted"
    return "partial" if "partial" in labels or (table.union and table.union.label == "partial") else "unsupported"


def log_odds(p: float) -> float:
    """Return ln(p / (1 − p)), at most `MOST` either way."""
    edge = 1 / (1 + math.exp(MOST))
    held = min(1 - edge, max(edge, p))
    return math.log(held / (1 - held))


def _probability(resolved: Sequence[Resolution], table: ClaimVerdicts) -> float | None:
    """Return the best probability among the cited passages and their union."""
    verdicts = [table.single[i] for i in _cited_ids(resolved) if i in table.single]
    if table.union is not None:
        verdicts.append(table.union)
    return max((v.p for v in verdicts if v.p is not None), default=None)


_SAID: dict[Support, tuple[str, Outcome, str]] = {
    "unknown": ("semantic.unjudged", Outcome.UNKNOWN, "the judge gave no verdict on the cited passages"),
    "contradicted": ("semantic.contradicted", Outcome.FAIL, "the passage that it cites contradicts the claim"),
    "partial": ("semantic.partial", Outcome.FAIL, "the cited passages say only part of the claim"),
    "unsupported": ("semantic.not_entailed", Outcome.FAIL, "the cited passages do not say what the claim says"),
}


def _report(index: int, claim: Claim, resolved: Sequence[Resolution], support: ClaimSupport, checks: Checks) -> None:
    subject = Subject(claim=index)
    wrong = support.verdicts.miscalculation(_cited_ids(resolved)) if support.miscalculated else None
    if wrong is not None:
        checks.failed("semantic.miscalculated", wrong.reason or "it does not come out", subject, claim.span)
    elif support.label == "supported":
        checks.passed("semantic.not_entailed")
    elif support.label == "uncited":
        checks.not_applicable("semantic.not_entailed")
    else:
        code, outcome, otherwise = _SAID[support.label]
        table = support.verdicts
        cited = [(table.single[i], table.of(i)) for i in _cited_ids(resolved) if i in table.single]
        reasons = (_why_not(verdict, of) for verdict, of in cited if of is not None)
        why = next((reason for reason in reasons if reason not in LABEL_REASONS), otherwise)
        checks.note(code, outcome, why, subject, claim.span)
    _report_log(subject, claim, support, checks)
    for number, (outcome, reason) in enumerate(support.citations):
        if outcome is Outcome.FAIL and reason in _PADDING:
            at = Subject(claim=index, citation=number)
            checks.failed("semantic.padding", reason, at, resolved[number].citation.span)
        if outcome is Outcome.FAIL and reason == _ELSEWHERE:
            at = Subject(claim=index, citation=number)
            checks.failed(
                "semantic.quote_does_not_support", _elsewhere(resolved[number]), at, resolved[number].citation.span
            )
    for source_id, verdict in support.verdicts.single.items():
        if verdict.injection_suspected:
            said = f"{source_id!r} contains text that addresses a judge"
            checks.failed("semantic.injection_suspected", said, subject)


def _elsewhere(resolution: Resolution) -> str:
    citation = resolution.citation
    words = "the words that the citation quotes" if citation.quoted_span else f"page {citation.page}, which it cites,"
    return f"{citation.source_id!r} supports the claim, {words} {'do' if citation.quoted_span else 'does'} not"


def _report_log(subject: Subject, claim: Claim, support: ClaimSupport, checks: Checks) -> None:
    against = support.verdicts.contradicting
    if not against:
        return
    if support.own is Outcome.PASS:
        contradict = "contradicts" if len(against) == 1 else "contradict"
        said = f"its citation supports the claim, but {', '.join(map(repr, against))} {contradict} it"
        checks.failed("semantic.sources_conflict", said, subject, claim.span)
    elif support.label != "contradicted":
        why = support.verdicts.single[against[0]].reason
        said = f"{against[0]!r} contradicts the claim" + (f": {why}" if why else "")
        checks.failed("semantic.contradicted", said, subject, claim.span)
