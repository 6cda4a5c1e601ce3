"""Turn what was read and gathered into findings, axes and a bucket. Pure: no network, clock or randomness."""
