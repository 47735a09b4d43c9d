"""How every study goes from its command line to its report: plan, measure, end, report."""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..base.errors import UsageError, WaltaxError
from ..base.printable import say
from ..commands import COMMANDS, record_of, words_of
from ..runners.hosts import HostsError
from ..runners.recipe import axes, command_line
from . import options, transcript
from .request import Request
from .study import ANY, MOST_OCCASIONS, Study, record
from .transcript import Closing

if TYPE_CHECKING:
    from rich.console import Console

    from ..runners.campaign import Campaign
    from ..runners.loop import Executor, Outcome

INTERRUPTED = 130
"""The exit code."""
_SEEDS_APART = 1000  # a campaign's sessions count their seeds from its own
_SECONDS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
# Options allowed with --resume and --campaign, since they do not change what is measured.
_PLACES = {"share_machine", "results", "data_dir"}
_BESIDE_RESUME = {"resume", "only_plan", "hosts", *_PLACES}
_BESIDE_CAMPAIGN = {"campaigns", *_PLACES}


def _seconds(_context: click.Context, _option: click.Parameter, text: str | None) -> float:
    if text is None:
        return 0.0
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d)", text.strip())
    if match is None:
        raise UsageError(f"--every: found {text!r}; type a number with s, m, h or d, as in 1h")
    return float(match[1]) * _SECONDS[match[2]]


_OCCASIONS = (
    options.number(
        "--repeat",
        1,
        (1, MOST_OCCASIONS),
        "How many times to repeat the campaign; the repeats are pooled.",
    ),
    click.option(
        "--every",
        "interval_s",
        callback=_seconds,
        help="Time from the start of one repeat to that of the next, as 90s or 1h.",
    ),
)


def command(called: str) -> click.Command:
    """Return the command of a study in the table of commands."""
    study = record(called)

    def callback(**values: Any) -> None:
        from ..base.terminal import Terminal

        request = _request(study, values, typed_flags(click.get_current_context()))
        raise SystemExit(run(study, request, Terminal()))

    again = (options.CAMPAIGNS,) if study.report is not None else ()
    anew = _OCCASIONS if study.repeats else ()
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


def _request(study: Study, values: dict[str, Any], given: Mapping[str, str]) -> Request:
    """Return the request that a command's parameters say. Errors: as `axes.read`."""
    on_axes = axes.read(values)
    names = {item.name for item in fields(study.request)} & values.keys()
    shared = {name: values.pop(name) for name in names}
    return study.request(axes=on_axes, given=given, own=values, **shared)


def _as_typed_for(study: Study, **shared: Any) -> Request:
    """Return the request of a study of which nothing was typed but what is `shared` by all."""
    context = command(words_of(study.kind)).make_context(study.kind, [])
    return replace(_request(study, context.params, {}), **shared)


def run(study: Study, request: Request, console: Console) -> int:
    """Carry out a request, and return the exit code.

    `waltax run --resume` takes a campaign of every kind. Errors: UsageError for an invalid request,
    before anything is measured, as for a flag that would change a campaign that exists already.
    """
    from ..runners import campaign

    if request.campaigns:
        allowed = _BESIDE_CAMPAIGN | study.of_report
        _refuse_beside("--campaign", request, allowed, "change what was measured; leave it out")
        closing = Closing(console)
        closing.answer(study, request, request.campaigns)
        closing.print()
        return 0
    if request.resume is not None:
        why = "change the campaign; leave it out, or start a new campaign"
        _refuse_beside("--resume", request, _BESIDE_RESUME | study.of_report, why)
        begun = campaign.resume(request.resume.resolve(), request.typed_data_dir)
        own = record(begun.recipe.kind)
        if study.kind not in (own.kind, ANY):
            line = command_line.again(own.kind, begun.folder)
            raise UsageError(f"--resume: {begun.id} is of another command; type: {line}")
        if own.kind != study.kind:
            shared = {name: getattr(request, name) for name in ("given", *_BESIDE_RESUME)}
            request = _as_typed_for(own, **shared)
        return _measure(own, request, [begun], console)
    if study.instead is not None and (code := study.instead(request)) is not None:
        return code
    if request.interval_s and request.repeat == 1:
        raise UsageError(
            "--every: found it without --repeat; say how often, as in --repeat 3 --every 1h (with "
            "make: REPEAT=3 EVERY=1h)"
        )
    return _measure(study, request, study.campaigns(request), console)


def _refuse_beside(flag: str, request: Request, allowed: set[str], why: str) -> None:
    for name, other in request.given.items():
        if name not in allowed:
            raise UsageError(f"{flag}: found {other}, which would {why}")


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
        request = _as_typed_for(study, results=own[0].parent, campaigns=tuple(own))
        closing.answer(study, request, own, strictly=False)
    closing.print()
    return closing.overheads


def _measure(
    study: Study, request: Request, campaigns: Sequence[Campaign], console: Console
) -> int:
    """Measure and report the campaigns, or print their plan, and return the exit code.

    `campaigns` are those of the first occasion; later occasions are planned when they begin.
    """
    from ..analysis import writers

    if request.repeat > 1:
        say(console, f"{request.repeat} campaigns of this kind, pooled at the end")
    if request.only_plan:
        _plan(campaigns, console)
        return 0
    writers.default()  # fails before anything is measured
    code, measured, began_s = 0, list[Path](), 0.0
    for number in range(request.repeat):
        if number and (code == INTERRUPTED or _is_ended(request, number, began_s, console)):
            code = INTERRUPTED
            break
        began_s = time.time()
        try:
            if number:
                campaigns = study.campaigns(_anew(request, number))
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


def _plan(campaigns: Sequence[Campaign], console: Console) -> None:
    """Print what would be measured, and what that takes. Errors: UsageError when it cannot be."""
    from ..runners import plan

    for campaign in campaigns:
        say(console, *transcript.words(campaign), *transcript.sizes(campaign))
    for campaign in campaigns:
        plan.require_sense(campaign)
        plan.require_room(campaign)


def _anew(request: Request, number: int) -> Request:
    """Return the request of occasion `number`, from 0; a typed seed is that of the first."""
    if request.seed is None:
        return request
    return replace(request, seed=(request.seed + _SEEDS_APART * number) % 2**31)


def _is_ended(request: Request, number: int, began_s: float, console: Console) -> bool:
    """Wait for the start of an occasion, and return whether Ctrl-C ended the wait.

    `began_s` is when the one before began.
    """
    due_s = max(began_s + request.interval_s, time.time())
    at = time.strftime("%H:%M:%S", time.localtime(due_s))
    words = f"occasion {number + 1} of {request.repeat} begins at {at}"
    say(console, f"{words}; Ctrl-C keeps what was measured")
    try:
        time.sleep(max(0.0, due_s - time.time()))
    except KeyboardInterrupt:
        return True
    return False


def _occasion(
    study: Study,
    request: Request,
    campaigns: Sequence[Campaign],
    console: Console,
    measured: list[Path],
) -> int:
    """Measure these campaigns, report those with rows, and return the exit code.

    It appends their folders to `measured`.
    """
    from ..analysis import reports
    from . import power_cuts

    code, mine, closing = 0, [], Closing(console)
    for campaign in campaigns:
        say(console, *transcript.words(campaign))
    try:
        for campaign in campaigns:
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
            failures = outcome.progress.failures
            say(console, *(f"FAILED {cell}: {why}" for cell, why in failures.items()))
            longer = '; its intervals allow for that (docs/method.md, "When a campaign stops")'
            say(console, f"Ended because {outcome.reason}{longer * bool(outcome.tight)}.")
            if outcome.interrupted:
                code = INTERRUPTED
                break
            has_lost = power_cuts.cut(campaign, console, share_machine=request.share_machine)
            code = max(code, int(bool(failures) or has_lost))
        if mine:
            closing.answer(study, request, mine, strictly=code == 0)
    except (KeyboardInterrupt, HostsError):
        if campaign.rows_path.exists():
            say(console, "", *_hint(campaign, request))
        raise
    closing.print(*(_hint(campaign, request) if outcome.interrupted else ()))
    measured += mine
    return code


def measure_shown(campaign: Campaign, console: Console, executor: Executor) -> Outcome:
    """Measure a campaign to its end, with a line after each round."""
    from .. import analysis
    from ..runners import loop

    return loop.measure(campaign, analysis.estimate, partial(say, console), executor)


def _hint(campaign: Campaign, request: Request) -> tuple[str, str]:
    """Return how to resume a campaign; the command has its own line, to be pasted."""
    line = command_line.again(campaign.recipe.kind, campaign.folder, request.hosts or "")
    return "Continue with:", f"  {line}"
