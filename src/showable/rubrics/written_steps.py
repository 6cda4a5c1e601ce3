"""The steps of a reckoning that a claim writes out ("120 − 100 = 20"): is each right, and do its numbers stand in the passage?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from typing import Literal

from showable.read.passage_tables import Span
from showable.read.quantity import Quantity
from showable.records.regex import regex
from showable.rubrics.operands import Operand

_NUMBER = r"[$€£]?\d[\d.,]{0,24}(?:\s?(?:million|billion|thousand)\b)?(?:\s?%)?"
_BESIDE = r"[^\d=+×·*/÷−–()\n-]{0,16}"
_STEP = regex(
    rf"(?<![\d.,])(?P<left>{_NUMBER}{_BESIDE}(?:\s?[+×·*/÷−–-]\s?{_NUMBER}{_BESIDE}){{1,8}})"
    rf"=\s*(?P<result>[$€£]?\d(?:[\d.,]{{0,24}}\d)?(?:\s?(?:million|billion|thousand)\b)?(?:\s?%)?)"
)
"""``120 − 100 = 20``, ``1.5 % × €180,000 = €2,700``; not ``x = 20``."""
_TOKEN = regex(r"[+×·*/÷−–-]|\d[\d.,]{0,24}(?:\s?(?:million|billion|thousand)\b)?(?:\s?%)?")
_SCALE_WORD = regex(r"\s?(?:million|billion|thousand)\b")
_SCALES = (("million", 1e6), ("billion", 1e9), ("thousand", 1e3))
_CONSTANTS = frozenset({2.0, 7.0, 12.0, 24.0, 52.0, 60.0, 100.0, 365.0, 1000.0})
"""Numbers of reckoning itself, which no passage need state."""
_HIDDEN = 0.001
"""Share by which a result may miss besides the last digit shown: people reckon from more digits than they show, and cut some off."""
_TIMES, _OVER = frozenset("×·*"), frozenset("/÷")


@dataclass(frozen=True, slots=True)
class Step:
    """One step as written; `known` says whether all its numbers are the passage's, a step's before, or constants."""

    text: str
    span: Span
    right: bool
    known: bool
    value: float
    operands: tuple[Operand, ...]

    @property
    def outcome(self) -> Literal["holds", "fails", "no_operands"]:
        """Return what became of it."""
        if not self.right:
            return "fails"
        return "holds" if self.known else "no_operands"

    @property
    def told(self) -> str:
        """Return what is wrong with it, or write it out."""
        if not self.right:
            return f"{self.text} is not right: it comes out at {self.value:.10g}"
        return self.text if self.known else f"not all numbers of {self.text} stand in the passage"


def written_steps(claim: str, operands: Sequence[Operand]) -> list[Step]:
    """Check the steps of a claim one by one, in order; what cannot be evaluated is no step."""
    found: list[Step] = []
    results: list[float] = []
    for match in _STEP.finditer(claim):
        numbers, value = _evaluated(match["left"])
        result = _number(match["result"])
        if value is None:
            continue
        percent = match["result"].endswith("%")
        decimals = len(re.sub(r"[^\d.]", "", match["result"]).partition(".")[2])
        scale = next((factor for word, factor in _SCALES if word in match["result"]), 1.0)
        near = [value, 100 * value] if percent else [value]
        digits = _evaluated(_SCALE_WORD.sub("", match["left"]))[1]  # "$8,738 million / 1,000 = $8.738 billion"
        slack = max(10**-decimals * scale, _HIDDEN * abs(result))
        right = any(abs(one - result) <= slack + 1e-9 for one in near)
        right = right or (digits is not None and abs(digits - result / scale) <= slack / scale + 1e-9)
        used = tuple(operand for n in numbers if (operand := _operand(n, operands)) is not None)
        known = bool(used) and all(n in _CONSTANTS or n in results or _operand(n, operands) for n in numbers)
        text = f"{' '.join(match['left'].split())} = {match['result']}"
        found.append(Step(text, match.span(), right, known, near[-1] if percent and abs(value) < 1 else value, used))
        results.append(result)
    return found


def _operand(number: float, operands: Sequence[Operand]) -> Operand | None:
    return next((o for o in operands if _is(number, o.quantity)), None)


def _is(number: float, quantity: Quantity) -> bool:
    return isclose(number, abs(quantity.value)) or isclose(number, abs(quantity.mantissa))


def _number(text: str) -> float:
    scale = next((factor for word, factor in _SCALES if word in text), 1.0)
    digits = re.sub(r"[^\d.,]", "", text).rstrip(".,").replace(",", "")
    return float(digits) * scale if digits.count(".") < 2 else 0.0  # noqa: PLR2004 - "1.2.3" is no number


def _evaluated(text: str) -> tuple[list[float], float | None]:
    """Return the numbers of a chain of + − × ÷ and what it comes out at, products first; None where it is no chain.

    A percentage in a product is a share: 1.5 % × 180,000 is 2,700.
    """
    tokens = _TOKEN.findall(text)
    numbers = [_number(token) for token in tokens if token[0].isdigit()]
    operators = [token for token in tokens if not token[0].isdigit()]
    if len(operators) != len(numbers) - 1 or not _TOKEN.match(text.lstrip("$€£")):
        return numbers, None
    shares = [token.endswith("%") for token in tokens if token[0].isdigit()]
    product = any(operator in _TIMES for operator in operators)
    values = [n / 100 if share and product and not all(shares) else n for n, share in zip(numbers, shares, strict=True)]
    total = [values[0]]
    for operator, value in zip(operators, values[1:], strict=True):
        if operator in _TIMES:
            total[-1] *= value
        elif operator in _OVER and value:
            total[-1] /= value
        elif operator in _OVER:
            return numbers, None
        else:
            total.append(value if operator == "+" else -value)
    return numbers, sum(total)
