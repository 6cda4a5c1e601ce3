"""What the helper for tables must do: miss no wrong row, excuse no false pass, and hand fixtures through."""

import pytest
from tables import every_row, most_rows, never


def test_every_wrong_row_is_printed():
    tried = []

    @every_row(("given", "expected"), [(1, 1), (2, 3), (4, 4), (5, 6)])
    def table(given, expected):
        tried.append(given)
        assert given == expected

    with pytest.raises(
        AssertionError, match=r"2 of 4 rows are wrong(?s:.)*given=2, expected=3(?s:.)*given=5, expected=6"
    ):
        table()
    assert tried == [1, 2, 4, 5]


@pytest.mark.parametrize(("floor", "held"), [(0.5, True), (0.75, True), (0.76, False), (1.0, False)])
def test_a_floor_is_held_to_the_row(floor, held):
    @most_rows("row", range(4), floor=floor)
    def table(row):
        assert row != 2

    if held:
        table()
    else:
        with pytest.raises(AssertionError, match=r"1 of 4 rows are wrong \(75\.0% right"):
            table()


def test_no_floor_excuses_a_false_pass():
    @most_rows("row", range(1000), floor=0.0)
    def table(row):
        never(row == 7, "seven was shown")

    with pytest.raises(AssertionError, match="false pass: seven was shown"):
        table()


def did_not_raise():
    with pytest.raises(ValueError, match="no"):
        pass


@pytest.mark.parametrize("failing", [lambda: 1 / 0, lambda: pytest.fail("no"), did_not_raise])
def test_whatever_a_row_raises_makes_it_wrong(failing):
    @every_row("row", [1])
    def table(row):
        failing()

    with pytest.raises(AssertionError, match="1 of 1 rows are wrong"):
        table()


def test_a_row_that_is_skipped_skips_the_test():
    @every_row("row", [1])
    def table(row):
        pytest.skip("not here")

    with pytest.raises(pytest.skip.Exception):
        table()


PAIRS = []


@every_row("left", "ab")
@every_row("right", [pytest.param("c", id="a name"), "d"])
def test_tables_multiply_and_fixtures_are_handed_through(left, right, tmp_path):
    assert tmp_path.is_dir()
    PAIRS.append(left + right)
    assert ["ac", "ad", "bc", "bd"][: len(PAIRS)] == PAIRS


class TestMethods:
    @every_row("row", [1, 2])
    async def method(self, row):
        assert row == 1

    @pytest.mark.anyio
    async def test_methods_and_coroutines_are_tried_too(self):
        with pytest.raises(AssertionError, match="1 of 2 rows are wrong"):
            await self.method()


@pytest.fixture
def anyio_backend():
    return "asyncio"


def test_mistakes_in_a_table_are_found_when_it_is_made():
    with pytest.raises(AssertionError, match="without rows"):
        every_row("row", [])
    with pytest.raises(ValueError, match="zip"):
        every_row("a, b", [(1, 2, 3)])
    with pytest.raises(AssertionError, match="cannot be marked"):
        every_row("row", [pytest.param(1, marks=pytest.mark.slow)])
    with pytest.raises(AssertionError, match="takes no"):
        every_row("row", [1])(lambda other: None)
