"""The TPC-C workload: its command line, with the letters and the output of tpcc-mysql."""
