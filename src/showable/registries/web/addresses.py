"""Which internet addresses may be asked: the globally reachable ones, less those that lead elsewhere than they seem."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Allowed = frozenset[tuple[str, int]]
"""Exact pairs of a host (a name, or an address) and a port that are allowed whatever else holds."""

PORTS = frozenset({80, 443})
_LONGEST_NAME = 253
"""RFC 1035 section 2.3.4, written without the last dot."""

_DENIED: tuple[tuple[IPv4Network | IPv6Network, str], ...] = tuple(
    (ip_network(block), why)
    for block, why in (
        # `is_global` of the standard library depends on its version, and counts several of these as global.
        ("0.0.0.0/8", "this network, RFC 791"),
        ("10.0.0.0/8", "private, RFC 1918"),
        ("100.64.0.0/10", "shared by carriers, RFC 6598"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "a cloud's own service"),
        ("169.254.0.0/16", "link-local, and clouds' metadata"),
        ("172.16.0.0/12", "private, RFC 1918"),
        ("192.0.0.0/24", "protocol assignments, RFC 6890"),
        ("192.0.2.0/24", "documentation, RFC 5737"),
        ("192.88.99.0/24", "6to4 relay, RFC 7526"),
        ("192.168.0.0/16", "private, RFC 1918"),
        ("198.18.0.0/15", "benchmarking, RFC 2544"),
        ("198.51.100.0/24", "documentation, RFC 5737"),
        ("203.0.113.0/24", "documentation, RFC 5737"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/96", "an IPv4 address in an obsolete form, RFC 4291"),
        ("::ffff:0:0:0/96", "an IPv4 address translated, RFC 2765"),
        ("64:ff9b::/96", "an IPv4 address behind NAT64, RFC 6052"),
        ("64:ff9b:1::/48", "local NAT64, RFC 8215"),
        ("100::/64", "discarded, RFC 6666"),
        ("2001::/23", "protocol assignments and Teredo, RFC 4380"),
        ("2001:db8::/32", "documentation, RFC 3849"),
        ("2002::/16", "an IPv4 address in 6to4, RFC 3056"),
        ("3fff::/20", "documentation, RFC 9637"),
        ("5f00::/16", "segment routing, RFC 9602"),
        ("fc00::/7", "unique local, RFC 4193"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local, RFC 3879"),
        ("ff00::/8", "multicast"),
    )
)
_DENIED_NAMES = frozenset({"localhost", "metadata", "instance-data", "metadata.goog"})
_DENIED_ENDS = (".localhost", ".local", ".internal", ".home.arpa", ".onion", ".lan", ".intranet", ".corp", ".test")


def why_not_name(host: str) -> str | None:
    """Return why a host's name may not be asked; None where it may. An address written as one passes: it is vetted as such."""
    name = host.rstrip(".").lower()
    if not name:
        return "no host"
    if len(name) > _LONGEST_NAME:
        return f"a host of more than {_LONGEST_NAME} characters"
    if name in _DENIED_NAMES or name.endswith(_DENIED_ENDS):
        return f"{shown(name)} is a name of a local network"
    return None


def why_not_address(address: str, port: int, allowed: Allowed = frozenset()) -> str | None:
    """Return why an address and port may not be connected to; None where they may. What is no address is refused."""
    if (address, port) in allowed:
        return None
    try:
        parsed = ip_address(address)
    except ValueError:
        return f"{shown(address)} is not an address"
    if isinstance(parsed, IPv6Address) and parsed.scope_id is not None:
        return f"{parsed} is of one link alone"
    inner = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    why = _why_not(inner or parsed)
    if why:
        return f"{shown(address)} is not a public address ({why})"
    return None if port in PORTS else f"port {port} is neither 80 nor 443"


def first_denied(addresses: Sequence[str], port: int, allowed: Allowed = frozenset()) -> str | None:
    """Return why one of a host's addresses may not be connected to; every one of them has to be allowed."""
    return next((why for address in addresses if (why := why_not_address(address, port, allowed))), None)


def unwrapped(address: str) -> str:
    """Return the IPv4 address inside an IPv6 one that maps it, so that what was vetted is what is connected to."""
    parsed = ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return str(mapped or parsed)


def shown(text: str) -> str:
    """Make a host fit to be shown in a reason, whatever is in it."""
    return "".join(char if char.isprintable() else "�" for char in text[:100])


def _why_not(address: IPv4Address | IPv6Address) -> str | None:
    for network, why in _DENIED:
        if address in network:
            return why
    return None if address.is_global and not address.is_multicast else "not globally reachable"
