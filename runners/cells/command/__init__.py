"""Servers for other people's programs, placed as a cell's server is.

life        how a command's cells are prepared and brought up
cell        a server on which the command is run for each slice
shell       a program that is not ours: environment, time limit, what it leaves behind
metric      the number in its output
counters    what a server says of its log and of its mode
template    the data directory that every server is a clone of
"""
