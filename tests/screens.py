"""How much of a terminal a text fills."""


def rows_on_screen(text, width=80):
    """Return how many rows a text takes; a line that is wider than the screen takes several."""
    return sum(max(1, -(-len(line) // width)) for line in text.splitlines())
