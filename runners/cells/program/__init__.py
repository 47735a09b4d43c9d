"""Programs of the user's own, run under the tap: `waltax try`.

life        how their cells are prepared and brought up
cell        one that runs anew in each slice, and one that serves while a load runs
folder      the copy of its data, and where its log is placed
shell       a program that is run, watched, and ended with all that it started
metric      the number in its output
watch       a run of which everything that was synced is seen
"""
