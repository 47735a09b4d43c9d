"""The TPC-C workload."""
