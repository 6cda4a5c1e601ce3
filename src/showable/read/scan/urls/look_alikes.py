"""Names that pass themselves off as a well-known site of law, medicine, scholarship, news or government."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from showable.read.scan.urls.hosts import HostFault
from showable.records.regex import regex

if TYPE_CHECKING:
    from tldextract import TLDExtract

_AS_SEEN = str.maketrans("01345789i2", "oleastbglz")
"""Digits to the letters they pass for; i and l are one."""
_WORD_BREAK = regex(r"[.-]")
_PAIRS = (("rn", "m"), ("vv", "w"))
_OTHER_LETTERS = str.maketrans("кмтвнпиτκεηωłøđħŋ", "kmtbhnutkenwlodhn")
"""Letters that pass for Latin ones at a glance and are not in Unicode's table of confusables."""

_LEAST_SURE, _LEAST_TELLING, _LEAST_COMPARED = 8, 6, 5
"""Length of a name from which any slip of one letter refuses; from which a doubled or swapped one does; from which slips are looked for."""
_SHORT = 4
"""Letters of a name that a swap of a digit for a letter makes another; shorter ones have too many honest neighbours."""

_LEAST_BORROWED = 5
"""Letters of a name that is looked for as a word of other names: shorter ones are words of their own."""
_ENTRANCE = frozenset(
    [
        "login",
        "signin",
        "logon",
        "secure",
        "security",
        "verify",
        "verification",
        "account",
        "accounts",
        "update",
        "support",
        "billing",
        "id",
        "password",
        "wallet",
        "confirm",
        "auth",
        "unlock",
        "refund",
        "recover",
        "suspended",
        "webmail",
    ]
)
"""Words of an entrance, which a site that is entered keeps under its own name: `login.example.org`, not `example-login.net`."""
_CARRIERS = frozenset(
    [
        "translate.goog",
        "ampproject.org",
        "oclc.org",
        "edgekey.net",
        "edgesuite.net",
        "akamaized.net",
        "cloudflare.net",
        "archive.org",
    ]
)
"""Translators, libraries' proxies and delivery networks, which put the name of the site they carry before their own."""
_PROXY = regex(r"(?:ez|lib|web)?-?proxy\d*|idm|eaccess|emedien|han|remotexs|libproxy\w*|ezp[\w-]*")
_ACADEMIC = regex(r"(?:edu|ac)(?:\.|$)")
_PLAIN_ENDS = frozenset({"com", "org", "net", "edu", "gov", "mil", "int"})
"""Suffixes that are no words: `case-law.org` need not mean `case.law`."""
_GUARDED = regex(r"(?:gov|mil|edu|int|ac|gouv|gob|govt|go|nhs|police|gc)(?:\.|$)|eu$")
"""Suffixes under which not everybody may register a name, so that a similar one is no slip."""


@dataclass(frozen=True, slots=True)
class Protected:
    """The protected names, indexed by what they look like and by what one slip leaves of them.

    `by_word` holds the first labels that are told from other words in digits; `brands` those that are no words of their own.
    """

    names: frozenset[str]
    by_looks: dict[tuple[str, str], str]
    by_slip: dict[tuple[str, str], frozenset[str]]
    hyphened: dict[str, str]
    by_word: dict[str, str]
    first_words: frozenset[str]
    brands: frozenset[str]


@lru_cache(maxsize=1)
def protected() -> Protected:
    """Read the list of protected registrable names that goes with this module."""
    lines = files("showable.read.scan.urls").joinpath("protected.txt").read_text("utf-8").splitlines()
    noted = {name.strip(): note.strip() for line in lines for name, _, note in [line.partition("#")] if name.strip()}
    names = frozenset(noted)
    by_slip: dict[tuple[str, str], frozenset[str]] = {}
    for full in names:
        name, _, suffix = full.partition(".")
        for left in {name, *_one_less(name)} if len(name) >= _LEAST_COMPARED else ():
            by_slip[left, suffix] = by_slip.get((left, suffix), frozenset()) | {name}
    looks = {(as_seen(name), suffix): full for full in names for name, _, suffix in [full.partition(".")]}
    words = {
        as_seen(name): full
        for full in sorted(names)
        for name in [full.partition(".")[0]]
        if len(name) >= (_LEAST_BORROWED if noted[full] == "brand" else _LEAST_SURE)
    }
    brands = frozenset(full for full in names if noted[full] == "brand")
    firsts = frozenset(as_seen(full.partition(".")[0]) for full in names)
    return Protected(names, looks, by_slip, {full.replace(".", "-"): full for full in names}, words, firsts, brands)


def is_protected(host: str) -> bool:
    """Check whether a host is a protected name or stands under one."""
    labels = host.split(".")
    return any(".".join(labels[at:]) in protected().names for at in range(max(0, len(labels) - 4), len(labels) - 1))


def may_pass_for_another(host: str) -> bool:
    """Say, before a name is looked at closely, whether any word in it looks like the first label of a protected name."""
    return any(as_seen(word) in protected().first_words for word in _WORD_BREAK.split(host))


def look_alike_faults(host: str, shown: str) -> Iterator[HostFault]:
    """Judge a host in ASCII, and as it is shown, against the protected names. One of theirs is never at fault."""
    if is_protected(host):
        return
    forms = host if host == shown else f"{shown} ({host})"
    strict = skeleton(shown)
    bare = strict.translate(_OTHER_LETTERS)
    parts = _extract()(host)
    fault = None if bare == shown else _disguised(bare, shown, forms)
    fault = fault or _carried(bare, parts.domain, parts.suffix, forms) or _similar(parts.domain, parts.suffix, forms)
    if _GUARDED.match(parts.suffix) is None:
        fault = fault or _borrowed(bare, parts.domain, parts.suffix, forms)
    if fault is not None:
        yield fault
    elif strict.isascii() and "xn--" not in parts.suffix and any(map(_is_foreign, shown)):
        yield "whole_script", f"{forms} can be read as {strict}", "warning"


def _is_foreign(char: str) -> bool:
    """Check whether a character is a letter and no Latin one, with an accent or without."""
    return not char.isascii() and char.isalpha() and "LATIN" not in unicodedata.name(char, "")


def skeleton(shown: str) -> str:
    """Return a name with each letter outside ASCII replaced by the ASCII letter it looks like (UTS 39, section 4), marks dropped."""
    if shown.isascii():
        return shown
    from confusable_homoglyphs.confusables import (  # type: ignore[import-untyped]  # noqa: PLC0415 - read from disk, 0.9 MB
        confusables_data,
    )

    marked = (char for char in unicodedata.normalize("NFKD", shown) if not unicodedata.combining(char))
    plain = []
    for char in marked:
        alike = () if char.isascii() else (entry["c"] for entry in confusables_data.get(char, ()))
        plain.append(next((one.lower() for one in alike if one.isascii() and one.isalnum()), char))
    return "".join(plain)


def as_seen(name: str) -> str:
    """Return a name as it looks at a glance: digits as letters, ``rn`` as ``m``."""
    seen = name.translate(_AS_SEEN)
    for pair, one in _PAIRS:
        seen = seen.replace(pair, one)
    return seen


def _disguised(bare: str, shown: str, forms: str) -> HostFault | None:
    """Find a protected name written in other letters; one that differs in accents alone is for a person to look at."""
    parts = _extract()(bare)
    full = protected().by_looks.get((as_seen(parts.domain), parts.suffix))
    if full is None:
        return None
    accents = unicodedata.normalize("NFKD", shown)
    if "".join(char for char in accents if not unicodedata.combining(char)).isascii():
        return "look_alike", f"{forms} is {full} with accents", "warning"
    return "look_alike", f"{forms} looks like {full} and is another name", "error"


def _carried(bare: str, domain: str, suffix: str, forms: str) -> HostFault | None:
    """Find a protected name within the labels before the registrable one: ``nature.com.evil.co``, ``nature-com.evil.co``."""
    own = f"{domain}.{suffix}"  # supremecourt-gov.org
    if own in _CARRIERS or _ACADEMIC.match(suffix):
        return None
    labels = bare.removesuffix(own).rstrip(".").split(".")
    full = next((name for name in _chains(labels, domain) if name in protected().names), None)
    if full is None:
        hyphened = (label.removeprefix("www-") for label in labels)
        full = next((protected().hyphened[label] for label in hyphened if label in protected().hyphened), None)
    if full is None and domain.rpartition("-")[2] in _PLAIN_ENDS:
        full = protected().hyphened.get(domain)
    if full is None:
        return None
    through = any(_PROXY.fullmatch(label) for label in [*labels, domain])
    said = f"{forms} names {full}, and belongs to {own}"
    return ("carried_name", f"{said}, a proxy by its name", "warning") if through else ("carried_name", said, "error")


def _borrowed(bare: str, domain: str, suffix: str, forms: str) -> HostFault | None:
    """Find the first label of a protected name as a word of another: `faceb00k-security.tk`, `paypal.verify-account.ru`.

    In digits for letters it refuses. As it is, it does where the name that it stands under is made of words of an entrance,
    and is for a person to look at where one such word stands beside it: a fan's site or a reseller's has the word, too.
    """
    own = f"{domain}.{suffix}"
    if own in _CARRIERS:
        return None
    before = bare.removesuffix(own).rstrip(".")
    beside = domain.split("-")
    entrances = sum(word in _ENTRANCE for word in beside)
    for word in [*before.replace("-", ".").split("."), *beside]:
        full = protected().by_word.get(as_seen(word))
        if full is None:
            continue
        said = f"{forms} names {full.partition('.')[0]}, and belongs to {own}"
        if word != full.partition(".")[0]:
            return "look_alike", f"{said}: {word} looks like {full.partition('.')[0]}", "error"
        if entrances and full in protected().brands:
            return "borrowed_name", said, "error" if word not in beside or entrances > 1 else "warning"
    return None


def _chains(labels: list[str], domain: str) -> Iterator[str]:
    """Yield two to four labels in a row; a hyphen may lead to the first, or follow the last (``my-nature.com-login.evil.co``)."""
    for start in range(len(labels)):
        for end in range(start + 2, min(start + 4, len(labels)) + 1):
            whole = ".".join(labels[start:end])
            yield whole
            yield whole[whole.find(".") - len(labels[start].rpartition("-")[2]) :]
            yield ".".join(labels[start:end]).rpartition(".")[0] + "." + labels[end - 1].partition("-")[0]
    if "-" in domain:
        yield f"{labels[-1]}.{domain.partition('-')[0]}"


def _similar(domain: str, suffix: str, forms: str) -> HostFault | None:
    known = protected()
    guarded = _GUARDED.match(suffix) is not None
    if (full := known.by_looks.get((as_seen(domain), suffix))) is not None and (guarded or len(domain) >= _SHORT):
        plain = len(domain) == _SHORT and domain.isalpha()
        return "look_alike", f"{forms} looks like {full} and is another name", "warning" if plain else "error"
    if guarded or len(domain) < _LEAST_COMPARED - 1:
        return None
    lefts = {domain, *_one_less(domain)}
    for name in sorted({name for left in lefts for name in known.by_slip.get((left, suffix), ())}):
        slip = _slip(domain, name)
        if slip is None or (slip == "letter" and len(name) < _LEAST_TELLING):
            continue
        sure = len(name) >= (_LEAST_SURE if slip == "letter" else _LEAST_TELLING)
        return "look_alike", f"{forms} is {name}.{suffix} with one slip", "error" if sure else "warning"
    return None


def _slip(written: str, name: str) -> str | None:
    """Return how one letter sets a name apart: doubled or dropped from a pair, swapped with the next, or another; None for more."""
    if len(written) == len(name):
        off = [at for at in range(len(name)) if written[at] != name[at]]
        if len(off) == 1:
            return "letter"
        swapped = len(off) == 2 and off[1] == off[0] + 1  # noqa: PLR2004 - two places
        return "swap" if swapped and written[off[0]] == name[off[1]] and written[off[1]] == name[off[0]] else None
    longer, shorter = (written, name) if len(written) > len(name) else (name, written)
    if len(longer) != len(shorter) + 1:
        return None
    at = next((at for at in range(len(shorter)) if longer[at] != shorter[at]), len(shorter))
    if longer[at + 1 :] != shorter[at:]:
        return None
    return "double" if at and longer[at] == longer[at - 1] else "letter"


def _one_less(name: str) -> set[str]:
    return {name[:at] + name[at + 1 :] for at in range(len(name))}


@lru_cache(maxsize=1)
def _extract() -> TLDExtract:
    """Make the reader of public suffixes from the list that comes with it: nothing is fetched, nothing written."""
    from tldextract import TLDExtract  # noqa: PLC0415 - 0.15 s to import

    return TLDExtract(suffix_list_urls=(), cache_dir=None)
