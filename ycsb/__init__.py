"""YCSB's core workloads A to F, in C++ on embedded RocksDB, with the program `ycsb`."""
