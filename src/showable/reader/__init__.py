"""The trained reader: what each sentence of an answer does, how far the answer declines, and on what basis."""
