"""The kind of a claim, by rules: a threshold, and whether it may be left undecided, hang on it."""

from __future__ import annotations

from collections.abc import Mapping

from showable.read.claim_kinds.legal import LEGAL
from showable.read.claim_kinds.medical import MEDICAL
from showable.read.claim_kinds.news import NEWS
from showable.read.claim_kinds.research import RESEARCH
from showable.read.claim_kinds.rule import KindRules, Stated
from showable.records.profile import FieldName

__all__ = ["RULES", "KindRules", "Stated"]

RULES: Mapping[FieldName, KindRules] = {
    "general": KindRules(),
    "legal": LEGAL,
    "medical": MEDICAL,
    "research": RESEARCH,
    "news": NEWS,
}
"""The rules of each field. The general ones give no kind, and keep what the answer itself says."""
