"""The three interfaces that the proxy speaks: what is asked, what is answered, and what a held answer looks like."""
