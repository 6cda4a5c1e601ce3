"""Addresses and credentials of the registries: public addresses by default, secrets from the environment alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from showable.former_name import with_former_variables


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
        """Return the address of a registry, or of one of its services, without a slash at its end."""
        return self.base.get(name, public).rstrip("/")

    def secret(self, variable: str) -> str | None:
        """Return a secret, or None where it is not set."""
        return self.secrets.get(variable) or None


SECRETS = (
    "SHOWABLE_COURTLISTENER_TOKEN",
    "SHOWABLE_OPENALEX_KEY",
    "SHOWABLE_CROSSREF_PLUS_TOKEN",
    "SHOWABLE_NCBI_KEY",
    "SHOWABLE_GOVINFO_KEY",
    "SHOWABLE_OPENFDA_KEY",
    "SHOWABLE_PACER_LOGIN",
    "SHOWABLE_PACER_PASSWORD",
    "SHOWABLE_PACER_CAP_USD",
    "SHOWABLE_WESTLAW_KEY",
    "SHOWABLE_LEXIS_KEY",
)
"""Every environment variable that a registry may read a secret from."""


def settings_from(environment: Mapping[str, str]) -> Settings:
    """Read settings from environment variables: the secrets, SHOWABLE_MAILTO, and SHOWABLE_REGISTRY_<NAME> for addresses.

    Space around a value is no part of it: a key read from a file ends in a newline, which no header may have.
    """
    prefix = "SHOWABLE_REGISTRY_"
    told = {name: value.strip() for name, value in with_former_variables(environment).items() if value.strip()}
    base = {name.removeprefix(prefix).lower(): value for name, value in told.items() if name.startswith(prefix)}
    secrets = {name: told[name] for name in SECRETS if name in told}
    return Settings(base=base, secrets=secrets, mailto=told.get("SHOWABLE_MAILTO"))
