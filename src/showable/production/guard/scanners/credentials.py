"""Credentials in a text: keys whose issuer gave them a prefix, told from look-alikes by checksum or entropy; private keys."""

from __future__ import annotations

import json
import math
import re
import string
import zlib
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from showable.records.findings import Finding, Outcome

CODE = "scanner.secret"

_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
_CHECKED, _CHECKSUM = 30, 6
_LEAST_ENTROPY = 3.0
"""Bits a character (Shannon). Random hexadecimal has 3.6 in 32 characters, base62 4.0 in 20; `xxxxx`, `EXAMPLE` and words repeated have less."""


@dataclass(frozen=True, slots=True)
class _Format:
    """One issuer's format: `marks`, one of which every key holds; group 1 of `pattern` is what is `random` in it."""

    name: str
    marks: tuple[str, ...]
    pattern: re.Pattern[str]
    random: Callable[[str], bool]


def scan_credentials(text: str) -> Iterator[Finding]:
    """Yield the place and kind of each credential; never a character of it.

    What merely looks like one is let be: identifiers of other registers, hashes, UUIDs, placeholders. A word such as
    `password:` is no format, and no issuer's mark.
    """
    for form in _FORMATS:
        if any(mark in text for mark in form.marks):
            for match in form.pattern.finditer(text):
                if form.random(match[1]):
                    yield Finding(code=CODE, outcome=Outcome.FAIL, reason=f"it holds {form.name}", where=match.span())


def _is_random(body: str) -> bool:
    counts = Counter(body)
    entropy = -sum(n / len(body) * math.log2(n / len(body)) for n in counts.values())
    return entropy >= _LEAST_ENTROPY and any(map(str.isdigit, body)) and not body.endswith("EXAMPLE")


def _has_checksum(body: str) -> bool:
    """Return True where the last six characters are the others' CRC-32, in base 62."""
    number, digits = zlib.crc32(body[:_CHECKED].encode()), ""
    while number:
        number, digit = divmod(number, len(_BASE62))
        digits = _BASE62[digit] + digits
    return digits.rjust(_CHECKSUM, "0") == body[_CHECKED:]


def _is_token_header(part: str) -> bool:
    """Return True for the header of a signed JSON web token (RFC 7515)."""
    try:
        header = json.loads(urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except ValueError:
        return False
    return isinstance(header, dict) and isinstance(header.get("alg"), str) and header["alg"].lower() != "none"


def _always(_: str) -> bool:
    return True


def _format(name: str, marks: str, pattern: str, random: Callable[[str], bool] = _is_random) -> _Format:
    return _Format(name, tuple(marks.split("|")), re.compile(rf"(?<![A-Za-z0-9]){pattern}"), random)


_OVER = r"(?![A-Za-z0-9])"
_FORMATS = (
    _format("an AWS access key", "AKIA|ASIA", rf"(?:AKIA|ASIA)([A-Z2-7]{{16}}){_OVER}"),
    _format("a GitHub token", "ghp_|gho_|ghu_|ghs_|ghr_", rf"gh[pousr]_([A-Za-z0-9]{{36}}){_OVER}", _has_checksum),
    _format("a GitHub token", "github_pat_", rf"github_pat_([A-Za-z0-9]{{22}}_[A-Za-z0-9]{{59}}){_OVER}"),
    _format("a GitLab token", "glpat-", r"glpat-([\w-]{20,300})"),
    _format("an npm token", "npm_", rf"npm_([A-Za-z0-9]{{36}}){_OVER}", _has_checksum),
    _format("a PyPI token", "pypi-AgE", r"pypi-(AgE[\w-]{50,600})"),
    _format("a Slack token", "xox", r"xox[abeoprs]-([A-Za-z0-9-]{20,300})"),
    _format("a Stripe key", "_live_|_test_", rf"[sr]k_(?:live|test)_([A-Za-z0-9]{{20,250}}){_OVER}"),
    _format("an OpenAI key", "T3BlbkFJ", r"sk-([\w-]{16,120}T3BlbkFJ[\w-]{16,120})"),
    _format("an Anthropic key", "sk-ant-", r"sk-ant-[a-z]{3,12}\d\d-([\w-]{80,120})"),
    _format("a Google API key", "AIza", r"AIza([\w-]{35})(?![\w-])"),
    _format("a Google client secret", "GOCSPX-", r"GOCSPX-([\w-]{28})(?![\w-])"),
    _format("a SendGrid key", "SG.", r"SG\.([\w-]{22}\.[\w-]{43})(?![\w-])"),
    _format(
        "a Hugging Face token", "hf_", rf"hf_([A-Za-z0-9]{{34}}){_OVER}", lambda body: len(set(body)) > len(body) // 3
    ),
    _format("a DigitalOcean token", "_v1_", rf"do[opr]_v1_([0-9a-f]{{64}}){_OVER}"),
    _format("a Shopify token", "shp", rf"shp(?:at|ca|pa|ss)_([0-9a-fA-F]{{32}}){_OVER}"),
    _format("a Databricks token", "dapi", rf"dapi([0-9a-f]{{32}})(?:-\d)?{_OVER}"),
    _format("an Azure storage key", "AccountKey=", r"AccountKey=([A-Za-z0-9+/]{86})=="),
    _format("a signed web token", "eyJ", r"(eyJ[\w-]{10,2000})\.eyJ[\w-]{10,8000}\.[\w-]{20,2000}", _is_token_header),
    _format(
        "a private key",
        "PRIVATE KEY",
        r"-----BEGIN (?:[A-Z0-9]{1,12} )?PRIVATE KEY(?: BLOCK)?-----(?:\\n|\\r|\s){1,8}"
        r"(?:[A-Za-z-]{1,40}: [^\n]{1,200}\n\s{0,2}){0,6}([A-Za-z0-9+/=]{40})",
        _always,
    ),
)
