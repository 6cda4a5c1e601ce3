"""The pages on which people label what a run answered, and see how far they and the judge agree."""
