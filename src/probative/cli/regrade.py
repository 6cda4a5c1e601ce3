"""`probative regrade RUN`: the saved evidence of a run, graded under other thresholds. No judge is called."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.options import FailOnOption, JsonOption, OutOption, ThresholdOption, read_buckets, read_thresholds

if TYPE_CHECKING:
    from probative.records.evidence import Evidence
    from probative.records.record import Record
    from probative.records.signature import Signature, Thresholds


def regrade(
    run: Annotated[Path, typer.Argument(help="A run folder.", metavar="RUN")],
    threshold: ThresholdOption = None,
    out: OutOption = None,
    fail_on: FailOnOption = None,
    json: JsonOption = False,
) -> None:
    """Grade the saved evidence of a run again, without a judge call or a packet."""
    from probative.cli.score import finish
    from probative.cli.scoring import Scored, Tally, write_down
    from probative.errors import InputError
    from probative.evaluation import regrade_one
    from probative.measure.summary import SummaryBuilder
    from probative.stores.run_folder import RunFolder, need_finished_run

    failing = read_buckets(fail_on)
    run = run.resolve()
    before, signed = need_finished_run(run)
    thresholds = signed.thresholds if threshold is None else read_thresholds(threshold)
    signature = _sign_again(run, signed, thresholds)
    target = out or run.with_name(f"{run.name}-regraded-{thresholds}")
    counts = {"records": int(before["records"]), "rejected": int(before.get("rejected", 0))}
    name, fingerprint = f"{run.name} (regraded)", str(before.get("fingerprint"))
    with RunFolder.open(target, signature, name, fingerprint, **counts) as folder:
        builder = SummaryBuilder(signature, str(target))
        for record, evidence in _pairs(run):
            card = regrade_one(record, evidence, thresholds)
            builder.add(card)
            folder.append(record, evidence, card)
        summary = builder.build().model_copy(update=counts)
        if summary.n != counts["records"]:
            said = f"{counts['records']} records were scored, {summary.n} are in its files; were they damaged?"
            raise InputError(said, path=str(run))
        tally = Tally(total=summary.n, done=summary.n)
        write_down(folder, summary, tally, builder.worst())
    finish(Scored(summary, builder.worst(), tally), failing, as_json=json)


def _sign_again(run: Path, signed: Signature, thresholds: Thresholds) -> Signature:
    """Sign with the grader of today; evidence indexes claims, so it must have been read by the same parser."""
    from probative import __version__
    from probative.errors import SettingError
    from probative.read.answer import PARSER_REVISION
    from probative.rubrics.grade import RUBRIC_REVISION

    if signed.parser != PARSER_REVISION:
        said = f"its answers were read by parser {signed.parser}, this is parser {PARSER_REVISION}; score it anew"
        raise SettingError(f"{run}: {said}")
    fresh = {"version": __version__, "rubric": RUBRIC_REVISION, "thresholds": thresholds}
    return signed.model_copy(update=fresh)


def _pairs(run: Path) -> Iterator[tuple[Record, Evidence]]:
    """Join records and evidence by id: they are written in the same order, but a resumed run may have a gap."""
    from probative.errors import InputError
    from probative.records.evidence import Evidence
    from probative.records.record import Record
    from probative.stores.run_folder import EVIDENCE, RECORDS, read_run_lines

    waiting: dict[str, Record] = {}
    records = read_run_lines(run / RECORDS, Record)
    for evidence in read_run_lines(run / EVIDENCE, Evidence):
        while evidence.id not in waiting:
            record = next(records, None)
            if record is None:
                raise InputError(f"no record has the id {evidence.id!r} of {EVIDENCE}", path=str(run / RECORDS))
            waiting[record.id] = record
        yield waiting.pop(evidence.id), evidence
