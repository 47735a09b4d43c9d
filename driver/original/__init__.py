"""What the command lines of the original benchmarks share: where their data is, and how a driver
is followed to its end."""
