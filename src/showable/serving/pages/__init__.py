"""The pages on which stored traces are looked at: rates over time, lists of answers, one trace as a tree."""
