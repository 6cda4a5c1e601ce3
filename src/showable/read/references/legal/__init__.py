"""Legal citations, read from any text: folded, scanned, completed in order of place, and resolved."""

from showable.read.references.legal.find import find_legal

__all__ = ["find_legal"]
