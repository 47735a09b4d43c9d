"""Servers for the programs of others, placed as a cell's server is."""
