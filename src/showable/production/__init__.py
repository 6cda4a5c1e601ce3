"""Work on live traffic: what is guarded, and what failed."""
