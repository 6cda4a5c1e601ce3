"""Runs over time: the list on the terminal, the comment, and the page with the trend of each bucket."""
