"""How a row of the legal tables is compared with what is read."""

from showable.read.references.legal import find_legal


def agrees(found, expected):
    """Say whether one reference is as expected: kind, words, and every field named; None means that it must be absent."""
    kind, words, fields = expected
    reference = found.reference
    return (reference.kind, reference.text) == (kind, words) and all(
        reference.fields.get(name) == value for name, value in fields.items()
    )


def check(text, expected):
    """Assert that exactly the expected references are read, in order, at their places."""
    found = find_legal(text)
    assert [(one.reference.kind, one.reference.text) for one in found] == [(kind, words) for kind, words, _ in expected]
    for one, (_, words, fields) in zip(found, expected, strict=True):
        assert {name: one.reference.fields.get(name) for name in fields} == fields
        assert text[slice(*one.span)] == words
