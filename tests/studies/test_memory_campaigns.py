"""Campaigns within a bound of memory: what is planned, and what is refused before it is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from waltax import cli
from waltax.base.errors import UsageError
from waltax.runners import campaign
from waltax.studies.devices import RUN
from waltax.studies.request import Request


def _request(folder: Path, memory: tuple[str, ...], **more: Any) -> Request:
    told = {"profile": "memory", "workloads": ("ycsb-a",), "devices": ("nvme",)} | more
    told["axes"] = {"memory": memory}
    told |= {"results": folder / "results", "data_dir": folder / "data", "own": {"endpoints": ()}}
    return Request(**told)


def test_each_ratio_is_a_campaign_with_data_so_large(tmp_path: Path) -> None:
    request = _request(tmp_path, ("128:0.25", "128:2.5"))
    small, large = RUN.campaigns(request)
    assert small.profile.workload("ycsb-a").data_mb == 33
    assert large.profile.workload("ycsb-a").data_mb == 319
    assert large.profile.workload("ycsb-a").load["scale"] == pytest.approx(320 / 113, rel=0.02)
    assert large.profile.name == "memory-d128-r2.5"
    assert large.profile.embedded.block_cache_mb == 48
    assert large.profile.embedded.db["use_direct_reads"] is True
    # RocksDB's 2 MiB for each input of a compaction would be beside the bound.
    assert large.profile.embedded.db["compaction_readahead_size"] == 256 << 10
    large.save()
    again = campaign.resume(large.folder, None)
    assert again.recipe.axes == large.recipe.axes == {"memory": ("128:2.5",)}


@pytest.mark.parametrize("engine", ["myrocks", "innodb"])
def test_a_server_is_told_to_go_past_the_page_cache(engine: str, tmp_path: Path) -> None:
    request = _request(tmp_path, ("1024:0.5",), engine=engine, profile="ci")
    (only,) = RUN.campaigns(request)
    told = only.profile.server_settings("ycsb-a")
    direct = {"myrocks": "rocksdb_use_direct_reads", "innodb": "innodb_flush_method"}
    cache = {"myrocks": "rocksdb_block_cache_size", "innodb": "innodb_buffer_pool_size"}
    assert direct[engine] in told
    assert 500 < int(str(told[cache[engine]]).removesuffix("M")) < 1024


def test_without_a_ratio_the_data_is_the_profile_s(tmp_path: Path) -> None:
    (only,) = RUN.campaigns(_request(tmp_path, ("226:0",)))
    assert only.recipe.axes == {"memory": ("226:0.5",)}
    assert only.profile.workload("ycsb-a").load["scale"] == 1


@pytest.mark.parametrize(
    ("memory", "more", "words"),
    [
        ("0:2.5", {}, "--ratio: found without --memory, .*--memory 1GiB"),
        ("40:2.5", {}, "--memory: found 40 MiB, .*type --memory 88MiB"),
        (
            "1024:0",
            {"profile": "quick", "workloads": ("tpcc",)},
            "--memory: found with workload tpcc, .*type --workload with one of linkbench",
        ),
    ],
)
def test_what_cannot_be_bounded_is_refused(
    memory: str, more: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=words):
        RUN.campaigns(_request(tmp_path, (memory,), **more))


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--memory", "1"), "--memory: found '1'; type a size in MiB or GiB"),
        (("--memory", "lots"), "--memory: found 'lots'"),
        (("--memory", "0MiB"), "--memory: found '0MiB'"),
        (("--memory", "1GiB", "--ratio", "half"), "--ratio: found 'half'; one or more numbers"),
        (("--memory", "1GiB", "--ratio", "2 0"), "--ratio: found '2 0'"),
        (("--memory", "1GiB", "--ratio", ""), "--ratio: found ''"),
    ],
)
def test_what_is_no_size_and_no_ratio_is_refused(flags: tuple[str, ...], words: str) -> None:
    done = CliRunner().invoke(cli.cli, ["run", "--plan", *flags])
    assert words in str(done.exception)
