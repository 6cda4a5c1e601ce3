"""The cases of shared `field/`: how each is put to the command line, what came out, and whether it is what was expected."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

JUDGE = ("--judge", "lexical")
CLAIMED = ("reporter", "volume", "page", "pin", "section", "title", "case_name", "year", "court", "doi", "arxiv", "id")

Case = dict[str, Any]
Command = Callable[..., tuple[int, str, str]]


@dataclass
class Got:
    """What came out of a case: a scorecard, codes to freeze, and what its expectations are held against."""

    card: dict[str, Any] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    told: dict[str, Any] = field(default_factory=dict)


def read_field_cases(path: Path) -> list[Case]:
    """Return the cases of a file, in its order."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def run_case(case: Case, folder: Path, command: Command) -> Got:
    """Run one case in a folder of its own."""
    name = f"input.{case.get('ext', 'json')}"
    given = case["input"] if case["how"] != "score" else case["input"] | {"id": case["id"]}
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    (folder / name).write_text(text, encoding="utf-8")
    return _HOW[case["how"]](case, folder, command, name)


def _score(case: Case, folder: Path, command: Command, name: str) -> Got:
    line = folder / f"{name}l"
    (folder / name).rename(line)
    return _scored(Got(), folder, command, "score", line.name, "--keep-going", *case.get("args", ()))


def _scored(got: Got, folder: Path, command: Command, *args: str) -> Got:
    """Score what is there, and add what the first scorecard says."""
    code, _, _ = command(folder, *args, *JUDGE, "--out", "run", "-o", "s.jsonl")
    cards = _lines(folder / "s.jsonl")
    if not cards:
        got.codes.append(f"score exit {code}")
        got.told.setdefault("exit", code)
        return got
    got.card = card = cards[0]
    citations = [citation for claim in card["claims"] for citation in claim["citations"]]
    citations += [citation for citation in card.get("loose", ()) if "source_id" in citation]
    got.told |= {key: card[key] for key in ("bucket", "cause", "refusal")} | {
        "cited": got.told.get("cited") or [citation["source_id"] for citation in citations],
        "exists": sorted({citation["exists"] for citation in citations}),
        "release": card["release"]["verdict"],
        "failed": sorted({finding["code"] for finding in card["findings"] if finding["outcome"] == "fail"}),
        "claims": len(card["claims"]),
        "supports": [claim["support"] for claim in card["claims"]],
    }
    return got


def _convert(case: Case, folder: Path, command: Command, name: str) -> Got:
    code, _, _ = command(folder, "convert", name, "-o", "r.jsonl", *case.get("args", ()))
    got = _records(folder, code)
    return _scored(got, folder, command, "score", "r.jsonl") if got.told["records"] else got


def _traces(_: Case, folder: Path, command: Command, name: str) -> Got:
    code, _, _ = command(folder, "traces", "export", name, "-o", "r.jsonl")
    got = _records(folder, code)
    got.told.pop("cited", None)
    return _scored(got, folder, command, "traces", "score", name) if got.told["records"] else got


def _records(folder: Path, code: int) -> Got:
    """Tell how many records were made, and what the first one has."""
    records = _lines(folder / "r.jsonl")
    got = Got(codes=[f"exit {code}", f"records {len(records)}"], told={"exit": code, "records": len(records)})
    if records:
        record = records[0]
        answer = record["answer"] if isinstance(record["answer"], dict) else {"text": record["answer"]}
        citations = [each for claim in answer.get("claims", ()) for each in claim.get("citations", ())]
        log = record.get("retrieved")
        texts = None if log is None else sum(bool(source.get("text")) for source in log)
        got.codes += [f"log {None if log is None else len(log)}", f"texts {texts}", f"cited {len(citations)}"]
        got.told |= {
            "answer": answer.get("text"),
            "question": record["question"],
            "cited": [citation.get("source_id") or citation.get("url") for citation in citations],
            "retrieved": None if log is None else [source["source_id"] for source in log],
            "texts": texts,
            "shown": record.get("shown"),
        }
    return got


def _check(case: Case, folder: Path, command: Command, name: str) -> Got:
    for number, registry in enumerate(case.get("registries", ())):
        listed = folder / f"registry-{number}.{registry.get('ext', 'csv')}"
        listed.write_text(registry["data"], encoding="utf-8")
        imported = ("registry", "import", listed.name, "--name", f"set{number}", *registry.get("args", ()))
        if code := command(folder, *imported)[0]:
            return Got(codes=[f"import exit {code}"], told={"exit": code})
    code, out, _ = command(folder, "check", name, "--offline", "--json", *case.get("args", ()))
    if code not in {0, 1, 3}:
        return Got(codes=[f"exit {code}"], told={"exit": code})
    citations = json.loads(out)["citations"]
    told = {key: [citation[key] for citation in citations] for key in ("raw", "status", "reason")}
    claimed = [{key: said for key, said in each["claimed"].items() if key in CLAIMED} for each in citations]
    codes = [f"exit {code}", *(f"{each['kind']} {each['status']}" for each in citations)]
    return Got(codes=codes, told={"exit": code, "claimed": claimed, **told})


_HOW = {"score": _score, "convert": _convert, "check": _check, "traces": _traces}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line] if path.exists() else []


def is_held(expect: Mapping[str, Any], told: Mapping[str, Any]) -> bool:
    """Check all that a case expects: NAME equals, NAME_in is one of, NAME_not none of, NAME_has holds all of, also within texts."""
    return all(_holds(key, wanted, told) for key, wanted in expect.items())


def _holds(key: str, wanted: Any, told: Mapping[str, Any]) -> bool:
    name, _, how = key.rpartition("_")
    if how not in {"in", "not", "has"}:
        return bool(told.get(key) == wanted)
    value = told.get(name)
    if how == "in":
        return value in wanted
    if how == "not":
        return name in told and value not in (wanted if isinstance(wanted, list) else [wanted])
    return value is not None and all(_has(value, part) for part in wanted)


def _has(value: Any, part: Any) -> bool:
    values: Sequence[Any] = value if isinstance(value, list) else [value]
    return any(part == one or (isinstance(part, str) and isinstance(one, str) and part in one) for one in values)
