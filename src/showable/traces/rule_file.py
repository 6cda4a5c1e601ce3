"""Read a file of EvalTags: TOML, a `[[rule]]` a rule. An error names the file, the line, the rule's field, and what was expected."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from showable.errors import InputError
from showable.records.lines import explain
from showable.records.wire import Many, Wire
from showable.traces.rules import Rubric, Rule, Rules
from showable.traces.scorers import Scorer

_HEADER = re.compile(r"\s*\[\[\s*[\"']?rule[\"']?\s*\]\]")
_TABLE = re.compile(r"\s*\[")
_OBJECT = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")


class _RuleTable(Wire):
    """A rule as the file has it."""

    name: str = Field(min_length=1)
    service: str | None = None
    kind: str | None = None
    span: str | None = None
    model: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    rubrics: Many[Rubric] = ("structural", "resolvability", "semantic")
    profile: str | None = None
    judge: str | None = None
    sample: Annotated[float, Field(strict=False)] | None = None
    cohort: str | None = None
    always: bool = False
    scorers: Many[str] = ()


class _RuleFile:
    """The text of a file, to find lines in."""

    def __init__(self, path: Path, text: str) -> None:
        self.path, self.lines = str(path), text.splitlines()

    def wrong(self, said: str, line: int | None = None, name: str = "") -> InputError:
        return InputError(said, path=self.path, line=line, field=name)

    def in_rule(self, number: int, field: str, said: str) -> InputError:
        """Return the error for a field of the n-th rule, counted from 0: on the line that sets it, else where the rule begins."""
        starts = [at for at, line in enumerate(self.lines) if _HEADER.match(line)]
        if number >= len(starts):
            return self.wrong(said, None, f"rule.{number + 1}.{field}")
        start = starts[number]
        end = starts[number + 1] if number + 1 < len(starts) else len(self.lines)
        for part in (field.rpartition(".")[2], field.partition(".")[0]):
            wanted = re.compile(rf"\s*(?:\[\s*)?(?:[\w.]+\.)?[\"']?{re.escape(part)}[\"']?\s*[\]=]")
            for at in range(start + 1, end):
                if part and wanted.match(self.lines[at]):
                    return self.wrong(said, at + 1, field)
        return self.wrong(said, start + 1, field)


def read_rules(path: Path) -> Rules:
    """Read rules from a file. Raises InputError where anything in it is not as it should be."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("expected UTF-8", path=str(path)) from None
    file = _RuleFile(path, text)
    rules: list[Rule] = []
    for number, table in enumerate(_tables(file, text)):
        rule = _rule(file, number, table)
        if any(rule.name == other.name for other in rules):
            raise file.in_rule(number, "name", f"there is another rule {rule.name!r}")
        rules.append(rule)
    names = [rule.name for rule in rules]
    return Rules(tuple(rules), lambda rule, field, said: file.in_rule(names.index(rule), field, said))


def _tables(file: _RuleFile, text: str) -> list[Any]:
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        said = re.sub(r" \(at .*\)", "", str(error))
        raise file.wrong(f"no TOML: {said}", int(line[1]) if line else None) from None
    for name in parsed:
        if name != "rule":
            where = next((n for n, line in enumerate(file.lines, 1) if name in line), None)
            raise file.wrong("unknown field; a file of rules holds [[rule]] tables", where, name)
    tables = parsed.get("rule", [])
    if not isinstance(tables, list):
        where = next((n for n, line in enumerate(file.lines, 1) if _TABLE.match(line)), None)
        raise file.wrong("expected [[rule]], in double brackets", where, "rule")
    return tables


def _rule(file: _RuleFile, number: int, table: object) -> Rule:
    if not isinstance(table, Mapping):
        raise file.wrong("expected [[rule]] tables", None, "rule")
    try:
        given = _RuleTable.model_validate(table)
    except ValidationError as error:
        field, said = explain(error)
        raise file.in_rule(number, field, said) from None
    _check(file, number, given)
    scorers = tuple(_load(file, number, spec) for spec in given.scorers)
    return Rule(**{**{name: getattr(given, name) for name in _RuleTable.model_fields}, "scorers": scorers})


def _check(file: _RuleFile, number: int, given: _RuleTable) -> None:
    """Refuse what pydantic lets through and nothing could be done with."""
    if given.sample is not None and not 0.0 < given.sample <= 1.0:
        said = f"expected a share above 0 and at most 1, got {given.sample:g}; without a judge: leave semantic out of rubrics"
        raise file.in_rule(number, "sample", said)
    if len(set(given.rubrics)) < len(given.rubrics):
        raise file.in_rule(number, "rubrics", "a rubric is named twice")
    if "semantic" not in given.rubrics:
        for field in ("always", "judge", "sample"):
            if getattr(given, field):
                raise file.in_rule(number, field, "the rule switches the semantic rubric off, and no judge is asked")


def _load(file: _RuleFile, number: int, spec: str) -> Scorer:
    """Import a scorer that a rule names as ``package.module:object``."""
    if not _OBJECT.fullmatch(spec):
        raise file.in_rule(number, "scorers", f"expected package.module:object, got {spec!r}")
    module, _, name = spec.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # noqa: BLE001 - whatever a user's module raises when it is imported is one line here
        raise file.in_rule(number, "scorers", f"cannot load {spec}: {type(error).__name__}: {error}") from None
    if not isinstance(found, Scorer):
        raise file.in_rule(number, "scorers", f"{spec} is no scorer: it needs name, asks_judge and score(record)")
    return found
