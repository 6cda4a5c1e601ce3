"""From what people say to what holds: one value a target, where those whose word counts agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from showable.records.label_guide import About
from showable.records.labels import CANNOT_TELL, Label, ReviewerRole, Target, Value

Counts = Callable[[About, ReviewerRole], bool]


@dataclass(frozen=True, slots=True)
class Settled:
    """What labels come to. Every target with a word on it is in just one of `gold`, `unsettled`, `cannot_tell` and `uncounted`.

    `gold` holds what is settled; `unsettled` the targets on which those who count disagree; `cannot_tell` those of which
    all that count say so; `uncounted` those that nobody whose word counts has labelled. `not_counted` are the labels left
    out by role. `by_reviewer` holds the blind words by name, before any adjudication, for inter-rater figures: of those
    whose word counts, and without those who cannot tell. `differing` are the targets on which two who count and can tell
    said different things, whether or not a majority or an adjudication decides them. All are in the order of the targets.
    """

    gold: dict[Target, Value] = field(default_factory=dict)
    unsettled: list[Target] = field(default_factory=list)
    cannot_tell: list[Target] = field(default_factory=list)
    uncounted: list[Target] = field(default_factory=list)
    not_counted: list[Label] = field(default_factory=list)
    by_reviewer: dict[Target, dict[str, Value]] = field(default_factory=dict)
    adjudicated: set[Target] = field(default_factory=set)
    differing: list[Target] = field(default_factory=list)

    @property
    def disagreements(self) -> list[Target]:
        """Return what people differ on and no adjudication has decided: who is outvoted disagrees too."""
        return sorted({*self.unsettled, *self.differing} - (self.adjudicated - {*self.unsettled}), key=target_order)


def settle(
    labels: Iterable[Label],
    counts: Counts,
    hold_out: Collection[str] = (),
    earlier: Iterable[Label] = (),
    refusals: Collection[str] = (),
) -> Settled:
    """Settle every target that is labelled. `labels` are last words (`LabelStore.current`), of one run and not stale.

    A label that adjudicates stands over all others. Else the value holds that more than half of the counted labels give;
    who cannot tell has no vote unless nobody can. `counts` says whose labels count (`Profile.counts`). Of `hold_out`, the
    records held out, refusals take the labels of senior reviewers alone: what they say of the bucket and of the quality of
    a refusal, on every record that anybody calls refused or whose refusal anybody graded, and on all of `refusals` (what
    `measure/labelled_refusals.refusal_cases` gives): to call a refusal something else needs a senior too. Comments settle
    nothing. The order of the labels does not matter.

    `earlier` may hold the whole log (`LabelStore.history`, without what is stale): where somebody changed their word after
    they saw what the judge or others say, their last blind word stays the one that `by_reviewer` compares. To leave such
    cases out would flatter people.
    """
    said: dict[Target, list[Label]] = defaultdict(list)
    for label in labels:
        if label.value is not None and label.about != "comment":
            said[label.target].append(label)
    refused = {target.record for target, words in said.items() if _refused(words)}
    held_out = refused.union(refusals) & set(hold_out)
    settled, blind = Settled(), _blind_words(earlier)
    for target in sorted(said, key=target_order):
        _settle_one(
            target, sorted(said[target], key=_label_order), _seniors_only(counts, target, held_out), blind, settled
        )
    return settled


def _blind_words(labels: Iterable[Label]) -> dict[tuple[Target, str], Value]:
    """Return the last word that each person gave blind on each target, whatever they said later."""
    given = [label for label in labels if label.blind and not label.adjudicated and label.value is not None]
    ordered = sorted(given, key=lambda label: (datetime.fromisoformat(label.at), label.id))
    return {(label.target, label.reviewer): label.value for label in ordered if label.value is not None}


def target_order(target: Target) -> tuple[str, str, int, int]:
    """Return a sort key: by record, by what it is about, by claim, by citation."""
    claim, citation = (-1 if one is None else one for one in (target.claim, target.citation))
    return target.record, target.about, claim, citation


def _label_order(label: Label) -> tuple[str, bool, str]:
    return label.reviewer, label.adjudicated, label.id


def _refused(words: Sequence[Label]) -> bool:
    return any(
        label.about == "refusal_quality" or (label.about == "bucket" and label.value == "refused") for label in words
    )


def _seniors_only(counts: Counts, target: Target, refusals: Collection[str]) -> Counts:
    if target.record in refusals and target.about in ("bucket", "refusal_quality"):
        return lambda about, role: role == "senior" and counts(about, role)
    return counts


def _settle_one(
    target: Target, words: Sequence[Label], counts: Counts, blind: Mapping[tuple[Target, str], Value], into: Settled
) -> None:
    counted = [label for label in words if counts(target.about, label.role)]
    into.not_counted.extend(label for label in words if label not in counted)
    if not counted:
        into.uncounted.append(target)
        return
    own = [label for label in counted if not label.adjudicated]
    words_given = {label.reviewer: label.value if label.blind else blind.get((target, label.reviewer)) for label in own}
    if told := {name: value for name, value in words_given.items() if value is not None and value != CANNOT_TELL}:
        into.by_reviewer[target] = told
    if len({label.value for label in own if label.value != CANNOT_TELL}) > 1:
        into.differing.append(target)
    deciding = [label for label in counted if label.adjudicated]
    if deciding:
        into.adjudicated.add(target)
    votes = Counter(label.value for label in deciding or counted if label.value != CANNOT_TELL)
    if not votes:
        into.cannot_tell.append(target)
        return
    value, most = votes.most_common(1)[0]
    if value is None or 2 * most <= votes.total():
        into.unsettled.append(target)
    else:
        into.gold[target] = value
