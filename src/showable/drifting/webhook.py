"""Post new alarms to an address: each by itself, with a time limit and a few tries. A failure is told, and stops nothing."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from showable import __version__
from showable.errors import SettingError
from showable.measure.drift.report import Alarm, DriftReport

if TYPE_CHECKING:
    from tenacity import RetryCallState

TIMEOUT_S = 10.0
TRIES = 3
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 4.0
_GOOD = range(200, 300)


class _AgainError(Exception):
    """A try that failed in a way that another may not."""


class _RefusedError(Exception):
    """An answer that another try would not change."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Which alarms arrived, and why the others did not."""

    delivered: list[Alarm]
    reason: str | None = None


def check_address(url: str) -> str:
    """Return the address back. Raises SettingError unless it is https, or http on this machine: alarms are nobody else's business."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise SettingError("--webhook: not an address; expected https://HOST/PATH") from None
    if parts.scheme == "https" and host:
        return url
    if parts.scheme == "http" and _is_loopback(host):
        return url
    raise SettingError(
        f"--webhook: expected https://HOST/PATH (http for this machine alone), got {parts.scheme or 'no scheme'}://{host}"
    )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def payload(report: DriftReport, alarm: Alarm) -> dict[str, Any]:
    """Return what is posted: one alarm in figures and names. No text of a question, an answer or a passage is in it."""
    return {
        "showable": __version__,
        "look": report.look,
        "about": report.about,
        "false_alarms": report.false_alarms,
        "alarm": alarm.model_dump(mode="json"),
    }


def deliver(url: str, report: DriftReport, alarms: Sequence[Alarm]) -> Delivery:
    """Post alarms, one after another; stop at the first that cannot be delivered. Redirects are not followed.

    The reason names no address: what stands in its path is often a secret.
    """
    import httpx  # noqa: PLC0415 - 60 ms, and most looks send nothing

    delivered: list[Alarm] = []
    here = url.startswith("http:")  # on this machine: a proxy is another one
    with httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, trust_env=not here) as client:
        for alarm in alarms:
            try:
                _post(client, url, payload(report, alarm))
            except (_AgainError, _RefusedError) as error:
                return Delivery(delivered, str(error))
            delivered.append(alarm)
    return Delivery(delivered)


def _post(client: Any, url: str, body: dict[str, Any]) -> None:
    from tenacity import (  # noqa: PLC0415 - 40 ms
        Retrying,
        retry_if_exception_type,
        stop_after_attempt,
        wait_random_exponential,
    )

    def pause(state: RetryCallState) -> float:
        return float(wait_random_exponential(FIRST_WAIT_S, max=_LONGEST_WAIT_S)(state))

    retrying = Retrying(
        stop=stop_after_attempt(TRIES), wait=pause, retry=retry_if_exception_type(_AgainError), reraise=True
    )
    retrying(_post_once, client, url, body)


def _post_once(client: Any, url: str, body: dict[str, Any]) -> None:
    import httpx  # noqa: PLC0415 - as above

    try:
        with client.stream("POST", url, json=body) as response:  # an answer without an end is not read
            status = response.status_code
    except (httpx.TransportError, httpx.InvalidURL) as error:
        raise _AgainError(f"{type(error).__name__}, after {TRIES} tries") from None
    if status in AGAIN:
        raise _AgainError(f"answers with status {status}, after {TRIES} tries")
    if status not in _GOOD:
        raise _RefusedError(f"answers with status {status}")
