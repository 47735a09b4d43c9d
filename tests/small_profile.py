"""A profile of the tree whose data sets take a second to load and to check."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from waltax.profiles.model import FOLDER, Disturbed, Profile

# Nothing that goes on beside a test disturbs its slices: they count, and none is measured again.
UNDISTURBED = Disturbed(
    foreign_cpu_share=1e6,
    steal_share=1e6,
    memory_pressure_share=1e6,
    throttled_share=1e6,
    pause_s=1e6,
)
_SMALL = {"maxid1": 2001, "degree_cap": 50, "warehouses": 1}
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


def written(profile: Profile, folder: Path) -> Path:
    """A profile as a file of its name, for --profile. TOML reads JSON's scalars."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{profile.engine}-{profile.name}.toml"
    path.write_text(toml(profile.model_dump(exclude_none=True)))
    return path


def toml(table: dict[str, Any], prefix: str = "") -> str:
    named = {
        key if key.replace("-", "_").isidentifier() else json.dumps(key): table[key]
        for key in table
    }
    lines = [f"{k} = {json.dumps(v)}\n" for k, v in named.items() if not isinstance(v, dict)]
    inner = {f"{prefix}{k}": v for k, v in named.items() if isinstance(v, dict)}
    return "\n".join(["".join(lines), *(f"[{k}]\n{toml(v, f'{k}.')}" for k, v in inner.items())])
