"""Campaigns: data sets and clones, driver processes, sessions of interleaved slices.

campaign    sessions until the estimates are tight enough; resuming; the lock
session     fresh clones and processes for every cell, then rounds of slices
live        one cell come alive: its clone, WAL directory, tap page and driver
evidence    what must be true of a slice before its row is accepted
record      a slice as a row
dataset, waldir, process, machine, plan    what those stand on
"""
