"""URLs that must not be asked, or that pretend to be another's: told from their letters alone, without a network."""

from showable.read.scan.urls.look_alikes import may_pass_for_another
from showable.read.scan.urls.vetting import scan_url, vet_url

__all__ = ["may_pass_for_another", "scan_url", "vet_url"]
