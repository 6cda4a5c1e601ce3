"""Spans and what was found out about the answers in them, kept: SQLite by default, ClickHouse where a URL is given."""
