"""The protocol: question sets made from corpora, put to pipelines, and the runs that come of it."""
