"""`waltax doctor`: find what makes figures of this machine worth less, and say what to do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base import home
from ..base.printable import say
from . import options

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.doctor import Finding

_STYLES = {"warn": "yellow", "unknown": "dim"}


@click.command()
@click.argument("directory", metavar="[DIR]", required=False)
@options.data_dir("Folder that the data would be in.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def command(
    *,
    directory: str | None,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Is this machine fit to measure on, and what can be done about it?

    With DIR, also check what a log in that directory would lie on. What the kernel does not say is
    unknown, and never ok. doctor changes nothing, and writes to nothing but memory.
    """
    from ..base import proc
    from ..base.folders.places import existing
    from ..base.terminal import Terminal
    from ..runners import doctor

    if home.IS_INSTALLED:
        proc.program("libwaltax_tap.so")  # with all the others, unless they are there
    directories = [Path(directory)] if directory else []
    findings = doctor.examine(directories, existing(data_dir))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        _print(findings, Terminal())


def _print(findings: Sequence[Finding], console: Console) -> None:
    """Print a line for each check, and advice below those that warn."""
    from ..runners.doctor import in_a_line

    wide = max(len(finding.check) for finding in findings)
    for finding in findings:
        line = f"{finding.check:<{wide}}  {finding.state:<7}  {finding.text}"
        say(console, line, style=_STYLES.get(finding.state))
        if finding.advice:
            say(console, f"{'':<{wide}}  {'':<7}  do: {finding.advice}")
    say(console, f"{in_a_line(findings)}.")
