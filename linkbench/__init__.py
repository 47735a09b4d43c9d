"""The LinkBench workload: the original's own command line."""
