"""Applying a user's own engine settings to a profile: single ones, or those of a file.

The file is used unchanged: an OPTIONS file that RocksDB wrote, Ceph's string of options for its
RocksDB, or the my.cnf of a server. A list says for each key whether it is kept, replaced by ours
and why, or unknown to the release under test, which reports the settings it knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as BadFile
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import UsageError, meant
from ..engines import ENGINES
from ..workload import Parameter
from . import options, ours
from .model import Profile
from .options import TABLES

Known = Mapping[str, str]
"""The settings of a release: names mapped to the tables of a profile that contain them."""

_SERVER = "server"
_LIMIT = "max_total_wal_size"  # which profiles have in MiB
_SUFFIXES = {"": 0, "k": 10, "m": 20, "g": 30, "t": 40}
# Options that name a class, the class in our programs, and why it must be that one.
_CLASSES = {
    "comparator": ("leveldb.BytewiseComparator", "keys are in the order of their bytes here"),
    "merge_operator": ("nullptr", "no workload merges values"),
    "compaction_filter": ("nullptr", "it would remove what the check looks for"),
    "compaction_filter_factory": ("nullptr", "it would remove what the check looks for"),
    "table_factory": ("BlockBasedTable", "tables are block based here"),
}
_GROUPS = ("mysqld", "mariadb", "mariadbd", "server", "client-server")  # a server reads these


@dataclass(frozen=True)
class Entry:
    """A key of a user's file and its fate, with the reason if it is not kept."""

    key: str
    value: str
    fate: str  # kept, replaced or unknown
    why: str = ""

    def __str__(self) -> str:
        return f"{self.fate:8} {self.key}" + (f": {self.why}" if self.why else f" = {self.value}")


def known_options(printed: str) -> Known:
    """Return the options that a release of RocksDB knows, from an OPTIONS file that it wrote."""
    kinds = options.read(printed)
    return {name: TABLES[kind] for kind, name in kinds if kind in TABLES}


def known_variables(printed: str) -> Known:
    """Return the variables that a server knows, from its output of --verbose --help."""
    table = printed.partition("Value (after reading options)")[2]
    names = re.findall(r"^([a-z][a-z0-9-]+) ", table, re.MULTILINE)
    return dict.fromkeys((name.replace("-", "_") for name in names), _SERVER)


def value(text: str) -> Parameter:
    """Convert a value to TOML's types: a number, true or false, or text; 64K is 65536."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if match := re.fullmatch(r"(-?\d+)([kmgt]?)", text, re.IGNORECASE):
        return int(match[1]) << _SUFFIXES[match[2].lower()]
    return text


def with_settings(profile: Profile, settings: Mapping[str, str], known: Known) -> Profile:
    """Return the profile with these settings instead of its own in any table.

    Errors: UsageError for a setting that the release does not have, or that is decided elsewhere.
    """
    for name, text in settings.items():
        entry = _judged(profile, known, name, text)
        if entry.fate != "kept":
            why = entry.why or f"this release does not have it{meant(name, known)}"
            raise UsageError(f"{name}: {why}")
    return _over(profile, settings, known)


def with_file(profile: Profile, path: Path, known: Known) -> tuple[Profile, list[Entry]]:
    """Return the profile with only a file's engine settings, and the fate of each key.

    Other settings have the release's defaults, except those that determine memory: caches and the
    log's bound. Errors: UsageError for a file that cannot be read or sets nothing.
    """
    try:
        text = path.read_text()
        on_server = ENGINES[profile.engine].on_server
        pairs = list(_of_server(text) if on_server else _of_rocksdb(text))
    except (OSError, UnicodeDecodeError, BadFile) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from error
    entries = [
        Entry(name, text, "replaced", why) if why else _judged(profile, known, name, text)
        for name, text, why in pairs
    ]
    kept = {entry.key: entry.value for entry in entries if entry.fate == "kept"}
    if not kept:
        form = "the my.cnf of a server" if on_server else "an OPTIONS file, or a=1,b=2"
        raise UsageError(f"{path}: found no setting of {profile.engine} to keep; name {form}")
    return _over(_bare(profile), kept, known), entries


def _judged(profile: Profile, known: Known, name: str, text: str) -> Entry:
    """Decide the fate of a setting."""
    try:
        if ENGINES[profile.engine].on_server:
            ours.refuse_variables({name: text})
        else:
            ours.refuse([name], ours.DB_OPTIONS - {_LIMIT})
    except ValueError as error:
        return Entry(name, text, "replaced", str(error).removeprefix(f"{name}: "))
    if name not in known:
        has = "MySQL has it; MariaDB's are " + " and ".join(sorted(ours.GROUP_COMMIT))
        return Entry(name, text, "unknown", has if name in ours.OF_MYSQL else "")
    if text != _CLASSES.get(name, (text, ""))[0]:
        return Entry(name, text, "replaced", _CLASSES[name][1])
    limit = 0 if profile.rocksdb is None else profile.rocksdb.max_total_wal_mb << 20
    if name == _LIMIT and value(text) not in range(1, limit + 1):
        why = f"memory is planned for the {limit:,} bytes that max_total_wal_mb under [rocksdb] has"
        return Entry(name, text, "replaced", why)
    return Entry(name, text, "kept")


def _over(profile: Profile, settings: Mapping[str, str], known: Known) -> Profile:
    """Return the profile with the settings in their tables, and removed from all sections."""
    values = {name: value(text) for name, text in settings.items()}
    limit = values.pop(_LIMIT, None)
    changes: dict[str, object] = {
        name: section.model_copy(
            update={
                table: {
                    key: own for key, own in getattr(section, table).items() if key not in values
                }
                for table in ("column_family", _SERVER)
            }
        )
        for name, section in profile.sections.items()
    }
    if profile.rocksdb is None:
        return profile.model_copy(update={**changes, _SERVER: {**profile.server, **values}})
    tables: dict[str, object] = {
        table: getattr(profile.rocksdb, table)
        | {name: new for name, new in values.items() if known[name] == table}
        for table in TABLES.values()
    }
    if limit is not None:
        tables["max_total_wal_mb"] = max(1, int(limit) >> 20)
    changes["rocksdb"] = profile.rocksdb.model_copy(update=tables)
    return profile.model_copy(update=changes)


def _bare(profile: Profile) -> Profile:
    """Return the profile without engine settings, except those that determine memory."""
    empty: dict[str, object] = {"column_family": {}, _SERVER: {}}
    changes: dict[str, object] = {
        name: section.model_copy(update=empty) for name, section in profile.sections.items()
    }
    if profile.rocksdb is not None:
        nothing: dict[str, object] = {table: {} for table in TABLES.values()}
        changes["rocksdb"] = profile.rocksdb.model_copy(update=nothing)
    else:
        engine = ENGINES[profile.engine]
        sizes = {engine.cache, engine.log_bound} & profile.server.keys()
        changes[_SERVER] = {name: profile.server[name] for name in sizes}
    return profile.model_copy(update=changes)


def _parsed(text: str, *inline_comments: str) -> ConfigParser:
    parser = ConfigParser(
        delimiters=("=",),
        comment_prefixes=("#", ";"),
        inline_comment_prefixes=inline_comments,
        strict=False,
        allow_no_value=True,
        interpolation=None,
    )
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(text)
    return parser


def _of_rocksdb(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, value and reason for replacement, from an OPTIONS file or a string of options.

    Only the options of the column family "default" are used, for all families of a workload.
    """
    if "[DBOptions]" not in text and "[CFOptions" not in text:
        yield from _of_string(text)
        return
    parser = _parsed(text)
    for section in parser.sections():
        kind, _, family = section.partition(" ")
        if kind not in TABLES and not kind.startswith("TableOptions"):
            continue
        if family not in ("", '"default"'):
            if kind == "CFOptions":
                yield family, "", 'each column family takes the options of "default"'
        elif kind not in TABLES:
            yield f"[{section}]", "", _CLASSES["table_factory"][1]
        else:
            yield from ((name, given or "", "") for name, given in parser.items(section))


def _of_string(text: str) -> Iterator[tuple[str, str, str]]:
    """Parse `a=1,b={c=2;d=3}`, also as the value of bluestore_rocksdb_options in a ceph.conf."""
    match = re.search(r"^\s*\w*rocksdb[ _]options\s*=\s*(.+)$", text, re.MULTILINE)
    for pair in re.split(r"[,;\n](?![^{]*\})", match[1] if match else text):
        name, is_pair, given = pair.strip().strip('"').partition("=")
        if is_pair and re.fullmatch(r"\w+", name.strip()):
            yield name.strip(), given.strip(), ""


def _of_server(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the settings in those groups of a my.cnf that a server reads."""
    lines = text.splitlines()
    yield from ((line, "", "name that file") for line in lines if line.startswith("!include"))
    parser = _parsed("\n".join(line for line in lines if not line.startswith("!")), "#")
    for group in parser.sections():
        if group in _GROUPS or re.fullmatch(r"(mysqld|mariadb|mariadbd)-[\d.]+", group):
            for name, given in parser.items(group):
                plain = name.strip().replace("-", "_").lower().removeprefix("loose_")
                yield plain, "true" if given is None else given.strip().strip("'\""), ""
