"""Studies: what to measure to answer a question, and what to print as the answer.

study       the record of a study: its options, plan, head and report; frame runs any study
asked       the user's request, as a value; options declares what several studies share
head        what is printed before a campaign begins
names       checks names that were typed on a command line
files       device files and profiles that a study writes, which --resume reads again
scaled      a profile at another size
devices, paper, threads, key_sizes, knobs, latency/, serve    the studies
disk_sizes  the bytes that the same data takes on disk in each engine; needs no campaign
"""
