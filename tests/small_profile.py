"""A profile of the tree whose data sets take a second to load and to check."""

from __future__ import annotations

import re
from pathlib import Path

from waltax.profiles.model import FOLDER

_SMALL = {"maxid1": 2001, "degree_cap": 500, "warehouses": 1}
_SIZES = re.compile(rf"^({'|'.join(_SMALL)}) = \d+$", re.MULTILINE)


def small_profile(folder: Path, engine: str = "rocksdb") -> Path:
    """The engine's `ci`, as `mine.toml` in the folder.

    A state of TPC-C takes a second and more to be checked, of LinkBench a blink.
    """
    name = "ci.toml" if engine == "rocksdb" else f"{engine}-ci.toml"
    text = (FOLDER / name).read_text().replace('name = "ci"', 'name = "mine"')
    path = folder / "mine.toml"
    path.write_text(_SIZES.sub(lambda size: f"{size[1]} = {_SMALL[size[1]]}", text))
    return path
