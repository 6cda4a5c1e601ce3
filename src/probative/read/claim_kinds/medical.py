"""Clinical claims: how much of a drug, what is advised, what may harm, what works, how common it is."""

from __future__ import annotations

from probative.read.claim_kinds.rule import KindRules, says

_UNIT = r"(?:mg|mcg|µg|μg|g|ml|mL|units?|IU|mmol|mEq|tablets?|capsules?|puffs?|drops?|mg/kg|mcg/kg|mg/m2|mg/m²)"
_DOSAGE = says(
    rf"\d[\d,.]*\s*(?:[-–]|to)?\s*(?:\d[\d,.]*\s*)?{_UNIT}(?:/(?:kg|m2|m²|day|d|h|hour|week|dose))*\s*(?:\w+\s+){{0,3}}(?:daily|a day|per day|each day|once|twice|three times|every|weekly|at bedtime|b\.?i\.?d|t\.?i\.?d|q\.?d|orally|by mouth|intravenously|subcutaneously|IV|PO)",
    r"(?:starting|initial|loading|maintenance|maximum|minimum|recommended|usual|daily|single|total|target|typical|adult|paediatric|pediatric)(?:\s+\w+){0,2}\s+(?:dose|dosage|dosing)",
    r"dos(?:e|es|age|ing)\s+(?:of|is|are|was|should|must|may|can|for|range|adjustment|reduction|increase)",
    r"titrat(?:e|ed|ion)", r"(?:take|give|administer)(?:ed)?\s+(?:\w+\s+){0,4}\d",
)  # fmt: skip
_RECOMMENDED = says(
    r"recommend(?:s|ed|ation|ations)?", r"guidelines?", r"first[- ]line", r"second[- ]line", r"is indicated", r"are indicated", r"advis(?:e|es|ed)",
    r"should (?:not )?(?:be|receive|undergo|take|avoid|start|stop|consider|have|use)", r"standard of care", r"preferred (?:treatment|therapy|agent|option)",
    r"class (?:I|II|IIa|IIb|III)\b", r"grade [A-D] ", r"good practice",
)  # fmt: skip
_HARM = says(
    r"adverse", r"side[- ]effects?", r"contraindicat\w+", r"toxicit\w+", r"toxic", r"overdos\w+", r"bleeding", r"h(?:a)?emorrhage", r"interact(?:s|ion|ions)?",
    r"warnings?", r"boxed warning", r"teratogen\w+", r"fatal\w*", r"hepatotoxic\w*", r"nephrotoxic\w*", r"hypersensitivity", r"anaphyla\w+", r"safety", r"unsafe",
    r"tolerated", r"tolerability", r"discontinu(?:ed|ation) (?:due to|because of)", r"risk of (?!bias)", r"in pregnancy", r"breast[- ]?feeding", r"black[- ]box",
)  # fmt: skip
_WORKS = says(
    r"effective(?:ness)?", r"efficac\w+", r"reduc(?:es?|ed|tion|ing)", r"improv(?:es?|ed|ement|ing)", r"response rate", r"remission", r"surviv(?:al|ed)",
    r"versus placebo", r"than placebo", r"compared (?:with|to)", r"hazard ratio", r"odds ratio", r"relative risk", r"non-?inferior\w*", r"superior(?:ity)?",
    r"prevent(?:s|ed|ion|ing)?", r"lower(?:s|ed|ing)", r"cur(?:es?|ed)", r"benefit(?:s|ed)?", r"number needed to treat", r"(?:primary|secondary) (?:end ?point|outcome)",
)  # fmt: skip
_SPREAD = says(
    r"prevalen\w+", r"inciden\w+", r"mortality rate", r"per (?:1|10|100)[ ,]?000", r"affects? (?:about|around|approximately|an estimated|\d)", r"common(?:est| in| among)",
    r"epidemi\w+", r"lifetime risk", r"cases (?:per|in|worldwide|each year|a year|annually)", r"(?:men|women|adults|children|people|patients) (?:have|are affected|develop)", r"endemic",
)  # fmt: skip

MEDICAL = KindRules(
    rules=(
        ("dosage", _DOSAGE),
        ("recommendation", _RECOMMENDED),
        ("safety", _HARM),
        ("epidemiology", _SPREAD),
        ("efficacy", _WORKS),
    )
)
"""A recommended dose is a dose: what a patient swallows is held to the strictest rule."""
