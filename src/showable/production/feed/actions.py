"""What people and tickets do to issues: each action is an event, and the latest batch follows it at once.

Members and states change here; shares, contrasts and fixes of issues that were merged or split follow with the next build.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from showable.errors import SettingError
from showable.production.feed.corrections import merged_into, standing_events
from showable.production.feed.nouns import Event, EventKind, Issue, Member, State
from showable.production.feed.store import FeedStore

By = Literal["person", "ticket", "gate"]
_LONGEST_TITLE = 120
_ASIDE = frozenset({"promote", "label", "quote"})
"""What moves no member and changes no state."""
_UNDONE = frozenset({"merge", "split", "assign", "rename", "resolve", "archive", "reopen", "quote", "undo"})


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and when (Unix nanoseconds)."""

    who: str
    at_ns: int


def merge(store: FeedStore, actor: Actor, issue: str, into: str) -> int:
    """Merge an issue into another for good, and return the event's number. Raises SettingError where that makes no sense."""
    if issue == into:
        raise SettingError(f"{issue}: an issue cannot be merged into itself")
    for name in (issue, into):
        if (went := _standing(store, name).lineage.merged_into) is not None:
            raise SettingError(f"{name}: was merged into {went}; name that one")
    return act(store, actor, issue, "merge", {"into": into})


def split(store: FeedStore, actor: Actor, issue: str, answers: Collection[str], into: str | None = None) -> str:
    """Move members into a new issue, or into `into`, and return its id; the two stay apart. Raises SettingError for no members."""
    _standing(store, issue)
    members = {member.answer for member in store.members(store.latest().id, issue)}
    if strange := sorted(set(answers) - members):
        raise SettingError(f"{strange[0]}: no member of {issue}")
    if not answers or len(set(answers)) == len(members):
        raise SettingError(f"{issue}: name some of its {len(members)} members, and not all of them")
    if into is not None:
        _standing(store, into)
    target = into or _following(store)
    body = {"into": target, "moved": sorted(set(answers)), "kept": sorted(members - set(answers))}
    act(store, actor, issue, "split", body)
    return target


def assign(store: FeedStore, actor: Actor, issue: str, to: str) -> int:
    """Assign an issue to somebody, "" to nobody."""
    return act(store, actor, issue, "assign", {"to": to.strip()})


def rename(store: FeedStore, actor: Actor, issue: str, title: str) -> int:
    """Return an issue a title, "" for the one from rules."""
    return act(store, actor, issue, "rename", {"title": " ".join(title.split())[:_LONGEST_TITLE]})


def resolve(store: FeedStore, actor: Actor, issue: str, by: By = "person") -> int:
    """Call an issue resolved, for the versions seen so far: later ones bring it back."""
    held = _standing(store, issue)
    body = {"by": by, "members": _answers(store, issue), "versions": {n: list(v) for n, v in held.versions.items()}}
    return act(store, actor, issue, "resolve", body)


def archive(store: FeedStore, actor: Actor, issue: str, until: str = "escalating") -> int:
    """Archive an issue until it escalates, ``for_good``, or until so many further answers. Raises SettingError otherwise."""
    if until not in {"escalating", "for_good"} and not (until.isascii() and until.isdecimal() and int(until) > 0):
        raise SettingError(f"--until {until}: expected escalating, for_good, or a count of further answers")
    body = {"until": int(until) if until.isdecimal() else until, "members": _answers(store, issue)}
    return act(store, actor, issue, "archive", body)


def reopen(store: FeedStore, actor: Actor, issue: str) -> int:
    """Take back that an issue is resolved or archived."""
    return act(store, actor, issue, "reopen", {})


def quote(store: FeedStore, actor: Actor, issue: str) -> int:
    """Let tickets quote an issue's answers, where their target is set to it, until that is undone."""
    return act(store, actor, issue, "quote", {})


def undo(store: FeedStore, actor: Actor, seq: int) -> int:
    """Take back an action by its number. Raises SettingError where there is none that can be."""
    event = next((one for one in store.events() if one.seq == seq), None)
    if event is None or event.kind not in _UNDONE:
        raise SettingError(f"{seq}: no action of this feed that could be undone; `showable feed show` numbers them")
    return act(store, actor, event.issue, "undo", {"seq": seq})


def act(store: FeedStore, actor: Actor, issue: str, kind: EventKind, body: dict[str, Any]) -> int:
    """Write an event, bring the latest batch in line with it, and return its number. Raises SettingError for no such issue."""
    store.issue(issue)
    with store.file.writing():
        (seq,) = store.add_events([Event(at_ns=actor.at_ns, who=actor.who, issue=issue, kind=kind, body=body)])
        if kind not in _ASIDE:
            _follow(store)
    return seq


def _standing(store: FeedStore, issue: str) -> Issue:
    return store.issue(issue)


def _answers(store: FeedStore, issue: str) -> list[str]:
    return sorted(member.answer for member in store.members(store.latest().id, issue))


def _following(store: FeedStore) -> str:
    numbers = [int(issue.issue.rpartition("-")[2]) for issue in store.issues()]
    return f"EF-{max(numbers, default=0) + 1}"


def _follow(store: FeedStore) -> None:
    """Bring the latest batch and all issues in line with the events that stand."""
    events, batch = store.events(), store.latest()
    standing = standing_events(events)
    kept = {event.seq for event in standing}
    members = store.members(batch.id)
    for event in reversed([one for one in events if one.kind == "split" and one.seq not in kept]):
        members = [_named(m, event.issue) if m.cluster == event.body["into"] else m for m in members]
    members = _replayed(members, standing)
    store.put_members(batch.id, members)
    sizes = Counter(member.issue for member in members if member.issue is not None)
    merged = merged_into(events)
    known = {issue.issue: issue for issue in store.issues()}
    for event in standing:
        into = str(event.body.get("into", ""))
        if event.kind == "split" and into not in known:
            origin = known[event.issue]
            lineage = origin.lineage.model_copy(update={"split_from": event.issue, "merged_into": None, "absorbed": ()})
            known[into] = origin.model_copy(
                update={"issue": into, "lineage": lineage, "batches": 1, "state": "provisional", "assignee": ""}
            )
    store.put_issues([_restated(issue, standing, merged, sizes) for issue in known.values()])


def _replayed(members: Sequence[Member], standing: Sequence[Event]) -> list[Member]:
    """Return members with splits and merges applied, in the order in which they were said."""
    held = [m.model_copy(update={"issue": m.cluster}) for m in members]
    for event in standing:
        into = str(event.body.get("into", ""))
        if event.kind == "merge":
            held = [m.model_copy(update={"issue": into}) if m.issue == event.issue else m for m in held]
        elif event.kind == "split":
            moved = frozenset(event.body["moved"])
            held = [_named(m, into) if m.answer in moved else m for m in held]
    return held


def _named(member: Member, name: str) -> Member:
    return member.model_copy(update={"cluster": name, "issue": name})


def _restated(issue: Issue, standing: Sequence[Event], merged: dict[str, str], sizes: Counter[str]) -> Issue:
    """Return an issue with the words that stand about it: assignee, title, state, what it was merged with."""
    mine = [event for event in standing if event.issue == issue.issue]
    word = next((event for event in reversed(mine) if event.kind in {"resolve", "archive", "reopen"}), None)
    said: dict[str, State] = {"resolve": "resolved", "archive": "archived"}
    state = said.get(word.kind) if word is not None else None
    if state is None:
        unsaid: State = "provisional" if issue.batches < 2 else "ongoing"  # noqa: PLR2004 - a second batch bears it out
        state = unsaid if issue.state in {"resolved", "archived"} else issue.state
    elif state == "resolved" and issue.state == "regressed":
        state = "regressed" if word is not None and word.seq < _latest_change(standing, issue.issue) else "resolved"
    assignee = next((str(event.body["to"]) for event in reversed(mine) if event.kind == "assign"), "")
    title = next((str(event.body["title"]) for event in reversed(mine) if event.kind == "rename"), "") or issue.title
    absorbed = tuple(sorted(one for one, into in merged.items() if into == issue.issue))
    lineage = issue.lineage.model_copy(update={"merged_into": merged.get(issue.issue), "absorbed": absorbed})
    update = {"state": state, "assignee": assignee, "title": title, "lineage": lineage, "n": sizes.get(issue.issue, 0)}
    return issue.model_copy(update=update)


def _latest_change(standing: Sequence[Event], issue: str) -> int:
    return max((event.seq for event in standing if event.issue == issue and event.kind == "state"), default=0)
