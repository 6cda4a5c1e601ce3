"""Read spans from files: OTLP as collectors and exporters write it, and what backends export."""
