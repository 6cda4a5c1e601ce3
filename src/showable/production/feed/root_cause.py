"""What a chat model makes of an issue: it looks at cards, asks for more, reports; and only what its cards say is kept.

The messages of a turn begin with those of the turn before, byte for byte, so that a provider's prompt cache holds them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from showable.judges.chat_endpoint import ChatEndpoint, Failure, Request
from showable.judges.chat_prompt import Messages, clean, estimate_tokens, marker_code
from showable.judges.chat_settings import ChatSettings
from showable.production.feed.case import LONGEST_CARD, Case
from showable.production.feed.model_reply import ModelReply, reply_of
from showable.production.feed.nouns import Card, Statement
from showable.production.feed.sentences_kept import sentences_picked
from showable.production.feed.statements import check_statements
from showable.production.feed.store import FeedStore
from showable.records.evidence import Cost, Judge

TURNS = 30
_LONGEST_TITLE = 80
_TOKENS_OUT = 1_500
"""Tokens of a reply that are reckoned with before it is asked for."""


@dataclass(frozen=True, slots=True)
class RootCause:
    """What a model found. `why` says what ended it without a report, "" where there is one.

    `dropped` are the statements that were not kept, each with the reason. `cached` of `cost.tokens_in` came from the
    provider's cache, None where it does not say.
    """

    title: str
    statements: tuple[Statement, ...]
    dropped: tuple[tuple[str, str], ...]
    proof: str
    why: str
    turns: int
    cost: Cost
    cached: int | None


async def find_root_cause(
    case: Case, settings: ChatSettings, judge: Judge, max_cost: float | None = None, brief: ChatSettings | None = None
) -> RootCause:
    """Let a model look into a case in at most TURNS turns, and check what it reports.

    `brief`, a cheaper model, picks the sentences of cards that are too long; without it those with most of the words stand. With `max_cost` (US dollars) no turn is asked for that might pass it. A failing endpoint is data: `why` says so. Raises
    SettingError where the model cannot be asked at all.
    """
    for one in (settings, brief):
        if one is not None:
            one.check_ready()
    talk = _Talk(case, settings, max_cost, brief)
    try:
        report = await talk.report()
    finally:
        await talk.aclose()
    checked = await check_statements(report.get("statements"), case.cards, judge)
    title = report.get("title")
    said = await check_statements(
        [{"text": title, "cites": sorted({name for one in checked.kept for name in one.cites})}], case.cards, judge
    )
    kept = bool(said.kept) and isinstance(title, str) and len(title) <= _LONGEST_TITLE
    return RootCause(
        title=said.kept[0].text if kept else "",
        statements=checked.kept,
        dropped=checked.dropped,
        proof=str(report.get("what_would_prove_it") or "")[:400],
        why=talk.why,
        turns=talk.turns,
        cost=talk.cost,
        cached=talk.cached,
    )


def keep_root_cause(store: FeedStore, case: Case, found: RootCause) -> None:
    """Write what was kept into the issue, and the cards that it cites beside its evidence."""
    issue = store.issue(case.issue.issue)
    if found.statements or found.dropped:
        known = {card.id for card in store.evidence(issue.batch, issue.issue)}
        cited = {name for one in found.statements for name in one.cites}
        cards = [card for card in case.cards if card.id in known | cited]
        changed = {"statements": found.statements, "dropped": len(found.dropped)}
        with store.file.writing():
            store.put_evidence(issue.batch, issue.issue, cards)
            store.put_issues([issue.model_copy(update=changed | ({"title": found.title} if found.title else {}))])


class _Talk:
    """A conversation with the model, turn by turn."""

    def __init__(self, case: Case, settings: ChatSettings, max_cost: float | None, brief: ChatSettings | None) -> None:
        self._case, self._settings, self._max_cost = case, settings, max_cost
        self.endpoint = ChatEndpoint(settings, Counter())
        self.cost, self.turns, self.why = Cost(), 0, ""
        self.cached: int | None = None
        self._brief = brief
        self._picking = None if brief is None else ChatEndpoint(brief, Counter())
        self._code = ""
        self._messages: Messages = []

    async def aclose(self) -> None:
        """Close the connections of both models."""
        await self.endpoint.aclose()
        if self._picking is not None:
            await self._picking.aclose()

    async def _begin(self) -> None:
        for card in list(self._case.cards):
            await self._shorten(card.id)
        self._code = marker_code(tuple(card.text for card in self._case.cards))
        given = "\n".join(map(self._marked, self._case.cards))
        about = f"Issue {self._case.issue.issue}: {self._case.issue.n} answers."
        self._messages = [
            {"role": "system", "content": _system()},
            {"role": "user", "content": f"{about}\n{given}"},
        ]

    async def _shorten(self, name: str) -> None:
        """Let the cheaper model pick the sentences of a card that was cut, where there is one and it may still cost something."""
        text = self._case.uncut.pop(name, None)
        if text is None or self._picking is None or self._brief is None or self._too_dear():
            return
        about = self._case.issue.title
        picked, spent = await sentences_picked(text, about, LONGEST_CARD, self._picking, self._brief.model)
        self.cost = self.cost + spent
        if picked is not None:
            self._case.replace(name, picked)

    async def report(self) -> dict[str, Any]:
        """Return the report, or an empty one; `why` then says what was in the way."""
        await self._begin()
        while self.turns < TURNS:
            if self._too_dear():
                self.why = f"stopped before --max-cost: ${self.cost.usd or 0.0:.4f} spent"
                return {}
            self.turns += 1
            request = Request(list(self._messages), None, seed=self._settings.seed)
            response, spent = await self.endpoint.ask(request)
            self.cost = self.cost + spent
            if isinstance(response, Failure):
                self.why = response.reason
                return {}
            self._count_cached(response)
            reply = reply_of(response)
            if reply.values.get("action") == "report":
                return reply.values
            self._messages.append({"role": "assistant", "content": clean(reply.content)})
            self._messages.append({"role": "user", "content": await self._answer(reply)})
        self.why = f"no report in {TURNS} turns"
        return {}

    async def _answer(self, reply: ModelReply) -> str:
        if reply.fault:
            return f"That is no JSON object as described: {reply.fault}."
        name = self._case.act(str(reply.values.get("action")), str(reply.values.get("argument") or "")).id
        await self._shorten(name)
        return self._marked(next(card for card in self._case.cards if card.id == name))

    def _marked(self, card: Card) -> str:
        """Return a card between marker lines; their code is taken out of what stands between."""
        text = clean(card.text).replace(self._code, "")
        return f"<<{self._code} {card.id} {card.kind}\n{text}\n{self._code}>>"

    def _too_dear(self) -> bool:
        if self._max_cost is None:
            return False
        ahead = self._settings.usd(estimate_tokens(self._messages), _TOKENS_OUT)
        return ahead is None or self.cost.usd is None or self.cost.usd + ahead > self._max_cost

    def _count_cached(self, response: dict[str, Any]) -> None:
        """Add up the tokens that a provider says it had in its cache."""
        usage = response.get("usage")
        details = usage.get("prompt_tokens_details") if isinstance(usage, dict) else None
        tokens = details.get("cached_tokens") if isinstance(details, dict) else None
        if type(tokens) is int and tokens >= 0:
            self.cached = (self.cached or 0) + tokens


@cache
def _system() -> str:
    return (resources.files("showable.production.feed") / "prompts" / "root-cause-v1.system.txt").read_text("utf-8")
