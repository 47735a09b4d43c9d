"""Campaigns: data sets and clones, driver processes, sessions of interleaved slices.

loop        sessions until the estimates are tight enough
campaign    what is fixed for a campaign; resuming; kept: what it keeps of itself for that
workspace   the folders in which its cells live while they are alive
session     fresh clones and processes for every cell, then rounds of slices
progress    how far a campaign has come, and what is left of it
live        one cell come alive: its clone, WAL directory, tap page and driver
evidence    what must be true of a slice before its row is accepted
record      a slice as a row
workloads   what must be known of LinkBench and of TPC-C; nothing else here does
typed       what a person typed as one text that names several things
dataset, waldir, process, machine, plan    what those stand on
"""
