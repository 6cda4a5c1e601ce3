"""The tool's own graders against people's labels: read labelled rows, decide each, measure the decisions."""
