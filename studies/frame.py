"""How every study goes from its command line to its report: head, plan, measure, finish."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..base.errors import UsageError, WaltaxError
from ..commands import COMMANDS, record_of
from ..runners.recipe import axes
from . import occasions, options
from .campaign_end import (
    INTERRUPTED,
    again,
    finish,
    hint,
    leaving_a_hint,
    measure_shown,
    publish,
    report_own,
    say,
    speaker,
)
from .last_lines import Closing
from .request import Request
from .study import ANY, Study, record

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign

# Options allowed with --resume and --campaign, since they do not change what is measured.
_PLACES = {"share_machine", "results", "data_dir"}
_BESIDE_RESUME = {"resume", "only_plan", "hosts", *_PLACES}
_BESIDE_CAMPAIGN = {"campaigns", *_PLACES}


def command(words: str) -> click.Command:
    """Return the command of a study in the table of commands."""
    study = record(words)

    def callback(**values: Any) -> None:
        from ..base.terminal import Terminal

        own = [name for name in axes.TABLE if name in values and not hasattr(study.request, name)]
        typed = {name: values.pop(name) for name in own}
        given = {name: value for name, value in typed.items() if value}
        request = study.request(
            **values, axes=given, given=typed_flags(click.get_current_context())
        )
        raise SystemExit(run(study, request, Terminal()))

    again = (options.campaigns(),) if study.report is not None else ()
    anew = occasions.options() if study.repeats else ()
    for option in reversed((*study.options, *again, *anew, *options.EVERY)):
        callback = option(callback)
    about = f"{COMMANDS[words].help}\n\n{study.about}"
    return click.command(name=words, help=about)(callback)


def typed_flags(context: click.Context) -> dict[str, str]:
    """Return the typed flags by the names of their parameters."""
    parameters = {option.name or "": option.opts[0] for option in context.command.params}
    return {
        name: flag
        for name, flag in parameters.items()
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    }


def run(study: Study[Any], request: Request, console: Console) -> int:
    """Carry out a request, and return the exit code.

    Errors: UsageError for an invalid request, before anything is measured.
    """
    if request.campaigns:
        allowed = _BESIDE_CAMPAIGN | study.of_report | study.of_report_again
        _refuse_beside("--campaign", request, allowed, "change what was measured; leave it out")
        closing = Closing()
        publish(study, request, request.campaigns, console, closing)
        closing.print(console)
        return 0
    if request.resume is not None:
        return _resume(study, request, console)
    code = None if study.instead is None else study.instead(request)
    if code is not None:
        return code
    occasions.require_sense(request)
    return _measure(study, request, study.plan(request, speaker(console)), console)


def report(folders: Sequence[Path], console: Console, formats: Sequence[str] | None = None) -> None:
    """Publish the overheads of campaigns, and the reports of the studies that they belong to.

    It says so when an interrupted campaign has too little data. A folder without rows has only its
    own report.
    """
    from ..analysis import reports
    from ..runners.recipe import campaign_file

    closing = Closing()
    for name, made in reports.WITHOUT_ROWS.items():
        for folder in (place for place in folders if (place / name).is_file()):
            closing.publish(made(folder), console, formats)
        folders = [folder for folder in folders if not (folder / name).is_file()]
    if not folders:
        closing.print(console)
        return
    closing.publish(reports.devices(folders), console, formats)
    kinds = {folder: campaign_file.told(folder).kind for folder in folders}
    for kind in dict.fromkeys(kinds.values()):
        study = record(kind) if record_of(kind) else None
        if study is None:
            continue
        its_own = tuple(folder for folder in folders if kinds[folder] == kind)
        request = study.request(
            results=its_own[0].parent, data_dir=its_own[0].parent, campaigns=its_own
        )
        try:
            publish(study, request, its_own, console, closing, formats)
        except UsageError as error:
            say(console, f"No report of {kind}: {error}")
    closing.print(console)


def _resume(study: Study[Any], request: Request, console: Console) -> int:
    """Resume a campaign with the study of its kind.

    Errors: UsageError for a flag that would change it, and for a campaign of another kind, for
    which this study's options would mean nothing. `waltax run --resume` takes every kind.
    """
    from ..runners import campaign

    assert request.resume is not None
    allowed = _BESIDE_RESUME | study.of_report
    why = "change the campaign; leave it out, or start a new campaign"
    _refuse_beside("--resume", request, allowed, why)
    begun = campaign.resume(request.resume.resolve(), request.typed_data_dir)
    kind = begun.recipe.kind
    own = record(kind)
    if kind == study.kind:
        return _measure(study, request, [begun], console)
    if study.kind != ANY:
        raise UsageError(f"--resume: {begun.id} is no {study.noun}; type: {again(begun)}")
    return _measure(own, own.request.like(request), [begun], console)


def _refuse_beside(
    flag: str, request: Request, allowed: set[str] | frozenset[str], why: str
) -> None:
    for name, other in request.given.items():
        if name not in allowed:
            raise UsageError(f"{flag}: found {other}, which would {why}")


def _measure(
    study: Study[Any], request: Request, campaigns: Sequence[Campaign], console: Console
) -> int:
    """Announce the campaigns, measure and report them, and return the exit code.

    `campaigns` are those of the first occasion; later occasions are planned when they begin.
    """
    from ..analysis import writers
    from ..runners import plan

    say(console, *_announce(request, campaigns, request.only_plan or study.tells_sizes))
    if request.only_plan:
        for campaign in campaigns:
            plan.require_sense(campaign)
            plan.require_room(campaign)
        return 0
    writers.default()  # fails before anything is measured
    measured: list[Path] = []
    began_s = time.time()
    code = _occasion(study, request, campaigns, console, measured)
    for number in range(1, request.repeat):
        if code == INTERRUPTED or occasions.wait(request, number, began_s, speaker(console)):
            code = INTERRUPTED
            break
        began_s = time.time()
        later = occasions.anew(request, number)
        # One that fails, for example because another campaign is measuring, is skipped.
        try:
            campaigns = study.plan(later, speaker(console))
            say(console, *_announce(replace(later, repeat=1), campaigns, study.tells_sizes))
            code = max(code, _occasion(study, later, campaigns, console, measured))
        except WaltaxError as error:
            say(console, f"This occasion is left out: {error}")
            code = max(code, 1)
    if request.repeat > 1:
        _pool(study, request, measured, console, ended_well=code == 0)
    return code


def _announce(request: Request, campaigns: Sequence[Campaign], sized: bool) -> list[str]:
    """Return what is about to be measured, and how much that takes if it shall be `sized`."""
    from . import head

    return [
        *(line for campaign in campaigns for line in head.words(campaign)),
        *occasions.words(request),
        *(line for campaign in campaigns if sized for line in head.sizes(campaign)),
    ]


def _occasion(
    study: Study[Any],
    request: Request,
    campaigns: Sequence[Campaign],
    console: Console,
    measured: list[Path],
) -> int:
    """Measure these campaigns, report those with rows, and return the exit code.

    It appends their folders to `measured`.
    """
    code, mine, closing = 0, [], Closing()
    for campaign in campaigns:
        with leaving_a_hint(campaign, request, console):
            outcome = measure_shown(campaign, console, request.executor)
            code = max(code, finish(study, campaign, outcome, console, closing))
            if not outcome.interrupted:
                code = max(code, _cut(campaign, console, share_machine=request.share_machine))
            mine += [campaign.folder] if outcome.progress.rows else []
        if outcome.interrupted:
            break
    with leaving_a_hint(campaign, request, console):
        if mine:
            report_own(study, request, mine, console, closing, ended_well=code == 0)
    closing.print(console, *(hint(campaign, request) if outcome.interrupted else ()))
    measured += mine
    return code


def _cut(campaign: Campaign, console: Console, *, share_machine: bool) -> int:
    """Measure what a campaign's cells lose if the recipe has that, and return the exit code."""
    if campaign.recipe.cutting is None:
        return 0
    from . import power_cuts

    against = power_cuts.cut(campaign, console, share_machine=share_machine)
    say(console, *(f"FAILED {line}" for line in against))
    return 1 if against else 0


def _pool(
    study: Study[Any],
    request: Request,
    folders: Sequence[Path],
    console: Console,
    *,
    ended_well: bool,
) -> None:
    """Report several occasions as one, and print how to repeat that report."""
    from ..analysis import reports
    from ..runners.recipe import command_line as typed

    if len({folder.name for folder in folders}) < 2:
        return
    closing = Closing()
    say(console, f"All {len(folders)} campaigns together:")
    if study.shows_overheads:
        closing.publish(reports.devices(folders), console)
    report_own(study, request, folders, console, closing, ended_well=ended_well)
    named = " ".join(shlex.quote(os.path.relpath(folder)) for folder in folders)
    closing.print(console, f"This again: {typed.program()} report {named}")
