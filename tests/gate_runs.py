"""Runs written as letters, one answer a letter, for the tests of the gate."""

from __future__ import annotations

from scorecards import SIGNATURE

from showable.ship_gate import GateRow, decide

BUCKET = {
    "c": "correct",
    "w": "wrong",
    "u": "unsupported",
    "r": "refused",
    "?": "unknown",
    "o": "refused",
    "j": "refused",
}
_CAUSE = {"o": "over_refusal", "r": "warranted", "j": "unjudged"}


def run(letters, **fields):
    """Rows: correct, wrong, unsupported, refused (warranted), over-refused, refused (unjudged), or ? for unknown.

    Every question is answerable but those of warranted refusals, unless `answerable` is given.
    """
    return [
        GateRow(
            **{
                "id": f"q{n}",
                "bucket": BUCKET[letter],
                "cause": _CAUSE.get(letter),
                "answerable": letter != "r",
                **fields,
            }
        )
        for n, letter in enumerate(letters)
    ]


def gate(baseline, candidate, **settings):
    return decide(baseline, candidate, SIGNATURE, SIGNATURE, **settings)


def failing(decision):
    return {line.name for line in decision.lines if line.ok is False}


def line_of(decision, name):
    return next(line for line in decision.lines if line.name == name)
