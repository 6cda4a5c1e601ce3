"""What may stand beside a number: scale words, currencies, percent, and units of measure with their factors."""

from __future__ import annotations

import re
from functools import lru_cache

from showable.read.currencies import CURRENCIES, MONEY_AFTER
from showable.read.word_sets import word_set
from showable.records.regex import regex

SCALES: dict[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "lakh": 1e5, "lac": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9,
    "trillion": 1e12, "k": 1e3, "mn": 1e6, "mln": 1e6, "mm": 1e6, "m": 1e6, "bn": 1e9, "bln": 1e9, "b": 1e9,
    "tn": 1e12, "trn": 1e12, "t": 1e12,
}  # fmt: skip
# canonical name: (what it is compared in, factor, ways to write it). One dimension each; words before symbols.
_MEASURES: dict[str, tuple[str, float, tuple[str, ...]]] = {
    "kg": ("g", 1e3, ("kg", "kilogram", "kilogramme", "kilo")),
    "g": ("g", 1.0, ("g", "gram", "gramme", "gm")),
    "mg": ("g", 1e-3, ("mg", "milligram", "milligramme")),
    "µg": ("g", 1e-6, ("µg", "μg", "mcg", "microgram", "microgramme")),
    "ng": ("g", 1e-9, ("ng", "nanogram")),
    "tonne": ("g", 1e6, ("tonne", "metric ton", "metric tonne", "t")),
    "kt": ("g", 1e9, ("kt", "kilotonne", "kiloton")),
    "Mt": ("g", 1e12, ("Mt", "megatonne", "megaton")),
    "Gt": ("g", 1e15, ("Gt", "gigatonne", "gigaton")),
    "ton": ("ton", 1.0, ("ton",)),
    "short ton": ("g", 907184.74, ("short ton", "US ton", "U.S. ton")),
    "long ton": ("g", 1016046.9088, ("long ton", "imperial ton")),
    "st": ("g", 6350.29318, ("stone",)),
    "lb": ("g", 453.59237, ("lb", "lbs")),
    "oz": ("g", 28.349523, ("oz", "ounce")),
    "ct": ("g", 0.2, ("carat",)),
    "L": ("L", 1.0, ("L", "l", "liter", "litre")),
    "mL": ("L", 1e-3, ("mL", "ml", "milliliter", "millilitre", "cc", "cm³", "cm3", "cubic centimeter", "cubic centimetre")),
    "cL": ("L", 1e-2, ("cL", "cl", "centiliter", "centilitre")),
    "dL": ("L", 1e-1, ("dL", "dl", "deciliter", "decilitre")),
    "hL": ("L", 1e2, ("hL", "hl", "hectoliter", "hectolitre")),
    "ML": ("L", 1e6, ("ML", "megaliter", "megalitre")),
    "µL": ("L", 1e-6, ("µL", "μL", "µl", "microliter", "microlitre")),
    "m³": ("L", 1e3, ("m³", "m3", "cubic meter", "cubic metre")),
    "km³": ("L", 1e12, ("km³", "km3", "cubic kilometer", "cubic kilometre")),
    "cu ft": ("L", 28.316846592, ("cubic foot", "cubic feet", "cu ft", "cu. ft.", "ft³", "ft3")),
    "gallon": ("gallon", 1.0, ("gallon", "gal")),
    "barrel": ("barrel", 1.0, ("barrel", "bbl")),
    "km": ("m", 1e3, ("km", "kilometer", "kilometre")),
    "m": ("m", 1.0, ("m", "meter", "metre")),
    "cm": ("m", 1e-2, ("cm", "centimeter", "centimetre")),
    "mm": ("m", 1e-3, ("mm", "millimeter", "millimetre")),
    "µm": ("m", 1e-6, ("µm", "μm", "micrometer", "micrometre", "micron")),
    "nm": ("m", 1e-9, ("nm", "nanometer", "nanometre")),
    "mile": ("m", 1609.344, ("mile", "mi")),
    "nautical mile": ("m", 1852.0, ("nautical mile", "nmi")),
    "ft": ("m", 0.3048, ("ft", "foot", "feet")),
    "inch": ("m", 0.0254, ("inch", "inches")),
    "yard": ("m", 0.9144, ("yard", "yd")),
    "ha": ("m²", 1e4, ("ha", "hectare")),
    "acre": ("m²", 4046.8564224, ("acre",)),
    "km²": ("m²", 1e6, ("km²", "km2", "sq km", "sq. km", "sq. kilometres", "sq. kilometers", "square kilometer", "square kilometre")),
    "m²": ("m²", 1.0, ("m²", "m2", "sqm", "sq m", "sq. m", "sq. metres", "sq. meters", "square meter", "square metre")),
    "cm²": ("m²", 1e-4, ("cm²", "cm2", "sq cm", "square centimeter", "square centimetre")),
    "mm²": ("m²", 1e-6, ("mm²", "mm2", "sq mm", "square millimeter", "square millimetre")),
    "sq ft": ("m²", 0.09290304, ("square foot", "square feet", "sq ft", "sq. ft.", "sq. ft", "sqft", "ft²", "ft2")),
    "sq yd": ("m²", 0.83612736, ("square yard", "sq yd", "sq. yd.")),
    "sq mile": ("m²", 2589988.110336, ("square mile", "sq mi", "sq. mi.", "sq. mile")),
    "mol": ("mol", 1.0, ("mol", "mole")),
    "mmol": ("mol", 1e-3, ("mmol", "millimole")),
    "µmol": ("mol", 1e-6, ("µmol", "μmol", "micromole")),
    "nmol": ("mol", 1e-9, ("nmol",)),
    "mEq": ("mEq", 1.0, ("mEq",)),
    "IU": ("IU", 1.0, ("IU", "international unit")),
    "U": ("U", 1.0, ("U",)),
    "Pa": ("Pa", 1.0, ("Pa", "pascal")),
    "hPa": ("Pa", 1e2, ("hPa", "hectopascal")),
    "kPa": ("Pa", 1e3, ("kPa", "kilopascal")),
    "MPa": ("Pa", 1e6, ("MPa", "megapascal")),
    "GPa": ("Pa", 1e9, ("GPa", "gigapascal")),
    "mbar": ("Pa", 1e2, ("mbar", "millibar")),
    "bar": ("Pa", 1e5, ("bar",)),
    "atm": ("Pa", 101325.0, ("atm", "atmosphere")),
    "psi": ("Pa", 6894.757293, ("psi", "pounds per square inch")),
    "torr": ("Pa", 133.322368, ("torr", "Torr")),
    "mmHg": ("Pa", 133.322387, ("mmHg", "mm Hg")),
    "N": ("N", 1.0, ("newton",)),
    "kN": ("N", 1e3, ("kN", "kilonewton")),
    "bpm": ("bpm", 1.0, ("bpm", "beats per minute")),
    "rpm": ("rpm", 1.0, ("rpm", "revolutions per minute")),
    "°C": ("°C", 1.0, ("°C", "° C", "degrees Celsius", "degree Celsius")),
    "°F": ("°F", 1.0, ("°F", "° F", "degrees Fahrenheit", "degree Fahrenheit")),
    "°": ("°", 1.0, ("°", "degree")),
    "J": ("J", 1.0, ("joule",)),
    "kJ": ("J", 1e3, ("kJ", "kilojoule")),
    "MJ": ("J", 1e6, ("MJ", "megajoule")),
    "GJ": ("J", 1e9, ("GJ", "gigajoule")),
    "TJ": ("J", 1e12, ("TJ", "terajoule")),
    "PJ": ("J", 1e15, ("PJ", "petajoule")),
    "cal": ("J", 4.184, ("calorie",)),
    "kcal": ("J", 4184.0, ("kcal", "kilocalorie")),
    "Wh": ("J", 3600.0, ("Wh", "watt-hour", "watt hour")),
    "kWh": ("J", 3.6e6, ("kWh", "kilowatt-hour", "kilowatt hour")),
    "MWh": ("J", 3.6e9, ("MWh", "megawatt-hour", "megawatt hour")),
    "GWh": ("J", 3.6e12, ("GWh", "gigawatt-hour", "gigawatt hour")),
    "TWh": ("J", 3.6e15, ("TWh", "terawatt-hour", "terawatt hour")),
    "Hz": ("Hz", 1.0, ("Hz", "hertz")),
    "kHz": ("Hz", 1e3, ("kHz", "kilohertz")),
    "MHz": ("Hz", 1e6, ("MHz", "megahertz")),
    "GHz": ("Hz", 1e9, ("GHz", "gigahertz")),
    "W": ("W", 1.0, ("watt",)),
    "kW": ("W", 1e3, ("kW", "kilowatt")),
    "MW": ("W", 1e6, ("MW", "megawatt")),
    "GW": ("W", 1e9, ("GW", "gigawatt")),
    "TW": ("W", 1e12, ("TW", "terawatt")),
    "hp": ("hp", 1.0, ("hp", "horsepower", "bhp")),
    "mV": ("V", 1e-3, ("mV", "millivolt")),
    "V": ("V", 1.0, ("volt",)),
    "kV": ("V", 1e3, ("kV", "kilovolt")),
    "mA": ("A", 1e-3, ("mA", "milliamp", "milliampere")),
    "A": ("A", 1.0, ("ampere",)),
    "mAh": ("Ah", 1e-3, ("mAh",)),
    "Ah": ("Ah", 1.0, ("Ah",)),
    "dB": ("dB", 1.0, ("dB", "decibel")),
    "mph": ("m/day", 1609.344 * 24, ("mph",)),
    "kph": ("m/day", 24e3, ("kph", "kmh", "kmph")),
    "knot": ("m/day", 1852.0 * 24, ("knot", "kn")),
    "bit": ("bit", 1.0, ("bit",)),
    "kbit": ("bit", 1e3, ("kbit", "kb", "kilobit")),
    "Mbit": ("bit", 1e6, ("Mbit", "Mb", "megabit")),
    "Gbit": ("bit", 1e9, ("Gbit", "Gb", "gigabit")),
    "kbps": ("bit/day", 1e3 * 86400, ("kbps", "Kbps")),
    "Mbps": ("bit/day", 1e6 * 86400, ("Mbps",)),
    "Gbps": ("bit/day", 1e9 * 86400, ("Gbps",)),
    "byte": ("bit", 8.0, ("byte",)),
    "kB": ("bit", 8e3, ("kB", "KB", "kilobyte")),
    "MB": ("bit", 8e6, ("MB", "megabyte")),
    "GB": ("bit", 8e9, ("GB", "gigabyte")),
    "TB": ("bit", 8e12, ("TB", "terabyte")),
    "PB": ("bit", 8e15, ("PB", "petabyte")),
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
    """Return the unit that `unit` is compared in and the factor to it: "mg/kg/day" is ("g/g/day", 1e-6)."""
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
    parts.append(
        "(?:" + "|".join("t(?!-)" if n == "t" else re.escape(n) for n in symbols) + r")(?![A-Za-z0-9²]|\.[A-Z])"
    )
    return "|".join(parts)


_PLURAL_SHORT = frozenset(
    {"gram", "kilo", "inch", "yard", "acre", "mile", "foot", "mole", "dose", "ton", "hour", "hr", "day", "week", "wk",
     "year", "yr", "min", "sec", "knot", "volt", "watt", "byte", "bit", "bar"}
)  # fmt: skip
_UNIT = f"(?:{_written({**MEASURE_NAMES, **DURATION_NAMES})})"
_SCALE_WORDS = (
    r"(?i:hundred|thousand|lakh|lac|million|crore|billion|trillion|mln|bln|trn|mn|bn|tn)(?:s(?= of\b))?(?![A-Za-z])"
)
_SCALE_LETTERS = r"(?:MM|mm|[KkMmBbT])(?![A-Za-z0-9/²-])"
_SHARE = r"%-?(?:points?)?|‰|(?i:per ?cent(?:age)?(?:[ -]points?)?|pct\b\.?|basis[ -]points?|bps\b|bp\b|ppts?\b|pp\b)(?![A-Za-z])"
_AFTER_SCALE = (
    rf"\)?(?:[ \u00a0\u202f\u2009-]?(?:(?P<share>{_SHARE})|(?P<money>{MONEY_AFTER})"
    rf"|(?P<unit>{_UNIT}(?:(?: ?/ ?| per ){_UNIT}){{0,2}})|(?P<multiple>[x×](?![0-9A-Za-z]| [0-9])|(?i:fold|times)(?![A-Za-z]))))?"
)
TAIL = regex(rf"\)?(?:[ \u00a0\u202f-]?(?P<scale>{_SCALE_WORDS})|(?P<letter>[KMBk](?![A-Za-z0-9/²-])))?{_AFTER_SCALE}")
"""What follows a number, its unit included; matches the empty string where nothing does."""
MONEY_TAIL = regex(rf"\)?[ \u00a0\u202f-]?(?:(?P<scale>{_SCALE_WORDS})|(?P<letter>{_SCALE_LETTERS}))?{_AFTER_SCALE}")
"""The same after an amount with a currency sign, where a letter is a scale: "£5m", "$5 MM"."""
_FIRST_WORDS = regex(r"[^\W\d_]+|[%‰°€£¥₹¢×]")


def _tail_starts() -> frozenset[str]:
    """Collect, in lower case, the words and signs that something which may follow a number begins with."""
    singles = {*MEASURE_NAMES, *DURATION_NAMES, *SCALES, *CURRENCIES, *"kmbtxs×%‰¢"}
    singles |= word_set("per pct percentage percent basis bps bp pp ppt ppts fold times cent pence")
    first = {match.group().lower() for name in singles if (match := _FIRST_WORDS.match(name))}
    return frozenset(first | {f"{w}s" for w in first} | {f"{w}es" for w in first})


TAIL_STARTS = _tail_starts()
"""Looked up before `TAIL` is tried: most words after a number are no unit, and this is ten times cheaper."""
_PER = regex(r" ?/ ?| per ")


def unit_name(written: str) -> tuple[str, bool]:
    """Return the canonical name of a unit as written and whether it is a duration: "milligrams per kg" is "mg/kg"."""
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
