"""A program of the user's as a workload; its cells are in runners/cells/command."""
