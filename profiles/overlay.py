"""Applying a user's own engine settings to a profile: single ones, or those of a file.

The file is used unchanged: an OPTIONS file that RocksDB wrote, or the my.cnf of a server. What is
not taken from it is listed with the reason. The release under test reports the settings it knows.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Mapping
from pathlib import Path

from ..base.errors import UsageError, meant
from ..engines import ENGINES
from ..workload import Parameter
from . import options, ours, values
from .model import Profile, Settings

Known = Mapping[str, str]
"""The settings of a release: names mapped to the tables of a profile that contain them."""

_SERVER = "server"
_GROUP = re.compile(r"(mysqld|mariadb|mariadbd)(-[\d.]+)?|server|client-server")
"""The groups of a my.cnf that a server reads."""


def known_options(printed: str) -> Known:
    """Return the options that a release of RocksDB knows, from an OPTIONS file that it wrote."""
    tables = {options.table_of(title): found for title, found in options.read(printed).items()}
    return {name: table for table, found in tables.items() if table for name in found}


def known_variables(printed: str) -> Known:
    """Return the variables that a server knows, from its output of --verbose --help."""
    table = printed.partition("Value (after reading options)")[2]
    names = re.findall(r"^([a-z][a-z0-9-]+) ", table, re.MULTILINE)
    return dict.fromkeys((name.replace("-", "_") for name in names), _SERVER)


def with_settings(profile: Profile, settings: Mapping[str, str], known: Known) -> Profile:
    """Return the profile with these settings instead of its own in any table.

    Errors: UsageError for a setting that the release does not have, or that is decided elsewhere.
    """
    for name in settings:
        if why := _refusal(profile, known, name):
            raise UsageError(f"{name}: {why}")
    return _over(profile, settings, known)


def with_file(profile: Profile, path: Path, known: Known) -> tuple[Profile, int, list[str]]:
    """Return the profile with only a file's engine settings, how many those are, and what was left.

    Settings that it lacks have the release's defaults, except those that determine memory: caches
    and the log's bound. Errors: UsageError for a file that cannot be read or sets nothing.
    """
    on_server = ENGINES[profile.engine].on_server
    is_read = _GROUP.fullmatch if on_server else options.table_of
    try:
        text = path.read_text()
        sections = options.read(text)
    except (OSError, UnicodeDecodeError, configparser.Error) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    settings: dict[str, str] = {}
    left = [f"{line}: not read; name that file" for line in re.findall("^!include.*", text, re.M)]
    others = [title for title in sections if not is_read(title) and title != "Version"]
    if others:
        left.append(f"[{'], ['.join(others)}]: not read")
    pairs = [pair for title in filter(is_read, sections) for pair in sections[title].items()]
    for typed, value in pairs:
        name = typed.replace("-", "_").lower().removeprefix("loose_") if on_server else typed
        if why := _refusal(profile, known, name):
            left.append(f"{name}: {why}")
        else:
            settings[name] = value
    if not settings:
        form = "a my.cnf with settings of a server" if on_server else "an OPTIONS file of RocksDB"
        raise UsageError(f"{path}: found no setting of {profile.engine} to keep; name {form}")
    return _over(profile, settings, known, alone=True), len(settings), left


def _refusal(profile: Profile, known: Known, name: str) -> str:
    """Return why a setting cannot be had, or ""."""
    try:
        if ENGINES[profile.engine].on_server:
            ours.refuse_variables({name: ""})
        else:
            ours.refuse(ours.DB_OPTIONS | ours.CLASSES, {name: ""})
    except ValueError as error:
        return str(error).removeprefix(f"{name}: ")
    return "" if name in known else f"this release does not have it{meant(name, known)}"


def _value(text: str) -> Parameter:
    """Convert a value to TOML's types: a whole number, true or false, or text; 64K is 65536."""
    value = values.parse(text)
    return value if isinstance(value, int) else text


def _over(
    profile: Profile, settings: Mapping[str, str], known: Known, *, alone: bool = False
) -> Profile:
    """Return the profile with the settings in their tables, and in no others.

    They stand `alone` if nothing else is set but what determines memory.
    """
    engine = ENGINES[profile.engine]

    def left(table: Settings) -> Settings:
        kept = {engine.cache, engine.log_bound} if alone else table.keys()
        return {name: table[name] for name in table if name in kept and name not in settings}

    def changed(table: str, old: Settings) -> Settings:
        new = {name: _value(text) for name, text in settings.items() if known[name] == table}
        return {**left(old), **new}

    changes: dict[str, object] = {
        name: section.model_copy(
            update={table: left(getattr(section, table)) for table in ("column_family", _SERVER)}
        )
        for name, section in profile.sections.items()
    }
    if profile.rocksdb is None:
        changes[_SERVER] = changed(_SERVER, profile.server)
    else:
        tables = {t: changed(t, getattr(profile.rocksdb, t)) for t in options.TABLES.values()}
        changes["rocksdb"] = profile.rocksdb.model_copy(update=tables)
    return profile.model_copy(update=changes)
