"""A run, or a gate's decision, as JUnit XML, for the test views of CI systems.

The dialect is the one that Jenkins' xUnit plugin has a schema for (junit-10.xsd) and that GitLab and pytest share: `testsuites`
around `testsuite`, `properties` on the suite alone, no `time` where none was measured. GitLab shows the text of a failure
and not its message, others the message alone: the text says all that the message says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import IO, Any, Literal

from showable.measure.decision import Decision, GateLine
from showable.measure.expectations import UNCATEGORISED
from showable.measure.rates import percent
from showable.measure.summary import BUCKETS, Summary
from showable.report.answer_text import answer_text
from showable.report.decision_words import numbers_of
from showable.report.junit_suite import Case, Said, Suite, write_suite
from showable.report.released_words import released_in_words
from showable.report.run_view import Entry, RunView
from showable.report.untrusted import printable
from showable.report.what_failed import failed_findings, what_failed, why_of
from showable.report.xml_text import xml_name

_LINE, _TEXT = 500, 2_000
_MOST_IDS = 50


def write_junit(view: RunView, file: IO[bytes]) -> None:
    """Write a run: one test a record, in constant memory.

    `wrong` and `unsupported` are failures, typed by their cause; `unknown` is skipped with its reason; `correct` and
    `refused` pass. The class of a test is its category of question. Where too many calls failed, one test more, `measured`,
    is an error: a row of skipped tests would be taken for a pass.
    """
    buckets, not_measured = view.summary.buckets, view.summary.not_measured
    suite = Suite(
        name="showable",
        tests=view.summary.n + (not_measured is not None),
        failures=buckets["wrong"] + buckets["unsupported"],
        skipped=buckets["unknown"],
        errors=int(not_measured is not None),
        properties=_properties(view),
    )
    cases: Iterator[Case] = map(_case, view.entries())
    if not_measured is not None:
        said = Said("error", "not_measured", not_measured, not_measured)
        cases = chain([Case(name="measured", classname="showable.run", said=said, out="")], cases)
    write_suite(suite, cases, file)


def write_gate_junit(decision: Decision, file: IO[bytes]) -> None:
    """Write a decision: one test a rule of the gate, and one, `ship`, for the decision itself.

    A rule that does not hold is a failure, one that does not apply is skipped. Where nothing could be measured `ship`
    is an error, so that nobody takes it for a pass.
    """
    cases = [*map(_gate_case, decision.lines), _ship(decision)]
    counted = [case.said.kind if case.said else "passed" for case in cases]
    suite = Suite(
        name="showable gate",
        tests=len(cases),
        failures=counted.count("failure"),
        errors=counted.count("error"),
        skipped=counted.count("skipped"),
        properties={
            "signature": str(decision.signature),
            "n": str(decision.n),
            "moved": str(len(decision.moved)),
            "repeats": f"{decision.repeats.baseline} → {decision.repeats.candidate}",
            "flaky": f"{len(decision.flaky.baseline)} → {len(decision.flaky.candidate)}",
            **{f"changed.{change.name}": printable(str(change)) for change in decision.changed},
            "unknown_cap": f"{percent(decision.unknown_cap)} %",
            "exchange": f"{decision.exchange:g}",
            "strict": str(decision.strict).lower(),
            "can_show": "" if decision.can_show is None else str(decision.can_show),
            **_released_change(decision),
        },
    )
    write_suite(suite, iter(cases), file)


def _released_change(decision: Decision) -> dict[str, str]:
    """Return which answers may no longer be shown: no rule sees what the profile alone holds back."""
    said = released_in_words(decision)
    return {} if said is None else {"may_be_shown": said}


def _properties(view: RunView) -> Mapping[str, str]:
    summary = view.summary
    rates = {f"rate.{name}": str(rate) for name, rate in summary.rates.items()}
    return {
        "run": printable(view.name),
        "signature": str(summary.signature),
        "n": str(summary.n),
        **{bucket: str(summary.buckets[bucket]) for bucket in BUCKETS},
        **{f"rubric.{name}.answers": str(one.answers) for name, one in summary.rubrics.items()},
        **{f"rubric.{name}.{one.unit}": str(one.units) for name, one in summary.rubrics.items()},
        **{f"cause.{cause}": str(count) for cause, count in summary.causes.items()},
        **_left_out(summary),
        **_released(summary),
        **rates,
    }


def _released(summary: Summary) -> dict[str, str]:
    """Return what may be shown under the profile, where it asks for more than the rubrics do."""
    if summary.signature.profile == "general":
        return {}
    released = summary.released
    said = {"show": released.show, "hold": released.hold, "unknown": released.unknown}
    return {f"released.{name}": str(count) for name, count in said.items()}


def _left_out(summary: Summary) -> dict[str, str]:
    found = {"rejected": str(summary.rejected)} if summary.rejected else {}
    if summary.records is not None and summary.records > summary.n:
        found["not_scored_yet"] = str(summary.records - summary.n)
    return found


def _case(entry: Entry) -> Case:
    card = entry.card
    classname = f"showable.{printable(card.category or UNCATEGORISED, limit=100).replace('.', '_')}"
    return Case(name=xml_name(card.id), classname=classname, said=_said(entry), out=_axes(entry))


def _said(entry: Entry) -> Said | None:
    card = entry.card
    if card.bucket in {"correct", "refused"}:
        return None
    kind: Literal["skipped", "failure"] = "skipped" if card.bucket == "unknown" else "failure"
    message = f"{card.bucket}: {printable(why_of(card), limit=_LINE)}"
    return Said(kind, card.cause or card.bucket, message, "\n".join(_details(entry)))


def _details(entry: Entry) -> Iterator[str]:
    record, card = entry.record, entry.card
    cause = f" ({card.cause})" if card.cause else ""
    yield f"{card.bucket}{cause}: {printable(why_of(card), limit=_TEXT)}"
    yield f"question: {printable(record.question, limit=_LINE)}"
    failure = what_failed(entry)
    if failure is None:
        answer = answer_text(entry)
        yield "answer: none" if answer is None else f"answer: {printable(answer, limit=_TEXT)}"
        yield from (printable(said, limit=_LINE) for said in failed_findings(card))
        return
    yield f"claim {failure.number} ({failure.verdict}): {printable(failure.claim, limit=_TEXT)}"
    if failure.gold is not None:
        yield f"gold answer: {printable(failure.gold, limit=_LINE)}"
    if failure.source_id is not None:
        passage = "was not retrieved, or has no text" if failure.passage is None else printable(failure.passage)
        yield f"passage {printable(failure.source_id, limit=_LINE)}: {passage}"


def _axes(entry: Entry) -> str:
    card = entry.card
    said: dict[str, Any] = {
        "bucket": card.bucket,
        "cause": card.cause,
        "citation_exists": card.citation_exists.value,
        "citation_supports": card.citation_supports.value,
        "refusal_quality": card.refusal_quality,
        "extra_claim_count": card.extra_claim_count,
    }
    return "\n".join(f"{name}: {value}" for name, value in said.items() if value is not None)


def _gate_case(line: GateLine) -> Case:
    numbers = " → ".join(numbers_of(line) or ())
    reason = printable(line.reason, limit=_LINE)
    said = None
    if line.ok is False:
        said = Said("failure", line.name, reason, "\n".join([reason, *_moved_ids(line)]))
    elif line.ok is None:
        said = Said("skipped", "not_measured", reason, reason)
    return Case(name=xml_name(line.name), classname="showable.gate", said=said, out=f"{numbers}\n{reason}".strip())


def _moved_ids(line: GateLine) -> Iterator[str]:
    for name, ids in (("worse", line.worse), ("better", line.better)):
        if ids:
            shown = ", ".join(printable(key, limit=100) for key in ids[:_MOST_IDS])
            yield f"{name}: {shown}" + (f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else "")


def _ship(decision: Decision) -> Case:
    reasons = [printable(reason, limit=_LINE) for reason in decision.reasons]
    said = None
    if decision.inconclusive:
        said = Said("error", "inconclusive", "; ".join(reasons[:1]) or "nothing could be measured", "\n".join(reasons))
    elif not decision.ship:
        said = Said(
            "failure", "do_not_ship", f"{len(reasons)} against it: {'; '.join(reasons[:3])}", "\n".join(reasons)
        )
    return Case(name="ship", classname="showable.gate", said=said, out="")
