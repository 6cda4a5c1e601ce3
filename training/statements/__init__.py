"""Questions and their answers as plain statements, for training the entailment judge."""

from __future__ import annotations

from statements.polar import affirm, deny
from statements.wh import state

__all__ = ["affirm", "deny", "state"]
