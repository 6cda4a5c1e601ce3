"""A small run whose judge states too low a p, and people's labels of it: what calibration is tested on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from showable.measure.labelled_answer import digest_of
from showable.records import Record, Scorecard
from showable.records.labels import Label, current_guide
from showable.stores.labels.store import LABELS, LabelStore
from showable.stores.run_folder import RECORDS, SCORES, read_run, read_run_lines

KINDS = ("deadline", "fee")


def answered(n: int, kind: str | None = None, others: int = 0) -> dict:
    """One record: a claim that cites its source, and `others` retrieved beside it that nobody cites."""
    claim = {"text": f"Lease {n} may be ended on {n + 10} days' notice.", "citations": [{"source_id": "d1"}]}
    sources = [{"source_id": "d1", "text": f"Clause {n}: notice of {n + 10} days ends the lease."}]
    sources += [{"source_id": f"d{2 + i}", "text": f"Clause {n}.{i} is about rent."} for i in range(others)]
    return {
        "id": f"lease-{n}",
        "question": f"How is lease {n} ended?",
        "retrieved": sources,
        "answer": {"claims": [claim | ({"kind": kind} if kind else {})], "refusal": "none"},
    }


def refused(n: int, text: str, category: str = "unanswerable") -> dict:
    return {
        "id": f"refusal-{n}",
        "question": f"Who owns house {n}?",
        "retrieved": [{"source_id": "d1", "text": f"House {n} has a red roof."}],
        "answer": text,
        "gold": {"answerable": False, "category": category},
    }


REFUSALS = (
    "The documents provided do not say who owns it; the land register would, see [d1] for what is known.",
    "I cannot answer that.",
    "I'm sorry, but that is outside the scope of these documents.",
)


def judged(n: int, p: float | None, label: str | None = None, others: int = 0) -> list[dict]:
    """What a scripted judge says of a record's pairs."""
    said = label or ("supported" if p is not None and p >= 0.5 else "unsupported")
    record = answered(n, others=others)
    claim = record["answer"]["claims"][0]["text"]
    texts = [source["text"] for source in record["retrieved"]]
    rows = [{"claim": claim, "passage": texts[0], "label": said} | ({} if p is None else {"p": p})]
    return rows + [{"claim": claim, "passage": text, "label": "unsupported", "p": 0.02} for text in texts[1:]]


def low_p(n_of_class: int, seed: int = 7) -> list[tuple[float, bool]]:
    """A judge that tells well, but too low: supported pairs about .42, others about .18."""
    rng = np.random.default_rng(seed)
    yes = np.clip(rng.normal(0.42, 0.09, n_of_class), 0.02, 0.98)
    no = np.clip(rng.normal(0.18, 0.09, n_of_class), 0.02, 0.98)
    rows = [(round(float(p), 4), True) for p in yes] + [(round(float(p), 4), False) for p in no]
    return [rows[i] for i in rng.permutation(len(rows))]


def write_lines(path: Path, rows: list[dict]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def label(record: str, about: str, value, digest: str, *, by: str = "ada", role: str = "senior", **fields) -> Label:
    """One label; its id is made of what it is about and by whom."""
    at = fields.pop("at", "2026-03-01T10:00:00Z")
    place = {"claim": 0, "citation": 0} if about == "support" else {"claim": 0} if about == "claim_kind" else {}
    place |= {name: fields.pop(name) for name in ("claim", "citation") if name in fields}
    name = f"{record}-{about}-{by}-{at}-{place.get('citation', 0)}".translate(str.maketrans(" :.", "___"))
    held = {"id": name[-64:], "record": record, "about": about, "value": value, "reviewer": by, "role": role, "at": at}
    return Label(**held | place | {"rubric": current_guide()[about], "answer": digest} | fields)


def digests(run: Path) -> dict[str, str]:
    """The digest of every answer of a run."""
    cards = {card.id: card for card in read_run_lines(run / SCORES, Scorecard)}
    return {record.id: digest_of(record, cards[record.id]) for record in read_run_lines(run / RECORDS, Record)}


def keep(run: Path, labels: list[Label], hold_out: list[str] | None = None) -> None:
    """Put labels into the store of a run."""
    with LabelStore.open(run / LABELS, run_fingerprint=str(read_run(run)["fingerprint"])) as store:
        store.add_many(labels)
        if hold_out:
            store.pin_hold_out(hold_out)


class Silent:
    """A progress that shows nothing."""

    def show(self, tally) -> None:
        """Show nothing."""


def scored(folder: Path, records: list[dict], table: list[dict], calibration=None, profile=None) -> Path:
    """Score records with a scripted judge into `folder`/run, leaving both files beside it."""
    from showable.cli.scoring import Plan, score_into_folder
    from showable.judges.scripted import ScriptedJudge
    from showable.judging_settings import judge_under, rules_under
    from showable.profiles.load import load_profile
    from showable.records.record_file import check_record_file

    judge = ScriptedJudge.read(write_lines(folder / "judge.jsonl", table))
    check = check_record_file(write_lines(folder / "records.jsonl", records))
    assert not check.problems
    rules = rules_under(calibration, load_profile(profile or "general"))
    plan = Plan(check, folder / "run", judge_under(calibration, judge), rules)
    assert score_into_folder(plan, Silent()).stopped is None
    return folder / "run"


def leases(rows: list[tuple[float | None, bool]], kinds: tuple[str, ...] = (), others: int = 0):
    """Records and judge's table of rows (p, people's word)."""
    records = [answered(n, kinds[n % len(kinds)] if kinds else None, others) for n in range(len(rows))]
    table = [row for n, (p, _) in enumerate(rows) for row in judged(n, p, others=others)]
    return records, table


def support_labels(run: Path, rows: list[tuple[float | None, bool]], **fields) -> list[Label]:
    """What people say of each lease."""
    held = digests(run)
    return [
        label(f"lease-{n}", "support", "supported" if yes else "unsupported", held[f"lease-{n}"], **fields)
        for n, (_, yes) in enumerate(rows)
    ]
