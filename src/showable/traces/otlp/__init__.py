"""OpenTelemetry's wire format: what senders put into a request is unpacked, decoded into spans, answered, and written again."""
