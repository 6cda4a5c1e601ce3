"""Candidates for the regression set and reviewers' words on them, in a SQLite file; nothing that was signed ever changes."""

from __future__ import annotations

from collections.abc import Iterable

from showable.records.promotion import Candidate, SignOff
from showable.stores.versioned_file import VersionedFile

PROMOTIONS = "promotions.sqlite"
"""The file of a run folder."""
_TABLES = """
CREATE TABLE candidates (id TEXT PRIMARY KEY, issue TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE signoffs (seq INTEGER PRIMARY KEY AUTOINCREMENT, candidate TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX signoffs_by_candidate ON signoffs (candidate, seq)
"""


class Promotions(VersionedFile):
    """An open file of promotions."""

    APPLICATION = 0x53485052
    STEPS = (_TABLES,)
    HOLDS = "promotions"
    ABSENT = "nothing was proposed yet; `showable feed promote` does"

    def propose(self, candidates: Iterable[Candidate]) -> int:
        """Keep candidates; one that somebody signed stays as it was signed. Returns how many are new or changed."""
        changed = 0
        with self.writing():
            signed = {row[0] for row in self.rows("SELECT DISTINCT candidate FROM signoffs")}
            (last,) = self.first("SELECT COALESCE(MAX(position), 0) FROM candidates")
            for position, one in enumerate(candidates, last + 1):
                if one.id not in signed:
                    row = (one.id, one.issue, position, one.model_dump_json())
                    changed += self.write(
                        "INSERT INTO candidates VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET body=excluded.body"
                        " WHERE body<>excluded.body",
                        row,
                    )
        return changed

    def candidates(self, issue: str | None = None) -> list[Candidate]:
        """Return the candidates, or those of an issue, in the order in which they were proposed."""
        where, values = ("", ()) if issue is None else (" WHERE issue=?", (issue,))
        rows = self.rows(f"SELECT body FROM candidates{where} ORDER BY position", values)  # noqa: S608 - our own names
        return [Candidate.model_validate_json(body) for (body,) in rows]

    def candidate(self, identifier: str) -> Candidate | None:
        """Return one candidate, None where there is none of that id."""
        row = self.first("SELECT body FROM candidates WHERE id=?", (identifier,))
        return None if row is None else Candidate.model_validate_json(row[0])

    def sign(self, word: SignOff) -> SignOff:
        """Keep a reviewer's word, which is on disk when this returns."""
        with self.writing():
            self.write("INSERT INTO signoffs (candidate, body) VALUES (?, ?)", (word.candidate, word.model_dump_json()))
            (seq,) = self.first("SELECT last_insert_rowid()")
        return word.model_copy(update={"seq": seq})

    def standing(self) -> dict[str, SignOff]:
        """Return the last word on each candidate that has one."""
        rows = self.rows("SELECT seq, body FROM signoffs ORDER BY seq")
        words = (SignOff.model_validate_json(body).model_copy(update={"seq": seq}) for seq, body in rows)
        return {word.candidate: word for word in words}
