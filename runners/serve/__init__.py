"""Servers for the programs of others, placed as a cell's server is.

command     the click command `waltax serve`
asked       what the user asked for, resolved on this machine: cells and their placements
room        whether memory and disk hold all that
template    the data directory that every server is a clone of
alone       one server, until it is told to end
measured    `--run`: a server per device, one awake at a time, a command run on each in turn
shell       the user's command: environment, time limit, what it leaves behind
metric      the number in its output
counters    what a server says of its log and of its mode
proof       what must be true of a run before it is accepted
rows        a run of the command as a row
"""
