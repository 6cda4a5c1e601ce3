"""References to things outside the log, read from any text: cases, statutes, papers, trials, filings, books, pages."""
