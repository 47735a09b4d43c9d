"""Read a text that a person typed and that names several things or holds several words.

`make` hands over its variables whole: they are split into words here, and no shell sees them.
"""

from __future__ import annotations

import itertools
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...base.errors import UsageError, meant
from ...commands import TYPED, words_of
from ...engines.builds.build import Named, named

if TYPE_CHECKING:
    from ...devices import Device

_MAIN = Path(__file__).resolve().parents[2] / "__main__.py"  # of `python -m waltax`
_Command = TypeVar("_Command", bound=Callable[..., Any])


def words(flag: str, text: str) -> list[str]:
    """Split a text into words as a shell would; nothing in it is expanded or run.

    Errors: UsageError that names `flag` if a quote is not closed.
    """
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(
            f"{flag}: found {text!r}: {str(error).lower()}; quote a word that holds an apostrophe "
            f"with double quotes"
        ) from error


def several(flag: str, text: str, known: Sequence[str]) -> tuple[str, ...]:
    """Split words at commas, and return each once. Errors: UsageError for an unknown word."""
    words = tuple(dict.fromkeys(text.split(",")))
    for word in words:
        if word not in known:
            near = meant(word, known)
            raise UsageError(f"{flag}: found {word!r}; one or more of {','.join(known)}{near}")
    return words


def listed(
    flag: str, name: str, known: Mapping[str, str], default: Iterable[str], text: str
) -> Callable[[_Command], _Command]:
    """Return an option for some of the `known` words, separated by commas.

    Its value is what they stand for, each once.
    """

    def read(_context: click.Context, _option: click.Parameter, typed: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(known[word] for word in several(flag, typed, list(known))))

    return click.option(
        flag, name, callback=read, default=",".join(default), show_default=True, help=text
    )


def numbers(
    most: int, such_as: str, *, fewest: int = 1
) -> Callable[[click.Context, click.Parameter, str | None], tuple[int, ...]]:
    """Return a callback that reads rising whole numbers from 1, separated by blanks or commas.

    It reads no numbers from None. It raises UsageError, with an example, for too few numbers, and
    for words that are none.
    """

    def read(_context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...]:
        if text is None:
            return ()
        words = [word for part in text.split(",") for word in part.split() or [""]]
        values = sorted({int(word) if word.isdecimal() else 0 for word in words})
        if len(values) < fewest or not 1 <= values[0] <= values[-1] <= most:
            raise UsageError(
                f"{option.opts[0]}: found {text!r}; {'two' if fewest == 2 else 'one'} or more "
                f"whole numbers from 1 to {most}, separated by blanks or commas, such as {such_as}"
            )
        return tuple(values)

    return read


def again(kind: str, folder: Path, hosts: str = "") -> str:
    """Return the line that continues a campaign of this kind, ready to be pasted.

    `hosts` is what was typed for --hosts. A person who came by make gets a line of make: `waltax`
    is not on their PATH.
    """
    shown, command = os.path.relpath(folder), words_of(kind)
    context = click.get_current_context(silent=True)
    if context is not None and context.find_root().obj == "make":
        words = [f"RESUME={shown}", *([f"HOSTS={hosts}"] if hosts else [])]
        return f"make {command.replace(' ', '-')} {shlex.join(words)}"
    words = ["--resume", shown, *(["--hosts", hosts] if hosts else [])]
    return f"{program()} {command} {shlex.join(words)}"


def typed() -> str:
    """Return the words behind `waltax`, quoted as for a shell; empty outside of a command."""
    context = click.get_current_context(silent=True)
    return "" if context is None else shlex.join(context.meta.get(TYPED, ()))


def program() -> str:
    """Return how a shell in this folder calls the running waltax, ready to be pasted."""
    called = sys.argv[0]
    if Path(called).resolve() == _MAIN:
        return f"{_shown(sys.executable)} -m waltax"
    if Path(called).name != "waltax" or "/" not in called or shutil.which("waltax") == called:
        return "waltax"
    return _shown(called)


def _shown(path: str) -> str:
    """Return a program's path relative to here, or the absolute one if that is shorter."""
    near = os.path.relpath(path)
    near = near if "/" in near else f"./{near}"
    return shlex.quote(min(near, path, key=len))


def kept(name: str) -> str:
    """Return a device or profile as typed, but a file with its absolute path for resuming."""
    path = Path(name).expanduser()
    is_file = name.endswith(".toml") or ("." in name and path.is_file())
    return str(path.absolute()) if is_file else name


def load_device(name: str, wal_dir: str | None = None, flag: str = "--device") -> Device:
    """Load a device by what --device says. Errors: UsageError that names the flag."""
    from ... import devices as catalog

    if not name:
        raise UsageError(
            f"{flag}: found no name; type one of {', '.join(catalog.names())}, as in "
            f"{flag} nvme, or a device file (./mybox.toml)"
        )
    try:
        return catalog.load(name, wal_dir)
    except UsageError as error:
        first, *others = error.lines
        raise UsageError(f"{flag}: {first}", *others) from error


def devices(text: str, *default: str) -> Callable[[_Command], _Command]:
    """Return the option --device of a command that takes several; `text` is its help."""
    return click.option(
        "--device",
        "devices",
        multiple=True,
        default=default,
        callback=lambda _context, _option, typed: _split("--device", typed, _is_device),
        shell_complete=_device_names,
        help=text,
    )


def _device_names(_context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    from ...devices.catalog import names

    return [name for name in names() if name.startswith(begun)]


def endpoints() -> Callable[[_Command], _Command]:
    """Return the option --endpoint, as texts, whose meaning is up to `endpoint.named`."""
    return click.option(
        "--endpoint",
        "--endpoints",
        "endpoints",
        multiple=True,
        callback=lambda _context, _option, typed: _split("--endpoint", typed),
        metavar="[PLACE/]MODE=URL",
        help="Servers that you run, in place of devices, separated by blanks; repeatable. They "
        "speak the Redis protocol, and their logs are where you placed them. One must be off=URL.",
    )


def workloads(names: Sequence[str], text: str, *default: str) -> Callable[[_Command], _Command]:
    """Return the option --workload of a command that takes several of `names`."""
    choice = OneWorkload(list(names))
    return click.option(
        "--workload",
        "workloads",
        multiple=True,
        default=default,
        callback=lambda context, option, typed: tuple(
            choice.convert(word, option, context) for word in _split("--workload", typed)
        ),
        metavar="NAME|FILE",
        help=f"{text} Names: {', '.join(names)}.",
    )


class OneWorkload(click.Choice[str]):
    """A workload by its name, or by a file: of a mix, of YCSB's, or LinkBench's configuration.

    A file's workload is added to the table of workloads.
    """

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Convert as click does. Errors: UsageError for a file, with all that is wrong in it."""
        if "/" not in value and not value.endswith((".toml", ".properties")):
            return super().convert(value, param, ctx)
        from ...base.tomlfile import read_bytes
        from ...workloads import add, files

        path = Path(value).expanduser()
        record, notes = files.read(path, read_bytes(path))
        for note in notes:
            click.echo(note, err=True)
        try:
            add(record)
        except ValueError as error:
            raise UsageError(f"--workload: {value}: {error}; rename the file") from error
        return record.name


def builds(
    _context: click.Context, _option: click.Parameter, typed: Sequence[str]
) -> tuple[Named, ...]:
    """Read what --build says. A text names one build, whose path may hold blanks if it exists, or
    several builds.
    """
    return tuple(map(named, _split("--build", typed, lambda text: _is(text.partition("=")[2]))))


def device(_context: click.Context, _option: click.Parameter, typed: str | None) -> str | None:
    """Read what --device says in a command that takes one device or none."""
    names = () if typed is None else _split("--device", [typed], _is_device)
    if len(names) > 1:
        raise UsageError(f"--device: found {len(names)}: {typed}; this command takes one")
    return next(iter(names), None)


def _is_device(text: str) -> bool:
    """Return whether a text is one device: a file, whose path may hold blanks, or one name."""
    return _is(text, Path.is_file) or not re.search(r"[\s'\"]", text)


def _is(text: str, what: Callable[[Path], bool] = Path.exists) -> bool:
    try:
        return what(Path(text).expanduser())
    except (OSError, RuntimeError):  # a list too long for a name, or a home of nobody
        return False


def _split(
    flag: str, typed: Sequence[str], is_one: Callable[[str], bool] = lambda _: False
) -> tuple[str, ...]:
    """Return the words of all texts. A text without any is a word itself, to be refused as such."""
    split = ([text] if is_one(text) else words(flag, text) or [text] for text in typed)
    return tuple(itertools.chain.from_iterable(split))
