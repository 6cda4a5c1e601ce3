"""The embedded demo: documents, recorded answers and their labels, all written for this project."""
