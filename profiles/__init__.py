"""Profiles: how large an experiment is, how long it runs, how the engine is set."""

from .model import Profile
from .options import options_file
from .read import load, names

__all__ = ["Profile", "load", "names", "options_file"]
