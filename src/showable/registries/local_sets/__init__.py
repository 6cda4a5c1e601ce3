"""Sets of known citations, imported from files, kept in one SQLite file and answered from without a network."""
