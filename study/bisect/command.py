"""The command: what is typed of it, and in which order it is done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from ...engines import EMBEDDED, WHOLE
from ...errors import UsageError, WaltaxError
from ...runners.recipe.typed import kept
from .. import options

if TYPE_CHECKING:
    from rich.console import Console

    from .judging import Asked

Decision = Literal["good", "bad", "skip"]
# As `git bisect run` reads them: what is above 127 ends the bisection.
_EXIT = {"good": 0, "bad": 1, "skip": 125}
_STOPS_GIT, _INTERRUPTED = 255, 130
_FOLDER = click.Path(path_type=Path)


@click.command()
@click.option("--good", required=True, type=_FOLDER, help="The build before the change.")
@click.option("--bad", required=True, type=_FOLDER, help="The build after it.")
@click.option(
    "--judge",
    required=True,
    type=_FOLDER,
    help="The build to judge: exit 0 it is like the good one, 1 like the bad one, 125 cannot tell.",
)
@options.engine(WHOLE, "Whose builds.", EMBEDDED)
@click.option("--workload", default="kv-fillrandom", show_default=True)
@click.option("--device", default="nvme", show_default=True, help="Of the log: a name or a file.")
@options.durability(
    "When a commit is acknowledged; off judges the path without a log.", default="sync"
)
@options.profile("ci")
@click.option(
    "--by",
    type=click.Choice(["throughput", "cpu"]),
    default="throughput",
    show_default=True,
    help="cpu: the engine's CPU time for a request, which is quieter.",
)
@click.option(
    "--campaigns",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    help="Of one build, at most, until it is clear on which side it is.",
)
@options.share_machine()
@options.results()
@options.data_dir()
def command(
    *,
    good: Path,
    bad: Path,
    judge: Path,
    engine: str,
    workload: str,
    device: str,
    durability: str,
    profile: str,
    by: str,
    campaigns: int,
    share_machine: bool,
    results: Path,
    data_dir: Path,
) -> None:
    """Judge a build beside a good and a bad one, as a step of `git bisect run`.

    The builds take turns in the same rounds, the good one twice, so that it is known how far equals
    come out apart here.
    """
    from ...terminal import Terminal
    from . import judging

    asked = judging.Asked(
        good=str(good.absolute()),
        bad=str(bad.absolute()),
        engine=engine,
        workload=workload,
        device=kept(device),
        durability=durability,
        profile=kept(profile),
        by=by,
        campaigns=campaigns,
        results=results,
        data_dir=data_dir,
        share_machine=share_machine,
    )
    try:
        raise SystemExit(_judged(asked, judge, Terminal()))
    except judging.Interrupted:
        raise SystemExit(_INTERRUPTED) from None


def _judged(asked: Asked, candidate: Path, console: Console) -> int:
    """The exit code of one step of `git bisect run`.

    What is no verdict must not be one: git takes every code from 1 to 127 but 125 for "bad".
    """
    from ...terminal import say
    from . import judging

    try:
        judging.require_builds(asked)
        decision = _decide(asked, candidate, console)
    except WaltaxError as error:
        say(console, *error.lines, f"no verdict: exit {_STOPS_GIT}, which ends git bisect run")
        return _STOPS_GIT
    say(console, decision)
    return _EXIT[decision]


def _decide(asked: Asked, candidate: Path, console: Console) -> Decision:
    """Errors: UsageError where good and bad are alike; WaltaxError for a campaign that fails."""
    from ...analysis.gate.nearer import NEXT
    from ...builds.look import look
    from ...builds.named import Named
    from ...terminal import say
    from . import judging

    try:
        look(asked.engine, [Named(NEXT, str(candidate.absolute()))])
        one = judging.judged(asked, str(candidate.absolute()), console)
    except UsageError as error:
        if f"--build {NEXT}=" not in str(error):
            raise
        say(console, *error.lines)
        return "skip"
    if one.verdict == "alike":
        raise UsageError(
            f"--good and --bad: found nothing to bisect: {judging.sentence(one, asked.by)}; name "
            "builds that differ by more, measure longer (--campaigns, --profile), or by --by cpu"
        )
    return one.verdict if one.verdict in ("good", "bad") else "skip"
