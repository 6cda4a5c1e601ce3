"""`showable serve`: receive spans, keep them, join and score the answers in them, and show what comes of it."""
