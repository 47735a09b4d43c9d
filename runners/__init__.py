"""Campaigns: data sets and clones, driver processes, sessions of interleaved slices.

campaign    sessions until the estimates are tight enough; resuming; the lock
session     fresh clones and processes for every cell, then rounds of slices
progress    how far a campaign has come, and what is left of it
live        one cell come alive: its clone, WAL directory, tap page and driver
evidence    what must be true of a slice before its row is accepted
record      a slice as a row
workloads   what must be known of LinkBench and of TPC-C; nothing else here does
dataset, waldir, process, machine, plan    what those stand on
"""
