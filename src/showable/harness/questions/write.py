"""Write a question set as a folder, whole or not at all."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from showable.errors import InputError, SettingError
from showable.harness.questions.build import Built
from showable.harness.questions.card import render_card
from showable.harness.questions.question_set import CARD, CORPUS, FACTS, HELD_OUT, QUESTIONS
from showable.records.wire import Wire

_NAMES = frozenset({QUESTIONS, HELD_OUT, CORPUS, FACTS, CARD})
_SAME = ("name", "seed", "n", "model")


def check_free(folder: Path, facts: dict[str, Any] | None = None) -> None:
    """Refuse a folder that holds something else than a set, or a set made otherwise.

    Without `facts` only what cannot be any set is refused, which can be told before anything was made. Raises SettingError.
    """
    if folder.exists() and not folder.is_dir():
        raise SettingError(f"{folder}: is a file; give another --out")
    found = {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()
    if not found:
        return
    if FACTS not in found or found - _NAMES:
        other = sorted(found - _NAMES)
        raise SettingError(
            f"{folder}: holds something else than a question set ({(other or sorted(found))[0]}); give another --out"
        )
    if facts is None:
        return
    before = read_facts(folder)
    differing = [key for key in _SAME if before.get(key) != facts.get(key)]
    if _fingerprint(before) != _fingerprint(facts):
        differing.append("corpus")
    if differing:
        raise SettingError(
            f"{folder}: holds a set that was made otherwise ({', '.join(differing)}); give another --out"
        )


def read_facts(folder: Path) -> dict[str, Any]:
    """Read a set's `set.json`; empty where there is none. Raises InputError where it cannot be read."""
    path = folder / FACTS
    if not path.exists():
        return {}
    try:
        facts = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be read: {error}", path=str(path)) from None
    if not isinstance(facts, dict):
        raise InputError("expected an object", path=str(path))
    return facts


def write_set(built: Built, folder: Path) -> None:
    """Write the files beside the folder first, then put them in its place. Raises SettingError where it is taken."""
    check_free(folder, built.facts)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _lines(fresh / QUESTIONS, built.questions.questions)
        _lines(fresh / CORPUS, built.questions.corpus)
        if built.questions.held_out:
            _lines(fresh / HELD_OUT, built.questions.held_out)
        (fresh / FACTS).write_text(json.dumps(built.facts, ensure_ascii=False, indent=2) + "\n", "utf-8")
        (fresh / CARD).write_text(render_card(built.facts), "utf-8")
        fresh.chmod(0o755)
        if folder.exists():
            shutil.rmtree(folder)
        fresh.replace(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _lines(path: Path, values: Iterable[Wire]) -> None:
    with path.open("w", encoding="utf-8") as handle:
        handle.writelines(f"{value.model_dump_json(exclude_defaults=True)}\n" for value in values)


def _fingerprint(facts: dict[str, Any]) -> Any:
    corpus = facts.get("corpus")
    return corpus.get("fingerprint") if isinstance(corpus, dict) else None
