"""Runs side by side: what they are compared in, and the table, page and comment made of it."""
