"""What may stand beside a number: scale words, currencies, percent, and units of measure with their factors."""

from __future__ import annotations

import re
from functools import lru_cache

SCALES: dict[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "lakh": 1e5, "lac": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9,
    "trillion": 1e12, "k": 1e3, "mn": 1e6, "mln": 1e6, "mm": 1e6, "m": 1e6, "bn": 1e9, "bln": 1e9, "b": 1e9,
    "tn": 1e12, "trn": 1e12, "t": 1e12,
}  # fmt: skip
CURRENCIES: dict[str, str] = {
    "$": "USD", "us$": "USD", "u.s.$": "USD", "usd": "USD", "dollar": "USD", "us dollar": "USD", "u.s. dollar": "USD",
    "buck": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "£": "GBP", "gbp": "GBP", "pound": "GBP", "pounds sterling": "GBP",
    "¥": "JPY", "jpy": "JPY", "yen": "JPY", "cny": "CNY", "rmb": "CNY", "yuan": "CNY", "₹": "INR", "inr": "INR", "rs.": "INR",
    "rupee": "INR", "chf": "CHF", "swiss franc": "CHF", "c$": "CAD", "ca$": "CAD", "cad": "CAD", "a$": "AUD", "au$": "AUD",
    "aud": "AUD", "hk$": "HKD", "hkd": "HKD", "s$": "SGD", "sgd": "SGD", "nz$": "NZD", "sek": "SEK", "nok": "NOK", "dkk": "DKK",
    "krw": "KRW", "₩": "KRW", "brl": "BRL", "r$": "BRL", "zar": "ZAR", "mxn": "MXN", "pln": "PLN",
}  # fmt: skip
# canonical name: (what it is compared in, factor, ways to write it). One dimension each; words before symbols.
_MEASURES: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "kg": ("g", 1e3, ("kg", "kilogram", "kilo")),
    "g": ("g", 1.0, ("g", "gram", "gramme", "gm")),
    "mg": ("g", 1e-3, ("mg", "milligram")),
    "µg": ("g", 1e-6, ("µg", "μg", "mcg", "microgram")),
    "ng": ("g", 1e-9, ("ng", "nanogram")),
    "tonne": ("g", 1e6, ("tonne", "metric ton")),
    "ton": ("ton", 1.0, ("ton",)),
    "lb": ("g", 453.59237, ("lb", "lbs")),
    "oz": ("g", 28.349523, ("oz", "ounce")),
    "L": ("L", 1.0, ("L", "l", "liter", "litre")),
    "mL": ("L", 1e-3, ("mL", "ml", "milliliter", "millilitre", "cc")),
    "dL": ("L", 1e-1, ("dL", "dl", "deciliter", "decilitre")),
    "µL": ("L", 1e-6, ("µL", "μL", "µl", "microliter", "microlitre")),
    "gallon": ("gallon", 1.0, ("gallon", "gal")),
    "barrel": ("barrel", 1.0, ("barrel", "bbl")),
    "km": ("m", 1e3, ("km", "kilometer", "kilometre")),
    "m": ("m", 1.0, ("m", "meter", "metre")),
    "cm": ("m", 1e-2, ("cm", "centimeter", "centimetre")),
    "mm": ("m", 1e-3, ("mm", "millimeter", "millimetre")),
    "µm": ("m", 1e-6, ("µm", "μm", "micrometer", "micrometre", "micron")),
    "nm": ("m", 1e-9, ("nm", "nanometer", "nanometre")),
    "mile": ("m", 1609.344, ("mile",)),
    "ft": ("m", 0.3048, ("ft", "foot", "feet")),
    "inch": ("m", 0.0254, ("inch", "inches")),
    "yard": ("m", 0.9144, ("yard",)),
    "ha": ("ha", 1.0, ("ha", "hectare")),
    "acre": ("ha", 0.40468564, ("acre",)),
    "km²": ("km²", 1.0, ("km²", "km2", "square kilometer", "square kilometre")),
    "m²": ("m²", 1.0, ("m²", "m2", "square meter", "square metre")),
    "sq ft": ("sq ft", 1.0, ("square foot", "square feet", "sq ft", "sq. ft.")),
    "mol": ("mol", 1.0, ("mol", "mole")),
    "mmol": ("mol", 1e-3, ("mmol", "millimole")),
    "µmol": ("mol", 1e-6, ("µmol", "μmol", "micromole")),
    "nmol": ("mol", 1e-9, ("nmol",)),
    "mEq": ("mEq", 1.0, ("mEq",)),
    "IU": ("IU", 1.0, ("IU", "international unit")),
    "U": ("U", 1.0, ("U",)),
    "mmHg": ("mmHg", 1.0, ("mmHg", "mm Hg")),
    "bpm": ("bpm", 1.0, ("bpm", "beats per minute")),
    "°C": ("°C", 1.0, ("°C", "° C", "degrees Celsius", "degree Celsius")),
    "°F": ("°F", 1.0, ("°F", "° F", "degrees Fahrenheit", "degree Fahrenheit")),
    "°": ("°", 1.0, ("°", "degree")),
    "kcal": ("cal", 1e3, ("kcal", "kilocalorie")),
    "kJ": ("J", 1e3, ("kJ",)),
    "Hz": ("Hz", 1.0, ("Hz",)),
    "kHz": ("Hz", 1e3, ("kHz",)),
    "MHz": ("Hz", 1e6, ("MHz",)),
    "GHz": ("Hz", 1e9, ("GHz",)),
    "kW": ("W", 1e3, ("kW", "kilowatt")),
    "MW": ("W", 1e6, ("MW", "megawatt")),
    "GW": ("W", 1e9, ("GW", "gigawatt")),
    "kWh": ("Wh", 1e3, ("kWh", "kilowatt-hour", "kilowatt hour")),
    "MWh": ("Wh", 1e6, ("MWh", "megawatt-hour", "megawatt hour")),
    "mph": ("mph", 1.0, ("mph",)),
    "MB": ("B", 1e6, ("MB", "megabyte")),
    "GB": ("B", 1e9, ("GB", "gigabyte")),
    "TB": ("B", 1e12, ("TB", "terabyte")),
    "tablet": ("tablet", 1.0, ("tablet",)),
    "dose": ("dose", 1.0, ("dose",)),
}  # fmt: skip
# Days and months are not convertible: thirty days is not a month in law. Business days are neither.
_DURATIONS: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "ms": ("day", 1e-3 / 86400, ("ms", "millisecond")),
    "second": ("day", 1 / 86400, ("second", "sec", "s")),
    "minute": ("day", 1 / 1440, ("minute", "min")),
    "hour": ("day", 1 / 24, ("hour", "hr", "h")),
    "day": ("day", 1.0, ("day", "calendar day", "consecutive day", "d")),
    "business day": ("business day", 1.0, ("business day", "working day", "trading day", "court day")),
    "week": ("day", 7.0, ("week", "wk")),
    "fortnight": ("day", 14.0, ("fortnight",)),
    "month": ("month", 1.0, ("month", "calendar month", "mo")),
    "year": ("month", 12.0, ("year", "yr", "calendar year", "fiscal year")),
    "decade": ("month", 120.0, ("decade",)),
    "century": ("month", 1200.0, ("century", "centuries")),
}
_SHORT = 4
"""Up to this many letters a unit without plural is a symbol, and its case counts: mg, GW, °C."""


def _names(table: dict[str, tuple[str, float, tuple[str, ...]]]) -> dict[str, str]:
    return {written: name for name, (_, _, ways) in table.items() for written in ways}


MEASURE_NAMES = _names(_MEASURES)
DURATION_NAMES = _names(_DURATIONS)
_FACTORS = {name: (base, factor) for table in (_MEASURES, _DURATIONS) for name, (base, factor, _) in table.items()}


@lru_cache(maxsize=512)
def compared_in(unit: str) -> tuple[str, float]:
    """Give the unit that `unit` is compared in and the factor to it: "mg/kg/day" is ("g/g/day", 1e-6)."""
    over, *under = unit.split("/")
    base, factor = _FACTORS.get(over, (over, 1.0))
    for part in under:
        part_base, part_factor = _FACTORS.get(part, (part, 1.0))
        base, factor = f"{base}/{part_base}", factor / part_factor
    return base, factor


def _written(names: dict[str, str]) -> str:
    """Write an alternation, longest first: words in any case and number, symbols as they stand."""
    words = sorted((n for n in names if len(n) > _SHORT), key=len, reverse=True)
    short = sorted((n for n in names if len(n) <= _SHORT), key=len, reverse=True)
    plural = [n for n in short if n.isalpha() and n in _PLURAL_SHORT]
    symbols = [n for n in short if n not in plural]
    parts = []
    if words or plural:
        parts.append("(?i:(?:" + "|".join(re.escape(n) for n in [*words, *plural]) + r")(?:es|s)?(?![a-z]))")
    parts.append("(?:" + "|".join(re.escape(n) for n in symbols) + r")(?![A-Za-z0-9²]|\.[A-Z])")
    return "|".join(parts)


_PLURAL_SHORT = frozenset(
    {"gram", "kilo", "inch", "yard", "acre", "mile", "foot", "mole", "dose", "ton", "hour", "hr", "day", "week", "wk",
     "year", "yr", "min", "sec", "buck", "euro", "yen", "yuan"}
)  # fmt: skip
_UNIT = f"(?:{_written({**MEASURE_NAMES, **DURATION_NAMES})})"
_SCALE_WORDS = (
    r"(?i:hundred|thousand|lakh|lac|million|crore|billion|trillion|mln|bln|trn|mn|bn|tn)(?:s(?= of\b))?(?![A-Za-z])"
)
_SCALE_LETTERS = r"(?:MM|mm|[KkMmBbT])(?![A-Za-z0-9/²-])"
_SHARE = r"%-?(?:points?)?|‰|(?i:per ?cent(?:age)?(?:[ -]points?)?|pct\b\.?|basis[ -]points?|bps\b|bp\b|ppts?\b|pp\b)(?![A-Za-z])"
_MONEY_AFTER = (
    r"(?i:(?:u\.?s\.? )?dollars?|euros?|pounds? sterling|pounds?|yen|yuan|rupees?|swiss francs?|cents?|pence|usd|eur|gbp|jpy|cny|rmb|inr|chf|cad|aud|hkd"
    r"|sgd|sek|nok|dkk|krw|brl|zar|mxn|pln)(?![A-Za-z])|[€£¥₹¢](?![0-9])"
)
_AFTER_SCALE = (
    rf"\)?(?:[ \u00a0\u202f\u2009-]?(?:(?P<share>{_SHARE})|(?P<money>{_MONEY_AFTER})"
    rf"|(?P<unit>{_UNIT}(?:(?: ?/ ?| per ){_UNIT}){{0,2}})|(?P<multiple>[x×](?![0-9A-Za-z]| [0-9])|(?i:fold|times)(?![A-Za-z]))))?"
)
TAIL = re.compile(
    rf"\)?(?:[ \u00a0\u202f-]?(?P<scale>{_SCALE_WORDS})|(?P<letter>[KMBk](?![A-Za-z0-9/²-])))?{_AFTER_SCALE}"
)
"""What follows a number, its unit included; matches the empty string where nothing does."""
MONEY_TAIL = re.compile(
    rf"\)?[ \u00a0\u202f-]?(?:(?P<scale>{_SCALE_WORDS})|(?P<letter>{_SCALE_LETTERS}))?{_AFTER_SCALE}"
)
"""The same after an amount with a currency sign, where a letter is a scale: "£5m", "$5 MM"."""
_FIRST_WORDS = re.compile(r"[^\W\d_]+|[%‰°€£¥₹¢×]")


def _tail_starts() -> frozenset[str]:
    """Collect, in lower case, the words and signs that something which may follow a number begins with."""
    singles = {*MEASURE_NAMES, *DURATION_NAMES, *SCALES, *CURRENCIES, *"kmbtxs×%‰¢"}
    singles |= {
        "per",
        "pct",
        "percentage",
        "percent",
        "basis",
        "bps",
        "bp",
        "pp",
        "ppt",
        "ppts",
        "fold",
        "times",
        "cent",
        "pence",
        "swiss",
        "u",
    }
    first = {match.group().lower() for name in singles if (match := _FIRST_WORDS.match(name))}
    return frozenset(first | {f"{w}s" for w in first} | {f"{w}es" for w in first})


TAIL_STARTS = _tail_starts()
"""Looked up before `TAIL` is tried: most words after a number are no unit, and this is ten times cheaper."""
_PER = re.compile(r" ?/ ?| per ")


def unit_name(written: str) -> tuple[str, bool]:
    """Give the canonical name of a unit as written and whether it is a duration: "milligrams per kg" is "mg/kg"."""
    parts = [_one_name(part.strip()) for part in _PER.split(written)]
    return "/".join(parts), len(parts) == 1 and parts[0] in _DURATIONS


@lru_cache(maxsize=2048)
def _one_name(written: str) -> str:
    for name in (written, written.lower(), written.lower().removesuffix("s"), written.lower().removesuffix("es")):
        found = MEASURE_NAMES.get(name) or DURATION_NAMES.get(name)
        if found:
            return found
    return written


def share_kind(written: str) -> str:
    """Tell percent, percentage_points, basis_points and per_mille apart."""
    low = written.lower()
    if "basis" in low or low.startswith("bp"):
        return "basis_points"
    if low == "‰":
        return "per_mille"
    return "percentage_points" if "point" in low or low.startswith("pp") else "percent"


def currency(written: str) -> str | None:
    """Give the ISO 4217 code of a currency as written; an unmarked dollar is taken as USD."""
    low = written.lower().replace("\u00a0", " ").strip()
    return CURRENCIES.get(low) or CURRENCIES.get(low.removesuffix("s"))
