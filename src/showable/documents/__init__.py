"""Files as text with places: plain text, Markdown, HTML, Word, PDF and BibTeX, each in its own file."""
