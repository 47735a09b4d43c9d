"""Programs of the user's own, run under the tap: `waltax try`.

life        how their cells are prepared and brought up
cell        one that runs anew in each slice, and one that serves while a load runs
folder      the copy of its data, and where its log is placed
processes   all that a program started; shell: one that is run, watched and ended
metric      the number in its output
watch       a run of which everything that was synced is seen
"""
