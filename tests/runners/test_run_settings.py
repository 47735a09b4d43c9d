"""Campaigns over an axis of settings: --set, --options, and an axis that is made up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from waltax import axes as facts
from waltax.base.errors import UsageError
from waltax.cell import Cell
from waltax.profiles import Profile
from waltax.runners import campaign
from waltax.runners.campaign import Recipe
from waltax.runners.cells.setting import Setting
from waltax.runners.recipe import axes, campaign_file
from waltax.runners.recipe.axes.axis import Axis
from waltax.runners.workspace import workspace

Tiny = Callable[..., Path]


def _cells(done: Any) -> list[str]:
    """The cells of a plan, as it prints them."""
    assert done.returncode == 0, done.stderr
    return re.findall(r"^  rocksdb-linkbench-quick-(\S+)", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["--set=use_fsync=true"], ["", "-use_fsync=true"]),
        (["--set=bytes_per_sync=1,2"], ["-bytes_per_sync=1", "-bytes_per_sync=2"]),
        (
            ["--set=bytes_per_sync=1,2 use_fsync=true"],
            [f"-bytes_per_sync={n},use_fsync=true" for n in (1, 2)],
        ),
        (["--set=bytes_per_sync=1", "--set=bytes_per_sync=1"], ["", "-bytes_per_sync=1"]),
    ],
)
def test_each_combination_has_cells_and_one_that_is_alone_stands_beside_the_profile(
    waltax: Any, words: list[str], values: list[str]
) -> None:
    found = _cells(waltax.run("--plan", *words))
    assert found == [f"{at}-t4{value}" for value in values for at in ("off-off", "nvme-sync")]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--set=bytes_per_sync"], "--set: found 'bytes_per_sync'; type an option and its values"),
        (["--set=a=x y"], "--set: found 'y'; type an option and its values"),
        (
            ["--set=use_fsnyc=1"],
            "--set: use_fsnyc: this release does not have it; did you mean use",
        ),
        (["--set=use_fsync=maybe"], "quick.toml with --set use_fsync=maybe: rocksdb.db: use_fsync"),
        (["--options=x"], "--options: found 'x'; type a label and a file"),
        (["--options=old=/none"], "--options: old: /none: found no such file"),
        (["--set=use_fsync=1", "--endpoint=off=redis://h"], "--set: found with --endpoint, whose"),
    ],
)
def test_what_cannot_be_is_refused_in_the_plan(waltax: Any, words: list[str], why: str) -> None:
    done = waltax.run("--plan", *words)
    assert done.returncode == 2
    assert why in done.stderr


@pytest.mark.drawn
def test_two_values_take_turns_and_are_compared_within_their_rounds(
    waltax: Any, tiny: Tiny
) -> None:
    profile = tiny(time_budget_s=0.01)
    done = waltax.run("--profile", profile, "--set", "wal_bytes_per_sync=0,64K", "--seed", 7)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = waltax.rows()
    values = ("wal_bytes_per_sync=0", "wal_bytes_per_sync=64K")
    assert {row["set"] for row in rows} == set(values)
    assert {row["status"] for row in rows} == {"ok"}
    assert len({row["profile_digest"] for row in rows}) == 2
    cell = f"rocksdb-linkbench-tiny-nvme-sync-t2-{values[1]}"
    told = (waltax.folder() / f"{cell}.options").read_text()
    assert "wal_bytes_per_sync=65536" in told
    report = json.loads((waltax.folder() / "settings.json").read_text())
    pairs = [
        (*each["group"].values(), line["device"])
        for each in report["sweeps"]
        for line in each["points"]
    ]
    assert pairs == [(*values, "off"), (*values, "nvme")]
    assert "set wal_bytes_per_sync=64K against wal_bytes_per_sync=0: " in done.stdout
    html = (waltax.folder() / "report.html").read_text()
    assert "--set wal_bytes_per_sync=0,64K --seed 7" in html


def test_a_file_is_compared_with_the_profile_and_resumed_only_as_it_was(
    waltax: Any, tiny: Tiny, tmp_path: Path
) -> None:
    options = tmp_path / "OPTIONS-000007"
    options.write_text('[DBOptions]\n  use_fsync=true\n  wal_dir=/x\n[CFOptions "default"]\n')
    words = ("--options", f"old={options}", "--profile", tiny(time_budget_s=0.01))
    done = waltax.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"options old: {options}: settings taken: 1, but not" in done.stdout
    assert "  wal_dir: set by waltax itself; type --wal-dir" in done.stdout
    assert {row["options"] for row in waltax.rows()} == {"", "old"}
    assert "options old against profile: " in done.stdout
    options.write_text("[DBOptions]\n  use_fsync=false\n")
    again = waltax.run("--resume", waltax.folder())
    assert again.returncode == 2
    assert "a file of --options has changed since it began" in again.stderr


def test_a_variable_of_a_server_is_told_to_it_and_shown_by_it(served: Any, tiny_of: Any) -> None:
    profile = tiny_of("innodb", min_sessions="1")
    words = ("--engine=innodb", "--profile", profile, "--device=nvme", "--wal=sync")
    done = served.run(*words, "--set=innodb_flush_method=fsync,O_DSYNC")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = served.rows()
    assert {row["set"].partition("=")[2] for row in rows} == {"fsync", "O_DSYNC"}
    for row in rows:
        value = row["set"].partition("=")[2]
        told = (served.folder() / f"{row['cell']}.cnf").read_text()
        assert f"innodb_flush_method = {value}\n" in told
        # By O_DSYNC each write of the log is its sync.
        assert row["tap_synced_writes"] == (row["tap_syncs"] if value == "O_DSYNC" else 0)


class _Caches(Axis):
    """A made-up axis: the block cache in MiB."""

    name = "cache"
    options = (click.option("--cache", multiple=True),)

    def values(self, recipe: Recipe) -> Sequence[str]:
        return self.of(recipe)

    def require(self, recipe: Recipe) -> None:
        for value in self.values(recipe):
            if not value.isdecimal():
                raise UsageError(f"--cache: found {value!r}; type whole MiB")

    def profile(self, profile: Profile, cell: Cell, _recipe: Recipe) -> Profile:
        sized = profile.embedded.model_copy(update={"block_cache_mb": int(cell.axes["cache"])})
        return profile.model_copy(update={"rocksdb": sized})

    def describe(self, _profile: Profile, cell: Cell, _recipe: Recipe) -> list[str]:
        return [f"cache: {cell.axes['cache']} MiB"]

    def place(self, setting: Setting, _memory: Path) -> Mapping[str, str]:
        return {"CACHE": setting.cell.axes["cache"]}


def test_an_axis_is_a_module_and_an_entry_in_two_tables(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(facts.AXES, "cache", facts.Axis("cache", "MiB", has_baselines=True))
    monkeypatch.setitem(axes.TABLE, "cache", _Caches())
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",), axes={"cache": ("8", "16")})
    planned = campaign.new(recipe, tmp_path / "results", tmp_path)
    sizes = {cell.id: planned.profile_of(cell).embedded.block_cache_mb for cell in planned.cells}
    assert {name[-3:]: mib for name, mib in sizes.items()} == {"4-8": 8, "-16": 16}
    assert list(axes.words(planned)) == ["cache: 8 MiB", "cache: 16 MiB"]
    assert list(axes.options("cache")) == [*_Caches.options]
    typed = {"cache": ("8", "16"), "profile": "quick"}
    assert (axes.read(typed), typed) == ({"cache": ("8", "16")}, {"profile": "quick"})
    with workspace(planned) as placed:
        setting = axes.at_work(placed, placed.setting(placed.cells[-1], None, 0))
        assert setting.place(tmp_path)["CACHE"] == "16"
    with pytest.raises(UsageError, match="--cache: found 'x'; type whole MiB"):
        campaign.new(replace(recipe, axes={"cache": ("x",)}), tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ({"options": ("old",)}, "--options: found a label without a file"),
        ({"set": ("use_fsync",)}, "--set: found 'use_fsync'"),
        ({"sets": ("a=1",)}, "axes: found 'sets'; one of threads, build, "),
        ({"threads": ("0",)}, "--threads: found '0'; type a number, from 1 to 1,024"),
        ({"threads": ("9" * 5000,)}, "--threads: found '999"),
        ({"build": ("a",)}, "--build: found 'a'; type NAME=DIR"),
        ({"memory": ("1:x",)}, "--memory: found '1:x'"),
        ({"shards": ("n0",)}, "--nodes: found with --engine rocksdb"),
    ],
)
def test_what_only_a_changed_campaign_can_ask_for_is_refused(
    tmp_path: Path, typed: dict[str, tuple[str, ...]], why: str
) -> None:
    recipe = Recipe("rocksdb", ("linkbench",), "quick", ("nvme",), axes=typed)
    with pytest.raises(UsageError, match=re.escape(why)):
        campaign.new(recipe, tmp_path, tmp_path)


@pytest.mark.parametrize("axes_kept", [[], ["set"], "set", 3, {"set": 3}, {"set": ["a=1"]}])
def test_a_campaign_that_keeps_no_axes_as_they_are_is_reported_all_the_same(
    tmp_path: Path, axes_kept: object
) -> None:
    (tmp_path / "campaign.json").write_text(json.dumps({"axes": axes_kept}))
    values = axes.TABLE["set"].values(campaign_file.told(tmp_path))
    assert values == (["", "a=1"] if axes_kept == {"set": ["a=1"]} else [])
