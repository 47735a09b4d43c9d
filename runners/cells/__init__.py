"""A cell's life, from its data set to its last slice.

A kind of cell is `Life` in `live`, and a folder: `driver` for workloads with a program of their
own, also at a server of its owner's, and `program` for one of the user's.

live           how the cells of a kind are planned and brought up, and one slice of one
campaign       what is fixed for all cells, and for their places
setting        what a cell is brought up with in one session, and where
data_set       what a cell begins with: made once, cloned for each session
waldir         a cell's WAL directory, on its device
placed_server  a server placed as a cell is
cell_memory    how much a cell's engine takes, and the cache that a bound leaves it
machine        what the machine did meanwhile
signals        Ctrl-C and its kin
"""
