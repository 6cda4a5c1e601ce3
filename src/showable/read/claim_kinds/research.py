"""Claims in a review or paper: what the cited work itself found, what it reports of others, what is common ground."""

from __future__ import annotations

from showable.read.claim_kinds.rule import KindRules, says

_AT_SECOND_HAND = says(
    r"(?:as )?(?:cited|quoted|reported|discussed|summari[sz]ed|reviewed) (?:in|by)", r"systematic reviews?", r"meta-?anal\w+", r"(?:literature|narrative|scoping|recent) reviews?",
    r"according to (?:a|the|one|several) (?:review|textbook|survey of|handbook|encyclop\w+)", r"surveys? of the literature", r"citing", r"secondary (?:source|analysis)",
)  # fmt: skip
_FOUND = says(
    r"found", r"finds?", r"show(?:s|ed|n)?", r"demonstrat\w+", r"report(?:s|ed)?", r"observ(?:ed|es)", r"measured", r"estimat(?:ed|es)", r"reveal\w*", r"outperform\w*",
    r"achiev\w+", r"yield(?:s|ed)?", r"results? (?:indicate|suggest|show)\w*", r"evidence that", r"significant(?:ly)?", r"correlat\w+", r"associated with", r"replicat\w+", r"(?:increase|decrease|improve|reduce)[ds]",
    r"p\s*[<=>]\s*0?\.\d+", r"95\s?% CI", r"effect size", r"accuracy of", r"proposed?", r"introduc(?:es?|ed)",
    r"reach(?:es|ed)", r"scored", r"detected", r"conclud(?:es?|ed)", r"gained", r"lost", r"doubled", r"(?:rose|fell|dropped|declined) (?:by|from|to)", r"differ(?:ed|s)?", r"differences? between",
    r"(?!rather|other|whether)\w+er than", r"(?:more|less|fewer|better|worse)\s+(?:\w+\s+){0,2}than",
    r"(?:the|this|our|their) (?:present |current )?(?:study|trial|experiment|survey|cohort|sample) (?:\w+ly )?\w+ed",
)  # fmt: skip
_COMMON = says(
    r"has long been", r"have long been", r"is (?:widely|generally|well) (?:known|accepted|understood|established)", r"traditionally", r"historically",
    r"is defined as", r"refers to", r"is a (?:type|kind|form|branch) of", r"in recent years",
)  # fmt: skip

RESEARCH = KindRules(
    rules=(
        ("secondary_source", _AT_SECOND_HAND),
        ("background", _COMMON),
        ("primary_finding", _FOUND),
    ),
    otherwise="background",
)
