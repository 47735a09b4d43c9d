"""A plan asks the programs that shall take a profile's settings, and names the user's file."""

from __future__ import annotations

from pathlib import Path

import pytest
from sweeping import Said, said
from waltax import profiles
from waltax.studies import frame


def _mine(folder: Path, shipped: str, section: str, line: str) -> Path:
    """A shipped profile under another name, with a line more in a section."""
    text = (profiles.model.FOLDER / f"{shipped}.toml").read_text()
    head, name, rest = text.partition("name = ")
    text = f'{head}{name}"mine"\n{rest.partition(chr(10))[2]}'
    table = f"[{section}]\n"
    text = text.replace(table, table + line + "\n") if table in text else f"{text}\n{table}{line}\n"
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def _plan(folder: Path, *words: object, command: str = "run") -> Said:
    return said(
        frame.command(command),
        *("--plan", f"--results={folder}/results", f"--data-dir={folder}/data", *words),
    )


@pytest.mark.parametrize(
    ("workload", "section", "line", "words"),
    [
        ("kv-fillrandom", "mix.run", "nosuch = 1", "found an unknown flag, want one of: --"),
        ("linkbench", "linkbench.run", "requestrate = 10", "found an unknown flag, want "),
        ("tpcc", "tpcc.run", "terminal = 8", "found an unknown flag, want one of: --"),
        ("kv-2pc", "rocksdb.flags", "rate = -1", 'found "-1", want a number from '),
        ("kv-2pc", "rocksdb.db", "use_direct_io_for_wal = true", "RocksDB cannot read (Inva"),
        ("tpcc", "tpcc.column_family", "compresion = 1", "RocksDB cannot read (Invalid arg"),
        (
            "linkbench",
            "rocksdb.db",
            "recycle_log_file_num = 4",
            "found recycle_log_file_num=4 with ",
        ),
        ("ycsb-a", "rocksdb.db", 'max_open_files = "two"', "RocksDB cannot read (Invalid "),
        ("ycsb-a", "rocksdb.db", "unordered_write = true", "found unordered_write=true, want "),
    ],
)
def test_a_setting_that_a_program_refuses_is_refused_by_the_plan(
    tmp_path: Path, workload: str, section: str, line: str, words: str
) -> None:
    path = _mine(tmp_path, "ci", section, line)
    done = _plan(tmp_path, "--device=nvme", f"--workload={workload}", f"--profile={path}")
    assert done.code == 2, done.text
    assert f"{path}: {section}: {line.split()[0]}: {words}" in done.flowing
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("engine", "section", "line", "words"),
    [
        ("innodb", "server", "innodb_nosuch = 1", "unknown variable '"),
        ("myrocks", "server", "max_connexions = 1", "unknown variable '"),
        ("myrocks", "tpcc.server", 'rocksdb_block_size = "x"', "Unknown suffix 'x' used "),
        ("innodb", "tpcc.run", "nosuch = 1", "found an unknown flag, want one of: --"),
        (
            *("myrocks", "server", 'rocksdb_write_policy = "write_prepared"'),
            "set by waltax for each cell; leave it out",
        ),
        (
            *("innodb", "server", "innodb_buffer_pool_instances = 8"),
            "'innodb-buffer-pool-instances' was removed.",
        ),
        (
            *("innodb", "server", "innodb_lru_scan_depth = 1"),
            "option 'innodb-lru-scan-depth': unsigned value 1 adjusted to 100",
        ),
    ],
)
def test_so_is_one_that_a_server_refuses_or_that_no_count_of_commits_could_follow(
    tmp_path: Path, engine: str, section: str, line: str, words: str
) -> None:
    path = _mine(tmp_path, f"{engine}-ci", section, line)
    asked = ("--device=nvme", "--workload=tpcc", f"--engine={engine}", f"--profile={path}")
    done = _plan(tmp_path, *asked)
    assert done.code == 2, done.text
    assert f"{path}: {section}: {line.split()[0]}: {words}" in done.flowing


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("redis://:secret@127.0.0.1:1", "--endpoint: found a user or a password"),
        ("redis://127.0.0.1:99999", "--endpoint: found redis://127.0.0.1:99999, want redis:///"),
    ],
)
def test_an_endpoint_that_the_run_refuses_is_refused_by_the_plan_and_no_secret_is_repeated(
    tmp_path: Path, url: str, words: str
) -> None:
    off = "--endpoint=off=redis:///nowhere/b.sock"
    done = _plan(tmp_path, "--workload=ycsb-a", f"--endpoint=delayed={url}", off)
    assert done.code == 2, done.text
    assert words in done.flowing.replace('"', "")
    assert "secret" not in done.text


@pytest.mark.parametrize(
    ("workload", "section", "line", "words"),
    [
        (
            "kv-fillrandom",
            "rocksdb.db",
            "max_open_files = 5",
            "asked for 5, but RocksDB made it 20",
        ),
        (
            "tpcc",
            "tpcc.column_family",
            "level0_slowdown_writes_trigger = 1",
            "but RocksDB made it 8",
        ),
    ],
)
def test_what_rocksdb_takes_back_is_refused_by_the_plan(
    tmp_path: Path, workload: str, section: str, line: str, words: str
) -> None:
    path = _mine(tmp_path, "ci", section, line)
    done = _plan(tmp_path, "--device=nvme", f"--workload={workload}", f"--profile={path}")
    assert done.code == 2, done.text
    assert f"{path}: {section}: {line.partition(' =')[0]}: " in done.flowing
    assert words in done.flowing


@pytest.mark.parametrize("workload", ["kv-fillrandom", "ycsb-a", "shop"])
def test_a_knob_that_our_programs_refuse_is_in_no_plan_of_theirs(
    tmp_path: Path, workload: str
) -> None:
    asked = ("--device=nvme", f"--workload={workload}", "--profile=ci")
    done = _plan(tmp_path, *asked, command="sweep knobs")
    assert done.code == 0, done.text
    assert "pipelined-write" in done.text
    assert "unordered" not in done.text


@pytest.mark.parametrize(
    ("command", "engine", "words"),
    [
        ("run", "myrocks-shards", "add --workload ycsb-a"),
        ("run", "rocksdb-shards", "add --workload ycsb-a"),
    ],
)
def test_a_default_that_was_never_typed_is_no_part_of_a_refusal(
    tmp_path: Path, command: str, engine: str, words: str
) -> None:
    done = _plan(tmp_path, f"--engine={engine}", command=command)
    assert done.code == 2
    assert words in done.flowing
    assert "found linkbench" not in done.flowing


def test_a_server_has_a_size_of_its_own_where_none_was_typed(tmp_path: Path) -> None:
    done = _plan(tmp_path, "--engine=myrocks", command="sweep threads")
    assert "--profile" not in done.text
    assert "myrocks-linkbench-sweep-off-off-t1 " in done.text
