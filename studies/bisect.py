"""`waltax compare bisect`: judge a build against a good and a bad one, for `git bisect run`.

The build is measured until it is clear which of the two it is like.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ..base.errors import UsageError, WaltaxError
from ..base.terminal import say
from ..engines import EMBEDDED, WHOLE
from ..engines.builds.build_names import Named
from ..runners.recipe import command_line
from . import campaign_end, options

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis.gate.judge import Nearer

Decision = Literal["good", "bad", "skip"]
# The exit codes that `git bisect run` reads: those above 127 end the bisection.
_EXIT = {"good": 0, "bad": 1, "skip": 125}
_STOPS_GIT, _INTERRUPTED = 255, 130
_FOLDER = click.Path(path_type=Path)
_WORDS = {
    "good": "good",
    "bad": "bad",
    "unknown": "cannot tell",
    "alike": "good and bad are not told apart beyond the noise floor",
}


@dataclass(frozen=True)
class Request:
    """How each build is measured, and the campaigns after which waltax gives up."""

    good: str
    bad: str
    engine: str
    workload: str
    device: str
    durability: str
    profile: str
    by: str
    campaigns: int  # at most, for one candidate
    results: Path
    data_dir: Path
    share_machine: bool


class Interrupted(Exception):
    """Ctrl-C was pressed during a measurement."""


@click.command()
@click.option("--good", required=True, type=_FOLDER, help="The build before the change.")
@click.option("--bad", required=True, type=_FOLDER, help="The build after the change.")
@click.option(
    "--judge",
    required=True,
    type=_FOLDER,
    help="The build to judge. Exits with 0 when it is good, 1 when it is bad, 125 when unclear.",
)
@options.engine(WHOLE, "The engine of these builds.", EMBEDDED)
@click.option("--workload", default="kv-fillrandom", show_default=True, help="What the clients do.")
@click.option("--device", default="nvme", show_default=True, help="Log device, by name or file.")
@options.durability(
    "When a commit is acknowledged; off judges the path without a log.", default="sync"
)
@options.profile("ci")
@options.choice(
    "--by", ["throughput", "cpu"], "cpu is the engine's CPU time for a request; less noisy."
)
@options.number(
    "--campaigns", 3, (1, 20), "The most campaigns of a build, while the answer is unclear."
)
@options.share_machine()
@options.results()
@options.data_dir()
def command(*, good: Path, bad: Path, judge: Path, device: str, **more: Any) -> None:
    """Judge a build beside a good and a bad one, as a step of `git bisect run`.

    The builds take turns in the same rounds, the good one twice, which shows how far equal builds
    come out apart here.
    """
    from ..base.terminal import Terminal

    builds = str(good.absolute()), str(bad.absolute())
    request = Request(*builds, device=command_line.kept(device), **more)
    try:
        raise SystemExit(_judged(request, judge, Terminal()))
    except Interrupted:
        raise SystemExit(_INTERRUPTED) from None


def _judged(request: Request, candidate: Path, console: Console) -> int:
    """Return the exit code of one step of `git bisect run`.

    An error must not look like a verdict: git reads every code from 1 to 127 but 125 as "bad".
    """
    try:
        decision = _decide(request, candidate, console)
    except WaltaxError as error:
        say(console, *error.lines, f"no verdict: exit {_STOPS_GIT}, which ends git bisect run")
        return _STOPS_GIT
    say(console, decision)
    return _EXIT[decision]


def _decide(request: Request, candidate: Path, console: Console) -> Decision:
    """Return the verdict on the candidate, or "skip" for one that cannot be judged.

    Errors: UsageError when good and bad are alike; WaltaxError when a campaign fails.
    """
    from ..analysis.gate.judge import NEXT

    try:
        judgement = judged(request, str(candidate.absolute()), console)
    except UsageError as error:
        if f"--build {NEXT}=" not in str(error):
            raise
        say(console, *error.lines)
        return "skip"
    if judgement.verdict == "alike":
        raise UsageError(
            f"--good and --bad: found nothing to bisect: {sentence(judgement, request.by)}; name "
            "builds that differ by more, measure longer (--campaigns, --profile), or by --by cpu"
        )
    return judgement.verdict if judgement.verdict in ("good", "bad") else "skip"


def judged(request: Request, candidate: str, console: Console) -> Nearer:
    """Measure the candidate beside good, good again and bad until the verdict is clear.

    At most `request.campaigns` are measured, and the rows of all of them count. Errors: UsageError
    for a candidate that is no build; WaltaxError when a campaign fails; Interrupted.
    """
    from ..analysis.gate import judge
    from ..analysis.results import read

    device = command_line.load_device(request.device).name
    folders: list[Path] = []
    while True:
        folders.append(_campaign(request, candidate, console))
        judgement = judge.nearer(read(folders).rows, device, request.durability, request.by)
        words = sentence(judgement, request.by)
        say(console, f"{len(folders)} campaigns, {judgement.rounds} rounds: {words}")
        if judgement.verdict in ("good", "bad", "failed") or len(folders) == request.campaigns:
            return judgement


def _campaign(request: Request, candidate: str, console: Console) -> Path:
    """Measure one campaign to its end, and return its folder."""
    from ..analysis.gate.judge import AGAIN, BAD, GOOD, NEXT
    from ..runners import campaign
    from ..runners.local import Local

    paths = {GOOD: request.good, AGAIN: request.good, BAD: request.bad, NEXT: candidate}
    recipe = campaign.Recipe(
        engine=request.engine,
        workloads=(request.workload,),
        profile=request.profile,
        devices=(request.device,),
        durability=request.durability,
        builds=tuple(Named(name, path) for name, path in paths.items()),
    )
    planned = campaign.new(recipe, request.results, request.data_dir)
    say(console, f"campaign {planned.id}, seed {recipe.seed}")
    outcome = campaign_end.measure_shown(planned, console, Local(request.share_machine))
    if outcome.interrupted:
        raise Interrupted
    if not outcome.progress.rows:
        raise UsageError(f"campaign {planned.id}: nothing was measured")
    return planned.folder


def sentence(judgement: Nearer, by: str) -> str:
    """Return what is known about a candidate, with intervals."""
    from ..analysis.numerals import times

    what = {"throughput": "throughput", "cpu": "CPU time a request"}[by]
    if judgement.verdict == "failed":
        return "a slice of the build failed: no verdict"
    ratios = judgement.found, judgement.gap, judgement.apart, judgement.nearer
    to_good, good_to_bad, apart, nearer = (times(ratio, 3) for ratio in ratios)
    return (
        f"{_WORDS[judgement.verdict]} ({what}: next / good {to_good}, bad / good {good_to_bad}; "
        f"good against itself {apart}; nearer: {nearer}, 1 is the middle)"
    )
