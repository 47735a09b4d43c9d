"""`waltax sweep threads`: overhead over the number of clients, 1 to 32."""

from __future__ import annotations

import click

from ..runners.recipe import command_line
from ..runners.recipe.axes.simple import MAX_THREADS
from . import names, options
from .request import Request
from .study import Study, planned, reported

_THREADS = "1,2,4,8,16,32"

STUDY = Study(
    kind="sweep-threads",
    about="Each number of clients has an off of its own, and all cells take turns.",
    request=Request,
    options=(
        *options.beside_the_study("sweep-threads", "Size of the experiment; for myrocks: sweep."),
        click.option(
            "--threads",
            callback=command_line.numbers(MAX_THREADS, _THREADS, fewest=2),
            default=_THREADS,
            show_default=True,
            help="Numbers of clients to compare, separated by commas; two or more.",
        ),
    ),
    plan=planned(lambda request: names.beside_the_study(request, "sweep-threads")),
    report=reported("threads"),
)
