"""The page of a run: one HTML file that holds its summary and, packed, the records worth reading."""
