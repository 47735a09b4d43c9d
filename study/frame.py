"""The one way from a study's command line to its report: head, plan, measure, finish."""

from __future__ import annotations

import contextlib
import os
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..errors import UsageError, WaltaxError
from ..runners import typed
from . import occasions, options, table
from .asked import Asked
from .study import Study

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign
    from ..runners.loop import Outcome

_INTERRUPTED = 130
# What may stand beside --resume and --campaign: it changes nothing of what is or was measured.
_PLACES = {"share_machine", "results", "data_dir"}
_BESIDE_RESUME = {"resume", "only_plan", *_PLACES}
_BESIDE_CAMPAIGN = {"campaigns", *_PLACES}


def command(name: str) -> click.Command:
    """The command of a study that stands in the table."""
    study = table.study(name)

    def callback(**values: Any) -> None:
        from ..terminal import Terminal

        asked = study.asked(**values, given=_given())
        raise SystemExit(run(study, asked, Terminal()))

    again = (options.campaigns(),) if study.report is not None else ()
    anew = occasions.options() if study.repeats else ()
    for option in reversed((*study.options, *again, *anew, *options.EVERY)):
        callback = option(callback)
    about = f"{table.STUDIES[name].help}\n\n{study.about}"
    return click.command(name=name, help=about)(callback)


def _given() -> dict[str, str]:
    """The flags that were typed, by the names of their parameters."""
    context = click.get_current_context()
    parameters = {option.name or "": option.opts[0] for option in context.command.params}
    return {
        name: flag
        for name, flag in parameters.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def run(study: Study[Any], asked: Asked, console: Console) -> int:
    """Do what was asked of a study; returns the exit code.

    Errors: UsageError for what cannot be, before anything is measured.
    """
    if asked.campaigns:
        allowed = _BESIDE_CAMPAIGN | study.of_report | study.of_report_again
        _refuse_beside("--campaign", asked, allowed, "change what was measured; leave it out")
        _publish(study, asked, asked.campaigns, console)
        return 0
    if asked.resume is not None:
        return _resume(study, asked, console)
    code = None if study.instead is None else study.instead(asked)
    if code is not None:
        return code
    occasions.require_sense(asked)
    return _measure(study, asked, study.plan(asked, _speaker(console)), console)


def report(folders: Sequence[Path], console: Console, formats: Sequence[str] | None = None) -> None:
    """Publish the own reports of the studies that these campaigns are of.

    Too little may be there of a campaign that was broken off: that is said.
    """
    from ..runners import kept

    kinds = {folder: kept.told(folder).kind for folder in folders}
    for kind in dict.fromkeys(kinds.values()):
        study = table.study(kind) if kind in table.STUDIES else None
        if study is None:
            continue
        its_own = tuple(folder for folder in folders if kinds[folder] == kind)
        asked = study.asked(
            results=its_own[0].parent, data_dir=its_own[0].parent, campaigns=its_own
        )
        try:
            _publish(study, asked, its_own, console, formats)
        except UsageError as error:
            _say(console, f"No report of {kind}: {error}")


def _resume(study: Study[Any], asked: Asked, console: Console) -> int:
    """Go on with a campaign, as the study of its kind does.

    Errors: UsageError for a flag that would change it, and for a campaign of another kind: what
    was typed for this study would mean nothing there. `waltax run --resume` takes every kind.
    """
    from ..runners import campaign

    assert asked.resume is not None
    allowed = _BESIDE_RESUME | study.of_report
    why = "change the campaign; leave it out, or start a new campaign"
    _refuse_beside("--resume", asked, allowed, why)
    begun = campaign.resume(asked.resume.resolve(), asked.typed_data_dir)
    kind = begun.recipe.kind
    own = table.study(kind)
    if kind == study.kind:
        return _measure(study, asked, [begun], console)
    if study.kind != table.ANY:
        raise UsageError(f"--resume: {begun.id} is no {study.noun}; type: {_again(begun)}")
    return _measure(own, own.asked.like(asked), [begun], console)


def _refuse_beside(flag: str, asked: Asked, allowed: set[str] | frozenset[str], why: str) -> None:
    for name, other in asked.given.items():
        if name not in allowed:
            raise UsageError(f"{flag}: found {other}, which would {why}")


def _measure(
    study: Study[Any], asked: Asked, campaigns: Sequence[Campaign], console: Console
) -> int:
    """Say what is about to happen, measure it, and report it; returns the exit code.

    `campaigns` are those of the first occasion; those of the others are planned when they begin.
    """
    _announce(study, asked, campaigns, console)
    if asked.only_plan:
        for campaign in campaigns:
            _require(study, campaign)
        return 0
    measured: list[Path] = []
    began_s = time.time()
    code = _occasion(study, asked, campaigns, console, measured)
    for number in range(1, asked.repeat):
        say = _speaker(console)
        if code == _INTERRUPTED or occasions.wait(asked, number, began_s, say):
            code = _INTERRUPTED
            break
        began_s = time.time()
        code = max(code, _later(study, occasions.anew(asked, number), console, measured))
    if asked.repeat > 1:
        _pool(study, asked, measured, console, ended_well=code == 0)
    return code


def _later(study: Study[Any], asked: Asked, console: Console, measured: list[Path]) -> int:
    """Plan and measure an occasion that is not the first; returns the exit code.

    One that cannot be, as while another campaign measures, is told and left out.
    """
    try:
        campaigns = study.plan(asked, _speaker(console))
        _announce(study, replace(asked, repeat=1), campaigns, console)
        return _occasion(study, asked, campaigns, console, measured)
    except WaltaxError as error:
        _say(console, f"This occasion is left out: {error}")
        return 1


def _announce(
    study: Study[Any], asked: Asked, campaigns: Sequence[Campaign], console: Console
) -> None:
    """What is about to happen."""
    from . import head

    for campaign in campaigns:
        head.print_head(campaign, console)
    _say(console, *study.head(campaigns), *occasions.words(asked))
    if asked.only_plan or study.tells_sizes(asked):
        for campaign in campaigns:
            head.print_sizes(campaign, console)


def _occasion(
    study: Study[Any],
    asked: Asked,
    campaigns: Sequence[Campaign],
    console: Console,
    measured: list[Path],
) -> int:
    """Measure these campaigns, and report those with rows; returns the exit code.

    Their folders are added to `measured`.
    """
    code, mine = 0, []
    for campaign in campaigns:
        with _advice(study, campaign):
            outcome = _measured(campaign, console, share_machine=asked.share_machine)
        code = max(code, _finish(study, campaign, outcome, console))
        mine += [campaign.folder] if outcome.progress.rows else []
        if outcome.interrupted:
            break
    if mine:
        _report(study, asked, mine, console, ended_well=code == 0)
    if outcome.interrupted:
        _say(console, f"Continue with: {_again(campaign)}")
    measured += mine
    return code


def _pool(
    study: Study[Any], asked: Asked, folders: Sequence[Path], console: Console, *, ended_well: bool
) -> None:
    """The occasions as one, and how to have that again; nothing of one alone."""
    from .. import analysis
    from ..analysis import reports

    if len({folder.name for folder in folders}) < 2:
        return
    _say(console, f"All {len(folders)} campaigns together:")
    if study.shows_overheads:
        analysis.publish(reports.devices(folders), console)
    _report(study, asked, folders, console, ended_well=ended_well)
    named = " ".join(shlex.quote(os.path.relpath(folder)) for folder in folders)
    _say(console, f"This again: waltax report {named}")


def _require(study: Study[Any], campaign: Campaign) -> None:
    """Errors: UsageError for what makes no sense or has no room, before anything is made."""
    from ..runners import plan

    plan.require_sense(campaign)
    with _advice(study, campaign):
        plan.require_room(campaign)


@contextlib.contextmanager
def _advice(study: Study[Any], campaign: Campaign) -> Iterator[None]:
    """Where there is no room: what this study would do with less."""
    from ..runners.plan import NoRoom

    try:
        yield
    except NoRoom as error:
        if study.smaller is None or error.share is None:
            raise
        raise NoRoom(*error.lines, study.smaller(campaign, error.share)) from error


def _measured(campaign: Campaign, console: Console, *, share_machine: bool) -> Outcome:
    """Measure it to its end, with a live table on a terminal and a line a round elsewhere."""
    from rich.live import Live

    from .. import analysis
    from ..runners import loop, screen

    if not console.is_terminal:
        shown = screen.plain(campaign, console, analysis.estimate)
        return loop.measure(campaign, analysis.estimate, shown, share_machine=share_machine)
    with Live(console=console, auto_refresh=False, transient=True) as display:
        shown = screen.live(campaign, display, analysis.live_table)
        return loop.measure(campaign, analysis.estimate, shown, share_machine=share_machine)


def _finish(study: Study[Any], campaign: Campaign, outcome: Outcome, console: Console) -> int:
    """Print the overheads, keep them as files, and say how it ended; returns the exit code."""
    from .. import analysis
    from ..analysis import reports

    if study.shows_overheads and any(row["status"] == "ok" for row in outcome.progress.rows):
        overheads = reports.devices(
            [campaign.folder],
            stop_reason=outcome.reason,
            target_half_width=campaign.profile.timing.target_half_width,
            ended_early=outcome.tight,
        )
        analysis.publish(overheads, console)
    for cell, why in outcome.progress.failures.items():
        _say(console, f"FAILED {cell}: {why}")
    _say(console, f"Ended because {outcome.reason}.", *_doubt(outcome))
    if outcome.interrupted:
        return _INTERRUPTED
    return 1 if outcome.progress.failures else 0


def _doubt(outcome: Outcome) -> list[str]:
    """What becomes of intervals when it is they that end a campaign."""
    if not outcome.tight:
        return []
    return [
        "Intervals that end a campaign were picked for being narrow. So all of a workload are "
        "stretched until the widest has the half-width that was asked for; see docs/method.md, "
        '"When a campaign stops".'
    ]


def _report(
    study: Study[Any], asked: Asked, folders: Sequence[Path], console: Console, *, ended_well: bool
) -> None:
    """Publish its own reports. Where cells failed too few may be left for one: that is said."""
    try:
        _publish(study, asked, folders, console)
    except WaltaxError as error:
        if ended_well:
            raise
        _say(console, f"No report: {error}")


def _publish(
    study: Study[Any],
    asked: Asked,
    folders: Sequence[Path],
    console: Console,
    formats: Sequence[str] | None = None,
) -> None:
    """Print its own reports, if it has any, and write their files."""
    from .. import analysis

    for made in () if study.report is None else study.report(asked, folders):
        analysis.publish(made, console, formats=formats)


def _again(campaign: Campaign) -> str:
    """The line that goes on with a campaign."""
    return typed.again(campaign.recipe.kind, campaign.folder)


def _speaker(console: Console) -> Callable[[str], None]:
    return lambda text: _say(console, text)


def _say(console: Console, *lines: str) -> None:
    from ..terminal import say

    say(console, *lines)
