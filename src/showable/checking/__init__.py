"""Every citation of a document, found, asked about and put together for a report."""
