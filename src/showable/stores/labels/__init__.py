"""The labels of a run, in one SQLite file: an append-only log of them, the people, the queues, and the pinned hold-out."""
