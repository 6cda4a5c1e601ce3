"""A TOML file as a person wrote it: what it holds, and the line on which each of its keys stands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import ValidationError

from showable.errors import InputError
from showable.records.lines import explain
from showable.records.wire import Wire

W = TypeVar("W", bound=Wire)


class TomlFile:
    """A file as parsed, with its text for the lines that errors name. Raises InputError where it is no TOML."""

    def __init__(self, where: str, text: str) -> None:
        self.where, self.text = where, text
        try:
            self.table: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"at line (\d+)", str(error))
            said = re.sub(r" \(at line .*\)", "", str(error))
            raise InputError(f"no TOML: {said}", path=where, line=int(line[1]) if line else None) from None
        except RecursionError:
            raise InputError("no TOML that is read: nested too deeply", path=where) from None

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file. Raises InputError where it cannot be read or is no TOML."""
        try:
            return cls(str(path), path.read_text("utf-8-sig"))
        except OSError as error:
            raise InputError(error.strerror or str(error), path=str(path)) from None
        except UnicodeDecodeError:
            raise InputError("expected UTF-8", path=str(path)) from None
        except ValueError:  # a NUL in the name
            raise InputError("is no path", path=repr(str(path))) from None

    def line_of(self, field: str) -> int | None:
        """Find the line that sets a field, or opens the table it stands in."""
        key = field.split(".")
        for name in (key[-1], key[0]):
            for number, line in enumerate(self.text.splitlines(), 1):
                if re.match(rf"\s*(?:\[+\s*)?(?:[\w.]+\.)?[\"']?{re.escape(name)}[\"']?\s*[\]=]", line):
                    return number
        return None

    def wrong(self, field: str, said: str) -> InputError:
        """Return the error that names the file, the line and the field."""
        return InputError(said, path=self.where, line=self.line_of(field), field=field)

    def validate(self, model: type[W], table: dict[str, Any] | None = None) -> W:
        """Read the file, or one table of it, as a model. Raises InputError at the first field that is none of it."""
        try:
            return model.model_validate(self.table if table is None else table)
        except ValidationError as error:
            field, said = explain(error)
            raise self.wrong(field, said) from None
