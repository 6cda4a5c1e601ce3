"""Read an answer, in text or JSON, into claims with citations and offsets."""
