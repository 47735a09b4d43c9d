"""Cells of RocksDB's db_bench: those of a program (../program), with what is known of this one.

life      how its cells are prepared and brought up, and what they take
cell      a cell: a whole run for each slice
program   finding the program, and which release it is
output    what it prints; event: that as the event of a slice
data      the data that it is given, and the data sets that it loads
"""
