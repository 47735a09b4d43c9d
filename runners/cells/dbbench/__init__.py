"""Cells of RocksDB's db_bench.

life      how its cells are prepared and brought up; room: what they take
cell      a cell: no process between slices, a whole run for each
program   finding the program, and which release it is
child     a run to its end
output    what it prints, read strictly; event: that as the event of a slice
data      the data that it is given, and the data sets that it loads
"""
