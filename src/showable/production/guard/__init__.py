"""The guard: may this answer be shown, asked before it is shown."""
