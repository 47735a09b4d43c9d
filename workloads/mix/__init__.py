"""Workloads that a TOML file describes, which the program `mix` runs."""

ROWS = 3
"""What a change of how rows are made must increase: they are loaded anew."""
