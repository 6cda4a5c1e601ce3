"""Sends one request and reads its one answer, within its times, whatever the other side does."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable

import httpcore

from showable.registries.web.asking import OddReplyError, Reply, TroubleError, UnreachableError
from showable.registries.web.body import read_body
from showable.registries.web.limits import Limits
from showable.registries.web.request import Asking
from showable.registries.web.retrying import LostError


async def exchanged(
    pool: httpcore.AsyncConnectionPool, asking: Asking, limits: Limits, deadline: float, largest: int
) -> Reply:
    """Ask once. Raises LostError for what another try may mend, another TroubleError for what it will not."""
    given = min(limits.total_s, max(0.0, deadline - asyncio.get_running_loop().time()))
    try:
        async with asyncio.timeout(given):
            return await _streamed(pool, asking, limits, largest)
    except TimeoutError:
        raise LostError(f"no whole answer within {given:.3g} s") from None
    except TroubleError:
        raise
    except httpcore.ConnectTimeout:
        raise LostError(f"no connection within {limits.connect_s:g} s") from None
    except httpcore.TimeoutException:
        raise LostError(f"no answer within {limits.read_s:g} s") from None
    except httpcore.ConnectError as error:
        kind = "TLS: " if _is_tls(error) else "no connection: "
        raise UnreachableError(f"{kind}{error or type(error).__name__}") from None
    except (httpcore.NetworkError, httpcore.RemoteProtocolError) as error:
        raise LostError(f"the connection broke off: {error or type(error).__name__}") from None
    except httpcore.LocalProtocolError:  # it quotes the header that cannot be sent, which may be a key
        raise OddReplyError("a header or an address that no request may have") from None
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise OddReplyError(f"no HTTP: {error}") from None
    except (OSError, RuntimeError) as error:
        raise UnreachableError(f"no connection: {error or type(error).__name__}") from None


async def _streamed(pool: httpcore.AsyncConnectionPool, asking: Asking, limits: Limits, largest: int) -> Reply:
    try:
        request = asking.built()
    except (
        ValueError
    ):  # half a character, or a sign that no header has; what is sent may be a secret, so it is not shown
        raise OddReplyError("what is asked for cannot be written as a request") from None
    times = {"connect": limits.connect_s, "read": limits.read_s, "write": limits.read_s, "pool": limits.total_s}
    url = httpcore.URL(
        scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
    )
    async with pool.stream(
        request.method, url, headers=request.headers.raw, content=request.content or None, extensions={"timeout": times}
    ) as answer:
        headers = _read_headers(answer.headers)
        body = b""
        if asking.method != "HEAD":
            body = await read_body(answer.aiter_stream(), headers.get("content-encoding", ""), largest)
        return Reply(status=answer.status, url=str(asking.url), body=body, headers=headers)


def _read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Put headers under lower-case names; those given more than once are joined, as RFC 9110 section 5.3 has it."""
    read: dict[str, str] = {}
    for name, value in raw:
        key, said = name.decode("ascii", "replace").lower(), value.decode("latin-1")
        read[key] = f"{read[key]}, {said}" if key in read else said
    return read


def _is_tls(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False
