"""The errors waltax raises: each names the flag or file, what was found, what to do instead."""

from __future__ import annotations


class WaltaxError(Exception):
    """A run that failed. The command line prints it in one line and exits with `exit_code`."""

    exit_code = 1


class UsageError(WaltaxError):
    """Something the user typed or wrote (flag, TOML, directory) cannot be used."""

    exit_code = 2
