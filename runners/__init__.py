"""Campaigns: cells that take turns, measured until the comparison is tight or the time is spent.

recipe      what a user asked for, how a campaign keeps it, and the axes that it gives values of
matrix      the cells of a recipe
cells       a cell's life, a folder for each kind; lives: their table
campaign    what is fixed for a campaign; resuming
plan        what a campaign would do, and whether there is room for it
workspace   the folders in which its cells live
bring_up    its cells, brought up and removed at the end
session     fresh clones and processes for every cell, then rounds of slices
evidence    what must be true of a slice before its row is accepted
record      a slice as a row; emulation: what is to be said of one whose device was emulated
progress    how far a campaign has come, and what is left of it
loop        sessions until the estimates are tight enough
screen      how a running campaign looks
serving     a server that only serves
folders     the options that say where things are kept
"""
