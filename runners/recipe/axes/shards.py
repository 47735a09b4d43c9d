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

    name = "shards"
    options = (
        *nodes(),
        click.option(
            "--owner",
            type=click.Choice(OWNERS),
            show_default=OWNERS[0],
            help="What decides which node owns a key: equal ranges, or a hash modulo their number.",
        ),
    )

    def read(self, typed: dict[str, Any]) -> tuple[str, ...]:
        numbers, owner = typed.pop("nodes", ()), typed.pop("owner", None)
        shared = typed.pop("wal_shared", False)
        if not numbers and (owner or shared):
            raise UsageError(
                f"{'--owner' if owner else '--wal-shared'}: found without --nodes, which says how "
                "many nodes there are; add --nodes 2"
            )
        return tuple(Shards(number, owner or OWNERS[0], shared).word for number in numbers)

    def values(self, recipe: Recipe) -> Sequence[str]:
        usual = (Shards(nodes=2).word,) if recipe.engine in SHARDED else ()
        return self.of(recipe) or usual

    def require(self, recipe: Recipe) -> None:
        if self.of(recipe) and ENGINES[recipe.engine].node_engine is None:
            raise UsageError(
                f"--nodes: found with --engine {recipe.engine}, which is one store; type --engine "
                f"{' or '.join(SHARDED)}"
            )
        for cut in map(Shards.of, self.values(recipe)):
            for name in {"memory", "binlog"} & recipe.axes.keys() if cut.nodes > 1 else ():
                raise UsageError(
                    f"--{name}: found with {cut.nodes} nodes, but it is for one; leave it out"
                )
