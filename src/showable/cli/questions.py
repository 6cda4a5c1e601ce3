"""`showable questions build|check`: a set of questions from a corpus, and whether a set that anyone wrote holds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.help import Commands
from showable.cli.options import JsonOption, JudgeOption

if TYPE_CHECKING:
    from showable.harness.corpora.corpus import Corpus
    from showable.harness.questions.build import Built, Made, Order
    from showable.harness.questions.labelled_ground import Ground
    from showable.harness.questions.question_set import QuestionSet
    from showable.judges.chat_settings import ChatSettings

PROBLEMS = 1

app = typer.Typer(
    name="questions",
    help="Build a question set from your documents, or check one.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)

CorpusSpec = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        help="A folder or file of documents, embedded, or contractnli, squad2, pubmedqa, govreport, edgar, cuad, financebench (or NAME:PATH).",
        metavar="CORPUS",
    ),
]


@app.command("build")
def build(
    corpus: CorpusSpec = None,
    n: Annotated[
        int | None,
        typer.Option("--n", min=8, max=1300, help="Questions. Default: 130, or as many as there are.", metavar="N"),
    ] = None,
    held_out: Annotated[
        int | None, typer.Option("--held-out", min=0, help="Questions held out beside them. Default: N/5.", metavar="N")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Another seed chooses others.", metavar="SEED")] = 0,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", help="A chat model that writes the questions; each is verified.", metavar="MODEL[@URL]"
        ),
    ] = None,
    judge: JudgeOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The set's folder. Default: sets/CORPUS, with --n sets/CORPUS-N.", metavar="DIR"),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Make a question set with the protocol's shape from a corpus. Without --model no model is asked.

    Without --n a corpus of five pages or more gets as many questions as it carries, and what is missing is said.
    Exit 2 where it does not carry as many as asked for; nothing is written then.
    """
    from showable.cli.corpus_opening import open_aloud
    from showable.errors import SettingError
    from showable.harness.questions.build import Order
    from showable.harness.questions.build import build as chosen
    from showable.harness.questions.shape import N as WHOLE
    from showable.harness.questions.split import held_out_size
    from showable.harness.questions.write import check_free, write_set

    if corpus is None:
        raise SettingError("--corpus is missing: a folder or file of documents, embedded, or a published corpus")
    if judge is not None and model is None:
        raise SettingError("--judge verifies what --model writes; without a model there is nothing to verify")
    writer = _writer(model)
    if out is not None:
        check_free(out)
    opened = open_aloud(corpus)
    most = WHOLE if n is None else n
    folder = out or Path("sets") / (_slug(opened.name) if n is None else f"{_slug(opened.name)}-{n}")
    name, aside = _slug(folder.resolve().name), held_out_size(most) if held_out is None else held_out
    order = Order(name, most, aside, seed, or_fewer=n is None)
    check_free(folder)
    built = chosen(opened, _made(opened, order, writer, judge), order)
    write_set(built, folder)
    _tell_built(built, folder, corpus, as_json=json)


@app.command("check")
def check(
    given: Annotated[
        Path | None, typer.Argument(help="A set's folder, or a JSON Lines file of questions.", metavar="SET")
    ] = None,
    corpus: CorpusSpec = None,
    embedded: Annotated[bool, typer.Option("--embedded", help="Check the set that ships with showable.")] = False,
    json: JsonOption = False,
) -> None:
    """Check a question set: gold, evidence, absence, proportions, near-duplicates, balance. Exit 1 on any problem.

    What cannot be checked, for want of a corpus, is listed as unchecked.
    """
    from showable.errors import SettingError
    from showable.harness.questions.check import check_set

    if embedded == (given is not None):
        raise SettingError("give a set to check, or --embedded, and not both")
    read = _read(given)
    found = check_set(read, _ground(read, corpus))
    if json:
        typer.echo(found.model_dump_json(indent=2, exclude_none=True))
    else:
        from showable.cli.questions_report import show_check

        show_check(found)
    if not found.ok:
        raise typer.Exit(PROBLEMS)


def _read(given: Path | None) -> QuestionSet:
    from showable.harness.questions.embedded import embedded_set
    from showable.harness.questions.question_set import read_question_set

    return embedded_set() if given is None else read_question_set(given)


def _ground(read: QuestionSet, spec: str | None) -> Ground | None:
    from showable.cli.corpus_opening import open_aloud
    from showable.harness.corpora.corpus import Corpus
    from showable.harness.questions.labelled_ground import Ground

    if spec is not None:
        return Ground(open_aloud(spec))
    if not read.corpus:
        return None
    return Ground(Corpus(name=read.name, origin="the set's folder", licence="see the set's card", sources=read.corpus))


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.").lower() or "set"


def _writer(model: str | None) -> ChatSettings | None:
    return None if model is None else read_model(model)


def read_model(model: str) -> ChatSettings:
    """Read --model before anything else is done: a key that is missing is said at once. Raises SettingError."""
    import os

    from showable.errors import SettingError
    from showable.judges.chat_settings import ChatSettings, split_endpoint

    named = split_endpoint(model.removeprefix("chat:"))
    if named is None or named[0].startswith("@"):
        raise SettingError(f"--model {model!r}: expected MODEL or MODEL@https://HOST/v1")
    settings = ChatSettings(
        model=named[0],
        base_url=named[1] or os.environ.get("OPENAI_BASE_URL") or None,
        api_key=os.environ.get("OPENAI_API_KEY") or None,
    )
    settings.check_ready()
    return settings


def _made(corpus: Corpus, order: Order, writer: ChatSettings | None, judge: str | None) -> Made:
    import asyncio

    from showable.cli.questions_progress import WritingProgress
    from showable.harness.questions.build import without_model
    from showable.harness.questions.with_model import made_with_model
    from showable.judging_settings import make_judge

    if writer is None:
        return without_model(corpus, order)
    with WritingProgress() as progress:
        return asyncio.run(made_with_model(corpus, order, writer, make_judge(judge), progress.show))


def _tell_built(built: Built, folder: Path, corpus: str, *, as_json: bool) -> None:
    import json

    if as_json:
        typer.echo(json.dumps(built.facts | {"out": str(folder)}, ensure_ascii=False, indent=2))
        return
    from showable.cli.questions_report import show_built

    show_built(built.facts, folder, corpus)
