"""A rubric as a file under version control: written with the words that its author needs, read back strictly."""

from __future__ import annotations

import json
from pathlib import Path

from showable.errors import InputError
from showable.profiles.toml_file import TomlFile
from showable.read.claim_kinds import RULES
from showable.records.rubric_file import MENU, OwnRubric

_HEAD = """\
# A rubric of our own. Edit it like code: any change of says, kind, criteria, menu or threshold makes it an untested one.
# `showable rubric test FILE` tests it on the labelled examples below; `showable score --rubric FILE` uses it after that.
"""
_CRITERIA = (
    "# What a chat judge is told besides, a sentence each. The embedded and the lexical judge read no criteria.\n"
)
_MENU = "# When each verdict is right under this rubric.\n"
_NUMBERS = "# The p at which such a claim is supported, and the balanced accuracy on the examples below which it may not be used.\n"
_EXAMPLES = """\
# Examples: give each label = "supported", "partial", "unsupported" or "contradicted", by the passage alone.
# At least {least} labelled ones, {each} of them supported and {each} not; the hard ones are worth most.
"""
_BLANK = """\
# [[examples]]
# claim = "…"
# passage = "…"
# label = ""
"""


def read_rubric(path: Path) -> OwnRubric:
    """Read a rubric. Raises InputError (file, line, field) where it is none, or its kind is not one of its field."""
    file = TomlFile.read(path)
    rubric = file.validate(OwnRubric)
    kinds = RULES[rubric.field].kinds
    if rubric.kind is not None and kinds and rubric.kind not in kinds:
        raise file.wrong("kind", f"{rubric.kind!r} is none of {', '.join(kinds)}, the kinds of field {rubric.field!r}")
    return rubric


def write_rubric(path: Path, rubric: OwnRubric, *, least: int, of_each: int) -> None:
    """Write a rubric as TOML with a word beside each part. Raises InputError where a file stands there, or none can."""
    text = to_toml(rubric, least=least, of_each=of_each)
    try:
        with path.open("x", encoding="utf-8") as handle:
            handle.write(text)
    except FileExistsError:
        raise InputError("is there already, and is not written over; give another --out", path=str(path)) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None


def to_toml(rubric: OwnRubric, *, least: int, of_each: int) -> str:
    """Write a rubric as the text of its file."""
    lines = [
        _HEAD,
        f"name = {_text(rubric.name)}",
        f"says = {_text(rubric.says)}",
        f"field = {_text(rubric.field)}",
        f"kind = {_text(rubric.kind)}" if rubric.kind else '# kind = "…"   # without one it is for every claim',
        f"written_by = {_text(rubric.written_by)}",
        "",
        f"{_NUMBERS}threshold = {rubric.threshold!r}\nmust_reach = {rubric.must_reach!r}",
        "",
        f"{_CRITERIA}criteria = [",
        *(f"  {_text(one)}," for one in rubric.criteria),
        "]",
        "",
        f"{_MENU}[menu]",
        *(f"{label} = {_text(rubric.menu[label])}" for label in MENU),
        "",
        _EXAMPLES.format(least=least, each=of_each),
    ]
    for example in rubric.examples:
        fields = (("claim", example.claim), ("passage", example.passage), ("label", example.label))
        lines += ["[[examples]]", *(f"{name} = {_text(value)}" for name, value in fields), ""]
    return "\n".join(lines) + ("" if rubric.examples else _BLANK)


def _text(value: str) -> str:
    """Write a TOML basic string: JSON's escapes are TOML's, but for the one control character that JSON leaves bare."""
    clean = value.encode(errors="replace").decode()
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
