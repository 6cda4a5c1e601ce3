"""The effect of the refusal licence: the same pipeline with and without it, question by question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Literal

from showable.measure.comparison import Difference, LicenceEffect, LicenceMove, Swap
from showable.measure.contender import is_in
from showable.measure.paired import holm, mcnemar
from showable.measure.repeats import GateRow, Paired, pair
from showable.measure.summary import BUCKETS
from showable.measure.worst import SEVERITY
from showable.records.asking import PipelineFacts

_NOT_THE_PIPELINE = frozenset({"label", "prompt", "refusal_licence", "repeat", "repeats", "at"})
"""What two runs may differ in and still show the licence's effect: a prompt with the licence is another prompt by name."""
_THE_MODEL = frozenset({"name", "model", "model_class", "endpoint"})
_MOST_MODELS = 6
_ACCEPTABLE = "acceptable"
_TWO = 2


def licence_pairs(facts: Sequence[PipelineFacts | None]) -> list[tuple[int, int]]:
    """Return the pairs of places (without the licence, with it) of pipelines that, as far as they say, differ in nothing else.

    Prompts go by name, without their hash and the words ``licensed`` and ``unlicensed``. A row that has more than one
    partner is in no pair: `licence_unclear` has it.
    """
    return [(without[0], licensed[0]) for without, licensed in _alike(facts) if len(without) == len(licensed) == 1]


def licence_unclear(facts: Sequence[PipelineFacts | None]) -> list[tuple[list[int], list[int]]]:
    """Return the places without the licence and with it that differ in nothing else, where more than one pairing fits."""
    return [(without, licensed) for without, licensed in _alike(facts) if len(without) + len(licensed) > _TWO]


def model_pairs(facts: Sequence[PipelineFacts | None]) -> list[tuple[int, int]]:
    """Return the pairs of places of pipelines that say nothing else of themselves that differs but their model.

    A pipeline's name may hold its model's (``chat:MODEL``), which is no other difference.
    """
    groups: dict[tuple[str, str, str | None, bool | None], list[int]] = {}
    for place, one in enumerate(facts):
        if one is not None and one.model:
            same = one.model_dump_json(exclude=set(_NOT_THE_PIPELINE | _THE_MODEL))
            name = one.name.replace(f":{one.model}", ":")
            groups.setdefault((name, same, _form(one.prompt), one.refusal_licence), []).append(place)
    pairs = (pair for places in groups.values() for pair in combinations(places, 2))
    return [(a, b) for a, b in pairs if _model_of(facts[a]) != _model_of(facts[b])]


def swaps(facts: Sequence[PipelineFacts | None], folded: Sequence[Sequence[GateRow]]) -> tuple[Swap, ...]:
    """Return the effects of the licence and of the model beside each other; none where the runs show only one kind."""
    licence, models = licence_pairs(facts), model_pairs(facts)
    if not (licence and models):
        return ()
    found: list[tuple[Literal["licence", "model"], int, int]]
    found = [("licence", a, b) for a, b in licence] + [("model", a, b) for a, b in models[:_MOST_MODELS]]
    return tuple(
        Swap(
            swapped=kind,
            baseline=a + 1,
            candidate=b + 1,
            n=len(folded[a]),
            lines=_lines(pair([folded[a]], [folded[b]])),
        )
        for kind, a, b in found
    )


def licence_effect(without: int, licensed: int, plain: Sequence[GateRow], given: Sequence[GateRow]) -> LicenceEffect:
    """Compare two rows, numbered `without` and `licensed`, over the same questions."""
    both = pair([plain], [given])
    return LicenceEffect(
        without=without,
        licensed=licensed,
        n=len(both.before),
        differences=_lines(both),
        moved=_moved(both),
    )


def _lines(both: Paired) -> tuple[Difference, ...]:
    """Compare every bucket and the acceptable answers, each with its paired test, corrected over the buckets."""
    named: list[tuple[str, Callable[[GateRow], bool]]] = [(bucket, is_in(bucket)) for bucket in BUCKETS]
    lines = [_difference(name, holds, both) for name, holds in [*named, (_ACCEPTABLE, lambda row: row.acceptable)]]
    adjusted = holm({line.name: line.test.p for line in lines if line.name != _ACCEPTABLE})
    return tuple(_adjusted(line, adjusted.get(line.name)) for line in lines)


def _model_of(facts: PipelineFacts | None) -> tuple[str | None, str | None]:
    return (None, None) if facts is None else (facts.model, facts.endpoint)


def _alike(facts: Sequence[PipelineFacts | None]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield places without the licence and with it, of one pipeline and form of prompt; not where there is only one kind."""
    groups: dict[tuple[str, str | None], tuple[list[int], list[int]]] = {}
    for place, one in enumerate(facts):
        if one is not None and one.refusal_licence is not None:
            groups.setdefault((_pipeline(one), _form(one.prompt)), ([], []))[one.refusal_licence].append(place)
    return (sides for sides in groups.values() if all(sides))


def _pipeline(facts: PipelineFacts) -> str:
    """Write down all that must be the same: name, model, endpoint, questions and whatever else is said."""
    return facts.model_dump_json(exclude=set(_NOT_THE_PIPELINE))


def _form(prompt: str | None) -> str | None:
    """Return the name of a prompt without its hash and without what says that it has the licence."""
    if prompt is None:
        return None
    return "-".join(word for word in prompt.partition("@")[0].split("-") if word not in {"licensed", "unlicensed"})


def _difference(name: str, holds: Callable[[GateRow], bool], both: Paired) -> Difference:
    began, ceased = both.changed(holds)
    return Difference(
        name=name,
        without=sum(map(holds, both.before)),
        licensed=sum(map(holds, both.after)),
        test=mcnemar(len(began), len(ceased), len(both.before)),
    )


def _adjusted(line: Difference, p: float | None) -> Difference:
    return line if p is None else line.model_copy(update={"test": line.test.model_copy(update={"adjusted_p": p})})


def _moved(both: Paired) -> tuple[LicenceMove, ...]:
    moved = [
        LicenceMove(id=b.id, category=b.category, without=b.bucket, licensed=a.bucket)
        for b, a in zip(both.before, both.after, strict=True)
        if b.bucket != a.bucket
    ]
    return tuple(sorted(moved, key=lambda m: (SEVERITY[m.licensed] - SEVERITY[m.without], SEVERITY[m.licensed], m.id)))
