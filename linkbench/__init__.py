"""The LinkBench workload: its driver's command lines, and the original's own command line."""

from .argv import load_argv, run_argv

__all__ = ["load_argv", "run_argv"]
