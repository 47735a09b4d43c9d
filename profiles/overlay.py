"""Applying a user's own engine settings to a profile.

The release under test reports the settings it knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..base.errors import UsageError, meant
from ..engines import ENGINES
from ..workload import Parameter
from . import options, ours, values
from .model import Profile, Settings

Known = Mapping[str, str]
"""The settings of a release: names mapped to the tables of a profile that contain them."""

_SERVER = "server"


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

    def left(table: Settings) -> Settings:
        return {name: value for name, value in table.items() if name not in settings}

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
