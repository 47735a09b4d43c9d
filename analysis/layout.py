"""How every table looks, and what its commonest cells hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table

from . import words
from .overhead import CellEstimate

WIDTH = 100  # columns the tables are laid out for


@dataclass(frozen=True)
class ByWidth:
    """A table that is laid out when it is drawn, because only then its width is known."""

    layout: Callable[[bool], Table]  # of whether it has to be compact

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.layout(options.max_width < WIDTH)


def table(title: str, headers: list[str]) -> Table:
    """Its first column names devices, the others hold numbers."""
    table = Table(title=title, title_justify="left", title_style="", box=box.SIMPLE_HEAD)
    table.add_column("device", overflow="fold")
    for header in headers:
        table.add_column(header, justify="right", no_wrap=True)
    return table


def overhead(one: CellEstimate) -> str:
    if one.failed:
        return words.FAILED
    interval = "baseline" if one.is_baseline else words.bounds(one.low, one.high)
    return f"{words.percent(one.overhead)} {interval}"


def throughput(one: CellEstimate) -> str:
    """With the half-width of its own interval, drift and all."""
    if one.throughput_low is None or one.throughput_high is None:
        return words.number(one.throughput)
    half_width = (one.throughput_high - one.throughput_low) / 2
    return f"{words.number(one.throughput)} \N{PLUS-MINUS SIGN}{words.number(half_width)}"
