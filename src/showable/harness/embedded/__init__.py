"""The embedded question set: further documents beside the demo's, and 130 reviewed questions about both."""
