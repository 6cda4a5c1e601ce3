"""Asking over the network without being led astray: vetted addresses, paced, retried, capped, and cached."""
