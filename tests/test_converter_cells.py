"""Cells that hold lists: whatever wrote them, the same list comes back, or a clear line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from showable.converters.cells import read_list, read_literal, read_texts
from showable.converters.shape import FieldError

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=5)
QUOTES = st.lists(st.text("'\"\\ \n,[]a", max_size=12), max_size=5)


@given(TEXTS | QUOTES)
def test_a_list_comes_back_from_json_and_from_python(texts):
    assert read_texts(json.dumps(texts), "x") == texts
    assert read_texts(json.dumps(texts, ensure_ascii=False), "x") == texts
    assert read_texts(repr(texts), "x") == texts


@given(TEXTS | QUOTES, st.sampled_from([" ", "\n ", "  "]))
def test_a_list_comes_back_from_what_numpy_prints(texts, gap):
    assert read_texts(f"[{gap.join(map(repr, texts))}]", "x") == texts


@given(st.text(max_size=60) | st.text("[]'\",\\ 1x\n", max_size=40))
def test_any_text_is_a_list_of_texts_none_or_a_clear_line(cell):
    for read in (read_texts, read_list, read_literal):
        try:
            held = read(cell, "x")
        except FieldError as error:
            assert error.field == "x"  # noqa: PT017 - either way is right
        else:
            assert read is read_literal or held is None or isinstance(held, list)


@pytest.mark.parametrize(
    "cell",
    ["['" + "\\" * 200_001, "['a', " * 50_000, "['a' " * 50_000, "[{" * 100_000, "['" + "a' 'b" * 100_000, "[None, " * 50_000],
    ids=["backslashes", "open list", "open array", "objects", "no end", "nulls"],
)  # fmt: skip
def test_a_long_broken_cell_is_refused(cell):
    with pytest.raises(FieldError):
        read_texts(cell, "x")
