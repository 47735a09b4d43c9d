"""The LinkBench workload."""
