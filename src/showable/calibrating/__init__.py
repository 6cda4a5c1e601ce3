"""Judges set against people: what they are held to, what is fitted for them, and the files that say so."""
