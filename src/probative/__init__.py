"""Whether an answer with citations may be shown."""
