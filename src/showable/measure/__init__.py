"""Turn scorecards into rates with counts and intervals."""
