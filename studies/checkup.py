"""`waltax doctor`: what about this machine makes figures worth less, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError
from ..base.terminal import say
from ..engines import EMBEDDED, WHOLE
from . import options

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.doctor import Finding, Needs

_WARNED = 3  # the exit code of --strict
_STYLES = {"warn": "yellow", "unknown": "dim"}


@click.command()
@click.argument("directory", metavar="[DIR]", required=False)
@options.profile("quick", "Of the campaign that memory and disk are held against.")
@options.engine(WHOLE, "Of that campaign.", EMBEDDED)
@options.data_dir("Where its data would be.")
@options.number("--seconds", 5.0, (0.1, 3600), "How long to look at what others do.")
@click.option("--strict", is_flag=True, help="Exit with 3 if a check warns.")
@click.option(
    "--accept", multiple=True, metavar="CHECK", help="One that may warn all the same. Repeatable."
)
@click.option("--json", "as_json", is_flag=True, help="A list of check, state, text and advice.")
def command(
    *,
    directory: str | None,
    profile: str,
    engine: str,
    data_dir: Path,
    seconds: float,
    strict: bool,
    accept: tuple[str, ...],
    as_json: bool,
) -> None:
    """Is this machine fit to measure on, and what can be done about it?

    With a DIR, what a log in that directory would sit on, too. What the kernel does not say is
    unknown, and never ok. Nothing is changed, and nothing but memory is written.
    """
    from ..base.terminal import Terminal
    from ..runners import doctor
    from ..runners.folders import existing

    _require_checks(accept)
    directories = [Path(directory)] if directory else []
    _require_there(directories)
    needs = _needs(profile, engine, data_dir)
    seen = doctor.look(seconds, needs=needs, data_dir=existing(data_dir))
    findings = doctor.examine(seen, directories)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in findings], indent=1))
    else:
        _print(findings, Terminal())
    if strict and any(one.state == doctor.WARN and one.check not in accept for one in findings):
        raise SystemExit(_WARNED)


def _require_checks(names: Sequence[str]) -> None:
    from ..runners.doctor import CHECKS

    known = [one.name for one in CHECKS]
    for name in names:
        if name not in known:
            raise UsageError(f"--accept: found {name!r}; one of {', '.join(known)}")


def _require_there(directories: Sequence[Path]) -> None:
    """Errors: UsageError, before anything is waited for."""
    from ..devices.check import check

    for directory in directories:
        check(directory)


def _needs(profile: str, engine: str, data_dir: Path) -> Needs:
    """What `waltax run` would take with this profile. Errors: UsageError for what cannot be."""
    from ..runners import checkup
    from .devices import RUN

    request = RUN.request(profile=profile, engine=engine, results=data_dir, data_dir=data_dir)
    (campaign,) = RUN.plan(request, lambda _: None)
    return checkup.needs(campaign, f"a run with --profile {profile} --engine {engine}")


def _print(findings: Sequence[Finding], console: Console) -> None:
    """A line for each check, and below those that warn what to do."""
    from ..runners.doctor import in_a_line

    wide = max(len(one.check) for one in findings)
    for one in findings:
        line = f"{one.check:<{wide}}  {one.state:<7}  {one.text}"
        say(console, line, style=_STYLES.get(one.state))
        if one.advice:
            say(console, f"{'':<{wide}}  {'':<7}  do: {one.advice}")
    say(console, f"{in_a_line(findings)}.")
