"""Profiles of fields, as TOML: legal, medical, research, news and general are shipped, a team writes its own."""

from showable.profiles.load import BUILT_IN, load_profile, read_builtin

__all__ = ["BUILT_IN", "load_profile", "read_builtin"]
