"""The command `waltax linkbench`: the original's options, on an embedded store or a server."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ...base import proc
from ...base.errors import UsageError
from ...driver import client
from ...driver.argv import Scalar, command_line
from ...driver.client import Event
from ...workloads.original import letters, phase
from ...workloads.original.phase import say, show
from ...workloads.original.place import Place, chosen
from .settings import HOME_VARIABLE, Phase, Settings, check, naming_keys, read_config

_PROGRAM = "linkbench"
_OF_FILES = ("-L", "-csvstats", "--csvstats", "-csvstream", "--csvstream")
_NO_FILES = "the result is on standard output, with all percentiles"


@click.command(name="linkbench", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-c",
    "config",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Config file. [${HOME_VARIABLE}/config/LinkConfigMysql.properties]",
)
@click.option("-l", "do_load", is_flag=True, help="Execute the load phase.")
@click.option("-r", "do_request", is_flag=True, help="Execute the request phase, after -l.")
@click.option("-D", "overrides", multiple=True, metavar="KEY=VALUE", help="Override the files.")
@letters.unheeded(dict.fromkeys(_OF_FILES, _NO_FILES))
@letters.of_place({})
@letters.durability("sync, or what write_options_* say")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Of both phases.")
def command(**options: Any) -> None:
    """The LinkBench benchmark by its original command line and configuration files.

    Exits with 1 when a phase failed, also when too many requests did; with 2 when the
    command line or a file cannot be used.
    """
    wanted = [
        each for each, flag in ((Phase.LOAD, "do_load"), (Phase.RUN, "do_request")) if options[flag]
    ]
    if not wanted:
        raise UsageError("linkbench: found neither -l nor -r, want one of them or both")
    written = read_config(options["config"] or _stock_config(), options["overrides"])
    settings = check(written, wanted)
    durability = options["durability"] or _durability(settings.values)
    place = chosen(options, durability, "load" if Phase.LOAD in wanted else "run")
    for note in settings.notes:
        say(note)
    with naming_keys(written):
        _try(settings, wanted)
    if Phase.LOAD in wanted:
        _load(settings, place, options["seed"])
    if Phase.RUN in wanted:
        _request(settings, place, options["seed"])


def _try(settings: Settings, wanted: Sequence[Phase]) -> None:
    """Have the driver check all its flags before anything is made. Errors: UsageError."""
    flags = {name: value for phase in wanted for name, value in settings.parameters(phase).items()}
    words = command_line(proc.program(_PROGRAM), "run", {**flags, "store": "null"})
    with client.Driver(None, words) as driver:
        driver.wait_for("ready")


def _stock_config() -> Path:
    home = os.environ.get(HOME_VARIABLE)
    if not home or not Path(home).is_dir():
        raise UsageError(
            f"-c: found nothing, and {HOME_VARIABLE} is no directory; want a config file"
        )
    return Path(home) / "config" / "LinkConfigMysql.properties"


def _durability(values: Mapping[str, Scalar]) -> str:
    """Return the durability of the original's RocksDB configuration, or `sync` if it has none."""
    if values.get("write_options_disableWAL", False):
        return "off"
    return "sync" if values.get("write_options_sync", True) else "flush"


def _load(settings: Settings, place: Place, seed: int | None) -> None:
    """Write the graph into `place`, and show the original's last line. Errors: WaltaxError."""
    flags: dict[str, Scalar] = {
        "threads": min(settings.whole("loaders"), os.cpu_count() or 1),
        "seed": _seed(settings, "load_random_seed", seed),
    }
    loaded = phase.load(place, _PROGRAM, flags | settings.parameters(Phase.LOAD))
    ids = settings.whole("maxid1") - settings.whole("startid1")
    nodes, links, seconds = loaded["nodes"], loaded["links"], loaded["seconds"]
    show(
        f"LOAD PHASE COMPLETED.  Loaded {nodes} nodes (Expected {ids})."
        f" Loaded {links} links ({links / max(nodes, 1):.2f} links per node). "
        f" Took {seconds:.1f} seconds.  Links/second = {round(links / max(seconds, 1e-9))}"
    )


def _seed(settings: Settings, key: str, ours: int | None) -> int:
    """Return the driver's seed: that of --seed, or the key's, or a random one."""
    if ours is not None:
        return ours
    return settings.whole(key) % 2**63 if key in settings.values else secrets.randbits(48)


def _request(settings: Settings, place: Place, seed: int | None) -> None:
    """Run requests on the graph in `place`, and show their result.

    Errors: WaltaxError, also when more requests failed than max_failed_requests allows.
    """
    threads = settings.whole("requesters")
    if threads == 0:
        show("NO REQUEST PHASE CONFIGURED. ")
        return
    # The original counts rate and failures for each thread, the driver for all.
    failures = settings.whole("max_failed_requests")
    parameters = {
        **{"threads": threads, "seed": _seed(settings, "request_random_seed", seed)},
        **settings.parameters(Phase.RUN),
        "rate": max(0, settings.whole("requestrate")) * threads,
        "max_failed_requests": failures * threads if failures >= 0 else -1,
    }
    times = {
        "warmup_s": max(0, settings.whole("warmup_time")),
        "measure_s": settings.whole("maxtime"),
        "requests": settings.whole("requests"),
    }
    phase.run(place, _PROGRAM, parameters, times, _result, checks=False)


def _result(_ready: Event, result: Event) -> Iterator[str]:
    """Yield each operation's latencies, and the original's last line."""
    yield from phase.latencies(result["operations"])
    for sample in result["error_samples"]:
        yield f"failed request: {sample}"
    # Both figures are truncated to whole numbers, as in the original.
    requests, seconds = result["requests"], result["measure_s"]
    yield (
        f"REQUEST PHASE COMPLETED. {requests} requests done in {int(seconds)} seconds."
        f" Requests/second = {int(requests / max(seconds, 1e-3))}"
    )
