"""Search over a collection of passages by their words."""
