"""Profiles: how large an experiment is, how long it runs, how the engine is set."""

from .model import Profile
from .read import load, names
from .render import options_file

__all__ = ["Profile", "load", "names", "options_file"]
