"""Corpora: passages that questions are asked about, one file a source of them."""
