"""Units and scales: million for billion, kilometres for miles, a day for a week."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.surface import put

# Each line holds units that a figure may carry in the same place; any of them is wrong where another stood.
_SETS = """million billion thousand|mg g µg kg|grams kilograms milligrams|kilometers miles meters|kilometres miles metres|km m miles
|feet miles inches yards|days weeks months years|hours days minutes|seconds minutes hours|minutes hours|acres hectares
|per_day per_week per_month per_year|square_miles square_kilometers acres|square_kilometres square_miles hectares
|percent percentage_points|tons pounds kilograms|tonnes kilograms|centuries decades|decades centuries years|mL L|ml l
|hundred thousand|hundreds thousands millions|dollars euros pounds|months weeks years|weeks days months|years months decades
|km² mi²|mm cm|cm mm|MB GB|GB TB|kW MW|MW GW|degrees_Celsius degrees_Fahrenheit|°C °F"""
_RIVALS: dict[str, list[str]] = {}
for _row in _SETS.replace("\n", "").split("|"):
    _first, *_rest = _row.replace("_", " ").split() if "_" not in _row else [u.replace("_", " ") for u in _row.split()]
    for _unit in (_first, *_rest):
        _RIVALS.setdefault(_unit, []).extend(
            u for u in (_first, *_rest) if u != _unit and u not in _RIVALS.get(_unit, [])
        )
_AFTER = re.compile(
    r"(?:(?<=\d)|(?<=\d\s)|(?<=\b(?:one|two|ten|six)\s)|(?<=\b(?:four|five|nine)\s)|(?<=\b(?:three|seven|eight)\s)|(?<=hundred\s)|(?<=million\s)|(?<=several\s)|(?<=few\s))"
    r"(" + "|".join(re.escape(u) for u in sorted(_RIVALS, key=len, reverse=True)) + r")(?![\w²-]|\s(?:million|billion))"
)
_PER = re.compile(
    r"\b(?:per (?:day|week|month|year)|hundreds(?= of)|thousands(?= of)|millions(?= of)|degrees Celsius)\b"
)
_CURRENCY = re.compile(r"[$£€](?=\d)")
_CURRENCIES = "$£€"


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give a sentence with one unit, scale or currency wrong."""
    del scope
    places = [(*m.span(1), rng.choice(_RIVALS[m[1]])) for m in _AFTER.finditer(sentence)]
    places += [(*m.span(), rng.choice(_RIVALS[m[0]])) for m in _PER.finditer(sentence) if m[0] in _RIVALS]
    places += [(*m.span(), rng.choice([c for c in _CURRENCIES if c != m[0]])) for m in _CURRENCY.finditer(sentence)]
    rng.shuffle(places)
    kept = [p for p in places if not re.search(rf"(?<!\w){re.escape(p[2])}(?!\w)", sentence)]
    return [Change(put(sentence, *place), "unit") for place in kept[:1]]
