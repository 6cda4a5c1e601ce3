"""URLs that must not be asked, or that pretend to be another's: told from their letters alone, without a network."""

from showable.read.scan.urls.vetting import scan_url, vet_url

__all__ = ["scan_url", "vet_url"]
