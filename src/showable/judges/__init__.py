"""Judges: one file each, none knowing another."""
