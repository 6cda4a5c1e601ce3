"""The answers of the freeze, corpus by corpus: each scored by the tree at hand, and held against its label where it has one.

Everything goes through the command line, the public functions and the files that they write, which stay where they are while
the rooms behind them are rewritten. Judge: `lexical`, so that a new model moves nothing.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import labelled
import typer.main
from financebench import make_records
from frozen_field import is_held, read_field_cases, run_case
from refusals import EXTENT, XSTEST
from wordings import ROWS, SAID, Statements, gold_record, refusal_of, rows_of

import showable
from showable.records import Record

TESTS = Path(__file__).resolve().parents[1] / "tests"
JUDGE = "lexical"
SEEDED_TRACES = 60
sys.path.append(str(TESTS))  # made-up payloads, traces and servers are those of the tests

Row = dict[str, Any]


class MissingError(Exception):
    """A corpus that is not beside this checkout; the message says where it was looked for."""


@dataclass(frozen=True)
class Scored:
    """One answer: the row to freeze, and its label as it is printed. `right` of a row: right, open or wrong, by the label alone."""

    row: Row
    label: str | None = None


def row_of(card: Row, name: str | None = None, *, right: str | None = None, out: Sequence[str] = ()) -> Row:
    """Return the row of a scorecard in its JSON shape: ids, codes and offsets, no text.

    `right` is what the label makes of it, `out` are further codes (statuses, exit codes).
    """
    extent = card.get("refusal", "none")
    basis = card.get("refusal_basis")
    row = {
        "id": name or card["id"],
        "right": right,
        "bucket": card.get("bucket"),
        "cause": card.get("cause"),
        "refusal": None if extent == "none" else f"{extent}/{basis}",
        "gold": None if card.get("gold_agreement") == "not_applicable" else card.get("gold_agreement"),
        "findings": sorted(f"{finding['code']} {finding['outcome']}" for finding in card.get("findings", ())),
        "claims": [claim["span"] for claim in card.get("claims", ())],
        "out": list(out),
    }
    return {key: value for key, value in row.items() if value not in (None, [])}


def judged(*, right: bool, is_open: bool = False) -> str:
    """Return what a label makes of an outcome: `open` where the tool did not decide."""
    return "open" if is_open else "right" if right else "wrong"


def evaluate(records: Iterable[Record | Row]) -> Iterator[Row]:
    """Yield the scorecards of records in their JSON shape."""
    for card in showable.evaluate(records, judge=JUDGE):
        yield card.model_dump(mode="json")


def command(folder: Path, *args: str) -> tuple[int, str, str]:
    """Run the command line in this process, in a folder that is its home too; returns exit code, stdout and stderr."""
    from showable.cli import main  # noqa: PLC0415 - takes every command with it

    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SHOWABLE_", "PROBATIVE_"))}
    home = {key: str(folder) for key in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    own = {"SHOWABLE_REGISTRY_LOCAL": str(folder / "local.sqlite"), "COLUMNS": "200"}
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        patch.dict(os.environ, kept | home | own, clear=True),
        patch.object(sys, "argv", ["showable", *args]),
        patch.object(typer.main, "get_command", _get_command),
        chdir(folder),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as leave:
            code = int(leave.code or 0)
    return code, out.getvalue(), err.getvalue()


_get_command = cache(typer.main.get_command)
"""Built once: it takes as long as a small command."""


def lines_of(path: Path) -> list[Row]:
    """Return the rows of a JSON Lines file, none where there is no such file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line] if path.exists() else []


def read_data(name: str) -> Iterator[Row]:
    """Yield the rows of labelled data. Raises MissingError where they are not beside this checkout."""
    path = labelled.DATA / f"{name}.jsonl.gz"
    if not path.exists():
        raise MissingError(f"{path.name} is not in {path.parent}")
    yield from labelled.rows_of(name)


def demo() -> Iterator[Scored]:
    """The embedded answers; right are bucket and cause as the label has them."""
    from showable.demo.embedded import expected_labels  # noqa: PLC0415 - only here

    labels = expected_labels()
    for card in _run_demo():
        label = labels[card["id"]]
        wanted = (label["bucket"], label["cause"])
        is_open = card["bucket"] == "unknown" != label["bucket"]
        right = judged(right=(card["bucket"], card["cause"]) == wanted, is_open=is_open)
        yield Scored(row_of(card, right=right), " ".join(filter(None, wanted)))


def protocol() -> Iterator[Scored]:
    """The embedded questions put to the reference pipeline; right is a bucket that the question's category expects."""
    for card in _run_demo("--protocol"):
        is_open = card["bucket"] == "unknown" and "unknown" not in card["expected"]
        right = judged(right=card["bucket"] in card["expected"], is_open=is_open)
        yield Scored(row_of(card, right=right), " or ".join(card["expected"]))


def _run_demo(*args: str) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        code, _, err = command(Path(folder), "demo", *args, "--judge", JUDGE, "--out", "run")
        assert code == 0, err
        return sorted(lines_of(Path(folder) / "run" / "scores.jsonl"), key=lambda card: card["id"])


def financebench() -> Iterator[Scored]:
    """Right: a Refusal that is read as one; of the others, one that is not, and agrees with gold if people called it Correct."""
    list(read_data("answers/financebench_evidence"))
    made = list(make_records())
    for (row, _), card in zip(made, evaluate(record for _, record in made), strict=True):
        declined, agreement = card["refusal"] in {"full", "refused_then_answered"}, card["gold_agreement"]
        if row["refusal"] or declined:
            right = judged(right=row["refusal"] == declined)
        else:
            right = judged(right=row["correct"] == (agreement == "agrees"), is_open=agreement == "unknown")
        yield Scored(row_of(card, right=right), row["raw_label"])


def xstest() -> Iterator[Scored]:
    """Right: the extent of the refusal (full, partial, none) as people have it."""
    rows = list(read_data("answers/xstest"))
    records = [{"id": row["id"], "question": row["question"], "answer": row["response"]} for row in rows]
    for row, card in zip(rows, evaluate(records), strict=True):
        label = XSTEST[row["raw_label"]]
        yield Scored(row_of(card, right=judged(right=EXTENT[card["refusal"]] == label)), label)


def lfqa() -> Iterator[Scored]:
    """Answers without citations: right is whether all claims have support in the log, against all sentences or not; .5 is no label."""
    rows = list(read_data("answers/lfqa"))
    records = [{key: row[key] for key in ("id", "question", "retrieved", "answer")} for row in rows]
    for row, card in zip(rows, evaluate(records), strict=True):
        support = {claim["log_support"] for claim in card["claims"]}
        is_open = "fail" not in support and support != {"pass"}
        right = judged(right=(support == {"pass"}) == (row["label"] == 1), is_open=is_open)
        label = {1: "supported", 0: "not supported"}.get(row["label"])
        yield Scored(row_of(card, right=right if label else None), label)


def wordings() -> Iterator[Scored]:
    """The rows of `wordings/`: what was refused, what agrees with gold, and which statement cites what."""
    for row in rows_of(ROWS, "refusals"):
        (card,) = evaluate([{"id": row["id"], "question": row["question"], "answer": row["response"]}])
        right = judged(right=refusal_of(row) == row["label"])
        yield Scored(row_of(card, f"refusals/{row['id']}", right=right), row["label"])
    rows = rows_of(ROWS, "gold")
    for row, card in zip(rows, evaluate(map(gold_record, rows)), strict=True):
        said = SAID.get(card["gold_agreement"])
        right = judged(right=said == row["label"], is_open=said is None)
        yield Scored(row_of(card, f"gold/{row['id']}", right=right), row["label"])
    for row in rows_of(ROWS, "citations"):
        statements = Statements(row)
        card = statements.card.model_dump(mode="json")
        yield Scored(row_of(card, f"citations/{row['id']}", right=judged(right=statements.exact)), "as written")


def declining() -> Iterator[Scored]:
    """The answers of shared `wordings/`; right is the extent of the refusal as labelled."""
    rows = list(read_data("wordings/refusals"))
    records = [{key: row[key] for key in ("id", "question", "answer")} for row in rows]
    for row, card in zip(rows, evaluate(records), strict=True):
        yield Scored(row_of(card, right=judged(right=card["refusal"] == row["extent"])), row["extent"])


def field() -> Iterator[Scored]:
    """Cases after public bug reports, through `score`, `convert`, `check` and `traces`; right is what holds all that is expected."""
    path = labelled.DATA / "field" / "cases.jsonl"
    if not path.exists():
        raise MissingError(f"{path.name} is not in {path.parent}")
    for case in read_field_cases(path):
        with tempfile.TemporaryDirectory() as folder:
            got = run_case(case, Path(folder), command)
        row = row_of(got.card, case["id"], right=judged(right=is_held(case["expect"], got.told)), out=got.codes)
        yield Scored(row, json.dumps(case["expect"], ensure_ascii=False)[:100])


def converters() -> Iterator[Scored]:
    """The example payloads of every shape, converted and scored; without labels."""
    for path in sorted((TESTS / "converter_examples").glob("*.py")):
        examples = import_module(f"converter_examples.{path.stem}")
        for kind, payloads in (("row", examples.ROWS), ("document", examples.DOCUMENTS)):
            for number, payload in enumerate(payloads):
                yield from _converted(f"{path.stem}/{kind}-{number}", payload, path.stem.replace("_", "-"))


def _converted(name: str, payload: object, shape: str) -> Iterator[Scored]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "payload.json"
        path.write_text(json.dumps(payload), encoding="utf-8")
        try:
            records = showable.read_records(path, shape=shape)
        except showable.InputError:
            yield Scored({"id": name, "out": ["not read"]})
            return
    for place, card in enumerate(evaluate(records)):
        yield Scored(row_of(card, f"{name}/{place}"))


def traces() -> Iterator[Scored]:
    """The made-up traces of the tests: of a lease, in every convention, of a shop, seeded traffic, and spans as 0.1 wrote them."""
    from showable.records.spans import Span  # noqa: PLC0415 - only here
    from showable.traces.conventions.read import read_span  # noqa: PLC0415
    from showable.traces.conventions.write import NAMES, write_span  # noqa: PLC0415
    from showable.traces.join import join  # noqa: PLC0415

    built, seeded, shop = (import_module(name) for name in ("built_traces", "seeded_traces", "otlp_spans"))

    def rewritten(convention: str) -> list[Span]:
        return [replace(span, attributes=write_span(read_span(span), convention)) for span in built.lease_trace()]

    found: dict[str, list[Span]] = {
        "lease/plain": built.lease_trace(),
        "lease/no-retriever": built.lease_trace(passages=None),
        "lease/empty-log": built.lease_trace(passages={}),
        "lease/ids-alone": built.lease_trace(passages=dict.fromkeys(built.LEASE)),
        "lease/no-ids": built.lease_trace("The notice is 30 days [1].", passages=list(built.LEASE.values())),
        "lease/published": built.lease_trace("The notice is 30 days.", citations=[{"source_id": "lease-4"}]),
        "lease/invented": built.lease_trace("The notice is 30 days [lease-99]."),
        "lease/declines": built.lease_trace("The passages do not say."),
        "shop": shop.rag_trace(),
    }
    found |= {f"convention/{name}": rewritten(name) for name in NAMES}
    found |= {f"seeded/{at}": seeded.spans_of(score) for at, score in enumerate(seeded.answers(count=SEEDED_TRACES))}
    for name, spans in found.items():
        answers = join(spans)
        if not answers:
            yield Scored({"id": name, "out": ["no answer"]})
        losses = [sorted(loss.code for loss in answer.losses) for answer in answers]
        for place, card in enumerate(evaluate(answer.record for answer in answers)):
            yield Scored(row_of(card, f"{name}/{place}", out=losses[place]))
    with tempfile.TemporaryDirectory() as folder:
        spans_file = str(TESTS / "data" / "probative-0.1" / "spans.jsonl")
        command(Path(folder), "traces", "score", spans_file, "--judge", JUDGE, "--profile", "general", "--out", "run")
        for card in lines_of(Path(folder) / "run" / "scores.jsonl"):
            yield Scored(row_of(card, f"probative-0.1/{card['id']}"))


_CHANGED = {
    "as known": {},
    "another title": {"title": "A survey of something else altogether", "case_name": "Wholly v. Different"},
    "another year": {"year": "1871", "date": "1871-02-03"},
    "another author": {"authors": "Nobody Z", "court": "ca11"},
    "another place": {"volume": "3", "pages": "9001-9", "page": "9001"},
}
"""What a citation of the known record says of it instead, where it says anything of the kind."""
_IDS = ("doi", "pmid", "pmcid", "arxiv", "nct", "isbn", "nbk", "accession", "section", "number")
_UNTELLABLE = {("westlaw", "another id"), ("lexis", "another id")}
"""These doubles stand for services under contract, and answer every number with the one case that they have."""
_DECIDED = {"resolved", "retracted", "mismatch", "not_found", "malformed"}


def registries() -> Iterator[Scored]:
    """Every registry's known record, cited rightly and wrongly, looked up in its double on loopback.

    Right is a known record that is there (one of them is retracted), and a wrong citation that does not resolve.
    """
    from registry_doubles.known_records import served  # noqa: PLC0415 - takes aiohttp with it

    from showable.registries.catalogue import NAMES, registry_class  # noqa: PLC0415
    from showable.registries.consult import Consultation  # noqa: PLC0415
    from showable.registries.settings import Settings  # noqa: PLC0415

    for name in NAMES:
        with served(name) as at:
            registry = registry_class(name)(at.web, Settings(at.base, at.secrets, "reader@example.org"))
            known = registry.known
            fields = known.fields | ({"url": at.page} if at.page else {})
            claims = {how: fields | changed for how, changed in _claimed(fields) if (name, how) not in _UNTELLABLE}
            asked = {known.kind: (name,)}
            consultation = Consultation({name: registry}, order=asked, also=asked)
            references = [known.model_copy(update={"fields": claim}) for claim in claims.values()]
            results = asyncio.run(consultation.lookup_all(references))
        for how, result in zip(claims, results, strict=True):
            compared = sorted(f"{check.field} {check.outcome}" for check in result.compared)
            stands = result.status in {"resolved", "retracted"}
            right = judged(right=stands == (how == "as known"), is_open=result.status not in _DECIDED)
            yield Scored(row_of({"id": f"{name}/{how}"}, right=right, out=[result.status, *compared]), how)


def _claimed(fields: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    for how, changed in _CHANGED.items():
        meant = {key: value for key, value in changed.items() if key in fields}
        if meant or not changed:
            yield how, meant
    for key in _IDS:
        if key in fields:
            yield "another id", {key: fields[key][:-1] + str((int(fields[key][-1]) + 1) % 10)}
            return


CORPORA = {
    make.__name__: make
    for make in (
        demo,
        protocol,
        financebench,
        xstest,
        lfqa,
        wordings,
        declining,
        field,
        converters,
        traces,
        registries,
    )
}
