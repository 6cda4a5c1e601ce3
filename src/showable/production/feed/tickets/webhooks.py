"""Signatures of incoming webhooks: HMAC-SHA256 over the raw body, compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from showable.production.feed.tickets.ticket import WebhookError


def hex_hmac(secret: str, signed: bytes) -> str:
    """Return the HMAC-SHA256 of bytes as hexadecimal digits (RFC 2104)."""
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def check_signature(secret: str, signed: bytes, given: str, *, prefix: str = "") -> None:
    """Check a signature; several may be given with commas between, as while a secret is changed.

    Raises WebhookError where none is right, or where no secret is set: then nothing can be trusted.
    """
    if not secret:
        raise WebhookError("no webhook secret is set")
    expected = f"{prefix}{hex_hmac(secret, signed)}".encode()
    matches = [hmac.compare_digest(expected, one.strip().encode("utf-8", "replace")) for one in given.split(",")]
    if not any(matches):
        raise WebhookError("the signature is not right")


def check_age(sent: float, now: datetime, most_s: float) -> None:
    """Check that a webhook was sent within `most_s` seconds of now. Raises WebhookError."""
    if not abs(now.timestamp() - sent) <= most_s:  # NaN is stale too
        raise WebhookError("the webhook is stale")


def header_of(headers: Mapping[str, str], name: str) -> str:
    """Return a header by its name in any case, empty where it is missing."""
    return next((value for key, value in headers.items() if key.lower() == name.lower()), "").strip()


def json_body(body: bytes) -> dict[str, Any]:
    """Return the JSON object of a body. Raises WebhookError where it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise WebhookError("the body is no JSON") from None
    if not isinstance(value, dict):
        raise WebhookError("the body is no JSON object")
    return value


def part(value: Any, *path: str) -> Any:
    """Return what stands at a path of keys, None where one is missing."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def moment_of(value: object, otherwise: datetime) -> datetime:
    """Return a time written as ISO 8601 or in epoch milliseconds; `otherwise` where it is neither."""
    try:
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1_000, UTC)
        when = datetime.fromisoformat(value) if isinstance(value, str) else otherwise
    except (ValueError, OverflowError, OSError):
        return otherwise
    return when if when.tzinfo else when.replace(tzinfo=UTC)
