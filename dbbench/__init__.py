"""RocksDB's db_bench as a workload: where it is, its command lines, its output.

program   finding the program, and which release it is
argv      the command line of one run
options   the OPTIONS file of one run
output    what it prints, read strictly
sizes     of keys and values: k16-v100, or published ones
knobs     the WAL's settings, one at a time
"""
