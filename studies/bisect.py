"""`waltax compare bisect`: a build beside a good and a bad one, as a step of `git bisect run`.

It is measured until it is clear which it is like.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ..base.errors import UsageError, WaltaxError
from ..base.terminal import say
from ..engines import EMBEDDED, WHOLE
from ..engines.builds.named import Named
from ..runners.recipe import typed
from . import ending, options

if TYPE_CHECKING:
    from rich.console import Console

    from ..analysis.gate.judge import Nearer

Decision = Literal["good", "bad", "skip"]
# As `git bisect run` reads them: what is above 127 ends the bisection.
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
    """What is measured of each build, and how often until it is given up."""

    good: str
    bad: str
    engine: str
    workload: str
    device: str
    durability: str
    profile: str
    by: str
    campaigns: int  # of one candidate, at most
    results: Path
    data_dir: Path
    share_machine: bool


class Interrupted(Exception):
    """A Ctrl-C came while it was measured."""


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
@options.choice(
    "--by", ["throughput", "cpu"], "cpu: the engine's CPU time for a request, which is quieter."
)
@options.number(
    "--campaigns", 3, (1, 20), "Of one build, at most, until it is clear on which side it is."
)
@options.share_machine()
@options.results()
@options.data_dir()
def command(*, good: Path, bad: Path, judge: Path, device: str, **more: Any) -> None:
    """Judge a build beside a good and a bad one, as a step of `git bisect run`.

    The builds take turns in the same rounds, the good one twice, so that it is known how far equals
    come out apart here.
    """
    from ..base.terminal import Terminal

    builds = str(good.absolute()), str(bad.absolute())
    request = Request(*builds, device=typed.kept(device), **more)
    try:
        raise SystemExit(_judged(request, judge, Terminal()))
    except Interrupted:
        raise SystemExit(_INTERRUPTED) from None


def _judged(request: Request, candidate: Path, console: Console) -> int:
    """The exit code of one step of `git bisect run`.

    What is no verdict must not be one: git takes every code from 1 to 127 but 125 for "bad".
    """
    try:
        require_builds(request)
        decision = _decide(request, candidate, console)
    except WaltaxError as error:
        say(console, *error.lines, f"no verdict: exit {_STOPS_GIT}, which ends git bisect run")
        return _STOPS_GIT
    say(console, decision)
    return _EXIT[decision]


def _decide(request: Request, candidate: Path, console: Console) -> Decision:
    """Errors: UsageError where good and bad are alike; WaltaxError for a campaign that fails."""
    from ..analysis.gate.judge import NEXT
    from ..engines.builds.look import look

    try:
        look(request.engine, [Named(NEXT, str(candidate.absolute()))])
        one = judged(request, str(candidate.absolute()), console)
    except UsageError as error:
        if f"--build {NEXT}=" not in str(error):
            raise
        say(console, *error.lines)
        return "skip"
    if one.verdict == "alike":
        raise UsageError(
            f"--good and --bad: found nothing to bisect: {sentence(one, request.by)}; name "
            "builds that differ by more, measure longer (--campaigns, --profile), or by --by cpu"
        )
    return one.verdict if one.verdict in ("good", "bad") else "skip"


def require_builds(request: Request) -> None:
    """Errors: UsageError for a good or a bad one that is no build, before anything is made."""
    from ..analysis.gate.judge import BAD, GOOD
    from ..engines.builds.look import look

    look(request.engine, [Named(GOOD, request.good), Named(BAD, request.bad)])


def judged(request: Request, candidate: str, console: Console) -> Nearer:
    """Measure it beside good, good again and bad, until it is clear or the campaigns are spent.

    Each campaign's rows count with those before it. Errors: UsageError for a candidate that is no
    build; WaltaxError for a campaign that fails; Interrupted.
    """
    from ..analysis.gate import judge
    from ..analysis.results import read

    device = typed.load_device(request.device).name
    folders: list[Path] = []
    while True:
        folders.append(_campaign(request, candidate, console))
        one = judge.nearer(read(folders).rows, device, request.durability, request.by)
        say(console, f"{len(folders)} campaigns, {one.rounds} rounds: {sentence(one, request.by)}")
        if one.verdict in ("good", "bad", "failed") or len(folders) == request.campaigns:
            return one


def _campaign(request: Request, candidate: str, console: Console) -> Path:
    """The folder of one that was measured to its end."""
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
    outcome = ending.measure_shown(planned, console, Local(request.share_machine))
    if outcome.interrupted:
        raise Interrupted
    if not outcome.progress.rows:
        raise UsageError(f"campaign {planned.id}: nothing was measured")
    return planned.folder


def sentence(one: Nearer, by: str) -> str:
    """What is known of a candidate, with intervals."""
    from ..analysis.numerals import times

    what = {"throughput": "throughput", "cpu": "CPU time a request"}[by]
    if one.verdict == "failed":
        return "a slice of the build failed: no verdict"
    ratios = one.found, one.gap, one.apart, one.nearer
    found, gap, apart, nearer = (times(ratio, 3) for ratio in ratios)
    return (
        f"{_WORDS[one.verdict]} ({what}: next / good {found}, bad / good {gap}; good against "
        f"itself {apart}; nearer: {nearer}, 1 is the middle)"
    )
