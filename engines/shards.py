"""A store cut into shards: the number of nodes, owners of keys, and places of logs.

Each node is an engine with its own data and log. A cell's `shards` is a word for a cut:

    word  : "n" NODES owner? logs?
    owner : "-hash"    std::hash of the key modulo the nodes; by default equal ranges
    logs  : "-shared"  all nodes share the logs' device; by default each has one of its own
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..base.errors import UsageError
from .engine import Engine

MOST_NODES = 16
RANGE, HASH = OWNERS = ("range", "hash")
_WORD = re.compile(r"n([1-9]\d?)(-hash)?(-shared)?")


def sharded(node: Engine) -> Engine:
    """Return the engine whose nodes are each a `node`, with the same facts for each."""
    return replace(
        node, name=f"{node.name}-shards", title=f"{node.title} shards", node_engine=node.name
    )


@dataclass(frozen=True)
class Shards:
    """How a store is cut. With one node, the other fields have no effect."""

    nodes: int = 1
    owner: str = RANGE
    shared: bool = False

    @classmethod
    def of(cls, word: str) -> Shards:
        """Parse a cell's word; an empty one is a store that is not cut.

        Errors: UsageError for an invalid word.
        """
        match = _WORD.fullmatch(word or "n1")
        if match is None or int(match[1]) > MOST_NODES:
            raise UsageError(
                f"shards: found {word!r}, want n1 to n{MOST_NODES} with -hash and -shared behind "
                "it, such as n4-hash"
            )
        return cls(int(match[1]), HASH if match[2] else RANGE, bool(match[3]))

    @property
    def word(self) -> str:
        """The word of the cut, which is the same for equivalent cuts."""
        if self.nodes == 1:
            return "n1"
        marks = ((self.owner == HASH, HASH), (self.shared, "shared"))
        return "-".join([f"n{self.nodes}", *(mark for holds, mark in marks if holds)])

    @property
    def words(self) -> str:
        """A description, such as "4 nodes, by hash"."""
        if self.nodes == 1:
            return "1 node"
        owner = "by hash" if self.owner == HASH else ""
        return ", ".join(
            filter(None, (f"{self.nodes} nodes", owner, "one log device" * self.shared))
        )

    @property
    def cut(self) -> Mapping[str, int | str]:
        """The driver's flags for the owners of keys; none for a store that is whole."""
        return {} if self.nodes == 1 else {"nodes": self.nodes, "owner": self.owner}
