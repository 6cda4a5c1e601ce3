"""Internet addresses written as a host, in every form that some program reads as one."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

from showable.records.regex import regex

_NUMBER = regex(r"0[xX][0-9a-fA-F]*|[0-9]+")
_MOST_PARTS = 4
_BYTE = 256
_ALL = 1 << 32
_LONGEST_NUMBER = 40
"""Digits of a number that is read at all; a longer one is no address, but is still meant as one."""


def why_address(host: str) -> str | None:
    """Return which address a host is, where it is one and no name; None for a name.

    Dotted, decimal (``2130706433``), hexadecimal, octal, shortened (``127.1``), and anything in brackets.
    As in the URL standard, a host whose last label is a number is taken for an address even where it is a wrong one.
    """
    if host.startswith("["):
        return _why_bracketed(host)
    labels = host.removesuffix(".").split(".")
    if not _NUMBER.fullmatch(labels[-1]):
        return None
    value = _ipv4(labels)
    if value is None:
        return f"the host {host} ends in a number and is no name"
    return f"the host is the address {value}" + ("" if str(value) == host else f", written as {host}")


def _ipv4(labels: list[str]) -> IPv4Address | None:
    """Read numbers as an address: the last one fills all bytes that are left (127.1 is 127.0.0.1)."""
    if len(labels) > _MOST_PARTS or not all(
        _NUMBER.fullmatch(label) and len(label) < _LONGEST_NUMBER for label in labels
    ):
        return None
    numbers = [_read(label) for label in labels]
    if any(number is None for number in numbers):
        return None
    *first, last = (number or 0 for number in numbers)
    room = _ALL >> (8 * len(first))
    if any(number >= _BYTE for number in first) or last >= room:
        return None
    value = last
    for place, number in enumerate(first):
        value += number << (8 * (_MOST_PARTS - 1 - place))
    return IPv4Address(value)


def _read(label: str) -> int | None:
    try:
        if label[:2].lower() == "0x":
            return int(label[2:] or "0", 16)
        return int(label, 8 if len(label) > 1 and label[0] == "0" else 10)
    except ValueError:  # 08 is neither octal nor decimal
        return None


def _why_bracketed(host: str) -> str:
    inner, _, zone = host.strip("[]").partition("%")
    try:
        address = IPv6Address(inner)
    except ValueError:
        return "the host is written in brackets, as addresses are, and is no name"
    said = f"the host is the address {address}"
    if address.ipv4_mapped:
        said += f", which is {address.ipv4_mapped}"
    return f"{said} of the network interface {zone.removeprefix('25')}" if zone else said
