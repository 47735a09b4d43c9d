"""Campaigns: cells that take turns, measured until the comparison is tight or the time is spent.

recipe      what a user asked for, how a campaign keeps it, and the axes that it gives values of
cells       a cell's life, a folder for each kind; lives: their table, which brings cells up
campaign    a recipe on this machine, with its cells; resuming
plan        what a campaign would do, and whether there is room for it
workspace   the folders in which its cells live
doctor      what about this machine devalues figures
session     fresh clones and processes for every cell, then rounds of slices
record      a slice as a row; emulation, disturbance: what its device and its machine did to it
progress    how far a campaign has come, also by an earlier run's rows, and what is left of it
loop        sessions until the estimates are tight enough, by the stop rule; what it says meanwhile
local       sessions on this machine; hosts: on others
"""
