"""Claimed metadata held against what a registry has: titles, names, years, pages, containers, captions. Pure."""
