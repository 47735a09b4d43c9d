"""Studies: what is measured to answer a question, and what is printed as the answer.

study       what a study's record says: its options, plan, head and report; frame runs any of them
asked       what was typed, as a value; options declares what several studies share
head        what a campaign says before it begins
names       what was named on a command line, checked
files       device files and profiles that a study writes, which --resume reads again
scaled      a profile at another size
devices, paper, threads, key_sizes, knobs, latency/, serve    the studies
disk_sizes  bytes on disk of the same data in each engine, which takes no campaign
"""
