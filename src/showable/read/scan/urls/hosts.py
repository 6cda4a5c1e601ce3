"""What is wrong with a host's name whoever it belongs to: its length, its characters, names of private networks."""

from __future__ import annotations

from collections.abc import Iterator

from showable.read.scan.finding import Severity
from showable.read.scan.urls.addresses import why_address
from showable.records.regex import regex

LONGEST_HOST, LONGEST_LABEL = 253, 63

_ALLOWED = regex(r"[a-z0-9_-]+")
_DOTS = "\u3002\uff0e\uff61"
"""Ideographic, fullwidth and halfwidth full stops: mapped to a dot by IDNA, and seen as something else."""

_PRIVATE = frozenset(
    ["localhost", "localdomain", "local", "internal", "intranet", "private", "corp", "home", "lan", "onion"]
)
"""Last labels that no public server has (RFC 6761, 6762, 7686, ICANN's .internal), or that lead into another network."""
_PRIVATE_ENDS = (".home.arpa",)
_LEAD_ANYWHERE = (
    "nip.io",
    "sslip.io",
    "xip.io",
    "localtest.me",
    "lvh.me",
    "vcap.me",
    "traefik.me",
    "1u.ms",
    "rbndr.us",
)
"""Services whose names resolve to whatever address is written in them, or to the machine itself."""
_LOCAL_NAMES = frozenset({"localhost", "metadata", "instance-data", "wpad", "broadcasthost"})

HostFault = tuple[str, str, Severity]
"""Code, reason, severity."""


def written_faults(host: str) -> Iterator[HostFault]:
    """Judge a host as it is written, before any mapping."""
    if not host:
        yield "no_host", "there is no host", "error"
    if "%" in host and not host.startswith("["):
        yield "encoded_host", "the host is percent-encoded, which hides its name", "error"
    if any(dot in host for dot in _DOTS):
        yield "odd_dot", "the host has a dot that is none in ASCII (ideographic, fullwidth or halfwidth)", "error"


def mapped_faults(host: str) -> Iterator[HostFault]:
    """Judge a host in ASCII and lower case, as it would be asked for."""
    if (address := why_address(host)) is not None:
        yield "address", address, "error"
        return
    if len(host.removesuffix(".")) > LONGEST_HOST:
        yield "long_host", f"the host has more than {LONGEST_HOST} characters", "error"
    if host.endswith("."):
        yield "trailing_dot", "the host ends in a dot, which evades comparison with other names", "error"
    labels = host.removesuffix(".").split(".")
    if (fault := _label_fault(labels)) is not None:
        yield "bad_host", fault, "error"
    if (fault := _network_fault(host.removesuffix("."), labels)) is not None:
        yield "private_name", fault, "error"


def _label_fault(labels: list[str]) -> str | None:
    for label in labels:
        if not label:
            return "the host has an empty part between two dots"
        if len(label) > LONGEST_LABEL:
            return f"a part of the host has more than {LONGEST_LABEL} characters"
        if not _ALLOWED.fullmatch(label):
            return "the host has characters that no name may have"
    if len(labels) > 1 and not labels[-1].startswith("xn--") and not labels[-1].isalpha():
        return f"no name of the public network ends in .{labels[-1]}: its last part is made of letters"
    return None


def _network_fault(host: str, labels: list[str]) -> str | None:
    if labels[-1] in _PRIVATE or host.endswith(_PRIVATE_ENDS):
        return f"names under .{labels[-1]} belong to no public server"
    if len(labels) == 1 or host in _LOCAL_NAMES:
        return f"{host[:LONGEST_LABEL]} is a name of a local network"
    ends = {".".join(labels[-2:]), ".".join(labels[-3:])}
    service = next((name for name in _LEAD_ANYWHERE if name in ends), None)
    return f"names under {service} resolve to any address that is written in them" if service else None
