"""The regression set: a set of its own, to which signed questions are added, and from which only a signed word takes one.

It never touches the main set, whose baselines would all break, and it is never held out: it is selected on failures.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from showable.errors import InputError, SettingError
from showable.harness.questions.check_found import Problem
from showable.harness.questions.check_gold import check_gold
from showable.harness.questions.duplicates import first_duplicate, same_fact
from showable.harness.questions.question_set import CARD, CORPUS, FACTS, QUESTIONS, QuestionSet, read_question_set
from showable.measure.regressions import passes
from showable.measure.repeats import GateRow
from showable.records.promotion import Candidate, SignOff
from showable.records.record import Question, Source
from showable.records.wire import Wire

KIND = "regression"
_LEAST_FAILURES = 2
"""Of three repeats a failure has to come again in so many: one production failure is a draw, and failures were picked."""


def problems_of(question: Question, others: Sequence[QuestionSet]) -> list[Problem]:
    """Return why a question may not be promoted: gold that is not whole, or a question that stands elsewhere.

    Codes are those of `questions check`: a near-duplicate of a held-out question is a ``leak``, whatever else it is.
    """
    found = list(check_gold(question))
    for other in others:
        found.extend(_clashes(question, other))
    return found


def _clashes(question: Question, other: QuestionSet) -> Iterator[Problem]:
    if any(one.id == question.id for one in (*other.questions, *other.held_out)):
        said = f"the id stands in {other.name} already"
        yield Problem(id=question.id, field="id", code="duplicate_id", problem=said)
        return
    for code, half in (("leak", other.held_out), ("near_duplicate", other.questions)):
        texts = {one.question: one.id for one in reversed(half)}
        if (same := first_duplicate(question.question, texts)) is not None:
            said = f"asks nearly the same as {texts[same]} of {other.name}" + (
                ", which is held out" if code == "leak" else ""
            )
            yield Problem(id=question.id, field="question", code=code, problem=said)
        elif (fact := next((one for one in half if same_fact(question, one)), None)) is not None:
            said = f"has the answer and the evidence of {fact.id} of {other.name}"
            yield Problem(id=question.id, field="gold.evidence", code=code, problem=said)


def flaky_of(questions: Sequence[Question], runs: Sequence[Sequence[GateRow]]) -> dict[str, str]:
    """Return the questions that did not come out as they should often enough, and how often they failed.

    A question of a failure has to fail in two of three repeats, that of a passing neighbour to pass in two of three. Raises
    SettingError where there are fewer than three repeats, or one of them lacks a question.
    """
    if len(runs) < _LEAST_FAILURES + 1:
        raise SettingError(
            f"{len(runs)} repeats are too few to tell a failure from a draw; expected 3 (`run --repeats 3`)"
        )
    found = {}
    for question in questions:
        rows = [next((row for row in run if row.id == question.id), None) for run in runs]
        if any(row is None for row in rows):
            raise SettingError(f"{question.id}: was not asked in every repeat; run the accepted candidates as they are")
        failed = sum(row is not None and not passes(row) for row in rows)
        came = len(rows) - failed if question.metadata.get("kind") == "neighbour" else failed
        if came * 3 < _LEAST_FAILURES * len(rows):
            found[question.id] = f"failed in {failed} of {len(rows)}"
    return found


def read_regressions(folder: Path) -> QuestionSet:
    """Read a regression set. Raises InputError where the folder holds none."""
    found = read_question_set(folder)
    if found.kind != KIND:
        raise InputError(f"is a question set, but no regression set ({FACTS}: kind is not {KIND})", path=str(folder))
    return found


def issues_of(found: QuestionSet) -> dict[str, str]:
    """Return the issue of each question, by the question's id."""
    return {one.id: str(one.metadata.get("issue", "")) for one in found.questions}


def pin(folder: Path, accepted: Sequence[tuple[Candidate, SignOff]], flaky: Mapping[str, str]) -> dict[str, Any]:
    """Add signed questions to a set, and make it where there is none. Returns its facts.

    What stands in it stays as it is: an id that is pinned already is passed over. What is flaky is written down beside the
    questions, not among them.
    """
    before = read_regressions(folder) if folder.exists() else None
    facts = json.loads((folder / FACTS).read_text("utf-8")) if before is not None else {"events": [], "flaky": {}}
    pinned = {one.id for one in before.questions} if before is not None else set()
    fresh = [(one, word) for one, word in accepted if one.id not in pinned and one.id not in flaky and word.question]
    questions = [*(before.questions if before else ()), *(word.question for _, word in fresh if word.question)]
    sources = {source.source_id: source for source in (before.corpus if before else ())}
    for at, (one, _) in enumerate(fresh, len(pinned)):
        questions[at], passages = _own_passages(questions[at], one.passages, sources)
        sources |= passages
    if not questions:
        raise SettingError("nothing to pin: no accepted candidate failed often enough")
    events = [*facts["events"], *({"kind": "add", **_signed(word)} for _, word in fresh)]
    return _write(folder, questions, list(sources.values()), events, {**facts["flaky"], **flaky}, facts.get("version"))


def withdraw(folder: Path, word: SignOff) -> dict[str, Any]:
    """Take a question out by a signed word. Raises SettingError where it is not in the set, or is the last one."""
    before = read_regressions(folder)
    left = [one for one in before.questions if one.id != word.candidate]
    if len(left) == len(before.questions):
        raise SettingError(f"{word.candidate}: is not in {folder}")
    if not left:
        raise SettingError(f"{word.candidate}: is the last question of {folder}; delete the folder to give the set up")
    facts = json.loads((folder / FACTS).read_text("utf-8"))
    events = [*facts["events"], {"kind": "remove", **_signed(word)}]
    return _write(folder, left, list(before.corpus), events, facts["flaky"], facts["version"])


def _own_passages(
    question: Question, passages: Sequence[Source], held: Mapping[str, Source]
) -> tuple[Question, dict[str, Source]]:
    """Return a question and its passages, under other ids where another text has theirs: an index changes, a set does not."""
    names, found = {}, {}
    for source in passages:
        other = held.get(source.source_id)
        name = source.source_id
        if other is not None and other.text != source.text:
            name = (
                f"{name}@{hashlib.blake2b((source.text or '').encode('utf-8', 'replace'), digest_size=4).hexdigest()}"
            )
        names[source.source_id] = name
        found[name] = source.model_copy(update={"source_id": name})
    gold = question.gold
    if gold is None:
        return question, found
    evidence = tuple(
        one.model_copy(update={"source_id": names.get(one.source_id, one.source_id)}) for one in gold.evidence
    )
    return question.model_copy(update={"gold": gold.model_copy(update={"evidence": evidence})}), found


def _signed(word: SignOff) -> dict[str, Any]:
    return {"id": word.candidate, "who": word.who, "role": word.role, "at_ns": word.at_ns, "why": word.why}


def _write(  # noqa: PLR0917 - all that a set is
    folder: Path,
    questions: Sequence[Question],
    sources: Sequence[Source],
    events: Sequence[Mapping[str, Any]],
    flaky: Mapping[str, str],
    parent: str | None,
) -> dict[str, Any]:
    lines = {QUESTIONS: _lines(questions), CORPUS: _lines(sources)}
    version = hashlib.blake2b("\0".join(lines.values()).encode("utf-8", "replace"), digest_size=8).hexdigest()
    issues = Counter(str(one.metadata.get("issue", "")) for one in questions)
    facts = {
        "kind": KIND,
        "name": folder.resolve().name,
        "version": version,
        "parent": parent if parent != version else None,
        "n": len(questions),
        "issues": dict(issues),
        "events": list(events),
        "flaky": dict(flaky),
    }
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, text in lines.items():
            if text:
                (fresh / name).write_text(text, "utf-8")
        (fresh / FACTS).write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", "utf-8")
        (fresh / CARD).write_text(_card(facts), "utf-8")
        fresh.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        fresh.replace(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return facts


def _card(facts: Mapping[str, Any]) -> str:
    issues = facts["issues"]
    signed = "".join(f"- {_event_said(event)}\n" for event in facts["events"])
    flaky = "".join(f"- `{name}`: {said}\n" for name, said in facts["flaky"].items())
    return (
        f"# Regression set {facts['name']}\n\n"
        f"{facts['n']} questions from {len(issues)} issues, version `{facts['version']}`.\n\n"
        "They were selected because they failed, so no percentage of this set says how good a system is. A question that the baseline"
        " passes may not fail on a candidate (`showable gate --regressions`).\n\n"
        f"## Signed\n\n{signed}" + (f"\n## Flaky, not pinned\n\n{flaky}" if flaky else "")
    )


def _event_said(event: Mapping[str, Any]) -> str:
    day = datetime.fromtimestamp(int(event["at_ns"]) / 1_000_000_000, UTC).date().isoformat()
    return f"{day}: {event['kind']} `{event['id']}` by {' '.join(str(event['who']).split())} ({event['role']})"


def _lines(values: Sequence[Wire]) -> str:
    return "".join(f"{value.model_dump_json(exclude_defaults=True)}\n" for value in values)
