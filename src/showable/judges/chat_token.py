"""A judge that asks a chat model one question and takes the probability of the one word of its answer.

After the way in which P(True) is read from a model (Kadavath et al. 2022, arXiv:2207.05221): no words are sampled, so that
p is what the model gives, the same at every call.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from showable.judges.chat_endpoint import ChatEndpoint, Failure, Request
from showable.judges.chat_prompt import clean, hash_of, prompts_by_kind
from showable.judges.chat_settings import ChatSettings
from showable.judges.lexical.addressed import without_addressed
from showable.read.injection import suspect_injection
from showable.records import Cost, Pair, Verdict

LEAST_MASS = 0.5
"""Probability that yes and no must have together: a model that would rather say something else has not answered."""
_EVEN = 0.5
_OVER_ONE = 1.02
"""Sum of probabilities up to which rounding explains that it is above 1."""
_AROUND = " \t\r\n▁ĠĊ\"'`*().,:;!"
"""What may stand around a word in a token: blanks, also as tokenizers write them, quotation marks, emphasis, stops."""
_SHOWN = 20

Told = dict[str, float]
"""Tokens of the first position and their probabilities, the one that was sampled among them."""


@dataclass(frozen=True, slots=True)
class Odds:
    """Probabilities of yes and of no, of anything else, and the most that an unlisted yes or no may have besides."""

    yes: float
    no: float
    unlisted: float
    likeliest: str

    @property
    def neither(self) -> float:
        """What is on neither of the two words."""
        return max(0.0, 1.0 - self.yes - self.no)

    @property
    def p(self) -> float:
        """Yes out of yes and no; one that is not listed counts as the most that it can have."""
        yes, no = self.yes or self.unlisted, self.no or self.unlisted
        return yes / (yes + no)

    def __str__(self) -> str:
        """Write the three probabilities."""
        return f"yes {self.yes:.3f}, no {self.no:.3f}, neither {self.neither:.3f}"


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a response gives no probability. `failure` is how the call failed, in a word or two for a headline."""

    kind: str
    reason: str
    failure: str | None = "unreadable reply"


class TokenJudge:
    """Asks a chat model whether a passage alone contains a claim; p is that of "yes" beside "no".

    The label is `supported` from one half on, else `unsupported`: the question tells nothing of contradiction, of parts, or
    of the words relied on. Where the endpoint gives no probabilities, or less than `LEAST_MASS` on the two words, the
    verdict is `unknown` with its reason, which is a failed call. Sentences of the passage that speak to a judge are not
    sent: there is no quote by which it could be told that the answer rests on them. `counts` holds what `ChatEndpoint` counts,
    unknown, and unknown by kind. Close with `aclose`. Raises SettingError as `ChatJudge` does.
    """

    def __init__(self, settings: ChatSettings) -> None:
        """Check the settings; the SDK is imported at the first call."""
        settings.check_ready()
        self._settings = settings
        self._prompts = prompts_by_kind(settings)
        self.prompt_hash: str | None = hash_of(self._prompts)
        self.plain_prompt_hash: str | None = hash_of(prompts_by_kind(replace(settings, shots=())))
        moving = [settings.url, settings.temperature_in_use, settings.seed, LEAST_MASS]
        digest = hashlib.sha256(json.dumps(moving).encode()).hexdigest()[:8]
        self.name = f"chat:{settings.model}+logprobs@{digest}"
        self.counts: Counter[str] = Counter()
        self._endpoint = ChatEndpoint(settings, self.counts)

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge every pair by one call each, several at once."""
        return list(await asyncio.gather(*(self._judge(pair) for pair in pairs)))

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Estimate at four characters a token, prompt included, and one token a verdict."""
        return sum((self._endpoint.estimate(self._request(pair)) for pair in pairs), Cost())

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._endpoint.aclose()

    def _request(self, pair: Pair) -> Request:
        prompt = self._prompts.get(pair.kind) or self._prompts[None]
        return Request(prompt.messages(pair), None, seed=self._settings.seed, one_token=True)

    async def _judge(self, pair: Pair) -> Verdict:
        asked = pair._replace(passage=without_addressed(pair.passage, pair.claim))
        found, cost = await self._ask(asked)
        less = "" if asked == pair else "; what speaks to a judge was left out of the passage"
        verdict = Verdict(
            label="unknown",
            judge=self.name,
            reason=self._settings.mask(f"{found if isinstance(found, Odds) else found.reason}{less}"),
            injection_suspected=suspect_injection(pair.passage),
            cost=cost,
        )
        if isinstance(found, Odds):
            label = "supported" if found.p >= _EVEN else "unsupported"
            return verdict.model_copy(update={"label": label, "p": found.p})
        self.counts.update(("unknown", f"unknown:{found.kind}"))
        return verdict.model_copy(update={"failure": found.failure})

    async def _ask(self, pair: Pair) -> tuple[Odds | Unread, Cost]:
        if not pair.passage.strip():
            return Unread("nothing_to_read", "the passage holds no words to judge by", None), Cost()
        response, cost = await self._endpoint.ask(self._request(pair))
        if not isinstance(response, Failure):
            return read_odds(response), cost
        return Unread(response.kind, response.reason, response.headline), cost


def read_odds(response: Mapping[str, Any]) -> Odds | Unread:
    """Read the probabilities of yes and no at the first token of a response.

    Read are OpenAI's shape (`content`, also of vLLM, llama.cpp, Ollama and LiteLLM) and that of legacy completions (`tokens`,
    `token_logprobs`, `top_logprobs` by token), which some servers give for chats. The case of a word and blanks or marks
    around it make no difference; tokens of one word add up.
    """
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    logprobs = choice.get("logprobs") if isinstance(choice, dict) else None
    first = _first(logprobs) if isinstance(logprobs, dict) else None
    if first is None:
        return Unread(
            "no_logprobs", "the endpoint gives no logprobs; ask it without --logprobs, or ask another", "no logprobs"
        )
    told = _probabilities(first)
    if told is None:
        return Unread("bad_logprobs", "the endpoint's logprobs are no logarithms of probabilities")
    return _odds(told, listed=len(first.others))


def _odds(told: Told, listed: int) -> Odds | Unread:
    words: defaultdict[str, float] = defaultdict(float)
    for token, share in told.items():
        words[token.strip(_AROUND).casefold()] += share
    likeliest = max(told, key=lambda token: told[token])
    rest = max(0.0, 1.0 - sum(told.values()))
    odds = Odds(words["yes"], words["no"], min(rest, *told.values()) if listed > 1 else rest, likeliest)
    if odds.yes + odds.no < LEAST_MASS:
        shown = clean(likeliest)[:_SHOWN]
        return Unread("neither", f"the model answers neither yes nor no: {odds}; it would begin with {shown!r}")
    listed_one = bool(odds.yes) != bool(odds.no)
    if listed_one and (odds.yes or odds.no) <= odds.unlisted:
        return Unread("cut_off", f"the endpoint lists too few tokens to tell yes from no: {odds}")
    return odds


@dataclass(frozen=True, slots=True)
class _First:
    """The first token with its logprob, and the likeliest ones with theirs."""

    token: tuple[object, object]
    others: Sequence[tuple[object, object]]


def _first(logprobs: dict[str, Any]) -> _First | None:
    """Find the first position in either shape; None where there is none."""
    content = logprobs.get("content")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        listed = content[0].get("top_logprobs")
        others = [(one.get("token"), one.get("logprob")) for one in _dicts(listed)]
        return _First((content[0].get("token"), content[0].get("logprob")), others)
    tokens, values, tops = (logprobs.get(name) for name in ("tokens", "token_logprobs", "top_logprobs"))
    if isinstance(tokens, list) and tokens and isinstance(values, list) and values:
        top = next(_dicts(tops), {})
        return _First((tokens[0], values[0]), list(top.items()))
    return None


def _dicts(items: object) -> Iterator[dict[str, Any]]:
    if isinstance(items, list):
        yield from (item for item in items if isinstance(item, dict))


def _probabilities(first: _First) -> Told | None:
    """Return the probability of every token told, the sampled one once; None where a number is no log probability."""
    told: Told = {}
    for token, value in (*first.others, first.token):
        if not isinstance(token, str) or isinstance(value, bool) or not isinstance(value, int | float):
            return None
        share = math.exp(min(float(value), 1.0)) if not math.isnan(value) else math.nan
        if not share <= _OVER_ONE:
            return None
        told.setdefault(token, share)
    return told if sum(told.values()) <= _OVER_ONE else None
