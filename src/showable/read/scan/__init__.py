"""Scanners that run on every call: invisible characters, dangerous URLs, patterns of one's own, orders in passages."""
