"""A store that is spread over several nodes: how many, who owns a key, how it is reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ....base.errors import UsageError
from ....engines import ENGINES, SHARDED, Shards
from ....engines.shards import MOST_NODES, OWNERS
from ..command_line import numbers
from .axis import Axis, Option

if TYPE_CHECKING:
    from ..recipe import Recipe


def nodes(default: str | None = None) -> tuple[Option, ...]:
    """Return the options of how a store is cut, for engines whose names end in -shards."""
    return (
        click.option(
            "--nodes",
            callback=numbers(MOST_NODES, "--nodes 1,2,4"),
            default=default,
            show_default=default is not None,
            help="Number of nodes of an engine with -shards; several, separated by commas.",
        ),
        click.option(
            "--wal-shared",
            is_flag=True,
            help="Put the logs of all nodes on one device, instead of one device for each.",
        ),
    )


class Cuts(Axis):
    """How a store is cut; an engine of shards has two nodes by default."""

    options = (
        *nodes(),
        click.option(
            "--owner",
            type=click.Choice(OWNERS),
            default=OWNERS[0],
            show_default=True,
            help="What decides which node owns a key: equal ranges, or a hash modulo their number.",
        ),
    )

    def values(self, recipe: Any) -> Sequence[str]:
        usual = (Shards(nodes=2).word,) if recipe.engine in SHARDED else ()
        return recipe.shards or usual

    def require(self, recipe: Recipe) -> None:
        engine = ENGINES[recipe.engine]
        if recipe.shards and engine.node_engine is None:
            raise UsageError(
                f"--nodes: found with --engine {recipe.engine}, which is one store; type --engine "
                f"{' or '.join(SHARDED)}"
            )
        beside = {"--memory": recipe.bound, "--binlog": recipe.binlog}
        for cut in map(Shards.of, self.values(recipe)):
            for flag in [name for name, value in beside.items() if value is not None]:
                if cut.nodes > 1:
                    raise UsageError(
                        f"{flag}: found with {cut.nodes} nodes, but it is for one; leave it out"
                    )
