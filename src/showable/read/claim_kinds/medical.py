"""Clinical claims: how much of a drug, what is advised, what may harm, what works, how common it is."""

from __future__ import annotations

from showable.read.claim_kinds.rule import KindRules, says

_UNIT = r"(?:mg|mcg|µg|μg|g|ml|mL|units?|IU|mmol|mEq|tablets?|capsules?|puffs?|drops?|mg/kg|mcg/kg|mg/m2|mg/m²)"
_DOSAGE = says(
    rf"\d[\d,.]*\s*(?:[-–]|to)?\s*(?:\d[\d,.]*\s*)?{_UNIT}(?:/(?:kg|m2|m²|day|d|h|hour|week|dose))*\s*(?:\w+\s+){{0,3}}(?:daily|a day|per day|each day|once|twice|three times|every|weekly|at bedtime|b\.?i\.?d|t\.?i\.?d|q\.?d|orally|by mouth|intravenously|subcutaneously|IV|PO)",
    r"(?:starting|initial|loading|maintenance|maximum|minimum|recommended|usual|daily|single|total|target|typical|adult|paediatric|pediatric)(?:\s+\w+){0,2}\s+(?:dose|dosage|dosing)",
    r"dos(?:e|es|age|ing)\s+(?:of|is|are|was|should|must|may|can|for|range|adjustment|reduction|increase)",
    rf"(?:one|two|three|four|half an?)\s+{_UNIT}\s+(?:once|twice|every|daily|a day|three times|at bedtime|weekly)",
    r"titrat(?:e|ed|ion)", rf"(?:not|never|without) exceed(?:ing)?\s+(?:\w+\s+){{0,2}}\d[\d,.]*\s*{_UNIT}",
    rf"(?:takes?|taken|gives?|given|administer(?:s|ed)?|inject(?:s|ed)?|receives?)\s+(?:\w+\s+){{0,4}}(?:\d[\d,.]*|one|two|three|four|half an?)\s*{_UNIT}(?:/\w+)*",
)  # fmt: skip
_RECOMMENDED = says(
    r"recommend(?:s|ed|ation|ations)?", r"guidelines?", r"first[- ]line", r"second[- ]line", r"is indicated", r"are indicated", r"advis(?:e|es|ed)",
    r"should (?:not |always |never )?(?:be|receive|undergo|take|avoid|start|stop|consider|have|use|offer|prescribe|give|provide|monitor|screen|treat|refer|assess|test)", r"standard of care", r"preferred (?:treatment|therapy|agent|option)",
    r"class (?:I|II|IIa|IIb|III)\b", r"grade [A-D]", r"good practice",
)  # fmt: skip
_HARM = says(
    r"adverse", r"side[- ]effects?", r"contraindicat\w+", r"toxicit\w+", r"toxic", r"overdos\w+", r"bleeding", r"h(?:a)?emorrhage", r"interact(?:s|ion|ions)?",
    r"warnings?", r"boxed warning", r"teratogen\w+", r"fatal\w*", r"hepatotoxic\w*", r"nephrotoxic\w*", r"hypersensitivity", r"anaphyla\w+", r"safety", r"unsafe",
    r"tolerated", r"tolerability", r"discontinu(?:ed|ation) (?:due to|because of)", r"(?:rais|increas|elevat|doubl|higher|greater|carr)\w*\s+(?:\w+\s+){0,2}risks? of(?! bias)", r"(?:in|during) pregnancy", r"breast[- ]?feeding", r"black[- ]box",
    r"(?:can|may|might|could) (?:cause|worsen|damage|harm|trigger|precipitate|lead to|result in)", r"must not be (?:used|given|taken)", r"avoid (?:use|using|taking|in|with)",
    r"not (?:safe|suitable)", r"withdrawal symptoms", r"dependence", r"injur(?:y|ies)",
)  # fmt: skip
_WORKS = says(
    r"effective(?:ness)?", r"efficac\w+", r"reduc(?:es?|ed|tion|ing)", r"improv(?:es?|ed|ement|ing)", r"response rate", r"remission", r"surviv(?:al|ed)",
    r"versus placebo", r"than placebo", r"compared (?:with|to)", r"hazard ratio", r"odds ratio", r"relative risk", r"non-?inferior\w*", r"superior(?:ity)?",
    r"prevent(?:s|ed|ion|ing)?", r"lower(?:s|ed|ing)", r"cur(?:es?|ed)", r"benefit(?:s|ed)?", r"number needed to treat", r"(?:primary|secondary) (?:end ?point|outcome)",
    r"lower (?:with|in|than|among)", r"(?:fell|dropped|declined|decreased|rose|increased) (?:by|from)", r"weight loss", r"(?:no )?(?:better|worse|faster|slower) than", r"did not (?:differ|help|work)",
)  # fmt: skip
_SPREAD = says(
    r"prevalen\w+", r"incidence\w*", r"(?:1|one) in (?:\d[\d,]*|two|three|four|five|six|eight|ten|twenty|a hundred|a thousand)", r"kills (?:about|over|around|more than|nearly|an estimated|\d[\d,]*)",
    r"rates? of(?! (?:remission|response|survival|relapse|recurrence|cure))", r"(?:people|deaths|adults|children|women|men) (?:each|a|per|every) year", r"mortality rate", r"per (?:1|10|100)[ ,]?000", r"affects? (?:about|around|approximately|an estimated|\d[\d,.]*)", r"common(?:est| in| among)",
    r"epidemi\w+", r"lifetime risk", r"leading causes? of", r"cases (?:per|in|worldwide|each year|a year|annually)", r"(?:men|women|adults|children|people|patients) (?:have|are affected|develop)", r"endemic",
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
