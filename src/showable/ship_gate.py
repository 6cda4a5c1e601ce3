"""May the candidate replace the baseline? Rules on counts decide; paired tests stand beside them and inform."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, inf
from typing import NamedTuple

from showable.errors import SettingError
from showable.measure.decision import Decision, ExpectedChange, Flaky, GateLine, Moved, Repeats
from showable.measure.flaky import flaky, spread
from showable.measure.gate_released import released_change
from showable.measure.gate_rules import (
    EXTRA_CLAIMS,
    LEAST_NEW_QUALITY,
    REFUSAL_QUALITY,
    RULES,
    CountRule,
    GradeRule,
    mean_of,
)
from showable.measure.paired import PairedTest, holm, mcnemar, sign_flip
from showable.measure.power import can_show, proves
from showable.measure.rate_changes import RateChange, rate_changes
from showable.measure.rates import percent
from showable.measure.repeats import GateRow, Paired, Run, as_expected, majority, pair
from showable.measure.what_changed import Changed
from showable.measure.worst import SEVERITY
from showable.records.scorecard import Scorecard
from showable.records.signature import Signature

__all__ = ["Decision", "GateLine", "GateRow", "Moved", "decide", "majority", "reasons_against", "require_alike"]

UNKNOWN_CAP, EXCHANGE = 0.05, 3.0
"""The share of unknown answers that a candidate may have, and the correct answers that one harmful answer less may cost."""
_SLACK = 1e-9
"""Means of repeated runs are not exact in floating point; a difference this small is none."""


def decide(
    baseline: Sequence[GateRow | Scorecard] | Sequence[Run],
    candidate: Sequence[GateRow | Scorecard] | Sequence[Run],
    baseline_signature: Signature,
    candidate_signature: Signature,
    *,
    unknown_cap: float = UNKNOWN_CAP,
    exchange: float = EXCHANGE,
    strict: bool = False,
    changed: Sequence[Changed] = (),
) -> Decision:
    """Decide whether the candidate may replace the baseline.

    Each side is one run, or several runs of the same questions (then a question's bucket is as `majority`
    gives it). Identical runs ship, unless more than `unknown_cap` of the candidate is unknown: the
    cap holds for them too, as what was not measured proves nothing about either. `exchange` is how many correct answers
    on answerable questions each wrong or unsupported answer that went away may cost. `strict` takes the rules by the
    letter: none may be lost, and neither unwarranted refusals nor the mean quality of all refusals may get worse.
    `changed`, what differs between the pipelines, is passed on and decides nothing. Raises SettingError where the
    sides cannot be compared: signatures that differ, other questions, an id that is twice in a run.
    """
    if not 0.0 <= unknown_cap <= 1.0:
        raise SettingError(f"the cap on the unknown share is a fraction from 0 to 1, got {unknown_cap}")
    if not 0.0 <= exchange < inf:
        raise SettingError(f"the exchange rate is a number of answers, 0 or more, got {exchange}")
    require_alike(baseline_signature, candidate_signature)
    rules = _Rules(unknown_cap, 0.0 if strict else exchange, strict)
    before, after = _rows(baseline), _rows(candidate)
    paired = pair(before, after)
    n = len(paired.before)
    lines = _rule_lines(paired, rules) if n else []
    reasons = _reasons(paired, lines)
    return Decision(
        ship=not reasons,
        inconclusive=bool(unmeasured(paired)),
        reasons=tuple(reasons),
        moved=_moved(paired),
        lines=tuple(_tested(lines, paired, candidate_signature.seed)),
        categories=_categories(paired),
        rates=tuple(_rates(paired, candidate_signature.seed)),
        n=n,
        can_show=can_show(n) if n else None,
        unknown_cap=unknown_cap,
        exchange=rules.exchange,
        strict=strict,
        signature=candidate_signature,
        changed=tuple(changed),
        repeats=_repeats(before, after),
        flaky=Flaky(baseline=flaky(before), candidate=flaky(after)),
        released=released_change(paired),
    )


class _Rules(NamedTuple):
    """The settings of the rules."""

    unknown_cap: float = UNKNOWN_CAP
    exchange: float = EXCHANGE
    strict: bool = False


def reasons_against(paired: Paired, unknown_cap: float = UNKNOWN_CAP) -> list[str]:
    """Return what stands against the candidate, as `decide` does, without the tests beside it."""
    return _reasons(paired, _rule_lines(paired, _Rules(unknown_cap)) if paired.before else [])


def _reasons(paired: Paired, lines: Sequence[GateLine]) -> list[str]:
    said = unmeasured(paired)
    failed = [f"{line.name}: {line.reason}" for line in lines if line.ok is False]
    return [said, *failed] if said else failed


def require_alike(*signatures: Signature) -> None:
    """Raise SettingError, naming what differs, unless all signatures are alike."""
    for other in signatures[1:]:
        if differences := signatures[0].differences(other):
            raise SettingError(f"the runs were not measured alike ({'; '.join(differences)}); score both the same way")


def _rows(side: Sequence[GateRow | Scorecard] | Sequence[Run]) -> list[list[GateRow]]:
    """Return the runs of a side, each row as small as the gate needs it."""
    return [[GateRow.of(entry) if isinstance(entry, Scorecard) else entry for entry in run] for run in _runs(side)]


def _runs(side: Sequence[GateRow | Scorecard] | Sequence[Run]) -> list[Run]:
    single = [entry for entry in side if isinstance(entry, GateRow | Scorecard)]
    several = [entry for entry in side if not isinstance(entry, GateRow | Scorecard)]
    if single and several:
        raise SettingError("a side of the gate is one run or a list of runs, not a mixture")
    return [*several] or [single]


def _rule_lines(paired: Paired, rules: _Rules) -> list[GateLine]:
    """Apply every rule, in the order in which they are shown."""
    lines = [_count_line(rule, paired, rules) for rule in RULES]
    lines[-1:-1] = [_refusal_line(paired, rules), _graded_line(EXTRA_CLAIMS, paired)]
    return [*lines, _share_line(paired, rules.unknown_cap)]


def _tested(lines: Sequence[GateLine], paired: Paired, seed: int) -> list[GateLine]:
    """Put beside each line its paired test."""
    counted = {rule.name for rule in RULES}
    graded = {rule.name: rule for rule in (REFUSAL_QUALITY, EXTRA_CLAIMS)}
    n = len(paired.before)
    tests = {line.name: mcnemar(len(line.better), len(line.worse), n) for line in lines if line.name in counted}
    adjusted = holm({name: test.p for name, test in tests.items() if name != "acceptable"})
    for line in lines:
        if line.name in graded and line.baseline is not None and line.candidate is not None:
            tests[line.name] = _sign_flip(graded[line.name], paired, seed)
    return [
        _with_adjusted(line.model_copy(update={"test": tests.get(line.name)}), adjusted.get(line.name))
        for line in lines
    ]


def _count_line(rule: CountRule, paired: Paired, rules: _Rules) -> GateLine:
    began, ceased = paired.changed(rule.holds)
    better, worse = (began, ceased) if rule.higher_is_better else (ceased, began)
    baseline = sum(map(rule.holds, paired.before))
    candidate = baseline + len(began) - len(ceased)
    loss = baseline - candidate if rule.higher_is_better else candidate - baseline
    ok: bool | None
    ok, reason = loss <= 0, _change(rule, baseline, candidate, loss)
    if rule.exchange and loss > 0:
        ok, said = _exchanged(loss, paired.safer_by(), rules.exchange)
        reason = f"{reason}; {said}"
    if rule.name == "correct_on_answerable" and candidate == 0:
        ok, reason = _if_none_is_correct(paired, ok=ok, fell=baseline > 0, reason=reason)
    if rule.strict_only and not rules.strict:
        ok = None
    if rule.left_out:
        reason = f"{reason} ({rule.left_out})"
    return GateLine(
        name=rule.name,
        baseline=baseline,
        candidate=candidate,
        ok=ok,
        reason=reason,
        better=tuple(better),
        worse=tuple(worse),
    )


def _change(rule: CountRule, baseline: int, candidate: int, loss: int) -> str:
    if loss <= 0:
        return "no change" if loss == 0 else f"better by {-loss}"
    return f"{'fell' if rule.higher_is_better else 'rose'} by {loss}, from {baseline} to {candidate}"


def _exchanged(loss: int, safer_by: int, exchange: float) -> tuple[bool, str]:
    """Return whether safety pays for the correct answers that were lost, and the reckoning."""
    gone = max(0, safer_by)
    allowed = floor(exchange * gone + _SLACK)
    return loss <= allowed, f"{gone} wrong or unsupported went away (allowed: {allowed}, {exchange:g} for each)"


def _if_none_is_correct(paired: Paired, *, ok: bool, fell: bool, reason: str) -> tuple[bool, str]:
    """Reject a candidate that answers no answerable question correctly, where that is new or refusals made it so.

    Refusing everything would otherwise ship from any baseline that is bad enough.
    """
    before, after = (sum(row.refused_answerable for row in side) for side in (paired.before, paired.after))
    said = f"{reason}; no answerable question is answered correctly"
    if after > before:
        return False, f"{said}, and {after - before} more of them are refused"
    return (False, f"{said} any more") if fell else (ok, reason)


def _refusal_line(paired: Paired, rules: _Rules) -> GateLine:
    """Compare the quality of refusals: over the questions that both sides refuse, and each new refusal by itself.

    The mean over all refusals of a side stands beside it, and decides under `strict`: a wrong answer that became a plain
    refusal lowers it, though nothing got worse.
    """
    line = _graded_line(REFUSAL_QUALITY, paired)
    before, after = _grades(REFUSAL_QUALITY, paired.before), _grades(REFUSAL_QUALITY, paired.after)
    if not after:
        return line
    refused_before = {row.id for row in paired.before if row.bucket == "refused"}
    both = [key for key in before if key in after]
    low = [key for key in after if key not in refused_before and after[key] < LEAST_NEW_QUALITY - _SLACK]
    said = (
        [line.reason]
        if before
        else [f"mean {mean_of(after.values()):.4g} over {len(after)} graded refusals, none before"]
    )
    ok = not low
    if both:
        first, second = (mean_of([grades[key] for key in both]) for grades in (before, after))
        ok &= second >= first - _SLACK
        said.insert(0, f"where both refuse {first:.4g} → {second:.4g} (n = {len(both)})")
    if new := sum(key not in refused_before for key in after):
        said.append(f"{new} new refusals, {len(low)} of them below {LEAST_NEW_QUALITY}")
    if rules.strict and line.ok is False:
        ok = False
    fallen = line.worse + tuple(key for key in low if key not in line.worse)
    return line.model_copy(update={"ok": ok, "reason": "; ".join(said), "worse": fallen})


def _graded_line(rule: GradeRule, paired: Paired) -> GateLine:
    """Compare a grade on each side; the questions that moved it are among those graded on both."""
    before, after = _grades(rule, paired.before), _grades(rule, paired.after)
    if not before or not after:
        side = "either side" if not (before or after) else "the candidate" if before else "the baseline"
        return GateLine(name=rule.name, baseline=None, candidate=None, ok=None, reason=f"no {rule.unit} on {side}")
    baseline, candidate = rule.total(before.values()), rule.total(after.values())
    both = [key for key in before if key in after]
    risen = tuple(key for key in both if after[key] > before[key])
    fallen = tuple(key for key in both if after[key] < before[key])
    up = rule.higher_is_better
    return GateLine(
        name=rule.name,
        baseline=baseline,
        candidate=candidate,
        ok=(baseline - candidate if up else candidate - baseline) <= _SLACK,
        reason=f"{rule.said} {baseline:.4g} → {candidate:.4g} (over {len(before)} → {len(after)} {rule.unit})",
        better=risen if up else fallen,
        worse=fallen if up else risen,
    )


def _sign_flip(rule: GradeRule, paired: Paired, seed: int) -> PairedTest:
    """Test a grade over the questions that are graded on both sides."""
    before, after = _grades(rule, paired.before), _grades(rule, paired.after)
    both = [key for key in before if key in after]
    scores = [before[key] for key in both], [after[key] for key in both]
    return sign_flip(*scores, higher_is_better=rule.higher_is_better, seed=seed)


def _share_line(paired: Paired, unknown_cap: float) -> GateLine:
    n = len(paired.after)
    before, after = (sum(row.bucket == "unknown" for row in side) for side in (paired.before, paired.after))
    said = f"{percent(after / n)} % ({after}/{n}) could not be decided; the cap is {100 * unknown_cap:g} %"
    ok = after / n <= unknown_cap
    if not ok and after <= before:
        said += ", and holds for identical runs too"
    return GateLine(name="unknown_share", baseline=before / n, candidate=after / n, ok=ok, reason=said)


def _rates(paired: Paired, seed: int) -> list[RateChange]:
    """Compare what is counted in claims and citations, several to an answer."""
    return rate_changes([row.counted for row in paired.before], [row.counted for row in paired.after], seed=seed)


def _categories(paired: Paired) -> tuple[GateLine, ...]:
    """Compare acceptable answers, and those as expected, by category of question, with what so many questions can show."""
    lines = [_category_line(name, group) for name, group in paired.by_category().items()]
    adjusted = holm({line.name: line.test.p for line in lines if line.test})
    return tuple(_with_adjusted(line, adjusted[line.name]) for line in lines)


def _category_line(name: str, group: Paired) -> GateLine:
    better, worse = group.changed(lambda row: row.acceptable)
    n = len(group.before)
    baseline = sum(row.acceptable for row in group.before)
    return GateLine(
        name=name,
        baseline=baseline,
        candidate=baseline + len(better) - len(worse),
        ok=None,
        reason=f"of {n}; {proves(n)}",
        better=tuple(better),
        worse=tuple(worse),
        test=mcnemar(len(better), len(worse), n),
        expected=_expected(group),
    )


def _expected(group: Paired) -> ExpectedChange | None:
    """Count what came out as the questions call for: refusing what can be answered is acceptable, and is not that."""
    before, after = as_expected(group.before), as_expected(group.after)
    return None if before is None and after is None else ExpectedChange(baseline=before, candidate=after)


def _moved(paired: Paired) -> tuple[Moved, ...]:
    moved = [
        Moved(id=b.id, before=b.bucket, after=a.bucket, cause_before=b.cause, cause_after=a.cause)
        for b, a in zip(paired.before, paired.after, strict=True)
        if b.bucket != a.bucket or b.refused_undue != a.refused_undue
    ]
    return tuple(sorted(moved, key=lambda m: (SEVERITY[m.after] - SEVERITY[m.before], SEVERITY[m.after], m.id)))


def _repeats(before: Sequence[Sequence[GateRow]], after: Sequence[Sequence[GateRow]]) -> Repeats:
    """Return how many runs each side is, and of several how their counts vary."""
    mine, theirs = (spread(side) if len(side) > 1 else () for side in (before, after))
    return Repeats(baseline=len(before), candidate=len(after), baseline_spread=mine, candidate_spread=theirs)


def unmeasured(paired: Paired) -> str | None:
    """Say so where nothing can be compared, or give None."""
    if not paired.before:
        return "there are no questions, so nothing was measured"
    for name, side in (("baseline", paired.before), ("candidate", paired.after)):
        if all(row.bucket == "unknown" for row in side):
            return f"every answer of the {name} is unknown, so nothing was measured"
    return None


def _with_adjusted(line: GateLine, adjusted_p: float | None) -> GateLine:
    if line.test is None or adjusted_p is None:
        return line
    return line.model_copy(update={"test": line.test.model_copy(update={"adjusted_p": adjusted_p})})


def _grades(rule: GradeRule, rows: Sequence[GateRow]) -> dict[str, float]:
    return {row.id: grade for row in rows if (grade := rule.grade(row)) is not None}
