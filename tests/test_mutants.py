"""The mutation step: every kind makes other code that compiles, where code is run; and which tests are run first."""

import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[1] / "benchmarks"))

import mutants


def changed(source, kind=None):
    found = [each for each in mutants.find_mutants(source, "m.py") if kind in {None, each.kind}]
    assert all(mutants.is_another(mutant, source) for mutant in found)
    return [mutant.apply(source) for mutant in found]


@pytest.mark.parametrize(
    ("kind", "source", "made"),
    [
        ("sign", "x = a + b", ["x = (a - b)"]),
        ("sign", "x = f(-1)", ["x = f(1)"]),
        ("sign", "x -= y", ["x += y"]),
        ("sign", "x = 'é' + y; z = [1] + y; w = (*y,) + y", []),  # joined, not added
        ("sign", "x = 'é'; z = 'ü', a - b", ["x = 'é'; z = 'ü', (a + b)"]),  # columns of the tree count bytes
        ("comparison", "x = a < b", ["x = (a <= b)"]),
        ("comparison", "x = a >= b == c", ["x = (a > b == c)", "x = (a >= b != c)"]),
        ("comparison", "x = a is b in c", []),
        ("threshold", "x = a < 3", ["x = a < 4"]),
        ("threshold", "x = 0.5 <= a", ["x = 0.55 <= a"]),
        ("threshold", "x = a == 0.0", ["x = a == 0.1"]),
        ("threshold", "LIMIT = 40", ["LIMIT = 41"]),
        ("threshold", "x = a == True; y = 40", []),  # no numbers, and none that is compared with
        ("branch", "if a:\n    b()\nelse:\n    c()", ["if (not a):\n    b()\nelse:\n    c()"]),
        ("branch", "x = b if not a else c", ["x = b if (a) else c"]),
        ("branch", "x = [a for a in b if c(a)]", ["x = [a for a in b if (not c(a))]"]),
        ("branch", "if (\n    a  # why\n    and b\n):\n    c()", ["if (\n    (not (a and b))\n):\n    c()"]),
        ("and/or", "x = a and b or c", ["x = ((a and b) and c)", "x = (a or b) or c"]),
    ],
)
def test_each_kind_makes_other_code(kind, source, made):
    assert sorted(changed(source, kind)) == sorted(made)


@pytest.mark.parametrize(
    "source",
    [
        '"""a + b < 3 and not c."""',
        "x: 'Literal[a < 3]' | a + b",
        "def f(x: a + b) -> (c < 3): ...",
        "if TYPE_CHECKING:\n    x = a + b < 3",
        "if __name__ == '__main__':\n    x = a + b < 3",
        "class A:\n    def __repr__(self):\n        return a < b and c",
        "x = f'{a + b}'",  # Python 3.11 gives no place for what stands within
    ],
)
def test_what_is_never_run_is_left_alone(source):
    assert changed(source) == []


def test_what_stands_beside_type_checking_is_run():
    assert changed("if TYPE_CHECKING:\n    a < b\nelse:\n    c < d") == [
        "if TYPE_CHECKING:\n    a < b\nelse:\n    (c <= d)"
    ]


@pytest.mark.slow
def test_modules_of_the_package_are_mutated_at_random_places_into_other_code():
    """Property over the package itself: whatever is drawn compiles and differs, the mended text is the old one outside of it."""
    paths = random.Random(7).sample(sorted((mutants.ROOT / mutants.PACKAGE).rglob("*.py")), 40)  # noqa: S311 - a fixed draw
    sources = {str(path.relative_to(mutants.ROOT)): path.read_text("utf-8") for path in paths}
    found = [mutant for name, source in sources.items() for mutant in mutants.find_mutants(source, name)]
    drawn = mutants.draw(found, 20, seed=3)
    assert [mutant.kind for mutant in drawn] == [*mutants.KINDS] * 4
    assert len({(mutant.path, mutant.line) for mutant in drawn}) == 20
    assert drawn == mutants.draw(found, 20, seed=3) != mutants.draw(found, 20, seed=4)
    for mutant in drawn:
        source = sources[mutant.path]
        assert mutants.is_another(mutant, source)
        assert source[mutant.start : mutant.end] == mutant.old
        assert source[: mutant.start].count("\n") + 1 == mutant.line


TESTS = {
    "tests/a.py": "from showable.rubrics.tables import x",
    "tests/b.py": "import showable.rubrics",
    "tests/c.py": "from showable.rubrics import y, tables",
    "tests/d.py": "import showable.records",
    "tests/e.py": "from showable.rubrics.tables_of import x",
}


@pytest.mark.parametrize(
    ("path", "order"),
    [
        ("src/showable/rubrics/tables.py", [["a", "c"], ["b", "e"], ["d"]]),
        ("src/showable/rubrics/metadata/year.py", [["a", "b", "c", "e"], ["d"]]),
        ("src/showable/rubrics/__init__.py", [["a", "b", "c", "e"], ["d"]]),
        ("src/showable/records/wire.py", [["d"], ["a", "b", "c", "e"]]),
    ],
)
def test_tests_near_a_module_are_run_first(path, order):
    assert [[name[6:-3] for name in files] for files in mutants.stages(path, TESTS)] == order


def test_the_command_is_that_of_make_test():
    command = mutants.test_command()
    assert command.startswith("PYTHONDONTWRITEBYTECODE= ")
    assert f"{sys.executable} -m pytest" in command
    assert "$(" not in command
    assert command.endswith("-x -q")


@pytest.mark.parametrize(
    ("failures", "how", "by"),
    [
        ([None, None], "survived", ""),
        (["tests/a.py::test_x[1 - 2]", "tests/a.py::test_x[1 - 2]", None], "caught", "tests/a.py::test_x[1 - 2]"),
        ([None, "tests/d.py::test_y", "tests/d.py::test_y", None], "caught", "tests/d.py::test_y"),
        (["tests/a.py::test_x", None, None, None], "survived", ""),  # it failed by chance
        (["tests/a.py::test_x"] * 3 + [None, None], "survived", ""),  # it fails anyhow
        (["tests/a.py", "tests/a.py"], "unclear, fails without it too", "tests/a.py"),
        (["timed out"], "timed out", ""),
    ],
)
def test_what_becomes_of_a_mutant(tmp_path, monkeypatch, failures, how, by):
    """Source: a survivor passed every stage; a test that fails by chance or without the mutant has not caught it; the module is put back."""
    module = tmp_path / "src" / "showable" / "records" / "wire.py"
    module.parent.mkdir(parents=True)
    module.write_text("x = a < b")
    (mutant,) = mutants.find_mutants("x = a < b", "src/showable/records/wire.py")
    seen, left = [], list(failures)

    def run_tests(tree, tests, left_out=()):
        assert tree == tmp_path
        seen.append((module.read_text(), [*tests], [*left_out]))
        return left.pop(0)

    monkeypatch.setattr(mutants, "run_tests", run_tests)
    outcome = mutants.judge(mutant, tmp_path, TESTS)
    assert (outcome.how, outcome.by) == (how, by)
    assert left == []
    assert module.read_text() == "x = a < b"
    assert seen[0][0] == "x = (a <= b)"
    if how == "caught":
        assert [text for text, files, _ in seen if files == [by]] == ["x = (a <= b)", "x = a < b"]
    if how == "survived" and failures[0]:
        assert seen[-2][2] == ["tests/a.py::test_x"]
