"""Whether what is measured has moved: a judge on frozen rows, a stream of scores, a judge beside people."""
