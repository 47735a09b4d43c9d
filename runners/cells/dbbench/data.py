"""Describe db_bench's data: their size, and the data sets that it loads itself."""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import dataclass
from pathlib import Path

from ....base.errors import UsageError, WaltaxError
from ....profiles import Profile, options_file
from ....workloads.dbbench import argv
from ....workloads.dbbench.argv import Run
from ....workloads.dbbench.sizes import Size, size
from ....workloads.dbbench.workload import bench_of
from ..data_set import DATADIR, LAYOUT, LOAD_SEED, being_made, is_complete, keep
from ..life import Say
from . import output, program

# A closing database without a log would flush what it holds, and that would count as a part of the
# run, only in the cells without a WAL.
OPTIONS = {"avoid_flush_during_shutdown": True}
_LOAD = ("num", "key_size", "value_size")
_A_MEBIBYTE_S = 10.0  # the slowest load that we wait for


@dataclass(frozen=True)
class Data:
    """The number and size of keys; `named` is the part of a data set's name that gives them."""

    entries: int
    size: Size
    named: str

    @property
    def raw_mib(self) -> float:
        return self.entries * self.size.pair_bytes / 2**20


def data(profile: Profile, workload: str, size_name: str) -> Data:
    """Return what a cell's `size` is in this profile. Errors: UsageError for impossible sizes."""
    load = profile.workload(workload).load
    wrong = sorted(set(load) ^ set(_LOAD))
    if wrong or not all(isinstance(value, int) and value > 0 for value in load.values()):
        raise UsageError(
            f"{profile.path}: dbbench.load: {', '.join(wrong) or 'values'}: found {dict(load)}; it "
            f"takes {', '.join(_LOAD)}, each a whole number above 0"
        )
    entries, key, value = (int(load[name]) for name in _LOAD)
    name = size_name or f"k{key}-v{value}"
    return Data(entries, size(name), name)


def prepare(
    profile: Profile, workload: str, size_name: str, data_root: Path, say: Say
) -> Path | None:
    """Return a database that db_bench filled; load it unless it exists.

    It has every key once, in order, not compacted: no level overlaps another, and each read of the
    whole range finds its key. None for a benchmark that fills its own. Errors: WaltaxError; then
    nothing is kept.
    """
    bench = bench_of(workload)
    if bench in argv.FILLS:
        return None
    what = data(profile, workload, size_name)
    path = data_root / "sets" / _key(profile, workload, what)
    if not is_complete(path):
        _load(profile, workload, what, path, say)
    return path / DATADIR


def _key(profile: Profile, workload: str, what: Data) -> str:
    """Return a name that is equal for equal data, whatever the profile is called."""
    embedded = profile.embedded
    column_family = {**embedded.column_family, **profile.workload(workload).column_family}
    flags = dict(what.size.flags)
    layout = [LAYOUT, column_family, embedded.table, flags, LOAD_SEED, program.find().version]
    digest = hashlib.sha256(json.dumps(layout, sort_keys=True).encode()).hexdigest()[:10]
    return f"dbbench-{what.named}-n{what.entries}-{digest}"


def _load(profile: Profile, workload: str, what: Data, path: Path, say: Say) -> None:
    with being_made(path) as partial:
        options = partial.parent / "load.options"
        options.write_text(options_file(profile, workload, added=OPTIONS))
        run = Run(
            "fillseq", partial / DATADIR, options, what.size, what.entries, 1, LOAD_SEED, 8, "off"
        )
        say(f"loading {what.named}: {what.entries:,} keys, {what.raw_mib:,.0f} MiB, by db_bench")
        words = argv.load_argv(program.find().path, run)
        within_s, log = 60 + what.raw_mib / _A_MEBIBYTE_S, partial.parent / "load"
        ended = program.run(shlex.join(words), {}, log, within_s, partial)
        _require_all(what, output.parse(ended.output, "fillseq"))
        keep(partial, {"argv": words})


def _require_all(what: Data, result: output.Result) -> None:
    written = result.tickers["rocksdb.number.keys.written"]
    if written != what.entries:
        raise WaltaxError(
            f"db_bench: loading {what.named}: {what.entries:,} keys were asked for and "
            f"{written:,} were written"
        )
