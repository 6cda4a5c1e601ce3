"""Group failing answers into issues: what fails alike, since when, beside what, and what may fix it."""
