"""Programs of the user's own, run under the tap: `waltax try`.

cell        how their cells are prepared, brought up, and measured
watch       a run of which everything that was synced is seen
run         one run: the copy of its data, the tap in front of its log, its end
shell       a program that is run, and ended with all that it started
"""
