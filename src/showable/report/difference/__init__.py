"""A report of two runs over the same questions: what moved, and what the gate says of it."""
