"""What it takes to measure one cell, whatever its workload is. It knows of no campaign.

life           how the cells of a workload are prepared and brought up
live           a cell that was brought up, and one slice of it
setting        what a cell is brought up with in one session, and where
data_set       what a cell begins with: made once, cloned for each session
cutting        how the power is cut once a campaign was measured, as a value
waldir         a cell's WAL directory, on its device
placed_server  a server placed as a cell is
memory         how much a cell's engine takes
machine        what the machine did meanwhile
signals        Ctrl-C and its kin
"""
