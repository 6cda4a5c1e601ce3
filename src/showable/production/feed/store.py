"""The feed as commands, tickets and the page see it: batches, members, issues, events and evidence."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Self

from showable.errors import SettingError
from showable.production.feed.feed_file import FeedFile
from showable.production.feed.items import Item
from showable.production.feed.nouns import Batch, Card, Event, Issue, Member

FEED = "feed.sqlite"
"""The feed of a run folder."""
_BATCH = "id, at_ns, since_ns, until_ns, space, parameters, n, passing, unknown, not_grouped, sampled"
_MEMBER = "answer_id, cluster, issue, p, core, also"


class FeedStore:
    """An open feed. Any number of threads and processes may have one open; every write is on disk when it returns."""

    def __init__(self, file: FeedFile) -> None:
        """Take an open file; `open` is the way in."""
        self.file = file

    @classmethod
    def open(cls, path: Path, *, make: bool = True) -> Self:
        """Open a feed, or make it unless `make` is off. Raises SettingError where it cannot be used as one."""
        return cls(FeedFile(path, make=make))

    def close(self) -> None:
        """Close the file; a second time does nothing."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def revision(self) -> tuple[int, int]:
        """Return what tells one state of the feed from another: the last event's number and the last batch's."""
        query = "SELECT (SELECT MAX(seq) FROM feed_events), (SELECT MAX(number) FROM feed_batches)"
        event, batch = self.file.first(query)
        return event or 0, batch or 0

    def batches(self, limit: int = 1) -> list[Batch]:
        """Return the latest batches, the latest first."""
        rows = self.file.rows(f"SELECT {_BATCH} FROM feed_batches ORDER BY number DESC LIMIT ?", (limit,))  # noqa: S608 - our own names
        return [Batch(**dict(zip(Batch.model_fields, row, strict=True))) for row in rows]

    def latest(self) -> Batch:
        """Return the latest batch. Raises SettingError where nothing was built yet."""
        found = self.batches()
        if not found:
            raise SettingError(f"{self.file.path}: nothing was grouped yet; `showable feed build` does")
        return found[0]

    def members(self, batch: str, issue: str | None = None) -> list[Member]:
        """Return the members of a batch, or of one of its issues ("": those not grouped), likeliest first, ties by id."""
        where, values = ("", (batch,)) if issue is None else (" AND issue=?", (batch, issue))
        rows = self.file.rows(
            f"SELECT {_MEMBER} FROM feed_members WHERE batch=?{where} ORDER BY p DESC, answer_id",  # noqa: S608 - our own names
            values,
        )
        return [
            Member(
                answer=answer, cluster=cluster or None, issue=of or None, p=p, core=bool(core), also=json.loads(also)
            )
            for answer, cluster, of, p, core, also in rows
        ]

    def issues(self) -> list[Issue]:
        """Return all issues ever seen, merged ones too, in the order in which they came up."""
        return [
            Issue.model_validate_json(body)
            for (body,) in self.file.rows("SELECT body FROM feed_issues ORDER BY number")
        ]

    def issue(self, identifier: str) -> Issue:
        """Return one issue. Raises SettingError for an id that the feed does not know."""
        row = self.file.first("SELECT body FROM feed_issues WHERE id=?", (identifier,))
        if row is None:
            raise SettingError(f"{identifier}: no issue of this feed; `showable feed list` names them")
        return Issue.model_validate_json(row[0])

    def events(self, issue: str | None = None) -> list[Event]:
        """Return what was done, the earliest first, to all issues or to one."""
        where, values = ("", ()) if issue is None else (" WHERE issue=?", (issue,))
        rows = self.file.rows(f"SELECT seq, at_ns, who, issue, kind, body FROM feed_events{where} ORDER BY seq", values)  # noqa: S608 - our own names
        return [
            Event(seq=seq, at_ns=at, who=who, issue=of, kind=kind, body=json.loads(body))
            for seq, at, who, of, kind, body in rows
        ]

    def evidence(self, batch: str, issue: str) -> list[Card]:
        """Return the evidence cards of an issue in a batch, in the order of their numbers."""
        rows = self.file.rows("SELECT body FROM feed_evidence WHERE batch=? AND issue=?", (batch, issue))
        return sorted((Card.model_validate_json(body) for (body,) in rows), key=lambda card: int(card.id[1:]))

    def add_events(self, events: Iterable[Event]) -> list[int]:
        """Write events down and return their numbers. Only inside `file.writing`."""
        numbers = []
        for event in events:
            row = (event.at_ns, event.who, event.issue, event.kind, _json(event.body))
            self.file.write("INSERT INTO feed_events (at_ns, who, issue, kind, body) VALUES (?, ?, ?, ?, ?)", row)
            numbers.append(int(self.file.first("SELECT last_insert_rowid()")[0]))
        return numbers

    def last_members(self, exclude: Collection[str]) -> dict[str, set[str]]:
        """Return the groups that the last batch does not have, each with its members when it was last there."""
        rows = self.file.rows(
            "SELECT cluster, answer_id FROM feed_members JOIN feed_batches ON id=batch WHERE cluster<>'' AND number="
            "(SELECT MAX(b.number) FROM feed_members m JOIN feed_batches b ON b.id=m.batch WHERE m.cluster=feed_members.cluster)"
        )
        found: dict[str, set[str]] = {}
        for cluster, answer in rows:
            if cluster not in exclude:
                found.setdefault(cluster, set()).add(answer)
        return found

    def forget_members(self, batches: int) -> None:
        """Delete the members and evidence of all but the latest batches; issues and counts stay. Only inside `file.writing`."""
        old = "batch NOT IN (SELECT id FROM feed_batches ORDER BY number DESC LIMIT ?)"
        for table in ("feed_members", "feed_evidence"):
            self.file.write(f"DELETE FROM {table} WHERE {old}", (batches,))  # noqa: S608 - our own names

    def items(self, space: str) -> dict[str, Item]:
        """Return the failing answers of the last batch as points of a space, by answer, without their texts."""
        rows = self.file.rows(
            "SELECT answer_id, scored_ns, at_ns, same_as, weight, features, vector FROM feed_items WHERE space=?",
            (space,),
        )
        return {
            answer: Item(
                answer=answer,
                features={family: tuple(values) for family, values in json.loads(features).items()},
                text="",
                same_as=same_as,
                vector=vector,
                scored_ns=scored_ns,
                at_ns=at_ns,
                weight=weight,
            )
            for answer, scored_ns, at_ns, same_as, weight, features, vector in rows
        }

    def put_items(self, space: str, items: Sequence[Item]) -> None:
        """Write the items of a batch in place of all others: what is out of the window is gone. Only inside `file.writing`."""
        self.file.write("DELETE FROM feed_items")
        rows = (
            (i.answer, space, i.scored_ns, i.at_ns, i.same_as, i.weight, _json(dict(i.features)), i.vector)
            for i in items
        )
        self.file.write_all(
            "INSERT INTO feed_items (answer_id, space, scored_ns, at_ns, same_as, weight, features, vector)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )

    def put_batch(self, batch: Batch) -> None:
        """Write a batch down. Only inside `file.writing`."""
        row = tuple(getattr(batch, name) for name in Batch.model_fields)
        self.file.write(f"INSERT OR REPLACE INTO feed_batches ({_BATCH}) VALUES ({_marks(row)})", row)  # noqa: S608 - our own names

    def put_members(self, batch: str, members: Iterable[Member]) -> None:
        """Write the members of a batch in place of those it had. Only inside `file.writing`."""
        self.file.write("DELETE FROM feed_members WHERE batch=?", (batch,))
        rows = ((batch, m.answer, m.cluster or "", m.issue or "", m.p, m.core, _json(m.also)) for m in members)
        self.file.write_all(f"INSERT INTO feed_members (batch, {_MEMBER}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)  # noqa: S608 - our own names

    def put_issues(self, issues: Sequence[Issue]) -> None:
        """Write issues in place of what was known of them. Only inside `file.writing`."""
        for issue in issues:
            row = (
                *(issue.issue, int(issue.issue.rpartition("-")[2]), issue.space, issue.state, issue.title),
                *(issue.first_ns, issue.last_ns, issue.lineage.merged_into, issue.lineage.split_from),
                *(issue.batch, issue.model_dump_json()),
            )
            self.file.write(
                "INSERT OR REPLACE INTO feed_issues (id, number, space, state, title, first_ns, last_ns, merged_into,"
                " split_from, batch, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def put_evidence(self, batch: str, issue: str, cards: Sequence[Card]) -> None:
        """Write the evidence cards of an issue in place of those it had. Only inside `file.writing`."""
        self.file.write("DELETE FROM feed_evidence WHERE batch=? AND issue=?", (batch, issue))
        rows = ((batch, issue, card.id, card.model_dump_json()) for card in cards)
        self.file.write_all("INSERT INTO feed_evidence (batch, issue, card, body) VALUES (?, ?, ?, ?)", rows)


def _marks(row: Sequence[object]) -> str:
    return ", ".join("?" * len(row))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
