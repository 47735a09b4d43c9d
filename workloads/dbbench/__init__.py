"""RocksDB's db_bench as workloads; its cells are in runners/cells/dbbench.

workload  the record of each benchmark as a workload
argv      the command line of one run
sizes     of keys and values: k16-v100, or published ones
"""
