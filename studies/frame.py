"""How every study goes from its command line to its report: head, plan, measure, finish."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..base.errors import UsageError, WaltaxError
from ..commands import COMMANDS, record_of
from ..runners.recipe import axes, command_line
from . import occasions, options
from .campaign_end import (
    INTERRUPTED,
    Closing,
    again,
    hint,
    leaving_a_hint,
    measure_shown,
    say,
    words,
)
from .request import Request
from .study import ANY, Study, record

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign

# Options allowed with --resume and --campaign, since they do not change what is measured.
_PLACES = {"share_machine", "results", "data_dir"}
_BESIDE_RESUME = {"resume", "only_plan", "hosts", *_PLACES}
_BESIDE_CAMPAIGN = {"campaigns", *_PLACES}


def command(called: str) -> click.Command:
    """Return the command of a study in the table of commands."""
    study = record(called)

    def callback(**values: Any) -> None:
        from ..base.terminal import Terminal

        given = typed_flags(click.get_current_context())
        request = study.request(axes=axes.read(values), given=given, **values)
        raise SystemExit(run(study, request, Terminal()))

    again = (options.CAMPAIGNS,) if study.report is not None else ()
    anew = occasions.OPTIONS if study.repeats else ()
    for option in reversed((*study.options, *again, *anew, *options.EVERY)):
        callback = option(callback)
    about = f"{COMMANDS[called].help}\n\n{study.about}"
    return click.command(name=called, help=about)(callback)


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
        closing = Closing(console)
        closing.answer(study, request, request.campaigns)
        closing.print()
        return 0
    if request.resume is not None:
        return _resume(study, request, console)
    code = None if study.instead is None else study.instead(request)
    if code is not None:
        return code
    occasions.require_sense(request)
    return _measure(study, request, study.campaigns(request), console)


def report(
    folders: Sequence[Path], console: Console, formats: Sequence[str] | None = None
) -> list[str]:
    """Publish the overheads of campaigns, and the reports of the studies that they belong to.

    It says so when an interrupted campaign has too little data. A folder without rows has only its
    own report. Return the verdicts on the overheads.
    """
    from ..analysis import reports
    from ..runners.recipe import campaign_file

    closing, kinds = Closing(console, formats), dict[str, list[Path]]()
    for folder in folders:
        kept = next((name for name in reports.WITHOUT_ROWS if (folder / name).is_file()), None)
        if kept is not None and not (folder / "rows.jsonl").is_file():
            closing.publish(reports.WITHOUT_ROWS[kept](folder))
        else:
            kinds.setdefault(campaign_file.told(folder).kind, []).append(folder)
    if kinds:
        closing.publish(reports.devices([folder for of in kinds.values() for folder in of]))
    for kind in filter(record_of, kinds):
        own, study = kinds[kind], record(kind)
        places = {"results": own[0].parent, "data_dir": own[0].parent}
        request = study.request(**places, campaigns=tuple(own))
        closing.answer(study, request, own, strictly=False)
    closing.print()
    return closing.overheads


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
    own = record(begun.recipe.kind)
    if own.kind == study.kind:
        return _measure(study, request, [begun], console)
    if study.kind != ANY:
        raise UsageError(f"--resume: {begun.id} is of another command; type: {again(begun)}")
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

    if request.repeat > 1:
        say(console, f"{request.repeat} campaigns of this kind, pooled at the end")
    _announce(campaigns, console, sized=request.only_plan)
    if request.only_plan:
        for campaign in campaigns:
            plan.require_sense(campaign)
            plan.require_room(campaign)
        return 0
    writers.default()  # fails before anything is measured
    code, measured, began_s = 0, list[Path](), 0.0
    for number in range(request.repeat):
        if code == INTERRUPTED:
            break
        if number and occasions.wait(request, number, began_s, partial(say, console)):
            code = INTERRUPTED
            break
        began_s = time.time()
        try:
            if number:
                campaigns = study.campaigns(occasions.anew(request, number))
                _announce(campaigns, console)
            code = max(code, _occasion(study, request, campaigns, console, measured))
        except WaltaxError as error:
            if not number:
                raise
            # A later one that fails, as because another campaign is measuring, is skipped.
            say(console, f"This occasion is left out: {error}")
            code = max(code, 1)
    if len({folder.name for folder in measured}) > 1 and request.repeat > 1:
        say(console, f"All {len(measured)} campaigns together:")
        report(measured, console)
        named = " ".join(shlex.quote(os.path.relpath(folder)) for folder in measured)
        say(console, f"This again: {command_line.program()} report {named}")
    return code


def _announce(campaigns: Sequence[Campaign], console: Console, *, sized: bool = False) -> None:
    """Say what is about to be measured, and if it is `sized`, how much that takes."""
    from . import head

    for campaign in campaigns:
        say(console, *head.words(campaign), *(head.sizes(campaign) if sized else ()))


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
    from ..analysis import reports

    code, mine, closing = 0, [], Closing(console)
    for campaign in campaigns:
        with leaving_a_hint(campaign, request, console):
            outcome = measure_shown(campaign, console, request.executor)
            mine += [campaign.folder] if outcome.progress.rows else []
            if study.shows_overheads and outcome.progress.rows:
                overheads = reports.devices(
                    [campaign.folder],
                    stop_reason=outcome.reason,
                    target_half_width=campaign.profile.timing.target_half_width,
                    ended_early=outcome.tight,
                )
                closing.publish(overheads)
            say(console, *words(outcome))
            if outcome.interrupted:
                code = INTERRUPTED
                break
            failed = bool(outcome.progress.failures) | _cut(campaign, request, console)
            code = max(code, int(failed))
    with leaving_a_hint(campaign, request, console):
        if mine:
            closing.answer(study, request, mine, strictly=code == 0)
    closing.print(*(hint(campaign, request) if outcome.interrupted else ()))
    measured += mine
    return code


def _cut(campaign: Campaign, request: Request, console: Console) -> bool:
    """Measure what a campaign's cells lose if the recipe has that; return whether one must not."""
    if campaign.recipe.cutting is None:
        return False
    from . import power_cuts

    against = power_cuts.cut(campaign, console, share_machine=request.share_machine)
    say(console, *(f"FAILED {line}" for line in against))
    return bool(against)
