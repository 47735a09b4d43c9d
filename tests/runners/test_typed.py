"""What is one word, and what names several, in a text that a person typed."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from waltax import devices
from waltax.base.errors import UsageError
from waltax.cli import cli
from waltax.runners.recipe import command_line
from waltax.studies.request import Request

BOX = (devices.catalog.CATALOG / "nvme.toml").read_text()


@click.command()
@command_line.devices("Where.")
@command_line.workloads(["linkbench", "tpcc"], "What.")
def several(devices: tuple[str, ...], workloads: tuple[str, ...]) -> None:
    click.echo(repr((devices, workloads)))


@click.command()
@click.option("--device", "name", callback=command_line.device)
def one(name: str | None) -> None:
    click.echo(repr(name))


def _said(command: click.Command, *words: str) -> str:
    done = CliRunner().invoke(command, words, catch_exceptions=False, standalone_mode=False)
    return done.output.rstrip("\n")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("--plan --seed 3", ["--plan", "--seed", "3"]),
        ("", []),
        ("--name 'my box' a\\ b", ["--name", "my box", "a b"]),
        ("$(id) `id` * ~ #x ;id", ["$(id)", "`id`", "*", "~", "#x", ";id"]),
    ],
)
def test_the_words_of_a_text_are_those_of_a_shell_and_none_is_run(
    text: str, wanted: list[str]
) -> None:
    assert command_line.words("ARGS", text) == wanted


def test_words_that_cannot_be_split_are_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"ARGS: found "):
        command_line.words("ARGS", "--plan 'x")


@pytest.mark.parametrize(
    ("came_by", "line"),
    [
        ("waltax", "waltax run --resume 'my results/x'"),
        ("make", "make run 'RESUME=my results/x'"),
    ],
)
def test_a_campaign_is_gone_on_with_by_the_way_a_person_came(came_by: str, line: str) -> None:
    root = click.Context(cli, obj=came_by)
    with root, click.Context(several, parent=root):
        assert command_line.again("run", Path("my results/x")) == line


def test_the_command_is_called_as_a_shell_here_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / ".venv" / "bin" / "waltax"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(program)])
    monkeypatch.setenv("PATH", "/usr/bin")
    assert command_line.program() == ".venv/bin/waltax"
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin")
    assert command_line.program() == "waltax"
    monkeypatch.setattr("sys.argv", [str(tmp_path / "__main__.py")])  # of another package
    assert command_line.program() == "waltax"
    monkeypatch.setattr("sys.argv", [str(Path(command_line.__file__).parents[2] / "__main__.py")])
    monkeypatch.setattr("sys.executable", str(program.with_name("python")))
    assert command_line.program() == ".venv/bin/python -m waltax"


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
    "command",
    ["run", "devices predict", "sweep latency", "sweep threads", "sweep sizes"],
)
def test_every_command_splits_the_devices_of_a_text(command: str) -> None:
    words = [*command.split(), "--device=nvme 'no such"]
    with pytest.raises(UsageError, match='--device: found "nvme \'no such": no closing quotation'):
        cli(words, standalone_mode=False)


@pytest.mark.parametrize("command", ["run", "paper", "why"])
def test_every_command_of_several_workloads_splits_them(command: str) -> None:
    with pytest.raises(click.BadParameter, match="'tpccc' is not one of"):
        cli([*command.split(), "--workload=linkbench tpccc"], standalone_mode=False)


@pytest.mark.parametrize("words", [["run", "--device", "my disk"], ["sweep", "threads", "--plan"]])
def test_a_recipe_keeps_what_was_typed(words: list[str], tmp_path: Path) -> None:
    with click.Context(cli) as context:
        cli.resolve_command(context, words)
        recipe = Request(results=tmp_path, data_dir=tmp_path, devices=("nvme",)).recipe("run")
    assert shlex.split(recipe.typed) == words
    assert not Request(results=tmp_path, data_dir=tmp_path).recipe("run").typed
