"""Looking for drift: anchors that are frozen and judged anew, streams of scored answers, labels of a run, and who is told."""
