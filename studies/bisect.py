"""`waltax compare bisect`: judge a build against a good and a bad one, for `git bisect run`.

The build is measured until it is clear which of the two it is like.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import UsageError, WaltaxError
from ..base.printable import say
from ..engines import EMBEDDED, WHOLE
from ..runners.recipe import command_line
from . import frame, options
from .request import Request

if TYPE_CHECKING:
    from rich.console import Console

_SKIP, _STOPS_GIT = 125, 255
_LAST = {
    0: "good",
    1: "bad",
    _SKIP: "skip",
    _STOPS_GIT: "no verdict: exit 255, which ends git bisect run",
}
"""The last line, by the exit code that `git bisect run` reads."""
_BY = ("throughput", "cpu")


@click.command()
@click.option("--good", required=True, type=options.FOLDER, help="The build before the change.")
@click.option("--bad", required=True, type=options.FOLDER, help="The build after the change.")
@click.option(
    "--judge",
    required=True,
    type=options.FOLDER,
    help="The build to judge. Exits with 0 when it is good, 1 when it is bad, 125 when unclear.",
)
@options.engine(WHOLE, "The engine of these builds.", EMBEDDED)
@click.option("--workload", default="kv-fillrandom", show_default=True, help="What the clients do.")
@click.option("--device", default="nvme", show_default=True, help="Log device, by name or file.")
@options.durability(
    "When a commit is acknowledged; off judges the path without a log.", default="sync"
)
@options.profile("ci")
@options.choice("--by", _BY, "cpu is the engine's CPU time for a request; less noisy.")
@options.number(
    "--campaigns", 3, (1, 20), "The most campaigns of a build, while the answer is unclear."
)
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    good: Path,
    bad: Path,
    judge: Path,
    workload: str,
    device: str,
    by: str,
    campaigns: int,
    **shared: Any,
) -> None:
    """Judge a build beside a good and a bad one, as a step of `git bisect run`.

    The builds take turns in the same rounds, the good one twice, which shows how far equal builds
    come out apart here.
    """
    from ..analysis.gate.bisection import AGAIN, BAD, GOOD, NEXT
    from ..base.terminal import Terminal

    paths = {GOOD: good, AGAIN: good, BAD: bad, NEXT: judge}
    request = Request(
        workloads=(workload,),
        devices=(command_line.kept(device),),
        axes={"build": tuple(f"{name}={path.absolute()}" for name, path in paths.items())},
        **shared,
    )
    console = Terminal()
    try:
        verdict = judged(request, by, campaigns, console)
        if verdict == "alike":
            raise UsageError(
                "--good and --bad: found nothing to bisect; name builds that differ by more, "
                "measure longer (--campaigns, --profile), or by --by cpu"
            )
        code = {"good": 0, "bad": 1}.get(verdict, _SKIP)
    except WaltaxError as error:
        say(console, *error.lines)
        code = _SKIP if f"--build {NEXT}=" in str(error) else _STOPS_GIT
    say(console, _LAST[code])
    raise SystemExit(code)


def judged(request: Request, by: str, campaigns: int, console: Console) -> str:
    """Measure the builds until it is clear which the last is like, and return its verdict.

    At most so many campaigns are measured, and the rows of all of them count. Errors: UsageError
    for a folder that is no build; WaltaxError when a campaign fails; KeyboardInterrupt.
    """
    from ..analysis.gate import bisection
    from ..analysis.results import read

    device = command_line.load_device(request.devices[0]).name
    folders: list[Path] = []
    while True:
        planned = request.campaign(replace(request.recipe("run"), twin=False))
        say(console, f"campaign {planned.id}, seed {planned.recipe.seed}")
        outcome = frame.measure_shown(planned, console, request.executor)
        if outcome.interrupted:
            raise KeyboardInterrupt
        if not outcome.progress.rows:
            raise WaltaxError(f"campaign {planned.id}: nothing was measured")
        folders.append(planned.folder)
        rows = read(folders).rows
        found = bisection.nearer(rows, device, request.durability or "sync", by)
        said = bisection.sentence(found, by) if found else "a slice of the build failed: no verdict"
        say(console, f"{len(folders)} campaigns, {said}")
        verdict = found.verdict if found else "failed"
        if verdict in ("good", "bad", "failed") or len(folders) == campaigns:
            return verdict
