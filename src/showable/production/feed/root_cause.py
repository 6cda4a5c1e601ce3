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
from showable.judges.chat_reply import Unreadable, read_object
from showable.judges.chat_settings import ChatSettings
from showable.production.feed.case import Case
from showable.production.feed.nouns import Card, Statement
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


async def find_root_cause(case: Case, settings: ChatSettings, judge: Judge, max_cost: float | None = None) -> RootCause:
    """Let a model look into a case in at most TURNS turns, and check what it reports.

    With `max_cost` (US dollars) no turn is asked for that might pass it. A failing endpoint is data: `why` says so. Raises
    SettingError where the model cannot be asked at all.
    """
    settings.check_ready()
    talk = _Talk(case, settings, max_cost)
    try:
        report = await talk.report()
    finally:
        await talk.endpoint.aclose()
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

    def __init__(self, case: Case, settings: ChatSettings, max_cost: float | None) -> None:
        self._case, self._settings, self._max_cost = case, settings, max_cost
        self.endpoint = ChatEndpoint(settings, Counter())
        self.cost, self.turns, self.why = Cost(), 0, ""
        self.cached: int | None = None
        self._code = marker_code(tuple(card.text for card in case.cards))
        given = "\n".join(map(self._marked, case.cards))
        self._messages: Messages = [
            {"role": "system", "content": _system()},
            {"role": "user", "content": f"Issue {case.issue.issue}: {case.issue.n} answers.\n{given}"},
        ]

    async def report(self) -> dict[str, Any]:
        """Return the report, or an empty one; `why` then says what was in the way."""
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
            content = _content(response)
            values = read_object(content)
            if not isinstance(values, Unreadable) and values.get("action") == "report":
                return values
            self._messages.append({"role": "assistant", "content": clean(content)})
            self._messages.append({"role": "user", "content": self._answer(values)})
        self.why = f"no report in {TURNS} turns"
        return {}

    def _answer(self, values: dict[str, Any] | Unreadable) -> str:
        if isinstance(values, Unreadable):
            return f"That is no JSON object as described: {values.say}."
        return self._marked(self._case.act(str(values.get("action")), str(values.get("argument") or "")))

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


def _content(response: dict[str, Any]) -> str:
    choices = response.get("choices")
    message = (
        choices[0].get("message") if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    )
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) else ""


@cache
def _system() -> str:
    return (resources.files("showable.production.feed") / "prompts" / "root-cause-v1.system.txt").read_text("utf-8")
