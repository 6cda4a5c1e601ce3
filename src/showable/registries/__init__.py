"""Registries of record, one file each: who can say that a case, a paper, a rule or a page exists, and what it is."""
