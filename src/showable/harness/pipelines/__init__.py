"""Pipelines: whatever answers questions from documents. One file a way of reaching them."""
