"""Which headers go on to the upstream and to the client, and which stay with the connection or with the guard."""

from __future__ import annotations

from showable.production.guard.client_connection import Headers, Request
from showable.production.guard.upstream import Upstream

JSON: Headers = [(b"content-type", b"application/json")]
STREAM: Headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-cache")]
OF_BODY = frozenset({b"content-type", b"content-encoding", b"etag", b"digest", b"content-md5", b"cache-control"})
"""What speaks of a body that the guard has replaced."""
_HOP = frozenset(
    {b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te", b"trailer",
     b"transfer-encoding", b"upgrade", b"content-length"}
)  # fmt: skip
_REPLACED = _HOP | {b"host", b"accept-encoding", b"expect"}
_CREDENTIALS = frozenset({b"authorization", b"x-api-key", b"api-key"})


def end_to_end(headers: Headers) -> Headers:
    """Return the upstream's headers for the client: not those of the connection, nor any that only the guard may write."""
    named = _of_connection(headers)
    return [
        (name, value)
        for name, value in headers
        if name not in _HOP and name not in named and not name.startswith(b"x-showable-") and name != b"server-timing"
    ]


def request_head(request: Request, upstream: Upstream, length: int) -> bytes:
    """Write the head of a request to an upstream, with its credential in place of the client's where it has one."""
    own = upstream.credential
    named = _of_connection(request.headers)
    lines = [
        b"%b %b%b HTTP/1.1\r\nhost: %b\r\n"
        % (request.method.encode(), upstream.prefix, request.target, upstream.authority)
    ]
    for name, value in request.headers:
        if name in _REPLACED or name in named or name.startswith(b"x-showable-") or (own and name in _CREDENTIALS):
            continue
        lines.append(b"%b: %b\r\n" % (name, value))
    if own:
        anthropic = request.target.startswith(b"/v1/messages")
        lines.append(
            b"x-api-key: %b\r\n" % own.encode() if anthropic else b"authorization: Bearer %b\r\n" % own.encode()
        )
    lines.append(b"accept-encoding: identity\r\ncontent-length: %d\r\n\r\n" % length)
    return b"".join(lines)


def is_stream(headers: Headers) -> bool:
    """Return True for a response of server-sent events."""
    return any(name == b"content-type" and value.lower().startswith(b"text/event-stream") for name, value in headers)


def is_encoded(headers: Headers) -> bool:
    """Return True for a body that came compressed, which was not asked for."""
    return any(
        name == b"content-encoding" and value.strip().lower() not in {b"", b"identity"} for name, value in headers
    )


def told_cost(headers: Headers) -> float | None:
    """Return what LiteLLM says that a call cost, where that is a positive number: it tells 0 for what it does not know."""
    told = next((value for name, value in headers if name == b"x-litellm-response-cost"), None)
    try:
        usd = float(told) if told else 0.0
    except ValueError:
        return None
    return usd if 0.0 < usd < float("inf") else None


def _of_connection(headers: Headers) -> set[bytes]:
    """Return the names that a Connection header lists: they end here as well (RFC 9110, 7.6.1)."""
    return {token.strip().lower() for name, value in headers if name == b"connection" for token in value.split(b",")}
