"""Rubrics of one's own: from a description to a file, and from labelled examples to the leave to use it."""
