"""Mutants: would the tests notice a change of sign, comparison, threshold, branch or connective?

    python benchmarks/mutants.py [--seed N] [--count 20] [--jobs 1] [--list] [--only TEXT]

Places in the package are drawn by a seed, the kinds in turn. Each is changed alone in a copy of the tree, where the command of
`make test` runs up to the first failure: first the test files that name the module, then those that name its room, and the rest
only where these let it pass. The failing test is run by itself once more with the mutant and once without: one that fails by chance, or
anyhow, catches nothing and is left out from then on. A mutant that runs into the time limit counts as caught. No script can tell a mutant that changes nothing from one that
nobody noticed: the survivors are printed with their line, for a person to judge. Exits 1 where one survives.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/showable"
KINDS = ("sign", "comparison", "threshold", "branch", "and/or")
SECONDS = 1800
"""The limit of one run of tests; the whole suite takes six minutes of CPU."""
_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip
_NEVER_RUN = ("TYPE_CHECKING", "__name__ == '__main__'")
_JOINED = (ast.List, ast.ListComp, ast.Tuple, ast.Set, ast.SetComp, ast.JoinedStr)
"""What `+` joins and `-` takes out: with the other sign it fails wherever it is run, which shows nothing."""


@dataclass(frozen=True)
class Mutant:
    """The characters `start` to `end` of a file become `new`."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    old: str
    new: str

    def apply(self, source: str) -> str:
        """Return the source with the mutant in it."""
        return source[: self.start] + self.new + source[self.end :]

    def __str__(self) -> str:
        before, after = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.path}:{self.line} {self.kind}: {before} → {after}"


def find_mutants(source: str, path: str) -> Iterator[Mutant]:
    """Yield every mutant of a module; some few may not compile (`is_another` tells)."""
    starts = [0]
    lines = source.splitlines(keepends=True)
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(line: int, column: int) -> int:  # the columns of a tree count bytes
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for node in _executed(ast.parse(source)):
        for kind, part, changed in _changes(node):
            end_line, end_column = part.end_lineno or 0, part.end_col_offset or 0
            start, end = offset(part.lineno, part.col_offset), offset(end_line, end_column)
            new = ast.unparse(changed)
            new = new if isinstance(changed, ast.stmt | ast.Constant) else f"({new})"
            yield Mutant(path, part.lineno, kind, start, end, source[start:end], new)


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Walk what is run: no annotation, no `__repr__`, nothing for type checkers or scripts alone.

    Before Python 3.12 what stands within an f-string has no place of its own, so that it is passed over.
    """
    yield node
    skipped: list[object] = [getattr(node, name, None) for name in ("annotation", "returns")]
    if isinstance(node, ast.JoinedStr) or getattr(node, "name", "") == "__repr__":
        return
    if isinstance(node, ast.If) and any(never in ast.unparse(node.test) for never in _NEVER_RUN):
        skipped += [node.test, *node.body]
    for child in ast.iter_child_nodes(node):
        if not any(child is each for each in skipped):
            yield from _executed(child)


Change = tuple[str, ast.expr | ast.stmt, ast.AST]


def _changes(node: ast.AST) -> Iterator[Change]:
    """Yield kind, the part of the tree to replace, and what to put in its place."""
    yield from _operators(node)
    yield from _thresholds(node)
    for test in _conditions(node):
        yield "branch", test, _negated(test)


def _operators(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub()) if not (_is_joined(node.left) or _is_joined(node.right)):
            yield "sign", node, _with(node, op=_swap(node.op))
        case ast.AugAssign(op=ast.Add() | ast.Sub()) if not _is_joined(node.value):
            yield "sign", node, _with(node, op=_swap(node.op))
        case ast.UnaryOp(op=ast.USub()):
            yield "sign", node, node.operand
        case ast.BoolOp():
            yield "and/or", node, _with(node, op=_swap(node.op))
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                if type(operator) in _SWAPPED:
                    yield "comparison", node, _with(node, ops=[*node.ops[:at], _swap(operator), *node.ops[at + 1 :]])


def _thresholds(node: ast.AST) -> Iterator[Change]:
    """Yield numbers that are compared with, and constants with a name in capitals."""
    numbers: list[ast.expr] = []
    match node:
        case ast.Compare():
            numbers = [node.left, *node.comparators]
        case ast.Assign(targets=[ast.Name(id=name)]) if name.isupper():
            numbers = [node.value]
    for number in filter(_is_number, numbers):
        yield "threshold", number, _moved(number)


def _conditions(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.If() if any(never in ast.unparse(node.test) for never in _NEVER_RUN):
            return []
        case ast.If() | ast.IfExp():
            return [node.test]
        case ast.comprehension():
            return node.ifs
    return []


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _swap(operator: ast.AST) -> ast.AST:
    return _SWAPPED[type(operator)]()


def _is_joined(node: ast.expr) -> bool:
    return isinstance(node, _JOINED) or (isinstance(node, ast.Constant) and not _is_number(node))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def _moved(node: ast.expr) -> ast.Constant:
    """Move a threshold: a whole number by one, a fraction by a tenth of itself."""
    assert isinstance(node, ast.Constant)
    value = node.value
    return ast.Constant(value + 1 if isinstance(value, int) else round(value * 1.1, 9) or 0.1)


def _negated(test: ast.expr) -> ast.expr:
    """Negate a condition, which swaps the branches."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def is_another(mutant: Mutant, source: str) -> bool:
    """Check that a mutant compiles, and is another program than its source."""
    try:
        return ast.dump(ast.parse(mutant.apply(source))) != ast.dump(ast.parse(source))
    except SyntaxError:
        return False


def draw(mutants: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return `count` mutants, the kinds in turn, so that the rare kinds are seen too; never two of one place."""
    chance = random.Random(seed)  # noqa: S311 - a reproducible sample, nothing secret
    of_kind = {kind: [mutant for mutant in mutants if mutant.kind == kind] for kind in KINDS}
    for left in of_kind.values():
        chance.shuffle(left)
    drawn: list[Mutant] = []
    places = set[tuple[str, int]]()
    for kind in cycle(KINDS):
        if len(drawn) >= count or not any(of_kind.values()):
            return drawn
        while of_kind[kind]:
            mutant = of_kind[kind].pop()
            source = (ROOT / mutant.path).read_text("utf-8")
            if (mutant.path, mutant.line) not in places and is_another(mutant, source):
                places.add((mutant.path, mutant.line))
                drawn.append(mutant)
                break
    return drawn


def stages(path: str, tests: dict[str, str]) -> list[list[str]]:
    """Return test files in the order in which they are run: those that name the module, its room, and the rest."""
    module = path.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    room, _, name = module.rpartition(".")
    package = ".".join(module.split(".")[:2])
    of_module = re.compile(rf"\b{re.escape(module)}\b|\bfrom {re.escape(room)} import [^\n]*\b{re.escape(name)}\b")
    of_room = re.compile(rf"\b{re.escape(package)}\b")
    near = [file for file, text in tests.items() if of_module.search(text)]
    around = [file for file, text in tests.items() if file not in near and of_room.search(text)]
    return [files for files in (near, around, [file for file in tests if file not in {*near, *around}]) if files]


def copy_tree(folder: Path) -> None:
    """Copy what is tracked, as it stands in the working tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout  # noqa: S607
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def test_command() -> str:
    """Return the recipe of `make test`, for this interpreter and one process, up to the first failure."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = re.search(r"^test:.*\n\t(.+)$", makefile, re.MULTILINE)
    assert recipe is not None, "Makefile: no recipe for test"
    variables = dict(re.findall(r"^([A-Z]+) := (.+)$", makefile, re.MULTILINE)) | {
        "BIN": str(Path(sys.executable).parent)
    }
    command = recipe[1]
    while (named := re.search(r"\$\((\w+)\)", command)) is not None:
        command = command.replace(named[0], variables[named[1]])
    return command + " -n 0 --dist no -x -q"


def run_tests(tree: Path, tests: Sequence[str], left_out: Sequence[str] = ()) -> str | None:
    """Run tests in a copy but those left out; returns None where they pass, else the first that fails or `timed out`."""
    words = [*tests, *(word for test in left_out for word in ("--deselect", test))]
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(  # noqa: S602 - a recipe of make is a line for a shell
            f'{test_command()} "$@"'.replace('"$@"', " ".join(f"'{word}'" for word in words)),
            shell=True, cwd=tree, stdout=said, stderr=said, start_new_session=True,
            env=os.environ | {"PYTHONPATH": str(tree / "src")},
        )  # fmt: skip
        try:
            code = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "timed out"
        said.seek(0)
        failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said.read(), re.MULTILINE)
    return None if code in {0, 5} else failed[1] if failed else "the tests did not start"  # 5: none was collected


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: caught, timed out (caught too), survived, or unclear; `by` is the test."""

    mutant: Mutant
    how: str
    by: str = ""


def judge(mutant: Mutant, tree: Path, tests: dict[str, str]) -> Outcome:
    """Put a mutant into a copy, run the tests, and take it out again."""
    source = (tree / mutant.path).read_text("utf-8")
    chance: list[str] = []
    for files in stages(mutant.path, tests):
        while True:
            _put(tree / mutant.path, mutant.apply(source))
            failed = run_tests(tree, files, chance)
            again = failed if failed is None or "::" not in failed else run_tests(tree, [failed])
            _put(tree / mutant.path, source)
            if failed == "timed out":
                return Outcome(mutant, failed)
            if failed is None:
                break
            alone = [failed if "::" in failed else failed.split()[0]] if "/" in failed else []
            if again is not None and run_tests(tree, alone) is None:
                return Outcome(mutant, "caught", failed)
            if "::" not in failed:
                return Outcome(mutant, "unclear, fails without it too", failed)
            chance.append(failed)
    return Outcome(mutant, "survived")


def _put(path: Path, source: str) -> None:
    """Write a module, and forget its bytecode: of equal size and second, it would be taken for the new one's."""
    path.write_text(source, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()


def run(mutants: Sequence[Mutant], jobs: int) -> Iterator[Outcome]:
    """Yield outcomes in the order of the mutants; each job has a copy of its own."""
    tests = {
        str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted((ROOT / "tests").glob("test_*.py"))
    }
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(jobs):
            tree = Path(folder) / str(number)
            copy_tree(tree)
            free.put(tree)

        def in_a_copy(mutant: Mutant) -> Outcome:
            tree = free.get()
            try:
                return judge(mutant, tree, tests)
            finally:
                free.put(tree)

        yield from pool.map(in_a_copy, mutants)


def main() -> int:
    """Draw, run, print; returns 1 where a mutant survives."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--count", type=int, default=20)
    options.add_argument("--jobs", type=int, default=1, help="mutants at a time, each in a copy of its own")
    options.add_argument("--only", default="", metavar="TEXT", help="only modules whose path holds this")
    options.add_argument("--list", action="store_true", help="print what would be changed, and run nothing")
    chosen = options.parse_args()
    found: list[Mutant] = []
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        if chosen.only in (name := str(path.relative_to(ROOT))):
            found += find_mutants(path.read_text("utf-8"), name)
    drawn = draw(found, chosen.count, chosen.seed)
    counts = Counter(mutant.kind for mutant in found)
    print(f"{len(found)} places ({', '.join(f'{kind} {counts[kind]}' for kind in KINDS)}); seed {chosen.seed}")
    if chosen.list:
        print("\n".join(map(str, drawn)))
        return 0
    outcomes = []
    for outcome in run(drawn, chosen.jobs):
        outcomes.append(outcome)
        print(f"{outcome.how:<9} {outcome.mutant}{f'  by {outcome.by}' if outcome.by else ''}", flush=True)
    survivors = [outcome.mutant for outcome in outcomes if outcome.how == "survived"]
    print(", ".join(f"{how} {count}" for how, count in Counter(outcome.how for outcome in outcomes).items()))
    for mutant in survivors:
        line = (ROOT / mutant.path).read_text("utf-8").splitlines()[mutant.line - 1]
        print(f"\nsurvived: {mutant}\n    {line.strip()}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
