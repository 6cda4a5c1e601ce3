"""Live traffic: what stands between a model and its readers."""
