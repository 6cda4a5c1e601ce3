"""Claims made from passages by small edits whose effect on entailment is known."""

from edits.compose import KINDS, make
from edits.example import Change, Example, Scope

__all__ = ["KINDS", "Change", "Example", "Scope", "make"]
