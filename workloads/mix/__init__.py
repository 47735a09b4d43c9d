"""Workloads that a TOML file describes, which the program `mix` runs."""
