"""A judge behind any OpenAI-compatible chat endpoint. What goes wrong out there is an `unknown` with its reason."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from showable.judges.chat_endpoint import ChatEndpoint, Failure, Request
from showable.judges.chat_prompt import Prompt, clean, hash_of, prompts_by_kind
from showable.judges.chat_reply import Unreadable, read_replies, read_reply
from showable.judges.chat_settings import ChatSettings
from showable.judges.chat_votes import Answer, Outcome, decide
from showable.read.injection import suspect_injection
from showable.records import Cost, Pair, Verdict


class ChatJudge:
    """Asks a chat model about pairs and reads verdicts from a closed menu.

    One pair a call, unless the settings put several claims about one passage into a batch; what a batch
    leaves unread is asked about alone. An unreadable reply is asked for once more, a failed call tried
    again as the settings say; after that the verdict is `unknown` with its reason. With several samples
    the majority decides and `p` is the share of samples that say supported (`chat_votes`). `counts`
    holds calls, retries, reasked, json_schema_rejected, usage_estimated (the endpoint did not say how
    many tokens it used), unknown, and unknown by kind (``unknown:timeout``). The name carries a hash of
    everything that can move a verdict but the prompt. Close with `aclose`. Raises SettingError when it
    is made without a model, without a key where one is needed, or without the openai package.
    """

    def __init__(self, settings: ChatSettings) -> None:
        """Check the settings; the SDK is imported at the first call."""
        settings.check_ready()
        self._settings = settings
        self._prompts = prompts_by_kind(settings)
        self.prompt_hash: str | None = hash_of(self._prompts)
        self.plain_prompt_hash: str | None = hash_of(prompts_by_kind(replace(settings, shots=())))
        moving = [settings.url, settings.temperature_in_use, settings.seed, settings.samples, settings.batch]
        self.name = f"chat:{settings.model}@{hashlib.sha256(json.dumps(moving).encode()).hexdigest()[:8]}"
        self.counts: Counter[str] = Counter()
        self._endpoint = ChatEndpoint(settings, self.counts)

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge every pair, several calls at once."""
        rounds = [(batch, n) for batch in self._batches(pairs) for n in range(self._settings.samples)]
        answered = await asyncio.gather(*(self._answer([pairs[i] for i in batch], n) for batch, n in rounds))
        by_pair: list[list[Answer]] = [[] for _ in pairs]
        for (batch, _), answers in zip(rounds, answered, strict=True):
            for index, answer in zip(batch, answers, strict=True):
                by_pair[index].append(answer)
        return [self._verdict(pair, answers) for pair, answers in zip(pairs, by_pair, strict=True)]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Estimate at four characters a token, prompt included, and 120 tokens a verdict."""
        requests = [self._request([pairs[index] for index in batch], 0) for batch in self._batches(pairs)]
        costs = [self._endpoint.estimate(request) for request in requests]
        return sum(costs * self._settings.samples, Cost())

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._endpoint.aclose()

    def _batches(self, pairs: Sequence[Pair]) -> Iterator[list[int]]:
        """Put the places of pairs together that share passage, question and prompt, up to the size of a batch."""
        together: dict[tuple[str, str | None, str], list[int]] = {}
        for index, pair in enumerate(pairs):
            together.setdefault((pair.passage, pair.question, self._prompt_of(pair).hash), []).append(index)
        size = self._settings.batch
        return (places[at : at + size] for places in together.values() for at in range(0, len(places), size))

    def _request(self, pairs: Sequence[Pair], sample: int, why: str | None = None) -> Request:
        """Write one call; each sample has a seed of its own, or they would all be the same."""
        seed = None if self._settings.seed is None else self._settings.seed + sample
        prompt = self._prompt_of(pairs[0])
        if len(pairs) == 1:
            return Request(prompt.messages(pairs[0], why), prompt.schema, seed=seed)
        return Request(prompt.messages_several(pairs), prompt.schema_several, len(pairs), seed)

    def _prompt_of(self, pair: Pair) -> Prompt:
        """Return the prompt for a claim of this kind; where no rubric is for it alone, the one for all."""
        return self._prompts.get(pair.kind) or self._prompts[None]

    async def _answer(self, pairs: Sequence[Pair], sample: int) -> list[Answer]:
        """Ask about a batch; what cannot be read is asked about once more, each alone."""
        response, cost = await self._endpoint.ask(self._request(pairs, sample))
        outcomes = _read(response, pairs)
        answers = [Answer(outcome, share) for outcome, share in zip(outcomes, _split(cost, len(pairs)), strict=True)]
        again = (
            self._once_more(pair, answer, sample, alone=len(pairs) == 1)
            for pair, answer in zip(pairs, answers, strict=True)
        )
        return list(await asyncio.gather(*again))

    async def _once_more(self, pair: Pair, answer: Answer, sample: int, *, alone: bool) -> Answer:
        if not isinstance(answer.outcome, Unreadable):
            return answer
        self.counts["reasked"] += 1
        request = self._request([pair], sample, answer.outcome.say if alone else None)
        response, cost = await self._endpoint.ask(request)
        return Answer(_read(response, [pair])[0], answer.cost + cost, asked_twice=True)

    def _verdict(self, pair: Pair, answers: Sequence[Answer]) -> Verdict:
        decision = decide(answers)
        if decision.kind is not None:
            self.counts.update(("unknown", f"unknown:{decision.kind}"))
        return Verdict(
            label=decision.label,
            judge=self.name,
            p=decision.p,
            topical=decision.topical,
            quote=None if decision.quote is None else self._settings.mask(decision.quote),
            quote_span=decision.quote_span,
            reason=self._settings.mask(decision.reason),
            failure=decision.failure,
            injection_suspected=suspect_injection(pair.passage),
            cost=sum((answer.cost for answer in answers), Cost()),
        )


def _split(cost: Cost, n: int) -> list[Cost]:
    """Share a call's tokens among its claims to the last one; the first claim carries the call itself."""
    shares = []
    for k in range(n):
        tokens_in, tokens_out = (
            (total * (k + 1)) // n - (total * k) // n for total in (cost.tokens_in, cost.tokens_out)
        )
        usd = None if cost.usd is None else cost.usd / n
        shares.append(Cost(calls=cost.calls if k == 0 else 0, tokens_in=tokens_in, tokens_out=tokens_out, usd=usd))
    return shares


def _read(response: dict[str, Any] | Failure, pairs: Sequence[Pair]) -> Sequence[Outcome]:
    """Read a response into one outcome a pair."""
    content = response if isinstance(response, Failure) else _content(response)
    if not isinstance(content, str):
        return [content] * len(pairs)
    passage = clean(pairs[0].passage)
    if len(pairs) == 1:
        return [read_reply(content, passage, pairs[0].claim)]
    read = read_replies(content, passage, [pair.claim for pair in pairs])
    return [read] * len(pairs) if isinstance(read, Unreadable) else read


def _content(response: dict[str, Any]) -> str | Unreadable:
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Unreadable("no_message", clean(str(response.get("error") or "")))
    if message.get("refusal") or choice.get("finish_reason") == "content_filter":
        return Unreadable("refused", clean(str(message.get("refusal") or "content filter")))
    if choice.get("finish_reason") == "length":
        return Unreadable("truncated")
    content = message.get("content")
    return content if isinstance(content, str) else Unreadable("empty")
