"""Question sets: made from a corpus, checked against it, kept with it."""
