"""A store cut into shards: the number of nodes, owners of keys, routes, and places of logs.

Each node is an engine with its own data and log. A cell's `shards` is a word for a cut:

    word  : "n" NODES owner? route? logs?
    owner : "-hash"       std::hash of the key modulo the nodes; by default equal ranges
    route : "-redirect"   a client's own node asks the owner; by default the client asks it directly
    logs  : "-shared"     all nodes share the logs' device; by default each has one of its own
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..base.errors import UsageError
from .engine import Engine

MOST_NODES = 16
RANGE, HASH = OWNERS = ("range", "hash")
DIRECT, REDIRECT = ROUTES = ("direct", "redirect")
_WORD = re.compile(r"n([1-9]\d?)(-hash)?(-redirect)?(-shared)?")


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
    route: str = DIRECT
    shared: bool = False

    @classmethod
    def of(cls, word: str) -> Shards:
        """Parse a cell's word; an empty one is a store that is not cut.

        Errors: UsageError for an invalid word.
        """
        match = _WORD.fullmatch(word or "n1")
        if match is None or int(match[1]) > MOST_NODES:
            raise UsageError(
                f"shards: found {word!r}, want n1 to n{MOST_NODES} with -hash, -redirect and "
                "-shared behind it, such as n4-redirect"
            )
        owner, route = HASH if match[2] else RANGE, REDIRECT if match[3] else DIRECT
        return cls(int(match[1]), owner, route, bool(match[4]))

    @property
    def word(self) -> str:
        """The word of the cut, which is the same for equivalent cuts."""
        if self.nodes == 1:
            return "n1"
        marks = ((self.owner == HASH, HASH), (self.route == REDIRECT, REDIRECT))
        words = [mark for holds, mark in (*marks, (self.shared, "shared")) if holds]
        return "-".join([f"n{self.nodes}", *words])

    @property
    def words(self) -> str:
        """A description, such as "4 nodes, redirect"."""
        if self.nodes == 1:
            return "1 node"
        owner = "by hash" if self.owner == HASH else ""
        parts = (f"{self.nodes} nodes", self.route, owner, "one log device" * self.shared)
        return ", ".join(filter(None, parts))

    @property
    def cut(self) -> Mapping[str, int | str]:
        """The driver's flags for the owners of keys; none for a store that is whole."""
        return {} if self.nodes == 1 else {"nodes": self.nodes, "owner": self.owner}

    @property
    def redirects(self) -> bool:
        return self.nodes > 1 and self.route == REDIRECT

    @property
    def way(self) -> Mapping[str, int | str]:
        """The driver's flags for reaching the nodes of servers."""
        return {**self.cut, "route": self.route} if self.redirects else self.cut
