"""The two phases of the command line: load a graph, run requests on it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator

from ... import proc
from ...driver.argv import Scalar
from ...driver.client import Event
from ...driver.original import phase
from ...driver.original.place import AnyPlace
from .keys import Phase
from .settings import Settings

_PROGRAM = "linkbench"


def load(
    settings: Settings, place: AnyPlace, seed: int | None, tell: Callable[[str], None]
) -> None:
    """Write the graph into `place`, and `tell` the original's last line. Errors: WaltaxError."""
    loaded = phase.load(
        place,
        _PROGRAM,
        threads=min(settings.whole("loaders"), os.cpu_count() or 1),
        seed=_seed(settings, "load_random_seed", seed),
        parameters=settings.parameters(Phase.LOAD),
    )
    ids = settings.whole("maxid1") - settings.whole("startid1")
    nodes, links, seconds = loaded["nodes"], loaded["links"], loaded["seconds"]
    tell(
        f"LOAD PHASE COMPLETED.  Loaded {nodes} nodes (Expected {ids})."
        f" Loaded {links} links ({links / max(nodes, 1):.2f} links per node). "
        f" Took {seconds:.1f} seconds.  Links/second = {round(links / max(seconds, 1e-9))}"
    )


def _seed(settings: Settings, key: str, ours: int | None) -> int:
    """Return the driver's seed: that of --seed, or the key's, or a random one."""
    if ours is not None:
        return ours
    return settings.whole(key) % 2**63 if key in settings.values else secrets.randbits(48)


def request(
    settings: Settings, place: AnyPlace, seed: int | None, tell: Callable[[str], None]
) -> None:
    """Run requests on the graph in `place`, and `tell` their result.

    Errors: WaltaxError, also when more requests failed than max_failed_requests allows.
    """
    threads = settings.whole("requesters")
    if threads == 0:
        tell("NO REQUEST PHASE CONFIGURED. ")
        return
    words = place.command_line(
        proc.program(_PROGRAM),
        "run",
        threads=threads,
        seed=_seed(settings, "request_random_seed", seed),
        parameters=_run_parameters(settings, threads),
    )
    command = {
        "warmup_s": max(0, settings.whole("warmup_time")),
        "measure_s": settings.whole("maxtime"),
        "requests": settings.whole("requests"),
    }
    phase.run(words, command, _result, place, tell=tell, checks=False)


def _run_parameters(settings: Settings, threads: int) -> dict[str, Scalar]:
    """Return the run's flags; rate and failures, which the original counts per thread, for all."""
    rate = max(0, settings.whole("requestrate")) * threads
    failures = settings.whole("max_failed_requests")
    return {
        **settings.parameters(Phase.RUN),
        "rate": rate,
        "max_failed_requests": failures * threads if failures >= 0 else -1,
    }


def _result(_ready: Event, result: Event) -> Iterator[str]:
    """Yield what each operation took, and the original's last line."""
    yield from phase.latencies(result["operations"])
    for sample in result["error_samples"]:
        yield f"failed request: {sample}"
    # Both figures are cut to whole numbers, as there.
    requests, seconds = result["requests"], result["measure_s"]
    yield (
        f"REQUEST PHASE COMPLETED. {requests} requests done in {int(seconds)} seconds."
        f" Requests/second = {int(requests / max(seconds, 1e-3))}"
    )
