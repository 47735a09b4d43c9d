"""The command: what is typed of it, and in which order it is done."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...engines import EMBEDDED, WHOLE
from ...errors import UsageError, WaltaxError
from .. import options
from ..names import kept
from .search import Decision, Found, search

if TYPE_CHECKING:
    from rich.console import Console

    from .judging import Asked

# As `git bisect run` reads them: what is above 127 ends the bisection.
_EXIT = {"good": 0, "bad": 1, "skip": 125}
_STOPS_GIT, _INTERRUPTED = 255, 130
_LONGEST_S = 86_400.0
_FOLDER = click.Path(path_type=Path)


@click.command()
@click.option("--good", required=True, type=_FOLDER, help="The build before the change.")
@click.option("--bad", required=True, type=_FOLDER, help="The build after it.")
@click.option("--judge", type=_FOLDER, help="Judge this one build: exit 0 good, 1 bad, 125 skip.")
@click.option(
    "--step",
    metavar="COMMAND",
    help="For a shell: builds $REVISION into $DIR, which keeps what the last one left.",
)
@click.option(
    "--revisions",
    metavar="WORDS",
    help="For --step, the oldest first; the last is the bad one's: \"$(git rev-list --reverse "
    'good..bad)".',
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
    judge: Path | None,
    step: str | None,
    revisions: str | None,
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
    """Which revision changed what a build does: each is measured beside a good and a bad one.

    The builds take turns in the same rounds, the good one twice, so that it is known how far equals
    come out apart here. With --judge it is a step of `git bisect run`.
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
    if (judge is None) == (step is None):
        raise UsageError("--step: it takes either --step with --revisions, or --judge DIR")
    console = Terminal()
    try:
        if judge is not None:
            raise SystemExit(_judged(asked, judge, console))
        raise SystemExit(_driven(asked, step or "", (revisions or "").split(), console))
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
    from ...analysis.builds.nearer import NEXT
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


def _driven(asked: Asked, step: str, revisions: list[str], console: Console) -> int:
    """Drive the user's command over the revisions; 0 when one is found, 1 when several are left."""
    from ...runners import campaign
    from ...terminal import say
    from . import judging

    if not revisions:
        raise UsageError(
            "--revisions: missing; type what --step shall build, the oldest first, as in "
            '--revisions "$(git rev-list --reverse good..bad)"'
        )
    judging.require_builds(asked)
    room = asked.results.absolute() / f"{campaign.now()}-bisect"
    place = room / "next"
    place.mkdir(parents=True)

    def decide(revision: str) -> Decision:
        say(console, f"revision {revision}")
        decision: Decision = "skip"
        if _built(step, revision, place, room, console):
            decision = _decide(asked, place, console)
        say(console, f"revision {revision}: {decision}")
        return decision

    return _told(search(revisions, decide), room, console)


def _built(step: str, revision: str, place: Path, room: Path, console: Console) -> bool:
    """Whether the command built it; why not is told, and its words are kept."""
    from ...serve import shell
    from ...terminal import say

    told = {"DIR": str(place), "REVISION": revision}
    log = room / revision.replace("/", "-")
    try:
        shell.run(step, env=told, timeout_s=_LONGEST_S, log=log, flag="--step", limit="")
    except WaltaxError as error:
        say(console, *error.lines)
        return False
    return True


def _told(found: Found, room: Path, console: Console) -> int:
    from ...terminal import say

    counted = f"{len(found.decisions)} decided; the commands' words are in {room}"
    if len(found.suspects) == 1:
        say(console, f"the first bad revision is {found.suspects[0]}: {counted}")
        return 0
    say(console, f"the first bad revision is one of {', '.join(found.suspects)}: {counted}")
    return 1
