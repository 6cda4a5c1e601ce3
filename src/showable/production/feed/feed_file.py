"""The SQLite file of a feed: its tables, and what leads from one version of them to the next."""

from __future__ import annotations

from showable.stores.versioned_file import VersionedFile

_FIRST = """
-- failing answers as points: features is JSON (what space.py reads), vector the text's, float32; gone once the answer is pruned
CREATE TABLE feed_items (
    answer_id TEXT NOT NULL, space TEXT NOT NULL, scored_ns INTEGER NOT NULL, at_ns INTEGER, same_as TEXT NOT NULL,
    weight REAL NOT NULL, features TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (answer_id, space)
) WITHOUT ROWID;
CREATE INDEX feed_items_by_time ON feed_items (at_ns);
CREATE TABLE feed_batches (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at_ns INTEGER NOT NULL, since_ns INTEGER, until_ns INTEGER,
    space TEXT NOT NULL, parameters TEXT NOT NULL, n INTEGER NOT NULL, passing INTEGER NOT NULL, unknown INTEGER NOT NULL,
    not_grouped INTEGER NOT NULL, sampled INTEGER NOT NULL
);
-- cluster is the name before people's merges, issue the one after them, '' for what is not grouped
CREATE TABLE feed_members (
    batch TEXT NOT NULL, answer_id TEXT NOT NULL, cluster TEXT NOT NULL, issue TEXT NOT NULL, p REAL NOT NULL,
    core INTEGER NOT NULL, also TEXT NOT NULL, PRIMARY KEY (batch, answer_id)
) WITHOUT ROWID;
CREATE INDEX feed_members_by_issue ON feed_members (batch, issue);
-- body is the whole Issue as JSON, the columns what it is listed by
CREATE TABLE feed_issues (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, space TEXT NOT NULL, state TEXT NOT NULL, title TEXT NOT NULL,
    first_ns INTEGER, last_ns INTEGER, merged_into TEXT, split_from TEXT, batch TEXT NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE feed_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ns INTEGER NOT NULL, who TEXT NOT NULL, issue TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX feed_events_by_issue ON feed_events (issue, seq);
CREATE TABLE feed_evidence (
    batch TEXT NOT NULL, issue TEXT NOT NULL, card TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (batch, issue, card)
) WITHOUT ROWID
"""


class FeedFile(VersionedFile):
    """An open feed file."""

    APPLICATION = 0x53484644
    STEPS = (_FIRST,)
    HOLDS = "a feed"
    ABSENT = "there is no feed here yet; `showable feed build` makes one"
