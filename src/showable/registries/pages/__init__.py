"""Reading web pages: what a page says that it is, and whether it is there at all."""
