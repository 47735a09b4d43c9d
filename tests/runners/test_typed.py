"""What is one word, and what names several, in a text that a person typed."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from waltax import devices
from waltax.cli import cli
from waltax.errors import UsageError
from waltax.runners import typed

BOX = (devices.catalog.CATALOG / "nvme.toml").read_text()


@click.command()
@typed.devices("Where.")
@typed.workloads(["linkbench", "tpcc"], "What.")
def several(devices: tuple[str, ...], workloads: tuple[str, ...]) -> None:
    click.echo(repr((devices, workloads)))


@click.command()
@typed.device("Which.")
def one(name: str | None) -> None:
    click.echo(repr(name))


def _said(command: click.Command, *words: str) -> str:
    done = CliRunner().invoke(command, words, catch_exceptions=False, standalone_mode=False)
    return done.output.rstrip("\n")


@pytest.mark.parametrize(
    ("argv", "wanted"),
    [
        (["run", "--plan"], ["run", "--plan"]),
        (["run", "--args", "--plan --seed 3", "--x"], ["run", "--plan", "--seed", "3", "--x"]),
        (["run", "--args", ""], ["run"]),
        (["run", "--args", "--name 'my box' a\\ b"], ["run", "--name", "my box", "a b"]),
        (
            ["run", "--args", "$(id) `id` * ~ #x ;id"],
            ["run", "$(id)", "`id`", "*", "~", "#x", ";id"],
        ),
        (["run", "--args", "--args x"], ["run", "--args", "x"]),
        (["compare", "--", "--args", "b"], ["compare", "--", "--args", "b"]),
        (["compare", "--args", "--", "--", "a"], ["compare", "--", "--", "a"]),
    ],
)
def test_the_words_of_a_text_stand_where_it_stood_and_none_is_run(
    argv: list[str], wanted: list[str]
) -> None:
    assert typed.expanded(argv) == wanted


@pytest.mark.parametrize("argv", [["run", "--args", "--plan 'x"], ["run", "--args"]])
def test_words_that_cannot_be_split_are_refused_by_name(argv: list[str]) -> None:
    with pytest.raises(UsageError, match=r"--args.*: found "):
        typed.expanded(argv)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("nvme", ["nvme"]),
        ("nvme ssd", ["nvme", "ssd"]),
        ("  nvme\tssd ", ["nvme", "ssd"]),
        ("'./my box.toml' ssd", ["./my box.toml", "ssd"]),
        ("", [""]),
        (" ", [" "]),
        ("$(id);id", ["$(id);id"]),
        ("back\\slash.toml", ["back\\slash.toml"]),
        ("nvme " * 2000, ["nvme"] * 2000),
    ],
)
def test_a_text_names_one_device_or_several(text: str, wanted: list[str]) -> None:
    assert _said(several, f"--device={text}") == repr((tuple(wanted), ()))


@pytest.mark.parametrize("name", ["my box.toml", 'it\'s a "box".toml', "nvme ssd", " ", "#$x;'"])
def test_an_existing_file_is_one_device_whatever_its_path_holds(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(BOX)
    assert _said(several, "--device", str(path), "--device=ssd") == repr(((str(path), "ssd"), ()))
    assert _said(one, "--device", str(path)) == repr(str(path))


def test_a_device_with_a_quote_that_is_not_closed_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--device: found \"it's\""):
        _said(several, "--device=it's")


def test_a_command_of_one_device_refuses_two_and_can_do_without() -> None:
    with pytest.raises(UsageError, match="--device: found 2: nvme ssd"):
        _said(one, "--device=nvme ssd")
    assert _said(one) == "None"


def test_a_text_names_one_workload_or_several_of_those_that_there_are() -> None:
    both = repr(((), ("linkbench", "tpcc")))
    assert _said(several, "--workload=linkbench tpcc") == both
    assert _said(several, "--workload=linkbench", "--workload=tpcc") == both
    for text in ("linkbench tpccc", "", "a"):
        with pytest.raises(click.BadParameter, match="is not one of"):
            _said(several, f"--workload={text}")


@pytest.mark.parametrize(
    "command", ["run", "serve", "predict", "sweep-latency", "sweep-threads", "sweep-sizes"]
)
def test_every_command_splits_the_devices_of_a_text(command: str) -> None:
    words = [command, "--device=nvme 'no such"]
    with pytest.raises(UsageError, match='--device: found "nvme \'no such": no closing quotation'):
        cli(words, standalone_mode=False)


@pytest.mark.parametrize("command", ["run", "paper", "sizes"])
def test_every_command_of_several_workloads_splits_them(command: str) -> None:
    with pytest.raises(click.BadParameter, match="'tpccc' is not one of"):
        cli([command, "--workload=linkbench tpccc"], standalone_mode=False)
