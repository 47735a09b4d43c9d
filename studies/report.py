"""`waltax report`: repeat the report of campaigns, or pack one into a file.

A bundle is one archive of a campaign, to keep, to send, and to report again elsewhere.
"""

from __future__ import annotations

import json
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base import strictjson
from ..base.errors import UsageError
from . import options

if TYPE_CHECKING:
    from ..analysis.bundle import Scrubber

_BUNDLE = "bundle"
FORMATS = ("terminal", "markdown", "json", "csv", "figures", "html", "openmetrics", "otava")
"""The names of `analysis.writers.WRITERS`, for which a help must not wait."""
_RECIPE = "campaign.json"
_ENDED = ("stop_reason", "target_half_width")
_PACKED = ("json", "csv", "figures", "html")


@click.command()
@click.argument("campaigns", nargs=-1, type=options.FOLDER)
@click.option("--campaign", "also", multiple=True, type=options.FOLDER, help="One of CAMPAIGNS.")
@options.results()
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice([*FORMATS, _BUNDLE]),
    help="figures are PNG and SVG, openmetrics gauges of each cell, otava a CSV line for each "
    "campaign, for change points, and bundle an archive of one campaign, to keep or to send. "
    "Repeatable. Default: terminal, json, csv and html.",
)
@click.option("--out", type=options.FOLDER, help="Where to write a bundle.")
@click.option(
    "--schema",
    type=click.Choice(["rows", "summary"]),
    help="Print the JSON schema of a line of rows.jsonl, or of summary.json, and nothing else.",
)
def command(
    campaigns: tuple[Path, ...],
    also: tuple[Path, ...],
    results: Path,
    formats: tuple[str, ...],
    out: Path | None,
    schema: str | None,
) -> None:
    """Write the report of the last campaign, or of CAMPAIGNS, again, in any format.

    A study, such as why, adds its own report.
    """
    from .. import row
    from ..analysis.reports import summary
    from ..base.terminal import Terminal, say
    from . import frame

    if schema:
        click.echo(json.dumps((row if schema == "rows" else summary).schema(), indent=1))
        return
    folders = [*campaigns, *also] or [options.last_campaign(results)]
    if out is not None and _BUNDLE not in formats:
        raise UsageError(f"--out: found without --format {_BUNDLE}, which it names a file for")
    if _BUNDLE in formats:
        if len(folders) != 1:
            raise UsageError(
                f"--format: {_BUNDLE} holds one campaign; found {len(folders)}; name one"
            )
        say(Terminal(), bundle(folders[0], out))
    drawn = tuple(name for name in formats if name != _BUNDLE)
    if drawn or not formats:
        frame.report(folders, Terminal(), drawn or None)


def bundle(campaign: Path, out: Path | None) -> str:
    """Write the archive of a campaign, and return its path and size in words.

    Errors: UsageError for a folder that is no campaign, or a place that cannot be written to.
    """
    from ..analysis.bundle import packed, sums

    folder = campaign.resolve()
    if not folder.is_dir():
        raise UsageError(f"{folder}: not a campaign's folder; type one of those below results/")
    with tempfile.TemporaryDirectory() as place:
        _gather(folder, Path(place))
        sums(Path(place))
        content = packed(Path(place), folder.name)
    out = out or Path(f"{folder.name}.tar.gz")
    try:
        with out.open("xb") as file:
            file.write(content)
    except OSError as error:
        raise UsageError(
            f"--out: {out}: cannot be made: {error.strerror}; name another with --out"
        ) from error
    return f"{out}: {len(content):,} bytes"


def _gather(folder: Path, place: Path) -> None:
    """Write the archive's files to `place`, and a report of those. Errors: as `load`."""
    from .. import analysis
    from ..analysis.bundle import Scrubber
    from ..analysis.reports.hosts import FILE, kept
    from ..analysis.results import hosts
    from ..base.terminal import Terminal
    from . import frame

    measured = analysis.load([folder])
    # Includes hosts without a row; addresses are private.
    fleet = [{**row, "name": name, "address": ""} for name, row in kept(folder).items()]
    scrub = Scrubber(dict.fromkeys([*hosts.names(measured), *(row["name"] for row in fleet)]))
    rows = [scrub.value(row) for row in measured]
    (place / "rows.jsonl").write_text(
        "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    )
    if fleet:
        (place / FILE).write_text(json.dumps(scrub.value(fleet), indent=1) + "\n")
    recipe = _recipe(folder, place, scrub)
    ended = {name: strictjson.read_object(folder / "summary.json").get(name) for name in _ENDED}
    (place / "summary.json").write_text(json.dumps(scrub.value(ended)))
    verdicts = frame.report([place], Terminal(quiet=True), _PACKED)
    (place / "README.md").write_text(_readme(folder.name, verdicts, recipe))


def _recipe(folder: Path, place: Path, scrub: Scrubber) -> dict[str, Any]:
    """Copy the recipe and the user's own files that it names, and return the recipe, scrubbed."""
    recipe = strictjson.read_object(folder / _RECIPE)
    if recipe:
        (place / _RECIPE).write_text(json.dumps(scrub.value(recipe), indent=1) + "\n")
    files = {}
    named = [("profiles", recipe.get("profile")), ("devices", recipe.get("devices"))]
    for room, names in named:
        for path in map(Path, map(str, names if isinstance(names, list) else [names])):
            if "/" in str(path) and path.is_file():  # ours come with waltax
                files[path.name] = f"recipe/{room}/{path.name}"
                copy = place / files[path.name]
                copy.parent.mkdir(parents=True, exist_ok=True)
                lines = path.read_text(errors="replace").split("\n")
                copy.write_text("\n".join(map(scrub.text, lines)))
    typed = [
        flag + equals + files.get(Path(text).name, text)
        for word in shlex.split(str(recipe.get("typed") or ""))
        for flag, equals, text in [word.rpartition("=")]
    ]
    scrubbed: dict[str, Any] = scrub.value(recipe | {"typed": shlex.join(typed)})
    return scrubbed


def _readme(name: str, verdicts: list[str], recipe: dict[str, Any]) -> str:
    from ..analysis.page import command

    again = f"    {said}" if (said := command(recipe)) else "campaign.json has what was asked."
    parts = [
        f"# Campaign {name}",
        *verdicts,
        "The report again, from the rows alone, on any machine with waltax, in this folder:",
        "    waltax report .",
        "It writes summary.json with the same bytes. `sha256sum -c SHA256SUMS` checks what came.",
        "The experiment again, on a machine of your own, as far as flags say it:",
        again,
        "Paths, hosts' names and passwords are taken out.",
        "report.html says what it was measured with.",
    ]
    return "\n\n".join(parts) + "\n"
