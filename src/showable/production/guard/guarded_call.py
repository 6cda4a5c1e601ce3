"""One guarded call: the upstream is asked, the answer decided on, and the client answered."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import orjson

from showable.production.guard.acting import hold_text, rewrite_instruction
from showable.production.guard.call import GivenAnswer, GuardCall, Policy
from showable.production.guard.call_rows import structure_of
from showable.production.guard.client_connection import ClientConnection, Headers, Request, chunk, response_head
from showable.production.guard.failures import NEVER, StopError, malformed, place_of, stopped_by
from showable.production.guard.guard_file import Route
from showable.production.guard.headers import JSON, OF_BODY, STREAM, end_to_end, is_encoded, is_stream, told_cost
from showable.production.guard.incoming_stream import Arrived, IncomingStream
from showable.production.guard.request_body import upstream_body
from showable.production.guard.retrieval import FIELD, FoundLog, with_reply_sources
from showable.production.guard.sentence_stream import SentenceStream
from showable.production.guard.tracked import Spent, TrackedCall
from showable.production.guard.upstream import Upstream, UpstreamConnection, UpstreamError
from showable.production.guard.wire.asked import Asked, Json, MalformedError, Wire
from showable.records.scorecard import Release

if TYPE_CHECKING:
    from showable.production.guard.proxy import Proxy

LOG = logging.getLogger("showable.guard")
SHOWN = frozenset({"show", "unverified", "not_an_answer", "unguarded", "rewritten"})
_NO_ANSWER = frozenset({"queued", "in_progress", "cancelled", "failed"})
"""What a response may be that holds no answer yet, or none at all."""


@dataclass(slots=True)
class Answered:
    """A reply of the upstream: its head, its bytes as they came, and what it says; None where it is an error."""

    status: int
    headers: Headers
    raw: bytes
    reply: Json | None


@dataclass(slots=True)
class Decided:
    """What was decided on an answer, under which policy, and what is done; `call` is None where the guard itself failed."""

    release: Release
    policy: Policy
    call: GuardCall | None
    action: str


@dataclass(slots=True)
class GuardedCall:
    """A call on its way. `begun` says that bytes of the answer, or a keep-alive, have left."""

    proxy: Proxy
    client: ClientConnection
    request: Request
    call: TrackedCall
    wire: Wire
    asked: Asked
    route: Route
    policies: tuple[Policy, ...]
    log: FoundLog
    held_before: bool = False
    begun: bool = False

    async def run(self) -> None:
        """Ask the upstream, decide, and answer the client. Raises StopError where nothing was sent yet to the client."""
        try:
            await self._answer()
        except StopError as error:
            if not self.begun:
                raise
            self.call.outcome, self.call.error = "error", error.kind
            self._finish(self.wire.error_event(error.kind, str(error)))

    async def _answer(self) -> None:
        upstream = self.proxy.upstreams[self.route.table.upstream]
        body, drop_usage = self.request.body, self._asks_usage()
        if self.request.method == "POST":
            body = upstream_body(body, self.asked.body, with_usage=drop_usage)
            self.call.changes += ["stream_options"] if drop_usage else []
            self.call.changes += [FIELD] if FIELD in self.asked.body else []
        connection, started = await self.proxy.send(upstream, self.request, self.call, body)
        if not connection.failed and is_stream(connection.headers):
            answered = await self._streamed(upstream, connection, started, drop_usage=drop_usage)
        else:
            answered = await self._plain(upstream, connection, started)
        if answered is None:
            return
        if answered.reply is None:
            self.call.error = f"upstream_{answered.status}"
            self._send(answered.status, end_to_end(answered.headers), answered.raw)
            return
        decided = await self._decide(answered.reply)
        if decided.action == "rewrite":
            answered, decided = await self._rewritten(upstream, answered, decided)
        await self._act(answered, decided)

    def _asks_usage(self) -> bool:
        """Return True where the guard has to ask for the usage of a stream, and to leave it out again."""
        streams = self.wire.api == "chat" and self.asked.stream and self.route.table.usage
        return streams and not _includes_usage(self.asked.body)

    # the answer of the upstream

    async def _plain(self, upstream: Upstream, connection: UpstreamConnection, started: float) -> Answered:
        status, headers = connection.status, connection.headers
        raw = await self.proxy.received(upstream, connection, self.call, started, self.route.table.max_answer)
        if connection.failed:  # an error holds no answer
            return Answered(status, headers, raw, None)
        if is_encoded(headers):
            raise malformed("the upstream compressed its answer, which was not asked for")
        try:
            reply = orjson.loads(raw)
        except ValueError:
            raise malformed("the upstream's answer is no JSON") from None
        if not isinstance(reply, dict):
            raise malformed("the upstream's answer is no JSON object")
        self._price(reply, headers)
        return Answered(status, headers, raw, reply)

    async def _streamed(
        self, upstream: Upstream, connection: UpstreamConnection, started: float, *, drop_usage: bool
    ) -> Answered | None:
        """Read a stream to its end before anything of it leaves, or by the sentence, or as it comes: by the route's mode.

        Returns None where the client was answered on the way.
        """
        self.call.streamed = True
        mode, headers = self.route.table.stream, connection.headers
        stream = IncomingStream(self.wire.assembler(), drop_usage=drop_usage)
        sentences = self._sentences() if mode == "sentence" else None
        waiting = self._keep_waiting(headers) if mode == "buffer" else None
        try:
            reply = await self._read_events(upstream, connection, stream, sentences)
        except (UpstreamError, MalformedError) as error:
            connection.abort()
            upstream.breaker.failed()
            raise (stopped_by(error) if isinstance(error, UpstreamError) else malformed(str(error))) from None
        except BaseException:  # the client left, or the guard itself failed
            connection.abort()
            upstream.breaker.left()
            raise
        finally:
            self.call.upstream_s += time.perf_counter() - started
            if waiting is not None:
                waiting.cancel()
        if reply is None:
            connection.abort()
            upstream.breaker.succeeded()
            self.call.decided_on = None if sentences is None else sentences.failed_on
            self._end_held(sentences.failed if sentences and sentences.failed else Release(verdict="unknown"))
            return None
        upstream.answered(connection.status)
        upstream.keep(connection)
        self._price(reply, headers)
        if mode == "audit":
            await self._decide(reply)
            self.call.outcome = "pending"
            self._finish(b"")
            return None
        if sentences is not None and self.begun:
            await self._end_by_sentence(reply, sentences)
            return None
        return Answered(connection.status, headers, stream.raw, reply)

    async def _read_events(
        self,
        upstream: Upstream,
        connection: UpstreamConnection,
        stream: IncomingStream,
        sentences: SentenceStream | None,
    ) -> Json | None:
        """Return the reply that a stream comes to; None where a sentence of it may not be shown."""
        if is_encoded(connection.headers):
            raise MalformedError("the upstream compressed its answer, which was not asked for")
        size, largest = 0, self.route.table.max_answer
        while data := await connection.part(upstream.timeout_s):
            size += len(data)
            self.proxy.hold_bytes(self.call, len(data))
            if size > largest:
                raise UpstreamError("too_large", f"the answer is larger than {largest} bytes")
            if not await self._pass_events(connection.headers, stream.feed(data), sentences):
                return None
        if not await self._pass_events(connection.headers, stream.close(), sentences):
            return None
        return stream.reply()

    async def _pass_events(self, headers: Headers, events: Iterable[Arrived], sentences: SentenceStream | None) -> bool:
        """Take events in, and pass on those that the route's mode lets out; False at a sentence that may not be shown."""
        for event in events:
            if sentences is not None:
                await self._pass_on(headers, sentences.take(event))
                if sentences.failed is not None:
                    return False
            elif self.route.table.stream == "audit":
                await self._pass_on(headers, [event.raw])
        return True

    def _price(self, reply: Json, headers: Headers) -> None:
        usage, prices = self.wire.usage(reply), self.proxy.prices
        priced = prices.price(str(reply.get("model")), usage) or prices.price(self.asked.model, usage)
        self.call.spent.append(Spent(usage, priced, told_cost(headers)))

    # the decision

    async def _decide(self, reply: Json) -> Decided:
        """Decide under every policy, and keep the strictest. Whatever breaks in the guard is no release."""
        started = time.perf_counter()
        try:
            log = with_reply_sources(self.log, self.wire.reply_sources(reply, self.asked))
            guarded = self._call(log, self.wire.answers(reply, self.asked))
            self.log, self.call.log_from = log, log.log_from
            ruled = await self.proxy.deciding.rule(
                self.route, self.policies, guarded, call_id=self.call.id, model=self.call.model
            )
            self.call.add_judge(ruled.judge_s, ruled.judge_usd)
            action: str = ruled.action
            if not guarded.answers and reply.get("status") in _NO_ANSWER:
                action = "not_an_answer"
            decided = Decided(ruled.release, ruled.policy, ruled.call, action)
        except MalformedError as error:
            raise malformed(str(error)) from None
        except Exception as error:  # noqa: BLE001 - whatever breaks is no release
            told = (self.call.id, place_of(error), self.route.table.on_error)
            LOG.error("call %s: the guard failed: %s, on_error=%s", *told)  # noqa: TRY400 - a message may hold the answer
            failed = Release(verdict="unknown", reasons=("the guard failed",), codes=("guard.failed",))
            action = "unguarded" if self.route.table.on_error == "open" else "hold"
            decided = Decided(failed, self.policies[0], None, action)
        finally:
            self.call.guard_s += time.perf_counter() - started
        if self.held_before and decided.action in SHOWN:
            decided.action = "hold"
        self.call.release = decided.release
        self.call.decided_on = decided.call
        if self.proxy.rows is not None and decided.call is not None and decided.call.answers:
            self.call.structure = structure_of(decided.call.answers[0].text)
        if self.wire.api == "responses" and isinstance(response_id := reply.get("id"), str):
            held = decided.action not in SHOWN
            self.proxy.responses.remember(self.call.tenant, response_id, self.log, held=held)
        return decided

    def _call(self, log: FoundLog, answers: tuple[GivenAnswer, ...]) -> GuardCall:
        return GuardCall(
            api=self.wire.api,
            question=log.question,
            answers=answers,
            retrieved=log.retrieved,
            shown=log.shown,
            log_from=log.log_from,
            schema_asked=self.asked.schema_asked,
            doubts=log.doubts,
        )

    async def _rewritten(self, upstream: Upstream, first: Answered, decided: Decided) -> tuple[Answered, Decided]:
        """Ask once more, told what failed. What comes is decided on like any answer, and never rewritten again."""
        refused = replace(decided, action="refuse")
        if decided.call is None or self.begun:
            return first, refused
        given = {key: value for key, value in self.asked.body.items() if key != FIELD}
        body = orjson.dumps(self.wire.with_instruction(given, rewrite_instruction(decided.release, decided.call)))
        body = upstream_body(body, orjson.loads(body), with_usage=self._asks_usage())
        try:
            connection, started = await self.proxy.send(upstream, self.request, self.call, body)
            if not connection.failed and is_stream(connection.headers):
                again = await self._streamed(upstream, connection, started, drop_usage=self._asks_usage())
            else:
                again = await self._plain(upstream, connection, started)
            if again is None or again.reply is None:
                return first, refused
            second = await self._decide(again.reply)
        except StopError as error:
            LOG.warning("call %s: the rewrite failed: %s", self.call.id, error.kind)
            return first, refused
        if second.action != "show":
            return first, refused
        return again, replace(second, action="rewritten")

    # what the client receives

    async def _act(self, answered: Answered, decided: Decided) -> None:
        self.call.outcome, self.call.release, self.call.decided_on = decided.action, decided.release, decided.call
        if decided.action in SHOWN:
            if self.begun:
                self._finish(answered.raw)
            else:
                self._send(answered.status, end_to_end(answered.headers), answered.raw)
            return
        text = hold_text(decided.release, decided.policy)
        if decided.action == "refuse" and decided.call is not None:
            text = await self.proxy.deciding.refusal(self.route, decided.call, decided.policy) or text
        self._hold(text, answered, decided)

    def _hold(self, text: str, answered: Answered, decided: Decided) -> None:
        """Send what stands in place of a held answer, in the shape that the client's library takes."""
        code = decided.release.codes[0] if decided.release.codes else "held"
        shape = decided.policy.hold_as
        if shape == "error":
            if self.begun:
                self._finish(self.wire.error_event("answer_held", text, code))
            else:
                self._send(422, [*JSON, NEVER], orjson.dumps(self.wire.error("answer_held", text, code)))
            return
        as_refusal = shape == "refusal" or (shape == "auto" and self.asked.schema_asked)
        held = self.wire.held(text, as_refusal=as_refusal, reply=answered.reply or {}, asked=self.asked)
        kept = [(name, value) for name, value in end_to_end(answered.headers) if name not in OF_BODY]
        if not self.call.streamed and not self.asked.stream:
            self._send(200, [*JSON, *kept], orjson.dumps(held))
            return
        stream = self.wire.stream_of(held, with_usage=_includes_usage(self.asked.body))
        if self.begun:
            self._finish(stream)
        else:
            self._send(200, [*STREAM, *kept], stream)

    def _send(self, status: int, headers: Headers, body: bytes) -> None:
        self.call.held_s = max(0.0, time.perf_counter() - self.call.began - self.call.upstream_s)
        self.proxy.reply(self.client, self.request, self.call, status, headers, body)

    # streams that begin before their end is known

    def _sentences(self) -> SentenceStream | None:
        """Return what shows a stream by the sentence, None where it must be whole: JSON, or a log that is still to come."""
        if self.asked.schema_asked or self.log.retrieved is None:
            return None
        deciding = partial(self.proxy.deciding.decide_at_once, self.route)
        return SentenceStream(self._call(self.log, ()), self.policies, deciding)

    def _keep_waiting(self, headers: Headers) -> asyncio.Task[None] | None:
        """Start to send keep-alives once the client has waited long; where the interface has none, nothing is sent."""
        after, ping = self.route.table.keepalive_s, self.wire.ping(self.asked)
        if not after or ping is None:
            return None

        async def send() -> None:
            while True:
                await asyncio.sleep(after)
                await self._pass_on(headers, [ping])

        return asyncio.get_running_loop().create_task(send())

    async def _pass_on(self, headers: Headers, parts: Iterable[bytes]) -> None:
        """Send events of a stream whose end is not known, after its head."""
        data = b"".join(map(chunk, parts))
        if not data:
            return
        if not self.begun:
            self.begun = True
            self.call.outcome = "pending"
            found = [*end_to_end(headers), *self.proxy.call_headers(self.call)]
            data = response_head(200, found, None, keep_alive=self.request.keep_alive) + data
        self.client.write(data)
        await self.client.drained()

    def _finish(self, data: bytes) -> None:
        """End a response that has begun."""
        self.client.write((chunk(data) if data else b"") + chunk(b""))

    def _end_held(self, release: Release) -> None:
        """End a stream by the sentence at the first that fails: as an error where some were shown, else as held."""
        decided = Decided(release, self.policies[0], None, "hold")
        self.call.release, self.call.outcome = release, "hold"
        text = hold_text(release, decided.policy)
        if self.begun:
            self._finish(self.wire.error_event("answer_held", text, release.codes[0] if release.codes else "held"))
        else:
            self._hold(text, Answered(200, [], b"", {}), decided)

    async def _end_by_sentence(self, reply: Json, sentences: SentenceStream) -> None:
        """Decide on the whole, as a plain reply is; what still waits is shown, or the stream ends in an error."""
        decided = await self._decide(reply)
        if decided.action in SHOWN:
            self.call.outcome = decided.action
            self._finish(b"".join(sentences.rest()))
        else:
            self._end_held(decided.release)


def _includes_usage(body: Json) -> bool:
    options = body.get("stream_options")
    return isinstance(options, dict) and options.get("include_usage") is True
