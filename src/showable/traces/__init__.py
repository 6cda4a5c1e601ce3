"""Read spans in the conventions that are in use, join a trace's answers to the retrieval that really happened, and write scores back."""
