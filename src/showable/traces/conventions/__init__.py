"""The conventions in which spans say what was asked, retrieved and answered: one file each, read and written."""
