"""Show a run: terminal, JSON, HTML."""
