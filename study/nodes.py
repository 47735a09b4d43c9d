"""The options by which a store is dealt out to several nodes."""

from __future__ import annotations

import click

from ..engines.shards import MOST_NODES, OWNERS, ROUTES
from ..errors import UsageError
from .options import Option


def shards(default: str | None = None) -> tuple[Option, ...]:
    """How a store is cut into nodes, of engines whose names end in -shards."""
    return (
        click.option(
            "--nodes",
            callback=_nodes,
            default=default,
            show_default=default is not None,
            help="Of an engine of shards: how many nodes, or several numbers, separated by commas.",
        ),
        click.option(
            "--wal-shared",
            is_flag=True,
            help="The logs of all nodes on one device; else each has one of its own.",
        ),
    )


def ways() -> tuple[Option, ...]:
    """Who owns a key of shards and how it is reached, of a command that takes one of each."""
    return (
        click.option(
            "--route",
            type=click.Choice(ROUTES),
            default=ROUTES[0],
            show_default=True,
            help="Of several nodes: clients ask the owner, or one node, which asks the owner.",
        ),
        click.option(
            "--owner",
            type=click.Choice(OWNERS),
            default=OWNERS[0],
            show_default=True,
            help="Of several nodes: equal ranges of keys, or a hash modulo their number.",
        ),
    )


def _nodes(_context: click.Context, _option: click.Parameter, text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    words = text.replace(",", " ").split()
    numbers = sorted({int(word) for word in words if word.isdecimal()})
    if not all(word.isdecimal() for word in words) or not numbers:
        numbers = [0]
    if numbers[0] < 1 or numbers[-1] > MOST_NODES:
        raise UsageError(
            f"--nodes: found {text!r}; one or more whole numbers from 1 to {MOST_NODES}, separated "
            "by commas, such as --nodes 1,2,4 (with make: NODES=1,2,4)"
        )
    return tuple(numbers)
