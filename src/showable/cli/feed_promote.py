"""`showable feed promote`: from an issue to questions that no later version may fail again."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.feed import FeedOption, FeedStoreOption, WhereArgument, acting, opened_feed, read_source
from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from showable.cli.feed import Source
    from showable.harness.questions.question_set import QuestionSet
    from showable.records.promotion import Candidate, SignOff
    from showable.records.record import Record
    from showable.records.scorecard import Scorecard
    from showable.stores.promotions import Promotions

REFUSED = 1


def promote(
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            "--against", help="Question sets that no candidate may repeat, held-out halves too.", metavar="SET"
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", help="Write the accepted questions here, to be run three times.", metavar="FILE"),
    ] = None,
    repeats: Annotated[
        Path | None, typer.Option("--repeats", help="The three runs of the accepted questions.", metavar="RUNS")
    ] = None,
    out: Annotated[
        Path, typer.Option("--pin", help="The regression set that accepted questions are pinned in.", metavar="DIR")
    ] = Path("sets/regressions"),
    withdraw: Annotated[
        str | None, typer.Option("--withdraw", help="Take this question out of the set again.", metavar="ID")
    ] = None,
    who: Annotated[str | None, typer.Option("--who", help="Who signs --withdraw.", metavar="NAME")] = None,
    why: Annotated[str, typer.Option("--why", help="Why it is withdrawn.", metavar="TEXT")] = "",
    json: JsonOption = False,
) -> None:
    """Propose an issue's answers for the regression set, and pin those that a reviewer accepted.

    First without options: candidates wait on the page of `showable review RUN`. Then --questions FILE, `showable run --questions FILE
    --repeats 3`, and --repeats RUNS: what fails in two of three is pinned. Exit code 1 where a candidate is refused.
    """
    from showable.production.feed.place import promotions_beside
    from showable.stores.promotions import PROMOTIONS, Promotions

    source = read_source(where, store, feed, issues=1)
    issue = source.issues[0]
    place = promotions_beside(source.feed) if source.run is None else source.run / PROMOTIONS
    if withdraw is not None:
        _withdraw(place, out, withdraw, who, why)
        return
    others = _others(against or [], out)
    with Promotions(place) as promotions:
        if questions is None and repeats is None:
            _propose(source, promotions, others, json=json)
            return
        standing = promotions.standing()
        accepted = [
            (one, standing[one.id])
            for one in promotions.candidates(issue)
            if one.id in standing and standing[one.id].kind == "accept"
        ]
    if questions is not None:
        _write_questions(questions, accepted)
    if repeats is not None:
        _pin(out, accepted, repeats, others, json=json)


def _propose(source: Source, promotions: Promotions, others: Sequence[QuestionSet], *, json: bool) -> None:
    from showable.production.feed.promotion import named_answers, propose

    with opened_feed(source) as held:
        issue = held.issue(source.issues[0])
        found = propose(held, acting(None), issue, _answers(source, named_answers(issue)), promotions, others=others)
    if json:
        from json import dumps

        kept = [one.id for one in found.kept]
        document = {"issue": issue.issue, "candidates": kept, "new": found.new, "refused": dict(found.refused)}
        typer.echo(dumps(document, indent=2, ensure_ascii=False))
    else:
        shown = f"RUN --promotions {promotions.path}" if source.run is None else f"{source.run}"
        typer.echo(
            f"{len(found.kept)} candidates of {issue.issue}, {found.new} of them new; `showable review {shown}` shows them to reviewers"
        )
        for name, problems in found.refused.items():
            typer.echo(f"refused: {name}: {'; '.join(problems)}")
    if found.refused:
        raise typer.Exit(REFUSED)


def _answers(source: Source, named: set[str]) -> dict[str, tuple[Record, Scorecard]]:
    """Read the answers that an issue names, from the run or the store."""
    from showable.records.scorecard import Scorecard

    if source.run is None:
        from showable.cli.store_option import opened_store

        with opened_store(str(source.store), make=False) as store:
            return {one.id: (one.answer.record, one.scorecard) for one in store.scores(sorted(named))}
    from showable.stores.run_folder import SCORES, need_finished_run
    from showable.stores.run_reading import joined

    need_finished_run(source.run)
    rows = joined(source.run, SCORES, Scorecard)
    return {record.id: (record, card) for record, card in rows if record.id in named}


def _others(against: Sequence[Path], out: Path) -> list[QuestionSet]:
    from showable.harness.questions.question_set import read_question_set

    return [read_question_set(path) for path in (*against, *([out] if out.exists() else []))]


def _write_questions(path: Path, accepted: Sequence[tuple[Candidate, SignOff]]) -> None:
    from showable.errors import SettingError

    if not accepted:
        raise SettingError("no candidate of the issue was accepted yet; `showable review RUN` shows them to reviewers")
    lines = (word.question.model_dump_json(exclude_defaults=True) for _, word in accepted if word.question)
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    typer.echo(f"{len(accepted)} accepted questions in {path}; `showable run --questions {path} --repeats 3` asks them")


def _pin(
    out: Path,
    accepted: Sequence[tuple[Candidate, SignOff]],
    repeats: Path,
    others: Sequence[QuestionSet],
    *,
    json: bool,
) -> None:
    from showable.errors import SettingError
    from showable.harness.questions.regressions import flaky_of, pin, problems_of
    from showable.stores.run_sides import read_side

    pinned = {one.id for other in others if other.kind == "regression" for one in other.questions}
    fresh = [(one, word) for one, word in accepted if one.id not in pinned]
    for one, word in fresh:
        if word.question is not None and (found := problems_of(word.question, others)):
            raise SettingError(f"{one.id}: {found[0].field or 'set'}: {found[0].problem}")
    asked = [word.question for _, word in fresh if word.question is not None]
    flaky = flaky_of(asked, read_side(repeats).runs)
    facts = pin(out, fresh, flaky)
    if json:
        from json import dumps

        typer.echo(dumps({"out": str(out), **facts}, indent=2, ensure_ascii=False))
        return
    typer.echo(
        f"regression set {out}: {facts['n']} questions from {len(facts['issues'])} issues, version {facts['version']}"
    )
    for name, said in flaky.items():
        typer.echo(f"flaky, not pinned: {name}: {said}")


def _withdraw(place: Path, out: Path, name: str, who: str | None, why: str) -> None:
    from showable.errors import SettingError
    from showable.harness.questions.regressions import withdraw
    from showable.records.promotion import SignOff
    from showable.stores.promotions import Promotions

    if not who:
        raise SettingError("--withdraw: give --who too: a question leaves the set by a signed word alone")
    word = SignOff(candidate=name, at_ns=time.time_ns(), who=who, role="engineer", kind="withdraw", why=why)
    facts = withdraw(out, word)
    with Promotions(place) as promotions:
        promotions.sign(word)
    typer.echo(
        f"regression set {out}: {facts['n']} questions from {len(facts['issues'])} issues, version {facts['version']}"
    )
