"""Profiles: the size and duration of an experiment, and the engine's settings."""

from .model import Profile, load, names, resized
from .options import options_file, require_kept, written_options

__all__ = [
    "Profile",
    "load",
    "names",
    "options_file",
    "require_kept",
    "resized",
    "written_options",
]
