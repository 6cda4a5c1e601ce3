"""A table of rows as one test: every row is tried, and all that come out wrong are printed together.

Thousands of tests of a millisecond cost more to collect, to hand to workers and to report than to run.
"""

from __future__ import annotations

import inspect
from functools import wraps

import pytest

FAILURES = (Exception, pytest.fail.Exception)  # what `pytest.raises` raises is not an Exception


class FalsePassError(AssertionError):
    """Something came out as acceptable that is not: no floor makes up for it."""


def never(false_pass, reason=""):
    """Raise if a row came out better than it may."""
    if false_pass:
        raise FalsePassError(f"false pass: {reason}")


def every_row(names, rows):
    """Try a test on every row, as `pytest.mark.parametrize` does, and fail if one is wrong."""
    return most_rows(names, rows, floor=1.0)


def most_rows(names, rows, *, floor):
    """Try a test on every row and fail if less than a share of them is right: for what a model decides, not a grammar.

    A false pass (`never`) fails the test whatever the share.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [dict(zip(names, _values(names, row), strict=True)) for row in rows]
    assert cases, "a table without rows"

    def decorate(test):
        if inspect.iscoroutinefunction(test):

            @wraps(test)
            async def whole(*args, **fixtures):
                wrong = []
                for number, case in enumerate(cases):
                    try:
                        await test(*args, **fixtures, **case)
                    except FAILURES as error:
                        wrong.append((number, case, error))
                _report(wrong, len(cases), floor)

        else:

            @wraps(test)
            def whole(*args, **fixtures):
                wrong = []
                for number, case in enumerate(cases):
                    try:
                        test(*args, **fixtures, **case)
                    except FAILURES as error:
                        wrong.append((number, case, error))
                _report(wrong, len(cases), floor)

        signature = inspect.signature(test)
        kept = [parameter for name, parameter in signature.parameters.items() if name not in names]
        assert len(kept) == len(signature.parameters) - len(names), f"{test.__name__} takes no {names}"
        whole.__signature__ = signature.replace(parameters=kept)  # what pytest fills in: the fixtures
        return whole

    return decorate


def _values(names, row):
    """Return the values of a row, which stands bare where there is one name."""
    if isinstance(row, type(pytest.param())):
        assert not row.marks, "a row of a table cannot be marked"
        return row.values
    return (row,) if len(names) == 1 else row


def _report(wrong, n, floor):
    """Raise with every wrong row where they are too many, or one is a false pass."""
    share = 1 - len(wrong) / n
    false = [error for *_, error in wrong if isinstance(error, FalsePassError)]
    if not false and share >= floor:
        return
    lines = [f"{len(wrong)} of {n} rows are wrong ({share:.1%} right, floor {floor:.1%}, false passes: {len(false)})"]
    for number, case, error in wrong:
        shown = ", ".join(f"{name}={value!r:.300}" for name, value in case.items())
        lines += [
            f"- row {number}: {shown}",
            *(f"    {line}" for line in f"{type(error).__name__}: {error}".splitlines()[:12]),
        ]
    raise AssertionError("\n".join(lines)) from wrong[0][2]
