"""Reading profiles strictly from TOML."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import workloads
from ..base import tomlfile
from ..base.errors import UsageError, meant
from ..engines import EMBEDDED, ENGINES
from .model import FOLDER, Profile, Sized


def names(engine: str = EMBEDDED) -> list[str]:
    """Return the sizes in this folder for an engine: NAME.toml, or ENGINE-NAME.toml."""
    engine = ENGINES[engine].store
    if engine != EMBEDDED:
        paths = FOLDER.glob(f"{engine}-*.toml")
        return sorted(path.stem.removeprefix(f"{engine}-") for path in paths)
    stems = (path.stem for path in FOLDER.glob("*.toml"))
    return sorted(stem for stem in stems if stem.partition("-")[0] not in ENGINES)


def load(name: str, engine: str = EMBEDDED) -> Profile:
    """Read a profile by the name of its size, or a user's TOML file by path.

    Errors: UsageError naming the file, the key, what was found and what is accepted.
    """
    if ENGINES[engine].elsewhere or ENGINES[engine].is_program:
        engine = EMBEDDED  # they share its sizes; their owners take care of the settings
    engine = ENGINES[engine].store
    path = _path(name, engine)
    content = tomlfile.read_bytes(path)
    table = tomlfile.parse(path, content)
    for key in sorted({"digest", "path"} & table.keys()):
        raise UsageError(f"{path}: {key}: unknown key; it is computed from the file")
    profile = _validated(path, table, content, engine)
    return profile.model_copy(update={"path": str(path)})


def resized(table: Mapping[str, Any], engine: str) -> Profile:
    """Return the profile that a recipe holds because a study made it of another. Errors: as `load`.

    Its digest is that of its content.
    """
    content = json.dumps(table, sort_keys=True).encode()
    return _validated(Path(str(table.get("name"))), table, content, ENGINES[engine].store)


def _validated(path: Path, table: Mapping[str, Any], content: bytes, engine: str) -> Profile:
    profile = tomlfile.validate(path, table, Sized)
    _require_usable(path, profile, engine)
    return profile.model_copy(update={"digest": hashlib.sha256(content).hexdigest()[:12]})


def _path(name: str, engine: str) -> Path:
    if name.endswith(".toml") and Path(name).is_file():
        return Path(name)
    if name in names(engine):
        return FOLDER / (f"{name}.toml" if engine == EMBEDDED else f"{engine}-{name}.toml")
    of = "" if engine == EMBEDDED else f" with --engine {engine}"
    of += ", which is no file" if name.endswith(".toml") else ""
    files = "*" if engine == EMBEDDED else f"{engine}-*"
    raise UsageError(
        f"--profile: found {name!r}{of}; one of {', '.join(names(engine))} "
        f"(profiles/{files}.toml), or the path of a TOML file of yours{meant(name, names(engine))}"
    )


def _require_usable(path: Path, profile: Profile, engine: str) -> None:
    """Raise UsageError for a name that is taken, another engine, or nothing to measure."""
    if path.parent != FOLDER and profile.name in names(engine):
        raise UsageError(
            f"{path}: name: found {profile.name!r}, which is a shipped profile's; choose another"
        )
    if profile.engine != engine:
        raise UsageError(
            f"{path}: engine: found {profile.engine!r} with --engine {engine}; type "
            f"--engine {profile.engine}, or another --profile"
        )
    if not profile.sections:
        tables = " or ".join(f"[{name}]" for name in workloads.DEFAULT)
        raise UsageError(f"{path}: found no workload; add {tables}, as in profiles/quick.toml")
