"""Addresses and credentials of the registries: public addresses by default, secrets from the environment alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Settings:
    """What the registries need to know.

    `base` replaces a registry's address by name (a mirror, a proxy of one's own, a server in a test).
    `secrets` holds keys and tokens by the name of their environment variable. `mailto` is the address that
    polite pools ask for.
    """

    base: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    mailto: str | None = None

    def address(self, name: str, public: str) -> str:
        """Give the address of a registry, or of one of its services, without a slash at its end."""
        return self.base.get(name, public).rstrip("/")

    def secret(self, variable: str) -> str | None:
        """Give a secret, or None where it is not set."""
        return self.secrets.get(variable) or None


SECRETS = (
    "PROBATIVE_COURTLISTENER_TOKEN",
    "PROBATIVE_OPENALEX_KEY",
    "PROBATIVE_CROSSREF_PLUS_TOKEN",
    "PROBATIVE_NCBI_KEY",
    "PROBATIVE_GOVINFO_KEY",
    "PROBATIVE_OPENFDA_KEY",
    "PROBATIVE_PACER_LOGIN",
    "PROBATIVE_PACER_PASSWORD",
    "PROBATIVE_PACER_CAP_USD",
    "PROBATIVE_WESTLAW_KEY",
    "PROBATIVE_LEXIS_KEY",
)
"""Every environment variable that a registry may read a secret from."""


def settings_from(environment: Mapping[str, str]) -> Settings:
    """Read settings from environment variables: the secrets, PROBATIVE_MAILTO, and PROBATIVE_REGISTRY_<NAME> for addresses.

    Space around a value is no part of it: a key read from a file ends in a newline, which no header may have.
    """
    prefix = "PROBATIVE_REGISTRY_"
    told = {name: value.strip() for name, value in environment.items() if value.strip()}
    base = {name.removeprefix(prefix).lower(): value for name, value in told.items() if name.startswith(prefix)}
    secrets = {name: told[name] for name in SECRETS if name in told}
    return Settings(base=base, secrets=secrets, mailto=told.get("PROBATIVE_MAILTO"))
