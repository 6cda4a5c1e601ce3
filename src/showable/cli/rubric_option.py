"""--rubric: rubrics of one's own, put in force for the kind of claim that each is for, once each has passed its test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from showable.records.evidence import Judge
    from showable.records.profile import Profile
    from showable.records.rubric_file import OwnRubric

RubricOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--rubric", help="A rubric of yours that `showable rubric test` passed; once for each.", metavar="FILE"
    ),
]


def read_rubrics(paths: Sequence[Path] | None) -> tuple[OwnRubric, ...]:
    """Read the files of --rubric. Raises SettingError where two are for the same kind of claim."""
    from showable.authoring.rubric_toml import read_rubric
    from showable.errors import SettingError

    rubrics = tuple(read_rubric(path) for path in paths or ())
    kinds: dict[str | None, str] = {}
    for rubric in rubrics:
        if rubric.kind in kinds:
            whose = f"claims of kind {rubric.kind}" if rubric.kind else "all claims"
            raise SettingError(
                f"--rubric: {kinds[rubric.kind]} and {rubric.name} are both for {whose}; give one of them"
            )
        kinds[rubric.kind] = rubric.name
    return rubrics


def refuse_untested(
    paths: Sequence[Path] | None, rubrics: Sequence[OwnRubric], judge: Judge, domain: str | None
) -> None:
    """Refuse a rubric that did not pass its test with this judge. Raises SettingError."""
    from showable.authoring.trial import need_tested
    from showable.judges.origin import origin

    for path, rubric in zip(paths or (), rubrics, strict=True):
        need_tested(path, rubric, origin(judge)[0], None if judge.prompt_hash is None else prompt_with(rubric, domain))


def prompt_with(rubric: OwnRubric, domain: str | None) -> str:
    """Give the hash of a chat judge's prompt that holds this rubric and no other."""
    from typing import cast

    from showable.judges.chat_prompt import hash_of, prompts_by_kind
    from showable.judges.chat_settings import ChatSettings, Domain

    return hash_of(prompts_by_kind(ChatSettings(domain=cast("Domain | None", domain), rubrics=(rubric,))))


def _tell_unfound(rubrics: Sequence[OwnRubric], rules: Profile) -> None:
    """Say that a profile gives claims no kind, so that a rubric may come to be asked about none of them."""
    from showable.read.claim_kinds import RULES
    from showable.report.untrusted import printable

    for rubric in rubrics:
        if rubric.kind is not None:
            said = f"the profile {rules.name} finds no kinds of claims; only those that an answer itself calls {rubric.kind} fall under it"
            finds = f" (--profile {rubric.field} finds them)" if RULES[rubric.field].kinds else ""
            typer.echo(printable(f"showable: rubric {rubric.name}: {said}{finds}"), err=True)


def rules_with(rubrics: Sequence[OwnRubric], rules: Profile, *, thresholds_given: bool) -> Profile:
    """Give the rules with the rubrics in force, and their thresholds, unless those were given otherwise.

    Raises SettingError where the profile never gives a claim the kind that a rubric is for.
    """
    from showable.errors import SettingError
    from showable.read.claim_kinds import RULES
    from showable.records.signature import Thresholds

    if not rubrics:
        return rules
    kinds = RULES[rules.claim_rules].kinds
    for rubric in rubrics:
        if rubric.kind is not None and kinds and rubric.kind not in kinds:
            said = f"is for claims of kind {rubric.kind}, and the profile {rules.name} gives none that kind"
            raise SettingError(f"rubric {rubric.name}: {said} (it knows {', '.join(kinds)})")
    if not kinds:
        _tell_unfound(rubrics, rules)
    before = rules.thresholds
    support = next((rubric.threshold for rubric in rubrics if rubric.kind is None), before.support)
    own = {rubric.kind: rubric.threshold for rubric in rubrics if rubric.kind is not None}
    fitted = before if thresholds_given else Thresholds(support=support, per_kind=before.per_kind | own)
    return rules.at(fitted).model_copy(update={"own_rubrics": tuple(sorted(rubric.label for rubric in rubrics))})
