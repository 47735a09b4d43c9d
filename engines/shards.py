"""A store cut into shards: how many nodes, who owns a key, how it is reached, where logs are.

Each node is an engine with data and a log of its own. A cell's `shards` is the word of a cut:

    word  : "n" NODES owner? route? logs?
    owner : "-hash"       the owner is std::hash of the key modulo the nodes; else equal ranges
    route : "-redirect"   a client is tied to one node, which asks the owner; else asks it directly
    logs  : "-shared"     all nodes have their logs on one device; else each has one of its own
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
    """The engine whose nodes are each a `node`: all that is known of that holds for each."""
    return replace(
        node, name=f"{node.name}-shards", title=f"{node.title} shards", node_engine=node.name
    )


@dataclass(frozen=True)
class Shards:
    """How a store is cut. One node is the store itself, whatever the rest says."""

    nodes: int = 1
    owner: str = RANGE
    route: str = DIRECT
    shared: bool = False

    @classmethod
    def of(cls, word: str) -> Shards:
        """What a cell's word says; the empty one is a store that is not cut.

        Errors: UsageError for a word that is none.
        """
        found = _WORD.fullmatch(word or "n1")
        if found is None or int(found[1]) > MOST_NODES:
            raise UsageError(
                f"shards: found {word!r}, want n1 to n{MOST_NODES} with -hash, -redirect and "
                "-shared behind it, such as n4-redirect"
            )
        owner, route = HASH if found[2] else RANGE, REDIRECT if found[3] else DIRECT
        return cls(int(found[1]), owner, route, bool(found[4]))

    @property
    def word(self) -> str:
        """Which is the same for all cuts that differ in nothing."""
        if self.nodes == 1:
            return "n1"
        marks = ((self.owner == HASH, HASH), (self.route == REDIRECT, REDIRECT))
        words = [mark for holds, mark in (*marks, (self.shared, "shared")) if holds]
        return "-".join([f"n{self.nodes}", *words])

    @property
    def words(self) -> str:
        """E.g. 4 nodes, redirect."""
        if self.nodes == 1:
            return "1 node"
        owner = "by hash" if self.owner == HASH else ""
        said = (f"{self.nodes} nodes", self.route, owner, "one log device" * self.shared)
        return ", ".join(filter(None, said))

    @property
    def cut(self) -> Mapping[str, int | str]:
        """The driver's flags that say which node owns what; none of a store that is whole."""
        return {} if self.nodes == 1 else {"nodes": self.nodes, "owner": self.owner}

    @property
    def redirects(self) -> bool:
        return self.nodes > 1 and self.route == REDIRECT

    @property
    def way(self) -> Mapping[str, int | str]:
        """The driver's flags by which it reaches the nodes of servers."""
        return {**self.cut, "route": self.route} if self.redirects else self.cut
