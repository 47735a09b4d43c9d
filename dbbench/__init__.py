"""RocksDB's db_bench as workloads: where it is, its command lines, its output, its cells.

workload  what is known of each benchmark as a workload
program   finding the program, and which release it is
argv      the command line of one run; child: a run to its end
output    what it prints, read strictly; event: that as the event of a slice
sizes     of keys and values: k16-v100, or published ones
data      what it is told of its data, and the data sets that it loads
life      how its cells are prepared and brought up; room: what they take
cell      a cell: no process between slices, a whole run for each
"""
