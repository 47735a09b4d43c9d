"""Profiles: the size and duration of an experiment, and the engine's settings."""

from .model import Profile
from .options import left_out, options_file, require_kept, written_options
from .read import load, names, resized

__all__ = [
    "Profile",
    "left_out",
    "load",
    "names",
    "options_file",
    "require_kept",
    "resized",
    "written_options",
]
