"""Answers of a window made by hand, as a feed reads them: a kind of failure is a cause and what it shows."""

from __future__ import annotations

from showable.production.feed.contrast import Circumstances
from showable.production.feed.facts import Facts
from showable.production.feed.fixes import Failure
from showable.production.feed.items import Item

DAY = 86_400 * 10**9
NOW = 20_000 * DAY
SUBJECTS = (
    "the tenant repairs the roof",
    "the ferry carries cars to the island",
    "the tablet is taken twice a day",
    "kelp forests recover in cold water",
    "the council voted for the tram",
    "a quorum is three directors",
    "the licence ends after two years",
    "the cell keeps its capacity",
    "nurses slept longer with lenses",
    "the river rose above the wall",
)
KINDS = {
    "case": {"cause": ("invented_source",), "codes": ("resolvability.not_retrieved",), "cited": ("case",)},
    "page": {"cause": ("wrong_page",), "codes": ("resolvability.wrong_page",), "cited": ("page",)},
    "uncited": {
        "cause": ("uncited",),
        "codes": ("structural.uncited_claim",),
        "citations": ("0",),
        "support": ("uncited",),
    },
    "numbers": {
        "cause": ("contradicts_source",),
        "codes": ("semantic.contradicted",),
        "contradicted": ("pass",),
        "difference": ("number",),
        "support": ("contradicted",),
    },
}
SCORES = {
    "factual_grounding": 2,
    "privacy_and_safety": "not looked for",
    "instruction_adherence": 4,
    "optimal_plan_execution": "no trace",
}


def failing(kind, n, *, text=None, at_ns=None, versions=None, fields=None, weight=1.0, same=None):
    """One failing answer; its text is about one of ten subjects unless given."""
    features = {family: tuple(values) for family, values in sorted(KINDS[kind].items())}
    said = f"{SUBJECTS[n % len(SUBJECTS)]} {n}" if text is None else text
    answer = f"{kind}-{n:03}"
    item = Item(answer, features, said, same or answer, at_ns=at_ns, weight=weight)
    failure = Failure(features, "generator", f"question {answer}", said.casefold(), near=False)
    return _facts(
        answer,
        "failing",
        at_ns=at_ns,
        versions=versions,
        fields=fields,
        weight=weight,
        item=item,
        failure=failure,
        scores=dict(SCORES),
    )


def passing(n, *, standing="passing", at_ns=None, versions=None, fields=None, weight=1.0, answer=None):
    """One answer that passes, or of which that is not known."""
    return _facts(answer or f"well-{n:04}", standing, at_ns=at_ns, versions=versions, fields=fields, weight=weight)


def window_of(*kinds, each=15, passes=40):
    """Failing answers of some kinds, and passing ones."""
    return [failing(kind, n) for kind in kinds for n in range(each)] + [passing(n) for n in range(passes)]


def _facts(answer, standing, *, at_ns, versions, fields, weight, **failed):
    held = {"document": ("handbook",), **(fields or {})}
    return Facts(
        answer=answer,
        standing=standing,
        question=f"question {answer}",
        at_ns=at_ns,
        weight=weight,
        trace="",
        service=held.get("service", ("",))[0],
        versions=versions or {},
        circumstances=Circumstances(held, held.get("service", ("",))[0], weight or 1.0),
        **failed,
    )
