"""YCSB's core workloads A to F."""
