"""Quantities as law, medicine, finance and news write them. `source` of every row: made by hand, or the table named beside it."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.quantities import find_quantities, same_quantity

HAND, PEERS = "made by hand", "peer_failures"


def day(year, month, dom):
    return date(year, month, dom).toordinal()


READ = [
    # finance
    ("$1,577 million", [(1.577e9, "money", "USD")], "design: gold answers"),
    ("1.58 billion", [(1.58e9, "number", None)], "design: gold answers"),
    ("1.58bn", [(1.58e9, "number", None)], HAND),
    ("$1.58bn", [(1.58e9, "money", "USD")], HAND),
    ("£5m", [(5e6, "money", "GBP")], HAND),
    ("$5 MM", [(5e6, "money", "USD")], "accounting usage: MM for a thousand thousands"),
    ("€12.5 million", [(12.5e6, "money", "EUR")], HAND),
    ("US$ 5 million", [(5e6, "money", "USD")], HAND),
    ("A$3bn", [(3e9, "money", "AUD")], HAND),
    ("USD 250", [(250, "money", "USD")], HAND),
    ("CHF 1'200.50", [(1200.5, "money", "CHF")], "Swiss grouping"),
    ("1.577,40 €", [(1577.4, "money", "EUR")], "German grouping"),
    ("EUR 12,5", [(12.5, "money", "EUR")], "decimal comma"),
    ("₹1,00,000", [(100000, "money", "INR")], "Indian grouping"),
    ("3 crore rupees", [(3e7, "money", "INR")], HAND),
    ("5 million dollars", [(5e6, "money", "USD")], HAND),
    ("two million dollars", [(2e6, "money", "USD")], HAND),
    ("55 cents", [(0.55, "money", "USD")], HAND),
    ("$3,800,000,000", [(3.8e9, "money", "USD")], HAND),
    ("(1.2)", [(-1.2, "number", None)], "accounting negative"),
    ("(1,577)", [(-1577, "number", None)], "accounting negative"),
    ("$(4,625) million", [(-4.625e9, "money", "USD")], "accounting negative"),
    ("($1,577)", [(-1577, "money", "USD")], "accounting negative"),
    ("(5.2)%", [(-5.2, "percent", "%")], "accounting negative"),
    ("-$5", [(-5, "money", "USD")], HAND),
    ("24.26x", [(24.26, "multiple", None)], HAND),
    ("2.5 times", [(2.5, "multiple", None)], HAND),
    ("a 3-fold rise", [(3, "multiple", None)], HAND),
    ("10M users", [(1e7, "number", None)], HAND),
    ("250k", [(250000, "number", None)], HAND),
    ("$5 to $10 million", [(5e6, "money", "USD"), (1e7, "money", "USD")], HAND),
    ("$5–10 million", [(5e6, "money", "USD"), (1e7, "money", "USD")], HAND),
    ("5 to 10 million euros", [(5e6, "money", "EUR"), (1e7, "money", "EUR")], HAND),
    # percent
    ("12.5 %", [(12.5, "percent", "%")], HAND),
    ("12,5 %", [(12.5, "percent", "%")], "decimal comma"),
    ("12 per cent", [(12, "percent", "%")], HAND),
    ("twenty-five percent", [(25, "percent", "%")], HAND),
    ("-5%", [(-5, "percent", "%")], HAND),
    ("−5%", [(-5, "percent", "%")], "U+2212"),
    ("(12.4%)", [(12.4, "percent", "%")], "medical n (%)"),
    ("1.5 percentage points", [(1.5, "percentage_points", "%")], HAND),
    ("one percentage point", [(1, "percentage_points", "%")], HAND),
    ("25 basis points", [(0.25, "percentage_points", "%")], HAND),
    ("50bps", [(0.5, "percentage_points", "%")], HAND),
    ("10-15%", [(10, "percent", "%"), (15, "percent", "%")], HAND),
    ("5‰", [(0.5, "percent", "%")], HAND),
    ("two-thirds of patients", [(200 / 3, "percent", "%")], HAND),
    ("half of them", [(50, "percent", "%")], HAND),
    ("a three-quarters majority", [(75, "percent", "%")], HAND),
    # medicine
    ("0.5 mg/kg", [(0.5, "measure", "mg/kg")], HAND),
    (".5 mg", [(0.5, "measure", "mg")], HAND),
    ("0.5 mg per kg per day", [(0.5, "measure", "mg/kg/day")], HAND),
    ("5–10 mg", [(5, "measure", "mg"), (10, "measure", "mg")], HAND),
    ("between 5 and 10 mg", [(5, "measure", "mg"), (10, "measure", "mg")], HAND),
    ("30 µg", [(30, "measure", "µg")], "U+00B5"),
    ("30 μg", [(30, "measure", "µg")], "U+03BC"),
    ("30 mcg", [(30, "measure", "µg")], HAND),
    ("140 mmHg", [(140, "measure", "mmHg")], HAND),
    ("7.5 mmol/L", [(7.5, "measure", "mmol/L")], HAND),
    ("38.5 °C", [(38.5, "measure", "°C")], HAND),
    ("5,000 IU", [(5000, "measure", "IU")], HAND),
    ("250 milligrams", [(250, "measure", "mg")], HAND),
    ("2.5 litres", [(2.5, "measure", "L")], HAND),
    ("p < .05", [(0.05, "number", None)], HAND),
    ("1.5 × 10^6 cells", [(1.5e6, "number", None)], HAND),
    ("1.5 × 10⁶ cells", [(1.5e6, "number", None)], "superscript exponent"),
    ("43,548 participants", [(43548, "number", None)], PEERS),
    ("43548 participants", [(43548, "number", None)], PEERS),
    ("43\u202f548", [(43548, "number", None)], "narrow no-break space"),
    ("5 km", [(5, "measure", "km")], HAND),
    ("5 m", [(5, "measure", "m")], HAND),
    ("3 GW", [(3, "measure", "GW")], HAND),
    # durations
    ("30 days", [(30, "duration", "day")], HAND),
    ("a 90-day period", [(90, "duration", "day")], HAND),
    ("thirty (30) days", [(30, "duration", "day")], "contract drafting"),
    ("ten business days", [(10, "duration", "business day")], HAND),
    ("5 years", [(5, "duration", "year")], HAND),
    ("twelve months", [(12, "duration", "month")], HAND),
    ("24 h", [(24, "duration", "hour")], HAND),
    ("90 minutes", [(90, "duration", "minute")], HAND),
    ("one year", [(1, "duration", "year")], HAND),
    # dates
    ("3 May 2021", [(day(2021, 5, 3), "date", "day")], HAND),
    ("May 3, 2021", [(day(2021, 5, 3), "date", "day")], HAND),
    ("the 3rd of May 2021", [(day(2021, 5, 3), "date", "day")], HAND),
    ("2021-05-03", [(day(2021, 5, 3), "date", "day")], "ISO 8601"),
    ("5/3/2021", [(day(2021, 5, 3), "date", "day?")], "day and month could be swapped"),
    ("25/3/2021", [(day(2021, 3, 25), "date", "day")], HAND),
    ("13.05.2021", [(day(2021, 5, 13), "date", "day")], "German order"),
    ("25/3/69", [(day(2069, 3, 25), "date", "day")], "two digits of a year: below 70 of this century"),
    ("25/3/70", [(day(1970, 3, 25), "date", "day")], "two digits of a year: from 70 of the last"),
    ("December 31, 2018", [(day(2018, 12, 31), "date", "day")], HAND),
    ("Sept. 5, 2001", [(day(2001, 9, 5), "date", "day")], HAND),
    ("May 2021", [(day(2021, 5, 1), "date", "month")], HAND),
    ("July 4", [(704, "date", "month-day")], HAND),
    ("in 1954", [(1954, "year", None)], HAND),
    ("FY2018", [(2018, "year", None)], HAND),
    ("FY 18", [(2018, "year", None)], HAND),
    ("fiscal year 2022", [(2022, "year", None)], HAND),
    ("mid-2018", [(2018, "year", None)], HAND),
    ("Q2", [(2, "quarter", None)], HAND),
    ("Q2 2023", [(20232, "quarter", None)], HAND),
    ("Q2 of FY2023", [(20232, "quarter", None)], HAND),
    ("2Q23", [(20232, "quarter", None)], HAND),
    ("FY2023Q1", [(20231, "quarter", None)], HAND),
    ("the second quarter of 2023", [(20232, "quarter", None)], HAND),
    ("10:30 a.m.", [(630, "time", None)], HAND),
    ("at 14:05", [(845, "time", None)], HAND),
    ("31 February 2020", [(31, "number", None), (2020, "year", None)], "no such day"),
    # counts, words, ordinals
    ("twelve", [(12, "number", None)], HAND),
    ("one hundred and twenty", [(120, "number", None)], HAND),
    ("two hundred thousand and five", [(200005, "number", None)], HAND),
    ("a dozen eggs", [(12, "number", None)], HAND),
    ("one patient died", [(1, "number", None)], HAND),
    ("the 21st amendment", [(21, "ordinal", None)], HAND),
    ("the twenty-first century", [(21, "ordinal", None)], HAND),
    ("the third claim", [(3, "ordinal", None)], HAND),
    ("two, three or four", [(2, "number", None), (3, "number", None), (4, "number", None)], HAND),
    ("5-10", [(5, "number", None), (10, "number", None)], HAND),
    ("2.3–4.5", [(2.3, "number", None), (4.5, "number", None)], HAND),
    ("347 U.S. 483 (1954)", [(347, "number", None), (483, "number", None), (1954, "year", None)], PEERS),
    ("in FY2018, and", [(2018, "year", None)], "a comma after a fiscal year"),
    ("41.2% in FY 2019 to 39.7%", [(41.2, "percent", "%"), (2019, "year", None), (39.7, "percent", "%")], HAND),
    # fractions, in figures and in words
    ("5 7/8%", [(5.875, "percent", "%")], HAND),
    ("5⅞ %", [(5.875, "percent", "%")], HAND),
    ("2½ years", [(2.5, "duration", "year")], HAND),
    ("1 1/2 cups", [(1.5, "number", None)], HAND),
    ("one and a half days", [(1.5, "duration", "day")], HAND),
    ("two and a half million dollars", [(2.5e6, "money", "USD")], HAND),
    ("an hour and a quarter", [(1.25, "duration", "hour")], HAND),
    ("half a kilogram", [(0.5, "measure", "kg")], HAND),
    ("half a million", [(5e5, "number", None)], HAND),
    ("three quarters of an hour", [(0.75, "duration", "hour")], HAND),
    ("a quarter of the shares", [(25, "percent", "%")], HAND),
    ("at half price", [(50, "percent", "%")], HAND),
    ("a year and a third party", [], "no fraction"),
    ("one and half of them", [(50, "percent", "%")], "no mixed number"),
    ("a quarter of 2018", [(2018, "year", None)], "a stretch of the year"),
    ("24 1/7", [(24, "number", None), (1, "number", None), (7, "number", None)], "a part that is no usual fraction"),
    # pressure, mass, speed, area, energy, data
    ("16 bars", [(16, "measure", "bar")], HAND),
    ("3 200 kt", [(3200, "measure", "kt")], "SI: groups of three with a space"),
    ("2 500 mg tablets", [(2, "number", None), (500, "measure", "mg")], "two tablets of 500 mg"),
    ("in 2018 200 kt", [(2018, "year", None), (200, "measure", "kt")], "a year before a number"),
    ("3 t-tests", [(3, "number", None)], "no tonnes"),
    ("10 sq. km", [(10, "measure", "km²")], HAND),
    ("1,000 Mbit/s", [(1000, "measure", "Mbit/second")], HAND),
    # currencies
    ("TRY 50", [(50, "money", "TRY")], "ISO 4217"),
    ("try 50", [(50, "number", None)], "a word in small letters"),
    ("20 New Zealand dollars", [(20, "money", "NZD")], HAND),
    ("500 Norwegian kroner", [(500, "money", "NOK")], HAND),
    ("5 won the game", [(5, "number", None)], "a currency only with its country"),
    # a month or a year that is left out
    ("between March and August 2015", [(day(2015, 3, 1), "date", "month"), (day(2015, 8, 1), "date", "month")], HAND),
    ("January–March 2020", [(day(2020, 1, 1), "date", "month"), (day(2020, 3, 1), "date", "month")], HAND),
    ("they march and may 2015", [(2015, "year", None)], "no months"),
    ("in on 5 March, out on the 12th.", [(305, "date", "month-day"), (312, "date", "month-day")], HAND),
    ("in on 5 March, to the 12th floor", [(305, "date", "month-day"), (12, "ordinal", None)], "no day"),
    ("5 May, then on the 3rd.", [(505, "date", "month-day"), (3, "ordinal", None)], "of the next month, or of another"),
    # no quantities
    ("one of the best", [], HAND),
    ("no one knows", [], HAND),
    ("COVID-19, B12 and H1N1", [], "digits in a name"),
    ("Form 10-K of 3M", [], "digits in a name"),
    ("[1] and [1, 2] and [1–3] and [doc-7]", [], PEERS),
    ("see doi:10.1056/NEJMoa2034577", [], HAND),
    ("https://example.org/2021/05/03/7", [], HAND),
    ("version 1.2.3", [], HAND),
    ("1. Alpha\n2. Beta", [], "list numbers"),
    ("(1) usual pricing; (2) opioids", [], "enumerators"),
    ("a third-party claim", [], HAND),
    ("40 metres per second", [(40, "measure", "m/second")], HAND),
    ("he may 5", [(5, "number", None)], "no month"),
    ("", [], HAND),
    ("plain words only", [], HAND),
]


@every_row(("text", "expected", "source"), READ)
def test_reads_each_way_of_writing_a_quantity(text, expected, source):
    found = [(q.value, q.kind, q.unit) for q in find_quantities(text)]
    assert found == [(pytest.approx(value), kind, unit) for value, kind, unit in expected]


SAME = [
    ("$1,577 million", "1.58 billion", True, "design: gold answers"),
    ("$1,577 million", "$1.57 billion", False, "1.577 rounds to 1.58"),
    ("8.7 billion", "$8,738 million", True, "rounded to one decimal"),
    ("43,548", "43548", True, PEERS),
    ("43,548", "43,549", False, HAND),
    ("about 43,500", "43,548", True, "stated to the hundred"),
    ("43,500", "43,548", False, "stated to the unit"),
    ("12.4%", "12.4 percent", True, HAND),
    ("12%", "12.4%", True, "stated to the percent"),
    ("12.4%", "12.6%", False, HAND),
    ("12.4%", "0.124", False, "only a question that asks for a ratio makes them equal"),
    ("25 basis points", "0.25%", True, HAND),
    ("two percent", "2 percentage points", True, "writers interchange them"),
    ("(1.2)", "-1.2", True, "accounting negative"),
    ("(1.2)", "1.2", True, "the sign is put into words"),
    ("-1.2", "1.2", False, HAND),
    ("3 May 2021", "2021-05-03", True, HAND),
    ("3 May 2021", "May 3, 2021", True, HAND),
    ("3 May 2021", "May 2021", True, "coarser statement"),
    ("3 May 2021", "4 May 2021", False, HAND),
    ("3 May 2021", "May 3", True, "no year stated"),
    ("5/3/2021", "5 March 2021", True, "day and month could be swapped"),
    ("5/3/2021", "May 3, 2021", True, "day and month could be swapped"),
    ("5/3/2021", "4 March 2021", False, HAND),
    ("FY2018", "2018", True, HAND),
    ("2018", "2019", False, HAND),
    ("Q2 2023", "second quarter of 2023", True, HAND),
    ("Q2 2023", "Q2", True, "no year stated"),
    ("Q2 2023", "Q3 2023", False, HAND),
    ("24 hours", "1 day", True, HAND),
    ("12 months", "one year", True, HAND),
    ("30 days", "1 month", False, "law: a month is not thirty days"),
    ("30 days", "30 business days", False, HAND),
    ("30 days", "30 employees", False, HAND),
    ("500 mg", "0.5 g", True, HAND),
    ("500 mg", "1 L", False, HAND),
    ("500 mL", "1 L", False, "one litre is not half a litre rounded"),
    ("0.5 mg/kg", "500 µg/kg", True, HAND),
    ("0.5 mg/kg", "0.5 mg", False, HAND),
    ("5 mg", "50 mg", False, "tenfold dose"),
    ("55 cents", "$0.55", True, HAND),
    ("$5 million", "€5 million", False, HAND),
    ("$5 million", "$5 billion", False, HAND),
    ("twelve", "12", True, HAND),
    ("third", "3rd", True, HAND),
    ("third", "3", False, "a rank is no count"),
    ("24.26x", "24.26", True, HAND),
    ("half of them", "50%", True, HAND),
    ("2:30 p.m.", "14:30", True, HAND),
    ("1.6 MPa", "16 bar", True, "SI"),
    ("16 bar", "160 bar", False, HAND),
    ("760 mmHg", "1 atm", True, "SI brochure"),
    ("3.2 Mt", "3.2 million tonnes", True, "SI"),
    ("2 tonnes", "2 tons", False, "a ton is one of three"),
    ("2 short tons", "4,000 lbs", True, "2,000 pounds each"),
    ("100 mph", "161 km/h", True, "1.609344 km a mile"),
    ("10 knots", "18.5 km/h", True, "1,852 m a nautical mile"),
    ("10 ha", "0.1 km²", True, HAND),
    ("25 acres", "25 ha", False, HAND),
    ("5 kWh", "18 MJ", True, HAND),
    ("200 kcal", "837 kJ", True, "4.184 J a calorie"),
    ("5 m³", "5,000 litres", True, HAND),
    ("1 Gbps", "1,000 Mbit/s", True, HAND),
    ("8 GB", "8 Gbit", False, "eight bits a byte"),
    ("CHF 5", "5 Swiss francs", True, "ISO 4217"),
    ("NZD 5", "$5", False, "an unmarked dollar is read as the US one"),
    ("a day and a half", "36 hours", True, HAND),
]


@every_row(("a", "b", "expected", "source"), SAME)
def test_holds_equal_what_the_stated_precision_makes_equal(a, b, expected, source):
    (one,), (other,) = find_quantities(a), find_quantities(b)
    assert same_quantity(one, other) is expected
    assert same_quantity(other, one) is expected


@given(st.text(max_size=200))
def test_any_text_is_read_without_error_and_spans_index_it(text):
    for q in find_quantities(text):
        assert text[q.span[0] : q.span[1]] == q.text
        assert same_quantity(q, q)


FRAGMENTS = st.lists(
    st.sampled_from(
        [r[0] for r in READ] + [" ", ", ", "\n", "(", ")", "-", "–", "[", "]", "$", ".", "%", "İ", "9" * 60, "0/0/0000"]
    ),
    max_size=12,
)


@given(FRAGMENTS)
def test_any_mixture_of_quantities_is_read_in_order_without_overlap(parts):
    text = "".join(parts)
    found = find_quantities(text)
    spans = [q.span for q in found]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    for one in found:
        for other in found:
            assert same_quantity(one, other) == same_quantity(other, one)


@given(st.integers(min_value=0, max_value=10**12))
def test_a_whole_number_is_the_same_quantity_however_it_is_grouped(n):
    forms = [f"{n} people", f"{n:,} people", f"{n:,} people".replace(",", "\u202f"), f"{n:,}.0 people"]
    quantities = [find_quantities(form)[0] for form in forms]
    assert all(same_quantity(quantities[0], q) for q in quantities)


@given(st.decimals(min_value=1, max_value=9999, places=2))
def test_an_amount_is_the_same_quantity_in_every_notation(amount):
    forms = [
        f"${amount} million",
        f"USD {amount} million",
        f"{amount} million dollars",
        f"$ {amount}m",
        f"${amount * 1000000:.0f}",
    ]
    quantities = [find_quantities(form)[0] for form in forms]
    assert all(q.kind == "money" and same_quantity(quantities[0], q) for q in quantities)


@given(st.dates(min_value=date(1800, 1, 1), max_value=date(2099, 12, 31)))
def test_a_day_is_the_same_quantity_in_every_notation(d):
    forms = [
        d.isoformat(),
        f"{d.day} {d:%B} {d.year}",
        f"{d:%B} {d.day}, {d.year}",
        f"{d:%b}. {d.day}, {d.year}",
        f"{d.day}.{d.month}.{d.year}",
    ]
    quantities = [find_quantities(form) for form in forms]
    assert all(len(q) == 1 and same_quantity(q[0], quantities[0][0]) for q in quantities)


def test_a_long_text_of_numbers_is_read():
    # quadratic reading would take minutes here, and be seen
    unit = "1. 12 (3) $4,5 [1] may 5 one Q2 1,2,3,4 "
    assert len(find_quantities(unit * 2000)) >= 2000
