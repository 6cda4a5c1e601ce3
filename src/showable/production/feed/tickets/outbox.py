"""What is to be sent, what was, and what people did to it: rows that stand in the feed's file before any packet leaves.

Sending is levelled, not triggered: `want` compares what a ticket should say with what was sent, so that nothing is lost
where a process dies, and nothing is sent where nothing changed.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from showable.production.feed.feed_file import FeedFile
from showable.production.feed.tickets.ticket import Remote, Ticket

Kind = Literal["new", "update", "reopen", "resolve"]
SECOND_NS = 1_000_000_000
UPDATE_NS = 3_600 * SECOND_NS
"""At most one update of an issue an hour, unless its state changed."""
OPENED = frozenset({"new", "ongoing", "escalating", "regressed"})
"""States in which an issue gets its first ticket."""
_WAITING = "('queued', 'sending', 'uncertain')"
_TABLES = """
-- a ticket as last sent: is it open there, and was it last wanted open; gone once it was deleted there
CREATE TABLE IF NOT EXISTS feed_tickets (
    target TEXT NOT NULL, issue TEXT NOT NULL, remote TEXT NOT NULL, url TEXT NOT NULL, ours TEXT NOT NULL, state TEXT NOT NULL,
    open INTEGER NOT NULL, wanted INTEGER NOT NULL, gone INTEGER NOT NULL, digest TEXT NOT NULL, sent_ns INTEGER NOT NULL, looked_ns INTEGER NOT NULL,
    changed_ns INTEGER NOT NULL, PRIMARY KEY (target, issue)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feed_outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, target TEXT NOT NULL, issue TEXT NOT NULL, kind TEXT NOT NULL, digest TEXT NOT NULL,
    ticket TEXT NOT NULL, setting TEXT NOT NULL, state TEXT NOT NULL, doubt INTEGER NOT NULL, tries INTEGER NOT NULL,
    first_ns INTEGER NOT NULL, next_ns INTEGER NOT NULL, said TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS feed_outbox_waiting ON feed_outbox (target, issue, state);
CREATE TABLE IF NOT EXISTS feed_holds (target TEXT PRIMARY KEY, until_ns INTEGER NOT NULL, said TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feed_webhooks (digest TEXT PRIMARY KEY, at_ns INTEGER NOT NULL) WITHOUT ROWID
"""
_HELD = "target, issue, remote, url, ours, state, open, wanted, gone, digest, sent_ns, looked_ns, changed_ns"
_ROW = "id, target, issue, kind, digest, ticket, setting, state, doubt, tries, first_ns, next_ns, said"


@dataclass(frozen=True, slots=True)
class Held:
    """A ticket that stands in a vendor's system; times in Unix nanoseconds."""

    target: str
    issue: str
    remote: str
    url: str
    ours: str
    state: str
    open: bool
    wanted: bool
    gone: bool
    digest: str
    sent_ns: int
    looked_ns: int
    changed_ns: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the outbox. `setting` is the digest of the target's settings at the time, without secrets.

    `doubt` says that it may have been accepted at some time, `first_ns` when it was first tried.
    """

    id: int
    target: str
    issue: str
    kind: Kind
    digest: str
    ticket: Ticket
    setting: str
    state: Literal["queued", "sending", "uncertain", "sent", "refused"]
    doubt: bool
    tries: int
    first_ns: int
    next_ns: int
    said: str


class Outbox:
    """The outbox in a feed's file. Everything that changes it is one transaction."""

    def __init__(self, file: FeedFile) -> None:
        self.file = file
        with file.writing():
            for statement in _TABLES.split(";\n"):
                file.write(statement)

    def want(self, target: str, ticket: Ticket, now_ns: int, *, setting: str = "", edits: bool = True) -> None:
        """Write down what has to be sent so that a ticket says what it should; nothing where it does already."""
        with self.file.writing():
            held, waiting = self.held(target, ticket.issue), self.waiting(target, ticket.issue)
            if waiting is not None:
                self._refresh(waiting, held, ticket, now_ns)
                return
            kind = _kind(held, ticket, edits=edits)
            if kind is None or self._was_refused(target, ticket, setting, first=kind == "new"):
                return
            limited = kind == "update" and held is not None and held.state == ticket.state
            next_ns = max(now_ns, held.sent_ns + UPDATE_NS) if limited and held is not None else now_ns
            last = self.last(target, ticket.issue)
            doubt = kind == "new" and last is not None and last.doubt  # it was given up, and may stand there
            ours = held.ours if held is not None else last.ticket.ours if last is not None else str(uuid.uuid4())
            ready = replace(ticket, ours=ours)
            row = (target, ticket.issue, kind, ready.digest(), _json(ready), setting)
            self.file.write(
                "INSERT INTO feed_outbox (target, issue, kind, digest, ticket, setting, state, doubt, tries, first_ns, next_ns, said)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, '')",
                (*row, "uncertain" if doubt else "queued", doubt, now_ns, next_ns),
            )

    def recover(self, target: str, next_ns: int) -> int:
        """Turn what a dead sender was sending into uncertain rows; only for whoever is the one sender. Returns how many."""
        with self.file.writing():
            return self.file.write(
                "UPDATE feed_outbox SET state='uncertain', doubt=1, next_ns=?, said='the sender ended while it was sent'"
                " WHERE state='sending' AND target=?",
                (next_ns, target),
            )

    def begin(self, now_ns: int, targets: Sequence[str]) -> Row | None:
        """Return the next row that is due, marked as being sent; its state is that which it had."""
        marks = ", ".join("?" * len(targets))
        with self.file.writing():
            found = self.file.first(
                f"SELECT {_ROW} FROM feed_outbox WHERE state IN ('queued', 'uncertain') AND next_ns<=? AND target IN ({marks})"  # noqa: S608 - our own names
                " AND target NOT IN (SELECT target FROM feed_holds WHERE until_ns>?) ORDER BY next_ns, id LIMIT 1",
                (now_ns, *targets, now_ns),
            )
            if found is None:
                return None
            self.file.write("UPDATE feed_outbox SET state='sending' WHERE id=?", (found[0],))
        return _row(found)

    def sent(self, row: Row, remote: Remote, now_ns: int, *, said: str = "") -> None:
        """Write down that a row was taken, and the ticket that it became or changed."""
        state_changed = row.kind != "update"
        with self.file.writing():
            self.file.write(
                f"INSERT INTO feed_tickets ({_HELD}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)"  # noqa: S608 - our own names
                " ON CONFLICT (target, issue) DO UPDATE SET remote=excluded.remote, url=excluded.url, state=excluded.state, open=excluded.open,"
                " wanted=excluded.wanted, digest=excluded.digest, sent_ns=excluded.sent_ns, looked_ns=excluded.looked_ns,"
                " changed_ns=CASE WHEN ? THEN excluded.changed_ns ELSE changed_ns END",
                (
                    *(row.target, row.issue, remote.id, remote.url, row.ticket.ours, row.ticket.state),
                    *(remote.open, row.ticket.open),
                    *(row.digest, now_ns, now_ns, now_ns, state_changed),
                ),
            )
            self._put(row, "sent", now_ns, said)
            where = (row.target, row.issue, row.id)  # what came before is history, which the feed's own events hold
            self.file.write("DELETE FROM feed_outbox WHERE target=? AND issue=? AND id<?", where)

    def again(self, row: Row, now_ns: int, next_ns: int, said: str, *, uncertain: bool, counts: bool = True) -> None:
        """Write down that a row is to be tried again; `counts` False where nothing was tried."""
        state, first_ns = ("uncertain" if uncertain else "queued"), (row.first_ns if row.tries else now_ns)
        tried = replace(row, tries=row.tries + counts, first_ns=first_ns, doubt=row.doubt or uncertain)
        with self.file.writing():
            self._put(tried, state, next_ns, said)

    def refuse(self, row: Row, said: str, *, gone: bool) -> None:
        """Write down that a row is not taken, and with `gone` that its ticket is no longer there."""
        with self.file.writing():
            self._put(row, "refused", row.next_ns, said)
            if gone:
                self.file.write("UPDATE feed_tickets SET gone=1 WHERE target=? AND issue=?", (row.target, row.issue))

    def hold(self, target: str, until_ns: int, said: str) -> None:
        """Send nothing to a target before a time."""
        with self.file.writing():
            self.file.write("INSERT OR REPLACE INTO feed_holds VALUES (?, ?, ?)", (target, until_ns, said))

    def release(self) -> None:
        """Let every target be tried again at once, and what was refused be queued anew by the next look at the issues."""
        with self.file.writing():
            self.file.write("DELETE FROM feed_holds")
            self.file.write("UPDATE feed_outbox SET setting='' WHERE state='refused'")

    def looked(self, held: Held, now_ns: int) -> None:
        """Write down that a ticket was looked at."""
        with self.file.writing():
            where = (now_ns, held.target, held.issue)
            self.file.write("UPDATE feed_tickets SET looked_ns=? WHERE target=? AND issue=?", where)

    def change(self, held: Held, *, is_open: bool, gone: bool, at_ns: int) -> None:
        """Write down what became of a ticket in its own system. Only inside `file.writing`."""
        self.file.write(
            "UPDATE feed_tickets SET open=?, wanted=?, gone=?, changed_ns=? WHERE target=? AND issue=?",
            (is_open, is_open, gone, at_ns, held.target, held.issue),
        )

    def knows_webhook(self, digest: str) -> bool:
        """Check whether a webhook came before."""
        return self.file.first("SELECT 1 FROM feed_webhooks WHERE digest=?", (digest,)) is not None

    def remember_webhook(self, digest: str, at_ns: int, forget_ns: int) -> None:
        """Remember a webhook, and forget those before a time. Only inside `file.writing`."""
        self.file.write("DELETE FROM feed_webhooks WHERE at_ns<?", (forget_ns,))
        self.file.write("INSERT OR IGNORE INTO feed_webhooks VALUES (?, ?)", (digest, at_ns))

    def held(self, target: str, issue: str) -> Held | None:
        """Return the ticket of an issue at a target."""
        found = self.file.first(f"SELECT {_HELD} FROM feed_tickets WHERE target=? AND issue=?", (target, issue))  # noqa: S608 - our own names
        return None if found is None else _held(found)

    def tickets(self, issue: str | None = None) -> list[Held]:
        """Return all tickets, or those of an issue."""
        where, values = ("", ()) if issue is None else (" WHERE issue=?", (issue,))
        rows = self.file.rows(f"SELECT {_HELD} FROM feed_tickets{where} ORDER BY issue, target", values)  # noqa: S608 - our own names
        return [_held(row) for row in rows]

    def waiting(self, target: str, issue: str) -> Row | None:
        """Return what waits to be sent of an issue to a target; there is never more than one."""
        found = self.file.first(
            f"SELECT {_ROW} FROM feed_outbox WHERE target=? AND issue=? AND state IN {_WAITING}",  # noqa: S608 - our own names
            (target, issue),
        )
        return None if found is None else _row(found)

    def last(self, target: str, issue: str) -> Row | None:
        """Return the last row of an issue at a target."""
        found = self.file.first(
            f"SELECT {_ROW} FROM feed_outbox WHERE target=? AND issue=? ORDER BY id DESC LIMIT 1",  # noqa: S608 - our own names
            (target, issue),
        )
        return None if found is None else _row(found)

    def rows(self, *states: str) -> list[Row]:
        """Return the rows of some states, or all, the earliest first."""
        marks = f" WHERE state IN ({', '.join('?' * len(states))})" if states else ""
        return [_row(row) for row in self.file.rows(f"SELECT {_ROW} FROM feed_outbox{marks} ORDER BY id", states)]  # noqa: S608 - our own names

    def holds(self, now_ns: int) -> dict[str, tuple[int, str]]:
        """Return the targets that nothing is sent to now: until when, and why."""
        rows = self.file.rows("SELECT target, until_ns, said FROM feed_holds WHERE until_ns>?", (now_ns,))
        return {target: (until, said) for target, until, said in rows}

    def _refresh(self, row: Row, held: Held | None, ticket: Ticket, now_ns: int) -> None:
        """Let what waits say what is wanted by now. What may have left is what it was until that is known."""
        if row.state != "queued":
            return
        if row.kind == "new" and not ticket.open:
            if row.tries == 0:  # it never left
                self.file.write("DELETE FROM feed_outbox WHERE id=?", (row.id,))
            return
        kind = "new" if held is None else _kind(held, ticket, edits=True) or row.kind
        ready = replace(ticket, ours=row.ticket.ours)
        pressing = kind != row.kind or ticket.state != row.ticket.state
        next_ns = min(row.next_ns, now_ns) if pressing and row.tries == 0 else row.next_ns
        self.file.write(
            "UPDATE feed_outbox SET kind=?, digest=?, ticket=?, next_ns=? WHERE id=?",
            (kind, ready.digest(), _json(ready), next_ns, row.id),
        )

    def _was_refused(self, target: str, ticket: Ticket, setting: str, *, first: bool) -> bool:
        """Check whether the same was refused under the same settings: it is not repeated before they change."""
        last = self.last(target, ticket.issue)
        if last is None or last.state != "refused":
            return False
        return last.setting == setting and (first or last.digest == ticket.digest())

    def _put(self, row: Row, state: str, next_ns: int, said: str) -> None:
        self.file.write(
            "UPDATE feed_outbox SET state=?, doubt=?, tries=?, first_ns=?, next_ns=?, said=? WHERE id=?",
            (state, row.doubt, row.tries, row.first_ns, next_ns, said, row.id),
        )


def _kind(held: Held | None, ticket: Ticket, *, edits: bool) -> Kind | None:
    if held is None:
        return "new" if ticket.open and ticket.state in OPENED else None
    if held.gone:
        return None
    if held.wanted != ticket.open:
        return "reopen" if ticket.open else "resolve"
    return "update" if edits and held.digest != ticket.digest() else None


def _json(ticket: Ticket) -> str:
    return json.dumps(asdict(ticket), ensure_ascii=False)


def _row(found: Sequence[Any]) -> Row:
    values = dict(zip(_ROW.split(", "), found, strict=True))
    said = json.loads(values["ticket"])
    pairs = {field: tuple((name, value) for name, value in said.get(field, ())) for field in ("facts", "quotes")}
    ticket = Ticket(**said | pairs)
    return Row(**values | {"ticket": ticket, "doubt": bool(values["doubt"])})


def _held(found: Sequence[Any]) -> Held:
    values = dict(zip(_HELD.split(", "), found, strict=True))
    return Held(**values | {name: bool(values[name]) for name in ("open", "wanted", "gone")})
